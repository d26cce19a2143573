"""The report's parts in their order: answers, pictures, tables.

Each part has a file: what a seat is worth, who plays better, how games end, what the settings change, who
goes out, how long it takes.
"""

from collections.abc import Iterator

from bartizan.reports import entries
from bartizan.reports.blocks import Entry, Table
from bartizan.reports.entries import NONE
from bartizan.reports.pages.free_for_all import effects, elimination, ends, length, names, seats, skill
from bartizan.reports.pages.free_for_all.seatings import Seating, seatings
from bartizan.reports.pages.parts import counts, curves, first_times, forms, lengths, scores
from bartizan.reports.pages.parts.paragraphs import Paragraph, assumed, known_to, luck_only, paragraph
from bartizan.reports.pages.parts.pictures import Section
from bartizan.reports.study import Finding, Study
from bartizan.reports.text import words
from bartizan.reports.text.cell_names import set_text


def verdict(study: Study) -> list[Paragraph]:
    """The answer first, in sentences."""
    found = seatings(study)
    parts = [
        seats.answer(found, study),
        skill.answer(study),
        ends.answer(study),
        effects.answer(study),
        elimination.answer(study),
        elimination.lead_answer(study),
        paragraph("How long?", length.sentences(study)),
    ]
    return [*filter(None, parts), paragraph("How sure", _how_sure(found, study))]


def _how_sure(found: list[Seating], study: Study) -> Iterator[str]:
    shares = [share.share for seating in found for share in seating.seats]
    if shares:
        yield known_to("win share of the games", shares, study.level)
    else:
        yield "No game was won by anybody."
    yield luck_only("other players, and people, may bring other results")
    yield from assumed(study, "shares")


def sections(study: Study, most: int) -> list[Section]:
    """`most`: pictures in a section."""
    return [
        seats.section(study, most),
        skill.section(study, most),
        ends.section(study),
        *effects.sections(study, most),
        *elimination.sections(study, most),
        length.section(study, most),
        *curves.sections(study, most),
        forms.section(study),
        counts.section(study),
        first_times.section(study, most),
        scores.section(study, most),
    ]


def all_tables(study: Study) -> list[Table]:
    """The tables this study has something to say in."""
    found = [
        seats.table(study),
        skill.table(study),
        skill.duels(study),
        ends.table(study),
        effects.table(study),
        lengths.table(study, names.NAME),
        elimination.places(study),
        elimination.out(study),
        elimination.lead(study),
        _cells(study),
        forms.table(study),
        *counts.tables_of(study),
        *first_times.tables_of(study),
        scores.table(study),
    ]
    return [table for table in found if table and table.rows]


def _cells(study: Study) -> Table:
    """One row a cell as it was seated: wins of each seat, counted."""
    most = max(len(finding.wins.seats) for finding in study.findings)
    headers = (
        names.NAME,
        "Changed setting",
        "Games",
        *(f"Won by the {names.seat(seat)}" for seat in range(most)),
        "Won by nobody",
        "Cut off",
    )
    caption = (
        f"Every cell as it was seated: shares of all games with {words.level(study.level)} intervals; each "
        "holds on its own."
    )
    rows = tuple(tuple(_cell(finding, most, study)) for finding in study.findings)
    return Table("Cell by cell", caption, headers, rows)


def _cell(finding: Finding, most: int, study: Study) -> Iterator[Entry]:
    """most: seats of any cell."""
    yield names.row_name(finding, study)
    yield Entry(set_text(finding.cell) or "–")
    yield entries.count(finding.games)
    for seat in finding.wins.seats:
        share = entries.proportion(seat.win, seat.wins)
        yield Entry(share.text, f"{seat.policy}; {share.note}")
    yield from [NONE] * (most - len(finding.wins.seats))
    yield entries.count(study.seats[finding.cell.id].drawn)
    yield entries.count(finding.outcomes.capped)
