"""Content of a file of plays, seat by seat, before names are hashed (drafts of the rows of the log).

Names of people are never shown. A message shows the text of a cell only if every word of it is in the
vocabulary (`words.toml`); otherwise it shows the row number. Names within texts that are kept become
"[player]".
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Concatenate, ParamSpec, TypeVar

from bartizan.analyses.people import cells
from bartizan.analyses.people.cells import KNOWN_WORDS, UnreadCell, is_harmless, letters, words
from bartizan.analyses.people.log import GameWords, KnownGames
from bartizan.analyses.people.mapping import PlayMapping
from bartizan.analyses.people.table import by_marks, by_rank, by_score, in_turn_order

# columns of a draft but not of the log: the player's name; the content that identifies the play
NAME, CONTENT = "name", "content"
ANOTHER_GAME = "another game"
SOMEBODY = "[player]"
SHOWN = 40  # maximum number of letters of a cell in a message
PART = 3  # minimum length of a name, or of part of a name, that is searched for in texts
Draft = dict[str, Any]
Value = TypeVar("Value")  # value of a cell
Args = ParamSpec("Args")  # arguments of the function that parses a cell


@dataclass
class Unread:
    """Cells of one column that are left out for one reason."""

    rows: list[int] = field(default_factory=list)
    examples: list[str] = field(default_factory=list)  # examples that may be shown


@dataclass
class Drafts:
    """Drafts read from a file. A record is a row of a sheet, or a play of an export."""

    file: str
    kind: str  # "sheet", "bgstats", "bgg"
    unit: str = "row"  # word for a record
    records: int = 0
    rows: list[Draft] = field(default_factory=list)
    unread: dict[tuple[str, str], Unread] = field(default_factory=dict)  # (column, reason) -> cells
    notes: list[str] = field(default_factory=list)
    names: frozenset[str] = frozenset()  # names of players in lower case, which are never shown
    unticked: int = 0  # losses inferred because no player was ticked as winner
    ranked: int = 0  # plays whose winner is inferred from ranks
    scored: int = 0  # plays whose winner is inferred from scores
    listed: int = 0  # cells that name several players
    quiet: bool = False  # True while a play of another game is read, whose omitted cells are not noted
    at: int = 0  # current record
    own: frozenset[str] = frozenset()  # words of the current game, in lower case

    def cell(
        self,
        column: str,
        text: str,
        read: Callable[Concatenate[str, Args], Value | None],
        *args: Args.args,
        **named: Args.kwargs,
    ) -> Value | None:
        """Return the value of a cell. If `read` raises UnreadCell, record a note and return None."""
        try:
            return read(text, *args, **named)
        except UnreadCell as why:
            self.note(column, str(why), text)
            return None

    def note(self, column: str, why: str, text: str = "") -> None:
        """Record a cell that is left out. Cells of other games are ignored."""
        if not self.quiet:
            unread = self.unread.setdefault((column, why), Unread())
            unread.rows.append(self.at)
            if text.strip() and is_harmless(text, self.names):
                unread.examples.append(text.strip()[:SHOWN])

    def score(self, text: str, decimal: str, minus: str) -> Draft:
        """Return the columns with the points and the text from which they were read; {} for an empty cell."""
        if cells.is_blank(text):
            return {}
        points = self.cell("score", text, cells.score, decimal, minus)
        return {"score": points, "score_text": self.free(text.strip())}

    def free(self, text: str) -> str | None:
        """Return a text without the names of players; None if nothing else is left.

        A text that is an ending, role or level of the game is kept. Within a text, names of fewer than PART
        letters and names that consist of known words are kept.
        """
        if words(text) in self.own:
            return text
        if words(text) in self.names:
            return None
        if self._names_within is None:
            return text
        without = self._names_within.sub(SOMEBODY, text)
        left = without.replace(SOMEBODY, "")
        return without if without == text or letters(left) else None

    @cached_property
    def _names_within(self) -> re.Pattern[str] | None:
        parts = {part for name in self.names for part in letters(name) if len(part) >= PART}
        looked_for = {name for name in self.names if len("".join(letters(name))) >= PART} | parts
        known = {name for name in looked_for if all(word in KNOWN_WORDS for word in letters(name))}
        listed = "|".join(re.escape(name) for name in sorted(looked_for - known, key=len, reverse=True))
        return re.compile(rf"(?<!\w)(?:{listed})(?!\w)", re.I) if listed else None

    def aside(self, row: int, reason: str, **known: Any) -> None:
        self.rows.append({**known, "row": row, "kept": False, "reason": reason})


@dataclass(frozen=True)
class How:
    """Settings for reading a file: the requested game and the meaning of words in the file."""

    games: KnownGames
    mapping: PlayMapping

    def game(self, text: str, drafts: Drafts) -> tuple[GameWords | None, Draft]:
        """Return the game of a play (default: `KnownGames.usual`), and its columns in the log.

        If a game was requested, plays of other games are set aside.
        """
        blank = cells.is_blank(text)
        game = self.games.usual if blank else self.games.find(text)
        drafts.own = (
            frozenset(map(words, (*game.endings, *game.roles, *game.levels))) if game else frozenset()
        )
        columns: Draft = {"game": game.name if game else None if blank else drafts.free(text.strip())}
        if self.games.asked and game is not self.games.asked:
            columns |= {"kept": False, "reason": ANOTHER_GAME}
        return game, columns

    def level(self, text: str, game: GameWords | None, drafts: Drafts) -> Draft:
        """Return the column of the level or, for an unknown level, of the variant.

        An empty cell has the level of the mapping or the game's only level. If the game is unknown, the text
        is kept as the level.
        """
        text = self.mapping.playtest.level if cells.is_blank(text) else text
        if cells.is_blank(text):
            return {"level": game.only_level if game else None}
        meant = self.mapping.means("level", text)
        if meant == "unknown":
            return {"variant_text": drafts.free(text.strip())}
        level = game.level_of(meant or text) if game else drafts.free((meant or text).strip())
        if level is None and game:
            why = f"no level of {game.name}, which has {', '.join(game.levels)}; kept as a variant"
            drafts.note("level", why, text)
            return {"level": None, "variant_text": drafts.free(text.strip())}
        return {"level": level}

    def role(self, text: str, game: GameWords | None, drafts: Drafts) -> Draft:
        """Return the side of a seat or, if seats differ only in turn order, the place."""
        if cells.is_blank(text):
            return {}
        meant = self.mapping.means("role", text)
        if meant == "unknown":
            return {}
        if game and (place := game.place_of(meant or text)):
            return {"seat": place}
        return {
            "role": (game.role_of(meant or text) if game else None) or drafts.free((meant or text).strip())
        }

    def settle(
        self,
        rows: Sequence[Draft],
        together: bool | None,
        drafts: Drafts,
        won: Sequence[bool | None] | None = None,
        teams: bool = False,
        wins: str = "",
    ) -> None:
        """Set the results and places of the seats of a play.

        won: the ticked seats; None if rows have results. wins: the winning score, "highest" or "lowest", if
        the game defines it; the mapping takes precedence. If no seat has a result, the results come from
        ranks or scores, except in cooperative games and teams. Contradictory places are cleared and noted.
        """
        if not rows:
            return
        untouched = self.mapping.playtest.untouched_means
        counts = not drafts.quiet and all(row["kept"] for row in rows)
        if won is not None:
            ends = by_marks(won, ["score_text" in row for row in rows], together, teams, untouched)
            _give(rows, ends)
            drafts.unticked += ends.count("loss") if counts and not any(won) else 0
        everybody = len(rows) == (rows[0].get("players") or len(rows))
        if everybody and not together and not teams and all(row["result"] in ("", "unknown") for row in rows):
            ranked, scored = by_rank(rows), by_score(rows, self.mapping.playtest.wins or wins)
            found = ranked or scored
            if found and (together is False or "win" in found):
                drafts.ranked += counts and ranked is not None
                drafts.scored += counts and ranked is None
                _give(rows, found)
        _give(rows, [row["result"] or untouched for row in rows])
        if why := in_turn_order(rows):
            drafts.note("seat", why)


def _give(rows: Sequence[Draft], ends: Sequence[str]) -> None:
    for row, result in zip(rows, ends, strict=True):
        row["result"] = result
