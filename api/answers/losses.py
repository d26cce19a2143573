"""`losses`: when a game is really lost, turn by turn, from rollouts."""

from dataclasses import replace
from pathlib import Path

from bartizan.analyses.experiments.losses import analyze
from bartizan.analyses.records.tally import tally
from bartizan.api.answer import Answer
from bartizan.api.answers.trace import traced
from bartizan.api.caveats import shown
from bartizan.api.effort import Effort
from bartizan.api.files import Folder, writing
from bartizan.api.keeping import place_of
from bartizan.api.playing import play
from bartizan.api.questions.losses import LossesQuestion
from bartizan.api.reading import seat_of
from bartizan.policies.request import Request
from bartizan.reports.views import losses as views
from bartizan.simcore.play.rollouts import CHUNK_GAMES, ROLLOUTS, Rollouts
from bartizan.simcore.sweep.plan import Plan, expand
from bartizan.simcore.sweep.store import open_sweep


def answer(question: LossesQuestion) -> Answer:
    request, effort = question.request(), question.effort(question.games)
    game, s = request.game, request.loaded
    keep = place_of(question, game)
    roles = game.roles_in(s)
    seat = seat_of(question.seat, game.name, roles)
    refusal = "losses: name one policy for each seat"
    match = request.match(effort.seed, refusal)
    folder = Folder(None)
    plan = _plan(request, effort, game.seated(s, request.line_up(refusal)), question.command_line())
    play(folder.path, plan, game, effort)
    (cell,) = open_sweep(folder.path).cells
    counts = tally(cell.scan(), cell)
    effort.compiles(game, ROLLOUTS)
    pilot = min(question.pilot, effort.games)
    result = analyze(
        counts,
        cell,
        Rollouts(match, question.rollouts // 2),
        pilot,
        seat,
        effort.threads,
        lambda chunks: effort.watch.track(chunks, pilot, CHUNK_GAMES, "playing on from every turn"),
    )
    words = replace(request, difficulty=s.difficulty).words()
    trace = ["bartizan", "trace", request.named, *words, "--seed", str(effort.seed)]
    document = views.document(match, result, trace)
    keep(document.plain())
    if question.pages is not None:
        pages = _write_pages(request, effort.seed, document, Path(question.pages))
        document = document.model_copy(update={"pages": pages})
    return shown(game, document, views.view(document))


def _write_pages(request: Request, seed: int, document: views.LossesDocument, folder: Path) -> list[str]:
    """`typical.html`, `cruel.html`, `comeback.html`, as far as there are any; their paths."""
    with writing(f"--pages {folder}"):
        folder.mkdir(parents=True, exist_ok=True)
    pages = {folder / f"{chosen.kind}.html": chosen.game for chosen in document.chosen}
    for path, number in pages.items():
        traced(request, seed, number, path)
    return [str(path) for path in pages]


def _plan(request: Request, effort: Effort, seated: tuple[str, ...], command: str) -> Plan:
    levels = [request.difficulty] if request.difficulty else []
    values = {path: [value] for path, value in request.values.items()}
    cells = tuple(expand(levels, [seated], values))
    return Plan(request.named, request.scenario, cells, effort.games, effort.seed, None, command)
