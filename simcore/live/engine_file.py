"""Engine files: the program, its folder, and the time limit for an answer."""

import hashlib
import json
import os
import re
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import Field, ValidationError

from bartizan.simcore import toml
from bartizan.simcore.errors import EngineError, UsageError
from bartizan.simcore.scenario.loading import first_fault
from bartizan.simcore.scenario.model import Strict


class EngineKeys(Strict):
    """The keys of an engine file."""

    command: list[str] = Field(min_length=1, description='a list of words: ["node", "engine.js"]')
    folder: str = Field(".", description="folder in which the command is started, relative to this file")
    files: list[str] = Field(default=[], description='other files of the engine: ["rules/*.js"]')
    timeout: float = Field(
        60.0, gt=0, le=86_400, description="time limit for one answer in seconds, such as 60"
    )


WORD = re.compile(r"[\w-]+")
INSTALLED = ("node_modules", "target", "venv", "__pycache__", "site-packages")
MOST_FILES = 5_000  # in the folder of an engine, among which modules are searched


@dataclass(frozen=True)
class EngineFile:
    """The content of an engine file. files: sha256 of each file of the engine at the time of reading."""

    path: Path
    keys: EngineKeys
    files: dict[str, str]

    @property
    def folder(self) -> Path:
        return (self.path.parent / self.keys.folder).resolve()

    @property
    def digest(self) -> str:
        """Hash (64 hex digits) of the engine file and all files of the engine."""
        inside = [(os.path.relpath(name, self.folder), sha256) for name, sha256 in sorted(self.files.items())]
        return hashlib.sha256(json.dumps(inside).encode()).hexdigest()

    @property
    def digests(self) -> list[str]:
        """SHA-256 (hex) of each file."""
        return list(self.files.values())

    def words(self) -> list[str]:
        """Return the command, with the full path of its program.

        Raises UsageError if there is no such program in the folder or on the PATH.
        """
        program, *words = self.keys.command
        beside = self.folder / program
        found = str(beside) if beside.is_file() else shutil.which(program)
        if found is None:
            raise UsageError(
                f"{self.path}: command: no program {program!r} in {self.folder} or on the PATH; "
                "install it, or write its full path"
            )
        return [found, *words]

    def check_unchanged(self) -> None:
        """Raise EngineError if a file of the engine has changed."""
        now = _digests(self.path, self.keys)
        changed = sorted(name for name in now.keys() | self.files if now.get(name) != self.files.get(name))
        if changed:
            raise EngineError(f"{changed[0]}: changed while its games were running; run the command again")


def read_engine(path: Path) -> EngineFile:
    """Read an engine file. Raises UsageError with file, key and reason."""
    path = path.resolve()
    data = toml.read(path, "no such engine file")
    try:
        keys = EngineKeys.model_validate(_with_floats(data))
    except ValidationError as error:
        raise UsageError(f"{path}: {first_fault(error, data, EngineKeys)}") from error
    if not (path.parent / keys.folder).is_dir():
        raise UsageError(
            f"{path}: folder: {keys.folder!r} is not a folder; write its path relative to {path.parent}"
        )
    return EngineFile(path, keys, _digests(path, keys))


def _with_floats(data: dict[str, Any]) -> dict[str, Any]:
    return {key: float(value) if type(value) is int else value for key, value in data.items()}


def _digests(path: Path, keys: EngineKeys) -> dict[str, str]:
    """Return {path: sha256} of all files of an engine.

    They are the engine file, the files in its folder that the command names, the modules that these import,
    and the files that match `files`.

    Raises UsageError for a pattern without files, or an unreadable file.
    """
    folder = (path.parent / keys.folder).resolve()
    found = {path}
    for before, word in zip(["", *keys.command], keys.command, strict=False):
        inside = word.replace(".", "/")
        modules = (f"{inside}.py", f"{inside}/__main__.py") if before == "-m" else ()
        for name in filter(None, (word, *modules)):
            if (folder / name).is_file():
                found.add((folder / name).resolve())
    for pattern in keys.files:
        named = _matching(folder, pattern)
        if not named:
            raise UsageError(
                f"{path}: files: no file {pattern!r} in {folder}; correct the name, or remove it from files"
            )
        found.update(named)
    found |= _imported(found - {path}, folder)
    try:
        return {str(one): hashlib.sha256(one.read_bytes()).hexdigest() for one in sorted(found)}
    except OSError as error:
        raise UsageError(
            f"{error.filename}: cannot be read: {error.strerror}; check its permissions"
        ) from error


def _imported(sources: set[Path], folder: Path) -> set[Path]:
    """Return the modules in the folder that sources import, directly or indirectly, in any language.

    They are files of the same suffix whose name occurs in a source as a word. A word that is not an import is
    harmless.
    """
    suffixes = {one.suffix for one in sources} - {""}
    beside = [one for one in _sources_in(folder) if one.suffix in suffixes]
    ahead, found = list(sources), set[Path]()
    while ahead:
        file = ahead.pop()
        try:
            words = set(WORD.findall(file.read_text(encoding="utf-8")))
        except (OSError, UnicodeDecodeError):  # a compiled program, or a file that is reported later
            continue
        more = {one for one in beside if one.suffix == file.suffix and _module_name(one) in words}
        ahead += more - found - sources
        found |= more
    return found


def _sources_in(folder: Path) -> list[Path]:
    """Return the files in a folder, without hidden folders and those of installed packages."""
    found: list[Path] = []
    for root, folders, names in os.walk(folder):
        folders[:] = sorted(one for one in folders if one not in INSTALLED and not one.startswith("."))
        found += (Path(root, name).resolve() for name in sorted(names))
        if len(found) > MOST_FILES:
            break
    return found


def _module_name(path: Path) -> str:
    return path.parent.name if path.stem in ("__init__", "__main__", "index", "mod") else path.stem


def _matching(folder: Path, pattern: str) -> list[Path]:
    try:
        return [one.resolve() for one in folder.glob(pattern) if one.is_file()]
    except (ValueError, NotImplementedError):  # not a pattern below the folder
        return []
