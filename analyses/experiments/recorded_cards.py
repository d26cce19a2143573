"""Cards drawn and played in imported games: their use, and win rates of players who had them.

Cells of the columns `drawn` and `played` list cards, as `a;b;c`, `a|b|c`, `a, b, c` or a JSON list. A card
that occurs twice is listed twice. A card that was played counts as drawn, even if it is not in `drawn`.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import polars as pl

from bartizan.analyses.experiments.cards import CardUsageResult, Sums, usage_of_sums
from bartizan.analyses.experiments.drawn_cards import DrawnCard, DrawnGames
from bartizan.analyses.records.imported_columns import CARDS
from bartizan.analyses.records.imported_formats import ROW
from bartizan.analyses.records.imported_numbers import CODE, parts_of
from bartizan.analyses.records.imported_rows import RecordReader
from bartizan.simcore.arrays import Ints
from bartizan.simcore.errors import UsageError

PLAYED, NOT_PLAYED = "played", "not played"
CHUNK = 2048  # games whose counts are in memory at a time, with at most MOST_COUNTS numbers
MOST_COUNTS = 8_000_000
MOST_KINDS = 600
MARKS = r"[;|\x1f]"  # separators of cards; commas only if a column has none of these


@dataclass(frozen=True)
class CellCards:
    """Cards in the games of one cell. by: `drawn` or `played`, by which the win rates group the players."""

    by: str
    usage: CardUsageResult
    drawn: list[DrawnCard]


def recorded_cards(reader: RecordReader, rows: Path) -> list[CellCards]:
    """Return the cards of each cell, in the order of the cells; [] if no column lists cards."""
    columns = reader.card_columns()
    if not columns:
        return []
    lists = {name: _listed(name, rows) for name in columns}
    kinds = _kinds(lists, columns, reader, rows)
    by = "drawn" if any(name.startswith("drawn") for name in columns) else PLAYED
    uses: tuple[str, ...] = (
        (PLAYED, NOT_PLAYED) if by == "drawn" and any(name.startswith(PLAYED) for name in columns) else ()
    )
    listed = 1 + max(int(name.split()[1]) for name in columns)  # seats with a column
    cells = [(Sums(len(kinds), len(uses) + 1), DrawnGames(len(kinds))) for _ in reader.seats]
    games = max(1, min(CHUNK, MOST_COUNTS // (len(kinds) * listed)))
    for part in parts_of(rows, [CODE, ROW, "winner", *columns], games):
        counts = _counts(part, lists, kinds, listed)
        for code in part[CODE].unique().to_list():
            mine = (part[CODE] == code).to_numpy()
            seats = min(reader.seats[code], listed)
            _refuse_empty_seats(
                counts[:, mine, :, seats:], part[ROW].to_numpy()[mine], seats, columns, reader
            )
            drawn, played = counts[:, mine, :, :seats]
            came = np.maximum(drawn, played)
            copies, used = came.sum(axis=2, keepdims=True), played.sum(axis=2, keepdims=True)
            usage, games = cells[code]
            usage.add(copies, np.concatenate([*[used, copies - used][: len(uses)], used], axis=2))
            games.add(came > 0, part["winner"].to_numpy()[mine], seats)
    numbered = dict(enumerate(kinds))
    printed_for = dict.fromkeys(numbered, uses[:1])
    return [
        CellCards(by, usage_of_sums(usage, numbered, uses, printed_for), games.cards(kinds))
        for usage, games in cells
    ]


def _refuse_empty_seats(
    beyond: Ints, rows: Ints, seats: int, columns: dict[str, str], reader: RecordReader
) -> None:
    """Raise UsageError for the first card in a seat beyond the seats of its game.

    beyond: int64 [2, game, kind, seat], the counts of these seats only.
    """
    found = np.argwhere(beyond.sum(axis=2).swapaxes(0, 1))
    if len(found):
        game, what, seat = found[0].tolist()
        heading = columns[f"{CARDS[what]} {seats + seat}"]
        raise reader.source.fault(rows[game], heading, f"lists a card in a game with {seats} seats")


def _listed(name: str, rows: Path) -> pl.Expr:
    """Return an expression for the list of cards in a column of text."""
    text, frame = pl.col(name).str.strip_chars("[] "), pl.scan_parquet(rows)
    quoted = text.str.replace_all(r"""["']\s*,\s*["']""", "\x1f").str.strip_chars("\"'")
    has_marks = frame.select(quoted.str.contains(MARKS).any()).collect(engine="streaming").item()
    cards = quoted.str.replace_all(MARKS if has_marks else ",", "\x1f").str.split("\x1f")
    return cards.list.eval(pl.element().str.strip_chars())


def _kinds(lists: dict[str, pl.Expr], columns: dict[str, str], reader: RecordReader, rows: Path) -> list[str]:
    """Return the names of all cards in alphabetical order.

    Raises UsageError for more than MOST_KINDS cards.
    """
    kinds: set[str] = set()
    for name, cards in lists.items():
        frame = pl.scan_parquet(rows).select(cards.alias("card")).explode("card").unique()
        found = frame.head(MOST_KINDS + 2).collect(engine="streaming")["card"].drop_nulls().to_list()
        kinds |= set(filter(None, found))
        if len(kinds) > MOST_KINDS:
            raise UsageError(
                f"{reader.source.path}: column {columns[name]!r} lists more than {MOST_KINDS} cards; "
                f'write {name.split()[0]} = "" under [columns] of a mapping to leave it out'
            )
    return sorted(kinds)


def _counts(part: pl.DataFrame, lists: dict[str, pl.Expr], kinds: Sequence[str], seats: int) -> Ints:
    """Return copies drawn and copies played, int64 [2, game, kind, seat]."""
    counts = np.zeros((2, part.height, len(kinds), seats), np.int64)
    places = dict(zip(kinds, range(len(kinds)), strict=True))
    for name, cards in lists.items():
        what, seat = name.split()
        each = part.select(pl.int_range(pl.len()).alias("game"), cards.alias("card")).explode("card")
        kind = pl.col("card").replace_strict(places, default=None, return_dtype=pl.Int64)
        known = each.with_columns(kind).drop_nulls()
        of = counts[int(what == PLAYED), :, :, int(seat)]
        np.add.at(of, (known["game"].to_numpy(), known["card"].to_numpy()), 1)
    return counts
