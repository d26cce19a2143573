"""`bartizan check` of files from outside, in a process of its own; test_new.py has what passes."""

import subprocess

import pytest

from bartizan.api.answers.check import check, check_here
from bartizan.simcore.errors import UsageError
from tests.cli.run_cli import PIG, ROOT, RUIN, bartizan, error_line

POLICY = "from bartizan import Policy, jit\n\n{helper}\ndef choose(state, tables, legal, n_legal, weights):\n    return {action}\n\nMINE = Policy('mine', choose)\n"
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
    assert "policy mine: declares the roles Z, but pig has the roles first, second" in error_line(result)
