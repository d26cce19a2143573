"""`coverage`: what comes up in the games of some players, and what never does."""

from bartizan.api.answer import Answer
from bartizan.api.options import Jobs, KeptOut, Level, Players, Policies, ScenarioName, Seed, Values
from bartizan.api.question import GameQuestion, opt
from bartizan.api.reading import Names, listed, path_of
from bartizan.simcore.limits import MOST_GAMES


class CoverageQuestion(GameQuestion):
    """What comes up in the games of some players, and what never does: actions, cards, spaces, ends, rulings, numbers."""  # noqa: E501

    command = "coverage"
    example = "bartizan coverage colditz --path rulings --games 400"

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

    def answer(self) -> Answer:
        from bartizan.api.answers import coverage

        request = self.request(self.scenario, self.difficulty, self.policy, self.players, self.set)
        effort = self.effort(self.games, self.seed, self.jobs)
        place, command = path_of(self.out), self.command_line()
        return coverage.ask(request, effort, listed(self.path), self.changes, self.top, place, command)
