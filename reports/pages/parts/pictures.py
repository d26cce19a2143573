"""Names under which parts that are still to become views know the blocks of a page."""

from bartizan.reports.blocks import Figure as Picture
from bartizan.reports.blocks import FigureGroup as PictureGroup
from bartizan.reports.blocks import Legend, Section

__all__ = ["Legend", "Picture", "PictureGroup", "Section", "left_out", "limited", "one_group", "picture"]


def picture(title: str, note: str, figure, name: str, alt: str) -> Picture:
    return Picture(title, alt, lambda: figure, note)


def one_group(pictures) -> tuple:
    return tuple(pictures)


def limited(items, most: int) -> list:
    return list(items)[:most]


def left_out(items, most: int) -> int:
    return max(len(items) - most, 0)
