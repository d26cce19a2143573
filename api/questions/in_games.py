"""Events in games: `trace`, `losses`, `cards`, `coverage`."""

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from bartizan.api import answers
from bartizan.api.answer import Answer
from bartizan.api.options import (
    Cluster,
    Games,
    Jobs,
    KeptOut,
    Level,
    Player,
    Players,
    Policies,
    ScenarioName,
    Seed,
    Values,
)
from bartizan.api.question import GameQuestion, HelpSection, Question, opt, out_opt
from bartizan.api.reading import File, Names, listed, seat_of
from bartizan.simcore import MOST_GAMES
from bartizan.simcore.errors import UsageError


class TraceQuestion(GameQuestion):
    """Print one game as a log, or as a page to step through.

    The game is the one that `run` simulates with this seed and game number.
    """

    command = "trace"
    section = HelpSection.PLAY
    example = "bartizan trace itter --policy garrison --seed 1 --game 7 --html game.html"

    seed: Seed = 1
    game: int = opt("game number", default=0, min=0, max=MOST_GAMES - 1)
    scenario: ScenarioName = None
    difficulty: Level = None
    policy: Policies = None
    set: Values = None
    players: Players = None
    html: File | None = opt("write a page that steps through the game", default=None, metavar="FILE.html")
    rollouts: int = opt(
        "number of rollouts (simulated futures) per turn for the curve on the page; 0 draws no curve",
        needs=("html",),
        default=100,
        min=0,
        max=100_000,
    )

    position: int | None = opt(
        "print the position before this decision as one line, for `bartizan chance --at`",
        default=None,
        min=0,
        max=100_000,  # decisions of the longest game
    )
    out: File | None = out_opt(
        "FILE.toml", "write the position to this file, for you to edit", needs=("position",), default=None
    )

    def answer(self) -> Answer:
        if self.position is not None:
            if self.html is not None:
                raise UsageError("trace: --position and --html are mutually exclusive; remove one of them")
            return answers.position.printed(self)
        return answers.trace.traced(
            self.request(), self.seed, self.game, self.html, self.rollouts, self.watch
        )


class LossesQuestion(GameQuestion):
    """Find when games are lost, turn by turn.

    The result contains the hazard by turn, the win probability by turn from rollouts, and typical games.
    """

    command = "losses"
    section = HelpSection.JUDGE
    effort_options = ("pilot",)
    example = "bartizan losses itter --difficulty veteran --policy garrison"
    kept_as = "losses"

    scenario: ScenarioName = None
    difficulty: Level = None
    policy: Policies = None
    players: Players = None
    set: Values = None
    seat: str | None = opt("seat whose losses are analysed (default: the first)", default=None)
    games: Games = 10_000
    pilot: int = opt(
        "number of games in which every turn is evaluated by rollouts", default=100, min=1, max=100_000
    )
    # with 60 rollouts, 39 % of the lost games seemed undecided instead of 23 %
    rollouts: int = opt("number of rollouts (simulated futures) per turn", default=200, min=200, max=100_000)
    seed: Seed = 1
    jobs: Jobs = None
    cluster: Cluster = None
    pages: File | None = opt(
        "write a page for each game that the result lists", default=None, metavar="DIR", is_kept=False
    )
    out: KeptOut = None

    @staticmethod
    def key(document: Mapping[str, Any]) -> list[Any]:
        return [*Question.key(document), document["seat"]]

    def answer(self) -> Answer:
        from bartizan.analyses.experiments.losses import analyze, counted
        from bartizan.api.caveats import shown
        from bartizan.api.keeping import place_of
        from bartizan.reports.views import losses as views
        from bartizan.simcore.files import writing
        from bartizan.simcore.play.rollouts import CHUNK_GAMES, ROLLOUTS, Rollouts, continued

        request, effort = self.request(), self.effort(self.games)
        game, s = request.game, request.loaded
        if game.compiled.live and self.pages is not None:
            raise UsageError(
                "--pages: not supported for a live engine, because pages of games need the rules; "
                "remove --pages"
            )
        keep, seat = place_of(self, game), seat_of(self.seat, game.name, game.roles_in(s))
        match = continued(request.match(effort.seed, "losses"))
        with effort.source(game, effort.games) as source:
            games = counted(source, match, effort.games)
        effort.compiles(game, ROLLOUTS)
        pilot = min(self.pilot, effort.games)
        result = analyze(
            games,
            Rollouts(match, self.rollouts // 2),
            pilot,
            seat,
            effort.workers,
            lambda chunks: effort.watch.track(chunks, pilot, CHUNK_GAMES, "simulating from every turn"),
        )
        words = replace(request, difficulty=s.difficulty).words()
        trace = ["bartizan", "trace", request.named, *words, "--seed", str(effort.seed)]
        trace = [] if game.compiled.live else trace  # no command can show its games
        document = views.document(match, result, trace)
        keep(document.plain())
        if self.pages is not None:
            from bartizan.api.answers.trace import traced

            folder = Path(self.pages)
            with writing(f"--pages {folder}"):
                folder.mkdir(parents=True, exist_ok=True)
            pages = {folder / f"{chosen.kind}.html": chosen.game for chosen in document.chosen}
            for path, number in pages.items():
                traced(request, effort.seed, number, path, self.rollouts)
            document = document.model_copy(update={"pages": [str(path) for path in pages]})
        return shown(game, document, partial(views.view, document))


class CardsQuestion(GameQuestion):
    """List the cards, and find those that matter for wins.

    Without an option, list the deck with its sources.

    --without finds the cards that matter for wins, and --pairs those that reinforce each other. --usage
    reports how cards are used, and --value the value of each card in hand.

    For a folder of imported records, report how their cards are used.
    """

    command = "cards"
    section = HelpSection.JUDGE
    example = "bartizan cards castle --value --policy steward"

    without: bool = opt(
        "simulate the game without each kind of card, to find those that matter for wins", default=False
    )
    pairs: bool = opt(
        "simulate the game without each pair of card kinds, to find those that reinforce each other",
        default=False,
    )
    usage: bool = opt("report how cards in hand are used", default=False)
    value: bool = opt("measure the value of each card in hand by rollouts", default=False)
    scenario: ScenarioName = None
    difficulty: Level = None
    set: Values = None
    players: Players = None
    policy: Policies = None
    player: Player = None
    everybody: bool = opt(
        "remove each kind from all players, not only from one", needs=("without", "pairs"), default=False
    )
    seat: str | None = opt(
        "seat that holds the card (default: the first)", needs=("value", "without", "pairs"), default=None
    )
    turn: int = opt(
        "which of the cards that the seat draws, counted from 1",
        needs=("value",),
        default=1,
        min=1,
        max=10_000,
    )
    against: str | None = opt(
        "compare with this card instead of the dealt card", needs=("value",), default=None, metavar="CARD"
    )
    cost: str | None = opt(
        "column of the deck with the cost of a card (default: `cost` or `price`)",
        needs=("value",),
        default=None,
        metavar="COLUMN",
    )
    games: int | None = opt(
        "number of games (default: 2,000, or the number that takes about a minute)",
        default=None,
        min=1,
        max=MOST_GAMES,
    )
    seed: Seed = 1
    jobs: Jobs = None
    cluster: Cluster = None
    out: File | None = out_opt(
        "FILE.xlsx|.csv|DIR",
        "write the findings into a copy of the game's card sheet, or save the result of --value, --usage or "
        "--without in the folder of a sweep for its report",
        default=None,
    )

    @property
    def is_about_balance(self) -> bool:
        return self.without or self.usage or self.value

    def answer(self) -> Answer:
        return answers.recorded.cards(self) if self.is_folder else answers.cards.answer(self)


class CoverageQuestion(GameQuestion):
    """Find which actions, cards, spaces, endings, rulings and numbers never occur in simulated games."""

    command = "coverage"
    section = HelpSection.JUDGE
    example = "bartizan coverage colditz --path rulings --games 400"
    kept_as = "coverage"

    path: Names = opt("change only values below this path; repeatable", default=None, metavar="PATH")
    changes: bool = opt(
        "also simulate with each ruling and number changed in turn", default=True, off="--no-changes"
    )
    scenario: ScenarioName = None
    difficulty: Level = None
    policy: Policies = None
    players: Players = None
    set: Values = None
    games: int = opt(
        "number of games; also the maximum number per changed value", default=1000, min=1, max=MOST_GAMES
    )
    seed: Seed = 1
    jobs: Jobs = None
    cluster: Cluster = None
    top: int = opt("number of rows per table, rarest first", default=10, min=1, is_kept=False)
    out: KeptOut = None

    @staticmethod
    def key(document: Mapping[str, Any]) -> list[Any]:
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
        game, experiment, s = question_of(request, effort, "coverage")
        prefixes = listed(self.path)
        if prefixes and not self.changes:
            raise UsageError("coverage: --path has no effect with --no-changes; remove one of them")
        knobs = knobs_in_question(game, s, False, prefixes) if prefixes else knobs_of(s, game)
        keep = place_of(self, game)
        effort.compiles(game, COVERAGE)
        result = analyze(experiment, s, knobs if self.changes else [], effort.workers, effort.watch.track)
        document = views.document(experiment, s, result)
        keep(document.plain())
        return shown(game, document, partial(views.view, document, self.top))
