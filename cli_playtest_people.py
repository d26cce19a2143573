"""The commands `bartizan playtest skill` and `bartizan playtest plan`: people beside policies, plays more."""

from pathlib import Path
from typing import Annotated

from typer import Argument, Option

from bartizan import api
from bartizan import cli_options as opt
from bartizan.cli_saying import as_typed, given, playtest, say

Plays = Annotated[
    Path, Option("--plays", metavar="DIR", help="folder of plays (see: bartizan playtest import)")
]
MorePlays = Annotated[
    Path | None, Option("--plays", metavar="DIR", help="how many more than these; needs GAME")
]
Noise = Annotated[
    str,
    Option(
        "--noise",
        metavar="A,B,...",
        help="chances of a random action: the rungs that people are laid against",
    ),
]
Margin = Annotated[
    float,
    Option(
        "--margin", min=0.01, max=0.49, help="how near is the same, as a share: 0.1 is 10 percentage points"
    ),
]
PlanMargin = Annotated[
    float | None,
    Option(
        "--margin",
        min=0.01,
        max=0.49,
        help="show that people win as --sim does (with --plays: as the policy), within this",
    ),
]
PlanGame = Annotated[str | None, Argument(metavar="[GAME]", help="whose plays --plays are")]
Share = {"min": 0.001, "max": 0.999}
Sim = Annotated[float | None, Option("--sim", **Share, help="the simulation wins so often, as a share")]
People = Annotated[float | None, Option("--people", **Share, help="notice it if people win so often")]
TwoLevels = Annotated[
    str | None,
    Option("--levels", metavar="A,B", help="tell two levels apart that people win so often: 0.7,0.5"),
]
Each = Annotated[
    int | None, Option("--each", min=1, max=100, help="plays of one tester; 1 unless given, 4 with --plays")
]
Spread = Annotated[float, Option("--spread", min=0, max=3, help="of skill between testers, in logits")]
Power = Annotated[float, Option("--power", min=0.5, max=0.99, help="chance that it is told")]
Band = Annotated[
    str | None,
    Option(
        "--band",
        metavar="A..B",
        help="is people's win rate in it? unless given: as the policy's, within --margin",
    ),
]


def playtest_skill(
    game: opt.GameName,
    plays: Plays,
    scenario: opt.Scenario = None,
    difficulty: opt.Level = None,
    policy: opt.Policies = None,
    noise: Noise = "0.05,0.1,0.2,0.4",
    margin: Margin = 0.1,
    games: opt.Games = 4000,
    seed: opt.Seed = 1,
    set_: opt.Sets = None,
    players: opt.Players = None,
    jobs: opt.Jobs = None,
    out: opt.KeptOut = None,
    as_json: opt.AsJson = False,
) -> None:
    """How well do people play, on the policies' scale; and what do they do that no such policy does?"""
    say(playtest(game).playtest_skill(**given(locals()), command=as_typed()), as_json)


def playtest_plan(
    game: PlanGame = None,
    plays: MorePlays = None,
    sim: Sim = None,
    people: People = None,
    levels: TwoLevels = None,
    margin: PlanMargin = None,
    power: Power = 0.8,
    each: Each = None,
    spread: Spread = 0.8,
    band: Band = None,
    difficulty: opt.Level = None,
    scenario: opt.Scenario = None,
    policy: opt.Policies = None,
    noise: Noise = "0.05,0.1,0.2,0.4",
    games: opt.Games = 4000,
    seed: opt.Seed = 1,
    set_: opt.Sets = None,
    jobs: opt.Jobs = None,
    as_json: opt.AsJson = False,
) -> None:
    """How many plays, by how many people, would tell what is asked? With --plays: how many more."""
    options = given(locals())
    say(api.playtest_plan_of(playtest(game) if game else None, options), as_json)
