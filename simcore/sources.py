"""Source files of games and policies: which they are, one hash over them, and whose are run."""

import ast
import hashlib
import os
import tomllib
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from bartizan.simcore.compile.cache import cache_root
from bartizan.simcore.compile.identity import Code, code_of, path_of
from bartizan.simcore.compile.trees import is_ours, said
from bartizan.simcore.errors import UsageError

OWN_GAMES = (".py", ".toml")  # how the names of files end that are games: of Python, of a live engine


def source_hash(source: Path | Callable) -> str:
    """16 hex digits over what the sources say: a reworded comment makes no other game or player.

    Of a function from outside these are the sources that were executed, of a file those it has now.
    """
    if not isinstance(source, Path):
        code = code_of(source)
        return code.hash if code else source_hash(path_of(source))
    path = source.resolve()
    if path.is_file() and path.suffix != ".py":
        return hashlib.sha256(path.read_bytes()).hexdigest()[:16]
    if path.is_file() and not is_ours(path):
        return Code(path).hash
    says = "".join(said(file.read_bytes()).says for file in source_files(path))
    return hashlib.sha256(says.encode()).hexdigest()[:16]


def joined_hash(hashes: Sequence[str]) -> str:
    """One for several; of one itself."""
    return hashes[0] if len(hashes) == 1 else hashlib.sha256("".join(hashes).encode()).hexdigest()[:16]


def source_files(path: Path) -> list[Path]:
    """A whole folder; or a file with the modules beside it that it imports, and those that they import."""
    path = Path(path).resolve()
    if path.is_dir():
        return sorted(path.rglob("*.py"))
    return _with_neighbours(path) if is_ours(path) else Code(path).paths


def _with_neighbours(path: Path) -> list[Path]:
    """For a file of Bartizan itself: `simcore.compile.trees` reads the rest."""
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
    """Every name in its imports: a namesake of a neighbour counts as the neighbour, which does no harm."""
    return (part for name in said(file.read_bytes()).imports for part in name.split("."))


def is_short(path: Path, source: bytes = b"") -> bool:
    """Is it a short game (docs/short-games.md)? It imports the words of one, and defines no GAME.

    source: of the file, where it was read before.
    """
    try:
        body = ast.parse(source or path.read_bytes()).body
    except (SyntaxError, ValueError, RecursionError):  # who loads it says what is wrong, and in which line
        return False
    has_words = any(isinstance(node, ast.ImportFrom) and node.module == "bartizan.short" for node in body)
    return has_words and not any(_defines_game(node) for node in body)


def is_engine(named: str | Path) -> bool:
    """Is it an engine file (docs/engines.md): a TOML file with a command?"""
    if not str(named).endswith(".toml"):
        return False
    try:
        return "command" in tomllib.loads(Path(named).read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):  # who reads it as something else says what is wrong
        return False


def _defines_game(node: ast.stmt) -> bool:
    if isinstance(node, ast.ImportFrom):
        return any((one.asname or one.name) == "GAME" for one in node.names)
    targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
    return any(isinstance(one, ast.Name) and one.id == "GAME" for one in targets)


# ---------------------------------------------------------------- trust

# Whose Python is run. A file that its user names, in a command or in Python, is; one that somebody's
# results name is only if its user has named it here before, as it is now, or allows it.
#
# What has been named is noted in the cache folder, by place and sources; whoever deletes the notes allows
# anew.


NOTES = "known.txt"  # in the cache folder: a line a file that was named, or a policy that was looked at


class Sources(Protocol):
    """What would be run."""

    @property
    def digests(self) -> Iterable[str]:
        """Hex digits over each file."""


@dataclass(frozen=True)
class Reading:
    """Something from elsewhere that is being read. allowing: the command that allows a file."""

    what: Path
    trusted: tuple[Path, ...]
    allowing: Callable[[Path], str]


_reading: ContextVar[Reading | None] = ContextVar("reading", default=None)


@contextmanager
def only_known(what: Path, trusted: Sequence[Path], allowing: Callable[[Path], str]) -> Iterator[None]:
    """Meanwhile only files that are known, or trusted, are run; others raise UsageError."""
    token = _reading.set(Reading(what, tuple(path.resolve() for path in trusted), allowing))
    try:
        yield
    finally:
        _reading.reset(token)


def hold_known(path: Path, code: Sources | None = None) -> None:
    """Raises UsageError for a file that may not be run now. path: whole; code: what would be run."""
    reading = _reading.get()
    if reading is None or path in reading.trusted or is_noted(_mark(path, code)):
        return
    raise UsageError(
        f"{path}: not run, because {reading.what} names this code and you have not used it on this "
        "machine before, or it has changed since; inspect it, then allow it with: "
        f"{reading.allowing(path)}"
    )


def note_named(path: Path, code: Sources | None = None) -> None:
    """A file that has been run, because its user named or allowed it."""
    note(_mark(path, code))


def _mark(path: Path, code: Sources | None = None) -> str:
    """A file where it is, as it is to the byte, with what it imports from beside it."""
    try:
        return mark("named", str(path), *(code or Code(path)).digests)
    except OSError:
        return ""


# ---------------------------------------------------------------- the notes


def mark(*words: str) -> str:
    """What stands in the notes for some words."""
    return hashlib.sha256("\n".join(words).encode(errors="surrogatepass")).hexdigest()


def is_noted(digest: str) -> bool:
    try:
        return bool(digest) and digest in (cache_root() / NOTES).read_text(encoding="ascii").split()
    except (OSError, ValueError):
        return False


def note(digest: str) -> None:
    """Noted once; where the cache folder cannot be written, not at all."""
    if not digest or is_noted(digest):
        return
    with suppress(OSError):
        cache_root().mkdir(parents=True, exist_ok=True)
        handle = os.open(cache_root() / NOTES, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        try:
            os.write(handle, f"{digest}\n".encode())
        finally:
            os.close(handle)
