"""The policies that docs/adding-a-policy.md shows, one for each game, and one for Pig: they load, play and choose what is legal."""

import pytest

from tests.cli.run_cli import PIG, ROOT, bartizan

EXAMPLES = {"cautious": "itter", "patient": "colditz", "settler": "castle", "mason": "rampage", "pace": PIG}


@pytest.mark.parametrize("name", EXAMPLES)
def test_an_example_plays(name):
    path = ROOT / f"examples/policies/{name}.py"
    role = "allied=" if name == "patient" else ""
    result = bartizan("run", EXAMPLES[name], "--policy", f"{role}{path}", "--games", 20, "--jobs", 1, "--json")
    assert result.code == 0, result.err
    assert result.json["games"] == 20 and any(name in policy for policy in result.json["policies"])


def test_every_example_has_its_game():
    assert {path.stem for path in (ROOT / "examples/policies").glob("*.py")} == set(EXAMPLES)
