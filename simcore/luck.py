"""Games played with an eye on luck: pilot games that show what goes before a win, and games with the sum of
what luck gave each seat.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from bartizan.simcore.batch import Match, illegal_action, in_order
from bartizan.simcore.engine import luck_player, model_dtype, new_states, pilot_player, scratch_dtype

CHUNK_GAMES = 128  # an adjusted game takes as long as several
MOMENTS = 24  # states kept of one pilot game


@dataclass(frozen=True, eq=False)
class Pilot:
    """What a guess may look at in some states of each pilot game, and who won it (a seat, or what
    `simcore.play` calls them).
    """

    seen: np.ndarray  # float32 [state, number]
    game: np.ndarray  # int [state]: its place among `winners`
    winners: np.ndarray  # int8 [game]


def outlook_names(match: Match) -> tuple[str, ...]:
    """What the numbers are that a guess looks at; a game that shows none has a single
    one that is always 0.
    """
    outlook = match.engine.outlook
    return outlook.names if outlook else ("nothing",)


def numbers(match: Match) -> int:
    """How many numbers a guess may look at."""
    return len(match.engine.outlook.names) if match.engine.outlook else 0


def new_model(match: Match) -> np.ndarray:
    """A guess at the winner, all zeros: a record array of length 1, see `simcore.play.guess`."""
    return np.zeros(1, model_dtype(len(match.game.roles), len(outlook_names(match))))


def play_pilot(match: Match, games: int, jobs: int = 1, first_game: int = 0) -> Pilot:
    """Some states of each of `games` games, in game order."""
    pilot_player(match.engine, len(match.game.roles))  # compiled once, before any thread needs it
    parts = list(in_order(lambda n, first: _pilot_chunk(match, n, first), _chunks(games, first_game), jobs))
    seen, counts, winners = (np.concatenate(column) for column in zip(*parts, strict=True))
    filled = np.arange(MOMENTS) < counts[:, None]
    return Pilot(seen[filled], np.repeat(np.arange(games), counts), winners)


def play_adjusted(
    match: Match, model: np.ndarray, samples: int, games: int, jobs: int = 1, first_game: int = 0
) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Chunks of (winners int8 [game], luck float64 [game, seat]) in game order.

    The winners are those of a plain run with the same seed.
    """
    player = make_ready(match)
    yield from in_order(
        lambda n, first: _adjusted_chunk(match, player, model, samples, n, first),
        _chunks(games, first_game),
        jobs,
    )


def make_ready(match: Match):
    """The loop, compiled."""
    return luck_player(match.engine, len(match.game.roles), len(outlook_names(match)))


def _chunks(games: int, first_game: int) -> Iterator[tuple[int, int]]:
    return ((min(CHUNK_GAMES, games - i), first_game + i) for i in range(0, games, CHUNK_GAMES))


def _pilot_chunk(match: Match, games: int, first_game: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    engine, names = match.engine, outlook_names(match)
    seen, counts, winners = (
        np.zeros((games, MOMENTS, len(names)), np.float32),
        np.zeros(games, np.int32),
        np.zeros(games, np.int8),
    )
    _all_played(
        match,
        pilot_player(engine, len(match.game.roles))(
            *_table(match, 1, first_game), _record(match), seen, counts, winners, match.ply_cap
        ),
        games,
        first_game,
    )
    return seen, counts, winners


def _adjusted_chunk(
    match: Match, player, model: np.ndarray, samples: int, games: int, first_game: int
) -> tuple[np.ndarray, np.ndarray]:
    seats = len(match.game.roles)
    winners, luck = np.zeros(games, np.int8), np.zeros((games, seats))
    scratch = np.zeros(1, scratch_dtype(seats, model["centre"].shape[1]))
    played = player(
        *_table(match, 2, first_game), samples, model, scratch, _record(match), winners, luck, match.ply_cap
    )
    _all_played(match, played, games, first_game)
    return winners, luck


def _table(match: Match, states: int, first_game: int) -> tuple:
    """What every compiled batch begins with."""
    functions = tuple(player.function for player in match.at_all_seats())
    return (
        new_states(match.engine, states),
        match.tables(),
        functions,
        match.desk(),
        np.uint64(match.seed),
        first_game,
    )


def _record(match: Match) -> np.ndarray:
    return np.zeros(1, match.engine.record_dtype)


def _all_played(match: Match, played: int, games: int, first_game: int) -> None:
    if played < games:
        raise illegal_action(match, first_game + played)
