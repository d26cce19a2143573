"""Exports of apps: plays of BoardGameGeek (XML) and of BG Stats (JSON).

The fields of BG Stats follow exports of versions 4.6 to 6.14. A value of 0 in startPosition, seatOrder, rank,
rounds or durationMin means that it was not recorded. Keys may be missing. metaData is JSON within a string.
"""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from xml.etree.ElementTree import Element
from xml.parsers import expat

from bartizan.analyses.people import cells
from bartizan.analyses.people.cells import words
from bartizan.analyses.people.drafts import CONTENT, NAME, Draft, Drafts, How
from bartizan.analyses.people.log import GameWords
from bartizan.simcore import safe_xml, strict_json
from bartizan.simcore.errors import UsageError, unreadable

# -------------------------------- BoardGameGeek's XML API 2 (/xmlapi2/plays), from a file that the user saved

BGG = "not plays of BoardGameGeek"
# root elements of error pages that the site sends instead of plays
ERRORS = ("div", "html", "error", "errors", "message")


def read_bgg(path: Path, how: How) -> Drafts:
    """Read plays of BoardGameGeek. Raises UsageError for other files, and for the site's error pages."""
    root = _tree(path)
    if root.tag != "plays":
        message = " ".join("".join(root.itertext()).split())[:100] if root.tag in ERRORS else ""
        raise UsageError(
            f"{path}: {BGG}: its XML is <{root.tag[:30]}>{f', which says: {message}' if message else ''}; "
            "download the plays from the site again"
        )
    names = {person.get(key, "") for person in root.iter("player") for key in ("name", "username")}
    drafts = Drafts(path.name, "bgg", "play", names=frozenset(map(words, names)) - cells.BLANK)
    for number, play in enumerate(root.iter("play"), 1):
        drafts.records, drafts.at = number, number
        drafts.rows += _bgg_play(number, play, how, drafts)
    total = root.get("total", "")
    if total.isdecimal() and int(total[:9]) > drafts.records:
        drafts.notes.append(
            f"{drafts.records} of {int(total[:9])} plays: BoardGameGeek lists 100 per page; save the other "
            "pages too"
        )
    return drafts


def _tree(path: Path) -> Element:
    """Return the root element of an XML file. Raises UsageError for invalid XML and for a DOCTYPE."""
    try:
        return safe_xml.tree_of(path.read_bytes())
    except safe_xml.DocumentTypeError as error:
        raise UsageError(f"{path}: {BGG}: the file has a DOCTYPE; download it from the site again") from error
    except (expat.ExpatError, ValueError, AssertionError, LookupError) as error:
        raise UsageError(f"{path}: {BGG}: invalid XML: {error}; download it from the site again") from error


def _bgg_play(number: int, play: Element, how: How, drafts: Drafts) -> list[Draft]:
    item = play.find("item")
    game, of_play = how.game("" if item is None else item.get("name", ""), drafts)
    drafts.quiet = not of_play.get("kept", True)
    people = list(play.iter("player"))
    decimal = how.mapping.playtest.decimal
    base = {
        "kept": True,
        "row": number,
        "source_id": play.get("id"),
        CONTENT: play.get("id") or f"{number} {sorted(play.items())}",
        "date": drafts.cell("date", play.get("date", ""), cells.day),
        "edition": how.mapping.playtest.edition or None,
        "minutes": drafts.cell("minutes", play.get("length", ""), cells.minutes, decimal),
        "players": len(people) or None,
        **of_play,
        **how.level("", game, drafts),
    }
    if reason := _reason(play):
        base |= {"kept": False, "reason": base.get("reason") or reason}
    if not people:
        return [base | {"result": "unknown"}]
    won = [{"1": True, "0": False}.get(person.get("win", "").strip()) for person in people]
    rows = [base | _of_seat(person, game, how, drafts) for person in people]
    how.settle(rows, game.together if game else None, drafts, won)
    return rows


def _reason(play: Element) -> str:
    """Return the reason why a play does not count; "" if it counts."""
    quantity = play.get("quantity", "1").strip()
    if play.get("incomplete") == "1":
        return "incomplete on BoardGameGeek"
    if play.get("nowinstats") == "1":
        return "kept out of win statistics on BoardGameGeek"
    if quantity != "1":
        return f"{quantity[:9]} plays in one record, which has only one result"
    return ""


def _of_seat(person: Element, game: Any, how: How, drafts: Drafts) -> Draft:
    """Return the columns of a player's seat. `color` may be a side or a place in turn order."""
    name, score, place = (person.get(key, "").strip() for key in ("name", "score", "startposition"))
    name = name or person.get("username", "").strip()
    role = how.role(person.get("color", ""), game, drafts)
    seat = drafts.cell("seat", place, cells.whole)
    return {
        NAME: None if cells.is_blank(name) else name,
        **role,
        **({"seat": seat} if seat else {}),
        **drafts.score(score, how.mapping.playtest.decimal, how.mapping.playtest.minus),
        "first_play": {"1": True, "0": False}.get(person.get("new", "").strip()),
    }


# ------------------------------------ BG Stats: BGStatsExport.json contains all plays, a .bgsplay file one

WINS: dict[bool | None, str] = {True: "highest", False: "lowest"}  # by highestWins
NPC = "not a person: a player that the app marks as NPC"
BG_STATS = "not an export of BG Stats"


def read_bgstats(path: Path, how: How) -> Drafts:
    """Read plays of BG Stats. Raises UsageError for other files."""
    data = _data(path)
    names = {_text(row.get("name")) for row in _by_id(data.get("players")).values()}
    drafts = Drafts(path.name, "bgstats", "play", names=frozenset(map(words, names)) - cells.BLANK)
    reader = _Export(data, how, drafts)
    for number, play in enumerate(data["plays"], 1):
        drafts.records, drafts.at = number, number
        if isinstance(play, dict):
            drafts.rows += reader.play(number, play)
        else:
            drafts.aside(number, "not a play", content=f"{number} {play}")
    return drafts


def _data(path: Path) -> dict[str, Any]:
    """Return the export as a dict. `plays` is a list, also for a .bgsplay file.

    Raises UsageError for invalid JSON and for other content.
    """
    try:
        data = strict_json.loads(path.read_bytes().decode("utf-8-sig"))
    except (ValueError, RecursionError) as error:
        raise UsageError(
            f"{path}: {BG_STATS}: invalid JSON: {unreadable(error)}; export it from the app again"
        ) from error
    if not isinstance(data, dict):
        raise UsageError(f"{path}: {BG_STATS}: the JSON must be an object; export it from the app again")
    plays = data.get("plays", [data["play"]] if "play" in data else None)
    if not isinstance(plays, list):
        raise UsageError(
            f'{path}: {BG_STATS}: contains no list "plays"; export it with Settings, Backup & export in '
            "the app"
        )
    return {**data, "plays": plays}


class _Export:
    """Reader of the plays of an export, which refer to games and players by id."""

    def __init__(self, data: dict[str, Any], how: How, drafts: Drafts):
        self.how, self.drafts = how, drafts
        self.games, self.players = _by_id(data.get("games")), _by_id(data.get("players"))
        deleted = _listed(data.get("deletedObjects"))
        self.deleted = {_text(row.get("uuid")) for row in deleted if isinstance(row, dict)}

    def play(self, number: int, play: dict[str, Any]) -> list[Draft]:
        uuid, about = _text(play.get("uuid")), self.games.get(_text(play.get("gameRefId")), {})
        scores = [person for person in _listed(play.get("playerScores")) if isinstance(person, dict)]
        people = [person for person in scores if not self._is_npc(person)]
        game, of_play = self._of_play(play, about)
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
        rows = self._seats(base, people, game)
        if not rows:
            rows = [base | {"result": "unknown"}]
        else:
            won = [_flag(person.get("winner")) for person in people]
            silent = len(people) < len(scores) or _flag(about.get("noPoints"))
            highest = _flag(about.get("highestWins"))
            wins = "" if silent or highest is None else WINS.get(highest, "")
            teams = bool(_flag(play.get("usesTeams")))
            self.how.settle(rows, _together(about, game), self.drafts, won, teams, wins)
        aside = {"result": "unknown", "kept": False, "reason": base.get("reason") or NPC}
        return [*rows, *(base | aside for _ in range(len(scores) - len(people)))]

    def _seats(self, base: Draft, people: list[dict[str, Any]], game: GameWords | None) -> list[Draft]:
        """Return the seats of a play.

        Places in turn order come from startPosition, or from seatOrder if no player has a startPosition.
        """
        started = any(_flag(person.get("startPlayer")) for person in people)
        positions = [self._whole("seat", person.get("startPosition")) for person in people]
        if not any(positions):
            positions = [self._whole("seat", person.get("seatOrder")) for person in people]
        return [
            base | self._of_seat(person, place, game, started)
            for person, place in zip(people, positions, strict=True)
        ]

    def _reason(self, play: dict[str, Any], about: dict[str, Any], uuid: str) -> str:
        if _flag(play.get("ignored")):
            return "ignored in BG Stats"
        if uuid and uuid in self.deleted:
            return "deleted in BG Stats"
        return "" if about else "its game is not in the file"

    def _of_play(self, play: dict[str, Any], about: dict[str, Any]) -> tuple[GameWords | None, Draft]:
        name = _text(about.get("name")) or _text(about.get("bggName"))
        game, columns = self.how.game(name, self.drafts)
        self.drafts.quiet = not columns.get("kept", True)
        board = _text(play.get("board")).strip()
        columns |= self._level(board, game)
        columns |= {
            "date": self._day(play),
            "edition": self.how.mapping.playtest.edition or None,
            "minutes": self.drafts.cell("minutes", _exact(play.get("durationMin")), cells.minutes, "."),
            "rounds": (rounds := self._whole("turns", play.get("rounds"))),
            "rounds_unit": "round" if rounds else None,
        }
        return game, columns

    def _level(self, board: str, game: GameWords | None) -> Draft:
        """Return a level if the free text for the board names one; otherwise keep the text as a variant."""
        meant = self.how.mapping.means("level", board) or board
        if game and game.level_of(meant):
            return self.how.level(board, game, self.drafts)
        return self.how.level("", game, self.drafts) | {"variant_text": self.drafts.free(board) or None}

    def _day(self, play: dict[str, Any]) -> Any:
        text = _text(play.get("playDate"))
        number = _text(play.get("playDateYmd"))
        if not text and number.isascii() and number.isdecimal() and len(number) == 8:
            text = number
            text = f"{text[:4]}-{text[4:6]}-{text[6:]}"
        return self.drafts.cell("date", text, cells.day)

    def _of_seat(
        self, person: dict[str, Any], place: int | None, game: GameWords | None, started: bool
    ) -> Draft:
        who = self._who(person)
        name = "" if _flag(who.get("isAnonymous")) else _text(who.get("name"))
        role, score = self.how.role(_text(person.get("role")), game, self.drafts), person.get("score")
        conventions = self.how.mapping.playtest
        decimal = "." if isinstance(score, (int, float)) else conventions.decimal
        return {
            NAME: None if cells.is_blank(name) else name,
            **role,
            **({"seat": place} if place else {}),
            **self.drafts.score(_exact(score).strip(), decimal, conventions.minus),
            "rank": self._whole("rank", person.get("rank")),
            "first_play": _flag(person.get("newPlayer")),
            "start_player": _flag(person.get("startPlayer")) if started else None,
            "team": self.drafts.free(_text(person.get("team")).strip()) or None,
        }

    def _whole(self, column: str, value: Any) -> int | None:
        return self.drafts.cell(column, _exact(value), cells.whole, ".")

    def _who(self, person: dict[str, Any]) -> dict[str, Any]:
        return self.players.get(_text(person.get("playerRefId")), {})

    def _is_npc(self, person: dict[str, Any]) -> bool:
        details = self._who(person).get("metaData")
        try:
            details = strict_json.loads(details) if isinstance(details, str) else details
        except (ValueError, RecursionError):
            return False
        return isinstance(details, Mapping) and bool(_flag(details.get("isNpc")))


def _together(about: dict[str, Any], game: GameWords | None) -> bool | None:
    """Return whether the players are one side against the game; None if this is unknown.

    The app's mark takes precedence. Returns None if the app says that a cooperative game is not cooperative.
    """
    flag, usual = _flag(about.get("cooperative")), game.together if game else None
    return usual if flag is None else None if usual and not flag else flag


def _by_id(table: Any) -> dict[str, dict[str, Any]]:
    return {_text(row.get("id")): row for row in _listed(table) if isinstance(row, dict)}


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _text(value: Any) -> str:
    return value if isinstance(value, str) else str(value) if isinstance(value, (int, float)) else ""


def _exact(value: Any) -> str:
    """Return a JSON number as text without an exponent, with at most six decimals."""
    if isinstance(value, float) and value == value and abs(value) < cells.MOST:
        return f"{value:f}".rstrip("0").rstrip(".")
    return _text(value)


def _flag(value: Any) -> bool | None:
    return {"true": True, "1": True, "false": False, "0": False}.get(_text(value).strip().casefold())
