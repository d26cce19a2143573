"""The system's own lock on a folder, which goes with its process.

Where there is no such lock (some network disks, Windows) nothing is held.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def held(folder: Path, wait: bool = True) -> Iterator[None]:
    """Nobody else holds the folder meanwhile.

    Raises BlockingIOError where somebody does and `wait` is off.
    """
    handle = _opened(folder)
    try:
        if handle is not None:
            _lock(handle, wait)
        yield
    finally:
        if handle is not None:
            os.close(handle)


def _opened(folder: Path) -> int | None:
    try:
        return os.open(folder, os.O_RDONLY)
    except OSError:
        return None


def _lock(handle: int, wait: bool) -> None:
    try:
        import fcntl
    except ImportError:
        return
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
    except BlockingIOError:
        raise
    except OSError:
        return
