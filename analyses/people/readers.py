"""Files of plays: selection of the reader of a file, and reading of sheets by a mapping.

A reader returns a draft for each seat, with the row or play of the file from which it comes.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from dataclasses import replace
from itertools import zip_longest
from pathlib import Path
from typing import Any, Concatenate

from bartizan.analyses.people import cells
from bartizan.analyses.people.cells import RESULT, UnreadCell, is_harmless, plain_heading, words
from bartizan.analyses.people.drafts import CONTENT, NAME, SHOWN, Args, Draft, Drafts, How, Value
from bartizan.analyses.people.exports import read_bgg, read_bgstats
from bartizan.analyses.people.log import RATINGS, GameWords, KnownGames
from bartizan.analyses.people.mapping import (
    AT_THE_END,
    NUMBERED,
    PlayMapping,
    column_name,
    field_of,
    own_headings,
)
from bartizan.analyses.people.sheet import Sheet, headings_in, read_sheet
from bartizan.analyses.people.table import TWO_STARTS
from bartizan.simcore.errors import UsageError, did_you_mean

# ------------------------------------------- a sheet with one row per play or per player, read with a mapping

# separators between names of people
BETWEEN = re.compile(r"\s*[,;/&+\n]\s*|\s+(?:and|und|et)\s+", re.I)
# columns with one value per play
ALIKE = ("game", "edition", "level", "date", "minutes", "rounds", "ending", "stated", "winner")
CALLED = {"stated": "players"}
# columns whose value several players in one cell cannot share
OF_ONE = ("seat", "rank", "start_player", "first_play")
LABELS = "labels"  # column of a draft but not of the log: names of its seat in the sheet
NO_PLAYER = "none of the players, seats or roles of its play"
MANY_WINNERS = "which of several players is not stated"
Row = tuple[int, Mapping[str, str], str]  # row number in the sheet, heading -> cell, content


def read_table(sheet: Sheet, how: How) -> Drafts:
    """Return the rows of the sheet as drafts; rows that are not plays are set aside.

    Raises UsageError if the mapping names missing headings.
    """
    for column, headings in how.mapping.columns.items():
        for heading in headings:
            if heading not in sheet.headings:
                raise UsageError(
                    f'{sheet.name}: no column "{heading}", which the mapping gives for '
                    f"{column}{did_you_mean(heading, sheet.headings)}"
                )
    return _Reader(sheet, replace(how, mapping=_ticked(sheet, how.mapping))).read()


def _ticked(sheet: Sheet, mapping: PlayMapping) -> PlayMapping:
    """Return the mapping; a column `winner` that contains only ticks becomes the column `result`."""
    columns = dict(mapping.columns)
    (heading, *_) = columns.get("winner", [""])
    texts = {words(text) for text in sheet.column(heading)} - cells.BLANK if heading else set()
    if "result" in columns or not texts or not texts <= cells.YES | cells.NO:
        return mapping
    columns["result"] = columns.pop("winner")
    ticks = {"win": sorted(cells.YES), "loss": sorted(cells.NO)}
    return mapping.model_copy(update={"columns": columns, "values": {**mapping.values, "result": ticks}})


class _Reader:
    """Reads one sheet into drafts."""

    def __init__(self, sheet: Sheet, how: How):
        self.sheet, self.how, self.mapping = sheet, how, how.mapping
        self.decimal = self.mapping.playtest.decimal
        self.order = self.mapping.playtest.dates or cells.order_of(self._column("date"))
        self.drafts = Drafts(sheet.name, "sheet", notes=list(sheet.notes), names=frozenset(self._names()))
        self.seats = max((len(headings) for headings in self.mapping.columns.values()), default=1)
        self.unit = self._unit()
        starts = self._column("start_player")
        # one column for all players of a play, with the name or seat of the player who begins
        self.names_starter = len(self.mapping.columns.get("start_player", ())) == 1 and (
            self.seats > 1 or not any(words(text) in cells.YES | cells.NO for text in starts)
        )
        self.cells: Mapping[str, str] = {}  # cells of the current row
        self.shared: Draft = {}  # values in the current row of fields with one heading

    def _column(self, field: str) -> list[str]:
        headings = self.mapping.columns.get(field, [])
        return [text for heading in headings for text in self.sheet.column(heading)]

    def _names(self) -> Iterable[str]:
        """Yield all names of players, winners and start players, in lower case."""
        for text in self._column("player"):
            yield from {words(text), *map(words, self._people(text))} - cells.BLANK
        for text in (*self._column("winner"), *self._column("start_player")):
            for name in map(words, BETWEEN.split(text)):
                if name not in cells.BLANK | cells.NOBODY | cells.YES | cells.NO and not cells.result_in(
                    name
                ):
                    yield name

    def _people(self, text: str) -> list[str]:
        if cells.is_blank(text):
            return []
        names = BETWEEN.split(text) if self.mapping.playtest.players_in_a_cell == "several" else [text]
        return [name.strip() for name in names if not cells.is_blank(name)]

    def _unit(self) -> str | None:
        """Return the unit of the column `turns`; None if it is the game's unit."""
        headings = self.mapping.columns.get("turns", [])
        return self.mapping.playtest.unit or next(filter(None, map(cells.unit_of_heading, headings)), None)

    def read(self) -> Drafts:
        if unread := self._unread_columns():
            self.drafts.notes.append(f"columns not read: {', '.join(unread)}")
        if not self.how.games.usual and "game" not in self.mapping.columns:
            self.drafts.notes.append("the game is unknown; add --game GAME")
        plays: dict[Any, list[Row]] = {}
        for number, row in self.sheet.rows:
            self.drafts.records += 1
            if fault := self._fault(row):
                self.drafts.aside(number, fault, content=f"{number}\x1f{_joined(row)}")
                continue
            filled = zip_longest(self.sheet.headings, row[: len(self.sheet.headings)], fillvalue="")
            self.cells = {heading: cell.strip() for heading, cell in filled}
            play = self._cell("play")
            key = number if cells.is_blank(play) else words(play)
            plays.setdefault(key, []).append((number, self.cells, _joined(row)))
        for rows in plays.values():
            self.drafts.rows += self._play(rows)
        self.drafts.rows.sort(key=lambda draft: draft["row"])
        self.drafts.notes += self._said()
        return self.drafts

    def _unread_columns(self) -> list[str]:
        """Return the unread columns by heading, or by letter if the heading may name a person."""
        used = {heading for headings in self.mapping.columns.values() for heading in headings}
        return [
            f'"{heading}"'
            if is_harmless(plain_heading(heading), self.drafts.names)
            else column_name(heading, self.sheet, self.drafts.names).removeprefix("column ")
            for heading in self.sheet.headings
            if heading not in used
        ]

    def _said(self) -> Iterable[str]:
        """Yield notes that state inferences from the file, and how to override them."""
        if self.drafts.listed:
            yield (
                f"cells that list several players: {self.drafts.listed} (each player is counted); if "
                'names contain "," or "/", set players_in_a_cell = "one" in the mapping'
            )

    def _fault(self, row: list[str]) -> str:
        """Return the reason why a row is not a play; "" if it may be one."""
        filled = [cell for cell in row if cell.strip()]
        if not filled:
            return "an empty row"
        if any(cell.strip() for cell in row[len(self.sheet.headings) :]):
            return f"{len(row)} cells under {len(self.sheet.headings)} headings"
        if [" ".join(cell.split()) for cell in row[: len(self.sheet.headings)]] == self.sheet.headings:
            return "the headings again"
        if len(filled) > 1 and headings_in(filled) == len(filled):
            return "a second row of headings"
        return ""

    def _cell(self, field: str, seat: int = 0) -> str:
        """Return the cell of a field in this row; "" if there is none. seat: number of the seat, from 0."""
        headings = self.mapping.columns.get(field)
        return self.cells[headings[min(seat, len(headings) - 1)]] if headings else ""

    def _text(self, field: str, seat: int = 0) -> str | None:
        text = self._cell(field, seat)
        if cells.is_blank(text):
            return None
        meant = self.mapping.means(field, text)
        return self.drafts.free(text) if meant in (None, "unknown") else meant

    def _read(
        self,
        field: str,
        seat: int,
        reader: Callable[Concatenate[str, Args], Value | None],
        *args: Args.args,
        **named: Args.kwargs,
    ) -> Value | None:
        if len(self.mapping.columns.get(field, ())) != 1:
            return self.drafts.cell(field, self._cell(field, seat), reader, *args, **named)
        if field not in self.shared:  # one cell for all seats of the row, which is noted once
            self.shared[field] = self.drafts.cell(field, self._cell(field), reader, *args, **named)
        value: Value | None = self.shared[field]
        return value

    # ------------------------------------------------------------ a play

    def _play(self, rows: Sequence[Row]) -> list[Draft]:
        """Return the seats of one play, after a check for contradictions.

        A fact about the whole play may be in any of its rows; otherwise it comes from the mapping or the
        command.
        """
        game, of_play, differs = self._of_play(rows)
        winner = of_play.pop("winner") or ""
        base = {"kept": True, CONTENT: "\x1e".join(row[2] for row in rows), "first": rows[0][0], **of_play}
        drafts: list[Draft] = []
        for row in rows:
            self._at(row)
            drafts += [{**base, "row": row[0], **seat} for seat in self._record(game)]
        self._starter(rows, drafts, game)
        winners = self._winners_alone(winner, drafts, game)
        reason = differs or _at_odds(drafts) or self._winners(winner, drafts, game)
        players = drafts[0]["stated"] or (len(drafts) if len(drafts) > 1 and not winners else None)
        reason = next((draft["reason"] for draft in drafts if "reason" in draft), reason)
        for draft in drafts:
            draft["players"] = players
            if reason:
                draft |= {"kept": False, "reason": base.get("reason") or draft.get("reason") or reason}
        self.how.settle(drafts, game.together if game else None, self.drafts)
        return drafts

    def _at(self, row: Row) -> None:
        self.drafts.at, self.cells, _ = row
        self.shared = {}

    def _of_play(self, rows: Sequence[Row]) -> tuple[GameWords | None, Draft, str]:
        """Return the game, the columns of the play, and the reason if its rows cannot belong to one play."""
        texts = []
        for row in rows:
            self._at(row)
            texts.append("" if cells.is_blank(self._cell("game")) else self._cell("game"))
        game, columns = self.how.game(_first(texts) or "", self.drafts)
        self.drafts.quiet = not columns.get("kept", True)
        said: list[Draft] = []
        levels: list[Draft] = []
        for row, text in zip(rows, texts, strict=True):
            self._at(row)
            named_level = self._cell("level")
            levels.append(
                {} if cells.is_blank(named_level) else self.how.level(named_level, game, self.drafts)
            )
            named = {"game": text and self._game_key(text), "level": levels[-1].get("level")}
            said.append({**self._of_row(), **named})
        differs = next((column for column in ALIKE if len(_values(said, column)) > 1), "")
        reason = f"rows of one play differ in {CALLED.get(differs, differs)}" if differs else ""
        shared = {column: _first(one[column] for one in said) for column in said[0]}
        shared["rounds_unit"] = self.unit if shared["rounds"] is not None else None
        shared["edition"] = shared["edition"] or self.mapping.playtest.edition or None
        level = _first(levels) or self.how.level("", game, self.drafts)
        variant = shared.pop("variant") or level.get("variant_text")
        return game, {**shared, **columns, **level, "variant_text": variant}, reason

    def _game_key(self, text: str) -> str:
        game = self.how.games.find(text)
        return game.name if game else words(text)

    def _of_row(self) -> Draft:
        """Return the facts about the play in a row."""
        play = self._cell("play")
        winner = self._cell("winner")
        return {
            "source_id": play if play.isdecimal() else None,
            "date": self._read("date", 0, cells.day, self.order),
            "edition": self._text("edition"),
            "stated": self._read("players", 0, cells.whole, self.decimal),
            "minutes": self._read("minutes", 0, cells.minutes, self.decimal),
            "rounds": self._read("turns", 0, cells.whole, self.decimal),
            "ending": self._text("ending"),
            "variant": self._text("variant"),
            "winner": None if cells.is_blank(winner) else winner,
        }

    # ------------------------------------------------------------ a row

    def _record(self, game: GameWords | None) -> Iterable[Draft]:
        """Yield the draft of each seat in a row."""
        # fields with one heading per seat; a seat for which all of them are empty is unoccupied
        several = [field for field, headings in self.mapping.columns.items() if len(headings) > 1]
        taken = [
            seat
            for seat in range(self.seats)
            if self.seats == 1 or any(not cells.is_blank(self._cell(field, seat)) for field in several)
        ]
        for seat in taken or [0]:
            names = self._people(self._cell("player", seat))
            if self.seats > 1 and len(names) == len(taken) and len(self.mapping.columns["player"]) == 1:
                names = [names[taken.index(seat)]]  # one cell with the names of all seats, in their order
            if "player" not in self.mapping.columns and (headings := self._headings_of_seats()):
                # scores under the names of people, whom the column of winners or start players names
                names = [headings[seat]] if words(headings[seat]) in self.drafts.names else []
            everybody: Sequence[str | None] = names or [None]
            columns = self._of_seat(seat, game, 1 + taken.index(seat) if taken else 1)
            if len(names) > 1:
                columns = self._of_several(columns, game, len(taken or [0]))
            yield from ({**columns, NAME: name} for name in everybody)

    def _of_several(self, columns: Draft, game: GameWords | None, cells_in_row: int) -> Draft:
        """Return the columns that apply to each of several players in one cell."""
        if not self.drafts.quiet:
            self.drafts.listed += 1
        given = [column for column in OF_ONE if columns.get(column) is not None]
        for column in given:
            self.drafts.note(column, MANY_WINNERS)
        columns |= dict.fromkeys(given)
        lonely = cells_in_row == 1 and cells.is_blank(self._cell("play"))
        if game and game.rivals and lonely and columns["result"] in ("win", "loss"):
            self.drafts.note("result", MANY_WINNERS)
            columns["result"] = "unknown"
        return columns

    def _of_seat(self, seat: int, game: GameWords | None, number: int) -> Draft:
        """Return the columns of a seat. number: its number among the players of the row, from 1."""
        columns = {
            "seat": self._seat(seat, game, number),
            "rank": self._read("rank", seat, cells.whole, self.decimal),
            "first_play": self._read("first_play", seat, cells.yes_or_no),
            "start_player": None if self.names_starter else self._read("start_player", seat, cells.yes_or_no),
            LABELS: self._labels(seat),
            "team": self._text("team", seat),
            "experience": self._text("experience", seat),
        }
        columns |= {field: self._read(field, seat, cells.rating) for field in RATINGS}
        columns |= {field: self._text(field) for field in AT_THE_END}
        role = self.how.role(self._cell("role", seat), game, self.drafts)
        columns |= {"seat": columns["seat"] or role.get("seat"), "role": role.get("role")}
        minus = self.mapping.playtest.minus
        score = self.drafts.score(self._cell("score", seat), self.decimal, minus)
        return columns | score | self._result(seat)

    def _seat(self, seat: int, game: GameWords | None, number: int) -> int | None:
        people = self.mapping.columns.get("player", [])
        if "seat" not in self.mapping.columns and len(people) > 1:
            if self.mapping.playtest.player_columns == "turn order":
                return number
            # names under "Seat 1", "Seat 2", or "Who began"
            return cells.place_in(people[seat]) or (1 if field_of(people[seat]) == "start_player" else None)
        text = self._cell("seat", seat)
        place = game.place_of(text) if game else None
        known = f" or a seat of the game ({', '.join(game.roles)})" if game and game.has_places else ""

        def number_in(cell: str) -> int | None:
            if cells.is_blank(cell) or any(letter.isdigit() for letter in cell):
                return cells.whole(cell, self.decimal)
            raise UnreadCell(f"not a number{known}")

        return place or self._read("seat", seat, number_in)

    def _headings_of_seats(self) -> list[str]:
        """Return the headings of a field with one heading per seat, preferably of players; [] without one."""
        several = (headings for headings in self.mapping.columns.values() if len(headings) > 1)
        people = self.mapping.columns.get("player", [])
        return people if len(people) > 1 else next(several, [])

    def _labels(self, seat: int) -> frozenset[str]:
        """Return the names of a seat of a row, in lower case, from its headings: "player b", "b" and "2"."""
        headings = self._headings_of_seats()
        if not headings:
            return frozenset()
        mark = NUMBERED.findall(headings[seat])[-1:] or [str(seat + 1)]
        number = [] if mark[0].isdecimal() else [str(seat + 1)]
        return frozenset(map(words, [headings[seat], *mark, *number]))

    def _starter(self, rows: Sequence[Row], drafts: list[Draft], game: GameWords | None) -> None:
        """Set the start player of a play from a cell with the player's name, seat, role or column."""
        if not self.names_starter:
            return
        texts: dict[str, str] = {}
        for row in rows:
            self._at(row)
            text = self._cell("start_player")
            texts |= {} if cells.is_blank(text) else {words(text): text}
        if not texts:
            return
        begins = _who(drafts, texts.keys(), game)
        if len(texts) > 1:
            self.drafts.note("start_player", TWO_STARTS)
        elif sum(begins) == 1:
            for draft, is_first in zip(drafts, begins, strict=True):
                draft["start_player"] = is_first
        else:
            self.drafts.note("start_player", NO_PLAYER, *texts.values())

    def _result(self, seat: int) -> Draft:
        text = self._cell("result", seat)
        if cells.is_blank(text):
            return {"result": "" if "result" in self.mapping.columns else "unknown"}
        result = self.mapping.means("result", text) or RESULT.get(words(text).rstrip(".!"))
        if result:
            return {"result": result}
        shown = f'"{text[:SHOWN]}"' if is_harmless(text, self.drafts.names) else "(an unknown word)"
        return {
            "result": "unknown",
            "kept": False,
            "reason": f"result {shown}: list it under [values.result]",
        }

    # ----------------------------------------------------------- the winner, in a separate column

    def _winners_alone(self, winner: str, drafts: list[Draft], game: GameWords | None) -> bool:
        """Replace the row of a play without players by one row per winner in `winner`.

        Return whether the row was replaced. If all players of a competitive game won, the play is a draw.
        """
        if len(drafts) > 1 or drafts[0][NAME] or drafts[0]["result"] not in ("", "unknown"):
            return False
        (row,) = drafts
        nobody = words(winner) in cells.BLANK | cells.NOBODY or cells.result_in(winner)
        if nobody or row["seat"] or row["role"] or winner.isdecimal():
            return False
        drafts[:] = [
            {**row, **self._called(name, game), "result": "win"} for name in self._people(winner) or [winner]
        ]
        if game and game.rivals and len(drafts) > 1 and len(drafts) == row["stated"]:
            for draft in drafts:
                draft["result"] = "draw"
        return True

    def _called(self, name: str, game: GameWords | None) -> Draft:
        """Return the seat of a winner, who may be stated as a place in turn order, a side, or a name."""
        place = (game.place_of(name) if game else None) or cells.place_in(name)
        role = game.role_of(name) if game and not place else None
        return {"seat": place, "role": role, NAME: None if place or role else name}

    def _winners(self, text: str, drafts: list[Draft], game: GameWords | None) -> str:
        """Set each seat's result from a cell that names the winners.

        Return the reason if the cell is unclear or the results contradict it; "" otherwise.
        """
        plain = words(text)
        if plain in cells.BLANK:
            return ""
        named = {plain, *map(words, self._people(text))}
        called = [_names_of(draft, game) | draft.get(LABELS, frozenset()) for draft in drafts]
        won = _who(drafts, named, game)
        result = "" if any(won) else "loss" if plain in cells.NOBODY else cells.result_in(text)
        if result == "unclear":
            return f'winner "{text[:SHOWN]}": write the name of the winner, or "draw"'
        if plain in cells.NOBODY or result == "draw" or (result and _share_a_result(drafts, game)):
            ends = [result] * len(drafts)
        else:
            if not any(won):
                self.drafts.note("winner", NO_PLAYER)
                return ""
            if plain not in set().union(*called) and (named - {plain}) - set().union(*called):
                self.drafts.note("winner", "a person who is not among the players of this play")
            drawn = all(won) and len(won) > 1 and game is not None and game.rivals
            ends = ["draw" if drawn else "win" if one else "loss" for one in won]
        for draft, end in zip(drafts, ends, strict=True):
            if draft["result"] not in ("", "unknown", end):
                return "result and winner contradict each other"
        for draft, end in zip(drafts, ends, strict=True):
            draft["result"] = end
        return ""


def _share_a_result(drafts: list[Draft], game: GameWords | None) -> bool:
    """Return whether a win or loss of the play is the result of each of its seats."""
    return len(drafts) == 1 or (game is not None and not game.rivals)


def _names_of(draft: Draft, game: GameWords | None) -> set[str]:
    """Return the names under which a seat may be listed as winner."""
    names = {words(draft[name] or "") for name in (NAME, "role", "team")}
    if place := draft["seat"]:
        called = game.roles[place - 1 : place] if game and game.has_places else ()
        names |= {f"seat {place}", *map(words, called)}
        names |= set() if draft.get(LABELS) else {str(place)}  # a number may mean a column
    return names - cells.BLANK


def _who(drafts: Sequence[Draft], named: Set[str], game: GameWords | None) -> list[bool]:
    """Return, for each seat, whether a cell names it.

    Names are the player, seat, role and team. If none of these matches, the headings of the seats count.
    """
    found = [bool(_names_of(draft, game) & named) for draft in drafts]
    return found if any(found) else [bool(draft.get(LABELS, frozenset()) & named) for draft in drafts]


def _joined(row: list[str]) -> str:
    return "\x1f".join(cell.strip() for cell in row).rstrip("\x1f")


def _first(values: Iterable[Any]) -> Any:
    return next((value for value in values if value not in (None, "", {})), None)


def _values(said: Iterable[Draft], column: str) -> set[Any]:
    values = (one[column] for one in said)
    return {words(value) if isinstance(value, str) else value for value in values} - {None, ""}


def _at_odds(drafts: Sequence[Draft]) -> str:
    """Return the reason why rows cannot belong to one play; "" if they can."""
    names = [words(draft[NAME]) for draft in drafts if draft[NAME]]
    if len(set(names)) < len(names):
        return "a player appears twice in one play"
    stated = drafts[0]["stated"]
    if stated and stated < len(drafts):
        return f"{len(drafts)} players listed, {stated} stated"
    return ""


# -------------------------------------------------------------------- selection of a reader

MOST_BYTES = 200_000_000
MARKUP = ("<?xml", "<plays", "<div", "<html", "<!doctype", "<error")


def read_plays(path: Path, game: str | None, mapping: PlayMapping | None) -> Drafts:
    """Read a file of plays. game: the requested game. mapping: None for a sheet with the form's headings."""
    known_mapping = mapping or PlayMapping()
    game_asked_for = game or known_mapping.playtest.game or None
    games = KnownGames(game_asked_for, known_mapping.called(), known_mapping.playtest.game)
    exports: dict[str, Callable[[Path, How], Drafts]] = {"bgstats": read_bgstats, "bgg": read_bgg}
    kind = kind_of(path)
    if kind in exports:
        return exports[kind](path, How(games, known_mapping))
    sheet = read_sheet(path)
    return read_table(sheet, How(games, mapping or own_headings(str(path), sheet.headings)))


def kind_of(path: Path) -> str:
    """Return the kind of a file, "sheet", "bgstats" or "bgg", by its suffix or its first characters.

    Raises UsageError for missing, empty and too large files.
    """
    if not path.is_file():
        why = "this is a folder; give the files in it" if path.is_dir() else "no such file; check the path"
        raise UsageError(f"{path}: {why}")
    size = path.stat().st_size
    if size == 0 or size > MOST_BYTES:
        why = f"larger than {MOST_BYTES:,} bytes; divide it" if size else "an empty file; export it again"
        raise UsageError(f"{path}: {why}")
    with open(path, "rb") as file:
        start = file.read(200).removeprefix(b"\xef\xbb\xbf").lstrip().decode("latin-1").lower()
    if path.suffix.lower() in (".json", ".bgsplay") or start.startswith("{"):
        return "bgstats"
    return "bgg" if path.suffix.lower() == ".xml" or start.startswith(MARKUP) else "sheet"
