"""What a file says, before names are hashed: a row a seat, with the row or play of the file it is from."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from bartizan.analyses.people.about import GameWords, KnownGames
from bartizan.analyses.people.cells import UnreadCell, is_blank
from bartizan.analyses.people.mapping import PlayMapping
from bartizan.analyses.people.vocabulary import words

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
        if is_blank(text):
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
        if is_blank(text):
            return None
        meant = self.mapping.means("role", text)
        if meant == "unknown":
            return None
        return (game.role_of(meant or text) if game else None) or (meant or text).strip()


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
