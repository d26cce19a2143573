"""The command `bartizan equilibrium`, with the options that are its own."""

from pathlib import Path
from typing import Annotated

from typer import Option

from bartizan import cli_options as opt
from bartizan.cli_saying import given, playtest, say

Policies = Annotated[
    list[str] | None,
    Option(
        "--policy",
        metavar="role=P|P",
        help="who else is there, beside each side's default; repeat for several",
    ),
]
Rounds = Annotated[
    int,
    Option("--rounds", min=1, max=1000, help="rounds of training; fewer where neither side gains any more"),
]
Games = Annotated[
    int, Option("--games", min=10, max=1_000_000, help="games of a pair, and of a candidate of a search")
]
Fresh = Annotated[
    int, Option("--fresh", min=100, max=10_000_000, help="games that tell what a best response gains")
]
Draw = Annotated[
    float,
    Option("--draw", min=0, max=1, help="what a draw counts for the first side; the second gets the rest"),
]
Out = Annotated[
    Path | None,
    opt.out("FILE.json", "keep everything; the same command goes on from there, with more --rounds further"),
]
Weights = Annotated[
    Path | None,
    Option(
        "--weights",
        metavar="DIR",
        help="where the weights of those who join are written; beside -o unless given",
    ),
]


def equilibrium(
    game: opt.GameName,
    scenario: opt.Scenario = None,
    difficulty: opt.Level = None,
    policy: Policies = None,
    rounds: Rounds = 3,
    generations: opt.TrainGenerations = 30,
    games: Games = 2000,
    fresh: Fresh = 10_000,
    draw: Draw = 0.0,
    seed: opt.Seed = 1,
    set_: opt.Sets = None,
    players: opt.Players = None,
    jobs: opt.Jobs = None,
    out: Out = None,
    weights: Weights = None,
    as_json: opt.AsJson = False,
) -> None:
    """What is a game between two unlike sides worth, when each answers the other's best play?"""
    say(playtest(game).equilibrium(**given(locals())), as_json)
