"""A page of a free-for-all: what a seat is worth, who plays better, how games end, what the settings change,
who goes out, how long it takes. Each has a file.
"""

from collections.abc import Iterator

from bartizan.reports import entries
from bartizan.reports.blocks import Entry, Method, Paragraph, Table, View, paragraph
from bartizan.reports.entries import NONE
from bartizan.reports.pages.free_for_all import effects, games, seats, skill
from bartizan.reports.pages.parts import certainty, names, outcomes, record
from bartizan.reports.study import Finding, Study
from bartizan.reports.text import words
from bartizan.reports.text.cell_names import set_text

FAIR = (
    "The equal share, 1 in as many as play, is known: the difference from it has the same interval, moved by "
    "it. With three seats or more every seat is judged "
    "by intervals that hold for all of them together (Goodman 1965; Bonferroni for rotations)."
)
SKILL = (
    "the line-up sits in all its rotations, each game number with the same luck; a game number gives one "
    "value, the mean over its rotations, and Student's t interval is that of "
    "these values. Where fewer than 100 of them differ from the commonest: exact tails (Blaker 2000)."
)
EFFECTS = (
    "the same game numbers on common luck, paired (paired t; Law & Kelton, Simulation Modeling and "
    "Analysis); where fewer than 100 games differ exact tails "
    "(Blaker 2000). Interval and p come from the same method."
)
ADJUSTED = (
    "p-values adjusted for all effects of the table (Benjamini and Hochberg 1995); an effect is called one "
    "when this is below 0.05."
)


def methods(study: Study) -> list[Method]:
    """Every method that the page uses."""
    used = [("Win share of a seat", f"{certainty.share_method(study)} {FAIR}"), *certainty.truncated(study)]
    if study.skills:
        used.append(("Who plays better", SKILL))
    if any(len(endings) > 1 for endings in study.endings.values()):
        used.append(("How games end", certainty.GOODMAN))
    if study.effects:
        used += [("What a setting changes", EFFECTS), ("Several effects", ADJUSTED)]
    return [*used, *certainty.MEANS, *certainty.first_times(study), certainty.SEVERAL]


chart = seats.chart


def verdict(study: Study) -> list[Paragraph]:
    """The answer first, in sentences."""
    parts = [
        seats.answer(study),
        skill.answer(study),
        games.ends_answer(study),
        effects.answer(study),
        games.out_answer(study),
        games.lead_answer(study),
        paragraph("How long?", games.length_sentences(study)),
    ]
    return [*filter(None, parts), paragraph(certainty.HOW_SURE, _how_sure(study))]


def _how_sure(study: Study) -> Iterator[str]:
    shares = [share.share for seating in seats.seatings(study) for share in seating.seats]
    if not shares:
        yield "No game was won by anybody."
    others = "other players, and people, may bring other results"
    yield from certainty.how_sure(study, "win share of the games", shares, others, "shares")


def sections(study: Study) -> list[View]:
    """What the first picture shows by itself is not drawn again."""
    return [
        *([seats.section(study)] if len(seats.seatings(study)) > 1 else []),
        *([skill.section(study)] if len(study.skills) > 1 else []),
        games.ends_section(study),
        *effects.sections(study),
        *games.out_sections(study),
        games.length_section(study),
        *outcomes.curve_sections(study),
        outcomes.forms_section(study),
        record.counts_section(study),
        record.first_times_section(study),
        record.scores_section(study),
    ]


def tables(study: Study) -> list[Table]:
    shown = [
        seats.table(study),
        skill.table(study),
        skill.duels(study),
        games.ends_table(study),
        effects.table(study),
        record.lengths_table(study),
        games.places(study),
        games.out(study),
        games.lead(study),
        _cells(study),
        *outcomes.forms_tables(study),
        *record.counts_tables(study),
        *record.first_times_tables(study),
        record.scores_table(study),
        record.seat_scores_table(study),
    ]
    return [table for table in shown if table]


def _cells(study: Study) -> Table:
    """One row a cell as it was seated: wins of each seat, counted."""
    most = max(len(finding.wins.seats) for finding in study.findings)
    won = (f"Won by the {names.seat(seat)}" for seat in range(most))
    headers = ("Changed setting", "Games", *won, "Won by nobody", "Truncated")
    caption = (
        f"Every cell as it was seated: shares of all games with {words.CONFIDENCE} intervals; each "
        "holds on its own."
    )

    def row(finding: Finding) -> Iterator[Entry]:
        yield Entry(set_text(finding.cell) or "–")
        yield entries.count(finding.games)
        for seat in finding.wins.seats:
            share = entries.proportion(seat.win, seat.wins)
            yield Entry(share.text, f"{seat.policy}; {share.note}")
        yield from [NONE] * (most - len(finding.wins.seats))
        yield entries.count(study.seats[finding.cell.id].drawn)
        yield entries.count(finding.outcomes.capped)

    return names.table(study, "Cell by cell", caption, headers, row)
