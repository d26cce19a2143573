"""Options that several questions share. Those of one question stand in it."""

from collections.abc import Sequence
from typing import Annotated

from bartizan.api.question import Opt
from bartizan.api.reading import File, Names, Sets
from bartizan.simcore import MOST_GAMES

ScenarioName = Annotated[
    str | None, Opt("a scenario of the game, or a .toml file of your own", metavar="NAME|FILE")
]
Level = Annotated[str | None, Opt("level, as `describe` lists them")]
Levels = Annotated[Names, Opt("level; repeat for several")]
Policies = Annotated[
    Names,
    Opt(
        "who plays, unless named the best found; with weights: P:weight=1.5; P+Q: P in the first seat, or "
        "for the first player of a side, Q in the second; repeat for several",
        metavar="P|role=P|P+Q|FILE.py",
    ),
]
Values = Annotated[
    Sets, Opt("change a number or a ruling (see: bartizan describe GAME --knobs)", metavar="PATH=VALUE")
]
Players = Annotated[int | None, Opt("number of players, for games that can vary it", min=1)]
Counts = Annotated[
    int | Sequence[int] | None,
    Opt("number of players, for games that can vary it; repeat for several", min=1),
]
Games = Annotated[int, Opt("games a cell", min=1, max=MOST_GAMES)]
Seed = Annotated[int, Opt("the same seed plays the same games", min=0, max=2**63 - 1)]
Jobs = Annotated[
    int | None,
    Opt("threads; all cores unless given. The results do not depend on it", min=1, max=1024, is_kept=False),
]
Cluster = Annotated[
    str | None,
    Opt(
        "have the workers of a Dask scheduler play, or N processes here (needs bartizan[cluster])",
        metavar="ADDRESS|local:N",
        is_kept=False,
    ),
]
Precision = Annotated[
    str | float | None,
    Opt("play until the win rate is known to this half-width; --games is then the limit", metavar="0.5pp"),
]
Archive = Annotated[File | None, Opt("an archive of best players of your own", metavar="FILE.toml")]
Trust = Annotated[
    Names, Opt("a .py file that may be run though only DIR names it; repeatable", metavar="FILE")
]
KeptOut = Annotated[
    File | None,
    Opt(
        "write the document, or keep it in a sweep's folder, for its report",
        metavar="FILE.json|DIR",
        short="-o",
        is_kept=False,
    ),
]
