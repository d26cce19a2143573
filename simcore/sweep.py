"""Sweeps: many cells (a scenario and its players), each played into its own shards; interrupted work resumes
to the same bytes.
"""

import hashlib
import itertools
import re
import time
import tomllib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from bartizan.simcore import store
from bartizan.simcore.banner import banner_of
from bartizan.simcore.changes import changes_of, names_of
from bartizan.simcore.errors import EngineError, UsageError, did_you_mean
from bartizan.simcore.game import Game
from bartizan.simcore.parameters import suffixes
from bartizan.simcore.play.batch import BATCH, CHUNK_GAMES, Batch, play_games
from bartizan.simcore.play.match import Match, Player
from bartizan.simcore.play.rules import CAPPED
from bartizan.simcore.scenario import load_scenario
from bartizan.simcore.store import SHARD_GAMES, Cell, Sweep

LEVEL = 0.95


# ---------------------------------------------------------------- what is to be played


@dataclass(frozen=True)
class CellPlan:
    """One cell as the user named it; nothing is loaded or compiled yet."""

    difficulty: str | None
    policies: tuple[str, ...]  # one a role, or one for each player
    sets: tuple[tuple[str, str], ...]  # all of them
    varied: tuple[tuple[str, str], ...]  # those that differ between cells

    @property
    def id(self) -> str:
        policies = [
            Path(p.split(".py")[0]).name + p.partition(".py")[2] if ".py" in p else p for p in self.policies
        ]
        policies = policies if len(set(policies)) > 1 else policies[:1]
        parts = [self.difficulty or "", "-".join(policies)]
        short = suffixes([path for path, _ in self.varied])
        parts += [f"{short[path]}={value}" for path, value in self.varied]
        return re.sub(r"[^A-Za-z0-9_.=+-]+", "_", ".".join(filter(None, parts)))


@dataclass(frozen=True)
class Plan:
    """Everything a sweep is."""

    game: str
    scenario: str | None
    cells: tuple[CellPlan, ...]
    games: int
    seed: int
    precision: float | None = None  # half-width at which a cell stops early
    command: str = ""
    claims: tuple[
        dict, ...
        # what is said of the results, as the plan says it: no part of what is played (see analyses.claims)
    ] = ()


def rotations(game: Game, line_ups: list[tuple[str, ...]]) -> list[tuple[str, ...]]:
    """Each line-up in every rotation of the seats, once: what a comparison of players needs when seats are
    not equal.
    """
    if not game.alike:
        raise UsageError(f"rotate: the seats of {game.name} are not alike ({', '.join(game.roles)})")
    turned = (line_up[i:] + line_up[:i] for line_up in line_ups for i in range(len(line_up)))
    return list(dict.fromkeys(turned))


def expand(
    difficulties: list[str], policies: list[tuple[str, ...]], sets: dict[str, list[str]]
) -> list[CellPlan]:
    """Every combination of the levels, the line-ups and the values of each path."""
    cells = []
    levels: list[str | None] = [*difficulties] or [None]
    for difficulty, lineup in itertools.product(levels, policies):
        for values in itertools.product(*sets.values()):
            chosen = tuple(zip(sets, values, strict=True))
            varied = tuple(pair for pair in chosen if len(sets[pair[0]]) > 1)
            cells.append(CellPlan(difficulty, lineup, chosen, varied))
    return cells


def plan_of(
    game: Game,
    named: str,
    scenario: str | None,
    sets: dict[str, Any],
    line_up: tuple[str, ...],
    games: int,
    seed: int,
    command: str = "",
) -> Plan:
    """One line-up under one scenario; where seats are alike, in every rotation of the seats, so that players
    can be told from places.

    named: the game as the user named it; sets: may hold `difficulty`.
    """
    seats = game.seated(load_scenario(game, scenario, None, sets), line_up)
    turned = rotations(game, [seats]) if game.alike else [seats]
    levels = [sets["difficulty"]] if "difficulty" in sets else []
    values = {path: [value] for path, value in sets.items() if path != "difficulty"}
    return Plan(named, scenario, tuple(expand(levels, turned, values)), games, seed, None, command)


def read_plan(
    path: Path, line_up: Callable[[Game, list[str]], list[tuple[str, ...]]], load_game: Callable[[str], Game]
) -> Plan:
    """A PLAN.toml: game, games, seed, and either one grid (difficulty, policy, set) or several under
    [[cells]].
    """
    data = _read_toml(path)
    known = {
        "game",
        "scenario",
        "games",
        "seed",
        "precision",
        "difficulty",
        "policy",
        "rotate",
        "set",
        "cells",
        "claim",
    }
    for key in data:
        if key not in known:
            raise UsageError(f"{path}: {key}: unknown key{did_you_mean(key, known)}")
    for key, kind in {"game": str, "games": int, "seed": int}.items():
        if not isinstance(data.get(key), kind):
            raise UsageError(
                f"{path}: {key}: must be given, as {'text' if kind is str else 'a whole number'}"
            )
    game = load_game(data["game"])
    grids = data.get("cells") or [data]
    cells: list[CellPlan] = []
    for grid in grids:
        sets = {key: _texts(value) for key, value in grid.get("set", {}).items()}
        fixed = data.get("set", {}) if grid is not data else {}
        sets = {key: _texts(value) for key, value in fixed.items()} | sets
        line_ups = line_up(game, _texts(grid.get("policy", data.get("policy", []))))
        if grid.get("rotate", data.get("rotate", False)):
            line_ups = rotations(game, line_ups)
        block = expand(_texts(grid.get("difficulty", data.get("difficulty", []))), line_ups, sets)
        cells += [
            CellPlan(
                c.difficulty,
                c.policies,
                c.sets,
                c.varied or (c.sets if "set" in grid and grid is not data else ()),
            )
            for c in block
        ]
    return Plan(
        data["game"],
        data.get("scenario"),
        tuple(cells),
        data["games"],
        data["seed"],
        data.get("precision"),
        claims=_claims(path, data),
    )


def _read_toml(path: Path) -> dict:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise UsageError(f"{path}: no such plan file") from None
    except (OSError, tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise UsageError(f"{path}: cannot be read as TOML: {error}") from error


def _claims(path: Path, data: dict) -> tuple[dict, ...]:
    """The [[claim]] tables as they are written; who judges them reads them."""
    tables = data.get("claim", [])
    if not isinstance(tables, list) or not all(isinstance(table, dict) for table in tables):
        raise UsageError(f"{path}: claim: must be tables: write [[claim]] above each")
    return tuple(tables)


def read_claims(path: Path) -> tuple[dict, ...]:
    """The [[claim]] tables of a plan, for games that are played already."""
    data = _read_toml(path)
    tables = _claims(path, data)
    if not tables:
        raise UsageError(f"{path}: claims nothing: write a [[claim]] table for each claim")
    return tables


def _texts(value: Any) -> list[str]:
    values = value if isinstance(value, list) else [value]
    return [str(v).lower() if isinstance(v, bool) else str(v) for v in values]


# ---------------------------------------------------------------- cells made ready


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
        banner = banner_of(self.match.game, scenario)
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
            **({"banner": banner} if banner else {}),
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
        "schema": store.SCHEMA,
        "game": game.name,
        "game_as_named": plan.game,  # a name, or the path of a file: `verify` loads it again
        "scenario_as_named": plan.scenario,
        "title": cells[0].match.scenario.model.title,
        "rules_source": game.rules_of(cells[0].match.scenario),
        "behaviour": game.behaviour,
        **({"alike": True} if game.alike else {}),  # everybody for himself: analyses may turn line-ups round
        "versions": versions(),
        "seed": plan.seed,
        "level": LEVEL,
        "precision": plan.precision,
        "command": plan.command,
        "shard_games": SHARD_GAMES,
        "cells": [cell.entry() for cell in cells],
        **({"claims": list(plan.claims)} if plan.claims else {}),
    }


def versions() -> dict[str, str]:
    from importlib.metadata import version

    return {name: version(name) for name in ("bartizan", "numba", "numpy", "pyarrow")}


# ---------------------------------------------------------------- playing


@dataclass
class Progress:
    """Where a sweep is: handed to a callback after every chunk."""

    cell: str = ""
    cells_done: int = 0
    games_done: int = 0  # of all cells, kept shards included
    games_total: int = 0
    played: int = 0  # games played by this run
    seconds: float = 0.0  # spent playing
    wins: int = 0  # of this cell, seat 0
    cut_off: int = 0  # of this cell, by the ply cap: neither won nor lost
    games_of_cell: int = 0
    notes: list[str] = field(default_factory=list)  # lines the user should see


@dataclass
class Played:
    """What came out of one cell."""

    games: int = 0
    plies: int = 0
    seconds: float = 0.0
    digest: Any = field(default_factory=hashlib.sha256)  # over the rows in game order


StoppingRule = Callable[[int, int], bool]  # (wins, games) -> enough?


def play_sweep(
    folder: Path,
    plan: Plan,
    game: Game,
    cells: list[ReadyCell],
    jobs: int,
    watch: Callable[[Progress], None],
    stop: StoppingRule | None,
) -> dict[str, Played]:
    """Play what is missing of a sweep into `folder`. Returns {cell id: Played}."""
    sweep = store.begin_sweep(
        folder, manifest(plan, game, cells), {cell.plan.id: cell.identity(0, 0) for cell in cells}
    )
    progress = Progress(games_total=sum(cell.games for cell in cells))
    results = {}
    for cell, stored in zip(cells, sweep.cells, strict=True):
        progress.cell, progress.wins, progress.cut_off, progress.games_of_cell = cell.plan.id, 0, 0, 0
        results[cell.plan.id] = _play_cell(cell, stored, jobs, progress, watch, stop)
        progress.cells_done += 1
    store.write_sums(sweep)
    return results


def _play_cell(
    cell: ReadyCell, stored: Cell, jobs: int, progress: Progress, watch: Callable, stop: StoppingRule | None
) -> Played:
    """Shard after shard; good ones already there are read instead of played."""
    played = Played()
    for first in range(0, cell.games, SHARD_GAMES):
        games = min(SHARD_GAMES, cell.games - first)
        path = store.shard_path(stored, first)
        kept = _kept(path, cell, first, games, stop, progress)
        chunks = _chunks(kept) if kept is not None else play_games(cell.match, first, games, jobs)
        rows, enough = _gather(chunks, kept is not None, played, progress, watch, stop)
        if kept is None:
            store.write_shard(path, rows, cell.match.engine, cell.identity(first, len(rows)))
        if enough:
            progress.games_total -= cell.games - first - len(rows)
            _drop_shards_after(stored, path)
            break
    return played


def _gather(
    chunks: Iterator[np.ndarray],
    kept: bool,
    played: Played,
    progress: Progress,
    watch: Callable,
    stop: StoppingRule | None,
) -> tuple[np.ndarray, bool]:
    """Collect the chunks of one shard until it is full or the stopping rule is content."""
    rows = []
    enough = False
    since = time.perf_counter()
    for chunk in chunks:
        now = time.perf_counter()
        rows.append(chunk)
        played.digest.update(chunk.tobytes())
        played.games += len(chunk)
        played.plies += int(chunk["plies"].sum(dtype=np.int64))
        progress.games_done += len(chunk)
        progress.games_of_cell += len(chunk)
        progress.wins += int((chunk["winner"] == 0).sum())
        progress.cut_off += int((chunk["winner"] == CAPPED).sum())
        if not kept:
            played.seconds += now - since
            progress.seconds += now - since
            progress.played += len(chunk)
        watch(progress)
        if stop and stop(progress.wins, progress.games_of_cell):
            enough = True
            break
        since = time.perf_counter()
    if hasattr(chunks, "close"):
        chunks.close()
    return np.concatenate(rows), enough


def _chunks(rows: np.ndarray) -> Iterator[np.ndarray]:
    for start in range(0, len(rows), CHUNK_GAMES):
        yield rows[start : start + CHUNK_GAMES]


def _kept(
    path: Path, cell: ReadyCell, first: int, games: int, stop: StoppingRule | None, progress: Progress
) -> np.ndarray | None:
    """The rows of a good shard already there, else None; a damaged one is moved aside, never deleted."""
    if not path.exists():
        return None
    try:
        identity = store.shard_identity(path)
        ended = stop if identity.get("games", 0) < games else None
        wanted = cell.identity(first, identity["games"] if ended else games)
        if identity != wanted:
            return None  # another number of games: play this range again
        rows = store.read_shard(path, cell.match.engine)
        return rows if ended is None or _stopped_here(rows, ended, progress) else None
    except EngineError:
        aside = path.with_suffix(".damaged")
        path.replace(aside)
        progress.notes.append(f"{path}: damaged shard moved to {aside.name}; playing its games again")
        return None


def _stopped_here(rows: np.ndarray, stop: StoppingRule, progress: Progress) -> bool:
    """Was a short shard ended by the stopping rule?

    One that ended at an earlier, lower limit of games is to be played to its end.
    """
    wins = progress.wins + int((rows["winner"] == 0).sum())
    return len(rows) % CHUNK_GAMES == 0 and stop(wins, progress.games_of_cell + len(rows))


def _drop_shards_after(cell: Cell, last: Path) -> None:
    """A cell that stopped early has no later shards (of an earlier run without the stopping rule)."""
    for path in cell.shards():
        if path.name > last.name:
            path.replace(path.with_suffix(".unused"))


def verify_sweep(sweep: Sweep) -> Iterator[str]:
    """Check every file against SHA256SUMS and every shard against its own digest; yields what was checked.

    Raises EngineError.
    """
    sums = sweep.folder / store.SUMS
    if not sums.exists():
        raise EngineError(
            f"{sums}: is missing: the sweep is not finished; run it again with -o {sweep.folder}"
        )
    for line in sums.read_text(encoding="utf-8").splitlines():
        digest, _, name = line.partition("  ")
        path = sweep.folder / name
        if not path.exists():
            raise EngineError(f"{path}: is missing; run the same sweep again to play it anew")
        if store.file_digest(path) != digest:
            raise store.damaged(path, "it does not match SHA256SUMS")
        yield name
    for cell in sweep.cells:
        store.refuse_gaps(cell)


def resimulate(cell: Cell, match: Match) -> int:
    """Play the cell's first shard again and compare row by row; returns the number of games compared.

    Raises EngineError.
    """
    path = cell.shards()[0]
    stored = store.read_shard(path, match.engine)
    n = min(len(stored), CHUNK_GAMES)
    again = Batch(match).play(0, n)
    differing = np.flatnonzero(again != stored[:n])
    if differing.size:
        raise EngineError(
            f"{path}: game {int(differing[0])} plays differently now: other code, weights or data than when "
            "it was written"
        )
    return n
