"""Castle on the command line: seats, numbers of players, advanced rules, odds of fights, and what is refused."""

import re

import pytest

from tests.cli.run_cli import bartizan, error_line

EXACT = {  # the probabilities of the rules' table, to 6 decimals
    ("10", "10", "alive"): 9281 / 23328,
    ("2", "4", "alive"): 1247 / 5832,
    ("10", "K", "alive"): 0.152006,
    ("10", "Q", "alive"): 0.087299,
    ("assassin", "K", "alive"): 163985 / 279936,
    ("assassin", "K", "dead"): 0.782151,
    ("assassin", "Q", "alive"): 0.492658,
    ("ram", "J", "alive"): 0.326236,
    ("ram", "K", "alive"): 0.137163,
    ("ram", "Q", "alive"): 0.086599,
}


def run(*args):
    result = bartizan("run", "castle", *args, "--seed", 1, "--json")
    assert result.code == 0, result.err
    return result.json


def test_two_policies_sit_in_the_order_named():
    document = run("--players", 2, "--policy", "steward", "--policy", "raider", "--games", 300)
    assert [(seat["seat"], seat["role"], seat["policy"]) for seat in document["seats"]] == [
        (0, "first", "steward"),
        (1, "second", "raider"),
    ]
    assert sum(seat["wins"] for seat in document["seats"]) + document["draws"] + document["capped"] == 300
    assert {seat["win_rate"]["method"] for seat in document["seats"]} <= {"Wilson", "Clopper-Pearson"} or document[
        "capped"
    ]


@pytest.mark.parametrize("players", [2, 3, 4])
def test_any_number_of_players_any_number_of_threads(players):
    one, two = (run("--players", players, "--policy", "greedy", "--games", 700, "--jobs", jobs) for jobs in (1, 2))
    assert one["digest"] == two["digest"]
    assert len(one["seats"]) == players
    assert one["means"]["seat0_wins"]["mean"] == pytest.approx(one["seats"][0]["wins"] / 700)


@pytest.mark.parametrize(
    "rules",
    [
        {"jokers": 1},
        {"jokers": 2, "berserker": "true", "saboteur": "true"},
        {"same_suit": "true", "barricade": "true", "same_number_attack": "true"},
    ],
)
def test_any_subset_of_advanced_rules(rules):
    sets = [part for rule, on in rules.items() for part in ("--set", f"advanced.{rule}={on}")]
    document = run("--players", 3, "--policy", "greedy", "--games", 200, *sets)
    assert document["games"] == 200
    assert document["digest"] != run("--players", 3, "--policy", "greedy", "--games", 200)["digest"]
    if "jokers" in rules:
        assert any("advanced rule jokers" in line.lower() for line in document["assumptions"])


def test_a_line_up_must_fit_the_table():
    line = error_line(
        bartizan("run", "castle", "--policy", "steward", "--policy", "raider", "--policy", "plain", "--games", 10)
    )
    assert "3 policies are given" in line and "2 seats" in line and "--players" in line
    assert "castle supports 2 to 4" in error_line(bartizan("run", "castle", "--players", 5, "--games", 10))


@pytest.mark.parametrize("fight", EXACT)
def test_odds_of_a_fight(fight):
    attack, defend, queen = fight
    document = bartizan(
        "odds", "castle", "--attack", attack, "--defend", defend, "--queen", queen, "--games 40000 --json"
    ).json
    assert document["exact"]["wins"] == pytest.approx(EXACT[fight], abs=5e-7)
    found = document["simulated"]["wins"]
    standard_error = (EXACT[fight] * (1 - EXACT[fight]) / 40_000) ** 0.5
    assert abs(found["estimate"] - EXACT[fight]) < 5 * standard_error and found["games"] == 40_000


@pytest.mark.parametrize(
    ("attack", "defend", "sets", "more"),
    [
        ("3", "3", ["advanced.saboteur=true"], []),
        ("3", "3", ["advanced.saboteur=true", "rulings.saboteur_attack=dice_only"], ["--revealed"]),
        ("archers:7", "9", [], []),
        ("9", "9", ["advanced.same_suit=true"], ["--same-suit"]),
        ("assassin", "joker", ["rulings.multi_dice_doubles=any_equal"], []),
        ("assassin", "K", ["rulings.multi_dice_doubles=each_pair"], ["--add", "4", "--defence-add", "9"]),
        ("8", "6", ["rulings.random_source=cards", "rulings.defence_chain=chain"], []),
        ("archers:8", "K", ["rulings.random_source=cards", "rulings.multi_dice_doubles=each_pair"], []),
        ("8", "6", ["rulings.random_source=cards", "rulings.card_replaces=die"], []),
        ("8", "6", ["rulings.queen_protects=all_cards"], []),
    ],
)
def test_odds_under_other_rules_agree_with_the_engine(attack, defend, sets, more):
    """Read off the scenario and enumerated on one side, the compiled rules on the other."""
    options = [part for value in sets for part in ("--set", value)]
    document = bartizan(
        "odds", "castle", "--attack", attack, "--defend", defend, *options, *more, "--games 60000 --json"
    ).json
    exact, found = document["exact"]["wins"], document["simulated"]["wins"]
    assert 0.005 < exact < 0.995
    assert abs(found["estimate"] - exact) < 5 * (exact * (1 - exact) / 60_000) ** 0.5


def test_a_table_of_fights():
    result = bartizan("odds", "castle", "--games", 2000)
    assert result.code == 0 and re.search(r"assassin +K +", result.out) and "58.58\u00a0%" in result.out


@pytest.mark.parametrize(
    ("args", "word"),
    [
        (["--attack", "11", "--defend", "K"], "no such card"),
        (["--attack", "10"], "neither"),
        (["--attack", "10", "--defend", "joker"], "assassin"),
        (["--attack", "archers", "--defend", "K"], "archers:7"),
        (["--attack", "10", "--defend", "K", "--queen", "ill"], "alive or dead"),
    ],
)
def test_odds_refuse_with_one_line(args, word):
    result = bartizan("odds", "castle", *args)
    assert result.code == 2 and word in error_line(result)


@pytest.mark.parametrize(
    ("args", "word"),
    [
        (["--attack", "5", "--defend", "K", "--same-suit"], "cancelled"),
        (["--attack", "A", "--defend", "7"], "archers:CARD"),
        (["--attack", "K", "--defend", "7"], "forced_leads=all"),
        (
            ["--attack 8 --defend 7 --set rulings.random_source=cards --set rulings.cards_from=deck"],
            "cards left in the deck",
        ),
    ],
)
def test_a_fight_the_rules_do_not_know_has_no_odds(args, word):
    result = bartizan("odds", "castle", *args)
    assert result.code == 2 and word in error_line(result)


def test_a_level_that_is_none_is_refused():
    line = error_line(bartizan("run", "castle", "--difficulty", "elite", "--games", 10))
    assert 'no difficulty "elite"' in line and "standard" in line


def test_the_number_of_players_is_said_once():
    assert "remove one of them" in error_line(
        bartizan("run", "castle", "--players", 4, "--set", "players.count=2", "--games", 10)
    )
    line = error_line(bartizan("run", "castle", "--players", 2, "--policy", "third=raider", "--games", 10))
    assert "the seat third, which this scenario does not have; give policies only for first, second" in line


def test_the_next_step_plays_the_same_cell():
    out = bartizan(
        "run", "castle", "--players 2 --policy greedy --policy plain --set advanced.saboteur=true --games 50"
    ).out
    assert (
        "bartizan run castle --policy greedy --policy plain --players 2 "
        "--set advanced.saboteur=true --games 50 -o results" in out
    )


def test_a_plan_with_other_numbers_of_games(tmp_path):
    plan = tmp_path / "plan.toml"
    plan.write_text('game = "castle"\ngames = 500000\nseed = 1\npolicy = "greedy"\n')
    document = bartizan("sweep", plan, "--games", 60, "--seed", 5, "-o", tmp_path / "out", "--json").json
    assert [(cell["games"], cell["seed"]) for cell in document["cells"]] == [(60, 5)]


def test_assumptions_are_those_of_the_rules_in_force():
    said = run("--policy", "greedy", "--games", 20, "--set", "advanced.berserker=true")["assumptions"]
    assert any("C32" in line for line in said) and any("never name several cards" in line for line in said)
    assert not any("Joker" in line or "barricade" in line or "C42" in line for line in said)
