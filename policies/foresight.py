"""What a state is worth to who looks ahead: where looking stops before the end of the game.

A linear model of what the game shows of a state (`Engine.features`), the share of the game that is gone among
it: fitted by ridge regression (Hoerl & Kennard 1970) on pilot games of the base policy, to what the end of
each was worth. Truncated rollouts (Tesauro & Galperin 1996) are cheaper than whole ones, and the luck of what
comes after the cut is not in them.
"""

import numpy as np

from bartizan.simcore.errors import PolicyError
from bartizan.simcore.game import Game
from bartizan.simcore.play.batch import Batch
from bartizan.simcore.play.luck_adjusted import FAR_OUT, lateness, play_pilot_games
from bartizan.simcore.play.match import Match, Player
from bartizan.simcore.play.rules import as_features, write_features
from bartizan.simcore.play.worth import valuer
from bartizan.simcore.scenario.loading import Scenario

PILOT_SEED = 0x1EAF
PILOT_GAMES = 12_000
PENALTY = 1e-3
AT_ONCE = 20_000  # states worked on at a time
# of a number of the model: another processor rounds the last digits otherwise, and must play the same games
DIGITS = 5
# bound: where the model begins among the weights, how many numbers a state shows
MODEL, NUMBERS = (0, 1)


def foreseen(trial, tables, weights, seen):
    """What `trial` is worth to the seat whose model it is. Modifies `seen`, room for a state's numbers."""
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


_fitted: dict[tuple, np.ndarray] = {}  # pilot games take seconds, and one question has many matches


def fitted(game: Game, scenario: Scenario, players: tuple[Player, ...], seat: int) -> np.ndarray:
    """What `fit` says, worked out once."""
    who = tuple((player.name, player.source_hash, *player.weights.items()) for player in players)
    key = (game.name, scenario.hash, seat, who)
    if key not in _fitted:
        _fitted[key] = fit(game, scenario, players, seat)
    return _fitted[key]


def fit(game: Game, scenario: Scenario, players: tuple[Player, ...], seat: int) -> np.ndarray:
    """The model of what a state is worth to a seat, float64: centre and scale of each number, then three
    slopes for each, then the constant.
    """
    if game.compiled.features is None:
        raise PolicyError(
            f"policy {players[seat].name}: {game.name} shows no numbers of a state (Engine.features): look "
            "ahead to the end of the game (turns=0)"
        )
    match = Match(game, scenario, players, PILOT_SEED)
    pilot = play_pilot_games(match, PILOT_GAMES)
    values = valuer(players[seat].aim, game.compiled)(Batch(match).play(0, PILOT_GAMES), seat)
    centre, spread = pilot.seen.mean(axis=0, dtype=np.float64), pilot.seen.std(axis=0, dtype=np.float64)
    scale = np.divide(1.0, spread, out=np.zeros_like(spread), where=spread > 1e-9)
    model = np.concatenate([centre, scale, slopes(pilot, centre, scale, values)])
    return np.array([float(f"{number:.{DIGITS}g}") for number in model])


def slopes(pilot, centre: np.ndarray, scale: np.ndarray, values: np.ndarray) -> np.ndarray:
    """Three slopes for each number and a constant, of the worth of the games' ends."""
    size = 3 * len(centre) + 1
    squares, products = np.zeros((size, size)), np.zeros(size)
    for first in range(0, len(pilot.seen), AT_ONCE):
        part = slice(first, first + AT_ONCE)
        shown = design(pilot.seen[part].astype(np.float64), centre, scale)
        squares += shown.T @ shown
        products += shown.T @ values[pilot.game[part]]
    return np.linalg.solve(squares + PENALTY * len(pilot.seen) * np.eye(size), products)


def design(seen: np.ndarray, centre: np.ndarray, scale: np.ndarray) -> np.ndarray:
    """The numbers in standard deviations, the same weighed by how late it is, twice, and 1."""
    gone = np.clip(seen[:, :1], 0.0, 1.0)
    numbers = np.clip((seen - centre) * scale, -FAR_OUT, FAR_OUT)
    late, last = 2.0 * gone - 1.0, lateness(gone)
    return np.concatenate([numbers, late * numbers, last * numbers, np.ones((len(seen), 1))], axis=1)
