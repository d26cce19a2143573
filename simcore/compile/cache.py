"""Where compiled code is kept between runs.

One folder holds the code of all games and all states of the sources. numba tells functions apart by file,
qualified name, line and argument types only: `simcore.compile.index` names what is kept of a file by what its
code is made of (`simcore.compile.trees`), and `simcore.compile.jit` puts a `source_tag` into the names of
functions from outside the house and of the loops that are bound to a game. `configure` must run before numba
is imported.
"""

import hashlib
import os
import sys
import time
from collections.abc import Iterable, Iterator
from pathlib import Path

from bartizan.simcore.compile import trees
from bartizan.simcore.compile.trees import is_ours

KEEP_FOLDERS = 6  # of other Pythons, other wheels
KEEP_BYTES = 2**30  # in one folder
not_shipped = ""  # why the compiled code that is installed is not used
IN_USE = 24 * 3600  # seconds since something was last used, within which somebody may still be at it


def source_tag(path: Path) -> str:
    """12 hex digits that change with what compiled code of a file is made of. From outside the house that is
    its place, all of its folder, as it may import a neighbour and as cards of a table have names, and all of
    the house that is imported there.
    """
    path = Path(path).resolve()
    if is_ours(path):
        return trees.closure_hash(frozenset(), path)[:12]
    digest, names = hashlib.sha256(str(path).encode()), set[str]()
    for source in sorted(one for kind in ("*.py", "*.csv") for one in path.parent.glob(kind)):
        if source.is_file() and os.access(source, os.R_OK):
            content = source.read_bytes()
            digest.update(source.name.encode() + content)
            if source.suffix == ".py":
                names.update(*trees.said(content)[1:3])
    digest.update(trees.closure_hash(frozenset(names)).encode())
    return digest.hexdigest()[:12]


def place_of(path: Path, line: int) -> str:
    """Where a function begins, and what its code is made of."""
    path = Path(path).resolve()
    return f"{trees.number_of(path, line) if is_ours(path) else line}-{source_tag(path)}"


def cache_root() -> Path:
    """The user's cache folder for compiled code (`BARTIZAN_CACHE` overrides it)."""
    chosen = os.environ.get("BARTIZAN_CACHE")
    if chosen:
        return Path(chosen)
    from platformdirs import user_cache_path

    return user_cache_path("bartizan", appauthor=False) / "compiled"


def folder_name() -> str:
    """By what compiled code hangs on beside its sources: the version of Python, and whether bounds are
    looked at in the house's own code.
    """
    bounds = os.environ.get("BARTIZAN_BOUNDSCHECK", "")
    return f"py{sys.version_info[0]}{sys.version_info[1]}{'-bounds' if bounds not in ('', 'outside') else ''}"


def configure() -> Path:
    """Point numba at its folder and return it, filled from the wheel of compiled code where one is installed
    and fits; oldest folders beyond KEEP_FOLDERS are deleted, unless somebody may be using them.
    """
    from bartizan.simcore.compile import shipped  # archives and metadata: `--help` does without

    global not_shipped
    root = cache_root()
    try:
        root.mkdir(parents=True, exist_ok=True)
        folder, not_shipped = shipped.unpack(root / folder_name())
        folder.mkdir(exist_ok=True)
        os.utime(folder)
        _drop_oldest(root)
    except OSError:  # a read-only home: compile afresh each time, in a temporary place
        import tempfile

        folder = Path(tempfile.mkdtemp(prefix="bartizan-"))
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


def is_warm(folder: Path, needle: str) -> bool:
    """True when compiled code whose file name contains `needle` is already in the folder."""
    return any(folder.rglob(f"*{needle}*.nbi"))


def _drop_oldest(root: Path) -> None:
    import shutil

    folders = sorted((p for p in root.iterdir() if p.is_dir()), key=lambda p: p.stat().st_mtime)
    for old in folders[:-KEEP_FOLDERS]:
        if time.time() - old.stat().st_mtime > IN_USE:
            shutil.rmtree(old, ignore_errors=True)


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
