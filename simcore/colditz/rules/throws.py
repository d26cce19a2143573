"""3. Dice: throws and what they draw."""

from bartizan.simcore.compile.jit import jit
from bartizan.simcore.rng import die


@jit
def throw(state, tables, purpose):
    """3.1: roll the dice; a double is rolled again and added. Returns the total; leaves first_roll, last_roll
    and doubles in `state` (modified).

    tables.roll_cap bounds the rolls (Q2); 0: no bound. A double on the last allowed roll counts as a double.
    """
    total = 0
    state.doubles = 0
    state.first_roll = 0
    rolls = 0
    while True:
        a = die(state, purpose, tables.die_sides)
        b = die(state, purpose, tables.die_sides)
        rolls += 1
        total += a + b
        state.last_roll = a + b
        if rolls == 1:
            state.first_roll = a + b
        if a != b:
            return total
        state.doubles += 1
        if rolls == tables.roll_cap:
            return total


@jit
def throws(state, tables, purpose, n):
    """The total of n throws (Do or Die, Staff Car); 3.8: they draw no card.

    Modifies the luck of `purpose`.
    """
    total = 0
    for _ in range(n):
        total += throw(state, tables, purpose)
    return total


@jit
def draws(state, tables):
    """3.3: does the last throw draw a card? Only its last roll can: a double is even."""
    for i in range(tables.n_draws_on):
        if state.last_roll == tables.draws_on[i]:
            return True
    return False
