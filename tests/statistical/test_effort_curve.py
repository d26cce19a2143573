"""The extrapolation of the effort curve, where its end is known: made-up curves, and small games whose looking ahead ends at a value that is known exactly."""

from itertools import product

import numpy as np
import pytest
from scipy.special import ndtr

from bartizan.analyses.experiments.bracket import ends_of
from bartizan.analyses.experiments.bracket import extrapolated as of_rungs
from bartizan.analyses.statistics.effort import extrapolated
from bartizan.simcore.play.batch import Batch
from tests.unit.test_ceiling import BEST_SECRETARY, SECRETARY
from tests.unit.test_lookahead import match

GEOMETRIC = [(c, a, r) for c, a in [(0.45, 0.15), (0.9, 0.2), (0.3, 0.25), (0.65, 0.1), (0.5, 0.0), (0.97, 0.1)] for r in (0.2, 0.5, 0.75, 0.87)]
AGAIN = 20  # each curve
LEAST_SURE = 0.0005  # half a step of the limits that are looked at


def games(shares, n, shared, luck):
    """Wins of n games at each effort, which have some of their luck in common."""
    common = luck.normal(size=n)
    return [(ndtr(np.sqrt(shared) * common + np.sqrt(1 - shared) * luck.normal(size=n)) < share).astype(float) for share in shares]


def covers(interval, truth):
    """Silence covers nothing: where points rise faster and faster by chance nothing is said, rarely."""
    return interval is not None and interval.low - LEAST_SURE <= truth <= interval.high + LEAST_SURE


@pytest.mark.parametrize(("points", "n"), [(4, 40), (5, 200), (7, 400)])
def test_the_interval_covers_the_end_of_made_up_curves(points, n):
    """24 curves, with luck in common and without, 20 times each: 90 % of all, and no curve below 70 %."""
    luck, doublings, by_curve = np.random.default_rng(points), np.arange(points), []
    for (c, a, r), shared in product(GEOMETRIC, (0.0, 0.5)):
        shares = c - a * r**doublings
        by_curve.append(np.mean([covers(extrapolated(doublings, games(shares, n, shared, luck)), c) for _ in range(AGAIN)]))
    assert np.mean(by_curve) >= 0.90 and min(by_curve) >= 0.70


@pytest.mark.parametrize("slower", [lambda k: 1 / (1 + k) ** 2, lambda k: np.exp(-0.5 * k**1.3)], ids=["a power", "faster and faster"])
def test_it_covers_curves_of_another_shape(slower):
    luck, doublings = np.random.default_rng(8), np.arange(6)
    ends = [(0.45, 0.2), (0.9, 0.15), (0.3, 0.1)]
    told = [covers(extrapolated(doublings, games(c - a * slower(doublings), 200, 0.5, luck)), c) for c, a in ends for _ in range(40)]
    assert np.mean(told) >= 0.90


@pytest.mark.parametrize("seed", [1, 2, 3, 4])
def test_it_covers_where_looking_ahead_ends_in_the_secretary_problem(seed):
    """One step ahead is the best rule there is (Chow & Robbins 1961): the curve ends at the exact value."""
    rows = []
    for plays in (4, 16, 64, 256):
        batch = Batch(match(SECRETARY, f"lookahead:base=eager,plays={plays},doubt=2,turns=0", seed=seed))
        rows.append({"rung": "lookahead", "plays": plays, "ends": ends_of(batch.play(0, 400), 0)})
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
    assert told == extrapolated(np.array([0.0, 1.0, 2.0]), [np.array([float(end == "w") for end in row["ends"]]) for row in (rows[1], rows[2], rows[0])])
    assert of_rungs(rows[:2], 0.0) is None and of_rungs([], 0.0) is None
