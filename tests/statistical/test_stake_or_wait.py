"""Stake now or wait: known chances, situations in which the answer is plain, and what a moment is."""

import numpy as np
import pytest

from bartizan.analyses.games.stake_or_wait import ESCAPE, STAKE, WAIT, Situation, analyze, crossroads
from bartizan.policies.registry import find_player
from bartizan.simcore.colditz import stakes
from bartizan.simcore.colditz.components import ARGUMENTS, Act, Stage
from bartizan.simcore.game import load_game
from bartizan.simcore.play.match import Match
from bartizan.simcore.play.replay import replay
from bartizan.simcore.play.rules import NO_ROW
from bartizan.simcore.scenario.loading import load_scenario

GAME = load_game("colditz")
ANYWHERE = Situation(steps=200, within=200)


def match_of(players=1, **sets):
    scenario = load_scenario(
        GAME, sets={"players.allied": players, **{f"rulings.{key}": value for key, value in sets.items()}}
    )
    return Match(
        GAME, scenario, (find_player(GAME, "escape_officer"), find_player(GAME, "security_officer")), 7
    )


def asked(situation, games, futures=2, jobs=2, match=None):
    question = crossroads(match or match_of(), situation, futures)
    chunks = list(question.play(games, jobs))
    return analyze(question, chunks), [
        np.concatenate([getattr(chunk, name) for chunk in chunks]) for name in ("met", "moments", "records")
    ]


def test_a_single_player_who_stakes_gets_away_as_often_as_the_dice_say():
    """A failed stake loses the team, so somebody has escaped in the end exactly when the stake succeeds (5.4c)."""
    rows, (met, moments, records) = asked(ANYWHERE, 120, futures=4)
    chance = match_of().tables().stake
    there = met > 0
    p = chance[np.minimum(moments[there][:, stakes.STEPS], len(chance) - 1)]
    away = (records[there][:, :, stakes.STAKE]["score"] > 0).sum(axis=1)
    assert len(p) > 200 and abs(away.sum() - 4 * p.sum()) < 4 * np.sqrt(4 * (p * (1 - p)).sum())
    for row in rows:
        assert row.effects[ESCAPE].changed.interval.estimate < 1 and row.steps == (0, 400)
    assert sum(row.met for row in rows) == met.sum() and max(row.moments for row in rows) <= 120


def test_in_the_last_round_a_stake_is_plainly_right():
    (row,), _ = asked(Situation(steps=60, within=60, left=0), 800)
    assert (
        row.verdict == STAKE
        and row.more is None
        and row.chance == pytest.approx(row.effects[ESCAPE].changed.interval.estimate, abs=0.1)
    )
    assert row.effects[ESCAPE].base.interval.estimate < 0.1, "there is hardly another way left"


def test_far_away_with_half_of_the_game_to_come_it_is_plainly_wrong():
    (row,), _ = asked(Situation(steps=80, within=19, left=25), 600)
    assert row.verdict == WAIT and row.chance < 0.1


def test_threads_change_nothing():
    one, two = (asked(Situation(), 12, 1, jobs, match_of(3))[1] for jobs in (1, 2))
    assert all((a == b).all() for a, b in zip(one, two)) and one[0].sum() > 100


@pytest.mark.parametrize(
    ("sets", "stage", "other", "games"),
    [
        ({}, Stage.START, Act.THROW, 6),
        ({"stake_and_throw": "after"}, Stage.TURN, Act.END, 6),
        ({"stake_when": "at_limit"}, Stage.START, Act.END, 30),
    ],
    ids=["before the throw", "after the moves", "after the last round"],
)
def test_a_moment_offers_two_legal_actions(sets, stage, other, games):
    match, found = match_of(2, **sets), 0
    tables, rows, moment = match.tables(), ANYWHERE.rows(), np.zeros(stakes.NUMBERS, np.int64)
    for game in range(games):
        before = None
        for ply in replay(match, game):
            if (
                before is not None
                and (row := stakes.crossroads(before, tables, rows, ply.action, moment)) != NO_ROW
            ):
                found += 1
                assert (before.stage, moment[stakes.NOT_NOW]) == (stage, other * ARGUMENTS)
                assert {int(moment[stakes.STAKE]), int(moment[stakes.NOT_NOW])} <= set(ply.legal.tolist())
                assert rows[row, 0] <= moment[stakes.LEFT] == tables["rounds"] - before["round"]
                assert before.escaped.sum() == before.staked_out.sum() == 0
            before = ply.state.copy()
    assert found > 0
