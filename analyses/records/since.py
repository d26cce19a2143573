"""What has changed since an earlier sweep of the same game?

Cells of one level, one line-up and the same values are compared with each other; where values or weights were
changed in between, those that the same level, names and values tell apart from the others of their sweep.
"""

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from bartizan.analyses.records import comparison
from bartizan.analyses.records.effects import LENGTH
from bartizan.analyses.records.line_ups import LineUp
from bartizan.analyses.records.tally import tally
from bartizan.analyses.records.win_rate import from_tally
from bartizan.analyses.statistics.intervals import Interval
from bartizan.analyses.statistics.multiple_testing import holm
from bartizan.simcore.sweep.store import open_sweep


@dataclass(frozen=True)
class Moved:
    """A cell now, the cell it was, and what its first seat's win rate did: now less then."""

    before: Any
    after: Any
    games: tuple[int, int]  # before, after
    shares: tuple[Interval, Interval]
    difference: Interval
    turns: Interval | None  # of the mean length; None: other luck on the two sides
    p: float
    adjusted: float  # over all cells that are compared (Holm 1979)
    is_paired: bool  # game by game on common luck
    is_same: bool  # no game differs

    @property
    def is_clear(self) -> bool:
        return (
            not self.difference.low <= 0 <= self.difference.high and self.adjusted < 1 - self.difference.level
        )


@dataclass(frozen=True)
class SinceThen:
    """Cells that both sweeps have, and those that only one has. before: the earlier sweep."""

    before: Any
    moved: tuple[Moved, ...]
    only_before: tuple[Any, ...]
    only_after: tuple[Any, ...]


def analyze(before: Any, after: Any) -> SinceThen:
    """Two sweeps of one game (see `simcore.sweep.store.Sweep`). With one seed the games are paired on common
    luck; with two the sides are independent (Newcombe 1998).
    """
    pairs = matched(before.cells, after.cells)
    same_seed = before.manifest["seed"] == after.manifest["seed"]
    found = [_moved(one, other, same_seed) for one, other in pairs]
    played = [one for one in found if one]
    told = [replace(one, adjusted=p) for one, p in zip(played, holm([it.p for it in played]), strict=True)]
    there = {id(cell) for one in told for cell in (one.before, one.after)}
    left = ([cell for cell in side.cells if id(cell) not in there] for side in (before, after))
    return SinceThen(before, tuple(told), *map(tuple, left))


def since_named(sweep: Any) -> SinceThen | None:
    """Since the sweep whose folder the manifest names under `since`; None where it names none."""
    named = sweep.manifest.get("since")
    return None if named is None else analyze(open_sweep(Path(named)), sweep)


def matched(before: Sequence[Any], after: Sequence[Any]) -> list[tuple[Any, Any]]:
    """(then, now), in the order of now: the same by every name and value; else by the values that tell cells
    of one sweep apart, with its policies as they were named, or else by their names alone.
    """
    found: dict[int, Any] = {}
    apart = [(_apart(before, who), _apart(after, who)) for who in (_named, _level_and_names)]
    for keys in ((_exact, _exact), *apart):
        left = [cell for cell in before if not any(cell is one for one in found.values())]
        then = _only(left, keys[0])
        now = _only([cell for cell in after if id(cell) not in found], keys[1])
        found |= {id(cell): then[name] for name, cell in now.items() if name in then}
    return [(found[id(cell)], cell) for cell in after if id(cell) in found]


def _only(cells: Iterable[Any], key: Callable[[Any], tuple]) -> dict[tuple, Any]:
    """Key -> cell, of keys that one cell alone has."""
    groups: dict[tuple, list[Any]] = {}
    for cell in cells:
        groups.setdefault(key(cell), []).append(cell)
    return {name: group[0] for name, group in groups.items() if len(group) == 1}


def _apart(cells: Sequence[Any], who: Callable[[Any], tuple]) -> Callable[[Any], tuple]:
    """What sets a cell apart in its own sweep: values that all cells have do not."""

    def key(cell: Any) -> tuple:
        own = {
            path: value
            for path, value in cell.set.items()
            if any(other.set.get(path) != value for other in cells)
        }
        return *who(cell), json.dumps(own, sort_keys=True, default=str)

    return key


def _level_and_names(cell: Any) -> tuple:
    return cell.difficulty, *(policy["name"] for policy in cell.policies)


def _named(cell: Any) -> tuple:
    return cell.difficulty, *(policy.get("as_named", policy["name"]) for policy in cell.policies)


def _exact(cell: Any) -> tuple:
    return *_named(cell), cell.scenario, json.dumps(cell.set, sort_keys=True, default=str)


def _moved(before: Any, after: Any, same_seed: bool) -> Moved | None:
    """None where one of them has no game yet."""
    counts = [tally(cell.scan(), cell) for cell in (before, after)]
    if not all(it.games for it in counts):
        return None
    games = (counts[0].games, counts[1].games)
    rates = [from_tally(it, cell).first.win for it, cell in zip(counts, (before, after), strict=True)]
    sides = LineUp((before,)), LineUp((after,))
    if not same_seed:
        difference, p = comparison.independent(*sides, False)
        return Moved(before, after, games, (rates[0], rates[1]), difference, None, p, p, False, False)
    found = comparison.analyze(*sides)
    length = next(it for it in found.effects if it.measure.kind == "column" and it.measure.name == LENGTH)
    return Moved(
        before,
        after,
        games,
        (rates[0], rates[1]),
        found.difference,
        length.difference.interval,
        found.p,
        found.p,
        found.paired,
        bool(found.touched and found.touched.is_none),
    )
