"""`sweep`: every combination of levels, line-ups and values, played into a folder and judged."""

import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

from bartizan.analyses.records import claims
from bartizan.policies.registry import line_ups
from bartizan.policies.request import Request, best_player, several_values
from bartizan.reports.answers.answer import INCONCLUSIVE, Answer, Effort, Folder, caveat_lines, common_caveat
from bartizan.reports.answers.run import is_about_length, made_ready, play, rows_of
from bartizan.reports.text import changes, words
from bartizan.reports.text import claims as claim_text
from bartizan.reports.text.cell_names import cell_names
from bartizan.simcore.errors import UsageError
from bartizan.simcore.game import Game, load_game
from bartizan.simcore.play.batch import Batch
from bartizan.simcore.scenario.changes import common
from bartizan.simcore.scenario.loading import load_scenario
from bartizan.simcore.sweep.plan import CellPlan, Plan, expand, read_plan, turned_round
from bartizan.simcore.sweep.run import ShardWorkers
from bartizan.simcore.sweep.store import Sweep, open_sweep

PILOT = 512  # games a cell that a dry run times
UNNAMED = ""  # nobody is named for a seat: who takes it is the cell's own question
some_named = partial(line_ups, default=lambda role: UNNAMED)


def plan_of_file(path: str, players: int | None, games: int | None, seed: int | None, command: str) -> Plan:
    """A PLAN.toml, with another number of games or seed where one is named."""
    if players is not None:
        raise UsageError(f"--players: {path} says who plays; write players there, under [set]")
    plan = read_plan(Path(path), some_named, load_game)
    claims.read(plan.claims, path)
    return replace(
        plan,
        cells=_full(load_game(plan.game), plan.scenario, plan.cells),
        games=games or plan.games,
        seed=plan.seed if seed is None else seed,
        command=command,
    )


def plan_of_request(
    request: Request,
    difficulties: Sequence[str],
    varied: Mapping[str, str],
    effort: Effort,
    rotate: bool = False,
    precision: float | None = None,
    command: str = "",
) -> Plan:
    """What the command line names. varied: path -> values, as `a,b,c`."""
    game = request.game
    sets = {path: [value] for path, value in request.values.items()}
    sets |= {path: several_values(value) for path, value in varied.items()}
    seats = some_named(game, list(request.policy))
    cells = expand(list(difficulties), turned_round(game, seats) if rotate else seats, sets)
    full = _full(game, request.scenario, cells)
    return Plan(request.named, request.scenario, full, effort.games, effort.seed, precision, command)


def _full(game: Game, scenario: str | None, cells: Iterable[CellPlan]) -> tuple[CellPlan, ...]:
    """The cells with the best found of each in the seats that nobody is named for: it may be another one at
    another level.
    """
    return tuple(_seated(game, scenario, cell) if UNNAMED in cell.policies else cell for cell in cells)


def _seated(game: Game, scenario: str | None, cell: CellPlan) -> CellPlan:
    loaded = load_scenario(game, scenario, cell.difficulty, dict(cell.sets))
    places = zip(game.roles, cell.policies, strict=True)
    line_up = tuple(text or best_player(game, role, loaded) for role, text in places)
    return replace(cell, policies=game.seated(loaded, line_up))


def ask(
    plan: Plan, game: Game, effort: Effort, out: Path, named: str, workers: ShardWorkers | None = None
) -> Answer:
    """Play a plan into a folder; what is there already is kept. named: the game or plan file as named;
    workers: other machines that play.
    """
    folder = Folder(out)
    documents = play(folder.path, plan, game, effort, named, workers)
    opened = open_sweep(folder.path)
    judged = claim_text.of_sweep(opened)
    cells = f"{len(documents)} {'cell' if len(documents) == 1 else 'cells'}"
    document = {
        "schema": "bartizan.sweep-result/1",
        "folder": str(out),
        "changes": common([one["changes"] for one in documents]),
        **common_caveat(documents),
        "cells": documents,
        "claims": judged,
    }
    return Answer(
        document,
        lambda: lines(game, document, opened),
        hints=["", f"{cells} in {out}. Next: bartizan report {out} -o report.html"],
        exit_code=verdict_code(judged),
        rows=lambda: rows_of(folder),
    )


def verdict_code(judged: Sequence[Mapping]) -> int:
    """0 all claims hold, or nothing is claimed; 1 one fails; 3 none fails, but one is open."""
    codes = {claims.PASS: 0, claims.FAIL: 1, claims.INCONCLUSIVE: INCONCLUSIVE}
    return codes[claims.overall(row["verdict"] for row in judged)]


def lines(game: Game, d: Mapping, opened: Sweep) -> Iterator[str]:
    yield from caveat_lines(game, {key: value for key, value in d.items() if key != "changes"})
    if d["changes"]:
        yield f"{changes.title(d['cells'][0]['title'], d['changes'])}: all cells"
    names = cell_names(opened.cells, game.alike)
    for cell in d["cells"]:
        yield _one_line(cell, names[cell["cell"]], game)
    yield from claim_lines(d["claims"], opened)


def claim_lines(judged: Sequence[Mapping], opened: Sweep) -> Iterator[str]:
    if judged:
        yield from claim_text.lines(judged, opened.manifest)


def _one_line(document: Mapping, name: str, game: Game) -> str:
    if is_about_length(document):
        return f"{name:<40} turns {words.mean_of(document['turns'])}: {document['games']:,} games"
    won = f"{document['wins']:,} of {document['games']:,}"
    who = f"{words.plain(game.roles[0])} wins" if document.get("seats") else "wins"
    return f"{name:<40} {who} {words.share_of(document['win_rate'])}: {won}"


# ---------------------------------------------------------------- what would be played


def dry_run(plan: Plan, game: Game, effort: Effort, named: str) -> Answer:
    """Cells and games, with time and disk from a short pilot of every cell."""
    ready = made_ready(plan, game, effort, named)
    seconds = sum(_seconds_a_game(cell.match) * cell.games for cell in ready) / effort.threads
    total = sum(cell.games for cell in ready)
    document = {
        "schema": "bartizan.dry-run/1",
        "cells": [cell.plan.id for cell in ready],
        "games": total,
        "seconds": seconds,
        "bytes": int(total * game.compiled.record_dtype.itemsize * 0.6),
    }
    return Answer(document, lambda: _dry_lines(document, [cell.games for cell in ready]))


def _seconds_a_game(match) -> float:
    batch = Batch(match)
    batch.play(0, 64)
    since = time.perf_counter()
    batch.play(0, PILOT)
    return (time.perf_counter() - since) / PILOT


def _dry_lines(d: Mapping, games: Sequence[int]) -> Iterator[str]:
    for cell, n in zip(d["cells"], games, strict=True):
        yield f"{cell:<40} {n:>10,} games"
    size = f"{d['bytes'] / 1e6:.1f} MB"
    yield f"{len(d['cells'])} cells, {d['games']:,} games, about {d['seconds']:.0f} s and {size}"
