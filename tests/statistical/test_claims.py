"""How often is a claim called true, or false, that nobody can tell? Binomials simulated on the edge of the band."""

from types import SimpleNamespace

import numpy as np
import polars as pl
import pytest

from bartizan.analyses.records.claims import FAIL, INCONCLUSIVE, PASS, judge

RUNS = 200


def sweep_of(*shares: list[int], precision=None, tables=()):
    """A sweep in memory: one cell a list of winners."""
    cells = []
    for number, winners in enumerate(shares):
        frame = pl.LazyFrame({"game": np.arange(len(winners)), "winner": np.asarray(winners, dtype=np.int8)})
        cell = dict(id=f"cell{number}", difficulty=f"level{number}", scenario="s", set={}, policies=[{"role": "player", "name": "p"}], labels={}, cause_column=None)
        cells.append(SimpleNamespace(**cell, tiers={}, end_reasons={}, columns={}, assumed=0, scan=lambda frame=frame: frame))
    return SimpleNamespace(folder="here", manifest={"claims": list(tables), "precision": precision, "level": 0.95, "seed": 1}, cells=cells)


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
