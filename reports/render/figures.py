"""The figures of a page as SVG, each drawn once."""

from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import cache

from markupsafe import Markup

from bartizan.reports.blocks import Figure, FigureGroup, Text, View
from bartizan.reports.figures import files

MOST_FIGURES = (36, 12, 3)  # in a part: the first that keeps the page light; the tables hold every cell


def light(parts: Iterable[View], render: Callable[[list[View]], bytes], most_bytes: int) -> bytes:
    """A page with as many figures in a part as its weight allows. render: makes the page."""
    numbered, draw = list(enumerate(parts)), cache(drawn_figure)
    for most in MOST_FIGURES:
        page = render([drawn(part, f"part-{number}", most, draw) for number, part in numbered])
        if len(page) < most_bytes:
            break
    return page


def drawn_figure(figure: Figure, name: str) -> Figure:
    """Who cannot see it is told its title, which is the takeaway, and what its axes count."""
    alt = figure.alt if not figure.title or figure.title in figure.alt else f"{figure.title}. {figure.alt}"
    return replace(figure, svg=Markup(files.inline(figure.draw(), name, alt)))


def drawn(part: View, name: str, most: int, draw: Callable[[Figure, str], Figure] = drawn_figure) -> View:
    """A part with its figures drawn, and a note that says how many are left out. name: makes the ids of its
    figures unique in the page; most: figures in it.
    """
    groups: list[FigureGroup] = []
    shown = 0
    for group in part.groups:
        places = enumerate(group.figures[: most - shown], shown)
        if figures := tuple(draw(figure, f"{name}-{place}") for place, figure in places):
            groups.append(replace(group, figures=figures))
        shown += len(figures)
    left_out = part.left_out + len(part.figures) - shown
    note = [Text(f"{left_out} more are in the tables only.", is_note=True)] if left_out else []
    others = (block for block in part.blocks if not isinstance(block, Figure | FigureGroup))
    return replace(part, blocks=(*groups, *note, *others), left_out=0)
