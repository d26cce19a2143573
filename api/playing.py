"""How much is played, on which luck; and plans played and summarised."""

import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

import polars as pl

from bartizan.analyses.records import claims
from bartizan.analyses.records.quantities import summarize
from bartizan.analyses.records.tidy import names_of
from bartizan.analyses.statistics.intervals import confidence_sequence, proportion
from bartizan.analyses.statistics.stagewise import Precision
from bartizan.api.cluster.warming import in_two
from bartizan.api.keeping import Folder
from bartizan.policies.registry import find_player, find_policy
from bartizan.policies.request import Request
from bartizan.reports.views.sequential import stopped
from bartizan.simcore import MOST_GAMES
from bartizan.simcore.compile.loops import LARGE, Loop, functions_of
from bartizan.simcore.errors import UsageError, did_you_mean
from bartizan.simcore.game import Game
from bartizan.simcore.play.batch import BATCH, CHUNK_GAMES, Progress, Source
from bartizan.simcore.play.match import PLY_CAP, Elsewhere, Jobs
from bartizan.simcore.scenario.loading import Scenario, load_scenario
from bartizan.simcore.sweep.manifest import ReadyCell, make_ready, manifest, versions
from bartizan.simcore.sweep.plan import Plan
from bartizan.simcore.sweep.run import play_sweep
from bartizan.simcore.sweep.store import open_sweep, sweep_of
from bartizan.simcore.watch import Watch

MUCH = 1e9  # bytes of games in memory from which a command says so
INCONCLUSIVE = 3  # exit code of an answer that more games would give


@dataclass(frozen=True)
class Effort:
    """How much is played, on which luck, and who watches."""

    games: int
    seed: int = 1
    jobs: int | None = None
    watch: Watch = field(default_factory=Watch)
    elsewhere: Elsewhere | None = None  # workers that play instead of this machine
    known: Callable[[], Iterable[str]] = tuple  # what is known without playing, for who waits

    def __post_init__(self):
        if self.games > MOST_GAMES:
            raise UsageError(f"games = {self.games:,}: use at most {MOST_GAMES:,}")

    @property
    def threads(self) -> int:
        """Of this machine: all cores unless a number is given; no result depends on it."""
        return self.jobs or os.cpu_count() or 1

    @property
    def workers(self) -> Jobs:
        """Who plays: threads of this machine, or workers elsewhere; no result depends on it."""
        return self.elsewhere or self.threads

    def holds(self, size: float, games: int | None = None) -> None:
        """Says before anything is played that all games stay in memory, where that is much. size: bytes a
        game; games: how many, as many as are asked for unless given.
        """
        games = self.games if games is None else games
        if (most := size * games) >= MUCH:
            self.watch.note(
                f"all {games:,} games are kept in memory: up to {most / 1000000000.0:,.1f} GB; use "
                "fewer --games to need less"
            )

    def compiles(self, game: Game, loop: Loop, named: str = "", policies: Iterable[str] = ()) -> None:
        """Compiles the loop if this machine plays and has yet to compile it, and says how far it has come.
        A large game's policies are compiled too, in two processes where there is a second core.

        named: the game as the user named it; policies: as they are named.
        """
        engine, seats = game.compiled, len(game.roles)
        if self.elsewhere or loop.is_compiled(engine, seats):
            return
        names = sorted(set(policies))
        found = [find_policy(game, name) for name in names]  # a misspelt name is refused at once
        reached = functions_of(engine, [one.choose for one in found])
        with self.watch.compilation(f"{game.name} {loop.kernel.__name__}", game.name, reached) as compilation:
            for line in self.known():
                self.watch.known(line)
            if names and self.threads > 1 and engine.state_dtype.itemsize >= LARGE:
                in_two(named, game, names, compilation.one_more)
            loop.compiled_for(engine, seats)

    @contextmanager
    def source(self, game: Game, games: int = 0) -> Iterator[Source]:
        """Where a question's games come from, while somebody watches. games: how many there will be, 0
        unknown.
        """
        self.compiles(game, BATCH)
        with self.watch.progress(game.name, games) as watch:
            yield Source(self.workers, partial(_watched, watch))


ENDLESS = f"no game so far has ended within {PLY_CAP:,} decisions: does a rule ever end one?"


def _watched(watch: Callable[[Progress], None], progress: Progress) -> None:
    """Says so where games do not end, as soon as that shows: all that are asked for may take long."""
    if 0 < progress.truncated == progress.played and ENDLESS not in progress.notes:
        progress.notes.append(ENDLESS)
    watch(progress)


# ---------------------------------------------------------------- what several answers do with games


def scenarios_at(request: Request, levels: Iterable[str]) -> dict[str, Scenario]:
    """Level -> its scenario, changed as the request says; each once."""
    return {
        level: load_scenario(request.game, request.scenario, level, request.values)
        for level in dict.fromkeys(levels)
    }


def roles_of(game: Game, scenario: Scenario, role: str | None) -> tuple[str, ...]:
    """The roles asked about: the one that is named, or all; "" where all seats are alike."""
    roles = ("",) if game.alike else game.roles_in(scenario)
    if role is None or role in roles:
        return roles if role is None else (role,)
    why = "all seats are alike" if game.alike else f"no such role{did_you_mean(role, roles)}"
    raise UsageError(f"--role {role}: {why}")


def made_ready(plan: Plan, game: Game, effort: Effort, named: str) -> list[ReadyCell]:
    """The cells of a plan, compiled. named: the plan's file, for what is wrong in it."""
    policies = (text for cell in plan.cells for text in cell.policies if text)
    effort.compiles(game, BATCH, plan.game, policies)
    ready = make_ready(plan, game, find_player)
    if plan.claims:  # a claim that speaks of no cell is refused before a game is played
        planned = sweep_of(Path(), manifest(plan, game, ready))
        claims.cases(claims.read(plan.claims, named), planned.cells, game.alike, named)
    return ready


def play(folder: Path, plan: Plan, game: Game, effort: Effort, named: str = "") -> list[dict]:
    """Play a plan into a folder: one document a cell. named: as for `made_ready`."""
    ready = made_ready(plan, game, effort, named)
    rule = Precision(plan.precision, CHUNK_GAMES, plan.games) if plan.precision is not None else None
    stop = rule.is_enough if rule else None
    with effort.source(game, plan.games * len(plan.cells)) as source:
        results = play_sweep(folder, plan, game, ready, source, stop=stop)
    documents = []
    for cell, stored in zip(ready, open_sweep(folder).cells, strict=True):
        played = results[cell.plan.id]
        # a run that is watched and stopped keeps its promise with a confidence sequence only
        summary = summarize(stored.scan(), stored, method=confidence_sequence if rule else proportion)
        summary |= stopped(rule, played.games, summary["wins"], summary["capped"])
        documents.append(document_of(cell, stored, played, summary, effort.threads))
    return documents


def document_of(cell: ReadyCell, stored, played, summary: dict, jobs: int) -> dict:
    """The document of one cell. stored: `simcore.sweep.store.Cell`; played: `simcore.sweep.run.Played`."""
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
    """The games in result folders, codes in words beside them, with columns `cell` and, of several folders,
    `side`.
    """
    for folder in folders:
        folder.keep()
    frames = [
        cell.scan().with_columns(
            pl.lit(cell.id).alias("cell"), *([pl.lit(side).alias("side")] if side else []), *names_of(cell)
        )
        for folder, side in zip(folders, sides, strict=True)
        for cell in open_sweep(folder.path).cells
    ]
    return pl.concat(frames, how="diagonal_relaxed")
