"""A designer's session: 25 questions in plain words, the calls that answer them, and facts in the answers.

The expected numbers were taken from the command line (`bartizan ... --json`), not from the server.
"""

import re

import pytest

from tests.assistant.here import assistant, call
from tests.cli.run_cli import ROOT

# what is asked, the tool, its arguments, what the answer says
SESSION = [
    ("Which games can you play?", "describe", {}, ["itter", "colditz", "castle", "rampage"]),
    ("What is my Pig like?", "describe", {"name": "short/pig.py"}, ["seats: first, second", "4 values can be changed"]),
    (
        "Which numbers does it have, and from where?",
        "describe",
        {"name": "short/pig.py", "what": "numbers"},
        ["numbers.goal = 100    [1 .. 10000]", "Scarne on Dice, 1945"],
    ),
    (
        "For how many is No Thanks?",
        "describe",
        {"name": "short/no_thanks.py", "what": "numbers"},
        ["numbers.players = 4    [3 .. 5]"],
    ),
    ("Who plays it?", "describe", {"name": "short/pig.py", "what": "players"}, ["steady", "random", "newcomer"]),
    (
        "Which rules of Castle are unclear?",
        "describe",
        {"name": "castle", "what": "rulings"},
        ["rulings.royals_dealt", "random | choice | same_suit"],
    ),
    (
        "Is going first worth it?",
        "play",
        {"name": "short/pig.py", "games": 2000},
        ["52 % (50–55 %; 95 % Wilson, 2,000 games)", "48 % (45–50 %"],
    ),
    (
        "How sure are you to three points?",
        "play",
        {"name": "short/pig.py", "precision": "3pp"},
        ["54 % (51–56 %; 95 % confidence sequence, 4,096 games)"],
    ),
    (
        "How long does it last?",
        "play",
        {"name": "short/pig.py", "games": 2000},
        ["turns  mean 19.9 (19.6–20.1, 95 % Student t), median 19"],
    ),
    (
        "What if people stop at ten?",
        "play",
        {"name": "short/pig.py", "games": 400, "policy": ["steady:at=10"]},
        ["first: steady:at=10 56 % (51–61 %"],
    ),
    (
        "Does a sensible player beat a random one?",
        "play",
        {"name": "short/pig.py", "games": 400, "policy": ["steady+random"]},
        ["99.5 % (98.2–99.9 %; 95 % Clopper-Pearson, 400 games)"],
    ),
    (
        "And with a die of eight?",
        "play",
        {"name": "short/pig.py", "games": 400, "set": {"numbers.sides": 8}},
        ["changed: Sides 6 -> 8", "56 % (51–60 %"],
    ),
    (
        "What if the goal is 50?",
        "compare",
        {"name": "short/pig.py", "change": {"numbers.goal": 50}, "games": 400},
        ["turns −10.1 (−10.7 to −9.5, 95 %, simultaneous for all measures), from 20.1 to 10.0", "400 games per side"],
    ),
    (
        "Does a goal of 95 help the first player by ten points?",
        "compare",
        {"name": "short/pig.py", "change": {"numbers.goal": 95}, "games": 400, "test": "B - A > 10pp"},
        ["No: B - A > 10pp"],
    ),
    (
        "What if everybody plays at random?",
        "compare",
        {"name": "short/pig.py", "change": {"policy": "random"}, "games": 200},
        ["turns +50.1 (+47.3 to +53.0, 95 %, simultaneous"],
    ),
    (
        "Which number matters most?",
        "what_moves_it",
        {"name": "short/pig.py", "games": 200},
        ["no single value changes the first seat's win rate", "Goal (numbers.goal)"],
    ),
    (
        "Which goal gives ten turns?",
        "tune",
        {"name": "short/pig.py", "knob": ["numbers.goal=20:100"], "target": "turns=10", "games": 400, "fresh": 400},
        ["52 is nearest", "9.8 (9.4–10.1) on held-out seeds"],
    ),
    (
        "Show me a game.",
        "trace",
        {"name": "short/pig.py", "seed": 3},
        ["seed 3, game 0", "first: roll", "the die shows"],
    ),
    (
        "Make me a page of goals 50 and 100.",
        "report",
        {"name": "short/pig.py", "games": 400, "set": {"numbers.goal": [50, 100]}},
        ["2 cells: 800 games", "Goal 50: first 52 % (48–57 %"],
    ),
    ("What is in Castle's deck?", "cards", {"name": "castle"}, ["52 cards of 13 kinds"]),
    (
        "Does a 9 beat a 5 in Castle?",
        "odds",
        {"what": "castle", "attack": "9", "defend": "5"},
        ["76.17 %", "76.2 % (76.0–76.4 %)"],
    ),
    ("Am I caught at the Appel, ten steps away?", "odds", {"what": "appel", "distance": 10}, ["25.59 %"]),
    (
        "When is it lost?",
        "losses",
        {"name": "short/pig.py", "games": 200, "pilot": 2},
        ["2 lost of 2 games, 200 rollouts", "hazard"],
    ),
    (
        "Does skill matter?",
        "skill_bracket",
        {"name": "short/pig.py", "games": 200, "rung": ["random", "heuristic"]},
        ["48 % (40–56 %) for steady", "1 % (0–4 %) for random play"],
    ),
    ("Is my scenario file right?", "check", {"target": "my-deck.toml"}, ["ok  my-deck.toml, standard: valid"]),
]


@pytest.fixture(scope="module")
def server():
    made = assistant(ROOT / "examples")
    yield made
    made.jobs.close()


@pytest.mark.parametrize(("words", "tool", "arguments", "facts"), SESSION, ids=[row[0] for row in SESSION])
def test_a_designer_is_answered(server, words, tool, arguments, facts):
    said = call(server, tool, **arguments)
    assert not said.failed, said.text
    plain = re.sub(r"  +", "  ", said.text)
    for fact in facts:
        assert re.sub(r"  +", "  ", fact) in plain, said.text
    assert said.tokens <= 2000
    assert said.reply["command"].startswith("bartizan ")


def test_the_session_has_25_questions_and_every_tool_that_reads():
    from bartizan.assistant.tools import TOOLS

    assert len(SESSION) == 25
    assert {row[1] for row in SESSION} == {tool.name for tool in TOOLS} - {"plays_by_people"}
