"""A number says whose it is and in which unit; truncated games stand apart; a page leads with a cell that says something."""

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import polars as pl
import pytest

from bartizan.analyses.experiments.luck_adjustment import MOST_TAKEN, _slope
from bartizan.analyses.experiments.tuning import read_target
from bartizan.analyses.records import comparison, outcomes, quantities
from bartizan.analyses.records.seating import LineUp
from bartizan.analyses.records.tally import MARGIN, tally
from bartizan.reports.figures import bars, paper, theme
from bartizan.reports.pages.sweep import page
from bartizan.reports.study import leading, study
from bartizan.simcore.errors import EngineError, UsageError
from bartizan.simcore.game import load_game
from bartizan.simcore.reporting import Reporting
from bartizan.simcore.sweep.store import open_sweep
from tests.cli.run_cli import PIG, ROOT, bartizan
from tests.sweeps import analyze, solo_cell
from tests.unit.test_short_games import rows

SHORT, CIRCLES = ROOT / "examples/short", ROOT / "tests/games/circles.py"
POLICIES = [{"role": role, "name": name, "weights": {}} for role, name in (("first", "a"), ("second", "b"))]
SEATS = Reporting(scores="score_{}")
# four games with a winner, a draw, and one truncated; each seat's score
RIVALS = pl.DataFrame(
    {
        "game": range(6),
        "plies": [10] * 6,
        "end_reason": [3, 3, 4, 4, 3, 2],
        "winner": [0, 1, 1, 0, -1, -2],
        "turn": [5, 6, 7, 8, 9, 50_000],
        "score": [10, 4, 0, 7, 3, 99],
        "score_0": [10, 4, 0, 7, 3, 99],
        "score_1": [2, 9, 1, 9, 3, 99],
    }
)


def two_seats(reporting=SEATS, **changes):
    cell = {"policies": POLICIES, "tiers": {}, "labels": {}, "cause_column": None, "reporting": reporting.document()}
    return SimpleNamespace(**solo_cell(**{**cell, **changes}), scan=RIVALS.lazy)


# ---------------------------------------------------------------- whose score


def test_every_seat_has_its_score_and_the_winner_its_margin():
    scores = analyze(quantities.scores_of, RIVALS, two_seats())
    assert scores.of == "the first player"
    assert [seat.mean.mean for seat in scores.seats] == [
        np.mean([10, 4, 0, 7, 3]),
        np.mean([2, 9, 1, 9, 3]),
    ]  # not the truncated game
    assert (scores.margin.mean.n, scores.margin.mean.mean) == (4, np.mean([8, 5, 1, -2]))
    document = analyze(quantities.summary_of, RIVALS, two_seats())
    assert [seat["role"] for seat in document["scores"]] == ["first", "second"]
    assert document["margin"]["min"] == -2 and document["score"]["of"] == "the first player"


@pytest.mark.parametrize(
    ("reporting", "columns", "of"),
    [
        (Reporting(score="points", scores="score_{}"), ["score", "score_1", MARGIN], "the first player"),
        (Reporting(scored="the winner", scores="score_{}"), ["score", "score_0", "score_1", MARGIN], "the winner"),
        (Reporting(sides=("the Allies", "the German")), ["score"], "the Allies"),
        (Reporting(has_score=False), [], ""),
    ],
)
def test_a_comparison_has_every_score_once(reporting, columns, of):
    cell = two_seats(reporting)
    assert list(quantities.score_names(cell)) == columns
    assert analyze(quantities.scores_of, RIVALS, cell).of == of
    effects = comparison.of_line_ups(LineUp((cell,)), LineUp((cell,))).effects
    measured = [effect.measure.name for effect in effects if effect.measure.kind == "column"]
    assert measured == ["turn", *columns]


def test_the_margin_of_a_comparison_is_that_of_the_games_somebody_won():
    effects = comparison.of_line_ups(*(LineUp((two_seats(),)),) * 2).effects
    (margin,) = (effect for effect in effects if effect.measure.name == MARGIN)
    assert (margin.n, margin.base.interval.estimate) == (4, 3.0)


def test_the_built_in_games_say_whose_score_it_is():
    from bartizan.simcore.castle.scoring import REPORTING as castle
    from bartizan.simcore.rampage.scoring import REPORTING as rampage

    assert castle.scored == rampage.scored == "the winner"
    assert rampage.seat_scores(2) == ["castle_0", "castle_1"] and castle.seat_scores(4) == []


def test_a_short_game_records_the_score_of_every_seat():
    games = rows(SHORT / "pig.py", "steady", 50)
    won = games[games["winner"] == 1]
    assert (won["score_1"] >= 100).all() and (won["score_0"] < 100).all() and (games["score"] == games["score_0"]).all()
    text = bartizan("run", SHORT / "pig.py", "--games", 50, "--seed", 3).out
    first, second, margin = (
        next(line for line in text.splitlines() if word in line and "mean" in line)
        for word in ("first:", "second:", "margin")
    )
    assert f"mean {games['score_1'].mean():.0f}" in second and "first" in first and "winner" in margin


def test_a_game_without_a_score_shows_none():
    told = bartizan("run", SHORT / "tic_tac_toe.py", "--games", 50)
    assert told.json["score"]["mean"] is None and "score" not in told.out
    assert not load_game(str(SHORT / "tic_tac_toe.py")).compiled.reporting.has_score
    with pytest.raises(UsageError):
        read_target("score=10", [], has_score=False)


def test_equal_scores_are_shown_where_the_game_has_a_score():
    always_0 = RIVALS.with_columns(pl.lit(0).alias(name) for name in ("score", "score_0", "score_1"))
    assert analyze(quantities.scores_of, always_0, two_seats()).mean.mean == 0


def test_games_not_won_are_kept_apart_in_the_score_of_one_player():
    frame = RIVALS.with_columns(winner=pl.Series([0, -3, -3, 0, -3, -2]))
    scores = analyze(quantities.scores_of, frame, SimpleNamespace(**solo_cell(tiers={}, cause_column=None, labels={})))
    assert (scores.mean.n, scores.won.n, scores.won.mean) == (5, 2, 8.5)


def test_the_columns_of_scores_are_in_the_record():
    game = load_game(PIG)
    engine = replace(game.compiled, reporting=Reporting(scores="points_{}"))
    with pytest.raises(EngineError, match="points_0"):
        _ = replace(game, engine=lambda: engine).compiled


# ---------------------------------------------------------------- length


def test_truncated_games_have_no_length():
    length = analyze(quantities.length_of, RIVALS, two_seats())
    assert (length.ended.games, length.ended.mean.mean, length.ended.values[-1]) == (5, 7, 9)
    assert (length.capped, length.capped_at) == (1, (50_000, 50_000))
    turns = analyze(quantities.summary_of, RIVALS, two_seats())["turns"]
    assert turns["max"] == 50_000 and turns["ended"]["max"] == 9  # older keys stay as they were


@pytest.mark.parametrize("scale", [1, 30])
def test_an_axis_holds_ordinary_games_whole_and_leaves_out_a_few_that_are_far(scale):
    luck = np.random.default_rng(1)
    values, counts = np.unique(scale * luck.binomial(60, 0.5, 5000), return_counts=True)
    assert bars.robust_span([(values, counts)]) == (values[0], values[-1])
    far = np.append(values, 5000 * scale), np.append(counts, 20)
    least, end = bars.robust_span([far])
    assert least == values[0] and values[-1] <= end <= 2.2 * values[-1]


def test_a_histogram_has_bars_apart_and_loses_no_game():
    values, counts = [1, 2, 3, 400], [50, 30, 15, 5]
    span = bars.robust_span([(values, counts)])
    shown = bars.shares(values, counts, 1, span[1], 110)
    apart = bars.Beyond("over", theme.CLEAR, 5 / 110), bars.Beyond("truncated", theme.CUT_OFF_COLOUR, 10 / 110)
    assert span[1] < 10 and sum(shown.values()) + sum(bar.share for bar in apart) == pytest.approx(1)
    (axes,) = paper.drawn(bars.Histogram({theme.CLEAR: shown}, span, 0.5, "turns", beyond=apart)).axes
    assert axes.get_xlim()[1] < 20
    assert [label.get_text() for label in axes.get_xticklabels()][-2:] == ["over", "truncated"]


@pytest.fixture(scope="module")
def circling(tmp_path_factory):
    """Gates that open always, and now and then: the first is one game again and again."""
    plan = tmp_path_factory.mktemp("circles") / "plan.toml"
    plan.write_text(f'''game = "{CIRCLES}"
games = 200
seed = 1
[[cells]]
set = {{ "numbers.gate" = 100, "numbers.astray" = 0, "numbers.far" = 0 }}
[[cells]]
set = {{ "numbers.gate" = 10, "numbers.astray" = 4, "numbers.far" = 2 }}
''')
    told = bartizan("sweep", plan, "-o", plan.parent / "out")
    assert not told.code, told.err
    return study(open_sweep(plan.parent / "out"))


def test_a_page_of_games_that_circle_counts_them_apart(circling):
    ended = circling.findings[1].length
    assert 0 < ended.capped < 30 and ended.ended.mean.mean < 60 < 1000 < ended.turns.mean
    made = page(circling)
    (length,) = (part for part in made.parts if part.title == "Length")
    assert max(figure.picture.extent[1] for figure in length.figures) < 300
    said = str(made.part("In words"))
    assert "truncated" in said and f"{ended.capped} games" in said
    (table,) = (table for table in made.part("Every number").tables if table.title == "Length")
    assert table.rows[1][-1].text == str(ended.capped)


def test_a_page_leads_with_a_cell_that_says_something(circling):
    assert circling.findings[0].says_little == (True, True) or circling.findings[0].says_little[1]
    assert leading(circling.findings) is circling.findings[1]
    first = page(circling).chart
    assert all(0.05 < track.marks[0].interval.estimate < 0.95 for track in first.tracks[:2])


def test_what_leads_is_not_chosen_by_its_result():
    """Of cells that say something the published game, else the order of the plan."""
    plain, extreme, changed = (
        SimpleNamespace(says_little=(False, False), changes=changes) for changes in ([], [], [1])
    )
    dull = SimpleNamespace(says_little=(False, True), changes=[])
    assert leading([dull, changed, plain, extreme]) is plain
    assert leading([dull, changed]) is changed


# ---------------------------------------------------------------- units


def test_a_game_names_its_unit():
    assert load_game(str(CIRCLES)).turn_name == "round"
    told = bartizan("run", CIRCLES, "--games", 30)
    assert told.json["turns"]["unit"] == "round" and "rounds" in told.out and "turns" not in told.out


def test_the_unit_is_a_word(kept_path):
    game = kept_path / "odd.py"
    game.write_text((SHORT / "pig.py").read_text().replace("players = 2", "players = 2\nturn_name = 3"))
    told = bartizan("run", game)
    assert told.code == 2 and "turn_name" in told.err and told.err.count("\n") == 1


def test_steps_of_a_game_stand_under_the_turn_they_are_decided_in(tmp_path):
    told = bartizan("trace", SHORT / "pig.py", "--html", tmp_path / "game.html")
    text = (tmp_path / "game.html").read_text()
    heads = [text.index(f">Turn {turn}</h3>") for turn in range(1, told.json["record"]["turn"] + 1)]
    assert heads == sorted(heads) and len(heads) > 5


# ---------------------------------------------------------------- reasons, and luck


def test_reasons_of_the_end_are_causes_where_nothing_more_is_recorded():
    lost = analyze(outcomes.losses_of, RIVALS, two_seats())
    assert {cause.cause: cause.games for cause in lost.causes} == {"breach": 1, "deck ran out": 1}
    alike = RIVALS.with_columns(end_reason=pl.lit(3))
    assert not analyze(outcomes.losses_of, alike, two_seats()).causes  # one way to end says nothing


def test_no_impossible_share_of_the_luck_is_taken_off():
    luck = np.random.default_rng(2)
    won = luck.random(2000) < 0.5
    assert _slope(1e-17 * luck.standard_normal(2000), won) == 0
    given = 0.3 * (won - 0.5) + 0.05 * luck.standard_normal(2000)
    assert 1 < _slope(given, won) <= MOST_TAKEN
    assert _slope(np.zeros(5), won[:5]) == 0


def test_one_pass_counts_what_the_seats_scored():
    counted = tally(RIVALS.lazy(), two_seats())
    assert counted.seat_scores["column"].to_list() == ["score_0", "score_1", MARGIN]
