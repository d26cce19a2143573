"""`losses`: when a game is really lost, turn by turn, from rollouts."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from bartizan.api.answer import Answer
from bartizan.api.options import Games, Jobs, KeptOut, Level, Players, Policies, ScenarioName, Seed, Values
from bartizan.api.question import GameQuestion, Question, opt
from bartizan.api.reading import File, seat_of


class LossesQuestion(GameQuestion):
    """When is a game really lost? Hazard by turn, chances turn by turn from rollouts, and games worth looking at."""  # noqa: E501

    command = "losses"
    example = "bartizan losses itter --difficulty veteran --policy garrison"
    kept_as = "losses"

    scenario: ScenarioName = None
    difficulty: Level = None
    policy: Policies = None
    players: Players = None
    set: Values = None
    seat: str | None = opt("whose losses; the first seat unless given", default=None)
    games: Games = 10_000
    pilot: int = opt(
        "of these games, how many are played on from every turn", default=100, min=1, max=100_000
    )
    rollouts: int = opt("how often from each turn", default=200, min=60, max=100_000)
    seed: Seed = 1
    jobs: Jobs = None
    pages: File | None = opt(
        "write a page to step through for each game that is named", default=None, metavar="DIR", is_kept=False
    )
    out: KeptOut = None

    @staticmethod
    def key(document: Mapping) -> list[Any]:
        return [*Question.key(document), document["seat"]]

    def answer(self) -> Answer:
        from bartizan.analyses.experiments.losses import analyze
        from bartizan.analyses.records.tally import tally
        from bartizan.api.answers.trace import traced
        from bartizan.api.caveats import shown
        from bartizan.api.keeping import place_of, writing
        from bartizan.reports.views import losses as views
        from bartizan.simcore.play.rollouts import CHUNK_GAMES, ROLLOUTS, Rollouts
        from bartizan.simcore.sweep.manifest import ReadyCell
        from bartizan.simcore.sweep.memory import frame_of, memory_cell
        from bartizan.simcore.sweep.plan import expand

        request, effort = self.request(), self.effort(self.games)
        game, s = request.game, request.loaded
        keep, seat = place_of(self, game), seat_of(self.seat, game.name, game.roles_in(s))
        refusal = "losses: name one policy for each seat"
        match = request.match(effort.seed, refusal)
        with effort.source(game, effort.games) as source:
            rows = source.rows(match, effort.games)
        # the games as a sweep would hold them
        levels = [request.difficulty] if request.difficulty else []
        seated, sets = game.seated(s, request.line_up(refusal)), request.values.items()
        (plan,) = expand(levels, [seated], {path: [value] for path, value in sets})
        cell = memory_cell(ReadyCell(plan, match, len(rows)), frame_of(rows, match.engine))
        effort.compiles(game, ROLLOUTS)
        pilot = min(self.pilot, effort.games)
        result = analyze(
            tally(cell.scan(), cell),
            cell,
            Rollouts(match, self.rollouts // 2),
            pilot,
            seat,
            effort.threads,
            lambda chunks: effort.watch.track(chunks, pilot, CHUNK_GAMES, "playing on from every turn"),
        )
        words = replace(request, difficulty=s.difficulty).words()
        trace = ["bartizan", "trace", request.named, *words, "--seed", str(effort.seed)]
        document = views.document(match, result, trace)
        keep(document.plain())
        if self.pages is not None:
            folder = Path(self.pages)
            with writing(f"--pages {folder}"):
                folder.mkdir(parents=True, exist_ok=True)
            pages = {folder / f"{chosen.kind}.html": chosen.game for chosen in document.chosen}
            for path, number in pages.items():
                traced(request, effort.seed, number, path)
            document = document.model_copy(update={"pages": [str(path) for path in pages]})
        return shown(game, document, views.view(document))
