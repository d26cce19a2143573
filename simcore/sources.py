"""Which source files a game or a policy is made of, and one hash over them."""

import ast
import hashlib
from collections.abc import Iterator, Sequence
from modulefinder import ModuleFinder
from pathlib import Path


def source_hash(path: Path) -> str:
    """16 hex digits over `source_files`."""
    return hashlib.sha256(b"".join(file.read_bytes() for file in source_files(path))).hexdigest()[:16]


def joined_hash(hashes: Sequence[str]) -> str:
    """One for several; of one itself."""
    return hashes[0] if len(hashes) == 1 else hashlib.sha256("".join(hashes).encode()).hexdigest()[:16]


def source_files(path: Path) -> list[Path]:
    """A folder is taken whole; a file with the modules beside it that it imports, and with those that they
    import.
    """
    path = Path(path).resolve()
    if path.is_dir():
        return sorted(path.rglob("*.py"))
    if (path.parent / "__init__.py").exists():
        return _with_neighbours(path)
    finder = ModuleFinder(path=[str(path.parent)])
    finder.run_script(str(path))
    files = (getattr(module, "__file__", None) for module in finder.modules.values())
    return sorted({Path(file).resolve() for file in files if file})


def _with_neighbours(path: Path) -> list[Path]:
    """Of a package, whose other imports stand elsewhere: ModuleFinder would follow them all."""
    found: set[Path] = set()
    ahead = [path, path.parent / "__init__.py"]
    while ahead:
        file = ahead.pop()
        if file not in found:
            found.add(file)
            beside = {other.stem: other for other in file.parent.glob("*.py")}
            ahead += [beside[name] for name in _imported(file) if name in beside]
    return sorted(found)


def _imported(file: Path) -> Iterator[str]:
    """Every name in its imports: a namesake of a neighbour counts as the neighbour, which does no harm."""
    for node in ast.walk(ast.parse(file.read_bytes())):
        if isinstance(node, ast.Import | ast.ImportFrom):
            yield from (part for name in node.names for part in name.name.split("."))
        if isinstance(node, ast.ImportFrom):
            yield from (node.module or "").split(".")
