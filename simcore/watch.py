"""Progress of a computation. `Watch` is silent, and the command line has its own subclass."""

import os
import threading
import time
import warnings
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from typing import TYPE_CHECKING

from bartizan.simcore.compile import cache

if TYPE_CHECKING:
    from bartizan.simcore.compile.meter import Compilation
    from bartizan.simcore.play.batch import Progress

PLAYERS = "games"  # prefix of the names of simulation threads


def still_playing(patience: float) -> bool:
    """Wait up to `patience` seconds for games to end, and return whether one is still in progress."""
    until = time.monotonic() + patience
    threads = [thread for thread in threading.enumerate() if thread.name.startswith(PLAYERS)]
    for thread in threads:
        thread.join(max(0.0, until - time.monotonic()))
    return any(thread.is_alive() for thread in threads)


class Watch:
    """A silent progress display. Notes about stored files become Python warnings, so that none is lost."""

    def is_seen(self) -> bool:
        """Return whether a user waits at a terminal or a page."""
        return False

    def note(self, line: str) -> None:
        """Show a line that the user should see."""
        warnings.warn(line, stacklevel=2)

    def note_once(self, line: str) -> None:
        """Show a line once per watch."""
        if line not in (noted := self.__dict__.setdefault("noted", set())):
            noted.add(line)
            self.note(line)

    def kept(self, path: Path, advice: str = "") -> None:
        """Report that a document was written to a file that the user named."""

    def compiling(self, what: str, duration: str) -> None:
        """Report that code is about to be compiled. Each version of the code is reported once."""

    @contextmanager
    def compilation(self, kind: str, what: str, functions: int = 0) -> "Iterator[Compilation]":
        """Yield a `Compilation`, and report its progress while code is compiled.

        kind: key for the duration of the last compilation; functions: upper bound on the number of functions.
        """
        from bartizan.simcore.compile.meter import Compilation
        from bartizan.simcore.play.batch import Progress

        compilation = Compilation(kind, functions)
        self.compiling(what, compilation.usual)
        with self.progress("compile", compilation.expected) as draw:
            compilation.tell = lambda so_far: draw(
                Progress(
                    so_far.doing,
                    games_done=min(so_far.functions, so_far.expected),
                    games_total=so_far.expected,
                )
            )
            with compilation:
                yield compilation

    def known(self, line: str) -> None:
        """Report the known part of the answer while code is compiled."""

    def doing(self, what: str) -> None:
        """Report the computation that precedes the next output line of a command.

        what: "" just before that line.
        """

    def looking(self, line: str) -> None:
        """Report that a user's policy is about to be checked. Each version of the policy is reported once."""

    def compiles(self, what: str, compiled: str, duration: str) -> None:
        """Report a compilation if the cache has no code for this machine.

        compiled: text that the file name of the code includes.
        """
        if not cache.is_warm(Path(os.environ["NUMBA_CACHE_DIR"]), compiled):
            self.compiling(what, duration)

    @contextmanager
    def progress(self, name: str, games: int) -> "Iterator[Callable[[Progress], None]]":
        """Yield a callback for progress. games: the expected number, 0 if unknown."""
        shown = 0

        def notes(progress: "Progress") -> None:
            nonlocal shown
            for line in progress.notes[shown:]:
                self.note(line)
            shown = len(progress.notes)

        yield notes

    def track(self, chunks: Iterable, games: int, each: int, doing: str) -> Iterable:
        """Return `chunks`, unchanged.

        each: games per chunk. A subclass shows the progress while the chunks are simulated.
        """
        return chunks


# the watch of the question being answered; None: no question
current: ContextVar[Watch | None] = ContextVar("current", default=None)
