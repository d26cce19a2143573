"""Brackets that were measured: how often players of rising skill win a scenario, kept beside the policies.

They are found again by what is played: the scenario's hash and the game's behaviour version.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from bartizan.analyses.document import Document
from bartizan.analyses.statistics.intervals import Interval
from bartizan.simcore.errors import EngineError
from bartizan.simcore.game import beside

SCHEMA = "bartizan.bracket/1"
# who stands on the rungs, from the first to the last
RANDOM, NEWCOMER, HEURISTIC, TRAINED = "random", "newcomer", "heuristic", "trained"
LOOKAHEAD, PEEKING = "lookahead", "peeking"
RUNGS = (RANDOM, NEWCOMER, HEURISTIC, TRAINED, LOOKAHEAD, PEEKING)

Bracket = dict[str, Any]


class Ceiling(Document):
    """What no player of a seat surpasses."""

    win_rate: Interval  # low: some player reaches it; high, the estimate: none surpasses it
    states: int  # that were listed


def shipped(named: str) -> list[Bracket]:
    """The brackets that come with a game; [] where it has none."""
    return read(beside(named, "bracket.json"))


def of_scenario(named: str, scenario_hash: str, behaviour: int) -> list[Bracket]:
    """The brackets of one scenario that come with a game."""
    return about(shipped(named), [scenario_hash], behaviour)


def read(path: Path) -> list[Bracket]:
    """The brackets in a file; [] where there is none. Raises EngineError with one line."""
    if not path.is_file():
        return []
    try:
        document = json.loads(path.read_text(encoding="utf-8"))
        if document["schema"] != SCHEMA:
            raise ValueError(f"its schema is {document['schema']}")
        return list(document["brackets"])
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise EngineError(
            f"{path}: contains no brackets ({error}); delete it, or choose another file"
        ) from error


def about(known: Sequence[dict[str, Any]], hashes: Iterable[str], behaviour: int) -> list[dict[str, Any]]:
    """Brackets or equilibria of exactly these scenarios, in their order, under these rules."""
    return [
        document
        for scenario_hash in dict.fromkeys(hashes)
        for document in known
        if (document["scenario_hash"], document["behaviour"]) == (scenario_hash, behaviour)
    ]


def is_same(one: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    """Are two brackets about the same game and the same seat?"""
    keys = ("scenario_hash", "behaviour", "role", "opponents")
    return all(one[key] == other[key] for key in keys)


def place_of(row: Mapping[str, Any]) -> tuple[int, int, str]:
    """Where a rung stands: by its kind, then by its plays a decision; newcomers are several, by name."""
    return RUNGS.index(row["rung"]), row["plays"], row["policy"] if row["rung"] == NEWCOMER else ""


def rung_of(bracket: Mapping[str, Any], kind: str, plays: int, policy: str = "") -> dict[str, Any] | None:
    """policy: which of several newcomers."""
    place = place_of({"rung": kind, "plays": plays, "policy": policy})
    return next((row for row in bracket["rungs"] if place_of(row) == place), None)


def looks_at(row: Mapping[str, Any]) -> list[int]:
    """With how many games a rung was shown so far; a row of an earlier version was shown once."""
    return list(row.get("looks", [row["games"]] if row else []))


def looks_with(row: Mapping[str, Any]) -> list[int]:
    """The same, with the games that it has now: the same number again is the same look."""
    return sorted({*looks_at(row), row["games"]})
