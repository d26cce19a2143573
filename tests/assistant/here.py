"""A server whose questions are answered in this process, where games are compiled already; and a client for it."""

import contextlib
import json
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import anyio

from bartizan.assistant.asking import reply_to
from bartizan.assistant.fence import Fence
from bartizan.assistant.jobs import Jobs
from tests.cli.run_cli import ROOT

SHORT = ROOT / "examples/short"


class Here:
    """What `bartizan.assistant.jobs.Worker` is, without a process."""

    is_alive = True

    def __init__(self, folder, home):
        self.folder = folder

    def ask(self, asked, told):
        with contextlib.chdir(self.folder or Path.cwd()):
            return reply_to(asked["tool"], asked["arguments"], Path(asked["place"]), self.folder, told)

    def end(self):
        pass


def assistant(folder=SHORT, patience=600.0, worker=Here):
    """A server that reads and writes in `folder`."""
    from bartizan.assistant.server import Assistant  # mcp takes seconds to import: not while tests are collected

    folder = folder and folder.resolve()
    return Assistant(folder, patience=patience, jobs=Jobs(Fence(folder), 600, worker))


class Said:
    """A reply as a client gets it."""

    def __init__(self, result):
        self.result, self.failed, self.reply = result, result.is_error, result.structured_content
        self.text = result.content[0].text
        self.kinds = [one.type for one in result.content]

    @property
    def tokens(self):
        """By characters, four each; pictures aside."""
        texts = [
            one.model_dump_json(by_alias=True, exclude_none=True) for one in self.result.content if one.type != "image"
        ]
        return (len(json.dumps(self.reply, ensure_ascii=False)) + sum(map(len, texts))) / 4


def run_alone(work):
    """What an async function returns, in a thread of its own: another test may have left a loop in this one."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(anyio.run, work).result()


def client(asked, server):
    """What `asked(client)` returns, for a client of the server in this process."""
    from mcp import Client

    from bartizan.assistant.server import server_of

    async def run():
        async with Client(server_of(server)) as connected:
            return await asked(connected)

    return run_alone(run)


def call(server, tool, /, **arguments):
    async def asked(connected):
        return Said(await connected.call_tool(tool, arguments))

    return client(asked, server)
