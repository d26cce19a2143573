"""A sheet of plays, one row a play or one row a player, read by a mapping."""

import re
from collections.abc import Iterable, Iterator
from itertools import zip_longest
from typing import Any

from bartizan.analyses.people import cells
from bartizan.analyses.people.about import GameWords
from bartizan.analyses.people.drafts import ANOTHER_GAME, CONTENT, NAME, SHOWN, Draft, Drafts, How
from bartizan.analyses.people.log import RATINGS
from bartizan.analyses.people.mapping import AT_THE_END
from bartizan.analyses.people.sheet import Sheet
from bartizan.analyses.people.vocabulary import BLANK, NOBODY, RESULT, words
from bartizan.simcore.errors import UsageError, did_you_mean

BETWEEN = re.compile(r"\s*(?:[,;/&+\n]|\band\b|\bund\b)\s*")  # names of several winners
# the same for all of a play
ALIKE = ("game", "edition", "level", "date", "minutes", "rounds", "ending", "stated")
SUM = re.compile(r"\d+(?:\s*\+\s*\d+)+")


def read(sheet: Sheet, how: How) -> Drafts:
    """Every row of the sheet as drafts. UsageError where the mapping names headings that are not there."""
    for field, headings in how.mapping.columns.items():
        for heading in headings:
            if heading not in sheet.headings:
                raise UsageError(
                    f'{sheet.name}: no column "{heading}", which the mapping has for {field}'
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
        self.names = self.drafts.names = {words(name) for name in self._column("player")} - BLANK
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
            play = self._said("play")
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

    def _said(self, field: str, seat: int = 0) -> str:
        """The cell of a field in this row; "" where there is none. seat: from 0."""
        headings = self.mapping.columns.get(field)
        return self.cells[headings[min(seat, len(headings) - 1)]].strip() if headings else ""

    def _text(self, field: str, seat: int = 0) -> str | None:
        text = self._said(field, seat)
        if cells.is_blank(text):
            return None
        meant = self.mapping.means(field, text)
        return text if meant in (None, "unknown") else meant

    # ------------------------------------------------------------ a row

    def _record(self, number: int, content: str) -> Iterator[Draft]:
        """The seats of a row."""
        game, of_play = self._of_play()
        taken = [seat for seat in range(self.seats) if self.seats == 1 or self._is_taken(seat)] or [0]
        for seat in taken:
            base = {"kept": True, "row": number, CONTENT: content, **of_play}
            of_seat = self._of_seat(seat, game)
            if not base["kept"]:  # the play's reason goes before a seat's
                of_seat = {column: of_seat[column] for column in of_seat if column not in ("kept", "reason")}
            yield base | of_seat

    def _is_taken(self, seat: int) -> bool:
        """Does a field with a heading a seat say anything of this one?"""
        several = [field for field, headings in self.mapping.columns.items() if len(headings) > 1]
        return any(not cells.is_blank(self._said(field, seat)) for field in several)

    def _of_play(self) -> tuple[GameWords | None, Draft]:
        game, columns = self.how.game(self._said("game"))
        columns |= self.how.level(self._said("level"), game, self.drafts)
        if variant := self._text("variant"):
            columns["variant_text"] = variant
        if not self._said("game") and "game" in self.mapping.columns and self._said("play"):
            columns["game"] = None  # as the first row of the play says
        play = self._said("play")
        columns |= {
            "source_id": play if play.isdigit() else None,
            "date": self._read("date", cells.day, self.order),
            "edition": self._text("edition") or self.mapping.playtest.edition or None,
            "stated": self._read("players", cells.whole, self.decimal),
            "minutes": self._read("minutes", cells.minutes, self.decimal),
            "rounds": self._read("turns", cells.whole, self.decimal),
            "ending": self._text("ending"),
            "winner": self._said("winner"),
        }
        return game, columns

    def _read(self, field: str, reader: Any, *how: Any, seat: int = 0) -> Any:
        return self.drafts.cell(field, self._said(field, seat), reader, *how)

    def _of_seat(self, seat: int, game: GameWords | None) -> Draft:
        name = self._said("player", seat)
        columns = {
            NAME: None if cells.is_blank(name) else name,
            "seat": self._read("seat", cells.whole, self.decimal, seat=seat),
            "role": self.how.role(self._said("role", seat), game),
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
        text = self._said("score", seat)
        if cells.is_blank(text):
            return {}
        if SUM.fullmatch(text):  # of a sheet's "3-1" nobody can say whether it is a difference
            return {"score": cells.arithmetic(text), "score_text": text}
        return {"score": self.drafts.cell("score", text, cells.number, self.decimal), "score_text": text}

    def _result(self, seat: int) -> Draft:
        text = self._said("result", seat)
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
        if plain in NOBODY:
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
