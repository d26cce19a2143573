"""`cards --without` of games without cards: what a token, a place, a die, an action is worth, against exact values."""

from itertools import product
from statistics import NormalDist

import numpy as np
import pytest

from tests.cli.run_cli import ROOT, answered, bartizan, error_line

MUSTER = str(ROOT / "tests/games/muster.py")
PIG = str(ROOT / "examples/short/pig.py")
IDLE = str(ROOT / "tests/games/idle_components.py")


@pytest.fixture(scope="module")
def muster():
    return answered("cards", MUSTER, "--without", "--games", 4000, "--json").json


def share_won(first: list[int], second: list[int]) -> float:
    """Of the first player, whose sums are as likely as each other, and so are those of the second."""
    return float(np.mean([one > other for one, other in product(first, second)]))


TWO, ONE = [sum(dice) for dice in product(range(1, 7), repeat=2)], list(range(1, 7))
EXACT = {  # the first player's chance without it; both throw two dice
    "throw": share_won([5], TWO),
    "banners": share_won([n - 2 for n in TWO], TWO),
    "towers[1]": share_won([n - 1 for n in TWO], TWO),
    "dice": share_won(ONE, ONE),
}


def test_each_component_is_worth_what_it_is(muster):
    found = {card["card"]: card for card in muster["cards"]}
    assert found.keys() == EXACT.keys()
    assert set(muster["never"]) == {"drums[1]", "charm", "towers[0]", "pray"}
    for name, wins in EXACT.items():
        worth = found[name]["worth"]
        assert worth["low"] < share_won(TWO, TWO) - wins < worth["high"], name
        assert "together (Bonferroni)" in worth["method"]


def test_intervals_are_joint_over_components_and_numbers(muster):
    """Bonferroni over 8 components and 2 numbers of each, win rate and turns; close to normal for 4,000 games."""
    reach = NormalDist().inv_cdf(1 - 0.05 / 2 / 16)
    for card in muster["cards"]:
        worth = card["worth"]
        assert (worth["high"] - worth["low"]) / 2 == pytest.approx(reach * card["se"], rel=0.03), card["card"]


def test_components_are_named_and_counted_together(muster):
    assert muster["of"] == "component" and muster["whose"] == "one seat" and muster["seat"] == "first"
    assert [card["card"] for card in muster["cards"] if card["verdict"] == "carries wins"] == [
        "throw",
        "banners",
        "towers[1]",
    ]
    out = answered("cards", MUSTER, "--without", "--games", 4000).out
    assert "throw raises the win rate most" in out and "simultaneous for all 8 components" in out
    assert "kind" not in out and "card" not in out


def test_what_everybody_lacks_moves_nobody():
    """Both players throw without banners: the first wins as before."""
    cards = answered("cards", MUSTER, "--without", "--everybody", "--games", 400, "--json").json
    assert {"banners", "towers[1]"} <= set(cards["never"])


@pytest.mark.rotating
@pytest.mark.parametrize("seed", range(9))
def test_where_no_component_matters_none_is_named(seed):
    """Each run may name one with a chance of 5 %; these seeds do not."""
    document = answered("cards", IDLE, "--without", "--games", 100, "--seed", seed + 1, "--json").json
    assert not any(card["verdict"] for card in document["cards"]) and len(document["cards"]) > 3


def test_a_game_of_one_player_is_about_its_score():
    document = answered("cards", str(ROOT / "tests/games/harvest.py"), "--without", "--games", 60, "--json").json
    fields = next(card for card in document["cards"] if card["card"] == "fields")
    assert fields["worth"]["estimate"] > 0 and fields["score"]["estimate"] > 0


def test_what_cannot_be_left_out_says_why(tmp_path):
    """Without the number that was rolled no tile fits."""
    shut = str(ROOT / "examples/short/shut_the_box.py")
    document = answered("cards", shut, "--without", "--games", 60, "--json").json
    refused = {card["card"]: card["reason"] for card in document["refused"]}
    assert "no legal action" in refused["rolled"] and "\n" not in refused["rolled"]


@pytest.mark.parametrize(
    ("args", "words"),
    [
        ((PIG, "--usage"), "declares cards with Deck(...)"),
        ((PIG,), "--without"),
        ((PIG, "--without", "-o", "x.csv"), "-o requires a game with cards"),
        ((MUSTER, "--without", "--seat", "third"), 'unknown seat "third"'),
        (("itter", "--without"), "the game declares no cards"),
    ],
)
def test_what_cannot_be_asked_is_refused_in_one_line(args, words):
    assert words in error_line(bartizan("cards", *args))


def test_no_player_of_castle_gets_a_rank():
    """Without aces, whose leads draw more cards, games are longer (long run: 15 turns)."""
    document = answered("cards", "castle", "--without", "--everybody", "--games", 200, "--json").json
    ace = next(card for card in document["cards"] if card["card"] == "ace")
    assert document["whose"] == "everybody" and ace["how"] == "another card of the pile"
    assert ace["turns"]["high"] < 0 and len(document["cards"]) + len(document["never"]) == 10
