"""What every document of games under one scenario says: who played what, and on what it rests."""

from collections.abc import Mapping
from typing import Any, Self

from pydantic import Field

from bartizan.analyses.document import Document, optional
from bartizan.reports.text import changes
from bartizan.reports.text.played import PlayedMatch, head, tail
from bartizan.simcore.game import Game
from bartizan.simcore.scenario.changes import caveat_of, changes_of
from bartizan.simcore.scenario.loading import Scenario

ONLY = ("", "standard")  # what a game without levels calls its one


class GameDocument(Document):
    """What every document about a game begins with."""

    schema_: str = Field(alias="schema")
    game: str
    title: str
    changes: list[dict[str, Any]] = []
    scenario: str | None
    behaviour: int
    assumed: int = 0
    assumptions: list[str] = []
    banner: dict[str, Any] | None = optional()

    @classmethod
    def of_levels(cls, schema: str, game: Game, scenarios: Mapping[str, Scenario], **others: Any) -> Self:
        """Of a game at some levels, the first of which says what it is called. others: the fields that a kind
        of document adds; one that it does not declare is left out.
        """
        levels = scenarios.values()
        first = next(iter(levels))
        fields = {
            "schema": schema,
            "game": game.name,
            "title": first.model.title,
            "changes": changes_of(game, first),
            "scenario": first.name,
            "scenario_hash": first.hash,
            "scenario_hashes": {level: scenario.hash for level, scenario in scenarios.items()},
            "behaviour": game.behaviour,
            "difficulty": first.difficulty,
            "overrides": first.overrides,
            "assumed": max(scenario.assumed for scenario in levels),
            "confidence": first.confidence,
            "assumptions": list(dict.fromkeys(line for each in levels for line in each.model.assumptions())),
            "banner": caveat_of(game, first),
        }
        return cls(**{**fields, **others})

    @property
    def titled(self) -> str:
        """The game, and what is changed in it."""
        return changes.title(self.title, self.changes)


class PlayedDocument(GameDocument):
    """What was played under one scenario, by whom, on which luck."""

    scenario_hash: str
    difficulty: str = ""
    overrides: dict[str, Any] = {}
    policies: list[str]
    policy_weights: list[dict[str, Any]] = []
    policy_sources: list[str] = []
    seed: int
    confidence: dict[str, int] = {}

    @classmethod
    def about(cls, schema: str, match: PlayedMatch, scenario: Scenario, **others: Any) -> Self:
        """others: the fields that a kind of document adds."""
        caveat = caveat_of(match.game, scenario)
        return cls(schema=schema, **head(match, scenario), **tail(scenario), banner=caveat, **others)

    @property
    def players(self) -> str:
        """Who played, each once."""
        return " against ".join(dict.fromkeys(self.policies))

    @property
    def at_level(self) -> str:
        """` at veteran`; "" where the game has one level only."""
        return "" if self.difficulty in ONLY else f" at {self.difficulty}"
