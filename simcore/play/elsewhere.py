"""Games that others play: while somebody with workers says so, every `Batch` made has them play its games."""

from contextvars import ContextVar
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    import numpy as np

    from bartizan.simcore.play.match import Match


class Elsewhere(Protocol):
    """Workers, on this machine or others."""

    @property
    def threads(self) -> int:
        """How many pieces may be asked for at a time; each is waited for by a thread of its own."""

    def play(self, table: "Match", match: "Match", first_game: int, games: int) -> "np.ndarray":
        """Rows of consecutive games, the same as `Batch.play` makes here; called by several threads.

        table: the match as it was named; match: the same with other weights and another seed.
        """


elsewhere: ContextVar[Elsewhere | None] = ContextVar("elsewhere", default=None)
