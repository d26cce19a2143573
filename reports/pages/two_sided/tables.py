"""Every number of a report for several sides, in tables."""

from collections.abc import Iterator

from bartizan.analyses.records.outcomes import Part
from bartizan.reports import entries
from bartizan.reports.blocks import Entry, Table
from bartizan.reports.entries import NONE
from bartizan.reports.pages.parts import counts, first_times, forms, lengths, loss_causes, names, scores
from bartizan.reports.pages.parts.names import SETTING
from bartizan.reports.study import Finding, Study
from bartizan.reports.text import words
from bartizan.reports.text.cell_names import set_text

NOBODY = {"draw": "Drawn", "nobody": "Lost by all"}


def all_tables(study: Study) -> list[Table]:
    """The tables this study has something to say in."""
    found = [
        _outcomes(study),
        forms.table(study),
        *counts.tables_of(study),
        _causes(study),
        *first_times.tables_of(study),
        scores.table(study),
        lengths.table(study, SETTING),
    ]
    return [table for table in found if table and table.rows]


# ---------------------------------------------------------------- who wins


def _outcomes(study: Study) -> Table:
    """One row a cell, one column a side."""
    parts = list({part.name: part for finding in study.findings for part in finding.outcomes.parts}.values())
    capped = any(finding.outcomes.capped for finding in study.findings)
    changed = any(set_text(finding.cell) for finding in study.findings)
    headers = (SETTING, *["Changed setting"] * changed, "Games", *map(_won_by, parts), *["Cut off"] * capped)
    caption = f"Shares of all games with {words.level(study.level)} intervals; each holds on its own."
    if capped:
        caption += (
            " Games cut off by the limit on decisions count as none of these: each range runs from none of "
            "them to all of them."
        )
    rows = (tuple(_row(finding, parts, changed, capped, study)) for finding in study.findings)
    return Table("Who wins", caption, headers, tuple(rows))


def _won_by(part: Part) -> str:
    return f"Won by {part.name}" if part.seat >= 0 else NOBODY[part.name]


def _row(finding: Finding, parts: list[Part], changed: bool, capped: bool, study: Study) -> Iterator[Entry]:
    """changed, capped: with the columns of what a cell was set to, of games cut off."""
    shares = {part.name: entries.proportion(part.share, part.games) for part in finding.outcomes.parts}
    yield names.row_name(finding, study)
    if changed:
        yield Entry(set_text(finding.cell) or "–")
    yield entries.count(finding.games)
    yield from (shares.get(part.name, NONE) for part in parts)
    if capped:
        yield entries.count(finding.outcomes.capped)


# ---------------------------------------------------------------- what undid the first side


def _causes(study: Study) -> Table | None:
    """What ended the games that the first side lost."""
    losing = [finding for finding in study.findings if finding.losses.causes]
    side = study.findings[0].outcomes.sides[0].name
    rows = tuple((names.row_name(f, study), *loss_causes.row(f.losses)) for f in losing)
    caption = f"What stopped {side} in the games they lost. {loss_causes.caption(study)}"
    return Table(f"What undid {side}", caption, (SETTING, *loss_causes.HEADERS), rows)
