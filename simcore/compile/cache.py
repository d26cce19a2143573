"""The cache of compiled code between runs.

One folder contains the code of all games and all versions of the sources. numba identifies functions only by
file, qualified name, line and argument types. `simcore.compile.index` therefore names the code of a file by a
hash of its contents (`simcore.compile.trees`, `simcore.compile.identity`), and `simcore.compile.loops` adds
such a hash to the names of functions that are bound to a game. `configure` must run before numba is imported.
"""

import os
import re
import stat
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import NoReturn

from bartizan.simcore.compile import fence
from bartizan.simcore.compile.trees import is_ours as is_ours
from bartizan.simcore.errors import UsageError

OWN = "bartizan-cache"  # the only subfolder of BARTIZAN_CACHE that belongs to Bartizan
# bford.info/cachedir: backup tools skip a folder with this file; without it, nothing here is deleted
TAG = "CACHEDIR.TAG"
SIGNATURE = "Signature: 8a477f597d28d172789f06886806bc55\n# Compiled code of Bartizan. Safe to delete.\n"
FOLDER = re.compile(r"py\d+(-bounds)?(-[0-9a-f]{16})?")  # see `folder_name`, and `shipped.unpack`
OTHERS_WRITE = stat.S_IWGRP | stat.S_IWOTH
PIECES = "inner"  # folder of `simcore.compile.pieces`, beside those of modules
KEEP_FOLDERS = 6  # for other Python versions and other wheels
KEEP_BYTES = 2**30  # in one folder
not_shipped = ""  # reason why installed compiled code, or this version of numba, is not used
IN_USE = 24 * 3600  # seconds after the last use during which a file may still be in use
CLEANED = "cleaned"  # file in such a folder; its modification time is that of the last `drop_unused`
EVERY = 3600  # seconds between two searches for unused files: a folder can have 100,000


def cache_root() -> Path:
    """Return the folder of all compiled code.

    It is in the user's cache folder, or is the subfolder `OWN` of `BARTIZAN_CACHE`. Only Bartizan uses it.
    """
    chosen = os.environ.get("BARTIZAN_CACHE")
    if chosen:
        return Path(chosen) / OWN
    from platformdirs import user_cache_path

    return user_cache_path("bartizan", appauthor=False) / "compiled"


def folder_name() -> str:
    """Return the folder name for this process.

    It contains the Python version and the bounds checking of built-in code, on which compiled code depends
    besides its sources.
    """
    bounds = os.environ.get("BARTIZAN_BOUNDSCHECK", "")
    name = f"py{sys.version_info[0]}{sys.version_info[1]}{'-bounds' if bounds else ''}"
    return name if fence.is_tested() else f"{name}-{fence.folder_of_its_own()}"


def configure() -> Path:
    """Set numba's cache folder and return it.

    If an installed wheel of compiled code matches, the folder is filled from it. The oldest folders beyond
    KEEP_FOLDERS are deleted unless another process may be using them. If no folder can be made (a read-only
    home folder), a temporary folder is used for this process. Raises UsageError for a folder that another
    user can write to, because loading compiled code runs it.
    """
    from bartizan.simcore.compile import shipped  # archives and metadata: `--help` does not need them

    global not_shipped
    root = cache_root()
    try:
        claim(root)
        folder, not_shipped = root / folder_name(), fence.warning()
        if not not_shipped:
            folder, not_shipped = shipped.unpack(folder)
        folder.mkdir(exist_ok=True)
        os.utime(folder)
    except OSError:
        folder = _temporary()
    else:
        _drop_oldest(root)
    os.environ["NUMBA_CACHE_DIR"] = str(folder)
    not_shipped = not_shipped or shipped.changed(folder)
    # loops in rules and policies are short: vectorizing them makes games a seventh slower
    os.environ.setdefault("NUMBA_LOOP_VECTORIZE", "0")
    numba = sys.modules.get("numba")
    if numba:  # imported already: it reads the variable again only when it compiles
        numba.config.CACHE_DIR = str(folder)
    elif (
        folder / shipped.MARK
    ).exists():  # compiled for the generic CPU: a different CPU setting would find nothing in it
        os.environ.update({name: os.environ.get(name, value) for name, value in shipped.GENERIC.items()})
    return folder


def claim(root: Path) -> None:
    """Create the folder of a cache, protect it, and tag it if it is new or empty.

    Other users lose the permission to write to it (POSIX).

    Raises UsageError if another user owns it or could replace it, or if it has content and every user may
    write to it.
    """
    root.mkdir(parents=True, exist_ok=True)
    if os.name == "posix":
        status, around = root.stat(), root.parent.stat()
        if status.st_uid != os.geteuid():
            _refuse(root, "belongs to another user")
        if status.st_mode & stat.S_IWOTH and any(root.iterdir()):
            _refuse(root, "every user can write there")
        theirs = around.st_gid not in (os.getegid(), *([0] if around.st_uid == 0 else ()))
        by_others = stat.S_IWOTH | (stat.S_IWGRP if theirs else 0)
        if around.st_mode & by_others and not around.st_mode & stat.S_ISVTX:
            _refuse(root.parent, "other users can write there")
        if around.st_uid not in (0, os.geteuid()):
            _refuse(root.parent, "belongs to another user")
        if status.st_mode & OTHERS_WRITE:
            root.chmod(stat.S_IMODE(status.st_mode) & ~OTHERS_WRITE)
    is_default = not os.environ.get("BARTIZAN_CACHE")  # versions before the tag also created this one
    if not (root / TAG).exists() and (is_default or not any(root.iterdir())):
        (root / TAG).write_text(SIGNATURE, encoding="ascii")


def _refuse(folder: Path, why: str) -> NoReturn:
    raise UsageError(
        f"{folder}: {why}: Bartizan would run any code placed there; set BARTIZAN_CACHE to a folder of "
        "your own that nobody else can write to"
    )


@cache
def _temporary() -> Path:
    """Return a cache folder for this process, deleted at its end."""
    import atexit
    import shutil
    import tempfile

    folder = Path(tempfile.mkdtemp(prefix="bartizan-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder


def is_warm(folder: Path, needle: str) -> bool:
    """Return whether the folder contains compiled code whose file name includes `needle`."""
    return any(folder.rglob(f"*{needle}*.nbi"))


def _drop_oldest(root: Path) -> None:
    """Delete all but the KEEP_FOLDERS most recently used folders of compiled code.

    Does nothing if `root` has no tag of Bartizan, and keeps folders that may be in use.
    """
    import shutil

    if not (root / TAG).is_file():
        return
    folders = sorted(_made_here(root))
    for used, old in folders[:-KEEP_FOLDERS]:
        if time.time() - used > IN_USE:
            shutil.rmtree(old, ignore_errors=True)


def _made_here(root: Path) -> Iterator[tuple[float, Path]]:
    """Yield (time of last use, folder) for each folder made by `configure`.

    Another process may delete these folders meanwhile.
    """
    for path in root.iterdir():
        try:
            status = path.lstat()
        except FileNotFoundError:
            continue
        if stat.S_ISDIR(status.st_mode) and FOLDER.fullmatch(path.name):
            yield status.st_mtime, path


def drop_unused(folder: Path) -> None:
    """Delete the least recently used files of compiled code until at most KEEP_BYTES are left.

    Files that may still be in use are kept.

    Does nothing if this or another process has called it for the folder in the last EVERY seconds.
    """
    mark = folder / CLEANED
    if not folder.is_dir():
        return
    with suppress(OSError):
        if abs(time.time() - mark.stat().st_mtime) < EVERY:
            return
    with suppress(OSError):
        mark.touch()
    size = 0
    for used, bytes_in, path in sorted(_kept(folder), reverse=True):
        size += bytes_in
        if size > KEEP_BYTES and time.time() - used > IN_USE:
            Path(path).unlink(missing_ok=True)


def _kept(folder: Path) -> Iterator[tuple[float, int, str]]:
    """Yield (time of last use, size in bytes, path) for each file.

    Another process may delete files meanwhile.
    """
    for place in folder.iterdir():
        with suppress(FileNotFoundError, NotADirectoryError), os.scandir(place) as entries:
            for entry in entries:  # ten thousand: `Path` takes ten times as long
                if entry.name.endswith((".nbi", ".nbc")):
                    with suppress(FileNotFoundError):
                        status = entry.stat()
                        yield status.st_mtime, status.st_size, entry.path
