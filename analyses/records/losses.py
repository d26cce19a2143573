"""When and how is a game lost?"""

from collections.abc import Iterable
from dataclasses import dataclass

import polars as pl

from bartizan.analyses.document import Document
from bartizan.analyses.records.tally import CellGames, Tally, cut_off, lost, tally
from bartizan.analyses.statistics.intervals import CONFIDENCE, Interval, dkw_margin, goodman, proportion

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

    def to_frame(self) -> pl.DataFrame:
        """One row a turn: turn, at_risk, lost, capped, hazard and its limits, lost_by and its limits."""
        return pl.DataFrame([_turn_row(turn) for turn in self.turns])

    def cause_frame(self) -> pl.DataFrame:
        """One row a turn and cause: turn, at_risk, cause, lost, hazard (of that cause alone; the causes of a
        turn add up).
        """
        rows = [
            {
                "turn": turn.turn,
                "at_risk": turn.at_risk,
                "cause": cause,
                "lost": n,
                "hazard": n / turn.at_risk,
            }
            for turn in self.turns
            for cause, n in turn.causes.items()
        ]
        schema = {
            "turn": pl.Int64,
            "at_risk": pl.Int64,
            "cause": pl.String,
            "lost": pl.Int64,
            "hazard": pl.Float64,
        }
        return pl.DataFrame(rows, schema=schema)


def analyze(frame: pl.LazyFrame, cell: CellGames, seat: int = 0) -> Losses:
    """Losses of one seat: another seat, or the game itself, won."""
    return from_tally(tally(frame, cell), cell, seat)


def from_tally(games: Tally, cell: CellGames, seat: int = 0) -> Losses:
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
    for turn, *found in _counted(gone, "turn", "cause").iter_rows():
        causes.setdefault(turn, []).append(found)
    margin = dkw_margin(games.games)
    at_risk, lost_so_far, capped_so_far = games.games, 0, 0
    for turn in range(min(1, *ends), max(ends) + 1):
        lost_now, capped_now = losses.get(turn, 0), capped.get(turn, 0)
        lost_so_far, capped_so_far = lost_so_far + lost_now, capped_so_far + capped_now
        hazard = proportion(lost_now, at_risk)
        lost_by = _band(lost_so_far, capped_so_far, games.games, margin)
        yield TurnHazard(
            turn, at_risk, lost_now, capped_now, hazard, lost_by, _named(causes.get(turn, ()), names)
        )
        at_risk -= ends.get(turn, 0)


def _band(lost_so_far: int, capped_so_far: int, games: int, margin: float) -> Interval:
    """Share lost so far with its DKW band; a game cut off earlier may have been lost by now, so it widens the
    upper side.
    """
    share, ceiling = lost_so_far / games, (lost_so_far + capped_so_far) / games
    method = "DKW band" if not capped_so_far else f"DKW band, bounds over {capped_so_far} cut-off games"
    return Interval(share, max(share - margin, 0.0), min(ceiling + margin, 1.0), CONFIDENCE, method)


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


def _turn_row(turn: TurnHazard) -> dict:
    row: dict[str, float | str] = {
        "turn": turn.turn,
        "at_risk": turn.at_risk,
        "lost": turn.lost,
        "capped": turn.capped,
    }
    for name, interval in (("hazard", turn.hazard), ("lost_by", turn.lost_by)):
        row |= {
            name: interval.estimate,
            f"{name}_low": interval.low,
            f"{name}_high": interval.high,
            f"{name}_method": interval.method,
        }
    return row
