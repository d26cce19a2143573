"""The figures of a page: as many as its weight allows."""

from collections.abc import Callable, Iterable
from dataclasses import replace

from bartizan.reports.blocks import Figure, FigureGroup, Text, View

MOST_FIGURES = (36, 12, 3)  # in a part: the first that keeps the page light; the tables hold every cell


def light(parts: Iterable[View], render: Callable[[list[View]], bytes], most_bytes: int) -> bytes:
    """A page with as many figures in a part as its weight allows. render: makes the page."""
    every = [keyed(part) for part in parts]
    for most in MOST_FIGURES:
        page = render([shortened(part, most) for part in every])
        if len(page) < most_bytes:
            break
    return page


def keyed(part: View) -> View:
    """Its figures in groups, each with the key of the part."""
    groups = (
        replace(group, figures=tuple(replace(figure, legend=part.legend) for figure in group.figures))
        for group in part.groups
    )
    others = (block for block in part.blocks if not isinstance(block, Figure | FigureGroup))
    return replace(part, blocks=(*groups, *others))


def shortened(part: View, most: int) -> View:
    """A part with a note that says how many figures are left out. most: figures in it."""
    groups: list[FigureGroup] = []
    shown = 0
    for group in part.groups:
        if figures := group.figures[: most - shown]:
            groups.append(replace(group, figures=figures))
        shown += len(figures)
    left_out = part.left_out + len(part.figures) - shown
    note = [Text(f"{left_out} more are in the tables only.", is_note=True)] if left_out else []
    others = (block for block in part.blocks if not isinstance(block, FigureGroup))
    return replace(part, blocks=(*groups, *note, *others), left_out=0)
