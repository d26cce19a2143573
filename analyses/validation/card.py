"""The validity card of a game: five facts about the reliability of its numbers.

`benchmarks/coverage.py` and `benchmarks/reference.py` record the comparisons and measurements, with date and
commit, in `recorded.json`.
"""

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from bartizan.analyses.document import Document

RECORDED = Path(__file__).with_name("recorded.json")


class ReferenceCompared(Document):
    """A reference implementation, and the extent of the comparison with it."""

    file: str
    games: int
    actions: int
    differences: int
    date: str
    commit: str


class ExactMet(Document):
    """An exactly known result, and the simulated result."""

    game: str
    what: str
    exact: float
    estimate: float
    low: float
    high: float
    level: float
    method: str
    games: int
    holds: bool  # whether the interval contains the exact value


class CoverageMet(Document):
    """The measured coverage with the largest shortfall from its nominal coverage.

    Trials of methods without a nominal coverage are left out.
    """

    methods: int  # trials
    smallest: float
    nominal: float
    method: str
    at: str
    below: list[str]  # methods that are below their target
    date: str
    commit: str


class ValidityCard(Document):
    """Facts about a game's validity; None or empty fields mean that nothing is recorded."""

    game: str
    reference: ReferenceCompared | None
    exact: list[ExactMet]
    coverage: CoverageMet | None
    assumed: int
    data: int  # numbers and readings of the game's rules
    changed: int = 0  # of them, by the user
    people: str | None  # error on held-out plays by people


# error on held-out plays by people (docs/newcomer.md), by the name of the game
HELD_OUT = {
    "rows": (
        "mean error of the fitted newcomer: 10.3 percentage points for the first player's win rate and 9.8 "
        "for draws, in 37 held-out games played by people"
    )
}


@cache
def read_recorded(path: Path) -> dict[str, Any]:
    return json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}


def recorded() -> dict[str, Any]:
    """Return the recorded facts; empty if there are none."""
    return read_recorded(RECORDED)


def card(game: str, is_shipped: bool, confidence: Mapping[str, int]) -> ValidityCard:
    """Return the validity card of a game.

    is_shipped: whether the game comes with Bartizan; a user's game may have the same name. confidence: number
    of values and readings at each evidence level.
    """
    kept = recorded()
    compared = kept.get("games", {}) if is_shipped else {}
    stamp = {key: compared.get(key, "") for key in ("date", "commit")}
    reference = compared.get("references", {}).get(game)
    return ValidityCard(
        game=game,
        reference=ReferenceCompared(**stamp, **reference) if reference else None,
        exact=[ExactMet(**row) for row in compared.get("exact", []) if row["game"] == game],
        coverage=_coverage(kept["coverage"]) if "coverage" in kept else None,
        assumed=confidence.get("assumed", 0),
        data=sum(confidence.values()),
        changed=confidence.get("changed", 0),
        people=HELD_OUT.get(game) if is_shipped else None,
    )


def _coverage(measured: Mapping[str, Any]) -> CoverageMet:
    rows = [row for row in measured["methods"] if row["nominal"]]
    least = min(rows, key=lambda row: row["coverage"] - row["nominal"])
    return CoverageMet(
        methods=len(rows),
        smallest=least["coverage"],
        nominal=least["nominal"],
        method=least["method"],
        at=least["at"],
        below=[row["method"] for row in rows if row["is_below"]],
        date=measured["date"],
        commit=measured["commit"],
    )
