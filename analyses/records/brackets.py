"""Stored brackets: win rates of players of increasing skill in a scenario, saved with the policies.

A bracket is identified by the scenario's hash and the version of the rules. For a user's game, the version
includes the hash of its source (`source_hash`), because users edit rules without raising the behaviour
version.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from bartizan.analyses.document import Document
from bartizan.analyses.statistics.intervals import Interval
from bartizan.simcore.errors import EngineError, unreadable
from bartizan.simcore.game import Game, beside
from bartizan.simcore.sources import rules_version, source_hash
from bartizan.simcore.sweep.plan import FILES

SCHEMA = "bartizan.bracket/1"
# kinds of rung, in order
RANDOM, NEWCOMER, HEURISTIC, TRAINED = "random", "newcomer", "heuristic", "trained"
LOOKAHEAD, PEEKING = "lookahead", "peeking"
RUNGS = (RANDOM, NEWCOMER, HEURISTIC, TRAINED, LOOKAHEAD, PEEKING)
# keys without which a stored bracket cannot be shown
KEYS = ("scenario_hash", "behaviour", "difficulty", "levels", "role", "opponents", "alike", "rungs")
RUNG_KEYS = ("rung", "policy", "plays", "games", "win_rate", "gain", "measured")

Bracket = dict[str, Any]


class Ceiling(Document):
    """Upper bound on the win rate that any player can reach in a seat."""

    win_rate: Interval  # low: reached by some player; high and estimate: exceeded by none
    states: int  # number of enumerated states


def shipped(named: str) -> list[Bracket]:
    """Return the brackets that come with a game; [] if it has none."""
    return read(beside(named, "bracket.json"))


def of_scenario(named: str, scenario_hash: str, game: Game) -> list[Bracket]:
    """Return the brackets of one scenario that come with a game."""
    return about(shipped(named), [scenario_hash], game.rules_version)


def read(path: Path) -> list[Bracket]:
    """Return the brackets in a file; [] if there is no file. Raises EngineError if the file is invalid."""
    if not path.is_file():
        return []
    try:
        document = json.loads(path.read_text(encoding="utf-8"))
        if document["schema"] != SCHEMA:
            raise ValueError(f"its schema is {document['schema']}, not {SCHEMA}")
        for one in document["brackets"]:
            if missing := [key for key in KEYS if key not in one]:
                raise ValueError(f"a bracket lacks the key {missing[0]}")
            if missing := [key for row in one["rungs"] for key in RUNG_KEYS if key not in row]:
                raise ValueError(f"a rung lacks the key {missing[0]}")
        return list(document["brackets"])
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise EngineError(
            f"{path}: contains no brackets ({unreadable(error)}); delete it, or choose another file"
        ) from error


def about(
    known: Sequence[dict[str, Any]], hashes: Iterable[str], version: tuple[int, str]
) -> list[dict[str, Any]]:
    """Return the brackets or equilibria of these scenarios, in the order of the scenarios.

    Only those of this version of the rules are returned.

    Rungs of policies whose files were edited are omitted, as are brackets without other rungs.
    """
    found = (
        (document, with_current_rungs(document))
        for scenario_hash in dict.fromkeys(hashes)
        for document in known
        if document["scenario_hash"] == scenario_hash and rules_version(document) == version
    )
    return [now for before, now in found if now.get("rungs") or not before.get("rungs")]


def with_current_rungs(document: dict[str, Any]) -> dict[str, Any]:
    """Return a bracket without rungs of policies whose files were edited since; an equilibrium unchanged."""
    if "rungs" not in document:
        return document
    return {**document, "rungs": [row for row in document["rungs"] if _is_of_current_files(row)]}


def files_of(policy: str) -> dict[str, dict[str, str]]:
    """Return {"files": hashes by file} for the user's files in a policy's name; {} if there are none."""
    named = (str(found["file"]) for found in FILES.finditer(policy))
    files = {name: source_hash(Path(name)) for name in named if Path(name).is_file()}
    return {"files": files} if files else {}


def _is_of_current_files(row: Mapping[str, Any]) -> bool:
    """Return whether the files of a rung's policy are unchanged. Missing files are ignored."""
    files = {Path(name): digest for name, digest in row.get("files", {}).items()}
    return all(source_hash(path) == digest for path, digest in files.items() if path.is_file())


def is_same(one: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    """Return whether two brackets have the same scenario, version of the rules, role and opponents."""
    keys = ("scenario_hash", "role", "opponents")
    return rules_version(one) == rules_version(other) and all(one[key] == other[key] for key in keys)


def place_of(row: Mapping[str, Any]) -> tuple[int, int, str]:
    """Return a sort key of a rung: its kind, its simulations per decision, and the name of a newcomer."""
    return RUNGS.index(row["rung"]), row["plays"], row["policy"] if row["rung"] == NEWCOMER else ""


def rung_of(bracket: Mapping[str, Any], kind: str, plays: int, policy: str = "") -> dict[str, Any] | None:
    """Return the rung of a kind; None if the bracket does not have it.

    policy: selects one of several newcomers.
    """
    place = place_of({"rung": kind, "plays": plays, "policy": policy})
    return next((row for row in bracket["rungs"] if place_of(row) == place), None)


def looks_at(row: Mapping[str, Any]) -> list[int]:
    """Return the numbers of games at which a rung has been shown.

    A row of an earlier version has only one number.
    """
    return list(row.get("looks", [row["games"]] if row else []))


def looks_with(row: Mapping[str, Any]) -> list[int]:
    """Return the looks including the current number of games. The same number again is the same look."""
    return sorted({*looks_at(row), row["games"]})
