"""Exports of the BG Stats app: BGStatsExport.json holds everything, a .bgsplay file one play.

Fields as in exports of versions 4.6 to 6.14. 0 in seatOrder, rank, rounds and durationMin says that nobody
wrote it down; keys may be missing; metaData is JSON within a string.
"""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from bartizan.analyses.people import cells
from bartizan.analyses.people.about import GameWords
from bartizan.analyses.people.drafts import CONTENT, NAME, Draft, Drafts, How, results
from bartizan.simcore.errors import UsageError

NPC = "not a person: a player that the app marks as NPC"
WHAT = "not an export of BG Stats"


def read(path: Path, how: How) -> Drafts:
    """Raises UsageError for a file that is none."""
    data = _data(path)
    drafts = Drafts(path.name, "bgstats", "play")
    reader = _Export(data, how, drafts)
    for number, play in enumerate(_plays(path, data), 1):
        drafts.records += 1
        if isinstance(play, dict):
            drafts.rows += reader.play(number, play)
        else:
            drafts.aside(number, "not a play", content=f"{number} {play}")
    return drafts


def _data(path: Path) -> dict:
    try:
        data = json.loads(path.read_bytes().decode("utf-8-sig"))
    except (ValueError, RecursionError) as error:
        raise UsageError(f"{path}: {WHAT}: no JSON: {error}") from error
    if not isinstance(data, dict):
        raise UsageError(f"{path}: {WHAT}: its JSON is no object")
    return data


def _plays(path: Path, data: dict) -> list:
    plays = data.get("plays", [data["play"]] if "play" in data else None)
    if not isinstance(plays, list):
        raise UsageError(f'{path}: {WHAT}: no list "plays" in it (in the app: Settings, Backup & export)')
    return plays


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
        if not people:
            yield base | {"result": "unknown"}
        won = [_flag(person.get("winner")) for person in people]
        scored = [not cells.is_blank(_text(person.get("score"))) for person in people]
        ends = results(won, scored, _together(about, game), teams, self.how.mapping.playtest.untouched_means)
        if base["kept"]:
            self.drafts.losses(won, ends)
        started = any(_flag(person.get("startPlayer")) for person in people)
        for person, result in zip(people, ends, strict=True):
            yield base | self._of_seat(person, game, started) | {"result": result}
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
        who, text = self._who(person), _text(person.get("score")).strip()
        name = "" if _flag(who.get("isAnonymous")) else _text(who.get("name"))
        blank = cells.is_blank(text)
        return {
            NAME: None if cells.is_blank(name) else name,
            "seat": _counted(person.get("seatOrder")),
            "role": self.how.role(_text(person.get("role")), game),
            "score": None if blank else self.drafts.cell("score", text, cells.arithmetic),
            "score_text": None if blank else text,
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
