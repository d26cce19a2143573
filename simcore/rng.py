"""Luck: counter-based streams keyed by (seed, game, purpose).

A state carries `luck_key` and one 64-bit word per purpose in `luck`. Streams do not depend on batch, thread
or order of play: a game is reproducible alone, and two variants of a game share their luck (common random
numbers) as long as they ask the same questions. The generator is SplitMix64 (Steele, Lea, Flood 2014); ranges
are cut by multiply-shift, whose bias is below n / 2**32.
"""

import numpy as np

from bartizan.simcore.compile.jit import inline, jit

PURPOSES = 8
POLICY = 7  # by convention the last stream belongs to the players' own randomness

GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_M1 = np.uint64(0xBF58476D1CE4E5B9)
_M2 = np.uint64(0x94D049BB133111EB)
_S30, _S27, _S31, _S32 = np.uint64(30), np.uint64(27), np.uint64(31), np.uint64(32)
_ONE = np.uint64(1)

LUCK_FIELDS = [("luck_key", "u8"), ("luck", "u8", (PURPOSES,))]


@inline
def mix(z):
    """SplitMix64's finaliser: one 64-bit word well stirred."""
    z = (z ^ (z >> _S30)) * _M1
    z = (z ^ (z >> _S27)) * _M2
    return z ^ (z >> _S31)


@jit
def seed_luck(state, seed, game):
    """Start every stream of `state` for one game of one seed. Modifies `state`."""
    state.luck_key = mix(mix(np.uint64(seed) + GOLDEN) + (np.uint64(game) + _ONE) * GOLDEN)
    start_streams(state)


@inline
def start_streams(state):
    for purpose in range(PURPOSES):
        state.luck[purpose] = mix(state.luck_key + (np.uint64(purpose) + _ONE) * GOLDEN)


@jit
def fresh_luck(state, branch):
    """Give a state another future: new luck in every stream, the same for the same state and `branch` (0, 1,
    ...). Modifies `state`.

    What has happened stays, and so does what lies ready in the state (the order of a shuffled pile): see
    `simcore.game.Engine.shuffle_unseen`.
    """
    state.luck_key = mix(
        mix(state.luck_key + np.uint64(PURPOSES + 2) * GOLDEN)
        ^ mix(state.luck[POLICY] + (np.uint64(branch) + _ONE) * GOLDEN)
    )
    start_streams(state)


@inline
def _word_at(state, purpose, index):
    """Where the stream of `purpose` starts at moment `index`."""
    base = mix(state.luck_key + (np.uint64(purpose) + _ONE) * GOLDEN)
    return mix(base + (np.uint64(index) + _ONE) * GOLDEN)


@jit
def rekey(state, purpose, index):
    """Start a stream afresh at a named moment (a turn, a card), so that luck before it cannot shift luck
    after it.

    Modifies `state`.
    """
    state.luck[purpose] = _word_at(state, purpose, index)


@jit
def named_word(state, purpose, index, tag, copy):
    """A 64-bit word of one thing at moment `index`: copy number `copy` of what `tag` (uint64) names.

    Cards sorted by their words are shuffled, and keep their order among themselves when others join or leave
    the deck: two decks that differ in a card share their luck. Leaves the state untouched.
    """
    return mix(mix(_word_at(state, purpose, index) + tag) + (np.uint64(copy) + _ONE) * GOLDEN)


@inline
def below(state, purpose, n):
    """A uniform integer 0 .. n-1 from the stream of `purpose`. Modifies `state`."""
    word = state.luck[purpose] + GOLDEN
    state.luck[purpose] = word
    return np.int64(((mix(word) >> _S32) * np.uint64(n)) >> _S32)


@inline
def die(state, purpose, sides):
    """One die: 1 .. sides."""
    return below(state, purpose, sides) + 1


@inline
def policy_below(state, draw, n):
    """A uniform integer 0 .. n-1 for a policy; `draw` = 0, 1, ... numbers the draws of one decision. Leaves
    the state untouched.

    The play loop moves the POLICY stream on by one word a ply, so a policy stays a pure function of the
    state.
    """
    word = mix(state.luck[POLICY] + np.uint64(draw) * _M1)
    return np.int64(((word >> _S32) * np.uint64(n)) >> _S32)


@jit
def aside(state, index, n):
    """A uniform integer 0 .. n-1 that belongs to the game and to no stream; `index` tells several apart.

    Leaves the state, and so all later luck, untouched.
    """
    base = mix(state.luck_key + np.uint64(PURPOSES + 1) * GOLDEN)
    word = mix(base + (np.uint64(index) + _ONE) * GOLDEN)
    return np.int64(((word >> _S32) * np.uint64(n)) >> _S32)


@jit
def next_policy_luck(state):
    """Move the players' stream on: called once a ply by the play loop."""
    state.luck[POLICY] = mix(state.luck[POLICY] + GOLDEN)
