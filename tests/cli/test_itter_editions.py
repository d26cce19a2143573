"""Castle Itter's other two games on the command line."""

import pytest

from tests.cli.run_cli import bartizan, error_line


def run(*args):
    result = bartizan("run", "itter", *args, "--seed", 1, "--json")
    assert result.code == 0, result.err
    return result.json


@pytest.mark.parametrize("level", ["normal", "veteran", "elite"])
def test_the_playtest_version_is_the_same_on_any_number_of_threads(level):
    one, two = (
        run("--scenario", "playtest-v0.2", "--difficulty", level, "--policy", "greedy", "--games", 700, "--jobs", jobs)
        for jobs in (1, 2)
    )
    assert one["digest"] == two["digest"]
    assert one["banner"]["text"].startswith("v0.2-STYLE RECONSTRUCTION") and one["tiers"] == {}
    assert len(one["policies"]) == 1, "one seat is taken"


def test_competitive_seats_two_whatever_the_threads():
    one, two = (
        run("--scenario competitive --policy defender=garrison --policy ss=commander --games 600 --jobs", jobs)
        for jobs in (1, 2)
    )
    assert [(seat["role"], seat["policy"]) for seat in one["seats"]] == [("defender", "garrison"), ("ss", "commander")]
    assert one["digest"] == two["digest"]
    assert sum(seat["wins"] for seat in one["seats"]) + one["draws"] == 600
    assert "banner" not in one, "the published game"


def test_a_role_that_is_not_taken_is_refused():
    for ss in ("greedy", "commander"):  # commander is who plays the seat where nobody is named
        refusal = error_line(
            bartizan("run", "itter", "--policy", "defender=garrison", "--policy", f"ss={ss}", "--games", 10)
        )
        assert (
            "a policy is given for the seat ss, which this scenario does not have; give policies only for defender"
            in refusal
        )
    assert "plays ss, not defender" in error_line(
        bartizan("run", "itter", "--scenario", "competitive", "--policy", "defender=commander", "--games", 10)
    )


def test_levels_are_those_of_the_edition():
    assert "normal" in error_line(
        bartizan("run", "itter", "--scenario", "playtest-v0.2", "--difficulty", "novice", "--games", 10)
    )
    assert "novice" in error_line(bartizan("run", "itter", "--difficulty", "normal", "--games", 10))


def test_the_next_step_plays_the_same_scenario():
    out = bartizan("run", "itter", "--scenario", "playtest-v0.2", "--policy", "greedy", "--games", 20).out
    assert "Next: bartizan run itter --scenario playtest-v0.2 --difficulty normal" in out
    assert "bartizan sensitivity itter --scenario playtest-v0.2 --assumed" in out.splitlines()[0]
