"""Blocks: the content of an answer.

All renderers (terminal, page, paper, Markdown) show the same blocks, so that each table and sentence is
written once.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import accumulate, groupby
from typing import TYPE_CHECKING, Any, Literal

from bartizan.reports.figures.bars import Histogram
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
Method = tuple[str, str]  # (purpose, method with its reference)
Place = Literal["", "terminal", "page"]  # medium that shows a block; "" for all
USUAL = "Wilson"  # usual method for a share of games
NUMBER = re.compile(r"[+−]?\d|below |above |none$|–?$")  # beginning of a numeric cell


@dataclass(frozen=True)
class Entry:
    """A cell of a table.

    limits: the interval of an estimate, shown in brackets on a terminal. method: the interval's method, not
    shown on a terminal.
    """

    text: str
    limits: str = ""
    method: str = ""

    @property
    def note(self) -> str:
        """Small text beside the cell on a page: limits and method."""
        return "; ".join(filter(None, (self.limits, self.method)))

    def __str__(self) -> str:
        return f"{self.text} ({self.note})" if self.note else self.text


@dataclass(frozen=True)
class Table:
    """A table of a result.

    caption: the estimated quantity and its method, not shown on a terminal. more: note on omitted rows.
    heading: text above the rows on a terminal, in place of the title.
    """

    title: str
    caption: str
    headers: tuple[str, ...]  # the first column names the row
    rows: tuple[tuple[Entry, ...], ...]
    more: str = ""
    heading: str = ""
    place: Place = ""

    def __post_init__(self) -> None:
        if any(len(row) != len(self.headers) for row in self.rows):
            raise ValueError(f"table {self.title!r}: a row does not have {len(self.headers)} cells")

    @cached_property
    def to_right(self) -> tuple[bool, ...]:
        """For each column, whether it is aligned right because it contains only numbers and empty cells."""
        columns = zip(*self.rows, strict=True) if self.rows else ([],) * len(self.headers)
        return tuple(all(NUMBER.match(entry.text) for entry in column) for column in columns)

    @property
    def reaching(self) -> Iterator[list[tuple[int, str, int]]]:
        """Cells of each row as (column, text, row span).

        Adjacent cells of a column with the same text are merged, except in the last column.
        """
        columns = list(zip(*([entry.text for entry in row] for row in self.rows), strict=True))
        reach = [[len(list(same)) for _, same in groupby(column)] for column in columns[:-1]]
        starts = [dict(zip(accumulate([0, *sizes]), sizes, strict=False)) for sizes in reach]
        for number, row in enumerate(self.rows):
            upper = [(at, row[at].text, of[number]) for at, of in enumerate(starts) if number in of]
            yield [*upper, (len(starts), row[-1].text, 1)]

    @property
    def page_caption(self) -> str:
        """Caption for a page, with the usual method (USUAL) if a row uses it.

        The rows on a page do not repeat the usual method.
        """
        is_used = any(entry.method == USUAL for row in self.rows for entry in row)
        return f"{self.caption} {USUAL} unless noted.".lstrip() if is_used else self.caption

    @cached_property
    def folded(self) -> tuple[tuple[Entry, ...], ...]:
        """Rows for a page, without the usual method.

        Rows that differ only in the text of the first cell are merged.
        """
        names: dict[tuple[str, tuple[Entry, ...]], list[Entry]] = {}
        for row in self.rows:
            name, *others = (replace(each, method="") if each.method == USUAL else each for each in row)
            names.setdefault((name.note, tuple(others)), []).append(name)
        return tuple(
            (replace(first, text="; ".join([first.text, *(name.text for name in more)])), *others)
            for (_, others), (first, *more) in names.items()
        )


@dataclass(frozen=True)
class Figure:
    """A chart. Its text, table and JSON are derived from the plotted numbers.

    legend: colours and names of the section. is_for_terminal: whether a terminal also shows the chart, drawn
    in characters.
    """

    title: str
    picture: Picture
    note: str = ""
    legend: Legend = ()
    is_for_terminal: bool = False

    @property
    def names(self) -> dict[str, str]:
        """Maps each colour of the chart to its name in the legend, or to all names of that colour."""
        names: dict[str, list[str]] = {}
        for colour, name in dict.fromkeys(self.legend):
            names.setdefault(colour, []).append(name)
        return {colour: " or ".join(own) for colour, own in names.items()}

    @property
    def alt(self) -> str:
        """Alternative text: the title, the numbers and the axes."""
        text = ". ".join(filter(None, (self.title, self.picture.summary(self.names))))
        unsaid = [name for name in dict.fromkeys(self.picture.axes) if name and name not in text]
        return f"{text} (axes: {', '.join(unsaid)})" if unsaid else text

    @property
    def table(self) -> Table:
        """All numbers of the chart, one row per mark, without empty columns.

        Many bars of a histogram are combined into ranges of values, whose width is in the heading.
        """
        picture, heading = self.picture, ""
        if isinstance(picture, Histogram) and (ranges := picture.in_ranges) is not picture:
            label = ranges.axis_label
            heading = f"{label[:1].upper()}{label[1:]}, in ranges of {ranges.shown(ranges.width)}"
            picture = ranges
        data = picture.data(self.names)
        columns = [(heading, [one.row for one in data])]
        if any(one.series for one in data):
            columns.append(("Series", [one.series for one in data]))
        columns.append((self.picture.axes[-1], [one.shown for one in data]))
        rows = zip(*(map(Entry, cells) for _, cells in columns), strict=True)
        return Table(self.title, self.note, tuple(name for name, _ in columns), tuple(rows))

    @property
    def document(self) -> dict[str, Any]:
        """The chart as JSON data."""
        numbers = [one.document() for one in self.picture.data(self.names)]
        return {"title": self.title, "note": self.note, "axes": list(self.picture.axes), "numbers": numbers}

    def svg(self, titled: bool = True) -> str:
        """Return SVG markup for a page. Its labels are text, and it needs no script.

        titled: give each mark a tooltip with its number; False if a table beside the chart shows the numbers.
        """
        from bartizan.reports.figures import svg

        return svg.svg(self.picture, self.alt, self.names, titled)

    def drawn(self) -> matplotlib.figure.Figure:
        """Return the chart as a matplotlib figure, to write it to a file."""
        from bartizan.reports.figures import paper

        return paper.drawn(self.picture)

    @cached_property
    def on_paper(self) -> str:
        """The chart as an <svg> drawn by matplotlib."""
        from bartizan.reports.figures import files

        return files.inline(self.drawn(), "figure", self.alt)


@dataclass(frozen=True)
class FigureGroup:
    """Figures in one grid. columns: number of figures per row; 0 for as many as fit."""

    title: str
    figures: tuple[Figure, ...]
    columns: int = 0


# ---------------------------------------------------------------- the main chart


def share_mark(name: str, share: Interval, games: int, shape: Shape = "own", about: str = "") -> ChartMark:
    """Return the chart mark of a share of games. about: the player whose share it is."""
    from bartizan.reports.text import words  # imports numpy, which --help must not load

    limits = "" if words.is_bounds(share) or share.estimate in (0, 1) else words.share_limits(share)
    how = f"{words.how(share)}, {words.many(games, 'game')}"
    return ChartMark(name, share, words.share(share), "; ".join(filter(None, (how, about))), shape, limits)


@dataclass(frozen=True)
class Lines:
    """Findings of one or two sentences each. on_page: the wording on a page (default: `lines`)."""

    lines: tuple[str, ...]
    on_page: tuple[str, ...] | None = None

    @property
    def page_lines(self) -> tuple[str, ...]:
        return self.lines if self.on_page is None else self.on_page


@dataclass(frozen=True)
class Hint:
    """A suggested next question, for a reader at a terminal."""

    line: str


@dataclass(frozen=True)
class Text:
    """A paragraph. is_note: whether the text is in small type."""

    text: str
    is_note: bool = False


@dataclass(frozen=True)
class Paragraph:
    """A heading, a sentence with the answer, and details."""

    heading: str
    answer: str
    details: tuple[str, ...]

    @property
    def text(self) -> str:
        return " ".join((self.answer, *self.details))


def paragraph(heading: str, sentences: Iterable[str]) -> Paragraph:
    answer, *details = sentences
    return Paragraph(heading, answer, tuple(details))


@dataclass(frozen=True)
class Answers:
    """Paragraphs shown side by side, each with its heading."""

    paragraphs: tuple[Paragraph, ...]


@dataclass(frozen=True)
class Claims:
    """Judged claims of a plan. sentence: a summary. rows: the result of `text.claims.rows`."""

    sentence: str
    rows: tuple[Mapping[str, Any], ...]


@dataclass(frozen=True)
class Definition:
    """A name and its meaning. note: text in small type beside the name."""

    name: str
    meaning: str
    note: str = ""


@dataclass(frozen=True)
class Definitions:
    rows: tuple[Definition, ...]


@dataclass(frozen=True)
class CommandLine:
    """A command line that the reader can copy, as a block of its own."""

    typed: str


@dataclass(frozen=True)
class View:
    """Blocks in reading order: an answer, a section of a report, or a part of a section.

    sentence: the answer on a terminal, with n and interval. title: the main finding, shown on a page.
    caption: the simulated games, shown on a page. label: a short title for the table of contents. details:
    texts that distinguish views with the same label, most useful first. by_people: whether it is based on
    human play records. left_out: number of rows or figures that are only in the tables. is_folded: a screen
    shows only the title until the reader opens it. is_appendix: set in small type on paper. anchor: name of
    the view in links (default: its number).
    """

    sentence: str = ""
    blocks: tuple[Block, ...] = ()
    method: Method = ("", "")
    title: str = ""
    caption: str = ""
    legend: Legend = ()
    by_people: bool = False
    left_out: int = 0
    label: str = ""
    details: tuple[str, ...] = ()
    is_folded: bool = False
    is_appendix: bool = False
    anchor: str = ""

    @property
    def contents_label(self) -> str:
        return self.label or self.title

    @property
    def tables(self) -> tuple[Table, ...]:
        """The tables that a page shows for this view."""
        return tuple(block for block in self.blocks if isinstance(block, Table) and block.place != "terminal")

    @property
    def figures(self) -> tuple[Figure, ...]:
        """All figures, grouped and ungrouped."""
        return tuple(figure for group in self.groups for figure in group.figures)

    @property
    def groups(self) -> tuple[FigureGroup, ...]:
        """Figures in grids. Figures without a group form the first grid."""
        alone = tuple(block for block in self.blocks if isinstance(block, Figure))
        groups = (block for block in self.blocks if isinstance(block, FigureGroup) and block.figures)
        return (*([FigureGroup("", alone)] if alone else []), *groups)

    @property
    def findings(self) -> tuple[str, ...]:
        """Findings below the charts of a page."""
        texts = [block for block in self.blocks if isinstance(block, Lines)]
        return tuple(line for text in texts for line in text.page_lines)

    @property
    def is_beside(self) -> bool:
        """Whether a page shows the only figure beside the findings."""
        return len(self.figures) == 1 and bool(self.findings)

    @property
    def section(self) -> View:
        """The answer as a section of a report.

        The section contains the figures, or the main chart if there are none, and then the findings. The
        report places the tables of all sections together.
        """
        charts = (block for block in self.blocks if isinstance(block, Chart))
        pictures = self.groups or tuple(charts)[:1]
        blocks = (*pictures, *([Lines(self.findings)] if self.findings else []))
        return replace(self, sentence="", blocks=blocks, label=self.label or self.method[0])


# A terminal shows tables, charts, lines and hints, and figures that are marked for terminals.
Block = (
    Table
    | Figure
    | FigureGroup
    | Chart
    | Lines
    | Hint
    | Text
    | Answers
    | Claims
    | Definitions
    | CommandLine
    | View
)


# ---------------------------------------------------------------- a page

VALIDITY_HEADING = "How far can these numbers be trusted?"


@dataclass(frozen=True, kw_only=True)
class Page:
    """A report: the texts around its parts, and the parts in the order that all formats share.

    question: text that continues the title. caveat: caveat of a reconstruction, on every sheet of paper.
    reminders: text that is repeated in each part that may be read separately. changed: differences from the
    published game that the title does not name. whose: sentence on the kind of players. incomplete: cells
    with fewer games than planned. picks: levels and players that a reader can select. signed: the program
    that simulated the games.
    """

    title: str
    question: str = ""
    headline: str
    caveat: str = ""
    reminders: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()
    whose: str
    incomplete: tuple[str, ...] = ()
    picks: tuple[tuple[str, tuple[str, ...]], ...] = ()
    parts: tuple[View, ...]
    signed: str

    @property
    def chart(self) -> Chart:
        """The chart with the main result, on the first page."""
        return next(block for block in self.parts[0].blocks if isinstance(block, Chart))

    @cached_property
    def every_part(self) -> tuple[View, ...]:
        """All parts, followed by a glossary of the terms that they contain, if any."""
        terms = glossary.used_in(self)
        if not terms:
            return self.parts
        words = Definitions(tuple(Definition(term.term, term.meaning) for term in terms))
        known = View(
            title=glossary.HEADING, blocks=(words,), is_folded=True, is_appendix=True, anchor="words"
        )
        return (*self.parts, known)

    def part(self, title: str) -> View:
        """Return the part with this title. Raises StopIteration if there is none."""
        return next(part for part in self.parts if part.title == title)
