"""Which source files a game or a policy is made of, and one hash over them."""

import hashlib
from collections.abc import Sequence
from modulefinder import ModuleFinder
from pathlib import Path


def source_hash(path: Path) -> str:
    """16 hex digits over `source_files`."""
    return hashlib.sha256(b"".join(file.read_bytes() for file in source_files(path))).hexdigest()[:16]


def joined_hash(hashes: Sequence[str]) -> str:
    """One for several; of one itself."""
    return hashes[0] if len(hashes) == 1 else hashlib.sha256("".join(hashes).encode()).hexdigest()[:16]


def source_files(path: Path) -> list[Path]:
    """A package is taken whole, since its modules lean on each other; a file by itself with the modules
    beside it that it imports, and those that they import.
    """
    path = Path(path).resolve()
    if path.is_dir():
        return sorted(path.rglob("*.py"))
    if (path.parent / "__init__.py").exists():
        return sorted(path.parent.glob("*.py"))
    finder = ModuleFinder(path=[str(path.parent)])
    finder.run_script(str(path))
    files = (getattr(module, "__file__", None) for module in finder.modules.values())
    return sorted({Path(file).resolve() for file in files if file})
