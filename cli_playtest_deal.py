"""The command `bartizan playtest deal`, with the options that are its own."""

from typing import Annotated

from typer import Option

from bartizan import cli_options as opt
from bartizan.cli_saying import given, playtest, say

Number = Annotated[int, Option("--game", min=0, help="which deal of the seed")]
DealCount = Annotated[
    int, Option("--deals", min=2, max=100_000, help="deals that tell how much of a result is the deal")
]
Plays = Annotated[int, Option("--plays", min=2, max=100_000, help="plays of each deal under other luck")]
Seat = Annotated[str | None, Option("--seat", help="whose wins; the first seat unless given")]


def deal(
    game: opt.GameName,
    seed: opt.Seed = 1,
    number: Number = 0,
    scenario: opt.Scenario = None,
    difficulty: opt.Level = None,
    policy: opt.Policies = None,
    players: opt.Players = None,
    set_: opt.Sets = None,
    deals: DealCount = 200,
    plays: Plays = 100,
    seat: Seat = None,
    jobs: opt.Jobs = None,
    as_json: opt.AsJson = False,
) -> None:
    """A deal for a table to stack, so that people and policies play the same cards; and how the policy does on it."""  # noqa: E501
    say(playtest(game).deal(**given(locals())), as_json)
