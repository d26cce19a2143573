"""What is to be played: the cells of a sweep (a scenario and its players) as a user names them."""

import itertools
import re
import tomllib
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from bartizan.simcore.errors import UsageError, did_you_mean
from bartizan.simcore.game import Game
from bartizan.simcore.scenario.loading import load_scenario
from bartizan.simcore.scenario.names import suffixes


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


PLAN_KEYS = {
    *("game", "scenario", "games", "seed", "precision", "claim", "cells"),
    *("difficulty", "policy", "rotate", "set"),  # of a grid
}
LineUps = Callable[[Game, list[str]], list[tuple[str, ...]]]


def read_plan(path: Path, line_up: LineUps, load_game: Callable[[str], Game]) -> Plan:
    """A PLAN.toml: game, games, seed, and either one grid (difficulty, policy, set) or several under
    [[cells]].
    """
    data = _read_toml(path)
    _check_plan(path, data)
    game = load_game(data["game"])
    cells = [cell for grid in data.get("cells") or [data] for cell in _cells_of(grid, data, game, line_up)]
    return Plan(
        data["game"],
        data.get("scenario"),
        tuple(cells),
        data["games"],
        data["seed"],
        data.get("precision"),
        claims=_claims(path, data),
    )


def _check_plan(path: Path, data: dict) -> None:
    for key in data:
        if key not in PLAN_KEYS:
            raise UsageError(f"{path}: {key}: unknown key{did_you_mean(key, PLAN_KEYS)}")
    for key, kind in {"game": str, "games": int, "seed": int}.items():
        if not isinstance(data.get(key), kind):
            raise UsageError(
                f"{path}: {key}: must be given, as {'text' if kind is str else 'a whole number'}"
            )


def _cells_of(grid: dict, plan: dict, game: Game, line_up: LineUps) -> list[CellPlan]:
    """The cells of one grid; what it does not say the plan says for all grids."""
    is_part = grid is not plan
    sets = {**(plan.get("set", {}) if is_part else {}), **grid.get("set", {})}
    line_ups = line_up(game, _texts(grid.get("policy", plan.get("policy", []))))
    if grid.get("rotate", plan.get("rotate", False)):
        line_ups = rotations(game, line_ups)
    difficulties = _texts(grid.get("difficulty", plan.get("difficulty", [])))
    cells = expand(difficulties, line_ups, {path: _texts(value) for path, value in sets.items()})
    if is_part and "set" in grid:
        cells = [replace(cell, varied=cell.varied or cell.sets) for cell in cells]
    return cells


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
