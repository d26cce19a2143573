"""From the command line to the page: what is needed is there, what is named is loaded."""

import threading
import webbrowser
from collections.abc import Sequence
from dataclasses import dataclass
from socket import socket
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from bartizan.simcore.compile import cache
from bartizan.simcore.errors import UsageError
from bartizan.simcore.game import game_names

if TYPE_CHECKING:
    from starlette.applications import Starlette

NEEDED = 'workbench: needs Starlette and uvicorn: pip install "bartizan[workbench]"'
PATIENCE = 0.8  # seconds until the browser is told to open the page


@dataclass(frozen=True, eq=False)
class Workbench:
    """A page that is ready to be served."""

    app: "Starlette"
    where: socket
    address: str

    @property
    def port(self) -> int:
        return self.where.getsockname()[1]

    def serve(self, in_browser: bool = False) -> None:
        """Until Ctrl-C."""
        from bartizan.workbench import server

        if in_browser:
            timer = threading.Timer(PATIENCE, webbrowser.open, [self.address])
            timer.daemon = True
            timer.start()
        server.serve(self.app, self.where)


def open_workbench(
    named: Sequence[str] = (), files: Sequence[str] = (), port: int = 0, link: str = "", seed: int = 1
) -> Workbench:
    """named: the games to begin with; those of the house are offered too. files: scenarios of the first one.
    link: of a page, to open as it was.

    Raises UsageError: what is not installed, a game that there is not, a port that is taken.
    """
    state = _state_of(link)
    cache.configure()  # one folder for all games: code from outside is told apart by its source
    try:
        from bartizan.workbench import guard, server
    except ModuleNotFoundError as error:
        if error.name in ("starlette", "uvicorn"):
            raise UsageError(NEEDED) from error
        raise
    from bartizan.workbench.game_cache import GameCache
    from bartizan.workbench.offer import offered

    if files and not named:
        raise UsageError(f"--scenario {files[0]}: of which game? bartizan workbench GAME --scenario FILE")
    offers = offered(list(dict.fromkeys([*named, *game_names()])), files)
    where, token = server.listening(port), guard.new_token()
    found = where.getsockname()[1]
    app = server.application(offers, GameCache(seed), found, token)
    return Workbench(app, where, guard.address(found, token, state))


def _state_of(link: str) -> str:
    """What stands after the # of a link."""
    if link and "#" not in link:
        raise UsageError(
            f"--link {link[:80]}: holds no state: copy the whole link, with what stands after the #"
        )
    return urlsplit(link).fragment
