"""Mixed strategies of small games: regret matching by information set, on sampled games.

The method is counterfactual regret minimisation with external sampling (Lanctot et al. 2009) and linear
averaging (Brown & Sandholm 2019). In each game, one seat tries every action at its first DEEPEST decisions,
and all other actions are sampled. The average of the strategies approaches an equilibrium of a two-sided game
if players remember what they saw.

An information set is identified by a hash of everything that its player sees, and of the legal actions.
"""

from functools import cache
from typing import NamedTuple

import numpy as np

from bartizan.simcore.compile.copies import copy_state
from bartizan.simcore.compile.loops import Loop
from bartizan.simcore.compile.rules import PLAYING, PLY_CAP, apply, legal_actions
from bartizan.simcore.learning.layout import Layout
from bartizan.simcore.learning.observing import HIDDEN, observe, sight_of
from bartizan.simcore.learning.self_play import (
    ACTION_DRAW,
    FINE,
    SETTINGS,
    WHERE,
    index_at,
    loop_of,
    worth_of_end,
)
from bartizan.simcore.play.step import begin_game
from bartizan.simcore.rng import GOLDEN, mix, next_policy_luck, policy_below

# sizes of a table: slots, information sets, actions of all sets
SLOTS, MOST_SETS, ROOM = 1 << 16, 1 << 15, 1 << 18
DEEPEST = 32  # a seat tries every action at this many of its decisions per game, and draws the others
UNKNOWN, TOO_LARGE = -1, -1
MOST_OF_A_GAME = 200_000  # maximum number of decisions into which one sampled game branches


class Ledger(NamedTuple):
    """Regrets and sums of strategies by information set: a hash table of slots."""

    keys: np.ndarray  # int64 [slot], 0: empty
    begins: np.ndarray  # int64 [slot]: its first entry
    counts: np.ndarray  # int64 [slot]: number of its legal actions
    regrets: np.ndarray  # float64 [entry]
    sums: np.ndarray  # float64 [entry]
    used: np.ndarray  # int64 (information sets, entries)


class MixedTable(NamedTuple):
    """A mixed strategy in integers: information sets in the order of their keys."""

    keys: np.ndarray  # int64 [information set]
    ends: np.ndarray  # int64 [information set + 1]: the parts of `parts` by information set
    parts: np.ndarray  # uint8: probabilities of its legal actions, not normalised


def new_ledger() -> Ledger:
    slots, entries = np.zeros((3, SLOTS), np.int64), np.zeros((2, ROOM))
    return Ledger(*slots, *entries, np.zeros(2, np.int64))


def table_of(ledger: Ledger) -> MixedTable:
    """Return the average of the strategies of all games, as a mixed strategy in integers."""
    slots = np.flatnonzero(ledger.keys)
    slots = slots[np.argsort(ledger.keys[slots])]
    spans = [slice(ledger.begins[slot], ledger.begins[slot] + ledger.counts[slot]) for slot in slots]
    parts = [_rounded(ledger.sums[span]) for span in spans]
    ends = np.cumsum([0, *map(len, parts)], dtype=np.int64)
    return MixedTable(ledger.keys[slots], ends, np.concatenate([*parts, np.zeros(0, np.uint8)]))


def _rounded(sums: np.ndarray) -> np.ndarray:
    most = sums.max()
    return np.rint(255 * (sums / most if most > 0 else np.ones(len(sums)))).astype(np.uint8)


# ---------------------------------------------------------------- compiled


def key_of(sight, legal, n_legal):
    """Return the key of an information set: a positive integer."""
    word = GOLDEN
    for number in range(len(sight.numbers)):
        if sight.coding.numbers[number, 0] != HIDDEN:
            word = mix((word ^ np.uint64(sight.numbers[number])) + GOLDEN)
    for a in range(n_legal):
        word = mix((word ^ np.uint64(legal[a])) + GOLDEN)
    return np.int64(word >> np.uint64(1)) | 1


def entry_of(ledger, key, n):
    """Return the first entry of an information set of `n` actions, which is added if it is new.

    Return UNKNOWN if the table is full. Modifies `ledger`.
    """
    slot = key % len(ledger.keys)
    while ledger.keys[slot] != key:
        if ledger.keys[slot] == 0:
            sets, entries = ledger.used[0], ledger.used[1]
            if sets == MOST_SETS or entries + n > len(ledger.sums):
                return np.int64(UNKNOWN)
            ledger.keys[slot], ledger.begins[slot], ledger.counts[slot] = key, entries, n
            ledger.used[0], ledger.used[1] = sets + 1, entries + n
            break
        slot = (slot + 1) % len(ledger.keys)
    return ledger.begins[slot]


def match_regrets(ledger, entry, n, chances):
    """Write the current strategy of an information set into `chances`."""
    total = 0.0
    for a in range(n):
        chances[a] = max(ledger.regrets[entry + a], 0.0) if entry != UNKNOWN else 0.0
        total += chances[a]
    for a in range(n):
        chances[a] = chances[a] / total if total > 0.0 else 1.0 / n


def next_choice(states, i, tables, sight, ledger, me, is_drawn, weight, legal, chances, span):
    """Play states[i] until seat `me` has a choice, or to the end. Returns the number of decisions.

    is_drawn: the actions of seat `me` are sampled too. span: int64 (entry, actions, tried actions) of the
    choice, with 0 actions at the end of the game.
    """
    state, plies = states[i], 0
    span[1] = 0
    while state.end_reason == PLAYING:
        if plies == MOST_OF_A_GAME:
            state.end_reason = PLY_CAP
            break
        plies += 1
        mover, n = state.to_move, legal_actions(state, tables, legal)
        next_policy_luck(state)
        action = legal[0]
        if n > 1:
            observe(states, i, tables, sight, state.me, sight.numbers, sight.all)
            entry = entry_of(ledger, key_of(sight, legal, n), n)
            match_regrets(ledger, entry, n, chances)
            if mover == me and not is_drawn:
                span[0], span[1], span[2] = entry, n, 0
                return plies
            if mover != me and entry != UNKNOWN:
                for a in range(n):
                    ledger.sums[entry + a] += weight * chances[a]
            action = legal[index_at(policy_below(state, ACTION_DRAW, FINE) / FINE, chances, n)]
        apply(state, tables, action)
    return plies


def settle(ledger, entry, n, chances, worths):
    """Add the regrets of a choice whose actions have the values `worths`; return the value of the choice.

    Modifies `ledger`.
    """
    mean = 0.0
    for a in range(n):
        mean += chances[a] * worths[a]
    if entry != UNKNOWN:
        for a in range(n):
            ledger.regrets[entry + a] += worths[a] - mean
    return mean


def balance(states, tables, policies, workspaces, first_game, at, coding, rules, settings, weight, ledger):
    """Simulate games from `first_game` on until they have branched into `settings.wanted` decisions.

    Returns the number of games, or TOO_LARGE if a game branches into more than MOST_OF_A_GAME decisions.

    weight: weight of these games' strategies in the average.
    """
    workspace, deepest, game, met = workspaces[0], len(states) - 1, first_game, 0
    sight = sight_of(at, coding, rules, len(workspace.legal))
    legal = np.zeros((len(states), len(workspace.legal)), np.int32)
    chances, worths = np.zeros(legal.shape), np.zeros(legal.shape)
    spans, ends = np.zeros((len(states), 3), np.int64), np.zeros(settings.sides)
    while met < settings.wanted:
        begin_game(states, tables, workspace, game)
        me, depth, before = game % settings.sides, 0, met
        while depth >= 0:
            span, is_drawn = spans[depth], depth == deepest
            room = (legal[depth], chances[depth], span)
            met += next_choice(states, depth, tables, sight, ledger, me, is_drawn, weight, *room)
            if met - before > MOST_OF_A_GAME:
                return TOO_LARGE
            if span[1] == 0:
                worth_of_end(states[depth], tables, workspace, sight, settings, ends)
                worth = ends[me]
                depth -= 1
                while depth >= 0:  # back to the last choice with an action that is not tried
                    span = spans[depth]
                    worths[depth, span[2]] = worth
                    span[2] += 1
                    if span[2] < span[1]:
                        break
                    worth = settle(ledger, span[0], span[1], chances[depth], worths[depth])
                    depth -= 1
                if depth < 0:
                    break
            copy_state(states[depth + 1], states[depth])
            apply(states[depth + 1], tables, legal[depth, spans[depth, 2]])
            depth += 1
        game += 1
    return game - first_game


def parts_of(table, key, n, parts):
    """Write the probabilities of an information set's `n` actions into `parts` (int64), not normalised.

    In an information set that did not occur in training, they are equal.
    """
    i = np.searchsorted(table.keys, key)
    is_known = i < len(table.keys) and table.keys[i] == key and table.ends[i + 1] - table.ends[i] == n
    for a in range(n):
        parts[a] = table.parts[table.ends[i] + a] if is_known else 1


@cache
def balancing(layout: Layout) -> Loop:
    return loop_of(layout, balance, *WHERE, SETTINGS, 1.0, new_ledger())
