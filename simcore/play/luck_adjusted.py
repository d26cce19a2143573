"""Games for luck adjustment: pilot games, and games with the sum of each seat's luck.

A win probability estimate is fitted to the pilot games.

The luck of a chance event is the estimate after it minus the mean estimate over its other outcomes (Burch et
al. 2018, AIVAT). `analyses.experiments.luck_adjustment` fits the estimate.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

import numpy as np
from numba import types

from bartizan.simcore.compile.copies import copy_state
from bartizan.simcore.compile.loops import Loop, array
from bartizan.simcore.compile.rules import (
    PLAYING,
    apply,
    as_features,
    shuffle_unseen,
    write_features,
    write_record,
)
from bartizan.simcore.game import Engine
from bartizan.simcore.play.match import Experiment, Jobs, Match
from bartizan.simcore.play.step import begin_game, begin_under_other_luck, decide, winner_of
from bartizan.simcore.rng import POLICY, fresh_luck, mix

CHUNK_GAMES = 128  # an adjusted game takes as long as several
MOMENTS = 24  # states stored per pilot game
# standard deviations: values outside the range of the pilot games must not give extreme estimates
FAR_OUT = 6.0


# ---------------------------------------------------------------- the estimate


@cache
def model_dtype(seats: int, numbers: int) -> np.dtype:
    """Return the dtype of a win probability estimate: a logistic model of the features of a state (`guess`).

    The effect of a feature may change with the elapsed share of the game, which is number 0.
    """
    return np.dtype(
        [
            ("centre", "f8", (numbers,)),
            ("scale", "f8", (numbers,)),
            ("weight", "f8", (seats, 3, numbers)),
            ("constant", "f8", (seats,)),
        ],
        align=True,
    )


@cache
def judge_dtype(seats: int, numbers: int) -> np.dtype:
    """Return the dtype of a judge: model, number of sampled outcomes, working space for estimates."""
    return np.dtype(
        [
            ("model", model_dtype(seats, numbers)),
            ("samples", "i8"),
            ("seen", "f8", (numbers,)),
            ("values", "f8", (seats,)),  # the last estimate
            ("expected", "f8", (seats,)),  # its mean over other chance outcomes
        ],
        align=True,
    )


def guess(state, tables, workspace, judge):
    """Estimate each seat's win probability in a state.

    In a finished game, it is 1 for the winner and 0 for the other seats.

    Writes into `judge.values`; uses `judge.seen` and `workspace.record` as working space.
    """
    values, model = judge.values[:], judge.model
    if state.end_reason != PLAYING:
        write_record(state, tables, workspace.record)
        for seat in range(values.shape[0]):
            values[seat] = workspace.record.winner == seat
        return
    seen = judge.seen[:]
    write_features(state, tables, as_features(seen))
    gone = min(max(seen[0], 0.0), 1.0)
    late, last = 2.0 * gone - 1.0, lateness(gone)
    for i in range(seen.shape[0]):
        seen[i] = min(max((seen[i] - model.centre[i]) * model.scale[i], -FAR_OUT), FAR_OUT)
    for seat in range(values.shape[0]):
        logit = model.constant[seat]
        for i in range(seen.shape[0]):
            logit += (
                model.weight[seat, 0, i] + late * model.weight[seat, 1, i] + last * model.weight[seat, 2, i]
            ) * seen[i]
        values[seat] = 1.0 / (1.0 + np.exp(-logit))


def lateness(gone):
    """Return a number that rises steeply with the elapsed share `gone` (0 to 1) towards the end of a game.

    The remaining uncertainty is proportional to the square root of the remaining time.
    """
    return 0.5 / np.sqrt(1.03 - gone) - 1.0


# ---------------------------------------------------------------- luck in a game


def luck_sum(state):
    """Return a checksum over all random streams of a state except the stream of the policies.

    It changes with every die roll.
    """
    total = np.uint64(0)
    for purpose in range(POLICY):
        total += state.luck[purpose]
    return total


def add_guess(judge):
    """Add the last estimate to `judge.expected`, as one of the samples."""
    for seat in range(judge.values.shape[0]):
        judge.expected[seat] += judge.values[seat] / judge.samples


def add_luck(luck, judge):
    for seat in range(luck.shape[0]):
        luck[seat] += judge.values[seat] - judge.expected[seat]


def expect_begin(states, tables, workspace, game, judge):
    """Write the mean estimate over other set-ups of the game into `judge.expected`. Overwrites states[1]."""
    judge.expected[:] = 0.0
    for k in range(judge.samples):
        begin_under_other_luck(states, 1, tables, workspace, game, k)
        guess(states[1], tables, workspace, judge)
        add_guess(judge)


def expect_action(states, tables, workspace, action, judge):
    """Write the mean estimate over other futures of `action` into `judge.expected`. Overwrites states[1].

    Returns whether chance affects the results of the action. If no die is rolled and no unseen card leaves
    its pile in one future, chance has no effect, because all futures are the same up to the first such event.
    """
    judge.expected[:] = 0.0
    for k in range(judge.samples):
        copy_state(states[1], states[0])
        trial = states[1]
        fresh_luck(trial, k)
        unseen = shuffle_unseen(trial, tables)
        before = luck_sum(trial)
        apply(trial, tables, action)
        if k == 0 and luck_sum(trial) == before and shuffle_unseen(trial, tables) == unseen:
            return False
        guess(trial, tables, workspace, judge)
        add_guess(judge)
    return True


def play_adjusted_game(states, tables, policies, workspace, game, judge, luck):
    """Simulate game number `game` in states[0], and add each seat's luck to `luck` [seat].

    Overwrites states[1].
    """
    state = states[0]
    expect_begin(states, tables, workspace, game, judge)
    plies = begin_game(states, tables, workspace, game)
    guess(state, tables, workspace, judge)
    add_luck(luck, judge)
    while state.end_reason == PLAYING:
        action = decide(state, tables, policies, workspace, plies)
        if state.end_reason != PLAYING:
            break
        chance = expect_action(states, tables, workspace, action, judge)
        apply(state, tables, action)
        plies += 1
        if chance:
            guess(state, tables, workspace, judge)
            add_luck(luck, judge)


def play_adjusted(states, tables, policies, workspaces, first_game, judges, winners, luck):
    """Simulate `len(winners)` games, and record the winners and the luck of each seat.

    first_game: number of the first game.

    states: array of length 2. judges: array of length 1. winners: int8 [game], filled. luck: float64 [game,
    seat], initially 0, filled.
    """
    state, workspace, judge = states[0], workspaces[0], judges[0]
    for i in range(winners.shape[0]):
        play_adjusted_game(states, tables, policies, workspace, first_game + i, judge, luck[i])
        if workspace.is_illegal:
            return
        winners[i] = winner_of(state, tables, workspace)


ADJUSTED = Loop(
    play_adjusted,
    lambda engine, seats: (
        array(judge_dtype(seats, len(feature_names(engine)))),
        array("i1"),
        array("f8", 2),
    ),
)


# ---------------------------------------------------------------- pilot games


def place_in(state, kept, room):
    """Return a random index for a state in a list of length `room`, after `kept` other states.

    The method is Vitter's reservoir sampling: if the index is `room` or more, the state is discarded.
    """
    if kept < room:
        return kept
    return np.int64(mix(state.luck_key + np.uint64(kept)) % np.uint64(kept + 1))


def play_pilot_game(state, tables, policies, workspace, plies, row, seen):
    """Simulate a game to its end, and store features of some states in `seen` [state, number].

    Return the number of candidate states.

    The stored states are a random sample of the candidates: states after a roll, for which the estimate must
    be good, and every fourth other state, because a card may have been drawn.
    """
    kept = 0
    before = np.uint64(0)
    while state.end_reason == PLAYING:
        action = decide(state, tables, policies, workspace, plies)
        if state.end_reason != PLAYING:
            break
        if luck_sum(state) != before or plies % 4 == 1:
            place = place_in(state, kept, seen.shape[0])
            kept += 1
            if place < seen.shape[0]:
                write_features(state, tables, as_features(row))
                seen[place] = row
        before = luck_sum(state)
        apply(state, tables, action)
        plies += 1
    return kept


def play_pilot(states, tables, policies, workspaces, first_game, seen, counts, winners):
    """Simulate `len(winners)` games, and store features of some states of each.

    Fills three arrays. seen: float32 [game, state, number]. counts: int32 [game], the number of states stored
    for the game. winners: int8 [game].
    """
    state, workspace = states[0], workspaces[0]
    row = np.zeros(seen.shape[2])
    for i in range(winners.shape[0]):
        plies = begin_game(states, tables, workspace, first_game + i)
        kept = play_pilot_game(state, tables, policies, workspace, plies, row, seen[i])
        if workspace.is_illegal:
            return
        counts[i] = min(kept, seen.shape[1])
        winners[i] = winner_of(state, tables, workspace)


PILOT = Loop(play_pilot, lambda engine, seats: (types.float32[:, :, ::1], array("i4"), array("i1")))


# ---------------------------------------------------------------- front ends


@dataclass(frozen=True, eq=False)
class Pilot:
    """Features of states in pilot games, and the winners of these games.

    `simcore.compile.rules` defines winner codes other than seats.
    """

    seen: np.ndarray  # float32 [state, number]
    game: np.ndarray  # int [state]: its index in `winners`
    winners: np.ndarray  # int8 [game]


def feature_names(engine: Engine) -> tuple[str, ...]:
    """Return the names of the features. A game without features has one feature, which is always 0."""
    return engine.features.names if engine.features else ("nothing",)


def numbers(match: Match) -> int:
    """Return the number of features that a game declares; 0 for a game without features."""
    return len(match.engine.features.names) if match.engine.features else 0


def new_model(match: Match) -> np.ndarray:
    """Return an estimate whose numbers are all 0: a structured array of length 1 (`model_dtype`)."""
    return np.zeros(1, model_dtype(match.seats, len(feature_names(match.engine))))


class GuessedGames(Experiment):
    """Pilot games, with stored features of some of their states."""

    loop = PILOT

    def piece(self, games: range) -> tuple[np.ndarray, ...]:
        n = len(games)
        seen = np.zeros((n, MOMENTS, len(feature_names(self.match.engine))), np.float32)
        counts, winners = np.zeros(n, np.int32), np.zeros(n, np.int8)
        self.compiled.run(games.start, seen, counts, winners)
        return seen, counts, winners


@dataclass(frozen=True, eq=False)
class AdjustedGames(Experiment):
    """Games of a match in which the luck of each seat is measured."""

    model: np.ndarray  # see `model_dtype`
    samples: int
    loop = ADJUSTED

    def piece(self, games: range) -> tuple[np.ndarray, np.ndarray]:
        seats = self.match.seats
        judges = np.zeros(1, judge_dtype(seats, self.model["centre"].shape[1]))
        judges["model"], judges["samples"] = self.model, self.samples
        winners, luck = np.zeros(len(games), np.int8), np.zeros((len(games), seats))
        self.compiled.run(games.start, judges, winners, luck, states=2)
        return winners, luck


def play_pilot_games(match: Match, games: range, jobs: Jobs = 1) -> Pilot:
    """Simulate pilot games and return the features of some of their states, in game order."""
    pilot = GuessedGames(match)
    parts = pilot.pieces(pilot.piece, games, CHUNK_GAMES, jobs)
    seen, counts, winners = (np.concatenate(column) for column in zip(*parts, strict=True))
    filled = np.arange(MOMENTS) < counts[:, None]
    return Pilot(seen[filled], np.repeat(np.arange(len(games)), counts), winners)


def play_adjusted_games(
    match: Match, model: np.ndarray, samples: int, games: range, jobs: Jobs = 1
) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Yield (winners int8 [game], luck float64 [game, seat]) in chunks, in game order.

    The winners are identical to the winners of a plain run.
    """
    adjusted = AdjustedGames(match, model, samples)
    yield from adjusted.pieces(adjusted.piece, games, CHUNK_GAMES, jobs)
