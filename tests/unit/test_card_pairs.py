"""`cards --pairs`: which two kinds reinforce each other, against exact values, and a game where no pair matters."""

from math import comb

import numpy as np
import pytest

from bartizan.analyses.experiments import card_pairs
from bartizan.analyses.statistics.paired import Values
from tests.cli.run_cli import PIG, ROOT, answered, bartizan, error_line
from tests.unit.test_cards_without import BASKET, NO_DIFFERENCE, heavy

LOCK_AND_KEY = str(ROOT / "tests/games/lock_and_key.py")


def opens() -> float:
    """Chance that three of 32 cards hold one of eight locks and one of eight keys."""
    return 1 - (2 * comb(24, 3) - comb(16, 3)) / comb(32, 3)


def test_a_planted_pair_is_found_with_its_exact_interaction():
    """Without a lock, a key or both the first player never opens: the interaction is half of the other's chance."""
    document = answered("cards", LOCK_AND_KEY, "--pairs", "--games", 1000, "--json").json
    first = document["pairs"][0]
    assert (first["cards"], first["verdict"]) == (["Lock", "Key"], "reinforce each other")
    for found, exact in ((first["interaction"], opens() / 2), *((worth, opens() / 2) for worth in first["alone"])):
        assert found["low"] < exact < found["high"]
    assert "for all 6 together (Bonferroni)" in first["interaction"]["method"]
    assert first["both"]["estimate"] == first["alone"][0]["estimate"] == first["alone"][1]["estimate"]


def test_it_is_found_under_any_seed():
    for seed in range(2, 7):
        found = bartizan("cards", LOCK_AND_KEY, "--pairs", "--games", 400, "--seed", seed, "--json").json["pairs"]
        assert found[0]["cards"] == ["Lock", "Key"] and found[0]["verdict"] == "reinforce each other"


@pytest.mark.rotating
def test_where_no_pair_matters_none_is_named():
    """5 % of runs may name one: of 20 runs more than 3 do with a chance of 1.6 %."""
    asked = ("cards", NO_DIFFERENCE, "--pairs", "--policy", "youngest", "--games", 100, "--json")
    runs = [bartizan(*asked, "--seed", seed).json["pairs"] for seed in range(20)]
    assert sum(any(pair["verdict"] for pair in pairs) for pairs in runs) <= 3


def test_two_kinds_leave_the_deck_of_everybody():
    """Against all ways counted. Pear replaces Apple, and seven cards must lie there."""
    document = answered("cards", BASKET, "--pairs", "--games", 600, "--json").json
    (pair,) = document["pairs"]
    exact = heavy(4, 3, 2, 1) - heavy(0, 7, 2, 1) - heavy(4, 3, 0, 1) + heavy(0, 7, 0, 1)
    assert pair["cards"] == ["Apple", "Plum"] and document["whose"] == "everybody"
    assert pair["interaction"]["low"] < exact < pair["interaction"]["high"]
    reasons = {tuple(one["cards"]): one["reason"] for one in document["refused"]}
    assert "Pear replaces Apple" in reasons["Apple", "Pear"]
    assert "basket.py:26" in reasons["Pear", "Plum"] and ("Melon",) in reasons


def test_of_many_pairs_a_screening_on_other_games_chooses():
    """Ten kinds make 45 pairs; only kinds 3 and 7 interact."""
    kinds, asked = {kind: f"kind {kind}" for kind in range(10)}, []
    pairs = [(one, other) for one in kinds for other in kinds if one < other]

    def played(ways, games, first_game):
        asked.append((len(ways), games, first_game))
        random = np.random.default_rng(first_game)
        wins = (random.random((games, 1 + len(ways))) < 0.5).astype(float)
        wins[:, 1 + ways.index((3, 7))] = 1.0
        wins_as_dealt = Values(np.array([0.0, 1.0]), np.array([0.0, 1.0]), np.array([games / 2] * 2))
        return card_pairs.PlayedWays(wins, wins, np.zeros(1 + len(ways), int), wins_as_dealt, (0.0, 1.0))

    result = card_pairs.analyze(played, kinds, pairs, "one seat", 400)
    assert asked[0] == (55, 100, 0) and asked[1][1:] == (400, 100)
    assert (len(result.pairs), result.compared, result.screened, result.first_game) == (10, 45, 100, 100)
    assert result.pairs[0].cards == ["kind 3", "kind 7"] and result.pairs[0].verdict


def test_cut_off_games_give_bounds():
    """Of four games two are cut off without the second kind: the interaction lies between both ends."""
    winners = np.array([[0, 0, 0, 0], [1, 1, 1, 1], [0, 0, -1, 0], [0, 0, -1, 0]], np.int8)
    winners[winners == -1] = card_pairs.TRUNCATED
    found = card_pairs.interaction(card_pairs.of_one_seat(winners, 0), 1, 2, 3)
    assert (found.least, found.most) == (0.0, 0.5)
    assert "bounds over 2 truncated games" in card_pairs.joint_interaction(found, 1, 2).method


def test_the_answer_depends_on_the_seed_alone():
    args = ("cards", LOCK_AND_KEY, "--pairs", "--games", 400, "--seed", 2, "--json")
    assert bartizan(*args, "--jobs", 1).json == bartizan(*args, "--jobs", 2).json


@pytest.mark.parametrize(
    ("args", "words"),
    [
        ((PIG, "--pairs"), "declare them with Deck(...)"),
        ((LOCK_AND_KEY, "--pairs", "--value"), "give only one of"),
        ((LOCK_AND_KEY, "--pairs", "--seat", "third"), 'unknown seat "third"'),
        ((BASKET, "--pairs", "--seat", "player"), "requires identical seats"),
        ((LOCK_AND_KEY, "--pairs", "-o", "pairs.xlsx"), "--json"),
    ],
)
def test_what_cannot_be_asked_is_refused_in_one_line(args, words):
    assert words in error_line(bartizan("cards", *args))


def test_fractions_that_add_up_differ_in_no_game():
    """Scores in tenths: each kind is worth 0.1 wherever it is, so the four results cancel but for their rounding."""
    dealt = np.arange(1, 400) / 10
    scores = np.column_stack([dealt, dealt + 0.1, dealt + 0.2, dealt + 0.3])
    cut, wins = np.zeros(4, np.int64), Values(np.zeros(1), np.zeros(1), np.array([399.0]))
    outcomes = card_pairs.PlayedWays(scores, scores, cut, wins, None, "score")
    assert np.ptp(card_pairs.interaction(outcomes, 1, 2, 3).low) == 0
