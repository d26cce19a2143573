"""What a value function may look at: numbers read off a state, one record of named fields."""

from collections.abc import Callable, Set
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from bartizan.simcore.errors import EngineError


@dataclass(frozen=True, eq=False)
class Features:
    """Numbers read off a state, from which `analyses` fit a chance to win (a value function).

    The first number says how much of the game is gone, 0 to 1, as well as the game can tell. Raises
    EngineError for a record that holds anything but float64.
    """

    dtype: np.dtype  # fields of float64: one number each, or one for each player (or place)
    # jitted (state, tables, features): sets every field of the record `features`, which is modified in place;
    # leaves the state untouched
    write: Callable
    # (seat, Scenario) -> the names of the numbers that this seat may know in play; None: the game does not
    # say, and no number is shown to anybody. A value function sees all of them, hidden cards too
    open_to: Callable | None = None
    # field -> its words, where they are not those of its name: `{}` stands for the number of the player or
    # place; a tuple names each number of the field
    words: dict[str, str | tuple[str, ...]] = field(default_factory=dict)

    def __post_init__(self):
        types = [self.dtype[column] for column in self.fields]
        numbers = sum(int(np.prod(kind.shape)) for kind in types)
        if self.dtype.itemsize != 8 * numbers or any(kind.base != np.dtype("f8") for kind in types):
            raise EngineError("features: every field must be float64, and the record must be packed")

    @property
    def fields(self) -> tuple[str, ...]:
        return self.dtype.names or ()

    @cached_property
    def names(self) -> tuple[str, ...]:
        """What each number is called, in the order of the record."""
        return tuple(name for column in self.fields for name in self.names_of(column))

    def names_of(self, column: str) -> tuple[str, ...]:
        """What each number of a field is called."""
        shape = self.dtype[column].shape
        words = self.words.get(column, column.replace("_", " "))
        if isinstance(words, tuple):
            return words
        words += " of player {}" if shape and "{}" not in words else ""
        return tuple(words.format(*(i + 1 for i in place)) for place in np.ndindex(*shape))

    def known_to(self, seat: int, own: Set[str], hidden: Set[str] = frozenset()) -> tuple[str, ...]:
        """All names but those of `hidden` fields and other players' numbers in `own` fields."""
        players = {column: self.dtype[column].shape[-1] for column in own}
        return tuple(
            name
            for column in self.fields
            for i, name in enumerate(self.names_of(column))
            if column not in hidden and (column not in own or i % players[column] == seat)
        )

    def record(self, numbers: np.ndarray) -> np.record:
        """`numbers` (float64, one for each name) as the record that `write` takes; they share memory."""
        return numbers.view(self.dtype).view(np.recarray)[0]

    def read(self, state: np.record, tables: np.record) -> np.ndarray:
        """The numbers of one state: float64, one for each name."""
        numbers = np.zeros(len(self.names))
        self.write(state, tables, self.record(numbers))
        return numbers
