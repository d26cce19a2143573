"""Chances from rollouts against exact ones, turn by turn."""

import numpy as np
import pytest

from bartizan.analyses.experiments import losses
from bartizan.analyses.experiments.losses import Moment, Story
from bartizan.policies.registry import find_player
from bartizan.simcore.game import load_game
from bartizan.simcore.play.batch import Source
from bartizan.simcore.play.match import Match
from bartizan.simcore.play.replay import replay
from bartizan.simcore.play.rollouts import NO_TURN, Rollouts
from bartizan.simcore.scenario.loading import load_scenario
from tests.cli.run_cli import PIG, RUIN
from tests.oracles import pig_turns, ruin

ROLLOUTS = 200


def ruined() -> Match:
    game = load_game(RUIN)
    return Match(
        game,
        load_scenario(game, sets={"bets.start": "6", "bets.goal": "12", "bets.win_per_mille": "480"}),
        (find_player(game, "random"),),
        5,
    )


def scatter(won: list[int], exact: list[float]) -> float:
    """Sum of squared standard errors, standardised: about normal, of mean 0 and variance 1, when the chances are right."""
    won, exact = np.array(won), np.array(exact)
    inside = (exact > 0.02) & (exact < 0.98)
    squares = (won - ROLLOUTS * exact)[inside] ** 2 / (ROLLOUTS * exact * (1 - exact))[inside]
    return float((squares.sum() - inside.sum()) / np.sqrt(2 * inside.sum()))


def test_rollouts_of_gamblers_ruin_find_the_exact_chance_of_every_purse():
    match = ruined()
    won, exact = [], []
    for chunk in Rollouts(match, ROLLOUTS).play(range(30)):
        for index, (turns, wins) in enumerate(zip(chunk.turns, chunk.wins, strict=True)):
            purses = [6, *(int(ply.state.purse) for ply in replay(match, chunk.first_game + index))][:-1]
            assert turns[turns != NO_TURN].tolist() == list(range(len(purses)))
            won += wins[: len(purses), 0].tolist()
            exact += [ruin(0.48, purse, 12) for purse in purses]
            assert (wins[: len(purses)].sum(axis=1) == ROLLOUTS).all() and not wins[len(purses) :].any()
    assert len(won) > 500
    assert abs(scatter(won, exact)) < 4
    covered = [losses.chance(k, 0, ROLLOUTS) for k in won]
    assert np.mean([interval.low <= p <= interval.high for interval, p in zip(covered, exact, strict=True)]) > 0.93


def test_rollouts_of_pig_find_the_exact_chance_of_every_turn():
    game = load_game(PIG)
    match = Match(game, load_scenario(game), (find_player(game, "hold:at=25"), find_player(game, "hold:at=20")), 3)
    chances = pig_turns(25, 20)
    won, exact = [], []
    for chunk in Rollouts(match, ROLLOUTS).play(range(25)):
        for index, wins in enumerate(chunk.wins):
            mover, banked, turn = 0, (0, 0), 1
            starts = [(mover, banked)]
            for ply in replay(match, chunk.first_game + index):
                if ply.state.end_reason == 0 and ply.state.turn != turn:
                    turn = int(ply.state.turn)
                    starts.append((int(ply.state.to_move), tuple(ply.state.banked.tolist())))
            for (mover, banked), outcomes in zip(starts, wins, strict=False):
                chance = chances[mover, banked[mover], banked[1 - mover]]
                won.append(int(outcomes[0]))
                exact.append(float(chance if mover == 0 else 1 - chance))
    assert len(won) > 400
    assert abs(scatter(won, exact)) < 4


def test_other_branches_are_other_rollouts_and_threads_change_nothing():
    futures = Rollouts(ruined(), 60)
    one, two, other = (
        [chunk.wins.tolist() for chunk in futures.play(range(9), jobs, branch)]
        for jobs, branch in ((1, 0), (2, 0), (1, 60))
    )
    assert one == two != other


# ---------------------------------------------------------------- what is made of them


def moments(won: list[int], n: int = 200) -> tuple[Moment, ...]:
    return tuple(Moment(turn, n, k, 0) for turn, k in enumerate(won, 1))


def story(won: list[int], winner: int = -3, game: int = 0, cause: str = "") -> Story:
    return Story(game, winner, len(won), cause, moments(won), (moments(won), moments(won)))


def test_hopeless_is_hopeless_to_the_end():
    assert story([80, 5, 60, 4, 3]).hopeless_from == 4
    assert story([80, 60, 30]).hopeless_from is None
    assert story([3, 2, 1]).hopeless_from == 1
    assert not Moment(1, 40, 1, 0).is_hopeless  # 1 of 40: too few rollouts to rule out 10 %
    assert not Moment(1, 200, 0, 40).is_hopeless  # cut off: nobody knows


def test_the_decisive_turn_is_the_largest_fall_the_end_included():
    assert story([100, 90, 40, 30]).decisive_turn == 2
    assert story([100, 95, 90, 85]).decisive_turn == 4
    assert story([100, 90, 40, 30]).drop == pytest.approx(0.25)


def test_the_size_of_a_fall_is_not_that_of_the_noise():
    """A chance that does not move: the largest of many noisy falls is well above 0, measured by the other half it is not."""
    rng = np.random.default_rng(1)
    raw, honest = [], []
    for _ in range(300):
        halves = [rng.binomial(100, 0.5, 20).tolist() + [0] for _ in range(2)]
        both = moments([a + b for a, b in zip(*halves, strict=True)])
        it = Story(0, -3, 21, "", both, tuple(moments(half, 100) for half in halves))
        raw.append(losses.drops(it.moments[:-1])[:-1].max())
        first, second = (losses.drops(half[:-1])[:-1] for half in it.halves)
        honest.append(second[np.argmax(first)])
    assert np.mean(raw) > 0.06
    assert abs(np.mean(honest)) < 4 * np.std(honest) / np.sqrt(len(honest))


def test_a_typical_loss_has_the_commonest_cause_and_the_median_turns():
    stories = [story([100] * n, game=n, cause="gate" if n % 2 else "wall") for n in (3, 4, 5, 7, 9, 30)]
    assert losses.typical(stories).game == 5


def test_the_whole_of_ruin():
    match = ruined()
    result = losses.analyze(losses.counted(Source(), match, 2000), Rollouts(match, ROLLOUTS // 2), 40)
    exact = ruin(0.48, 6, 12)
    by_rollouts = result.pilot.win_rate_by_rollouts
    assert abs(by_rollouts.estimate - exact) < 1.7 * by_rollouts.half_width  # 3.3 standard errors
    alive = {turn.turn: turn for turn in result.turns}
    assert alive[1].alive == 2000 and alive[1].win_if_alive.low < exact < alive[1].win_if_alive.high
    kinds = {chosen.kind: chosen for chosen in result.chosen}
    assert set(kinds) == {"typical", "cruel", "comeback"}
    cruel, comeback = kinds["cruel"], kinds["comeback"]
    assert cruel.winner != 0 and comeback.winner == 0
    for chosen in kinds.values():  # the fresh number is one of the exact ones, whatever the chosen one is
        purses = [6, *(int(ply.state.purse) for ply in replay(match, chosen.game))]
        p, fresh = ruin(0.48, purses[chosen.turn], 12), chosen.chance_fresh.estimate
        assert abs(fresh - p) < 4 * np.sqrt(p * (1 - p) / ROLLOUTS) + 1 / ROLLOUTS
        assert chosen.chance_fresh != chosen.chance or fresh in (0, 1)
    hopeless = [turn.hopeless_by.estimate for turn in result.turns]
    assert hopeless == sorted(hopeless) and hopeless[-1] == pytest.approx(1 - result.hopeless.never.estimate)
    assert sum(turn.decisive for turn in result.turns) == result.pilot.lost
