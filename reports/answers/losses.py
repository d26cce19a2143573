"""`losses`: when a game is really lost, turn by turn, from rollouts."""

from dataclasses import replace
from pathlib import Path

import numpy as np

from bartizan.analyses.experiments.losses import analyze
from bartizan.analyses.records.tally import tally
from bartizan.policies.request import Request
from bartizan.reports.answers import trace
from bartizan.reports.answers.answer import Answer, Effort, shown, writing
from bartizan.reports.answers.keeping import next_report, place_of
from bartizan.reports.views import losses as views
from bartizan.simcore.errors import UsageError, did_you_mean
from bartizan.simcore.play.match import Match
from bartizan.simcore.play.rollouts import CHUNK_GAMES, ROLLOUTS, Rollouts
from bartizan.simcore.sweep.manifest import MemoryCell, ReadyCell, frame_of, memory_cell
from bartizan.simcore.sweep.plan import expand


def ask(
    request: Request,
    effort: Effort,
    seat: str | None = None,
    pilot: int = 100,
    rollouts: int = 200,
    command: str = "",
    pages: Path | str | None = None,
    out: Path | None = None,
) -> Answer:
    """seat: whose losses, None for the first; pilot: so many games are played on from every turn, each
    `rollouts` times; pages: a folder for a page of each game that is named; out: a .json file, or a folder
    to keep the answer in.
    """
    game, s = request.game, request.loaded
    keep = place_of(out, "losses", game, command)
    roles = game.roles_in(s)
    if seat is not None and seat not in roles:
        raise UsageError(f'no seat "{seat}"{did_you_mean(seat, roles)}: {game.name} has {", ".join(roles)}')
    refusal = "losses: name one policy for each seat"
    match = request.match(effort.seed, refusal)
    with effort.source(game, effort.games) as source:
        rows = source.rows(match, effort.games)
    cell = _cell(request, game.seated(s, request.line_up(refusal)), match, rows)
    effort.compiles(game, ROLLOUTS)
    pilot = min(pilot, effort.games)
    result = analyze(
        tally(cell.scan(), cell),
        cell,
        Rollouts(match, rollouts // 2),
        pilot,
        roles.index(seat) if seat else 0,
        effort.threads,
        lambda chunks: effort.watch.track(chunks, pilot, CHUNK_GAMES, "playing on from every turn"),
    )
    document = views.document(match, result, _trace_command(request, s.difficulty, effort.seed))
    if keep:
        effort.watch.kept(keep(document.plain()), next_report(out))
    if pages is not None:
        document = document.model_copy(
            update={"pages": _write_pages(request, effort.seed, document, Path(pages))}
        )
    return shown(game, document, views.view(document))


def _write_pages(request: Request, seed: int, document: views.LossesDocument, folder: Path) -> list[str]:
    """`typical.html`, `cruel.html`, `comeback.html`, as far as there are any; their paths."""
    with writing(f"--pages {folder}"):
        folder.mkdir(parents=True, exist_ok=True)
    pages = {folder / f"{chosen.kind}.html": chosen.game for chosen in document.chosen}
    for path, number in pages.items():
        trace.ask(request, seed, number, path)
    return [str(path) for path in pages]


def _cell(request: Request, seated: tuple[str, ...], match: Match, rows: np.ndarray) -> MemoryCell:
    """The games as a sweep would hold them."""
    levels = [request.difficulty] if request.difficulty else []
    (plan,) = expand(levels, [seated], {path: [value] for path, value in request.values.items()})
    return memory_cell(ReadyCell(plan, match, len(rows)), frame_of(rows, match.engine))


def _trace_command(request: Request, difficulty: str, seed: int) -> list[str]:
    """The words that show a game of this cell, but for its number."""
    words = replace(request, difficulty=difficulty).words()
    return ["bartizan", "trace", request.named, *words, "--seed", str(seed)]
