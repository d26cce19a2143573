"""Random numbers: counter-based streams keyed by (seed, game, purpose).

A state holds `luck_key` and one 64-bit word per purpose in `luck`. Streams do not depend on batch, thread or
order of simulation. Therefore a single game can be reproduced, and two variants of a game have common random
numbers as long as they draw in the same order. The generator is SplitMix64 (Steele, Lea, Flood 2014); ranges
are reduced by multiply-shift, with a bias below n / 2**32.

`named_word`, `policy_below` and `aside` leave the state unchanged. The other functions modify the state that
they receive.
"""

import numpy as np

from bartizan.simcore.compile.jit import inline, jit

PURPOSES = 8
POLICY = 7  # by convention the last stream, for the random numbers of policies

GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_M1 = np.uint64(0xBF58476D1CE4E5B9)
_M2 = np.uint64(0x94D049BB133111EB)
_S30, _S27, _S31, _S32 = np.uint64(30), np.uint64(27), np.uint64(31), np.uint64(32)
_ONE = np.uint64(1)

LUCK_FIELDS = [("luck_key", "u8"), ("luck", "u8", (PURPOSES,))]


@inline
def mix(z):
    """Return the word `z` (uint64) after SplitMix64's finaliser, which mixes its bits."""
    z = (z ^ (z >> _S30)) * _M1
    z = (z ^ (z >> _S27)) * _M2
    return z ^ (z >> _S31)


@jit
def seed_luck(state, seed, game):
    """Initialise every stream of `state` for one game of one seed."""
    state.luck_key = mix(mix(np.uint64(seed) + GOLDEN) + (np.uint64(game) + _ONE) * GOLDEN)
    start_streams(state)


@inline
def start_streams(state):
    for purpose in range(PURPOSES):
        state.luck[purpose] = mix(state.luck_key + (np.uint64(purpose) + _ONE) * GOLDEN)


@jit
def fresh_luck(state, branch):
    """Give a state new random numbers in every stream.

    They are reproducible for each state and `branch` (0, 1, ...).

    The past does not change, nor does anything prepared in the state, such as the order of a shuffled pile
    (see `simcore.game.Engine.shuffle_unseen`).
    """
    state.luck_key = mix(
        mix(state.luck_key + np.uint64(PURPOSES + 2) * GOLDEN)
        ^ mix(state.luck[POLICY] + (np.uint64(branch) + _ONE) * GOLDEN)
    )
    start_streams(state)


@inline
def _word_at(state, purpose, index):
    """Return the 64-bit word with which the stream of `purpose` starts at `index`."""
    base = mix(state.luck_key + (np.uint64(purpose) + _ONE) * GOLDEN)
    return mix(base + (np.uint64(index) + _ONE) * GOLDEN)


@jit
def rekey(state, purpose, index):
    """Restart a stream at an index (a turn, a card), so that earlier draws cannot shift later draws."""
    state.luck[purpose] = _word_at(state, purpose, index)


@jit
def named_word(state, purpose, index, tag, copy):
    """Return the random 64-bit word of an object in the stream of `purpose` at `index`.

    The object is copy number `copy` of `tag` (uint64).

    Sorting cards by their words shuffles them. They keep their relative order when other cards join or leave
    the deck, so two decks that differ in one card share their random numbers.
    """
    return mix(mix(_word_at(state, purpose, index) + tag) + (np.uint64(copy) + _ONE) * GOLDEN)


@inline
def below(state, purpose, n):
    """Return a uniform integer from 0 to n - 1 from the stream of `purpose`."""
    word = state.luck[purpose] + GOLDEN
    state.luck[purpose] = word
    return np.int64(((mix(word) >> _S32) * np.uint64(n)) >> _S32)


@inline
def die(state, purpose, sides):
    """Return one die roll from 1 to `sides`, from the stream of `purpose`."""
    return below(state, purpose, sides) + 1


@inline
def policy_below(state, draw, n):
    """Return a uniform integer from 0 to n - 1 for a policy.

    `draw` = 0, 1, ... numbers the draws of one decision.

    The play loop advances the POLICY stream by one word per ply, so a policy remains a pure function of the
    state.
    """
    word = mix(state.luck[POLICY] + np.uint64(draw) * _M1)
    return np.int64(((word >> _S32) * np.uint64(n)) >> _S32)


@jit
def aside(state, index, n):
    """Return a uniform integer from 0 to n - 1 that depends on the game but on no stream.

    `index` distinguishes several such integers.

    All later random numbers of the game are the same as without the call.
    """
    base = mix(state.luck_key + np.uint64(PURPOSES + 1) * GOLDEN)
    word = mix(base + (np.uint64(index) + _ONE) * GOLDEN)
    return np.int64(((word >> _S32) * np.uint64(n)) >> _S32)


@jit
def next_policy_luck(state):
    """Advance the stream of the policies. The play loop calls this once per ply."""
    state.luck[POLICY] = mix(state.luck[POLICY] + GOLDEN)
