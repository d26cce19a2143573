"""Each tool of `bartizan mcp`, asked by a client in this process."""

import base64
import json
import shutil

import pytest

from bartizan.api.answers import check
from bartizan.api.answers.check_here import check_here
from bartizan.assistant.replies import Reply, ReplyTable
from bartizan.simcore import conformance
from tests.assistant.here import SHORT, assistant, call, client
from tests.cli.run_cli import ROOT
from tests.cli.test_playtest_skill import SECRETARY, made_up


@pytest.fixture(scope="module")
def server():
    made = assistant()
    yield made
    made.jobs.close()


@pytest.mark.parametrize(
    ("tool", "arguments", "facts", "command"),
    [
        ("describe", {}, ["Castle Itter", "Castle Rampage"], "bartizan describe"),
        ("describe", {"name": "pig.py"}, ["Pig: scenario standard", "2 rulebook"], "bartizan describe pig.py"),
        (
            "describe",
            {"name": "pig.py", "what": "numbers"},
            ["numbers.goal = 100", "Scarne on Dice"],
            "bartizan describe pig.py --knobs",
        ),
        (
            "describe",
            {"name": "pig.py", "what": "players"},
            ["steady", "Holds at `at` points"],
            "bartizan describe pig.py --policies",
        ),
        (
            "play",
            {"name": "pig.py", "games": 400},
            ["steady", "95 % Wilson, 400 games", "turns"],
            "bartizan run pig.py --games 400",
        ),
        (
            "compare",
            {"name": "pig.py", "change": {"numbers.goal": 50}, "games": 400},
            [
                "Goal 50 instead of 100",
                "simultaneous for all measures), from",
                "95 %, 400 games per side",
                "paired game by game",
            ],
            "bartizan compare pig.py --change numbers.goal=50 --games 400",
        ),
        ("trace", {"name": "pig.py"}, ["first: roll", "the die shows 6"], "bartizan trace pig.py"),
        (
            "odds",
            {"what": "castle", "attack": "9", "defend": "5"},
            ["9", "simulated fights"],
            "bartizan chance castle --event fight --with attack=9 --with defend=5",
        ),
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


# tools with their options; `!`: required. Renaming breaks assistants, so only extend.
PINNED = """
describe: what:game|numbers|rulings|players name:string scenario:string difficulty:string set:object
play: name!:string scenario:string difficulty:string policy:array players:integer set:object games:integer seed:integer precision:string|number luck_adjusted:boolean
compare: name!:string change:object scenario:string difficulty:string policy:array players:integer set:object games:integer seed:integer test:string steps:boolean
what_moves_it: name!:string assumed:boolean path:array range:string|number effects:integer scenario:string difficulty:string policy:array players:integer set:object games:integer seed:integer
tune: name!:string knob:array target:string margin:string|number scenario:string difficulty:string policy:array players:integer set:object games:integer seed:integer fresh:integer
cards: what:deck|without|pairs|value|usage name!:string seat:string turn:integer against:string scenario:string difficulty:string policy:array players:integer set:object games:integer seed:integer
skill_bracket: name!:string role:string rung:array plays:string slow_games:integer scenario:string difficulty:array players:integer set:object games:integer seed:integer
losses: name!:string seat:string pilot:integer rollouts:integer scenario:string difficulty:string policy:array players:integer set:object games:integer seed:integer
odds: what:do-or-die|staff-car|appel|shoot-to-kill|castle|stake-or-wait distance:integer card:array attack:string defend:string queen:string revealed:boolean same_suit:boolean add:integer defence_add:integer
trace: name!:string game:integer seed:integer scenario:string difficulty:string policy:array players:integer set:object
report: name!:string scenario:string difficulty:array policy:array players:array set:object games:integer seed:integer rotate:boolean
check: target!:string policy:array
plays_by_people: name!:string files!:array scenario:string difficulty:string policy:array players:integer set:object seed:integer
progress: job!:string stop:boolean
result: job!:string
write_game: file!:string text!:string replace:boolean
save: job!:string file!:string
"""


def pinned(tool):
    schema = tool.input_schema
    types = {
        name: one.get("enum") or [kind["type"] for kind in one.get("anyOf", [one])]
        for name, one in schema["properties"].items()
    }
    words = [f"{name}{'!' * (name in schema.get('required', []))}:{'|'.join(kind)}" for name, kind in types.items()]
    return f"{tool.name}: {' '.join(words)}"


def test_tools_and_their_options_are_pinned(server):
    assert [pinned(tool) for tool in server.tools()] == PINNED.strip().splitlines()


def test_every_option_says_what_it_is_in_play(server):
    (play,) = (tool for tool in server.tools() if tool.name == "play")
    assert all("description" in one for one in play.input_schema["properties"].values())


def test_descriptions_are_not_about_the_command_line(server):
    texts = [one.get("description", "") for tool in server.tools() for one in tool.input_schema["properties"].values()]
    assert not [text for text in texts if "--" in text or "repeat" in text]


def test_an_answer_links_its_document_page_and_picture(server):
    async def asked(connected):
        said = await connected.call_tool("play", {"name": "pig.py", "games": 400})
        parts = {
            one.name.rpartition("-")[2]: await connected.read_resource(one.uri)
            for one in said.content
            if one.type == "resource_link"
        }
        listed = [str(one.uri) for one in (await connected.list_resources()).resources]
        return said, {name: read.contents[0] for name, read in parts.items()}, listed

    said, parts, listed = client(asked, server)
    assert json.loads(parts["document"].text)["games"] == 400
    assert parts["page"].mime_type == "text/html" and "Games won" in parts["page"].text
    assert base64.b64decode(parts["picture"].blob).startswith(b"\x89PNG") and said.content[1].type == "image"
    assert f"bartizan://answers/{said.structured_content['job']}/page" in listed
    Reply.model_validate(said.structured_content)


def test_plays_by_people_are_placed(kept_path):
    shutil.copytree(
        (ROOT / SECRETARY).parent, kept_path, ignore=shutil.ignore_patterns("__pycache__"), dirs_exist_ok=True
    )
    made_up(kept_path / "plays", 0.3)
    made = assistant(kept_path)
    said = call(made, "plays_by_people", name="secretary.py", files=["plays"], policy=["eager:let_pass=3"])
    assert not said.failed, said.text
    assert "your testers play like eager:let_pass=3 with noise" in said.reply["answer"]
    assert "60 plays by 12 testers" in said.reply["answer"]
    assert said.reply["command"].startswith("bartizan playtest skill secretary.py --plays plays")
    assert said.tokens <= 2000
    missing = call(made, "plays_by_people", name="secretary.py", files=["evening.csv"])
    assert missing.failed and "evening.csv" in missing.text


def test_check_begins_with_its_verdict(server, monkeypatch):
    monkeypatch.setattr(check, "_check_alone", check_here)  # the process of its own is in the next test
    monkeypatch.setattr(conformance, "GAMES", 1)
    said = call(server, "check", target="pig.py", policy=["steady"])
    assert not said.failed and said.reply["answer"] == "passed"
    assert said.reply["lines"] and all(line.startswith("ok ") for line in said.reply["lines"])


def test_a_failing_rule_comes_with_its_line(kept_path):
    text = (SHORT / "pig.py").read_text().replace("s.stake = 0\n", "s.stock = 0\n")
    (kept_path / "mine.py").write_text(text)
    said = call(assistant(kept_path), "check", target="mine.py")
    assert said.failed and said.text.startswith("error: ")
    mend = said.reply["mend"]
    assert mend["file"] == "mine.py" and mend["rule"] == "hold" and mend["source"] == "s.stock = 0"
    assert text.splitlines()[mend["line"] - 1].strip() == "s.stock = 0"


def test_guides_and_prompts_are_there(server):
    async def asked(connected):
        guides = [one.uri for one in (await connected.list_resources()).resources if "guides" in str(one.uri)]
        texts = {str(uri): (await connected.read_resource(uri)).contents[0].text for uri in guides}
        return texts, [one.name for one in (await connected.list_prompts()).prompts], connected.instructions

    texts, prompts, instructions = client(asked, server)
    assert "Quote no number before step 6" in texts["bartizan://guides/interview"]
    assert "A game of your own in an hour" in texts["bartizan://guides/short-games"]
    assert prompts == ["write_my_game", "is_it_fair", "which_card", "make_it_harder"]
    assert "No language model plays, guesses or computes a number here" in instructions


def test_the_list_of_tools_is_short(server):
    async def asked(connected):
        return (await connected.list_tools()).tools

    tools = client(asked, server)
    assert sum(len(tool.model_dump_json(by_alias=True, exclude_none=True)) for tool in tools) / 4 <= 4000
    assert all(tool.annotations.read_only_hint for tool in tools if tool.name not in ("write_game", "save"))
    assert json.dumps([tool.name for tool in client(asked, assistant(None))]).count("save") == 0


def test_a_table_that_is_too_long_says_how_many_rows_it_left_out():
    rows = [[f"row {number}", "x" * 85, "y" * 85] for number in range(40)]
    table = ReplyTable(title="all", headers=["row", "x", "y"], rows=rows, left_out=2)
    shown = Reply(state="answered", answer="done", table=table).document()["table"]
    assert 10 < len(shown["rows"]) < 30 and len(shown["rows"]) + shown["left_out"] == 42
