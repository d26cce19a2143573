"""When and how is a game lost?"""

from collections.abc import Iterable
from dataclasses import dataclass

import polars as pl

from bartizan.analyses.document import Document
from bartizan.analyses.records.tally import CellGames, Tally, cut_off, lost
from bartizan.analyses.statistics.intervals import Interval, dkw_band, goodman, proportion

UNKNOWN = "cause not recorded"


@dataclass(frozen=True)
class TurnHazard:
    """What turn `turn` does to the games that reach it."""

    turn: int
    at_risk: int  # games that reached this turn
    lost: int  # games lost in it
    capped: int  # games cut off in it: at risk now, unknown afterwards
    hazard: Interval  # chance to lose in this turn, for a game that reached it
    lost_by: Interval  # share of all games lost by the end of this turn; the band holds for all turns at once
    causes: dict[str, int]  # cause -> games lost in this turn by it


class LossCause(Document):
    cause: str
    games: int
    share: Interval  # of the lost games; all causes' intervals hold together (Goodman)


@dataclass(frozen=True)
class Losses:
    """The games a seat lost, by turn (discrete hazard) and by cause (competing causes)."""

    seat: int
    games: int
    lost: int
    turns: tuple[TurnHazard, ...]  # every turn from 1 to the last one reached
    causes: tuple[LossCause, ...]  # commonest first

    def rows(self) -> list[dict]:
        """A row for each turn: turn, at_risk, lost, capped, hazard and its limits, lost_by and its limits."""
        return [
            {"turn": t.turn, "at_risk": t.at_risk, "lost": t.lost, "capped": t.capped}
            | t.hazard.named("hazard")
            | t.lost_by.named("lost_by")
            for t in self.turns
        ]


def from_tally(games: Tally, cell: CellGames, seat: int = 0) -> Losses:
    """Losses of one seat: another seat, or the game itself, won."""
    gone = games.outcomes.filter(lost(seat))
    names = _cause_names(cell)
    return Losses(
        seat=seat,
        games=games.games,
        lost=int(gone["n"].sum()),
        turns=tuple(_turns(games, gone, names)),
        causes=_causes(gone, names) if cell.cause_column else (),
    )


def _cause_names(cell: CellGames):
    """Code of the cause column -> its name; a code without a name is shown as the number it is."""
    labels = cell.labels.get(cell.cause_column, {}) if cell.cause_column else {}
    return lambda code: UNKNOWN if code is None else labels.get(str(code), f"{cell.cause_column} {code}")


def _turns(games: Tally, gone: pl.DataFrame, names):
    ends = dict(_counted(games.outcomes, "turn").iter_rows())
    losses = dict(_counted(gone, "turn").iter_rows())
    capped = dict(_counted(games.outcomes.filter(cut_off()), "turn").iter_rows())
    causes: dict[int, list] = {}
    for turn, *cause in _counted(gone, "turn", "cause").iter_rows():
        causes.setdefault(turn, []).append(cause)
    at_risk, lost_so_far, capped_so_far = games.games, 0, 0
    for turn in range(min(1, *ends), max(ends) + 1):
        lost_now, capped_now = losses.get(turn, 0), capped.get(turn, 0)
        lost_so_far, capped_so_far = lost_so_far + lost_now, capped_so_far + capped_now
        hazard = proportion(lost_now, at_risk)
        lost_by = dkw_band(lost_so_far, capped_so_far, games.games)
        yield TurnHazard(
            turn, at_risk, lost_now, capped_now, hazard, lost_by, _named(causes.get(turn, ()), names)
        )
        at_risk -= ends.get(turn, 0)


def _counted(gone: pl.DataFrame, *columns: str) -> pl.DataFrame:
    return gone.group_by(columns).agg(pl.col("n").sum()).sort(columns)


def _named(counted: Iterable, names) -> dict[str, int]:
    """(code of a cause, games) -> cause -> games, commonest first; codes that share a name are one cause."""
    numbers: dict[str, int] = {}
    for code, n in counted:
        numbers[names(code)] = numbers.get(names(code), 0) + n
    return dict(sorted(numbers.items(), key=lambda pair: -pair[1]))


def _causes(gone: pl.DataFrame, names) -> tuple[LossCause, ...]:
    numbers = _named(_counted(gone, "cause").iter_rows(), names)
    if not numbers:
        return ()
    shares = goodman(list(numbers.values()))
    return tuple(
        LossCause(cause=name, games=n, share=share)
        for (name, n), share in zip(numbers.items(), shares, strict=True)
    )
