"""Cells made ready to play, and the manifest that says what they are."""

from collections.abc import Callable
from dataclasses import dataclass, replace

from bartizan.simcore.errors import UsageError
from bartizan.simcore.game import Game
from bartizan.simcore.play.batch import BATCH
from bartizan.simcore.play.match import Match, Player
from bartizan.simcore.scenario.caveat import caveat_of
from bartizan.simcore.scenario.changes import changes_of, names_of
from bartizan.simcore.scenario.loading import load_scenario
from bartizan.simcore.sweep.plan import CellPlan, Plan
from bartizan.simcore.sweep.shards import SHARD_GAMES
from bartizan.simcore.sweep.store import SCHEMA

CONFIDENCE_LEVEL = 0.95


@dataclass(frozen=True, eq=False)
class ReadyCell:
    """A cell with its scenario checked and its players compiled."""

    plan: CellPlan
    match: Match
    games: int

    def entry(self) -> dict:
        """Its entry in the manifest."""
        scenario, engine = self.match.scenario, self.match.engine
        victory = getattr(scenario.model, "victory", None)
        caveat = caveat_of(self.match.game, scenario)
        changes = changes_of(self.match.game, scenario)
        return {
            "id": self.plan.id,
            "difficulty": scenario.difficulty,
            "scenario": scenario.name,
            "scenario_hash": scenario.hash,
            "set": scenario.overrides,
            "policies": [
                {
                    "role": role,
                    "name": p.name,
                    "as_named": text,
                    "weights": p.weights,
                    "about": p.about,
                    "source_hash": p.source_hash,
                }
                for role, p, text in zip(
                    self.match.game.roles_in(scenario), self.match.players, self.plan.policies, strict=True
                )
            ],
            "games": self.games,
            "tiers": engine.tiers(scenario),
            "tier_levels": engine.tier_levels(scenario),
            "end_reasons": {str(code): name for code, name in engine.reason_names().items()},
            "labels": {
                column: {str(k): v for k, v in label(scenario).items()}
                for column, label in engine.labels.items()
            },
            "cause_column": engine.cause_column,
            "nulls": engine.nulls,
            "columns": {name: engine.record_dtype[name].str for name in engine.record_dtype.names},
            "assumed": scenario.assumed,
            "confidence": scenario.confidence,
            "assumptions": scenario.model.assumptions(),
            "min_win_score": getattr(victory, "min_score", None),
            **({"reporting": engine.reporting.document()} if engine.reporting else {}),
            **({"banner": caveat} if caveat else {}),
            **({"names": names_of(self.match.game, scenario)} if scenario.overrides else {}),
            **({"changes": changes} if changes else {}),
        }

    def identity(self, first_game: int, games: int) -> dict:
        """What one of its shards is: the footer says it, a resume compares it."""
        m = self.match
        return {
            "game": m.game.name,
            "behaviour": m.game.behaviour,
            "scenario_hash": m.scenario.hash,
            "players": [[p.name, p.weights, p.source_hash] for p in m.players],
            "seed": m.seed,
            "first_game": first_game,
            "games": games,
        }


def make_ready(plan: Plan, game: Game, find_player: Callable[[Game, str], Player]) -> list[ReadyCell]:
    """Check every scenario and compile every player before the first game is played."""
    ready = []
    for cell in plan.cells:
        scenario = load_scenario(game, plan.scenario, cell.difficulty, dict(cell.sets))
        cell = replace(cell, policies=game.seated(scenario, cell.policies))
        players = tuple(find_player(game, text) for text in cell.policies)
        BATCH.compiled_for(game.compiled, len(game.roles))
        ready.append(ReadyCell(cell, Match(game, scenario, players, plan.seed), plan.games))
    ids = [cell.plan.id for cell in ready]
    for name in ids:
        if ids.count(name) > 1:
            raise UsageError(f'two cells are called "{name}": name each combination once')
    return ready


def manifest(plan: Plan, game: Game, cells: list[ReadyCell]) -> dict:
    return {
        "schema": SCHEMA,
        "game": game.name,
        "game_as_named": plan.game,  # a name, or the path of a file: `verify` loads it again
        "scenario_as_named": plan.scenario,
        "title": cells[0].match.scenario.model.title,
        "rules_source": game.rules_of(cells[0].match.scenario),
        "behaviour": game.behaviour,
        **({"alike": True} if game.alike else {}),  # everybody for himself: analyses may turn line-ups round
        "versions": versions(),
        "seed": plan.seed,
        "level": CONFIDENCE_LEVEL,
        "precision": plan.precision,
        "command": plan.command,
        "shard_games": SHARD_GAMES,
        "cells": [cell.entry() for cell in cells],
        **({"claims": list(plan.claims)} if plan.claims else {}),
    }


def versions() -> dict[str, str]:
    from importlib.metadata import version

    return {name: version(name) for name in ("bartizan", "numba", "numpy", "pyarrow")}
