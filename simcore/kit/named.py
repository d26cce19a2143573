"""Names of the numbers in a field of a state: what a person writes for them, and reads.

Plain Python: play never reads it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Named:
    """One field of the state.

    axes: for each index the names of its places, () where they are counted from 0. values: number -> name of
    what may be there, {} for plain numbers. cards: the deck whose cards lie there, the first number being how
    many; "" for anything else.
    """

    axes: tuple[Sequence[str], ...] = ()
    values: Mapping[int, str] = field(default_factory=dict)
    cards: str = ""
    is_count: bool = False
    is_in_template: bool = True


def numbered(names: Sequence[str], **more: int) -> dict[int, str]:
    """0, 1, ... -> name, and other names with their numbers."""
    return {**dict(enumerate(names)), **{number: name.replace("_", " ") for name, number in more.items()}}
