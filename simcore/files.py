"""Files written whole or not at all, and folders that one process has to itself."""

import hashlib
import json
import os
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

from bartizan.simcore.errors import EngineError, UsageError


@contextmanager
def whole(path: Path) -> Iterator[Path]:
    """A file to write to, which becomes `path` at the end; whatever happens meanwhile, `path` stays."""
    temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        yield temporary
        os.replace(temporary, path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


def write_atomic(path: Path, content: bytes) -> None:
    """The whole file or none of it, whatever happens meanwhile."""
    with whole(path) as temporary, open(temporary, "wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())


def read_document(path: Path) -> dict:
    """A JSON document; {} where there is no file. Raises EngineError for anything else."""
    try:
        document = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    except (OSError, ValueError) as error:
        raise EngineError(f"{path}: damaged ({error}); delete it and make it anew") from error
    if not isinstance(document, dict):
        raise EngineError(f"{path}: damaged (no document); delete it and make it anew")
    return document


@contextmanager
def writing(where: Path | str, advice: str = "") -> Iterator[None]:
    """A file that cannot be written is the user's to mend: UsageError. advice: what else helps."""
    try:
        yield
    except OSError as error:
        advice = advice and f"; {advice}"
        raise UsageError(f"{where}: cannot be written: {error.strerror or error}{advice}") from error


def is_left_over(path: Path) -> bool:
    """Is it what a process left that was killed in `whole`?"""
    return path.name.startswith(".") and path.name.endswith(".tmp")


def file_digest(path: Path) -> str:
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


# ---------------------------------------------------------------- locks

# The system's own lock on a folder, which goes with its process.
#
# Where there is no such lock (some network disks, Windows) nothing is held.


@contextmanager
def held(folder: Path, wait: bool = True) -> Iterator[None]:
    """Hold the folder meanwhile. Raises BlockingIOError where somebody else does and `wait` is off."""
    with ExitStack() as stack:
        try:
            import fcntl

            handle = os.open(folder, os.O_RDONLY)
            stack.callback(os.close, handle)
            fcntl.flock(handle, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
        except BlockingIOError:
            raise
        except (ImportError, OSError):
            pass
        yield


# ---------------------------------------------------------------- sweep folders

# One writer at a time, for sweep folders.
#
# Where the system has no lock, files are still written whole, and `sweep.run.refuse_overtaken` still tells
# two different sweeps apart.


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
