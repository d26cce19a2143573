"""Every made-up log of plays: each row kept or set aside, counts that add up, nothing unknown made a number."""

import re

import polars as pl
import pytest

from bartizan import api
from bartizan.analyses.people.log import RESULTS, SCHEMA, kept
from tests.play_logs import LOGS, Log

NAMES = (b"Anna", b"Bert", b"Zw\xc3\xb6lf", b"Dora", b"Guest")


def brought_in(log: Log, folder, **more):
    file, mapping = folder / log.file, None
    file.write_bytes(log.content())
    if log.mapping:
        mapping = folder / "mapping.toml"
        mapping.write_text(log.mapping, encoding="utf-8")
    return api.playtest_import(file, out=folder / "plays", game=log.game, mapping=mapping, **more)


def adds_up(answer, frame: pl.DataFrame) -> None:
    """What holds of every import."""
    for one in answer["files"]:
        assert (
            one["records"]
            == one["kept"] + one["aside"]
            == len(set(frame.filter(pl.col("source") == one["source"])["row"]))
        )
        assert one["aside"] == sum(reason["count"] for reason in one["reasons"])
        assert all(reason["count"] == len(reason["rows"]) for reason in one["reasons"])
        assert sum(one["results"].values()) == one["seats"]
    assert frame.schema == SCHEMA
    assert set(frame.filter(pl.col("kept"))["result"]) <= set(RESULTS)
    assert frame.filter(pl.col("kept"))["reason"].null_count() == frame["kept"].sum()
    assert frame.filter(~pl.col("kept"))["reason"].null_count() == 0
    assert answer["folder"]["plays"] == sum(game["plays"] for game in answer["folder"]["games"])


def test_there_are_logs_enough():
    assert len(LOGS) >= 60 and len({log.name for log in LOGS}) == len(LOGS)


@pytest.mark.parametrize("log", LOGS, ids=lambda log: log.name)
def test_every_row_is_kept_or_set_aside_and_named(log, tmp_path):
    answer = brought_in(log, tmp_path)
    frame = api.playtest_log(tmp_path / "plays")
    adds_up(answer, frame)
    (file,) = answer["files"]
    found = {row: reason["reason"] for reason in file["reasons"] for row in reason["rows"]}
    assert file["records"] == log.records
    assert set(found) == set(log.aside)
    for row, reason in log.aside.items():
        assert reason in found[row]
    rows = kept(tmp_path / "plays")
    assert {column: rows[column].to_list() for column in log.holds} == log.holds
    assert log.also(rows)
    assert log.said in answer.text() and not re.search("Anna|Bert|Zwölf|Dora", re.sub('".*?"', "", answer.text()))
    assert file["plays"] == {"new": rows["play_id"].n_unique(), "replaced": 0, "already": 0}

    # the same file again adds nothing
    before = {path.name: path.read_bytes() for path in (tmp_path / "plays").iterdir()}
    again = brought_in(log, tmp_path)
    assert {path.name: path.read_bytes() for path in (tmp_path / "plays").iterdir()} == before
    (two,) = again["files"]
    assert two["plays"] == {"new": 0, "replaced": 0, "already": file["plays"]["new"]} and two["dropped"] == 0
    assert ("already present" in again.text()) == bool(file["plays"]["new"])
    told = [*before.values(), api.playtest_log(tmp_path / "plays").write_csv().encode(), again.to_json().encode()]
    assert not [name for name in NAMES for data in told if name in data]
