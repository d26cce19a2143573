"""Fields that every document about games has: players, scenario, and assumptions."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Protocol, Self

from pydantic import Field

from bartizan.analyses.document import Document, optional
from bartizan.reports.text import changes
from bartizan.simcore.game import Game
from bartizan.simcore.scenario.changes import caveat_of, changes_of
from bartizan.simcore.scenario.loading import Scenario
from bartizan.simcore.sources import source_of

if TYPE_CHECKING:
    from bartizan.simcore.play.match import Player

ONLY = ("", "standard")  # name of the only level of a game without levels


class PlayedMatch(Protocol):
    """A `simcore.play.match.Match`, or a question about one line-up under several scenarios."""

    @property
    def game(self) -> Game: ...

    @property
    def players(self) -> "tuple[Player, ...]": ...

    @property
    def seed(self) -> int: ...


def head(match: PlayedMatch, s: Scenario) -> dict[str, Any]:
    """Return the fields about the game and its players."""
    return {**_game(match.game, s), **_players(match)}


def tail(s: Scenario) -> dict[str, Any]:
    """Return the fields about assumptions and evidence levels."""
    return {"assumed": s.assumed, "confidence": s.confidence, "assumptions": s.model.assumptions()}


def _game(game: Game, s: Scenario) -> dict[str, Any]:
    return {
        "game": game.name,
        "title": s.model.title,
        "changes": changes_of(game, s),
        "scenario": s.name,
        "scenario_hash": s.hash,
        "behaviour": game.behaviour,
        **source_of(game),
        "difficulty": s.difficulty,
        "overrides": s.overrides,
    }


def _players(match: PlayedMatch) -> dict[str, Any]:
    return {
        "policies": [player.name for player in match.players],
        "policy_weights": [player.weights for player in match.players],
        "policy_sources": [player.source_hash for player in match.players],
        "seed": match.seed,
    }


def setting_of(match: PlayedMatch, s: Scenario) -> str:
    """Return the start of a sentence: game, players, level and changes.

    For example: `Castle Itter, garrison, veteran, changed: Turn, SS cards 3 -> 5`.
    """
    level = [s.difficulty] if len(s.model.difficulties()) > 1 else []
    players = " vs ".join(dict.fromkeys(player.name for player in match.players))
    return changes.title(s.model.title, changes_of(match.game, s), players, *level)


class GameDocument(Document):
    """Fields that every document about a game has."""

    schema_: str = Field(alias="schema")
    game: str
    title: str
    changes: list[dict[str, Any]] = []
    scenario: str | None
    behaviour: int
    source_hash: str | None = optional()  # hash of the source of a user's game
    assumed: int = 0
    assumptions: list[str] = []
    banner: dict[str, Any] | None = optional()

    @classmethod
    def of_levels(cls, schema: str, game: Game, scenarios: Mapping[str, Scenario], **others: Any) -> Self:
        """Create a document of a game at one or more levels. The first level supplies the title.

        others: the other fields of this kind of document. Fields that the class does not declare are dropped.
        """
        levels = scenarios.values()
        first = next(iter(levels))
        fields = {
            "schema": schema,
            **_game(game, first),
            "scenario_hashes": {level: scenario.hash for level, scenario in scenarios.items()},
            "assumed": max(scenario.assumed for scenario in levels),
            "confidence": first.confidence,
            "assumptions": list(dict.fromkeys(line for each in levels for line in each.model.assumptions())),
            "banner": caveat_of(game, first),
        }
        return cls(**{**fields, **others})

    @property
    def titled(self) -> str:
        """The title of the game with its changes."""
        return changes.title(self.title, self.changes)


class Looked(Document):
    """Mixin for a result that may be repeated with more games of the same seed."""

    looks_counted: bool = False  # False: valid for one look at a number of games fixed in advance
    look_number: int | None = optional()  # counted from 1
    looks: list[int] | None = optional()  # number of games at each look so far
    asked: str | None = optional()  # fingerprint of the question and seed


class PlayedDocument(GameDocument):
    """A document about games under one scenario, with their policies and seed."""

    scenario_hash: str
    difficulty: str = ""
    overrides: dict[str, Any] = {}
    policies: list[str]
    policy_weights: list[dict[str, Any]] = []
    policy_sources: list[str] = []
    seed: int
    turn_name: str = "turn"  # the game's word for a turn, in the singular
    confidence: dict[str, int] = {}

    @classmethod
    def about(cls, schema: str, match: PlayedMatch, scenario: Scenario, **others: Any) -> Self:
        """Create a document of games under one scenario.

        others: the other fields of this kind of document.
        """
        played = {**_players(match), "turn_name": match.game.turn_name}
        return cls.of_levels(schema, match.game, {scenario.difficulty: scenario}, **{**played, **others})

    @property
    def players(self) -> str:
        """The distinct policies as text, such as `garrison against rusher`."""
        return " against ".join(dict.fromkeys(self.policies))

    @property
    def at_level(self) -> str:
        """The level as the end of a phrase, such as ` at veteran`; "" if the game has only one level."""
        return "" if self.difficulty in ONLY else f" at {self.difficulty}"
