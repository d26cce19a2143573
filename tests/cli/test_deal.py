"""`bartizan playtest deal`."""

import pytest

import bartizan as bz
from tests.cli.run_cli import PIG, bartizan, error_line

ARGS = ("--policy", "random", "--deals", 6, "--plays", 10, "--seed", 7)
CARDS = {"itter": 60, "colditz": 45 + 14 + 5, "castle": 2 * 8 + 30}


@pytest.mark.parametrize("game", CARDS)
def test_the_piles_hold_every_card_in_the_order_of_the_game(game):
    answer = bartizan("playtest", "deal", game, *ARGS, "--json").json
    piles = {pile["pile"]: pile["cards"] for pile in answer["piles"]}
    assert sum(len(cards) for name, cards in piles.items() if "start" not in name) == CARDS[game]
    again = bartizan("playtest", "deal", game, *ARGS, "--jobs", 2, "--json").json
    assert again == answer
    other = bartizan("playtest", "deal", game, *ARGS, "--game", 1, "--json").json
    assert other["piles"] != answer["piles"]


def test_the_deal_is_the_one_that_is_played():
    """The SS cards of a game come in the order the table stacks them."""
    cards = next(pile["cards"] for pile in bz.game("itter").deal(seed=7, policy="random", deals=2, plays=2).to_dict()["piles"] if pile["pile"] == "SS deck")
    plies = bz.game("itter").trace(seed=7, policy="random").to_dict()["plies"]
    turned = [event.partition(": ")[2].rpartition(" (deck")[0] for ply in plies for event in ply["events"] if event.startswith("SS card ")]
    assert turned and turned == cards[: len(turned)]


def test_policies_and_people_are_kept_apart():
    text = bartizan("playtest", "deal", "rampage", *ARGS).out
    assert text.startswith("RECONSTRUCTION") and "Policies play, not people." in text and "which nothing here measures" in text


def test_a_game_without_a_deck_is_refused():
    assert "has no deck to stack" in error_line(bartizan("playtest", "deal", PIG))
    assert 'no seat "third"' in error_line(bartizan("playtest", "deal", "castle", "--seat", "third"))
