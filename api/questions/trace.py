"""`trace`: one game as a readable log."""

from bartizan.api.answer import Answer
from bartizan.api.options import Level, Players, Policies, ScenarioName, Seed, Values
from bartizan.api.question import GameQuestion, opt
from bartizan.api.reading import File


class TraceQuestion(GameQuestion):
    """One game as a readable log: the same game that `run` and `sweep` play under this seed and number."""

    command = "trace"
    example = "bartizan trace itter --policy garrison --seed 1 --game 7 --html game.html"

    seed: Seed = 1
    game: int = opt("which game of the seed", default=0, min=0)
    scenario: ScenarioName = None
    difficulty: Level = None
    policy: Policies = None
    set: Values = None
    players: Players = None
    html: File | None = opt("write a page to step through the game", default=None, metavar="FILE.html")

    def answer(self) -> Answer:
        from bartizan.api.answers import trace

        return trace.traced(self.request(), self.seed, self.game, self.html)
