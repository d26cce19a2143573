"""Where compiled code is kept between runs.

numba notices an edit only in the file a function stands in, not in the files it calls; a changed constant would keep its old
value. So the cache folder is named by a hash of every engine and policy source: another source, another folder.
`configure` must run before numba is imported.
"""

import hashlib
import os
import sys
from pathlib import Path

HOUSE = Path(__file__).resolve().parent.parent
KEEP_FOLDERS = 6


def source_hash(extra: tuple[Path, ...] = ()) -> str:
    """16 hex digits over the jitted sources of the house and of `extra` files from outside."""
    digest = hashlib.sha256(f"{sys.version_info[:2]}{os.environ.get('BARTIZAN_BOUNDSCHECK', '')}".encode())
    ours = sorted([*(HOUSE / "simcore").rglob("*.py"), *(HOUSE / "policies").rglob("*.py")])
    for path in [*ours, *extra]:
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


def configure(extra: tuple[Path, ...] = ()) -> Path:
    """Point numba at the folder for exactly these sources and return it; oldest folders beyond KEEP_FOLDERS are deleted."""
    folder = cache_root() / source_hash(extra)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        os.utime(folder)
        _drop_oldest(folder.parent)
    except OSError:  # a read-only home: compile afresh each time, in a temporary place
        import tempfile

        folder = Path(tempfile.mkdtemp(prefix="bartizan-"))
    os.environ["NUMBA_CACHE_DIR"] = str(folder)
    return folder


def is_warm(folder: Path, needle: str) -> bool:
    """True when compiled code whose file name contains `needle` is already in the folder."""
    return any(folder.rglob(f"*{needle}*.nbi"))


def _drop_oldest(root: Path) -> None:
    import shutil

    folders = sorted((p for p in root.iterdir() if p.is_dir()), key=lambda p: p.stat().st_mtime)
    for old in folders[:-KEEP_FOLDERS]:
        shutil.rmtree(old, ignore_errors=True)
