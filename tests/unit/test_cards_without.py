"""`cards --without`: which kinds carry the wins, against exact values, long runs, and a game where none matters."""

from math import comb

import numpy as np
import pytest

from bartizan.analyses.experiments.without import taken_from_one
from bartizan.policies.registry import find_player
from bartizan.simcore.arrays import as_records
from bartizan.simcore.compile.loops import new_states
from bartizan.simcore.game import cards_of, load_game
from bartizan.simcore.kit.piles import another_of
from bartizan.simcore.play.match import Match
from bartizan.simcore.play.state_space import Uncompiled
from bartizan.simcore.play.without import Without
from bartizan.simcore.scenario.loading import load_scenario
from tests.cli.run_cli import ROOT, answered, bartizan, error_line

DUEL, BASKET = str(ROOT / "tests/games/card_duel.py"), str(ROOT / "tests/games/basket.py")
NO_DIFFERENCE = str(ROOT / "tests/games/no_difference/no_difference.py")
LOVE_LETTER, ORCHARD = (str(ROOT / f"examples/short/{game}.py") for game in ("love_letter", "orchard"))
# 40,000 games of seed 77: worth to a player (+-0.005), turns with her less turns without (+-0.27)
PRINCESS, FEWER_TURNS = 0.1759, 5.36


def without(game: str, policy: str, seed: int, games: int, **sets: str):
    """One seat plays without each kind."""
    it = load_game(game)
    scenario, player, of = load_scenario(it, sets=sets), find_player(it, policy), cards_of(it)
    match = Match(it, scenario, (player,) * len(it.roles_in(scenario)), seed)
    kinds, copies = of.owned(scenario), {row.name: row.copies for row in of.table(scenario)}
    outcomes = np.concatenate(list(Without(match, 0, kinds).play(range(games))))
    return taken_from_one(outcomes, 0, kinds, copies, of.copies(scenario))


def test_a_card_that_is_too_strong_leads_with_its_exact_worth():
    """Without Dragon the first player wins half if the other has none, a quarter if the other has one, else none."""
    others = [comb(4, d) * comb(32, 3 - d) / comb(36, 3) for d in (0, 1)]
    exact = 1 / 2 - others[0] / 2 - others[1] / 4
    result = without(DUEL, "plain", 1, 2000)
    first = result.cards[0]
    assert (first.card, first.verdict, first.copies, first.path) == ("Dragon", "carries wins", 4, "deck.dragon.copies")
    assert first.worth.low < exact < first.worth.high < exact + 0.03
    assert "for all 5 together (Bonferroni)" in first.worth.method


def test_cards_taken_at_different_moments_are_drawn_independently():
    """Thirty other cards in the pile: forty moments pick most of them, and each moment always the same one."""
    state = as_records(new_states(load_game(DUEL).compiled))[0]
    state.luck_key, cards, kinds = 7, np.zeros(30, np.int64), np.zeros(1, np.int64)
    with np.errstate(over="ignore"):
        drawn = [Uncompiled({}).copy(another_of)(state, cards, 0, 30, kinds, 1, mark) for mark in (*range(40), 0)]
    assert len(set(drawn)) > 15 and drawn[0] == drawn[-1]


def test_where_all_cards_are_dealt_another_player_gets_it():
    """One Dragon of six cards: without it the first player wins two rounds of two by throws."""
    copies = {"ant": "5", "bee": "0", "cat": "0", "dog": "0", "dragon": "1"}
    result = without(DUEL, "plain", 4, 1000, **{f"deck.{key}.copies": n for key, n in copies.items()})
    dragon = result.cards[0]
    assert dragon.card == "Dragon" and dragon.worth.low < 1 / 4 < dragon.worth.high
    assert dragon.wins.low < 1 / 4 < dragon.wins.high and len(result.cards) == 2


@pytest.mark.rotating
def test_a_card_planted_in_orchard_is_first_under_any_seed():
    """A Gardener that is worth four apple trees, of five kinds: the first of the list in at least 19 of 20 runs."""
    planted = {"supply.gardener.fruit": "20"}
    runs = [without(ORCHARD, "thrifty", seed, 50, **planted).cards[0] for seed in range(1, 21)]
    assert sum((first.card, first.verdict) == ("Gardener", "carries wins") for first in runs) >= 19


@pytest.mark.rotating
def test_where_no_card_matters_none_is_named():
    """5 % of runs may name one: of 20 runs more than 3 do with a chance of 1.6 %."""
    runs = [without(NO_DIFFERENCE, "youngest", seed, 100) for seed in range(20)]
    assert sum(any(card.verdict for card in run.cards) for run in runs) <= 3


def test_a_kind_leaves_the_deck_of_everybody():
    """Against all ways counted. Apple is replaced, since seven cards must lie there; a melon must be among them."""
    document = answered("cards", BASKET, "--without", "--games", 600, "--json").json
    cards = {card["card"]: card for card in document["cards"]}
    ways = {name: card["how"] for name, card in cards.items()}
    assert document["whose"] == "everybody" and ways == {"Apple": "Pear", "Pear": "nothing", "Plum": "nothing"}
    assert heavy(4, 3, 2, 1) == pytest.approx(cards["Pear"]["base_wins"]["estimate"], abs=0.06)
    for name, deck in {"Apple": (0, 7, 2, 1), "Pear": (4, 0, 2, 1), "Plum": (4, 3, 0, 1)}.items():
        worth = heavy(4, 3, 2, 1) - heavy(*deck)
        assert cards[name]["worth"]["low"] < worth < cards[name]["worth"]["high"]
    (melon,) = document["refused"]
    assert melon["card"] == "Melon" and "basket.py:23" in melon["reason"] and "\n" not in melon["reason"]
    assert "Melon cannot be left out" in bartizan("cards", BASKET, "--without", "--games", 50).out


def heavy(apples: int, pears: int, plums: int, melons: int) -> float:
    """Chance that three of these weigh 5 or more: plums weigh as much as apples."""
    ones, n = apples + plums, apples + pears + plums + melons
    ways = sum(
        comb(ones, a) * comb(pears, b) * comb(melons, 3 - a - b)
        for a in range(4)
        for b in range(4 - a)
        if a + 2 * b + 3 * (3 - a - b) >= 5
    )
    return ways / comb(n, 3)


@pytest.mark.slow
def test_what_the_princess_is_worth_to_a_player():
    """Against a long run."""
    result = without(LOVE_LETTER, "sage", 3, 400)
    princess = next(card for card in result.cards if card.card == "Princess")
    assert result.cards[0] is princess and princess.worth.low < PRINCESS < princess.worth.high


def test_how_much_longer_the_princess_makes_a_game():
    """Against a long run: she leaves the deck."""
    document = answered("cards", LOVE_LETTER, "--without", "--everybody", "--games", 150, "--seed", 3, "--json").json
    turns = next(card["turns"] for card in document["cards"] if card["card"] == "Princess")
    assert turns["low"] < FEWER_TURNS < turns["high"]


def test_the_answer_depends_on_the_seed_alone():
    args = ("cards", DUEL, "--without", "--games", 100, "--json")
    assert answered(*args).json == bartizan(*args, "--jobs", 1).json
    assert answered(*args).json["cards"] != bartizan(*args, "--seed", 2).json["cards"]
    assert answered("cards", DUEL, "--without", "--games", 100, "--seat", "second", "--json").json["seat"] == "second"


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (("itter", "--without"), "declare them with Deck(...)"),
        ((DUEL, "--without", "--value"), "give only one of"),
        ((DUEL, "--without", "--seat", "third"), 'unknown seat "third"'),
        ((DUEL, "--usage", "--everybody"), "--everybody requires --without"),
        ((BASKET, "--without", "--seat", "player"), "requires identical seats"),
        (("castle", "--pairs", "--everybody"), "not scenario values"),
        (("castle", "--without", "--everybody", "--seat", "first"), "--seat and --everybody are mutually exclusive"),
    ],
)
def test_what_cannot_be_asked_is_refused_in_one_line(args, words):
    assert words in error_line(bartizan("cards", *args))


def test_it_is_kept_in_a_sweep_and_shown_in_its_report(tmp_path):
    folder, page = tmp_path / "duel", tmp_path / "duel.md"
    assert bartizan("sweep", DUEL, "--games", 60, "-o", folder).code == 0
    for asked in ("--without", "--usage"):
        assert bartizan("cards", DUEL, asked, "--games", 200, "-o", folder).code == 0
    assert bartizan("report", folder, "-o", page).code == 0
    text = page.read_text(encoding="utf-8")
    for part in (
        "Games without each kind of card",
        "Dragon raises the win rate most",
        "Who wins with each card",
        "correlation",
    ):
        assert part in text, part
