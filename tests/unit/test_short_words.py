"""The words of short games, each against what it says."""

from itertools import product
from pathlib import Path

import numpy as np
import pytest

from bartizan import short
from bartizan.simcore import rng
from bartizan.simcore.compile.loops import new_states
from bartizan.simcore.game import load_game
from bartizan.simcore.short import words

EXAMPLES = Path(__file__).parents[2] / "examples"

BOARD = np.array([[1, 1, 0], [0, 1, 2], [2, 2, 2]])


def pile(*held, room=8):
    """Cards as a game lays them: their number, then the cards."""
    return np.array([len(held), *held, *[0] * (room - len(held))], np.int32)


def test_every_word_is_there_and_says_what_it_is():
    for name in words.__all__:
        if callable(getattr(short, name)):
            assert name in short.__all__


def test_cards_move_and_none_is_lost():
    hand, discards = pile(3, 5, 3), pile()
    assert words.move(hand, 5, discards) and not words.move(hand, 5, discards)
    assert hand[: 1 + hand[0]].tolist() == [2, 3, 3] and discards[:2].tolist() == [1, 5]
    assert words.draw(hand, discards) == 3 and words.top(discards) == 3
    words.move_all(discards, hand)
    assert words.size(discards) == 0 and sorted(words.cards(hand).tolist()) == [3, 3, 5]


def test_nothing_is_drawn_from_an_empty_pile():
    assert words.draw(pile(), pile()) == words.NONE == words.top(pile())


def test_a_full_pile_takes_no_more():
    full = pile(1, 2, room=2)
    with pytest.raises(IndexError, match="onto a full pile"):
        words.put(full, 3)
    assert full.tolist() == [2, 1, 2]


def test_sets_and_runs():
    assert words.most_of_a_kind(pile(4, 2, 4, 4)) == 3 and words.most_of_a_kind(pile()) == 0
    assert words.longest_run(pile(7, 3, 5, 4, 4)) == 3 and words.longest_run(pile()) == 0


@pytest.mark.parametrize(("direction", "cell"), list(enumerate([1, 5, 7, 3, 2, 8, 6, 0])))
def test_neighbours_lie_around(direction, cell):
    assert words.neighbour(BOARD, 4, direction) == cell


def test_there_is_nothing_beyond_the_edge():
    assert [words.neighbour(BOARD, 2, way) for way in range(8)] == [-1, -1, 5, 1, -1, -1, 4, -1]


@pytest.mark.parametrize("cell", [words.NONE, 9])
def test_a_cell_outside_the_grid_has_no_place_line_or_region(cell):
    assert words.neighbour(BOARD, cell, 2) == words.NONE and not words.adjacent(BOARD, 2, cell, True)
    for word, more in {
        words.row_of: (),
        words.column_of: (),
        words.distance: (0,),
        words.region: (),
        words.steps: (0, 1, 2),
        words.line_through: (1,),
        words.in_a_row: (1, 3),
    }.items():
        with pytest.raises(IndexError, match="no such cell"):
            word(BOARD, cell, *more)


def test_lines_regions_and_distances():
    assert words.line_through(BOARD, 7, 2) == 3 and words.in_a_row(BOARD, 8, 1, 3)  # the diagonal, if 8 held 1
    assert not words.in_a_row(BOARD, 2, 1, 4)
    assert words.region(BOARD, 0) == 3 and words.region(BOARD, 5) == 4 and words.region(BOARD, 2) == 1
    assert words.distance(BOARD, 0, 8) == 4 and words.times(BOARD, 2) == 4


def test_steps_go_through_what_is_allowed_and_end_anywhere():
    assert words.steps(BOARD, 0, 5, 1, 1) == 3 and words.steps(BOARD, 0, 0, 9, 9) == 0
    assert words.steps(BOARD, 6, 2, 2, 2) == 4 and words.steps(BOARD, 2, 3, 0, 0) == words.NONE


def test_steps_are_the_same_on_a_grid_of_more_than_62_cells():
    large = np.pad(BOARD, ((0, 7), (0, 5)), constant_values=9)
    at = np.arange(large.size).reshape(large.shape)[:3, :3].ravel()
    for cell, goal in product(range(9), repeat=2):
        assert words.steps(large, at[cell], at[goal], 1, 2) == words.steps(BOARD, cell, goal, 1, 2)


def test_cells_touch_with_a_side_or_a_corner():
    touching = [cell for cell in range(9) if words.adjacent(BOARD, 0, cell)]
    assert touching == [1, 3] and words.adjacent(BOARD, 0, 4, True) and not words.adjacent(BOARD, 2, 3, True)


def test_a_player_tosses_alike_when_it_is_asked_again():
    """30 in 100 of 4,000 decisions within 4 standard errors; a second toss of a decision is another."""
    state = new_states(load_game(str(EXAMPLES / "short" / "pig.py")).compiled)[0]
    tosses = []
    for decision in range(4000):
        state["luck"][rng.POLICY] = rng.mix(np.uint64(decision))
        tosses.append([bool(words.maybe(state, 30, toss)) for toss in (0, 0, 1)])
    first, again, second = np.array(tosses).T
    assert (first == again).all() and (first != second).any()
    assert all(abs(each.mean() - 0.3) < 4 * np.sqrt(0.3 * 0.7 / 4000) for each in (first, second))
