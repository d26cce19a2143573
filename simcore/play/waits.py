"""Division of a game's decisions into choices, turns and waits, by seat.

A choice is a decision with more than one legal action. A turn of a seat is a run of its choices without a
choice of another seat in between. A wait is the number of choices that other seats make between two turns.
"""

from dataclasses import dataclass

import numpy as np

from bartizan.simcore.compile.loops import Loop, array
from bartizan.simcore.compile.rules import PLAYING, apply
from bartizan.simcore.play.match import Experiment, Jobs, Match
from bartizan.simcore.play.step import begin_game, decide, winner_of

CHUNK_GAMES = 256
CHOICES, TURNS, WAITED, LONGEST = range(4)  # columns per seat
COLUMNS = 4


def note_choice(last, counts, total, seat):
    """Count a choice of `seat`, the `total`-th of the game from 0. Modifies `last` and `counts`.

    last: array [seat], which contains the index of each seat's last choice plus 1. counts: array [seat,
    COLUMNS].
    """
    counts[seat, CHOICES] += 1
    between = total - last[seat]
    if last[seat] == 0 or between > 0:
        counts[seat, TURNS] += 1
    if last[seat] > 0 and between > 0:
        counts[seat, WAITED] += between
        counts[seat, LONGEST] = max(counts[seat, LONGEST], between)
    last[seat] = total + 1


def play_waits(states, tables, policies, workspaces, first_game, last, counts, games):
    """Simulate `len(counts)` games numbered from `first_game`, and count their choices.

    last: int32 [game, seat], initially 0. counts: int32 [game, seat, COLUMNS], initially 0. games: int32
    [game, 2], filled with the final turn (meaningless if truncated) and the winner.
    """
    state, workspace = states[0], workspaces[0]
    for i in range(counts.shape[0]):
        plies = begin_game(states, tables, workspace, first_game + i)
        total = 0
        while state.end_reason == PLAYING:
            seat = state.to_move
            action = decide(state, tables, policies, workspace, plies)
            if state.end_reason != PLAYING:
                break
            if workspace.n_legal > 1:
                note_choice(last[i], counts[i], total, seat)
                total += 1
            apply(state, tables, action)
            plies += 1
        games[i, 1] = winner_of(state, tables, workspace)
        games[i, 0] = workspace.record.turn
        if workspace.is_illegal:
            return


WAITS = Loop(play_waits, lambda engine, seats: (array("i4", 2), array("i4", 3), array("i4", 2)))


@dataclass(frozen=True, eq=False)
class Shared:
    """Results of consecutive games: counts by seat, final turn and winner.

    The final turn is meaningless if the game is truncated.
    """

    counts: np.ndarray  # int32 [game, seat, COLUMNS]
    turn: np.ndarray  # [game]: as counted by the game
    winner: np.ndarray  # [game]


class WaitingGames(Experiment):
    """Games of a match in which the choices of each seat are counted."""

    loop = WAITS

    def piece(self, games: range) -> tuple[np.ndarray, np.ndarray]:
        n, seats = len(games), len(self.match.players)
        counts, ends = np.zeros((n, seats, COLUMNS), np.int32), np.zeros((n, 2), np.int32)
        self.compiled.run(games.start, np.zeros((n, seats), np.int32), counts, ends)
        return counts, ends


def play(match: Match, games: int, jobs: Jobs = 1) -> Shared:
    """Simulate games 0 to `games` - 1 of a match, and return their ends and the choices of each seat."""
    waits = WaitingGames(match)
    parts = list(waits.pieces(waits.piece, range(games), CHUNK_GAMES, jobs))
    counts, ends = (np.concatenate(part) for part in zip(*parts, strict=True))
    return Shared(counts, ends[:, 0], ends[:, 1])
