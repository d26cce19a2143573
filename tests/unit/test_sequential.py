"""The sequential test of pairs: statements, likelihoods and walks against closed forms and published tables, and games that are cut off."""

from dataclasses import replace
from math import erf, exp, log, sqrt

import numpy as np
import pytest

from bartizan.analyses.experiments import sequential
from bartizan.analyses.experiments.sequential import (
    NO,
    NOT_TOLD,
    YES,
    Answered,
    after_the_test,
    log_likelihood_ratio,
    read_claim,
)
from bartizan.analyses.statistics.paired import tilted, with_traces
from bartizan.analyses.statistics.stagewise import Walk, limits, median_unbiased
from bartizan.policies.registry import find_player
from bartizan.simcore.errors import UsageError
from bartizan.simcore.game import load_game
from bartizan.simcore.play.batch import Source
from bartizan.simcore.play.match import Match
from bartizan.simcore.scenario.loading import load_scenario
from tests.cli.run_cli import PIG, RUIN
from tests.oracles import ruin

# ---------------------------------------------------------------- statements


@pytest.mark.parametrize(
    ("text", "sign", "threshold"),
    [
        ("B - A > 2pp", 1, 0.02),
        ("b-a>0.02", 1, 0.02),
        ("A - B < -2%", 1, 0.02),
        ("A - B > 2pp", -1, 0.02),
        ("B - A < 2pp", -1, -0.02),
        (" B  -  A  >  0 ", 1, 0.0),
        ("B - A > -.5pp", 1, -0.005),
    ],
)
def test_statements(text, sign, threshold):
    claim = read_claim(text, 0.01)
    assert (claim.sign, claim.threshold) == (sign, pytest.approx(threshold))
    assert claim.means == (pytest.approx(threshold - 0.01), pytest.approx(threshold + 0.01))


@pytest.mark.parametrize(
    "text",
    [
        "",
        "B > A",
        "B - B > 0",
        "B - b > 0",
        "B - A = 2pp",
        "B - A > two",
        "B - A > 1.2.3",
        "B - A > 2",
        "C - A > 0",
        "B - A > 99.5pp",
    ],
)
def test_what_is_no_statement(text):
    with pytest.raises(UsageError, match="--test"):
        read_claim(text, 0.01)


def test_bounds_are_walds():
    assert read_claim("B - A > 0", 0.01).bounds == (pytest.approx(-log(19)), pytest.approx(log(19)))
    assert read_claim("B - A > 0", 0.01, 0.01, 0.2).bounds == (pytest.approx(log(0.2 / 0.99)), pytest.approx(log(80)))


# ---------------------------------------------------------------- likelihoods


def test_two_values_give_walds_ratio():
    found = log_likelihood_ratio(np.array([0.0, 1.0]), np.array([[70.0, 30.0], [40.0, 60.0]]), 0.3, 0.5)
    assert found == pytest.approx([wins * log(0.5 / 0.3) + (100 - wins) * log(0.5 / 0.7) for wins in (30, 60)])


def test_three_values_under_a_mean_are_as_likely_as_can_be():
    """Against a search through all of them: chance of +1 is u, of -1 u - mean."""
    counts, mean = np.array([20.0, 50.0, 30.0]), 0.2
    up = np.linspace(mean + 1e-6, (1 + mean) / 2 - 1e-6, 200_001)
    best = (counts[0] * np.log(up - mean) + counts[1] * np.log(1 + mean - 2 * up) + counts[2] * np.log(up)).max()
    chances = tilted(np.array([-1.0, 0.0, 1.0]), counts / 100, mean)
    assert counts @ np.log(chances) == pytest.approx(best, abs=1e-6)
    assert chances.sum() == pytest.approx(1) and chances @ [-1, 0, 1] == pytest.approx(mean)


def test_near_the_estimate_the_ratio_is_that_of_a_normal_mean():
    """(high - low) (2 mean - low - high) n / (2 variance): the approximation of Van den Bergh."""
    counts = np.array([900.0, 8000.0, 1100.0])
    variance = 0.2 - 0.02**2
    assert log_likelihood_ratio(np.array([-1.0, 0.0, 1.0]), counts, 0.01, 0.025) == pytest.approx(
        0.015 * (0.04 - 0.035) * 10_000 / (2 * variance), rel=0.03
    )


def test_what_did_not_come_up_leaves_a_trace():
    values, counts = with_traces([0.5], [100], (-1.0, 1.0))
    assert values.tolist() == [-1, 0, 0.5, 1] and counts.tolist() == [0.001, 0.001, 100, 0.001]
    values, counts = with_traces([0.0], [512], (-1.0, 1.0))
    assert log_likelihood_ratio(values, counts, 0.01, 0.03) == pytest.approx(512 * log(0.97 / 0.99), rel=0.01), (
        "nothing differs: no 2 percentage points"
    )
    assert log_likelihood_ratio(values, counts, -0.01, 0.01) == pytest.approx(0, abs=1e-9), (
        "nothing differs: nothing is told about the sign"
    )


# ---------------------------------------------------------------- walks


@pytest.mark.parametrize(("looks", "constant"), [(2, 1.977), (5, 2.040), (10, 2.087)])
def test_bounds_of_o_brien_and_fleming(looks, constant):
    """Jennison & Turnbull 2000, table 2.3: constant bounds that a walk without drift leaves with 5 %."""
    bound = constant * sqrt(looks)
    below, above = Walk(-bound, bound, 1, looks, bound, 1).chances(0.0, 1.0)
    assert 2 * above == pytest.approx(0.05, abs=1e-4) and below == pytest.approx(0.975, abs=1e-4)


@pytest.mark.parametrize("drift", [-0.01, 0.01, 0.02])
def test_a_walk_that_is_always_looked_at_is_walds(drift):
    """Brownian motion leaves (-30, 40) above with (1 - e^(60 d)) / (e^(-80 d) - e^(60 d)); a walk oversteps each bound by 0.583 sd (Siegmund 1985, chapter X)."""
    low, high = -30 - 0.583, 40 + 0.583
    exact = (1 - exp(-2 * drift * low)) / (exp(-2 * drift * high) - exp(-2 * drift * low))
    late = Walk(-30.0, 40.0, 1, 6000, 40.0, 1).chances(drift, 1.0)[1]
    assert late == pytest.approx(exact, abs=0.002)


def test_a_walk_that_ends_shortly_after_its_last_look():
    """The last step may be shorter: 2 looks, 100 and 130 numbers; bounds out of reach leave the normal sum."""
    below, above = Walk(-1e3, 1e3, 100, 130, 5.0, 0).chances(0.1, 1.0)
    assert below + above == pytest.approx(1)
    assert above == pytest.approx(0.5 * (1 + erf((13 - 5) / sqrt(130) / sqrt(2))), abs=1e-9)


def test_one_look_adjusts_nothing():
    """Then the estimate is the mean, and the limits are those of a score interval with the likeliest variance."""
    values, counts = np.array([-1.0, 0.0, 1.0]), np.array([40.0, 400.0, 72.0])
    found = after_the_test(values, counts, read_claim("B - A > 2pp", 0.01), 512, YES)
    assert found.estimate == pytest.approx(32 / 512, abs=1e-5)
    for limit in (found.low, found.high):
        variance = tilted(values, counts / 512, limit) @ (values - limit) ** 2
        assert abs(limit - 32 / 512) / sqrt(variance / 512) == pytest.approx(1.96, abs=0.01)


def test_an_early_yes_is_drawn_back_and_an_early_no_too():
    values, claim = np.array([-1.0, 0.0, 1.0]), read_claim("B - A > 2pp", 0.01)
    n = 512 * 3
    yes, no = (
        after_the_test(values, np.array([down * n, (1 - up - down) * n, up * n]), claim, 512, answer)
        for up, down, answer in ((0.12, 0.065, YES), (0.06, 0.09, NO))
    )
    assert yes.estimate < 0.055 and no.estimate > -0.03


def test_few_pairs_that_differ_are_named():
    found = after_the_test(
        np.array([-1.0, 0.0, 1.0]), np.array([0.001, 508.0, 4.0]), read_claim("B - A > 2pp", 0.01), 512, NO
    )
    assert "rough since only 4 pairs differ" in found.method


def test_roots():
    def chances(value):
        return 1 - value, value

    assert median_unbiased(chances, 0, 1) == pytest.approx(0.5) and median_unbiased(chances, 0.6, 1) == 0.6
    assert limits(chances, 0, 1, 0.9) == (pytest.approx(0.05), pytest.approx(0.95))


# ---------------------------------------------------------------- games


def match(file: str, sets: dict, policies=("random",), seed: int = 1, **more) -> Match:
    game = load_game(file)
    return Match(
        game, load_scenario(game, None, None, sets), tuple(find_player(game, name) for name in policies), seed, **more
    )


def test_the_difference_of_two_games_of_ruin():
    base, changed = (match(RUIN, {"bets.start": start}) for start in (10, 11))
    truth = ruin(0.49, 11, 20) - ruin(0.49, 10, 20)
    found = sequential.analyze(read_claim("B - A > 4pp", 0.01), [base], [changed], 20_000, Source())
    assert found.answer == YES and found.pairs < 20_000 and found.looks == -(-found.pairs // 512) and not found.capped
    assert found.adjusted.low < truth < found.adjusted.high
    assert found.raw.n == found.pairs
    turned = sequential.analyze(read_claim("A - B < -4pp", 0.01), [base], [changed], 20_000, Source())
    assert turned.answer == YES and turned.pairs == found.pairs
    assert turned.ratio == pytest.approx(found.ratio) and turned.adjusted == found.adjusted
    other = sequential.analyze(read_claim("A - B > -4pp", 0.01), [base], [changed], 20_000, Source())
    assert (other.answer, other.pairs) == (NO, found.pairs)
    assert other.adjusted.estimate == pytest.approx(found.adjusted.estimate, abs=1e-5)
    assert other.adjusted.low < truth < other.adjusted.high


def test_threads_change_nothing():
    def ask(jobs) -> Answered:
        return sequential.analyze(
            read_claim("B - A > 4pp", 0.003), [match(RUIN, {})], [match(RUIN, {"bets.start": 11})], 4000, Source(jobs)
        )

    one, two = ask(1), ask(3)
    assert one.answer == two.answer and one.pairs == two.pairs and one.ratio == two.ratio
    assert one.adjusted == two.adjusted and one.raw.difference == two.raw.difference


def test_every_seat_is_taken_in_turn():
    """Hold at 25 against hold at 20, a seat: the pair is one game number in both seatings."""
    seatings = [("hold:at=25", "hold:at=20"), ("hold:at=20", "hold:at=25")]
    base = [match(PIG, {}, ("hold:at=20", "hold:at=20"))]
    found = sequential.analyze(
        read_claim("B - A > 5pp", 0.02), base, [match(PIG, {}, seats) for seats in seatings], 20_000, Source()
    )
    assert found.by_player and found.answer == NO and found.raw.base.interval.estimate == 0.5
    with pytest.raises(UsageError, match="at most"):
        sequential.analyze(replace(read_claim("B - A > 98pp", 0.01), margin=0.05), base, base, 512, Source())


def test_games_cut_off_are_losses_for_nobody():
    """Half of the games of ruin are longer than 80 bets: whether more are won nobody can tell, though more of the finished ones are."""
    base, changed = (match(RUIN, {"bets.start": start}, ply_cap=80) for start in (10, 12))
    found = sequential.analyze(read_claim("B - A > 2pp", 0.01), [base], [changed], 2048, Source())
    assert found.answer == NOT_TOLD and found.pairs == 2048 and found.capped > 1000
    assert found.ratio[0] < found.claim.bounds[0] and found.ratio[1] > found.claim.bounds[1]
    assert found.adjusted is None and "truncated games" in found.raw.difference.interval.method


def test_an_answer_stands_however_cut_off_games_would_have_ended():
    base, changed = (match(RUIN, {"bets.start": start}, ply_cap=600) for start in (10, 13))
    found = sequential.analyze(read_claim("B - A > 2pp", 0.01), [base], [changed], 4096, Source())
    assert found.capped and found.answer == YES and min(found.ratio) >= found.claim.bounds[1] and found.adjusted is None
