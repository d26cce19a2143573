"""`bartizan check` of files from outside, in a process of its own; test_new.py has what passes."""

import subprocess

import pytest

from bartizan.api.answers import check_here as checking
from bartizan.api.answers.check import check
from bartizan.api.answers.check_here import check_here, in_child
from bartizan.api.answers.passed_rules import PassedRules
from bartizan.simcore.compile.loops import are_compiled
from bartizan.simcore.errors import EngineError, PolicyError, UsageError
from bartizan.simcore.game import load_game
from tests.cli.run_cli import PIG, ROOT, RUIN, bartizan, error_line

POLICY = (
    "from bartizan import Policy, jit\n\n{helper}\ndef choose(state, tables, legal, n_legal, weights):\n"
    "    return {action}\n\nMINE = Policy('mine', choose)\n"
)
DEEP = "@jit\ndef deep(n: int):\n    if n == 0:\n        return 0\n    return deep(n + 1) + 1\n\n"


def mine(folder, action, helper=""):
    path = folder / "mine.py"
    path.write_text(POLICY.format(action=action, helper=helper))
    return path


def test_what_reads_past_an_array_is_named(kept_path):
    result = bartizan("check", RUIN, "--policy", mine(kept_path, "legal[n_legal + 100_000]"))
    assert result.code == 2
    assert "mine.py: policy mine: ruin, " in error_line(result) and "IndexError: index" in result.err


def test_notes_are_counted_at_the_end():
    """In Walk the turn passes to the next player after the end."""
    document = bartizan("check", ROOT / "tests/games/walk.py", "--json").json
    assert document["passed"] is True and document["notes"] == 1
    assert document["lines"][-1].startswith("passed with 1 note: ")


def test_after_an_edit_of_a_policy_only_the_policy_is_checked(kept_path):
    """The first leak is in a policy that has passed before; a rule that changes is checked with all."""
    path, text = kept_path / "kuhn.py", (ROOT / "examples/short/kuhn.py").read_text()
    path.write_text(text)
    first, again = (list(check_here(str(path))) for _ in range(2))
    known = "the rules are unchanged since they passed these checks; changed policies"
    assert first == again[:-1] and again[-1].endswith(": none") and known in again[-1]
    path.write_text(text.replace("maybe(s, 33)) else", "maybe(s, 34)) else"))
    assert any(f"{known}, checked in 20 random games: kuhn" in line for line in check_here(str(path)))
    path.write_text(text.replace("BET if card == KING", "BET if top(s.hand[1 - s.me]) == JACK"))
    with pytest.raises(PolicyError, match="it uses hidden information"):
        list(check_here(str(path)))
    path.write_text(text.replace("s.pot[s.me] += n.stake", "s.pot[s.me] += n.stake + 1"))
    edited = "\n".join(check_here(str(path)))
    assert known not in edited and "20 random games" in edited


@pytest.fixture
def beside(monkeypatch):
    """The second process is started although everything is compiled, and no rules are known to have passed."""
    monkeypatch.setattr(PassedRules, "can_tell", staticmethod(lambda game: False))
    monkeypatch.setattr(checking, "are_compiled", lambda engine: False)


def test_two_processes_say_what_one_says(kept_path, beside):
    path = kept_path / "walk.py"
    path.write_text((ROOT / "tests/games/walk.py").read_text())
    alone = list(check_here(str(path)))
    assert list(in_child(str(path), "")) == alone and sum(line.startswith("note") for line in alone) == 1
    assert are_compiled(load_game(str(path)).compiled)


def test_a_fault_that_only_the_second_process_finds_is_named(kept_path, beside):
    path, lines = kept_path / "pig.py", []
    path.write_text(
        (ROOT / "examples/short/pig.py").read_text().replace("s.stake = 0\n", "s.stake = 0 // (20 - n.sides)\n", 1)
    )
    with pytest.raises(EngineError, match=r"pig\.py.*ZeroDivisionError: 20 - n.sides is 0 .*sides=20"):
        lines.extend(in_child(str(path), ""))


def test_what_crashes_is_named(kept_path):
    result = bartizan("check", RUIN, "--policy", mine(kept_path, "legal[deep(1)]", DEEP))
    assert result.code == 4
    assert "the process that checked it died" in error_line(result) and "mine.py" in result.err


@pytest.mark.parametrize(
    ("target", "policy", "line"),
    [
        (PIG, "hodl", r'no policy "hodl" for pig; did you mean "hold"'),
        ("itter", "garison", r'no policy "garison" for itter; did you mean "garrison"'),
        ("itter", "absent.py", r"absent\.py: no such policy file"),
        ("absent.py", "hold", r"absent\.py: no such game file"),
    ],
)
def test_a_wrong_name_is_refused_before_a_process_is_started(target, policy, line, monkeypatch):
    monkeypatch.setattr(subprocess, "Popen", None)
    with pytest.raises(UsageError, match=line):
        check(target, [policy])


def test_a_policy_file_in_the_place_of_a_game(tmp_path):
    with pytest.raises(UsageError, match=r"bartizan check GAME --policy mine\.py"):
        list(check_here(str(mine(tmp_path, "legal[0]"))))


def test_a_policy_for_roles_that_the_game_lacks(tmp_path):
    path = mine(tmp_path, "legal[0]")
    path.write_text(path.read_text().replace("choose)", "choose, roles=('Z',))"))
    result = bartizan("run", PIG, "--policy", path)
    assert result.code == 2
    assert "policy mine: declares the roles Z, which pig does not have; declare some of first, second" in error_line(
        result
    )


MISTAKES = """from bartizan.short import *

players = 2
goal = Number(10, 1, 100)
points = Tokens()


def roll(s, n):
    s.pionts[s.me] += die(s, 6)
    if s.points[s.me] >= n.gaol:
        win(s, s.me, "goal reached")


def rest(s, n):
    next_plaier(s)
"""


def test_check_lists_every_mistake_of_a_file(tmp_path):
    game = tmp_path / "race.py"
    game.write_text(MISTAKES)
    checked = bartizan("check", game)
    assert checked.code == 2 and "race.py:9: s.pionts" in error_line(checked)
    others = checked.out.splitlines()
    assert [line.split("race.py")[1].split(": ")[0] for line in others] == [":10", ":15"]
    assert all(line.startswith("mistake ") for line in others)
    assert error_line(bartizan("run", game)) == error_line(checked)


def test_a_wrong_declaration_hides_the_mistakes_that_follow_from_it(tmp_path):
    game = tmp_path / "race.py"
    rules = MISTAKES.replace("points = Tokens()", 'points = Tokens()\ndeck = Deck("none.csv")\nhand = Hand(dekc)')
    game.write_text(rules.replace("dekc", "deck"))
    checked = bartizan("check", game)
    assert "race.py:6: deck: no file none.csv" in error_line(checked) and "mistake" not in checked.out
