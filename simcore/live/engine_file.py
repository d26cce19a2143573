"""Engine files: the program, its folder, and the time limit for an answer."""

import hashlib
import json
import os
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
        """Return the command, with the full path of its program. Raises UsageError if there is no such
        program in the folder or on the PATH.
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

    def hold_unchanged(self) -> None:
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
    """Return {path: sha256} of the engine file, of the files in its folder that the command names, and of the
    files that match `files`. Raises UsageError for a pattern without files, or an unreadable file.
    """
    folder = (path.parent / keys.folder).resolve()
    found = {path}
    for word in keys.command:
        if word and (folder / word).is_file():
            found.add((folder / word).resolve())
    for pattern in keys.files:
        named = _matching(folder, pattern)
        if not named:
            raise UsageError(
                f"{path}: files: no file {pattern!r} in {folder}; correct the name, or remove it from files"
            )
        found.update(named)
    try:
        return {str(one): hashlib.sha256(one.read_bytes()).hexdigest() for one in sorted(found)}
    except OSError as error:
        raise UsageError(
            f"{error.filename}: cannot be read: {error.strerror}; check its permissions"
        ) from error


def _matching(folder: Path, pattern: str) -> list[Path]:
    try:
        return [one.resolve() for one in folder.glob(pattern) if one.is_file()]
    except (ValueError, NotImplementedError):  # not a pattern below the folder
        return []
