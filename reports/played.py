"""What was played by whom: the part that documents of one match have in common."""

from reports import sentences
from simcore.batch import Match


def head(match: Match) -> dict:
    s = match.scenario
    return {
        "game": match.game.name,
        "title": s.model.title,
        "scenario": s.name,
        "scenario_hash": s.hash,
        "behaviour": match.game.behaviour,
        "difficulty": s.difficulty,
        "overrides": s.overrides,
        "policies": [player.name for player in match.players],
        "policy_weights": [player.weights for player in match.players],
        "policy_sources": [player.source_hash for player in match.players],
        "seed": match.seed,
    }


def tail(match: Match) -> dict:
    s = match.scenario
    return {"assumed": s.assumed, "confidence": s.confidence, "assumptions": s.model.assumptions()}


def setting(match: Match) -> str:
    """`Castle Itter, garrison, veteran, turn.ss_cards = 5`: what a sentence about it opens with."""
    s = match.scenario
    level = [s.difficulty] if len(s.model.difficulties()) > 1 else []
    changed = [f"{path} = {sentences.value(to)}" for path, to in s.overrides.items()]
    return ", ".join([s.model.title, " vs ".join(dict.fromkeys(player.name for player in match.players)), *level, *changed])
