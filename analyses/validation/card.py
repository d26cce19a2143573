"""The validity card of a game: five facts about how far its numbers can be trusted.

`benchmarks/coverage.py` and `benchmarks/reference.py` record what was compared and measured, with date and
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
    """A reference implementation, and what was compared with it."""

    file: str
    games: int
    actions: int
    differences: int
    date: str
    commit: str


class ExactMet(Document):
    """A result that is known exactly, beside the simulated one."""

    game: str
    what: str
    exact: float
    estimate: float
    low: float
    high: float
    level: float
    method: str
    games: int
    holds: bool  # does the interval hold the exact value?


class CoverageMet(Document):
    """The smallest coverage of all methods that promise one."""

    methods: int  # trials
    smallest: float
    nominal: float
    method: str
    at: str
    below: list[str]  # methods that are below their target
    date: str
    commit: str


class ValidityCard(Document):
    """None, or empty: there is none."""

    game: str
    reference: ReferenceCompared | None
    exact: list[ExactMet]
    coverage: CoverageMet | None
    assumed: int
    data: int  # numbers and readings behind the game
    people: str | None  # error on held-out plays by people


# error on held-out plays by people, as docs/newcomer.md has it: by the name of the game
HELD_OUT = {
    "rows": (
        "mean error of 10.3 percentage points in how often the first player wins and 9.8 in draws, 37 games "
        "played by people and held out, by the fitted newcomer"
    )
}


@cache
def read_recorded(path: Path) -> dict[str, Any]:
    return json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}


def recorded() -> dict[str, Any]:
    """What was recorded; empty where nothing was."""
    return read_recorded(RECORDED)


def card(game: str, is_shipped: bool, confidence: Mapping[str, int]) -> ValidityCard:
    """is_shipped: does the game come with Bartizan? A game of somebody else's may have the same name.
    confidence: how many numbers and readings stand on what.
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
