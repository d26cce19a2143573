"""The extrapolation of the effort curve, where its end is known: made-up curves, and small games whose looking ahead ends at a value that is known exactly."""

import numpy as np
import pytest
from scipy.special import ndtr

from bartizan.analyses.records.rung_ends import ends_of
from bartizan.analyses.records.rung_ends import extrapolated as of_rungs
from bartizan.analyses.statistics.effort import extrapolated
from bartizan.simcore.play.batch import Batch
from tests.unit.test_ceiling import BEST_SECRETARY, SECRETARY
from tests.unit.test_lookahead import match

LEAST_SURE = 0.0005  # half a step of the limits that are looked at


def games(shares, n, shared, luck):
    """Wins of n games at each effort, which have some of their luck in common."""
    common = luck.normal(size=n)
    return [
        (ndtr(np.sqrt(shared) * common + np.sqrt(1 - shared) * luck.normal(size=n)) < share).astype(float)
        for share in shares
    ]


def covers(interval, truth):
    """Silence covers nothing: where points rise faster and faster by chance nothing is said, rarely."""
    return interval is not None and interval.low - LEAST_SURE <= truth <= interval.high + LEAST_SURE


SHAPES = {
    "geometric": lambda k, luck: luck.uniform(0.1, 0.92) ** k,
    "power": lambda k, luck: (1.0 + k) ** -luck.uniform(1, 3),
    "faster and faster": lambda k, luck: np.exp(-luck.uniform(0.2, 0.8) * k ** luck.uniform(1, 1.6)),
}


@pytest.mark.parametrize(("shape", "curves"), [("geometric", 24), ("power", 12), ("faster and faster", 12)])
def test_the_interval_covers_the_end_of_curves_drawn_at_random(shape, curves):
    """Drawn after the rule was fixed: 90 % of all intervals of geometric curves hold the end, 85 % of other shapes, which the rule does not have."""
    luck, held = np.random.default_rng(20261126), []
    for _ in range(curves):
        c = luck.uniform(0.1, 0.98)
        shared = luck.uniform(0, 0.7)
        n = int(luck.choice([50, 100, 200, 400]))
        points = int(luck.integers(4, 9))
        doublings = np.arange(points)
        shares = c - luck.uniform(0, min(c, 0.4)) * SHAPES[shape](doublings, luck)
        held += [covers(extrapolated(doublings, games(shares, n, shared, luck)), c) for _ in range(10)]
    assert np.mean(held) >= (0.90 if shape == "geometric" else 0.85)


@pytest.mark.parametrize("seed", [1, 2, 3, 4])
def test_it_covers_where_looking_ahead_ends_in_the_secretary_problem(seed):
    """One step ahead is the best rule there is (Chow & Robbins 1961): the curve ends at the exact value."""
    rows = []
    for plays in (4, 16, 64, 256):
        batch = Batch(match(SECRETARY, f"lookahead:base=eager,plays={plays},doubt=2,turns=0", seed=seed))
        rows.append({"rung": "lookahead", "plays": plays, "ends": ends_of(batch.play(range(400)), 0)})
    assert covers(of_rungs(rows, 0.0), BEST_SECRETARY)


def test_more_games_narrow_it_where_the_curve_has_flattened():
    luck, doublings = np.random.default_rng(3), np.arange(7)
    widths = []
    for n in (100, 10_000):
        told = extrapolated(doublings, games(0.5 - 0.2 * 0.4**doublings, n, 0.3, luck))
        widths.append(told.high - told.low)
    assert widths[1] < widths[0] / 5 and widths[1] < 0.03


def test_a_curve_that_still_rises_leads_anywhere():
    shares = np.array([0.31, 0.38, 0.45, 0.52])
    told = extrapolated(np.arange(4), games(shares, 2000, 0.3, np.random.default_rng(2)))
    assert told.high == 1.0 and told.low > 0.45


def test_few_points_tell_nothing_and_rungs_are_read_by_their_plays():
    def rung(plays, ends, kind="lookahead"):
        return {"rung": kind, "plays": plays, "ends": ends}

    rows = [rung(32, "wl" * 20), rung(8, "wlll" * 10), rung(16, "wlwl" * 10), rung(64, "w" * 40, "peeking")]
    told = of_rungs(rows, 0.0)
    assert told == extrapolated(
        np.array([0.0, 1.0, 2.0]),
        [np.array([float(end == "w") for end in row["ends"]]) for row in (rows[1], rows[2], rows[0])],
    )
    assert of_rungs(rows[:2], 0.0) is None and of_rungs([], 0.0) is None
