"""Measures, which are the subjects of a page. Each measure declares its sentences, figures, tables and JSON.

A kind of page is a list of measures (`pages.sweep`).
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, is_dataclass
from typing import Any, Protocol

from bartizan.analyses.statistics.intervals import Interval
from bartizan.reports import entries
from bartizan.reports.blocks import Entry, Figure, Method, Paragraph, Table, View, paragraph
from bartizan.reports.figures import dots
from bartizan.reports.figures.curves import axis_end
from bartizan.reports.figures.theme import CLEAR
from bartizan.reports.pages.parts import names
from bartizan.reports.study import Finding, Study, leading
from bartizan.reports.text import words

Document = dict[str, Any]


class PageMeasure:
    """Base class of measures. A method that a measure does not override returns nothing."""

    def said(self, study: Study) -> Iterable[Paragraph]:
        """Return paragraphs with the answer, one per level or setting.

        No other text repeats these numbers.
        """
        return ()

    def sections(self, study: Study) -> Iterable[View]:
        """Return sections with figures. A view without blocks is not shown."""
        return ()

    def tables(self, study: Study) -> Iterable[Table]:
        """Return tables. A table without rows is not shown."""
        return ()

    def methods(self, study: Study) -> Iterable[Method]:
        return ()

    def of_cell(self, finding: Finding, study: Study) -> Document:
        """Return the fields of a cell in the report's JSON output."""
        return {}

    def of_study(self, study: Study) -> Document:
        """Return the top-level fields of the report's JSON output."""
        return {}


@dataclass(frozen=True)
class OnlyData(PageMeasure):
    """A measure that appears only in the JSON output of this kind of page."""

    measure: PageMeasure

    def of_cell(self, finding: Finding, study: Study) -> Document:
        return self.measure.of_cell(finding, study)

    def of_study(self, study: Study) -> Document:
        return self.measure.of_study(study)


# ---------------------------------------------------------------- shares of the games of each cell


class NamedShare(Protocol):
    @property
    def name(self) -> str: ...

    @property
    def games(self) -> int: ...

    @property
    def share(self) -> Interval: ...


class Shares(PageMeasure):
    """Base class of measures that divide the games of each cell into shares.

    Subclasses set `title`, `key` and `parts`. Sentence, figure, table and JSON are derived from these.
    """

    title = ""
    key = ""  # JSON key; empty if another measure writes the numbers
    about = "Shares of all games."
    holds = "not simultaneous."
    is_said = is_drawn = True

    def parts(self, finding: Finding, study: Study) -> Sequence[NamedShare]:
        """Return the shares of a cell; empty if the cell does not record them."""
        raise NotImplementedError

    def header(self, name: str, study: Study) -> str:
        return words.sentence(name)

    def columns(self, study: Study) -> list[str]:
        """Return the distinct names of the parts."""
        every = (part.name for finding in study.findings for part in self.parts(finding, study))
        return list(dict.fromkeys(every))

    def shown(self, study: Study) -> list[Finding]:
        return [finding for finding in study.findings if self.parts(finding, study)]

    def said(self, study: Study) -> Iterator[Paragraph]:
        if self.is_said and (shown := self.shown(study)):
            first = leading(shown)
            parts = (
                f"{part.name} {words.share_with_limits(part.share)}" for part in self.parts(first, study)
            )
            where = f" ({names.plain_label(first, study)})" if len(study.findings) > 1 else ""
            said = (
                f"{words.sentence(words.listing(list(parts)))} of {words.many(first.games, 'game')}{where}."
            )
            yield paragraph(self.title, [said])

    def sections(self, study: Study) -> Iterator[View]:
        if not (self.is_drawn and (shown := self.shown(study))):
            return
        shares = [part.share for finding in shown for part in self.parts(finding, study)]
        end = axis_end(shares)
        figures = tuple(self._figure(finding, study, end) for finding in shown)
        caption = f"{self.about} The line through a dot is the {words.CONFIDENCE} interval."
        yield View(title=self.title, caption=caption, blocks=figures)

    def _figure(self, finding: Finding, study: Study, end: float) -> Figure:
        label = names.label(finding, study)
        rows = [
            dots.share_row(words.sentence(part.name), (dots.mark(part.share, CLEAR),))
            for part in self.parts(finding, study)
        ]
        return Figure(label, dots.chart(rows, end, "of all games"))

    def tables(self, study: Study) -> Iterator[Table]:
        columns = self.columns(study)
        caption = f"{self.about} {words.CONFIDENCE} intervals: {self.holds}"
        headers = ("Games", *(self.header(name, study) for name in columns))

        def row(finding: Finding) -> Iterator[Entry]:
            shares = {
                part.name: entries.proportion(part.share, part.games) for part in self.parts(finding, study)
            }
            yield entries.count(finding.games)
            yield from (shares.get(name, Entry("0")) for name in columns)

        yield names.table(study, self.title, caption, headers, row, self.shown(study))

    def of_cell(self, finding: Finding, study: Study) -> Document:
        if not self.key:
            return {}
        return {self.key: [with_share(part, "name") for part in self.parts(finding, study)]}


# ---------------------------------------------------------------- as JSON


def fields_of(source: Any, *names: str) -> Document:
    """Return the named fields of an object, with dataclasses as dicts."""
    values = {name: getattr(source, name) for name in names}
    return {
        name: asdict(value) if is_dataclass(value) and not isinstance(value, type) else value
        for name, value in values.items()
    }


def with_share(source: Any, *names: str) -> Document:
    """Return the named fields, the number of games, and the fields of the share, in one dict."""
    return {**fields_of(source, *names, "games"), **asdict(source.share)}


def of_quantiles(quantiles: Any) -> dict[str, Document]:
    return {str(q): asdict(interval) for q, interval in quantiles.items()}
