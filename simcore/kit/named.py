"""Names for the numbers in a field of a state, for people to read and write.

Plain Python, which play never uses.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Named:
    """One field of the state.

    axes: for each index the names of its places, () if they are numbered from 0. values: number -> name of a
    possible content, {} for plain numbers. cards: the deck of the cards in the field, whose first number is
    the size; "" for other fields.
    """

    axes: tuple[Sequence[str], ...] = ()
    values: Mapping[int, str] = field(default_factory=dict)
    cards: str = ""
    is_count: bool = False
    is_in_template: bool = True


def numbered(names: Sequence[str], **more: int) -> dict[int, str]:
    """Return {0: name, 1: name, ...}, and further names with their numbers."""
    return {**dict(enumerate(names)), **{number: name.replace("_", " ") for name, number in more.items()}}
