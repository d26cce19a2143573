"""Judgements with a weight of 0, which only other weights make (policies/*/trained): what each of them counts."""

import numpy as np
import pytest

from bartizan.policies.castle.reserves import price_contest
from bartizan.policies.castle.weights import WEIGHTS
from bartizan.policies.colditz.aids import is_doorway
from bartizan.policies.rampage.greedy import beyond
from bartizan.simcore.colditz.components import NONE
from bartizan.simcore.rampage.tables import STRONGEST
from tests import castle_table, colditz_table, rampage_table


def weights(**changes: float) -> np.ndarray:
    return np.array(list((WEIGHTS | changes).values()))


def test_a_share_of_a_strength_hopes_for_what_lies_between():
    t = rampage_table.tables_of(frozenset())
    for low, high, between in zip(beyond(t, 2, 3, 4.0), beyond(t, 2, 3, 5.0), beyond(t, 2, 3, 4.25), strict=True):
        assert between == pytest.approx(0.75 * low + 0.25 * high) and low <= between <= high
    assert beyond(t, 2, 3, STRONGEST + 5.5) == beyond(t, 2, 3, float(STRONGEST))
    assert beyond(t, 2, 3, 4.25)[0] > beyond(t, 2, 3, 4.0)[0], "they differ"


def test_a_joker_is_contested_as_long_as_points_are_lacking():
    table = castle_table.Table(2, jokers=1).pool(0, "4C", "9C")
    s, t, w = table.state, table.tables, weights(contest=20.0)
    four, nine = castle_table.card("4C"), castle_table.card("9C")
    assert price_contest(s, t, 0, four, w) == pytest.approx(20.0 * 4 / 6 - 4 * WEIGHTS["thrift"])
    assert price_contest(s, t, 0, nine, w) == pytest.approx(20.0 - 9 * WEIGHTS["thrift"])
    s.added[0] = 1 << nine
    assert price_contest(s, t, 0, four, w) == pytest.approx(-4 * WEIGHTS["thrift"]), "no die makes up for nine"
    assert price_contest(s, t, 0, four, weights()) == -1.0


def test_doorways_are_where_rooms_are_left():
    t = colditz_table.tables_of(frozenset())
    board = t.board
    spaces = [c for c in range(len(board.room)) if board.room[c] != NONE]
    doorways = [c for c in spaces if is_doorway(t, c)]
    assert {int(board.room[c]) for c in doorways} == {int(board.room[c]) for c in spaces}, "every room has one"
    assert len(doorways) < len(spaces) / 2
    assert not any(is_doorway(t, c) for c in range(len(board.room)) if board.room[c] == NONE)
