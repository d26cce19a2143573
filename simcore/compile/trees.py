"""What source files say beside docstrings and comments, and of which files compiled code is made.

numba notices an edit only in the file a function stands in, not in the files it calls; a changed constant
would keep its old value. So what is kept of a file is named by the syntax trees of that file and of all of
the house that it imports, directly or not: an edit in one game leaves the code of the others, and a reworded
comment all of it. Games and policies are also loaded by names in strings, which are no imports here: what is
compiled of those comes to a loop as a rule or a policy, whose own trees are in its tag (`loops.code_tag`).
tests/house holds that nothing compiled is reached in any other way.
"""

import ast
import atexit
import hashlib
import json
import os
from bisect import bisect
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

HOUSE = Path(__file__).resolve().parent.parent.parent
OURS = (HOUSE / "simcore", HOUSE / "policies")
FRONT = HOUSE / "__init__.py"  # names its rooms in strings
FLAGS = HOUSE / "simcore" / "compile" / "jit.py"  # what all compiled code hangs on
KEPT, MOST_KEPT = "trees.json", 4000  # read once for each content, beside compiled code
UNREADABLE = (SyntaxError, ValueError, RecursionError, MemoryError)  # what parsing raises
TOLD = (ast.Import, ast.ImportFrom, ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
UNSAID = ("ctx", "kind", "type_comment")  # fields that follow from others


class Tree(NamedTuple):
    """One file."""

    says: str  # 16 hex digits
    imports: list[str]  # dotted names
    strings: list[str]  # names of the house in strings
    starts: list[int]  # first lines of its functions, decorators included


def said(content: bytes) -> Tree:
    """What the content of a Python file says; of one that cannot be parsed its bytes."""
    key, trees = hashlib.sha256(content).hexdigest()[:16], _kept()
    if key not in trees:
        trees[key] = _parsed(content) or Tree(key, [], [], [])
    return trees[key]


@cache
def is_ours(path: Path) -> bool:
    """Is it a source of the house, of which all imports are looked through?"""
    return any(Path(path).resolve().is_relative_to(folder) for folder in OURS)


def location_of(path: Path) -> str:
    """Where a file stands: in the folder of the house, wherever that is (an example, a game of the tests), or
    on this machine. Another clone finds what was compiled of the same file.
    """
    return path.relative_to(HOUSE).as_posix() if path.is_relative_to(HOUSE) else str(path)


@cache
def tree_of(path: Path) -> Tree:
    """A house file, as it was when this process first asked."""
    return said(path.read_bytes())


@cache
def house_hash() -> str:
    """16 hex digits over all sources of the house."""
    return over(sorted(path for folder in OURS for path in folder.rglob("*.py")))


@cache
def closure_hash(names: frozenset[str], *files: Path) -> str:
    """16 hex digits over house files, what dotted names import, and what those import, directly or not."""
    return over(closure(names, *files))


def closure(names: Iterable[str], *files: Path) -> list[Path]:
    """The files of the house that compiled code of some house files, and of what imports `names`, is made
    of.
    """
    seen, ahead = set[Path](), [*files, FLAGS, *(file for name in names for file in files_of(name))]
    while ahead:
        if (file := ahead.pop()) not in seen:
            seen.add(file)
            ahead += _named_by(file)
    return sorted(seen)


@cache
def _named_by(file: Path) -> set[Path]:
    tree, package = tree_of(file), ".".join(("bartizan", *file.relative_to(HOUSE).parts[:-1]))
    return {
        path for name in (tree.strings if file == FRONT else tree.imports) for path in files_of(name, package)
    }


@cache
def files_of(name: str, package: str = "") -> tuple[Path, ...]:
    """The files of the house that run where a dotted name is imported, as far as they can be compiled.
    package: of whoever imports it, for leading dots.
    """
    return tuple(file for file in _run_by(name, package) if file.parent == HOUSE or is_ours(file))


def _run_by(name: str, package: str) -> Iterator[Path]:
    bare = name.lstrip(".")
    if dots := len(name) - len(bare):
        bare = ".".join([*package.split(".")[: 1 - dots or None], bare])
    top, *parts = bare.split(".")
    if top != "bartizan":
        return
    place = HOUSE
    for part in parts:
        place = place / part
        file = place / "__init__.py"
        if not file.is_file():  # a module may stand beside a folder of data of its name
            file = place.with_suffix(".py")
        if not file.is_file():
            break
        yield file
    if place == HOUSE or (place.parent == HOUSE and not file.is_file()):
        yield FRONT


def over(files: Iterable[Path]) -> str:
    digest = hashlib.sha256()
    for file in files:
        digest.update(f"{file.relative_to(HOUSE)} {tree_of(file).says}\n".encode())
    return digest.hexdigest()[:16]


def number_of(path: Path, line: int) -> int:
    """Which function of a house file begins in a line: numba knows it by the line, which a comment moves."""
    return bisect(tree_of(path).starts, line)


# ---------------------------------------------------------------- reading one


def _parsed(content: bytes) -> Tree | None:
    try:
        tree = ast.parse(content)
    except UNREADABLE:
        return None
    parts: list[str] = []
    told: list[ast.AST] = []
    _write(tree, parts.append, told.append)
    imports, strings, starts = set(), set(), []
    for node in told:
        if isinstance(node, ast.Import):
            imports |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            room = "." * node.level + (node.module or "")
            imports |= {f"{room}{'' if room.endswith('.') else '.'}{alias.name}" for alias in node.names}
        elif isinstance(node, ast.Constant):
            strings.add(node.value)
        else:
            starts.append(min(one.lineno for one in (node, *getattr(node, "decorator_list", ()))))
    says = hashlib.sha256("".join(parts).encode(errors="surrogatepass")).hexdigest()[:16]
    return Tree(says, sorted(imports), sorted(strings), sorted(starts))


def _write(node: Any, write: Callable[[str], None], tell: Callable[[ast.AST], None]) -> None:
    """A tree as text, the same under every Python: `ast.dump` shows empty fields under some. tell: gets
    imports, functions and names of the house in strings.
    """
    if isinstance(node, ast.AST):
        kind = node.__class__
        if kind in TOLD or (kind is ast.Constant and str(node.value).startswith("bartizan.")):
            tell(node)
        write(kind.__name__ + "(")
        for name in node._fields:
            value = getattr(node, name, None)
            if value is None or value == [] or name in UNSAID:
                continue
            write(name + "=")
            if name == "body" and isinstance(value, list):
                value = [one for one in value if not _is_remark(one)]
            _write(value, write, tell)
        write(")")
    elif isinstance(node, list):
        for one in node:
            _write(one, write, tell)
            write(",")
    else:
        write(repr(node))


def _is_remark(node: ast.stmt) -> bool:
    """A docstring, or another string that nobody takes."""
    value = node.value if isinstance(node, ast.Expr) else None
    return isinstance(value, ast.Constant) and isinstance(value.value, str)


@cache
def _kept() -> dict[str, Tree]:
    """Trees by the hash of the content, of earlier processes too."""
    folder, trees = os.environ.get("NUMBA_CACHE_DIR"), {}
    if folder:
        path = Path(folder) / KEPT
        with suppress(OSError, ValueError, TypeError, AttributeError):
            trees = {key: Tree(*row) for key, row in json.loads(path.read_bytes()).items()}
        atexit.register(_keep, path, trees, len(trees))
    return trees


def _keep(path: Path, trees: dict[str, Tree], before: int) -> None:
    from bartizan.simcore.files import whole

    if len(trees) > before:
        with suppress(OSError), whole(path) as part:
            part.write_text(json.dumps(dict(list(trees.items())[-MOST_KEPT:])))
