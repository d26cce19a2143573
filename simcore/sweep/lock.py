"""One writer at a time, for sweep folders: the system's own lock on a folder, which goes with its process.

Where there is no such lock (some network disks, Windows) nothing is held; files are still written whole, and
`resume.refuse_overtaken` still tells two different sweeps apart.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from bartizan.simcore.errors import UsageError


@contextmanager
def alone(folder: Path) -> Iterator[None]:
    """Nobody else plays or merges into a folder meanwhile. Raises UsageError where somebody does."""
    with suppress(OSError):  # what is wrong with the folder is said by who writes into it
        folder.mkdir(parents=True, exist_ok=True)
    with _held(folder, wait=False):
        yield


@contextmanager
def in_turn(folder: Path) -> Iterator[None]:
    """Answers and SHA256SUMS of a folder are written one after the other; a sweep may be played meanwhile."""
    inside = (folder / "cells", folder / "answers")
    with _held(next((path for path in inside if path.is_dir()), folder / "cells"), wait=True):
        yield


@contextmanager
def _held(folder: Path, wait: bool) -> Iterator[None]:
    handle = _opened(folder)
    try:
        if handle is not None:
            _lock(handle, folder, wait)
        yield
    finally:
        if handle is not None:
            os.close(handle)


def _opened(folder: Path) -> int | None:
    try:
        return os.open(folder, os.O_RDONLY)
    except OSError:
        return None


def _lock(handle: int, folder: Path, wait: bool) -> None:
    try:
        import fcntl
    except ImportError:
        return
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
    except BlockingIOError:
        raise UsageError(
            f"{folder}: another process is playing into it; wait for its end and run this again, or name "
            "another folder with -o"
        ) from None
    except OSError:
        return
