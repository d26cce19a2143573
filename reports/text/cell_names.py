"""What a reader calls a cell: by its level, who plays it, and what else sets it apart from the others."""

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

# An assumption written "Tactics cards: assumed set: ..." names itself in every result that rests on it
NAMED_ASSUMPTION = re.compile(r"^([^:(]{1,40}: [^:(,;.]{1,40}?)\s*\(")


def named_assumptions(cell: Cell) -> tuple[str, ...]:
    """`("Tactics cards: assumed set",)`: the assumptions of a cell that have a name and a value."""
    matches = (NAMED_ASSUMPTION.match(text) for text in cell.assumptions)
    return tuple(match.group(1) for match in matches if match)


def set_text(cell: Cell) -> str:
    """What a cell was set to: `Ruling focus fire: blank`."""
    return _set_to(cell, list(getattr(cell, "set", {})))


def cell_names(cells: Sequence[Cell], alike: bool) -> dict[str, str]:
    """Cell id -> its name for a reader, as `Finding.name`."""
    return {cell: ", ".join(filter(None, names)) for cell, names in names_of(cells, alike).items()}


def names_of(cells: Sequence[Cell], alike: bool) -> dict[str, tuple[str, str, str]]:
    """Cell id -> (level, player, variant)."""
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
    """The difficulty's name, with the scenario's where the sweep has several."""
    scenarios = {other.scenario for other in cells}
    difficulty = words.title(cell.difficulty) if cell.difficulty else ""
    if len(scenarios) == 1:
        return difficulty or words.title(cell.scenario)
    return f"{words.title(cell.scenario)}, {difficulty}" if difficulty else words.title(cell.scenario)


def _player(cell: Cell, cells: Sequence[Cell]) -> str:
    """The policies by seat, with their weights where two players of the sweep differ only by them."""
    name = " against ".join(policy["name"] for policy in cell.policies)
    alike = [
        other for other in cells if [p["name"] for p in other.policies] == [p["name"] for p in cell.policies]
    ]
    if (
        len({tuple(p.get("source_hash", "") for p in other.policies) for other in alike}) > 1
    ):  # files of one name
        return " against ".join(policy.get("as_named", policy["name"]) for policy in cell.policies)
    if all(_weights(other) == _weights(cell) for other in alike):
        return name
    differing = [
        f"{key}={value:g}"
        for seat, policy in enumerate(cell.policies)
        for key, value in policy.get("weights", {}).items()
        if any(other.policies[seat].get("weights", {}).get(key) != value for other in alike)
    ]
    return f"{name} ({', '.join(differing)})"


def _seated(cell: Cell, cells: Sequence[Cell]) -> str:
    """`steward in every seat`; `steward+greedy`: steward first."""
    known = [player for other in cells for player in seating(other)]
    names = [name_of(player, known) for player in seating(cell)]
    return f"{names[0]} in every seat" if len(set(seating(cell))) == 1 else "+".join(names)


def _weights(cell: Cell) -> list[Any]:
    return [policy.get("weights", {}) for policy in cell.policies]


def _variant(cell: Cell, group: Sequence[Cell], shared: list[dict[str, Any]]) -> str:
    """What sets a cell apart from its siblings (same level, same player): a named assumption, or else what it
    was set to. `shared`: changes that all cells have.

    A cell without siblings has a name of its own too where it is changed and others are not.
    """
    own = {row["path"] for row in changes_in(cell) if row not in shared}
    if len(group) == 1:
        return _set_to(cell, [path for path in cell.set if path in own])
    differing = [path for path in cell.set if len({str(other.set.get(path)) for other in group}) > 1]
    by_assumption = [_apart(other, group) for other in group]
    if len(set(by_assumption)) == len(group) and len(differing) < 2:
        return _apart(cell, group)
    return (
        _set_to(cell, [path for path in cell.set if path in differing or path in own])
        or "as the scenario says"
    )


def _set_to(cell: Cell, paths: list[str]) -> str:
    """`Assault counter, Defence 3; Scout counter, Defence 4`"""
    return "; ".join(setting_of(cell, path).words(words.plain(as_text(cell.set[path]))) for path in paths)


def changes_in(cell: Cell) -> list[dict[str, Any]]:
    """What a cell has otherwise than the shipped scenario; [] in a folder that was made before manifests said
    so.
    """
    return getattr(cell, "changes", [])


def _apart(cell: Cell, group: Sequence[Cell]) -> str:
    shared = set.intersection(*(set(named_assumptions(other)) for other in group))
    return ", ".join(name for name in named_assumptions(cell) if name not in shared)


def grouped(items: Iterable[Item], key: Callable[[Item], Key]) -> dict[Key, list[Item]]:
    """Items by key, in order."""
    groups: dict[Key, list[Item]] = {}
    for item in items:
        groups.setdefault(key(item), []).append(item)
    return groups
