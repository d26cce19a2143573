"""`coverage`: what comes up in the games of some players, and what never does."""

from collections.abc import Mapping
from typing import Any

from bartizan.api.answer import Answer
from bartizan.api.options import Jobs, KeptOut, Level, Players, Policies, ScenarioName, Seed, Values
from bartizan.api.question import GameQuestion, Question, opt
from bartizan.api.reading import Names, listed
from bartizan.simcore.game import MOST_GAMES


class CoverageQuestion(GameQuestion):
    """What comes up in the games of some players, and what never does: actions, cards, spaces, ends, rulings, numbers."""  # noqa: E501

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
        return shown(game, document, views.view(document, self.top))
