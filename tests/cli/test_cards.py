"""`bartizan cards`: the deck, what a card is worth and what it costs, how cards are used, the report
that shows it, and what is refused with one line.
"""

import json
from functools import partial
from pathlib import Path

import pytest

from bartizan.simcore.game import load_game
from bartizan.simcore.scenario.loading import load_scenario
from tests.cli.run_cli import PIG, answer_of, answered, bartizan, error_line, tree

HIGHEST = str(Path(__file__).parent.parent / "games/highest_card/highest_card.py")
CASTLE_COPIES = 52
RAMPAGE_COPIES = 118
LINE = 130


answer = partial(answer_of, "cards")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("sweep") / "highest"
    assert bartizan("sweep", HIGHEST, "--policy", "random", "--games", 500, "-o", folder).code == 0
    return folder


def test_the_deck_with_its_sources():
    document = answer("castle")
    cards = {card["name"]: card for card in document["cards"]}
    assert document["schema"] == "bartizan.cards/1" and sum(card["copies"] for card in cards.values()) == CASTLE_COPIES
    assert (cards["ace"]["value"], cards["10"]["value"], cards["King"]["value"]) == (1, 10, 10)
    assert "ram, 4 dice +2" in cards["2"]["does"] and "assassin, 4 dice +8" in cards["8"]["does"]
    assert "3 dice" in cards["King"]["does"]
    for card in cards.values():
        assert card["confidence"] == "rulebook"
        assert all(key.strip() in document["sources"] for key in card["source"].split(","))
    varied = {
        card["name"]: card
        for card in answer(
            "castle", "--set", "advanced.jokers=2", "--set", "advanced.barricade=true", "--set", "rank.nine.value=8"
        )["cards"]
    }
    assert varied["Joker"]["copies"] == 2 and "barricade" in varied["6"]["does"] and varied["9"]["value"] == 8


def test_the_deck_for_a_reader():
    result = answered("cards", "castle")
    assert result.code == 0 and "52 cards" in result.out and "quick rules of the text" in result.out
    assert "bartizan cards castle --value" in result.out


def test_the_deck_of_rampage():
    document = answer("rampage")
    cards = {card["name"]: card for card in document["cards"]}
    assert document["value_is"] == "attack" and len(cards) == len(document["cards"]) == 23
    assert sum(card["copies"] for card in cards.values()) == RAMPAGE_COPIES
    assert (cards["Giant"]["cost"], cards["Axe man"]["cost"], cards["Ogre"]["cost"]) == (
        2,
        0,
        2,
    )  # the Ogre cannot be played: what placing it costs
    assert "attack" not in cards["Axe man"]["assumed"] and "copies" in cards["Axe man"]["assumed"]
    text = answered("cards", "rampage").out
    assert "118 cards of 23 kinds; 23 kinds have an assumed value" in text and "RECONSTRUCTION" in text
    table = text[text.index("\ncard ") + 1 : text.index("\n  S: ")].splitlines()
    assert "attack" in table[0] and "cost" in table[0] and max(map(len, table)) <= LINE
    does = table[0].index("effects")
    assert all(line[does - 1] == " " and line[does] != " " for line in table)


def test_values_for_a_program():
    document = answer(HIGHEST, "--value", "--games", 3000)
    assert document["schema"] == "bartizan.card-value/1"
    assert document["seat"] == "first" and document["turn"] == 1
    assert document["policies"] == ["random"] * 2 and document["reached"] == 3000
    assert document["seed"] == 1
    swan = document["cards"][0]
    assert swan["card"] == "swan" and swan["value"]["low"] < 0.6 < swan["value"]["high"]
    assert swan["pairs"] == 3000 and swan["p_adjusted"] >= swan["p"]
    assert document == answer(HIGHEST, "--value", "--games", 3000, "--jobs", 1)
    assert document["cards"] != answer(HIGHEST, "--value", "--games", 3000, "--seed", 2)["cards"]
    second = answer(HIGHEST, "--value", "--games", 1000, "--seat", "second", "--against", "goose")
    assert second["against"] == "goose" and {card["card"] for card in second["cards"]} == {"duck", "swan"}


def test_values_and_costs_of_rampage():
    args = ("rampage", "--value --policy random --games 40 --turn 2")  # two chunks: threads have something to share
    document = answer(*args)
    price = document["price"]
    assert document["turn"] == 2 and len(document["cards"]) + len(document["never_there"]) == 23 and document["banner"]
    assert {card["cost"] for card in price["cards"]} == {0, 1, 2}
    assert price["each_card_of_cost"]["low"] < price["each_card_of_cost"]["high"]
    values = {card["card"]: card["value"]["estimate"] for card in document["cards"]}
    for card in price["cards"]:
        line = price["at_cost_0"]["estimate"] + card["cost"] * price["each_card_of_cost"]["estimate"]
        assert card["value"] == pytest.approx(values[card["card"]])
        assert card["residual"]["estimate"] == pytest.approx(card["value"] - line)
    assert document == answer(*args, "--jobs", 1)
    text = answered("cards", *args).out
    for part in (
        "card to hold at card 2 of the first player",
        "Value against cost: a card of cost 0 is worth",
        "heap for its price",
        "from the line",
    ):
        assert part in text, part
    assert "price" not in answer(HIGHEST, "--value", "--games", 50)


def test_costs_that_do_not_vary_are_said_to():
    costly = [
        name for name, card in load_scenario(load_game("rampage")).model.card.items() if card.cost or card.place_cost
    ]
    free = [part for name in costly for part in ("--set", f"card.{name}.count=0")]
    document = answer("rampage", "--value", "--policy", "random", "--games", 20, *free)
    assert document["price"] == {"why_not": "the costs do not vary: every card costs 0"}


def test_usage_for_a_program():
    document = answer(HIGHEST, "--usage", "--games", 3000)
    assert document["schema"] == "bartizan.card-usage/1" and document["games"] == 3000
    assert document["uses"] == ["shown first", "shown second"] and document["dead"] == []
    duck = document["cards"][0]
    assert duck["card"] == "duck" and [use["use"] for use in duck["uses"]] == document["uses"]
    assert sum(use["copies"] for use in duck["uses"]) == duck["copies"]
    assert duck["uses"][0]["share"]["low"] < 0.5 < duck["uses"][0]["share"]["high"] and duck["uses"][0]["se"] > 0
    assert document == answer(HIGHEST, "--usage", "--games", 3000, "--jobs", 1)
    assert document["cards"] != answer(HIGHEST, "--usage", "--games", 3000, "--seed", 2)["cards"]


@pytest.mark.parametrize(
    ("game", "uses", "printed"),
    [
        ("castle", "discarded unused", "placed, attacked with, led (8, ace), rallied or laid as a barricade"),
        ("rampage", "held at the end", "played; put under the Gate or put under the Castle ("),
    ],
)
def test_usage_of_a_game(game, uses, printed):
    args = (game, "--usage", "--policy", "random", "--games", 300)
    document = answer(*args)
    assert document == answer(*args, "--jobs", 1) and uses in document["uses"]
    assert document["policies"] == ["random"] * 2
    for card in document["cards"]:
        assert sum(use["copies"] for use in card["uses"]) == card["copies"] >= card["as_printed"]["copies"]
    assert ("Who wins with each card" in answered("cards", *args).out) == (game == "rampage")
    text = answered("cards", *args).out
    for part in (
        "Use of cards:",
        "300 games (seed 1)",
        "random in all 2 seats",
        printed,
        "Cochran",
        "rests on",
        "kind is dead" if not document["dead"] else "Dead under",
    ):
        assert part in text, part


def test_values_for_a_reader():
    result = answered("cards", "castle", "--value", "--policy", "plain", "--games", 60, "--turn", 2)
    assert result.code == 0, result.err
    for part in (
        "the first seat, card 2",
        "of 60 games",
        "seed 1",
        "plain in all 2 seats",
        "95\u00a0% Wilson",
        "common random numbers",
        "rests on",
        "assumed",
    ):
        assert part in result.out, part


@pytest.mark.parametrize(
    ("args", "words"),
    [
        ((PIG,), "the game declares no cards"),
        ((PIG, "--value"), "the game declares no cards"),
        (("castle", "--value", "--seat", "third"), 'unknown seat "third"'),
        (("castle", "--value", "--turn", 0), "turn"),
        (("castle", "--value", "--against", "13"), "no such card"),
        (("castle", "--value", "--policy", "nobody"), 'no policy "nobody"'),
        (("castle", "--seat", "first"), "--seat requires --value"),
        (("castle", "-o", "somewhere"), "-o requires --value"),
        (("castle", "--usage", "--seat", "first"), "--seat requires --value"),
        (("castle", "--usage", "--value"), "give only one of"),
        ((PIG, "--usage"), "the game declares no cards"),
        (("castle", "--usage", "-o", "nowhere"), "no such folder"),
        (("castle", "--value", "-o", "nowhere"), "no such folder"),
        ((HIGHEST, "--value", "--turn", 2, "--games", 50), "does not draw cards 2 times in any of 50 games"),
    ],
)
def test_refusals(args, words):
    result = answered("cards", *args)
    assert result.code == 2 and words in error_line(result) and not result.out


def test_kept_in_a_sweep_and_shown_in_its_report(folder, tmp_path):
    before = tree(folder)
    result = bartizan("cards", HIGHEST, "--value", "--games", 800, "-o", folder)
    assert result.code == 0 and "cards.json" in result.err
    kept = json.loads((folder / "cards.json").read_text(encoding="utf-8"))["values"]
    assert [doc["turn"] for doc in kept] == [1]
    assert bartizan("verify", folder).code == 0
    assert (
        bartizan("cards", HIGHEST, "--value", "--games", 900, "-o", folder).code == 0
    )  # the same question: the new answer takes its place
    assert bartizan("cards", HIGHEST, "--value", "--games", 900, "--seat", "second", "-o", folder).code == 0
    kept = json.loads((folder / "cards.json").read_text(encoding="utf-8"))["values"]
    assert [(doc["seat"], doc["games"]) for doc in kept] == [("first", 900), ("second", 900)]
    assert "3 files match" in bartizan("verify", folder).out
    for name, parts in {
        "r.html": (
            "Value of each card",
            "<svg",
            "Swan",
            "Holm",
            "card 1",
            "changes places with a random card of that kind",
            "--games 900 --seat second",
        ),
        "r.md": ("## Value of each card: The second player, card 1; random in every seat", "| Swan |"),
        "r.json": ('"card_values"', '"p_adjusted"'),
    }.items():
        assert bartizan("report", folder, "-o", tmp_path / name).code == 0
        text = (tmp_path / name).read_text(encoding="utf-8")
        for part in parts:
            assert part in text, (name, part)
    assert (
        bartizan("sweep", HIGHEST, "--policy", "random", "--games", 500, "-o", folder).code == 0
    )  # resumed: what was added stays, and stays signed
    assert bartizan("verify", folder).code == 0
    after = tree(folder)
    assert {name: after[name] for name in before if name != "SHA256SUMS"} == {
        name: text for name, text in before.items() if name != "SHA256SUMS"
    }
    (folder / "cards.json").write_text("{", encoding="utf-8")
    assert "does not match" in error_line(bartizan("verify", folder))
    assert bartizan("report", folder, "-o", tmp_path / "again.md").code == 4
    (folder / "cards.json").unlink()


def test_usage_and_prices_in_a_report(tmp_path):
    folder = tmp_path / "rampage"
    assert bartizan("sweep", "rampage", "--policy", "random", "--games", 60, "-o", folder).code == 0
    for args in (("--usage",), ("--value",), ("--usage",)):
        result = bartizan("cards", "rampage", *args, "--policy", "random", "--games", 40, "-o", folder)
        assert result.code == 0 and "cards.json" in result.err
    kept = json.loads((folder / "cards.json").read_text(encoding="utf-8"))
    assert [len(kept[key]) for key in ("values", "usage")] == [1, 1]
    assert bartizan("verify", folder).code == 0
    for name, parts in {
        "r.html": (
            "How cards are used",
            "Value against cost",
            "put under the Gate",
            "Command: bartizan cards rampage --usage --policy random --games 40",
            "Residual",
            "expensive for its price",
        ),
        "r.md": (
            "## How cards are used: random in every seat",
            "Put under the Castle",
            "| Residual |",
            "weighted least squares",
            "Cochran",
        ),
        "r.json": ('"card_usage"', '"as_printed"', '"each_card_of_cost"'),
    }.items():
        assert bartizan("report", folder, "-o", tmp_path / name).code == 0
        text = (tmp_path / name).read_text(encoding="utf-8")
        for part in parts:
            assert part in text, (name, part)


def test_a_folder_of_another_kind_is_refused(folder, tmp_path):
    result = bartizan("cards", HIGHEST, "--value", "--games", 50, "--set", "deck.copies=[2, 2, 2]", "-o", folder)
    assert result.code == 2 and "none of its cells" in error_line(result)
    assert bartizan("sweep", PIG, "--games", 100, "-o", tmp_path / "pig").code == 0
    result = bartizan("cards", HIGHEST, "--value", "--games", 50, "-o", tmp_path / "pig")
    assert result.code == 2 and "another game" in error_line(result)
    assert not (tmp_path / "pig/cards.json").exists()
