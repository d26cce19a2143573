"""Stake or wait as a chart for beside the board: rounds left across, steps to go down, a colour a verdict."""

from textwrap import fill

from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from bartizan.analyses.games.colditz import OPEN, STAKE, WAIT, Moments
from bartizan.reports.figures import theme
from bartizan.reports.text import words
from bartizan.reports.views.stake_or_wait import StakeDocument, open_span

FOOT, LETTERS = 8.5, 72  # points, letters a line
HEIGHT, ROW = 1.9, 0.62  # inches: of what stands around the rows, of a row
COLOURS = {STAKE: "#12355b", WAIT: "#f2c14e", OPEN: "#e6e9ec"}
INK = {STAKE: "#ffffff", WAIT: theme.INK, OPEN: theme.FAINT}
GAP = 0.03  # of a cell's side


def draw(d: StakeDocument) -> Figure:
    """Of `odds stake-or-wait`. A cell says the verdict, and what a stake at once moves the result
    for the Allies by, in percentage points.
    """
    left = sorted({row.rounds_left for row in d.rows})
    steps = sorted({row.steps for row in d.rows})
    with theme.applied():
        figure = theme.figure(HEIGHT + ROW * len(steps))
        axes = figure.add_subplot()
        for row in d.rows:
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
        figure.suptitle(_title(d), fontsize=theme.TEXT, x=0.02, ha="left", fontweight="bold")
        figure.supxlabel(_foot(d), fontsize=FOOT, x=0.02, ha="left", color=theme.FAINT)
    return figure


def _cell(axes, x: int, y: int, row: Moments) -> None:
    verdict = row.verdict
    axes.add_patch(
        Rectangle((x + GAP, y + GAP), 1 - 2 * GAP, 1 - 2 * GAP, facecolor=COLOURS[verdict], edgecolor="none")
    )
    word = "?" if verdict == OPEN else verdict
    change = f"{100 * row.difference.estimate:+.0f}".replace("-", "\N{MINUS SIGN}")
    axes.text(x + 0.5, y + 0.36, word, ha="center", va="center", color=INK[verdict], fontweight="bold")
    axes.text(x + 0.5, y + 0.7, change, ha="center", va="center", color=INK[verdict], fontsize=theme.SMALL)


def _short(least: int, most: int) -> str:
    """`0`, `1-2`, `21+`, as an axis has room for."""
    text = open_span(least, most)
    short = {" or more": "+", "up to ": "\N{LESS-THAN OR EQUAL TO}", " to ": "\N{EN DASH}"}
    for part, sign in short.items():
        text = text.replace(part, sign)
    return text


def _title(d: StakeDocument) -> str:
    return f"Do or Die: stake now, or wait? {words.many(d.seats, 'Allied player')}"


def _foot(d: StakeDocument) -> str:
    text = (
        f"{d.title}. Nobody has escaped yet. Numbers: percentage points by which a stake now moves the "
        f"Allies' result (win 1, draw 0.5). ?: {d.games:,} simulated games cannot tell; 95 %, all cells "
        f"together. Both sides are policies: {' against '.join(d.policies)}."
    )
    return fill(text, LETTERS)
