"""The inputs of a value function: numbers derived from a state, in one record of named fields."""

from collections.abc import Callable, Set
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from bartizan.simcore.arrays import Record, as_records
from bartizan.simcore.errors import EngineError


@dataclass(frozen=True, eq=False)
class Features:
    """Numbers derived from a state, to which `analyses` fits a win probability (a value function).

    The first number is the elapsed share of the game, from 0 to 1, as estimated by the game. Raises
    EngineError unless the record is packed and all its fields are float64.
    """

    dtype: np.dtype  # fields of float64: one number each, or one per player (or place)
    # jitted (state, tables, features): sets every field of the record `features`, which is modified in place,
    # and leaves the state unchanged
    write: Callable
    # (seat, Scenario) -> names of the numbers that this seat may know during play; None: undeclared, so no
    # number is shown to a player. A value function sees all of them, hidden cards included
    open_to: Callable | None = None
    # field -> text, where it differs from the name: `{}` is replaced by the number of the player or place; a
    # tuple names each number of the field
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
        """Name of each number, in the order of the record."""
        return tuple(name for column in self.fields for name in self.names_of(column))

    def names_of(self, column: str) -> tuple[str, ...]:
        """Return the name of each number in a field."""
        shape = self.dtype[column].shape
        words = self.words.get(column, column.replace("_", " "))
        if isinstance(words, tuple):
            return words
        words += " of player {}" if shape and "{}" not in words else ""
        return tuple(words.format(*(i + 1 for i in place)) for place in np.ndindex(*shape))

    def known_to(self, seat: int, own: Set[str], hidden: Set[str] = frozenset()) -> tuple[str, ...]:
        """Return the names of the features that a seat may know.

        hidden: fields that are left out. own: fields in which the numbers of other players are left out.
        """
        players = {column: self.dtype[column].shape[-1] for column in own}
        return tuple(
            name
            for column in self.fields
            for i, name in enumerate(self.names_of(column))
            if column not in hidden and (column not in own or i % players[column] == seat)
        )

    def record(self, numbers: np.ndarray) -> Record:
        """Return `numbers` (float64, one per name) as the record that `write` takes; they share memory."""
        return as_records(numbers.view(self.dtype))[0]

    def read(self, state: Record, tables: Record) -> np.ndarray:
        """Return the numbers of one state: float64, one per name."""
        numbers = np.zeros(len(self.names))
        self.write(state, tables, self.record(numbers))
        return numbers
