"""A player that was not written for the game it plays is tried before it plays: some games on luck of its
own, beside the same games with somebody simpler in its seat.

The built-in games have been measured (`bartizan bracket`). In any other game it is not known whether looking
ahead helps, or whether a first-time player ever acts. The result is reported to whoever watches.
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

watch = current  # who is told; where nobody watches a note becomes a Python warning
SEED = 0x7121A1
GAMES = 32
SURE = 2.0  # standard errors of the mean difference from which a trial counts as won or lost


@dataclass(frozen=True)
class TrialGames:
    """What a seat's games were worth to its player: float64, one a game."""

    worth: np.ndarray
    rows: np.ndarray  # the records of the games

    @property
    def mean(self) -> float:
        return float(self.worth.mean())

    def is_clearly_below(self, other: "TrialGames") -> bool:
        """Game by game, since both had the same luck."""
        gain = self.worth - other.worth
        error = gain.std(ddof=1) / np.sqrt(len(gain))
        return bool(gain.mean() < -SURE * error)


def tried(
    game: Game, scenario: Scenario, players: tuple[Player, ...], seat: int, aim: Callable | None = None
) -> TrialGames:
    """GAMES games, the same luck for whoever is tried."""
    match = Match(game, scenario, players, SEED)
    rows = np.concatenate(list(play_games(match, range(GAMES), os.cpu_count() or 1)))
    return TrialGames(valuer(aim, game.compiled)(rows, seat), rows)


def looking(line: str) -> None:
    """What is going to be tried."""
    (watch.get() or Watch()).looking(line)


def note(line: str) -> None:
    """What a trial has shown."""
    (watch.get() or Watch()).note(line)


def note_once(line: str) -> None:
    """The same, once for each watcher."""
    (watch.get() or Watch()).note_once(line)
