"""The command `bartizan workbench`, with the options that are its own."""

from typing import Annotated

from typer import Argument, Option

from bartizan.cli_terminal import note

Games = Annotated[
    list[str] | None,
    Argument(
        metavar="GAME",
        help="the game to begin with, or the path of a game's .py file; those of the house are offered too",
    ),
]
Files = Annotated[
    list[str] | None,
    Option(
        "--scenario",
        metavar="FILE.toml",
        help="a scenario of your own for the first game; repeat for several",
    ),
]
Port = Annotated[int, Option("--port", min=0, max=65_535, help="of 127.0.0.1; a free one unless given")]
Link = Annotated[str, Option("--link", metavar="LINK", help="a link that the page gave: it opens as it was")]
Open = Annotated[bool, Option("--open/--no-open", help="open the page in the browser")]


def workbench(
    games: Games = None, scenario: Files = None, port: Port = 0, link: Link = "", open_: Open = True
) -> None:
    """A page on this machine: move a number of a game, and watch the win rate answer."""
    from bartizan.workbench.launch import open_workbench

    page = open_workbench(games or [], scenario or [], port, link)
    note(f"The workbench: {page.address}")
    note("Nobody but this machine reaches it. Ctrl-C ends it.")
    page.serve(open_)
