"""Answers outlive the session that asked, and show themselves in a notebook."""

import copy
import inspect
import pickle
import re
import warnings

import polars as pl
import pytest

import bartizan as bz
from bartizan.reports.views import cells
from tests.cli.run_cli import PIG, RUIN

pig = bz.game(PIG)


@pytest.fixture(scope="module")
def notebook():
    """Not imported while tests are collected: it loads what draws."""
    from bartizan.reports.render import notebook

    return notebook


@pytest.fixture(scope="module")
def answers(tmp_path_factory):
    out = tmp_path_factory.mktemp("answers") / "sweep"
    return {
        "run": pig.run(games=60, policy=["hold", "random"]),
        "run of one seat": bz.game(RUIN).run(games=60),
        "compare": pig.compare(change={"goal.points": 50}, games=60),
        "sweep": pig.sweep(set={"goal.points": [30, 50]}, games=40, out=out),
        "coverage": pig.coverage(games=40),
        "plan": bz.playtest_plan(),
        "best": bz.best(),
        "describe": pig.describe(),
        "games": bz.games(),
        "trace": pig.trace(),
    }


NAMES = ["run", "run of one seat", "compare", "sweep", "coverage", "plan", "best", "describe", "games", "trace"]
TEXT_ALONE = {"describe", "games", "trace"}


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(
    "again", [copy.copy, copy.deepcopy, lambda one: pickle.loads(pickle.dumps(one))], ids=["copy", "deepcopy", "pickle"]
)
def test_an_answer_survives(answers, name, again):
    answer = answers[name]
    one = again(answer)
    assert one.to_dict() == answer.to_dict() and str(one) == str(answer) and one.hints == answer.hints
    assert one._repr_html_() == answer._repr_html_()
    assert one.exit_code == answer.exit_code and dir(one) == dir(answer)


def test_so_do_parts_games_folders_and_plays(answers, tmp_path):
    for again in (copy.copy, copy.deepcopy, lambda one: pickle.loads(pickle.dumps(one))):
        part = again(answers["run"].win_rate)
        assert part.low == answers["run"].win_rate.low and repr(again(pig)) == repr(pig)
        assert again(pig).describe().to_dict() == answers["describe"].to_dict()
        folder = again(bz.open(answers["sweep"].folder))
        assert folder.rows().collect().equals(bz.open(answers["sweep"].folder).rows().collect())
        with pytest.raises(bz.UsageError, match="nothing"):
            raise again(bz.UsageError("nothing"))
    for name in bz.__all__:
        thing = getattr(bz, name)
        if inspect.isfunction(thing) and thing.__module__.startswith("bartizan.api"):
            assert pickle.loads(pickle.dumps(thing)) is thing, name
    with pytest.raises(AttributeError):
        _ = answers["run"]._ipython_display_


def test_games_of_a_named_folder_are_found_again_from_elsewhere(answers, tmp_path, monkeypatch):
    kept = pickle.dumps(answers["sweep"])
    monkeypatch.chdir(tmp_path)
    assert len(pickle.loads(kept).rows().collect()) == 80
    with pytest.raises(bz.UsageError, match="no longer exists; run the question again"):
        pickle.loads(pickle.dumps(answers["run"])).rows()


# ---------------------------------------------------------------- in a notebook


@pytest.mark.parametrize("name", NAMES)
def test_a_notebook_shows_chart_and_tables(answers, notebook, name):
    answer = answers[name]
    page = answer._repr_html_()
    body = page[page.index("</style>") :]
    assert body.count("<table") == (0 if name in TEXT_ALONE else len(answer.view.tables))
    has_chart = answer.view is not None and bool(notebook.charts_of(answer.view))
    assert ("<figure" in body) == has_chart == (name in ("run", "run of one seat", "compare", "sweep", "coverage"))
    for line in answer.lines():  # nothing is lost: what has no block stands in the text below
        words = re.sub(r"[\s&;<>'\"\u2192#0-9a-z]", "", line)
        assert words[:10] in re.sub(r"[\s&;<>'\"\u2192#0-9a-z]", "", body), line


def test_a_chart_of_many_settings_stays_short(answers, notebook):
    one = dict(answers["sweep"].to_dict()["cells"][0])
    view = cells.view("many", [one] * 100, [f"setting {number}" for number in range(100)])
    (chart,) = notebook.charts_of(view)
    assert len(chart.tracks) == cells.MOST_ROWS and "64 more" in chart.notes[0] and len(view.tables[0].rows) == 100


def test_an_ending_that_a_setting_never_had_is_0_games_there(answers):
    one = dict(answers["sweep"].to_dict()["cells"][0])
    ways = ({"goal reached": 30}, {"goal reached": 20, "turn limit": 10})
    view = cells.view("two", [{**one, "end_reasons": found} for found in ways], ["short", "long"])
    (ends,) = (table for table in view.tables if table.title == "How games end")
    assert [[cell.text for cell in row] for row in ends.rows] == [["short", "30", "0"], ["long", "20", "10"]]


def test_two_answers_on_one_page_do_not_share_ids(answers):
    shown = [answers[name]._repr_html_() for name in ("run", "compare", "sweep", "coverage")]
    ids = [re.findall(r'\bid="([^"]+)"', page) for page in shown]
    every = [one for found in ids for one in found]
    assert len(set(every)) == len(every)


def test_the_style_holds_for_the_answer_alone(answers, notebook):
    style = notebook.style()
    assert not re.search(r"(?m)^\s*(:root|body|html)\b", style)
    page = answers["run"]._repr_html_()
    assert page.count("<style>") == 1 and ".bartizan.bartizan {" in page and "<script" not in page


def test_names_are_text_in_a_notebook(notebook):
    answer = bz.games()
    page = notebook.fragment(None, {}, "<img onerror=x>\n<script>\x1b[31m")
    assert "<img" not in page and "<script" not in page and "\x1b" not in page and answer._repr_html_()


def test_tables_and_figures_for_those_who_work_on(answers):
    compare = answers["compare"]
    table = compare.table()
    assert isinstance(table, pl.DataFrame) and table.columns[0] == "Measure" and len(table) >= 3
    assert compare.table("Paired differences").equals(table)
    figure = compare.figure()
    assert type(figure).__name__ == "Figure" and figure._repr_png_().startswith(b"\x89PNG")
    assert isinstance(answers["coverage"].figure(), type(figure))
    with pytest.raises(bz.UsageError, match='did you mean "Paired differences"'):
        compare.table("Paired difference")
    for ask in (answers["games"].table, answers["games"].figure):
        with pytest.raises(bz.UsageError, match="not available for this result"):
            ask()
    with pytest.raises(bz.UsageError, match='did you mean "Games won"'):
        answers["run"].figure("Games one")


@pytest.mark.parametrize("name", NAMES)
def test_every_answer_is_a_row_of_numbers(answers, name):
    frame, other = answers[name].to_polars(), answers[name].to_pandas()
    assert frame.height == 1 == len(other) and type(other).__name__ == "DataFrame" and list(other) == frame.columns


def test_numbers_of_parts(answers):
    run, sweep = answers["run"], answers["sweep"]
    assert run.to_polars()["win_rate.low"][0] == run.win_rate.low
    ends = run.to_polars("end_reasons")
    assert dict(ends.iter_rows()) == run.to_dict()["end_reasons"]
    cells = sweep.to_polars("cells")
    assert cells.height == 2 and cells["win_rate.estimate"].to_list() == [one.win_rate.estimate for one in sweep.cells]
    assert pl.concat([run.to_polars(), run.to_polars()], how="diagonal_relaxed").height == 2
    with pytest.raises(bz.UsageError, match='did you mean "cells"'):
        sweep.to_polars("cell")
    with pytest.raises(bz.UsageError, match='to_polars: this result has no table "wins"'):
        run.to_polars("wins")


def test_rows_have_names_where_the_table_has_them(answers):
    rows = answers["sweep"].rows().collect()
    folder = bz.open(answers["sweep"].folder)
    named = [name for name in folder.table().collect_schema().names() if name.endswith("_name")]
    assert {"winner_name", "end_reason_name"} <= set(named) <= set(rows.columns)
    assert set(rows["winner_name"]) == {"first", "second"} and set(rows["end_reason_name"]) == {"goal reached"}
    assert folder.rows().collect().equals(rows)
    assert rows.select(named).equals(folder.table().select(named).collect())
    assert set(answers["compare"].rows().collect()["winner_name"]) == {"first", "second"}


def test_letters_from_anywhere_draw_without_a_crash(answers, notebook):
    from dataclasses import replace

    view = answers["sweep"].view
    chart = next(iter(notebook.charts_of(view)))
    tracks = tuple(replace(track, label="漢字 🎲 $5\\x") for track in chart.tracks)
    odd = replace(chart, title="漢字 $5 \x1b", tracks=tracks)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert notebook.drawn(odd)._repr_png_().startswith(b"\x89PNG")
