"""Options that several questions share. Options of one question are in its class."""

from collections.abc import Sequence
from typing import Annotated

from bartizan.api.question import Opt
from bartizan.api.reading import File, Names, Sets
from bartizan.simcore import MOST_GAMES

ScenarioName = Annotated[
    str | None, Opt("a scenario of the game, or your own .toml file", metavar="NAME|FILE")
]
Level = Annotated[str | None, Opt("difficulty level (`bartizan describe GAME` lists them)", metavar="LEVEL")]
Levels = Annotated[Names, Opt("difficulty level; repeatable", metavar="LEVEL")]
Policies = Annotated[
    Names,
    Opt(
        "policy for each seat; P:weight=1.5 sets a weight; P+Q puts P in the first seat (or makes it the "
        "first player of a side) and Q in the second; repeatable (default: the best known fast policy)",
        metavar="P|role=P|P+Q|FILE.py",
    ),
]
Player = Annotated[
    str | None,
    Opt(
        "for short games: `learned` trains a policy for ten seconds; `trained` uses the learned policy or "
        "the default policy, whichever is better",
        metavar="learned|trained",
    ),
]
Values = Annotated[
    Sets,
    Opt("change a number or a ruling (`bartizan describe GAME --knobs` lists them)", metavar="PATH=VALUE"),
]
Players = Annotated[int | None, Opt("number of players (only for games with a variable number)", min=1)]
Counts = Annotated[
    int | Sequence[int] | None,
    Opt("number of players (only for games with a variable number); repeatable", min=1),
]
Games = Annotated[int, Opt("number of games per cell", min=1, max=MOST_GAMES)]
Seed = Annotated[int, Opt("random seed; the same seed gives the same games", min=0, max=2**63 - 1)]
Jobs = Annotated[
    int | None,
    Opt(
        "number of threads; does not affect the results (default: all cores)", min=1, max=1024, is_kept=False
    ),
]
Cluster = Annotated[
    str | None,
    Opt(
        "simulate on the workers of a Dask scheduler, or on N local processes (needs the extra `cluster`)",
        metavar="ADDRESS|local:N",
        is_kept=False,
    ),
]
Precision = Annotated[
    str | float | None,
    Opt(
        "simulate until the win rate's interval has this half-width; --games is then the maximum",
        metavar="0.5pp",
    ),
]
Archive = Annotated[File | None, Opt("your own archive of best policies", metavar="FILE.toml")]
Trust = Annotated[
    Names, Opt("allow this .py file to run, although only DIR refers to it; repeatable", metavar="FILE")
]
KeptOut = Annotated[
    File | None,
    Opt(
        "write the JSON output to a file, or save it in a sweep's folder for its report",
        metavar="FILE.json|DIR",
        short="-o",
        is_kept=False,
    ),
]
# options of multilevel splitting
Trajectories = Annotated[int, Opt("number of games, or partial games, per stage", min=10, max=100_000)]
Replicates = Annotated[
    int,
    Opt(
        "number of independent runs through all stages; the interval is computed from them", min=5, max=10_000
    ),
]
EveryLevel = Annotated[
    bool,
    Opt("use one stage per value of progress towards the event (default: a pilot run chooses the stages)"),
]
