"""Pictures of a page, in sections that each answer one question."""

from dataclasses import dataclass

from markupsafe import Markup

from bartizan.reports.blocks import View
from bartizan.reports.figures import svg

Legend = tuple[tuple[str, str], ...]  # (colour, name)


@dataclass(frozen=True)
class Picture:
    title: str
    note: str
    svg: Markup


@dataclass(frozen=True)
class PictureGroup:
    """Pictures in one grid. `columns`: so many side by side; 0: as many as fit."""

    title: str
    pictures: tuple[Picture, ...]
    columns: int = 0


@dataclass(frozen=True)
class Section:
    """Pictures that answer one question."""

    title: str
    caption: str
    groups: tuple[PictureGroup, ...]
    legend: Legend = ()
    left_out: int = 0
    lines: tuple[str, ...] = ()  # findings of their own, below the pictures


def picture(title: str, note: str, figure, name: str, alt: str) -> Picture:
    """`name` makes the ids in the picture unique in the page; `alt` is the picture in words. Who cannot see
    it is told its title, which is the takeaway, and what its axes count.
    """
    told = alt if not title or title in alt else f"{title}. {alt}"
    return Picture(title, note, Markup(svg.inline(figure, name, told)))


def section_of(view: View, name: str) -> Section:
    """The blocks of an answer as a section. name: makes the ids of its pictures unique in the page."""
    groups = one_group(pictures_of(view, name))
    return Section(view.title, view.caption, groups, view.legend, view.left_out, view.findings)


def pictures_of(view: View, name: str) -> list[Picture]:
    return [
        picture(figure.title, figure.note, figure.draw(), f"{name}-{index}" if index else name, figure.alt)
        for index, figure in enumerate(view.figures)
    ]


def one_group(pictures: list[Picture]) -> tuple[PictureGroup, ...]:
    return (PictureGroup("", tuple(pictures)),) if pictures else ()


def limited(items, most: int) -> list:
    return list(items)[:most]


def left_out(items, most: int) -> int:
    return max(len(items) - most, 0)
