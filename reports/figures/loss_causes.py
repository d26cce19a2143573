"""What ended the lost games of one level: a dot for every policy on the line of each cause."""

from matplotlib.figure import Figure

from bartizan.analyses.statistics.intervals import Interval, goodman
from bartizan.reports.figures import dots
from bartizan.reports.study import Finding

MOST_CAUSES = 8
FEWEST_LOSSES = 30  # a cell with fewer lost games says too little about their causes


def causes(findings: list[Finding]) -> list[str]:
    """The commonest causes over all cells of a level, each cell counting the same."""
    weights: dict[str, float] = {}
    for finding in eligible(findings):
        for cause in finding.losses.causes:
            weights[cause.cause] = weights.get(cause.cause, 0.0) + cause.share.estimate
    return sorted(weights, key=lambda name: -weights[name])[:MOST_CAUSES]


def eligible(findings: list[Finding]) -> list[Finding]:
    return [finding for finding in findings if finding.losses.causes and finding.losses.lost >= FEWEST_LOSSES]


def draw(findings: list[Finding], colours: dict[str, str], most: float) -> Figure:
    """`findings`: the cells of one level. `most`: right end of the axis, common to the set."""
    rows = [dots.Row(cause, "", tuple(_points(cause, findings, colours))) for cause in causes(findings)]
    return dots.draw(rows, most, "of the lost games")


def _points(cause: str, findings: list[Finding], colours: dict[str, str]):
    drawn = eligible(findings)
    for finding in drawn:
        first = next(other for other in drawn if other.player == finding.player)
        yield dots.Point(share_of(cause, finding), colours[finding.player], filled=finding is first)


def share_of(cause: str, finding: Finding) -> Interval:
    """Share of the lost games with this cause; one that never occurred here still has an upper bound."""
    for known in finding.losses.causes:
        if known.cause == cause:
            return known.share
    counts = [known.games for known in finding.losses.causes]
    return goodman([0, *counts], finding.losses.causes[0].share.level)[0]


def describe(level: str, findings: list[Finding]) -> str:
    """The picture in words."""
    parts = []
    for finding in eligible(findings):
        top = ", ".join(
            f"{cause.cause} {cause.share.estimate * 100:.0f} %" for cause in finding.losses.causes[:3]
        )
        parts.append(f"{finding.who}: {top}")
    return f"What ended the lost games at {level}: " + "; ".join(parts)
