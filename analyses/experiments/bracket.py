"""A bracket: players of rising skill at one level, in one role, all on the same luck.

Each rung is somebody whose wins are counted; the others at the table stay the same. Where all seats are
alike the rung takes each seat for its share of the games, among copies of one opponent. A game is kept as one
letter, as the rung sees its end: a bracket that is measured further goes on where it ended, and two rungs are
compared game by game.
"""

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache, partial
from operator import itemgetter
from typing import Any

import numpy as np
import polars as pl

from bartizan.analyses.records.brackets import LOOKAHEAD, PEEKING
from bartizan.analyses.statistics import effort
from bartizan.analyses.statistics.intervals import Interval, proportion, with_truncated
from bartizan.analyses.statistics.paired import Effect, Measure, compare
from bartizan.analyses.statistics.testing import jointly
from bartizan.simcore.compile.rules import NOBODY, TRUNCATED
from bartizan.simcore.play.batch import CHUNK_GAMES, Source, Stretch
from bartizan.simcore.play.match import Match
from bartizan.simcore.reporting import CONFIDENCE

WON, DRAWN, LOST, CUT_OFF = "wdlc"
BLOCK = 4  # consecutive games in one seating, then the next: few games are spread over the seats as well
WIN = Measure("share", "wins", pl.col("win"), pl.col("win"), (0.0, 1.0))


@dataclass(frozen=True, eq=False)
class Rung:
    """Somebody on a bracket."""

    kind: str
    policy: str  # as it was named
    seatings: tuple[tuple[Match, int], ...]  # (the table, where the rung sits); several where seats are alike
    games: int
    plays: int = 0  # a decision; 0: it does not look ahead
    base: "Rung | None" = None  # of one that looks ahead: its policy without

    @property
    def is_slow(self) -> bool:
        return self.plays > 0

    @cached_property
    def player(self) -> str:
        """16 hex digits over everybody at the table: other code or weights are another rung."""
        players = [player for match, _ in self.seatings for player in match.players]
        words = "".join(f"{player.name} {player.source_hash} {player.weights}" for player in players)
        return hashlib.sha256(words.encode()).hexdigest()[:16]


def play(rung: Rung, source: Source, games: range) -> Iterator[str]:
    """The ends of games, some at a time, in order."""
    return (ends_of(rows, stretch.seat) for stretch, rows in source.play(stretches(rung, source, games)))


def ends_of(rows: np.ndarray, seat: int | None) -> str:
    """A letter a game, as a seat sees its end."""
    winner = rows["winner"]
    ends = [winner == seat, winner == NOBODY, winner == TRUNCATED]
    return "".join(np.select(ends, [WON, DRAWN, CUT_OFF], LOST))


def stretches(rung: Rung, source: Source, games: range) -> Iterator[Stretch]:
    """None reaches over a block where the seats are turned; of a slow rung each is one game."""
    tables = [(source.ready(match), seat) for match, seat in rung.seatings]
    most = 1 if rung.is_slow else BLOCK if len(tables) > 1 else CHUNK_GAMES
    while games:
        size = most - games.start % most
        batch, seat = tables[games.start // BLOCK % len(tables)]
        yield Stretch(batch, games[:size], rung.policy, seat)
        games = games[size:]


def win_rate(ends: str, draw: float, level: float = CONFIDENCE) -> Interval:
    """draw: what a drawn game counts. level: of the look at these games."""
    won = ends.count(WON) + draw * ends.count(DRAWN)
    return with_truncated(won, ends.count(CUT_OFF), len(ends), level, proportion)


@lru_cache(maxsize=256)  # a page reads the same brackets several times
def gain(below: str, ends: str, draw: float, level: float = CONFIDENCE) -> Effect | None:
    """What a rung wins more than another, game by game; None where nothing can be said."""
    effects = compare(_wins(below, draw), _wins(ends, draw), [WIN], confidence=level)
    return effects[0] if effects and effects[0].n > 1 else None


def judged(bracket: Mapping[str, Any]) -> dict[str, Any]:
    """A bracket whose rungs say what the best play found is chosen by: a win rate with an interval that holds
    together with those of all playable rungs, and what looking ahead wins more than its base policy in the
    same games, for all that look ahead together. Rungs that said so before keep it.
    """
    rungs, draw = bracket["rungs"], bracket.get("draw", 0.0)
    playable = sum(row["rung"] != PEEKING for row in rungs)
    ahead = sum(row["rung"] == LOOKAHEAD for row in rungs)
    return {**bracket, "rungs": [_judged(row, draw, playable, ahead) for row in rungs]}


def _judged(row: Mapping[str, Any], draw: float, playable: int, ahead: int) -> dict[str, Any]:
    found: dict[str, Any] = dict(row)
    level = row["win_rate"]["level"]
    if row["rung"] != PEEKING and "joint" not in row and "capped" in row:
        won = row["wins"] + draw * row["draws"]
        at = partial(with_truncated, won, row["capped"], row["games"])
        found["joint"] = jointly(at, playable, confidence=level).to_dict()
    if row["rung"] == LOOKAHEAD and "base_ends" in row:
        effect = gain(row["base_ends"], row["ends"], draw, level)
        if effect and effect.at:
            base = row["policy"].partition("base=")[2].partition(",")[0]
            more = jointly(effect.at, ahead, confidence=level)
            found["over_base"] = {"over": base, "games": effect.n, **more.to_dict()}
    return found


def extrapolated(rungs: Sequence[Mapping[str, Any]], draw: float) -> Interval | None:
    """Where looking ahead leads with ever more plays, from the rungs of a bracket; None: they do not tell."""
    ahead = sorted((row for row in rungs if row["rung"] == LOOKAHEAD), key=itemgetter("plays"))
    wins = [np.array(worth(row["ends"], draw, 0.0)) for row in ahead]
    return effort.extrapolated(np.log2([row["plays"] / ahead[0]["plays"] for row in ahead]), wins)


def worth(ends: str, draw: float, cut_off: float | None) -> list[float | None]:
    """What each game is worth to whoever sees its end so. draw, cut_off: what a drawn one counts, and one
    that was stopped at the limit.
    """
    of = {WON: 1.0, DRAWN: draw, LOST: 0.0, CUT_OFF: cut_off}
    return [of[end] for end in ends]


def _wins(ends: str, draw: float) -> pl.LazyFrame:
    values = worth(ends, draw, None)
    return pl.LazyFrame(
        {"game": range(len(values)), "win": values}, schema={"game": pl.Int64, "win": pl.Float64}
    )
