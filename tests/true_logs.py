"""True logs of plays, drawn at random and written as apps and designers write them, with what must be read of each.

A writer notes a value, leaves it out, or writes it so that it may mean several things; `Written` holds, row by
row, what must come back, which cells must be reported as left out, which rows set aside and why.
"""

import io
import json
import random
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from datetime import date, timedelta
from pathlib import Path
from typing import Any
from xml.sax.saxutils import quoteattr

import openpyxl

from bartizan.analyses.people.log import GameWords, words_of
from bartizan.simcore.game import game_names

NAMES = ("Anna Zwölf", "Bert", "Cem Ö.", "Dora", "Emil van Dyk", "Fay", "Ginésia", "Hü")
PIG = str(Path(__file__).parents[1] / "examples/short/pig.py")
GAMES = ("rampage", "castle", "itter", PIG)
UNREAD = object()  # a cell that may mean several things: must be reported
BLANKS = ("", "", "", "-", "?", "n/a")


@dataclass
class Seat:
    name: str
    place: int  # in turn order, from 1
    result: str
    score: float
    first: bool


@dataclass
class Play:
    """What happened at a table. `shown` is what was noted of who sat where."""

    number: int
    day: date
    level: str
    edition: str
    seats: list[Seat]
    minutes: int
    length: int
    ending: str
    shown: str = "all"  # "all", "none", "first", "but one", "winner"

    @property
    def result(self) -> str:
        """The place that won; "0": nobody."""
        return next((str(seat.place) for seat in self.seats if seat.result == "win"), "0")


@dataclass
class Written:
    """A file, and what must become of it."""

    kind: str
    name: str
    data: bytes
    game: GameWords
    option: str | None  # --game
    mapping: str | None
    rows: list[dict[str, Any]]  # that must come back
    aside: dict[int, str]  # row -> part of the reason
    unread: Counter[str]  # column -> cells that must be reported
    plays: list[Play]  # those that count, as far as they were noted
    named: str = ""  # the game as a command names it


# ---------------------------------------------------------------- truth


def true_plays(game: GameWords, luck: random.Random) -> list[Play]:
    return [_play(number, game, luck) for number in range(1, luck.randint(2, 9))]


def _play(number: int, game: GameWords, luck: random.Random) -> Play:
    most = 4 if game.name == "castle" else 2 if game.rivals else 3
    people = luck.sample(NAMES, luck.randint(2, most) if game.rivals else luck.randint(1, most))
    scores = [_points(luck) for _ in people]
    if game.rivals:
        ends = ["loss"] * len(people)
        ends[luck.randrange(len(people))] = "win"
        ends = luck.choice([ends] * 8 + [["draw"] * len(people), ["unknown"] * len(people)])
    else:
        ends = [luck.choice(("win", "loss", "loss", "unknown"))] * len(people)
        scores = scores[:1] * len(people)
    places = luck.sample(range(1, len(people) + 1), len(people))
    seats = [Seat(*each, luck.random() < 0.3) for each in zip(people, places, ends, scores, strict=True)]
    day = date(2026, 1, 1) + timedelta(days=luck.randrange(300))
    ending = luck.choice(game.endings)
    shown = luck.choice(("all", "all", "none", "first", "but one", "winner")) if game.rivals else "none"
    return Play(number, day, luck.choice(game.levels), luck.choice(("v1", "v2")), seats, luck.randint(5, 400), luck.randint(1, 60), ending, shown)  # fmt: skip


def _points(luck: random.Random) -> float:
    return luck.choice(
        (luck.randint(-20, 200), luck.randint(-20, 200), luck.randint(1001, 99_999), luck.randint(0, 99) + 0.5)
    )


# ---------------------------------------------------------------- cells: (text, what must be read of it)

Cell = tuple[str, Any]


def blank(luck: random.Random) -> Cell:
    return luck.choice(BLANKS), None


def score_cell(value: float, decimal: str, mapped: bool, luck: random.Random) -> Cell:
    """decimal: that the writer uses; mapped: does a mapping say so?"""
    text = f"{value:g}".replace(".", decimal) if value < 1e5 else str(value)
    odd = luck.randrange(12)
    if odd == 0:
        return luck.choice(
            (
                f"{value:g}-{luck.randint(1, 99)}",
                f"{abs(value):g}, {luck.randint(1, 99)}",
                f"{luck.randint(1, 99)} {luck.randint(100, 999)}",
            )
        ), UNREAD
    if odd == 1 and value == int(value) and value > 9:
        part = luck.randint(1, int(value) - 1)
        return f"{part}+{int(value) - part}", value
    if odd == 2 and abs(value) >= 1000:
        other = "," if decimal == "." else "."
        mark = luck.choice((other, other, "'", "\u202f"))
        grouped = f"{int(value):,}".replace(",", mark)
        return grouped, value if mapped or mark != other else UNREAD
    if odd == 3:
        return f"{text}{luck.choice(('*', ' VP', ' Punkte'))}", value
    return text, value


def minutes_cell(value: int, luck: random.Random) -> Cell:
    odd = luck.randrange(8)
    if odd == 0:
        return f"{value}-{value + 10}", UNREAD
    hours = f"{value // 60}h{value % 60:02}" if value >= 60 else f"{value}'"
    clock = f"{value // 60}:{value % 60:02}" if value // 60 < 10 else str(value)
    return luck.choice((str(value), f"~{value} min", hours, clock)), value


def result_cell(result: str, luck: random.Random) -> Cell:
    words = {
        "win": ("win", "Won", "yes", "Sieg", "1"),
        "loss": ("loss", "lost", "no", "verloren", "0"),
        "draw": ("draw", "Tie", "Remis"),
        "unknown": BLANKS,
    }
    return luck.choice(words[result]), result


def day_cell(day: date, luck: random.Random) -> Cell:
    return luck.choice((f"{day}", f"{day:%d.%m.%Y}", f"{day:%b %d, %Y}", f"{day} 20:15:00")), day


# ---------------------------------------------------------------- sheets

FORM = ("play", "date", "game", "edition", "level", "players", "minutes", "turns", "ending", "player", "seat", "result", "score", "first play", "start player")  # fmt: skip
GERMAN = {"play": "Partie", "date": "Datum", "game": "Spiel", "edition": "Fassung", "level": "Stufe", "players": "Spielerzahl", "minutes": "Dauer", "turns": "Runden", "ending": "Ende", "player": "Name", "seat": "Sitz", "result": "Ergebnis", "score": "Punkte", "first play": "Erstes Mal", "start player": "Startspieler"}  # fmt: skip
EXPORT = {"play": "playId", "date": "playDate", "game": "bggName", "edition": "version", "level": "difficulty", "players": "numberOfPlayers", "minutes": "durationMin", "turns": "rounds", "ending": "ending", "player": "playerName", "seat": "startPosition", "result": "win", "score": "score", "first play": "newPlayer", "start player": "startPlayer"}  # fmt: skip
OF_PLAY = FORM[:9]


@dataclass
class Sheet:
    """A sheet while it is written: a row a player, or a row a play of one player."""

    game: GameWords
    luck: random.Random
    decimal: str = "."
    mapped: bool = False
    headings: dict[str, str] = field(default_factory=lambda: {name: name for name in FORM})
    unit: str | None = None
    level: str = ""  # of plays that name none, by the mapping
    edition: str = ""
    lines: list[dict[str, str]] = field(default_factory=list)
    rows: list[dict[str, Any]] = field(default_factory=list)
    aside: dict[int, str] = field(default_factory=dict)
    unread: Counter[str] = field(default_factory=Counter)
    plays: list[Play] = field(default_factory=list)
    above: int = 1  # rows above the first play

    def write(self, play: Play) -> None:
        luck, game, lines = self.luck, self.game, []
        fault = luck.choice(["meh", "differs", "twice", "seats"]) if luck.random() < 0.07 else ""
        if fault == "seats" and game.rivals:
            play = replace(play, shown="none")
        of_play = {
            "date": self.some(day_cell, play.day, luck),
            "game": luck.choice((blank(luck), (game.name, game.name), (game.title, game.name))),
            "edition": self.some(lambda: (play.edition, play.edition)),
            "level": self.some(lambda: (luck.choice((play.level, play.level.upper())), play.level)),
            "players": self.some(lambda: (str(len(play.seats)), len(play.seats))),
            "minutes": self.some(minutes_cell, play.minutes, luck),
            "turns": self.some(lambda: (f"{play.length}", play.length)),
            "ending": self.some(lambda: (play.ending, play.ending)),
        }
        everywhere = luck.random() < 0.3
        scores = []
        for at, seat in enumerate(luck.sample(play.seats, len(play.seats))):
            cells = dict(of_play) if at == 0 or everywhere else {name: ("", None) for name in of_play}
            cells["play"] = (str(play.number), None)
            cells["player"] = (seat.name, seat.name)
            place, begins = noted(play, seat)
            words = (str(place), game.roles[place - 1]) if place and game.rivals else ("", "")
            cells["seat"] = (luck.choice(words), place)
            cells["start player"] = ({True: "yes", False: "no"}.get(begins, ""), begins)
            cells["result"] = result_cell(seat.result, luck)
            cells["score"] = self.some(score_cell, seat.score, self.decimal, self.mapped, luck)
            cells["first play"] = self.some(
                lambda seat=seat: (luck.choice(("yes", "ja") if seat.first else ("no", "nein")), seat.first)
            )
            scores.append(cells["score"][1])
            lines.append(cells)
        self._spoil(fault, lines)
        self._keep(play, fault, lines)

    def some(self, cell: Callable[..., Cell], *how: Any) -> Cell:
        return blank(self.luck) if self.luck.random() < 0.15 else cell(*how)

    def _spoil(self, fault: str, lines: list[dict[str, Cell]]) -> None:
        if fault == "meh":
            self.luck.choice(lines)["result"] = ("meh", None)
        elif fault == "differs":
            lines[0]["date"], lines[-1]["date"] = ("2026-01-01", None), ("2026-01-02", None)
        elif fault == "twice":
            lines[0]["player"] = lines[-1]["player"]
        elif fault == "seats" and self.game.rivals:  # two in one place: left out, and said
            lines[0]["seat"], lines[-1]["seat"] = ("1", UNREAD), ("1", None)

    def _keep(self, play: Play, fault: str, lines: list[dict[str, Cell]]) -> None:
        several = len(lines) > 1
        why = {"meh": "list it under", "differs": "differ in date" * several, "twice": "twice" * several}.get(fault, "")
        whole = {
            name: next((cells[name][1] for cells in lines if cells[name][1] not in (None, UNREAD)), None)
            for name in OF_PLAY
        }
        if fault == "differs" and not several:
            whole["date"] = date(2026, 1, 2)
        for cells in lines:
            number = self.above + len(self.lines) + 1
            self.lines.append({name: text for name, (text, _) in cells.items()})
            self.unread.update(name for name, (_, read) in cells.items() if read is UNREAD)
            if why:
                self.aside[number] = why
                continue
            mine = {name: None if read is UNREAD else read for name, (_, read) in cells.items()} | whole
            mine |= {"row": number, "game": self.game.name, "turns unit": self.unit if mine["turns"] else None}
            mine["players"] = mine["players"] or (len(lines) if several else None)
            mine["level"] = mine["level"] or self.level or self.game.only_level
            mine["edition"] = mine["edition"] or self.edition or None
            self.rows.append(mine)
        if not why:
            self.plays.append(as_read(play, self.rows[-len(lines) :]))

    def table(self) -> list[list[str]]:
        """Headings and lines, columns in any order, empty ones left out now and then."""
        order = self.luck.sample(FORM, len(FORM))
        empty = [name for name in order if not any(line[name] for line in self.lines)]
        order = [name for name in order if name not in empty or name == "result" or self.luck.random() < 0.5]
        return [[self.headings[name] for name in order], *([line[name] for name in order] for line in self.lines)]


def noted(play: Play, seat: Seat) -> tuple[int | None, bool | None]:
    """(place, whether this seat began) as far as it was written down."""
    if play.shown == "all":
        return seat.place, None
    if play.shown == "but one":
        return None if seat is play.seats[0] else seat.place, None
    if play.shown == "winner":
        return seat.place if seat.result == "win" else None, None
    return None, seat.place == 1 if play.shown == "first" else None


def as_read(play: Play, rows: list[dict[str, Any]]) -> Play:
    """The play as far as it must come back: level, length, scores."""
    return replace(
        play,
        level=rows[0]["level"] or "",
        length=rows[0]["turns"] if not rows[0]["turns unit"] else None,
        seats=[replace(seat, score=next((row["score"] for row in rows if row["player"] == seat.name), None)) for seat in play.seats],
    )  # fmt: skip


def csv_bytes(table: list[list[str]], separator: str, encoding: str, luck: random.Random) -> bytes:
    def quoted(cell: str) -> str:
        return (
            '"' + cell.replace('"', '""') + '"' if {separator, '"', "\n"} & set(cell) or luck.random() < 0.1 else cell
        )

    end = luck.choice(("\n", "\r\n"))
    text = end.join(separator.join(map(quoted, row)) for row in table) + luck.choice(("", end))
    return text.encode(encoding)


def xlsx_bytes(table: list[list[str]]) -> bytes:
    """A workbook with one sheet of text."""
    book = openpyxl.Workbook()
    for texts in table:
        book.active.append(texts)
    for row in book.active.iter_rows():
        for cell in row:
            cell.data_type = "s"  # "=2" is text too
    file = io.BytesIO()
    book.save(file)
    return file.getvalue()


def in_excel(plays: list[Play], game: GameWords, luck: random.Random) -> Written:
    return form(plays, game, luck, excel=True)


def form(plays: list[Play], game: GameWords, luck: random.Random, excel: bool = False) -> Written:
    """The form's own sheet, without a mapping."""
    decimal = luck.choice(".,")
    separator = ";" if decimal == "," else luck.choice(",\t;")
    extra = luck.choice([[], [["Playtests in November"]], [["", "The play", "", "Players"]]])
    sheet = Sheet(game, luck, decimal, above=1 + len(extra))
    if luck.random() < 0.3:
        sheet.headings, sheet.unit = EXPORT, "round"
    for play in plays:
        sheet.write(play)
    table = extra + sheet.table()
    if excel:
        return _written("xlsx", "log.xlsx", xlsx_bytes(table), sheet, game.name, None)
    encoding = luck.choice(("utf-8", "utf-8-sig", "cp1252", "utf-16"))
    kind = f"csv {encoding} {separator!r}"
    return _written(kind, "log.csv", csv_bytes(table, separator, _fits(encoding, table), luck), sheet, game.name, None)


def _fits(encoding: str, table: list[list[str]]) -> str:
    try:
        "".join(cell for row in table for cell in row).encode(encoding)
    except UnicodeEncodeError:
        return "utf-8"
    return encoding


def mapped(plays: list[Play], game: GameWords, luck: random.Random) -> Written:
    """A sheet in German, read by a mapping that says its decimal mark, level and edition."""
    decimal = luck.choice(".,")
    sheet = Sheet(
        game, luck, decimal, True, GERMAN, "round", luck.choice(("", game.levels[0])), luck.choice(("", "v9"))
    )
    for play in plays:
        sheet.write(play)
    table = sheet.table()
    columns = "".join(
        f"{name.replace(' ', '_')} = {json.dumps(GERMAN[name], ensure_ascii=False)}\n"
        for name in FORM
        if GERMAN[name] in table[0]
    )
    mapping = f'[playtest]\ngame = "{game.name}"\ndecimal = "{decimal}"\nlevel = "{sheet.level}"\nedition = "{sheet.edition}"\n[columns]\n{columns}'
    option = luck.choice((None, game.name)) if game.name in game_names() else game.name
    return _written("mapping", "log.csv", csv_bytes(table, ";", "utf-8", luck), sheet, option, mapping)


def _written(kind: str, name: str, data: bytes, sheet: Sheet, option: str | None, mapping: str | None) -> Written:
    return Written(kind, name, data, sheet.game, option, mapping, sheet.rows, sheet.aside, sheet.unread, sheet.plays)


def winners(plays: list[Play], game: GameWords, luck: random.Random) -> Written:
    """One row a play, which names who won and lists nobody; of rivals by the place in turn order."""
    lines, rows, counted = [["Id", "GameDefinitionName", "DatePlayed", "NumberOfPlayers", "WinningPlayerNames"]], [], []
    for number, play in enumerate(plays, 2):
        won = [seat for seat in play.seats if seat.result == "win"]
        by_place = game.rivals and luck.random() < 0.7
        text = {"draw": "draw", "loss": "nobody", "unknown": ""}.get(play.seats[0].result if not won else "", "")
        if won:
            text = (
                luck.choice((f"seat {won[0].place}", game.roles[won[0].place - 1]))
                if by_place
                else ", ".join(seat.name for seat in won)
            )
        lines.append([str(play.number), game.title, str(play.day), str(len(play.seats)), text])
        ends = [seat.result for seat in won] or [
            "draw" if text == "draw" else "loss" if text == "nobody" else "unknown"
        ]
        for at, result in enumerate(ends):
            seat = won[at] if won else None
            name = seat.name if seat and not by_place else None
            rows.append(
                _row(number, game, play)
                | {
                    "result": result,
                    "player": name,
                    "seat": won[0].place if won and by_place else None,
                    "level": game.only_level,
                }
            )
        counted.append(
            replace(
                play,
                shown="alone" if by_place or not won else "unplaced",
                level=game.only_level or "",
                length=None,
                seats=[replace(seat, score=None) for seat in play.seats],
            )
        )
    return Written(
        "winners only",
        "log.csv",
        csv_bytes(lines, ",", "utf-8", luck),
        game,
        game.name,
        None,
        rows,
        {},
        Counter(),
        counted,
    )


def _row(number: int, game: GameWords, play: Play) -> dict[str, Any]:
    empty = dict.fromkeys((*FORM, "turns unit"))
    return {**empty, "row": number, "game": game.name, "date": play.day, "players": len(play.seats)}


def arena(plays: list[Play], game: GameWords, luck: random.Random) -> Written:
    """A table of Board Game Arena: ranks, from which the winner follows."""
    lines, rows, counted = [["table_id", "game_name", "start_date", "player_name", "rank", "score"]], [], []
    for play in plays:
        best = {"win": 1, "draw": 1, "loss": 2, "unknown": 0}
        play = replace(play, shown="none", length=None, level=game.only_level or "")
        if not game.rivals:  # the ranks of people who play together tell nothing
            play = replace(play, seats=[replace(seat, result="unknown") for seat in play.seats])
        for seat in play.seats:
            lines.append(
                [
                    str(play.number),
                    game.title,
                    str(play.day),
                    seat.name,
                    str(best[seat.result] or ""),
                    f"{seat.score:g}",
                ]
            )
            players = len(play.seats) if len(play.seats) > 1 else None
            rows.append(
                _row(len(lines), game, play)
                | {
                    "player": seat.name,
                    "players": players,
                    "level": game.only_level,
                    "result": seat.result,
                    "score": seat.score,
                }
            )
        counted.append(play)
    return Written(
        "Board Game Arena",
        "log.csv",
        csv_bytes(lines, ",", "utf-8", luck),
        game,
        "",
        None,
        rows,
        {},
        Counter(),
        counted,
    )


def together(plays: list[Play], game: GameWords, luck: random.Random) -> Written:
    """A row a play, with everybody in one cell; of rivals a column says who won."""
    lines = [["Date", "Level", "Players", "Player", "Winner" if game.rivals else "Result", "Score"]]
    rows = []
    counted = []
    for play in plays:
        names = luck.choice((", ", " & ", "; ", " and ", "\n")).join(seat.name for seat in play.seats)
        won = [seat.name for seat in play.seats if seat.result == "win"]
        ends = (
            {"draw": "tie", "loss": "nobody", "unknown": ""}.get(play.seats[0].result, "")
            if not won
            else ", ".join(won)
        )
        play = replace(play, shown="none", length=None)
        if not game.rivals:
            ends = result_cell(play.seats[0].result, luck)[0]
        lines.append(
            [
                str(play.day),
                play.level,
                str(len(play.seats)),
                names,
                ends,
                "" if game.rivals else f"{play.seats[0].score:g}",
            ]
        )
        for seat in play.seats:
            score = None if game.rivals else seat.score
            rows.append(
                _row(len(lines), game, play)
                | {"player": seat.name, "level": play.level, "result": seat.result, "score": score}
            )
        counted.append(
            replace(play, seats=[replace(seat, score=None if game.rivals else seat.score) for seat in play.seats])
        )
    return Written(
        "several in a cell",
        "log.csv",
        csv_bytes(lines, "\t", "utf-8", luck),
        game,
        "",
        None,
        rows,
        {},
        Counter(),
        counted,
    )


# ---------------------------------------------------------------- exports


def bg_stats(plays: list[Play], game: GameWords, luck: random.Random) -> Written:
    """BGStatsExport.json: scores as texts, 0 for what nobody wrote down, winners ticked or left to the score."""
    people = {name: number for number, name in enumerate(NAMES, 1)}
    rows, aside, unread, counted, out = [], {}, Counter[str](), [], []
    wins = luck.choice((True, False, None))
    for number, play in enumerate(plays, 1):
        if play.shown == "winner" and play.result == "0":
            play = replace(play, shown="none")
        ignored, app = luck.random() < 0.05, luck.choice(("startPosition", "seatOrder"))
        ticked = not (game.rivals and wins is not None) or luck.random() < 0.6
        ends = {seat.name: seat.result for seat in play.seats}
        scores = {
            seat.name: blank(luck) if luck.random() < 0.1 else score_cell(seat.score, ".", False, luck)
            for seat in play.seats
        }
        scores = {name: ("" if read is None else text, read) for name, (text, read) in scores.items()}
        if not ticked:
            ends = by_best(scores, wins)
        elif not any(end in ("win", "draw") for end in ends.values()):
            alone = not game.rivals
            said = any(text for text, _ in scores.values())
            ends = by_best(scores, wins) if not alone else dict.fromkeys(ends, "loss" if said else "unknown")
        minutes, rounds, level = (luck.choice((value, value, 0)) for value in (play.minutes, play.length, play.level))
        persons, read = [], []
        for seat in luck.sample(play.seats, len(play.seats)):
            place, begins = noted(play, seat)
            persons.append(
                {
                    "playerRefId": people[seat.name],
                    "score": scores[seat.name][0],
                    "winner": ticked and seat.result in ("win", "draw"),
                    "newPlayer": seat.first,
                    "startPlayer": bool(begins),
                    "rank": 0,
                    "seatOrder": 0,
                    app: place or 0,
                }
            )
            read.append(
                _row(number, game, play)
                | {
                    "edition": None,
                    "level": (level or game.only_level),
                    "minutes": minutes or None,
                    "turns": rounds or None,
                    "turns unit": "round" if rounds else None,
                    "player": seat.name,
                    "seat": place,
                    "result": ends[seat.name],
                    "score": None if scores[seat.name][1] is UNREAD else scores[seat.name][1],
                    "first play": seat.first,
                    "start player": begins,
                }
            )
            unread.update(["score"] if scores[seat.name][1] is UNREAD else [])
        luck.shuffle(persons)
        out.append(
            {
                "uuid": f"u{play.number}",
                "playDate": f"{play.day} 20:00:00",
                "durationMin": minutes,
                "rounds": rounds,
                "gameRefId": 1,
                "board": level or "",
                "ignored": ignored,
                "usesTeams": False,
                "playerScores": persons,
            }
        )
        if ignored:
            aside[number] = "ignored"
        else:
            rows += read
            counted.append(
                replace(
                    as_read(play, read),
                    seats=[
                        replace(
                            seat,
                            result=ends[seat.name],
                            score=read[[row["player"] for row in read].index(seat.name)]["score"],
                        )
                        for seat in play.seats
                    ],
                )
            )
    about = {"id": 1, "name": game.title, "cooperative": not game.rivals} | (
        {} if wins is None else {"highestWins": wins}
    )
    data = {
        "games": [about],
        "players": [{"id": number, "name": name} for name, number in people.items()],
        "plays": out,
    }
    return Written(
        "BG Stats", "log.json", json.dumps(data).encode(), game, game.name, None, rows, aside, unread, counted
    )


def by_best(scores: dict[str, Cell], wins: bool | None) -> dict[str, str]:
    """Who wins by score, where every score can be read and the app says which is best."""
    values = {name: read for name, (_, read) in scores.items()}
    if wins is None or None in values.values() or UNREAD in values.values() or len(values) < 2:
        return dict.fromkeys(scores, "unknown")
    best = (max if wins else min)(values.values())
    first = [name for name, value in values.items() if value == best]
    return {name: ("win" if len(first) == 1 else "draw") if name in first else "loss" for name in scores}


def bgg(plays: list[Play], game: GameWords, luck: random.Random) -> Written:
    """Plays of BoardGameGeek as XML."""
    rows, aside, unread, counted, out = [], {}, Counter[str](), [], []
    for number, play in enumerate(plays, 1):
        bundle, minutes = luck.random() < 0.05, luck.choice((play.minutes, 0))
        persons, read, shown = [], [], luck.choice((play.shown, "none")) if play.shown != "first" else "none"
        play = replace(play, shown=shown)
        ends = {seat.name: seat.result for seat in play.seats}
        scores = {
            seat.name: score_cell(seat.score, ".", False, luck) if luck.random() < 0.8 else ("", None)
            for seat in play.seats
        }
        if not any(end in ("win", "draw") for end in ends.values()) and not game.rivals:
            ends = dict.fromkeys(ends, "loss" if any(text for text, _ in scores.values()) else "unknown")
        elif "loss" in ends.values() and "win" not in ends.values():
            ends = dict.fromkeys(ends, "unknown")
        for seat in play.seats:
            place, _ = noted(play, seat)
            text, score = scores[seat.name]
            attributes = {
                "name": seat.name,
                "username": "",
                "startposition": str(place or ""),
                "score": text,
                "new": str(int(seat.first)),
                "win": str(int(seat.result in ("win", "draw"))),
            }
            persons.append(
                "<player " + " ".join(f"{key}={quoteattr(value)}" for key, value in attributes.items()) + "/>"
            )
            unread.update(["score"] if score is UNREAD else [])
            read.append(
                _row(number, game, play)
                | {
                    "level": game.only_level,
                    "minutes": minutes or None,
                    "player": seat.name,
                    "seat": place,
                    "result": ends[seat.name],
                    "score": None if score is UNREAD else score,
                    "first play": seat.first,
                }
            )
        out.append(
            f'<play id="{play.number}" date="{play.day}" quantity="{2 if bundle else 1}" length="{minutes}"><item name={quoteattr(game.title)}/><players>{"".join(persons)}</players></play>'
        )
        if bundle:
            aside[number] = "2 plays in one record"
        else:
            rows += read
            counted.append(
                replace(
                    as_read(play, read),
                    seats=[
                        replace(seat, result=ends[seat.name], score=read[at]["score"])
                        for at, seat in enumerate(play.seats)
                    ],
                )
            )
    data = f'<?xml version="1.0" encoding="utf-8"?><plays total="{len(plays)}">{"".join(out)}</plays>'
    return Written("BoardGameGeek", "log.xml", data.encode(), game, game.name, None, rows, aside, unread, counted)


# ---------------------------------------------------------------- one log


def drawn(seed: int) -> Iterator[Written]:
    """A true log in every format."""
    luck = random.Random(seed)
    named = luck.choice(GAMES)
    game = words_of(named)
    plays = true_plays(game, luck)
    for write in (form, mapped, winners, arena, together, bg_stats, bgg, in_excel):
        written = write(plays, game, luck)
        yield replace(written, named=named, option=None if written.option is None else named)
