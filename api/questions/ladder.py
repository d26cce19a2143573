"""`ladder`: policies from weakest to strongest, with skill and difficulty on one scale."""

from collections.abc import Mapping
from typing import Any

from bartizan.api.answer import Answer
from bartizan.api.options import Cluster, Games, Jobs, KeptOut, Levels, Players, ScenarioName, Seed, Values
from bartizan.api.question import GameQuestion, opt
from bartizan.api.reading import Names


class LadderQuestion(GameQuestion):
    """Policies from weakest to strongest, with skill and difficulty on one scale."""

    command = "ladder"
    example = "bartizan ladder castle --policy steward --policy greedy"
    kept_as = "ladder"

    scenario: ScenarioName = None
    difficulty: Levels = None
    policy: Names = opt(
        "who is to stand on the ladder; all of the game's policies unless given; repeat for several",
        default=None,
        metavar="P|role=P|FILE.py",
    )
    noise: str | None = opt(
        "copies of the game's own policy that play at random with these chances",
        default="0.1,0.2,0.4",
        metavar="0.1,0.2|none",
    )
    games: Games = 4000
    seed: Seed = 1
    set: Values = None
    players: Players = None
    jobs: Jobs = None
    cluster: Cluster = None
    out: KeptOut = None

    @staticmethod
    def key(document: Mapping) -> list[Any]:
        players = [[player["policy"], player["weights"]] for player in document["players"]]
        return [document.get("scenario_hashes"), document.get("roles"), players]

    def answer(self) -> Answer:
        from bartizan.api.answers import ladder

        return ladder.answer(self)
