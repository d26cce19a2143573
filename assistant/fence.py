"""The one folder that a server may read and write, and checks of texts that name files.

Without a folder, only built-in games are available: no file is read, and no code from outside runs.
"""

import ast
import os
import re
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from bartizan.simcore.errors import UsageError
from bartizan.simcore.files import write_atomic, writing
from bartizan.simcore.sources import is_engine, is_short

# files that answers depend on
INPUTS = (".py", ".toml", ".csv", ".tsv", ".xlsx", ".json", ".bgsplay", ".xml")
SUFFIXES = (*INPUTS, ".html", ".md", ".png", ".pdf", ".txt")
NO_FOLDER = "files are read only in a folder that you name at start-up: bartizan mcp --folder DIR"
# files that the tool may write
GAME_FILES = (".py", ".toml", ".csv", ".md")
MOST_FILE, MOST_FILES = 200_000, 500  # maximum characters of a file; maximum files written by one server
MOST_INPUTS = 5000  # maximum files that are watched for changes
NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_. -]{0,80}")
# names that rules never need, and that give access to more
REACHING = {"open", "exec", "eval", "compile", "globals", "locals", "vars", "getattr", "setattr", "delattr"}
REACHING |= {"input", "breakpoint", "memoryview", "help", "exit", "quit", "print", "objmode"}


@dataclass(frozen=True)
class Fence:
    """The folder that the server may use. folder: its resolved path; None if no files are allowed."""

    folder: Path | None

    def hold(self, texts: Iterable[str]) -> None:
        """Raise UsageError for a text that names a file outside the folder or an engine file.

        An engine file would start a program. Without a folder, raises it for every file name.
        """
        for text in texts:
            for piece in re.split(r"[=+@:,;|\s]", text) + [text]:
                if self._names_file(piece) and is_engine(self.inside(piece)):
                    raise UsageError(f"{piece}: starts a program, so run it in the terminal instead")

    def _names_file(self, piece: str) -> bool:
        if not piece:
            return False
        is_path = any(mark in piece for mark in "/\\") or piece in (".", "..") or piece.startswith("~")
        return (
            is_path
            or piece.lower().endswith(SUFFIXES)
            or (self.folder is not None and _exists(self.folder / piece))
        )

    def inside(self, name: str) -> Path:
        """Return the resolved path of a file in the folder.

        Raises UsageError if the path is outside the folder, after following links, or if there is no folder.
        """
        if self.folder is None:
            raise UsageError(f"{name[:80]}: {NO_FOLDER}")
        if name.startswith("~") or "\\" in name:
            raise UsageError(f"{name[:80]}: write the path of a file inside {self.folder}")
        try:
            path = (self.folder / name).resolve()
        except (OSError, ValueError, RuntimeError) as error:
            raise UsageError(f"{name[:80]}: cannot be a file: {error}") from error
        if not path.is_relative_to(self.folder):
            raise UsageError(f"{name[:80]}: is outside the folder {self.folder}; give a file inside it")
        return path

    def write(self, name: str, content: bytes, suffixes: tuple[str, ...], replace: bool) -> tuple[Path, str]:
        """Write a file. Return its path and the name of the copy of a replaced file ("" if there was none).

        name: a plain file name. Raises UsageError without a folder, for another kind of name or suffix, for a
        link or a folder, for an existing file without `replace`, and if the file cannot be written.
        """
        if self.folder is None:
            raise UsageError(f"{name[:80]}: {NO_FOLDER}")
        if not NAME.fullmatch(name) or not name.endswith(suffixes):
            raise UsageError(
                f"{name[:80]}: give only a file name that ends in {', '.join(suffixes)}, such "
                f"as my_game{suffixes[0]}"
            )
        path = self.folder / name
        if path.is_symlink() or path.is_dir():
            raise UsageError(f"{name}: is a link or a folder and cannot be overwritten; choose another name")
        kept = ""
        with writing(path):
            if path.exists():
                if not replace:
                    raise UsageError(
                        f"{name}: already exists; choose another name, or use replace=true, which keeps a "
                        "copy"
                    )
                kept = _unused(path)
                os.link(path, self.folder / kept)
            write_atomic(path, content)
        return path, kept

    def state(self) -> list[tuple[str, int, int]]:
        """Return path, size in bytes and modification time in ns of each file that answers depend on.

        The list is sorted by path. The search stops after the folder that brings it above MOST_INPUTS files.
        """
        found: list[tuple[str, int, int]] = []
        for root, folders, files in os.walk(self.folder) if self.folder else ():
            folders[:] = [name for name in folders if not name.startswith((".", "__"))]
            for path in (os.path.join(root, name) for name in files if name.endswith(INPUTS)):
                with suppress(OSError):  # a broken link
                    now = os.stat(path)
                    found.append((path, now.st_size, now.st_mtime_ns))
            if len(found) > MOST_INPUTS:
                break
        return sorted(found)


def _exists(path: Path) -> bool:
    try:
        return path.exists()
    except (OSError, ValueError):
        return False


def _unused(path: Path) -> str:
    """Return a free name for a copy: `my_game.py.bak`, `my_game.py.bak2`, ..."""
    names = (f"{path.name}.bak{number or ''}" for number in (0, *range(2, 1000)))
    return next(name for name in names if not path.with_name(name).exists())


def check_only_rules(name: str, text: str) -> None:
    """Raise UsageError for the text of a game file that is not a short game or contains more than rules.

    A short game imports only `bartizan.short`. The user can run any other file in the terminal.
    """
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        line = getattr(error, "lineno", None)
        where = f"{name}:{line}" if line else name
        raise UsageError(f"{where}: is not valid Python: {getattr(error, 'msg', error)}") from error
    why = "a file here may contain only a short game: `from bartizan.short import *` and rules"
    for node in ast.walk(tree):
        where = f"{name}:{getattr(node, 'lineno', 1)}"
        if isinstance(node, ast.Import) or (
            isinstance(node, ast.ImportFrom) and node.module != "bartizan.short"
        ):
            raise UsageError(f"{where}: imports other modules; {why}")
        name_used = getattr(node, "id", "") or getattr(node, "attr", "")  # of ast.Name, ast.Attribute
        if name_used in REACHING or name_used.startswith("__"):
            raise UsageError(f"{where}: uses {name_used}; {why}")
    if not is_short(Path(name), text.encode()):
        raise UsageError(f"{name}: is not a short game; begin it with `from bartizan.short import *`")
