"""`rare`: an event that most games never see, by multilevel splitting."""

from bartizan.api.answer import Answer
from bartizan.api.options import Jobs, Level, Players, Policies, ScenarioName, Seed, Values
from bartizan.api.question import GameQuestion, opt
from bartizan.simcore.limits import MOST_GAMES


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
        from bartizan.api.answers import rare

        request = self.request(self.scenario, self.difficulty, self.policy, self.players, self.set)
        if self.event is None:
            return rare.events(request)
        volume = rare.SplittingVolume(self.trajectories, self.replicates, self.every_level, self.games)
        return rare.ask(request, self.effort(0, self.seed, self.jobs), self.event, volume)
