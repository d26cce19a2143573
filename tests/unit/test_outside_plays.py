"""Plays as apps and designers write them: who sat where, who won, what a cell means, and whose names are shown."""

import json

import pytest

from bartizan import api
from bartizan.analyses.people.checks import EACH, FIRST_ONLY, NO_SEATS, ONE_SEAT, WINNER, _standings
from bartizan.analyses.people.log import SCHEMA, read
from bartizan.analyses.people.mapping import guess
from bartizan.analyses.people.table import by_rank, by_score, in_turn_order
from bartizan.simcore.game import load_game
from tests.cli.run_cli import PIG, ROOT, bartizan
from tests.play_logs import RAMPAGE, play, seat

MEDALS = '''"""A solo game with medals as endings."""
from bartizan.short import *
players = 1
tries = Counter()


def throw_die(s, n):
    pips = die(s, 6)
    if pips == 6:
        win(s, s.me, "gold")
    elif pips == 5:
        win(s, s.me, "silver")
    elif pips == 1:
        lose(s, "a one")


def rest(s, n):
    s.tries += 1
    if s.tries > 3:
        lose(s, "asleep")


def eager(s, n):
    """Always throws."""
    return THROW_DIE
'''


@pytest.fixture
def brought(tmp_path, monkeypatch):
    """A function: a file's text -> (what became of it, its rows that count)."""
    monkeypatch.chdir(tmp_path)

    def bring(text: str | dict, name: str = "log.csv", game: str | None = "rampage", mapping: str = "", **more):
        (tmp_path / name).write_text(json.dumps(text) if isinstance(text, dict) else text, encoding="utf-8")
        if mapping:
            (tmp_path / "m.toml").write_text(mapping, encoding="utf-8")
            more["mapping"] = "m.toml"
        answer = api.playtest_import(name, out="plays", game=game, **more)
        return answer, api.playtest_log("plays").filter("kept")

    return bring


def export(*plays: dict, **about) -> dict:
    people = [{"id": number, "name": name} for number, name in enumerate(("Anna", "Bert", "Cem"), 1)]
    return {"games": [RAMPAGE | about], "players": people, "plays": list(plays)}


# ---------------------------------------------------------------- seats


def standings(tables: list[list[dict]], game: str = "rampage", seats: int = 2):
    """[seat] -> (plays, wins), and what was left out."""
    from collections import Counter

    blank = {"seat": None, "start_player": None, "role": None, "player_key": None, "source": "a", "result": "loss"}
    loaded, left, counts = load_game(game), Counter(), [[0, 0] for _ in range(seats)]
    roles = loaded.roles[:seats]
    for known, won in _standings([[blank | row for row in table] for table in tables], roles, loaded, left):
        for one in known:
            counts[one][0] += 1
            counts[one][1] += won == one
    return [tuple(one) for one in counts], dict(left)


def started(first_wins: bool, players: int) -> list[dict]:
    rows = [{"start_player": at == 0, "result": "loss"} for at in range(players)]
    rows[0 if first_wins else 1]["result"] = "win"
    return rows


def test_plays_count_by_what_is_known_of_seats_not_by_who_won():
    assert standings([started(k % 2 == 0, 2) for k in range(20)]) == ([(20, 10), (20, 10)], {})
    three = [started(k % 3 == 0, 3) for k in range(30)]
    assert standings(three, "castle", 3) == ([(30, 10), (0, 0), (0, 0)], {FIRST_ONLY: 30})
    noted = [[{"seat": 1, "result": "win"}, {}, {}], [{"result": "win"}, {}, {}]]
    assert standings(noted, "castle", 3) == ([(0, 0)] * 3, {NO_SEATS: 2}), "only the winner's seat is written down"


def test_a_play_in_one_row_counts_for_what_it_says():
    only = [[{"seat": at, "result": "win"}] for at in (1, 1, 2, 3)]
    assert standings(only, "castle", 3) == ([(4, 2), (4, 1), (4, 1)], {}), "who won, and from where"
    assert standings([*only, [{"result": "win"}]], "castle", 3)[0] == [(0, 0)] * 3, "not always from where"
    own = [[{"seat": 1, "result": "win"}], [{"seat": 2, "result": "loss"}], [{"seat": 2, "result": "win"}]]
    assert standings(own, "castle", 3) == ([(1, 1), (2, 1), (0, 0)], {ONE_SEAT: 3}), "somebody's own plays"
    assert standings(own) == ([(3, 2), (3, 1)], {}), "of two seats the other one is known too"


def test_the_share_of_the_first_seat_is_not_selected_by_the_winner():
    """A first seat that wins 4 of 10, plays with a start player, with all seats, or with none: each estimate is within four standard errors."""
    import random

    luck = random.Random(4)
    tables = []
    for _ in range(4000):
        rows = started(luck.random() < 0.4, 2)
        how = luck.randrange(3)
        for at, row in enumerate(rows):
            row |= ({"start_player": at == 0}, {"seat": at + 1, "start_player": None}, {"start_player": None})[how]
        tables.append(rows)
    ((plays, wins), (others, theirs)), left = standings(tables)
    assert plays == others == 4000 - left[NO_SEATS] > 2500 and wins + theirs == plays
    assert abs(wins / plays - 0.4) < 4 * (0.24 / plays) ** 0.5


def test_places_in_turn_order_of_bg_stats(brought):
    plays = [
        play("a", seat(winner=True, startPosition=2, seatOrder=1), seat(2, startPosition=1, seatOrder=2), gameRefId=12),
        play("b", seat(winner=True, startPosition="1"), seat(2, startPosition="2"), gameRefId=12),
        play("c", seat(winner=True, seatOrder=1), seat(2, seatOrder=2, startPlayer=True), gameRefId=12),
        play("d", seat(winner=True, seatOrder=1), seat(2, seatOrder=1), gameRefId=12),
    ]
    answer, log = brought(export(*plays), "x.json")
    assert log["seat"].to_list() == [2, 1, 1, 2, None, None, None, None]
    assert log["start_player"].to_list()[4:6] == [False, True]
    assert "the start player is not the first in turn order" in answer.text()
    assert "two players in one place" in answer.text()


def test_seats_that_contradict_each_other_are_left_out():
    rows = [{"seat": 1, "start_player": False}, {"seat": 2, "start_player": True}]
    assert in_turn_order(rows) and [row["seat"] for row in rows] == [None, None] and rows[1]["start_player"]
    for good in (
        [{"seat": 1, "start_player": True}, {"seat": 2}],
        [{"seat": 1}, {"seat": 3}],
        [{"start_player": True}, {}],
    ):
        assert not in_turn_order(good)


@pytest.mark.parametrize(
    ("column", "words"),
    [("role", ("first", "second")), ("seat", ("1", "2")), ("seat", ("second", "First")), ("role", ("Second", "first"))],
)
def test_a_seat_is_read_under_the_word_it_is_asked_under(brought, column, words):
    text = f"play,player,{column},result\n" + "".join(
        f"1,{name},{word},{result}\n" for name, word, result in zip("AB", words, ("win", "loss"))
    )
    _, log = brought(text)
    places = {"first": 1, "second": 2, "1": 1, "2": 2}
    assert log["seat"].to_list() == [places[word.lower()] for word in words] and log["role"].null_count() == 2


@pytest.mark.parametrize("game", [PIG, "itter", "castle", "colditz", str(ROOT / "tests/games/secretary/secretary.py")])
def test_the_form_asks_for_what_is_read(game):
    document = bartizan("playtest", "form", game, "--json").json
    places = load_game(game).alike and len(load_game(game).roles) > 1
    assert ("seat" in document["columns"]) == places
    assert ("role" in document["columns"]) == (not places and len(document["roles"]) > 1)
    assert [field["column"] for field in document["fields"]] == document["columns"]


# ---------------------------------------------------------------- options and empty cells


def test_an_empty_cell_does_not_override_an_option(brought):
    mapping = '[playtest]\ngame = "itter"\nedition = "v2"\nlevel = "elite"\n[columns]\nplay = "p"\ngame = "g"\nedition = "e"\nlevel = "l"\nresult = "r"\n'
    _, log = brought(
        "p,g,e,l,r\n1,,,,win\n1,,,,win\n2,,v3,novice,loss\n2,-,,,loss\n3,Castle Itter,,,win\n",
        game=None,
        mapping=mapping,
    )
    assert log["game"].to_list() == ["itter"] * 5
    assert log["edition"].to_list() == ["v2", "v2", "v3", "v3", "v2"]
    assert log["level"].to_list() == ["elite", "elite", "novice", "novice", "elite"], (
        "what one row says is true of its play"
    )


@pytest.mark.parametrize("named", [PIG, str(ROOT / "examples/short/pig.py"), "rampage"])
def test_a_template_reads_its_own_rows(brought, tmp_path, named):
    for text in (
        "date,player,result,score\n2026-01-01,A,win,100\n",
        "date,game,player,result\n2026-01-01,,A,win\n2026-01-01,Pig,A,win\n",
    ):
        (tmp_path / "s.csv").write_text(text.replace("Pig", load_game(named).title))
        (tmp_path / "m.toml").unlink(missing_ok=True)
        written = bartizan("playtest", "template", "s.csv", "-o", "m.toml", "--game", named)
        following = written.out.split("Next: bartizan ")[1].split()
        assert "Then: bartizan " + " ".join(following) in (tmp_path / "m.toml").read_text(), "the file says the same"
        result = bartizan(*following, "--replace")
        assert result.code == 0 and " 0 set aside" in result.out


# ---------------------------------------------------------------- who won


def test_ranks_and_scores_name_the_winner():
    ranked = [[{"rank": rank} for rank in ranks] for ranks in ((1, 2), (1, 1, 3), (2, 3), (1, None))]
    assert list(map(by_rank, ranked)) == [["win", "loss"], ["draw", "draw", "loss"], None, None]
    scored = [[{"score": score} for score in scores] for scores in ((5, 3), (5, 5), (5, None))]
    assert [by_score(rows, "highest") for rows in scored] == [["win", "loss"], ["draw", "draw"], None]
    assert by_score(scored[0], "lowest") == ["loss", "win"] and by_score(scored[0], "") is None


@pytest.mark.parametrize(
    ("about", "ends"),
    [
        ({"highestWins": True}, ["win", "loss"]),
        ({"highestWins": False}, ["loss", "win"]),
        ({"highestWins": True, "noPoints": True}, ["unknown"] * 2),
        ({}, ["unknown"] * 2),
    ],
)
def test_the_score_decides_where_the_app_says_so_and_nobody_is_ticked(brought, about, ends):
    answer, log = brought(export(play("a", seat(score="5"), seat(2, score="3"), gameRefId=12), **about), "x.json")
    assert log["result"].to_list() == ends and answer.files[0].by_score == (ends[0] != "unknown")
    assert ("decided by score" in answer.text()) == (ends[0] != "unknown")


def test_the_score_decides_where_the_mapping_says_so(brought):
    mapping = '[playtest]\nwins = "lowest"\n[columns]\nplay = "p"\nplayer = "n"\nscore = "s"\n'
    _, log = brought("p,n,s\n1,A,5\n1,B,3\n2,A,4\n2,B,4\n3,A,4\n3,B,4-5\n", mapping=mapping)
    assert log["result"].to_list() == ["loss", "win", "draw", "draw", "unknown", "unknown"]


def test_winners_of_a_sheet_that_lists_no_players(brought):
    text = "Id,GameDefinitionName,DatePlayed,NumberOfPlayers,WinningPlayerNames,Notes\n1,Castle Rampage,2026-11-01,2,Anna,x\n2,Castle Rampage,2026-11-02,2,second,x\n3,Castle Rampage,2026-11-03,2,seat 1,x\n4,Castle Rampage,2026-11-04,2,nobody,x\n"
    _, log = brought(text)
    assert log["result"].to_list() == ["win", "win", "win", "loss"] and log["players"].to_list() == [2] * 4
    assert log["seat"].to_list() == [None, 2, 1, None] and log["player_key"].null_count() == 3


def test_names_under_numbered_seats_are_players_of_these_seats(brought, tmp_path):
    """A designer's sheet was read without a winner: its names were taken for seats, its minutes for a rating."""
    text = "Seat 1,Seat 2,Won by,Length (min)\nAnna,Bert,Bert,24\nCem,Anna,Cem,16\n"
    (tmp_path / "evening.csv").write_text(text, encoding="utf-8")
    api.playtest_import("evening.csv", out="m.toml", game="rampage")
    mapping = (tmp_path / "m.toml").read_text(encoding="utf-8")
    _, log = brought(text, "evening.csv", mapping=mapping)
    assert log["seat"].to_list() == [1, 2, 1, 2] and log["result"].to_list() == ["loss", "win", "win", "loss"]
    assert log["minutes"].to_list() == [24, 24, 16, 16]


EVENING = "Spieler A,Spieler B,Spieler C,Score A,Score B,Score C,Wer fing an\n"


def test_columns_of_a_series_have_numbers_or_letters():
    """Of Score A, Score B and Score C, the draft took only the first."""
    guessed = {field: len(fits) for field, fits in guess(EVENING.strip().split(",")).items()}
    assert guessed == {"player": 3, "score": 3, "start_player": 1}
    four = guess(["Player 1", "Player 2", "Score 1", "Score 2", "Score 3"])
    assert len(four["player"]) == 2 and "score" not in four, "three scores of two players are not guessed"


@pytest.mark.parametrize(
    ("cell", "begins"), [("Bert", 1), ("cem", 2), ("B", 1), ("Spieler C", 2), ("1", 0), ("Dora", None), ("", None)]
)
def test_the_start_player_is_named(brought, cell, begins):
    mapping = """[columns]
player = ["Spieler A", "Spieler B", "Spieler C"]
score = ["Score A", "Score B", "Score C"]
start_player = "Wer fing an"
"""
    answer, log = brought(f"{EVENING}Anna,Bert,Cem,1,2,3,{cell}\n", mapping=mapping)
    starts = log["start_player"].to_list()
    assert starts == ([None] * 3 if begins is None else [at == begins for at in range(3)])
    assert ("start_player: 1 cell, row 2: none of the players" in answer.text()) == (cell == "Dora")


def test_one_odd_cell_among_ticks_sets_only_its_play_aside(brought):
    """One row per player: "not sure" made names of a whole column of yes and no."""
    mapping = '[columns]\ngame = "Game"\nplayer = "Who"\nstart_player = "Began"\nplay = "Play"\n'
    rows = "".join(f"{at},Anna{at},yes\n{at},Bert{at},no\n" for at in range(3))
    answer, log = brought(
        f"Play,Who,Began\n{rows}3,Cem,not sure\n3,Dora,no\n", mapping=mapping.replace('game = "Game"\n', "")
    )
    assert log["start_player"].to_list()[:6] == [True, False] * 3, answer.text()


def test_initials_are_names_before_they_are_columns(brought):
    """Player A sits in the column B."""
    mapping = '[columns]\nplayer = ["Spieler A", "Spieler B"]\nwinner = "W"\n'
    _, log = brought("Spieler A,Spieler B,W\nB,A,A\n", mapping=mapping)
    assert log["result"].to_list() == ["loss", "win"]


def test_the_first_column_of_players_may_be_the_start_player(brought):
    text = "Wer fing an,Zweiter,Dritter\nAnna,Bert,Cem\nBert,,Anna\n"
    columns = '[columns]\nplayer = ["Wer fing an", "Zweiter", "Dritter"]\n'
    _, log = brought(text, mapping=columns)
    assert log["seat"].to_list() == [1, None, None, 1, None]
    others = text.replace("Cem", "Eva")
    _, log = brought(others, "order.csv", mapping=f'[playtest]\nplayer_columns = "turn order"\n{columns}')
    assert log.filter(log["source"] == "order.csv")["seat"].to_list() == [1, 2, 3, 1, 2]


def test_names_in_one_cell_have_a_score_each(brought):
    mapping = '[columns]\nplayer = "Wer"\nscore = ["Score A", "Score B"]\nstart_player = "Start"\n'
    _, log = brought('Wer,Score A,Score B,Start\n"Anna, Bert",4,7,2\n', mapping=mapping)
    assert log["score"].to_list() == [4, 7] and log["start_player"].to_list() == [False, True]


def test_an_unknown_seat_is_told_the_seats_of_the_game(brought):
    answer, log = brought("play,player,seat,result\n1,Anna,links,win\n1,Bert,second,loss\n")
    assert log["seat"].to_list() == [None, 2]
    assert "seat: 1 cell, row 2: not a number or a seat of the game (first, second" in answer.text()


def test_scores_under_the_names_of_people(brought):
    mapping = '[columns]\nscore = ["Anna", "Bert", "Cem"]\nwinner = "Sieger"\nstart_player = "Start"\n'
    _, log = brought("Anna,Bert,Cem,Start,Sieger\n4,7,,Anna,Bert\n,3,5,Cem,Cem\n", mapping=mapping)
    assert log["result"].to_list() == ["loss", "win", "loss", "win"] and log["players"].to_list() == [2] * 4
    assert log["start_player"].to_list() == [True, False, False, True]
    assert log["player_key"].n_unique() == 3 and log["player_key"].null_count() == 0


def test_columns_that_are_not_read_have_their_heading(brought):
    mapping = '[columns]\nplayer = "Spieler A"\nresult = "Ergebnis"\n'
    answer, _ = brought("Spieler A,Spieler B,Score Anna,Zoe,Ergebnis\nAnna,Bert,4,5,win\n", mapping=mapping)
    assert 'columns not read: B "Spieler B", C "Score …", D\n' in answer.text()


def test_a_cell_for_all_seats_is_noted_once(brought):
    mapping = '[playtest]\n[columns]\nplayer = ["A", "B"]\nlength = "L"\n'
    answer, _ = brought("A,B,L\nAnna,Bert,24\nCem,Anna,16\n", mapping=mapping)
    (cell,) = answer.files[0]["unread"] if hasattr(answer, "files") else answer.document["files"][0]["unread"]
    assert cell["column"] == "length" and cell["count"] == 2


def test_a_column_of_ticks_says_who_won(brought):
    _, log = brought("play,player,winner\n1,Anna,true\n1,Bert,false\n2,Anna,\n2,Bert,x\n")
    assert log["result"].to_list()[:2] == ["win", "loss"] and log["result"][3] == "win"


def test_a_result_and_a_winner_that_contradict_each_other_are_set_aside(brought):
    answer, log = brought("play,player,result,winner\n1,Anna,loss,Anna\n1,Bert,win,Anna\n")
    assert log.is_empty() and "contradict" in answer.text()


# ---------------------------------------------------------------- cells


@pytest.mark.parametrize("text", ["12-8", "12, 8", "12 8", "100 120", "1,234", "100,120,130", "3:1", "12;8", "12/40"])
def test_no_source_makes_one_number_of_several(brought, text):
    brought(f'player,result,score\nA,win,"{text}"\n', game="itter")
    brought(
        {
            "games": [{"id": 1, "name": "Castle Itter"}],
            "players": [],
            "plays": [play("a", seat(winner=True, score=text), gameRefId=1)],
        },
        "x.json",
        game="itter",
    )
    xml = f'<plays><play id="1" date="2026-01-01"><item name="Castle Itter"/><players><player name="A" score="{text}" win="1"/></players></play></plays>'
    _, site = brought(xml, "x.xml", game="itter")
    assert site["score"].null_count() == site.height == 3 and site["score_text"].to_list() == [text] * 3


def test_several_players_in_one_cell_are_several_people(brought):
    answer, log = brought('player,result,score\n"Anna, Bert",win,5\nCem & Dora,loss,3\n', game="itter")
    assert log["player_key"].n_unique() == 4 and log["players"].to_list() == [2] * 4
    assert log["result"].to_list() == ["win", "win", "loss", "loss"]
    assert "cells that list several players: 2" in answer.text()
    answer, log = brought(
        'player,result\n"Zwölf, Anna",win\n',
        "b.csv",
        game="itter",
        mapping='[playtest]\nplayers_in_a_cell = "one"\n[columns]\nplayer = "player"\nresult = "result"\n',
    )
    assert log.height == 5 and log["players"][-1] is None
    answer, log = brought('player,result\n"Anna, Bert",win\n', "c.csv", game="rampage")
    assert log.filter(log["source"] == "c.csv")["result"].to_list() == ["unknown"] * 2 and "not stated" in answer.text()


def test_a_row_of_groups_above_the_headings_and_a_second_row_of_headings(brought):
    _, log = brought(",The play,,Players,\nplay,date,level,player,result\n1,2026-11-01,elite,Anna,win\n", game="itter")
    assert log["result"].to_list() == ["win"] and str(log["date"][0]) == "2026-11-01"
    answer, log = brought(
        "date,level,player,result\nDatum,Stufe,Name,Ergebnis\n2026-11-02,elite,Anna,win\n", "b.csv", game="itter"
    )
    assert log.height == 2 and "a second row of headings" in answer.text()


def test_a_row_of_totals_is_no_play(brought):
    answer, log = brought("play,minutes,player,result\n1,45,Anna,win\n2,30,Anna,loss\nSumme,75,,\n", game="itter")
    assert log.height == 2 and "row 4 (Summe) is not read, because it has totals" in answer.text()


@pytest.mark.parametrize(
    ("headings", "fields"),
    [
        (
            "playDate durationMin bggName playerName startPosition newPlayer rounds winner score",
            "date minutes game player seat first_play turns winner score",
        ),
        ("Id GameDefinitionName DatePlayed NumberOfPlayers WinningPlayerNames Notes", "game date players winner"),
        ("Spieler A|Spieler B|Score A|Score B|Wer fing an|Wer gewann?", "player score start_player winner"),
        ("Spieler 1|Spieler 2|Spieler 1 Punkte|Spieler 2 Punkte|Who started?", "player score start_player"),
        ("Date|P1 name|P2 name|P1 score|P2 score|Which player won?", "date player score result"),
        ("Timestamp|Name of the game|Your name|Did you win?|Final score", "date game player result score"),
        ("table_id|game_name|start_date|player_name|rank|score", "play game date player rank score"),
        (
            "playId|date|length|username|startposition|color|score|win|new",
            "play date length player seat role score result first_play",
        ),
    ],
)
def test_headings_of_exports_are_known(headings, fields):
    guessed = guess(headings.split("|") if "|" in headings else headings.split())
    assert set(guessed) == set(fields.split())


# ---------------------------------------------------------------- names


def test_no_name_is_shown_or_kept_whatever_column_it_stands_in(brought, tmp_path):
    text = "player,Anna,Bert,score,level,role,team,ending,minutes,result\nAnna Zwölf,1,2,Anna 12,Anna Zwölf,Bert's,Team Anna,Anna gave up,ask Dora,meh\nBert,1,2,12,elite,Dora,Bert,deck ran out,90,win\n"
    answer, _ = brought(text, game="itter")
    bartizan("playtest", "template", "log.csv", "-o", "t.toml")
    shown = answer.text() + answer.to_json() + bartizan("playtest", "template", "log.csv", "-o", "u.toml").out
    assert not [name for name in ("Anna", "Bert", "Dora", "Zwölf", "meh") if name in shown]
    log = read(tmp_path / "plays").write_csv()
    assert not [name for name in ("Anna", "Bert", "Zwölf") if name in log]
    assert "[player] gave up" in log and "deck ran out" in log


def test_a_name_in_a_heading_that_is_used_is_not_shown(tmp_path):
    sheet, out = tmp_path / "s.csv", tmp_path / "m.toml"
    sheet.write_text("player,Anna score,result\nBert,12,win\n", encoding="utf-8")
    for words in ((), ("--json",)):
        result = bartizan("playtest", "template", sheet, "-o", out, *words)
        assert result.code == 0 and "Anna" not in result.out and "column B" in result.out
        assert '"Anna score"' in out.read_text(encoding="utf-8")
        out.unlink()


def test_an_xml_file_of_something_else_is_not_repeated(tmp_path):
    (tmp_path / "x.xml").write_text("<people><person>Anna Zwölf</person></people>")
    result = bartizan("playtest", "import", tmp_path / "x.xml", "-o", tmp_path / "plays")
    assert result.code == 2 and "Anna" not in result.err


# ---------------------------------------------------------------- units and endings


def test_rounds_of_an_app_are_not_turns_of_the_game(brought, tmp_path):
    brought(export(play("a", seat(winner=True), seat(2), gameRefId=12, rounds=4)), "x.json")
    _, log = brought("play,player,result,turns\nz,A,win,20\nz,B,loss,\n")
    assert sorted(log.select("rounds", "rounds_unit").unique().rows(), key=str) == [(20, None), (4, "round")]
    brought("play,player,result,Rounds\nz,A,win,7\nz,B,loss,\n", "r.csv")
    document = bartizan("playtest", "skill", "rampage", "--plays plays --games 20 --policy random --json").json
    numbers = {row["name"]: row for row in document["numbers"]}
    assert numbers["turns"]["people"]["mean"] == 20 and numbers["rounds"]["people"]["mean"] == 5.5
    assert numbers["rounds"]["policies"] is None


def test_scores_of_the_winner_and_of_a_player_are_compared_where_they_mean_the_same(brought):
    """Only plays with all scores and one winner: the third and fourth play do not count."""
    rows = "play,player,result,score\na,A,win,104\na,B,loss,80\nb,A,loss,70\nb,B,win,100\nc,A,win,990\nc,B,loss,\n"
    brought(rows + "d,A,draw,100\nd,B,draw,100\n", game=PIG)
    asked = ("playtest", "skill", PIG, "--plays plays --games 20 --policy hold")
    document, said = bartizan(*asked, "--json").json, bartizan(*asked).out
    means = {row["name"]: row["people"]["mean"] for row in document["numbers"]}
    assert means == {WINNER: 102, EACH: 88.5} and "Seats, scores and length are compared" in said
    policies = {row["name"]: row["policies"]["mean"] for row in document["numbers"]}
    assert policies[WINNER] >= 100 and policies[EACH] < policies[WINNER]


def test_scores_of_another_sign_are_not_compared_and_the_reason_is_one_line(brought):
    brought("play,player,result,score\na,A,win,4\na,B,loss,20\n", game=PIG)
    said = bartizan("playtest", "skill", PIG, "--plays plays --games 20 --policy hold").out
    assert said.count("Scores are not compared, because the winner has the highest score only in") == 1


def test_an_import_names_what_no_comparison_can_use(brought):
    """Three players of a game for two, and a sheet in which nobody wins."""
    answer, _ = brought("play,player,result\na,A,win\na,B,loss\na,C,loss\nb,A,win\nb,B,loss\n", game=PIG)
    assert answer.text().count("1 play not for 2 players: left out of every comparison") == 1
    assert answer["folder"]["games"][0]["other_players"] == 1
    answer, _ = brought("play,player,result\nz,A,?\nz,B,?\n", "open.csv", game=PIG)
    assert 'no play has a winner: fill in a column "result", "winner" or "rank"' in answer.text()


def test_a_log_of_the_version_before_is_read(brought, tmp_path):
    brought(export(play("a", seat(winner=True), gameRefId=12, rounds=4)), "x.json")
    before = read(tmp_path / "plays").drop("rounds_unit")
    before.write_parquet(tmp_path / "plays/log.parquet")
    log = read(tmp_path / "plays")
    assert log.schema == SCHEMA and log["rounds_unit"].to_list() == ["round"]


def test_skill_knows_every_ending_that_the_form_offers(kept_path, tmp_path):
    (kept_path / "medals.py").write_text(MEDALS)
    (tmp_path / "form.csv").write_text(
        "play,date,ending,player,result\n1,2026-11-20,silver,A,win\n2,2026-11-20,a one,B,loss\n3,2026-11-20,asleep,B,loss\n4,2026-11-20,the cat,B,loss\n"
    )
    medals, plays = kept_path / "medals.py", tmp_path / "plays"
    bartizan("playtest", "import", tmp_path / "form.csv", "--game", medals, "-o", plays)
    document = bartizan("playtest", "skill", medals, "--plays", plays, "--games 500 --noise 0.4,0.9 --json").json
    assert document["unmatched_endings"] == ["the cat"]


def test_other_sheets_and_hidden_rows_of_a_workbook_are_named(tmp_path):
    import openpyxl

    from bartizan.analyses.people.sheet import read_sheet

    book = openpyxl.Workbook()
    for row in (["player", "level", "result"], ["Ann", "novice", "win"]):
        book.active.append(row)
    book.active.row_dimensions[2].hidden = True
    book.create_sheet("March").append(["player", "level", "result"])
    book.save(tmp_path / "plays.xlsx")
    notes = " | ".join(read_sheet(tmp_path / "plays.xlsx").notes)
    assert "read from one of 2 sheets" in notes and "hidden or struck through in the workbook: row 2" in notes
