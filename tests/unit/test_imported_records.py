"""`bartizan import`: records of games that another program played (docs/records.md)."""

import json
import random
import subprocess
import sys
from functools import partial
from pathlib import Path

import polars as pl
import pytest

import bartizan as bz
from bartizan.analyses.records import imported, imported_numbers
from bartizan.simcore.errors import UsageError
from tests.cli.run_cli import PIG

STATUS = Path("/proc/self/status")
COLUMNS = "seed,player_1,player_2,goal,winner,score_1,score_2,rounds,dice"


def rows(games: int = 60, goals=(50, 80), line_ups=(("bold", "bold"), ("bold", "shy"), ("shy", "bold"))) -> list[dict]:
    """Made-up games: one seed is one game, and `bold` wins more often."""
    made = []
    for goal in goals:
        for one, two in line_ups:
            for seed in range(games):
                luck = random.Random(seed)
                first = luck.random() < 0.5 + 0.2 * (one == "bold") - 0.2 * (two == "bold")
                low, turns = luck.randrange(goal), goal // 10 + luck.randrange(5)
                scores = (goal, low) if first else (low, goal)
                row = [seed, one, two, goal, 1 if first else 2, *scores, turns, turns * 3]
                made.append(dict(zip(COLUMNS.split(","), row, strict=True)))
    return made


def csv_of(made: list[dict], path, separator=",", **changed) -> str:
    pl.DataFrame([{**row, **changed} for row in made]).write_csv(path, separator=separator)
    return path


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """(folder of results, document of its page)."""
    folder = tmp_path_factory.mktemp("records")
    answer = bz.import_records(csv_of(rows(), folder / "games.csv"), by="goal", out=folder / "out")
    bz.open(folder / "out").report(folder / "page.json")
    return answer.to_dict(), folder / "out", json.loads((folder / "page.json").read_text())


def test_cells_are_levels_line_ups_and_settings(made):
    document, _, _ = made
    assert document["rows"] == 360 and document["paired"]
    assert [cell["id"] for cell in document["cells"]][:2] == ["bold.goal=50", "bold-shy.goal=50"]
    assert all(cell["games"] == 60 for cell in document["cells"])
    assert document["settings"] == ["goal"] and document["measures"] == ["dice"]


def test_a_page_counts_what_the_records_say(made):
    _, _, page = made
    for cell in page["cells"]:
        line_up = [policy["name"] for policy in cell["policies"]]
        same = [
            row
            for row in rows()
            if [row["player_1"], row["player_2"]] == line_up and row["goal"] == cell["set"]["goal"]
        ]
        assert cell["wins"] == sum(row["winner"] == 1 for row in same)
        assert cell["turns"]["mean"] == pytest.approx(sum(row["rounds"] for row in same) / 60)
    assert {row["path"] for row in page["effects"]} == {"goal"}
    assert "brackets" not in page and page["validity"]["reference"] is None


def games_in(folder) -> pl.DataFrame:
    frame = bz.open(folder).rows().collect()
    return frame.sort("cell", "game").select(sorted(frame.columns))


def test_seeds_pair_games_and_the_order_of_rows_does_not_matter(made, tmp_path):
    mixed = rows()
    random.Random(1).shuffle(mixed)
    answer = bz.import_records(csv_of(mixed, tmp_path / "games.csv"), by=["goal"], out=tmp_path / "out").to_dict()
    assert answer["paired"] and games_in(tmp_path / "out").equals(games_in(made[1]))
    one_seed = games_in(tmp_path / "out").filter(pl.col("game") == 7)  # of each cell one
    assert one_seed.height == 6 and one_seed["turn"].n_unique() == 2  # the same luck at each goal


@pytest.mark.parametrize("seed_of", [lambda seed: f"game {seed}", lambda seed: seed + 10**15], ids=["words", "large"])
def test_seeds_that_are_no_small_numbers_pair_games_too(seed_of, made, tmp_path):
    for row in (changed := rows()):
        row["seed"] = seed_of(row["seed"])
    answer = bz.import_records(csv_of(changed, tmp_path / "games.csv"), by="goal", out=tmp_path / "out").to_dict()
    table = games_in(tmp_path / "out")
    assert answer["paired"] and table["game"].max() == 59
    one, other = (table.filter(pl.col("cell") == f"bold.goal={goal}") for goal in (50, 80))
    both = one.join(other, on="game")  # one seed is one winner, at each goal
    assert both.height == 60 and (both["winner"] == both["winner_right"]).all()


@pytest.mark.parametrize("seed_of", [lambda luck: f"game {luck}", lambda luck: luck - 2**40], ids=["words", "numbers"])
@pytest.mark.parametrize(("bucket", "most"), [(16, 256), (16, 5), (1000, 256)])
def test_a_seed_has_its_place_among_all_seeds(seed_of, bucket, most, monkeypatch, tmp_path):
    """Whatever the size of the buckets in which they are sorted, and with few or skewed seeds."""
    monkeypatch.setattr(imported_numbers, "BUCKET", bucket)
    monkeypatch.setattr(imported_numbers, "MOST_BUCKETS", most)
    monkeypatch.setattr(imported_numbers, "SAMPLE", 40)
    luck = random.Random(2)
    changed = rows(games=40)
    seeds = [*luck.sample(range(50), 20), *luck.sample(range(2**60), 20)]
    for row in changed:
        row["seed"] = seed_of(seeds[row["seed"]])
    luck.shuffle(changed)
    changed = changed[5:]  # some seeds are not in every cell
    answer = bz.import_records(csv_of(changed, tmp_path / "games.csv"), by="goal", out=tmp_path / "out").to_dict()
    keys = pl.Series([row["seed"] for row in changed])
    keys = keys.hash() if keys.dtype == pl.String else keys
    expected = sorted((keys.rank("dense") - 1).to_list())
    assert games_in(tmp_path / "out")["game"].sort().to_list() == expected and not answer["paired"]
    again = [*changed, changed[9], changed[3]]
    with pytest.raises(UsageError, match=rf"row {len(changed) + 3}, .*seed {changed[3]['seed']} was .* row 5 of"):
        bz.import_records(csv_of(again, tmp_path / "again.csv"), by="goal", out=tmp_path / "not")


@pytest.mark.slow
@pytest.mark.skipif(not STATUS.exists(), reason="only where the system tells the peak of a process")
def test_memory_does_not_grow_with_the_games(tmp_path):
    """50 MB are left for what allocators keep (docs/records.md)."""
    code = (
        "import pathlib, sys; import bartizan as bz; bz.import_records(sys.argv[1], out=sys.argv[2]); "
        f"print(pathlib.Path('{STATUS}').read_text().split('VmHWM:')[1].split()[0])"
    )
    peaks = []
    for games in (1_000_000, 4_000_000):
        seeds = pl.int_range(games, eager=True)
        frame = pl.DataFrame({"seed": seeds * 10**9, "winner": 1 + seeds % 2, "turns": 5 + seeds % 9})
        frame.write_csv(path := tmp_path / f"{games}.csv")
        command = [sys.executable, "-c", code, str(path), str(tmp_path / str(games))]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        peaks.append(int(done.stdout.split()[-1]) * 1024)
    assert peaks[1] - peaks[0] < 50e6 and peaks[1] < 420e6, peaks


def test_without_seeds_rows_are_numbered(tmp_path):
    path = csv_of(rows(), tmp_path / "games.csv")
    pl.read_csv(path).drop("seed").write_csv(path)
    answer = bz.import_records(path, by="goal", out=tmp_path / "out").to_dict()
    assert not answer["paired"] and games_in(tmp_path / "out")["game"].max() == 59


def test_games_without_seeds_are_numbered_over_all_parts_of_a_long_file(monkeypatch, tmp_path):
    monkeypatch.setattr(imported_numbers, "parts_of", partial(imported_numbers.parts_of, games=7))
    (tmp_path / "games.csv").write_text("\n".join(["winner,rounds", *(f"{n % 2 + 1},{n}" for n in range(60))]))
    bz.import_records(tmp_path / "games.csv", out=tmp_path / "out")
    assert games_in(tmp_path / "out").select("game", "turn").rows() == [(n, n) for n in range(60)]


@pytest.mark.parametrize(("first", "head"), [(1, ""), (0, "[records]\nfirst_seat = 0\n")])
def test_the_winners_say_how_many_seats_there_are(first, head, tmp_path):
    path, mapping = tmp_path / "games.csv", tmp_path / "m.toml"
    path.write_text("\n".join(["seed,winner,rounds", *(f"{seed},{seed % 3 + first},9" for seed in range(30))]))
    mapping.write_text(head)
    bz.import_records(path, mapping=mapping, out=tmp_path / "out")
    bz.open(tmp_path / "out").report(tmp_path / "page.json")
    (cell,) = json.loads((tmp_path / "page.json").read_text())["cells"]
    assert len(cell["policies"]) == 3 and cell["wins"] == 10


def test_records_of_bartizan_come_back_the_same(tmp_path):
    """Games of a sweep, exported and imported, give the sweep's own win rates, lengths and intervals."""
    bz.game(PIG).sweep(policy=["hold", "hold+random"], games=200, seed=4, out=tmp_path / "sweep")
    bz.open(tmp_path / "sweep").export(tmp_path / "games.csv")
    mapping = tmp_path / "m.toml"
    mapping.write_text('[records]\nfirst_seat = 0\n[columns]\nseed = ["seed", "game"]\nending = "end_reason_name"\n')
    bz.import_records(tmp_path / "games.csv", mapping=mapping, out=tmp_path / "records")
    pages = []
    for name in ("sweep", "records"):
        bz.open(tmp_path / name).report(tmp_path / f"{name}.json")
        pages.append(json.loads((tmp_path / f"{name}.json").read_text())["cells"])
    for ours, theirs in zip(*pages, strict=True):
        for key in ("games", "wins", "draws", "win_rate", "seats", "turns"):
            assert ours[key] == theirs[key], key
        assert set(ours["end_reasons"].values()) == set(theirs["end_reasons"].values())


@pytest.mark.parametrize("kind", ["jsonl", "parquet", "semicolons"])
def test_other_formats_give_the_same_records(kind, made, tmp_path):
    path = tmp_path / f"games.{kind.replace('semicolons', 'csv')}"
    if kind == "jsonl":
        lines = [
            {
                "seed": row["seed"],
                "policies": [row["player_1"], row["player_2"]],
                "settings": {"goal": row["goal"]},
                "winner": row["winner"] - 1,
                "scores": [row["score_1"], row["score_2"]],
                "rounds": row["rounds"],
                "dice": row["dice"],
            }
            for row in rows()
        ]
        path.write_text("\n".join(map(json.dumps, lines)))
    elif kind == "parquet":
        pl.DataFrame(rows()).write_parquet(path)
    else:
        csv_of(rows(), path, ";")
    by = None if kind == "jsonl" else "goal"
    bz.import_records(path, by=by, out=tmp_path / "out")
    assert games_in(tmp_path / "out").equals(games_in(made[1]))


def test_a_solo_game_and_words_for_results(tmp_path):
    path = tmp_path / "solo.csv"
    lines = ["seed,result,turns,ending", "a,win,5,treasure", "b,LOSS,3,storm", "c,aborted,9,", "d,True,4,treasure"]
    path.write_text("\n".join(lines))
    bz.import_records(path, out=tmp_path / "out")
    table = bz.open(tmp_path / "out").rows().collect()
    assert table.sort("turn")["winner_name"].to_list() == ["the game", "player", "player", "cut off"]
    bz.open(tmp_path / "out").report(tmp_path / "page.html")
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert "another program played" in page and "computer policies" not in page and "Play it again" not in page


def test_numbers_for_results_mean_what_the_mapping_says(tmp_path):
    """Rewards 1, 0 and -1 of the first seat; policies that are numbers, beside the number of the winning seat."""
    path, mapping = tmp_path / "g.csv", tmp_path / "m.toml"
    path.write_text("result,player_1,player_2,turns\n1.0,a,b,3\n0.0,a,b,4\n-1.0,a,b,5\n")
    mapping.write_text('[winner_words]\ngame = ["-1"]\ndraw = ["0.0"]\n')
    bz.import_records(path, mapping=mapping, out=tmp_path / "out")
    assert bz.open(tmp_path / "out").rows().collect().sort("turn")["winner"].to_list() == [0, -1, 1]
    path.write_text("winner,player_1,player_2,turns\n1,1,1,3\n2,1,2,4\n2,7,1,5\n")
    bz.import_records(path, out=tmp_path / "seats")
    path.write_text("winner,player_1,player_2,turns\n1,2,1,3\n")
    mapping.write_text("[records]\nfirst_seat = 1\n")
    bz.import_records(path, mapping=mapping, out=tmp_path / "one")
    assert bz.open(tmp_path / "one").rows().collect()["winner"].to_list() == [0]
    assert bz.open(tmp_path / "seats").rows().collect().sort("turn")["winner"].to_list() == [0, 1, 1]


def test_columns_of_parquet_that_a_text_file_lacks(tmp_path):
    """Arrays of scores, durations, and results as floats, as numpy and pandas write them."""
    table = pl.DataFrame({"won": [1.0, 0.0], "turns": [3, 4], "p1": ["a", "a"], "p2": ["b", "b"]}).with_columns(
        scores=pl.Series([[5, 2], [1, 9]], dtype=pl.Array(pl.Int8, 2)), pause=pl.duration(milliseconds=1500)
    )
    table.write_parquet(tmp_path / "g.parquet")
    bz.import_records(tmp_path / "g.parquet", out=tmp_path / "out")
    found = bz.open(tmp_path / "out").rows().collect().sort("turn")
    assert found.select("winner", "score_0", "score_1", "pause").rows() == [(0, 5, 2, 1.5), (1, 1, 9, 1.5)]


def test_scores_decide_where_the_mapping_says_so(tmp_path):
    path, mapping = tmp_path / "g.csv", tmp_path / "m.toml"
    path.write_text("seed,score_1,score_2,turns\n1,4,3,9\n2,2,7,9\n3,5,5,9\n")
    with pytest.raises(UsageError, match='wins = "highest"'):
        bz.import_records(path, out=tmp_path / "out")
    mapping.write_text('[records]\nwins = "lowest"\n')
    bz.import_records(path, mapping=mapping, out=tmp_path / "out")
    assert bz.open(tmp_path / "out").rows().collect().sort("game")["winner"].to_list() == [1, 0, -1]


# a file of three games that the first seat wins, the second wins, nobody wins -> its policies
FIRST_USE = {
    "other headings": ("White,Black,Who won?,Number of turns\nAnn,Bob,Ann,9\nBob,Ann,Ann,8\nAnn,Bob,Draw,7\n", "csv"),
    "a shared win": ("player_1,player_2,winner,turns\nAnn,Bob,Ann,9\nBob,Ann,Ann,8\nAnn,Bob,Ann;Bob,7\n", "csv"),
    "lists of names": (
        '{"players": ["Ann", "Bob"], "winners": ["Ann"], "turns": 9}\n'
        '{"players": ["Bob", "Ann"], "winners": ["Ann"], "turns": 8}\n'
        '{"players": ["Ann", "Bob"], "winners": [], "turns": 7}\n',
        "jsonl",
    ),
    "lists of scores": ("players;scores;turns\n[Ann, Bob];[9, 2];9\n[Bob, Ann];[2, 9];8\n[Ann, Bob];[5, 5];7\n", "csv"),
}


@pytest.mark.parametrize("kind", FIRST_USE)
def test_a_file_of_a_new_user_is_understood(kind, tmp_path):
    text, suffix = FIRST_USE[kind]
    (tmp_path / f"g.{suffix}").write_text(text)
    (tmp_path / "m.toml").write_text('[records]\nwins = "highest"\n')
    mapping = tmp_path / "m.toml" if "scores" in kind else None
    bz.import_records(tmp_path / f"g.{suffix}", mapping=mapping, out=tmp_path / "out")
    table = bz.open(tmp_path / "out").rows().collect().sort("turn", descending=True)
    assert table["winner"].to_list() == [0, 1, -1] and table["cell"].to_list() == ["Ann-Bob", "Bob-Ann", "Ann-Bob"]


FAULTS = {
    "no winner": ("seed,turns\n1,2\n", "no column has the winner"),
    "no length": ("seed,winner\n1,1\n", "no column has the length of a game"),
    "no game": ("seed,winner,turns\n", "contains no games"),
    "an empty winner": ("seed,winner,turns\n1,1,3\n2,,3\n", "row 3, column 'winner': is empty; write no_winner"),
    "0 is open": ("seed,winner,turns\n1,0,3\n2,1,3\n", "0 may mean the first seat or nobody"),
    "a word": ("seed,a,winner,turns\n1,1,Bob,3\n", "row 2, column 'winner': 'Bob' is neither a seat nor a policy"),
    "a seat too many": ("seed,p1_policy,p2_policy,winner,turns\n1,a,b,3,3\n", "seat 3 of a game with 2 seats"),
    "no number": ("seed,winner,turns\n1,1,3\n2,1,many\n", "row 3, column 'turns': 'many' is not a number"),
    "not finite": ("seed,winner,turns,dice\n1,1,3,4\n2,1,inf,4\n", "'inf' is not a number"),
    "half a turn": ("seed,winner,turns\n1,1,3.5\n", "row 2, column 'turns': 3.5 is not an integer"),
    "a length below 0": ("seed,winner,turns\n1,1,-3\n", "column 'turns': -3 is not an integer of at least 0"),
    "a heading twice": ("seed,winner,turns,winner\n1,1,3,2\n", "two columns have the heading 'winner'"),
    "an empty length": ("seed,winner,turns\n1,1,\n", "row 2, column 'turns': is empty"),
    "a seed twice": (
        "seed,winner,turns\n7,1,3\n8,1,3\n7,1,4\n",
        "row 4, column 'seed': seed 7 was already used in row 2",
    ),
    "a word as a seed, twice": (
        "seed,winner,turns\nx,1,3\ny,1,3\nx,1,4\n",
        "row 4, column 'seed': seed x was already used in row 2",
    ),
    "no seed": ("seed,winner,turns\n1,1,3\n,1,3\n", "row 3, column 'seed': is empty"),
    "a seat or a policy": (
        "seed,player_1,player_2,winner,turns\n1,2,1,2,3\n",
        "row 2, column 'winner': 2 may be a seat or the policy of another seat; for a seat, write first_seat = 1 (or 0)",
    ),
    "a loss or a draw": (
        "seed,result,turns\n1,1,3\n2,-1,3\n",
        "row 3, column 'result': is -1, which may be a loss or a draw; list it under [winner_words]",
    ),
    "a gap in the seats": ("seed,player_1,player_2,winner,turns\n1,,b,1,3\n", "an empty seat before an occupied seat"),
    "two equal names": ("seed,player_1,player_2,winner,turns\n1,a,a,a,3\n", "'a' plays in 2 seats"),
    "a long row": ("seed,winner,turns\n1,1,3\n2,1,3,9\n", "row 3 has 4 cells, and the header has 3"),
    "not text": ("\x00\x00\x00", "not UTF-8"),
    "an integer that would be rounded": (
        "seed,winner,turns,score_1,score_2\n1,1,3,9007199254740993,0\n",
        "row 2, column 'score_1': '9007199254740993' is not below 2^53",
    ),
    "thousands or decimals": (
        "seed;winner;turns;score_1;score_2\n1;1;3;1.000;2\n",
        "column 'score_1': the point in 1.000 may mark thousands or decimals; write decimal",
    ),
    "a workbook called CSV": ("PK\x03\x04", "a workbook or an archive, despite its name"),
    "rows of old Macs": ("seed,winner,turns\r1,1,3\r2,1,3\r", "rows end as on old Macs; save it as CSV"),
    "a quotation mark in a heading": ('seed,winner,turns,"a"b\n1,1,3,4,5\n', "row 1: "),
    "an unclosed quotation mark": ('seed,winner,turns,a\n1,1,3,"4\n2,1,3,4\n', "row 2: unexpected end of data"),
}


def test_a_column_players_is_their_number_and_no_policy(tmp_path):
    (tmp_path / "games.csv").write_text("winner,turns,players\n1,10,2\n3,12,3\n")
    bz.import_records(tmp_path / "games.csv", out=tmp_path / "records")
    table = bz.open(tmp_path / "records").table().collect()
    assert table["players"].to_list() == [2, 3] and "2" not in table["policy_first"].to_list()


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_is_one_line_and_leaves_nothing(fault, tmp_path):
    text, said = FAULTS[fault]
    path = tmp_path / "games.csv"
    path.write_text(text, newline="")
    with pytest.raises(UsageError, match=r"games\.csv") as error:
        bz.import_records(path, out=tmp_path / "out")
    assert said in str(error.value) and "\n" not in str(error.value)
    assert not (tmp_path / "out").exists()


def test_text_in_another_encoding_is_not_read_as_something_else(tmp_path):
    """`ä` and `ö` of a Windows file are two levels, not one."""
    (tmp_path / "g.csv").write_bytes("level,winner,turns\nä,1,3\nö,1,3\n".encode("cp1252"))
    with pytest.raises(UsageError, match="not UTF-8; save it as CSV"):
        bz.import_records(tmp_path / "g.csv", out=tmp_path / "out")


def test_thousands_of_a_german_file_and_empty_rows_below(tmp_path):
    text = "seed;winner;turns;score_1;score_2;dice\n1;1;3;1.234,5;2;1.000\n2;2;3;7;8;2.000\n\n;;;;;\n"
    (tmp_path / "g.csv").write_text(text)
    (tmp_path / "m.toml").write_text('[records]\ndecimal = ","\n')
    bz.import_records(tmp_path / "g.csv", mapping=tmp_path / "m.toml", out=tmp_path / "out")
    table = bz.open(tmp_path / "out").rows().collect()
    assert table["score_0"].to_list() == [1234.5, 7] and table["dice"].to_list() == [1000, 2000]


@pytest.mark.parametrize("kind", ["csv", "parquet"])
def test_nan_is_a_missing_number(kind, tmp_path):
    """A numeric column with NaN, as pandas and numpy write it, is a measure; other odd cells are named."""
    minutes = [20.0, float("nan"), 40.0] * 10
    table = pl.DataFrame({"winner": ["1"] * 30, "turns": [3] * 30, "minutes": minutes})
    path = tmp_path / f"g.{kind}"
    table.write_parquet(path) if kind == "parquet" else table.write_csv(path)
    answer = bz.import_records(path, out=tmp_path / "out")
    assert answer.to_dict()["measures"] == ["minutes"]
    assert bz.open(tmp_path / "out").rows().collect()["minutes"].drop_nulls().mean() == 30
    odd = table.with_columns(minutes=pl.Series([*map(str, range(29)), "a few"]))
    odd.write_csv(tmp_path / "odd.csv")
    assert "minutes (numbers, but also 'a few'; 1 such cell" in str(
        bz.import_records(tmp_path / "odd.csv", out=tmp_path / "odd")
    )


@pytest.mark.parametrize("name", ["g.jsonl", "g.ndjson", "g.json", "g.csv", "g.parquet"])
@pytest.mark.parametrize("text", ["", "\n \n", "\ufeff"])
def test_an_empty_file_is_one_line(name, text, tmp_path):
    (tmp_path / name).write_text(text, encoding="utf-8")
    with pytest.raises(UsageError, match=f"{name}: is empty; write one game per row"):
        bz.import_records(tmp_path / name, out=tmp_path / "out")


def test_decimals_with_three_digits_are_no_thousands_beside_others(tmp_path):
    (tmp_path / "g.csv").write_text("seed;winner;turns;score_1;score_2\n1;1;3;1.5;2\n2;1;3;1.125;2\n3;1;3;2.75;2\n")
    bz.import_records(tmp_path / "g.csv", out=tmp_path / "out")
    assert bz.open(tmp_path / "out").rows().collect()["score_0"].to_list() == [1.5, 1.125, 2.75]


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ('{"seed":2,"winner":1,"turns":NaN}', "with finite numbers; .* null for a missing number"),
        ('{"seed":2,"winner":1,"turns":5,"winner":2}', "line 2: the key 'winner' occurs twice"),
    ],
)
def test_a_line_that_is_unclear_is_named(line, why, tmp_path):
    (tmp_path / "g.jsonl").write_text(f'{{"seed":1,"winner":1,"turns":5,"who":"Infinity"}}\n{line}\n')
    with pytest.raises(UsageError, match=why):
        bz.import_records(tmp_path / "g.jsonl", out=tmp_path / "out")


def test_a_suggested_mapping_reads_its_own_file(tmp_path):
    path = csv_of(rows(20), tmp_path / "games.csv", remark="fun")
    suggested = bz.import_records(path, by="goal", suggest=tmp_path / "m.toml").to_dict()
    assert suggested["columns"]["policy"] == ["player_1", "player_2"] and suggested["settings"] == ["goal"]
    with pytest.raises(UsageError, match=r"m\.toml: .*does not overwrite it"):
        bz.import_records(path, by="goal", suggest=tmp_path / "m.toml")
    assert '"remark": text' in (tmp_path / "m.toml").read_text()
    answer = bz.import_records(path, mapping=tmp_path / "m.toml", out=tmp_path / "out").to_dict()
    assert answer["rows"] == 120 and answer["measures"] == ["dice"]


def test_a_folder_that_is_there_is_not_touched(tmp_path):
    path = csv_of(rows(5), tmp_path / "games.csv")
    (tmp_path / "notes.txt").write_text("mine")
    with pytest.raises(UsageError, match="already exists"):
        bz.import_records(path, out=tmp_path)
    with pytest.raises(UsageError, match="either -o DIR or --suggest"):
        bz.import_records(path)
    assert sorted(one.name for one in tmp_path.iterdir()) == ["games.csv", "notes.txt"]


def test_a_folder_that_cannot_be_written_is_left_as_it_was(tmp_path, monkeypatch):
    """A full disk, after the manifest and the first shards: the next try finds no folder in its way."""
    few = rows(5, (50,), (("bold", "shy"),))
    path, written = csv_of(few, tmp_path / "games.csv"), []

    def full(*_):
        written.append(1)
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(imported, "write_sums", full)
        with pytest.raises(UsageError, match="cannot be written: No space left on device"):
            bz.import_records(path, out=tmp_path / "out")
    assert written and [one.name for one in tmp_path.iterdir()] == ["games.csv"]
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    bz.import_records(path, out=".")
    assert bz.open(tmp_path / "here").table().collect().height == 5 and len([*tmp_path.iterdir()]) == 2


def test_a_setting_is_a_number_only_in_plain_digits(tmp_path):
    """`nan` and `Infinity` are no JSON, and `1_000` is more often a name."""
    kinds = {"nan": "nan", "Infinity": "Infinity", "1e999": "1e999", "1_000": "1_000", "1e3": 1000.0, "-7": -7}
    lines = [f"{n},1,3,{text}" for n, text in enumerate(kinds)]
    (tmp_path / "games.csv").write_text("\n".join(["seed,winner,turns,size", *lines]))
    bz.import_records(tmp_path / "games.csv", by="size", out=tmp_path / "out")
    manifest = json.loads((tmp_path / "out/manifest.json").read_text(), parse_constant=pytest.fail)
    assert [cell["set"]["size"] for cell in manifest["cells"]] == list(kinds.values())


@pytest.mark.parametrize("heading", ["winner", ",".join(["winner", *(f"player_{seat}" for seat in range(1, 201))])])
def test_too_many_seats_are_one_line(heading, tmp_path):
    """The column of winners has room for 128 seats."""
    row = ",".join(["200", *["bot"] * heading.count("player")])
    (tmp_path / "games.csv").write_text(f"turns,{heading}\n3,{row}\n")
    with pytest.raises(UsageError, match="200 seats; only games of up to 100 seats") as error:
        bz.import_records(tmp_path / "games.csv", out=tmp_path / "out")
    assert "\n" not in str(error.value) and not (tmp_path / "out").exists()


def test_an_empty_heading_does_not_move_the_seats(tmp_path):
    (tmp_path / "games.csv").write_text("winner,turns,theirs\n1,3,axe\n")
    (tmp_path / "m.toml").write_text('[columns]\ndrawn = ["", "theirs"]\n')
    with pytest.raises(UsageError, match="columns: drawn: contains an empty heading"):
        bz.import_records(tmp_path / "games.csv", mapping=tmp_path / "m.toml", out=tmp_path / "out")
