"""`bartizan workbench`: check the installation, load the named games, and open the page."""

import secrets
import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from socket import socket
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from bartizan.api.question import HelpSection, Question, opt
from bartizan.api.reading import Names, listed
from bartizan.simcore.compile import cache
from bartizan.simcore.documentation import extra
from bartizan.simcore.errors import UsageError

if TYPE_CHECKING:
    from starlette.applications import Starlette

NEEDED = f"workbench: needs Starlette and uvicorn; {extra('workbench')}"
PATIENCE = 0.8  # seconds before the browser opens the page


class WorkbenchQuestion(Question[Iterator[str]]):
    """Change numbers on a local page, and watch the win rate change."""

    command = "workbench"
    section = HelpSection.PLAY
    example = "bartizan workbench itter"
    has_document = False

    games: Names = opt(
        "game to start with: its name, or the path of its .py or engine file; the built-in games are "
        "also available",
        default=None,
        metavar="GAME",
        is_argument=True,
        kw_only=False,
    )
    scenario: Names = opt(
        "your own scenario for the first game; repeatable", default=None, metavar="FILE.toml"
    )
    policy: Names = opt(
        "additional policy for the first game, as in hold:at=20, NAME@weights.toml or learned@FILE; "
        "repeatable",
        default=None,
        metavar="NAME",
    )
    port: int = opt("port on 127.0.0.1; 0 is any free port", default=0, min=0, max=65_535)
    link: str = opt("restore the page from a link that it gave you", default="", metavar="LINK")
    open_: bool = opt("open the page in the browser", default=True, off="--no-open")

    def answer(self) -> Iterator[str]:
        # a generator, because its body runs outside of `read_once`: the page shows the files as they are
        page = open_workbench(
            listed(self.games), listed(self.scenario), self.port, self.link, listed(self.policy)
        )
        self.watch.note(f"Workbench: {page.address}")
        self.watch.note("Only this machine can reach the page. Press Ctrl-C to stop the server.")
        page.serve(self.open_)
        yield from ()


@dataclass(frozen=True, eq=False)
class Workbench:
    """A page that is ready to be served."""

    app: "Starlette"
    where: socket
    address: str

    @property
    def port(self) -> int:
        return int(self.where.getsockname()[1])

    def serve(self, in_browser: bool = False) -> None:
        """Serve the page until Ctrl-C. in_browser: whether to open the page in the user's browser."""
        import webbrowser

        from bartizan.workbench import server

        if in_browser:
            timer = threading.Timer(PATIENCE, webbrowser.open, [self.address])
            timer.daemon = True
            timer.start()
        server.serve(self.app, self.where)


def open_workbench(
    named: Sequence[str] = (),
    files: Sequence[str] = (),
    port: int = 0,
    link: str = "",
    players: Sequence[str] = (),
    seed: int = 1,
) -> Workbench:
    """Prepare the page and return it.

    named: games to offer in addition to the built-in ones. files, players: scenarios and policies for the
    first of these games. link: link of a page whose state is restored. seed: seed of all simulated games.
    Raises UsageError for a missing package, an unknown game, a port in use, a link without a state, and for
    scenarios or policies without a game.
    """
    if link and "#" not in link:
        raise UsageError(
            f"--link {link[:80]}: contains no state; copy the whole link, including the part after the #"
        )
    cache.configure()  # one folder for all games: code from outside is distinguished by its source
    try:
        from bartizan.workbench import guard, server
    except ModuleNotFoundError as error:
        if error.name in ("starlette", "uvicorn"):
            raise UsageError(NEEDED) from error
        raise
    from bartizan.simcore.game import game_names
    from bartizan.workbench.live import GameCache
    from bartizan.workbench.setting import offered

    if files and not named:
        raise UsageError(
            f"--scenario {files[0]}: no game given; write bartizan workbench GAME --scenario FILE"
        )
    if players and not named:
        raise UsageError(
            f"--policy {players[0]}: no game given; write bartizan workbench GAME --policy {players[0]}"
        )
    offers = offered(list(dict.fromkeys([*named, *game_names()])), files, players)
    where, token = server.listening(port), secrets.token_urlsafe(24)
    actual = where.getsockname()[1]
    app = server.application(offers, GameCache(seed), actual, token)
    return Workbench(app, where, guard.address(actual, token, urlsplit(link).fragment))
