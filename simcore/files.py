"""Atomic writes, files that several processes change, and exclusive access to folders.

Bartizan deletes, renames or overwrites only its own files: a temporary file (`drop_abandoned`), a file or
folder that the user named as output, or a file whose content shows that Bartizan wrote it. docs/files.md
lists the places.
"""

import hashlib
import json
import os
import re
import secrets
import shlex
import socket
import subprocess
import time
import zipfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

from bartizan.simcore.errors import EngineError, UsageError, unreadable

# .NAME.PID.HOST-TOKEN.tmp; before 2026-12 without HOST-TOKEN
LEFT_OVER = re.compile(r"\.(?P<name>.+?)\.(?P<pid>\d+)(\.(?P<host>[0-9a-f]{8})-[0-9a-f]{8})?\.tmp")
HOST = hashlib.sha256(socket.gethostname().encode()).hexdigest()[:8]
ABANDONED = 24 * 3600  # seconds after which a temporary file of an unknown process counts as abandoned


def quoted(path: Path | str) -> str:
    """Return a path as one word of a command line of this machine."""
    return subprocess.list2cmdline([str(path)]) if os.name == "nt" else shlex.quote(str(path))


@contextmanager
def whole(path: Path) -> Iterator[Path]:
    """Yield the path of a temporary file, which replaces `path` at the end of the context.

    After an error, `path` is unchanged.
    """
    temporary = path.with_name(f".{path.name}.{os.getpid()}.{HOST}-{secrets.token_hex(4)}.tmp")
    try:
        yield temporary
        os.replace(temporary, path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


def write_atomic(path: Path, content: bytes) -> None:
    """Write a file completely or not at all."""
    with whole(path) as temporary, open(temporary, "wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())


def read_document(path: Path) -> dict:
    """Return a JSON document; {} if there is no file.

    Raises EngineError for a file that cannot be read or is not a JSON object.
    """
    try:
        document = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    except (OSError, ValueError, RecursionError) as error:
        raise EngineError(f"{path}: damaged ({unreadable(error)}); delete it and create it again") from error
    if not isinstance(document, dict):
        raise EngineError(f"{path}: damaged (no JSON object); delete it and create it again")
    return document


@contextmanager
def writing(where: Path | str, advice: str = "") -> Iterator[None]:
    """Turn an OSError in the context into a UsageError, which the user can correct.

    advice: additional advice for the message.
    """
    try:
        yield
    except OSError as error:
        advice = advice and f"; {advice}"
        raise UsageError(f"{where}: cannot be written: {error.strerror or error}{advice}") from error


def is_left_over(path: Path) -> bool:
    """Return whether `path` is a temporary file of `whole`, whether or not its process is running."""
    return LEFT_OVER.fullmatch(path.name) is not None


def drop_abandoned(folder: Path, name: str = "") -> None:
    """Delete temporary files of `whole`, in a folder and below it, whose processes have ended.

    name: delete only temporary files for the file of this name in the folder itself.
    """
    for path in folder.glob(f".{name}.*.tmp") if name else folder.rglob("*.tmp"):
        if (
            (found := LEFT_OVER.fullmatch(path.name))
            and name in ("", found["name"])
            and _is_over(path, found)
        ):
            path.unlink(missing_ok=True)


def _is_over(path: Path, found: re.Match[str]) -> bool:
    """Return whether a temporary file is abandoned.

    True if its process has ended. If the process may still be running, True after ABANDONED seconds.
    """
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
EDGE = 2**16  # bytes searched at either end of a file
# the other two signs mark JSON files
SIGNS = (MADE_HERE.encode(), b'"schema": "bartizan.', b'"schema":"bartizan.')
HEADING_MARK = "(Bartizan)"  # in the headings of columns that Bartizan adds to a designer's sheet
MARKED_HEADINGS = re.compile(rb'[,;\t|].*\(Bartizan\)"?$')  # a row of a .csv file that ends in such a heading
ROWS_OF_HEADINGS = 25  # first rows of a sheet, in which headings are searched
FILE_ENDINGS = {
    ".csv",
    ".htm",
    ".html",
    ".json",
    ".md",
    ".parquet",
    ".pdf",
    ".png",
    ".svg",
    ".tsv",
    ".txt",
    ".xlsx",
}
EXPORTED = {b"game", b"plies", b"end_reason", b"winner"}  # columns of an exported .csv


def check_output(path: Path, option: str = "-o") -> None:
    """Check an output file before anything is simulated.

    Raises UsageError if its folder is missing, if it is itself a folder, or if it exists and Bartizan did not
    write it.
    """
    check_folder(path, option)
    if path.is_dir():
        raise UsageError(f"{option} {path}: this is a folder; give a file")
    if path.exists() and not is_made_here(path):
        raise UsageError(
            f"{option} {path}: Bartizan did not write this file and does not overwrite it; choose "
            "another file, or delete this one"
        )


def check_folder(path: Path, option: str = "-o") -> None:
    """Raise UsageError if the folder of an output file does not exist."""
    if not path.parent.is_dir():
        raise UsageError(f"{option} {path}: the folder {path.parent} does not exist; create it first")


def check_new_folder(path: Path) -> None:
    """Raise UsageError if a new folder would have the name of a file, such as `page.html`."""
    if path.suffix.lower() in FILE_ENDINGS and not path.exists():
        raise UsageError(f"-o {path}: the results need a folder, not a file; write -o {path.with_suffix('')}")


def is_made_here(path: Path) -> bool:
    """Return whether the content of a file shows that Bartizan wrote it; True for an empty file."""
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
    """Return whether Bartizan was the last program that saved a workbook.

    Spreadsheet programs write their own name.
    """
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
    """Lock a file against other processes and threads of this user, while it is read and written.

    If the cache folder is not writable, no lock is used.

    wait: whether to wait if another process has the lock. If False, raise UsageError instead.
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
            pass  # a read-only home folder has no place for a lock
        yield


# ---------------------------------------------------------------- locks

# The lock of the operating system on a folder, which is released with its process.
#
# Without such a lock (some network disks, Windows), no lock is used.


@contextmanager
def held(folder: Path, wait: bool = True) -> Iterator[None]:
    """Lock a folder or file for the context.

    Raises BlockingIOError if another process has the lock and `wait` is false.
    """
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
# If the system has no lock, files are still written atomically, and `sweep.run.refuse_overtaken` still
# detects two different sweeps.


@contextmanager
def alone(folder: Path) -> Iterator[None]:
    """Lock a folder against other simulations and merges.

    Raises UsageError if it is already locked, or if a new folder has the name of a file, such as `page.html`.
    """
    check_new_folder(folder)
    with suppress(OSError):  # faults of the folder are reported when it is written
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
    """Lock a folder while its results and SHA256SUMS are written, so that only one process writes at a time.

    A sweep may run at the same time.
    """
    inside = (folder / "cells", folder / "answers")
    with held(next((path for path in inside if path.is_dir()), folder / "cells")):
        yield
