"""What a kept answer says in a report, before it is put into the parts of a page."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from bartizan.reports.blocks import Table, View
from bartizan.reports.pages.parts.pictures import Legend, Picture, pictures_of

CLEAR, UNCLEAR = "#0173b2", "#949494"
ONLY = ("", "standard")  # what a game without levels calls its one


@dataclass(frozen=True)
class KeptFinding:
    """title: the takeaway, with its n and its interval; caption: what is shown and what was played; lines:
    findings below the pictures; job: what the method is for; by_people: are people in it, not only policies?
    """

    title: str
    caption: str
    pictures: Callable[[], tuple[Picture, ...]]  # drawn when a page asks: drawing is slow
    lines: tuple[str, ...]
    tables: tuple[Table, ...]
    job: str
    method: str
    legend: Legend = ()
    by_people: bool = False


def level_of(d: Mapping) -> str:
    """` at veteran`; "" where the game has one level only."""
    return f" at {level}" if (level := d.get("difficulty", "")) not in ONLY else ""


def players(d: Mapping) -> str:
    """Who played, each once."""
    return " against ".join(dict.fromkeys(d["policies"]))


def of_view(view: View, name: str) -> KeptFinding:
    """The blocks of an answer, as a section shows them. name: makes the ids of its pictures unique."""
    return KeptFinding(
        view.title,
        view.caption,
        lambda: tuple(pictures_of(view, name)),
        view.findings,
        view.tables,
        *view.method,
        view.legend,
        view.by_people,
    )
