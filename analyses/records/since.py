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
    same_seed = before.manifest["seed"] == after.manifest["seed"]
    compared = (_moved(*pair, same_seed) for pair in matched(before.cells, after.cells))
    moved = [one for one in compared if one]
    adjusted = holm([one.p for one in moved])
    matching = {id(cell) for one in moved for cell in (one.before, one.after)}
    left = (tuple(cell for cell in side.cells if id(cell) not in matching) for side in (before, after))
    return SinceThen(
        before, tuple(replace(one, adjusted=p) for one, p in zip(moved, adjusted, strict=True)), *left
    )


def since_named(sweep: Any) -> SinceThen | None:
    """Since the sweep whose folder the manifest names under `since`; None where it names none."""
    named = sweep.manifest.get("since")
    return None if named is None else analyze(open_sweep(Path(named)), sweep)


def matched(before: Sequence[Any], after: Sequence[Any]) -> list[tuple[Any, Any]]:
    """(then, now), in the order of now: the same by every name and value; else by the values that tell cells
    of one sweep apart, with its policies as they were named, or else by their names alone.
    """
    earlier: dict[int, Any] = {}
    apart = [(_apart(before, who), _apart(after, who)) for who in (_named, _level_and_names)]
    for keys in ((_exact, _exact), *apart):
        left = [cell for cell in before if not any(cell is one for one in earlier.values())]
        then = _only(left, keys[0])
        now = _only([cell for cell in after if id(cell) not in earlier], keys[1])
        earlier |= {id(cell): then[name] for name, cell in now.items() if name in then}
    return [(earlier[id(cell)], cell) for cell in after if id(cell) in earlier]


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
    if not all(count.games for count in counts):
        return None
    then, now = (from_tally(count, cell).first for count, cell in zip(counts, (before, after), strict=True))
    sides = LineUp((before,)), LineUp((after,))
    head = before, after, (then.games, now.games), (then.win, now.win)
    if not same_seed:
        difference, p = comparison.independent(*sides, False)
        return Moved(*head, difference, None, p, p, False, False)
    compared = comparison.analyze(*sides)
    length = next(effect for effect in compared.effects if effect.measure.name == LENGTH)
    same = bool(compared.touched and compared.touched.is_none)
    turns = length.difference.interval
    return Moved(*head, compared.difference, turns, compared.p, compared.p, compared.paired, same)
