"""Who goes out first and when, who comes to which place, and how often the lead changes hands."""

from collections.abc import Iterator
from functools import partial

from bartizan.analyses.records.outcomes import Elimination, Spread
from bartizan.reports import entries
from bartizan.reports.blocks import Entry, Figure, Paragraph, Section, Table, paragraph
from bartizan.reports.entries import NONE
from bartizan.reports.figures import dots
from bartizan.reports.pages.free_for_all import shares, spreads
from bartizan.reports.pages.free_for_all.seatings import main_finding
from bartizan.reports.pages.parts import names
from bartizan.reports.study import Finding, Study
from bartizan.reports.text import words

OUT, LEAD = "#c8553d", "#029e73"
FIRST_TITLE = "Who goes out first"
WHEN_TITLE = "When somebody first goes out"
LEAD_TITLE = "Changes of the lead"


def _ranked(findings: tuple[Finding, ...], study: Study) -> list[tuple[Finding, Elimination]]:
    """Those that record who goes out."""
    return [(f, study.eliminations[f.cell.id]) for f in findings if f.cell.id in study.eliminations]


# ---------------------------------------------------------------- in sentences


def answer(study: Study) -> Paragraph | None:
    """Of two players the first to go out is the loser: there is nothing to say."""
    for finding in (main_finding(study), *study.findings):
        ranks = study.eliminations.get(finding.cell.id)
        if ranks and ranks.seats > 2 and ranks.first_out and ranks.first_out.games:
            return paragraph(f"{FIRST_TITLE}, and when?", _goes_out(ranks, ranks.first_out, finding, study))
    return None


def _goes_out(ranks: Elimination, first: Spread, finding: Finding, study: Study) -> Iterator[str]:
    start = f"In half of the games somebody is out by {names.time(study)} {words.whole(first.quantiles[50])}"
    yield (
        f"{start} ({names.plain_label(finding, study)}), over {words.count(first.games)} games in "
        "which somebody goes out."
    )
    if ranks.places:
        parts = [
            f"the {names.seat(place.seat)} {words.share_with_limits(place.share)}"
            for place in ranks.first_to_go()
        ]
        yield f"First to go out, by seat: {words.listing(parts)} of {words.count(ranks.games)} games."
    if ranks.nobody_out and ranks.nobody_out.estimate:
        yield f"In {words.share_with_limits(ranks.nobody_out)} of all games nobody goes out."


def lead_answer(study: Study) -> Paragraph | None:
    finding = main_finding(study)
    ranks = study.eliminations.get(finding.cell.id)
    if not ranks or not ranks.lead_changes or not ranks.lead_changes.games or not ranks.no_change:
        return None
    spread = ranks.lead_changes
    mean, limits = words.mean(spread.mean)
    often = (
        f"The lead changes hands {mean} times a game ({limits}), {words.whole(spread.quantiles[50])} in the "
        f"median one ({names.plain_label(finding, study)}); over {words.count(spread.games)} games."
    )
    never = f"It never does in {words.share_with_limits(ranks.no_change)} of them."
    return paragraph("Does the lead change?", [often, never])


# ---------------------------------------------------------------- figures


def sections(study: Study) -> list[Section]:
    ranked, time = _ranked(study.seated_once, study), names.time(study)
    first_out = {f.cell.id: ranks.first_out for f, ranks in ranked if ranks.seats > 2}
    when = f"The {time} in which somebody first goes out, as a share of the games in which one does."
    changes = {f.cell.id: ranks.lead_changes for f, ranks in ranked}
    often = "How often the lead passes to another player in a game, as a share of all games."
    return [
        _first_section(study),
        spreads.section(WHEN_TITLE, when, time, OUT, first_out, study),
        spreads.section(LEAD_TITLE, often, "changes of the lead", LEAD, changes, study),
    ]


def _first_section(study: Study) -> Section:
    shown = [(f, ranks) for f, ranks in _ranked(study.seated_once, study) if ranks.seats > 2 and ranks.places]
    # else it is the players' doing as much as the seats'
    shown = [(finding, ranks) for finding, ranks in shown if study.seats[finding.cell.id].mirror] or shown
    if not shown:
        return Section(FIRST_TITLE, "")
    places = [ranks.first_to_go() for _, ranks in shown]
    ends = shares.axis((place.share for row in places for place in row), (1 / len(row) for row in places))
    caption = (
        f"How often each seat is the first to go out, with its {words.CONFIDENCE} interval; the dashed line "
        "is an equal share. The scale does not start at 0."
    )
    figures = tuple(_first_figure(finding, ranks, ends, study) for finding, ranks in shown)
    return Section(FIRST_TITLE, caption, figures)


def _first_figure(finding: Finding, ranks: Elimination, ends: tuple[float, float], study: Study) -> Figure:
    """ends: of the axis."""
    places, label = ranks.first_to_go(), names.label(finding, study)
    rows = [
        shares.row(words.sentence(names.seat(place.seat)), (shares.point(place.share, OUT),))
        for place in places
    ]
    mixed = "" if study.seats[finding.cell.id].mirror else "; different policies"
    draw = partial(dots.draw, rows, ends[1], "of all games", least=ends[0], mark=1 / len(places))
    alt = shares.in_words(f"First to go out, {label}", rows)
    return Figure(label, alt, draw, f"{words.count(finding.games)} games{mixed}")


# ---------------------------------------------------------------- tables


def places(study: Study) -> Table | None:
    """One row a cell and seat, one column a place."""
    ranked = [(f, ranks) for f, ranks in _ranked(study.findings, study) if ranks.places and ranks.seats > 2]
    if not ranked:
        return None
    most = max(ranks.seats for _, ranks in ranked)
    rows = (
        _place_row(seat, ranks, most, names.label(finding, study))
        for finding, ranks in ranked
        for seat in range(ranks.seats)
    )
    headers = ("Seat", "Games", "Wins", *(f"Place {place}" for place in range(2, most + 1)))
    caption = (
        "Share of all games in which a seat came to a place: place 1 wins, the last place of as many as play "
        f"goes out first. {words.CONFIDENCE} intervals; each holds on its own."
    )
    if any(ranks.undecided for _, ranks in ranked):
        caption += " Games that end with places open make each share a range."
    return Table("Places by seat", caption, headers, tuple(rows))


def _place_row(seat: int, ranks: Elimination, most: int, label: str) -> tuple[Entry, ...]:
    mine = [entries.proportion(place.share, place.games) for place in ranks.places if place.seat == seat]
    return (
        Entry(f"The {names.seat(seat)}", label),
        entries.count(ranks.games),
        *mine,
        *[NONE] * (most - len(mine)),
    )


def out(study: Study) -> Table:
    """One row a cell: when somebody first goes out."""
    rows = tuple(
        (names.row_name(f, study), *spreads.row(ranks.first_out), entries.share(ranks.nobody_out))
        for f, ranks in _ranked(study.findings, study)
        if ranks.seats > 2 and ranks.first_out and ranks.nobody_out
    )
    caption = (
        f"{words.sentence(names.time(study))} in which somebody first goes out, over the games in which one "
        f"does. {spreads.NOTE}"
    )
    return Table(WHEN_TITLE, caption, (names.header(study), *spreads.NUMBERS, "Nobody goes out"), rows)


def lead(study: Study) -> Table:
    """One row a cell: how often the lead changes hands."""
    rows = tuple(
        (names.row_name(f, study), *spreads.row(ranks.lead_changes), entries.share(ranks.no_change))
        for f, ranks in _ranked(study.findings, study)
        if ranks.lead_changes and ranks.no_change
    )
    caption = f"How often the lead passes to another player in a game. {spreads.NOTE}"
    return Table(LEAD_TITLE, caption, (names.header(study), *spreads.NUMBERS, "Never changes"), rows)
