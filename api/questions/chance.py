"""Probabilities of events, and of a win from a position: `chance`."""

from bartizan.api import answers, options
from bartizan.api.answer import Answer
from bartizan.api.question import GameQuestion, HelpSection, opt
from bartizan.api.reading import Names, Sets
from bartizan.simcore import MOST_GAMES


class ChanceQuestion(GameQuestion):
    """Estimate the probability of an event, a dice roll, a fight, or a win from a position.

    A rare event is estimated by multilevel splitting and by direct simulation. A dice roll or a fight is
    computed exactly and simulated.

    From a position (--at), the command simulates futures for each legal action. Without --event and --at,
    list the events of the game.
    """

    command = "chance"
    section = HelpSection.JUDGE
    example = "bartizan chance colditz --event do-or-die --with distance=40"

    event: str | None = opt(
        "event to estimate (default: list the events); with --at: the dice roll or fight that a legal "
        "action starts",
        default=None,
        metavar="NAME",
    )
    with_: Sets = opt(
        "a parameter of a dice roll or a fight; repeatable (omit --event to list the parameters)",
        default=None,
        metavar="NAME=VALUE",
    )
    at: str | None = opt(
        'position to simulate from: "game 7, decision 12", "game 7 of seed 3, turn 2", a line that '
        "`bartizan trace --position` prints, or a file that it writes with -o",
        default=None,
        metavar="POSITION",
    )
    if_: Sets = opt(
        "change the position, by number or by name, such as turn=3, hand[2]=0, points[first]=40 or "
        "hand[second]=guard,priest; or change a scenario value from this position on; repeatable",
        default=None,
        metavar="FIELD=VALUE",
    )
    when: str | None = opt(
        "use only futures in which the log of the next decision contains this text",
        default=None,
        metavar="TEXT",
    )
    beside: Names = opt(
        "also estimate the win probabilities if every seat uses this policy, such as lookahead; repeatable",
        default=None,
        metavar="P|P+Q",
    )
    scenario: options.ScenarioName = None
    difficulty: options.Level = None
    policy: options.Policies = None
    players: options.Players = None
    set: options.Values = None
    trajectories: options.Trajectories = 500
    replicates: options.Replicates = 30
    every_level: options.EveryLevel = False
    games: int | None = opt(
        "number of games, throws or fights to simulate (default for a rare event: games with as many "
        "decisions as splitting uses; for a position: 1,000 per action)",
        default=None,
        min=1,
        max=MOST_GAMES,
    )
    seed: options.Seed = 1
    jobs: options.Jobs = None
    cluster: options.Cluster = None
    out: options.KeptOut = None

    def answer(self) -> Answer:
        return answers.chance.answer(self)
