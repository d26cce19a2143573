"""Names of cells for a reader: level, players, and the settings that distinguish a cell from the others."""

import re
from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import Any, TypeVar

from bartizan.analyses.records.seating import name_of, seating, setting_of
from bartizan.reports.text import words
from bartizan.simcore.scenario.changes import common
from bartizan.simcore.scenario.parameters import as_text
from bartizan.simcore.sweep.store import Cell

Item = TypeVar("Item")
Key = TypeVar("Key", bound=Hashable)

# an assumption of the form "Tactics cards: assumed set: ..." is named in every result that uses it
NAMED_ASSUMPTION = re.compile(r"^([^:(]{1,40}: [^:(,;.]{1,40}?)\s*\(")


def named_assumptions(cell: Cell) -> tuple[str, ...]:
    """Return the assumptions of a cell that have a name and a value, such as `Tactics cards: assumed set`."""
    matches = (NAMED_ASSUMPTION.match(text) for text in cell.assumptions)
    return tuple(match.group(1) for match in matches if match)


def set_text(cell: Cell) -> str:
    """Return the changed values of a cell as text, such as `Ruling focus fire: blank`."""
    return _set_to(cell, list(getattr(cell, "set", {})))


def cell_names(cells: Sequence[Cell], alike: bool) -> dict[str, str]:
    """Return {cell id: name for a reader}, the same names as `Finding.name`."""
    return {cell: ", ".join(filter(None, names)) for cell, names in names_of(cells, alike).items()}


def names_of(cells: Sequence[Cell], alike: bool) -> dict[str, tuple[str, str, str]]:
    """Return {cell id: (level, player, variant)}."""
    shared = common([changes_in(cell) for cell in cells])
    levels = {cell.id: _level(cell, cells) for cell in cells}
    players = {cell.id: _seated(cell, cells) if alike else _player(cell, cells) for cell in cells}
    siblings = grouped(cells, lambda cell: (levels[cell.id], players[cell.id]))
    return {
        cell.id: (level, player, _variant(cell, group, shared))
        for (level, player), group in siblings.items()
        for cell in group
    }


def _level(cell: Cell, cells: Sequence[Cell]) -> str:
    """Return the name of the level.

    If the sweep has several scenarios, the name includes the scenario. A cell without a level has the name of
    its scenario.
    """
    scenarios = {other.scenario for other in cells}
    difficulty = words.title(cell.difficulty) if cell.difficulty else ""
    if len(scenarios) == 1:
        return difficulty or words.title(cell.scenario)
    return f"{words.title(cell.scenario)}, {difficulty}" if difficulty else words.title(cell.scenario)


def _player(cell: Cell, cells: Sequence[Cell]) -> str:
    """Return the policies of the seats as text.

    The text includes files or weights if other cells have the same policies with other files or weights.
    """
    name = " against ".join(policy["name"] for policy in cell.policies)
    alike = [
        other for other in cells if [p["name"] for p in other.policies] == [p["name"] for p in cell.policies]
    ]
    if (
        len({tuple(p.get("source_hash", "") for p in other.policies) for other in alike}) > 1
    ):  # different files with the same name
        return " against ".join(policy.get("as_named", policy["name"]) for policy in cell.policies)
    if all(_weights(other) == _weights(cell) for other in alike):
        return name
    differing = [
        f"{key}={value:.15g}"
        for seat, policy in enumerate(cell.policies)
        for key, value in policy.get("weights", {}).items()
        if any(other.policies[seat].get("weights", {}).get(key) != value for other in alike)
    ]
    return f"{name} ({', '.join(differing)})"


def _seated(cell: Cell, cells: Sequence[Cell]) -> str:
    """Return the line-up as text, such as `steward in every seat`, or `steward+greedy` with steward first."""
    known = [player for other in cells for player in seating(other)]
    names = [name_of(player, known) for player in seating(cell)]
    is_mirror = len(names) > 1 and len(set(seating(cell))) == 1
    return f"{names[0]} in every seat" if is_mirror else "+".join(names)


def _weights(cell: Cell) -> list[Any]:
    return [policy.get("weights", {}) for policy in cell.policies]


def _variant(cell: Cell, group: Sequence[Cell], shared: list[dict[str, Any]]) -> str:
    """Return the differences of a cell from others with the same level and player (`group`).

    The text is a named assumption or, if this does not distinguish the cells, the changed values. If the
    group has no other cell, the text is the changed values. shared: changes that all cells have.
    """
    own = {row["path"] for row in changes_in(cell) if row not in shared}
    if len(group) == 1:
        return _set_to(cell, [path for path in cell.set if path in own])
    differing = [path for path in cell.set if len({str(other.set.get(path)) for other in group}) > 1]
    by_assumption = [_apart(other, group) for other in group]
    if len(set(by_assumption)) == len(group) and len(differing) < 2:
        return _apart(cell, group)
    return (
        _set_to(cell, [path for path in cell.set if path in differing or path in own]) or "as in the scenario"
    )


def _set_to(cell: Cell, paths: list[str]) -> str:
    """Return changed values as text, such as `Assault counter, Defence 3; Scout counter, Defence 4`."""
    return "; ".join(setting_of(cell, path).words(words.plain(as_text(cell.set[path]))) for path in paths)


def changes_in(cell: Cell) -> list[dict[str, Any]]:
    """Return the differences from the shipped scenario; [] if a folder of an early version lacks them."""
    return getattr(cell, "changes", [])


def _apart(cell: Cell, group: Sequence[Cell]) -> str:
    shared = set.intersection(*(set(named_assumptions(other)) for other in group))
    return ", ".join(name for name in named_assumptions(cell) if name not in shared)


def grouped(items: Iterable[Item], key: Callable[[Item], Key]) -> dict[Key, list[Item]]:
    """Group items by key. Groups, and the items in each group, are in the order of `items`."""
    groups: dict[Key, list[Item]] = {}
    for item in items:
        groups.setdefault(key(item), []).append(item)
    return groups
