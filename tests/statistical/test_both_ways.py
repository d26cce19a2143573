"""A choice played on both ways: against exact chances, and the two ways differ in nothing else."""

import numpy as np

from bartizan.policies.registry import find_player
from bartizan.simcore.compile.jit import jit
from bartizan.simcore.compile.rules import NO_ROW
from bartizan.simcore.game import load_game
from bartizan.simcore.play.choices import Choices
from bartizan.simcore.play.match import Match
from bartizan.simcore.scenario.loading import load_scenario
from tests.cli.run_cli import PIG
from tests.oracles import GOAL, pig_turns

ROLL, HOLD = 0, 1
FUTURES = 4
SPANS = np.array([[2, 9], [10, 19], [20, 40]])  # at stake


@jit
def roll_or_hold(state, tables, rows, action, moment):
    """The first player has thrown something and may hold."""
    moment[0], moment[1] = ROLL, HOLD
    return at_stake(state, rows, moment)


@jit
def hold_or_hold(state, tables, rows, action, moment):
    moment[0], moment[1] = HOLD, HOLD
    return at_stake(state, rows, moment)


@jit
def at_stake(state, rows, moment):
    moment[2], moment[3], moment[4] = state.at_stake, state.banked[0], state.banked[1]
    if state.to_move == 0:
        for i in range(rows.shape[0]):
            if rows[i, 0] <= state.at_stake <= rows[i, 1]:
                return np.int64(i)
    return np.int64(NO_ROW)


def crossed(choice, games=range(300), jobs=1):
    game = load_game(PIG)
    match = Match(game, load_scenario(game), (find_player(game, "hold:at=25"), find_player(game, "hold:at=20")), 3)
    chunks = list(Choices(match, choice, 5, SPANS, FUTURES).play(games, jobs))
    return [np.concatenate([getattr(chunk, name) for chunk in chunks]) for name in ("met", "moments", "records")]


def chances(moments):
    """Of the first player, exactly: rolling, holding."""
    wins = pig_turns(25, 20)
    for at_stake, own, other in moments[:, 2:].tolist():
        held = 1.0 if own + at_stake >= GOAL else 1 - wins[1, other, own + at_stake]
        yield rolled(at_stake, own, other, wins), held


def rolled(at_stake, own, other, wins):
    """One roll at least; from there on he rolls until he has 25, or the goal."""
    chance = (1 - wins[1, other, own]) / 6
    for pips in range(2, 7):
        there = at_stake + pips
        if there < min(25, GOAL - own):
            chance += rolled(there, own, other, wins) / 6
        else:
            chance += (1.0 if own + there >= GOAL else 1 - wins[1, other, own + there]) / 6
    return chance


def test_both_ways_of_pig_win_as_often_as_they_must():
    met, moments, records = crossed(roll_or_hold)
    for row in range(len(SPANS)):
        there = met[:, row] > 0
        exact = np.array(list(chances(moments[there, row])))
        won = (records[there, row]["winner"] == 0).sum(axis=1)  # [moment, way]
        assert len(won) > 200
        for way in (ROLL, HOLD):
            p = exact[:, way]
            error = np.sqrt(FUTURES * (p * (1 - p)).sum())
            assert abs(won[:, way].sum() - FUTURES * p.sum()) < 4 * error, (row, way)


def test_the_two_ways_differ_in_nothing_but_the_action():
    met, _, records = crossed(hold_or_hold, range(100))
    played = records[met > 0]
    assert len(played) > 200 and (played[:, :, 0] == played[:, :, 1]).all()
    assert (played[:, 0] != played[:, 1]).any(), "another future is another game"


def test_any_moment_of_a_game_is_kept_and_threads_change_nothing():
    met, moments, records = crossed(roll_or_hold)
    first = moments[met[:, 0] > 0, 0]
    assert (first[:, 3] == 0).mean() < 0.5, "not always the first one"
    again = crossed(roll_or_hold, jobs=3)
    assert all((one == two).all() for one, two in zip((met, moments, records), again))
    later = crossed(roll_or_hold, range(200, 250))
    assert all((one[200:250] == two).all() for one, two in zip((met, moments, records), later))
