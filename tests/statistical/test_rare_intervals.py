"""Do the limits cover where categories, events or replicates are few?"""

import numpy as np
import pytest

from bartizan.analyses.experiments.rare import PlainCount, chance_of
from bartizan.analyses.statistics.intervals import clopper_pearson, equal_values, goodman
from bartizan.analyses.statistics.stagewise import Precision
from bartizan.analyses.validation.models import scarce_replicate

RARE = [0.001] * 20 + [0.196] * 5


def least(nominal: float, runs: int) -> float:
    """Nominal coverage less three standard errors of its estimate."""
    return nominal - 3 * np.sqrt(nominal * (1 - nominal) / runs)


@pytest.mark.parametrize("n", [5, 100, 1000, 5000, 20_000])
@pytest.mark.parametrize(
    "shares", [RARE, [0.001, 0.999], [0.5, 0.3, 0.15, 0.04, 0.01]], ids=["20 of 25 rare", "two", "skewed"]
)
def test_shares_of_rare_categories_hold_together(shares, n):
    """Score intervals alone: 89 to 93 % for 25 categories of which 20 have 0.1 %."""
    samples = np.random.default_rng(n).multinomial(n, shares, 500).tolist()
    hits = [all(i.low <= p <= i.high for i, p in zip(goodman(row), shares, strict=True)) for row in samples]
    assert np.mean(hits) >= least(0.95, 500)


def test_the_method_of_each_category_is_the_one_used():
    rare, common = goodman([3, 997])
    assert rare.method.startswith("Clopper-Pearson") and common.method.startswith("Clopper-Pearson")
    assert (rare.low, rare.high) == (clopper_pearson(3, 1000, 0.975).low, clopper_pearson(3, 1000, 0.975).high)
    assert {interval.method for interval in goodman([500, 500])} == {"Goodman"}


GRID = [(20, 4, 0.1, 0.0), (50, 3, 0.03, 0.5), (50, 4, 0.03, 0.7), (500, 2, 0.001, 0.0), (100, 3, 0.2, 0.5)]


@pytest.mark.parametrize("replicates", [5, 30])
@pytest.mark.parametrize(("trajectories", "steps", "share", "spread"), GRID)
def test_the_chance_of_a_rare_event_lies_in_its_interval(trajectories, steps, share, spread, replicates):
    """Student's t alone covered 71 to 92 % where the replicates that see the event are few."""
    rng, runs, hits = np.random.default_rng(3), 400, 0
    none = PlainCount(games=1, seen=0, decisions=1, capped=0, chance=clopper_pearson(0, 1))
    for _ in range(runs):
        found = chance_of([scarce_replicate(rng, trajectories, steps, share, spread) for _ in range(replicates)], none)
        hits += found.low <= share**steps <= found.high
        assert found.low < found.high
    assert hits / runs >= least(0.95, runs)


@pytest.mark.parametrize("n", [5, 100, 10_000])
@pytest.mark.parametrize("p", [0.001, 0.1, 0.9, 0.999])
def test_equal_values_of_a_bounded_number_leave_room_for_others(n, p):
    """Games are worth 1 with chance p, else 0: where all that were seen are equal, the mean lies within in 95 % of all samples."""
    ones = np.random.default_rng(5).binomial(n, p, 4000)
    missed = 0
    for seen in (0, n):
        found = equal_values(seen / n, n, seen / n, 1 - seen / n)
        missed += (ones == seen).sum() * (not found.low <= p <= found.high)
    assert missed / 4000 <= 0.05 + 3 * np.sqrt(0.05 * 0.95 / 4000)


def test_truncated_games_keep_a_run_from_stopping():
    """5,000 of 40,960 games won: +-1 point; with 4,000 truncated the interval is 11 points wide."""
    rule = Precision(0.01, 2048, 100_000)
    assert rule.is_enough(5000, 40_960) and not rule.is_enough(5000, 40_960, 4000)
