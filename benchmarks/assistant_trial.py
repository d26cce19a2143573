"""Try the server for assistants as the assistant of a new user does: it sees only the content of the server.

    bartizan mcp --http --folder trial 2> trial.log &      start the server; its address is in trial.log
    export BARTIZAN_MCP='http://127.0.0.1:...'             that address, including its token
    python benchmarks/assistant_trial.py about             instructions, tools, prompts and resources
    python benchmarks/assistant_trial.py prompt write_my_game rules=@rules.txt
    python benchmarks/assistant_trial.py read bartizan://guides/interview
    python benchmarks/assistant_trial.py call write_game file=my_game.py text=@draft.py
    python benchmarks/assistant_trial.py call check target=my_game.py
    python benchmarks/assistant_trial.py call play name=my_game.py games=20000

To run a trial, give a helper one page of rules of an unknown game with 30 to 60 cards, this script and the
address. Give no repository, no documentation and no other command. Ask for a checked game, and whether going
first is an advantage. Stop after 30 minutes. Note every failed call and every question that the server did
not answer, and fix each. Repeat with three games. To try the skill alone, run `bartizan new skill` in an
empty folder, and use the terminal instead of this script.

A value is parsed as JSON if possible, and is text otherwise. @FILE is the content of a file.
"""

import json
import os
import sys
import time
from pathlib import Path
from typing import Any

import anyio
from mcp import Client


def value_of(text: str) -> Any:
    if text.startswith("@"):
        return Path(text[1:]).read_text(encoding="utf-8")
    try:
        return json.loads(text)
    except ValueError:
        return text


def arguments(texts: list[str]) -> dict[str, Any]:
    return {name: value_of(value) for name, _, value in (text.partition("=") for text in texts)}


async def about(client: Client) -> None:
    print(client.instructions)
    for tool in (await client.list_tools()).tools:
        print(f"\n{tool.name}: {tool.description}\n  {json.dumps(tool.input_schema)}")
    for prompt in (await client.list_prompts()).prompts:
        print(f"\nprompt {prompt.name}: {prompt.description}")
    for resource in (await client.list_resources()).resources:
        print(f"\nresource {resource.uri}")


async def call(client: Client, tool: str, *given: str) -> None:
    begun = time.monotonic()
    result = await client.call_tool(tool, arguments(list(given)))
    for one in result.content:
        print(getattr(one, "text", None) or getattr(one, "uri", None) or f"[{one.type}]")
    print(f"{'refused; ' * bool(result.is_error)}{time.monotonic() - begun:.1f} s", file=sys.stderr)


async def read(client: Client, uri: str) -> None:
    for one in (await client.read_resource(uri)).contents:
        print(getattr(one, "text", "[bytes]"))


async def prompt(client: Client, name: str, *given: str) -> None:
    texts = {key: str(value) for key, value in arguments(list(given)).items()}
    for message in (await client.get_prompt(name, texts)).messages:
        print(getattr(message.content, "text", ""))


async def main(what: str, *given: str) -> None:
    async with Client(os.environ["BARTIZAN_MCP"]) as client:
        await {"about": about, "call": call, "read": read, "prompt": prompt}[what](client, *given)


if __name__ == "__main__":
    anyio.run(main, *sys.argv[1:])
