"""How a whole number is spread over the games of a cell: a bar for every value, or for every few where they
are many.
"""

from math import ceil

from matplotlib.figure import Figure
from matplotlib.patches import PathPatch
from matplotlib.path import Path

from bartizan.reports.figures import theme

HEIGHT = 2.1  # inches
MOST_BARS = 60
FILLED = 0.86  # of a bar's place


def width_for(span: tuple[int, int]) -> int:
    """Values to a bar, 1, 2, 5, 10, 20, ...: one for all pictures of a set, so that they compare."""
    wanted = (span[1] - span[0] + 1) / MOST_BARS
    step = 1
    while step < wanted:
        step = step * 5 // 2 if str(step)[0] == "2" else step * 2
    return step


def shares(values: tuple[int, ...], counts: tuple[int, ...], width: int) -> dict[int, float]:
    """Least value of a bar -> share of these games."""
    found: dict[int, float] = {}
    for value, n in zip(values, counts, strict=True):
        found[value // width * width] = found.get(value // width * width, 0.0) + n / sum(counts)
    return found


def draw(
    bars: dict[int, float],
    span: tuple[int, int],
    highest: float,
    width: int,
    axis_label: str,
    colour: str,
    of: str = "of all games",
) -> Figure:
    """`span`: least and greatest value, `highest`: share of the tallest bar, both common to the set."""
    with theme.applied():
        figure = theme.figure(HEIGHT)
        axes = figure.subplots()
        axes.add_patch(
            PathPatch(
                Path.make_compound_path(*(_bar(value, share, width) for value, share in bars.items())),
                facecolor=colour,
                edgecolor="none",
            )
        )
        axes.set(
            xlim=(span[0] // width * width - width / 2, ceil((span[1] + 1) / width) * width + width / 2),
            ylim=(0, highest * 1.05),
            xlabel=axis_label,
            ylabel=of,
        )
        axes.locator_params(axis="y", nbins=4)
        axes.locator_params(axis="x", nbins=7, integer=True)
        axes.yaxis.set_major_formatter(lambda value, _: f"{value * 100:g}\u00a0%")
        axes.grid(axis="y")
        axes.set_axisbelow(True)
    return figure


def _bar(value: int, share: float, width: int) -> Path:
    """Single values stand over their number, several between the first and the next bar's."""
    middle = value if width == 1 else value + width / 2
    left, right = middle - width * FILLED / 2, middle + width * FILLED / 2
    return Path([(left, 0), (left, share), (right, share), (right, 0), (left, 0)], closed=True)
