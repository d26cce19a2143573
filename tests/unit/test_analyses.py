"""Each question on games whose answer is counted by hand, in plain Python or in advance."""

import json
from collections import Counter
from types import SimpleNamespace

import polars as pl
import pytest

from bartizan.analyses.records import outcomes, quantities
from bartizan.analyses.records.tally import numeric_columns, tally
from bartizan.analyses.statistics.intervals import confidence_sequence, goodman, proportion, with_truncated
from tests.sweeps import TIERS, analyze, records, solo_cell

CELL = SimpleNamespace(**solo_cell())
# ten games: 3 won, 2 drawn, 4 lost, 1 cut off in turn 3
TEN = pl.DataFrame(
    {
        "game": list(range(10)),
        "plies": [10, 20, 30, 40, 50, 60, 70, 80, 90, 5],
        "end_reason": [4, 4, 4, 4, 4, 3, 3, 3, 3, 2],
        "winner": [0, 0, 0, -1, -1, -3, -3, -3, -3, -2],
        "turn": [5, 5, 5, 5, 5, 2, 2, 4, 4, 3],
        "score": [25, 10, 1, 0, -5, None, None, None, None, 99],
        "breach_circle": [0, 0, 0, 0, 0, 21, 25, 21, 77, 0],
    }
).with_columns(
    pl.col("winner", "breach_circle").cast(pl.Int8),
    pl.col("turn", "end_reason").cast(pl.UInt8),
    pl.col("score").cast(pl.Int16),
)


def test_wins_draws_losses_and_cut_off_games_are_kept_apart():
    seat = analyze(outcomes.win_rate_of, TEN, CELL).first
    assert (seat.wins, seat.draws, seat.losses, seat.capped, seat.games) == (3, 2, 4, 1, 10)
    assert (seat.win.low, seat.win.high) == (proportion(3, 10).low, proportion(4, 10).high)
    assert (seat.loss.low, seat.loss.high) == (proportion(4, 10).low, proportion(5, 10).high)


def test_without_cut_off_games_the_interval_is_the_plain_one():
    frame = records(games=2000)
    seat = analyze(outcomes.win_rate_of, frame, CELL).first
    assert seat.win == proportion((frame["winner"] == 0).sum(), 2000)


def test_a_watched_run_gets_a_confidence_sequence():
    frame = records(games=2000)
    assert analyze(outcomes.win_rate_of, frame, CELL, method=confidence_sequence).first.win == confidence_sequence(
        (frame["winner"] == 0).sum(), 2000
    )


def two_seats():
    policies = [{"role": "defender", "name": "a"}, {"role": "attacker", "name": "b"}]
    return SimpleNamespace(**solo_cell(policies=policies, tiers={}, cause_column=None, labels={}))


def test_the_seats_of_a_game_for_two():
    frame = TEN.with_columns(winner=pl.Series([0, 0, 0, -1, -1, 1, 1, 1, 1, -2], dtype=pl.Int8))
    first, second = analyze(outcomes.win_rate_of, frame, two_seats()).seats
    assert (first.wins, first.losses, second.wins, second.losses) == (3, 4, 4, 3)
    assert (second.role, second.policy) == ("attacker", "b")
    assert analyze(outcomes.losses_of, frame, two_seats(), seat=1).lost == 3


def test_scores_are_those_of_finished_games_that_have_one():
    result = analyze(quantities.scores_of, TEN, CELL)
    assert result.values == (-5, 0, 1, 10, 25)  # not the 99 of the game cut off
    assert (result.mean.mean, result.mean.n) == (pytest.approx(6.2), 5)
    assert result.quantiles[50].estimate == 1


def test_tiers_count_every_game_once_best_first():
    result = analyze(quantities.scores_of, TEN, CELL)
    assert [(tier.name, tier.games) for tier in result.tiers] == [
        ("Gold", 1),
        ("Silver", 1),
        ("Bronze", 1),
        ("none", 2),
        ("lost", 4),
        ("cut off", 1),
    ]
    assert [tier.share for tier in result.tiers] == goodman([1, 1, 1, 2, 4, 1])


def test_a_tier_names_its_level_of_victory_where_no_game_contradicts_it():
    levels = {"Gold": "major victory", "Silver": "minor victory", "Bronze": "minor victory", "none": "draw"}
    cell = SimpleNamespace(**solo_cell(tier_levels=levels))
    told = {tier.name: tier.victory for tier in analyze(quantities.scores_of, TEN, cell).tiers}
    assert told == {**levels, "lost": "", "cut off": ""}
    stricter = TEN.with_columns(
        winner=pl.when(pl.col("winner") == 0, pl.col("score") < 5).then(-1).otherwise(pl.col("winner"))
    )
    told = {tier.name: tier.victory for tier in analyze(quantities.scores_of, stricter, cell).tiers}
    assert told == {**levels, "Bronze": "", "lost": "", "cut off": ""}
    harsher = TEN.with_columns(winner=pl.when(pl.col("winner") == -1).then(-3).otherwise(pl.col("winner")))
    assert {tier.name: tier.victory for tier in analyze(quantities.scores_of, harsher, cell).tiers}["none"] == ""


def test_tiers_do_not_depend_on_the_order_of_the_manifest():
    shuffled = SimpleNamespace(**solo_cell(tiers=dict(sorted(TIERS.items()))))
    assert analyze(quantities.scores_of, TEN, shuffled).tiers == analyze(quantities.scores_of, TEN, CELL).tiers


@pytest.mark.parametrize(
    ("score", "tier"),
    [
        (45, "Gold"),
        (20, "Gold"),
        (19, "Silver"),
        (10, "Silver"),
        (9, "Bronze"),
        (1, "Bronze"),
        (0, "none"),
        (-2000, "none"),
    ],
)
def test_tier_edges(score, tier):
    assert quantities.tier_of(score, TIERS) == tier


def test_games_that_are_all_lost_have_no_score():
    lost = TEN.filter(pl.col("winner") == -3)
    result = analyze(quantities.scores_of, lost, CELL)
    assert (result.values, result.min, result.mean.mean, result.quantiles) == ((), None, None, {})
    assert quantities.summarize(lost.lazy(), CELL)["score"]["mean"] is None


def test_hazard_counts_the_games_that_reach_a_turn():
    """Turn 2 loses 2 of 10; turn 3 loses one to the cap; turn 4 loses 2 of the 7 left."""
    turns = analyze(outcomes.losses_of, TEN, CELL).turns
    assert [(turn.turn, turn.at_risk, turn.lost, turn.capped) for turn in turns] == [
        (1, 10, 0, 0),
        (2, 10, 2, 0),
        (3, 8, 0, 1),
        (4, 7, 2, 0),
        (5, 5, 0, 0),
    ]
    assert turns[3].hazard == proportion(2, 7)
    left = [TEN.filter(pl.col("turn") >= turn.turn) for turn in turns]
    assert [turn.win_if_alive for turn in turns] == [
        with_truncated((games["winner"] == 0).sum(), (games["winner"] == -2).sum(), games.height) for games in left
    ]
    assert [turn.lost_by.estimate for turn in turns] == [0, 0.2, 0.2, 0.4, 0.4]


def test_turns_that_only_truncated_games_reach_are_left_out():
    """The truncated game has as many turns as the limit on decisions allows."""
    turn = pl.when(pl.col("winner") == -2).then(100_000).otherwise(pl.col("turn").cast(pl.Int32))
    turns = analyze(outcomes.losses_of, TEN.with_columns(turn=turn), CELL).turns
    assert [row.turn for row in turns] == [1, 2, 3, 4, 5] and turns[-1].at_risk == 6
    (cut,) = [row for row in analyze(outcomes.losses_of, TEN, CELL).turns if row.capped]
    assert cut.hazard == with_truncated(0, 1, 8)  # it may have been lost in the turn it was truncated in


def test_a_game_cut_off_widens_the_curve_upwards_from_then_on():
    turns = analyze(outcomes.losses_of, TEN, CELL).turns
    assert "bounds" not in turns[1].lost_by.method
    assert "bounds over 1" in turns[2].lost_by.method
    assert turns[2].lost_by.high == pytest.approx(turns[1].lost_by.high + 0.1)


def test_causes_carry_their_names_and_add_up():
    result = analyze(outcomes.losses_of, TEN, CELL)
    assert [(cause.cause, cause.games) for cause in result.causes] == [
        ("west gate", 2),
        ("north wall", 1),
        ("breach_circle 77", 1),
    ]
    assert [(turn.turn, sum(turn.causes.values())) for turn in result.turns if turn.causes] == [(2, 2), (4, 2)]
    possible = {"west gate", "north wall", "breach_circle 77", *CELL.labels["breach_circle"].values()}
    assert [cause.share for cause in result.causes] == goodman([2, 1, 1] + [0] * (len(possible) - 3))[:3]


def test_a_game_never_lost_has_a_flat_curve():
    won = TEN.filter(pl.col("winner") == 0)
    result = analyze(outcomes.losses_of, won, CELL)
    assert (result.lost, result.causes) == (0, ())
    assert {turn.lost_by.estimate for turn in result.turns} == {0}
    assert not any(turn.causes for turn in result.turns)


def test_length():
    result = analyze(quantities.length_of, TEN, CELL)
    assert (result.values, result.counts) == ((2, 3, 4, 5), (2, 1, 2, 5))
    assert (result.turns.mean, result.plies_total, result.plies_max, result.capped) == (pytest.approx(4.0), 455, 90, 1)


def test_means_against_polars_and_without_codes():
    frame = records(games=500)
    result = quantities.means_of(tally(frame.lazy(), CELL))
    assert set(result) == {"plies", "turn", "score", "casualties", "escaped"}
    for name in ("plies", "score", "casualties"):
        column = frame[name].drop_nulls()
        assert (result[name].mean, result[name].n) == (pytest.approx(column.mean()), len(column))
        assert result[name].se == pytest.approx(column.std() / len(column) ** 0.5)


def test_codes_are_no_measures():
    assert not {"game", "winner", "end_reason", "breach_circle"} & set(numeric_columns(TEN.lazy(), CELL))


def test_summary_is_plain_json_with_the_keys_of_a_run():
    document = quantities.summarize(TEN.lazy(), CELL)
    assert json.loads(json.dumps(document, allow_nan=False)) == document
    assert (document["wins"], document["draws"], document["losses"], document["capped"]) == (3, 2, 4, 1)
    assert set(document["win_rate"]) == {"estimate", "low", "high", "level", "method"}
    assert document["end_reasons"] == {"illegal action": 0, "ply cap": 1, "breach": 4, "deck ran out": 5}
    assert document["tiers"] == {"Gold": 1, "Silver": 1, "Bronze": 1, "none": 2, "lost": 4, "cut off": 1}
    assert set(document["score"]["quantiles"]) == {"5", "25", "50", "75", "95"}
    assert (document["plies"], document["turns"]["mean"]) == (455, pytest.approx(4.0))
    means = {name: (value["mean"], value["n"]) for name, value in document["means"].items()}
    # the truncated game has no final score and no final length
    assert means == {"plies": (45.5, 10), "turn": (pytest.approx(37 / 9), 9), "score": (pytest.approx(6.2), 5)}
    assert "seats" not in document


def test_summary_of_a_game_for_two_has_seats():
    seats = quantities.summarize(TEN.lazy(), two_seats())["seats"]
    assert [(seat["seat"], seat["role"], seat["policy"]) for seat in seats] == [
        (0, "defender", "a"),
        (1, "attacker", "b"),
    ]


def test_the_tally_agrees_with_a_plain_count():
    frame = records(games=3000, capped=12, seed=9)
    counted = tally(frame.lazy(), CELL)
    by_hand = Counter(zip(frame["winner"], frame["end_reason"], frame["turn"], frame["breach_circle"], strict=True))
    assert {row[:-1]: row[-1] for row in counted.outcomes.rows()} == by_hand
    assert counted.games == 3000


def test_the_numbers_for_no_seat_are_those_of_the_play_loop():
    play = pytest.importorskip("bartizan.simcore.compile.rules")
    from bartizan.analyses.records import tally as module

    assert (module.NOBODY, module.TRUNCATED, module.HOUSE) == (play.NOBODY, play.TRUNCATED, play.HOUSE)
