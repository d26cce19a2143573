"""Files of plays and their readers: a sheet, an export of BG Stats, or plays of BoardGameGeek.

A reader gives a row a seat before names are hashed, with the row or play of the file it is from. Fields of BG
Stats are those in exports of versions 4.6 to 6.14. 0 in seatOrder, rank, rounds and durationMin says that
nobody wrote it down; keys may be missing; metaData is JSON within a string.
"""

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import zip_longest
from pathlib import Path
from typing import Any
from xml.etree.ElementTree import Element, TreeBuilder
from xml.parsers import expat

from bartizan.analyses.people import cells
from bartizan.analyses.people.cells import RESULT, Sheet, UnreadCell, read_sheet, words
from bartizan.analyses.people.log import RATINGS, GameWords, KnownGames
from bartizan.analyses.people.mapping import AT_THE_END, PlayMapping, own_headings
from bartizan.simcore.errors import UsageError, did_you_mean

# ---------------------------------------------------------------- drafts: what a file says

NAME, CONTENT = "name", "content"  # of a draft, never of the log: who played; what tells the play from others
ANOTHER_GAME = "another game"
SHOWN = 40  # letters of a cell that is named
Draft = dict[str, Any]


@dataclass
class Drafts:
    """What was read. A record is a row of a sheet, or a play of an export."""

    file: str
    kind: str  # "sheet", "bgstats", "bgg"
    unit: str = "row"  # what a record is called
    records: int = 0
    rows: list[Draft] = field(default_factory=list)
    unread: dict[tuple[str, str], list[str]] = field(default_factory=dict)  # (column, why) -> cells
    notes: list[str] = field(default_factory=list)
    names: set[str] = field(default_factory=set)  # of players, in small letters: never shown
    unticked: int = 0  # results that are losses because nobody was ticked as winner
    quiet: bool = False  # a play of another game is being read: what it leaves out is not noted

    def cell(self, column: str, text: str, read: Callable, *how: Any) -> Any:
        """What a cell says; None, and noted, where it cannot be read."""
        try:
            return read(text, *how)
        except UnreadCell as why:
            return self.note(column, str(why), text)

    def note(self, column: str, why: str, text: str) -> None:
        """A cell that is left out."""
        if not self.quiet:
            shown = "" if words(text) in self.names else text.strip()[:SHOWN]
            self.unread.setdefault((column, why), []).append(shown)

    def score(self, text: str) -> Draft:
        """Points of an export, which may be written as a sum."""
        if cells.is_blank(text):
            return {}
        return {"score": self.cell("score", text, cells.arithmetic), "score_text": text}

    def losses(self, won: Sequence[bool | None], ends: Sequence[str]) -> None:
        """Count losses that rest on a tick that was not made; they are said."""
        if not any(won) and not self.quiet:
            self.unticked += sum(result == "loss" for result in ends)

    def aside(self, row: int, reason: str, **known: Any) -> None:
        self.rows.append({**known, "row": row, "kept": False, "reason": reason})


@dataclass(frozen=True)
class How:
    """How a file is to be read: the game asked for, what its words mean."""

    games: KnownGames
    mapping: PlayMapping

    def game(self, text: str) -> tuple[GameWords | None, Draft]:
        """The game of a play, and its columns. A play of another game than the one asked for is set aside."""
        text = text or self.mapping.playtest.game
        game = self.games.find(text) if text else self.games.asked
        columns: Draft = {"game": game.name if game else text.strip() or None}
        if self.games.asked and game is not self.games.asked:
            columns |= {"kept": False, "reason": ANOTHER_GAME}
        return game, columns

    def level(self, text: str, game: GameWords | None, drafts: Drafts) -> Draft:
        """The level, where the game has one of that name; otherwise the text as it is, for a variant."""
        text = text or self.mapping.playtest.level
        if cells.is_blank(text):
            return {"level": game.only_level if game else None}
        meant = self.mapping.means("level", text)
        if meant == "unknown":
            return {"variant_text": text.strip()}
        level = game.level_of(meant or text) if game else (meant or text).strip()
        if level is None and game:
            why = f"no level of {game.name}, which has {', '.join(game.levels)}; kept as a variant"
            drafts.note("level", why, text)
            named = words(text) in drafts.names  # a column of names, taken for levels
            return {"level": game.only_level, "variant_text": None if named else text.strip()}
        return {"level": level}

    def role(self, text: str, game: GameWords | None) -> str | None:
        if cells.is_blank(text):
            return None
        meant = self.mapping.means("role", text)
        if meant == "unknown":
            return None
        return (game.role_of(meant or text) if game else None) or (meant or text).strip()

    def seats(
        self,
        play: Draft,
        seats: Sequence[Draft],
        won: Sequence[bool | None],
        together: bool | None,
        teams: bool,
        drafts: Drafts,
    ) -> Iterator[Draft]:
        """The rows of a play whose winners are ticked; one of unknown result where nobody is listed."""
        if not seats:
            yield play | {"result": "unknown"}
        scored = ["score_text" in seat for seat in seats]
        ends = results(won, scored, together, teams, self.mapping.playtest.untouched_means)
        if play["kept"]:
            drafts.losses(won, ends)
        yield from (play | seat | {"result": result} for seat, result in zip(seats, ends, strict=True))


def results(
    won: Sequence[bool | None], scored: Iterable[bool], together: bool | None, teams: bool, untouched: str
) -> list[str]:
    """The result of each seat of a play whose winners are ticked.

    together: is it one side against the game? None: nobody knows. Everybody ticked where all play for
    themselves is a draw. Nobody ticked: alone, or together, it is a loss where a score was written down or
    `untouched` says so; else unknown.
    """
    if any(won):
        if all(won) and len(won) > 1 and together is False and not teams:
            return ["draw"] * len(won)
        return ["unknown" if one is None else "win" if one else "loss" for one in won]
    alone = together is True or len(won) == 1
    lost = alone and all(one is False for one in won) and (untouched == "loss" or any(scored))
    return ["loss" if lost else "unknown"] * len(won)


# --------------------------------------------- a sheet, one row a play or one row a player, read by a mapping

BETWEEN = re.compile(r"\s*(?:[,;/&+\n]|\band\b|\bund\b)\s*")  # names of several winners
# the same for all of a play
ALIKE = ("game", "edition", "level", "date", "minutes", "rounds", "ending", "stated")
SUM = re.compile(r"\d+(?:\s*\+\s*\d+)+")


def read_table(sheet: Sheet, how: How) -> Drafts:
    """Every row of the sheet as drafts. UsageError where the mapping names headings that are not there."""
    for column, headings in how.mapping.columns.items():
        for heading in headings:
            if heading not in sheet.headings:
                raise UsageError(
                    f'{sheet.name}: no column "{heading}", which the mapping has for {column}'
                    f"{did_you_mean(heading, sheet.headings)}"
                )
    return _Reader(sheet, how).read()


class _Reader:
    """One sheet on its way to drafts."""

    def __init__(self, sheet: Sheet, how: How):
        self.sheet, self.how, self.mapping = sheet, how, how.mapping
        self.drafts = Drafts(sheet.name, "sheet", notes=list(sheet.notes))
        self.decimal = self.mapping.playtest.decimal
        self.order = self.mapping.playtest.dates or cells.order_of(self._column("date"))
        self.names = self.drafts.names = {words(name) for name in self._column("player")} - cells.BLANK
        self.seats = max((len(headings) for headings in self.mapping.columns.values()), default=1)
        self.cells: dict[str, str] = {}  # of the row being read

    def _column(self, field: str) -> list[str]:
        headings = self.mapping.columns.get(field, [])
        return [text for heading in headings for text in self.sheet.column(heading)]

    def read(self) -> Drafts:
        used = {heading for headings in self.mapping.columns.values() for heading in headings}
        if unused := [heading for heading in self.sheet.headings if heading not in used]:
            self.drafts.notes.append(f"columns not read: {', '.join(unused)}")
        if not self.how.games.asked and "game" not in self.mapping.columns:
            self.drafts.notes.append("nobody says which game was played: --game GAME")
        plays: dict[Any, list[Draft]] = {}
        for number, row in self.sheet.rows:
            self.drafts.records += 1
            if fault := self._fault(row):
                self.drafts.aside(number, fault, content=f"{number}\x1f{_joined(row)}")
                continue
            self.cells = dict(zip_longest(self.sheet.headings, row[: len(self.sheet.headings)], fillvalue=""))
            play = self._cell("play")
            key = number if cells.is_blank(play) else words(play)
            plays.setdefault(key, []).extend(self._record(number, _joined(row)))
        for drafts in plays.values():
            self.drafts.rows += self._play(drafts)
        self.drafts.rows.sort(key=lambda draft: draft["row"])
        return self.drafts

    def _fault(self, row: list[str]) -> str:
        """Why a row is no play; "" for one that may be."""
        if all(not cell.strip() for cell in row):
            return "an empty row"
        if any(cell.strip() for cell in row[len(self.sheet.headings) :]):
            return f"{len(row)} cells under {len(self.sheet.headings)} headings"
        if [" ".join(cell.split()) for cell in row[: len(self.sheet.headings)]] == self.sheet.headings:
            return "the headings again"
        return ""

    def _cell(self, field: str, seat: int = 0) -> str:
        """The cell of a field in this row; "" where there is none. seat: from 0."""
        headings = self.mapping.columns.get(field)
        return self.cells[headings[min(seat, len(headings) - 1)]].strip() if headings else ""

    def _text(self, field: str, seat: int = 0) -> str | None:
        text = self._cell(field, seat)
        if cells.is_blank(text):
            return None
        meant = self.mapping.means(field, text)
        return text if meant in (None, "unknown") else meant

    # ------------------------------------------------------------ a row

    def _record(self, number: int, content: str) -> Iterator[Draft]:
        """The seats of a row."""
        game, of_play = self._of_play()
        # fields with a heading a seat: who is named by none of them is not at the table
        several = [field for field, headings in self.mapping.columns.items() if len(headings) > 1]
        taken = [
            seat
            for seat in range(self.seats)
            if self.seats == 1 or any(not cells.is_blank(self._cell(field, seat)) for field in several)
        ]
        for seat in taken or [0]:
            base = {"kept": True, "row": number, CONTENT: content, **of_play}
            of_seat = self._of_seat(seat, game)
            if not base["kept"]:  # the play's reason goes before a seat's
                of_seat = {column: of_seat[column] for column in of_seat if column not in ("kept", "reason")}
            yield base | of_seat

    def _of_play(self) -> tuple[GameWords | None, Draft]:
        game, columns = self.how.game(self._cell("game"))
        columns |= self.how.level(self._cell("level"), game, self.drafts)
        if variant := self._text("variant"):
            columns["variant_text"] = variant
        if not self._cell("game") and "game" in self.mapping.columns and self._cell("play"):
            columns["game"] = None  # as the first row of the play says
        play = self._cell("play")
        columns |= {
            "source_id": play if play.isdigit() else None,
            "date": self._read("date", cells.day, self.order),
            "edition": self._text("edition") or self.mapping.playtest.edition or None,
            "stated": self._read("players", cells.whole, self.decimal),
            "minutes": self._read("minutes", cells.minutes, self.decimal),
            "rounds": self._read("turns", cells.whole, self.decimal),
            "ending": self._text("ending"),
            "winner": self._cell("winner"),
        }
        return game, columns

    def _read(self, field: str, reader: Any, *how: Any, seat: int = 0) -> Any:
        return self.drafts.cell(field, self._cell(field, seat), reader, *how)

    def _of_seat(self, seat: int, game: GameWords | None) -> Draft:
        name = self._cell("player", seat)
        columns = {
            NAME: None if cells.is_blank(name) else name,
            "seat": self._read("seat", cells.whole, self.decimal, seat=seat),
            "role": self.how.role(self._cell("role", seat), game),
            "rank": self._read("rank", cells.whole, self.decimal, seat=seat),
            "first_play": self._read("first_play", cells.yes_or_no, seat=seat),
            "start_player": self._read("start_player", cells.yes_or_no, seat=seat),
            "team": self._text("team", seat),
            "experience": self._text("experience", seat),
        }
        columns |= {field: self._read(field, cells.rating, seat=seat) for field in RATINGS}
        columns |= {field: self._text(field) for field in AT_THE_END}
        return columns | self._score(seat) | self._result(seat)

    def _score(self, seat: int) -> Draft:
        text = self._cell("score", seat)
        if cells.is_blank(text):
            return {}
        if SUM.fullmatch(text):  # of a sheet's "3-1" nobody can say whether it is a difference
            return {"score": cells.arithmetic(text), "score_text": text}
        return {"score": self.drafts.cell("score", text, cells.number, self.decimal), "score_text": text}

    def _result(self, seat: int) -> Draft:
        text = self._cell("result", seat)
        if cells.is_blank(text):
            has_column = "result" in self.mapping.columns
            return {"result": self.mapping.playtest.untouched_means if has_column else "unknown"}
        result = self.mapping.means("result", text) or RESULT.get(words(text).rstrip(".!"))
        if result:
            return {"result": result}
        shown = "somebody's name" if words(text) in self.names else f'"{text[:SHOWN]}"'
        return {
            "result": "unknown",
            "kept": False,
            "reason": f"result {shown}: name it under [values.result]",
        }

    # ------------------------------------------------------------ a play

    def _play(self, drafts: list[Draft]) -> list[Draft]:
        """The seats of one play, held against each other."""
        rows = {draft["row"]: draft[CONTENT] for draft in drafts}
        content, first = "\x1e".join(rows.values()), min(rows)
        reason = _at_odds(drafts)
        shared = {column: _first(draft.get(column) for draft in drafts) for column in (*ALIKE, "winner")}
        players = shared.pop("stated") or (len(drafts) if len(drafts) > 1 else None)
        won = self._winners(shared.pop("winner") or "", drafts)
        for draft, result in zip(drafts, won, strict=True):
            draft |= {CONTENT: content, "first": first}
            if reason:
                draft |= {"kept": False, "reason": draft.get("reason") or reason}
                continue
            draft |= {**shared, "players": players}
            if result and draft["result"] in ("unknown", self.mapping.playtest.untouched_means):
                draft["result"] = result
        return drafts

    def _winners(self, text: str, drafts: list[Draft]) -> list[str | None]:
        """The result of each seat from a cell that names who won; None where it does not tell."""
        plain = words(text)
        if cells.is_blank(text):
            return [None] * len(drafts)
        if plain in cells.NOBODY:
            return ["loss"] * len(drafts)
        if RESULT.get(plain) == "draw":
            return ["draw"] * len(drafts)
        named = {words(name) for name in BETWEEN.split(text)} | {plain}
        won = [bool({words(draft[NAME] or ""), words(draft.get("role") or "")} & named) for draft in drafts]
        if not any(won):
            why = "none of the players or roles of its play"
            self.drafts.unread.setdefault(("winner", why), []).append("")
            return [None] * len(drafts)
        return ["win" if one else "loss" for one in won]


def _joined(row: list[str]) -> str:
    return "\x1f".join(cell.strip() for cell in row).rstrip("\x1f")


def _first(values: Iterable[Any]) -> Any:
    return next((value for value in values if value not in (None, "")), None)


def _at_odds(drafts: list[Draft]) -> str:
    """Why rows cannot be of one play; "" where they can."""
    if any(draft.get("reason") == ANOTHER_GAME for draft in drafts):
        return ANOTHER_GAME
    for column in ALIKE:
        if len({draft.get(column) for draft in drafts} - {None, ""}) > 1:
            return f"rows of one play differ in {'players' if column == 'stated' else column}"
    names = [words(draft[NAME]) for draft in drafts if draft[NAME]]
    if len(set(names)) < len(names):
        return "a player stands twice in one play"
    stated = _first(draft.get("stated") for draft in drafts)
    if stated and stated < len(drafts):
        return f"{len(drafts)} players listed, {stated} stated"
    return ""


# -------------------------------- BoardGameGeek's XML API 2 (/xmlapi2/plays), from a file that the user saved

BGG = "not plays of BoardGameGeek"


def read_bgg(path: Path, how: How) -> Drafts:
    """Raises UsageError for a file that is none, and for the page that BoardGameGeek sends on errors."""
    root = _tree(path)
    if root.tag != "plays":
        message = " ".join("".join(root.itertext()).split())[:100]
        raise UsageError(
            f"{path}: {BGG}: its XML is <{root.tag[:30]}>{f', which says: {message}' if message else ''}"
        )
    drafts = Drafts(path.name, "bgg", "play")
    for number, play in enumerate(root.iter("play"), 1):
        drafts.records += 1
        drafts.rows += _bgg_play(number, play, how, drafts)
    total = root.get("total", "")
    if total.isdigit() and int(total[:9]) > drafts.records:
        drafts.notes.append(
            f"{drafts.records} of {int(total[:9])} plays: BoardGameGeek gives 100 a page; save the others too"
        )
    return drafts


def _tree(path: Path) -> Element:
    """The file as elements; one with a document type is refused: entities, which nobody needs here, could
    fill the memory.
    """
    builder, parser = TreeBuilder(), expat.ParserCreate()
    parser.StartElementHandler, parser.EndElementHandler = builder.start, builder.end
    parser.CharacterDataHandler = builder.data

    def refuse(*_: Any) -> None:
        raise UsageError(
            f"{path}: {BGG}: it declares a document type (DOCTYPE), as no answer of the site does"
        )

    parser.StartDoctypeDeclHandler = refuse
    try:
        parser.Parse(path.read_bytes(), True)
        return builder.close()
    except (expat.ExpatError, ValueError, AssertionError, LookupError) as error:
        raise UsageError(f"{path}: {BGG}: no whole XML: {error}") from error


def _bgg_play(number: int, play: Element, how: How, drafts: Drafts) -> Iterator[Draft]:
    item = play.find("item")
    game, of_play = how.game("" if item is None else item.get("name", ""))
    drafts.quiet = not of_play.get("kept", True)
    people = list(play.iter("player"))
    base = {
        "kept": True,
        "row": number,
        "source_id": play.get("id"),
        CONTENT: play.get("id") or f"{number} {sorted(play.items())}",
        "date": drafts.cell("date", play.get("date", ""), cells.day),
        "edition": how.mapping.playtest.edition or None,
        "minutes": drafts.cell("minutes", play.get("length", ""), cells.minutes),
        "players": len(people) or None,
        **of_play,
        **how.level("", game, drafts),
    }
    if reason := _reason(play):
        base |= {"kept": False, "reason": base.get("reason") or reason}
    won = [{"1": True, "0": False}.get(person.get("win", "").strip()) for person in people]
    seats = [_of_seat(person, game, how, drafts) for person in people]
    yield from how.seats(base, seats, won, game.together if game else None, False, drafts)


def _reason(play: Element) -> str:
    """Why a play does not count; "" for one that does."""
    quantity = play.get("quantity", "1").strip()
    if play.get("incomplete") == "1":
        return "incomplete on BoardGameGeek"
    if play.get("nowinstats") == "1":
        return "kept out of win statistics on BoardGameGeek"
    if quantity != "1":
        return f"{quantity[:9]} plays in one record: one result cannot be that of each"
    return ""


def _of_seat(person: Element, game: Any, how: How, drafts: Drafts) -> Draft:
    """A player. `startposition` and `color` are used for anything: a number is a seat, a side is a role."""
    name, score, place = (person.get(key, "").strip() for key in ("name", "score", "startposition"))
    name = name or person.get("username", "").strip()
    return {
        NAME: None if cells.is_blank(name) else name,
        "seat": int(place) if place.isascii() and place.isdigit() and 0 < int(place[:9]) < 100 else None,
        "role": how.role(person.get("color", ""), game),
        **drafts.score(score),
        "first_play": {"1": True, "0": False}.get(person.get("new", "").strip()),
    }


# ------------------------------------ BG Stats: BGStatsExport.json holds everything, a .bgsplay file one play

NPC = "not a person: a player that the app marks as NPC"
BG_STATS = "not an export of BG Stats"


def read_bgstats(path: Path, how: How) -> Drafts:
    """Raises UsageError for a file that is none."""
    data = _data(path)
    drafts = Drafts(path.name, "bgstats", "play")
    reader = _Export(data, how, drafts)
    for number, play in enumerate(data["plays"], 1):
        drafts.records += 1
        if isinstance(play, dict):
            drafts.rows += reader.play(number, play)
        else:
            drafts.aside(number, "not a play", content=f"{number} {play}")
    return drafts


def _data(path: Path) -> dict:
    """The export; `plays` is a list, of a .bgsplay file too."""
    try:
        data = json.loads(path.read_bytes().decode("utf-8-sig"))
    except (ValueError, RecursionError) as error:
        raise UsageError(f"{path}: {BG_STATS}: no JSON: {error}") from error
    if not isinstance(data, dict):
        raise UsageError(f"{path}: {BG_STATS}: its JSON is no object")
    plays = data.get("plays", [data["play"]] if "play" in data else None)
    if not isinstance(plays, list):
        raise UsageError(f'{path}: {BG_STATS}: no list "plays" in it (in the app: Settings, Backup & export)')
    return {**data, "plays": plays}


class _Export:
    """The tables of an export, by id."""

    def __init__(self, data: dict, how: How, drafts: Drafts):
        self.how, self.drafts = how, drafts
        self.games, self.players = _by_id(data.get("games")), _by_id(data.get("players"))
        deleted = _listed(data.get("deletedObjects"))
        self.deleted = {_text(row.get("uuid")) for row in deleted if isinstance(row, dict)}

    def play(self, number: int, play: dict) -> Iterator[Draft]:
        uuid, about = _text(play.get("uuid")), self.games.get(_text(play.get("gameRefId")), {})
        scores = [person for person in _listed(play.get("playerScores")) if isinstance(person, dict)]
        people = [person for person in scores if not self._is_npc(person)]
        game, of_play = self._of_play(play, about)
        teams = bool(_flag(play.get("usesTeams")))
        base = {
            "kept": True,
            "row": number,
            "source_id": uuid or None,
            CONTENT: uuid or json.dumps(play, sort_keys=True),
            "players": len(people) or None,
            **of_play,
        }
        if reason := self._reason(play, about, uuid):
            base |= {"kept": False, "reason": base.get("reason") or reason}
        won = [_flag(person.get("winner")) for person in people]
        started = any(_flag(person.get("startPlayer")) for person in people)
        seats = [self._of_seat(person, game, started) for person in people]
        yield from self.how.seats(base, seats, won, _together(about, game), teams, self.drafts)
        for _ in range(len(scores) - len(people)):
            yield base | {"result": "unknown", "kept": False, "reason": base.get("reason") or NPC}

    def _reason(self, play: dict, about: dict, uuid: str) -> str:
        if _flag(play.get("ignored")):
            return "ignored in BG Stats"
        if uuid and uuid in self.deleted:
            return "deleted in BG Stats"
        return "" if about else "its game is not in the file"

    def _of_play(self, play: dict, about: dict) -> tuple[GameWords | None, Draft]:
        name = _text(about.get("name")) or _text(about.get("bggName"))
        game, columns = self.how.game(name)
        self.drafts.quiet = not columns.get("kept", True)
        board = _text(play.get("board")).strip()
        columns |= self._level(board, game)
        columns |= {
            "date": self._day(play),
            "edition": self.how.mapping.playtest.edition or None,
            "minutes": _counted(play.get("durationMin")),
            "rounds": _counted(play.get("rounds")),
        }
        return game, columns

    def _level(self, board: str, game: GameWords | None) -> Draft:
        """A board is free text: a level where it names one, else a variant, which is nothing to note."""
        meant = self.how.mapping.means("level", board) or board
        if game and game.level_of(meant):
            return self.how.level(board, game, self.drafts)
        return self.how.level("", game, self.drafts) | {"variant_text": board or None}

    def _day(self, play: dict) -> Any:
        text = _text(play.get("playDate"))
        if not text and (number := _counted(play.get("playDateYmd"))):
            text = f"{number:08d}"
            text = f"{text[:4]}-{text[4:6]}-{text[6:]}"
        return self.drafts.cell("date", text, cells.day)

    def _of_seat(self, person: dict, game: GameWords | None, started: bool) -> Draft:
        who = self._who(person)
        name = "" if _flag(who.get("isAnonymous")) else _text(who.get("name"))
        return {
            NAME: None if cells.is_blank(name) else name,
            "seat": _counted(person.get("seatOrder")),
            "role": self.how.role(_text(person.get("role")), game),
            **self.drafts.score(_text(person.get("score")).strip()),
            "rank": _counted(person.get("rank")),
            "first_play": _flag(person.get("newPlayer")),
            "start_player": _flag(person.get("startPlayer")) if started else None,
            "team": _text(person.get("team")).strip() or None,
        }

    def _who(self, person: dict) -> dict:
        return self.players.get(_text(person.get("playerRefId")), {})

    def _is_npc(self, person: dict) -> bool:
        details = self._who(person).get("metaData")
        try:
            details = json.loads(details) if isinstance(details, str) else details
        except (ValueError, RecursionError):
            return False
        return isinstance(details, Mapping) and bool(_flag(details.get("isNpc")))


def _together(about: dict, game: GameWords | None) -> bool | None:
    """One side against the game? None where the app says no of a game that mostly is, but has other forms."""
    flag, usual = _flag(about.get("cooperative")), game.together if game else None
    return usual if flag is None else None if usual and not flag else flag


def _by_id(table: Any) -> dict[str, dict]:
    return {_text(row.get("id")): row for row in _listed(table) if isinstance(row, dict)}


def _listed(value: Any) -> list:
    return value if isinstance(value, list) else []


def _text(value: Any) -> str:
    return value if isinstance(value, str) else str(value) if isinstance(value, (int, float)) else ""


def _counted(value: Any) -> int | None:
    """A count; 0 and what is none are unknown."""
    text = _text(value).strip()
    return int(text) if text.isascii() and text.isdigit() and 0 < int(text[:18]) <= 10**9 else None


def _flag(value: Any) -> bool | None:
    return {"true": True, "1": True, "false": False, "0": False}.get(_text(value).strip().casefold())


# ---------------------------------------------------------------- which reader a file needs

MOST_BYTES = 200_000_000
MARKUP = ("<?xml", "<plays", "<div", "<html", "<!doctype", "<error")


def read_plays(path: Path, game: str | None, mapping: PlayMapping | None) -> Drafts:
    """What a file says. game: the one asked for; mapping: None for a sheet with the form's headings."""
    known_mapping = mapping or PlayMapping()
    game_asked_for = game or known_mapping.playtest.game or None
    games = KnownGames(game_asked_for, known_mapping.called())
    exports: dict[str, Callable] = {"bgstats": read_bgstats, "bgg": read_bgg}
    kind = kind_of(path)
    if kind in exports:
        return exports[kind](path, How(games, known_mapping))
    sheet = read_sheet(path)
    return read_table(sheet, How(games, mapping or own_headings(str(path), sheet.headings)))


def kind_of(path: Path) -> str:
    """ "sheet", "bgstats" or "bgg", by what stands in the file. UsageError for one that is not to be read."""
    if not path.is_file():
        raise UsageError(f"{path}: {'a folder; name the files in it' if path.is_dir() else 'no such file'}")
    size = path.stat().st_size
    if size == 0 or size > MOST_BYTES:
        raise UsageError(f"{path}: {f'larger than {MOST_BYTES:,} bytes' if size else 'an empty file'}")
    with open(path, "rb") as file:
        start = file.read(200).removeprefix(b"\xef\xbb\xbf").lstrip().decode("latin-1").lower()
    if path.suffix.lower() in (".json", ".bgsplay") or start.startswith("{"):
        return "bgstats"
    return "bgg" if path.suffix.lower() == ".xml" or start.startswith(MARKUP) else "sheet"
