"""Access control of a local server, which accepts only the workbench's page or a program that has the token.

The server listens only on this machine. However, any page in a browser on this machine can send it requests,
and a host name that resolves to 127.0.0.1 counts as the same site (DNS rebinding). So each request must name
this host, come from this origin, and carry the token, which appears only in the address in the terminal.
"""

import secrets

from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

HOST = "127.0.0.1"
MOST_BYTES = 200_000  # maximum size of a request
HEADERS = {
    "Content-Security-Policy": "default-src 'self'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'; object-src 'none'",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cache-Control": "no-store",
}


class Guard:
    """Middleware that admits only requests from the page."""

    methods: tuple[str, ...] = ("GET", "HEAD")  # besides POST

    def __init__(self, app: ASGIApp, port: int, token: str):
        self.app, self.token = app, token
        self.hosts = {f"{HOST}:{port}", f"localhost:{port}"}
        self.cookie = f"bartizan-{port}"

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return

        async def guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                named = {name for name, _ in message["headers"]}
                wanted = ((name.lower().encode(), value.encode()) for name, value in HEADERS.items())
                message["headers"] += [pair for pair in wanted if pair[0] not in named]
            await send(message)

        request = Request(scope)
        answer = self._refusal(request) or self._entrance(request)
        await (answer or self.app)(scope, receive, guarded)

    def _refusal(self, request: Request) -> Response | None:
        """Return a one-line response that rejects the request, or None to accept it."""
        headers = request.headers
        host, origin = headers.get("host", ""), headers.get("origin")
        if host not in self.hosts:
            return _no("this server answers only requests to 127.0.0.1 and its port")
        if origin is not None and origin != f"http://{host}":
            return _no("this server answers only its own page, not another site")
        if headers.get("sec-fetch-site", "none") not in ("none", "same-origin"):
            return _no("this server answers only its own page, not another site")
        if request.method == "POST":
            return self._wrong_post(headers)
        if request.method in self.methods:
            return None
        return _no(f"method {request.method} is not supported", 405)

    def _wrong_post(self, headers: Headers) -> Response | None:
        if "origin" not in headers:
            return _no("a request without an origin is not from the page")
        return _wrong_body(headers)

    def _entrance(self, request: Request) -> Response | None:
        """Check the token of a request; return None if its cookie carries the token.

        Otherwise, return a redirect that moves the token from the address into a cookie, or a response that
        rejects the request.
        """
        given = request.query_params.get("token")
        if request.url.path == "/" and given is not None and _is_same(given, self.token):
            answer = RedirectResponse("/", 303)
            answer.set_cookie(self.cookie, self.token, httponly=True, samesite="strict")
            return answer
        if _is_same(request.cookies.get(self.cookie, ""), self.token):
            return None
        return _no("the address has no token: open the address that the terminal shows")


class ProgramGuard(Guard):
    """Middleware for programs on this machine.

    Each request carries the token, as `Authorization: Bearer TOKEN` or in the address. Requests that a
    browser sends from another site are also rejected.
    """

    methods = ("GET", "HEAD", "DELETE")

    def _wrong_post(self, headers: Headers) -> Response | None:
        return _wrong_body(headers)

    def _entrance(self, request: Request) -> Response | None:
        given = request.headers.get("authorization", "").removeprefix("Bearer ")
        if _is_same(given or request.query_params.get("token", ""), self.token):
            return None
        return _no("the request has no token: use the address that the terminal shows")


def _wrong_body(headers: Headers) -> Response | None:
    if headers.get("content-type", "").partition(";")[0] != "application/json":
        return _no("write JSON (content-type: application/json)", 415)
    length = headers.get("content-length", "")
    if not length.isdecimal() or len(length) > 9 or int(length) > MOST_BYTES:
        return _no(f"a request can have at most {MOST_BYTES:,} bytes", 413)
    return None


def _no(why: str, status: int = 403) -> Response:
    return PlainTextResponse(f"refused: {why}\n", status)


def _is_same(given: str, token: str) -> bool:
    return secrets.compare_digest(given.encode(), token.encode())


def address(port: int, token: str, state: str = "") -> str:
    """Return the address of the page. state: text after the #, as in a link that the page gave."""
    return f"http://{HOST}:{port}/?token={token}{state and f'#{state}'}"
