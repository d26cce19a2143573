"""The log of plays by people: one row per seat and play. A value that was not recorded is null, never 0."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import polars as pl

from bartizan.analyses.people.cells import words
from bartizan.simcore.errors import UsageError
from bartizan.simcore.files import quoted
from bartizan.simcore.game import Game, game_names, load_game
from bartizan.simcore.scenario.loading import load_scenario, scenario_names
from bartizan.simcore.sources import only_known

LOG = "log.parquet"  # in the folder
RESULTS = ("win", "loss", "draw", "unknown")
RATINGS = ("length", "learning", "decisions", "downtime", "interactivity", "originality", "fun")

SCHEMA = pl.Schema(
    {
        "play_id": pl.String(),  # hashed; the same in all rows of a play
        "source": pl.String(),  # name of the file, without its folder
        # the play's id in the file: a uuid of BG Stats or a number of BoardGameGeek
        "source_id": pl.String(),
        "date": pl.Date(),  # local date; without time and time zone
        "game": pl.String(),  # name of the game in Bartizan; the name in the file if no game matches
        "edition": pl.String(),  # version of the prototype or rules, as written
        "level": pl.String(),  # one of the game's levels
        "variant_text": pl.String(),  # text in the level's place: a map, a variant, or an unknown level
        "players": pl.Int64(),  # people at the table, including those without a row
        "seat": pl.Int64(),  # place in turn order, from 1; 1 begins
        "player_key": pl.String(),  # name, hashed with the folder's salt; null: no name
        "role": pl.String(),  # side: one of the game's roles, or as written
        "result": pl.String(),  # one of RESULTS
        "score": pl.Float64(),  # points
        "score_text": pl.String(),  # as written: "66-5-0-11-17", "12*", "Decisive"
        "rank": pl.Int64(),  # 1 is first
        "minutes": pl.Float64(),  # duration of the whole play
        "rounds": pl.Int64(),  # length of the play in `rounds_unit`
        "rounds_unit": pl.String(),  # unit of `rounds`: "round" of an app; null: the game's own unit
        "ending": pl.String(),  # how it ended, or was lost; free text
        "first_play": pl.Boolean(),  # whether this is the player's first play of this game
        "start_player": pl.Boolean(),  # whether this player had the first turn
        "team": pl.String(),  # as written
        "experience": pl.String(),  # as written
        **{name: pl.Int64() for name in RATINGS},  # Unpub's questions, 1 to 5
        "simulator_says": pl.String(),  # the form's last two columns, as written
        "table_says": pl.String(),
        "kept": pl.Boolean(),  # false: set aside
        "reason": pl.String(),  # reason why it was set aside
        "row": pl.Int64(),  # row of the sheet (the headings are in row 1), or number of the play from 1
    }
)


def read(folder: str | Path) -> pl.DataFrame:
    """Read every row of a folder of plays, with SCHEMA's columns.

    This includes rows that are set aside (see `kept`).

    Raises UsageError if the folder contains no plays, or an invalid log.
    """
    path = Path(folder) / LOG
    if not path.is_file():
        raise UsageError(
            f"{folder}: contains no plays; import some first: "
            f"bartizan playtest import FILE -o {quoted(folder)}"
        )
    try:
        frame = pl.read_parquet(path, glob=False)
    except (pl.exceptions.PolarsError, OSError) as error:
        raise UsageError(f"{path}: cannot be read; import the files again into another folder") from error
    frame = _as_now(frame)
    if frame.schema != SCHEMA:
        odd = sorted(set(frame.schema) ^ set(SCHEMA)) or [
            name for name, kind in SCHEMA.items() if frame.schema[name] != kind
        ]
        raise UsageError(
            f"{path}: not a log of plays in the current format: {', '.join(odd) or 'order of columns'}; "
            "import the files again into another folder"
        )
    return frame


APPS = (".json", ".bgsplay")  # files whose `rounds` are counted by an app


def _as_now(frame: pl.DataFrame) -> pl.DataFrame:
    """Convert a log of an earlier version, without `rounds_unit`, to the current format."""
    if set(frame.columns) ^ set(SCHEMA) != {"rounds_unit"}:
        return frame
    of_app = pl.any_horizontal(pl.col("source").str.contains(suffix, literal=True) for suffix in APPS)
    unit = pl.when(of_app & pl.col("rounds").is_not_null()).then(pl.lit("round"))
    return frame.with_columns(rounds_unit=unit).select(SCHEMA.names())


def kept(folder: str | Path) -> pl.DataFrame:
    """Return the rows that were not set aside."""
    return read(folder).filter(pl.col("kept"))


def frame_of(rows: list[dict[str, Any]]) -> pl.DataFrame:
    """Return rows as a log; missing columns are null."""
    columns = {name: [row.get(name) for row in rows] for name in SCHEMA}
    return pl.DataFrame(columns, schema=SCHEMA)


def of_edition(log: pl.DataFrame, game: str, edition: str | None = None) -> pl.DataFrame:
    """Return the kept plays of one edition of a game; all its plays if `edition` is None.

    Raises UsageError for an unknown edition, and for plays of several editions if `edition` is None, because
    their rules may differ.
    """
    mine = log.filter(pl.col("kept") & (pl.col("game") == game))
    key = pl.col("edition").map_elements(words, return_dtype=pl.String)
    counted = mine.group_by(key.alias("key")).agg(pl.col("edition").first(), pl.col("play_id").n_unique())
    plays = {row["key"]: row for row in counted.sort("key").to_dicts() if row["key"] is not None}
    listed = ", ".join(f'"{row["edition"]}" ({row["play_id"]})' for row in plays.values())
    if edition is None and len(plays) > 1:
        raise UsageError(
            f"the plays of {game} are of several editions, whose rules may differ: {listed}; choose one "
            f'with playtest skill or plan: --edition "{next(iter(plays.values()))["edition"]}"'
        )
    if edition is not None and words(edition) not in plays:
        instead = f"the editions are {listed}" if listed else "no play states an edition; remove --edition"
        raise UsageError(f'--edition "{edition}": no plays of {game} of this edition; {instead}')
    return mine if edition is None else mine.filter(key == words(edition))


# --------------------------------------------------- names in a log: of a game, its levels, roles and endings

TRUNCATIONS = {1, 2}  # end reasons that never occur at a table: an illegal action, the limit on decisions


@dataclass(frozen=True)
class GameWords:
    """The names that plays may use for a game, its levels, roles and endings."""

    name: str
    title: str
    # levels of all scenarios and numbers of players, beginning with the first scenario
    levels: tuple[str, ...]
    roles: tuple[str, ...]
    alike: bool  # whether all seats have the same role
    together: bool  # whether the game is usually cooperative
    endings: tuple[str, ...]  # possible endings, as the game names them
    unit: str = "turn"  # unit of its length
    # level of plays that state none, if the usual number of players has only one
    only_level: str | None = None

    def level_of(self, text: str) -> str | None:
        return _same(text, self.levels)

    def role_of(self, text: str) -> str | None:
        return None if self.alike else _same(text, self.roles)

    def place_of(self, text: str) -> int | None:
        """Return the place in turn order, from 1, for the name of a seat such as "second".

        Returns None for other texts, and if seats are not places.
        """
        name = _same(text, self.roles) if self.has_places else None
        return None if name is None else self.roles.index(name) + 1

    @property
    def has_places(self) -> bool:
        """Whether the players of the game differ only by their place in turn order."""
        return self.alike and len(self.roles) > 1

    @property
    def rivals(self) -> bool:
        """Whether people play against each other."""
        return not self.together and len(self.roles) > 1

    def is_called(self, text: str) -> bool:
        """Return whether the text is the game's name or title, as normalised by `stem`."""
        return stem(text) in {stem(self.name), stem(self.title)}


def stem(text: str) -> str:
    """Normalise a title for comparison.

    For example, "Castle Itter: The Strangest Battle of WWII" becomes "castle itter".
    """
    return " ".join(re.split(r"[:(,\[–—]| - ", text.casefold(), maxsplit=1)[0].replace("_", " ").split())


def _same(text: str, names: Iterable[str]) -> str | None:
    plain = " ".join(re.sub(r"[_-]", " ", text).split()).casefold()
    return next((name for name in names if re.sub(r"[_-]", " ", name).casefold() == plain), None)


@cache
def words_of(name: str) -> GameWords:
    """Return the names that plays may use for a game, its levels, roles and endings, and its unit of length.

    name: as for `load_game`. Raises UsageError for an unknown game.
    """
    game = load_game(name)
    base = load_scenario(game)
    names = scenario_names(game.scenarios)
    models = [base.model, *(load_scenario(game, one).model for one in names)]
    usual = dict.fromkeys(level for model in models for level in model.difficulties())
    levels = tuple(usual | dict.fromkeys(level for model in models for level in model.other_levels()))
    only = levels[0] if len(usual) == 1 else None
    together = not game.alike and len(game.roles_in(base)) == 1
    called = (game.name, game.title, levels, game.roles)
    return GameWords(*called, game.alike, together, endings_of(name), unit_of(game), only)


def unit_of(game: Game) -> str:
    """Return the unit of a game's length, such as "turn" or "round"."""
    reporting = game.compiled.reporting
    return reporting.time if reporting else "turn"


def counts_as(unit: str | None, game: Game) -> bool:
    """Return whether a play's length in this unit is comparable with the game's."""
    return unit is None or unit == unit_of(game)


def endings_of(name: str) -> tuple[str, ...]:
    """Return the names of the endings of a game, given by name or by its .py file."""
    return endings_in(load_game(name))


def endings_in(game: Game) -> tuple[str, ...]:
    reasons = game.compiled.reason_names()
    return tuple(text for code, text in reasons.items() if code not in TRUNCATIONS)


class KnownGames:
    """Finder of the game that a text names: the requested game, or another known game.

    named: the requested game. called: maps a file's name of a game, in lower case, to its name in Bartizan.
    usual: the game of plays that name none (default: the requested game).
    """

    def __init__(self, named: str | None = None, called: Mapping[str, str] | None = None, usual: str = ""):
        self.named, self.asked = named, words_of(named) if named else None
        self.called = dict(called or {})
        self.find = cache(self._find)  # cached, because an export repeats a few names
        self.usual = self.asked if not usual or self._is_asked(usual) else words_of(usual)

    def _is_asked(self, text: str) -> bool:
        asked = self.asked
        return asked is not None and (
            asked.is_called(text) or text == self.named or Path(text).stem == asked.name
        )

    def _find(self, text: str) -> GameWords | None:
        name = self.called.get(words(text))
        if self._is_asked(name or text):
            return self.asked
        if name is not None:
            with only_known(Path("the mapping"), (), lambda game: f"bartizan check {game}"):
                return words_of(name)
        return next((game for game in map(words_of, game_names()) if game.is_called(text)), None)
