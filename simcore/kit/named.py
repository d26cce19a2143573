"""Readable names for the numbers in the fields of a state. Simulations do not use them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Named:
    """Names for one field of the state.

    axes: the names of the positions along each axis; () for an axis numbered from 0. values: maps possible
    contents to names; {} for plain numbers. cards: name of the deck if the field is a pile, whose first
    number is its size; "" for other fields. is_count: whether 0 means an empty place, which templates omit.
    is_in_template: whether templates of positions contain the field.
    """

    axes: tuple[Sequence[str], ...] = ()
    values: Mapping[int, str] = field(default_factory=dict)
    cards: str = ""
    is_count: bool = False
    is_in_template: bool = True


def numbered(names: Sequence[str], **more: int) -> dict[int, str]:
    """Map 0, 1, ... to `names`. Keyword arguments add names with their numbers; underscores become spaces."""
    return {**dict(enumerate(names)), **{number: name.replace("_", " ") for name, number in more.items()}}
