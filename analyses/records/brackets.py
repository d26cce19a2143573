"""Stored brackets: win rates of players of increasing skill in a scenario, saved beside the policies.

They are identified by the scenario's hash and the version of the rules. For a user's game, this includes the
hash of its source (`source_hash`), because users edit rules without raising the behaviour version.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from bartizan.analyses.document import Document
from bartizan.analyses.statistics.intervals import Interval
from bartizan.simcore.errors import EngineError, unreadable
from bartizan.simcore.game import Game, beside
from bartizan.simcore.sources import rules_version

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
    """Return the brackets or equilibria that exactly match these scenarios and the version of the rules, in
    the order of the scenarios.
    """
    return [
        document
        for scenario_hash in dict.fromkeys(hashes)
        for document in known
        if document["scenario_hash"] == scenario_hash and rules_version(document) == version
    ]


def is_same(one: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    """Return whether two brackets have the same scenario, version of the rules, role and opponents."""
    keys = ("scenario_hash", "role", "opponents")
    return rules_version(one) == rules_version(other) and all(one[key] == other[key] for key in keys)


def place_of(row: Mapping[str, Any]) -> tuple[int, int, str]:
    """Return a sort key of a rung: its kind, then its simulations per decision; newcomers by name."""
    return RUNGS.index(row["rung"]), row["plays"], row["policy"] if row["rung"] == NEWCOMER else ""


def rung_of(bracket: Mapping[str, Any], kind: str, plays: int, policy: str = "") -> dict[str, Any] | None:
    """Return the rung of a kind; None if the bracket does not have it. policy: selects one of several
    newcomers.
    """
    place = place_of({"rung": kind, "plays": plays, "policy": policy})
    return next((row for row in bracket["rungs"] if place_of(row) == place), None)


def looks_at(row: Mapping[str, Any]) -> list[int]:
    """Return the numbers of games at which a rung has been shown; a single number for a row of an earlier
    version.
    """
    return list(row.get("looks", [row["games"]] if row else []))


def looks_with(row: Mapping[str, Any]) -> list[int]:
    """Return the looks including the current number of games. The same number again is the same look."""
    return sorted({*looks_at(row), row["games"]})
