"""Value against cost: lines known in advance, errors that know of common luck, and what is refused."""

import numpy as np
import pytest
from scipy import special

from bartizan.analyses.experiments.cards import card_prices, card_values, line_weights, not_told_from_best
from bartizan.reports.views import cards as views
from bartizan.simcore.compile.rules import NO_CARD, NOT_THERE, TRUNCATED

GAMES = 1000
COSTS = {0: 0, 1: 0, 2: 1, 3: 2, 4: 2}
KINDS = dict(enumerate("abcde"))


def outcomes_of(shares, games=GAMES):
    """Outcomes [game, 1 + kind] on luck that is common to all: in the first `share` of the games the seat wins, as dealt in half of them."""
    wins = np.round(np.array([0.5, *shares]) * games)
    return np.where(np.arange(games)[:, None] < wins, 0, 1).astype(np.int8)


def test_an_exact_line():
    found = card_prices(outcomes_of([0.3 + 0.1 * cost for cost in COSTS.values()]), 0, KINDS, COSTS)
    assert found.why_not == ""
    assert found.at_cost_0.estimate == pytest.approx(-0.2) and found.each_card_of_cost.estimate == pytest.approx(0.1)
    assert [card.residual.estimate for card in found.cards] == pytest.approx([0.0] * 5, abs=1e-12)
    assert all(card.verdict == "" and card.p == pytest.approx(1) for card in found.cards)
    assert {card.card: card.cost for card in found.cards} == dict(zip(KINDS.values(), COSTS.values()))
    assert se_of(found.each_card_of_cost, GAMES) == pytest.approx(
        float(np.sqrt(slope_variance([0.3 + 0.1 * cost for cost in COSTS.values()]))), rel=2e-3
    )


def se_of(interval, games):
    """The standard error behind an interval by Student's t."""
    return interval.half_width / special.stdtrit(games - 1, 0.975)


def slope_variance(shares):
    """By hand: wins with the cards of a cost are nested, the covariance of two is p (1 - q) / n; the line's weights from the paired differences."""
    p = np.array(shares)
    low, high = np.minimum.outer(p, p), np.maximum.outer(p, p)
    with_base = np.minimum(p, 0.5) - p * 0.5  # covariance of a card with the card as dealt
    spread = (low * (1 - high) - with_base[:, None] - with_base[None, :] + 0.25) / GAMES
    slope = line_weights(np.array(list(COSTS.values()), float), np.diag(spread))[1]
    return slope @ spread @ slope


def test_weights_are_those_of_weighted_least_squares():
    cost = np.array([0.0, 0, 1, 2, 3])
    variance = np.array([1.0, 2, 3, 1, 2]) / 1e4
    values = np.array([0.1, 0.0, 0.3, 0.2, 0.6])
    slope, start = np.polyfit(cost, values, 1, w=1 / np.sqrt(variance))
    assert line_weights(cost, variance) @ values == pytest.approx([start, slope])
    assert line_weights(cost, np.zeros(5)) @ values == pytest.approx(np.polyfit(cost, values, 1)[::-1])


def test_a_cheap_card_and_a_dear_one_are_told():
    found = card_prices(outcomes_of([0.2, 0.5, 0.4, 0.45, 0.7]), 0, KINDS, COSTS)
    assert (found.cards[0].verdict, found.cards[-1].verdict) == ("cheap", "dear")
    assert {found.cards[0].card, found.cards[-1].card} <= {"a", "b", "d", "e"}
    assert found.cards[0].p_adjusted >= found.cards[0].p
    assert views.price_verdict(found).startswith(
        f"Cheap for its price (percentage points from the line): {found.cards[0].card} +"
    )
    assert "each card of cost adds +" in views.price_line(found)


def test_luck_that_all_cards_share_cancels():
    """All kinds win the same games: however wide their values are, none lies beside the line."""
    won = np.random.default_rng(1).random((GAMES, 1)) < 0.5
    outcomes = np.hstack([np.random.default_rng(2).random((GAMES, 1)) < 0.5, np.repeat(won, 5, axis=1)]).astype(np.int8)
    found = card_prices(outcomes, 0, KINDS, COSTS)
    se = se_of(found.at_cost_0, GAMES)
    assert se > 0.01
    rounding = 1e-9 * se
    assert all(card.se is None and abs(card.residual.estimate) < rounding for card in found.cards)


def test_errors_are_those_that_repeating_the_games_shows():
    """Kinds that are missing in some games, coupled by common luck: the standard errors against the spread of 400 repetitions."""
    luck, shares = np.random.default_rng(3), np.array([0.5, 0.3, 0.35, 0.4, 0.5, 0.55])
    slopes, rests, errors = [], [], []
    for _ in range(400):
        outcomes = np.where((luck.random((300, 1)) + 0.3 * luck.random((300, 6))) / 1.3 < shares, 0, 1).astype(np.int8)
        outcomes[:, 1:][luck.random((300, 5)) < 0.2] = NOT_THERE
        found = card_prices(outcomes, 0, KINDS, COSTS)
        by_name = {card.card: card for card in found.cards}
        slopes.append(found.each_card_of_cost.estimate)
        rests.append([by_name[name].residual.estimate for name in KINDS.values()])
        errors.append([se_of(found.each_card_of_cost, 300), *(by_name[name].se for name in KINDS.values())])
    shown = np.std(np.column_stack([slopes, rests]), axis=0)
    assert np.mean(errors, axis=0) == pytest.approx(shown, rel=0.15)


def test_the_card_that_others_are_compared_with_takes_part():
    found = card_prices(outcomes_of([0.2, 0.5, 0.4, 0.45, 0.7]), 0, KINDS, COSTS, against=2)
    assert {card.card: card.value for card in found.cards} == pytest.approx(
        {"a": -0.2, "b": 0.1, "c": 0.0, "d": 0.05, "e": 0.3}
    )
    for card in found.cards:
        line = found.at_cost_0.estimate + card.cost * found.each_card_of_cost.estimate
        assert card.residual.estimate == pytest.approx(card.value - line) and card.se > 0


@pytest.mark.parametrize(
    ("costs", "words"),
    [
        (dict.fromkeys(KINDS, 1), "every card costs 1"),
        (dict.fromkeys(KINDS, 0) | {4: 2}, "every card but e costs 0"),
        ({}, "no card with a cost"),
    ],
)
def test_costs_that_do_not_vary_enough(costs, words):
    prices = card_prices(outcomes_of([0.3] * 5), 0, KINDS, costs)
    assert words in prices.why_not and words in views.price_line(prices) and set(prices.plain()) == {"why_not"}


def test_games_that_do_not_count_and_games_cut_off():
    outcomes = outcomes_of([0.3 + 0.1 * cost for cost in COSTS.values()])
    missed = np.full((100, 6), NO_CARD, np.int8)
    missed[:, 0] = 1
    assert card_prices(np.vstack([outcomes, missed]), 0, KINDS, COSTS) == card_prices(outcomes, 0, KINDS, COSTS)
    outcomes[-100:, 5] = TRUNCATED  # of games that were lost: half a win each
    found = {card.card: card.value for card in card_prices(outcomes, 0, KINDS, COSTS).cards}
    assert found["e"] == pytest.approx(0.05) and found["d"] == pytest.approx(0.0)


# ---------------------------------------------------------------- the best card, in a sentence


def document_of(outcomes, against=None):
    found = card_values(outcomes, 0, KINDS, against)
    rivals = not_told_from_best(outcomes, 0, KINDS, found.cards[0].card)
    game = {
        "schema_": "",
        "game": "",
        "title": "",
        "scenario": "",
        "scenario_hash": "",
        "behaviour": 1,
        "policies": [],
        "seed": 1,
    }
    return views.ValueDocument(**game, **dict(found), turn=3, seat="first", not_told_from_best=rivals)


def test_the_best_card_in_words():
    said = views.best(document_of(outcomes_of([0.3, 0.4, 0.45, 0.52, 0.7])))
    assert said.startswith(
        "The best card to hold at card 3 of the first player is e: it wins 20.0 percentage points more games than the card as dealt (95\u00a0% +16.7 to +23.3, simultaneous for all cards; 1,000 games, p "
    )
    assert said.endswith("adjusted for 5 cards).")


def test_a_best_card_that_others_may_equal_names_them():
    outcomes = outcomes_of([0.3, 0.4, 0.45, 0.699, 0.7])
    document = document_of(outcomes)
    assert document.not_told_from_best == ["d"]
    assert views.best(document).endswith("D may be as good (all pairs compared, Bonferroni).")


def test_no_best_card_where_none_can_be_told():
    luck = np.random.default_rng(5)
    said = views.best(document_of((luck.random((200, 6)) < 0.5).astype(np.int8)))
    assert said.startswith(
        "No card to hold at card 3 of the first player is significantly better than the card as dealt. The best estimate is "
    )
    assert "than e" in views.best(document_of(outcomes_of([0.3, 0.4, 0.45, 0.52, 0.7]), against=4))
