"""run --luck-adjusted."""

import pytest

from tests.cli.run_cli import PIG, ROOT, bartizan, few_pilot_games


@pytest.fixture(autouse=True)
def quick():
    with few_pilot_games():
        yield


def test_raw_and_adjusted_stand_side_by_side():
    plain = bartizan("run", PIG, "--games", 600, "--json").json
    both = bartizan("run", PIG, "--games", 600, "--luck-adjusted", "--samples", 4, "--json").json
    found = both["luck_adjusted"]
    assert both["digest"] == plain["digest"] and both["win_rate"] == plain["win_rate"]
    assert {key: found[f"raw_{key}"] for key in plain["win_rate"]} == plain["win_rate"]
    assert found["samples"] == 4 and found["games"] == 600 and found["method"] == "Student t, luck-adjusted"
    assert found["high"] - found["low"] < found["raw_high"] - found["raw_low"]
    assert set(found["pilot"]) == {"seed", "games", "r2", "numbers", "shares"}
    assert found["pilot"]["seed"] != plain["seed"]
    assert [seat["role"] for seat in found["seats"]] == ["first", "second"]
    assert [seat["raw_estimate"] for seat in found["seats"]] == [
        seat["win_rate"]["estimate"] for seat in plain["seats"]
    ]
    assert found["effective_games"] == found["multiplier"] * 600


def test_the_terminal_says_both():
    said = bartizan("run", PIG, "--games", 600, "--luck-adjusted").out
    assert "  raw      first: " in said and "  adjusted first: " in said and "pilot games" in said
    assert "  worth " in said


def test_a_game_that_shows_nothing_says_so(kept_path):
    source = (ROOT / "examples/ruin/ruin.py").read_text(encoding="utf-8").replace("    features=FEATURES,\n", "")
    source = source.replace('Path(__file__).parent / "scenarios"', f'Path("{ROOT / "examples/ruin/scenarios"}")')
    game = kept_path / "blind.py"
    game.write_text(source, encoding="utf-8")
    said = bartizan("run", game, "--games", 300, "--luck-adjusted")
    assert said.code == 0 and "no features" in said.out, said.err
