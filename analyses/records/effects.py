"""What does a setting change?

The same game numbers of the same players with and without it, compared game by game on common luck.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any, Self

import polars as pl

from bartizan.analyses.document import Document
from bartizan.analyses.records.line_ups import LineUp, line_ups, rotations
from bartizan.analyses.records.series import all_but
from bartizan.analyses.statistics.intervals import Interval
from bartizan.analyses.statistics.paired import Effect, Measure, adjust, compare

LENGTH = "turn"


@dataclass(frozen=True)
class Comparison:
    """Two settings, everything else equal. Effects are `changed` minus `base`."""

    base: LineUp
    changed: LineUp
    path: str  # what differs; "" when two cells were named by themselves
    value: Any
    base_value: Any  # None: as the scenario says
    games: int  # game numbers that both have
    left_out: int  # game numbers that only some cells have
    capped: int  # games cut off, over both
    effects: tuple[Effect, ...]

    def effect(self, kind: str, name: str | None = None) -> Effect | None:
        """Of one measure, if it was asked for."""
        of_kind = (effect for effect in self.effects if effect.measure.kind == kind)
        return next((effect for effect in of_kind if name in (None, effect.measure.name)), None)


def analyze(
    base: LineUp,
    changed: LineUp,
    columns: Sequence[str] = (LENGTH,),
    measures: Sequence[Measure] | None = None,
    of_changed: Sequence[Measure] | None = None,
) -> Comparison:
    """Compare two line-ups (single cells, or rotations put together) that were played with the same seed.

    By default: every column of `columns`, the share of the first seat, and between players that sat in every
    seat the difference of their shares; where they did not, each one's share as seated. Paired t (Law &
    Kelton); few games that differ: see `bounded_mean`. of_changed: see `paired.compare`.
    """
    wanted_measures = list(measures) if measures is not None else [*map(base.column, columns), *shares(base)]
    base_frame, changed_frame = base.scan(columns), changed.scan(columns)
    games, capped = _counts(base_frame, changed_frame, base, changed)
    most = max(
        cell.scan().select(pl.len()).collect().item() for side in (base, changed) for cell in side.cells
    )
    effects = (
        compare(base_frame, changed_frame, wanted_measures, capped, of_changed=of_changed) if games else []
    )
    return Comparison(base, changed, "", None, None, games, most - games, capped, tuple(effects))


def shares(line_up: LineUp) -> list[Measure]:
    """Who wins, as far as this line-up can tell seats from players."""
    first, players = line_up.seat_share(0), range(len(line_up.players))
    if line_up.is_mirror:
        return [first]
    if line_up.is_complete:
        return [first, *(line_up.skill(*pair) for pair in combinations(players, 2))]
    return [first, *map(line_up.player_share, players)]


def of_sweep(cells: Iterable[Any], columns: Sequence[str] = (LENGTH,)) -> list[Comparison]:
    """Every setting of a sweep against its base, with p-values adjusted over all of them (Benjamini &
    Hochberg 1995).
    """
    comparisons = [
        replace(analyze(base, changed, columns), path=path, value=value, base_value=base_value)
        for path, value, base_value, base, changed in pairs(cells)
    ]
    adjusted = iter(adjust([effect for comparison in comparisons for effect in comparison.effects]))
    return [
        replace(comparison, effects=tuple(next(adjusted) for _ in comparison.effects))
        for comparison in comparisons
        if comparison.games
    ]


def pairs(cells: Iterable[Any]) -> Iterator[tuple[str, Any, Any, LineUp, LineUp]]:
    """(path, value, base value, base, changed) for line-ups that differ in one override alone.

    Base: the one without it, else the one at the published value, else the first in the sweep.
    """
    tables = line_ups(cells)
    for path in dict.fromkeys(path for table in tables for path in table.cells[0].set):
        groups: dict[tuple, list[LineUp]] = {}
        for table in tables:
            groups.setdefault((min(rotations(table.seatings[0])), all_but(path, table.cells[0])), []).append(
                table
            )
        for group in groups.values():
            base = min(group, key=lambda table: _is_changed(path, table.cells[0]))  # the first of the least
            for changed in (table for table in group if table is not base):
                if both := _seated_alike(base, changed):
                    yield path, changed.cells[0].set[path], base.cells[0].set.get(path), *both


def _is_changed(path: str, cell: Any) -> int:
    """0: not named there; 1: named, and as the scenario has it; 2: another value, or nobody can say."""
    if path not in cell.set:
        return 0
    return 1 if hasattr(cell, "changes") and path not in {row["path"] for row in cell.changes} else 2


def _seated_alike(base: LineUp, changed: LineUp) -> tuple[LineUp, LineUp] | None:
    """Both with the rotations that both have, in the same order."""
    by_seating = dict(zip(changed.seatings, changed.cells, strict=True))
    kept = [
        (cell, by_seating[seats])
        for seats, cell in zip(base.seatings, base.cells, strict=True)
        if seats in by_seating
    ]
    if not kept:
        return None
    mine, theirs = zip(*kept, strict=True)
    return LineUp(mine, base.known), LineUp(theirs, base.known)


def _counts(
    base_frame: pl.LazyFrame, changed_frame: pl.LazyFrame, base: LineUp, changed: LineUp
) -> tuple[int, int]:
    """Common game numbers, and how many of their games were cut off."""
    of_base = base_frame.select("game", base=base.mean("cut off"))
    of_changed = changed_frame.select("game", changed=changed.mean("cut off"))
    both = of_base.join(of_changed, on="game", how="inner").select(
        pl.len(), pl.sum("base"), pl.sum("changed")
    )
    games, *shares = both.collect(engine="streaming").row(0)
    sizes = (len(base.cells), len(changed.cells))
    return games, round(sum((share or 0) * size for share, size in zip(shares, sizes, strict=True)))


class EffectRow(Document):
    """An effect as documents have it."""

    kind: str  # of the measure
    measure: str
    n: int
    base: Interval
    changed: Interval
    difference: Interval
    se: float | None
    p: float
    p_adjusted: float | None
    pairing_factor: float | None
    differing: Interval

    @classmethod
    def of(cls, effect: Effect, **others: Any) -> Self:
        """others: the fields that a kind of row adds."""
        return cls(
            kind=effect.measure.kind,
            measure=effect.measure.name,
            n=effect.n,
            base=effect.base.interval,
            changed=effect.changed.interval,
            difference=effect.difference.interval,
            se=effect.difference.se,
            p=effect.difference.p,
            p_adjusted=effect.adjusted,
            pairing_factor=effect.factor,
            differing=effect.differing,
            **others,
        )

    @property
    def is_share(self) -> bool:
        return self.kind != "column"

    @property
    def scale(self) -> int:
        """To what a reader is told: percent of a share, the mean as it is."""
        return 100 if self.is_share else 1
