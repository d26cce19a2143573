"""The system's Chromium, where there is one, and what it says of a page."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

import pytest

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
ROOM = {"desk": (1280, 900), "phone": (390, 844)}  # pixels


@dataclass
class Visit:
    """A page that is open, and what it did on its way."""

    page: object
    requests: list[str] = field(default_factory=list)
    messages: list[str] = field(default_factory=list)


def program() -> str:
    """Its path; without one the test is skipped."""
    found = next(filter(None, map(shutil.which, NAMES)), None)
    if found is None:
        pytest.skip(f"no browser: none of {', '.join(NAMES)} is installed")
    return found


@contextmanager
def visit(browser, path, room="desk") -> Iterator[Visit]:
    width, height = ROOM[room]
    context = browser.new_context(viewport={"width": width, "height": height})
    seen = Visit(context.new_page())
    seen.page.on("request", lambda request: seen.requests.append(request.url))
    seen.page.on("console", lambda message: seen.messages.append(message.text))
    seen.page.on("pageerror", lambda error: seen.messages.append(str(error)))
    seen.page.goto(path.as_uri())
    yield seen
    context.close()
