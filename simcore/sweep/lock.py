"""One writer at a time, for sweep folders.

Where the system has no lock, files are still written whole, and `resume.refuse_overtaken` still tells two
different sweeps apart.
"""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

from bartizan.simcore.errors import UsageError
from bartizan.simcore.lock import held


@contextmanager
def alone(folder: Path) -> Iterator[None]:
    """Nobody else plays or merges into a folder meanwhile. Raises UsageError where somebody does."""
    with suppress(OSError):  # what is wrong with the folder is said by who writes into it
        folder.mkdir(parents=True, exist_ok=True)
    with ExitStack() as stack:
        try:
            stack.enter_context(held(folder, wait=False))
        except BlockingIOError:
            raise UsageError(
                f"{folder}: another process is playing into it; wait for its end and run this again, or "
                "name another folder with -o"
            ) from None
        yield


@contextmanager
def in_turn(folder: Path) -> Iterator[None]:
    """Answers and SHA256SUMS of a folder are written one after the other; a sweep may be played meanwhile."""
    inside = (folder / "cells", folder / "answers")
    with held(next((path for path in inside if path.is_dir()), folder / "cells")):
        yield
