"""Simulation of plans, and the summary of each cell."""

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import polars as pl

from bartizan.analyses.records import claims
from bartizan.analyses.records.quantities import summarize
from bartizan.analyses.records.tidy import names_of
from bartizan.analyses.statistics.intervals import confidence_sequence, proportion
from bartizan.analyses.statistics.stagewise import Precision
from bartizan.api.effort import Effort
from bartizan.api.keeping import Folder
from bartizan.policies.registry import find_player
from bartizan.reports.views.sequential import stopped
from bartizan.simcore.errors import UsageError
from bartizan.simcore.game import Game
from bartizan.simcore.play.batch import BATCH, CHUNK_GAMES
from bartizan.simcore.sweep.manifest import ReadyCell, make_ready, manifest, versions
from bartizan.simcore.sweep.plan import Plan
from bartizan.simcore.sweep.run import Played, difference, play_sweep
from bartizan.simcore.sweep.store import Cell, open_sweep, sweep_of


def made_ready(plan: Plan, game: Game, effort: Effort, named: str) -> list[ReadyCell]:
    """Compile the cells of a plan and return them. named: the plan's file, for error messages.

    Raises UsageError for a claim that matches no cell.
    """
    policies = (text for cell in plan.cells for text in cell.policies if text)
    effort.compiles(game, BATCH, plan.game, policies)
    ready = make_ready(plan, game, find_player)
    if plan.claims:  # reject a claim that matches no cell before the simulation
        planned = sweep_of(Path(), manifest(plan, game, ready))
        claims.cases(claims.read(plan.claims, named), planned.cells, game.alike, named)
    return ready


def play(folder: Path, plan: Plan, game: Game, effort: Effort, named: str = "") -> list[dict[str, Any]]:
    """Simulate the games of a plan, store them in a folder, and return one JSON document per cell.

    named: the plan's file, for error messages.
    """
    ready = made_ready(plan, game, effort, named)
    rule = Precision(plan.precision, CHUNK_GAMES, plan.games) if plan.precision is not None else None
    stop = rule.is_enough if rule else None
    with effort.source(game, plan.games * len(plan.cells)) as source:
        results = play_sweep(folder, plan, game, ready, source, stop=stop)
    documents = []
    for cell, stored in zip(ready, open_sweep(folder).cells, strict=True):
        played = results[cell.plan.id]
        # with a stopping rule, only a confidence sequence is valid
        summary = summarize(stored.scan(), stored, method=confidence_sequence if rule else proportion)
        summary |= stopped(rule, played.games, summary["wins"], summary["capped"])
        documents.append(document_of(cell, stored, played, summary, effort.threads))
    return documents


def document_of(
    cell: ReadyCell, stored: Cell, played: Played, summary: dict[str, Any], jobs: int
) -> dict[str, Any]:
    """Return the JSON document of one simulated cell, as `run --json` prints it."""
    match = cell.match
    return {
        "schema": "bartizan.run/1",
        "game": match.game.name,
        "title": match.scenario.model.title,
        "changes": stored.changes,
        "scenario": match.scenario.name,
        "scenario_hash": match.scenario.hash,
        "difficulty": match.scenario.difficulty,
        "policies": [player.name for player in match.players],
        "policy_weights": [player.weights for player in match.players],
        "policy_sources": [player.source_hash for player in match.players],
        "overrides": match.scenario.overrides,
        "games": played.games,
        "seed": match.seed,
        "jobs": jobs,
        **summary,
        "plies": played.plies,
        "seconds": played.seconds,
        "games_per_second": played.games / played.seconds if played.seconds else None,
        "digest": played.digest.hexdigest(),
        "assumed": stored.assumed,
        "confidence": stored.confidence,
        "assumptions": stored.assumptions,
        **({"banner": stored.banner} if stored.banner else {}),
        "behaviour": match.game.behaviour,
        "versions": versions(),
        "cell": stored.id,
    }


def rows_of(*folders: Folder, sides: tuple[str, ...] = ("",)) -> pl.LazyFrame:
    """Return the games in result folders, one per row, with columns of names beside codes.

    A column `cell` states the cell of each game. sides: values of a column `side`, one per folder; "" for no
    such column.
    """
    return rows_in(*folders, sides=sides)()


def rows_in(*folders: Folder, sides: tuple[str, ...] = ("",)) -> Callable[[], pl.LazyFrame]:
    """Return a function that returns the current games of result folders, in the form of `rows_of`.

    Games that a later run adds are left out. Raises UsageError if a later run has replaced them.
    """
    return partial(_rows, folders, sides, [open_sweep(folder.path).manifest for folder in folders])


def _rows(
    folders: Sequence[Folder], sides: Sequence[str], manifests: Sequence[dict[str, Any]]
) -> pl.LazyFrame:
    frames = []
    for folder, side, before in zip(folders, sides, manifests, strict=True):
        folder.keep()
        opened = open_sweep(folder.path)
        if how := difference(before, opened.manifest):
            raise UsageError(
                f"{folder.path}: its games have been replaced since ({how}); run the question again with "
                "out= in another folder"
            )
        games, now = ({c["id"]: c["games"] for c in one["cells"]} for one in (before, opened.manifest))
        for cell in opened.cells:
            if cell.id in games:
                own = [pl.lit(cell.id).alias("cell"), *([pl.lit(side).alias("side")] if side else [])]
                scan = cell.scan()
                if now[cell.id] > games[cell.id]:  # never true for imported games, which may have gaps
                    scan = scan.filter(pl.col("game") < games[cell.id])
                frames.append(scan.with_columns(*own, *names_of(cell)))
    return pl.concat(frames, how="diagonal_relaxed")
