"""Made-up logs of plays, one or more for every trap that real ones hold; what each must come to."""

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import date
from typing import Any

import polars as pl

GERMAN = """
[playtest]
game = "itter"
decimal = ","
[columns]
result = "Überlebt?"
level = "Stufe"
score = "Punkte"
date = "Datum"
[values.result]
win = ["ja"]
loss = ["nein", "tot"]
unknown = ["abgebrochen"]
[values.level]
veteran = ["Vet"]
"""


@dataclass
class Log:
    """A file, and what must become of it. aside: row -> part of the reason."""

    name: str
    file: str
    data: bytes | str | dict
    records: int
    aside: dict[int, str] = field(default_factory=dict)
    holds: dict[str, list] = field(default_factory=dict)  # column -> values of the rows kept
    game: str | None = "itter"
    mapping: str | None = None
    said: str = ""  # part of what is said of cells left out, or noted
    also: Callable[[pl.DataFrame], Any] = lambda frame: True

    def content(self) -> bytes:
        data = json.dumps(self.data) if isinstance(self.data, dict) else self.data
        return data if isinstance(data, bytes) else data.encode()


def csv(name: str, text: str | bytes, records: int, **more: Any) -> Log:
    return Log(name, "log.csv", text, records, **more)


ANNA = {"id": 1, "name": "Anna Zwölf"}
BERT = {"id": 2, "name": "Bert Zwölf"}
BOT = {"id": 3, "name": "Automa", "metaData": '{"isNpc":1}'}
ANON = {"id": 4, "name": "Guest", "isAnonymous": True}
ITTER = {"id": 10, "name": "Castle Itter: The Strangest Battle of WWII", "cooperative": True}
CATAN = {"id": 11, "name": "Catan"}
RAMPAGE = {"id": 12, "name": "Castle Rampage", "cooperative": False}


def seat(player: int = 1, **more: Any) -> dict:
    return {
        "playerRefId": player,
        "score": None,
        "winner": False,
        "newPlayer": False,
        "startPlayer": False,
        "rank": 0,
        "seatOrder": 0,
    } | more


def bgstats(
    name: str, plays: list, records: int, top: dict | None = None, file: str = "BGStatsExport.json", **more: Any
) -> Log:
    data = {"players": [ANNA, BERT, BOT, ANON], "games": [ITTER, CATAN, RAMPAGE], "plays": plays} | (top or {})
    return Log(name, file, data, records, **more)


def play(uuid: str, *seats: dict, **more: Any) -> dict:
    return {
        "uuid": uuid,
        "playDate": "2025-04-27 14:47:26",
        "gameRefId": 10,
        "durationMin": 0,
        "rounds": 0,
        "playerScores": list(seats),
    } | more


def bgg(name: str, plays: str, records: int, head: str = '<?xml version="1.0" encoding="utf-8"?>', **more: Any) -> Log:
    return Log(
        name,
        "plays.xml",
        f'{head}<plays username="u" userid="1" total="{records}" page="1">{plays}</plays>',
        records,
        **more,
    )


def bgg_play(number: int, players: str = "", item: str = "Castle Itter", **attributes: str) -> str:
    said = {"date": "2026-11-23", "quantity": "1", "length": "0", "incomplete": "0", "nowinstats": "0"} | attributes
    listed = " ".join(f'{key}="{value}"' for key, value in said.items())
    return (
        f'<play id="{number}" {listed}><item name="{item}" objecttype="thing" '
        f'objectid="1"/>{f"<players>{players}</players>" if players else ""}</play>'
    )


def bgg_player(name: str = "Anna", **attributes: str) -> str:
    said = {
        "username": "",
        "startposition": "",
        "color": "",
        "score": "",
        "new": "0",
        "rating": "0",
        "win": "0",
    } | attributes
    return f'<player name="{name}" {" ".join(f"{key}={chr(34)}{value}{chr(34)}" for key, value in said.items())}/>'


SHEETS = [
    csv("the form's own headings", "date,level,player,result,score,turns,minutes,fun\n2026-11-23,veteran,Anna,win,7,20,95,4\n2026-11-23,elite,Anna,loss,2,12,60,5\n", 2, holds={"result": ["win", "loss"], "level": ["veteran", "elite"], "score": [7.0, 2.0], "rounds": [20, 12], "fun": [4, 5], "date": [date(2026, 11, 23)] * 2}),
    csv("a byte order mark, semicolons and decimal commas", "\ufefflevel;result;score\nelite;win;7,5\nelite;loss;3\n", 2, holds={"score": [7.5, 3.0]}),
    csv("tabs", "level\tresult\tscore\nelite\twin\t7.5\n", 1, holds={"score": [7.5]}),
    csv("cp1252, as Excel on Windows saves", "level;result;ending\nelite;win;Übermacht\n".encode("cp1252"), 1, holds={"ending": ["Übermacht"]}, said="cp1252"),
    csv("UTF-16 with a mark", "level,result\nelite,win\n".encode("utf-16"), 1, holds={"result": ["win"]}),
    csv("Windows line ends, and none at the end", "level,result\r\nelite,win\r\nelite,loss", 2, holds={"result": ["win", "loss"]}),
    csv("Excel's line that names the separator", "sep=;\nlevel;result\nelite;win\n", 1, holds={"result": ["win"]}),
    csv("a title above the headings", "Playtests in November\n\nlevel,result\nelite,win\n", 1, holds={"result": ["win"]}, said="rows 1 to 2 are above"),
    csv("empty rows between and below", "level,result\nelite,win\n,\n,\nelite,loss\n", 4, aside={3: "empty", 4: "empty"}, holds={"result": ["win", "loss"]}),
    csv("rows too long, and rows too short", "level,result,score\nelite,win,3,was fun,really\nelite,loss\n", 2, aside={2: "5 cells under 3"}, holds={"result": ["loss"], "score": [None]}),
    csv("the headings again, where two sheets were joined", "level,result\nelite,win\nlevel,result\nelite,loss\n", 3, aside={3: "headings again"}),
    csv("German dates", "date,level,result\n23.11.2026,elite,win\n1.2.26,elite,win\n23. November 2026,elite,win\n", 3, holds={"date": [date(2026, 11, 23), date(2026, 2, 1), date(2026, 11, 23)]}),
    csv("American dates, told by one of them", "date,level,result\n11/23/2026,elite,win\n3/4/2026,elite,loss\n", 2, holds={"date": [date(2026, 11, 23), date(2026, 3, 4)]}),
    csv("dates of which nobody knows the order", "date,level,result\n3/4/2026,elite,win\n2026-11-23,elite,win\n", 2, holds={"date": [None, date(2026, 11, 23)]}, said="the day or the month may be first"),
    csv("dates in both orders", "date,level,result\n23/11/2026,elite,win\n11/23/2026,elite,win\n3/4/2026,elite,win\n", 3, holds={"date": [date(2026, 11, 23), date(2026, 11, 23), None]}, said="the day or the month may be first"),
    csv("dates that are none", "date,level,result\n0000-00-00,elite,win\n1111-01-01,elite,win\nyesterday,elite,win\n31.2.2026,elite,win\n", 4, holds={"date": [None] * 4}, said="not a date"),
    csv("a form's timestamp", "Timestamp,level,result\n2026/11/23 8:15:00 PM GMT+1,elite,win\n11/23/2026 20:15:00,elite,loss\n", 2, holds={"date": [date(2026, 11, 23)] * 2}),
    csv("numbers with stars, units and doubts", "level,result,score,minutes\nelite,win,12*,~90 min\nelite,win,12 VP,1h30\nelite,win,ca. 8,1:30\nelite,win,−3,90'\nelite,win,Decisive,an hour\n", 5, holds={"score": [12.0, 12.0, 8.0, -3.0, None], "minutes": [90.0, 90.0, 90.0, 90.0, None], "score_text": ["12*", "12 VP", "ca. 8", "−3", "Decisive"]}, said="not a duration"),
    csv("a dot that may be thousands", "level,result,score\nelite,win,1.234\nelite,win,12.5\n", 2, holds={"score": [None, 12.5]}, said="may mark thousands, decimals"),
    csv("hours with decimal commas", "level;result;minutes\nelite;win;1,5 Std.\nelite;win;2 Std. 15\nelite;win;90-100\n", 3, holds={"minutes": [90.0, 135.0, None]}),
    csv("zeros that nobody measured", "level,result,minutes,turns,seat,rank,players,score\nelite,win,0,0,0,0,0,0\n", 1, holds={"minutes": [None], "rounds": [None], "seat": [None], "rank": [None], "players": [None], "score": [0.0]}),
    csv("sums in a score; a difference is not told apart from a result", "level,result,score\nelite,win,31+3+1\nelite,win,3-1\n", 2, holds={"score": [35.0, None], "score_text": ["31+3+1", "3-1"]}),
    csv("results that nobody filled in", "level,result\nelite,\nelite,?\nelite,n/a\n", 3, holds={"result": ["unknown"] * 3}),
    csv("a result in no known word", "level,result\nelite,win\nelite,meh\n", 2, aside={3: "an unknown word"}),
    csv("a result that is somebody's name is not repeated", "player,level,result\nAnna Zwölf,elite,Anna Zwölf\n", 1, aside={2: "an unknown word"}),
    csv("a column of names taken for another is not repeated", "player,level,result\nAnna Zwölf,Anna Zwölf,win\n", 1, holds={"level": [None]}, said="level: 1 cell, row 2: no level"),
    csv("levels in other cases and words", "level,result\nELITE,win\n Veteran ,win\nExpert,win\n,win\n", 4, holds={"level": ["elite", "veteran", None, None], "variant_text": [None, None, "Expert", None]}, said="no level of itter"),
    csv("marks out of range, and with words", "level,result,fun,length\nelite,win,6,4/5\nelite,win,0,5 - just right\nelite,win,4.5,3\n", 3, holds={"fun": [None] * 3, "length": [4, 5, 3]}, said="not a rating"),
    csv("one row a player", "play,level,player,result,minutes\n1,elite,Anna,win,90\n1,,Bert,win,\n2,elite,Anna,loss,80\n", 3, holds={"players": [2, 2, None], "minutes": [90.0, 90.0, 80.0], "level": ["elite"] * 3}, also=lambda frame: frame["play_id"].n_unique() == 2),
    csv("rows of one play that differ", "play,level,result\n1,elite,win\n1,veteran,win\n2,elite,win\n", 3, aside={2: "differ in level", 3: "differ in level"}),
    csv("a player twice in one play", "play,player,result\n1,Anna,win\n1, anna ,loss\n", 2, aside={2: "twice", 3: "twice"}),
    csv("more players than were said to play", "play,players,player,result\n1,1,Anna,win\n1,1,Bert,loss\n", 2, aside={2: "1 stated", 3: "1 stated"}),
    csv("rows alike to the letter both count", "level,result\nelite,win\nelite,win\n", 2, also=lambda frame: frame["play_id"].n_unique() == 2),
    csv("a quoted cell over two lines", 'level,result,ending\nelite,loss,"breach,\nthen chaos"\nelite,win,\n', 2, holds={"result": ["loss", "win"]}),
    csv("a heading that stands twice, and one without words", "level,result,note,note,\nelite,win,a,b,c\n", 1, said="note (2)"),
    csv("games of others between", "game,level,result\nCastle Itter,elite,win\nCatan,,win\nitter,elite,loss\n", 3, aside={3: "another game"}, holds={"result": ["win", "loss"]}),
    csv("no game asked for: each by its name", "game,level,result\nCastle Itter,elite,win\nCatan,hard,win\n", 2, game=None, holds={"game": ["itter", "Catan"], "level": ["elite", "hard"]}),
    csv("a play that states no level of a game with one", "result\nwin\n", 1, game="rampage", holds={"level": ["standard"]}),
    csv("a level that a game with one level does not have", "level,result\nhard,win\n", 1, game="rampage", holds={"level": [None], "variant_text": ["hard"]}, said="no level of rampage"),
    csv("who won, by name", "play,player,winner\n1,Anna,Anna & Cem\n1,Bert,\n1,Cem,\n2,Anna,nobody\n3,Bert,draw\n4,Bert,Dora\n", 6, game="castle", holds={"result": ["win", "loss", "win", "loss", "draw", "unknown"]}, said="none of the players"),
    csv("a column of winners that also has results", "winner,score\nCem,5\nlost,3\nno,2\nWon!,4\nTie?,4\nL,1\n", 6, game="castle", aside={6: "write the name of the winner"}, holds={"result": ["win", "loss", "loss", "win", "win"], "score": [5.0, 3.0, 2.0, 4.0, 1.0]}, also=lambda frame: frame["player_key"].null_count() == 3),
    csv("a result of all seats among winners", "play,player,winner\n1,Anna,lost\n2,Anna,won\n3,Yes,yes\n3,Bert,\n4,Anna,won\n4,Bert,\n", 6, game="castle", holds={"result": ["loss", "win", "win", "loss", "unknown", "unknown"]}, said="none of the players"),
    csv("a mapping: German words, moved by the designer", "Datum;Stufe;Überlebt?;Punkte;Notiz\n23.11.2026;Vet;ja;7,5;x\n24.11.2026;Elite;tot;1.234,5;\n;Elite;abgebrochen;;\n", 3, mapping=GERMAN, game=None, holds={"result": ["win", "loss", "unknown"], "level": ["veteran", "elite", "elite"], "score": [7.5, 1234.5, None], "game": ["itter"] * 3}, said="Notiz"),
    csv("a mapping: an empty result is a loss", "Level,Won\nelite,x\nelite,\n", 2, mapping='[playtest]\nuntouched_means = "loss"\n[columns]\nlevel = "Level"\nresult = "Won"\n[values.result]\nwin = ["x"]\n', holds={"result": ["win", "loss"]}),
    csv("a mapping: one row a play, a column a player", "S1,S2,S3,P1,P2,P3,W\nAnna,Bert,,7,5,,Anna\nAnna,Cem,Dora,1,2,3,Dora\n", 2, game="castle", mapping='[columns]\nplayer = ["S1", "S2", "S3"]\nscore = ["P1", "P2", "P3"]\nwinner = "W"\n', holds={"players": [2, 2, 3, 3, 3], "result": ["win", "loss", "loss", "loss", "win"], "score": [7.0, 5.0, 1.0, 2.0, 3.0]}),
    csv("a mapping: edition, level and order of dates for the whole file", "When,Won\n3/4/2026,yes\n", 1, mapping='[playtest]\nedition = "v0.7"\nlevel = "elite"\ndates = "day.month.year"\n[columns]\ndate = "When"\nresult = "Won"\n', holds={"date": [date(2026, 4, 3)], "edition": ["v0.7"], "level": ["elite"]}),
]  # fmt: skip

EXPORTS = [
    bgstats("unknown is not zero", [play("a", seat(winner=True))], 1, holds={"seat": [None], "minutes": [None], "rounds": [None], "rank": [None], "start_player": [None], "result": ["win"], "players": [1]}),
    bgstats("a score in parts is added up; what may be a range or a list is not", [play("a", seat(winner=True, score="66-5-0-11-17")), play("b", seat(winner=True, score="31+3+1")), play("c", seat(winner=True, score="12,5")), play("d", seat(winner=True, score="Decisive"))], 4, holds={"score": [None, 35.0, 12.5, None], "score_text": ["66-5-0-11-17", "31+3+1", "12,5", "Decisive"]}, said="a range, a difference or a list"),
    bgstats("nobody ticked: unknown alone without a score, a loss with one", [play("a", seat()), play("b", seat(score="4")), play("c", seat(score="")), play("d", seat(), seat(2))], 4, holds={"result": ["unknown", "loss", "unknown", "unknown", "unknown"]}, said="in 1 of the losses, no winner is marked"),
    bgstats("nobody ticked, and the user says that is a loss", [play("a", seat())], 1, mapping='[playtest]\nuntouched_means = "loss"\n', holds={"result": ["loss"]}),
    bgstats("several winners: together, and each for themselves", [play("a", seat(winner=True), seat(2, winner=True)), play("b", seat(winner=True), seat(2, winner=True), gameRefId=12), play("c", seat(winner=True), seat(2), gameRefId=12)], 3, game=None, holds={"result": ["win", "win", "draw", "draw", "win", "loss"]}),
    bgstats("nobody ticked in a duel", [play("a", seat(score="5"), seat(2, score="3"), gameRefId=12)], 1, game="rampage", holds={"result": ["unknown", "unknown"], "score": [5.0, 3.0]}),
    bgstats("ignored, deleted, of another game, of no game", [play("a", seat(), ignored=True), play("b", seat()), play("c", seat(), gameRefId=11), play("d", seat(), gameRefId=99), play("e", seat(winner=True))], 5, {"deletedObjects": [{"uuid": "b"}]}, aside={1: "ignored", 2: "deleted", 3: "another game", 4: "not in the file"}, holds={"result": ["win"]}),
    bgstats("the same play twice", [play("a", seat(winner=True)), play("a", seat(winner=True))], 2, aside={2: "again"}),
    bgstats("a player that is no person, and one without a name", [play("a", seat(winner=True), seat(3)), play("b", seat(4, winner=True))], 2, holds={"players": [1, 1]}, said="1 seat of play 1: not a person", also=lambda frame: frame["player_key"].null_count() == 1),
    bgstats("levels in the board's free text", [play("a", seat(winner=True), board="Elite"), play("b", seat(winner=True), board="with the fan map")], 2, holds={"level": ["elite", None], "variant_text": [None, "with the fan map"]}),
    bgstats("roles, teams, first plays and start players", [play("a", seat(winner=True, role="defender", newPlayer=True, startPlayer=True, seatOrder=1), seat(2, role="SS", team="B"))], 1, holds={"role": ["defender", "ss"], "first_play": [True, False], "start_player": [True, False], "seat": [1, None], "team": [None, "B"]}),
    bgstats("keys that are missing in old exports", [{"gameRefId": 10, "playerScores": [{"playerRefId": 1}]}, {"gameRefId": 10}, {}], 3, aside={3: "not in the file"}, holds={"result": ["unknown", "unknown"], "date": [None, None]}),
    bgstats("values of other types", [play("a", seat(winner=1, score=7), durationMin="90", rounds=12.0), play("b", "x", None, seat(score=[1], winner="yes"), playDate=20250427), 7, None, "x"], 5, aside={3: "not a play", 4: "not a play", 5: "not a play"}, holds={"score": [7.0, None], "minutes": [90.0, None], "result": ["win", "unknown"]}),
    bgstats("a date without a time, and the newer number", [play("a", seat(winner=True), playDate="2025-04-27"), {**play("b", seat(winner=True)), "playDate": None, "playDateYmd": 20250428}], 2, holds={"date": [date(2025, 4, 27), date(2025, 4, 28)]}),
    bgstats("metaData that is no JSON", [play("a", seat(winner=True), metaData="{")], 1, {"players": [{**ANNA, "metaData": "{no"}]}, holds={"result": ["win"]}),
    bgstats("a single play", [play("a", seat(winner=True))], 1, file="one.bgsplay"),
    Log("a mark before the JSON", "export.json", b"\xef\xbb\xbf" + json.dumps({"games": [ITTER], "plays": [play("a", seat(winner=True))]}).encode(), 1, holds={"result": ["win"]}),
    bgg("days that there never were, bundles, incomplete plays", bgg_play(1, date="0000-00-00") + bgg_play(2, date="1111-01-01") + bgg_play(3, quantity="53") + bgg_play(4, incomplete="1") + bgg_play(5, nowinstats="1") + bgg_play(6, quantity=""), 6, aside={3: "53 plays", 4: "incomplete", 5: "win statistics", 6: "plays in one record"}, holds={"date": [None, None], "minutes": [None, None], "result": ["unknown", "unknown"]}, said="not a date"),
    bgg("words for scores, anything for places, sides for colours", bgg_play(1, bgg_player(score="Decisive", startposition="Campaign", color="defender", win="1") + bgg_player("Bert", score="66-5", startposition="2", color="Axis")), 1, holds={"score": [None, None], "score_text": ["Decisive", "66-5"], "seat": [None, 2], "role": ["defender", "Axis"], "result": ["win", "loss"]}, said="not a number"),
    bgg("nobody ticked", bgg_play(1, bgg_player()) + bgg_play(2, bgg_player(score="3")), 2, holds={"result": ["unknown", "loss"]}, said="in 1 of the losses, no winner is marked"),
    bgg("a play without an item, and one of another game", '<play id="1"/>' + bgg_play(2, item="Catan") + bgg_play(3, bgg_player(win="1")), 3, aside={2: "another game"}),
    bgg("a document of another encoding", bgg_play(1, bgg_player("Änne", win="1")), 1, head='<?xml version="1.0" encoding="utf-8"?>\n<!-- saved -->\n', holds={"result": ["win"]}),
]  # fmt: skip

LOGS = SHEETS + EXPORTS
