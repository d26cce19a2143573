"""What happens in the games? `trace`, `losses`, `cards`, `coverage`, `rare`."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bartizan.api import answers
from bartizan.api.answer import Answer
from bartizan.api.options import Games, Jobs, KeptOut, Level, Players, Policies, ScenarioName, Seed, Values
from bartizan.api.question import GameQuestion, Question, opt, out_opt
from bartizan.api.reading import File, Names, listed, seat_of
from bartizan.simcore import MOST_GAMES
from bartizan.simcore.errors import UsageError

if TYPE_CHECKING:
    from bartizan.policies.request import Request


class TraceQuestion(GameQuestion):
    """One game as a readable log: the same game that `run` and `sweep` play under this seed and number."""

    command = "trace"
    example = "bartizan trace itter --policy garrison --seed 1 --game 7 --html game.html"

    seed: Seed = 1
    game: int = opt("which game of the seed", default=0, min=0, max=MOST_GAMES - 1)
    scenario: ScenarioName = None
    difficulty: Level = None
    policy: Policies = None
    set: Values = None
    players: Players = None
    html: File | None = opt("write a page to step through the game", default=None, metavar="FILE.html")
    rollouts: int = opt(
        "how often the game is played on from each turn, for the curve of the page; 0: no curve",
        default=100,
        min=0,
        max=100_000,
    )

    def answer(self) -> Answer:
        return answers.trace.traced(
            self.request(), self.seed, self.game, self.html, self.rollouts, self.watch
        )


class LossesQuestion(GameQuestion):
    """When is a game really lost? Hazard by turn, chances turn by turn from rollouts, and games worth looking
    at.
    """

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
    # with 60 rollouts 39 % of the lost games had "hope" where 23 % had it
    rollouts: int = opt("simulated futures from each turn", default=200, min=200, max=100_000)
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
        from bartizan.api.keeping import place_of
        from bartizan.reports.views import losses as views
        from bartizan.simcore.files import writing
        from bartizan.simcore.play.rollouts import CHUNK_GAMES, ROLLOUTS, Rollouts
        from bartizan.simcore.sweep.manifest import ReadyCell, frame_of, memory_cell
        from bartizan.simcore.sweep.plan import expand

        request, effort = self.request(), self.effort(self.games)
        game, s = request.game, request.loaded
        keep, seat = place_of(self, game), seat_of(self.seat, game.name, game.roles_in(s))
        refusal = "losses: name one policy for each seat"
        match = request.match(effort.seed, refusal)
        effort.holds(2 * match.engine.record_dtype.itemsize)  # the rows, and the columns made of them
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
                traced(request, effort.seed, number, path, self.rollouts)
            document = document.model_copy(update={"pages": [str(path) for path in pages]})
        return shown(game, document, partial(views.view, document))


class CardsQuestion(GameQuestion):
    """The deck with its sources, or what each card in hand is worth (--value), or how cards are used
    (--usage).
    """

    command = "cards"
    example = "bartizan cards castle --value --policy steward"

    value: bool = opt("play on with each card in hand: what is it worth?", default=False)
    usage: bool = opt("what becomes of the cards in hand: which are hardly ever used?", default=False)
    scenario: ScenarioName = None
    difficulty: Level = None
    set: Values = None
    players: Players = None
    policy: Policies = None
    seat: str | None = opt("with --value: whose card; the first seat unless given", default=None)
    turn: int = opt("with --value: which of the cards this seat gets, from 1", default=1, min=1, max=10_000)
    against: str | None = opt(
        "with --value: compare with this card instead of the card as dealt", default=None, metavar="CARD"
    )
    games: Games = 2000
    seed: Seed = 1
    jobs: Jobs = None
    out: File | None = out_opt(
        "FILE.xlsx|.csv|DIR",
        "with --value, --usage: write it beside the cards in a copy of the sheet that the game reads, or add "
        "it to this sweep's folder, for its report",
        default=None,
    )

    def answer(self) -> Answer:
        return answers.cards.answer(self)


class CoverageQuestion(GameQuestion):
    """What comes up in the games of some players, and what never does: actions, cards, spaces, ends, rulings,
    numbers.
    """

    command = "coverage"
    example = "bartizan coverage colditz --path rulings --games 400"
    kept_as = "coverage"

    path: Names = opt("change only values below this path; repeat for several", default=None, metavar="PATH")
    changes: bool = opt("also play with every ruling and number changed", default=True, off="--no-changes")
    scenario: ScenarioName = None
    difficulty: Level = None
    policy: Policies = None
    players: Players = None
    set: Values = None
    games: int = opt("games played, and at most with each value changed", default=1000, min=1, max=MOST_GAMES)
    seed: Seed = 1
    jobs: Jobs = None
    top: int = opt("rows of a table, the rarest first", default=10, min=1, is_kept=False)
    out: KeptOut = None

    @staticmethod
    def key(document: Mapping) -> list[Any]:
        return [*Question.key(document), [row["path"] for row in document["changed"]]]

    def answer(self) -> Answer:
        from bartizan.analyses.experiments.coverage import analyze
        from bartizan.analyses.experiments.sensitivity import knobs_of
        from bartizan.api.answers.sensitivity import knobs_in_question, question_of
        from bartizan.api.caveats import shown
        from bartizan.api.keeping import place_of
        from bartizan.reports.views import coverage as views
        from bartizan.simcore.play.coverage import COVERAGE

        request, effort = self.request(), self.effort(self.games)
        game, experiment, s = question_of(request, effort, "coverage: name one policy for each seat")
        prefixes = listed(self.path)
        knobs = knobs_in_question(game, s, False, prefixes) if prefixes else knobs_of(s, game)
        keep = place_of(self, game)
        effort.compiles(game, COVERAGE)
        result = analyze(experiment, s, knobs if self.changes else [], effort.threads, effort.watch.track)
        document = views.document(experiment, s, result)
        keep(document.plain())
        return shown(game, document, partial(views.view, document, self.top))


class RareQuestion(GameQuestion):
    """How rare is an event that most games never see? Multilevel splitting, with plain counting beside it."""

    command = "rare"
    example = "bartizan rare itter --event no-casualty --difficulty veteran --policy garrison"

    event: str | None = opt("which event; without it they are listed", default=None, metavar="NAME")
    scenario: ScenarioName = None
    difficulty: Level = None
    policy: Policies = None
    players: Players = None
    set: Values = None
    trajectories: int = opt(
        "games, or parts of games, played in each stage", default=500, min=10, max=100_000
    )
    replicates: int = opt(
        "independent runs through all stages; they make the interval", default=30, min=5, max=10_000
    )
    every_level: bool = opt("a stage for each value of progress; without it a pilot chooses", default=False)
    games: int | None = opt(
        "games of plain counting beside it; as many decisions as the splitting makes unless given",
        default=None,
        min=1,
        max=MOST_GAMES,
    )
    seed: Seed = 1
    jobs: Jobs = None

    def answer(self) -> Answer:
        from bartizan.analyses.experiments.rare import analyze
        from bartizan.api.caveats import shown
        from bartizan.reports.views import rare as views
        from bartizan.simcore.play.splitting import splitting_of

        request = self.request()
        game = request.game
        if self.event is None:
            return self._events(request)
        effort = self.effort(0)
        splitting = splitting_of(
            request.match(effort.seed, "rare: name one policy for each seat"), self.event
        )
        effort.compiles(game, splitting.loop)
        pilot, volume = not self.every_level, (self.trajectories, self.replicates, self.games)
        result = analyze(splitting, *volume, pilot, effort.threads)
        document = views.document(splitting.match, result)
        return shown(game, document, partial(views.view, document))

    def _events(self, request: "Request") -> Answer:
        """The rare events that the game declares."""
        from bartizan.policies.request import default_policy_words, name_in_commands

        game, s = request.game, request.loaded
        events = [
            {"event": name, "title": event.title, "top": int(event.top(s))}
            for name, event in game.compiled.rare.items()
        ]
        document = {
            "schema": "bartizan.rare-events/1",
            "game": game.name,
            "scenario": s.name,
            "events": events,
        }

        def lines() -> Iterator[str]:
            if not events:
                raise UsageError(
                    f"{game.name}: declares no rare events (docs/adding-a-game.md says how a game does)"
                )
            yield from (f"{row['event']:<20} {row['title']}" for row in events)
            players = default_policy_words(game, s)
            yield f"\nNext: bartizan rare {name_in_commands(game)} --event {events[0]['event']} {players}"

        return Answer(document, lines)
