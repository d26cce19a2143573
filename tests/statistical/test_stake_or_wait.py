"""Stake now or wait: known chances, situations in which the answer is plain, and what a moment is."""

import numpy as np
import pytest

from bartizan.analyses.games.colditz import ESCAPE, LEFT, STAKE, WAIT, Situation, analyze, crossroads
from bartizan.policies.registry import find_player
from bartizan.simcore.colditz import odds
from bartizan.simcore.colditz.components import ALLIED, ARGUMENTS, TEAM, Act, Stage
from bartizan.simcore.colditz.rules.escaping import stake_distance
from bartizan.simcore.compile.rules import NO_ROW
from bartizan.simcore.game import load_game
from bartizan.simcore.play.match import Match
from bartizan.simcore.play.replay import OneGame, replay
from bartizan.simcore.rng import aside, fresh_luck
from bartizan.simcore.scenario.loading import load_scenario

GAME = load_game("colditz")
ANYWHERE = Situation(steps=200, within=200)


def match_of(players=1, **sets):
    """Keys of `sets` are rulings; with a dot any number of the scenario."""
    changes = {key if "." in key else f"rulings.{key}": value for key, value in sets.items()}
    scenario = load_scenario(GAME, sets={"players.allied": players, **changes})
    return Match(GAME, scenario, (find_player(GAME, "escape_officer"), find_player(GAME, "security_officer")), 7)


def asked(situation, games, futures=2, jobs=2, match=None):
    question = crossroads(match or match_of(), situation, futures)
    chunks = list(question.play(range(games), jobs))
    return analyze(question, chunks), [
        np.concatenate([getattr(chunk, name) for chunk in chunks]) for name in ("met", "moments", "records")
    ]


def test_a_single_player_who_stakes_gets_away_as_often_as_the_dice_say():
    """A failed stake loses the team, so somebody has escaped in the end exactly when the stake succeeds (5.4c)."""
    rows, (met, moments, records) = asked(ANYWHERE, 60, futures=4)
    chance = match_of().tables().stake
    there = met > 0
    p = chance[np.minimum(moments[there][:, odds.STEPS], len(chance) - 1)]
    away = (records[there][:, :, odds.STAKE]["score"] > 0).sum(axis=1)
    assert len(p) > 100 and abs(away.sum() - 4 * p.sum()) < 4 * np.sqrt(4 * (p * (1 - p)).sum())
    for row in rows:
        assert row.outcomes[ESCAPE].stake.estimate < 1 and row.steps == (0, 400)
    assert sum(row.met for row in rows) == met.sum() and max(row.moments for row in rows) <= 60


def test_in_the_last_round_a_stake_is_plainly_right():
    match = match_of(**{"limit.rounds": 20})  # so short that many a last round begins without an escape
    (row,), _ = asked(Situation(steps=60, within=60, left=0), 300, match=match)
    assert row.verdict == STAKE and row.more_moments is None
    assert row.now == pytest.approx(row.outcomes[ESCAPE].stake.estimate, abs=0.1)
    assert row.outcomes[ESCAPE].wait.estimate < 0.1, "there is hardly another way left"


def test_far_away_with_half_of_the_game_to_come_it_is_plainly_wrong():
    (row,), _ = asked(Situation(steps=80, within=19, left=25), 300)
    assert row.verdict == WAIT and row.now < 0.1


def test_threads_change_nothing():
    one, two = (asked(Situation(), 6, 1, jobs, match_of(3))[1] for jobs in (1, 2))
    assert all((a == b).all() for a, b in zip(one, two)) and one[0].sum() > 50


@pytest.mark.parametrize(
    ("sets", "stage", "other", "games"),
    [
        ({}, Stage.START, Act.THROW, 2),
        ({"stake_and_throw": "after"}, Stage.TURN, Act.END, 2),
        ({"stake_when": "at_limit", "limit.rounds": 20}, Stage.START, Act.END, 5),  # many without an escape
    ],
    ids=["before the throw", "after the moves", "after the last round"],
)
def test_a_moment_offers_two_legal_actions(sets, stage, other, games):
    match, found = match_of(2, **sets), 0
    tables, rows, moment = match.tables(), ANYWHERE.rows(), np.zeros(odds.NUMBERS, np.int64)
    for game in range(games):
        before = None
        for ply in replay(match, game):
            if before is not None and (row := odds.crossroads(before, tables, rows, ply.action, moment)) != NO_ROW:
                found += 1
                assert (before.stage, moment[odds.NOT_NOW]) == (stage, other * ARGUMENTS)
                assert {int(moment[odds.STAKE]), int(moment[odds.NOT_NOW])} <= set(ply.legal.tolist())
                assert rows[row, 0] <= moment[odds.LEFT] == tables["rounds"] - before["round"]
                assert before.escaped.sum() == before.staked_out.sum() == 0
            before = ply.state.copy()
    assert found > 0


# ---------------------------------------------------------------- the same moments by a naive loop


def naive_moments(match, game):
    """The moments of a game in plain Python, from what is legal: (state before the choice, stake, other way)."""
    one = OneGame(match)
    one.begin(match.seed, game)
    while not one.is_over:
        kinds = {int(code) // ARGUMENTS: int(code) for code in one.legal()}
        other = kinds.get(Act.THROW, kinds.get(Act.END))
        chosen, state = one.decide(), one.state
        if one.seat == ALLIED and Act.STAKE in kinds and state.escaped.sum() + state.staked_out.sum() == 0:
            yield state.copy(), nearest_of(state, one), other
        one.apply(chosen)


def nearest_of(state, one):
    """The legal stake with the fewest steps to go; the first of several."""
    stakes_ = [int(code) for code in one.legal() if code // ARGUMENTS == Act.STAKE]
    steps = [stake_distance(state, one.tables, state.player * TEAM + code % ARGUMENTS) for code in stakes_]
    return stakes_[int(np.argmin(steps))]


def naive_fork(match, moment, action, future):
    """The record of a game played on from a moment, decision by decision."""
    one = OneGame(match)
    one.begin(match.seed, 0)
    one._states[0] = moment
    fresh_luck(one.state, future)
    match.engine.shuffle_unseen(one.state, one.tables)
    one.apply(action)
    while not one.is_over:
        one.apply(one.decide())
    return one.record()


def kept_of(match, game):
    """By span of rounds left: how many moments were met, and the one that Vitter's lot keeps."""
    met, kept = [0] * len(LEFT), {}
    for moment in naive_moments(match, game):
        left = match.tables()["rounds"] - moment[0]["round"]
        (row,) = (i for i, (least, most) in enumerate(LEFT) if least <= left <= most)
        met[row] += 1
        if aside(moment[0], row << 32 | met[row], met[row]) == 0:
            kept[row] = moment
    return met, kept


@pytest.mark.parametrize("games", [2, pytest.param(120, marks=pytest.mark.slow)])
def test_a_naive_loop_meets_the_same_moments_and_the_same_ends(games):
    """Played on both ways by a plain loop, on the same luck, from moments found by what is legal."""
    match, forks = match_of(2), 0
    _, (met, _, records) = asked(ANYWHERE, games, futures=1, match=match)
    for game in range(games):
        count, kept = kept_of(match, game)
        assert met[game].tolist() == count
        for row, (before, *actions) in kept.items():
            forks += 1
            for way, action in enumerate(actions):
                plain, forked = naive_fork(match, before, action, 0), records[game, row, 0, way]
                differ = [name for name in plain.dtype.names if plain[name] != forked[name]]
                assert set(differ) <= {"game", "plies"}, (game, row, way)
    assert forks > 1.5 * games
