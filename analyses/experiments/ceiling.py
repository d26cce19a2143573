"""Upper bound on a seat's win rate that holds for every player, proved by enumerating all states of a game.

Let W be any estimate of a state's value that is 1 if the game is won, and A(s, a) = E[W(s') | s, a] - W(s).
For every player, the win rate is at most W at the start plus the expected maximum of the sum of A over all
courses of actions, even if the player knows all random numbers in advance (Brown, Smith & Sun 2010). Value
iteration downwards from W = 1 finds the smallest W with A <= 0 everywhere. Then the sum is at most 0 for any
random numbers, and W at the start is the bound; nothing is sampled. Value iteration upwards from W = 0 gives
a win rate that some player reaches (interval iteration: Haddad & Monmege 2014).
"""

from collections.abc import Sequence

import numpy as np

from bartizan.analyses.records.brackets import Ceiling
from bartizan.analyses.statistics.intervals import Interval
from bartizan.simcore.play.match import Match
from bartizan.simcore.play.state_space import StateSpace, listed

CLOSE = 1e-9  # relative difference between the proven upper and lower bound
MOST_STEPS = 20_000
METHOD = "value iteration from above and below"


def ceiling(seatings: Sequence[tuple[Match, int]], draw: float) -> Ceiling:
    """Return the upper bound on a rung's win rate, averaged over its seats.

    seatings: see `bracket.Rung`. draw: value of a draw, as a fraction of a win.
    """
    spaces = [listed(match, seat, draw) for match, seat in seatings]
    low, high = np.mean([bounds(space) for space in spaces], axis=0)
    return Ceiling(
        win_rate=Interval(float(high), float(low), float(high), 1.0, METHOD),
        states=sum(len(space.first) for space in spaces),
    )


def bounds(space: StateSpace, least: float = 1.0) -> tuple[float, float]:
    """Return a win rate that some player reaches, and one that no player exceeds.

    Both are for the start of the game.

    Their difference is less than CLOSE times the larger of the second rate and `least`, unless MOST_STEPS
    steps of value iteration are not enough.
    """
    actions, states = len(space.follows), len(space.first)
    action = np.repeat(np.arange(actions), [len(one) for one in space.follows])
    state = np.array([state for one in space.follows for state in one], np.int64)
    chance = np.array([chance for one in space.follows for chance in one.values()])
    reached, surpassed = np.zeros(states), np.ones(states)
    low = high = space.decided
    for _ in range(MOST_STEPS if states else 0):
        reached, surpassed = (
            np.maximum.reduceat(
                space.gains + np.bincount(action, chance * worth[state], actions), space.first
            )
            for worth in (reached, surpassed)
        )
        low, high = (
            space.decided + sum(chance * worth[at] for at, chance in space.begins.items())
            for worth in (reached, surpassed)
        )
        if high - low < CLOSE * max(high, least):
            break
    return float(low), float(min(high, 1.0))
