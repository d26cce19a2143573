"""Chances by turn: a line each, with the band of its interval."""

from collections.abc import Sequence
from dataclasses import dataclass

from matplotlib.figure import Figure

from bartizan.analyses.statistics.intervals import Interval
from bartizan.reports.figures import theme

HEIGHT = 3.1  # inches


@dataclass(frozen=True)
class TurnCurve:
    label: str
    colour: str
    turns: tuple[int, ...]
    intervals: tuple[Interval, ...]  # one a turn
    dash: str = "-"


def draw(curves: Sequence[TurnCurve]) -> Figure:
    """Shares from 0 to 100 % against the turn."""
    with theme.applied():
        figure = theme.figure(HEIGHT)
        axes = figure.add_subplot()
        for curve in curves:
            low, high, middle = (
                [getattr(it, part) for it in curve.intervals] for part in ("low", "high", "estimate")
            )
            axes.fill_between(curve.turns, low, high, color=curve.colour, alpha=0.16, linewidth=0)
            axes.plot(curve.turns, middle, curve.dash, color=curve.colour, linewidth=1.8, label=curve.label)
        axes.set(ylim=(0, 1), xlabel="turn", ylabel="chance")
        axes.locator_params(axis="x", integer=True)
        axes.yaxis.set_major_formatter(lambda value, _: f"{value * 100:g}\u00a0%")
        axes.grid(axis="y")
        figure.legend(loc="outside lower left", frameon=False, handlelength=2.4, borderaxespad=0.2)
    return figure


def describe(title: str, curves: Sequence[TurnCurve]) -> str:
    """The picture in words: each line at a few of its turns."""
    return f"{title}: {'; '.join(map(_in_words, curves))}"


def _in_words(curve: TurnCurve) -> str:
    third = max(len(curve.turns) // 3, 1)
    marks = list(zip(curve.turns, curve.intervals, strict=True))[::third]
    return f"{curve.label} " + ", ".join(f"{it.estimate * 100:.0f} % in turn {turn}" for turn, it in marks)
