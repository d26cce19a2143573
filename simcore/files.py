"""Files written whole or not at all, files that several processes change, and folders that one has to itself.

Bartizan deletes, renames or overwrites only what it made: a temporary file of its own (`abandoned`), a file
or folder that the user named as output, or a file whose content says that Bartizan wrote it. The places are
listed in docs/files.md.
"""

import hashlib
import json
import os
import re
import secrets
import socket
import time
import zipfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

from bartizan.simcore.errors import EngineError, UsageError

# .NAME.PID.HOST-TOKEN.tmp; before 2026-12 there was no HOST-TOKEN
LEFT_OVER = re.compile(r"\.(?P<name>.+?)\.(?P<pid>\d+)(\.(?P<host>[0-9a-f]{8})-[0-9a-f]{8})?\.tmp")
HOST = hashlib.sha256(socket.gethostname().encode()).hexdigest()[:8]
ABANDONED = 24 * 3600  # seconds after which a temporary file of an unknown process has been left over


@contextmanager
def whole(path: Path) -> Iterator[Path]:
    """Yield a temporary file, which replaces `path` at the end; after an error `path` is unchanged.

    The temporary name differs for each process, thread and call.
    """
    temporary = path.with_name(f".{path.name}.{os.getpid()}.{HOST}-{secrets.token_hex(4)}.tmp")
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
        raise EngineError(f"{path}: damaged ({error}); delete it and create it again") from error
    if not isinstance(document, dict):
        raise EngineError(f"{path}: damaged (no document); delete it and create it again")
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
    """Return whether `path` is a temporary file of `whole`, whether its process is alive or not."""
    return LEFT_OVER.fullmatch(path.name) is not None


def drop_abandoned(folder: Path, name: str = "") -> None:
    """Delete temporary files of `whole` in a folder and below whose processes have ended.

    name: only those of the file of this name in the folder itself.
    """
    for path in folder.glob(f".{name}.*.tmp") if name else folder.rglob("*.tmp"):
        if (
            (found := LEFT_OVER.fullmatch(path.name))
            and name in ("", found["name"])
            and _is_over(path, found)
        ):
            path.unlink(missing_ok=True)


def _is_over(path: Path, found: re.Match[str]) -> bool:
    """Return whether the process of a temporary file has ended; where that is unknown, whether it is old."""
    if found["host"] in (None, HOST) and os.name == "posix":
        try:
            os.kill(int(found["pid"]), 0)
        except (ProcessLookupError, OverflowError):
            return True
        except OSError:
            pass  # it runs under another user
    with suppress(OSError):
        return time.time() - path.stat().st_mtime > ABANDONED
    return False


# ---------------------------------------------------------------- files that the user names

MADE_HERE = "made by Bartizan"  # part of every page, picture and table that Bartizan writes
EDGE = 2**16  # bytes at either end of a file in which it is looked for
SIGNS = (MADE_HERE.encode(), b'"schema": "bartizan.', b'"schema":"bartizan.')  # the others are of JSON
HEADING_MARK = "(Bartizan)"  # in the headings of columns that Bartizan adds to a designer's sheet
MARKED_HEADINGS = re.compile(rb'[,;\t|].*\(Bartizan\)"?$')  # a row of a .csv that ends in such a heading
ROWS_OF_HEADINGS = 25  # of a sheet, among which the headings are
EXPORTED = {b"game", b"plies", b"end_reason", b"winner"}  # columns of an exported .csv


def check_output(path: Path, option: str = "-o") -> None:
    """Check a file that the user names, before anything is played. Raises UsageError where its folder is
    missing, or where a file is there that Bartizan did not write.
    """
    if not path.parent.is_dir():
        raise UsageError(f"{option} {path}: the folder {path.parent} does not exist")
    if path.is_dir():
        raise UsageError(f"{option} {path}: this is a folder; give a file")
    if path.exists() and not is_made_here(path):
        raise UsageError(
            f"{option} {path}: Bartizan did not write this file and does not overwrite it; choose "
            "another file, or delete this one"
        )


def is_made_here(path: Path) -> bool:
    """Return whether the content of a file says that Bartizan wrote it; an empty file is nobody's."""
    try:
        with open(path, "rb") as file:
            head = file.read(EDGE)
            file.seek(max(file.seek(0, os.SEEK_END) - EDGE, 0))
            tail = file.read()
    except OSError:
        return False
    if head.startswith(b"PK"):
        return _is_workbook_made_here(path)
    if any(map(MARKED_HEADINGS.search, head.splitlines()[:ROWS_OF_HEADINGS])):
        return True
    is_export = set(head.partition(b"\n")[0].strip().split(b",")) >= EXPORTED
    return not head or is_export or any(sign in part for sign in SIGNS for part in (head, tail))


def _is_workbook_made_here(path: Path) -> bool:
    """Return whether Bartizan was the last to save a workbook: spreadsheet programs write their own name."""
    try:
        with zipfile.ZipFile(path) as archive:
            properties = archive.read("docProps/app.xml")
    except (OSError, KeyError, ValueError, zipfile.BadZipFile, RuntimeError):
        return False
    return f"<Application>{MADE_HERE}<".encode() in properties


def file_digest(path: Path) -> str:
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


# ---------------------------------------------------------------- files that several processes change


@contextmanager
def updating(path: Path, wait: bool = True) -> Iterator[None]:
    """Hold a file from reading it to writing it, against other processes and threads of this user.

    wait: until another one is done; otherwise raises UsageError at once.
    """
    from filelock import FileLock, Timeout

    from bartizan.simcore.compile.cache import cache_root, claim

    with ExitStack() as stack:
        try:
            root = cache_root()
            claim(root)
            (root / "locks").mkdir(exist_ok=True)
            digest = hashlib.sha256(os.fsencode(path.resolve())).hexdigest()[:16]
            stack.enter_context(FileLock(root / "locks" / f"{digest}.lock", timeout=-1 if wait else 0))
        except Timeout:
            raise UsageError(
                f"{path}: another process is writing this file; wait until it ends and run the "
                "command again, or choose another file with -o"
            ) from None
        except OSError:
            pass  # a read-only home has no place for a lock
        yield


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
                f"{folder}: another process is writing to this folder; wait until it ends and run "
                "the command again, or choose another folder with -o"
            ) from None
        yield


@contextmanager
def in_turn(folder: Path) -> Iterator[None]:
    """Answers and SHA256SUMS of a folder are written one after the other; a sweep may be played meanwhile."""
    inside = (folder / "cells", folder / "answers")
    with held(next((path for path in inside if path.is_dir()), folder / "cells")):
        yield
