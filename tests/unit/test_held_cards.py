"""`cards --usage` and `--value` of short games, seen from the cards that players hold: against exact values."""

from itertools import product
from math import comb
from types import SimpleNamespace

import numpy as np
import pytest

from bartizan.analyses.experiments.cards import card_values
from bartizan.analyses.experiments.drawn_cards import DrawnGames, difference_of_rates
from bartizan.analyses.statistics.intervals import Interval
from bartizan.api.answers.card_sheets import of_values, of_without
from bartizan.api.answers.card_table import card_table
from bartizan.api.answers.cards import if_chosen
from bartizan.api.questions.in_games import CardsQuestion
from bartizan.policies.registry import find_player
from bartizan.simcore.compile.rules import NO_CARD, NOT_THERE
from bartizan.simcore.game import cards_of, load_game
from bartizan.simcore.play.held_cards import BY_OTHERS, KEPT, PUT_AWAY, Watched, held_cards_of, note_change
from bartizan.simcore.play.match import Match
from bartizan.simcore.scenario.loading import load_scenario
from tests.cli.run_cli import PIG, ROOT, answered, bartizan, error_line

DUEL, BASKET = str(ROOT / "tests/games/card_duel.py"), str(ROOT / "tests/games/basket.py")
ORCHARD, NO_THANKS = str(ROOT / "examples/short/orchard.py"), str(ROOT / "examples/short/no_thanks.py")


def document(*args):
    return answered("cards", *args, "--json").json


def wins_of_three(mine: tuple, theirs: tuple) -> float:
    """Chance that I win two of three rounds or more: 1 stands for a Dragon, a throw decides between equals."""
    rounds = [0.5 + (a - b) / 2 for a, b in zip(mine, theirs)]
    return sum(
        np.prod([chance if won else 1 - chance for chance, won in zip(rounds, ways)])
        for ways in product((0, 1), repeat=3)
        if sum(ways) >= 2
    )


def chance_of_win(mine: int, pile: int, dragons: int) -> float:
    """With so many Dragons of three cards in hand, while the other draws from a pile with some."""
    total = 0.0
    for theirs in range(min(dragons, 3) + 1):
        chance = comb(dragons, theirs) * comb(pile - dragons, 3 - theirs) / comb(pile, 3)
        ways = [
            wins_of_three(a, b)
            for a in set(product((0, 1), repeat=3))
            for b in set(product((0, 1), repeat=3))
            if sum(a) == mine and sum(b) == theirs
        ]
        total += chance * np.mean(ways)
    return total


def test_win_rates_by_drawn_card_are_the_exact_ones():
    dealt = {d: comb(4, d) * comb(32, 3 - d) / comb(36, 3) for d in range(4)}
    win = {d: chance_of_win(d, 33, 4 - d) for d in range(4)}
    exact = sum(dealt[d] * win[d] for d in (1, 2, 3)) / sum(dealt[d] for d in (1, 2, 3))
    (dragon,) = (card for card in document(DUEL, "--usage", "--games", 2000)["drawn"] if card["card"] == "Dragon")
    assert dragon["won_if_drawn"]["low"] < exact < dragon["won_if_drawn"]["high"]
    assert dragon["won_otherwise"]["low"] < win[0] < dragon["won_otherwise"]["high"]
    assert dragon["difference"]["low"] < exact - win[0] < dragon["difference"]["high"]
    assert dragon["drew"] + dragon["others"] == 2 * 2000 and "linearised" in dragon["difference"]["method"]


def watched_hands(before, after, chosen=None, together=False):
    """Two kinds of action and two kinds of cards; the players of both sides alternate."""
    seats = np.arange(len(after))[:, None] % 2
    hands = [np.hstack([seats, np.array(cards)]).astype(np.int32) for cards in (before, after)]
    told = np.zeros((len(after), 2 + 16), np.int32)
    for player, (act, *cards) in (chosen or {}).items():
        told[player, : 2 + len(cards)] = [1 + act, len(cards), *cards]
    return Watched(*hands, told, np.array([together] * 2, np.int8), np.zeros((2, 2), np.int8), 1)


def changes(watched, mover):
    """Return [kind, arrived, used by actions 0 and 1, PUT_AWAY, BY_OTHERS, KEPT] and who drew."""
    ends, drew = np.zeros((2, 6), np.int32), np.zeros((2, 2), np.int8)
    note_change(watched, mover, ends, drew)
    assert (watched.before == watched.after).all()
    return ends.tolist(), drew.tolist()


def test_a_card_that_comes_to_a_player_counts_for_the_seat():
    """Two sides of two players each: the last player draws two cards of kind 1, for side 1."""
    watched = watched_hands([[0, 0]] * 4, [[0, 0]] * 3 + [[0, 2]], {0: (0,)})
    assert changes(watched, 0) == ([[0] * 6, [2, 0, 0, 0, 0, 0]], [[0, 0], [0, 1]])


def test_a_card_that_passes_to_another_player_is_neither_a_new_copy_nor_put_away():
    """The mover plays a card of kind 0; then both players exchange their hands."""
    watched = watched_hands([[1, 1], [0, 2]], [[0, 2], [0, 1]], {0: (0, 0)})
    assert changes(watched, 0) == ([[0, 1, 0, 0, 0, 0], [0] * 6], [[0, 0], [1, 0]])


def test_simultaneous_choices_use_the_cards_of_every_player():
    """Each of three players takes one of two cards of kind 0, and passes the other to the next player."""
    chosen = {player: (1, 0) for player in range(3)}
    watched = watched_hands([[2, 0]] * 3, [[2, 0]] * 3, chosen, together=True)
    assert changes(watched, 1) == ([[0] * 6] * 2, [[0, 0]] * 2) and watched.chosen[:, 0].all()  # held back
    watched.after[:, 1] = 1
    assert changes(watched, 2)[0] == [[0, 0, 3, 0, 0, 0], [0] * 6] and not watched.chosen[:, 0].any()


DRAFT = """
from bartizan.short import *
players = 3
simultaneous = ["pick"]
deck = Deck({"Axe": 4, "Bow": 4, "Cup": 4})
hand, taken = Hand(deck, 3), Pile(deck, each=True)
def setup(s, n):
    deal(s, s.deck, s.hand, 3)
def pick(s, n, card: hand):
    move(s.hand[s.me], card, s.taken[s.me])
def after_reveal(s, n):
    pass_left(s, s.hand)
    if empty(s.hand[0]):
        tie(s, "drafted")
def anything(s, n, legal):
    "Picks at random."
    return any_of(s, legal)
"""


def test_in_a_draft_every_card_dealt_is_picked_once(tmp_path):
    path = tmp_path / "draft.py"
    path.write_text(DRAFT)
    draft = document(path, "--usage", "--games", 100)
    assert sum(card["copies"] for card in draft["cards"]) == 9 * 100 and draft["uses"] == ["pick"]
    assert all(card["as_printed"]["copies"] == card["copies"] for card in draft["cards"]) and not draft["dead"]


def test_every_card_that_comes_ends_somewhere():
    duel = document(DUEL, "--usage", "--games", 300)
    assert duel["uses"] == ["lay down"] and sum(card["copies"] for card in duel["cards"]) == 6 * 300
    for card in duel["cards"]:
        assert sum(use["copies"] for use in card["uses"]) == card["copies"] == card["as_printed"]["copies"]


@pytest.mark.slow  # three examples are compiled
def test_cards_that_are_put_away_or_kept():
    orchard = document(ORCHARD, "--usage", "--games", 100)
    assert orchard["uses"] == ["lay down", PUT_AWAY, KEPT] and set(orchard["dead"]) == {"Sapling", "Apple Tree"}
    for card in orchard["cards"]:
        assert sum(use["copies"] for use in card["uses"]) == card["copies"]
    taken = document(NO_THANKS, "--usage", "--games", 50)  # no hands: what lies before a player is not used
    assert taken["uses"] == taken["cards"] == [] and taken["by"] == "owned"
    assert sum(card["drew"] for card in taken["drawn"]) == 50 * 24
    assert "no hands; players hold cards in taken. So no use is shown" in taken["caveat"]


CHOOSING = {
    "splendor": ("reserve", "buy", "host"),
    "dominion": ("gain", "buy", "improve", "replace"),
    "fliptoons": ("hire",),
    "orchard": ("buy",),
    "love_letter": (),
    "sushi_go": (),
    "no_thanks": (),
}


@pytest.mark.parametrize(("name", "acts"), CHOOSING.items(), ids=CHOOSING)
def test_where_players_choose_cards_the_result_says_what_it_does_not_measure(name, acts):
    game = load_game(str(ROOT / f"examples/short/{name}.py"))
    assert set(acts) == set(cards_of(game).chosen_with)
    scenario = load_scenario(game)
    player = find_player(game, game.default_policy)
    match = Match(game, scenario, (player,) * len(game.roles_in(scenario)), 1)
    for caveat in (if_chosen(match), if_chosen(match, is_removed=True)):
        assert bool(acts) == ("--change policy=NEW+" in (caveat or ""))
        assert bool(acts) == ("worth is not the effect of never choosing (or buying) the card" in (caveat or ""))


def test_piles_of_a_game_without_hands():
    for name, piles in (("fliptoons", ("stock", "grid", "dismissed", "aside")), ("splendor", ())):
        assert cards_of(load_game(str(ROOT / f"examples/short/{name}.py"))).piles_for_hands == piles


@pytest.mark.slow
def test_what_others_take_is_no_use_of_the_holder():
    """Love Letter: a Prince or a Guard takes the card of another player."""
    it = load_game(str(ROOT / "examples/short/love_letter.py"))
    scenario = load_scenario(it)
    match = Match(it, scenario, (find_player(it, "sage"),) * 4, 1)
    watched = held_cards_of(match)
    ends = np.concatenate([chunk.ends for chunk in watched.play(range(40))]).sum(axis=0)
    column = {use: 1 + watched.uses.index(use) for use in ("play", BY_OTHERS)}
    princess = list(watched.kinds.values()).index("Princess")
    assert ends[princess, column["play"]] == 0 < ends[princess, column[BY_OTHERS]]
    assert (ends[:, 0] == ends[:, 1:].sum(axis=1)).all()


def test_the_value_of_a_dragon_in_hand_is_the_exact_one():
    """The last card dealt becomes a Dragon of the pile: the other player's cards stay."""
    result = document(DUEL, "--value", "--games", 1500)
    dragon = result["cards"][0]
    assert dragon["card"] == "Dragon" and dragon["joint"]["low"] > 0 and result["seat"] == "first"
    assert "for all 10 together" in dragon["joint"]["method"], "five values of cards, and their five prices"
    # own Dragons among the two other cards, given that a Dragon is left in the pile or is the card itself:
    # nearly always, so that the unconditional chances are within the interval
    others = {d: comb(4, d) * comb(32, 2 - d) / comb(36, 2) for d in range(3)}
    exact = sum(others[d] * chance_of_win(d + 1, 34, 4 - d) for d in range(3))
    assert exact == pytest.approx(dragon["wins"]["estimate"], abs=0.04)
    assert result["price"]["unit"] == "cost" and result["price"]["cards"][0]["card"] == "Dragon"
    assert result["price"]["cards"][0]["verdict"] == "cheap"
    by_strength = document(DUEL, "--value", "--games", 300, "--cost", "strength")["price"]
    assert by_strength["why_not"].startswith("the costs do not vary enough: every card but Dragon costs 2")


def test_scores_are_compared_where_nobody_wins():
    """Two games as dealt and with either kind: five points more with the second, which one game has not."""
    outcomes = np.array([[-1, -1, -1], [-1, -1, NOT_THERE], [-1, -1, -1], [NO_CARD] * 3], np.int8)
    scores = np.array([[3, 4, 8], [1, 0, 0], [2, 2, 7], [0, 0, 0]], np.int32)
    result = card_values(outcomes, 0, {0: "Ash", 1: "Elm"}, scores=scores)
    assert result.by == "score" and [card.card for card in result.cards] == ["Elm", "Ash"]
    assert [(card.pairs, card.value.estimate) for card in result.cards] == [(2, 5.0), (3, 0.0)]


@pytest.mark.slow
def test_hanabi_is_about_scores():
    result = document(str(ROOT / "examples/short/hanabi.py"), "--value", "--games", 60)
    assert result["by"] == "score" and all("Student t" in card["value"]["method"] for card in result["cards"])


def test_the_table_of_a_sheet():
    question = CardsQuestion(name=DUEL, games=300)
    table = card_table(question, question.request())
    dragon = table.rows[-1]
    assert [row.name for row in table.rows] == ["Ant", "Bee", "Cat", "Dog", "Dragon"] and table.value_is == "wins"
    assert (dragon.deck, dragon.key, dragon.copies, dragon.verdict) == ("deck", "dragon", 4, "carries wins")
    assert dragon.value.low > 0 and dragon.used.estimate == 1 and dragon.won_if_drawn.estimate > 0.5
    question = CardsQuestion(name=BASKET, games=100)
    melon = card_table(question, question.request()).rows[-1]
    assert (melon.name, melon.value, melon.used, melon.won_if_drawn) == ("Melon", None, None, None)


def test_rates_of_two_halves_of_each_game():
    """Two players a game, one drew the card: their rates move against each other, so the difference counts twice."""
    won = np.array([1, 0, 1, 1] * 25)
    found = difference_of_rates(won, np.ones(100, int), 1 - won, np.ones(100, int))
    assert found.estimate == pytest.approx(0.5) and found.half_width == pytest.approx(2 * 1.984 * 0.0435, rel=0.01)


def test_sums_over_games_give_the_difference_of_the_games_themselves():
    """Three players; those who drew a card and those who did not win in the same games, so their rates are dependent."""
    luck = np.random.default_rng(1)
    drew, winners = luck.integers(0, 2, (300, 1, 3)), luck.integers(-1, 3, 300)
    sums, won = DrawnGames(1), winners[:, None] == np.arange(3)
    for part in (slice(0, 100), slice(100, 300)):
        sums.add(drew[part], winners[part], 3)
    mine, theirs = (((flags & won).sum(axis=1), flags.sum(axis=1)) for flags in (drew[:, 0], 1 - drew[:, 0]))
    found, expected = sums.cards(["Ant"])[0].difference, difference_of_rates(*mine, *theirs)
    assert found.estimate == pytest.approx(expected.estimate)
    assert found.half_width == pytest.approx(expected.half_width)


@pytest.mark.parametrize(
    ("args", "words"),
    [
        ((BASKET, "--usage"), "players hold no cards"),
        ((BASKET, "--value"), "cannot be exchanged"),
        ((DUEL, "--value", "--cost", "prize"), "--cost prize: no such column of cards"),
        ((DUEL, "--usage", "--cost", "cost"), "--cost requires --value"),
        ((DUEL, "--value", "--turn", 9, "--games", 20), "does not draw cards 9 times in any of 20 games"),
        ((PIG, "--usage"), "declare them with Deck(...)"),
    ],
)
def test_what_cannot_be_asked_is_refused_in_one_line(args, words):
    assert words in error_line(bartizan("cards", *args))


def test_for_a_reader():
    used, worth = (bartizan("cards", DUEL, asked, "--games", 60).out for asked in ("--usage", "--value"))
    for part in ("A correlation", "Who wins with each card", "Used: lay down", "No kind is rarely used"):
        assert part in used, part
    assert "each point of cost adds" in worth and "Value against cost" in worth
    families = "5 cards in 2 families (value, residual)"
    assert f"simultaneous for all {families}" in worth and f" adjusted for {families})" in worth


def test_without_a_line_of_prices_values_are_the_only_family():
    result = document(DUEL, "--value", "--games", 60, "--cost", "strength")
    assert "for all 5 together" in result["cards"][0]["joint"]["method"]


def test_findings_in_scores_are_points_in_the_sheet():
    """A value in points is no share of wins, and a kind that is left out has a worth."""
    points = Interval(1.25, 0.5, 2.0, 0.95, "Student t")
    (by_value,) = of_values(SimpleNamespace(price=None, by="score", cards=[held(points)]))
    (by_worth,) = of_without(SimpleNamespace(by="score", cards=[left(points)]))
    assert list(by_value.cells.items())[:3] == [("Value, points", 1.2), ("Low, points", 0.5), ("High, points", 2.0)]
    assert list(by_worth.cells)[:3] == ["Worth, points", "Low, points", "High, points"]


def held(value):
    return SimpleNamespace(card="Ant", joint=value, value=value, p_adjusted=0.01)


def left(value):
    return SimpleNamespace(card="Ant", verdict="", ranked=lambda by: value)
