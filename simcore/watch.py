"""Watching how far a computation has come. Here nobody watches: the command line has its own `Watch`."""

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

PLAYERS = "games"  # how the names of the threads that play begin


def still_playing(patience: float) -> bool:
    """Is a game under way that does not end within `patience` seconds?"""
    until = time.monotonic() + patience
    threads = [thread for thread in threading.enumerate() if thread.name.startswith(PLAYERS)]
    for thread in threads:
        thread.join(max(0.0, until - time.monotonic()))
    return any(thread.is_alive() for thread in threads)


class Watch:
    """Draws nothing. Notes about kept files become Python warnings: nothing is lost unseen."""

    def is_seen(self) -> bool:
        """Does somebody wait at a terminal or a page?"""
        return False

    def note(self, line: str) -> None:
        """Something the user should know."""
        warnings.warn(line, stacklevel=2)

    def note_once(self, line: str) -> None:
        """The same, once for each watcher."""
        if line not in (noted := self.__dict__.setdefault("noted", set())):
            noted.add(line)
            self.note(line)

    def kept(self, path: Path, advice: str = "") -> None:
        """A document was written to a file that the user named."""

    def compiling(self, what: str, duration: str) -> None:
        """Code is about to be compiled: once for each version of the code."""

    @contextmanager
    def compilation(self, kind: str, what: str, functions: int = 0) -> "Iterator[Compilation]":
        """Code is compiled meanwhile, which is watched by function. kind: tells what it took the last time;
        functions: how many there may be.
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
        """What is known of the question already, while code is compiled."""

    def looking(self, line: str) -> None:
        """A policy from outside is about to be looked at: once for each version of it."""

    def compiles(self, what: str, compiled: str, duration: str) -> None:
        """Says so if the function of this name has yet to be compiled for this machine."""
        if not cache.is_warm(Path(os.environ["NUMBA_CACHE_DIR"]), compiled):
            self.compiling(what, duration)

    @contextmanager
    def progress(self, name: str, games: int) -> "Iterator[Callable[[Progress], None]]":
        """A callback; games: how many there will be, 0 unknown."""
        shown = 0

        def notes(progress: "Progress") -> None:
            nonlocal shown
            for line in progress.notes[shown:]:
                self.note(line)
            shown = len(progress.notes)

        yield notes

    def track(self, chunks: Iterable, games: int, each: int, doing: str) -> Iterable:
        """Chunks of `each` games as they come, while somebody watches."""
        return chunks


# who watches the question that is being answered; None: no question is asked
current: ContextVar[Watch | None] = ContextVar("current", default=None)
