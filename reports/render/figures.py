"""The figures of a page as SVG, each drawn once."""

from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import cache

from markupsafe import Markup

from bartizan.reports.blocks import Figure, FigureGroup, Section
from bartizan.reports.figures import files

MOST_FIGURES = (36, 12, 3)  # in a section: the first that keeps the page light; the tables hold every cell


def light(sections: Iterable[Section], render: Callable[[list[Section]], bytes], most_bytes: int) -> bytes:
    """A page with as many figures in a section as its weight allows. render: makes the page."""
    numbered, draw = list(enumerate(sections, 1)), cache(drawn_figure)
    for most in MOST_FIGURES:
        page = render([drawn(section, f"part-{number}", most, draw) for number, section in numbered])
        if len(page) < most_bytes:
            break
    return page


def drawn_figure(figure: Figure, name: str) -> Figure:
    """Who cannot see it is told its title, which is the takeaway, and what its axes count."""
    alt = figure.alt if not figure.title or figure.title in figure.alt else f"{figure.title}. {figure.alt}"
    return replace(figure, svg=Markup(files.inline(figure.draw(), name, alt)))


def drawn(
    section: Section, name: str, most: int, draw: Callable[[Figure, str], Figure] = drawn_figure
) -> Section:
    """A section whose groups are drawn, without its tables, which stand elsewhere. name: makes the ids of its
    figures unique in the page; most: figures in it.
    """
    groups: list[FigureGroup] = []
    shown = 0
    for group in section.grids:
        places = enumerate(group.figures[: most - shown], shown)
        if figures := tuple(draw(figure, f"{name}-{place}") for place, figure in places):
            groups.append(replace(group, figures=figures))
        shown += len(figures)
    left_out = section.left_out + sum(len(group.figures) for group in section.grids) - shown
    return replace(section, figures=(), tables=(), groups=tuple(groups), left_out=left_out)
