"""Past one machine: the options of `sweep` that divide it, and the commands `merge` and `warm`."""

from pathlib import Path
from typing import Annotated

from typer import Argument, Option

from bartizan import api
from bartizan import cli_options as opt
from bartizan.cli_saying import say
from bartizan.cli_terminal import Terminal

Shards = Annotated[
    str | None,
    Option(
        "--shards",
        metavar="PART/PARTS",
        help="play one part of the sweep, such as 3/16 the third of 16; `bartizan merge` puts them together",
    ),
]
Cluster = Annotated[
    str | None,
    Option(
        "--cluster",
        metavar="ADDRESS|local:N",
        help="have the workers of a Dask scheduler play, or N processes here (needs bartizan[cluster])",
    ),
]
WarmGames = Annotated[
    list[str] | None,
    Argument(
        metavar="GAME", help="games by name, or by the path of a .py file; all of the house unless given"
    ),
]
Folders = Annotated[list[Path], Argument(metavar="PART...", help="the folders of all parts of one sweep")]
Out = Annotated[Path, opt.out("DIR", "folder of the whole sweep; run again to resume")]


def merge(folders: Folders, out: Out, as_json: opt.AsJson = False) -> int:
    """Put the parts of a sweep together: the folder that one machine would have made, byte for byte."""
    return say(api.merge(folders, out, watch=Terminal()), as_json)


def warm(games: WarmGames = None, jobs: opt.Jobs = None, as_json: opt.AsJson = False) -> None:
    """Compile games ahead, play loops and policies, so that no later command waits for it."""
    say(api.warm(games, jobs=jobs, watch=Terminal()), as_json)
