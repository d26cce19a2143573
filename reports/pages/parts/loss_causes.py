"""How games are lost: what ended the lost games, commonest first."""

from collections.abc import Callable, Sequence

from bartizan.analyses.records.outcomes import Losses
from bartizan.analyses.statistics.intervals import Interval, goodman
from bartizan.reports import entries
from bartizan.reports.blocks import Entry, Table
from bartizan.reports.entries import NONE
from bartizan.reports.figures import dots
from bartizan.reports.pages.parts import names
from bartizan.reports.study import Finding, Study
from bartizan.reports.text import words

MOST_CAUSES, NAMED = 8, 4  # in a figure, in a row of the table
FEWEST_LOSSES = 30  # a cell with fewer lost games says too little about their causes
HEADERS = ("Games lost", "Commonest cause", "Second", "Third", "Fourth", "All others")
CAPTION = f"Shares of the lost games; the {words.CONFIDENCE} intervals of a row hold together (Goodman)."

# ---------------------------------------------------------------- figures


def eligible(findings: Sequence[Finding]) -> list[Finding]:
    return [finding for finding in findings if finding.losses.causes and finding.losses.lost >= FEWEST_LOSSES]


def causes(findings: Sequence[Finding]) -> list[str]:
    """The commonest causes over these cells, each cell counting the same."""
    weights: dict[str, float] = {}
    for finding in eligible(findings):
        for cause in finding.losses.causes:
            weights[cause.cause] = weights.get(cause.cause, 0.0) + cause.share.estimate
    return sorted(weights, key=lambda name: -weights[name])[:MOST_CAUSES]


def rows(findings: Sequence[Finding], point: Callable[[Finding, Interval], dots.Point]) -> list[dots.Row]:
    """A row a cause, with a point for each cell; what a single cell says stands beside it as a text."""
    drawn = eligible(findings)
    shares = {cause: [_share_of(cause, finding) for finding in drawn] for cause in causes(drawn)}
    return [
        dots.Row(
            cause,
            words.share_with_limits(row[0]) if len(findings) == 1 else "",
            tuple(point(finding, share) for finding, share in zip(drawn, row, strict=True)),
        )
        for cause, row in shares.items()
    ]


def axis_end(rows: Sequence[dots.Row]) -> float:
    return min(max(point.interval.high for row in rows for point in row.points) * 1.05, 1.0)


def _share_of(cause: str, finding: Finding) -> Interval:
    """Share of the lost games with this cause; one that never occurred here still has an upper bound."""
    for known in finding.losses.causes:
        if known.cause == cause:
            return known.share
    return goodman([0, *(known.games for known in finding.losses.causes)])[0]


def in_words(where: str, findings: Sequence[Finding]) -> str:
    """where: a level, or a side."""
    cells = (
        f"{finding.who}: "
        + ", ".join(
            f"{cause.cause} {cause.share.estimate * 100:.0f} %" for cause in finding.losses.causes[:3]
        )
        for finding in eligible(findings)
    )
    return f"What ended the lost games at {where}: {'; '.join(cells)}"


# ---------------------------------------------------------------- table


def table(study: Study, title: str, caption: str = "") -> Table:
    """One row a cell. caption: before what is said of the numbers."""
    losing = [finding for finding in study.findings if finding.losses.causes]
    rows = tuple((names.row_name(finding, study), *_entries(finding.losses)) for finding in losing)
    return Table(title, f"{caption} {CAPTION}".lstrip(), (names.header(study), *HEADERS), rows)


def _entries(losses: Losses) -> tuple[Entry, ...]:
    """The commonest causes of a cell's lost games, and how many have another."""
    top = [
        Entry(cause.cause, f"{words.share_with_limits(cause.share)}, {words.count(cause.games)} games")
        for cause in losses.causes[:NAMED]
    ]
    rest = sum(cause.games for cause in losses.causes[NAMED:])
    return (entries.count(losses.lost), *top, *[NONE] * (NAMED - len(top)), entries.count(rest))
