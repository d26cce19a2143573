"""Saved answers and games: in a folder of games, a .json file, or the folder of a sweep."""

import json
import re
import tempfile
from collections.abc import Callable, Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any

from bartizan.api.answer import as_json, plain
from bartizan.api.question import Question
from bartizan.api.reading import path_of
from bartizan.simcore.errors import UsageError
from bartizan.simcore.files import check_new_folder, check_output, quoted, write_atomic, writing
from bartizan.simcore.game import Game
from bartizan.simcore.sources import source_of
from bartizan.simcore.sweep.manifest import versions
from bartizan.simcore.sweep.store import KEPT_SCHEMA, MANIFEST, keep, refuse_unfit

_KEEP_ALIVE: list["Folder"] = []  # temporary folders that lazy frames still read from


class Folder:
    """The folder of a sweep: the user's folder, or a temporary folder that is deleted with this object."""

    def __init__(self, out: Path | None):
        """Raises UsageError for a new folder with the suffix of a file, such as page.html."""
        self.temporary: tempfile.TemporaryDirectory[str] | None = None
        if out is None:
            self.temporary = tempfile.TemporaryDirectory(prefix="bartizan-")
            out = Path(self.temporary.name)
        self.path = Path(out)
        check_new_folder(self.path)

    def keep(self) -> None:
        """Prevent the deletion of a temporary folder until Python ends.

        Raises UsageError if the folder is gone.
        """
        if not self.path.is_dir():
            raise UsageError(
                f"{self.path}: the folder with these games no longer exists; run the question again with "
                "out= to keep the games"
            )
        if self.temporary:
            _KEEP_ALIVE.append(self)

    def __getstate__(self) -> dict[str, Any]:
        """Return the state for another process: the absolute path of a permanent folder.

        The other process cannot use a temporary folder, so its path is replaced by a description.
        """
        if self.temporary:
            return {"path": Path(f"temporary {self.path.name}"), "temporary": None}
        return {"path": self.path.resolve(), "temporary": None}

    def __truediv__(self, name: str) -> "Folder":
        """Return a subfolder, which keeps this folder alive."""
        inside = Folder(self.path / name)
        inside.temporary = self.temporary
        return inside


def json_file(out: Path) -> Callable[[Mapping[str, Any]], Path]:
    """Return a function that writes a document to a .json file and returns the path.

    Raises UsageError for an invalid path, before the simulation.
    """
    if out.suffix != ".json":
        raise UsageError(f"-o {out}: use a .json file")
    check_output(out)

    def write(document: Mapping[str, Any]) -> Path:
        with writing(f"-o {out}"):
            write_atomic(out, as_json(document).encode() + b"\n")
        return out

    return write


# ---------------------------------------------------------------- answers that stay beside a sweep's games


CLOCK = {
    "seconds",
    "games_per_second",
    "multiplier_per_second",
    "jobs",
}  # fields about the computer, not the game
LETTERS = 48  # letters of a name before its unique suffix


def place_of(question: Question[Any], game: Game) -> Callable[[Mapping[str, Any]], None]:
    """Return a function that writes a document to `question.out` and reports the path.

    `question.out` is a .json file or a folder. Without `question.out`, the function does nothing. Raises
    UsageError for an invalid path, before the simulation.
    """
    out = path_of(getattr(question, "out", None))
    if out is None:
        return lambda document: None
    if out.suffix == ".json" and not out.is_dir():
        write = json_file(out)
    elif out.suffix[1:].isalpha() and not out.exists():
        raise UsageError(f"-o {out}: use a .json file, or the folder of a sweep")
    else:
        write = folder_of(question, out, game)
    return lambda document: question.watch.kept(write(document), next_report(out))


def next_report(out: Path) -> str:
    """Return the end of a message with the command that shows a saved answer; "" for a .json file."""
    if not out.is_dir():
        return ""
    if (out / MANIFEST).exists():
        return f"; show it with: bartizan report {quoted(out)}"
    return f"; to show it in a report, add games: bartizan run GAME -o {quoted(out)}"


def folder_of(
    question: Question[Any], out: Path, game: Game, kind: str = ""
) -> Callable[[Mapping[str, Any]], Path]:
    """Return a function that saves a document in a folder, with its command, and returns the path.

    kind: the kind of the answer, if it is not the question's `kept_as`.
    """
    refuse_unfit(out, game.name)
    kind, command = kind or question.kept_as, question.command_line()
    return lambda document: keep(out, name_of(question, document, kind), kept(kind, game, command, document))


def kept(kind: str, game: Game, command: str, document: Mapping[str, Any]) -> dict[str, Any]:
    """Return a document with the command that made it, without anything that depends on time or threads."""
    answer = _without_clock(plain(document))
    seed = answer.get("seed", answer.get("a", {}).get("seed"))
    return {
        "schema": KEPT_SCHEMA,
        "kind": kind,
        "command": command,
        "versions": versions(),
        "game": game.name,
        "behaviour": game.behaviour,
        **source_of(game),
        "seed": seed,
        "answer": answer,
    }


def name_of(question: Question[Any], document: Mapping[str, Any], kind: str = "") -> str:
    """Return the file name of an answer without suffix, such as `losses-veteran-garrison-1f3a5c7e`.

    The name does not depend on the number of games. kind: see `folder_of`.
    """
    one = plain(document)
    key = json.dumps(question.key(one), sort_keys=True)
    about = one.get("a", one)
    # a ladder has no single level or line-up, and plays by people are at several levels
    levels = [level] if isinstance(level := about.get("difficulty"), str) else []
    players = dict.fromkeys(about.get("policies", [about.get("policy", "")]))
    words = " ".join([kind or question.kept_as, *levels, *players])
    slug = re.sub(r"[^a-z0-9]+", "-", words.lower())[:LETTERS].strip("-")
    return f"{slug}-{sha256(key.encode()).hexdigest()[:8]}"


def _without_clock(part: Any) -> Any:
    if isinstance(part, dict):
        return {key: _without_clock(value) for key, value in part.items() if key not in CLOCK}
    return [_without_clock(one) for one in part] if isinstance(part, list) else part
