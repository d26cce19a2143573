"""The command `bartizan workbench`."""

from collections.abc import Iterator

from bartizan.api.question import Question, opt
from bartizan.api.reading import Names, listed


class WorkbenchQuestion(Question[Iterator[str]]):
    """A page on this machine: move a number of a game, and watch the win rate answer."""

    command = "workbench"
    example = "bartizan workbench itter"
    has_document = False

    games: Names = opt(
        "the game to begin with, or the path of a game's .py file; those of the house are offered too",
        default=None,
        metavar="GAME",
        is_argument=True,
        kw_only=False,
    )
    scenario: Names = opt(
        "a scenario of your own for the first game; repeat for several", default=None, metavar="FILE.toml"
    )
    port: int = opt("of 127.0.0.1; a free one unless given", default=0, min=0, max=65_535)
    link: str = opt("a link that the page gave: it opens as it was", default="", metavar="LINK")
    open_: bool = opt("open the page in the browser", default=True, off="--no-open")

    def answer(self) -> Iterator[str]:
        from bartizan.workbench.launch import open_workbench

        page = open_workbench(listed(self.games), listed(self.scenario), self.port, self.link)
        self.watch.note(f"The workbench: {page.address}")
        self.watch.note("Nobody but this machine reaches it. Ctrl-C ends it.")
        page.serve(self.open_)
        return iter(())
