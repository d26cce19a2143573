// Tic-tac-toe and No Thanks! for four as live engines in TypeScript: node known.ts tic_tac_toe

import { createInterface } from "node:readline";

type Luck = () => number;
interface Result { winner: number | "draw"; turns: number; scores?: number[] }
interface Game { declared: object; play(luck: Luck, policies: string[]): Result }

function luckOf(seed: number): Luck { // mulberry32
  return () => {
    seed = (seed + 0x6d2b79f5) | 0;
    let t = Math.imul(seed ^ (seed >>> 15), 1 | seed);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

const below = (luck: Luck, n: number): number => Math.floor(luck() * n);
const rows = [[0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8], [0, 4, 8], [2, 4, 6]];
const hasRow = (cells: number[], mark: number): boolean => rows.some((row) => row.every((at) => cells[at] === mark));

function marked(cells: number[], cell: number, mark: number): number[] {
  return cells.map((old, at) => (at === cell ? mark : old));
}

const ticTacToe: Game = {
  declared: {
    bartizan: 1, name: "tic_tac_toe", title: "Tic-tac-toe", players: 2, time: "mark",
    policies: [{ name: "careful" }, { name: "random" }],
  },
  play(luck, policies) {
    let cells: number[] = Array(9).fill(0);
    for (let turns = 1; ; turns++) {
      const me = 2 - (turns % 2), free = [...cells.keys()].filter((at) => !cells[at]);
      let cell = free[below(luck, free.length)];
      if (policies[me - 1] === "careful") {
        const wins = [me, 3 - me].flatMap((mark) => free.filter((at) => hasRow(marked(cells, at, mark), mark)));
        cell = wins[0] ?? (cells[4] ? cell : 4);
      }
      cells = marked(cells, cell, me);
      if (hasRow(cells, me)) return { winner: me, turns };
      if (turns === 9) return { winner: "draw", turns };
    }
  },
};

const noThanks: Game = {
  declared: {
    bartizan: 1, name: "no_thanks", title: "No Thanks!", players: 4, score: "points",
    policies: [{ name: "thrifty" }, { name: "random" }],
  },
  play(luck, policies) {
    const deck = [...Array(33).keys()].map((at) => at + 3), chips = [11, 11, 11, 11];
    for (let at = 32; at > 0; at--) {
      const other = below(luck, at + 1);
      [deck[at], deck[other]] = [deck[other], deck[at]];
    }
    deck.splice(0, 9);
    const taken = chips.map(() => new Set<number>());
    let pot = 0, turns = 1, me = 0;
    while (deck.length) {
      const card = deck[deck.length - 1], mine = taken[me];
      const fits = mine.has(card - 1) || mine.has(card + 1);
      const takes = policies[me] === "thrifty" ? fits || 2 * pot >= card : luck() < 0.5;
      if (takes || !chips[me]) {
        mine.add(deck.pop()!);
        chips[me] += pot;
        pot = 0;
      } else {
        chips[me]--; pot++; turns++;
        me = (me + 1) % 4;
      }
    }
    const scores = taken.map((mine, seat) =>
      chips[seat] - [...mine].filter((card) => !mine.has(card - 1)).reduce((sum, card) => sum + card, 0));
    const best = [0, 1, 2, 3].filter((seat) => scores[seat] === Math.max(...scores));
    return { winner: best.length === 1 ? best[0] + 1 : "draw", turns, scores };
  },
};

const game = process.argv[2] === "no_thanks" ? noThanks : ticTacToe;
createInterface({ input: process.stdin }).on("line", (line: string) => {
  const message = JSON.parse(line);
  const answers: object[] = message.message === "hello" ? [game.declared]
    : [...message.seeds.map((seed: number) => ({ seed, ...game.play(luckOf(seed), message.policies) })),
      { done: message.seeds.length }];
  process.stdout.write(answers.map((answer) => JSON.stringify(answer) + "\n").join(""));
});
