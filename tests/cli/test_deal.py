"""`bartizan playtest deal`."""

import re
import shutil
import subprocess

import pytest

import bartizan as bz
from bartizan.policies.request import Request
from bartizan.reports.render.proxies import Proxy, html, pdf
from bartizan.simcore.play.rollouts import deal_of
from tests.cli.run_cli import PIG, answered, bartizan, error_line

ARGS = ("--policy", "random", "--deals", 6, "--plays", 10, "--seed", 7)
CARDS = {"itter": 60, "colditz": 45 + 14 + 5, "castle": 2 * 8 + 30}


def deal(game: str, number: int = 0) -> dict[str, list[str]]:
    """The piles, without the plays: those are compiled once, for the smallest of these games."""
    match = Request(game, policy=("random",)).match(7, "")
    return {pile["pile"]: pile["cards"] for pile in deal_of(match, number)}


@pytest.mark.parametrize("game", CARDS)
def test_the_piles_hold_every_card(game):
    piles = deal(game)
    assert sum(len(cards) for name, cards in piles.items() if "start" not in name) == CARDS[game]
    assert deal(game) == piles != deal(game, 1)


def test_the_deal_is_the_one_that_is_played():
    """The SS cards of a game come in the order the table stacks them."""
    plies = bz.game("itter").trace(seed=7, policy="random").to_dict()["plies"]
    turned = [
        event.partition(": ")[2].rpartition(" (deck")[0]
        for ply in plies
        for event in ply["events"]
        if event.startswith("SS card ")
    ]
    assert turned and turned == deal("itter")["SS deck"][: len(turned)]


def test_it_is_the_same_on_any_number_of_threads():
    document = answered("playtest", "deal", "rampage", *ARGS).json
    assert bartizan("playtest", "deal", "rampage", *ARGS, "--jobs", 2, "--json").json == document
    assert {pile["pile"]: pile["cards"] for pile in document["piles"]} == deal("rampage")
    # the plays of one deal differ: with the same random numbers, each deal would be won always or never
    assert 0 < document["win_rate"]["estimate"] < 1 and document["share_of_the_deal"]["estimate"] < 1


def test_several_deals_are_those_that_follow():
    """Ten first plays, one deal each: the others are printed and not played."""
    result = bartizan("playtest", "deal", "rampage", *ARGS, "--count", 3)
    document, said = result.json, result.out
    assert [one["number"] for one in document["more"]] == [1, 2]
    for one in document["more"]:
        assert {pile["pile"]: pile["cards"] for pile in one["piles"]} == deal("rampage", one["number"])
    assert "games 0 to 2" in said and "Game 1\n" in said and said.count("The players are policies, not people.") == 1


def test_the_dealt_cards_are_printed_to_cut(tmp_path):
    """One for each card of each deal, in the order of the piles, with its columns."""
    page = tmp_path / "cards.html"
    written = bartizan("playtest", "deal", "rampage", *ARGS, "--count", 2, "-o", page)
    assert written.code == 0 and "236 cards on 27 pages" in written.out
    text = page.read_text(encoding="utf-8")
    names = re.findall("<h2>(.*?)</h2>", text)
    piles = [card for number in (0, 1) for pile in deal("rampage", number).values() for card in pile]
    assert names == piles and text.count('<section class="sheet">') == 27
    assert "attack" in text and "Gate 1, Castle 1" in text and "1 of 5; game 1" in text
    assert "already exists" in error_line(bartizan("playtest", "deal", "rampage", *ARGS, "-o", page))
    assert ".html or .pdf" in error_line(bartizan("playtest", "deal", "rampage", *ARGS, "-o", tmp_path / "cards.txt"))


def test_a_card_says_what_its_sheet_says():
    """Names are text, never markup; a text that is too long is shortened visibly."""
    cards = [
        Proxy(name, (("Cost", "3"), ("Rule", "x" * 900)), "deck, 1 of 2; game 0") for name in ("<b>Ant & Co", "Bee")
    ]
    text = html("Ants", cards)
    assert "&lt;b&gt;Ant &amp; Co" in text and "<b>" not in text and "x…" in text and "x" * 800 not in text
    if shutil.which("pdftotext") is None:
        pytest.skip("pdftotext (poppler) is not installed")
    content = pdf("Ants", cards)
    said = subprocess.run(["pdftotext", "-", "-"], input=content, capture_output=True, check=True).stdout.decode()
    assert "<b>Ant & Co" in said and "Cost: 3" in said and "deck, 1 of 2" in said


def test_policies_and_people_are_kept_apart():
    text = answered("playtest", "deal", "rampage", *ARGS).out
    assert text.splitlines()[1].startswith("RECONSTRUCTION")
    assert "The players are policies, not people." in text and "(not measured)" in text


def test_a_game_without_a_deck_is_refused():
    assert "has no deck, so there is no deal to print" in error_line(bartizan("playtest", "deal", PIG))
    assert 'unknown seat "third"' in error_line(bartizan("playtest", "deal", "castle", "--seat", "third"))
