"""Plans: the cells of a sweep (each a scenario with its players) as a user names them."""

import itertools
import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Any

from pydantic import BeforeValidator, Field, ValidationError

from bartizan.simcore import MOST_GAMES, toml
from bartizan.simcore.errors import UsageError, did_you_mean
from bartizan.simcore.game import Game, rotations
from bartizan.simcore.scenario.loading import first_fault, load_scenario, paths_meant
from bartizan.simcore.scenario.model import Strict
from bartizan.simcore.scenario.parameters import suffixes

# files in the text of a policy: its own file, its weights file, and the file of its base policy; a path that
# begins with /, ./ or ../ may contain the characters that separate the parts of the text
FILES = re.compile(
    r"(?P<before>^(?:\w+=)?|@|base=|\+)"
    r"(?P<file>(?:\.{0,2}/.+?|(?<=@)[^@,:]+?|[^@,:+=]+?)\.(?:py|toml|learned))(?=$|[:@,+])"
)


@dataclass(frozen=True)
class CellPlan:
    """One cell as the user named it; nothing is loaded or compiled yet."""

    difficulty: str | None
    policies: tuple[str, ...]  # one per role, or one per player
    sets: tuple[tuple[str, str], ...]  # all set values
    varied: tuple[tuple[str, str], ...]  # the values that differ between cells
    with_folders: bool = False  # distinguish files of the same name by their folders

    @property
    def id(self) -> str:
        policies = [self._called(text) for text in self.policies]
        policies = policies if len(set(policies)) > 1 else policies[:1]
        parts = [self.difficulty or "", "-".join(policies)]
        short = suffixes([path for path, _ in self.varied])
        parts += [f"{short[path]}={value}" for path, value in self.varied]
        return re.sub(r"[^A-Za-z0-9_.=+-]+", "_", ".".join(filter(None, parts)))

    def _called(self, policy: str) -> str:
        """Return a policy's text with file paths reduced to file names."""

        def short(match: re.Match[str]) -> str:
            parts = Path(match["file"]).with_suffix("").parts
            return f"{match['before']}{'_'.join(parts[-1 - self.with_folders :])}"

        return FILES.sub(short, policy)


@dataclass(frozen=True)
class Plan:
    """The complete definition of a sweep."""

    game: str
    scenario: str | None
    cells: tuple[CellPlan, ...]
    games: int
    seed: int
    precision: float | None = None  # half-width at which a cell stops early
    command: str = ""
    # claims about the results, as written in the plan; they do not affect play
    claims: tuple[dict[str, Any], ...] = ()


def turned_round(game: Game, line_ups: list[tuple[str, ...]]) -> list[tuple[str, ...]]:
    """Return each line-up in every rotation of the seats, once.

    Raises UsageError if the seats are not identical.
    """
    if not game.alike:
        raise UsageError(
            f"rotate: the seats of {game.name} are not identical ({', '.join(game.roles)}); remove rotate"
        )
    return list(dict.fromkeys(turned for line_up in line_ups for turned in rotations(line_up)))


def expand(
    difficulties: list[str], policies: list[tuple[str, ...]], sets: dict[str, list[str]]
) -> list[CellPlan]:
    """Return every combination of the levels, the line-ups and the values of each path.

    Raises UsageError if levels are given twice.
    """
    if difficulties and "difficulty" in sets:
        raise UsageError(f"difficulty {', '.join(difficulties)}: also given in set; set it only once")
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
    """Return the plan for one line-up under one scenario.

    If seats are identical, the plan contains every rotation, so that the effects of policies and seats can be
    separated.

    named: the game as the user named it; sets: may include `difficulty`.
    """
    seats = game.seated(load_scenario(game, scenario, None, sets), line_up)
    turned = rotations(seats) if game.alike else [seats]
    levels = [sets["difficulty"]] if "difficulty" in sets else []
    values = {path: [value] for path, value in sets.items() if path != "difficulty"}
    return Plan(named, scenario, tuple(expand(levels, turned, values)), games, seed, None, command)


LineUps = Callable[[Game, list[str]], list[tuple[str, ...]]]
Texts = Annotated[list[str], BeforeValidator(lambda said: [said] if isinstance(said, str) else said)]


class PlanGrid(Strict):
    """One grid of a plan: every combination of its lists."""

    difficulty: Texts = Field([], description='one difficulty level, or several: ["novice", "elite"]')
    policy: Texts = Field([], description='one policy or line-up, or several: ["hold", "random"]')
    rotate: bool = Field(False, description="true: play each line-up in every rotation of the seats")
    set: dict[str, Any] = Field({}, description='{ "dice.sides" = [4, 6] }')


class PlanFile(PlanGrid):
    """A PLAN.toml: one grid, or several under [[cells]]."""

    game: str
    games: int = Field(ge=1, le=MOST_GAMES, description="number of games per cell, such as 10000")
    seed: int = Field(ge=0, lt=2**63, description="an integer of at least 0, such as 1")
    scenario: str | None = Field(None, description="the name of a scenario, or the path of a .toml file")
    precision: float | None = Field(
        None, gt=0, lt=0.5, description="target half-width of the intervals, such as 0.005"
    )
    cells: list[PlanGrid] = []
    claim: list[dict[str, Any]] = []


def read_plan(path: Path, line_up: LineUps, load_game: Callable[[str], Game]) -> Plan:
    """Read a PLAN.toml. Raises UsageError with file, key and reason for the first fault."""
    file = _checked(path, toml.read(path, "no such plan file"))
    game = load_game(file.game)
    cells = [cell for grid in file.cells or [file] for cell in _cells_of(path, grid, file, game, line_up)]
    return Plan(
        file.game,
        file.scenario,
        tuple(cells),
        file.games,
        file.seed,
        file.precision,
        claims=tuple(file.claim),
    )


def _checked(path: Path, data: dict[str, Any]) -> PlanFile:
    _refuse_tables(path, data, "claim")
    _refuse_tables(path, data, "cells")
    for number, grid in enumerate(data.get("cells", []), start=1):
        for key in grid.keys() - PlanGrid.model_fields.keys():
            why = f"unknown key{did_you_mean(key, PlanGrid.model_fields)}"
            if key in PlanFile.model_fields:
                why = "applies to the whole plan: write it above the first [[cells]]"
            raise UsageError(f"{path}: cells {number}: {key}: {why}")
    try:
        return PlanFile.model_validate(data)
    except ValidationError as error:
        raise UsageError(f"{path}: {first_fault(error, data, PlanFile)}") from error


def _refuse_tables(path: Path, data: dict[str, Any], key: str) -> None:
    """Raise UsageError if `data[key]` exists but is not an array of tables."""
    tables = data.get(key, [])
    if not isinstance(tables, list) or not all(isinstance(table, dict) for table in tables):
        raise UsageError(f"{path}: {key}: must be an array of tables: write [[{key}]] above each one")


def _cells_of(path: Path, grid: PlanGrid, plan: PlanFile, game: Game, line_up: LineUps) -> list[CellPlan]:
    """Return the cells of one grid.

    Missing keys are taken from the plan. Raises UsageError for a key without values.
    """
    filled = plan.model_copy(update={key: getattr(grid, key) for key in grid.model_fields_set})
    sets = paths_meant(game, plan.scenario, plan.set) | paths_meant(game, plan.scenario, grid.set)
    for value_path, value in sets.items():
        if value == []:
            raise UsageError(f'{path}: set: "{value_path}" = []: give it at least one value')
    if filled.difficulty and "difficulty" in sets:
        raise UsageError(f"{path}: difficulty: also given in set; set it only once")
    line_ups = line_up(game, filled.policy)
    if filled.rotate:
        line_ups = turned_round(game, line_ups)
    cells = expand(filled.difficulty, line_ups, {path: _texts(value) for path, value in sets.items()})
    if grid is not plan and grid.set:
        cells = [replace(cell, varied=cell.varied or cell.sets) for cell in cells]
    return cells


def read_claims(path: Path) -> tuple[dict[str, Any], ...]:
    """Return the [[claim]] tables of a plan, to judge existing games. Raises UsageError if there are none."""
    data = toml.read(path, "no such plan file")
    _refuse_tables(path, data, "claim")
    if not data.get("claim"):
        raise UsageError(f"{path}: contains no claims; write a [[claim]] table for each claim")
    return tuple(data["claim"])


def _texts(value: Any) -> list[str]:
    values = value if isinstance(value, list) else [value]
    return [str(v).lower() if isinstance(v, bool) else str(v) for v in values]
