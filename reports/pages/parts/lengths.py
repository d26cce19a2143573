"""Lengths of games, in turns and decisions."""

from collections.abc import Iterator, Sequence
from functools import partial

from bartizan.reports import entries
from bartizan.reports.blocks import Entry, Method, Paragraph, Table, View, paragraph
from bartizan.reports.entries import NONE
from bartizan.reports.figures import bars
from bartizan.reports.figures.theme import CLEAR
from bartizan.reports.pages.parts import certainty, names, spreads
from bartizan.reports.pages.parts.measure import Document, PageMeasure, of_quantiles
from bartizan.reports.study import Finding, Study, leading
from bartizan.reports.text import words

QUARTERS = 4  # number of turns in the tables of events by turn


class Lengths(PageMeasure):
    """Turns and decisions per game. A free-for-all also has a figure."""

    def quoted(self, study: Study) -> Finding:
        """Return the cell of a free-for-all whose length the page quotes."""
        return leading(study.findings)

    def said(self, study: Study) -> Iterator[Paragraph]:
        """Yield the paragraphs on length.

        If games differ only in length, there is one paragraph per level. Otherwise, a free-for-all has one
        paragraph, on the quoted cell. Other games have none.
        """
        if study.is_about_length:
            yield from (paragraph(level, _of_level(each, study)) for level, each in study.levels.items())
        elif study.is_alike and (quoted := self.quoted(study)).length.ended.values:
            yield paragraph("How long is a game?", [_half(quoted, study), *_truncated(quoted, study)])

    def sections(self, study: Study) -> Iterator[View]:
        if not study.is_alike:
            return
        time = f"{names.time(study)}s"
        caption = f"Number of {time} per game, as a share of all games."
        if any(finding.length.capped for finding in study.findings):
            caption += (
                " Games truncated at the limit on decisions have a separate bar: their final length is "
                "unknown, and means and medians exclude them."
            )
        lengths = {finding.cell.id: finding.length.ended for finding in study.seated_once}
        truncated = {finding.cell.id: finding.length.capped for finding in study.seated_once}
        yield spreads.section("Length", caption, time, CLEAR, lengths, study, truncated)

    def tables(self, study: Study) -> Iterator[Table]:
        time = words.sentence(f"{names.time(study)}s")
        some_cut = any(finding.length.capped for finding in study.findings)
        headers = (
            "Games that ended" if some_cut else "Games",
            *(f"{time}, mean", f"{time}, 5 %", f"{time}, median", f"{time}, 95 %"),
            *(f"{time}, shortest to longest", "Decisions, mean"),
            *["Truncated"] * some_cut,
        )
        caption = f"{time} and decisions per game. {entries.MEANS_AND_QUANTILES}"
        if some_cut:
            caption += (
                " Games truncated at the limit on decisions count only in the mean of decisions; the last "
                f"column has their number and their {time.lower()}."
            )
        yield names.table(study, "Length", caption, headers, partial(_row, some_cut))

    def methods(self, study: Study) -> list[Method]:
        return certainty.MEANS

    def of_cell(self, finding: Finding, study: Study) -> Document:
        return {"turn_quantile_intervals": of_quantiles(finding.length.quantiles)}


# ---------------------------------------------------------------- in words


def _of_level(findings: list[Finding], study: Study) -> Iterator[str]:
    """Yield sentences on the length of games for each player, for games that all end in the same way."""
    for finding in findings:
        length, time = finding.length.ended, names.time(study)
        mean, limits = words.mean(length.mean)
        low, middle, high = (words.number(length.quantiles[q].estimate) for q in (5, 50, 95))
        yield (
            f"{words.title(finding.who)}: a game takes {mean} {time}s on average ({limits}), median "
            f"{middle}; 90{words.NBSP}% of {words.count(length.games)} games take {low} to {high}."
        )
        yield from _truncated(finding, study)
    how = "is won" if findings[0].wins.first.win.estimate else "is lost"
    yield f"Every game {how}, so games differ only in length."


def _truncated(finding: Finding, study: Study) -> Iterator[str]:
    """Yield a note on truncated games, whose length is unknown, if there are any."""
    length = finding.length
    if not length.capped or not length.capped_at:
        return
    least, most = length.capped_at
    after = words.number(least) if least == most else words.span(least, most)
    yield (
        f"{words.were(length.capped, 'game')} truncated at the limit on decisions, after {after} "
        f"{names.time(study)}s. Means and medians of the length do not include "
        f"{'it' if length.capped == 1 else 'them'}."
    )


def _half(finding: Finding, study: Study) -> str:
    """Return a sentence with the median and the range of the middle 90 % of games."""
    time, length = names.time(study), finding.length.ended
    low, middle, high = (words.whole(length.quantiles[q]) for q in (5, 50, 95))
    where = f" ({names.plain_label(finding, study)})" if len(study.findings) > 1 else ""
    return (
        f"Half of the {words.many(length.games, 'game')} that ended are over by {time} {middle}, "
        f"90{words.NBSP}% between {time} {low} and {time} {high}{where}."
    )


# ---------------------------------------------------------------- in a table


def _row(some_cut: bool, finding: Finding) -> Iterator[Entry]:
    length, ended = finding.length, finding.length.ended
    yield entries.count(ended.games)
    if ended.values:
        yield entries.mean(ended.mean)
        yield from (entries.quantile(ended.quantiles[q]) for q in (5, 50, 95))
        yield Entry(f"{ended.values[0]} to {ended.values[-1]}")
    else:
        yield from [NONE] * 5
    yield entries.mean(length.plies)
    if some_cut:
        at = f"after {words.span(*length.capped_at)}" if length.capped_at else ""
        yield Entry(words.count(length.capped), at)


def last_turn(findings: Sequence[Finding]) -> int:
    """Return the end of an axis of turns that these cells share (see `bars.robust_span`).

    Truncated games do not count, unless no game ended.
    """
    ended = [(each.length.ended.values, each.length.ended.counts) for each in findings]
    spread = [pair for pair in ended if pair[0]]
    return bars.robust_span(spread)[1] if spread else max(each.length.values[-1] for each in findings)


def ends_early(findings: Sequence[Finding], study: Study) -> str:
    """Return a note on the games that continue beyond the axis; "" if there are none."""
    last = last_turn(findings)
    more = sum(
        n
        for each in findings
        for value, n in zip(each.length.values, each.length.counts, strict=True)
        if value > last
    )
    some = f"{words.count(more)} {'game goes' if more == 1 else 'games go'}"
    return f" The axis ends at {names.time(study)} {last}; {some} beyond it." if more else ""


def quarters(last: int) -> list[int]:
    """Return at most QUARTERS evenly spaced turns up to `last`: columns of the tables of events by turn."""
    return sorted({max(round(last * part / QUARTERS), 1) for part in range(1, QUARTERS + 1)})
