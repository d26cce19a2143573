"""`run`: one cell is played; and how any plan is played and summarised."""

import shlex
from collections.abc import Iterator, Mapping
from pathlib import Path

from bartizan.analyses.experiments.luck_adjustment import analyze as analyze_luck
from bartizan.api.answer import Answer
from bartizan.api.caveats import assumed_lines, caveat_lines
from bartizan.api.keeping import Folder, folder_of, next_report
from bartizan.api.playing import Effort, play, rows_of
from bartizan.api.questions.run import RunQuestion
from bartizan.api.reading import games_for, half_width, path_of
from bartizan.policies.registry import find_player
from bartizan.policies.request import Request, name_in_commands
from bartizan.reports.views import luck
from bartizan.reports.views import run as text
from bartizan.simcore.errors import UsageError
from bartizan.simcore.game import Game
from bartizan.simcore.play.luck_adjusted import ADJUSTED
from bartizan.simcore.sweep.manifest import make_ready
from bartizan.simcore.sweep.plan import Plan, expand
from bartizan.simcore.sweep.store import MANIFEST, open_sweep


def answer(question: RunQuestion) -> Answer:
    """Play one cell, into a temporary folder unless one is named."""
    width = None if question.precision is None else half_width(question.precision)
    request, effort = question.request(), question.effort(games_for(question.games, width))
    game, out = request.game, path_of(question.out)
    samples = question.samples if question.luck_adjusted else None
    seats = request.line_ups()
    if len(seats) > 1:
        raise UsageError(
            f"run plays one cell, but {len(seats)} policies are named; use: bartizan sweep {request.named} "
            "... -o DIR"
        )
    sets = {path: [value] for path, value in request.values.items()}
    seated = [game.seated(request.loaded, line_up) for line_up in seats]
    cells = expand([request.difficulty] if request.difficulty else [], seated, sets)
    command = question.command_line()
    plan = Plan(request.named, request.scenario, tuple(cells), effort.games, effort.seed, width, command)
    keep = folder_of(question, out, game) if out and samples is not None else None
    folder = Folder(None if keep and _holds_others(out, plan) else out)
    (document,) = play(folder.path, plan, game, effort)
    if samples is not None:
        document["luck_adjusted"] = _luck_adjusted(game, plan, document, samples, effort)
    if keep and out:
        effort.watch.kept(keep(document), next_report(out))
    return Answer(
        document,
        lambda: _lines(game, document),
        hints=[_next(request, document, out)],
        rows=lambda: rows_of(folder),
    )


def _lines(game: Game, d: Mapping) -> Iterator[str]:
    yield from caveat_lines(game, d)
    yield from text.lines(d)
    yield from assumed_lines(game, d)
    yield from text.after_assumptions(d)


def _holds_others(out: Path | None, plan: Plan) -> bool:
    """Is there a sweep of other games than this run's, or of more of them? Then it stays as it is."""
    if out is None or not (out / MANIFEST).exists():
        return False
    before = open_sweep(out)
    same = [cell.id for cell in before.cells] == [cell.id for cell in plan.cells]
    return not same or before.manifest["seed"] != plan.seed or before.cells[0].games > plan.games


def _luck_adjusted(game: Game, plan: Plan, played: Mapping, samples: int, effort: Effort) -> dict:
    """The same games once more, with the luck of each."""
    effort.compiles(game, ADJUSTED)
    (cell,) = make_ready(plan, game, find_player)
    result = analyze_luck(cell.match, played["games"], samples, jobs=effort.threads)
    return luck.document(result, game.roles_in(cell.match.scenario), played["seconds"]).plain()


def _next(request: Request, document: Mapping, out: Path | None) -> str:
    if out:
        return f"Next: bartizan report {out} -o report.html"
    again = _same_cells(request, document["difficulty"], document["games"])
    return f"Next: bartizan sweep {again} -o results, then: bartizan report results -o report.html"


def _same_cells(request: Request, difficulty: str, games: int) -> str:
    """The words after `bartizan sweep` that play what `run` has just played."""
    game, policy = request.game, list(request.policy)
    roles = any("=" in text.split(":")[0] for text in policy)
    policy = ["+".join(policy)] if game.alike and len(policy) > 1 and not roles else policy
    again = Request(request.named, request.scenario, difficulty, tuple(policy), request.players, request.sets)
    return shlex.join([name_in_commands(game), *again.words(), "--games", str(games)])
