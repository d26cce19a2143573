"""Which cells differ in one measured setting alone? Their results, in order, are a curve over it."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from bartizan.analyses.records.tally import reporting_of
from bartizan.simcore.reporting import Setting
from bartizan.simcore.scenario.parameters import called

FEWEST = 3  # points of a curve worth drawing


@dataclass(frozen=True)
class Series:
    """Cells by rising value of one setting, everything else equal."""

    path: str
    setting: Setting
    values: tuple[float, ...]
    cells: tuple[Any, ...]


def series(cells: Iterable[Any], every: bool = False, fewest: int = FEWEST) -> list[Series]:
    """One for each setting and each combination of everything else.

    `every`: over any number, not only settings that the game draws as curves.
    """
    cells = list(cells)
    paths = dict.fromkeys(path for cell in cells for path in cell.set)
    return [line for path in paths for line in _along(path, cells, every) if len(line.cells) >= fewest]


def setting_of(cell: Any, path: str) -> Setting:
    """The words of a setting: the game's own, else what its scenario calls the value."""
    return reporting_of(cell).settings.get(path) or Setting(
        dict(getattr(cell, "names", ())).get(path) or called(path)
    )


def _along(path: str, cells: list, every: bool):
    groups: dict[tuple, dict[float, Any]] = {}
    for cell in cells:
        value = cell.set.get(path)
        if (
            isinstance(value, int | float)
            and not isinstance(value, bool)
            and (every or setting_of(cell, path).curve)
        ):
            groups.setdefault((seating(cell), all_but(path, cell)), {}).setdefault(value, cell)
    for by_value in groups.values():
        values, in_order = zip(*sorted(by_value.items(), key=lambda item: item[0]), strict=True)
        yield Series(path, setting_of(in_order[0], path), values, in_order)


def seating(cell: Any) -> tuple[tuple[str, tuple, str], ...]:
    """Who sits where: name, weights and code of each seat's policy."""
    return tuple(
        (policy["name"], tuple(sorted(policy.get("weights", {}).items())), policy.get("source_hash", ""))
        for policy in cell.policies
    )


def all_but(path: str | None, cell: Any) -> tuple:
    """What must be equal besides the players: scenario, level and every override other than one."""
    values = sorted((key, str(value)) for key, value in cell.set.items() if key != path)
    return cell.scenario, cell.difficulty, tuple(values)
