"""`train`: with which weights a policy plays best."""

from bartizan.api.answer import Answer
from bartizan.api.options import Cluster, Jobs, Players, Policies, ScenarioName, Seed, Values
from bartizan.api.question import GameQuestion, opt, out_opt
from bartizan.api.reading import File, Names


class TrainQuestion(GameQuestion):
    """With which weights does a policy play best? A file of weights, that --policy P@FILE.toml loads."""

    command = "train"
    example = "bartizan train itter --difficulty elite --policy garrison -o elite.toml"

    out: File = out_opt("FILE.toml", "write the weights; a search that was interrupted goes on from there")
    scenario: ScenarioName = None
    difficulty: Names = opt("a level that counts; repeat for several, which count the same", default=None)
    policy: Policies = None
    role: str | None = opt("whose policy is trained; the first role's unless given", default=None)
    weight: Names = opt(
        "a weight that may change; all of them unless given; repeat", default=None, metavar="NAME"
    )
    generations: int = opt("steps of the search", default=60, min=1, max=10_000)
    games: int = opt("games of a candidate, at each level", default=2000, min=10, max=1_000_000)
    fresh: int = opt(
        "games of the comparison with the weights at the start", default=20_000, min=100, max=10_000_000
    )
    seed: Seed = 1
    set: Values = None
    players: Players = None
    jobs: Jobs = None
    cluster: Cluster = None

    def answer(self) -> Answer:
        from bartizan.api.answers import train

        return train.answer(self)
