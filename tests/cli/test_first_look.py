"""A policy from outside is looked at before its first games, once a version."""

from pathlib import Path

import pytest

from bartizan.api import child, first_look
from bartizan.api.child import Died
from bartizan.policies.registry import policy_from_file
from bartizan.simcore.errors import EngineError, PolicyError
from bartizan.simcore.game import load_game
from tests.cli.run_cli import PIG, bartizan
from tests.unit.test_check import policy_file

BAD = {  # body of the policy -> what is said of it; what else is asked of one: tests/unit/test_check.py
    "while legal[0] == 0:\n        n_legal = 1 - n_legal\n    return n_legal": "policy p: no answer within 2 s of computing; it may contain an infinite loop",
    "legal[n_legal + 5000] = 1\n    return legal[0]": "mine.py:6: IndexError",
}
LOOKING = "mine.py is new: checking its choices"


@pytest.fixture(autouse=True)
def on(monkeypatch):
    """And with fewer games, and without the patience that a user's policy is given."""
    monkeypatch.delenv(first_look.OPTION)
    monkeypatch.setattr(first_look, "ANSWER", 2)
    short = "from bartizan.api import first_look\nfirst_look.ANSWER = first_look.GAMES = 2\nchild.tell("
    monkeypatch.setattr(child, "SCRIPT", child.SCRIPT.replace("child.tell(", short))


def run(policy, *more):
    return bartizan("run", PIG, "--policy", policy, "--games", 20, *more)


@pytest.mark.parametrize("body", BAD)
def test_a_bad_policy_is_named_by_file_and_line_before_the_first_game(kept_path, body):
    named_before_the_first_game(policy_file(kept_path, body), BAD[body])


def named_before_the_first_game(policy, said):
    result = run(policy)
    looking, error = (line for line in result.err.splitlines() if not line.startswith("compiling"))
    assert result.code == 2 and looking.startswith(LOOKING) and not result.out
    assert error.startswith(f"error: {policy}:5: policy p: ") and said in error and "BARTIZAN_FIRST_LOOK=off" in error


def test_a_good_one_is_looked_at_once_a_version(tmp_path, monkeypatch):
    policy = policy_file(tmp_path, "return legal[0]")
    first = run(policy, "--json")
    assert first.code == 0 and LOOKING in first.err and first.json["games"] == 20
    again = run(policy)
    assert again.code == 0 and LOOKING not in again.err
    policy_file(tmp_path, "return 77")
    named_before_the_first_game(policy, "chose 77, which is not legal (legal: 0, 1)")
    monkeypatch.setenv(first_look.OPTION, "off")
    off = run(policy)
    assert LOOKING not in off.err and "chose action 77" in off.err


def test_a_game_that_fails_is_not_the_policys_fault(tmp_path, monkeypatch):
    def fails(*_, **__):
        raise EngineError("x")
        yield

    def dies(*_, **__):
        raise Died(-11, "x")
        yield

    policy = policy_from_file(Path(policy_file(tmp_path, "return legal[0]")))
    monkeypatch.setattr(first_look, "said_by", fails)
    first_look.look_at(first_look.Watch(), load_game(PIG), policy)
    monkeypatch.setattr(first_look, "said_by", dies)  # not noted above: it is looked at again
    with pytest.raises(
        PolicyError, match=r"mine.py:5: policy p: the process that checked it died \(signal 11\): endless recursion"
    ):
        first_look.look_at(first_look.Watch(), load_game(PIG), policy)
