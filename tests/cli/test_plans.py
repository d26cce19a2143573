"""A PLAN.toml is read whole: what in it cannot be meant is refused with file and key before a game is played."""

import pytest

from tests.cli.run_cli import PIG, bartizan, error_line

HEAD = f'game = "{PIG}"\ngames = 100\nseed = 1\n'
GRID = f'{HEAD}[[cells]]\npolicy = "hold"\n'


@pytest.mark.parametrize(
    ("plan", "says"),
    [
        (GRID + 'polcy = "random"\n', 'cells 1: polcy: unknown key; did you mean "policy"?'),
        *((f"{GRID}[[cells]]\n{key} = {value}\n", f"cells 2: {key}: applies to the whole plan: write it above") for key, value in [("games", 50), ("seed", 2), ("scenario", '"house"'), ("precision", 0.01), ("game", '"itter"')]),
        *((HEAD + f"precision = {value}\n", "precision") for value in ("nan", "-0.1", "0", "0.0", "2", "inf", "true", '"1pp"', "[0.1]", "2026-01-01")),
        *((HEAD.replace("100", value), "games") for value in ("true", "false", "0", "-5", "1.5", '"100"', "99999999999999999999")),
        *((HEAD.replace("seed = 1", f"seed = {value}"), "seed") for value in ("-1", "99999999999999999999", "true")),
        *((HEAD + f"cells = {value}\n", "cells: must be an array of tables") for value in ("5", '"x"', "[5]", "{ games = 1 }")),
        *((HEAD + f"set = {value}\n", "set") for value in ("5", "true", "[]")),
        (HEAD + 'set = { "goal.points" = [] }\n', 'set: "goal.points" = []: give it at least one value'),
        (HEAD + 'difficulty = "standard"\nset = { difficulty = "standard" }\n', "also given in set"),
        *((HEAD + f"scenario = {value}\n", "scenario") for value in ("5", '["published"]')),
        *((HEAD + f"rotate = {value}\n", "rotate") for value in ("{}", '""', "1")),
        (HEAD + "policy = 5\n", "policy"),
        (HEAD + 'polcy = "hold"\n', 'did you mean "policy"'),
        ('game = "pig"\nseed = 1\n', "games: missing (number of games per cell, such as 10000)"),
        (HEAD + "set = " + "[" * 3000, "cannot be read as TOML"),
    ],
)  # fmt: skip
def test_what_cannot_be_meant_is_refused(tmp_path, plan, says):
    file = tmp_path / "plan.toml"
    file.write_text(plan)
    result = bartizan("sweep", file, "-o", tmp_path / "out")
    assert result.code == 2 and not (tmp_path / "out").exists()
    line = error_line(result)
    assert "plan.toml: " in line and says in line and "unforeseen" not in line


def test_a_grid_says_what_the_plan_does_not(tmp_path):
    file = tmp_path / "plan.toml"
    file.write_text(
        f'{HEAD}set = {{ "goal.points" = 50 }}\n[[cells]]\npolicy = ["hold", "random"]\n[[cells]]\nset = {{ "dice.sides" = [4, 8] }}\n'
        '[[cells]]\nset = { "goal.points" = [20, 30] }\n'  # instead of 50
    )
    cells = bartizan("sweep", file, "--dry-run", "--json").json["cells"]
    assert cells == ["hold", "random", "hold.sides=4", "hold.sides=8", "hold.points=20", "hold.points=30"]


def test_a_level_named_twice():
    for command in (["run"], ["compare", "--change", "goal.points=50"], ["sweep", "--dry-run"]):
        name, *more = command
        assert "set it only once" in error_line(
            bartizan(name, PIG, *more, "--difficulty", "standard", "--set", "difficulty=standard")
        )
