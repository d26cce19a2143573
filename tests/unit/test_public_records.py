"""`bartizan import` of records in public formats: tables of TAG and matches of boardgame.io (docs/records.md)."""

import hashlib
import json

import polars as pl
import pytest

import bartizan as bz
from bartizan.simcore.errors import UsageError
from tests.cli.run_cli import ROOT, bartizan

SAMPLES = ROOT / "examples/records"


def matches() -> list[dict]:
    return [json.loads(line) for line in (SAMPLES / "boardgame_io.jsonl").read_text().splitlines()]


def outcomes(folder) -> list[tuple]:
    """(winner, turns) of all games, by number."""
    return bz.open(folder).rows().collect().sort("game").select("winner", "turn").rows()


def test_a_table_of_tag_needs_no_mapping(tmp_path):
    found = bartizan("import", SAMPLES / "tag_game_over.csv", "-o", tmp_path / "out", "--json").json
    rows = pl.read_csv(SAMPLES / "tag_game_over.csv")
    assert found["format"] == "TAG" and found["paired"] and found["measures"] == ["Turn"] and not found["unread"]
    assert [cell["id"] for cell in found["cells"]] == ["Careful-Random", "Random-Careful", "Random"]
    table = bz.open(tmp_path / "out").rows().collect()
    one, two = (rows[f"FinalScore(Player-{seat})"] for seat in (0, 1))
    assert (table["winner"] == 0).sum() == (one > two).sum() and (table["winner"] == -1).sum() == (one == two).sum()
    assert table["turn"].unique().to_list() == [3] and table["score_0"].sum() == one.sum()


def test_the_winner_that_tag_names_counts(tmp_path):
    rows = pl.read_csv(SAMPLES / "tag_game_over.csv").with_columns(pl.lit(1).alias("Winner(PlayerIdx)"))
    rows.write_csv(tmp_path / "g.csv")
    bz.import_records(tmp_path / "g.csv", out=tmp_path / "out")
    assert {winner for winner, _ in outcomes(tmp_path / "out")} == {1}


def test_tables_of_several_games_and_counts_are_settings(tmp_path):
    rows = pl.read_csv(SAMPLES / "tag_game_over.csv")
    other = rows.with_columns(pl.lit("Other").alias("GameName"), pl.lit(3, pl.Int64).alias("PlayerCount"))
    pl.concat([rows, other]).write_csv(tmp_path / "g.csv")
    found = bz.import_records(tmp_path / "g.csv", out=tmp_path / "out").to_dict()
    assert found["settings"] == ["GameName", "PlayerCount"] and len(found["cells"]) == 6


def test_matches_of_boardgame_io_need_no_mapping(tmp_path):
    answer = bartizan("import", SAMPLES / "boardgame_io.jsonl", "-o", tmp_path / "out")
    found = answer.json
    finished = [one["state"]["ctx"] for one in matches() if "gameover" in one["state"]["ctx"]]
    assert "format     boardgame.io; 1 unfinished game left out" in answer.out
    assert found["rows"] == len(finished) == 39 and found["settings"] == ["size"]
    assert found["measures"] == ["minutes", "moves clickCell"]
    wins = [int(ctx["gameover"].get("winner", -1)) for ctx in finished]
    assert sorted(outcomes(tmp_path / "out")) == sorted(zip(wins, [ctx["turn"] for ctx in finished]))
    assert bartizan("report", tmp_path / "out", "-o", tmp_path / "page.html").code == 0


@pytest.mark.parametrize("kind", ["a list", "FlatFile"])
def test_other_stores_of_boardgame_io_give_the_same_games(kind, tmp_path):
    bz.import_records(SAMPLES / "boardgame_io.jsonl", out=tmp_path / "lines")
    path = tmp_path / "matches.json"
    if kind == "a list":
        path.write_text(json.dumps(matches()))
    else:
        (path := tmp_path / "store").mkdir()
        for one in matches():
            for end, part in (("", "state"), (":metadata", "metadata"), (":log", "log"), (":initial", "state")):
                name = one["matchID"] + end
                text = json.dumps({"key": name, "value": one[part]})
                (path / hashlib.md5(name.encode()).hexdigest()).write_text(text)
    found = bz.import_records(path, out=tmp_path / "out").to_dict()
    assert found["unfinished"] == 1 and sorted(outcomes(tmp_path / "out")) == sorted(outcomes(tmp_path / "lines"))


@pytest.mark.parametrize(
    ("gameover", "winner"),
    [("1", 1), ({"winners": ["0"]}, 0), ({"winner": [0, 1]}, -1), ({"tie": True}, -1), ({"winnerID": 1}, 1)],
    ids=str,
)
def test_ways_to_say_who_won(gameover, winner, tmp_path):
    one = matches()[0]
    one["state"]["ctx"]["gameover"] = gameover
    (tmp_path / "g.jsonl").write_text(json.dumps(one))
    bz.import_records(tmp_path / "g.jsonl", out=tmp_path / "out")
    assert [row[0] for row in outcomes(tmp_path / "out")] == [winner]


@pytest.mark.parametrize("players", [21, "21"])
def test_every_seat_of_a_match_has_its_policy(players, tmp_path):
    one = matches()[0]
    one["state"]["ctx"] |= {"numPlayers": players, "gameover": "20"}
    one["metadata"]["players"] = {str(seat): {"name": f"bot {seat}"} for seat in range(21)}
    (tmp_path / "g.jsonl").write_text(json.dumps(one))
    (cell,) = bz.import_records(tmp_path / "g.jsonl", out=tmp_path / "out").to_dict()["cells"]
    assert "bot_20" in cell["id"] and outcomes(tmp_path / "out")[0][0] == 20


@pytest.mark.parametrize("players", [10**9, "two", [2], -3])
def test_a_number_of_players_that_is_none_is_one_line(players, tmp_path):
    one = matches()[0]
    one["state"]["ctx"]["numPlayers"] = players
    (tmp_path / "g.jsonl").write_text(json.dumps(one))
    with pytest.raises(UsageError, match=r"match 1: .* only matches of 1 to 100 players"):
        bz.import_records(tmp_path / "g.jsonl", out=tmp_path / "out")


def test_unusual_players_and_moves_are_read(tmp_path):
    one = matches()[0]
    one["metadata"]["players"], one["state"]["ctx"]["numPlayers"] = 2, None
    one["state"]["ctx"]["gameover"] = "0"
    one["log"] = [{"action": {"type": "MAKE_MOVE", "payload": "pass"}}, {"action": "pass"}]
    (tmp_path / "g.jsonl").write_text(json.dumps(one))
    bz.import_records(tmp_path / "g.jsonl", out=tmp_path / "out")
    assert bz.open(tmp_path / "out").rows().collect()["plies"].to_list() == [1]


def test_a_table_of_tag_has_any_number_of_seats(tmp_path):
    rows = pl.read_csv(SAMPLES / "tag_game_over.csv").head(2)
    seats = [f"PlayerType(PlayerType-{seat})" for seat in range(25)]
    places = {f"OrdinalPosition(Player-{seat})": 1 if seat == 24 else 2 for seat in range(25)}
    others = [name for name in rows.columns if not name.startswith(("Player", "Ordinal", "Final"))]
    kept = rows.select(*others, "PlayerCount", *(pl.lit("Bot").alias(name) for name in seats))
    kept.with_columns(pl.lit(place).alias(name) for name, place in places.items()).write_csv(tmp_path / "g.csv")
    bz.import_records(tmp_path / "g.csv", out=tmp_path / "out")
    assert outcomes(tmp_path / "out")[0][0] == 24


def test_undone_moves_scores_and_other_keys(tmp_path):
    one = matches()[0]
    moves = len(one["log"])
    one["log"] += [
        {"action": {"type": kind, "payload": {"type": "clickCell"}}} for kind in ("MAKE_MOVE", "UNDO", "UNDO", "REDO")
    ]
    one["state"]["ctx"]["gameover"] = {"champion": "1", "scores": {"0": 3, "1": 8}}
    (tmp_path / "g.jsonl").write_text(json.dumps(one))
    with pytest.raises(UsageError, match="no column has the winner"):
        bz.import_records(tmp_path / "g.jsonl", out=tmp_path / "out")
    (tmp_path / "m.toml").write_text('[columns]\nwinner = "gameover.champion"\n')
    bz.import_records(tmp_path / "g.jsonl", mapping=tmp_path / "m.toml", out=tmp_path / "out")
    row = bz.open(tmp_path / "out").rows().collect().row(0, named=True)
    assert (row["winner"], row["plies"], row["score_1"]) == (1, moves, 8)


FAULTS = {
    "[1, 2]": "use a name that ends in",
    '{"games": 3}': "use a name that ends in",
    '[{"state": {"ctx": {}}}]': "contains no finished boardgame.io match",
    '[{"state": {"ctx": {"turn": 3, "gameover": "0"}}}, {"state": 4}]': "match 2: no state with ctx",
    "{": "invalid JSON",
}


@pytest.mark.parametrize("text", FAULTS)
def test_a_file_that_is_none_is_one_line(text, tmp_path):
    (tmp_path / "g.json").write_text(text)
    with pytest.raises(UsageError) as error:
        bz.import_records(tmp_path / "g.json", out=tmp_path / "out")
    assert FAULTS[text] in str(error.value) and "\n" not in str(error.value) and not (tmp_path / "out").exists()


def test_a_suggested_mapping_of_a_format_reads_it(tmp_path):
    for name in ("tag_game_over.csv", "boardgame_io.jsonl"):
        bz.import_records(SAMPLES / name, suggest=tmp_path / f"{name}.toml")
        bz.import_records(SAMPLES / name, mapping=tmp_path / f"{name}.toml", out=tmp_path / f"{name} mapped")
        bz.import_records(SAMPLES / name, out=tmp_path / f"{name} read")
        assert outcomes(tmp_path / f"{name} read") == outcomes(tmp_path / f"{name} mapped")
