"""A mean of few games that differ: the interval and p of one curve, on numbers with known answers."""

from itertools import pairwise

import numpy as np
import polars as pl
import pytest
import scipy

from bartizan.analyses.records.claims import INCONCLUSIVE, PASS, Claim, ClaimCase, judge_one
from bartizan.analyses.statistics import paired
from bartizan.analyses.statistics.intervals import clopper_pearson
from bartizan.analyses.statistics.paired import Measure, compare, p_curve

WINS = Measure("seat", "0", pl.col("win"), pl.col("win"), (0.0, 1.0))


def of_pairs(more: int, fewer: int, n: int):
    """The curve of a difference of win rates: so many games won only after the change, so many only before it."""
    return p_curve(
        *zip(*[(value, games) for value, games in ((-1, fewer), (0, n - more - fewer), (1, more)) if games]), (-1, 1)
    )


def test_the_29_of_400_games_that_all_went_up_are_an_effect():
    """They were called "nothing": +7.2 (-0.9 to +10.2), p adjusted 5e-09. 10,000 games say +7.6."""
    low, high = of_pairs(29, 0, 400).limits(0.95)
    assert 0.04 < low < 0.0725 < high < 0.105
    assert of_pairs(29, 0, 400).p_of_zero() < 1e-6


@pytest.mark.parametrize("n", [400, 10_000])
def test_interval_and_p_never_contradict_each_other(n):
    for more in (0, 1, 3, 4, 5, 6, 9, 16, 29, 45):
        for fewer in {0, more // 3, more}:
            found = of_pairs(more, fewer, n)
            for level in (0.5, 0.9, 0.95, 0.999, 1 - 1e-6):
                low, high = found.limits(level)
                assert (not low <= 0 <= high) == (found.p_of_zero() <= 1 - level), (more, fewer, level)


def test_a_higher_level_holds_the_lower_one():
    limits = [of_pairs(9, 3, 400).limits(level) for level in (0.01, 0.5, 0.8, 0.9, 0.95, 0.99, 0.9999)]
    assert all(wide[0] <= narrow[0] <= 6 / 400 <= narrow[1] <= wide[1] for narrow, wide in pairwise(limits))


def test_p_crosses_the_level_at_each_limit():
    found = of_pairs(9, 3, 400)
    low, high = found.limits(0.95)
    assert (found.sample.p(np.array([low - 1e-5, high + 1e-5])) <= 0.05).all()
    assert (found.sample.p(np.array([low + 1e-5, high - 1e-5])) > 0.05).all()


def test_ups_and_downs_are_alike():
    up, down = of_pairs(17, 4, 400), of_pairs(4, 17, 400)
    assert up.limits(0.95) == pytest.approx([-end for end in reversed(down.limits(0.95))], abs=1e-6)
    assert up.p_of_zero() == pytest.approx(down.p_of_zero())


def test_a_plain_share_is_narrower_than_clopper_pearson():
    """Blaker's interval lies within Clopper and Pearson's (Blaker 2000)."""
    for wins, n in ((0, 50), (1, 50), (7, 60), (300, 300)):
        exact, (low, high) = (
            clopper_pearson(wins, n),
            p_curve(*zip(*[(v, k) for v, k in ((0, n - wins), (1, wins)) if k]), (0, 1)).limits(0.95),
        )
        assert exact.low - 1e-6 <= low <= wins / n <= high <= exact.high + 1e-6
        assert high - low > 0.8 * (exact.high - exact.low)


def test_the_distribution_of_a_sum_is_the_binomial():
    chances = np.array([[0.97, 0.03]])
    found = paired._of_sums(np.array([0, 1]), chances, 200, 256)[0]
    assert found[:40] == pytest.approx(scipy.stats.binom.pmf(np.arange(40), 200, 0.03), abs=1e-14)


@pytest.mark.rotating
@pytest.mark.parametrize("seatings", [2, pytest.param(3, marks=pytest.mark.slow)])
def test_means_over_several_seatings_cover_too(seatings):
    """150 tables of 300 game numbers, each the mean of so many differences of -1, 0, 1. Cautious: two that go up together must be reckoned with unseen."""
    rng = np.random.default_rng(seatings)
    for up, down in ((0.01, 0.005), (0.02, 0.0)):
        games = rng.choice([-1, 0, 1], (150, 300, seatings), p=(down, 1 - up - down, up)).sum(axis=2)
        held = 0
        for table in games:
            steps, counts = np.unique(table, return_counts=True)
            low, high = p_curve(steps / seatings, counts, (-1, 1)).limits(0.95)
            held += low <= up - down <= high
        assert held / 150 > 0.93, (up, down)


def test_values_that_are_no_simple_fractions_are_rounded():
    found = p_curve((-0.31, 0.0, 0.123, 0.717), (5, 300, 5, 5), (-1, 1))
    assert found.sample.mean == pytest.approx((5 * 0.123 + 5 * 0.717 - 5 * 0.31) / 315, abs=3e-4)
    assert found.limits(0.95)[0] < 0 < found.limits(0.95)[1] and found.p_of_zero() > 0.05


# ---------------------------------------------------------------- as it is asked for


def frames(more: int, n: int, capped: int = 0):
    """Games without and with a change; `capped` more of the changed ones were cut off, and may have been won."""
    low = np.arange(n) < more
    base = pl.LazyFrame({"game": np.arange(n), "win": np.zeros(n), "most": np.zeros(n)})
    changed = pl.LazyFrame(
        {"game": np.arange(n), "win": low.astype(float), "most": (np.arange(n) < more + capped).astype(float)}
    )
    return base, changed


def test_a_paired_difference_of_few_games():
    (effect,) = compare(*frames(29, 400), [WINS])
    assert effect.difference.is_clear and effect.difference.p < 1e-6
    assert effect.difference.interval.method == "exact tails (Blaker)"
    assert effect.adjusted is None, "nothing was adjusted, and no placeholder says that it was"


def test_cut_off_games_widen_it_and_p_is_that_of_the_nearer_end():
    bounded = Measure("seat", "0", pl.col("win"), pl.col("most"), (0.0, 1.0))
    (sure,), (effect,) = compare(*frames(29, 400), [WINS]), compare(*frames(29, 400, capped=8), [bounded], truncated=8)
    assert effect.difference.interval.low == sure.difference.interval.low
    assert effect.difference.interval.high > sure.difference.interval.high
    assert effect.difference.p == sure.difference.p and effect.difference.is_clear
    (open_,) = compare(*frames(0, 400, capped=30), [bounded], truncated=30)
    assert (open_.difference.p, open_.difference.is_clear) == (1.0, False)


class Held:
    """A cell of a sweep with its games in memory."""

    def __init__(self, frame):
        self.id, self.frame = f"cell {id(frame)}", frame

    def scan(self):
        return self.frame.with_columns(winner=pl.lit(0))


@pytest.mark.parametrize(("by", "verdict"), [(0.0, PASS), (0.03, PASS), (0.06, INCONCLUSIVE)])
def test_an_order_of_two_levels_that_differ_in_few_games(by, verdict):
    harder, easier = frames(29, 400)
    share = Measure("share", "win_rate", pl.col("win"), pl.col("win"), (0.0, 1.0))
    found = judge_one(
        ClaimCase(1, Claim("", order=("easy", "hard"), by=by), (Held(easier), Held(harder)), (share, share))
    )
    assert found.alone == verdict and (found.p <= 0.05) == (found.interval.low > by)
    assert by or found.p == pytest.approx(of_pairs(29, 0, 400).p_of_zero(), rel=0.01)
