"""`compare`: a baseline against one change of it, on common luck; tested one by one, or step by step."""

from collections.abc import Mapping
from typing import Any

from bartizan.api.answer import Answer
from bartizan.api.options import Games, Jobs, Level, Players, Policies, ScenarioName, Seed, Values
from bartizan.api.question import GameQuestion, Question, opt, out_opt
from bartizan.api.reading import File, Sets


class CompareQuestion(GameQuestion):
    """A baseline against one change of it, the same games on common luck."""

    command = "compare"
    example = "bartizan compare itter --policy garrison --change victory.min_score=5"
    kept_as = "steps"

    change: Sets = opt(
        "as --set; also difficulty=LEVEL, scenario=NAME|FILE, policy=P; repeat: all together are one change",
        default=None,
        metavar="PATH=VALUE",
        lists=("policy",),
    )
    scenario: ScenarioName = None
    difficulty: Level = None
    policy: Policies = None
    players: Players = None
    set: Values = None
    games: Games = 20_000
    seed: Seed = 1
    jobs: Jobs = None
    steps: bool = opt(
        "each change that the scenario lists as a step (another edition), by itself, then all together",
        default=False,
    )
    test: str | None = opt(
        "play pairs until this is answered (B: the change); --games is then the limit",
        default=None,
        metavar='"B - A > 2pp"',
    )
    margin: str | float | None = opt(
        "with --test: differences so near to what is asked may be answered either way",
        default=None,
        metavar="1pp",
    )
    alpha: float | None = opt(
        "with --test: chance of a wrong yes; 0.05 unless given", default=None, min=0.0001, max=0.4
    )
    beta: float | None = opt(
        "with --test: chance of a wrong no; 0.05 unless given", default=None, min=0.0001, max=0.4
    )
    luck_adjusted: bool = opt(
        "also the difference without the luck of either side: narrower, for more time", default=False
    )
    out: File | None = out_opt(
        "DIR",
        "keep the games in DIR/a (the baseline) and DIR/b (the change); with --steps the answer, in a "
        "sweep's folder",
        default=None,
    )

    @staticmethod
    def key(document: Mapping) -> list[Any]:
        return [*Question.key(document["a"]), [step["set"] for step in document["steps"]]]

    def answer(self) -> Answer:
        from bartizan.api.answers import compare

        return compare.answer(self)
