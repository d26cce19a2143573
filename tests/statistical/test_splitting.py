"""Multilevel splitting against exact answers, and against direct simulation in the games themselves."""

import numpy as np
import pytest

from bartizan.analyses.experiments.rare import analyze, choose_levels
from bartizan.policies.registry import find_player
from bartizan.simcore.game import load_game
from bartizan.simcore.play.batch import Batch
from bartizan.simcore.play.match import Match
from bartizan.simcore.play.splitting import Splitting, pick, splitting_of
from bartizan.simcore.scenario.loading import load_scenario
from tests.cli.run_cli import RUIN
from tests.oracles import ruin

EXACT = 4.3066e-8  # gambler's ruin p = .3, from 5 of 25


def ruined(seed: int, start: int = 5, goal: int = 25, per_mille: int = 300) -> Splitting:
    game = load_game(RUIN)
    s = load_scenario(
        game, sets={"bets.start": str(start), "bets.goal": str(goal), "bets.win_per_mille": str(per_mille)}
    )
    return splitting_of(Match(game, s, (find_player(game, "random"),), seed), "goal")


def test_the_known_answer_lies_within_the_interval():
    assert ruin(0.3, 5, 25) == pytest.approx(EXACT, rel=1e-4)
    for merge in (True, False):
        found = analyze(ruined(4), 500, 40, games=100, merge=merge)
        assert found.chance.low < EXACT < found.chance.high
        assert found.chance.half_width < 0.15 * EXACT
        assert found.extinct == 0 and found.plain_count.seen == 0 and found.standard_errors_apart is None
        assert found.gain > 1000


def test_splitting_and_plain_counting_agree_where_both_can_see():
    found = analyze(ruined(2, 5, 10, 450), 400, 30, games=20_000)
    exact = ruin(0.45, 5, 10)
    assert found.plain_count.chance.low < exact < found.plain_count.chance.high
    assert abs(found.chance.estimate - exact) < 4 * found.se
    assert abs(found.standard_errors_apart) < 4


def test_a_replicate_that_dies_out_counts_as_nothing_and_the_mean_stays_right():
    found = analyze(ruined(3, 1, 6, 300), 6, 750, games=100, merge=False)
    assert found.extinct > 25
    assert abs(found.chance.estimate - ruin(0.3, 1, 6)) < 4 * found.se


def test_nobody_gets_there():
    found = analyze(ruined(4, 1, 60, 10), 50, 10, games=100)
    assert found.extinct == found.replicates == 10
    assert found.chance.estimate == 0 and found.chance.high == pytest.approx(
        1 - 0.05 ** (1 / 600)
    )  # 10 times 50 games begun, and 100 plain ones
    assert found.se is None and "upper limit" in found.chance.method


def test_levels_leave_no_stage_too_easy_and_end_at_the_top():
    levels, spent = choose_levels(ruined(5, 10, 30, 490), 400)
    assert levels[-1] == 20 and list(levels) == sorted(set(levels)) and len(levels) < 8 and spent > 0
    found = analyze(ruined(5, 10, 30, 490), 400, 10, games=100)
    assert all(0.1 < step.share < 0.5 for step in found.stages[:-1])
    assert abs(found.chance.estimate - ruin(0.49, 10, 30)) < 4 * found.se


def test_each_entrance_is_as_likely():
    choice = np.random.default_rng(1)
    counts = sum(np.bincount(pick(7, 24, choice), minlength=7) for _ in range(2000))
    assert counts.sum() == 48_000 and abs(counts - 48_000 / 7).max() < 5 * np.sqrt(2000 * 3 / 7 * 4 / 7)
    assert np.bincount(pick(7, 24, choice), minlength=7).min() == 3


def test_replicates_do_not_depend_on_threads():
    runs = [[run.estimate for run in ruined(6).replicates(range(1, 21), 50, 6, jobs)] for jobs in (1, 2, 3)]
    assert runs[0] == runs[1] == runs[2]
    assert len(set(runs[0])) == 6


@pytest.mark.slow
def test_the_interval_covers():
    """40 seeds: of a true 95 % coverage, 33 or fewer hits would be a chance of 0.3 %."""
    hits = 0
    for seed in range(100, 140):
        interval = analyze(ruined(seed), 300, 20, games=10).interval
        hits += interval.low <= EXACT <= interval.high
    assert hits >= 34


# ---------------------------------------------------------------- the events of the games


def happened(game: str, name: str, rows: np.ndarray, tables) -> np.ndarray:
    """The same event, read off the records."""
    if game == "itter":
        return (rows["casualties"] == 0) & (rows["winner"] == 0)
    if game == "colditz":
        from bartizan.simcore.colditz.rare import BEFORE as LIMIT

        return (rows["first_escape"] > 0) & (rows["first_escape"] < LIMIT)
    if game == "castle":
        from bartizan.simcore.castle.rare import BEFORE as LIMIT

        return (rows["winner"] >= 0) & (rows["turn"] < LIMIT)
    if name == "untouched":
        gate, castle = tables.batches * tables.gate_per_batch, tables.batches * tables.castle_per_batch
        left = [np.where(rows["winner"] == 1, rows[f"{stack}_1"], rows[f"{stack}_0"]) for stack in ("gate", "castle")]
        return (rows["winner"] >= 0) & (left[0] >= gate) & (left[1] >= castle)
    from bartizan.simcore.rampage.rare import BEFORE as LIMIT

    return (rows["winner"] >= 0) & (rows["turn"] < LIMIT)


COMMON = [  # scenario values under which the event is common enough to be counted
    ("itter", "no-casualty", {"difficulty": "novice"}),
    ("colditz", "escape-before-10", {}),
    ("castle", "win-before-10", {}),
    ("rampage", "win-before-5", {}),
    ("rampage", "untouched", {}),
]


@pytest.mark.slow
@pytest.mark.parametrize(("name", "event", "sets"), COMMON)
def test_the_event_is_what_the_records_say_and_splitting_agrees(name, event, sets):
    game = load_game(name)
    s = load_scenario(game, sets=sets)
    match = Match(game, s, tuple(find_player(game, game.default_for(role)) for role in game.roles_in(s)), 7)
    splitting = splitting_of(match, event)
    _, _, best = splitting.stage(splitting.start(), np.zeros(2000, np.int64), splitting.top, 0)
    rows = Batch(match).play(range(2000))
    assert ((best >= splitting.top) == happened(name, event, rows, match.tables())).all()
    found = analyze(splitting, 200, 20, games=6000)
    assert found.standard_errors_apart is None or abs(found.standard_errors_apart) < 4
