"""What policies are told an attack may hope for, against attacks on decks shuffled at random (RULES.md, section 5)."""

from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from bartizan.policies.rampage.tactician import AT, worth_of_effect
from bartizan.simcore.game import load_game
from bartizan.simcore.rampage.components import Op
from bartizan.simcore.rampage.tables import MOST, STRONGEST, hopes, shares
from bartizan.simcore.scenario.loading import load_scenario
from tests.rampage_table import Table

MODEL = load_scenario(load_game("rampage")).model
HOPES = hopes(MODEL)


def attack(gate: tuple[int, ...], castle: tuple[int, ...], strength: int) -> tuple[int, int, int]:
    """5.2 - 5.6 in plain words: (Gate cards felled, Castle cards felled, is the Castle gone)."""
    fallen = [0, 0]
    for structure, cards in enumerate((gate, castle)):
        for d in cards:
            if d > strength or strength == 0:
                return *fallen, 0
            fallen[structure] += 1
            strength -= d
            if strength == 0 and structure == 0:
                return *fallen, 0
    return *fallen, int(fallen[1] == len(castle))


def expected(gate: int, castle: int, strength: int) -> tuple[Fraction, ...]:
    """Every way the cards may lie, each with its chance."""
    counts = {structure: {} for structure in ("gate", "castle")}
    for card in MODEL.card.values():
        for structure, found in counts.items():
            found[getattr(card, structure)] = found.get(getattr(card, structure), 0) + card.count
    total, size = [Fraction(0)] * 3, MODEL.deck_size()
    for lying in product(*[counts["gate"]] * gate, *[counts["castle"]] * castle):
        weight = Fraction(1)
        for i, d in enumerate(lying):
            weight *= Fraction(counts["gate" if i < gate else "castle"][d], size)
        for i, n in enumerate(attack(lying[:gate], lying[gate:], strength)):
            total[i] += weight * n
    return tuple(total)


@pytest.mark.parametrize(("gate", "castle"), [(0, 1), (0, 3), (1, 1), (1, 2), (2, 2), (3, 1)])
def test_hopes_are_exact(gate, castle):
    for strength in range(1, 16):
        gates, castles, wins = expected(gate, castle, strength)
        assert HOPES.gates[gate, strength] == pytest.approx(float(gates))
        assert HOPES.castles[gate, castle, strength] == pytest.approx(float(castles))
        assert HOPES.wins[gate, castle, strength] == pytest.approx(float(wins))


def test_hopes_keep_their_bounds():
    assert HOPES.wins.min() >= 0 and HOPES.wins.max() <= 1 + 1e-12
    assert (np.diff(HOPES.gates, axis=1) >= -1e-12).all(), "more strength never fells fewer Gate cards"
    assert HOPES.castles.shape == (MOST + 1, MOST + 1, STRONGEST + 1)
    assert shares(MODEL, "gate").sum() == pytest.approx(1)


def test_cards_without_defence_fall_to_any_attack():
    weak = {f"card.{key}.{structure}": 0 for key in MODEL.card for structure in ("gate", "castle")}
    found = hopes(load_scenario(load_game("rampage"), sets=weak).model)
    assert found.gates[3, 1] == 3 and found.castles[3, 2, 1] == 2 and found.wins[3, 2, 1] == 1


@pytest.mark.parametrize(("theirs", "lost"), [("", 0), ("knight", 1), ("knight knight knight", 2)])
def test_a_discard_is_worth_the_cards_that_the_opponent_has(theirs, lost):
    """7.4. The tactician's own hand has no part in it."""
    table, weights = Table().hand(0, "knight").hand(1, theirs), np.ones(len(AT))
    assert worth_of_effect(table.state, table.tables, 0, Op.opp_discard_random, 2, weights) == 2 * lost
