"""A process that answers many questions reads a file again once it has been edited."""

import inspect
import json
import os
import secrets
import subprocess
import sys

import pytest

import bartizan as bz
from bartizan.assistant.command import McpQuestion
from bartizan.policies.registry import find_policy
from bartizan.simcore.game import load_game
from bartizan.simcore.sources import read_once
from bartizan.workbench.command import WorkbenchQuestion
from bartizan.workbench.live import GameCache
from bartizan.workbench.setting import offered, read_setting
from tests.conftest import KEPT

GAME = """
from bartizan.short import *

players = 2
goal = Number(3, 1, 50)
deck = Deck("cards.csv")
points = Tokens()


def step(s, n):
    s.points[s.me] += n.worth[0]
    if s.points[s.me] >= n.goal:
        win(s, s.me, "goal reached")
    else:
        next_player(s)
"""
SHEET = "name,copies,worth\nstone,1,{}\n"
POLICY = """
from bartizan import Policy


def choose(state, tables, legal, n_legal, weights):
    return legal[0]


P = Policy("{}", choose)
"""


@pytest.fixture
def path(kept_path):
    (kept_path / "cards.csv").write_text(SHEET.format(1))
    (kept_path / "steps.py").write_text(GAME)
    return kept_path / "steps.py"


def turns(name) -> float:
    return bz.game(name).run(games=20).to_dict()["turns"]["mean"]


def goal(name) -> int:
    return next(row["value"] for row in bz.game(name).describe(knobs=True).to_dict()["knobs"] if "goal" in row["path"])


def test_edited_numbers_cards_and_rules_count_from_the_next_question_on(path):
    before = turns(path)
    path.write_text(GAME.replace("Number(3", "Number(9"))
    more = turns(path)
    path.with_name("cards.csv").write_text(SHEET.format(3))
    fewer = turns(path)
    path.write_text(GAME.replace("Number(3", "Number(9").replace("+= n.worth[0]", "+= 1"))
    slow = turns(path)
    assert (before, more, fewer, slow) == (5, 17, 5, 17)
    path.write_text(GAME.replace("points = Tokens()", "points = Token()"))
    with pytest.raises(bz.UsageError, match="Token"):
        turns(path)


def test_an_edited_policy_is_read_again(path):
    own = path.with_name("mine.py")
    for name in ("first", "second"):
        own.write_text(POLICY.format(name))
        assert find_policy(load_game(str(path)), str(own)).name == name


def test_a_name_is_that_of_the_folder_in_which_it_is_asked(path, tmp_path, monkeypatch):
    (tmp_path / "steps.py").write_text(GAME.replace("Number(3", "Number(9"))
    (tmp_path / "cards.csv").write_text(SHEET.format(1))
    found = []
    for folder in (path.parent, tmp_path):
        monkeypatch.chdir(folder)
        found.append(goal("steps.py"))
    assert found == [3, 9]


def test_one_question_has_one_version(path):
    with read_once():
        before = load_game(str(path))
        path.write_text(GAME.replace("Number(3", "Number(9"))
        assert load_game(str(path)) is before
    after = load_game(str(path))
    assert after.source_hash != before.source_hash and load_game(str(path)) is after


def test_a_server_that_a_command_starts_reads_edited_files(path, monkeypatch):
    """The command reads each file once, but the page that it serves stays open while files are edited."""
    found = []

    def serve(*_):
        found.append(load_game(str(path)).source_hash)
        path.write_text(GAME.replace("Number(3", "Number(9"))
        found.append(load_game(str(path)).source_hash)

    monkeypatch.setattr("bartizan.workbench.command.Workbench.serve", serve)
    list(WorkbenchQuestion(games=str(path), open_=False).ask())
    assert found[0] != found[1]
    assert inspect.isgeneratorfunction(McpQuestion.answer)


def test_the_workbench_plays_the_rules_as_they_are(path):
    offers, cache = offered([str(path)], []), GameCache()
    asked = {"game": "steps", "set": {}}
    before = read_setting(offers, asked)
    path.write_text(GAME.replace("Number(3", "Number(9"))
    after = read_setting(offers, asked)
    lengths = []
    for setting in (before, after):
        cached = cache.games_of(setting)
        cached.play_to(20)
        lengths.append(cached.cell(20).frame["turn"].mean())
    assert lengths == [5, 17] and before.offer.version != after.offer.version == offers["steps"].version


STEPS = '''"""A race of points."""

from bartizan.short import *

players = 2
goal = Number(60, 1, 500)
gains = [1, 2, 3]
winner = Ruling("Who wins?", ("leading", "other"), "inferred: p. 1")
deck = Deck("cards.csv")
hand = Hand(deck, 4, seen="open")
track, points = Row(4), Tokens(1)
phases = ["early", "late"]
BONUS = 2
PACES = (1, 3, 2)


def setup(s, n):
    deal(s, s.deck, s.hand, 2)


def start_turn(s, n):
    s.phase = LATE if s.turn > 4 else EARLY


def _worth(n, card, more=1):
    return n.worth[card] + more + BONUS


def _gain(s, n, card):
    return _worth(n, card) * PACES[s.turn % 3] + n.gains[s.turn % 3]


def can_play(s, n, card):
    return card == STONE or s.phase == LATE


def play(s, n, card: hand):
    s.points[s.me] += _gain(s, n, card)
    s.track[s.turn % len(s.track)] += 1
    s.points[s.me] += s.track[0]


def rest(s, n, by: range(1, 3)):
    s.points[s.me] += by


def after_action(s, n):
    if s.points[s.me] >= n.goal:
        win(s, s.me if n.winner == LEADING else 1 - s.me, "goal")
    else:
        next_player(s)


def score(s, n, who):
    return 100 * s.points[who] + size(s.deck)


def bold(s, n, legal, at=1):
    """The action of a place in the list."""
    return legal[min(int(at), len(legal) - 1)]
'''
STONES = "name,copies,worth\nstone,6,2\nleaf,3,5\n"
EDITS = {  # what a rule may depend on -> (what stands there, what is written instead)
    "a constant": ("BONUS = 2", "BONUS = 3"),
    "a constant of several numbers": ("(1, 3, 2)", "(1, 2, 3)"),
    "a number": ("Number(60", "Number(90"),
    "a list": ("[1, 2, 3]", "[3, 2, 2]"),
    "the reading that is played": ('("leading", "other")', '("other", "leading")'),
    "a rule": ("+= by", "+= by + 1"),
    "a hook": ("s.turn > 4", "s.turn > 9"),
    "a condition": ("card == STONE or", "card == LEAF or"),
    "a helper": ("more + BONUS", "more * BONUS"),
    "the operator of a helper": ("* PACES", "+ PACES"),
    "a default argument": ("more=1", "more=2"),
    "the type of what a helper returns": ("more + BONUS", "more + BONUS > 6"),
    "the range of an argument": ("range(1, 3)", "range(2, 4)"),
    "the length of a row": ("Row(4)", "Row(3)"),
    "the start of a component": ("Tokens(1)", "Tokens(9)"),
    "cards that are dealt": ("s.hand, 2)", "s.hand, 3)"),
    "an action more": ("def can_play", "def idle(s, n):\n    s.points[s.me] += 7\n\n\ndef can_play"),
    "the score": ("100 *", "99 *"),
    "a policy's weight": ("at=1", "at=2"),
    "a policy": ("min(int(at), len(legal) - 1)", "0"),
    "a sheet": ("stone,6,2", "stone,6,4"),
    "the order of a sheet": ("stone,6,2\nleaf,3,5", "leaf,3,5\nstone,6,2"),
    "copies in a sheet": ("leaf,3", "leaf,2"),
    "the size of a deck, beyond its room": ("stone,6", "stone,90"),
}
SAME = {  # edits that change no game
    "a comment": ("    s.points[s.me] += by", "    # slowly\n    s.points[s.me] += by"),
    "the order of phases": ('["early", "late"]', '["late", "early"]'),
    "the room of a pile": ("Hand(deck, 4", "Hand(deck, 5"),
    "the text of an ending": ('"goal"', '"there"'),
    "the line of a helper": ("def _worth", "\n\ndef _worth"),
}
CHILD = """
import json, sys
from pathlib import Path
from bartizan.policies.registry import find_player
from bartizan.simcore.game import load_game
from bartizan.simcore.play.match import Match
from bartizan.simcore.play.replay import OneGame
from bartizan.simcore.scenario.loading import load_scenario
path, played = Path(sys.argv[1]), {}
for name, (rules, sheet) in json.loads(sys.stdin.read()).items():
    path.write_text(rules)
    path.with_name("cards.csv").write_text(sheet)
    game = load_game(str(path))
    match = Match(game, load_scenario(game, "standard"), (find_player(game, "bold"),) * 2, 1)
    one, played[name] = OneGame(match), []
    for number in range(12):
        one.begin(1, number)
        while not one.is_over:
            one.play(one.choice())
        played[name].append([one.record()[field].item() for field in ("winner", "turn", "score", "plies")])
print(json.dumps(played))
"""


@pytest.fixture
def played(kept_path):
    """Name of the edit -> rows: uncompiled; compiled one after the other; by another process, in another order.

    In a cache of its own, which is kept: code of the rules before an edit is there in any order.
    """
    path, cache = kept_path / "steps.py", KEPT / "edited files"
    texts = {
        name: (STEPS.replace(old, new, 1), STONES.replace(old, new, 1))
        for name, (old, new) in ({"": ("", "")} | EDITS | SAME).items()
    }
    asked = [("1", texts), ("", texts), ("", dict(reversed(texts.items())))]
    answers = []
    for plain, edits in asked:
        environment = os.environ | {"BARTIZAN_PLAIN": plain, "BARTIZAN_CACHE": str(cache)}
        words = [sys.executable, "-c", CHILD, str(path)]
        run = subprocess.run(words, input=json.dumps(edits), capture_output=True, text=True, env=environment)
        assert run.returncode == 0, run.stderr
        answers.append(json.loads(run.stdout))
    return answers


@pytest.mark.rotating
def test_compiled_code_is_never_that_of_the_rules_before_an_edit(played):
    plain, compiled, again = played
    for edit in EDITS | SAME:
        assert compiled[edit] == plain[edit] == again[edit], edit
        assert (plain[edit] == plain[""]) == (edit in SAME), edit


@pytest.mark.parametrize(
    ("old", "new", "function"),
    [
        ("more + BONUS", "more + BONUS + {}", "_worth"),
        ("card == STONE or", "card == STONE or card > {} or", "list_play"),
    ],
    ids=["helper", "condition"],
)
def test_an_edit_compiles_only_one_function(kept_path, old, new, function):
    """Its callers are linked again; a number that no other run wrote is in no cache."""
    path, cache = kept_path / "steps.py", KEPT / "edited files"
    path.with_name("cards.csv").write_text(STONES)
    compiled = []
    for rules in (STEPS, STEPS.replace(old, new.format(secrets.randbits(20)))):
        path.write_text(rules)
        words = [sys.executable, "-c", COMPILED, str(path)]
        environment = os.environ | {"BARTIZAN_PLAIN": "", "BARTIZAN_CACHE": str(cache)}
        compiled.append(subprocess.check_output(words, text=True, env=environment).split())
    assert compiled[1] == [function]


COMPILED = """
import sys
from bartizan.simcore.compile.loops import rule_arguments
from bartizan.simcore.game import load_game
from numba.core import event
class Names(event.Listener):
    def on_start(self, event):
        print(event.data["dispatcher"].py_func.__name__)
    def on_end(self, event):
        pass
rules = rule_arguments(load_game(sys.argv[1]).compiled)
event.register("numba:compile", Names())
for rule, arguments in rules:
    rule.compile(arguments)
"""
