"""How often is a claim called true, or false, that nobody can tell? Binomials simulated on the edge of the band."""

from pathlib import Path
from types import SimpleNamespace

import numpy as np
import polars as pl
import pytest
from scipy.special import ndtr

from bartizan.analyses.records.claims import FAIL, INCONCLUSIVE, PASS, judge, look_at
from bartizan.analyses.statistics.looks import spent
from bartizan.simcore.sweep import looks

RUNS = 200


def sweep_of(*shares: list[int], precision=None, tables=(), folder=Path("here")):
    """A sweep in memory: one cell a list of winners."""
    cells = []
    for number, winners in enumerate(shares):
        frame = pl.LazyFrame({"game": np.arange(len(winners)), "winner": np.asarray(winners, dtype=np.int8)})
        cell = dict(
            id=f"cell{number}",
            difficulty=f"level{number}",
            scenario="s",
            set={},
            policies=[{"role": "player", "name": "p"}],
            labels={},
            cause_column=None,
        )
        cells.append(
            SimpleNamespace(**cell, tiers={}, end_reasons={}, columns={}, assumed=0, scan=lambda frame=frame: frame)
        )
    return SimpleNamespace(
        folder=folder, manifest={"claims": list(tables), "precision": precision, "level": 0.95, "seed": 1}, cells=cells
    )


def verdicts(winners, table, **how):
    return [one.verdict for one in judge(sweep_of(*winners, tables=[table], **how))]


def games(luck, p, n):
    return np.where(luck.random(n) < p, 0, -3)


@pytest.mark.parametrize("edge", [0.35, 0.45])
def test_a_true_value_on_the_edge_passes_or_fails_in_few_runs(edge):
    """Each wrong by one side of a 95 % interval: 2.5 %, the two together 5 %. Above by no more than 3 standard errors of 200 runs."""
    luck = np.random.default_rng(7)
    found = [verdicts([games(luck, edge, 2000)], {"band": [0.35, 0.45]})[0] for _ in range(RUNS)]
    most = 0.025 + 3 * (0.025 * 0.975 / RUNS) ** 0.5
    assert found.count(PASS) / RUNS <= most and found.count(FAIL) / RUNS <= most


@pytest.mark.slow
def test_ten_claims_on_the_edge_hardly_ever_hold_one_wrong_verdict():
    """Holm: the chance that any of them passes or fails stays below 5 %; without it, it would be near 25 %."""
    luck = np.random.default_rng(8)
    tables = [{"band": [0.35, 0.45], "difficulty": f"level{number}"} for number in range(10)]
    wrong = alone = 0
    for _ in range(200):
        found = judge(sweep_of(*[games(luck, 0.35, 400) for _ in range(10)], tables=tables))
        wrong += any(one.verdict != INCONCLUSIVE for one in found)
        alone += any(one.alone != INCONCLUSIVE for one in found)
    assert wrong / 200 <= 0.05 + 3 * (0.05 * 0.95 / 200) ** 0.5
    assert alone / 200 > 0.12, "the test would not bite"


def test_a_watched_run_may_be_judged_at_every_look():
    """The verdict of a confidence sequence, looked at 20 times: wrong in at most 5 % of the runs. A fixed interval would be wrong far more often."""
    luck = np.random.default_rng(9)
    looks = range(200, 4001, 200)
    wrong = fixed = 0
    for _ in range(30):
        winners = games(luck, 0.45, 4000)
        wrong += any(verdicts([winners[:n]], {"band": [0.3, 0.45]}, precision=0.01) != [INCONCLUSIVE] for n in looks)
        fixed += any(verdicts([winners[:n]], {"band": [0.3, 0.45]}) != [INCONCLUSIVE] for n in looks)
    assert wrong <= 30 * 0.05 + 3 * (30 * 0.05 * 0.95) ** 0.5
    assert fixed > wrong


# ---------------------------------------------------------------- repeated looks

# Every claim is false by a hair: a share, a mean, a difference of shares and one of means, whose cells share luck.
FALSE_BY_A_HAIR = [
    {"difficulty": "level0", "band": [0.0, 0.35]},
    {"difficulty": "level0", "measure": "turns", "band": [1.0, 10.0]},
    {"order": ["level0", "level1"], "by": 0.1},
    {"order": ["level0", "level1"], "measure": "turns", "by": 1.0},
]


def false_by_a_hair(luck, games):
    """Rows of two cells: won 35.01 and 25.02 % of the games, 10.001 and 9.002 turns long."""
    luck_of_game, own = luck.random(games), luck.random(games) < 0.7
    other = np.where(own, luck.random(games), luck_of_game)
    turns = 10.001 + 2 * luck.standard_normal(games)
    cells = []
    for win, length, chance in (
        (0.3501, turns, luck_of_game),
        (0.2502, turns - 0.999 + luck.standard_normal(games), other),
    ):
        cells.append(
            pl.DataFrame(
                {"game": np.arange(games), "winner": np.where(chance < win, 0, -3).astype(np.int8), "turn": length}
            )
        )
    return cells


def wrong_verdicts(luck, folder, counted, most_looks=8, first=1000, most=16_000):
    """Does a designer who follows the advice, look after look, ever read a PASS? [alone: one a claim, of all four]"""
    frames = false_by_a_hair(luck, most)
    wrong, family, n = np.zeros(4, bool), False, first
    for _ in range(most_looks):
        sweep = sweep_of([], [], tables=FALSE_BY_A_HAIR, folder=folder)
        for cell, frame in zip(sweep.cells, frames, strict=True):
            cell.scan = lambda frame=frame, n=n: frame.head(n).lazy()
            cell.columns = {"turn": "<f8"}
        judged = judge(sweep)
        if counted:
            assert looks.add(sweep, [look_at(judged)])
        wrong |= [one.alone == PASS for one in judged]
        family |= any(one.verdict == PASS for one in judged)
        advice = min((one.needed for one in judged if one.needed), default=most)
        n = min(max(n + n // 10, min(advice, n + n // 2)), most)
    return wrong, family


def test_the_shares_of_alpha_suffice_for_any_rule_of_stopping():
    """As a normal sum, watched by somebody who looks again as soon as it may help; in numpy, so for many runs."""
    luck, runs, n = np.random.default_rng(5), 20_000, 1.0
    total, crossed = luck.standard_normal(runs), np.zeros((2, runs), bool)
    for look in range(1, 9):
        z = np.abs(total) / n**0.5
        for row, alpha in enumerate((spent(look), 0.05)):
            crossed[row] |= 2 * ndtr(-z) <= alpha
        total, n = total + luck.standard_normal(runs) * n**0.5, 2 * n
    counted, uncounted = crossed.mean(axis=1)
    assert counted <= 0.05 and uncounted > 0.15
    assert sum(map(spent, range(1, 10_000))) == pytest.approx(0.05, abs=1e-5)


@pytest.mark.slow
@pytest.mark.parametrize("runs", [150])
def test_looks_are_paid_for(tmp_path, runs):
    """Up to eight looks, each at the games that the last one asked for: a false claim passes in at most 5 % of the
    runs, by itself and as one of four. Looks that are not counted pass it far more often.
    """
    luck = np.random.default_rng(57)
    rates = {}
    for counted in (True, False):
        found = []
        for run in range(runs):
            (folder := tmp_path / f"{run}.{counted}").mkdir()
            found.append(wrong_verdicts(luck, folder, counted))
        rates[counted] = np.mean([wrong for wrong, _ in found], axis=0), np.mean([family for _, family in found])
    most = 0.05 + 3 * (0.05 * 0.95 / runs) ** 0.5
    alone, family = rates[True]
    print(rates)  # shown with -s
    assert (alone <= most).all() and family <= most
    assert rates[False][0].mean() > 0.05 > 2 * alone.mean(), "uncounted looks would do no harm: the test would not bite"
