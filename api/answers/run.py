"""`run`: one cell is played; and how any plan is played and summarised."""

import shlex
from collections.abc import Iterator
from pathlib import Path

from bartizan.analyses.experiments.luck_adjustment import analyze as analyze_luck
from bartizan.api.answer import Answer
from bartizan.api.caveats import assumed_lines, caveat_lines
from bartizan.api.keeping import Folder, folder_of, next_report
from bartizan.api.playing import play, rows_of
from bartizan.api.questions.run import RunQuestion
from bartizan.api.reading import games_for, half_width, path_of
from bartizan.policies.registry import find_player
from bartizan.policies.request import Request, name_in_commands
from bartizan.reports.views import luck
from bartizan.reports.views import run as text
from bartizan.simcore.errors import UsageError
from bartizan.simcore.play.luck_adjusted import ADJUSTED
from bartizan.simcore.sweep.manifest import make_ready
from bartizan.simcore.sweep.plan import Plan, expand
from bartizan.simcore.sweep.store import MANIFEST, open_sweep


def answer(question: RunQuestion) -> Answer:
    """Play one cell, into a temporary folder unless one is named."""
    width = None if question.precision is None else half_width(question.precision)
    request, effort = question.request(), question.effort(games_for(question.games, width))
    game, out = request.game, path_of(question.out)
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
    keep = folder_of(question, out, game) if out and question.luck_adjusted else None
    folder = Folder(None if keep and _holds_others(out, plan) else out)
    (document,) = play(folder.path, plan, game, effort)
    if question.luck_adjusted:  # the games once more, with the luck of each
        effort.compiles(game, ADJUSTED)
        (cell,) = make_ready(plan, game, find_player)
        result = analyze_luck(cell.match, document["games"], question.samples, jobs=effort.threads)
        adjusted = luck.document(result, game.roles_in(cell.match.scenario), document["seconds"])
        document["luck_adjusted"] = adjusted.plain()
    if keep and out:
        effort.watch.kept(keep(document), next_report(out))
    if out:
        hint = f"Next: bartizan report {out} -o report.html"
    else:
        again = _same_cells(request, document["difficulty"], document["games"])
        hint = f"Next: bartizan sweep {again} -o results, then: bartizan report results -o report.html"

    def lines() -> Iterator[str]:
        yield from caveat_lines(game, document)
        yield from text.lines(document)
        yield from assumed_lines(game, document)
        yield from text.after_assumptions(document)

    return Answer(document, lines, hints=[hint], rows=lambda: rows_of(folder))


def _holds_others(out: Path | None, plan: Plan) -> bool:
    """Is there a sweep of other games than this run's, or of more of them? Then it stays as it is."""
    if out is None or not (out / MANIFEST).exists():
        return False
    before = open_sweep(out)
    same = [cell.id for cell in before.cells] == [cell.id for cell in plan.cells]
    return not same or before.manifest["seed"] != plan.seed or before.cells[0].games > plan.games


def _same_cells(request: Request, difficulty: str, games: int) -> str:
    """The words after `bartizan sweep` that play what `run` has just played."""
    game, policy = request.game, list(request.policy)
    roles = any("=" in text.split(":")[0] for text in policy)
    policy = ["+".join(policy)] if game.alike and len(policy) > 1 and not roles else policy
    again = Request(request.named, request.scenario, difficulty, tuple(policy), request.players, request.sets)
    return shlex.join([name_in_commands(game), *again.words(), "--games", str(games)])
