"""Who is not picked: `escape_officer` leaves out POWs who would stay where they are, and only those."""

import numpy as np
import pytest

from bartizan.policies.colditz import plans
from bartizan.policies.colditz.escape_officer import ESCAPE_OFFICER, worth_of_pick
from bartizan.policies.colditz.plans import CHOSEN
from bartizan.policies.request import Request
from bartizan.simcore.colditz.actions import argument_of, kind_of
from bartizan.simcore.colditz.components import GERMAN, TEAM, Act, Stage
from bartizan.simcore.play.batch import Batch
from bartizan.simcore.play.replay import OneGame
from tests.colditz_table import tables_of

WEIGHTS = np.array(list(ESCAPE_OFFICER.weights.values()))
BOARD = tables_of(frozenset()).board


def games(players: int, numbers: range):
    """Yields a game at each decision of an Allied turn."""
    line_up = ("allied=escape_officer", "german=security_officer")
    one = OneGame(Request("colditz", policy=line_up, players=players).match(11, ""))
    for number in numbers:
        one.begin(11, number)
        while not one.is_over:
            if one.seat != GERMAN and one.state.stage == Stage.TURN:
                yield one
            one.play(one.choice())


def would_stay(one: OneGame, action: int) -> bool:
    """Picked all the same, he stays. Leaves the game as it is."""
    kept = one.state.copy()
    one.play(action)
    stays = kind_of(one.choice()) == Act.STAY
    one._states[0] = kept
    return bool(stays)


@pytest.mark.parametrize("players", [1, 3])
def test_who_is_not_picked_would_stay(players):
    """Every POW that the search finds no better stop for is picked all the same, at a sample of decisions."""
    left_out = 0
    for i, one in enumerate(games(players, range(2))):
        if i % (3 * players):
            continue
        s, t, p = one.state, one.tables, int(one.state.player)
        plan = plans.plan_of(s, t, p, WEIGHTS, np.zeros(1, CHOSEN)[0])
        scratch = np.zeros(1, plans.SCRATCH)[0]
        for action in one.legal():
            w = p * TEAM + int(argument_of(action))
            if kind_of(action) != Act.PICK or worth_of_pick(s, t, p, w, plan, WEIGHTS) <= 0.0:
                continue
            if not plans.may_gain(s, t, w, plan, WEIGHTS, scratch):
                assert would_stay(one, int(action))
                left_out += 1
    assert left_out > 15


def test_who_is_picked_mostly_goes():
    picked = stayed = 0
    for one in games(3, range(2)):
        action = one.choice()
        if kind_of(action) == Act.PICK:
            picked += 1
            stayed += would_stay(one, action)
    assert picked > 150
    assert stayed < 0.2 * picked  # six of ten before anybody looked


def test_a_step_brings_nobody_nearer_by_more_than_one():
    """What the search leaves out rests on it: steps to any goal differ by one at most along a step in the grey zone."""
    start = np.repeat(np.arange(len(BOARD.zone)), np.diff(BOARD.arc_first))
    end = BOARD.arc_to[: len(start)]
    walks = (BOARD.grey[start] == 1) & (BOARD.grey[end] == 1) & (BOARD.arc_kind[: len(start)] == 0)
    for steps in (*BOARD.symbol_steps, *BOARD.steps_in, *BOARD.steps[BOARD.grey == 1]):
        left = np.where(steps < 0, 999, steps).astype(int)
        assert np.abs(left[start[walks]] - left[end[walks]]).max() <= 1


def test_as_many_steps_lead_back():
    """Policies read steps from the goal, which lie side by side in memory."""
    assert (BOARD.steps == BOARD.steps.T).all()


def test_who_may_do_nothing_but_pick_somebody_still_answers():
    """`omit` may leave POWs who would stay, and no END."""
    match = Request(
        "colditz", policy=("allied=escape_officer:omit=end", "german=greedy"), players=1, sets={"limit.rounds": "2"}
    ).match(3, "")
    assert len(Batch(match).play(range(3))) == 3
