"""Text about the differences from the published game, which precedes the first number of every result.

`simcore.scenario.changes` provides the data.
"""

from collections.abc import Iterable, Mapping, Sequence
from textwrap import shorten
from typing import Any

from bartizan.reports.text import words
from bartizan.simcore.scenario.parameters import called

# {path, what, from, to, confidence}; also unit if the game has its own phrase for the value
Change = Mapping[str, Any]

MOST, WIDEST = 3, 60  # changes that are named individually; letters of a value
CHOICES = ("difficulty", "scenario", "policy")  # arguments of `compare --change` that are not paths

# ---------------------------------------------------------------- one change


def named(row: Mapping[str, Any]) -> str:
    """Return the name of the changed value. JSON of an early version has only its path."""
    return row["path"] if row["path"] in CHOICES else row.get("what") or called(row["path"])


def said(row: Change) -> str:
    """Return a change as text: `Assault counter, Defence 5 -> 3`, `Ballista card added`."""
    if is_record(row["from"], row["to"]) and None in (row["from"], row["to"]):
        return f"{named(row)} {'added' if row['from'] is None else 'left out'}"
    if unit := row.get("unit"):
        return (
            instead(row)
            if row["from"] is None
            else f"{unit.format(value(row['from']))} -> {unit.format(value(row['to']))}"
        )
    return f"{named(row)}{_colon(row)} {_side(row, 'from')} -> {_side(row, 'to')}"


def instead(row: Change) -> str:
    """Return a change for use in a sentence: `Assault counter, Defence 3 instead of 5`.

    The text of a change of scenario also lists the changes that the scenario contains.
    """
    if unit := row.get("unit"):
        return (
            f"{unit.format(value(row['to']))} instead of "
            f"{unit.format(value(row['from'])) if row['from'] is not None else 'none'}"
        )
    inside = f" ({listing(row['changes'])})" if row.get("changes") else ""
    return f"{named(row)}{_colon(row)} {_side(row, 'to')}{inside} instead of {_side(row, 'from')}"


def _side(row: Change, side: str) -> str:
    """Return the old or the new value as text. side: "from" or "to".

    A policy is written as in a command.
    """
    return str(row[side]) if row["path"] == "policy" else value(row[side])


def _colon(row: Change) -> str:
    """Return ":" to separate the name from values of which at least one is not a number; otherwise "".

    Returns "" for CHOICES, too.
    """
    if row["path"] in CHOICES:
        return ""
    return (
        ""
        if all(
            it is None or (isinstance(it, (int, float)) and not isinstance(it, bool))
            for it in (row["from"], row["to"])
        )
        else ":"
    )


def is_record(*values: Any) -> bool:
    return any(isinstance(it, Mapping) for it in values)


def value(it: Any) -> str:
    """Return a value as text, such as `4`, `on` or `not playable`. Long text is shortened.

    A list of a card's effects becomes text such as `discard 2; draw 1`.
    """
    return shorten(_value(it), WIDEST, placeholder=" ...")


def _value(it: Any) -> str:
    if isinstance(it, list):
        return ("; " if is_record(*it) else ", ").join(map(_value, it)) or "none"
    if isinstance(it, Mapping):
        if all(isinstance(part, int) for part in it.values()):
            return ", ".join(f"{words.plain(str(key))} {_value(part)}" for key, part in it.items()) or "none"
        # saved JSON has sorted keys
        return " ".join(map(_value, sorted(it.values(), key=lambda part: not isinstance(part, str))))
    return "none" if it is None else ("off", "on")[it] if isinstance(it, bool) else words.plain(str(it))


# ---------------------------------------------------------------- several


def listing(changes: Sequence[Change], most: int | None = MOST) -> str:
    """Return changes as text, such as `Assault counter, Defence 5 -> 3 and 5 more changes`.

    most: number of changes that are listed (None: all).
    """
    told = "; ".join(map(said, changes[:most]))
    rest = len(changes) - len(changes[:most])
    return f"{told} and {words.many(rest, 'more change')}" if rest else told


def title(name: str, changes: Sequence[Change], *parts: str) -> str:
    """Return the opening of a heading or sentence: name, parts and changes.

    For example: `Castle Itter (published), garrison, elite, changed: Assault counter, Defence 5 -> 3`.
    """
    changed = [f"changed: {listing(changes)}"] if changes else []
    return ", ".join([name, *filter(None, parts), *changed])


def titled(document: Mapping[str, Any], *parts: str) -> str:
    """Return the title of a document with its changes. JSON of early versions contains no changes."""
    return title(document["title"], document.get("changes", ()), *parts)


def lines(changes: Sequence[Change]) -> list[str]:
    """Return one line per change if the title lists only some of them; otherwise []."""
    return [f"changed  {said(row)}" for row in changes] if len(changes) > MOST else []


def with_these(changes: Sequence[Change]) -> str:
    """Return the opening of an answer: `With Assault counter, Defence 3 instead of 5`; "" without changes."""
    if not changes:
        return ""
    told = [
        instead(row) if row["from"] is not None and row["to"] is not None else said(row)
        for row in changes[:MOST]
    ]
    rest = len(changes) - len(told)
    more = f" and {words.many(rest, 'more change')}" if rest else ""
    return f"With {'; '.join(told)}{more}"


def varied(
    cells: Iterable[Sequence[Change]], common: Sequence[Change], order: Iterable[str] = ()
) -> list[str]:
    """Return the changes that only some cells have, such as `Turn, Defender actions: 4 and 6 instead of 5`.

    common: changes that all cells have. order: paths in the order of the command.
    """
    found: dict[str, list[Change]] = {path: [] for path in order}
    for changes in cells:
        for row in changes:
            rows = found.setdefault(row["path"], [])
            if row not in common and row not in rows:
                rows.append(row)
    return [_of_one(rows) for rows in found.values() if rows]


def _of_one(rows: Sequence[Change]) -> str:
    if rows[0]["from"] is None or len(rows) == 1:
        return "; ".join(map(said, rows))
    return (
        f"{named(rows[0])}: {words.listing([value(row['to']) for row in rows])} instead of "
        f"{value(rows[0]['from'])}"
    )
