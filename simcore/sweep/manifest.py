"""Cells prepared for simulation, and the manifest that describes them."""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
import polars as pl
from pydantic import ConfigDict, Field

from bartizan.simcore.errors import UsageError
from bartizan.simcore.game import Engine, Game
from bartizan.simcore.play.batch import BATCH
from bartizan.simcore.play.drawn import draws_luck
from bartizan.simcore.play.match import Match, Player
from bartizan.simcore.reporting import CONFIDENCE
from bartizan.simcore.scenario.changes import caveat_of, changes_of, names_of
from bartizan.simcore.scenario.loading import load_scenario
from bartizan.simcore.sources import is_short, source_of
from bartizan.simcore.sweep.cells import CellEntry, MatchGames
from bartizan.simcore.sweep.plan import CellPlan, Plan
from bartizan.simcore.sweep.shards import SHARD_GAMES
from bartizan.simcore.sweep.store import SCHEMA, Cell, folder_name, with_points

MODEL = "model"  # as in `policies.learned`: the digest of a network, which only looks like a weight


@dataclass(frozen=True, eq=False)
class ReadyCell:
    """A cell with its scenario checked and its players compiled."""

    plan: CellPlan
    match: Match
    games: int

    @cached_property
    def draws_luck(self) -> bool:
        """Whether the games use chance.

        False if all are proven to be the same game (`simcore.play.drawn`).
        """
        return draws_luck(self.match)

    def entry(self) -> dict[str, Any]:
        """Return the entry in the manifest: the match, and information for readers of the rows.

        This information consists of columns, names of codes, and the meaning of null.
        """
        game, scenario, engine = self.match.game, self.match.scenario, self.match.engine
        seats = zip(game.roles_in(scenario), self.match.players, self.plan.policies, strict=True)
        cell = CellEntry(
            id=self.plan.id,
            difficulty=scenario.difficulty,
            scenario=scenario.name,
            scenario_hash=scenario.hash,
            set=scenario.overrides,
            policies=[
                {
                    "role": role,
                    "name": player.name,
                    "as_named": text,
                    "weights": player.weights,
                    "about": player.about,
                    "source_hash": player.source_hash,
                }
                for role, player, text in seats
            ],
            games=self.games,
            **meanings_of(self.match),
            tier_levels=engine.tier_levels(scenario),
            nulls=engine.nulls,
            columns={name: engine.record_dtype[name].str for name in engine.record_dtype.names},
            assumed=scenario.assumed,
            confidence=scenario.confidence,
            assumptions=scenario.model.assumptions(),
            min_win_score=engine.min_win_score(scenario),
            banner=caveat_of(game, scenario) or None,
            names=names_of(game, scenario),
            changes=changes_of(game, scenario),
            assumed_values=scenario.assumed_values,
            draws_luck=self.draws_luck,
        )
        return cell.written()

    def identity(self, games: range) -> dict[str, Any]:
        """Return the identity of one shard of the cell.

        The footer of the shard contains it, and a resumed run compares it.
        """
        return {**identity_of(self.match), "first_game": games.start, "games": len(games)}


def meanings_of(match: Match) -> dict[str, Any]:
    """Return the meaning of the columns of a match's records, as in the manifest entry of a cell."""
    scenario, engine = match.scenario, match.engine
    return {
        "tiers": engine.tiers_in_points(scenario),
        "end_reasons": {str(code): name for code, name in engine.reason_names().items()},
        "labels": {
            column: {str(k): v for k, v in label(scenario).items()} for column, label in engine.labels.items()
        },
        "cause_column": engine.cause_column,
        **({"reporting": engine.reporting.document()} if engine.reporting else {}),
    }


def identity_of(match: Match) -> dict[str, Any]:
    """Return everything on which the games of a match depend besides the versions."""
    return {
        "game": match.game.name,
        "behaviour": match.game.behaviour,
        **source_of(match.game),
        "scenario_hash": match.scenario.hash,
        "players": [[p.name, p.weights, p.source_hash] for p in match.players],
        "seed": match.seed,
    }


def table_identity(match: Match) -> dict[str, Any]:
    """Return the part of the identity that must be the same on a worker.

    It excludes the seed, and the names and weights of the policies. The weight that identifies a learned
    network is included.
    """
    players = [
        [player.source_hash, player.weights[MODEL]]
        if player.learn and MODEL in player.weights
        else player.source_hash
        for player in match.players
    ]
    identity = {**identity_of(match), "players": players}
    return {key: value for key, value in identity.items() if key != "seed"}


def make_ready(plan: Plan, game: Game, find_player: Callable[[Game, str], Player]) -> list[ReadyCell]:
    """Check every scenario and compile every player, before the first game is simulated.

    Raises UsageError if two cells have the same name.
    """
    ready = []
    for cell in plan.cells:
        scenario = load_scenario(game, plan.scenario, cell.difficulty, dict(cell.sets))
        cell = replace(cell, policies=game.seated(scenario, cell.policies))
        players = tuple(find_player(game, text) for text in cell.policies)
        BATCH.compiled_for(game.compiled, len(game.roles))
        ready.append(ReadyCell(cell, Match(game, scenario, players, plan.seed), plan.games))
    twice = _twice(ready)  # policy files of the same name are also named by their folders
    ready = [
        replace(cell, plan=replace(cell.plan, with_folders=True)) if cell.plan.id in twice else cell
        for cell in ready
    ]
    if twice := _twice(ready):
        raise UsageError(f'two cells have the name "{min(twice)}"; give each combination once')
    return ready


def _twice(cells: list[ReadyCell]) -> set[str]:
    """Return names of cells that would share a folder with another cell."""
    folders = Counter(folder_name(cell.plan.id) for cell in cells)
    return {cell.plan.id for cell in cells if folders[folder_name(cell.plan.id)] > 1}


def manifest(plan: Plan, game: Game, cells: list[ReadyCell]) -> dict[str, Any]:
    return {
        "schema": SCHEMA,
        "game": game.name,
        "game_as_named": plan.game,  # a name, or the path of a file, which `verify` loads again
        "scenario_as_named": plan.scenario,
        "title": cells[0].match.scenario.model.title,
        "rules_source": game.rules_of(cells[0].match.scenario),
        "behaviour": game.behaviour,
        **source_of(game),
        # all against all with equal rules: analyses may rotate line-ups
        **({"alike": True} if game.alike else {}),
        # a short game, which `--player learned` can train for
        **({"short": True} if game.home.suffix == ".py" and is_short(game.home) else {}),
        "versions": versions(),
        "seed": plan.seed,
        "level": CONFIDENCE,
        "precision": plan.precision,
        "command": plan.command,
        "shard_games": SHARD_GAMES,
        "cells": [cell.entry() for cell in cells],
        **({"claims": list(plan.claims)} if plan.claims else {}),
    }


def versions() -> dict[str, str]:
    from importlib.metadata import version

    return {name: version(name) for name in ("bartizan", "numba", "numpy", "pyarrow")}


# ---------------------------------------------------------------- games that no sweep stores


def games_of(match: Match) -> MatchGames:
    seats = zip(match.game.roles_in(match.scenario), match.players, strict=True)
    policies = [{"role": role, "name": player.name} for role, player in seats]
    return MatchGames(policies=policies, draws_luck=draws_luck(match), **meanings_of(match))


class MemoryCell(Cell):
    """A cell's manifest entry, and its games."""

    model_config = ConfigDict(arbitrary_types_allowed=True)
    frame: pl.DataFrame = Field(default_factory=pl.DataFrame, repr=False)

    def scan(self) -> pl.LazyFrame:
        return self.frame.lazy()


def frame_of(rows: np.ndarray, engine: Engine) -> pl.DataFrame:
    """Return one row per game, as `Cell.scan` does.

    Values that the game declares as missing are null.
    """
    frame = pl.DataFrame({name: np.ascontiguousarray(rows[name]) for name in rows.dtype.names or ()})
    nulls = [pl.when(pl.col(name) != none).then(pl.col(name)) for name, none in engine.nulls.items()]
    return with_points(frame.with_columns(nulls), engine.reporting)
