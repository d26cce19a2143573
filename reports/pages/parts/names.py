"""What cells are called in the report of a game for several players."""

from typing import Any

from bartizan.analyses.records.seating import setting_of
from bartizan.analyses.records.tally import reporting_of
from bartizan.reports.blocks import Entry
from bartizan.reports.study import Finding, Study
from bartizan.reports.text import words
from bartizan.simcore.reporting import Reporting
from bartizan.simcore.scenario.parameters import as_text

SETTING = "Setting"  # heads the column of such names


def label(finding: Finding, study: Study) -> str:
    """What sets a cell apart from the others: level, players, settings, as far as they differ; the players
    when there is only one cell.
    """
    text = plain_label(finding, study)
    return (
        text if text.startswith(finding.player) else words.sentence(text)
    )  # a policy's name is spelled as it is


def plain_label(finding: Finding, study: Study) -> str:
    """The same inside a sentence."""
    return ", ".join(parts(finding, study)) or finding.player


def parts(finding: Finding, study: Study) -> list[str]:
    """Its label piece by piece."""
    several_levels, several_players = len(study.levels) > 1, len(study.players) > 1
    return [
        *([finding.level] if several_levels else []),
        *([finding.player] if several_players else []),
        *settings(finding, study),
    ]


def settings(finding: Finding, study: Study) -> list[str]:
    """The overrides that differ between cells, in words."""
    if study.is_alike:
        return _set_here(finding, study)
    return [_words(finding.cell, path) for path in _differing(study)]


def _set_here(finding: Finding, study: Study) -> list[str]:
    """Only what a cell changes: its base may be any other cell."""
    differing, cell = _differing(study), finding.cell
    changed = [value_of(cell, path, cell.set[path]) for path in differing if path in cell.set]
    return changed or ["as in the scenario"] * bool(differing)


def value_of(cell, path: str, value: Any) -> str:
    """`with the berserker rule`, `3 players`, `limit as in the scenario`"""
    setting = setting_of(cell, path)
    if value is None:
        return f"{setting.name} as in the scenario"
    if isinstance(value, bool) and not setting.value:
        return f"{'with' if value else 'without'} {setting.name}"
    return setting.words(str(value).replace("_", " "))


def _words(cell, path: str) -> str:
    setting = setting_of(cell, path)
    return (
        setting.words(as_text(cell.set[path]).replace("_", " "))
        if path in cell.set
        else f"{setting.name} as in the scenario"
    )


def _differing(study: Study) -> list[str]:
    cells = [finding.cell for finding in study.findings]
    paths = dict.fromkeys(path for cell in cells for path in cell.set)
    return [path for path in paths if len({str(cell.set.get(path)) for cell in cells}) > 1]


def reporting(study: Study) -> Reporting:
    return reporting_of(study.findings[0].cell)


def time(study: Study) -> str:
    return reporting(study).time


def scores(study: Study) -> str:
    return reporting(study).score or "scores"


def row_name(finding: Finding, study: Study) -> Entry:
    """A cell in a table: its label, with the assumptions every result must carry that it does not say yet."""
    return Entry(label(finding, study), ", ".join(unnamed(finding, label(finding, study))))


def unnamed(finding: Finding, name: str) -> list[str]:
    return [part for part in finding.rests_on if part not in name]
