"""Names of cells on a page."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from bartizan.analyses.records.comparison import Comparison
from bartizan.analyses.records.seating import LineUp, setting_of
from bartizan.analyses.records.tally import reporting_of
from bartizan.reports.blocks import Entry, Table
from bartizan.reports.study import Finding, Study
from bartizan.reports.text import words
from bartizan.simcore.reporting import Reporting
from bartizan.simcore.scenario.parameters import as_text
from bartizan.simcore.sweep.store import Cell


def header(study: Study) -> str:
    """Return the heading of the column that names the cells in a table."""
    if not study.is_contest:
        return "Level and player"
    return "Players and setting" if study.is_alike else "Setting"


def label(finding: Finding, study: Study) -> str:
    """Return the label of a cell.

    For a solo game, the label contains level and player. For any other game, it contains the level, players
    and settings that differ between cells, or the players if nothing differs.
    """
    if not study.is_contest:
        return finding.name
    text = plain_label(finding, study)
    # the name of a policy keeps its case
    return text if text.startswith(finding.player) else words.sentence(text)


def plain_label(finding: Finding, study: Study) -> str:
    """Return the label of a cell for use inside a sentence."""
    return ", ".join(parts(finding, study)) or finding.player


def parts(finding: Finding, study: Study) -> list[str]:
    """Return the parts of a cell's label, such as level, players and settings, in order."""
    players = [finding.player] * (len(study.players) > 1)
    return [*_level(finding, study), *players, *settings(finding, study)]


def _level(finding: Finding, study: Study) -> list[str]:
    return [finding.level] * (len(study.levels) > 1)


def settings(finding: Finding, study: Study) -> list[str]:
    """Return the changed values that differ between cells, in words.

    For a free-for-all, returns only the changed values of this cell, because any other cell may be its base.
    """
    differing, cell = _differing(study), finding.cell
    if not study.is_alike:
        return [value_of(cell, path, cell.set.get(path)) for path in differing]
    changed = [value_of(cell, path, cell.set[path]) for path in differing if path in cell.set]
    return changed or ["as in the scenario"] * bool(differing)


def value_of(cell: Cell, path: str, value: Any) -> str:
    """Return a changed value as text: `with the berserker rule`, `3 players`, `limit as in the scenario`."""
    setting = setting_of(cell, path)
    if value is None:
        return f"{setting.name} as in the scenario"
    if isinstance(value, bool) and not setting.value:
        return f"{'with' if value else 'without'} {setting.name}"
    return setting.words(as_text(value).replace("_", " "))


def _differing(study: Study) -> list[str]:
    cells = [finding.cell for finding in study.findings]
    paths = dict.fromkeys(path for cell in cells for path in cell.set)
    return [path for path in paths if len({str(cell.set.get(path)) for cell in cells}) > 1]


def reporting(study: Study) -> Reporting:
    return reporting_of(study.findings[0].cell)


def time(study: Study) -> str:
    return reporting(study).time


def scores(study: Study) -> str:
    """Return the unit of the score, such as `points` or `escapes` (default: `score`)."""
    return reporting(study).score or "score"


def row_name(finding: Finding, study: Study) -> Entry:
    """Return the label of a cell for a table, with the assumptions that the label does not contain."""
    name = label(finding, study)
    return Entry(name, ", ".join(unnamed(finding, name)))


def table(
    study: Study,
    title: str,
    caption: str,
    headers: Iterable[str],
    entries: Callable[[Finding], Iterable[Entry]],
    findings: Sequence[Finding] | None = None,
) -> Table:
    """Return a table with one row per cell (default: all cells).

    headers, entries: the columns after the name of the cell.
    """
    rows = tuple(
        (row_name(each, study), *entries(each)) for each in (study.findings if findings is None else findings)
    )
    return Table(title, caption, (header(study), *headers), rows)


def unnamed(finding: Finding, name: str) -> list[str]:
    return [part for part in finding.rests_on if part not in name]


# ---------------------------------------------------------------- in a free-for-all


def under(finding: Finding, study: Study) -> str:
    """Return level and settings of a cell, as far as they differ between cells."""
    return ", ".join([*_level(finding, study), *settings(finding, study)])


def changed(comparison: Comparison) -> str:
    """Return the changed value of a comparison in words, such as `with the berserker rule`."""
    return value_of(comparison.changed.cells[0], comparison.path, comparison.value)


def base(comparison: Comparison) -> str:
    return value_of(comparison.changed.cells[0], comparison.path, comparison.base_value)


def change(comparison: Comparison) -> str:
    """Return a change as text: `with the berserker rule rather than without`, `3 players instead of 4`."""
    if comparison.base_value is None:
        return f"{changed(comparison)} rather than as in the scenario"
    if isinstance(comparison.base_value, bool) and base(comparison).startswith("with"):
        return f"{changed(comparison)} rather than {base(comparison).partition(' ')[0]}"
    return f"{changed(comparison)} instead of {base(comparison)}"


def apart(comparison: Comparison, study: Study) -> str:
    """Return the players and settings that both sides of a comparison share and other comparisons do not."""
    cell = comparison.changed.cells[0]
    others = [
        value_of(cell, path, value)
        for path, value in cell.set.items()
        if path != comparison.path and path in _differing(study)
    ]
    level = [finding.level for finding in study.findings if finding.cell.id == cell.id]
    groups = {(c.changed.seats, c.changed.players) for c in study.effects}
    players = [line_up(comparison.changed)] * (len(groups) > 1)
    return ", ".join([*players, *level * (len(study.levels) > 1), *others])


def line_up(seated: LineUp) -> str:
    """Return the line-up as text, such as `steward in every seat` or `steward+greedy`."""
    return f"{seated.names[0]} in every seat" if seated.is_mirror else seated.name


def measure(kind: str, name: str, time: str) -> str:
    """Return the name of the measure that an effect changes."""
    return {
        "seat": "win rate of the first seat",
        "skill": f"win rate of {name.replace(' - ', ' minus that of ')}",
        "policy": f"win rate of {name}",
    }.get(kind) or (f"length in {time}s" if name == "turn" else name.replace("_", " "))
