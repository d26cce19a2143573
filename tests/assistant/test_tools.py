"""Each tool of `bartizan mcp`, asked by a client in this process."""

import json

import pytest

from tests.assistant.here import assistant, call, client


@pytest.fixture(scope="module")
def server():
    made = assistant()
    yield made
    made.jobs.close()


@pytest.mark.parametrize(
    ("tool", "arguments", "facts", "command"),
    [
        ("describe", {}, ["Castle Itter", "Castle Rampage"], "bartizan games"),
        ("describe", {"name": "pig.py"}, ["Pig: scenario standard", "2 rulebook"], "bartizan describe pig.py"),
        ("describe", {"name": "pig.py", "what": "numbers"}, ["numbers.goal = 100", "Scarne on Dice"], "bartizan describe pig.py --knobs"),
        ("describe", {"name": "pig.py", "what": "players"}, ["steady", "Holds at `at` points"], "bartizan policies pig.py"),
        ("play", {"name": "pig.py", "games": 400}, ["steady", "95 % Wilson, 400 games", "turns"], "bartizan run pig.py --games 400"),
        ("compare", {"name": "pig.py", "change": {"numbers.goal": 50}, "games": 400}, ["Goal 50 instead of 100", "paired on common luck, 400 games a side"], "bartizan compare pig.py --change numbers.goal=50 --games 400"),
        ("trace", {"name": "pig.py"}, ["first: roll", "the die shows 6"], "bartizan trace pig.py"),
        ("odds", {"what": "castle", "attack": "9", "defend": "5"}, ["9", "simulated fights"], "bartizan odds castle --attack 9 --defend 5"),
    ],
)
def test_a_tool_answers(server, tool, arguments, facts, command):
    said = call(server, tool, **arguments)
    assert not said.failed, said.text
    for fact in facts:
        assert fact in said.text
    assert said.reply["state"] == "answered" and said.reply["command"] == command
    assert said.reply["command"] in said.text
    assert said.tokens <= 2000


def test_the_list_of_tools_is_short(server):
    async def asked(connected):
        return (await connected.list_tools()).tools

    tools = client(asked, server)
    assert sum(len(tool.model_dump_json(by_alias=True, exclude_none=True)) for tool in tools) / 4 <= 4000
    assert all(tool.annotations.read_only_hint for tool in tools if tool.name not in ("write_game", "save"))
    assert json.dumps([tool.name for tool in client(asked, assistant(None))]).count("save") == 0
