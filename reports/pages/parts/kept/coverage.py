"""What a report says of `bartizan coverage`: what never came up, and what hardly did."""

from collections.abc import Iterator, Mapping

from bartizan.analyses.statistics.intervals import Interval
from bartizan.reports import entries
from bartizan.reports.blocks import Entry, Table
from bartizan.reports.entries import NONE
from bartizan.reports.figures import dots
from bartizan.reports.pages.parts.kept.told import CLEAR, KeptFinding, level_of
from bartizan.reports.pages.parts.pictures import Picture, picture
from bartizan.reports.text import coverage as text
from bartizan.reports.text import differences, words

RAREST, NAMED, MOST_ROWS = 15, 12, 80  # in the picture; of one sort, by name; rows of the table


def told(d: Mapping, name: str) -> KeptFinding:
    return KeptFinding(
        f"{words.sentence(text.never_told(d))} with {d['players']}{level_of(d)}",
        _caption(d),
        lambda: tuple(_pictures(d, name)),
        tuple(_lines(d)),
        (_table(d),) if d["never"] else (),
        "What comes up",
        f"{d['method']}.",
    )


def _caption(d: Mapping) -> str:
    return (
        f"Drawn: what came up in the smallest share of {words.count(d['games'])} games (seed {d['seed']}), "
        f"with 95\u00a0% intervals. What never came up is {differences.below(d['games'])}. {d['rests_on']}."
    )


def _pictures(d: Mapping, name: str) -> Iterator[Picture]:
    found = [row for group in d["met"] for row in group["found"]] + list(d["changed"])
    rare = sorted((row for row in found if text.came_up(row)), key=lambda row: row["share"]["estimate"])
    rows = [_row(row) for row in rare[:RAREST] if row["share"]["estimate"] < 1]
    if rows:
        title = f"The {len(rows)} rarest that came up" if len(rows) > 1 else "The rarest that came up"
        most = min(max(row.points[0].interval.high for row in rows) * 1.15, 1.0)
        told = "; ".join(f"{row.label} {row.value}" for row in rows)
        alt = f"{words.sentence(text.never_told(d))}. {title}, shares of the games: {told}"
        yield picture(title, "", dots.draw(rows, most, "of the games"), name, alt)


def _row(row: Mapping) -> dots.Row:
    it = Interval(**row["share"])
    return dots.Row(text.name_of(row), text.share_of(it), (dots.Point(it, CLEAR),))


def _lines(d: Mapping) -> Iterator[str]:
    """What never came up, sort by sort."""
    for sort in dict.fromkeys(row["sort"] for row in d["never"]):
        names = [row["name"] for row in d["never"] if row["sort"] == sort]
        rest = len(names) - NAMED
        more = f" and {words.count(rest)} more" if rest > 0 else ""
        yield f"Never came up, {sort}: {'; '.join(names[:NAMED])}{more}."
    if not d["never"]:
        yield "Everything came up."


def _table(d: Mapping) -> Table:
    caption = (
        f"In none of so many games. Could have: games in which it was legal, or changed what is. Each is "
        f"{differences.below(d['games'])} if looked at in all of them."
    )
    if (rest := len(d["never"]) - MOST_ROWS) > 0:
        caption += f" The first {MOST_ROWS}; {words.count(rest)} more are in the data."
    rows = tuple(
        (
            Entry(row["name"], row.get("path", "")),
            Entry(row["sort"]),
            entries.count(row.get("games", d["games"])),
            entries.count(row["legal"]) if row.get("legal") is not None else NONE,
        )
        for row in d["never"][:MOST_ROWS]
    )
    return Table(
        f"What never came up with {d['players']}{level_of(d)}",
        caption,
        ("What", "Sort", "Games", "Could have"),
        rows,
    )
