"""The installed command over stdio: stdout carries the protocol alone, whatever a game prints; an endless game is ended."""

import json
import subprocess
import sys
from pathlib import Path

LOUD = '''"""Loud: whoever rolls above two wins, and it prints."""

from bartizan.short import *

players = 2
sides = Number(6, 2, 20, "rulebook, p. 1")


def roll(s, n):
    print(12345)
    if die(s, n.sides) > 2:
        win(s, s.me, "rolled high")
    else:
        next_player(s)


def only(s, n):
    """Rolls."""
    return ROLL
'''
POLICY = '''"""A player of Loud that prints when it is read, and is none."""

import sys

print('{"jsonrpc": "2.0", "id": 2, "result": "not the server"}')
sys.stdout.flush()
'''
ENDLESS = LOUD.replace("print(12345)", "while s.turn >= 0:\n        s.turn += n.sides - n.sides").replace("Loud", "Endless")
HELLO = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}


class Connection:
    """A client that reads stdout line by line, and holds that each line is a message of the protocol."""

    def __init__(self, folder):
        command = [Path(sys.executable).with_name("bartizan"), "mcp", "--folder", folder]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        self.last = 0

    def send(self, method, params=None, number=None):
        message = {"jsonrpc": "2.0", "method": method} | ({"params": params} if params else {}) | ({"id": number} if number else {})
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
        for _ in range(8):
            if said["structuredContent"]["state"] != "working":
                break
            job = {"job": said["structuredContent"]["job"]}
            said = self.answer(self.begin("tools/call", {"name": "result", "arguments": job}))
        return said


def test_stdout_carries_the_protocol_alone(kept_path):
    for name, text in (("loud.py", LOUD), ("endless.py", ENDLESS), ("player.py", POLICY)):
        (kept_path / name).write_text(text)
    server = Connection(kept_path)
    try:
        assert server.answer(server.begin("initialize", HELLO))["serverInfo"]["name"] == "bartizan"
        server.send("notifications/initialized")
        said = server.call("play", name="loud.py", games=4)  # one thread: numba's print may wait for another for ever
        assert not said["isError"] and "4 games" in said["content"][0]["text"], said
        assert server.call("play", name="loud.py", games=4, policy=["player.py"])["isError"]
        number = server.begin("tools/call", {"name": "play", "arguments": {"name": "endless.py", "games": 50}})
        server.send("notifications/cancelled", {"requestId": number})
        assert "Castle Itter" in server.call("describe")["content"][0]["text"]
        server.process.stdin.close()
        assert server.process.wait(20) == 0
    finally:
        server.process.kill()
