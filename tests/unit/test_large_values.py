"""Means, spreads and differences of numbers that are large, equal, fractional or unknown."""

from types import SimpleNamespace

import numpy as np
import polars as pl
import pytest

from bartizan.analyses.experiments.sensitivity import Sensitivity
from bartizan.analyses.records import quantities
from bartizan.analyses.records.comparison import of_line_ups
from bartizan.analyses.records.seating import InMemoryCell, LineUp
from bartizan.analyses.records.tally import added, tally
from bartizan.analyses.statistics.intervals import Interval, mean_of, mean_of_counts, proportion, without_limits
from bartizan.analyses.statistics.paired import Measure, compare, estimates
from bartizan.reports.figures.rows import tick_text
from bartizan.reports.pages.free_for_all import seats
from bartizan.reports.text import differences, sentences, words
from bartizan.reports.text import estimates as estimates_in_words
from bartizan.reports.views import coverage
from bartizan.reports.views.tune_shared import REFUSED, refused_lines

SCORES = [1, 2, 2, 3, 6, 6, 4, 1]
CELL = SimpleNamespace(
    policies=[{"role": "player", "name": "p", "weights": {}, "source_hash": ""}],
    labels={},
    cause_column=None,
    end_reasons={"3": "won"},
    tiers={},
    reporting=None,
)


def games(scores, truncated=0):
    n = len(scores)
    frame = {
        "game": range(n),
        "winner": [0] * (n - truncated) + [-2] * truncated,
        "end_reason": 3,
        "turn": 4,
        "plies": 5,
    }
    return pl.DataFrame({**frame, "score": scores})


@pytest.mark.parametrize("base", [0, 10**6, 10**9, 10**12])
def test_the_spread_does_not_depend_on_the_size_of_the_scores(base):
    scores = [base + score for score in SCORES]
    sd = np.std(SCORES, ddof=1)
    counts = {score: scores.count(score) for score in sorted(set(scores))}
    counted = tally(games(scores).lazy(), CELL)
    for found in (
        mean_of(scores),
        mean_of_counts([*counts], [*counts.values()]),
        quantities.means_of(counted)["score"],
    ):
        assert found.mean == pytest.approx(base + np.mean(SCORES), abs=1e-3)
        assert found.sd == pytest.approx(sd)
    parts = [tally(games(scores[part]).lazy(), CELL) for part in (slice(0, 5), slice(5, 8))]
    assert added(*parts).sums.equals(counted.sums)
    assert quantities.length_of(counted, CELL).plies_total == 40


def test_equal_fractions_have_no_interval():
    """A tenth is no binary fraction: its sum of squares differs from its square times the number of games."""
    counted = tally(games([0.1] * 100).lazy(), CELL)
    assert quantities.means_of(counted)["score"].is_equal and mean_of([0.1] * 100).is_equal
    assert mean_of([0.1 + 0.2, 0.3, 0.7 - 0.4]).is_equal
    (found,) = estimates(games([0.1] * 100).lazy(), [Measure("column", "score", pl.col("score"), pl.col("score"))])
    assert not found.interval.has_limits


def test_a_truncated_game_has_no_final_values_in_a_mean_or_a_difference():
    """The last two games of the change were truncated after 100,000 turns."""
    base, changed = (games([*range(10)], truncated) for truncated in (0, 2))
    changed = changed.with_columns(turn=pl.when(pl.col("winner") == -2).then(100_000).otherwise("turn"))
    counted = quantities.means_of(tally(changed.lazy(), CELL))
    assert (counted["turn"].mean, counted["turn"].n) == (4, 8) and counted["score"].n == 8 and counted["plies"].n == 10
    seats = [{"role": "player", "name": "p", "weights": {}, "source_hash": ""}]
    sides = [LineUp((InMemoryCell(seats, frame),)) for frame in (base, changed)]
    turns = next(effect for effect in of_line_ups(*sides).effects if effect.measure.name == "turn")
    assert (turns.n, turns.base.interval.estimate, turns.changed.interval.estimate) == (8, 4, 4)


def test_a_mean_over_no_game_is_unknown():
    frame = games([1, 2], truncated=2)
    (found,) = estimates(frame.lazy(), [Measure("column", "score", none := pl.lit(None, pl.Float64), none)])
    assert found.n == 0 and np.isnan(found.interval.estimate) and not found.interval.has_limits
    assert np.isnan(Interval(None, None, None, 0.95, found.interval.method).estimate)


def test_differences_by_rounding_are_no_differences():
    """A bonus of 0.3 on every score; the margins of 0.1 to 0.8 are the same, but not in binary."""
    tenths = 0.1 * np.arange(9).repeat(4)
    base = pl.LazyFrame({"game": np.arange(36), "score": tenths, "margin": (tenths + 0.1) - tenths})
    changed = pl.LazyFrame({"game": np.arange(36), "score": tenths + 0.3, "margin": (tenths + 0.4) - (tenths + 0.3)})
    measures = [Measure("column", name, pl.col(name), pl.col(name)) for name in ("score", "margin")]
    score, margin = compare(base, changed, measures)
    assert score.difference.interval.estimate == pytest.approx(0.3) and not score.difference.interval.has_limits
    assert margin.difference.interval.estimate == 0 and margin.differing.estimate == 0 and margin.difference.p == 1
    assert score.factor is None and margin.factor is None and not margin.base.interval.has_limits


BOUNDS = Interval(0.06, -0.02, 0.14, 0.95, "Wilson, bounds over 12 truncated games")


def test_bounds_are_shown_without_their_midpoint():
    assert words.change(BOUNDS, 100, 1) == ("−2.0 to +14.0", "bounds over 12 truncated games")
    assert str(estimates_in_words.points(BOUNDS, 1)) == "−2.0 to +14.0 percentage points"
    assert differences.size(BOUNDS, 1) == "−2.0 to 14.0 percentage points"
    assert differences.moves(BOUNDS, False).endswith("significantly: −2.0 to +14.0 percentage points")
    assert str(estimates_in_words.percent(BOUNDS, 0)) == "−2 to 14\u00a0%"
    drawn = [SimpleNamespace(least=0.1, most=0.4, headline=SimpleNamespace(se=0.01)) for _ in range(3)]
    spread = Sensitivity.spread.fget(SimpleNamespace(draws=drawn))
    assert (spread["min"], spread["q50"], spread["max"]) == (0.1, None, 0.4)


def test_equal_differences_are_not_called_not_significant():
    none = without_limits(-3.0, 40)
    assert sentences.doubt(none, 1.0, "all rows") == "not tested, because all 40 values are equal"
    every, no = (Interval(share, 0.0, 1.0, 0.95, "Wilson") for share in (1.0, 0.0))
    assert sentences.pairing(None, every, "the win rate") == "every game changes the win rate"
    assert sentences.pairing(None, no, "the win rate") == "no game changes the win rate"


def test_a_share_that_is_almost_0_or_1_is_not_rounded_to_it():
    few, most = proportion(1, 40_000), proportion(19_999, 20_000)
    assert sentences.pairing(None, few, "the winner") == "0.003\u00a0% of the games change the winner"
    assert sentences.pairing(None, most, "the winner") == "99.995\u00a0% of the games change the winner"
    for wins, said in ((1, "0.4\u00a0% (0.0–2.2\u00a0%)"), (249, "99.6\u00a0% (97.8–100.0\u00a0%)")):
        share = proportion(wins, 250)
        assert words.share_with_limits(share) == str(estimates_in_words.share(share)) == said
    assert coverage._share(proportion(20_000, 20_000)) == "all (above 99.98\u00a0%)"


def test_one_of_a_kind_is_singular():
    assert words.were(1, "game") == "1 game was" and words.were(2000, "game") == "2,000 games were"
    assert seats.truncated_games(1, "the range runs").startswith("; 1 game was truncated, and the range runs")
    assert [*refused_lines(["x"] * (REFUSED + 1))][-1:] == ["and 1 more rejected value (--json)"]


def test_large_numbers_have_no_decimals_and_few_values_their_number():
    large = Interval(118_518.53, 118_000.0, 119_037.06, 0.95, "Student t")
    assert words.change(large, 1, 1)[0] == "+118,519" and estimates_in_words.number(large, least=1).text == "118,519"
    assert words.spread(999_409_035.23) == "999,409,035" and words.spread(4.876) == "4.88"
    assert words.change(without_limits(7.0, 9), 1, 1)[0] == "+7"
    assert tick_text(1e9, False) == "1,000,000,000" and tick_text(-2.5, False) == "−2.5"
    assert words.factor(2e18) == "above 10,000" and words.factor(16.94) == "16.9"
    assert words.mean(mean_of([30, 33]))[1].endswith(", n = 2") and words.mean(mean_of([30])) == ("30", "n = 1")
    assert "n =" not in words.mean(mean_of([*range(40)]))[1]


@pytest.mark.parametrize(
    ("value", "digits", "said"),
    [
        (0.0004, 1, "0.04"),
        (0.002, 0, "0.2"),
        (0.9998, 1, "99.98"),
        (0.544, 1, "54.4"),
        (0.0, 0, "0"),
        (1.0, 1, "100.0"),
    ],
)
def test_a_probability_is_never_rounded_to_none_or_all(value, digits, said):
    assert words.percent(value, digits) == f"{said}\N{NO-BREAK SPACE}%"
