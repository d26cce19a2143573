"""What an answer says, in blocks.

The terminal, a page, paper and Markdown are renderers of the same blocks (`reports.render`, `reports.pages`):
a table has one set of names, a sentence is written once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Literal

from bartizan.reports.text import glossary

if TYPE_CHECKING:
    import matplotlib.figure

Legend = tuple[tuple[str, str], ...]  # (colour, name)
Method = tuple[str, str]  # what it is for, the method with its reference
Place = Literal["", "terminal", "page"]  # where a block is shown; "" everywhere


@dataclass(frozen=True)
class Entry:
    """A cell of a table. limits: of an estimate, in brackets at a terminal; method: how they were made, for
    which only a page has room.
    """

    text: str
    limits: str = ""
    method: str = ""

    @property
    def note(self) -> str:
        """What a page sets smaller beside the text."""
        return "; ".join(filter(None, (self.limits, self.method)))

    def __str__(self) -> str:
        return f"{self.text} ({self.note})" if self.note else self.text


@dataclass(frozen=True)
class Table:
    """Rows that bear one set of names. caption: what is estimated, by which method; more: what is left out of
    the rows, and where it stands; heading: what a terminal, which has no room for a caption, says above it.
    """

    title: str
    caption: str
    headers: tuple[str, ...]  # the first column names the row
    rows: tuple[tuple[Entry, ...], ...]
    more: str = ""
    heading: str = ""
    place: Place = ""


@dataclass(frozen=True)
class Figure:
    """A picture, drawn when a page asks: drawing is slow. alt: it in words; svg: once drawn."""

    title: str
    alt: str
    draw: Callable[[], matplotlib.figure.Figure]
    note: str = ""
    svg: str = ""


@dataclass(frozen=True)
class FigureGroup:
    """Figures in one grid. columns: so many side by side; 0: as many as fit."""

    title: str
    figures: tuple[Figure, ...]
    columns: int = 0


@dataclass(frozen=True)
class Lines:
    """Findings, a sentence or two each. on_page: as a page says them, where it does so in other words."""

    lines: tuple[str, ...]
    on_page: tuple[str, ...] | None = None

    @property
    def page_lines(self) -> tuple[str, ...]:
        return self.lines if self.on_page is None else self.on_page


@dataclass(frozen=True)
class Hint:
    """What to ask next, for who sits at a terminal."""

    line: str


Block = Table | Figure | Lines | Hint


@dataclass(frozen=True)
class View:
    """An answer, its blocks in the order in which they are read.

    sentence: the answer, with its n and its interval; title, caption: of the section of a report that shows
    it, the takeaway and what was played; by_people: are people in it, not only policies? left_out: so many
    rows, or pictures, stand in the tables only.
    """

    sentence: str
    blocks: tuple[Block, ...]
    method: Method = ("", "")
    title: str = ""
    caption: str = ""
    legend: Legend = ()
    by_people: bool = False
    left_out: int = 0

    @property
    def tables(self) -> tuple[Table, ...]:
        """Those of a page."""
        return tuple(block for block in self.blocks if isinstance(block, Table) and block.place != "terminal")

    @property
    def figures(self) -> tuple[Figure, ...]:
        return tuple(block for block in self.blocks if isinstance(block, Figure))

    @property
    def section(self) -> Section:
        """The answer inside a report."""
        return Section(
            self.title,
            self.caption,
            self.figures,
            self.legend,
            self.left_out,
            self.findings,
            self.tables,
            method=self.method,
        )

    @property
    def findings(self) -> tuple[str, ...]:
        """What a page lists below its pictures."""
        texts = [block for block in self.blocks if isinstance(block, Lines)]
        return tuple(line for text in texts for line in text.page_lines)


# ---------------------------------------------------------------- parts of a page


@dataclass(frozen=True)
class Section:
    """Figures and findings that answer one question.

    groups: figures under headings of their own, instead of `figures`; left_out: how many more there are, for
    which no figure has room; tables: those that belong to the findings.
    """

    title: str
    caption: str
    figures: tuple[Figure, ...] = ()
    legend: Legend = ()
    left_out: int = 0
    lines: tuple[str, ...] = ()
    tables: tuple[Table, ...] = ()
    groups: tuple[FigureGroup, ...] = ()
    method: Method = ("", "")

    @property
    def grids(self) -> tuple[FigureGroup, ...]:
        return self.groups or ((FigureGroup("", self.figures),) if self.figures else ())


@dataclass(frozen=True)
class Paragraph:
    """A heading, the sentence that answers it, and what a careful reader wants beside it."""

    heading: str
    answer: str
    details: tuple[str, ...]

    @property
    def text(self) -> str:
        return " ".join((self.answer, *self.details))


def paragraph(heading: str, sentences: Iterable[str]) -> Paragraph:
    answer, *details = sentences
    return Paragraph(heading, answer, tuple(details))


# ---------------------------------------------------------------- a page


@dataclass(frozen=True)
class PlayerFact:
    name: str
    role: str
    about: str
    weights: str


@dataclass(frozen=True)
class Assumption:
    text: str
    cells: str = ""  # those that rest on it; "" when every cell does


@dataclass(frozen=True, kw_only=True)
class Page:
    """A report of a sweep, or of a comparison; what only one of them has is empty in the other."""

    title: str
    question: str = ""  # goes on from the title
    headline: str
    # of a reconstruction: what must be said, then how much, and how far it moves
    caveat: tuple[str, ...] = ()
    reminders: tuple[str, ...] = ()  # what must be said again where a part may be read by itself
    changed: Sequence[str]
    played: str
    whose: str
    who: Sequence[tuple[str, str]] = ()
    incomplete: Sequence[str] = ()
    front: Sequence[Paragraph]
    claims: Sequence[Mapping] = ()
    claimed: str = ""  # the claims in one sentence
    verdict: Sequence[Paragraph]  # what the front has not said in full
    sections: Sequence[Section]
    tables: Sequence[Table]
    open_tables: int = 2  # the others unfold: a phone should reach the assumptions without a mile of rows
    measures: Sequence[Table] = ()  # means of everything recorded
    rules_source: str
    stopping_rule: str = ""
    players: Sequence[PlayerFact] = ()
    scenarios: Table | None = None
    assumptions: Sequence[Assumption]
    methods: Sequence[Method]
    command: str
    trace: str = ""  # the command that shows one of the games
    seed: int
    versions: str
    behaviour: int
    signed: str

    @cached_property
    def glossary(self) -> list[glossary.Term]:
        return glossary.used_in(replace(self, command="", trace=""))
