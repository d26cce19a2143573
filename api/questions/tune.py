"""`tune`: which value, or which values together, hit a target."""

from collections.abc import Mapping
from typing import Any

from bartizan.api.answer import Answer
from bartizan.api.options import Cluster, Jobs, KeptOut, Level, Players, Policies, ScenarioName, Seed, Values
from bartizan.api.question import GameQuestion, Question, opt
from bartizan.api.reading import Names, Sets
from bartizan.simcore.game import MOST_GAMES


class TuneQuestion(GameQuestion):
    """Which value hits a target? It is searched for, and played again on fresh seeds. Several parameters: the Pareto front of distance, length and cost of change.

    Without --knob every value is varied once, and the nearest are played again.
    """  # noqa: E501

    command = "tune"
    example = "bartizan tune itter --knob ss_counter.sturm.defence=3:6 --target win_rate=0.6..0.7"
    kept_as = "tune"

    knob: Names = opt(
        "the value to tune, and what it may be; repeat for several",
        default=None,
        metavar="PATH=LO:HI[:STEP]|PATH=A,B|PATH",
    )
    path: Names = opt(
        "without --knob: only values below this path; repeat for several", default=None, metavar="PREFIX"
    )
    range: str | float | None = opt(
        "without --knob: how far numbers are varied, up and down; 25% unless given",
        default=None,
        metavar="25%",
    )
    target: str | None = opt(
        "win_rate=0.30, win_rate=0.25..0.35 (a range), turns=18, score=10, draws=0.1 or tier:NAME=0.2",
        default=None,
        metavar="WHAT=VALUE",
    )
    scenario: ScenarioName = None
    difficulty: Level = None
    policy: Policies = None
    players: Players = None
    set: Values = None
    games: int | None = opt(
        "one parameter: most games of a value, 20,000 unless given; several: games of a combination, "
        "4,000; none: of a value, 1,000",
        default=None,
        min=100,
        max=MOST_GAMES,
    )
    cost: Sets = opt(
        "several parameters, or none: what it costs to change values below this path",
        default=None,
        metavar="PATH=NUMBER",
    )
    length: float | None = opt("several parameters: wished turns; as now unless given", default=None, min=0)
    trials: int = opt("several parameters: combinations that are played", default=100, min=2, max=10_000)
    fresh: int = opt("games that check the winner, on other seeds", default=20_000, min=100)
    seed: Seed = 1
    jobs: Jobs = None
    cluster: Cluster = None
    out: KeptOut = None

    @staticmethod
    def key(document: Mapping) -> list[Any]:
        return [*Question.key(document), *map(document.get, ("target", "knob", "knobs", "range"))]

    def answer(self) -> Answer:
        from bartizan.api.answers import tune

        return tune.answer(self)
