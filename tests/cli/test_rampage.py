"""Castle Rampage on the command line: seats, the label of a reconstruction, a designer's own deck, what is refused."""

from pathlib import Path

import pytest

from tests.cli.run_cli import ROOT, bartizan, error_line

DECK = ROOT / "examples/my-deck.toml"


def run(*args):
    result = bartizan("run", "rampage", *args, "--seed", 1, "--json")
    assert result.code == 0, result.err
    return result.json


def test_two_policies_sit_in_the_order_named_whatever_the_threads():
    one, two = (run("--policy", "tactician", "--policy", "rusher", "--games", 3000, "--jobs", jobs) for jobs in (1, 2))
    assert [(seat["role"], seat["policy"]) for seat in one["seats"]] == [("first", "tactician"), ("second", "rusher")]
    assert sum(seat["wins"] for seat in one["seats"]) + one["draws"] == 3000
    assert one["digest"] == two["digest"]


def test_every_result_says_that_the_deck_is_a_reconstruction():
    document = run("--policy", "greedy", "--games", 50)
    assert "RECONSTRUCTION" in document["banner"]["text"] and "published game" in document["banner"]["text"]
    assert document["banner"]["assumed"] == document["assumed"] == 195
    assert document["banner"]["influence"], (
        "measured anew when the deck or the rules change: bartizan sensitivity rampage --assumed -o ..."
    )
    for command in (
        ("run", "rampage", "--policy", "greedy", "--games", 50),
        ("cards", "rampage"),
        ("trace", "rampage", "--policy", "greedy"),
        ("describe", "rampage"),
    ):
        assert bartizan(*command).out.startswith("RECONSTRUCTION"), command


def test_a_designers_deck_is_checked_and_listed():
    assert bartizan("check", DECK).out.count("ok ") == 1
    cards = bartizan("cards", "rampage", "--scenario", DECK, "--json").json["cards"]
    assert sum(card["copies"] for card in cards) == 119
    assert next(card for card in cards if card["name"] == "Ballista")["confidence"] == "changed"


def test_a_deck_edited_in_toml_is_compared_game_by_game():
    """Axe man 2 -> 4, one card more, one effect changed."""
    play = ("--policy", "greedy", "--seed", 1, "--json", "--games")
    bartizan("compare", "rampage", "--change", "turn.draw=3", *play, 10)  # compiles
    result = bartizan("compare", "rampage", "--change", f"scenario={DECK}", *play, 2000)
    assert result.code == 0 and "compiling" not in result.err, result.err
    assert result.json["a"]["scenario_hash"] != result.json["b"]["scenario_hash"]
    turns = next(effect for effect in result.json["effects"] if effect["measure"] == "turn")
    assert turns["difference"]["high"] < -3, "stronger Axe men shorten the game"
    assert result.json["pairing_factor"] > 1


@pytest.mark.parametrize(
    ("setting", "words"),
    [
        ('card.jester.on_play=[{op="fly", n=1}]', "no card can do that"),
        ('card.jester.on_play=[{op="drw", n=1}]', 'did you mean "draw"'),
        ('card.jester.on_play=[{op="end_attack"}]', "belongs in on_destroyed_in_attack"),
        ('card.jester.on_play=[{op="perm_draw"}]', "permanent = true"),
        ('card.jester.units=["ax"]', 'did you mean "axe"'),
        ("card.jester.count=300", "less than or equal to 250"),
        ("card.jestr.count=3", 'did you mean "jester"'),
        ("setup.batch_size=3", "cannot be placed"),
    ],
)
def test_a_card_that_cannot_be_is_refused_with_the_reason(setting, words):
    assert words in error_line(bartizan("run", "rampage", "--set", setting, "--games", 10))


def test_an_effect_changed_on_the_command_line(tmp_path: Path):
    changed = run("--policy", "greedy", "--games", 200, "--set", 'card.axe_man.on_play=[{op = "draw", n = 2}]')
    assert changed["digest"] != run("--policy", "greedy", "--games", 200)["digest"]
    assert changed["banner"]["changed"] == 1
