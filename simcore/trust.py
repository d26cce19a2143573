"""Whose Python is run. A file that its user names, in a command or in Python, is; one that somebody's results
name is only if its user has named it here before, as it is now, or allows it.

What has been named is noted in the cache folder, by place and sources; whoever deletes the notes allows anew.
"""

import hashlib
import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from dataclasses import dataclass
from pathlib import Path

from bartizan.simcore.compile.cache import cache_root
from bartizan.simcore.errors import UsageError
from bartizan.simcore.sources import source_hash

NOTES = "known.txt"  # in the cache folder: a line a file that was named, or a policy that was looked at


@dataclass(frozen=True)
class Reading:
    """Something from elsewhere that is being read. allowing: the command that allows a file."""

    what: Path
    trusted: tuple[Path, ...]
    allowing: Callable[[Path], str]


_reading: ContextVar[Reading | None] = ContextVar("reading", default=None)


@contextmanager
def only_known(what: Path, trusted: Sequence[Path], allowing: Callable[[Path], str]) -> Iterator[None]:
    """Meanwhile only files that are known, or trusted, are run; others raise UsageError."""
    token = _reading.set(Reading(what, tuple(path.resolve() for path in trusted), allowing))
    try:
        yield
    finally:
        _reading.reset(token)


def hold_known(path: Path) -> None:
    """Raises UsageError for a file that may not be run now. path: whole."""
    reading = _reading.get()
    if reading is None or path in reading.trusted or is_noted(_mark(path)):
        return
    raise UsageError(
        f"{path}: is code that {reading.what} names, and it was not run: you have not named it yourself on "
        "this machine, or it has changed since; look at it, then allow it with: "
        f"{reading.allowing(path)}"
    )


def note_named(path: Path) -> None:
    """A file that has been run, because its user named or allowed it."""
    note(_mark(path))


def _mark(path: Path) -> str:
    """A file where it is, as it is, with what it imports from beside it."""
    try:
        return mark("named", str(path), source_hash(path))
    except (OSError, SyntaxError, ValueError, RecursionError):
        return ""


# ---------------------------------------------------------------- the notes


def mark(*said: str) -> str:
    """What stands in the notes for some words."""
    return hashlib.sha256("\n".join(said).encode(errors="surrogatepass")).hexdigest()


def is_noted(one: str) -> bool:
    try:
        return bool(one) and one in (cache_root() / NOTES).read_text(encoding="ascii").split()
    except (OSError, ValueError):
        return False


def note(one: str) -> None:
    """Noted once; where the cache folder cannot be written, not at all."""
    if not one or is_noted(one):
        return
    with suppress(OSError):
        cache_root().mkdir(parents=True, exist_ok=True)
        handle = os.open(cache_root() / NOTES, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        try:
            os.write(handle, f"{one}\n".encode())
        finally:
            os.close(handle)
