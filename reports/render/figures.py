"""Limit on the number of figures, to keep a page small."""

from collections.abc import Callable, Iterable
from dataclasses import replace

from bartizan.reports.blocks import Figure, FigureGroup, Text, View

MOST_FIGURES = (36, 12, 3)  # per part, tried in this order; the tables contain every cell


def light(parts: Iterable[View], render: Callable[[list[View]], bytes], most_bytes: int) -> bytes:
    """Return the rendered page with the most figures per part that keep it below `most_bytes`.

    The numbers tried are MOST_FIGURES. If no number suffices, returns the page with the fewest figures.
    """
    every = [keyed(part) for part in parts]
    for most in MOST_FIGURES:
        page = render([shortened(part, most) for part in every])
        if len(page) < most_bytes:
            break
    return page


def keyed(part: View) -> View:
    """Return the part with all figures in groups. Each figure has the legend of the part."""
    groups = (
        replace(group, figures=tuple(replace(figure, legend=part.legend) for figure in group.figures))
        for group in part.groups
    )
    others = (block for block in part.blocks if not isinstance(block, Figure | FigureGroup))
    return replace(part, blocks=(*groups, *others))


def shortened(part: View, most: int) -> View:
    """Return the part with at most `most` figures, and a note on the number of omitted figures."""
    groups: list[FigureGroup] = []
    shown = 0
    for group in part.groups:
        if figures := group.figures[: most - shown]:
            groups.append(replace(group, figures=figures))
        shown += len(figures)
    left_out = part.left_out + len(part.figures) - shown
    note = [Text(f"The tables contain {left_out} more.", is_note=True)] if left_out else []
    others = (block for block in part.blocks if not isinstance(block, FigureGroup))
    return replace(part, blocks=(*groups, *note, *others), left_out=0)
