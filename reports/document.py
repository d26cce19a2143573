"""What every document of games under one scenario says: who played what, and on what it rests."""

from typing import Any, Self

from pydantic import Field

from bartizan.analyses.document import Document, optional
from bartizan.reports.text import changes
from bartizan.reports.text.played import PlayedMatch, head, tail
from bartizan.simcore.scenario.caveat import caveat_of
from bartizan.simcore.scenario.loading import Scenario

ONLY = ("", "standard")  # what a game without levels calls its one


class PlayedDocument(Document):
    schema_: str = Field(alias="schema")
    game: str
    title: str
    changes: list[dict[str, Any]] = []
    scenario: str | None
    scenario_hash: str
    behaviour: int
    difficulty: str = ""
    overrides: dict[str, Any] = {}
    policies: list[str]
    policy_weights: list[dict[str, Any]] = []
    policy_sources: list[str] = []
    seed: int
    assumed: int = 0
    confidence: dict[str, int] = {}
    assumptions: list[str] = []
    banner: dict[str, Any] | None = optional()

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

    @property
    def titled(self) -> str:
        """The game, and what is changed in it."""
        return changes.title(self.title, self.changes)
