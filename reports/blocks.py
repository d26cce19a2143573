"""What an answer says, in blocks.

The terminal, a page, paper and Markdown are renderers of the same blocks (`reports.render`, `reports.pages`):
a table has one set of names, a sentence is written once.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal

from bartizan.reports.figures.rows import SIGNS as SIGNS
from bartizan.reports.figures.rows import Band as Band
from bartizan.reports.figures.rows import Chart as Chart
from bartizan.reports.figures.rows import ChartMark as ChartMark
from bartizan.reports.figures.rows import Picture as Picture
from bartizan.reports.figures.rows import Shape as Shape
from bartizan.reports.figures.rows import Track as Track
from bartizan.reports.text import glossary

if TYPE_CHECKING:
    import matplotlib.figure

    from bartizan.analyses.statistics.intervals import Interval

Legend = tuple[tuple[str, str], ...]  # (colour, name)
Method = tuple[str, str]  # what it is for, the method with its reference
Place = Literal["", "terminal", "page"]  # where a block is shown; "" everywhere
USUAL = "Wilson"  # of a share of games
NUMBER = re.compile(r"[+−]?\d|below |above |none$|–?$")  # what a cell of a column of numbers begins with


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

    @property
    def to_right(self) -> tuple[bool, ...]:
        """Which columns hold numbers, or nothing."""
        columns = zip(*self.rows, strict=True) if self.rows else ([],) * len(self.headers)
        return tuple(all(NUMBER.match(entry.text) for entry in column) for column in columns)

    @property
    def page_caption(self) -> str:
        """With the usual method, which the rows of a page do not say again."""
        is_used = any(entry.method == USUAL for row in self.rows for entry in row)
        return f"{self.caption} {USUAL} unless named.".lstrip() if is_used else self.caption

    @property
    def folded(self) -> tuple[tuple[Entry, ...], ...]:
        """Its rows on a page, those that say the same of others in one."""
        names: dict[tuple, list[Entry]] = {}
        for row in self.rows:
            name, *others = (replace(each, method="") if each.method == USUAL else each for each in row)
            names.setdefault((name.note, *others), []).append(name)
        return tuple(
            (replace(first, text="; ".join([first.text, *(name.text for name in more)])), *others)
            for (_, *others), (first, *more) in names.items()
        )


@dataclass(frozen=True)
class Figure:
    """A picture of data: its text, table and JSON follow from them. legend: the key of its section.

    words, draw: of the pages of sweeps, a text of their own and a function that makes the picture.
    """

    title: str
    words: str = ""
    draw: Callable[[], Picture] | None = None
    note: str = ""
    data: Picture | None = None
    legend: Legend = ()
    is_for_terminal: bool = False  # are its rows drawn in characters too?

    @property
    def picture(self) -> Picture:
        return self.data or self.draw()  # type: ignore[misc]

    @property
    def names(self) -> dict[str, str]:
        """Colour -> name."""
        return dict(self.legend)

    @property
    def alt(self) -> str:
        """For a reader who cannot see it: its title, which is the takeaway, its numbers and its axes."""
        said = self.words or self.picture.summary(self.names)
        text = said if not self.title or self.title in said else f"{self.title}. {said}"
        unsaid = [name for name in dict.fromkeys(self.picture.axes) if name and name not in text]
        return f"{text} (axes: {', '.join(unsaid)})" if unsaid else text

    @property
    def table(self) -> Table:
        """Every number, a row a mark; columns that say nothing are left out."""
        data = self.picture.data(self.names)
        columns = [("", [one.row for one in data])]
        if any(one.series for one in data):
            columns.append(("Of", [one.series for one in data]))
        columns.append((self.picture.axes[-1], [one.shown for one in data]))
        rows = zip(*(map(Entry, cells) for _, cells in columns), strict=True)
        return Table(self.title, self.note, tuple(name for name, _ in columns), tuple(rows))

    @property
    def document(self) -> dict[str, Any]:
        """As JSON has it."""
        numbers = [one.document() for one in self.picture.data(self.names)]
        return {"title": self.title, "note": self.note, "axes": list(self.picture.axes), "numbers": numbers}

    def svg(self, titled: bool = True) -> str:
        """For a page: text as text, readable without a script. titled: False beside its table."""
        from bartizan.reports.figures import svg

        return svg.svg(self.picture, self.alt, self.names, titled)

    def drawn(self) -> matplotlib.figure.Figure:
        """By matplotlib, for files."""
        from bartizan.reports.figures import paper

        return paper.drawn(self.picture)

    @cached_property
    def on_paper(self) -> str:
        """An <svg> that matplotlib drew."""
        from bartizan.reports.figures import files

        return files.inline(self.drawn(), "figure", self.alt)


@dataclass(frozen=True)
class FigureGroup:
    """Figures in one grid. columns: so many side by side; 0: as many as fit."""

    title: str
    figures: tuple[Figure, ...]
    columns: int = 0


# ---------------------------------------------------------------- the picture that answers


def share_mark(name: str, share: Interval, games: int, shape: Shape = "own", about: str = "") -> ChartMark:
    """A share of games. about: who that is."""
    from bartizan.reports.text import words  # numpy stands behind it, and --help imports this module

    limits = "" if words.is_bounds(share) or share.estimate in (0, 1) else words.share_limits(share)
    how = f"{words.how(share)}, {words.many(games, 'game')}"
    return ChartMark(name, share, words.share(share), "; ".join(filter(None, (how, about))), shape, limits)


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


Block = Table | Figure | Chart | Lines | Hint


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
            chart=None
            if self.figures
            else next((one for one in self.blocks if isinstance(one, Chart)), None),
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

    groups: figures under headings of their own, instead of `figures`; chart: a picture of rows, instead of
    figures; left_out: how many more there are, for
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
    chart: Chart | None = None

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

VALIDITY_HEADING = "How far can these numbers be trusted?"


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
    incomplete: Sequence[str] = ()
    chart: Chart  # the picture that answers
    picks: Sequence[tuple[str, Sequence[str]]] = ()  # what a reader may pick: levels, players
    front: Sequence[Paragraph]
    claims: Sequence[Mapping] = ()
    claimed: str = ""  # the claims in one sentence
    verdict: Sequence[Paragraph]  # the picture in words, and how sure it is
    sections: Sequence[Section]
    tables: Sequence[Table]
    measures: Sequence[Table] = ()  # means of everything recorded
    rules_source: str
    stopping_rule: str = ""
    players: Sequence[PlayerFact] = ()
    scenarios: Table | None = None
    assumptions: Sequence[Assumption]
    methods: Sequence[Method]
    validity: Sequence[str] = ()  # how far the numbers can be trusted: five facts
    command: str
    trace: str = ""  # the command that shows one of the games
    seed: int | None  # None: another program played the games
    versions: str
    behaviour: int
    signed: str

    @property
    def validity_heading(self) -> str:
        return VALIDITY_HEADING

    @property
    def again_heading(self) -> str:
        return "Import it again" if self.seed is None else "Play it again"

    @property
    def again(self) -> str:
        """What the command below it does."""
        if self.seed is None:
            return "The same command with the same file writes the same folder."
        return "The same command gives the same games, on any computer and with any number of processors."

    @property
    def stamp(self) -> str:
        return self.versions if self.seed is None else f"Seed {self.seed}; {self.versions}"

    @cached_property
    def glossary(self) -> list[glossary.Term]:
        return glossary.used_in(replace(self, command="", trace=""))
