"""Who goes out first and when, who comes to which place, and how often the lead changes hands."""

from collections.abc import Iterator

from bartizan.analyses.records.outcomes import Elimination, Spread
from bartizan.reports import entries
from bartizan.reports.blocks import Entry, Table
from bartizan.reports.entries import NONE
from bartizan.reports.figures import dots
from bartizan.reports.pages.free_for_all import names, shares, spreads
from bartizan.reports.pages.free_for_all.seatings import main_finding
from bartizan.reports.pages.parts.paragraphs import Paragraph, paragraph
from bartizan.reports.pages.parts.pictures import Picture, Section, left_out, limited, one_group, picture
from bartizan.reports.study import Finding, Study
from bartizan.reports.text import words

OUT, LEAD = "#c8553d", "#029e73"
FIRST_TITLE, WHEN_TITLE, LEAD_TITLE = (
    "Who goes out first",
    "When somebody first goes out",
    "Changes of the lead",
)


def _ranked(findings: tuple[Finding, ...], study: Study) -> list[tuple[Finding, Elimination]]:
    """Those that record who goes out."""
    return [(f, study.eliminations[f.cell.id]) for f in findings if f.cell.id in study.eliminations]


# ---------------------------------------------------------------- in sentences


def answer(study: Study) -> Paragraph | None:
    """Of two players the first to go out is the loser: there is nothing to say."""
    for finding in (main_finding(study), *study.findings):
        found = study.eliminations.get(finding.cell.id)
        if found and found.seats > 2 and found.first_out and found.first_out.games:
            return paragraph(f"{FIRST_TITLE}, and when?", _goes_out(found, found.first_out, finding, study))
    return None


def _goes_out(found: Elimination, first: Spread, finding: Finding, study: Study) -> Iterator[str]:
    start = f"In half of the games somebody is out by {names.time(study)} {words.whole(first.quantiles[50])}"
    yield (
        f"{start} ({names.plain_label(finding, study)}), over {words.count(first.games)} games in "
        "which somebody goes out."
    )
    if found.places:
        parts = [
            f"the {names.seat(place.seat)} {words.share_with_limits(place.share)}"
            for place in found.first_to_go()
        ]
        yield f"First to go out, by seat: {words.listing(parts)} of {words.count(found.games)} games."
    if found.nobody_out and found.nobody_out.estimate:
        yield f"In {words.share_with_limits(found.nobody_out)} of all games nobody goes out."


def lead_answer(study: Study) -> Paragraph | None:
    finding = main_finding(study)
    found = study.eliminations.get(finding.cell.id)
    if not found or not found.lead_changes or not found.lead_changes.games or not found.no_change:
        return None
    spread = found.lead_changes
    mean, limits = words.mean(spread.mean, study.level)
    often = (
        f"The lead changes hands {mean} times a game ({limits}), {words.whole(spread.quantiles[50])} in the "
        f"median one ({names.plain_label(finding, study)}); over {words.count(spread.games)} games."
    )
    never = f"It never does in {words.share_with_limits(found.no_change)} of them."
    return paragraph("Does the lead change?", [often, never])


# ---------------------------------------------------------------- pictures


def sections(study: Study, most: int) -> list[Section]:
    """`most`: pictures in a section."""
    ranked, time = _ranked(study.seated_once, study), names.time(study)
    when = spreads.Look(
        WHEN_TITLE,
        f"The {time} in which somebody first goes out, as a share of the games in which one does.",
        time,
        OUT,
        "first-out",
    )
    lead = spreads.Look(
        LEAD_TITLE,
        "How often the lead passes to another player in a game, as a share of all games.",
        "changes of the lead",
        LEAD,
        "lead",
    )
    return [
        _first_section(study, most),
        when.section(study, {f.cell.id: found.first_out for f, found in ranked if found.seats > 2}, most),
        lead.section(study, {f.cell.id: found.lead_changes for f, found in ranked}, most),
    ]


def _first_section(study: Study, most: int) -> Section:
    found = [
        (f, ranked) for f, ranked in _ranked(study.seated_once, study) if ranked.seats > 2 and ranked.places
    ]
    # else it is the players' doing as much as the seats'
    found = [(finding, ranked) for finding, ranked in found if study.seats[finding.cell.id].mirror] or found
    if not found:
        return Section(FIRST_TITLE, "", ())
    drawn = limited(found, most)
    places = [ranked.first_to_go() for _, ranked in drawn]
    ends = shares.axis((place.share for row in places for place in row), (1 / len(row) for row in places))
    pictures = [
        _first_picture(finding, ranked, ends, f"out-{index}", study)
        for index, (finding, ranked) in enumerate(drawn)
    ]
    caption = (
        f"How often each seat is the first to go out, with its {words.level(study.level)} interval; the "
        "dashed line is an equal share. The scale does not start at 0."
    )
    return Section(FIRST_TITLE, caption, one_group(pictures), left_out=left_out(found, most))


def _first_picture(
    finding: Finding, found: Elimination, ends: tuple[float, float], name: str, study: Study
) -> Picture:
    """ends: of the axis."""
    places, label = found.first_to_go(), names.label(finding, study)
    rows = [
        shares.row(words.sentence(names.seat(place.seat)), (shares.point(place.share, OUT),))
        for place in places
    ]
    mixed = "" if study.seats[finding.cell.id].mirror else "; different policies"
    figure = dots.draw(rows, ends[1], "of all games", least=ends[0], mark=1 / len(places))
    alt = shares.in_words(f"First to go out, {label}", rows)
    return picture(label, f"{words.count(finding.games)} games{mixed}", figure, name, alt)


# ---------------------------------------------------------------- tables


def places(study: Study) -> Table | None:
    """One row a cell and seat, one column a place."""
    ranked = _ranked(study.findings, study)
    found = [(finding, ranks) for finding, ranks in ranked if ranks.places and ranks.seats > 2]
    if not found:
        return None
    most = max(ranks.seats for _, ranks in found)
    rows = (
        _place_row(seat, ranks, most, names.label(finding, study))
        for finding, ranks in found
        for seat in range(ranks.seats)
    )
    headers = ("Seat", "Games", "Wins", *(f"Place {place}" for place in range(2, most + 1)))
    caption = (
        "Share of all games in which a seat came to a place: place 1 wins, the last place of as many as play "
        f"goes out first. {words.level(study.level)} intervals; each holds on its own."
    )
    if any(ranks.undecided for _, ranks in found):
        caption += " Games that end with places open make each share a range."
    return Table("Places by seat", caption, headers, tuple(rows))


def _place_row(seat: int, found: Elimination, most: int, label: str) -> tuple[Entry, ...]:
    mine = [entries.proportion(place.share, place.games) for place in found.places if place.seat == seat]
    return (
        Entry(f"The {names.seat(seat)}", label),
        entries.count(found.games),
        *mine,
        *[NONE] * (most - len(mine)),
    )


def out(study: Study) -> Table:
    """One row a cell: when somebody first goes out."""
    rows = tuple(
        (names.row_name(f, study), *spreads.row(found.first_out, study), entries.share(found.nobody_out))
        for f, found in _ranked(study.findings, study)
        if found.seats > 2 and found.first_out and found.nobody_out
    )
    caption = (
        f"{words.sentence(names.time(study))} in which somebody first goes out, over the games in which one "
        f"does. {spreads.note(study)}"
    )
    return Table(WHEN_TITLE, caption, (names.NAME, *spreads.NUMBERS, "Nobody goes out"), rows)


def lead(study: Study) -> Table:
    """One row a cell: how often the lead changes hands."""
    rows = tuple(
        (names.row_name(f, study), *spreads.row(found.lead_changes, study), entries.share(found.no_change))
        for f, found in _ranked(study.findings, study)
        if found.lead_changes and found.no_change
    )
    caption = f"How often the lead passes to another player in a game. {spreads.note(study)}"
    return Table(LEAD_TITLE, caption, (names.NAME, *spreads.NUMBERS, "Never changes"), rows)
