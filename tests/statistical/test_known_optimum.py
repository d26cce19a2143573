"""Looking ahead beside players whose worth is known exactly: it reaches the best where one step is enough, and comes near it in Pig."""

import numpy as np
import pytest

from bartizan.simcore.play.replay import OneGame
from tests.cli.run_cli import PIG, ROOT
from tests.oracles import GOAL, pig_best
from tests.unit.test_lookahead import match, share

SECRETARY = str(ROOT / "tests/games/secretary/secretary.py")
PACE = str(ROOT / "examples/policies/pace.py")
BEST_SECRETARY = 3 / 10 * sum(1 / k for k in range(3, 10))  # 0.3987
ROLL = 0


def test_alone_it_finds_the_best_way_to_stop():
    """The rule that looks one step ahead is the best there is here (Chow & Robbins 1961). Its base takes the first candidate of all, who leads: 1 in 10."""
    games = 3000
    looks = share(SECRETARY, "lookahead:base=eager,plays=1024,doubt=2,turns=0", games=games)
    assert abs(looks - BEST_SECRETARY) < 3 * np.sqrt(0.24 / games)
    assert abs(share(SECRETARY, "eager", games=games) - 0.1) < 3 * np.sqrt(0.09 / games)
    assert abs(share(SECRETARY, "eager:let_pass=3", games=games) - BEST_SECRETARY) < 3 * np.sqrt(0.24 / games)


@pytest.fixture(scope="module")
def chances():
    return pig_best()


def test_the_best_first_player_of_pig_wins_as_published(chances):
    assert abs(np.maximum(*chances)[0, 0, 0] - 0.5306) < 1e-4


def given_away(text: str, chances, games: int) -> np.ndarray:
    """By game: what a player of Pig gives away against the best one, in chances to win, summed over its decisions.

    The sum's mean is exactly how much less it wins than the best one would, with none of the noise of who won.
    """
    roll, hold = chances
    game, lost = OneGame(match(PIG, text, text)), np.zeros(games)
    for number in range(games):
        game.begin(7, number)
        while not game.is_over:
            mine = int(game.state.banked[game.seat])
            theirs = int(game.state.banked[1 - game.seat])
            stake = int(game.state.at_stake)
            rolls = roll[mine, theirs, stake] if mine + stake < GOAL else 0.0
            holds = hold[mine, theirs, stake] if mine + stake < GOAL else 1.0
            action = int(rolls < holds)
            if game.seat == number % 2:
                action = game.choice()
                lost[number] += max(rolls, holds) - (rolls if action == ROLL else holds)
            game.play(action)
    return lost


@pytest.mark.parametrize(
    ("text", "exactly"), [("hold", 0.5 - 0.46008), pytest.param(PACE, 0.5 - 0.49534, marks=pytest.mark.slow)]
)
def test_what_is_given_away_is_what_an_exact_evaluation_says(text, exactly, chances):
    lost = given_away(text, chances, 250)
    assert abs(lost.mean() - exactly) < 3 * lost.std() / np.sqrt(len(lost))


@pytest.mark.slow
def test_looking_ahead_from_a_good_base_of_pig_stays_within_a_point_of_the_best(chances):
    """From `hold` it does not come near: one step of improvement on hold-at-20 against itself is, exactly, a worse player against the best one (0.432 against 0.460): it counts on an opponent who is not there."""
    lost = given_away(f"lookahead:base={PACE},plays=1024,turns=0", chances, 250)
    assert lost.mean() + 2 * lost.std() / np.sqrt(len(lost)) < 0.01
