"""What a few values do over each other, where `bartizan sensitivity --effects` has looked into it: a picture
and a table.
"""

from collections.abc import Mapping

from bartizan.analyses.statistics.intervals import Interval
from bartizan.reports.blocks import Entry, Table
from bartizan.reports.figures import dots
from bartizan.reports.pages.parts import difference_dots
from bartizan.reports.pages.parts.pictures import Section, one_group, picture
from bartizan.reports.text import changes, words
from bartizan.reports.text.differences import PP
from bartizan.reports.text.interactions import NAMED, TITLE, clear_pairs, percent, share

ALONE, TOTAL = "#0173b2", "#de8f05"
LEGEND = ((ALONE, "by itself"), (TOTAL, "with all others"))
HEADERS = (
    "Value",
    "From",
    "To",
    "Moves it on average by",
    "Nine settings in ten",
    "Share by itself",
    "Share with all others",
)


def section(d: Mapping) -> Section | None:
    """Two dots a value: by itself, and with all others."""
    if not d or not d.get("varies"):
        return None
    rows = [_row(knob) for knob in d["knobs"]]
    figure = dots.draw(rows, 1.0, "share of the variance")
    title = "By itself, and with all others"
    shown = picture(title, "", figure, "effects", difference_dots.in_words(TITLE, rows))
    caption = f"{d['sentence']} An interval that reaches 0 is one that noise explains."
    lines = tuple(_only_together(pair, d) for pair in clear_pairs(d["pairs"])[:NAMED])
    return Section(TITLE, caption, one_group([shown]), LEGEND, lines=lines)


def _only_together(pair: Mapping, d: Mapping) -> str:
    what = {knob["path"]: changes.named(knob) for knob in d["knobs"]}
    return f"{words.listing([what[path] for path in pair['paths']])} do {share(pair['share'])} only together."


def _row(knob: Mapping) -> dots.Row:
    indices = [
        Interval(**{key: value for key, value in knob[kind].items() if key != "is_noise"})
        for kind in ("alone", "total")
    ]
    points = tuple(dots.Point(index, colour) for index, colour in zip(indices, (ALONE, TOTAL), strict=True))
    return dots.Row(changes.named(knob), " / ".join(map(percent, indices)), points)


def table(d: Mapping) -> Table | None:
    if not d or "variance" not in d:
        return None
    rows = tuple(_table_row(knob, change) for knob in d["knobs"] for change in knob["changes"])
    return Table(TITLE, d["sentence"], HEADERS, rows)


def _table_row(knob: Mapping, change: Mapping) -> tuple[Entry, ...]:
    text, limits = words.change(Interval(**change["difference"]), 100, least=1)
    low, high = (words.signed(value * 100, 1) for value in change["nine_in_ten"])
    shares = [Entry(share(knob[kind]) if knob[kind] else "–") for kind in ("alone", "total")]
    values = [Entry(changes.value(change[end])) for end in ("from", "to")]
    return (
        Entry(changes.named(knob), knob["path"]),
        *values,
        Entry(f"{text} {PP}", limits),
        Entry(f"{low} to {high}"),
        *shares,
    )
