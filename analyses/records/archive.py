"""The archive of best players: for each game, level and role the best policy found, and how it came in.

An entry is written once and never changed: the last one of a level and role is the best, those before it are
what it has beaten. Where there is none, the game's default policy is the best found.
"""

import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from bartizan.analyses.records.brackets import beside
from bartizan.simcore.errors import UsageError

KEYS = (
    *("scenario", "difficulty", "role", "policy", "before", "opponent", "found", "command"),
    *("behaviour", "scenario_hash", "seed", "pairs", "win_rate", "margin", "method"),
)  # and `weights`, a hash of what the policy's name stood for

Entry = dict[str, Any]


def file_of(named: str) -> Path:
    """The archive that comes with a game."""
    return beside(named, "best.toml")


def entries_of(*paths: Path) -> list[Entry]:
    """The entries of archives, each file once, in the order of the files; of one that is not there none."""
    return [entry for path in dict.fromkeys(one.resolve() for one in paths) for entry in read(path)]


def read(path: Path) -> list[Entry]:
    """Raises UsageError with one line where it is no archive."""
    if not path.is_file():
        return []
    try:
        found = tomllib.loads(path.read_text(encoding="utf-8")).get("best", [])
        if missing := [key for entry in found for key in KEYS if key not in entry]:
            raise ValueError(f"an entry has no {missing[0]}")
    except (OSError, ValueError, AttributeError, TypeError) as error:
        raise UsageError(f"{path}: is no archive of best players: {error}") from None
    return found


def of_seat(entries: Sequence[Entry], scenario: str, difficulty: str, role: str) -> list[Entry]:
    """Those of a level and role, the first admitted first."""
    wanted = (scenario, difficulty, role)
    return [entry for entry in entries if (entry["scenario"], entry["difficulty"], entry["role"]) == wanted]
