"""What a report says of `bartizan playtest skill`: people beside policies."""

from collections.abc import Iterator, Mapping

from bartizan.analyses.statistics.intervals import Interval
from bartizan.reports import entries
from bartizan.reports.blocks import Entry, Table
from bartizan.reports.figures import dots
from bartizan.reports.pages.parts.kept.told import KeptFinding
from bartizan.reports.pages.parts.pictures import Legend, Picture, picture
from bartizan.reports.text import people_skill as text
from bartizan.reports.text import plays, words

KIND, HEADING = "playtest-skill", "People beside policies"
SEEN, PREDICTED, POLICY = "#c8553d", "#0173b2", "#5b636b"
LEGEND = (
    (SEEN, "people: share of their plays won, 95 %"),
    (PREDICTED, "people: predicted from all their plays, 90 %"),
    (POLICY, "the policy, a computer player"),
)
CONTEST_METHOD = "shares of plays with Wilson's interval; means with Student's t"


def told(d: Mapping, name: str) -> KeptFinding:
    return KeptFinding(
        title(d),
        _caption(d),
        lambda: (_picture(d, name),),
        tuple(text.report_lines(d)),
        tuple(table for table in _tables(d) if table.rows),
        HEADING,
        f"{d.get('method') or CONTEST_METHOD}.",
        _legend(d),
        by_people=True,
    )


def title(d: Mapping) -> str:
    if "seats" in d:
        return f"{HEADING}: {words.count(d['plays'])} plays, seat by seat"
    return f"Your testers play {text.like(d)} ({text.how_sure(d)})"


def _caption(d: Mapping) -> str:
    files = words.listing([f"{name} ({words.count(n)})" for name, n in d["sources"].items()])
    policy = d.get("policy") or " vs ".join(dict.fromkeys(d["policies"]))
    return " ".join(
        [
            *[plays.NOBODY] * bool(d.get("made_up")),
            f"Plays by people, from {files}, beside games of {policy}, a computer player: "
            f"{words.count(d['games'])} a cell, seed {d['seed']}.",
            d.get("why", ""),
        ]
    ).rstrip()


# ---------------------------------------------------------------- the picture


def _picture(d: Mapping, name: str) -> Picture:
    by_seat = "seats" in d
    rows = list(_seat_rows(d) if by_seat else _level_rows(d))
    title = f"Share of games won, by {'seat' if by_seat else 'level'}"
    alt = f"{title}: " + "; ".join(f"{row.label}, {row.value}" for row in rows)
    return picture(title, "", dots.draw(rows, axis_label="games won"), name, alt)


def _legend(d: Mapping) -> Legend:
    return tuple(entry for entry in LEGEND if entry[0] != PREDICTED or "levels" in d)


def _level_rows(d: Mapping) -> Iterator[dots.Row]:
    for row in d["levels"]:
        seen = [dots.Point(Interval(**row["seen"]), SEEN)] if row["seen"] else []
        these = dots.Point(Interval(**row["these"]), PREDICTED)
        points = (_policy_point(row["policy"], d["policy"]), these, *seen)
        yield dots.Row(f"{row['level']}: {_seen(row)}", f"predicted {_share(row['these'])}", points)


def _seat_rows(d: Mapping) -> Iterator[dots.Row]:
    for row in d["seats"]:
        seen = [dots.Point(Interval(**row["share"]), SEEN)] if row["share"] else []
        points = (_policy_point(row["policies"], ""), *seen)
        yield dots.Row(f"{row['seat']}: {_seen(row)}", f"policies {words.percent(row['policies'])}", points)


def _policy_point(share: float, of: str) -> dots.Point:
    return dots.Point(Interval(share, share, share, 0.95, of), POLICY)


def _seen(row: Mapping) -> str:
    return f"{row['wins']} of {row['plays']} plays won" if row["plays"] else "no play"


def _share(place: Mapping) -> str:
    middle, low, high = (words.number(place[key] * 100) for key in ("estimate", "low", "high"))
    return f"{middle}{words.NBSP}% ({low}–{high})"


# ---------------------------------------------------------------- tables


def _tables(d: Mapping) -> tuple[Table, ...]:
    return (_seats(d), _numbers(d)) if "seats" in d else (_levels(d), _checks(d))


def _levels(d: Mapping) -> Table:
    sure = words.level(d["noise"]["level"])
    caption = (
        f"Predicted from all plays, with {sure} posterior intervals. A newcomer: 9 of 10 such people are "
        "stronger. An expert: 9 of 10 are weaker. The policy is a computer player."
    )
    headers = ("Level", "Seen", "These people", "A new tester", "A newcomer", "An expert", d["policy"])
    return Table(HEADING, caption, headers, tuple(_level(row) for row in d["levels"]))


def _level(row: Mapping) -> tuple[Entry, ...]:
    predicted = (_predicted(row[key]) for key in ("these", "new_tester", "newcomer", "expert"))
    return (Entry(row["level"]), _wins(row, row["seen"]), *predicted, Entry(words.percent(row["policy"])))


def _predicted(place: Mapping) -> Entry:
    text_of, *limits = (words.number(place[key] * 100) for key in ("estimate", "low", "high"))
    return Entry(f"{text_of}{words.NBSP}%", f"{limits[0]}–{limits[1]}{words.NBSP}%")


def _wins(row: Mapping, share: Mapping | None) -> Entry:
    if not row["plays"]:
        return Entry("no play")
    said = f"{row['wins']} of {row['plays']}"
    return Entry(said, words.share_with_limits(Interval(**share))) if share else Entry(said)


def _checks(d: Mapping) -> Table:
    caption = (
        "What people's plays show beside groups of policies of the same skill; p over all lines (Holm). A "
        "line that differs is worth a talk with the testers."
    )
    headers = ("What", "Plays", "People", "Policies: expected", "p", "Differs")
    return Table("What no such policy does", caption, headers, tuple(_check(row) for row in d["checks"]))


def _check(row: Mapping) -> tuple[Entry, ...]:
    expected, low, high = (words.number(row["expected"][key], 1) for key in ("estimate", "low", "high"))
    name = f"lost: {row['name']}" if row["kind"] == "lost" else text.SAID[row["kind"]]
    return (
        Entry(name),
        entries.count(row["plays"]),
        Entry(words.number(row["seen"], 1 if row["kind"] in ("score", "turns") else 0)),
        Entry(expected, f"{low} to {high}"),
        entries.p_values(row["p"], row["p_adjusted"]),
        Entry("yes" if row["differs"] else "no"),
    )


def _seats(d: Mapping) -> Table:
    caption = "Plays of people against people say nothing of how strong they all are."
    rows = (_seat(row) for row in d["seats"])
    return Table(HEADING, caption, ("Seat", "People won", "Policies won"), tuple(rows))


def _seat(row: Mapping) -> tuple[Entry, ...]:
    return Entry(row["seat"]), _wins(row, row["share"]), Entry(words.percent(row["policies"]))


def _numbers(d: Mapping) -> Table:
    rows = ((text.SAID.get(row["name"], row["name"]), row["people"], row["policies"]) for row in d["numbers"])
    said = (tuple(map(Entry, (name, words.mean_of(one), words.mean_of(other)))) for name, one, other in rows)
    caption = "Means with their intervals (Student's t)."
    return Table("People and policies, in numbers", caption, ("What", "People", "Policies"), tuple(said))
