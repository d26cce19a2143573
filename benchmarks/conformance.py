"""Run the official conformance suite and inspector of the Model Context Protocol against the server.

    python benchmarks/conformance.py           takes four minutes; npx downloads the programs

The suite expects a server with certain tools, prompts and resources. Here, their names are mapped to real
calls, so the suite checks real answers. The requests pass the same access checks as in `bartizan mcp --http`.
The inspector calls the installed command over stdio and HTTP. The exit code is 1 if a check fails, except
checks of features that the server does not offer (`NOT_OFFERED`).
"""

import json
import re
import secrets
import subprocess
import sys
import tempfile
import threading
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

from bartizan.assistant import server
from bartizan.assistant.guides import PROMPTS
from bartizan.workbench.server import listening, serve

NODE = "node@22.23.3"
SUITE, INSPECTOR = (
    "@modelcontextprotocol/conformance@0.2.0-alpha.12",
    "@modelcontextprotocol/inspector@2.12.0",
)
REVISIONS = "2025-11-25", "2026-07-28"
# names that the suite calls -> calls of this server
PLAY = {"name": "pig.py", "games": 200_000}
CALLS = {
    "test_simple_text": ("describe", {}),
    "test_image_content": ("play", PLAY),
    "test_tool_with_progress": ("play", PLAY),
    "test_error_handling": ("play", {"name": "no_such_game.py"}),
}
READS = {
    "test://static-text": "bartizan://guides/interview",
    "test://template/123/data": "bartizan://files/123.md",
}
FILLED = {
    "test_simple_prompt": replace(PROMPTS["is_it_fair"], arguments={}),
    "test_prompt_with_arguments": replace(
        PROMPTS["make_it_harder"], arguments={"arg1": "", "arg2": ""}, template="{arg1}, {arg2}"
    ),
}
# scenario/check -> reason why it does not apply to this server
NOT_OFFERED = {
    r"completion-": "no completions",
    r"logging-|tools-call-with-logging": "no log messages to clients (deprecated in 2026-07-28)",
    r"resources-(un)?subscribe": "no subscriptions",
    r"server-sse-polling": "no streams that resume (pending; recommended)",
    r"tools-call-(audio|embedded|mixed)|prompts-get-(embedded|with-image)": "links, no embedded files",
    r"elicitation-|tools-call-(elicit|sampl)|input-required-|.*-capability": "asks clients nothing",
    r"tasks-": "no tasks (extension): jobs have tools of their own",
    r"json-schema-2020-12|http-custom-header": "no tool with keywords or headers of the suite's own",
}
STDIO = (  # arguments of the inspector, exit code, text in the answer
    ("tools/list --strict", 0, '"play"'),
    ("tools/list --protocol-era modern", 0, '"play"'),
    ("tools/list --app-info", 0, "ui://bartizan/answer"),
    ("tools/call --tool-name describe", 0, "Castle Itter"),
    ("tools/call --tool-name play --tool-arg name=pig.py games=400", 0, "95 % Wilson, 400 games"),
    ("tools/call --tool-name play --tool-arg name=nowhere.py", 5, "no such game file"),
    ("resources/list", 0, "bartizan://guides/interview"),
    ("resources/templates/list", 0, "bartizan://files/{name}"),
    ("resources/read --uri bartizan://guides/interview", 0, "From a rulebook"),
    ("resources/read --uri bartizan://nothing", 1, "no resource"),
    ("prompts/list", 0, "write_my_game"),
    ("prompts/get --prompt-name is_it_fair --prompt-args game=pig.py", 0, "pig.py"),
    ("prompts/get --prompt-name is_it_fair", 1, "game is missing"),
)


class Named(server.Assistant):
    """The server with additional names, which the suite calls."""

    async def call(self, name: str, arguments: Any, context: Any = None) -> Any:
        tool, given = CALLS.get(name, (name, arguments))
        seed = {"seed": secrets.randbelow(2**31)} if given is PLAY else {}  # no stored answer
        return await super().call(tool, {**given, **seed}, context)

    def read(self, uri: str) -> Any:
        return super().read(READS.get(uri, uri))


class WithToken:
    """Middleware that adds the token to each request, because some requests of the suite omit it."""

    def __init__(self, app: Any, token: str):
        self.app, self.header = app, (b"authorization", f"Bearer {token}".encode())

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] == "http":
            scope["headers"] = [*scope["headers"], self.header]
        await self.app(scope, receive, send)


def npx(package: str, *arguments: Any) -> subprocess.CompletedProcess[str]:
    command = ["npx", "--yes", "-p", NODE, "-p", package, *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, stdin=subprocess.DEVNULL)


def started(folder: Path) -> str:
    """Serve over HTTP in the background, and return the address."""
    where, token = listening(), secrets.token_urlsafe(24)
    port = where.getsockname()[1]
    PROMPTS.update(FILLED)
    named = Named(folder)
    first = named.jobs.ask("play", PLAY)
    first.done.wait()  # compiles the game, so that later calls return the answer and not a job
    READS["test://static-binary"] = f"bartizan://answers/{first.number}/picture"
    app = server.http_app(named, port, token)
    app.add_middleware(WithToken, token=token)
    threading.Thread(target=serve, args=(app, where), daemon=True).start()
    return f"http://127.0.0.1:{port}/mcp"


def suite(url: str, revision: str, out: Path) -> list[str]:
    """Print the results of one revision of the protocol, and return the failures that concern the server."""
    ran = npx(SUITE, "conformance", "server", "--url", url, "--requirements", revision, "-o", out)
    passed, failed, left_out = 0, [], Counter[str]()
    for file in sorted(out.glob("*/checks.json")):
        scenario = re.sub(r"^server-|-\d{4}-\d\d-\d\dT.*$", "", file.parent.name)
        for check in json.loads(file.read_text(encoding="utf-8")):
            name = f"{scenario}/{check['id']}"
            if check["status"] == "SUCCESS":
                passed += 1
            elif check["status"] in ("FAILURE", "WARNING"):
                reasons = [why for one, why in NOT_OFFERED.items() if re.match(one, name)]
                left_out.update(reasons[:1])
                failed += [] if reasons else [f"{check['status']} {name}: {check.get('errorMessage')}"]
    if not passed:
        failed.append(ran.stdout[-500:] + ran.stderr[-500:])
    print(f"{SUITE}, requirements {revision}: {passed} passed, {len(failed)} failed", *failed, sep="\n  ")
    for why, count in left_out.items():
        print(f"  {count} not applicable: {why}")
    return failed


def inspected(target: list[str], words: str, code: int, text: str) -> list[str]:
    """Return the failure of one call by the inspector as a list of one text; [] if there is none."""
    ran = npx(INSPECTOR, "mcp-inspector", "--cli", *target, "--method", *words.split(), "--format", "json")
    said = ran.stdout + ran.stderr
    if ran.returncode == code and text in said and "Warning: tool" not in said:
        return []
    return [f"{words}: exit code {ran.returncode}, {said[-400:]}"]


def main() -> int:
    with tempfile.TemporaryDirectory() as made:
        folder, out = Path(made, "games"), Path(made, "results")
        folder.mkdir()
        pig = Path(__file__).parents[1] / "examples/short/pig.py"
        (folder / "pig.py").write_bytes(pig.read_bytes())
        (folder / "123.md").write_text("123\n")
        url = started(folder)
        failed = [one for revision in REVISIONS for one in suite(url, revision, out / revision)]
        bartizan = [str(Path(sys.executable).with_name("bartizan")), "mcp", "--folder", str(folder)]
        found = [one for row in STDIO for one in inspected(bartizan, *row)]
        found += inspected(["--server-url", url], "tools/list", 0, '"play"')
    print(f"{INSPECTOR}: {len(STDIO) + 1 - len(found)} calls passed, {len(found)} failed", *found, sep="\n  ")
    return bool(failed or found)


if __name__ == "__main__":
    sys.exit(main())
