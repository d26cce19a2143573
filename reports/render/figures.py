"""The figures of a page as SVG, each drawn once."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache

from markupsafe import Markup

from bartizan.reports.blocks import Figure, Legend, Section
from bartizan.reports.figures import svg

MOST_FIGURES = (36, 12, 3)  # in a section: the first that keeps the page light; the tables hold every cell


@dataclass(frozen=True)
class DrawnFigure:
    title: str
    note: str
    svg: Markup


@dataclass(frozen=True)
class DrawnGroup:
    title: str
    figures: tuple[DrawnFigure, ...]
    columns: int


@dataclass(frozen=True)
class DrawnSection:
    title: str
    caption: str
    groups: tuple[DrawnGroup, ...]
    legend: Legend
    left_out: int
    lines: tuple[str, ...]


def light(
    sections: Iterable[Section], render: Callable[[list[DrawnSection]], bytes], most_bytes: int
) -> bytes:
    """A page with as many figures in a section as its weight allows. render: makes the page."""
    numbered, draw = list(enumerate(sections, 1)), cache(drawn_figure)
    for most in MOST_FIGURES:
        page = render([drawn(section, f"part-{number}", most, draw) for number, section in numbered])
        if len(page) < most_bytes:
            break
    return page


def drawn_figure(figure: Figure, name: str) -> DrawnFigure:
    """Who cannot see it is told its title, which is the takeaway, and what its axes count."""
    alt = figure.alt if not figure.title or figure.title in figure.alt else f"{figure.title}. {figure.alt}"
    return DrawnFigure(figure.title, figure.note, Markup(svg.inline(figure.draw(), name, alt)))


def drawn(
    section: Section, name: str, most: int, draw: Callable[[Figure, str], DrawnFigure] = drawn_figure
) -> DrawnSection:
    """name: makes the ids of its figures unique in the page; most: figures in it."""
    groups, shown = [], 0
    for group in section.grids:
        places = enumerate(group.figures[: most - shown], shown)
        figures = tuple(draw(figure, f"{name}-{place}") for place, figure in places)
        if figures:
            groups.append(DrawnGroup(group.title, figures, group.columns))
        shown += len(figures)
    beyond = sum(len(group.figures) for group in section.grids) - shown
    return DrawnSection(
        section.title,
        section.caption,
        tuple(groups),
        section.legend,
        section.left_out + beyond,
        section.lines,
    )
