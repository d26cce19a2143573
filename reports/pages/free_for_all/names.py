"""What settings, line-ups and seats are called in a free-for-all."""

from bartizan.analyses.records.comparison import Comparison
from bartizan.reports.pages.parts.names import label as label
from bartizan.reports.pages.parts.names import plain_label as plain_label
from bartizan.reports.pages.parts.names import row_name as row_name
from bartizan.reports.pages.parts.names import settings as settings
from bartizan.reports.pages.parts.names import time as time
from bartizan.reports.pages.parts.names import unnamed as unnamed
from bartizan.reports.pages.parts.names import value_of
from bartizan.reports.study import Finding, Study

NAME = "Players and setting"  # heads the column of such names
ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth")


def under(finding: Finding, study: Study) -> str:
    """Level and settings, as far as they differ."""
    return ", ".join([*([finding.level] if len(study.levels) > 1 else []), *settings(finding, study)])


def changed(comparison: Comparison) -> str:
    """`with the berserker rule`"""
    return value_of(comparison.changed.cells[0], comparison.path, comparison.value)


def base(comparison: Comparison) -> str:
    return value_of(comparison.changed.cells[0], comparison.path, comparison.base_value)


def change(comparison: Comparison) -> str:
    """`with the berserker rule rather than without`, `a goal of 50 points instead of a goal of 100 points`"""
    if comparison.base_value is None:
        return f"{changed(comparison)} rather than as in the scenario"
    if isinstance(comparison.base_value, bool) and base(comparison).startswith("with"):
        return f"{changed(comparison)} rather than {base(comparison).partition(' ')[0]}"
    return f"{changed(comparison)} instead of {base(comparison)}"


def apart(comparison: Comparison, study: Study) -> str:
    """What is the same on both sides of a comparison but not in all of them: players and other settings."""
    cell = comparison.changed.cells[0]
    others = [
        value_of(cell, path, value)
        for path, value in cell.set.items()
        if path != comparison.path and _varies(path, study)
    ]
    level = (
        [finding.level for finding in study.findings if finding.cell.id == cell.id]
        if len(study.levels) > 1
        else []
    )
    groups = {(c.changed.seats, c.changed.players) for c in study.effects}
    return ", ".join([*([line_up(comparison.changed)] if len(groups) > 1 else []), *level, *others])


def _varies(path: str, study: Study) -> bool:
    return len({str(finding.cell.set.get(path)) for finding in study.findings}) > 1


def line_up(found) -> str:
    """`steward in every seat`; `steward+greedy`."""
    return f"{found.names[0]} in every seat" if found.is_mirror else found.name


def seat(number: int) -> str:
    return ORDINALS[number] if number < len(ORDINALS) else f"seat {number + 1}"


def measure(kind: str, name: str, time: str) -> str:
    """What an effect is an effect on."""
    return {
        "seat": "win share of the first seat",
        "skill": f"win share of {name.replace(' - ', ' less that of ')}",
        "policy": f"win share of {name}",
    }.get(kind) or (f"length in {time}s" if name == "turn" else name.replace("_", " "))
