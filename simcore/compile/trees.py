"""Contents of source files without docstrings and comments, and the files that compiled code depends on.

numba detects an edit only in the file of the compiled function, not in the files of the functions that it
calls. A constant changed there would keep its old value. Therefore the cached code of a file is identified by
a hash of the syntax trees of that file and of all built-in files that it imports, directly or indirectly. An
edit in one game does not recompile the others, and a reworded comment recompiles nothing.

Games and policies are also loaded by names in strings, which do not count as imports. Their code becomes part
of a loop only as a rule or a policy, and the name of the loop contains a hash of it (`loops.code_tag`).
tests/house checks that compiled code is reached in no other way.
"""

import ast
import atexit
import hashlib
import json
import os
from bisect import bisect
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

HOUSE = Path(__file__).resolve().parent.parent.parent
OURS = (HOUSE / "simcore", HOUSE / "policies")
FRONT = HOUSE / "__init__.py"  # names its modules in strings
FLAGS = HOUSE / "simcore" / "compile" / "jit.py"  # all compiled code depends on it
KEPT, MOST_KEPT = "trees-2.json", 4000  # stored beside compiled code; each content is parsed once
UNREADABLE = (SyntaxError, ValueError, RecursionError, MemoryError)  # exceptions of parsing
TOLD = (ast.Import, ast.ImportFrom, ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
UNSAID = ("ctx", "kind", "type_comment")  # fields that follow from others


class Tree(NamedTuple):
    """Contents of one source file: hashes of its code, its imports, and its functions."""

    says: str  # 16 hex digits
    decides: str  # 16 hex digits, without the messages of its exceptions
    imports: list[str]  # dotted names
    strings: list[str]  # built-in names in strings
    starts: list[int]  # first lines of its functions, decorators included


def said(content: bytes) -> Tree:
    """Return the `Tree` of a Python file. If the file cannot be parsed, its hashes are over its bytes."""
    key, trees = hashlib.sha256(content).hexdigest()[:16], _kept()
    if key not in trees:
        trees[key] = _parsed(content) or Tree(key, key, [], [], [])
    return trees[key]


@cache
def is_ours(path: Path) -> bool:
    """Return whether a file is a built-in source, whose imports are all followed."""
    return any(Path(path).resolve().is_relative_to(folder) for folder in OURS)


def location_of(path: Path) -> str:
    """Return the location of a file, by which compiled code is stored.

    Files inside Bartizan's folder (an example, a test game) have a relative location, all others an absolute
    one. Another clone of the repository therefore finds the compiled code of the same file.
    """
    return path.relative_to(HOUSE).as_posix() if path.is_relative_to(HOUSE) else str(path)


@cache
def tree_of(path: Path) -> Tree:
    """Return the contents of a built-in file at the time of the first request."""
    return said(path.read_bytes())


@cache
def house_hash() -> str:
    """Return a hash (16 hex digits) of all built-in sources."""
    return over(sorted(path for folder in OURS for path in folder.rglob("*.py")))


@cache
def closure_hash(names: frozenset[str], *files: Path) -> str:
    """Return a hash (16 hex digits) of files and modules with all their built-in imports.

    names: the modules. The imports may be direct or indirect.
    """
    return over(closure(names, *files))


def closure(names: Iterable[str], *files: Path) -> list[Path]:
    """Return the built-in files that compiled code of some files, and of the modules `names`, depends on."""
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
    """Return the built-in files that an import of a dotted name runs, if they can be compiled.

    package: the importing package, for leading dots.
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
        if not file.is_file():  # a module may be beside a data folder with the same name
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
    """Return the index of the function that begins in a line.

    It replaces the line number, by which numba identifies a function and which a comment would change.
    """
    return bisect(tree_of(path).starts, line)


# ---------------------------------------------------------------- parsing a file


def _parsed(content: bytes) -> Tree | None:
    try:
        tree = ast.parse(content)
    except UNREADABLE:
        return None
    parts: list[str] = []
    without: list[str] = []  # messages of exceptions: a reworded message does not change a player's identity
    told: list[ast.AST] = []
    _write(tree, (parts.append, without.append), told.append)
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
    return Tree(_digest(parts), _digest(without), sorted(imports), sorted(strings), sorted(starts))


def _digest(parts: list[str]) -> str:
    return hashlib.sha256("".join(parts).encode(errors="surrogatepass")).hexdigest()[:16]


def _write(node: Any, writes: Sequence[Callable[[str], None]], tell: Callable[[ast.AST], None]) -> None:
    """Write a tree as text that is equal in every version of Python.

    `ast.dump` shows empty fields only in some versions.

    writes: called with each part of the text; only the first is also called with raised exceptions. tell:
    called with imports, functions, and built-in names in strings.
    """
    if isinstance(node, ast.AST):
        kind = node.__class__
        if kind in TOLD or (kind is ast.Constant and str(node.value).startswith("bartizan.")):
            tell(node)
        for write in writes:
            write(kind.__name__ + "(")
        inner = writes[:1] if kind is ast.Raise else writes
        never_runs = kind is ast.If and getattr(node.test, "id", "") == "TYPE_CHECKING"
        for name in node._fields:
            value = getattr(node, name, None)
            if value is None or value == [] or name in UNSAID:
                continue
            for write in inner:
                write(name + "=")
            if name == "body" and isinstance(value, list):
                value = [one for one in value if not _is_remark(one)]
            _write(value, inner, _unheard if never_runs and name == "body" else tell)
        for write in writes:
            write(")")
    elif isinstance(node, list):
        for one in node:
            _write(one, writes, tell)
            for write in writes:
                write(",")
    else:
        for write in writes:
            write(repr(node))


def _unheard(node: ast.AST) -> None:
    """Do nothing. `_write` calls this in place of `tell` for code that never runs."""


def _is_remark(node: ast.stmt) -> bool:
    """Return whether a statement is a docstring or another unused string."""
    value = node.value if isinstance(node, ast.Expr) else None
    return isinstance(value, ast.Constant) and isinstance(value.value, str)


@cache
def _kept() -> dict[str, Tree]:
    """Return the known trees by hash of the content, including trees of earlier processes."""
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
