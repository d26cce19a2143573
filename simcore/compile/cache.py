"""Where compiled code is kept between runs.

numba notices an edit only in the file a function stands in, not in the files it calls; a changed constant
would keep its old value. So the cache folder is named by a hash of every engine and policy source: another
source, another folder. Within a folder numba tells functions apart by file, qualified name, line and argument
types only; `simcore.compile.jit` puts a `source_tag` into the names of functions from outside the house and
of the loops that are bound to a game. `configure` must run before numba is imported.
"""

import hashlib
import os
import sys
import time
from collections.abc import Iterable
from functools import cache
from pathlib import Path

from bartizan.simcore.compile import shipped

HOUSE = Path(__file__).resolve().parent.parent.parent
OURS = (HOUSE / "simcore", HOUSE / "policies")
KEEP_FOLDERS = 6
not_shipped = ""  # why the compiled code that is installed is not used
IN_USE = 24 * 3600  # seconds since a process last began to use a folder, within which it may still be at it


def source_hash(extra: tuple[Path, ...] = ()) -> str:
    """16 hex digits over the jitted sources of the house and of what stands beside the `extra` files from
    outside.
    """
    bounds = os.environ.get("BARTIZAN_BOUNDSCHECK", "")
    about = (
        f"{sys.version_info[:2]}{'' if bounds == 'outside' else bounds}"  # the house's own code is the same
    )
    return _digest(about + _house(), [source for path in extra for source in sources_of(path)])


@cache
def _house() -> str:
    """16 hex digits over the sources of the house, as they were when this process first asked."""
    return _digest("", sorted(path for folder in OURS for path in folder.rglob("*.py")))


def is_ours(path: Path) -> bool:
    """True for a source of the house: the name of the cache folder answers for those."""
    return any(Path(path).resolve().is_relative_to(folder) for folder in OURS)


def sources_of(path: Path) -> list[Path]:
    """The sources that compiled code of a file can be made of: from outside the house all of its folder, as
    it may import a neighbour, and as cards of a table have names.
    """
    path = Path(path).resolve()
    if is_ours(path) or not path.is_file():
        return [path] if path.is_file() else []
    return sorted(
        source
        for kind in ("*.py", "*.csv")
        for source in path.parent.glob(kind)
        if source.is_file() and os.access(source, os.R_OK)
    )


def source_tag(path: Path) -> str:
    """12 hex digits that change with the place of a file and with its sources (`sources_of`)."""
    path = Path(path).resolve()
    return _digest(path.name if is_ours(path) else str(path), sources_of(path))[:12]


def _digest(about: str, sources: list[Path]) -> str:
    digest = hashlib.sha256(about.encode())
    for path in sources:
        digest.update(path.name.encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def cache_root() -> Path:
    """The user's cache folder for compiled code (`BARTIZAN_CACHE` overrides it)."""
    chosen = os.environ.get("BARTIZAN_CACHE")
    if chosen:
        return Path(chosen)
    from platformdirs import user_cache_path

    return user_cache_path("bartizan", appauthor=False) / "compiled"


def prepare(named: Iterable[str]) -> Path:
    """`configure` for games as they are named: by name, or by a .py file, a plan, a scenario or a manifest.

    Policies do not count: another one must not compile the game again.
    """
    games = {text for name in named for text in (name, _game_within(Path(name)))}
    return configure(
        tuple(sorted(Path(text) for text in games if text.endswith(".py") and Path(text).is_file()))
    )


def _game_within(path: Path) -> str:
    """The game that a plan or scenario (.toml) or a manifest (.json) names; "" when it names none. What is
    wrong with such a file is said by who reads it.
    """
    import json
    import tomllib

    reading, key = {".toml": (tomllib.loads, "game"), ".json": (json.loads, "game_as_named")}.get(
        path.suffix, (None, "")
    )
    try:
        said = reading(path.read_text(encoding="utf-8")) if reading else {}
    except (OSError, ValueError, RecursionError):
        return ""
    game = said.get(key) if isinstance(said, dict) else None
    return game if isinstance(game, str) else ""


def configure(extra: tuple[Path, ...] = ()) -> Path:
    """Point numba at the folder for exactly these sources and return it; oldest folders beyond KEEP_FOLDERS
    are deleted, unless somebody may be using them.
    """
    folder = cache_root() / source_hash(extra)
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        if not folder.exists() and not extra:  # a game of one's own never ships
            _take_what_is_shipped(folder)
        folder.mkdir(exist_ok=True)
        os.utime(folder)
        _drop_oldest(folder.parent)
    except OSError:  # a read-only home: compile afresh each time, in a temporary place
        import tempfile

        folder = Path(tempfile.mkdtemp(prefix="bartizan-"))
    os.environ["NUMBA_CACHE_DIR"] = str(folder)
    numba = sys.modules.get("numba")
    if numba:  # imported already: it reads the variable again only when it compiles
        numba.config.CACHE_DIR = str(folder)
    elif (
        folder / shipped.MARK
    ).exists():  # compiled for the generic CPU: another one would find nothing in it
        os.environ.update({name: os.environ.get(name, value) for name, value in shipped.GENERIC.items()})
    return folder


def _take_what_is_shipped(folder: Path) -> None:
    """Compiled code of the installed wheel, where there is one that fits."""
    global not_shipped
    not_shipped = shipped.unpack(folder)


def is_warm(folder: Path, needle: str) -> bool:
    """True when compiled code whose file name contains `needle` is already in the folder."""
    return any(folder.rglob(f"*{needle}*.nbi"))


def _drop_oldest(root: Path) -> None:
    import shutil

    folders = sorted((p for p in root.iterdir() if p.is_dir()), key=lambda p: p.stat().st_mtime)
    for old in folders[:-KEEP_FOLDERS]:
        if time.time() - old.stat().st_mtime > IN_USE:
            shutil.rmtree(old, ignore_errors=True)
