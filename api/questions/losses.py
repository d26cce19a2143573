"""`losses`: when a game is really lost, turn by turn, from rollouts."""

from collections.abc import Mapping
from typing import Any

from bartizan.api.answer import Answer
from bartizan.api.options import Games, Jobs, KeptOut, Level, Players, Policies, ScenarioName, Seed, Values
from bartizan.api.question import GameQuestion, Question, opt
from bartizan.api.reading import File


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
        from bartizan.api.answers import losses

        return losses.answer(self)
