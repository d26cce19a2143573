"""How far the games of a computation have come."""

from dataclasses import dataclass, field

import numpy as np

from bartizan.simcore.play.rules import TRUNCATED


@dataclass
class Progress:
    """How far a computation has come: handed to a callback after every piece of games."""

    cell: str = ""  # what is being played, in words
    cells_done: int = 0
    games_done: int = 0  # of all cells, games that were there already included
    games_total: int = 0
    played: int = 0  # games played by this run
    seconds: float = 0.0  # spent playing
    wins: int = 0  # of this cell, by the seat that is watched
    truncated: int = 0  # of this cell, by the ply cap: neither won nor lost
    games_of_cell: int = 0
    notes: list[str] = field(default_factory=list)  # lines the user should see

    def begin(self, cell: str) -> None:
        """Another cell."""
        self.cell, self.wins, self.truncated, self.games_of_cell = cell, 0, 0, 0

    def add(self, rows: np.ndarray, seconds: float | None, cell: str = "", seat: int | None = 0) -> None:
        """Count more games.

        seconds: to play them; None: they were there already. cell: another than before begins, "" says
        nothing. seat: whose wins are counted; None: nobody's.
        """
        if cell and cell != self.cell:
            self.begin(cell)
        self.games_done += len(rows)
        if seat is not None:
            self.games_of_cell += len(rows)
            self.wins += int((rows["winner"] == seat).sum())
            self.truncated += int((rows["winner"] == TRUNCATED).sum())
        if seconds is not None:
            self.seconds += seconds
            self.played += len(rows)
