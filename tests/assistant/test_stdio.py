"""The installed command over stdio: stdout has only the protocol, whatever a game prints; endless games end."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

from tests.cli.run_cli import PIG

# A game in full form can print when it is read. Printing in compiled rules is left out: it can deadlock.
PRINTS = """
import os, sys

print('{"jsonrpc": "2.0", "id": 2, "result": "not the server"}')
sys.stdout.flush()
os.write(1, b"12345 not the server")
"""
ENDLESS = '''"""Endless: a rule that never ends."""

from bartizan.short import *

players = 2


def roll(s, n):
    while s.turn >= 0:
        s.turn += 0
    win(s, s.me, "never")


def only(s, n):
    """Rolls."""
    return ROLL
'''
HELLO = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}


class Connection:
    """A client that reads stdout line by line, and holds that each line is a message of the protocol."""

    def __init__(self, folder):
        command = [Path(sys.executable).with_name("bartizan"), "mcp", "--folder", folder]
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
        )
        self.last = 0

    def send(self, method, params=None, number=None):
        message = (
            {"jsonrpc": "2.0", "method": method}
            | ({"params": params} if params else {})
            | ({"id": number} if number else {})
        )
        self.process.stdin.write(json.dumps(message) + "\n")
        self.process.stdin.flush()

    def begin(self, method, params):
        self.last += 1
        self.send(method, params, self.last)
        return self.last

    def answer(self, number):
        for line in self.process.stdout:
            message = json.loads(line)
            assert message["jsonrpc"] == "2.0" and "12345" not in line and "not the server" not in line
            if message.get("id") == number:
                return message["result"]
        raise AssertionError("the server ended")

    def call(self, tool, **arguments):
        """The answer, if it takes longer than a call waits."""
        said = self.answer(self.begin("tools/call", {"name": tool, "arguments": arguments}))
        for _ in range(40):
            if said["structuredContent"]["state"] != "working":
                break
            job = {"job": said["structuredContent"]["job"]}
            said = self.answer(self.begin("tools/call", {"name": "result", "arguments": job}))
        return said


def test_stdout_carries_the_protocol_alone(kept_path):
    shutil.copytree(Path(PIG).parent, kept_path, ignore=shutil.ignore_patterns("__pycache__"), dirs_exist_ok=True)
    with (kept_path / "pig.py").open("a") as file:
        file.write(PRINTS)
    (kept_path / "endless.py").write_text(ENDLESS)
    server = Connection(kept_path)
    try:
        assert server.answer(server.begin("initialize", HELLO))["serverInfo"]["name"] == "bartizan"
        server.send("notifications/initialized")
        number = server.begin("tools/call", {"name": "play", "arguments": {"name": "endless.py", "games": 50}})
        server.send("notifications/cancelled", {"requestId": number})
        said = server.call("play", name="pig.py", games=50)
        assert not said["isError"] and "50 games" in said["content"][0]["text"], said
        server.process.stdin.close()
        assert server.process.wait(20) == 0
    finally:
        server.process.kill()
