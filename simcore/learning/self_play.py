"""Games in which a learned player learns: against itself, against what it was before, against policies.

Each decision of the learner is kept with the inputs of the state and of all its actions. At the end of a game
every decision gets its advantage. Chances are drawn from the players' own luck in the state, so that games
are the same for any number of threads.
"""

from functools import cache
from typing import Any

import numba
import numpy as np

from bartizan.simcore.compile.jit import jit
from bartizan.simcore.compile.loops import Loop
from bartizan.simcore.compile.rules import (
    NOBODY,
    PLAYING,
    PLY_CAP,
    TRUNCATED,
    apply,
    as_features,
    asked,
    legal_actions,
    write_features,
    write_record,
)
from bartizan.simcore.learning.layout import Addresses, Layout
from bartizan.simcore.learning.network import (
    Decisions,
    chances_of,
    context_of,
    layer,
    net_of,
    value_of_state,
    worth_of,
)
from bartizan.simcore.learning.observing import (
    Coding,
    legal_inputs,
    look_closer,
    observe,
    scratch,
    state_inputs,
)
from bartizan.simcore.play.step import begin_game, decide, is_listed, note_illegal
from bartizan.simcore.rng import next_policy_luck, policy_below

ITSELF, BEFORE, POLICIES = range(3)  # who else sits at the table
LONGEST = 5000  # decisions of a game that is learned from; it is cut off then and worth nothing
MOST_SIDES = 16
FINE = 1 << 30  # of a chance that is drawn
NET_DRAW, ACTION_DRAW = 1 << 41, 1 << 42  # draws of the players' luck that no policy uses


def probe(
    states, tables, policies, workspaces, first_game, games, at, rules, seen, met, leaks, noise, tried, ends
):
    """Play games, every second one at random and the others as the policies do, and look closer at each
    decision: see `observing.look_closer`. ends: int64 (decisions, least and greatest score), modified.
    """
    workspace = workspaces[0]
    numbers, after = np.zeros(at.sizes[0], np.int64), np.zeros(at.sizes[0], np.int64)
    for game in range(first_game, first_game + games):
        plies = begin_game(states, tables, workspace, game)
        while states[0].end_reason == PLAYING and plies < LONGEST:
            action = decide(states[0], tables, policies, workspace, plies)
            if states[0].end_reason != PLAYING:
                return
            n, legal = workspace.n_legal, workspace.legal
            look_closer(states, tables, rules, seen, at, met, leaks, noise, tried, legal, n, numbers, after)
            if game % 2:
                action = legal[policy_below(states[0], ACTION_DRAW, n)]
            apply(states[0], tables, action)
            plies += 1
        ends[0] += plies
        if at.sizes[3] > 0:
            write_features(states[0], tables, as_features(seen))
            for player in range(states[0].players):
                score = np.int64(seen[at.sizes[4] + player])
                ends[1], ends[2] = min(ends[1], score), max(ends[2], score)


def play_to_learn(
    states, tables, policies, workspaces, first_game, at, coding, rules, seen, nets, sizes, shape, past, tally
):
    """Play games from `first_game` on until enough decisions are kept, or all there is room for; returns how
    many are.

    nets: float32 [net, parameter], the learner's first; sizes: int64 (inputs of a state, of an action, hidden
    units, sides, who else plays, 1 if the best action is taken and nothing kept, how many decisions or games
    are wanted, decisions kept before); shape: float64 (weight of the score in what a game is worth, its
    middle, its spread, decay of advantages). tally: int64 (games, wins of the learner), modified.
    """
    workspace, t, game, is_full = workspaces[0], sizes[7], first_game, False
    numbers, after = np.zeros(at.sizes[0], np.int64), np.zeros(at.sizes[0], np.int64)
    now = scratch(at, coding, len(workspace.legal))
    hidden, context = np.zeros(sizes[2], np.float32), np.zeros(sizes[2], np.float32)
    mixed, worths = np.zeros(sizes[2], np.float32), np.zeros(len(workspace.legal), np.float32)
    last, ahead = np.zeros(MOST_SIDES, np.float64), np.zeros(MOST_SIDES, np.float64)
    mine = net_of(nets[0], sizes[0], sizes[1], sizes[2])
    while not is_full and (game - first_game if sizes[5] else t) < sizes[6]:
        plies = begin_game(states, tables, workspace, game)
        own, begin = game % sizes[3], t
        other = net_of(nets[policy_below(states[0], NET_DRAW, len(nets))], sizes[0], sizes[1], sizes[2])
        while states[0].end_reason == PLAYING:
            if plies == LONGEST:
                states[0].end_reason = PLY_CAP
                break
            mover, legal = states[0].to_move, workspace.legal
            n_legal = legal_actions(states[0], tables, workspace.legal[:])
            workspace.n_legal = n_legal
            next_policy_luck(states[0])
            is_learner = mover == own or sizes[4] == ITSELF
            if n_legal == 1:
                action = legal[0]
            elif sizes[4] == POLICIES and not is_learner:
                action = asked(
                    policies, mover, states[0], tables, workspace.legal[:], n_legal, workspace.weights[mover]
                )
                if not is_listed(legal, n_legal, action):
                    note_illegal(workspace, mover, action, plies)
                    return t
            else:
                observe(states, 0, tables, rules, seen, at, states[0].me, numbers)
                n = state_inputs(numbers, coding.numbers, now.state_inputs, now.state_values)
                n_legal = legal_inputs(
                    states, tables, rules, seen, at, coding, legal, n_legal, numbers, after, now
                )
                net = mine if is_learner else other
                layer(net.first, net.first_bias, now.state_inputs, now.state_values, 0, n, hidden)
                context_of(net, hidden, context)
                for a in range(n_legal):
                    begins, ends = now.ends[a], now.ends[a + 1]
                    worths[a] = worth_of(
                        net, hidden, context, now.act_inputs, now.act_values, begins, ends, mixed
                    )
                pick = chances_of(worths, n_legal)
                if not sizes[5]:
                    pick = drawn(states[0], worths, n_legal)
                    if is_learner and not is_full:
                        value = value_of_state(mine, now.state_inputs, now.state_values, 0, n, hidden)
                        is_full = not keep(past, t, now, n, n_legal, pick, worths[pick], value, mover)
                        t += not is_full
                action = legal[pick]
            apply(states[0], tables, action)
            plies += 1
        worth_of_end(states[0], tables, workspace, seen, at, sizes, shape, ahead)
        tally[0] += 1
        tally[1] += states[0].end_reason != PLY_CAP and workspace.record.winner == own
        look_back(past, begin, t, ahead, last, shape[3])
        game += 1
    return t


def keep(past, t, now, n_state, n_legal, pick, chance, value, side):
    """Keep a decision as number t of `past`; False where there is no room for it."""
    act, first, begin = past.act_at[t], past.state_at[t], past.input_at[past.act_at[t]]
    n = now.ends[n_legal]
    if (
        t + 1 >= len(past.act_at)
        or act + n_legal + 1 > len(past.input_at)
        or first + n_state > len(past.state_inputs)
        or begin + n > len(past.act_inputs)
    ):
        return False
    for z in range(n_state):
        past.state_inputs[first + z], past.state_values[first + z] = now.state_inputs[z], now.state_values[z]
    for a in range(n_legal):
        past.input_at[act + a + 1] = begin + now.ends[a + 1]
    for z in range(n):
        past.act_inputs[begin + z], past.act_values[begin + z] = now.act_inputs[z], now.act_values[z]
    past.state_at[t + 1], past.act_at[t + 1] = first + n_state, act + n_legal
    past.chosen[t], past.chance[t], past.value[t], past.side[t] = pick, chance, value, side
    return True


def drawn(state, chances, n):
    """A place below n; chances: their logarithms."""
    left = policy_below(state, ACTION_DRAW, FINE) / FINE
    for i in range(n - 1):
        left -= np.exp(chances[i])
        if left < 0.0:
            return i
    return n - 1


def worth_of_end(state, tables, workspace, seen, at, sizes, shape, worth):
    """What the end of a game is worth to each side, from 0 to 1: the win, and a part of the score."""
    write_record(state, tables, workspace.record)
    winner, sides = workspace.record.winner, sizes[3]
    if state.end_reason == PLY_CAP:
        winner = TRUNCATED
    for side in range(sides):
        worth[side] = 1.0 if winner == side else 1.0 / sides if winner == NOBODY and sides > 1 else 0.0
    if shape[0] > 0.0 and at.sizes[3] > 0:
        write_features(state, tables, as_features(seen))
        for side in range(sides):
            score, best = seen[at.sizes[4] + side], -np.inf
            for other in range(sides):
                if other != side:
                    best = max(best, seen[at.sizes[4] + other])
            lead = score - (best if sides > 1 else shape[1])
            worth[side] += shape[0] * (0.5 + 0.5 * np.tanh(lead / shape[2]) - worth[side])


def look_back(past, begin, end, ahead, last, decay):
    """Advantages and targets of one game's decisions. ahead: what its end is worth to each side; modified."""
    last[:] = 0.0
    for t in range(end - 1, begin - 1, -1):
        side = past.side[t]
        last[side] = ahead[side] - past.value[t] + decay * last[side]
        past.gain[t], past.target[t] = last[side], last[side] + past.value[t]
        ahead[side] = past.value[t]


# ---------------------------------------------------------------- as loops of a game


def _arguments(*examples: Any) -> Any:
    return lambda engine, seats: tuple(numba.typeof(example) for example in examples)


_wholes, _table = np.zeros(1, np.int64), np.zeros((1, 1), np.int64)
_addresses = Addresses(_table, _table, _wholes, _table, _table, _table, _table, _wholes)
_coding = Coding(_table, _table, _table, _wholes)
_reals = np.zeros(1, np.float64)


def new_decisions(decisions: int, state: int, actions: int, inputs: int) -> Decisions:
    """Room for so many decisions, inputs of states, actions, and inputs of actions."""
    return Decisions(
        np.zeros(decisions + 1, np.int64),
        np.zeros(state, np.int32),
        np.zeros(state, np.int16),
        np.zeros(decisions + 1, np.int64),
        np.zeros(actions + 1, np.int64),
        np.zeros(inputs, np.int32),
        np.zeros(inputs, np.int16),
        np.zeros(decisions, np.int32),
        np.zeros(decisions, np.float32),
        np.zeros(decisions, np.float32),
        np.zeros(decisions, np.int64),
        np.zeros(decisions, np.float32),
        np.zeros(decisions, np.float32),
    )


def knowing(layout: Layout) -> Any:
    """What the rule `knows_card` means in a game."""
    return lambda engine: {"knows_card": jit(layout.knower(engine))}


@cache
def probing(layout: Layout) -> Loop:
    examples = (1, _addresses, _wholes, _reals, _table, _wholes, _table, _wholes, _wholes)
    return Loop(probe, _arguments(*examples), knowing(layout))


@cache
def learning(layout: Layout) -> Loop:
    nets, past = np.zeros((1, 1), np.float32), new_decisions(1, 1, 1, 1)
    examples = (_addresses, _coding, _wholes, _reals, nets, _wholes, _reals, past, _wholes)
    return Loop(play_to_learn, _arguments(*examples), knowing(layout))
