"""The value of a state for lookahead that stops before the end of the game.

The value is a linear model of the game's features of a state (`Engine.features`), including the elapsed share
of the game. The model is fitted by ridge regression (Hoerl & Kennard 1970) to the values of finished pilot
games of the base policy. Truncated rollouts (Tesauro & Galperin 1996) are cheaper than full ones, and
exclude the chance events after the truncation.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np

from bartizan.simcore.compile.rules import as_features, write_features
from bartizan.simcore.errors import PolicyError
from bartizan.simcore.game import Game
from bartizan.simcore.play.batch import Batch
from bartizan.simcore.play.luck_adjusted import FAR_OUT, lateness, play_pilot_games
from bartizan.simcore.play.match import Match, Player
from bartizan.simcore.play.worth import valuer
from bartizan.simcore.scenario.loading import Scenario

T = TypeVar("T")

PILOT_SEED = 0x1EAF
PILOT_GAMES = 12_000
PENALTY = 1e-3
AT_ONCE = 20_000  # states processed at a time
# significant digits of a number in the model: other processors round the last digits differently, but must
# play the same games
DIGITS = 5
# bound: index of the model among the weights; number of features
MODEL, NUMBERS = (1, 1)


@dataclass(frozen=True)
class WorthModel:
    """A linear value model of a state, and its accuracy in held-out games."""

    model: np.ndarray  # float64: centres, scales, 3 slopes per feature, constant
    error: float  # root mean square error of the value of a game's end
    spread: float  # standard deviation of that value: the error without any information


def model_value(trial, tables, weights, seen):
    """Return the value of `trial` for the seat of the model.

    seen: working space for the features, modified.
    """
    model = weights[MODEL:]
    write_features(trial, tables, as_features(seen))
    gone = min(max(seen[0], 0.0), 1.0)
    late, last = 2.0 * gone - 1.0, lateness(gone)
    at, value = 2 * NUMBERS, model[5 * NUMBERS]
    for i in range(NUMBERS):
        number = min(max((seen[i] - model[i]) * model[NUMBERS + i], -FAR_OUT), FAR_OUT)
        slope = model[at + i] + late * model[at + NUMBERS + i] + last * model[at + 2 * NUMBERS + i]
        value += slope * number
    return value


# Results by `identity` and other inputs. They are stored, because each takes seconds, and one question has
# many matches.
_known: dict[tuple, Any] = {}


def once(key: tuple, result: Callable[[], T]) -> T:
    """Return `result()`, computed at the first call with this key."""
    if key not in _known:
        _known[key] = result()
    known: T = _known[key]
    return known


def identity(game: Game, scenario: Scenario, seat: int, players: tuple[Player, ...]) -> tuple:
    """Return a key of everything on which the games of these players depend, and the seat."""
    who = ((player.name, player.source_hash, *player.weights.items()) for player in players)
    return (game.name, game.source_hash, scenario.hash, seat, *who)


def fitted(game: Game, scenario: Scenario, players: tuple[Player, ...], seat: int) -> WorthModel:
    """Return the result of `fit`, computed once for each seat and line-up."""
    return once(identity(game, scenario, seat, players), lambda: fit(game, scenario, players, seat))


def fit(game: Game, scenario: Scenario, players: tuple[Player, ...], seat: int) -> WorthModel:
    """Fit a linear model of the value of a state for one seat. The data are pilot games of `players`.

    The error of the model is estimated on the last quarter of these games, with a second model that is fitted
    to the first three quarters.

    Raises PolicyError if the game has no features, or too few pilot games have a decision.
    """
    if game.compiled.features is None:
        raise PolicyError(
            f"policy {players[seat].name}: {game.name} has no features of a state "
            "(Engine.features); look ahead to the end of the game (turns=0)"
        )
    match = Match(game, scenario, players, PILOT_SEED)
    pilot = play_pilot_games(match, range(PILOT_GAMES))
    held_out = pilot.game >= PILOT_GAMES * 3 // 4
    if held_out.all() or not held_out.any():
        raise PolicyError(
            f"policy {players[seat].name}: too few of {PILOT_GAMES:,} pilot games have a decision, so the "
            "value of a state cannot be estimated; look ahead to the end of the game (turns=0)"
        )
    values = valuer(players[seat].aim, game.compiled)(Batch(match).play(range(PILOT_GAMES)), seat)
    centre, spread = pilot.seen.mean(axis=0, dtype=np.float64), pilot.seen.std(axis=0, dtype=np.float64)
    scale = np.divide(1.0, spread, out=np.zeros_like(spread), where=spread > 1e-9)
    model = np.concatenate([centre, scale, slopes(pilot.seen, pilot.game, centre, scale, values)])
    rounded = np.array([float(f"{number:.{DIGITS}g}") for number in model])
    others = slopes(pilot.seen[~held_out], pilot.game[~held_out], centre, scale, values)
    misses = design(pilot.seen[held_out].astype(np.float64), centre, scale) @ others
    misses -= values[pilot.game[held_out]]
    return WorthModel(rounded, float(np.sqrt((misses**2).mean())), float(values.std()))


def slopes(
    seen: np.ndarray, game: np.ndarray, centre: np.ndarray, scale: np.ndarray, values: np.ndarray
) -> np.ndarray:
    """Return three slopes per feature and a constant, fitted to the values of finished games.

    seen: float32 [state, number]. game: for each state, the index of its game's value in `values`.
    """
    size = 3 * len(centre) + 1
    squares, products = np.zeros((size, size)), np.zeros(size)
    for first in range(0, len(seen), AT_ONCE):
        part = slice(first, first + AT_ONCE)
        shown = design(seen[part].astype(np.float64), centre, scale)
        squares += shown.T @ shown
        products += shown.T @ values[game[part]]
    return np.linalg.solve(squares + PENALTY * len(seen) * np.eye(size), products)


def design(seen: np.ndarray, centre: np.ndarray, scale: np.ndarray) -> np.ndarray:
    """Return the design matrix: float64 [state, 3 * number + 1].

    Columns are the features in standard deviations, the same multiplied by two functions of time, and 1.
    """
    gone = np.clip(seen[:, :1], 0.0, 1.0)
    numbers = np.clip((seen - centre) * scale, -FAR_OUT, FAR_OUT)
    late, last = 2.0 * gone - 1.0, lateness(gone)
    return np.concatenate([numbers, late * numbers, last * numbers, np.ones((len(seen), 1))], axis=1)
