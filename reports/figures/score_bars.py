"""Scores of one cell: a strip of all games by tier, and below it a bar for every score, in the tiers'
colours.
"""

from matplotlib.figure import Figure
from matplotlib.patches import PathPatch, Rectangle
from matplotlib.path import Path

from bartizan.analyses.records.quantities import best_first, tier_of
from bartizan.reports.figures import theme
from bartizan.reports.study import Finding
from bartizan.reports.text import words

HEIGHT, HEIGHT_WITHOUT_TIERS = 2.5, 2.1  # inches
NAMED_FROM = 0.085  # a part of the strip at least this wide carries its share
BAR = 0.86  # width of a bar; scores are whole numbers
PLAIN = "#0173b2"
VISIBLE = 0.05  # of the highest bar of the set: lower than that, words say more than bars


def draw(finding: Finding, span: tuple[int, int], highest: float, name: str = "score") -> Figure:
    """`span`: least and greatest score, `highest`: share of the tallest bar, both common to the set so that
    pictures compare.

    `name`: what a score counts.
    """
    scores = finding.scores
    with theme.applied():
        figure = theme.figure(HEIGHT if scores.tiers else HEIGHT_WITHOUT_TIERS)
        if scores.tiers:
            strip, bars = figure.subplots(2, 1, height_ratios=[1, 5.2])
            _draw_strip(strip, finding)
        else:
            bars = figure.subplots()
        _draw_bars(bars, finding)
        _dress(bars, span, highest, name)
        if max(scores.counts, default=0) / finding.games < VISIBLE * highest:
            few = (
                f"{words.count(scores.mean.n)} of {words.count(finding.games)} games\nhave a score: too few "
                "to see here"
            )
            bars.text(0.5, 0.5, few, transform=bars.transAxes, ha="center", va="center", color=theme.FAINT)
    return figure


def _draw_strip(axes, finding: Finding) -> None:
    """All games, worst tier at the left."""
    colours = theme.tier_colours(finding.cell.tiers)
    left = 0.0
    for tier in worst_first(finding.scores.tiers):
        width = tier.share.estimate
        axes.add_patch(
            Rectangle((left, 0), width, 1, facecolor=colours[tier.name], edgecolor="white", linewidth=0.6)
        )
        if width >= NAMED_FROM:
            ink = "white" if theme.is_dark(colours[tier.name]) else theme.INK
            axes.text(
                left + width / 2,
                0.46,
                f"{width * 100:.0f}\u00a0%",
                ha="center",
                va="center",
                color=ink,
                fontsize=theme.SMALL,
            )
        left += width
    axes.set(xlim=(0, 1), ylim=(0, 1))
    axes.set_axis_off()


def worst_first(tiers) -> list:
    """Cut off, lost, then the tiers from the lowest to the best: left to right as the score grows."""
    by_score = [tier for tier in tiers if tier.least is not None]
    return [tier for tier in reversed(tiers) if tier.least is None] + by_score[::-1]


def _draw_bars(axes, finding: Finding) -> None:
    """One path a tier keeps the page small."""
    tiers = best_first(finding.cell.tiers)
    colours = theme.tier_colours(tiers)
    groups: dict = {}
    for score, n in zip(finding.scores.values, finding.scores.counts, strict=True):
        groups.setdefault(tier_of(score, tiers) if tiers else None, []).append((score, n / finding.games))
    for tier, bars in groups.items():
        path = Path.make_compound_path(*(_bar(score, share) for score, share in bars))
        axes.add_patch(PathPatch(path, facecolor=colours[tier] if tier else PLAIN, edgecolor="none"))


def _bar(score: int, share: float) -> Path:
    left, right = score - BAR / 2, score + BAR / 2
    return Path([(left, 0), (left, share), (right, share), (right, 0), (left, 0)], closed=True)


def _dress(axes, span: tuple[int, int], highest: float, name: str) -> None:
    axes.set_xlim(span[0] - 1, span[1] + 1)
    axes.set_ylim(0, highest * 1.05)
    axes.locator_params(axis="y", nbins=4)
    axes.locator_params(axis="x", nbins=7, integer=True)
    axes.yaxis.set_major_formatter(lambda value, _: f"{value * 100:g}\u00a0%")
    axes.grid(axis="y")
    axes.set_axisbelow(True)
    axes.set_xlabel(name)
    axes.set_ylabel("of all games")


def describe(finding: Finding) -> str:
    """The picture in words."""
    tiers = [
        f"{tier.name}{f', {tier.victory}' if tier.victory else ''} {words.share(tier.share)}"
        for tier in finding.scores.tiers
    ]
    median = finding.scores.quantiles.get(50)
    middle = (
        f"median score {median.estimate:g} of the {words.count(finding.scores.mean.n)} games with a score"
        if median
        else "no game got a score"
    )
    return f"Scores of {finding.name}: {middle}" + (f"; {', '.join(tiers)}" if tiers else "")
