"""Where compiled code is kept between runs.

One folder holds the code of all games and all states of the sources. numba tells functions apart by file,
qualified name, line and argument types only: `simcore.compile.index` names what is kept of a file by what its
code is made of (`simcore.compile.trees`, `simcore.compile.identity`), and `simcore.compile.jit` puts that
into the names of functions from outside the house and of the loops that are bound to a game. `configure`
must run before numba is imported.
"""

import os
import re
import stat
import sys
import time
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import NoReturn

from bartizan.simcore.compile import fence
from bartizan.simcore.compile.trees import is_ours as is_ours
from bartizan.simcore.errors import UsageError

OWN = "bartizan-cache"  # the one sub-folder of BARTIZAN_CACHE that belongs to Bartizan
# bford.info/cachedir: backup tools skip a folder with this file, and without it nothing is deleted here
TAG = "CACHEDIR.TAG"
SIGNATURE = "Signature: 8a477f597d28d172789f06886806bc55\n# Compiled code of Bartizan. Safe to delete.\n"
FOLDER = re.compile(r"py\d+(-bounds)?(-[0-9a-f]{16})?")  # see `folder_name`, and `shipped.unpack`
OTHERS_WRITE = stat.S_IWGRP | stat.S_IWOTH
PIECES = "inner"  # folder of `simcore.compile.pieces`, beside those of modules
KEEP_FOLDERS = 6  # of other Pythons, other wheels
KEEP_BYTES = 2**30  # in one folder
not_shipped = ""  # why the compiled code that is installed, or this version of numba, is not used
IN_USE = 24 * 3600  # seconds since something was last used, within which somebody may still be at it


def cache_root() -> Path:
    """Folder of all compiled code, which belongs to Bartizan alone: in the user's cache folder, or the
    sub-folder `OWN` of `BARTIZAN_CACHE`.
    """
    chosen = os.environ.get("BARTIZAN_CACHE")
    if chosen:
        return Path(chosen) / OWN
    from platformdirs import user_cache_path

    return user_cache_path("bartizan", appauthor=False) / "compiled"


def folder_name() -> str:
    """Name of the folder for this process: the version of Python, and whether the bounds of arrays are
    checked in built-in code. Compiled code depends on both besides its sources.
    """
    bounds = os.environ.get("BARTIZAN_BOUNDSCHECK", "")
    name = f"py{sys.version_info[0]}{sys.version_info[1]}{'-bounds' if bounds else ''}"
    return name if fence.is_tested() else f"{name}-{fence.folder_of_its_own()}"


def configure() -> Path:
    """Point numba at its cache folder and return it.

    The folder is filled from the installed wheel of compiled code where that fits. The oldest folders beyond
    KEEP_FOLDERS are deleted unless another process may be using them. Where no folder can be made (a
    read-only home), a temporary one lasts as long as this process. Raises UsageError for a folder that
    another user can write to, because loading compiled code runs it.
    """
    from bartizan.simcore.compile import shipped  # archives and metadata: `--help` does without

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
    # the loops of rules and policies are short: games take a seventh longer with theirs made vectors
    os.environ.setdefault("NUMBA_LOOP_VECTORIZE", "0")
    numba = sys.modules.get("numba")
    if numba:  # imported already: it reads the variable again only when it compiles
        numba.config.CACHE_DIR = str(folder)
    elif (
        folder / shipped.MARK
    ).exists():  # compiled for the generic CPU: another one would find nothing in it
        os.environ.update({name: os.environ.get(name, value) for name, value in shipped.GENERIC.items()})
    return folder


def claim(root: Path) -> None:
    """Make the folder, for this user alone, and tag a new or empty one as a cache.

    Raises UsageError where another user owns it, could have written to it, or could put another in its place.
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
    is_default = not os.environ.get("BARTIZAN_CACHE")  # versions before the tag made that one too
    if not (root / TAG).exists() and (is_default or not any(root.iterdir())):
        (root / TAG).write_text(SIGNATURE, encoding="ascii")


def _refuse(folder: Path, why: str) -> NoReturn:
    raise UsageError(
        f"{folder}: {why}: they could put code there that Bartizan would run; set BARTIZAN_CACHE to a folder "
        "of your own that nobody else can write to"
    )


@cache
def _temporary() -> Path:
    """A cache folder for this process, deleted at its end."""
    import atexit
    import shutil
    import tempfile

    folder = Path(tempfile.mkdtemp(prefix="bartizan-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder


def is_warm(folder: Path, needle: str) -> bool:
    """True when compiled code whose file name contains `needle` is already in the folder."""
    return any(folder.rglob(f"*{needle}*.nbi"))


def _drop_oldest(root: Path) -> None:
    """Delete the oldest folders of compiled code; only such folders, and only in a folder that Bartizan
    tagged.
    """
    import shutil

    if not (root / TAG).is_file():
        return
    folders = sorted(_made_here(root))
    for used, old in folders[:-KEEP_FOLDERS]:
        if time.time() - used > IN_USE:
            shutil.rmtree(old, ignore_errors=True)


def _made_here(root: Path) -> Iterator[tuple[float, Path]]:
    """(time of last use, folder) of each folder that `configure` makes; another process may delete one
    meanwhile.
    """
    for path in root.iterdir():
        try:
            status = path.lstat()
        except FileNotFoundError:
            continue
        if stat.S_ISDIR(status.st_mode) and FOLDER.fullmatch(path.name):
            yield status.st_mtime, path


def drop_unused(folder: Path) -> None:
    """What has not been read for the longest goes until KEEP_BYTES are left; what somebody may be using
    stays.
    """
    kept = sorted(_kept(folder.glob("*/*.nb[ic]")), reverse=True)
    size = 0
    for used, bytes_in, path in kept:
        size += bytes_in
        if size > KEEP_BYTES and time.time() - used > IN_USE:
            path.unlink(missing_ok=True)


def _kept(paths: Iterable[Path]) -> Iterator[tuple[float, int, Path]]:
    """(when it was last read, bytes, path) of files, which another process may delete meanwhile."""
    for path in paths:
        try:
            status = path.stat()
        except FileNotFoundError:
            continue
        yield status.st_mtime, status.st_size, path
