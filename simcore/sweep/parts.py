"""A sweep in parts, for several machines: which shards each part plays, and the file that says which part a
folder holds.
"""

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from bartizan.simcore.errors import EngineError, UsageError
from bartizan.simcore.sweep.files import write_atomic
from bartizan.simcore.sweep.shards import SHARD_GAMES

PART = "part.json"
SCHEMA = "bartizan.part/1"
MOST_PARTS = 100_000


@dataclass(frozen=True)
class SweepPart:
    """One of several equal parts of a sweep."""

    number: int  # from 1
    of: int

    def __str__(self) -> str:
        return f"{self.number}/{self.of}"

    def share(self, games: Sequence[int]) -> set[tuple[int, int]]:
        """(cell by place, first game) of the shards it plays. games: of each cell."""
        return set(shards_due(games)[self.number - 1 :: self.of])


@dataclass(frozen=True)
class PartMark:
    """What the file in a part's folder says."""

    part: SweepPart
    files: dict[str, str] | None  # shard -> sha256; None: the part is not finished


def read_part(text: str) -> SweepPart:
    """`3/16`, the third of sixteen parts."""
    match = re.fullmatch(r"0*(\d{1,6})/0*(\d{1,6})", text.strip())
    number, of = map(int, match.groups()) if match else (0, 0)
    if not 1 <= number <= of <= MOST_PARTS:
        raise UsageError(
            f"--shards {text}: write PART/PARTS, such as 3/16 for the third of 16 parts; parts are counted "
            f"from 1, and there are at most {MOST_PARTS:,}"
        )
    return SweepPart(number, of)


def shards_due(games: Sequence[int]) -> list[tuple[int, int]]:
    """(cell by place, first game) of all shards, in the order in which they are dealt to the parts.

    games: of each cell. Cell after cell, so that every part gets of slow cells and of quick ones; shards that
    are not full come last, so that no part gets all of them.
    """
    full = [(i, first) for i, n in enumerate(games) for first in range(0, n - n % SHARD_GAMES, SHARD_GAMES)]
    return full + [(i, n - n % SHARD_GAMES) for i, n in enumerate(games) if n % SHARD_GAMES]


def read_mark(folder: Path) -> PartMark | None:
    """None where the folder holds no part. Raises EngineError where it does not say which."""
    path = folder / PART
    try:
        document = json.loads(path.read_text(encoding="utf-8"))
        part, files = SweepPart(int(document["part"]), int(document["parts"])), document.get("files")
        if files is not None:
            files = {str(name): str(digest) for name, digest in files.items()}
        return PartMark(part, files)
    except FileNotFoundError:
        return None
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        why = f"{path}: damaged ({type(error).__name__}); delete it and run the same sweep again"
        raise EngineError(f"{why} with -o {folder}") from error


def write_mark(folder: Path, mark: PartMark) -> None:
    files = {} if mark.files is None else {"files": mark.files}
    document = {"schema": SCHEMA, "part": mark.part.number, "parts": mark.part.of, **files}
    write_atomic(folder / PART, json.dumps(document, indent=2, sort_keys=True).encode() + b"\n")


def refuse_part(folder: Path) -> None:
    """A part must not pass for a sweep. Raises EngineError."""
    mark = read_mark(folder)
    if mark is not None:
        raise EngineError(
            f"{folder}: holds part {mark.part} of a sweep; put the parts together first: bartizan merge "
            "PART... -o DIR"
        )


def command_of_part(command: str, part: SweepPart | str, out: str | Path = "DIR") -> str:
    """The command line that plays one part. command: as a manifest keeps it, with `-o DIR` at its end."""
    return f"{command.removesuffix(' -o DIR')} --shards {part} -o {out}"
