"""Trials of coverage: every registered method has one, each keeps its promise in a shorter form, and a wrong interval is found out."""

import json
from functools import partial

import numpy as np
import pytest

from bartizan.analyses.statistics.intervals import Interval
from bartizan.analyses.statistics.methods import METHODS
from bartizan.analyses.validation.registry import TRIALS, run
from bartizan.analyses.validation.shares import exact_share
from bartizan.analyses.validation.trial import (
    BELOW,
    INCONCLUSIVE,
    ON_TARGET,
    CoverageTrial,
    GridPoint,
    MeasuredCoverage,
    findings,
    of_intervals,
)
from bartizan.api.answers.machine import coverage_lines
from tests.cli.run_cli import bartizan

SLOW = {  # of these a few replicates: the whole test lasts seconds
    "bootstrap over blocks of games, percentile": 0.2,
    "log-linear mixed model": 0.5,
    "trend by play, posterior on a grid": 0.5,
    "posterior, Gauss-Hermite quadrature on a grid": 0.3,
    "posterior, N draws": 0.15,
    "median-unbiased, stage-wise order": 0.2,
    "Hotelling test": 0.2,
    "bootstrap ball of the level means": 0.2,
    "bootstrap BCa": 0.2,
    "Benjamini-Hochberg": 0.1,
    "extrapolated: c - a r^k, profile likelihood": 0.3,
    "exact tails (Blaker)": 0.07,
}
# what cannot be sampled: a bound over what other methods say
WITHOUT = {"bounds over N models"}


def test_every_method_has_a_trial():
    sampled = {name for name, method in METHODS.items() if method.kind in ("interval", "verdict")}
    assert sampled == {trial.method for trial in TRIALS} | WITHOUT
    assert len({trial.name for trial in TRIALS}) == len(TRIALS)
    assert all(set(trial.short) <= set(trial.grid) or trial.short for trial in TRIALS)


@pytest.mark.rotating
@pytest.mark.parametrize("trial", TRIALS, ids=lambda trial: trial.name)
def test_a_method_keeps_its_promise(trial):
    times = SLOW.get(trial.method, 0.5)
    outcomes = {(0, at, 0): trial.at(at, short=True, times=times) for at in range(len(trial.short))}
    (least,) = findings([trial], outcomes, short=True)
    assert not least.is_below, (least.where, least.outcome)
    assert all(0 <= one.width and one.coverage <= 1 + 1e-9 for one in outcomes.values())


def wald(successes: int, n: int) -> Interval:
    """The interval that no book recommends, under the name of another."""
    p = successes / n
    reach = 1.96 * np.sqrt(p * (1 - p) / n)
    return Interval(p, p - reach, p + reach, 0.95, "Wilson")


@pytest.mark.parametrize("point", [GridPoint(20, 0.01), GridPoint(20)])
def test_a_wrong_interval_is_found_out(point):
    trial = CoverageTrial("Wilson", partial(exact_share, wald), (point,), (point,))
    (least,) = run(jobs=1, trials=[trial])
    assert least.is_below and least.outcome.coverage < 0.2 + 0.8 * (point.truth != point.truth)
    assert least.row()["verdict"] == "below target"


def simulated(width: float, points: int = 1, replicates: int = 400, calls: list | None = None):
    def measure(point: GridPoint, replicates: int, random: np.random.Generator) -> MeasuredCoverage:
        means = random.normal(0, 1, replicates)
        found = of_intervals((Interval(m, m - width, m + width, 0.95, "Student t") for m in means), 0.0)
        if calls is not None:
            calls.append((point.n, replicates, found.coverage))
        return found

    grid = tuple(GridPoint(n) for n in range(1, points + 1))
    return CoverageTrial("Student t", measure, grid, grid, replicates, replicates)


def test_a_simulated_interval_that_is_a_little_too_narrow_is_found_out_and_a_right_one_is_not():
    (narrow,) = run(jobs=1, trials=[simulated(1.4)])  # covers 84 %
    (right,) = run(jobs=1, trials=[simulated(1.96)])
    assert narrow.is_below and not right.is_below
    assert narrow.error == pytest.approx(0.018, abs=0.003) and narrow.outcome.width == pytest.approx(2.8)


def test_the_least_points_of_a_grid_are_measured_anew_and_the_last_round_alone_is_told():
    calls = []
    trial = simulated(1.96, 40, 100, calls)
    (least,) = run(short=True, jobs=1, trials=[trial])
    assert least.outcome.coverage < 0.92 and len(calls) == 40, "the smallest of 40 is too small by chance"
    calls.clear()
    (least,) = run(short=False, jobs=1, trials=[trial])
    first, second, (last,) = calls[:40], calls[40:43], calls[43:]
    assert [one[1] for one in (first[0], second[0], last)] == [100, 200, 800]
    assert {one[0] for one in second} == {one[0] for one in sorted(first, key=lambda one: one[2])[:3]}
    assert last[0] == min(second, key=lambda one: one[2])[0] == least.point.n
    assert (least.outcome.coverage, least.outcome.replicates, least.points) == (last[2], 800, 40)
    assert least.outcome.coverage > 0.935 and least.verdict == ON_TARGET


@pytest.mark.parametrize(
    ("hits", "verdict"), [(930, ON_TARGET), (929, INCONCLUSIVE), (914, INCONCLUSIVE), (908, BELOW)]
)
def test_a_verdict_is_open_where_the_simulation_does_not_decide(hits, verdict):
    trial = simulated(1.96, 1, 1000)
    outcome = MeasuredCoverage(hits / 1000, 1.0, 1000)
    (least,) = findings([trial], {(0, 0, 2): outcome}, short=False)
    assert least.verdict == verdict and least.is_below == (verdict == BELOW)


def test_exact_coverage_is_not_measured_again():
    trial = CoverageTrial("Wilson", partial(exact_share, wald), (GridPoint(20), GridPoint(10)), (GridPoint(20),))
    (least,) = run(short=False, jobs=1, trials=[trial])
    assert least.outcome.replicates == 0 and least.verdict == BELOW


def test_a_seed_says_what_comes_out_and_processes_do_not():
    names = ("DKW band", "sequential test", "Newcombe")
    some = [trial for trial in TRIALS if trial.method in names]
    one, other, again = (run(jobs=1, trials=some, seed=seed, times=0.1) for seed in (1, 2, 1))
    assert [least.outcome for least in one] == [least.outcome for least in again] != [least.outcome for least in other]


def test_doctor_validates(monkeypatch):
    """In processes, of the cheap trials; then with one of them that is wrong: exit code 4."""
    from bartizan.analyses.validation import registry

    asked = []

    def cheap(told, jobs, seed, **others):
        asked.append((jobs, seed))
        told("some", 1, 1)
        return run(jobs=1, trials=wanted)

    monkeypatch.setattr(registry, "run", cheap)
    wanted = [trial for trial in TRIALS if trial.method == "Clopper-Pearson"]
    right = bartizan("doctor", "--validate", "--jobs", 2, "--json")
    assert right.code == 0 and asked == [(2, 1)]
    measured = json.loads(right.document)["validation"]
    assert measured["registered"] == len(METHODS)
    assert measured["methods"][0]["coverage"] >= 0.95 and not measured["methods"][0]["is_below"]
    assert len(list(coverage_lines(measured))) == 1 + len(measured["methods"]) + 1
    wanted = [CoverageTrial("Wilson", partial(exact_share, wald), (GridPoint(20),), (GridPoint(20),))]
    wrong = bartizan("doctor", "--validate")
    assert wrong.code == 4 and "Wilson" in wrong.err and "below target" in wrong.out


def test_processes_find_what_one_finds(monkeypatch):
    from bartizan.analyses.validation import registry

    few = [
        (number, at, 0)
        for number, trial in enumerate(TRIALS)
        if trial.method == "rule of three"
        for at in range(len(trial.short))
    ]
    alone, together = (dict(registry._outcomes(few, True, jobs, 1, 1.0, TRIALS)) for jobs in (1, 2))
    assert alone == together and len(alone) == len(few)
