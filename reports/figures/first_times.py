"""Share of games in which something has first happened by the end of each turn, a line an event, with the
band that holds the whole line.
"""

from matplotlib.figure import Figure

from bartizan.analyses.records.outcomes import FirstTime
from bartizan.reports.figures import theme
from bartizan.reports.text import words

HEIGHT = 2.7  # inches
# one an event: colour is not the only difference
DASHES = ("-", (0, (5, 2)), (0, (1.5, 1.2)), (0, (6, 2, 1.5, 2)))


def draw(firsts: tuple[FirstTime, ...], colours: list[str], last_turn: int, time: str) -> Figure:
    """`last_turn` is common to the set so that pictures compare. `time`: what a turn is called."""
    with theme.applied():
        figure = theme.figure(HEIGHT)
        axes = figure.add_subplot()
        for index, first in enumerate(firsts):
            _draw_line(axes, first, colours[index], DASHES[index % len(DASHES)])
        axes.set(xlim=(0, last_turn + 1), ylim=(0, 1), xlabel=time, ylabel="of all games, so far")
        axes.locator_params(axis="x", integer=True)
        axes.yaxis.set_major_formatter(lambda value, _: f"{value * 100:g}\u00a0%")
        axes.grid(axis="y")
    return figure


def _draw_line(axes, first: FirstTime, colour: str, dash) -> None:
    """Steps: the share changes within a turn and holds until the next; the last one is drawn
    one turn long.
    """
    shares = [step.by for step in first.steps]
    turns = [0, *(step.turn for step in first.steps), first.steps[-1].turn + 1]
    line, low, high = (
        [0.0, *(getattr(share, part) for share in (*shares, shares[-1]))]
        for part in ("estimate", "low", "high")
    )
    axes.fill_between(turns, low, high, step="post", color=colour, alpha=0.13, linewidth=0)
    axes.step(turns, line, where="post", color=colour, linestyle=dash, linewidth=1.8)


def describe(label: str, firsts: tuple[FirstTime, ...], time: str) -> str:
    """The picture in words."""
    last = len(firsts[0].steps)
    ends = (
        f"{first.label} {words.share(first.by(max(last // 2, 1)))} by {time} {max(last // 2, 1)}, "
        f"{words.share(first.by(last))} by {time} {last}"
        for first in firsts
    )
    return f"{label}: share of games in which it has happened: " + "; ".join(ends)
