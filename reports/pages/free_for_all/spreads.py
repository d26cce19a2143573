"""Numbers that spread over the games (who goes out when, lengths): bars, and entries of a table."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from bartizan.analyses.records.outcomes import Spread
from bartizan.reports import entries
from bartizan.reports.blocks import Entry
from bartizan.reports.entries import NONE
from bartizan.reports.figures import bars
from bartizan.reports.pages.free_for_all import names
from bartizan.reports.pages.parts.cells import ONE_ROTATION
from bartizan.reports.pages.parts.pictures import Picture, Section, left_out, limited, one_group, picture
from bartizan.reports.study import Study
from bartizan.reports.text import words

NUMBERS = ("Games", "Mean", "5 %", "Median", "95 %")


@dataclass(frozen=True)
class Look:
    """A section of bars: a picture for each cell, all with the same axes."""

    title: str
    caption: str
    unit: str
    colour: str
    name: str  # of the pictures

    def section(self, study: Study, found: Mapping[str, Spread | None], most: int) -> Section:
        """found: by cells. `most`: pictures."""
        spreads = {cell: spread for cell, spread in found.items() if spread and spread.values}
        if not spreads:
            return Section(self.title, "", ())
        lows, highs = zip(
            *((spread.values[0], spread.values[-1]) for spread in spreads.values()), strict=True
        )
        span = min(lows), max(highs)
        width = bars.width_for(span)
        pictures = self._pictures(study, spreads, span, width, most)
        each = f" Each bar holds {width} numbers." if width > 1 else ""
        caption = (
            f"{self.caption}{each}{ONE_ROTATION if study.skills else ''} In brackets the "
            f"{words.level(study.level)} interval of the median (order statistics)."
        )
        return Section(self.title, caption, one_group(pictures), left_out=left_out(spreads, most))

    def _pictures(
        self, study: Study, spreads: dict[str, Spread], span: tuple[int, int], width: int, most: int
    ) -> list[Picture]:
        """span: least and greatest number; width: of a bar."""
        heights = {cell: bars.shares(spread.values, spread.counts, width) for cell, spread in spreads.items()}
        highest = max(max(shares.values()) for shares in heights.values())
        labels = {finding.cell.id: names.label(finding, study) for finding in study.findings}
        pictures = []
        for index, (cell, spread) in enumerate(limited(spreads.items(), most)):
            note, label = _note(spread, study), f"{labels[cell]}: median {_middle(spread)}"
            figure = bars.draw(heights[cell], span, highest, width, self.unit, self.colour, "of these games")
            alt = f"{self.title}, {label}: {note}"
            pictures.append(picture(label, note, figure, f"{self.name}-{index}", alt))
        return pictures


def _note(spread: Spread, study: Study) -> str:
    return f"{words.count(spread.games)} games; mean {words.mean(spread.mean, study.level)[0]}"


def _middle(spread: Spread) -> str:
    return words.whole(spread.quantiles[50])


def note(study: Study) -> str:
    """Of a table of spreads."""
    return f"{words.level(study.level)} intervals: Student t for means, order statistics for quantiles."


def row(spread: Spread, study: Study) -> Iterator[Entry]:
    yield entries.count(spread.games)
    yield entries.mean(spread.mean, study.level)
    yield from map(entries.quantile, spread.quantiles.values()) if spread.quantiles else [NONE] * 3
