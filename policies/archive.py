"""The archive of best policies, by game, level, number of players and role.

Each entry states how its policy was admitted.

An entry is written once and never changed. The last entry of a level, number of players and role is the best
policy. Each policy has beaten the best policy at the time. Without an entry, the best known policy is the one
that the game declares.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from bartizan.policies.registry import LOOKAHEAD
from bartizan.simcore import toml
from bartizan.simcore.errors import UsageError, unreadable
from bartizan.simcore.game import Game, beside
from bartizan.simcore.scenario.loading import Scenario, shipped_name
from bartizan.simcore.scenario.parameters import get

KEYS = (
    *("scenario", "difficulty", "role", "policy", "before", "opponent", "found", "command"),
    *("behaviour", "scenario_hash", "seed", "pairs", "win_rate", "margin", "method"),
)  # also `weights` and `files`, hashes of the weights and of the user's code; `players`, if they can vary

TEXTS = ("scenario", "difficulty", "role", "policy", "before")
Entry = dict[str, Any]


def file_of(named: str) -> Path:
    """Return the path of the archive that is included with a game."""
    return beside(named, "best.toml")


def entries_of(*paths: Path) -> list[Entry]:
    """Return the entries of several archive files, in the order of the files.

    Each file is read once; a missing file has no entries.
    """
    files = dict.fromkeys(path.resolve() for path in paths)
    return [entry for path in files for entry in read(path)]


def read(path: Path) -> list[Entry]:
    """Return the entries of an archive file; [] if the file does not exist.

    Raises UsageError if it is invalid.
    """
    if not path.is_file():
        return []
    try:
        entries = toml.read(path, "no such archive").get("best", [])
        if missing := [key for entry in entries for key in KEYS if key not in entry]:
            raise ValueError(f"an entry lacks the key {missing[0]}")
        if odd := [key for entry in entries for key in TEXTS if not isinstance(entry[key], str)]:
            raise ValueError(f"the {odd[0]} of an entry is not text")
    except (ValueError, AttributeError, TypeError) as error:
        raise UsageError(
            f"{path}: not an archive of best policies: {unreadable(error)}; choose another file"
        ) from None
    return entries


def players_in(game: Game, scenario: Scenario) -> int | None:
    """Return the number of players; None if the game has no setting for it."""
    return get(scenario.data, game.players_path) if game.players_path else None


def of_seat(entries: Sequence[Entry], game: Game, scenario: Scenario, role: str) -> list[Entry]:
    """Return the entries of a level, number of players and role, in the order of admission.

    If a user's own scenario has no entries, returns the entries of the scenario that it extends.
    """
    role = "" if game.alike else role
    players = players_in(game, scenario)
    seat = (scenario.difficulty, role, players)
    for name in (scenario.name, shipped_name(game, scenario.path)):
        admitted = [
            entry
            for entry in entries
            if (entry["difficulty"], entry["role"], entry.get("players", players)) == seat
            and entry["scenario"] == name
        ]
        if admitted:
            break
    return admitted


def quick(entries: Sequence[Entry]) -> list[str]:
    """Return the names of policies without lookahead, which simulate thousands of games per second."""
    return [entry["policy"] for entry in entries if entry["policy"].partition(":")[0] != LOOKAHEAD]
