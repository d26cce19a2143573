"""The log of plays by people: one row a seat a play. A value that nobody wrote down is null, never 0."""

from pathlib import Path

import polars as pl

from bartizan.simcore.errors import UsageError

LOG = "log.parquet"  # in the folder
RESULTS = ("win", "loss", "draw", "unknown")
RATINGS = ("length", "learning", "decisions", "downtime", "interactivity", "originality", "fun")

SCHEMA = pl.Schema(
    {
        "play_id": pl.String(),  # hashed; rows of one play share it
        "source": pl.String(),  # name of the file, without its folder
        "source_id": pl.String(),  # the play's own id there: a uuid of BG Stats, a number of BoardGameGeek
        "date": pl.Date(),  # where it was played; no time, no zone
        "game": pl.String(),  # name of the game in Bartizan; as the file has it where none fits
        "edition": pl.String(),  # version of the prototype or rules, as written
        "level": pl.String(),  # one of the game's levels
        "variant_text": pl.String(),  # what stood there instead: a map, a variant, a level of another name
        "players": pl.Int64(),  # people at the table, with those who have no row
        "seat": pl.Int64(),  # place in turn order, from 1
        "player_key": pl.String(),  # name, hashed with the folder's salt; null: no name
        "role": pl.String(),  # side: one of the game's roles, or as written
        "result": pl.String(),  # one of RESULTS
        "score": pl.Float64(),  # points
        "score_text": pl.String(),  # as written: "66-5-0-11-17", "12*", "Decisive"
        "rank": pl.Int64(),  # 1 is first
        "minutes": pl.Float64(),  # of the whole play
        "rounds": pl.Int64(),  # turns played, as the game counts them
        "ending": pl.String(),  # how it ended, or was lost; free text
        "first_play": pl.Boolean(),  # this player's first of this game
        "start_player": pl.Boolean(),  # had the first turn
        "team": pl.String(),  # as written
        "experience": pl.String(),  # as written
        **{name: pl.Int64() for name in RATINGS},  # Unpub's questions, 1 to 5
        "simulator_says": pl.String(),  # the form's last two columns, as written
        "table_says": pl.String(),
        "kept": pl.Boolean(),  # false: set aside
        "reason": pl.String(),  # why it was set aside
        "row": pl.Int64(),  # where it stood: row of the sheet with headings in 1; number of the play from 1
    }
)


def read(folder: str | Path) -> pl.DataFrame:
    """Every row of a folder of plays, those set aside too (`kept` tells them apart), with SCHEMA's columns.

    UsageError where the folder holds no plays, or a log that is none.
    """
    path = Path(folder) / LOG
    if not path.is_file():
        raise UsageError(f"{folder}: no plays here; first: bartizan playtest import FILE -o {folder}")
    try:
        frame = pl.read_parquet(path, glob=False)
    except (pl.exceptions.PolarsError, OSError) as error:
        raise UsageError(f"{path}: cannot be read; import the files again into another folder") from error
    if frame.schema != SCHEMA:
        odd = sorted(set(frame.schema) ^ set(SCHEMA)) or [
            name for name, kind in SCHEMA.items() if frame.schema[name] != kind
        ]
        raise UsageError(f"{path}: not a log of plays as this version writes it: {', '.join(odd) or 'order'}")
    return frame


def kept(folder: str | Path) -> pl.DataFrame:
    """The rows that count."""
    return read(folder).filter(pl.col("kept"))


def frame_of(rows: list[dict]) -> pl.DataFrame:
    """Rows as a log; a column that a row lacks is null there."""
    columns = {name: [row.get(name) for row in rows] for name in SCHEMA}
    return pl.DataFrame(columns, schema=SCHEMA)
