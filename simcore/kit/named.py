"""Names for the numbers in a field of a state, for people to read and write.

Plain Python, which simulations never use.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Named:
    """One field of the state.

    axes: names of the places for each index; () if they are numbered from 0. values: maps possible contents
    to names; {} for plain numbers. cards: name of the deck if the field is a pile, whose first number is its
    size; "" for other fields.
    """

    axes: tuple[Sequence[str], ...] = ()
    values: Mapping[int, str] = field(default_factory=dict)
    cards: str = ""
    is_count: bool = False
    is_in_template: bool = True


def numbered(names: Sequence[str], **more: int) -> dict[int, str]:
    """Map 0, 1, ... to the names; keyword arguments are further names with their numbers."""
    return {**dict(enumerate(names)), **{number: name.replace("_", " ") for name, number in more.items()}}
