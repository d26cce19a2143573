"""What was played by whom, and on what it rests: the part that documents of one game have in common."""

from typing import Protocol

from bartizan.reports.text import changes
from bartizan.simcore.game import Game
from bartizan.simcore.play.match import Match, Player
from bartizan.simcore.scenario.changes import changes_of
from bartizan.simcore.scenario.loading import Scenario


class PlayedMatch(Protocol):
    """A `simcore.play.match.Match`, or a question about one line-up under several scenarios."""

    @property
    def game(self) -> Game: ...

    @property
    def players(self) -> tuple[Player, ...]: ...

    @property
    def seed(self) -> int: ...


def head(it: PlayedMatch, s: Scenario) -> dict:
    return {
        "game": it.game.name,
        "title": s.model.title,
        "changes": changes_of(it.game, s),
        "scenario": s.name,
        "scenario_hash": s.hash,
        "behaviour": it.game.behaviour,
        "difficulty": s.difficulty,
        "overrides": s.overrides,
        "policies": [player.name for player in it.players],
        "policy_weights": [player.weights for player in it.players],
        "policy_sources": [player.source_hash for player in it.players],
        "seed": it.seed,
    }


def tail(s: Scenario) -> dict:
    return {"assumed": s.assumed, "confidence": s.confidence, "assumptions": s.model.assumptions()}


def setting(match: Match) -> str:
    """`Castle Itter, garrison, veteran, changed: Turn, SS cards 3 -> 5`: what a sentence about it opens
    with.
    """
    return setting_under(match, match.scenario)


def setting_under(match: PlayedMatch, s: Scenario) -> str:
    """The setting of what is played under one of several scenarios."""
    level = [s.difficulty] if len(s.model.difficulties()) > 1 else []
    players = " vs ".join(dict.fromkeys(player.name for player in match.players))
    return changes.title(s.model.title, changes_of(match.game, s), players, *level)
