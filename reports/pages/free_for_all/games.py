"""Course of the games of a free-for-all: endings, first elimination, changes of the lead."""

from collections.abc import Iterator, Sequence

from bartizan.analyses.records.outcomes import Elimination, Ending
from bartizan.reports import entries
from bartizan.reports.blocks import Entry, Figure, Method, Paragraph, Table, View, paragraph
from bartizan.reports.entries import NONE
from bartizan.reports.figures import dots
from bartizan.reports.pages.free_for_all import seats
from bartizan.reports.pages.free_for_all.seats import main_finding
from bartizan.reports.pages.parts import certainty, names, outcomes, spreads
from bartizan.reports.pages.parts.lengths import Lengths
from bartizan.reports.pages.parts.measure import Document, PageMeasure, Shares, fields_of, with_share
from bartizan.reports.study import Finding, Study
from bartizan.reports.text import seat_worth, words


class Ends(Shares):
    """Shares of the endings of games, and shares of draws if some games have no winner."""

    title = "How games end"
    holds = "simultaneous in each row (Goodman unless noted)."

    def parts(self, finding: Finding, study: Study) -> Sequence[Ending]:
        """Return the endings of a cell; () if every game of the page ends for the same reason."""
        reasons = {ending.name for endings in study.endings.values() for ending in endings}
        return study.endings[finding.cell.id] if len(reasons) > 1 else ()

    def header(self, name: str, study: Study) -> str:
        return words.title(name)

    def said(self, study: Study) -> Iterator[Paragraph]:
        first = main_finding(study)
        if endings := self.parts(first, study):
            parts = [f"{words.share_with_limits(ending.share)} {_called(ending)}" for ending in endings]
            where = names.plain_label(first, study)
            said = f"Of {words.many(first.games, 'game')} ({where}) {words.listing(parts)}."
            yield paragraph("How do games end?", [said])

    def sections(self, study: Study) -> Iterator[View]:
        if not any(finding.outcomes.draw.games for finding in study.findings):
            return
        caption = (
            "Shares of all games, for each line-up in its given seats. A dark line at a colour change is the "
            f"{words.CONFIDENCE} interval of the cumulative share. {self._endings(study)}"
        )
        yield View(
            title=Ends.title,
            caption=caption,
            blocks=(outcomes.outcome_figure("", study.findings[: outcomes.MOST], study),),
            legend=outcomes.outcome_legend(study),
            left_out=max(len(study.findings) - outcomes.MOST, 0),
        )

    def _endings(self, study: Study) -> str:
        reasons = {ending.name for endings in study.endings.values() for ending in endings}
        if len(reasons) == 1:
            return f"All games end by “{reasons.pop()}”."
        return "The table has all endings with their frequencies."

    def methods(self, study: Study) -> list[Method]:
        return [(self.title, certainty.GOODMAN)] if self.shown(study) else []

    def of_cell(self, finding: Finding, study: Study) -> Document:
        endings = study.endings[finding.cell.id]
        return {"endings": [fields_of(ending, "name", "games", "drawn", "share") for ending in endings]}


def _called(ending: Ending) -> str:
    """Return the predicate of an ending, such as `end by “turn limit”, a draw`."""
    some = f" ({words.count(ending.drawn)} of them drawn)" if ending.drawn else ""
    return f"end by “{ending.name}”{', a draw' if ending.is_draw else some}"


class QuotedLengths(Lengths):
    """Lengths of games, with a sentence about the cell that the page quotes."""

    def quoted(self, study: Study) -> Finding:
        return main_finding(study)


# ---------------------------------------------------------------- who goes out first

OUT, LEAD = "#c8553d", "#029e73"


def _ranked(study: Study, fewest: int = 2) -> list[tuple[Finding, Elimination]]:
    """Return the cells that record eliminations and have at least `fewest` seats."""
    found = ((each, study.eliminations.get(each.cell.id)) for each in study.findings)
    return [(finding, ranks) for finding, ranks in found if ranks and ranks.seats >= fewest]


class FirstOut(PageMeasure):
    """Time and seat of the first elimination.

    The measure is omitted for two players, because the first player to go out is simply the loser.
    """

    title = "Who goes out first"
    when = "First elimination"

    def said(self, study: Study) -> Iterator[Paragraph]:
        for finding, ranks in _ranked(study, 3):
            if ranks.first_out and ranks.first_out.games:
                time, middle = names.time(study), words.whole(ranks.first_out.quantiles[50])
                said = (
                    f"In half of the games, a player is out by {time} {middle} "
                    f"({names.plain_label(finding, study)}), over "
                    f"{words.many(ranks.first_out.games, 'game')} in which a player goes out."
                )
                yield paragraph(f"{self.title}, and when?", [said])
                return

    def sections(self, study: Study) -> Iterator[View]:
        time = names.time(study)
        drawn = [(finding, ranks) for finding, ranks in _ranked(study, 3) if finding in study.seated_once]
        spread = {finding.cell.id: ranks.first_out for finding, ranks in drawn}
        caption = f"The {time} in which the first player goes out, as a share of the games in which one does."
        yield _first_section(drawn, study)
        yield spreads.section(self.when, caption, time, OUT, spread, study)

    def tables(self, study: Study) -> Iterator[Table]:
        yield _places(study)
        rows = tuple(
            (names.row_name(f, study), *spreads.row(ranks.first_out), entries.share(ranks.nobody_out))
            for f, ranks in _ranked(study, 3)
            if ranks.first_out and ranks.nobody_out
        )
        caption = (
            f"{words.sentence(names.time(study))} in which the first player goes out, over the games in "
            f"which one does. {spreads.NOTE}"
        )
        yield Table(self.when, caption, (names.header(study), *spreads.NUMBERS, "Nobody goes out"), rows)

    def of_cell(self, finding: Finding, study: Study) -> Document:
        ranks = study.eliminations.get(finding.cell.id)
        return {"elimination": _document(ranks)} if ranks else {}


def _document(ranks: Elimination) -> Document:
    return {
        **fields_of(ranks, "games", "undecided", "nobody_out"),
        "places": [{**with_share(each, "seat", "role"), "place": each.rank} for each in ranks.places],
        "first_out": spreads.document(ranks.first_out),
        "lead_changes": spreads.document(ranks.lead_changes),
        "no_lead_change": fields_of(ranks, "no_change")["no_change"],
    }


def _first_section(ranked: list[tuple[Finding, Elimination]], study: Study) -> View:
    shown = [(finding, ranks) for finding, ranks in ranked if ranks.places]
    # prefer mirror games, in which players do not confound seats
    shown = [(finding, ranks) for finding, ranks in shown if study.seats[finding.cell.id].mirror] or shown
    if not shown:
        return View(title=FirstOut.title)
    places = [ranks.first_to_go() for _, ranks in shown]
    ends = seats.share_axis(
        (place.share for row in places for place in row), (1 / len(row) for row in places)
    )
    caption = (
        f"Share of games in which each seat is the first to go out, with its {words.CONFIDENCE} interval; "
        "the dashed line "
        "is an equal share."
    )
    figures = tuple(_first_figure(finding, ranks, ends, study) for finding, ranks in shown)
    return View(title=FirstOut.title, caption=caption, blocks=figures)


def _first_figure(finding: Finding, ranks: Elimination, ends: tuple[float, float], study: Study) -> Figure:
    """Return the figure with the share of games in which each seat goes out first. ends: ends of the axis."""
    places, label = ranks.first_to_go(), names.label(finding, study)
    rows = [
        dots.share_row(words.sentence(seat_worth.seat(place.seat)), (dots.mark(place.share, OUT),))
        for place in places
    ]
    mixed = "" if study.seats[finding.cell.id].mirror else "; different policies"
    note = f"{words.many(finding.games, 'game')}{mixed}"
    return seats.share_figure(label, rows, "of all games", ends, 1 / len(places), note)


def _places(study: Study) -> Table:
    """Return the table of places: one row per cell and seat, one column per place."""
    ranked = [(finding, ranks) for finding, ranks in _ranked(study, 3) if ranks.places]
    most = max((ranks.seats for _, ranks in ranked), default=0)
    rows = []
    for finding, ranks in ranked:
        for seat in range(ranks.seats):
            shares = [
                entries.proportion(each.share, each.games) for each in ranks.places if each.seat == seat
            ]
            place = Entry(f"The {seat_worth.seat(seat)}", names.label(finding, study))
            rows.append((place, entries.count(ranks.games), *shares, *[NONE] * (most - len(shares))))
    headers = ("Seat", "Games", "Wins", *(f"Place {place}" for place in range(2, most + 1)))
    caption = (
        "Share of all games in which a seat finished in each place: place 1 wins, the last place goes out "
        f"first. {words.CONFIDENCE} intervals; not simultaneous."
    )
    if any(ranks.undecided for _, ranks in ranked):
        caption += " Games that end with open places make each share a range."
    return Table("Places by seat", caption, headers, tuple(rows))


# ---------------------------------------------------------------- changes of the lead


class LeadChanges(PageMeasure):
    """Number of changes of the lead per game."""

    title = "Changes of the lead"

    def said(self, study: Study) -> Iterator[Paragraph]:
        finding = main_finding(study)
        ranks = study.eliminations.get(finding.cell.id)
        if ranks and ranks.lead_changes and ranks.lead_changes.games:
            mean, limits = words.mean(ranks.lead_changes.mean)
            said = (
                f"The lead changes {mean} times per game ({limits}) with "
                f"{names.plain_label(finding, study)}, over {words.many(ranks.lead_changes.games, 'game')}."
            )
            yield paragraph("How often does the lead change?", [said])

    def sections(self, study: Study) -> Iterator[View]:
        drawn = [(finding, ranks) for finding, ranks in _ranked(study) if finding in study.seated_once]
        changes = {finding.cell.id: ranks.lead_changes for finding, ranks in drawn}
        caption = "Number of times the lead passes to another player in a game, as a share of all games."
        yield spreads.section(self.title, caption, "changes of the lead", LEAD, changes, study)

    def tables(self, study: Study) -> Iterator[Table]:
        rows = tuple(
            (names.row_name(f, study), *spreads.row(ranks.lead_changes), entries.share(ranks.no_change))
            for f, ranks in _ranked(study)
            if ranks.lead_changes and ranks.no_change
        )
        caption = f"Number of times the lead passes to another player in a game. {spreads.NOTE}"
        yield Table(self.title, caption, (names.header(study), *spreads.NUMBERS, "Never changes"), rows)
