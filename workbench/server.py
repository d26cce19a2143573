"""The page's server: one process on this machine, until Ctrl-C.

An answer that goes on is a stream of server-sent events in answer to a POST, read by `fetch`. It ends with
the page, and with it what is played for it.
"""

import json
import socket
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from pathlib import Path
from typing import Any

import uvicorn
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, PlainTextResponse, Response, StreamingResponse
from starlette.routing import Route

from bartizan.reports.render.html import FOLDER
from bartizan.simcore.errors import BartizanError, UsageError, unforeseen
from bartizan.workbench import playing, questions
from bartizan.workbench.guard import HOST, Guard
from bartizan.workbench.live import GameCache
from bartizan.workbench.setting import OfferedGame, game_document, games_document, read_setting

PAGE = Path(__file__).parent / "page"
SCRIPTS = ("workbench.js", "controls.js", "questions.js", "picture.js", "cards.js", "results.js")
FILES = {f"/{name}": PAGE / name for name in ("workbench.css", *SCRIPTS)}
FILES["/report.css"] = FOLDER / "report.css"
ALONE = (
    "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:; "
    "frame-ancestors 'self'; sandbox allow-scripts"
)
Asked = Mapping[str, Any]
Endpoint = Callable[[Request], Awaitable[Response]]


def listening(port: int = 0) -> socket.socket:
    """A socket on this machine alone; port 0: a free one. Raises UsageError where it is taken."""
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((HOST, port))
    except (OSError, OverflowError) as error:
        raise UsageError(f"--port {port}: not available ({error}); remove it to use any free port") from error
    return listener


def application(offers: dict[str, OfferedGame], game_cache: GameCache, port: int, token: str) -> Starlette:
    """The page and what it asks."""
    made_pages = questions.MadePages()
    routes = [
        Route("/", _file(PAGE / "workbench.html")),
        Route("/favicon.ico", lambda request: Response(status_code=204)),
        *(Route(path, _file(file)) for path, file in FILES.items()),
        Route("/games", _answering(lambda asked: games_document(offers)), methods=["POST"]),
        Route("/game", _answering(lambda asked: _game(offers, asked)), methods=["POST"]),
        Route("/scenario", _answering(lambda asked: _scenario(offers, asked)), methods=["POST"]),
        Route(
            "/question",
            _streaming(lambda asked: questions.events(offers, made_pages, asked)),
            methods=["POST"],
        ),
        Route("/made/{number}", _made(made_pages)),
        Route("/play", _streaming(lambda asked: playing.events(offers, game_cache, asked)), methods=["POST"]),
    ]
    return Starlette(routes=routes, middleware=[Middleware(Guard, port=port, token=token)])


def serve(app: Starlette, where: socket.socket) -> None:
    """Until Ctrl-C."""
    settings = uvicorn.Config(app, log_level="error", timeout_graceful_shutdown=1, access_log=False)
    uvicorn.Server(settings).run([where])


# ---------------------------------------------------------------- files


def _file(path: Path) -> Endpoint:
    async def answer(request: Request) -> Response:
        return FileResponse(path)

    return answer


def _made(made_pages: questions.MadePages) -> Endpoint:
    """A page that an question made: it brings its own style and script, and is no part of this site."""

    async def answer(request: Request) -> Response:
        path = made_pages.made.get(request.path_params["number"])
        if path is None or not path.is_file():
            return PlainTextResponse("this page no longer exists", 404)
        headers = {"content-security-policy": ALONE, "x-frame-options": "SAMEORIGIN"}
        return FileResponse(path, media_type="text/html", headers=headers)

    return answer


# ---------------------------------------------------------------- questions


def _game(offers: dict[str, OfferedGame], asked: Asked) -> dict[str, Any]:
    """What a game offers; of a setting its scenario, level and players count."""
    setting = read_setting(
        offers, {key: asked[key] for key in ("game", "scenario", "level", "players") if key in asked}
    )
    return game_document(setting.offer, setting.scenario, setting.unchanged)


def _scenario(offers: dict[str, OfferedGame], asked: Asked) -> dict[str, str]:
    name = asked.get("name")
    if (
        not isinstance(name, str)
        or not name.isascii()
        or not name.replace("-", "a").isalnum()
        or len(name) > 60
    ):
        raise UsageError("name: use letters, digits and - only, such as my-elite")
    return {
        "file": f"{name}.toml",
        "text": playing.scenario_file(read_setting(offers, asked.get("now")), name),
    }


def _answering(answer: Callable[[Asked], Any]) -> Endpoint:
    """A question with one answer, worked out beside the server's own thread."""

    async def endpoint(request: Request) -> Response:
        try:
            return JSONResponse(await run_in_threadpool(answer, await _asked(request)))
        except BartizanError as error:
            return _refused(error)

    return endpoint


async def _asked(request: Request) -> Asked:
    try:
        body = json.loads(await request.body())
    except (ValueError, RecursionError):
        raise UsageError("a request must be a JSON object") from None
    if not isinstance(body, dict):
        raise UsageError("a request must be a JSON object")
    return body


def _refused(error: Exception) -> Response:
    return PlainTextResponse(" ".join(str(error).split()), 400)


# ---------------------------------------------------------------- answers that go on


def _streaming(events: Callable[[Asked], playing.Events]) -> Endpoint:
    async def endpoint(request: Request) -> Response:
        try:
            stream = await run_in_threadpool(events, await _asked(request))
        except BartizanError as error:
            return _refused(error)
        return StreamingResponse(_stream(stream), media_type="text/event-stream")

    return endpoint


async def _stream(events: playing.Events) -> AsyncIterator[str]:
    """One event after another, each worked out in a thread. A page that is closed cancels this: no further
    one is begun.
    """
    try:
        while (event := await run_in_threadpool(next, events, None)) is not None:
            yield _event(*event)
    except BartizanError as error:
        yield _event("refused", {"line": " ".join(str(error).split())})
    except Exception as error:
        yield _event("refused", {"line": unforeseen(error)})
    finally:
        events.close()


def _event(name: str, document: Any) -> str:
    return f"event: {name}\ndata: {json.dumps(document, default=str)}\n\n"
