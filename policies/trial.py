"""A trial of a general policy in a game.

Some games of a separate seed are played with it, and the same games with a simpler policy in its seat.

For the built-in games, results are known (`bartizan bracket`). In any other game, it is unknown whether
lookahead helps, or whether a newcomer makes progress. A trial measures this and shows the result to the user.
"""

import os
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from bartizan.simcore.game import Game
from bartizan.simcore.play.batch import play_games
from bartizan.simcore.play.match import Match, Player
from bartizan.simcore.play.worth import valuer
from bartizan.simcore.scenario.loading import Scenario
from bartizan.simcore.watch import Watch, current

watch = current  # the watch for messages; without one, a note becomes a Python warning
SEED = 0x7121A1
GAMES = 32
SURE = 2.0  # mean difference in standard errors from which a trial counts as won or lost


@dataclass(frozen=True)
class TrialGames:
    """Trial games of one line-up. worth: the value of each finished game for the seat on trial, float64."""

    worth: np.ndarray
    rows: np.ndarray  # the records of the games

    @property
    def mean(self) -> float:
        return float(self.worth.mean())

    def is_clearly_below(self, other: "TrialGames") -> bool:
        """Return whether these games are significantly worse than `other`.

        The games are compared one by one, with common random numbers.
        """
        gain = self.worth - other.worth
        error = gain.std(ddof=1) / np.sqrt(len(gain))
        return bool(gain.mean() < -SURE * error)


def tried(
    game: Game, scenario: Scenario, players: tuple[Player, ...], seat: int, aim: Callable | None = None
) -> TrialGames:
    """Simulate GAMES games, with the same random numbers in every trial, and value their ends for `seat`."""
    match = Match(game, scenario, players, SEED)
    rows = np.concatenate(list(play_games(match, range(GAMES), os.cpu_count() or 1)))
    return TrialGames(valuer(aim, game.compiled)(rows, seat), rows)


def looking(line: str) -> None:
    """Show a line that announces a trial."""
    (watch.get() or Watch()).looking(line)


def note(line: str) -> None:
    (watch.get() or Watch()).note(line)


def note_once(line: str) -> None:
    """Show a line with a result, at most once per watch."""
    (watch.get() or Watch()).note_once(line)
