"""The folder of plays over time: files that grow, are corrected, read by another mapping; what is damaged."""

import json

import polars as pl
import pytest

from bartizan import api
from bartizan.reports.views.plays import lines
from bartizan.simcore.errors import UsageError
from tests.play_logs import ITTER, RAMPAGE, play, seat

HEAD = "date,player,level,result\n"
ONE, TWO, THREE = "2026-11-01,Anna,elite,win\n", "2026-11-02,Bert,elite,loss\n", "2026-11-03,Anna,veteran,win\n"


@pytest.fixture
def brought(tmp_path):
    """A function: text -> what became of it as log.csv, in one folder."""

    def bring(text: str, name: str = "log.csv", **more):
        file = tmp_path / name
        file.parent.mkdir(exist_ok=True)
        file.write_text(text, encoding="utf-8")
        return api.playtest_import(file, out=tmp_path / "plays", **({"game": "itter"} | more))["files"][0]

    return bring


def log(tmp_path) -> pl.DataFrame:
    return api.playtest_log(tmp_path / "plays")


def test_a_sheet_that_grew_adds_what_is_new(brought, tmp_path):
    brought(HEAD + ONE)
    one = brought(HEAD + TWO + ONE + ",,,\n" + THREE)
    assert one["plays"] == {"new": 2, "replaced": 0, "already": 1}
    one = brought(HEAD + TWO + ONE + ",,,\n,,,\n" + THREE)
    assert one["plays"] == {"new": 0, "replaced": 0, "already": 3}
    assert log(tmp_path)["kept"].sum() == 3 and log(tmp_path).height == 5
    keys = log(tmp_path).filter("kept").sort("date")["player_key"].to_list()
    assert keys[0] == keys[2] != keys[1] and len(keys[0]) == 16


def test_another_sheet_of_the_same_name_is_kept_beside_the_first(brought, tmp_path):
    brought(HEAD + ONE + TWO)
    one = brought(HEAD + ONE)
    assert one["source"] == "log.csv (2)" and one["plays"]["new"] == 1 and "--replace" in one["notes"][0]
    assert log(tmp_path)["kept"].sum() == 3


def test_a_corrected_sheet_takes_the_place_of_the_first(brought, tmp_path):
    brought(HEAD + ONE + TWO)
    one = brought(HEAD + ONE + TWO.replace("loss", "win"), replace=True)
    assert one["plays"] == {"new": 1, "replaced": 0, "already": 1} and one["dropped"] == 1
    assert log(tmp_path)["result"].to_list() == ["win", "win"]


def test_plays_that_only_left_the_sheet_are_named(brought):
    brought(HEAD + ONE + TWO)
    document = brought(HEAD + ONE, replace=True)
    assert document["dropped"] == 1 and not any(document["plays"][name] for name in ("new", "replaced"))
    assert any("1 dropped" in line for line in lines({"files": [document]}))


def test_the_same_sheet_under_another_name_or_mapping(brought, tmp_path):
    text = "when,who,how\n1/2/2026,Anna,hurra\n"
    mapping = tmp_path / "m.toml"
    columns = '[columns]\ndate = "when"\nplayer = "who"\nresult = "how"\n'
    mapping.write_text(columns)
    one = brought(text, mapping=mapping)
    assert one["aside"] == 1 and "result (an unknown word)" in one["reasons"][0]["reason"]
    mapping.write_text('[playtest]\ndates = "month/day/year"\n' + columns + '[values.result]\nwin = ["hurra"]\n')
    one = brought(text, mapping=mapping)
    assert one["kept"] == 1 and log(tmp_path).height == 1 and str(log(tmp_path)["date"][0]) == "2026-01-02"
    one = brought(text, name="copy.csv", mapping=mapping)
    assert one["source"] == "log.csv" and one["plays"]["already"] == 1 and log(tmp_path).height == 1


def test_the_same_plays_under_another_name_are_counted_once(brought, tmp_path):
    """A sheet saved again by a spreadsheet, under another name and with a play more."""
    plays = [ONE.replace("2026", str(2000 + year)) for year in range(5)]
    brought(HEAD + "".join(plays))
    one = brought(HEAD.rstrip("\n") + "\r\n" + "".join(plays) + TWO, name="copy.csv")
    assert one["source"] == "log.csv" and one["plays"] == {"new": 1, "replaced": 0, "already": 5}
    assert "counted once" in one["notes"][0] and "add a column" in one["notes"][0]
    others = "".join(f"{line},2\n" for line in "".join(plays).split())
    one = brought(HEAD.rstrip("\n") + ",table\n" + others, name="b.csv")
    assert one["source"] == "b.csv" and one["plays"]["new"] == 5 and "counted once" not in str(one["notes"])


def test_short_sheets_may_be_alike_by_chance(brought, tmp_path):
    brought(HEAD + ONE * 6)
    one = brought(HEAD + ONE * 6 + TWO, name="b.csv")
    assert one["source"] == "b.csv" and one["plays"]["new"] == 7


def test_a_play_corrected_in_the_app_takes_the_place_of_the_first(brought, tmp_path):
    def export(*plays) -> str:
        return json.dumps({"games": [ITTER, RAMPAGE], "players": [], "plays": plays})

    brought(export(play("a", seat()), play("b", seat(winner=True))), name="x.json")
    one = brought(
        export(play("c", seat(winner=True)), play("b", seat(winner=True)), play("a", seat(winner=True))), name="x.json"
    )
    assert one["plays"] == {"new": 1, "replaced": 1, "already": 1} and log(tmp_path)["result"].to_list() == ["win"] * 3


def test_an_export_for_two_games_in_turn(brought, tmp_path):
    text = json.dumps(
        {"games": [ITTER, RAMPAGE], "plays": [play("a", seat(winner=True)), play("b", seat(winner=True), gameRefId=12)]}
    )
    brought(text, name="x.json", game="itter")
    brought(text, name="x.json", game="rampage")
    assert log(tmp_path).filter("kept").select("game", "source_id").rows() == [("itter", "a"), ("rampage", "b")]


def test_people_are_hashed_by_the_folder_and_known_across_files(brought, tmp_path):
    brought(HEAD + ONE)
    export = {"players": [{"id": 1, "name": " ANNA "}], "games": [ITTER], "plays": [play("a", seat(winner=True))]}
    brought(json.dumps(export), name="x.json")
    assert log(tmp_path)["player_key"].n_unique() == 1
    other = api.playtest_import(tmp_path / "log.csv", out=tmp_path / "others", game="itter")
    assert other.rows().collect()["player_key"][0] not in log(tmp_path)["player_key"].to_list()
    assert (tmp_path / "plays/salt").stat().st_mode & 0o077 == 0


def test_several_files_at_once_and_nothing_written_where_one_is_wrong(tmp_path):
    (tmp_path / "a.csv").write_text(HEAD + ONE)
    (tmp_path / "b.csv").write_text(HEAD + TWO)
    with pytest.raises(UsageError, match="no such file"):
        api.playtest_import([tmp_path / "a.csv", tmp_path / "c.csv"], out=tmp_path / "plays", game="itter")
    assert not (tmp_path / "plays").exists()
    answer = api.playtest_import([tmp_path / "a.csv", tmp_path / "b.csv"], out=tmp_path / "plays", game="itter")
    assert answer.folder.plays == 2 and answer.folder.people == 2
    assert dict(answer.folder.games[0].levels) == {"elite": 2}


@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        (lambda folder: (folder / "salt").unlink(), "salt is missing"),
        (lambda folder: (folder / "salt").write_text("x"), "damaged"),
        (lambda folder: (folder / "imports.json").write_text("[1"), "damaged"),
        (lambda folder: (folder / "imports.json").write_text("[" * 100_000), "damaged"),
        (lambda folder: (folder / "log.parquet").write_bytes(b"PAR1"), "cannot be read"),
        (lambda folder: pl.DataFrame({"x": [1]}).write_parquet(folder / "log.parquet"), "not a log of plays"),
        (lambda folder: (folder / "notes.txt").write_text("x"), "contains other files"),
    ],
)
def test_a_damaged_folder_is_one_line(brought, tmp_path, spoil, said):
    brought(HEAD + ONE)
    spoil(tmp_path / "plays")
    with pytest.raises(UsageError, match=said) as refused:
        brought(HEAD + ONE + TWO)
    assert "\n" not in str(refused.value)


def test_a_left_over_of_a_killed_import_is_no_matter(brought, tmp_path):
    brought(HEAD + ONE)
    (tmp_path / "plays/.log.parquet.77.tmp").write_bytes(b"x")
    assert brought(HEAD + ONE + TWO)["plays"]["new"] == 1


def test_a_folder_without_plays_says_how_to_get_some(tmp_path):
    with pytest.raises(UsageError, match="bartizan playtest import"):
        api.playtest_log(tmp_path)
