"""Variance-based indices: Ishigami's function, whose indices are published, on a few levels, with and without noise; and what is made of no influence at all."""

import numpy as np
import pytest

from bartizan.analyses.statistics import special
from bartizan.analyses.statistics.intervals import limit_of_none
from bartizan.analyses.statistics.sobol import NEVER, Design, Indices, SettingMeans, analyze, given, is_noise, row

A, B = 7.0, 0.1
PUBLISHED = {
    "alone": (0.3139, 0.4424, 0.0),
    "total": (0.5576, 0.4424, 0.2437),
    "pair": (0.0, 0.2437, 0.0),
}  # of a = 7, b = 0.1 (Ishigami & Homma 1990)


def grid(size: int) -> np.ndarray:
    """Middles of equal parts of [-pi, pi]."""
    return (2 * (np.arange(size) + 0.5) / size - 1) * np.pi


def ishigami(x, y, z):
    return np.sin(x) + A * np.sin(y) ** 2 + B * z**4 * np.sin(x)


def exact(values: np.ndarray) -> dict[str, tuple[float, ...]]:
    """Indices of a table with one axis an input, by counting."""
    axes = range(values.ndim)
    whole = values.var()

    def main(keep: tuple[int, ...]) -> float:
        return values.mean(axis=tuple(axis for axis in axes if axis not in keep)).var() / whole

    def superset(i: int, k: int) -> float:
        """All parts that hold both: the whole less what is known without one, without the other, plus what is known without both."""
        without = [tuple(axis for axis in axes if axis not in gone) for gone in ((i,), (k,), (i, k))]
        return 1 - main(without[0]) - main(without[1]) + main(without[2])

    totals = tuple(1 - main(tuple(axis for axis in axes if axis != i)) for i in axes)
    return {
        "alone": tuple(main((i,)) for i in axes),
        "total": totals,
        "pair": tuple(superset(i, k) for i in axes for k in axes if i < k),
    }


def table(function, *levels) -> np.ndarray:
    return function(*np.meshgrid(*levels, indexing="ij"))


def rows(
    values: np.ndarray, settings: int, seed: int, noise: float = 0.0, runs: int = 1
) -> tuple[Design, list[SettingMeans]]:
    """Noise: standard deviation of one run, half of it shared by all points of a setting, as luck is."""
    design, luck, found = Design(values.shape), np.random.default_rng(seed), []
    for _ in range(settings):
        setting = design.draw(luck)
        true = np.array([values[point] for point in design.points(setting)])[:, None]
        shared, own = luck.normal(size=(1, runs)), luck.normal(size=(len(true), runs))
        found.append(row(design, setting, true + noise * np.sqrt(0.5) * (shared + own)))
    return design, found


def indices(values: np.ndarray, settings: int, seed: int, **noise) -> Indices:
    return analyze(*rows(values, settings, seed, **noise), (values.min(), values.max()))


def named(found: Indices) -> dict[str, list]:
    return {
        "alone": [it.alone for it in found.effects],
        "total": [it.total for it in found.effects],
        "pair": list(found.pairs.values()),
    }


ISHIGAMI = table(ishigami, grid(8), grid(8), grid(8))


def test_the_oracle_is_the_published_one():
    fine = exact(table(ishigami, grid(64), grid(64), grid(64)))
    for name, values in PUBLISHED.items():
        assert fine[name] == pytest.approx(values, abs=0.001), name


def test_points_of_a_setting():
    design = Design((2, 3))
    setting = design.draw(np.random.default_rng(1))
    points = design.points(setting)
    assert len(points) == design.most_points == 1 + 1 + 2 + 1 and points[0] == setting.levels
    assert points[-1] == setting.other
    assert {point[1] for point in points[:1] + points[2:4]} == {0, 1, 2}
    assert all(level != other for level, other in zip(setting.levels, setting.other, strict=True))


@pytest.mark.parametrize("noise", [{}, {"noise": 12.0, "runs": 10}])
def test_ishigami(noise):
    """With noise whose variance is as large as that of the function: 12^2 / 10 against 13.8."""
    found, true = indices(ISHIGAMI, 400, 3, **noise), exact(ISHIGAMI)
    assert found.variance.low < ISHIGAMI.var() < found.variance.high
    for name, intervals in named(found).items():
        for interval, value in zip(intervals, true[name], strict=True):
            assert interval.low - 1e-9 <= value <= interval.high + 1e-9, name
            assert interval.low <= interval.estimate <= interval.high and abs(interval.estimate - value) < 0.12, name
    assert [is_noise(it.alone) for it in found.effects] == [False, False, True]
    assert [is_noise(pair) for pair in found.pairs.values()] == [True, False, True]
    assert found.sum_alone.low < sum(true["alone"]) < found.sum_alone.high


def test_no_bias_by_noise(monkeypatch):
    """Means of many answers with little data and much noise, within 4 standard errors; uncorrected, the total of the third input would be 0.6."""
    monkeypatch.setattr("bartizan.analyses.statistics.sobol.RESAMPLES", 250)
    true = exact(ISHIGAMI)
    design, parts = Design(ISHIGAMI.shape), []
    for seed in range(60):
        _, found = rows(ISHIGAMI, 20, seed, noise=12.0, runs=10)
        level_means = [np.array([one.means[i] - one.means[i].mean() for one in found]) for i in range(3)]
        alone = [(means.mean(axis=0) ** 2 - means.var(axis=0, ddof=1) / 20).mean() for means in level_means]
        parts.append(
            [
                *alone,
                *np.mean([one.within for one in found], axis=0),
                *np.mean([one.joint for one in found], axis=0),
                analyze(design, found, (ISHIGAMI.min(), ISHIGAMI.max())).variance.estimate,
            ]
        )
    means, errors = np.mean(parts, axis=0), np.std(parts, axis=0, ddof=1) / np.sqrt(len(parts))
    wanted = np.array([*true["alone"], *true["total"], *true["pair"], 1.0]) * ISHIGAMI.var()
    assert (abs(means - wanted) < 4 * errors).all(), (means - wanted) / errors


@pytest.mark.slow
def test_intervals_hold():
    """All totals together at least in 95 % of 200 answers, less 4 standard errors; all first-order indices too; and so the pairs."""
    true, hits = exact(ISHIGAMI), {"alone": 0, "total": 0, "pair": 0}
    for seed in range(200):
        for name, intervals in named(indices(ISHIGAMI, 80, 1000 + seed, noise=6.0, runs=10)).items():
            hits[name] += all(
                it.low - 1e-9 <= value <= it.high + 1e-9 for it, value in zip(intervals, true[name], strict=True)
            )
    assert all(count >= 200 * 0.95 - 4 * np.sqrt(200 * 0.05 * 0.95) for count in hits.values()), hits


def test_an_additive_table_has_no_interactions():
    values = table(
        lambda x, y, z: x + 2 * y + 0 * z, np.array([0.0, 1.0]), np.array([0.0, 1.0, 5.0]), np.array([0.0, 1.0])
    )
    found, true = indices(values, 200, 1), exact(values)
    assert [it.total.estimate for it in found.effects] == pytest.approx(true["total"], abs=0.05)
    assert [it.alone.estimate for it in found.effects] == pytest.approx([it.total.estimate for it in found.effects])
    never = [found.effects[2].total, *found.pairs.values()]  # in none of 200 settings: which is no proof for all others
    assert all(it.estimate == pytest.approx(0, abs=1e-9) and 0 < it.high < 0.2 for it in never)
    assert found.sum_alone.high >= 0.999
    change = found.effects[1].changes[1]
    assert (change.mean.estimate, change.low, change.high) == pytest.approx((10, 10, 10))


def test_shares_beyond_the_whole_are_no_interval_of_no_width():
    """By the luck of the draw, the main effects of this product exceed the variance; they are 98 % of it."""
    values = np.array([300, 375, 225])[:, None] * np.array([200, 250, 150]) / 200_000
    luck, design = np.random.default_rng(90), Design(values.shape)
    drawn = [design.draw(luck) for _ in range(60)]
    chances = [np.array([values[point] for point in design.points(setting)])[:, None] for setting in drawn]
    won = [(luck.random(100) < chance).astype(float) for chance in chances]
    found = analyze(design, [row(design, *both) for both in zip(drawn, won, strict=True)], (0.0, 1.0)).sum_alone
    assert found.low < sum(exact(values)["alone"]) < found.high == found.estimate == 1


def test_what_a_change_does_depends_on_the_rest():
    """A move of the first input is worth 1 or 5, as the second is."""
    values = np.array([[0.0, 0.0], [1.0, 5.0]])
    design, found = rows(values, 300, 2, noise=3.0, runs=50)
    change = analyze(design, found, (0.0, 5.0)).effects[0].changes[0]
    assert change.mean.low < 3 < change.mean.high and change.low == pytest.approx(1, abs=0.6)
    assert change.high == pytest.approx(5, abs=0.6)
    assert [
        it.low < value < it.high for it, value in zip(given(design, found, (0.0, 5.0), 0, 1, 1), (1, 5), strict=True)
    ] == [True, True]


def test_nothing_but_noise():
    found = indices(np.zeros((2, 3)), 100, 1, noise=1.0, runs=20)
    assert is_noise(found.variance) and found.effects[0].alone is None and not found.pairs and found.sum_alone is None
    assert found.noise == pytest.approx(1 / 20, rel=0.2) and abs(found.effects[0].changes[0].mean.estimate) < 0.2
    still = indices(np.zeros((2, 3)), 100, 1)
    assert is_noise(still.variance) and still.effects[1].changes[1].mean.estimate == 0


def test_too_few_settings():
    with pytest.raises(ValueError, match="19 settings"):
        indices(ISHIGAMI, 19, 1)


def test_what_nothing_moved_is_limited_by_what_a_value_can_be_and_not_by_what_was_seen():
    """The third input matters in one cell of 400, and there a hundred times as much as anything that these settings show."""
    a, b, c = np.meshgrid(np.arange(20), np.arange(20), np.arange(2), indexing="ij")
    values = np.where((a == 0) & (b == 0), c, 0.5 + 0.01 * (b % 2))
    true = exact(values)
    design, found = next(
        both
        for both in (rows(values, 20, seed) for seed in range(99))
        if np.ptp([mean for one in both[1] for means in one.means for mean in means]) < 0.1
    )
    effect = analyze(design, found, (0.0, 1.0)).effects[2]
    assert effect.total.method == effect.alone.method == NEVER and effect.total.estimate == 0
    assert effect.total.high > true["total"][2] > 0.9 and effect.alone.high > true["alone"][2]
    (change,) = effect.changes
    assert change.mean.low < 0 < 1 / 400 < change.mean.high


def test_a_variance_of_nothing_allows_for_settings_that_were_not_drawn():
    """Each of these adds at most the squared span between settings, and a quarter of it within."""
    still = analyze(*rows(np.zeros((2, 3)), 100, 1), (0.0, 2.0)).variance
    assert (still.estimate, still.method) == (0, NEVER)
    assert still.high >= 1.25 * 2**2 * limit_of_none(100, still.level)


def test_what_floats_leave_of_nothing_is_no_interval():
    """0.1 + 0.2 - 0.3 differs from 0 in the last digit: such values have no bootstrap interval of no width."""
    values = table(
        lambda x, y, z: x + y + 0 * z,
        np.array([0.1, 0.3, 0.7]) / 3,
        np.array([0.1, 0.2, 0.6]) / 7,
        np.array([0.0, 1.0]),
    )
    found = analyze(*rows(values, 60, 5), (0.0, 1.0))
    assert all(pair.method == NEVER and pair.high > 0.001 for pair in found.pairs.values())
    assert found.effects[2].total.high > 0.001
    change = found.effects[0].changes[0].mean
    assert change.low < change.estimate < change.high and change.high - change.low > 0.01


def test_changes_of_values_are_simultaneous_with_all_families():
    """Two changes, in one family or in three: Student's t with a sixth of the error of one interval, or half of it."""
    design, found = rows(np.zeros((2, 2)), 30, 1, noise=1.0, runs=4)
    one, three = (analyze(design, found, (0.0, 5.0), n).effects[0].changes[0].mean.half_width for n in (1, 3))
    reach = special.stdtrit(29, 1 - 0.05 / 2 / np.array([2, 6]))
    assert three / one == pytest.approx(reach[1] / reach[0])


def test_the_line_of_a_pair_that_moves_most_holds_together_with_all_others():
    """Of pure noise the line that lies furthest from 0 is quoted: in 60 tables its interval leaves out 0 a few times, its own 95 % interval half of the time."""
    together, alone = 0, 0
    for seed in range(60):
        design, found = rows(np.zeros((3, 3, 3)), 60, seed, noise=1.0, runs=4)
        assert design.lines == 36
        lines = [
            line
            for of in range(3)
            for by in range(3)
            if of != by
            for to in (1, 2)
            for line in given(design, found, (0.0, 5.0), of, to, by)
        ]
        most = max((line for line in lines if line), key=lambda line: abs(line.estimate) / line.half_width)
        z = abs(most.estimate) / most.half_width
        together += z > 1
        alone += z > 2.1 / 3.6  # of t at 95 % and at 1 - 5 % / 36, some 20 settings
    assert together <= 9 and alone >= 20
