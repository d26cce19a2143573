"""Source files of games and policies: their paths, their hash, and the permission to run them."""

import ast
import hashlib
import os
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from bartizan.simcore.compile.cache import cache_root
from bartizan.simcore.compile.identity import Code, code_of, path_of
from bartizan.simcore.compile.trees import is_ours, said
from bartizan.simcore.errors import UsageError

OWN_GAMES = (".py", ".toml")  # file name endings of games: Python files and live engines


def source_hash(source: Path | Callable) -> str:
    """Return a hash (16 hex digits) of the sources without comments.

    A reworded comment therefore changes nothing. For a built-in policy, the messages of exceptions are left
    out too.

    For a user's function, the executed sources are used; for a file, its current sources.
    """
    if not isinstance(source, Path):
        code = code_of(source)
        return code.hash if code else source_hash(path_of(source))
    path = source.resolve()
    if path.is_file() and path.suffix != ".py":
        return hashlib.sha256(path.read_bytes()).hexdigest()[:16]
    if path.is_file() and not is_ours(path):
        return Code(path).hash
    decides = "".join(said(file.read_bytes()).decides for file in source_files(path))
    return hashlib.sha256(decides.encode()).hexdigest()[:16]


def joined_hash(hashes: Sequence[str]) -> str:
    """Return one hash (16 hex digits) for several hashes. A single hash is returned unchanged."""
    return hashes[0] if len(hashes) == 1 else hashlib.sha256("".join(hashes).encode()).hexdigest()[:16]


def source_files(path: Path) -> list[Path]:
    """Return the files of a folder or, for a file, itself and the modules in the same folder that it imports.

    Imports may be direct or indirect.
    """
    path = Path(path).resolve()
    if path.is_dir():
        return sorted(path.rglob("*.py"))
    return _with_neighbours(path) if is_ours(path) else Code(path).paths


def _with_neighbours(path: Path) -> list[Path]:
    """Return a built-in file, and the files in the same folder that it imports, directly or indirectly.

    `compile.trees` follows all other imports.
    """
    files: set[Path] = set()
    ahead = [path, path.parent / "__init__.py"]
    while ahead:
        file = ahead.pop()
        if file not in files:
            files.add(file)
            beside = {other.stem: other for other in file.parent.glob("*.py")}
            ahead += [beside[name] for name in _imported(file) if name in beside]
    return sorted(files)


def _imported(file: Path) -> Iterator[str]:
    """Return an iterator over all imported names.

    A module with the name of a neighbouring file counts as this file, which is harmless.
    """
    return (part for name in said(file.read_bytes()).imports for part in name.split("."))


def is_short(path: Path, source: bytes | None = None) -> bool:
    """Return whether a file is a short game (docs/short-games.md).

    Such a file imports `bartizan.short` and defines no GAME.

    source: the source of the file; None: it is read.
    """
    try:
        body = ast.parse(path.read_bytes() if source is None else source).body
    except (SyntaxError, ValueError, RecursionError):  # the loader reports the fault and its line
        return False
    has_words = any(isinstance(node, ast.ImportFrom) and node.module == "bartizan.short" for node in body)
    return has_words and not any(_defines_game(node) for node in body)


def is_engine(named: str | Path) -> bool:
    """Return whether this is an engine file (docs/engines.md): a TOML file with a command."""
    if not str(named).endswith(".toml"):
        return False
    try:
        return "command" in tomllib.loads(Path(named).read_text(encoding="utf-8-sig"))
    except (OSError, ValueError, RecursionError):  # the reader for its real type reports the fault
        return False


def refuse_absent(path: Path, what: str) -> None:
    """Raise UsageError if the file does not exist."""
    if not path.is_file():  # a broken link is named itself
        raise UsageError(f"{path.absolute()}: no such {what} file; check the path")


def _defines_game(node: ast.stmt) -> bool:
    if isinstance(node, ast.ImportFrom):
        return any((one.asname or one.name) == "GAME" for one in node.names)
    targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
    return any(isinstance(one, ast.Name) and one.id == "GAME" for one in targets)


# ---------------------------------------------------------------- one version for each question


# files that the current question has read, by kind and path
_read: ContextVar[dict[tuple[str, Path], Any] | None] = ContextVar("read", default=None)


@contextmanager
def read_once() -> Iterator[None]:
    """Context manager in which each game or policy file is read only once.

    A question then refers to one version of each file.

    Otherwise, a file is checked whenever it is named, and executed again if it has changed.
    """
    token = _read.set({}) if _read.get() is None else None
    try:
        yield
    finally:
        if token is not None:
            _read.reset(token)


def once(kind: str, path: Path, reader: Callable[[], Any]) -> Any:
    """Return the result of `reader`. In the context of `read_once`, return the result of its first call."""
    read = _read.get()
    if read is None:
        return reader()
    if (kind, path) not in read:
        read[kind, path] = reader()
    return read[kind, path]


# ---------------------------------------------------------------- trust

# Which Python code may run. A file that the user names, in a command or in Python, may run. A file that only
# results from elsewhere name may run only if the user has named this version of it before, or allows it.
#
# The cache folder records these files by place and sources. After deleting the notes, allow them again.


NOTES = "known.txt"  # in the cache folder: one line per file that was named or policy that was checked


class Sources(Protocol):
    """Code that would run, identified by the digests of its files."""

    @property
    def digests(self) -> Iterable[str]:
        """Hex digest of each file."""


@dataclass(frozen=True)
class Reading:
    """A folder or file from another source that is being read.

    allowing: maps a path to the command that allows it.
    """

    what: Path
    trusted: tuple[Path, ...]
    allowing: Callable[[Path], str]


_reading: ContextVar[Reading | None] = ContextVar("reading", default=None)


@contextmanager
def only_known(what: Path, trusted: Sequence[Path], allowing: Callable[[Path], str]) -> Iterator[None]:
    """Context manager in which only known and trusted files may run. Other files raise UsageError."""
    token = _reading.set(Reading(what, tuple(path.resolve() for path in trusted), allowing))
    try:
        yield
    finally:
        _reading.reset(token)


def check_known(path: Path, code: Sources | None = None) -> None:
    """Raise UsageError unless the file is allowed to run. path: absolute. code: the code that would run."""
    reading = _reading.get()
    if reading is None or path in reading.trusted or is_noted(_mark(path, code)):
        return
    raise UsageError(
        f"{path}: not run, because {reading.what} refers to this code, which is new on this machine or "
        f"has changed since you last used it; inspect it, then allow it with: {reading.allowing(path)}"
    )


def note_named(path: Path, code: Sources | None = None) -> None:
    """Record that a file has run because the user named or allowed it."""
    note(_mark(path, code))


def _mark(path: Path, code: Sources | None = None) -> str:
    """Return the mark of a file; "" if it cannot be read.

    The mark is a hash of its location, its bytes, and the modules in the same folder that it imports.
    """
    try:
        return mark("named", str(path), *(code or Code(path)).digests)
    except OSError:
        return ""


# ---------------------------------------------------------------- the notes


def mark(*words: str) -> str:
    """Return the SHA-256 (hex) of some words, which identifies them in the notes."""
    return hashlib.sha256("\n".join(words).encode(errors="surrogatepass")).hexdigest()


def is_noted(digest: str) -> bool:
    try:
        return bool(digest) and digest in (cache_root() / NOTES).read_text(encoding="ascii").split()
    except (OSError, ValueError):
        return False


def note(digest: str) -> None:
    """Record a mark once; do nothing if the cache folder is not writable."""
    if not digest or is_noted(digest):
        return
    with suppress(OSError):
        cache_root().mkdir(parents=True, exist_ok=True)
        handle = os.open(cache_root() / NOTES, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        try:
            os.write(handle, f"{digest}\n".encode())
        finally:
            os.close(handle)


# ---------------------------------------------------------------- the version of the rules


class Versioned(Protocol):
    """The attribute of a game that this module needs. Games import this module, so it cannot import them."""

    @property
    def source_hash(self) -> str: ...


def source_of(game: "Versioned") -> dict[str, str]:
    """Return {"source_hash": hash of a user's rules}; {} for a built-in game.

    The hash identifies the version of the rules.
    """
    return {"source_hash": game.source_hash} if game.source_hash else {}


def rules_version(document: Mapping[str, Any]) -> tuple[int, str]:
    """Return the version of the rules of a document or manifest: (behaviour version, hash of user's source).

    The behaviour version alone does not identify a user's rules, because users edit them without raising it.
    """
    return document["behaviour"], document.get("source_hash") or ""
