"""Stored results of a double oracle: pools, ends of games between members, and rounds."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pydantic import BaseModel, Field, ValidationError, computed_field

from bartizan.analyses.statistics.intervals import Interval
from bartizan.simcore.errors import EngineError, fault_in_saved, unreadable
from bartizan.simcore.game import beside

SCHEMA = "bartizan.equilibrium/1"


class Member(BaseModel):
    """A policy in the pool of a side, and the round in which it joined."""

    policy: str  # as named in the command; for a trained policy, the policy from which training started
    weights: dict[str, float]
    round: int = 0  # round in which it was trained; 0: initial member

    @computed_field  # type: ignore[prop-decorator]
    @property
    def name(self) -> str:
        return f"{self.policy} (round {self.round})" if self.round else self.policy


class Pair(BaseModel):
    """Two members and the ends of their games, one letter per game, from the point of view of the first."""

    first: str
    second: str
    ends: str = Field(pattern="^[wdlc]+$")


class BestResponse(BaseModel):
    """Result of a training run against the other side's mixture."""

    begins: str  # member from which training started
    weights: dict[str, float]
    gain: Interval  # relative to its side's mixture, in the same held-out games
    games: int
    joins: bool


class EndCounts(BaseModel):
    """Number of games by outcome for the first side."""

    won: int
    drawn: int
    lost: int
    cut_off: int

    @property
    def games(self) -> int:
        return self.won + self.drawn + self.lost + self.cut_off


class Round(BaseModel):
    """One round: the value between the current members, and each role's best response to the mixtures."""

    value: Interval  # mean payoff of the first side per game
    # held-out games of the mixtures, from which the value is estimated; None: an earlier
    # version bootstrapped the value of the table, whose interval covers less than it states
    ends: EndCounts | None = None
    mixtures: dict[str, dict[str, float]]
    responses: dict[str, BestResponse]

    @computed_field  # type: ignore[prop-decorator]
    @property
    def gap(self) -> tuple[float, float]:
        """Range of the first side's payoff, from the second side's best response to the first side's.

        A response that gains nothing counts as 0, because the mixture itself can be played.
        """
        first, second = (max(response.gain.estimate, 0.0) for response in self.responses.values())
        value = self.value.estimate
        return max(value - second, 0.0), min(value + first, 1.0)


class Hunt(BaseModel):
    """State of a double-oracle search; each round extends it.

    `pools` is keyed by role, the first side first.
    """

    pools: dict[str, list[Member]] = Field(min_length=2, max_length=2)
    table: list[Pair] = []
    rounds: list[Round] = []
    # for the round in progress: weights found, and the values of the search's candidates so far
    found: list[dict[str, float]] = []
    progress: list[list[float]] = []

    @property
    def is_settled(self) -> bool:
        """Whether the last round found no significant gain."""
        return bool(self.rounds) and not any(
            response.joins for response in self.rounds[-1].responses.values()
        )

    def member(self, role: str, name: str) -> Member:
        return next(document for document in self.pools[role] if document.name == name)

    def ends(self, first: str, second: str) -> str | None:
        """Return the ends of two members' games; None if they have not played yet."""
        return next((pair.ends for pair in self.table if (pair.first, pair.second) == (first, second)), None)


def shipped(named: str) -> list[dict[str, Any]]:
    """Return the equilibria that come with a game, in the form of `equilibrium --json`; [] if there are none.

    Raises EngineError if the file is invalid.
    """
    path = beside(named, "equilibria.json")
    if not path.is_file():
        return []
    try:
        documents = json.loads(path.read_text(encoding="utf-8"))["equilibria"]
        if odd := [document for document in documents if document["schema"] != SCHEMA]:
            raise ValueError(f"its schema is {odd[0]['schema']}, not {SCHEMA}")
        return list(documents)
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise EngineError(
            f"{path}: contains no equilibria ({unreadable(error)}); reinstall Bartizan"
        ) from error


def read(path: Path) -> tuple[dict[str, Any], Hunt] | None:
    """Return the content of a file and its rounds; None if there is no file.

    Raises EngineError if the file is invalid.
    """
    if not path.is_file():
        return None
    try:
        document = json.loads(path.read_text(encoding="utf-8"))
        if not isinstance(document, Mapping) or document.get("schema") != SCHEMA:
            raise ValueError(f"its schema is not {SCHEMA}")
        return dict(document), Hunt.model_validate(document)
    except ValidationError as error:
        why = fault_in_saved(error)
    except (OSError, ValueError, RecursionError) as error:
        why = unreadable(error)
    raise EngineError(f"{path}: contains no equilibrium ({why}); delete it, or choose another file")
