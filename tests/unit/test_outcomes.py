"""Games for several sides: each question on tables that are counted by hand, and what the report says of them."""

import json
import re
from dataclasses import replace
from types import SimpleNamespace

import polars as pl
import pytest

from bartizan.analyses.records import outcomes, quantities
from bartizan.analyses.records.seating import series
from bartizan.analyses.statistics.intervals import clopper_pearson, dkw_margin, proportion, with_truncated
from bartizan.reports import write_report
from bartizan.reports.pages.parts import names
from bartizan.reports.pages.parts.outcomes import Curves, Forms
from bartizan.reports.pages.two_sided import leader
from bartizan.reports.study import study
from bartizan.simcore.game import game_names, load_game
from bartizan.simcore.reporting import Form, Group, Reporting, Setting, read
from tests.sweeps import analyze, make_sweep, solo_cell

REPORTING = Reporting(
    sides=("the Raiders", "the Guard"),
    time="watch",
    score="prizes",
    forms=(Form("First blood", "blood", 0, 1, "whoever draws blood has won"),),
    marks={"by_luck": "decided by luck"},
    firsts={"blood": "first blood", "gate": "gate open"},
    cut_short={"result.form": "sudden"},
    groups=(
        Group("Prizes", {"gold": "gold", "silver": "silver"}, "Silver is rare."),
        Group("Losses", {"taken": "taken"}),
    ),
    settings={
        "raiders": Setting("raiders", "{} raiders", "1 raider"),
        "limit": Setting("length", "a limit of {}", "", True, "The length is a guess."),
    },
)
# ten games: Raiders 4, draws 2, Guard 3, one cut off in turn 3; blood in 6, of which one in the game cut off
TEN = pl.DataFrame(
    {
        "game": list(range(10)),
        "plies": [10] * 10,
        "end_reason": [3] * 9 + [2],
        "winner": [0, 0, 0, 0, -1, -1, 1, 1, 1, -2],
        "turn": [5, 5, 5, 5, 5, 5, 5, 2, 5, 3],
        "score": [3, 1, 1, 1, 0, 0, 0, 0, 0, 0],
        "blood": [1, 1, 2, 4, 4, None, None, None, None, 2],
        "gate": [5, None, None, None, None, None, None, None, None, None],
        "by_luck": [0, 0, 0, 1, 1, 1, 0, 0, 0, 1],
        "gold": [2, 1, 1, 0, 0, 0, 0, 0, 0, 0],
        "silver": [0] * 10,
        "taken": [1] * 10,
        "undoing": [0, 0, 0, 0, 1, 1, 1, 1, 2, 0],
    }
)


def match_cell(**changes) -> dict:
    policies = [
        {"role": role, "name": name, "weights": {}, "about": ""}
        for role, name in (("raiders", "bold"), ("guard", "calm"))
    ]
    labels = {"undoing": {"1": "a trap", "2": "an ambush"}}
    base = {
        "difficulty": None,
        "policies": policies,
        "tiers": {},
        "labels": labels,
        "cause_column": "undoing",
        "min_win_score": None,
        "reporting": REPORTING.document(),
    }
    return solo_cell(**{**base, "assumptions": [], "assumed": 0, **changes})


CELL = SimpleNamespace(**match_cell())
DONE = TEN[:9]  # none cut off


def test_a_manifest_keeps_what_a_game_declares():
    assert read(json.loads(json.dumps(REPORTING.document(), sort_keys=True))) == REPORTING
    assert list(read(json.loads(json.dumps(REPORTING.document(), sort_keys=True))).firsts) == ["blood", "gate"]
    assert read(None) == read({}) == Reporting()


def test_every_column_a_game_declares_is_recorded():
    for name in game_names():
        game = load_game(name)
        assert set((game.compiled.reporting or Reporting()).columns(len(game.roles))) <= set(
            game.compiled.record_dtype.names
        )


# ---------------------------------------------------------------- who wins


def test_sides_and_draws_add_up_in_the_order_of_the_bar():
    found = analyze(outcomes.outcomes_of, DONE, CELL)
    assert [(part.name, part.seat, part.games) for part in found.parts] == [
        ("the Raiders", 0, 4),
        ("draw", -1, 2),
        ("the Guard", 1, 3),
    ]
    assert [part.share for part in found.parts] == [proportion(4, 9), proportion(2, 9), proportion(3, 9)]
    assert found.edges == (proportion(4, 9), proportion(6, 9))
    assert [side.name for side in found.sides] == ["the Raiders", "the Guard"]


def test_games_cut_off_make_every_share_a_range():
    found = analyze(outcomes.outcomes_of, TEN, CELL)
    assert (found.games, found.capped) == (10, 1)
    assert [part.share for part in found.parts] == [with_truncated(n, 1, 10) for n in (4, 2, 3)]


def test_sides_without_names_are_called_by_their_roles_and_draws_among_many_stand_last():
    policies = [{"role": f"seat_{seat}", "name": "x"} for seat in range(3)]
    cell = SimpleNamespace(**match_cell(policies=policies, reporting={}))
    frame = DONE.with_columns(winner=pl.Series([0, 1, 2, 2, -1, -3, 2, 2, 2]))
    found = analyze(outcomes.outcomes_of, frame, cell)
    assert [(part.name, part.games) for part in found.parts] == [
        ("the seat 0 player", 1),
        ("the seat 1 player", 1),
        ("the seat 2 player", 5),
        ("draw", 1),
        ("nobody", 1),
    ]
    assert (found.forms, found.marks) == ((), ())


def test_a_side_is_ahead_only_when_the_intervals_part():
    assert leader(analyze(outcomes.outcomes_of, DONE, CELL)) is None
    many = pl.concat([DONE] * 100).with_columns(winner=pl.Series([1] * 500 + [0] * 400))
    assert leader(analyze(outcomes.outcomes_of, many, CELL)).name == "the Guard"


def test_another_form_of_the_result_counts_who_would_have_won():
    """Blood in 5 of the 9 games; the game cut off had seen blood, so it is decided too."""
    (form,) = analyze(outcomes.outcomes_of, DONE, CELL).forms
    assert form.winner.name == "the Raiders" and form.winner.games == 5
    assert form.otherwise.name == "the Guard" and form.otherwise.games == 4
    (form,) = analyze(outcomes.outcomes_of, TEN, CELL).forms
    assert (form.winner.games, form.winner.share) == (6, proportion(6, 10))


def test_a_form_is_not_read_off_from_games_that_end_before_it():
    cell = SimpleNamespace(**match_cell(set={"result.form": "sudden"}))
    assert analyze(outcomes.outcomes_of, DONE, cell).forms == ()
    assert analyze(outcomes.first_times_of, DONE, cell) == ()


def test_a_mark_of_a_game_cut_off_is_unknown():
    (mark,) = analyze(outcomes.outcomes_of, TEN, CELL).marks
    assert (mark.games, mark.share) == (3, with_truncated(3, 1, 10))


# ---------------------------------------------------------------- first times


def test_first_times_are_a_step_curve_with_one_band():
    blood, gate = analyze(outcomes.first_times_of, DONE, CELL)
    assert [step.games for step in blood.steps] == [2, 1, 0, 2, 0]
    assert [step.by.estimate for step in blood.steps] == pytest.approx([2 / 9, 3 / 9, 3 / 9, 5 / 9, 5 / 9])
    margin = dkw_margin(9)
    assert blood.steps[3].by.low == pytest.approx(max(5 / 9 - margin, 0))
    assert blood.steps[3].by.high == pytest.approx(min(5 / 9 + margin, 1))
    assert (blood.happened, blood.ever, gate.happened, gate.ever) == (5, proportion(5, 9), 1, proportion(1, 9))
    assert blood.by(99) == blood.steps[-1].by
    assert [row["turn"] for row in blood.rows()] == [1, 2, 3, 4, 5]


def test_a_game_cut_off_before_it_happened_widens_the_band_from_then_on():
    gate = analyze(outcomes.first_times_of, TEN, CELL)[1]
    assert "bounds" not in gate.steps[1].by.method and "bounds over 1" in gate.steps[2].by.method
    assert gate.steps[2].by.high == pytest.approx(min(0.1 + dkw_margin(10), 1))
    assert gate.ever == with_truncated(1, 1, 10)


# ---------------------------------------------------------------- counts


def test_means_a_game_by_group():
    prizes, losses = analyze(quantities.group_means_of, DONE, CELL)
    gold, silver = prizes.counts
    assert (prizes.title, prizes.note, losses.counts[0].label) == ("Prizes", "Silver is rare.", "taken")
    assert (gold.mean.mean, gold.mean.n, gold.any) == (pytest.approx(4 / 9), 9, None)
    assert gold.mean.se == pytest.approx(DONE["gold"].std() / 3)
    assert silver.any == clopper_pearson(0, 9)  # a mean of 0 has no spread: a bound instead


# ---------------------------------------------------------------- settings


def along(name, **sets):
    return SimpleNamespace(**match_cell(id=name, set=sets))


def test_cells_that_differ_in_one_number_are_a_series():
    cells = [
        along("a", limit=30, raiders=2),
        along("b", limit=10, raiders=2),
        along("c", limit=20, raiders=2),
        along("d", limit=10, raiders=3),
        along("e", raiders=2),
    ]
    (line,) = series(cells)
    assert (line.path, line.values, [cell.id for cell in line.cells], line.setting.name) == (
        "limit",
        (10, 20, 30),
        ["b", "c", "a"],
        "length",
    )


def test_only_declared_settings_are_curves_unless_every_one_is_asked_for():
    cells = [along(str(n), raiders=n) for n in (1, 2, 3)]
    assert series(cells) == []
    assert [line.path for line in series(cells, every=True)] == ["raiders"]
    assert series(cells[:2], every=True) == [] and len(series(cells[:2], every=True, fewest=2)) == 1


def test_yes_and_no_or_words_are_no_measure():
    cells = [along(str(n), flag=value) for n, value in enumerate((True, False, "blank", "full"))]
    assert series(cells, every=True) == []


# ---------------------------------------------------------------- the report

MANY = pl.concat([DONE] * 100).with_columns(game=pl.int_range(900))


@pytest.fixture(scope="module")
def sweep(tmp_path_factory):
    """The Guard takes over the Raiders' games as the limit falls."""
    cells = []
    for limit in (10, 20, 30):
        winner = pl.when(pl.col("winner").eq(0) & (pl.col("game") % 40 > limit)).then(1).otherwise("winner")
        cells.append(
            (
                match_cell(id=f"limit={limit}", set={"limit": limit}, scenario_hash=f"{limit:016}", games=900),
                MANY.with_columns(winner=winner),
            )
        )
    return make_sweep(tmp_path_factory.mktemp("match"), cells)


def read_report(sweep, path) -> str:
    text = write_report(sweep, path).read_text(encoding="utf-8")
    return re.sub(r"\s+", " ", text).replace("\u00a0", " ")


@pytest.fixture(scope="module")
def page(sweep, tmp_path_factory):
    return read_report(sweep, tmp_path_factory.mktemp("page") / "r.html")


def test_nobody_is_the_player_and_nothing_survives(page):
    assert not re.search(r"how hard|games won by the player|surviv|defender", page, re.I)
    assert "Who wins, how, and how sure are we?" in page


def test_the_verdict_says_what_the_setting_changes(page):
    text = page[page.index("<summary>In words") : page.index("<h2>Results by length")]
    assert "From a limit of 10 to a limit of 30, the share of the Raiders rises by" in text
    assert "The length is a guess." in text


def test_a_setting_without_a_leader_does_not_hide_the_others(page):
    assert (
        "The odds favour the Guard with a limit of 10 and a limit of 20; no side is shown to be ahead with a "
        "limit of 30."
    ) in page


def test_sections_answer_the_questions_of_a_match(page):
    titles = re.findall(r"<h2>([^<]*)", page)
    assert titles[:6] == [
        "Results by length",
        "Other forms of the result",
        "Events in a game",
        "Causes of the losses of the Raiders",
        "How soon",
        "Prizes of the Raiders",
    ]
    assert "not the play under a length of x" in page
    assert len(re.findall("<svg", page)) == 2 + 2 + 2 + 1 + 1 + 3  # of the first times only the longest limit
    ids = re.findall(r'\bid="([^"]*)"', page)
    assert len(ids) == len(set(ids))


def test_the_curve_of_another_form_is_the_share_of_the_first_side(sweep):
    """Whoever draws blood has won: in 5 of 9 games, at every limit."""
    figures = [figure for view in Curves().sections(study(sweep)) for group in view.blocks for figure in group.figures]
    (form,) = (figure.picture.curves[1] for figure in figures if "each form" in figure.title)
    assert form.label == "First blood" and {share.estimate for share in form.intervals} == {5 / 9}


def test_a_form_that_the_second_side_wins_is_drawn_as_the_share_of_the_first(tmp_path):
    """Whoever draws no blood has won: the Raiders win 4 of 9 games."""
    other = replace(REPORTING, forms=(Form("Last blood", "blood", 1, 0, ""),))
    lone = make_sweep(tmp_path / "s", [(match_cell(reporting=other.document()), pl.concat([DONE] * 50))])
    (view,) = Forms().sections(study(lone))
    _, form = view.figures[0].picture.tracks
    assert view.figures[0].title == "Won by the Raiders" and form.label == "Last blood"
    assert form.marks[0].interval.estimate == pytest.approx(4 / 9)


def test_numbers_carry_games_interval_and_method(page):
    table = page[page.index("<caption>Shares of all games with 95 % intervals") :]
    row = table[table.index("A limit of 30") : table.index("<tr", table.index("A limit of 30"))]
    assert "Won by the Raiders" in table and "900" in row
    assert "intervals (not simultaneous). Wilson unless noted." in table
    assert "in below 0.5 % of games" in page  # silver


def test_names_say_what_differs(sweep):
    found = study(sweep)
    assert [names.label(finding, found) for finding in found.findings] == [
        "A limit of 10",
        "A limit of 20",
        "A limit of 30",
    ]
    assert names.value_of(CELL, "raiders", True) == "true raiders"
    assert names.value_of(CELL, "limit", None) == "length as in the scenario"
    assert Setting("raiders", "{} raiders", "1 raider").words(1) == "1 raider"
    assert Setting("speed").words(3) == "speed 3"
    assert Setting("speed").words("high") == "speed: high"


def test_markdown_and_json_hold_the_same(sweep, tmp_path):
    text = read_report(sweep, tmp_path / "r.md")
    assert "who wins?" in text and "### Time of: first blood" in text and "| Gold |" in text
    document = json.loads(write_report(sweep, tmp_path / "r.json").read_text(encoding="utf-8"))
    cell = document["cells"][-1]
    assert [part["name"] for part in cell["outcomes"]] == ["the Raiders", "draw", "the Guard"]
    assert sum(part["games"] for part in cell["outcomes"]) == 900
    assert cell["first_times"][0]["by_turn"][-1]["by"] == pytest.approx(5 / 9)
    assert document["by_setting"][0]["values"] == [10, 20, 30]


def test_a_match_with_games_cut_off_and_no_declaration(tmp_path):
    lone = make_sweep(tmp_path / "s", [(match_cell(reporting={}, cause_column=None, labels={}), pl.concat([TEN] * 50))])
    text = read_report(lone, tmp_path / "r.html")
    assert "50 games were truncated" in text and "the raiders player" in text and "Truncated" in text
