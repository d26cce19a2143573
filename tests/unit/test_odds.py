"""Exact odds against values worked out with exact fractions elsewhere (tests/colditz_data), and the engine's dice against the exact odds."""

import csv
from collections import Counter
from itertools import product
from math import sqrt
from pathlib import Path

import numpy as np
import pytest

from bartizan.analyses.games.colditz import (
    ANY,
    appel,
    do_or_die,
    do_or_die_odds,
    reach,
    shoot_to_kill,
    shot_odds,
    throws_odds,
)
from bartizan.simcore.colditz.odds import simulate_totals
from bartizan.simcore.colditz.tables import build_tables
from bartizan.simcore.game import load_game
from bartizan.simcore.kit.dice import shot_distribution, throw_distribution
from bartizan.simcore.scenario.loading import load_scenario

DATA = Path(__file__).parent.parent / "colditz_data"
CARDS = (3, 4, 5, 6, 7)
CAPS = {"none": None, "cap3": 3}
HALF_A_DIGIT = 5e-7  # the tables have six decimals
ATTEMPTS = 200_000


def rows(name):
    return list(csv.DictReader((DATA / name).open()))


# ---------------------------------------------------------------- exact


@pytest.mark.parametrize("row", rows("do_or_die.csv"), ids=lambda row: f"{row['distance']}-{row['cap']}")
def test_do_or_die(row):
    found = do_or_die(int(row["distance"]), CARDS, CAPS[row["cap"]])
    assert list(found) == ["3", "4", "5", "6", "7", ANY]
    for case, chance in found.items():
        assert chance == pytest.approx(float(row["random" if case == ANY else f"x{case}"]), abs=HALF_A_DIGIT * 1.001)


def test_ranges():
    table = rows("ranges.csv")
    assert len(table) == 32
    for row in table:
        r = int(row["range"])
        assert appel(r) == pytest.approx(float(row["T"]), abs=HALF_A_DIGIT * 1.001)
        assert shoot_to_kill(r) == pytest.approx(float(row["S"]), abs=HALF_A_DIGIT * 1.001)
        assert shoot_to_kill(r, talisman=True) == appel(r)


def test_staff_car():
    assert reach(45, 6) == pytest.approx(0.680034, abs=HALF_A_DIGIT)
    assert reach(45, 6, cap=3) == pytest.approx(0.679253, abs=HALF_A_DIGIT)


def test_one_throw():
    """Mean 8.4 and standard deviation 4.331282; nothing is lost in the tail."""
    throw = throw_distribution()
    totals = np.arange(len(throw))
    mean = (throw * totals).sum()
    assert throw.sum() == pytest.approx(1, abs=1e-12)
    assert mean == pytest.approx(8.4)
    assert sqrt((throw * totals**2).sum() - mean**2) == pytest.approx(4.331282, abs=HALF_A_DIGIT)
    assert throw_distribution(cap=3).sum() == pytest.approx(1, abs=1e-12)


@pytest.mark.parametrize("cap", [1, 2, 3])
def test_a_shot_has_as_many_rolls_as_a_throw_and_counts_the_first_twice(cap):
    def rolled(rolls, times):
        found = Counter()
        for one, other in product(range(1, 7), repeat=2):
            more = rolled(rolls - 1, 1) if one == other and rolls > 1 else {0: 1}
            for total, chance in more.items():
                found[times * (one + other) + total] += chance / 36
        return found

    for distribution, times in ((throw_distribution(cap=cap), 1), (shot_distribution(cap=cap), 2)):
        exact = rolled(cap, times)
        assert distribution == pytest.approx([exact[total] for total in range(len(distribution))], abs=1e-12)


def test_the_ends():
    assert do_or_die(0, CARDS) == dict.fromkeys(["3", "4", "5", "6", "7", ANY], pytest.approx(1))
    assert reach(100_000, 3) == 0
    assert [do_or_die(36, [3, 3, 7])[ANY]] == pytest.approx([(2 * reach(36, 3) + reach(36, 7)) / 3])


# ---------------------------------------------------------------- the engine's dice


@pytest.fixture(scope="module")
def tables():
    return build_tables(load_scenario(load_game("colditz")))


def in_standard_errors(interval, exact):
    if exact == pytest.approx(1, abs=1e-12):
        return 0 if interval.estimate == 1 else np.inf
    return abs(interval.estimate - exact) / sqrt(exact * (1 - exact) / ATTEMPTS)


@pytest.mark.parametrize("cap", [None, 3])
@pytest.mark.parametrize("distance", [30, 36, 47])
def test_simulated_do_or_die(tables, distance, cap):
    odds = do_or_die_odds(tables, distance, cap, ATTEMPTS, seed=1973)
    assert list(odds.simulated) == ["3", "4", "5", "6", "7", ANY]
    for case, interval in odds.simulated.items():
        assert in_standard_errors(interval, odds.exact[case]) < 5, case
        assert interval.method in ("Wilson", "Clopper-Pearson") and interval.low < interval.high


@pytest.mark.parametrize("cap", [None, 3])
def test_simulated_car_and_ranges(tables, cap):
    car = throws_odds(tables, "staff-car", 45, 6, cap, ATTEMPTS, seed=1)
    assert in_standard_errors(car.simulated["staff-car"], car.exact["staff-car"]) < 5
    for r in (5, 9, 14, 20):
        one = throws_odds(tables, "appel", r, 1, cap, ATTEMPTS, seed=2)
        assert in_standard_errors(one.simulated["appel"], one.exact["appel"]) < 5
        for talisman in (False, True):
            shot = shot_odds(tables, "shot", r, talisman, cap, ATTEMPTS, seed=3)
            assert in_standard_errors(shot.simulated["shot"], shot.exact["shot"]) < 5


def test_the_cap_reaches_the_dice(tables):
    """Within five standard errors both could pass for each other at most distances; at 55 with x3 they cannot."""
    odds = [do_or_die_odds(tables, 55, cap, 1_000_000, seed=4) for cap in (None, 3)]
    assert odds[0].simulated["3"].low > odds[1].exact["3"] * 1.5 > odds[1].simulated["3"].high


def test_attempts_have_luck_of_their_own(tables):
    a, b = simulate_totals(tables, 3, 1000, seed=1), simulate_totals(tables, 3, 1000, seed=1, first=500)
    assert (a[500:] == b[:500]).all() and (a[:500] != b[:500]).any()
    assert (a != simulate_totals(tables, 3, 1000, seed=2)).any()
