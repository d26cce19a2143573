"""The verdicts of stake-or-wait as a chart.

The chart has a column per number of rounds left, a row per distance, and a colour per verdict.
"""

from collections.abc import Sequence
from textwrap import fill

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from bartizan.analyses.games.colditz import FAR, INCONCLUSIVE, STAKE, WAIT, Moments
from bartizan.reports.figures import theme
from bartizan.reports.text import words

FOOT, LETTERS = 8.5, 72  # points, letters per line
HEIGHT, ROW = 1.9, 0.62  # inches: everything except the rows, one row
COLOURS = {STAKE: "#12355b", WAIT: "#f2c14e", INCONCLUSIVE: "#e6e9ec"}
INK = {STAKE: "#ffffff", WAIT: theme.INK, INCONCLUSIVE: theme.FAINT}
GAP = 0.03  # gap between cells, relative to a cell


def draw(rows: Sequence[Moments], title: str, foot: str) -> Figure:
    """Draw the verdict of each cell and the effect of staking now.

    The effects are in percentage points. foot: text below the chart.
    """
    left = sorted({row.rounds_left for row in rows})
    steps = sorted({row.steps for row in rows})
    with theme.applied():
        figure = theme.figure(HEIGHT + ROW * len(steps))
        axes = figure.add_subplot()
        for row in rows:
            _cell(axes, left.index(row.rounds_left), steps.index(row.steps), row)
        axes.set(
            xlim=(0, len(left)),
            ylim=(len(steps), 0),
            xticks=[i + 0.5 for i in range(len(left))],
            yticks=[i + 0.5 for i in range(len(steps))],
            xlabel="rounds left",
            ylabel="steps to go",
        )
        axes.set_xticklabels([_short(*span) for span in left])
        axes.set_yticklabels([_short(*span) for span in steps])
        axes.tick_params(length=0)
        for side in axes.spines.values():
            side.set_visible(False)
        figure.suptitle(title, fontsize=theme.TEXT, x=0.02, ha="left", fontweight="bold")
        figure.supxlabel(fill(foot, LETTERS), fontsize=FOOT, x=0.02, ha="left", color=theme.FAINT)
    return figure


def _cell(axes: Axes, x: int, y: int, row: Moments) -> None:
    verdict = row.verdict
    axes.add_patch(
        Rectangle((x + GAP, y + GAP), 1 - 2 * GAP, 1 - 2 * GAP, facecolor=COLOURS[verdict], edgecolor="none")
    )
    word = "?" if verdict == INCONCLUSIVE else verdict
    change = f"{100 * row.difference.estimate:+.0f}".replace("-", "\N{MINUS SIGN}")
    axes.text(x + 0.5, y + 0.36, word, ha="center", va="center", color=INK[verdict], fontweight="bold")
    axes.text(x + 0.5, y + 0.7, change, ha="center", va="center", color=INK[verdict], fontsize=theme.SMALL)


def _short(least: int, most: int) -> str:
    """Return a range in a short form for an axis: `0`, `1–2`, `≤40`, `21+`."""
    text = words.open_span(least, most, FAR)
    short = {" or more": "+", "up to ": "\N{LESS-THAN OR EQUAL TO}", " to ": "\N{EN DASH}"}
    for part, sign in short.items():
        text = text.replace(part, sign)
    return text
