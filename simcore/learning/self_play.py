"""Training games of a learned player: against itself, its previous versions, or policies.

Each decision of the learner is stored with the inputs of the state and of all its actions. At the end of a
game, every decision gets its advantage. Random draws use the stream of the policies in the state, so that
games are the same for any number of threads.
"""

from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple

import numba
import numpy as np

from bartizan.simcore.compile.loops import Loop
from bartizan.simcore.compile.rules import (
    NO_ACTION,
    NOBODY,
    PLAYING,
    PLY_CAP,
    apply,
    as_features,
    asked,
    legal_actions,
    write_features,
)
from bartizan.simcore.learning.layout import NO_SCORE, Addresses, Layout
from bartizan.simcore.learning.network import (
    HIDDEN_UNITS,
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
    Noted,
    legal_inputs,
    look_closer,
    observe,
    sight_of,
    state_inputs,
)
from bartizan.simcore.play.step import begin_game, decide, is_listed, note_illegal, winner_of
from bartizan.simcore.rng import next_policy_luck, policy_below

ITSELF, BEFORE, POLICIES = range(3)  # the other players
DECAY = 0.95  # of advantages
LONGEST = 5000  # maximum decisions of a training game; longer ones are truncated with value 0
FINE = 1 << 30  # resolution of a drawn probability
NET_DRAW, ACTION_DRAW = 1 << 41, 1 << 42  # draws of the policies' stream that no policy uses


def probe(
    states, tables, policies, workspaces, first_game, games, at, coding, rules, is_advised, noted, ends
):
    """Simulate games, alternately with random actions and with the policies, and examine each decision.

    `observing.look_closer` describes the examination.

    ends: int64 (decisions, least and greatest score, decisions in which the policy chooses another action if
    hidden cards are redealt), modified in place.
    """
    workspace = workspaces[0]
    sight = sight_of(at, coding, rules, len(workspace.legal))
    for game in range(first_game, first_game + games):
        plies = begin_game(states, tables, workspace, game)
        while states[0].end_reason == PLAYING and plies < LONGEST:
            workspace.n_legal = legal_actions(states[0], tables, workspace.legal[:])
            is_random = game % 2 and workspace.n_legal > 0
            if is_random:
                next_policy_luck(states[0])
                action = workspace.legal[policy_below(states[0], ACTION_DRAW, workspace.n_legal)]
            else:
                action = decide(states[0], tables, policies, workspace, plies)
                if states[0].end_reason != PLAYING:
                    return
            look_closer(states, tables, sight, noted, workspace.legal, workspace.n_legal)
            if is_advised and not is_random:
                ends[3] += action != choice_in(states[1], states[0], tables, policies, workspace)
            apply(states[0], tables, action)
            plies += 1
        ends[0] += plies
        if at.scores != NO_SCORE:
            write_features(states[0], tables, as_features(sight.seen))
            for player in range(states[0].players):
                score = np.int64(sight.seen[at.scores + player])
                ends[1], ends[2] = min(ends[1], score), max(ends[2], score)


def choice_in(dealt, state, tables, policies, workspace):
    """Return the choice of the policy in `dealt`, a state with redealt cards. Modifies `dealt`.

    The policy gets the random numbers that it has in `state`.
    """
    dealt.luck_key = state.luck_key
    dealt.luck[:] = state.luck
    return advised(dealt, tables, policies, workspace)


def advised(state, tables, policies, workspace):
    """Return the choice of the policy of the player to move. The policy gets a copy of the legal actions."""
    shown, n_legal = workspace.shown[:], workspace.n_legal
    shown[:n_legal] = workspace.legal[:n_legal]
    mover = state.to_move
    return asked(policies, mover, state, tables, shown, n_legal, workspace.weights[mover])


class Settings(NamedTuple):
    """Settings of `play_to_learn`."""

    sides: int
    others: int  # ITSELF, BEFORE or POLICIES: the other players
    is_advised: bool  # a learned player sees what the policy of its seat would choose
    is_look: bool  # play the best action and store no decision
    wanted: int  # number of decisions to store, or of games to evaluate
    score: float  # weight of the score in the value of a game
    is_linear: bool  # the score counts linearly; otherwise large leads count little more than small ones
    middle: float  # of scores
    spread: float


def play_to_learn(
    states, tables, policies, workspaces, first_game, at, coding, rules, nets, settings, past, t, tally
):
    """Simulate games from `first_game` on until `past` contains `settings.wanted` decisions, or is full.

    Return the number of decisions in `past`. With `settings.is_look`, simulate `settings.wanted` games and
    store nothing.

    t: number of decisions that are already in `past`. nets: float32 [net, parameter], with the learner's
    network first. tally: int64 (games, wins and total score of the learner; the score is 0 if it has no
    weight), modified in place.
    """
    workspace, game, is_full = workspaces[0], first_game, False
    sight = sight_of(at, coding, rules, len(workspace.legal))
    room = np.zeros((3, HIDDEN_UNITS), np.float32)
    hidden, context, mixed = room[0], room[1], room[2]
    worths = np.zeros(len(workspace.legal), np.float32)
    last, ahead = np.zeros(settings.sides, np.float64), np.zeros(settings.sides, np.float64)
    mine = net_of(nets[0], coding.sizes[0], coding.sizes[1])
    while not is_full and (game - first_game if settings.is_look else t) < settings.wanted:
        plies = begin_game(states, tables, workspace, game)
        own, begin = game % settings.sides, t
        which = policy_below(states[0], NET_DRAW, len(nets))
        other = net_of(nets[which], coding.sizes[0], coding.sizes[1])
        while states[0].end_reason == PLAYING:
            if plies == LONGEST:
                states[0].end_reason = PLY_CAP
                break
            mover, legal = states[0].to_move, workspace.legal[:]
            n_legal = legal_actions(states[0], tables, legal)
            workspace.n_legal = n_legal
            next_policy_luck(states[0])
            is_learner = mover == own or settings.others == ITSELF
            is_policy, action = settings.others == POLICIES and not is_learner, legal[0]
            advice = np.int32(NO_ACTION)
            if n_legal > 1 and (is_policy or settings.is_advised):
                # illegal as advice: after a first stage that the policy would not choose
                action = advice = advised(states[0], tables, policies, workspace)
                if is_policy and not is_listed(legal, n_legal, action):
                    note_illegal(workspace, mover, action, plies)
                    return t
            if n_legal > 1 and not is_policy:
                observe(states, 0, tables, sight, states[0].me, sight.numbers, sight.all)
                n = state_inputs(sight)
                n_legal = legal_inputs(states, tables, sight, legal, n_legal, advice)
                net = mine if is_learner else other
                layer(net.first, net.first_bias, sight.state_inputs, sight.state_values, 0, n, hidden)
                context_of(net, hidden, context)
                for a in range(n_legal):
                    worths[a] = worth_of(net, hidden, context, sight, sight.ends[a], sight.ends[a + 1], mixed)
                pick = chances_of(worths, n_legal)
                if not settings.is_look:
                    left = policy_below(states[0], ACTION_DRAW, FINE) / FINE
                    pick = index_at(left, np.exp(worths[:n_legal]), n_legal)
                    if is_learner and not is_full:
                        value = value_of_state(mine, sight.state_inputs, sight.state_values, 0, n, hidden)
                        is_full = not keep(past, t, sight, n, n_legal, pick, worths[pick], value, mover)
                        t += not is_full
                action = legal[pick]
            apply(states[0], tables, action)
            plies += 1
        winner = worth_of_end(states[0], tables, workspace, sight, settings, ahead)
        tally[0] += 1
        tally[1] += winner == own
        if settings.score > 0.0 and at.scores != NO_SCORE:
            tally[2] += np.int64(sight.seen[at.scores + own])
        look_back(past, begin, t, ahead, last)
        game += 1
    return t


def keep(past, t, sight, n_state, n_legal, pick, chance, value, side):
    """Store a decision as number t of `past`; return False if the memory is full."""
    act, first, begin = past.act_at[t], past.state_at[t], past.input_at[past.act_at[t]]
    n = sight.ends[n_legal]
    if (
        t + 1 >= len(past.act_at)
        or act + n_legal + 1 > len(past.input_at)
        or first + n_state > len(past.state_inputs)
        or begin + n > len(past.act_inputs)
    ):
        return False
    past.state_inputs[first : first + n_state] = sight.state_inputs[:n_state]
    past.state_values[first : first + n_state] = sight.state_values[:n_state]
    past.act_inputs[begin : begin + n] = sight.act_inputs[:n]
    past.act_values[begin : begin + n] = sight.act_values[:n]
    past.input_at[act + 1 : act + n_legal + 1] = begin + sight.ends[1 : n_legal + 1]
    past.state_at[t + 1], past.act_at[t + 1] = first + n_state, act + n_legal
    past.chosen[t], past.chance[t], past.value[t], past.side[t] = pick, chance, value, side
    return True


def index_at(left, parts, n):
    """Return the first index below `n` at which the running sum of `parts` exceeds `left`.

    If there is none, return n - 1.
    """
    for i in range(n - 1):
        left -= parts[i]
        if left < 0:
            return i
    return n - 1


def worth_of_end(state, tables, workspace, sight, settings, worth):
    """Write the value of the end of a game for each side into `worth`; return the winner.

    The value combines the win and the score. It is from 0 to 1, unless the score counts linearly.
    """
    winner = winner_of(state, tables, workspace)
    sides, first, seen = settings.sides, sight.at.scores, sight.seen
    for side in range(sides):
        worth[side] = 1.0 if winner == side else 1.0 / sides if winner == NOBODY and sides > 1 else 0.0
    if settings.score > 0.0 and first != NO_SCORE:
        write_features(state, tables, as_features(seen))
        for side in range(sides):
            best = settings.middle if sides == 1 else -np.inf
            for other in range(sides):
                if other != side:
                    best = max(best, seen[first + other])
            lead = (seen[first + side] - best) / settings.spread
            part = 0.5 + 0.5 * (lead if settings.is_linear else np.tanh(lead))
            worth[side] += settings.score * (part - worth[side])
    return winner


def look_back(past, begin, end, ahead, last):
    """Compute advantages and targets of one game's decisions.

    ahead: value of the end of the game for each side; modified in place.
    """
    last[:] = 0.0
    for t in range(end - 1, begin - 1, -1):
        side = past.side[t]
        last[side] = ahead[side] - past.value[t] + DECAY * last[side]
        past.gain[t], past.target[t] = last[side], last[side] + past.value[t]
        ahead[side] = past.value[t]


# ---------------------------------------------------------------- loops of a game


def loop_of(layout: Layout, kernel: Callable, *examples: Any) -> Loop:
    """Return the loop of a kernel for a game. examples: values of the types of its arguments."""
    types = tuple(map(numba.typeof, examples))
    return Loop(kernel, lambda *_: types, lambda engine: {"knows_card": layout.knower(engine)})


def new_decisions(decisions: int, state: int, actions: int, inputs: int) -> Decisions:
    """Return `Decisions` with room for this number of decisions.

    state: number of inputs of states. actions: number of actions. inputs: number of inputs of actions.
    """
    lengths = (decisions + 1, state, state, decisions + 1, actions + 1, inputs, inputs, *[decisions] * 6)
    types = ("i8", "i4", "i2", "i8", "i8", "i4", "i2", "i4", "f4", "f4", "i8", "f4", "f4")
    return Decisions(*(np.zeros(n, kind) for n, kind in zip(lengths, types, strict=True)))


_whole, _table = np.zeros(1, np.int64), np.zeros((1, 1), np.int64)
WHERE = (
    Addresses(_table, _table, _whole, _table, _table, _table, _table, _whole, *[1] * 6),
    Coding(_table, _table, _table, _whole),
    _whole,
)
SETTINGS = Settings(1, 1, False, False, 1, 0.5, False, 0.5, 0.5)


@cache
def probing(layout: Layout) -> Loop:
    return loop_of(layout, probe, 1, *WHERE, False, Noted(_table, _whole, _table, _table), _whole)


@cache
def learning(layout: Layout) -> Loop:
    nets, past = np.zeros((1, 1), np.float32), new_decisions(1, 1, 1, 1)
    return loop_of(layout, play_to_learn, *WHERE, nets, SETTINGS, past, 1, _whole)
