"""`run`: one cell is played."""

from bartizan.api.answer import Answer
from bartizan.api.options import Jobs, Level, Players, Policies, Precision, ScenarioName, Seed, Values
from bartizan.api.question import GameQuestion, opt, out_opt
from bartizan.api.reading import File
from bartizan.simcore.game import MOST_GAMES


class RunQuestion(GameQuestion):
    """Play one cell and say what came out."""

    command = "run"
    example = "bartizan run itter --difficulty veteran --policy garrison --games 20000"
    kept_as = "luck"

    scenario: ScenarioName = None
    difficulty: Level = None
    policy: Policies = None
    games: int | None = opt(
        "10,000 unless given; with --precision at most so many", default=None, min=1, max=MOST_GAMES
    )
    seed: Seed = 1
    set: Values = None
    jobs: Jobs = None
    players: Players = None
    precision: Precision = None
    out: File | None = out_opt(
        "DIR",
        "keep the games in this folder; with --luck-adjusted also the answer, for the report",
        default=None,
    )
    luck_adjusted: bool = opt("also the win rate without the luck: the same games, worth more", default=False)
    samples: int = opt(
        "with --luck-adjusted: outcomes drawn of each chance event", default=32, min=1, max=1000
    )

    def answer(self) -> Answer:
        from bartizan.api.answers import run

        return run.answer(self)
