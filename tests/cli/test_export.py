"""The games as one table: its content, and that docs/columns.toml explains every column."""

import shutil
import tomllib

import polars as pl
import pytest

import bartizan as bz
from bartizan.analyses.people.log import SCHEMA
from bartizan.simcore.errors import EngineError
from bartizan.simcore.game import game_names, load_game
from tests.cli.run_cli import PIG, ROOT, bartizan, error_line, tree

COLUMNS = tomllib.loads((ROOT / "docs/columns.toml").read_text(encoding="utf-8"))


@pytest.mark.parametrize("name", game_names())
def test_every_column_of_a_game_is_explained(name):
    engine, explained = load_game(name).compiled, {**COLUMNS["common"], **COLUMNS[name]["columns"]}
    assert set(explained) == set(engine.record_dtype.names) and all(explained.values())
    for column in engine.nulls:
        assert "null" in explained[column]


def test_every_column_of_plays_is_explained():
    assert set(COLUMNS["plays"]["columns"]) == set(SCHEMA)


@pytest.fixture(scope="module")
def swept(tmp_path_factory):
    folder = tmp_path_factory.mktemp("export") / "kept"
    result = bartizan(
        "sweep", PIG, "--policy hold:at=25+random --set goal.points=40,50 --games 500 --seed 3 -o", folder
    )
    assert result.code == 0, result.err
    return folder


@pytest.mark.parametrize("suffix", ["parquet", "csv"])
def test_a_tidy_table(swept, tmp_path, suffix):
    out = tmp_path / f"games.{suffix}"
    result = bartizan("export", swept, "-o", out)
    assert result.code == 0 and "1,000 games" in result.out
    assert sorted(path.name for path in tmp_path.iterdir()) == [out.name]
    frame = pl.read_parquet(out) if suffix == "parquet" else pl.read_csv(out)
    assert frame.columns[:7] == [
        "cell",
        "scenario",
        "difficulty",
        "seed",
        "policy_first",
        "policy_second",
        "goal.points",
    ]
    assert frame.group_by("goal.points").len().sort("goal.points").rows() == [(40, 500), (50, 500)]
    assert set(frame["policy_first"]) == {"hold:at=25"}
    assert set(frame["policy_second"]) == {"random"} and set(frame["seed"]) == {3}
    assert set(frame["winner_name"]) <= {"first", "second"} and set(frame["end_reason_name"]) == {"goal reached"}
    assert (frame["winner_name"] == "first").equals(frame["winner"] == 0)


def test_the_same_in_python_and_of_both_sides_of_a_comparison(swept, tmp_path):
    assert bz.open(swept).export(tmp_path / "g.parquet").games == 1000
    assert bz.open(swept).table().collect().equals(pl.read_parquet(tmp_path / "g.parquet"))
    assert bartizan("compare", PIG, "--change", "goal.points=50", "--games", 100, "-o", tmp_path / "c").code == 0
    frame = bz.open(tmp_path / "c").table().collect()
    assert set(frame.select("side", "goal.points").rows()) == {("a", None), ("b", 50)}


def test_a_game_without_a_score_has_no_column_of_scores(tmp_path):
    """Tic-tac-toe keeps one column for all games, but it has only winners."""
    path = ROOT / "examples/short/tic_tac_toe.py"
    assert bartizan("sweep", path, "--games", 20, "-o", tmp_path / "out").code == 0
    assert "score" not in bz.open(tmp_path / "out").table().collect_schema()


def test_refused_with_one_line(swept, tmp_path):
    for args, says in (
        (("export", swept, "-o", "x.xlsx"), ".parquet or .csv"),
        (("export", tmp_path, "-o", "x.csv"), "contains no sweep"),
        (("export", swept, "-o", tmp_path / "no/x.csv"), "does not exist"),
    ):
        result = bartizan(*args)
        assert result.code == 2 and says in error_line(result)


def test_folders_have_no_sign_that_readers_take_for_a_partition(swept):
    assert sorted(path.name for path in (swept / "cells").iterdir()) == [
        "hold_at-25-random.points-40",
        "hold_at-25-random.points-50",
    ]
    assert pl.read_parquet(swept / "cells").height == 1000


def test_a_folder_of_settings_is_gone_on_with(swept, tmp_path):
    args = ("sweep", PIG, "--policy", "hold", "--set", "goal.points=40,50", "-o", tmp_path / "s", "--games")
    assert bartizan(*args, 500).code == 0
    before = tree(tmp_path / "s")
    assert bartizan(*args, 500).code == 0 and tree(tmp_path / "s") == before
    next((tmp_path / "s" / "cells").rglob("*.parquet")).unlink()
    assert bartizan(*args, 500).code == 0 and tree(tmp_path / "s") == before
    (tmp_path / "s" / "manifest.json").unlink()
    assert bartizan(*args, 600).code == 0


def test_a_folder_of_before_stays_readable_and_resumable(swept, tmp_path):
    older = tmp_path / "older"
    args = ("sweep", PIG, "--policy", "hold", "--set", "goal.points=40,50", "--games", 500, "-o", older)
    assert bartizan(*args).code == 0
    for cell in sorted((older / "cells").iterdir()):
        cell.rename(cell.with_name(cell.name.replace("points-", "points=")))
    sums = older / "SHA256SUMS"
    sums.write_text(sums.read_text().replace("points-", "points="))
    before = tree(older)
    assert bartizan("verify", older).code == 0 and bartizan("report", older, "-o", tmp_path / "r.html").code == 0
    (older / "cells/hold.points=40/00000.parquet").unlink()
    assert bartizan(*args).code == 0 and tree(older) == before


def test_a_trace_names_the_winner():
    one = bartizan("trace", PIG, "--policy first=hold --policy second=random --seed 2 --game 1")
    document = one.json
    winner = ("first (hold)", "second (random)")[document["record"]["winner"]]
    assert document["winner"] == winner and f"end: {winner} wins: goal reached; decisions" in one.out.splitlines()[-1]


def test_a_swapped_shard_is_not_handed_out(swept, tmp_path):
    folder = tmp_path / "swapped"
    shutil.copytree(swept, folder)
    one, other = sorted(folder.glob("cells/*/*.parquet"))[:2]
    one.write_bytes(other.read_bytes())
    assert "does not match SHA256SUMS" in error_line(bartizan("export", folder, "-o", tmp_path / "games.csv"))
    assert not (tmp_path / "games.csv").exists()
    for ask in (bz.open(folder).rows, bz.open(folder).table):
        with pytest.raises(EngineError, match="does not match SHA256SUMS"):
            ask()
