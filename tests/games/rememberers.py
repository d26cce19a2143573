"""Players of Pig with a memory: one that only a memory could play, and caches that say so when they find what another has kept."""

import numpy as np

from bartizan import Policy

ROLL, HOLD = 0, 1
COUNT = np.dtype([("asked", "i8"), ("odd", "u1")])  # of 9 bytes: no whole number of words
CACHE = np.dtype([("owner", "i4"), ("filled", "i4"), ("stake", "i4"), ("banked", "i4"), ("action", "i4")], align=True)
WIDE = np.dtype(
    [("filler", "f8", (40,)), ("owner", "i4"), ("filled", "i4"), ("stake", "i4"), ("banked", "i4"), ("action", "i4")],
    align=True,
)
OTHER = 2  # an action that Pig does not have


def choose_each_third(state, tables, legal, n_legal, weights, memory):
    memory.asked += 1
    memory.odd = memory.asked % 2
    return HOLD if memory.asked % 3 == 0 else ROLL


def choose_each_second(state, tables, legal, n_legal, weights, memory):
    memory.asked += 1
    return HOLD if memory.asked % 2 == 0 else ROLL


def choose_plainly(state, tables, legal, n_legal, weights):
    return HOLD if state.at_stake >= weights[0] or state.banked[state.to_move] + state.at_stake >= tables.goal else ROLL


def choose_from_cache(state, tables, legal, n_legal, weights, memory):
    """As `choose_plainly`; keeps the last answer beside what it was worked out from."""
    if memory.filled and memory.owner != 7:
        return OTHER
    banked = state.banked[state.to_move]
    if not memory.filled or memory.stake != state.at_stake or memory.banked != banked:
        memory.action = HOLD if state.at_stake >= weights[0] or banked + state.at_stake >= tables.goal else ROLL
        memory.owner, memory.filled, memory.stake, memory.banked = 7, 1, state.at_stake, banked
    return memory.action


def choose_from_wide_cache(state, tables, legal, n_legal, weights, memory):
    """The same with another record, and another owner."""
    if memory.filled and memory.owner != 9:
        return OTHER
    banked = state.banked[state.to_move]
    if not memory.filled or memory.stake != state.at_stake or memory.banked != banked:
        memory.action = HOLD if state.at_stake >= weights[0] or banked + state.at_stake >= tables.goal else ROLL
        memory.owner, memory.filled, memory.stake, memory.banked = 9, 1, state.at_stake, banked
    for i in range(len(memory.filler)):
        memory.filler[i] = -1.0
    return memory.action


def choose_from_stale_cache(state, tables, legal, n_legal, weights, memory):
    """A cache that compares the tens of what is at stake alone."""
    if not memory.filled or memory.stake // 10 != state.at_stake // 10:
        memory.action = HOLD if state.at_stake >= 15 else ROLL
        memory.filled, memory.stake = 1, state.at_stake
    return memory.action


AT = {"at": 20.0}
THIRD = Policy("third", choose_each_third, memory=COUNT)
SECOND = Policy("second", choose_each_second, memory=COUNT)
PLAIN = Policy("plain", choose_plainly, weights=AT)
CACHED = Policy("cached", choose_from_cache, weights=AT, memory=CACHE)
WIDELY = Policy("widely", choose_from_wide_cache, weights=AT, memory=WIDE)
STALE = Policy("stale", choose_from_stale_cache, memory=CACHE)
