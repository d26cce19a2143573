"""How much is played, on which luck, and who watches."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from bartizan.simcore.compile.loops import Loop
from bartizan.simcore.errors import UsageError
from bartizan.simcore.game import MOST_GAMES, Game
from bartizan.simcore.play.batch import BATCH, Elsewhere, Source
from bartizan.simcore.watch import Watch

INCONCLUSIVE = 3  # exit code of an answer that more games would give


@dataclass(frozen=True)
class Effort:
    """How much is played, on which luck, and who watches."""

    games: int
    seed: int = 1
    jobs: int | None = None
    watch: Watch = field(default_factory=Watch)
    elsewhere: Elsewhere | None = None  # who plays, where it is not this machine

    def __post_init__(self):
        if self.games > MOST_GAMES:
            raise UsageError(f"games = {self.games:,}: at most {MOST_GAMES:,}, which a record can number")

    @property
    def threads(self) -> int:
        """Of this machine: all cores unless a number is given; no result depends on it."""
        return self.jobs or os.cpu_count() or 1

    def compiles(self, game: Game, loop: Loop) -> None:
        """Says so if the loop has yet to be compiled for this machine, which takes a while."""
        if not loop.is_compiled(game.compiled, len(game.roles)):
            self.watch.compiling(game.name, "seconds for a small game, minutes for a large one")

    @contextmanager
    def source(self, game: Game, games: int = 0) -> Iterator[Source]:
        """Where a question's games come from, while somebody watches. games: how many there will be, 0
        unknown.
        """
        if not self.elsewhere:
            self.compiles(game, BATCH)
        with self.watch.progress(game.name, games) as watch:
            yield Source(self.threads, watch, self.elsewhere)
