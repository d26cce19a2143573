"""Luck-adjusted win rates: the same mean, less variance, whatever the guess; on games whose answer is known."""

import numpy as np
import pytest

from bartizan.analyses.experiments import luck_adjustment as luck
from bartizan.simcore import rng
from bartizan.simcore.arrays import as_records
from bartizan.simcore.compile.loops import new_states
from bartizan.simcore.game import load_game
from bartizan.simcore.play import luck_adjusted as games_of
from bartizan.simcore.play.batch import play_games
from bartizan.simcore.play.match import Match
from tests.cli.run_cli import PIG, ROOT, RUIN
from tests.matches import match_of

HIGHEST_CARD = str(ROOT / "tests/games/highest_card/highest_card.py")
PIG_FIRST_WINS = 0.5346983261653875  # both hold at 20
RUIN_GOAL = 0.4012995229723709
GAMES = 4000


def played(
    match: Match, model: np.ndarray, samples: int, games: int = GAMES, jobs: int = 1
) -> tuple[np.ndarray, np.ndarray]:
    parts = list(games_of.play_adjusted_games(match, model, samples, range(games), jobs))
    winners, given = (np.concatenate(column) for column in zip(*parts, strict=True))
    return winners, given


def assert_no_bias(given: np.ndarray) -> None:
    """Luck has mean 0 for every seat: within 4 standard errors."""
    for seat in given.T:
        assert abs(seat.mean()) <= 4 * seat.std(ddof=1) / len(seat) ** 0.5


@pytest.mark.parametrize(
    ("path", "policy", "truth"), [(PIG, "hold", PIG_FIRST_WINS), (RUIN, "random", RUIN_GOAL)], ids=["pig", "ruin"]
)
def test_the_known_answer_is_in_a_narrower_interval(path, policy, truth):
    found = luck.adjust_luck(match_of(path, policy), GAMES, samples=8, pilot_games=1500)
    first = found.seats[0]
    assert first.adjusted.low < truth < first.adjusted.high
    assert first.adjusted.half_width < 0.75 * first.raw.half_width
    assert first.multiplier_interval.low > 1.7
    assert first.effective_games == GAMES * first.multiplier
    assert found.guess.r2 > 0.2


@pytest.mark.slow
def test_coverage_on_pig():
    """40 runs of 400 games: the 95 % interval holds the answer about 38 times (34 or fewer: 1 in 60)."""
    match = match_of(PIG, "hold", seed=7)
    guess = luck.fit_guess(match, 2, 800)
    winners, given = played(match, guess.model, 4, 16_000)
    parts = [luck.adjusted(winners[i : i + 400], given[i : i + 400, 0], 0).adjusted for i in range(0, 16_000, 400)]
    assert sum(part.low <= PIG_FIRST_WINS <= part.high for part in parts) >= 35


def test_the_share_of_luck_comes_from_games_that_fitted_nothing(monkeypatch):
    asked = []

    def noted(match, model, samples, games, jobs):
        asked.append(games)
        return np.zeros(len(games), np.int8), np.zeros((len(games), 2))

    monkeypatch.setattr(luck, "played", noted)
    match = match_of(PIG, "hold")
    guess = luck.with_shares(luck.Guess(games_of.new_model(match), 500, 3, 0.0, 1), match, 2, 4)
    assert asked == [range(500, 600)] and guess.shares == (0.0, 0.0)


@pytest.mark.parametrize("samples", [1, 8])
def test_a_wild_guess_does_not_bias(samples):
    """Weights drawn at random: the mean stays where it is, only the variance suffers."""
    match = match_of(PIG, "hold", seed=3)
    model, draw = games_of.new_model(match), np.random.default_rng(1)
    model["scale"], model["weight"] = 0.05, draw.normal(size=model["weight"].shape)
    winners, given = played(match, model, samples)
    assert_no_bias(given)
    assert given.std() > 0.1
    values = (winners == 0) - given[:, 0]
    assert abs(values.mean() - PIG_FIRST_WINS) < 4 * values.std() / GAMES**0.5


def test_cards_that_lie_face_down_are_luck_too():
    """Highest card: all luck lies in the order of the pile, which `determinize` draws again; nothing else would find any after the set-up."""
    match = match_of(HIGHEST_CARD, "random", seed=5)
    found = luck.adjust_luck(match, GAMES, samples=8, pilot_games=800)
    assert found.seats[0].multiplier_interval.low > 1.5
    winners, given = played(match, found.guess.model, 8)
    assert_no_bias(given)
    assert set(np.unique(winners)) == {-1, 0, 1}


def test_the_games_are_those_of_a_plain_run_and_jobs_change_nothing():
    match = match_of(PIG, "hold", seed=2)
    model = luck.fit_guess(match, 2, 300).model
    one, two = played(match, model, 2, 600), played(match, model, 2, 600, jobs=2)
    assert all(np.array_equal(a, b) for a, b in zip(one, two, strict=True))
    rows = np.concatenate(list(play_games(match, range(600))))
    assert np.array_equal(rows["winner"], one[0])
    assert np.array_equal(luck.fit_guess(match, 2, 300, jobs=2).model, model)


def test_the_guess_comes_from_other_games():
    assert luck.pilot_seed(1) != 1 and luck.pilot_seed(1) == luck.pilot_seed(1) != luck.pilot_seed(2)
    assert 0 <= luck.pilot_seed(2**63 - 1) < 2**63


def test_games_cut_off_are_bounds():
    """highest_card `unfinished`: two swans are never decided."""
    match = match_of(HIGHEST_CARD, "random", seed=5, rounds__unfinished="true", deck__copies="[2, 2, 2]")
    first = luck.adjust_luck(match, 1000, pilot_games=300).seats[0]
    assert "truncated games" in first.adjusted.method and "truncated games" in first.raw.method
    assert first.adjusted.half_width > first.raw.half_width / 2


def test_multiplier_of_half_the_variance_is_two():
    draw = np.random.default_rng(1)
    lucky, rest = draw.normal(size=5000), draw.normal(size=5000)
    found = luck.multiplier(lucky + rest, rest)
    assert found.low < 2 < found.high and found.high - found.low < 0.3


def test_another_future_is_another_one_each_time():
    """`fresh_luck`: the same for the same state and branch, all streams new, and no two alike."""
    state = as_records(new_states(load_game(PIG).compiled))[0]
    words = []
    for game in range(20):
        for branch in range(20):
            rng.seed_luck(state, np.uint64(1), game)
            before = state.luck.copy()
            rng.fresh_luck(state, branch)
            assert not set(before) & set(state.luck)
            words.append(tuple(state.luck))
            rng.seed_luck(state, np.uint64(1), game)
            rng.fresh_luck(state, branch)
            assert tuple(state.luck) == words[-1]
    assert len({word for row in words for word in row}) == 400 * rng.PURPOSES
