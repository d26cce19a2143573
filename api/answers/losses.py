"""`losses`: when a game is really lost, turn by turn, from rollouts."""

from dataclasses import replace
from pathlib import Path

import numpy as np

from bartizan.analyses.experiments.losses import analyze
from bartizan.analyses.records.tally import tally
from bartizan.api.answer import Answer
from bartizan.api.answers.trace import traced
from bartizan.api.caveats import shown
from bartizan.api.keeping import place_of, writing
from bartizan.api.questions.losses import LossesQuestion
from bartizan.api.reading import seat_of
from bartizan.policies.request import Request
from bartizan.reports.views import losses as views
from bartizan.simcore.play.match import Match
from bartizan.simcore.play.rollouts import CHUNK_GAMES, ROLLOUTS, Rollouts
from bartizan.simcore.sweep.manifest import ReadyCell
from bartizan.simcore.sweep.memory import MemoryCell, frame_of, memory_cell
from bartizan.simcore.sweep.plan import expand


def answer(question: LossesQuestion) -> Answer:
    request, effort = question.request(), question.effort(question.games)
    game, s = request.game, request.loaded
    keep = place_of(question, game)
    roles = game.roles_in(s)
    seat = seat_of(question.seat, game.name, roles)
    refusal = "losses: name one policy for each seat"
    match = request.match(effort.seed, refusal)
    with effort.source(game, effort.games) as source:
        rows = source.rows(match, effort.games)
    cell = _cell(request, game.seated(s, request.line_up(refusal)), match, rows)
    effort.compiles(game, ROLLOUTS)
    pilot = min(question.pilot, effort.games)
    result = analyze(
        tally(cell.scan(), cell),
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


def _cell(request: Request, seated: tuple[str, ...], match: Match, rows: np.ndarray) -> MemoryCell:
    """The games as a sweep would hold them."""
    levels = [request.difficulty] if request.difficulty else []
    (plan,) = expand(levels, [seated], {path: [value] for path, value in request.values.items()})
    return memory_cell(ReadyCell(plan, match, len(rows)), frame_of(rows, match.engine))
