"""The figures of a page: as many as its weight allows."""

from collections.abc import Callable, Iterable
from dataclasses import replace

from bartizan.reports.blocks import FigureGroup, Section

MOST_FIGURES = (36, 12, 3)  # in a section: the first that keeps the page light; the tables hold every cell


def light(sections: Iterable[Section], render: Callable[[list[Section]], bytes], most_bytes: int) -> bytes:
    """A page with as many figures in a section as its weight allows. render: makes the page."""
    every = [keyed(section) for section in sections]
    for most in MOST_FIGURES:
        page = render([shortened(section, most) for section in every])
        if len(page) < most_bytes:
            break
    return page


def keyed(section: Section) -> Section:
    """Its figures in groups, each with the key of the section; without its tables, which stand elsewhere."""
    groups = (
        replace(group, figures=tuple(replace(figure, legend=section.legend) for figure in group.figures))
        for group in section.grids
    )
    return replace(section, figures=(), tables=(), groups=tuple(groups))


def shortened(section: Section, most: int) -> Section:
    """most: figures in it."""
    groups: list[FigureGroup] = []
    shown = 0
    for group in section.groups:
        if figures := group.figures[: most - shown]:
            groups.append(replace(group, figures=figures))
        shown += len(figures)
    left_out = section.left_out + sum(len(group.figures) for group in section.groups) - shown
    return replace(section, groups=tuple(groups), left_out=left_out)
