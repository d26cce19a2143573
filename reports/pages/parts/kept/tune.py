"""What a report says of `bartizan tune`: the value that hits a target, and every value that was played."""

from collections.abc import Iterator, Mapping

from bartizan.analyses.statistics.intervals import Interval
from bartizan.reports import entries
from bartizan.reports.blocks import Entry, Table
from bartizan.reports.entries import NONE
from bartizan.reports.figures import dots
from bartizan.reports.pages.parts.kept.told import CLEAR, UNCLEAR, KeptFinding, level_of, players
from bartizan.reports.pages.parts.pictures import Picture, picture
from bartizan.reports.text import sentences, tuning, tuning_many, tuning_screen, words
from bartizan.reports.text import tuning_parts as parts

MOST, ROOM = 24, 0.08  # rows of the picture; room of the axis beyond the longest interval


def told(d: Mapping, name: str) -> KeptFinding:
    return KeptFinding(
        _title(d),
        _caption(d),
        lambda: tuple(_pictures(d, name)),
        tuple(_lines(d)),
        (_table(d),),
        "The search for a value",
        f"{d['method']}.",
    )


def _best(d: Mapping) -> Mapping:
    return d["winner"] if "winner" in d else d["best"]


def _title(d: Mapping) -> str:
    """The finding, with the number of fresh games that checked it."""
    finding = tuning if "winner" in d else tuning_many if "front" in d else tuning_screen
    fresh = _best(d)["fresh"]
    share = parts.with_limits(Interval(**fresh["estimate"]), parts.is_share(d))
    said = words.sentence(finding.finding(d))
    return f"{said}: {share} in {words.count(fresh['games'])} fresh games{_by(d)}"


def _by(d: Mapping) -> str:
    return f" by {players(d)}{level_of(d) if d['levels'] > 1 else ''}"


def _caption(d: Mapping) -> str:
    return (
        f"What each change that was played brings: {d['subject'].rstrip(',')}, with its 95\u00a0% interval. "
        f"The dashed lines: what is wanted ({parts.target_text(d)}). Search on seed {d['seed']}; what was "
        f"chosen was played again on fresh seeds from {d['fresh_seed']} on."
    )


def _rows(d: Mapping) -> list[tuple[str, str, Mapping]]:
    """What was changed, whether it is the present or the chosen one, and its numbers; of what was played
    again those on fresh seeds.
    """
    if "winner" in d:
        return [(sentences.value(row["value"]), _mark(row, d), row) for row in d["points"]]
    again = d["front"] if "front" in d else d["ranked"]
    others = [] if any(not row["changes"] for row in again) else [d["present"]]
    return [(parts.changes_text(row, d), _verdict(row), row.get("fresh", row)) for row in [*again, *others]]


def _mark(row: Mapping, d: Mapping) -> str:
    present = ["present"] if row["present"] else []
    return ", ".join([*present, *(["chosen"] if row["value"] == _best(d)["value"] else [])])


def _verdict(row: Mapping) -> str:
    present = "" if row["changes"] else "present"
    return ", ".join(filter(None, [present, *(key for key in ("hits", "open") if row.get(key))]))


def _pictures(d: Mapping, name: str) -> Iterator[Picture]:
    rows, share = [_dot(*row, d) for row in _rows(d)[:MOST]], parts.is_share(d)
    if not rows:
        return
    ends = [value for row in rows for it in (row.points[0].interval,) for value in (it.low, it.high)]
    target = tuple(dict.fromkeys((d["target"]["low"], d["target"]["high"])))
    low, high = min(*ends, *target), max(*ends, *target)
    room = (high - low) * ROOM or 1.0
    least, most = (max(low - room, 0.0), min(high + room, 1.0)) if share else (low - room, high + room)
    subject = d["subject"].rstrip(",")
    unit = "shares of the games" if share else "mean of a game"
    figure = dots.draw(rows, most, unit, percent=share, least=least, mark=target)
    title = words.sentence(f"{subject} by what is changed")
    alt = f"{_title(d)}. {title}, {unit}; wanted {parts.target_text(d)}: "
    yield picture(title, "", figure, name, alt + "; ".join(f"{row.label} {row.value}" for row in rows))


def _dot(label: str, mark: str, row: Mapping, d: Mapping) -> dots.Row:
    it = Interval(**row["estimate"])
    colour = CLEAR if "chosen" in mark or "hits" in mark else UNCLEAR
    said = f"{label} ({mark})" if mark else label
    return dots.Row(said, parts.with_limits(it, parts.is_share(d)), (dots.Point(it, colour),))


def _lines(d: Mapping) -> Iterator[str]:
    yield d["sentence"]
    if more := parts.would_tell(d):
        yield f"{more}."
    if (rest := len(_rows(d)) - MOST) > 0:
        yield f"{words.count(rest)} more are in the table only."


def _table(d: Mapping) -> Table:
    what = d["knob"]["what"] if "winner" in d else "Changes"
    headers = (words.sentence(what), "", "Games", words.sentence(d["subject"].rstrip(",")), "Turns")
    caption = f"Wanted: {parts.target_text(d).removeprefix('to ')}. {words.sentence(d['cost_unit'])}."
    fit = ("Monotone fit",) if "winner" in d else ()
    cost = () if "winner" in d else ("Cost",)
    rows = tuple(_entries(label, mark, row, d) for label, mark, row in _rows(d))
    if not fit:
        again = [*(d["front"] if "front" in d else d["ranked"]), d["present"]]
        rows = tuple((*row, Entry(f"{one['cost']:g}")) for row, one in zip(rows, again, strict=False))
    return Table(f"What was tried{_by(d)}", caption, (*headers, *fit, *cost), rows)


def _entries(label: str, mark: str, row: Mapping, d: Mapping) -> tuple[Entry, ...]:
    it, turns = Interval(**row["estimate"]), Interval(**row["turns"])
    share = parts.is_share(d)
    fit = (Entry(parts.amount(row["fit"], it, share)) if row.get("fit") is not None else NONE,)
    return (
        Entry(label),
        Entry(mark),
        entries.count(row["games"]),
        entries.share(it) if share else Entry(parts.with_limits(it, share), it.method),
        Entry(words.number(turns.estimate, 2), words.span(turns.low, turns.high, 2)),
        *(fit if "winner" in d else ()),
    )
