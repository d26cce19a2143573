"""HTTP on this machine: only a program with the token is answered. Without the extra, one line says what to install."""

import sys

import pytest
from starlette.testclient import TestClient

from bartizan import assistant as package
from tests.assistant.here import assistant
from tests.cli.run_cli import bartizan

HELLO = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}},
}
JSON = {"accept": "application/json, text/event-stream", "content-type": "application/json"}
GOOD = JSON | {"authorization": "Bearer secret"}


@pytest.fixture(scope="module")
def web():
    from bartizan.assistant.server import http_app

    with TestClient(http_app(assistant(None), 8123, "secret"), base_url="http://127.0.0.1:8123") as made:
        yield made


@pytest.mark.parametrize(
    ("headers", "address", "code"),
    [
        (GOOD, "/mcp", 200),
        (JSON, "/mcp?token=secret", 200),
        (JSON, "/mcp", 403),
        (JSON | {"authorization": "Bearer guess"}, "/mcp", 403),
        (GOOD | {"host": "evil.example"}, "/mcp", 403),
        (GOOD | {"origin": "https://evil.example"}, "/mcp", 403),
        (GOOD | {"sec-fetch-site": "cross-site"}, "/mcp", 403),
        (GOOD | {"content-type": "text/plain"}, "/mcp", 415),
    ],
)
def test_only_a_program_with_the_token_is_answered(web, headers, address, code):
    answer = web.post(address, json=HELLO, headers=headers)
    assert answer.status_code == code
    assert ("bartizan" in answer.text and "serverInfo" in answer.text) == (code == 200)
    assert code == 200 or answer.text.startswith("refused: ")


@pytest.mark.parametrize("missing", ["anyio", "mcp_types"])
def test_without_the_extra_one_line_says_what_to_install(monkeypatch, missing):
    monkeypatch.setitem(sys.modules, missing, None)
    for name in ("server", "guides"):
        monkeypatch.delitem(sys.modules, f"bartizan.assistant.{name}")
        monkeypatch.delattr(package, name)
    said = bartizan("mcp")
    assert said.code == 2
    assert said.err.startswith(
        'error: mcp: needs the SDK of the Model Context Protocol; install the extra mcp: run pip install ".[mcp]"'
    )


@pytest.mark.parametrize(
    ("arguments", "words"), [(["--folder", "nowhere"], "no such folder"), (["--port", 8000], "requires --http")]
)
def test_a_wrong_start_is_one_line(arguments, words):
    said = bartizan("mcp", *arguments)
    assert said.code == 2 and words in said.err and len(said.err.splitlines()) == 1
