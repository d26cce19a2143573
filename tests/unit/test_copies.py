"""A copy of a state has all of the game and nothing of the scratch."""

import numpy as np
import pytest
from numba import njit
from numba.core.errors import TypingError

from bartizan.policies.request import Request
from bartizan.simcore.colditz.rules.ways import LAST_SEARCH
from bartizan.simcore.compile.copies import SCRATCH, copy_state
from bartizan.simcore.play.replay import OneGame

SCRATCHED = np.dtype([("turn", "i4"), ("pile", "i2", (3,)), SCRATCH, ("queue", "i4", (2,))], align=True)


@njit
def copied(states):
    copy_state(states[1], states[0])


@pytest.mark.parametrize("dtype", [SCRATCHED, np.dtype([("turn", "i4"), ("pile", "i2", (3,))])])
def test_what_lies_behind_the_mark_stays(dtype):
    states = np.zeros(2, dtype)
    for name in dtype.names:
        states[name][0], states[name][1] = 5, 7
    before = states.copy()
    copied(states)
    kept = [name for name in dtype.names[2:]]
    assert states[0] == before[0] and all((states[name][1] == 5).all() for name in ("turn", "pile"))
    assert all((states[name][1] == 7).all() for name in kept)


def test_states_of_two_games_are_refused():
    with pytest.raises(TypingError, match="states of the same game"):
        njit(lambda one, other: copy_state(one[0], other[0]))(np.zeros(1, SCRATCHED), np.zeros(1, [("turn", "i4")]))


@pytest.mark.parametrize("searched", [0, LAST_SEARCH - 5])
def test_a_game_of_colditz_goes_on_alike_from_a_copy_beside_the_scratch_of_another(searched):
    """The marks of other searches are taken for none of its own, and the number of the last search may be reached."""
    line_up = ("allied=escape_officer", "german=security_officer")
    match = Request("colditz", policy=line_up).match(11, "")
    one, copy = OneGame(match), OneGame(match)
    one.begin(11, 1)
    copy.begin(11, 2)
    for _ in range(100):
        one.apply(one.decide())
        copy.apply(copy.decide())
    names = one.engine.state_dtype.names
    for name in names[: names.index(SCRATCH[0])]:
        copy.state[name] = one.state[name]
    copy.plies, copy.number = one.plies, one.number
    if searched:
        copy.state["search"] = searched
    for _ in range(200):
        assert (one.legal() == copy.legal()).all()
        action = one.decide()
        assert copy.decide() == action
        one.apply(action)
        copy.apply(action)
    assert one.record() == copy.record() and (copy.state["search"] < LAST_SEARCH - 5 or not searched)
