"""Interval methods against published values, their own definitions, exact coverage and simulation."""

from dataclasses import replace
from math import comb, inf, log

import numpy as np
import pytest
import scipy

from bartizan.analyses.statistics.intervals import (
    Interval,
    clopper_pearson,
    confidence_sequence,
    dkw_margin,
    excess_width,
    goodman,
    mean,
    mean_of,
    newcombe,
    proportion,
    quantile_interval,
    wilson,
    with_truncated,
)


def limits(interval, digits=4):
    return round(interval.low, digits), round(interval.high, digits)


# Newcombe 1998, "Two-sided confidence intervals for the single proportion", table I
@pytest.mark.parametrize(
    ("successes", "n", "expected_wilson", "expected_exact"),
    [
        (81, 263, (0.2553, 0.3662), (0.2527, 0.3676)),
        (15, 148, (0.0624, 0.1605), (0.0578, 0.1617)),
        (0, 20, (0.0, 0.1611), (0.0, 0.1684)),
        (1, 29, (0.0061, 0.1718), (0.0009, 0.1776)),
    ],
)
def test_textbook_values(successes, n, expected_wilson, expected_exact):
    assert limits(wilson(successes, n)) == expected_wilson
    assert limits(clopper_pearson(successes, n)) == expected_exact


@pytest.mark.parametrize(
    ("successes", "n", "method"),
    [(14, 1000, "Clopper-Pearson"), (15, 1000, "Wilson"), (985, 1000, "Wilson"), (986, 1000, "Clopper-Pearson")],
)
def test_few_successes_or_failures_are_counted_exactly(successes, n, method):
    assert proportion(successes, n).method == method


def test_nothing_seen_still_has_an_upper_bound():
    interval = proportion(0, 20_000)
    assert interval.low == 0
    assert interval.high == pytest.approx(1 - 0.025 ** (1 / 20_000))


def coverage(method, n, p):
    """Exact: the summed probability of every count whose interval holds p."""
    kept = [k for k in range(n + 1) if (interval := method(k, n)).low <= p <= interval.high]
    return scipy.stats.binom.pmf(kept, n, p).sum()


def test_coverage_at_a_small_chance_is_what_the_standard_says():
    assert coverage(wilson, 1000, 0.001) == pytest.approx(0.92, abs=0.005)
    assert coverage(clopper_pearson, 1000, 0.001) == pytest.approx(0.98, abs=0.005)


@pytest.mark.parametrize("p", [0.003, 0.05, 0.5, 0.97])
def test_clopper_pearson_never_covers_too_little(p):
    assert coverage(clopper_pearson, 200, p) >= 0.95


@pytest.mark.parametrize(("half_width", "games"), [(0.01, 9_604), (0.005, 38_415), (0.001, 960_365)])
def test_games_needed_for_a_half_width(half_width, games):
    assert wilson(games // 2, games).half_width == pytest.approx(half_width, rel=0.001)


def test_games_cut_off_are_bounded_from_both_sides():
    interval = with_truncated(300, 50, 1000)
    assert interval.low == wilson(300, 1000).low
    assert interval.high == wilson(350, 1000).high
    assert interval.method.endswith("bounds over 50 truncated games")
    assert with_truncated(300, 1, 1000).method.endswith("bounds over 1 truncated game")
    assert with_truncated(300, 0, 1000) == proportion(300, 1000)


def test_all_games_cut_off_says_nothing():
    interval = with_truncated(0, 40, 40)
    assert (interval.low, interval.high) == (0, 1)


@pytest.mark.parametrize(("successes", "n"), [(-1, 10), (11, 10), (0, 0)])
def test_impossible_counts_are_refused(successes, n):
    with pytest.raises(ValueError, match="games"):
        proportion(successes, n)


# ---------------------------------------------------------------- the confidence sequence


def kept_at(p, successes, n, level=0.95):
    """The definition, with exact integers: 1 / ((n + 1) C(n, s)) against p^s (1-p)^(n-s)."""
    mixture = -log((n + 1) * comb(n, successes))
    return mixture - successes * log(p) - (n - successes) * log(1 - p) < log(1 / (1 - level))


@pytest.mark.parametrize(("successes", "n"), [(100, 200), (3, 50), (49, 50)])
def test_sequence_limits_are_where_the_definition_says(successes, n):
    interval = confidence_sequence(successes, n)
    for inside, outside in ((interval.low + 1e-9, interval.low - 1e-9), (interval.high - 1e-9, interval.high + 1e-9)):
        assert kept_at(inside, successes, n)
        assert not kept_at(outside, successes, n)


def test_sequence_at_the_ends():
    assert confidence_sequence(0, 1000).low == 0
    assert confidence_sequence(1000, 1000).high == 1
    # closed form for no success: (n + 1) (1 - p)^n = alpha
    assert confidence_sequence(0, 1000).high == pytest.approx(1 - (0.05 / 1001) ** (1 / 1000), rel=1e-9)


def false_alarms(method, runs=4000, games=20_000, looks=200):
    """Share of runs of a fair coin that are called unfair at one look or more."""
    step = games // looks
    heads = np.random.default_rng(20_260).binomial(step, 0.5, (runs, looks)).cumsum(axis=1)
    alarmed = np.zeros(runs, bool)
    for look in range(looks):
        n = step * (look + 1)
        alarmed |= np.abs(heads[:, look] - n // 2) > _greatest_deviation(method, n)
    return alarmed.mean()


def _greatest_deviation(method, n):
    """Greatest distance of the heads from n/2 whose interval still holds one half (n even; bisection over whole counts)."""
    low, high = 0, n // 2
    while low < high:
        middle = (low + high + 1) // 2
        interval = method(n // 2 + middle, n)
        low, high = (middle, high) if interval.low <= 0.5 <= interval.high else (low, middle - 1)
    return low


def test_looking_often_fools_a_fixed_interval_but_not_the_sequence():
    """44 % against 0.65 % in the standard; four standard errors of 4,000 runs."""
    assert false_alarms(wilson) == pytest.approx(0.44, abs=4 * 0.00785)
    assert false_alarms(confidence_sequence) == pytest.approx(0.0065, abs=4 * 0.00127)


# ---------------------------------------------------------------- several shares, differences, numbers


def test_goodman_values_of_sison_and_glaz():
    """Their example 1 (1995), as widely tabulated to three digits."""
    intervals = goodman([56, 72, 73, 59, 62, 87, 58])
    assert [limits(interval, 3) for interval in intervals[:4]] == [
        (0.085, 0.166),
        (0.115, 0.204),
        (0.116, 0.207),
        (0.091, 0.173),
    ]


def test_goodman_covers_all_shares_at_once():
    shares = np.array([0.6, 0.25, 0.1, 0.04, 0.01])
    samples = np.random.default_rng(7).multinomial(2000, shares, size=2000)
    together = np.mean(
        [
            all(i.low <= p <= i.high for i, p in zip(goodman(list(map(int, row))), shares, strict=True))
            for row in samples
        ]
    )
    assert together >= 0.95 - 4 * (0.95 * 0.05 / 2000) ** 0.5


def test_an_empty_category_has_an_upper_bound():
    assert goodman([0, 100])[0].low == 0
    assert goodman([0, 100])[0].high > 0


def test_newcombe_difference():
    """56/70 - 48/80, method 10 of Newcombe 1998 (comparison of eleven methods): 0.0524 to 0.3339."""
    assert limits(newcombe(wilson(56, 70), wilson(48, 80))) == (0.0524, 0.3339)


def test_mean_against_scipy():
    values = [3, 1, 4, 1, 5, 9, 2, 6]
    result = mean_of(values)
    assert result == replace(mean(len(values), sum(values), sum(v * v for v in values), 0), differing=6)
    low, high = scipy.stats.t.interval(0.95, 7, np.mean(values), scipy.stats.sem(values))
    assert (result.mean, result.se) == (pytest.approx(np.mean(values)), pytest.approx(scipy.stats.sem(values)))
    assert (result.interval().low, result.interval().high) == (pytest.approx(low), pytest.approx(high))


def test_mean_of_too_few():
    assert mean(0, 0, 0, 0).mean is None
    assert mean(1, 5, 25, 0).se is None
    assert mean(1, 5, 25, 0).interval() is None


def test_median_interval_has_the_textbook_ranks():
    """n = 100, q = 0.5: the 40th and the 61st of the sorted sample (Conover; David and Nagaraja)."""
    interval = quantile_interval(range(1, 101), [1] * 100, 0.5)
    assert (interval.estimate, interval.low, interval.high) == (50, 40, 61)


def test_quantiles_of_counted_values_equal_those_of_the_list():
    scores = np.random.default_rng(3).poisson(8, 501)
    values, counts = np.unique(scores, return_counts=True)
    ranked = np.sort(scores)
    for q in (0.05, 0.25, 0.5, 0.95):
        assert quantile_interval(values, list(counts), q).estimate == ranked[int(np.ceil(q * 501)) - 1]


def test_too_few_games_leave_a_quantile_without_a_limit():
    low, high = quantile_interval([1, 2, 3], [1, 1, 1], 0.05), quantile_interval([7], [100], 0.95)
    assert (low.low, low.estimate) == (-np.inf, 1) and (high.low, high.high) == (7, 7)
    assert quantile_interval([7], [60], 0.95).high == np.inf, "0.95 ** 60 is above 2.5 %"


def test_dkw_margin_is_massarts():
    assert dkw_margin(100) == pytest.approx((log(40) / 200) ** 0.5)


@pytest.mark.parametrize(
    ("low", "high", "factor"),
    [
        (0.45, 0.6, 0.1 / 0.15),  # the upper limit is on the side of the band
        (0.0, 0.2, 0.05 / 0.1),  # the lower limit
        (0.2, 0.35, 0.1 / 0.05),  # inside: the nearer edge decides
        (0.3, 0.6, inf),  # the estimate is on an edge
    ],
)
def test_how_much_narrower_an_interval_must_be_to_clear_a_band(low, high, factor):
    interval = Interval(0.3, 0.25, 0.4, 0.95, "Wilson")
    assert excess_width(interval, low, high, 0.3, 0.3) == pytest.approx(factor)
