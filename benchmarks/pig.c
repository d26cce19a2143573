/* Pig, two players who hold at 20, in plain C: the yardstick of benchmarks/beside.py.

   gcc -O3 -o pig benchmarks/pig.c && ./pig 3000000

   Prints the first player's share of wins, games and decisions a second. Dice come from SplitMix64 words, as in
   Bartizan, and are unbiased (Lemire's rejection). Nothing else of Bartizan's work is done: no list of legal
   actions, no record, no luck that can be told by game and decision. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static uint64_t state = 1;

static uint64_t word(void) {
    uint64_t z = state += 0x9E3779B97F4A7C15u;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
    z = (z ^ z >> 27) * 0x94D049BB133111EBu;
    return z ^ z >> 31;
}

static int die(void) {
    uint64_t m = (word() >> 32) * 6;
    while ((uint32_t)m < 4) m = (word() >> 32) * 6; /* 2^32 mod 6 = 4 */
    return 1 + (int)(m >> 32);
}

static int play(uint64_t *decisions) {
    int banked[2] = {0, 0}, at_stake = 0, to_move = 0;
    for (;;) {
        ++*decisions;
        if (at_stake >= 20 || banked[to_move] + at_stake >= 100) {
            banked[to_move] += at_stake;
            if (banked[to_move] >= 100) return to_move;
        } else {
            int pips = die();
            if (pips != 1) { at_stake += pips; continue; }
        }
        at_stake = 0;
        to_move = 1 - to_move;
    }
}

int main(int argc, char **argv) {
    long games = argc > 1 ? atol(argv[1]) : 3000000, wins = 0;
    uint64_t decisions = 0;
    struct timespec a, b;
    clock_gettime(CLOCK_MONOTONIC, &a);
    for (long game = 0; game < games; ++game) wins += play(&decisions) == 0;
    clock_gettime(CLOCK_MONOTONIC, &b);
    double seconds = (b.tv_sec - a.tv_sec) + 1e-9 * (b.tv_nsec - a.tv_nsec);
    printf("%.4f %.0f %.0f\n", (double)wins / games, games / seconds, decisions / seconds);
    return 0;
}
