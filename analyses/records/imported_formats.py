"""Records in public formats, which need no mapping file.

Tables of TAG, the Tabletop Games framework: `GAME_OVER.csv`, written by the class MetricsGameListener with
`RawDataPerEvent` (json/listeners/GameResultsListener.json in GAIGResearch/TabletopGames).
`evaluation.metrics.AbstractMetric` defines the default columns; all others are called `Metric(column)`. Seats
are numbered from 0.

Matches of boardgame.io: the stored part of a match, which is `FetchResult` of src/server/db/base.ts in
boardgameio/boardgame.io, with `state` (including `ctx.gameover`), `metadata` and `log`. The input is a file
with one match per line (.jsonl), a file with a list of matches (.json), or a folder of FlatFile storage, in
which each file has one `key` and `value` (node-persist).
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import polars as pl

from bartizan.analyses.records.imported_columns import MOST_SEATS, FileConventions, RecordMapping
from bartizan.simcore import strict_json
from bartizan.simcore.errors import UsageError, unreadable

ROW = "bartizan row"  # column of row numbers, as shown by a spreadsheet
TAG_COLUMNS = {"GameID", "GameName", "PlayerCount", "GameSeed", "Tick", "Turn", "Round"}
# parts of a match: the suffixes of the keys in a FlatFile folder
PARTS = ("state", "metadata", "log", "initial")


# ---------------------------------------------------------------- TAG


def is_tag(headings: Sequence[str]) -> bool:
    return set(headings) >= TAG_COLUMNS


def tag_table(frame: pl.LazyFrame, headings: Sequence[str]) -> tuple[pl.LazyFrame, RecordMapping]:
    """Return the rows, with a column `winner` if places determine it, and the meaning of the columns."""
    kinds = frame.select(
        pl.col("GameName", "PlayerCount").n_unique(),
        pl.col("GameName").first().alias("title"),
        (pl.col("Round").cast(pl.Int64, strict=False).max() > 0).fill_null(False).alias("rounds"),
    )
    found = kinds.collect(engine="streaming").row(0, named=True)
    policies = _of_seats(headings, "PlayerType(PlayerType-{})", "FinalScore(PlayerName-{})")
    columns = {"seed": ["GameSeed"], "turns": ["Round" if found["rounds"] else "Turn"], "decisions": ["Tick"]}
    if policies:
        columns["policy"] = policies
    if scores := _of_seats(headings, "FinalScore(Player-{})", "GameScore(Player-{})"):
        columns["score"] = scores
    if "Winner(PlayerIdx)" in headings:
        columns["winner"] = ["Winner(PlayerIdx)"]
    elif places := _of_seats(headings, "OrdinalPosition(Player-{})"):
        first = [pl.col(place).cast(pl.Float64, strict=False) == 1 for place in places]
        leaders = [pl.when(is_first).then(pl.lit(str(seat))) for seat, is_first in enumerate(first)]
        alone = pl.sum_horizontal(one.fill_null(False).cast(pl.Int32) for one in first) == 1
        frame = frame.with_columns(
            pl.when(alone).then(pl.coalesce(leaders)).otherwise(pl.lit("draw")).alias("winner")
        )
        columns["winner"] = ["winner"]
    about = FileConventions(title=str(found["title"] or ""), first_seat=0)
    settings = [name for name in ("GameName", "PlayerCount") if found[name] > 1]
    return frame, RecordMapping(records=about, columns=columns, settings=settings)


def tag_headings(headings: Sequence[str], known: RecordMapping) -> list[str]:
    """Return the headings to import.

    These are the known columns, and all others except names, game numbers, and places that follow from the
    winner.
    """
    used = {*(heading for each in known.columns.values() for heading in each), *known.settings}
    needless = re.compile(r"GameID|GameName|PlayerCount|Event|OrdinalPosition\(.*|.*\(PlayerName-\d+\)")
    made = [one for one in known.columns.get("winner", []) if one not in headings]
    return [*made, *(one for one in headings if one in used or not needless.fullmatch(one))]


def _of_seats(headings: Sequence[str], *forms: str) -> list[str]:
    """Return the headings of all seats, in the first form that occurs."""
    for form in forms:
        named = [form.format(seat) for seat in range(len(headings))]
        if found := [heading for heading in named if heading in headings]:
            return found
    return []


# ---------------------------------------------------------------- boardgame.io


@dataclass(frozen=True)
class Matches:
    """Finished matches as rows, and the number of unfinished matches."""

    rows: list[dict[str, Any]]
    unfinished: int
    title: str


def is_flat_file(folder: Path) -> bool:
    """Return whether one of the first 20 entries of a folder is a file of a FlatFile storage."""
    return any(_part_of(path) is not None for path in _some(folder, 20))


def matches_of(path: Path) -> Matches | None:
    """Return the matches; None if the file contains anything else.

    Raises UsageError for a match that cannot be read.
    """
    rows, unfinished, title = [], 0, ""
    for number, match in enumerate(_matches(path), 1):
        state, metadata = match.get("state"), match.get("metadata") or {}
        ctx = state.get("ctx") if isinstance(state, Mapping) else None
        if not isinstance(ctx, Mapping) or not isinstance(metadata, Mapping):
            if number == 1:
                return None
            raise UsageError(
                f"{path}: match {number:,}: no state with ctx; write the object that storage.fetch returns"
            )
        gameover = ctx.get("gameover", metadata.get("gameover"))
        if gameover is None:
            unfinished += 1
            continue
        title = title or str(metadata.get("gameName") or "")
        named = metadata.get("players")
        players = str(ctx.get("numPlayers") or len(named if isinstance(named, Mapping | list) else ()) or 1)
        if not re.fullmatch("[0-9]{1,3}", players) or not 1 <= int(players) <= MOST_SEATS:
            raise UsageError(
                f"{path}: match {number:,}: {players[:20]!r} players (numPlayers); only matches of 1 to "
                f"{MOST_SEATS} players can be imported"
            )
        rows.append({ROW: number, **_row(match, int(players), ctx, metadata, gameover)})
    if not rows and not unfinished:
        return None
    return Matches(rows, unfinished, title)


def mapping_of(matches: Matches) -> RecordMapping:
    """Return the meaning of the columns of `matches_of`."""
    names = dict.fromkeys(name for row in matches.rows for name in row)
    columns = {"turns": ["turns"], "decisions": ["moves"]}
    for field in ("winner", "seed"):
        if field in names:
            columns[field] = [field]
    for field, start in (("policy", "player_"), ("score", "score_")):
        if found := [f"{start}{seat}" for seat in range(1, MOST_SEATS + 1) if f"{start}{seat}" in names]:
            columns[field] = found
    about = FileConventions(title=matches.title, first_seat=0)
    return RecordMapping(records=about, columns=columns)


def _row(
    match: Mapping[str, Any], seats: int, ctx: Mapping[str, Any], metadata: Mapping[str, Any], gameover: Any
) -> dict[str, Any]:
    row: dict[str, Any] = {"match": match.get("matchID"), "turns": ctx.get("turn")}
    if winner := _winner(gameover):
        row["winner"] = winner
    if isinstance(gameover, Mapping):
        others = {} if winner else gameover  # other fields, which a mapping file can use
        row |= {f"gameover.{key}": value for key, value in others.items() if _is_plain(value)}
        row |= _by_seat("score", gameover.get("scores"), seats)
    players = metadata.get("players") or {}
    named = [players.get(str(seat), {}) if isinstance(players, Mapping) else {} for seat in range(seats)]
    if all(isinstance(one, Mapping) and one.get("name") for one in named):
        row |= {f"player_{seat}": str(one["name"]) for seat, one in enumerate(named, 1)}
    random = _within(match.get("initialState") or match["state"], "plugins", "random", "data")
    if isinstance(random, Mapping) and random.get("seed") is not None:
        row["seed"] = str(random["seed"])
    setup = metadata.get("setupData")
    if isinstance(setup, Mapping):
        row |= {f"settings.{key}": value for key, value in setup.items() if _is_plain(value)}
    created, updated = metadata.get("createdAt"), metadata.get("updatedAt")
    if isinstance(created, int | float) and isinstance(updated, int | float) and updated >= created:
        row["minutes"] = (updated - created) / 60_000
    return row | _moves(match.get("log") or [])


def _winner(gameover: Any) -> str:
    """Return the winning seat from 0, `draw`, or a word that `gameover` contains.

    Returns "" if no known key states the winner. A shared win or a null winner is a draw.
    """
    if isinstance(gameover, Mapping):
        if gameover.get("draw") is True or gameover.get("tie") is True:
            return "draw"
        found = next(
            (gameover[key] for key in ("winner", "winners", "winnerID", "winnerId") if key in gameover), ""
        )
    else:
        found = gameover
    if isinstance(found, list):
        return str(found[0]) if len(found) == 1 else "draw"
    if found is None:
        return "draw"
    return str(found) if isinstance(found, str | int) and not isinstance(found, bool) else ""


def _moves(log: Any) -> dict[str, int]:
    """Return the number of moves of all players, and of each kind of move. Undone moves do not count."""
    kinds: list[str] = []
    undone: list[str] = []
    for entry in log if isinstance(log, list) else ():
        action = entry.get("action") if isinstance(entry, Mapping) else None
        kind = _within(action, "type")
        if kind == "MAKE_MOVE":
            kinds.append(str(_within(action, "payload", "type")))
        elif kind == "UNDO" and kinds:
            undone.append(kinds.pop())
        elif kind == "REDO" and undone:
            kinds.append(undone.pop())
    return {"moves": len(kinds), **{f"moves {kind}": n for kind, n in sorted(Counter(kinds).items())}}


def _by_seat(name: str, values: Any, seats: int) -> dict[str, Any]:
    """Map `score_1`, `score_2` and so on to the values of a list, or of an object by seat.

    Returns {} unless there is one number, text or boolean per seat.
    """
    if isinstance(values, Mapping):
        values = [values.get(str(seat)) for seat in range(seats)]
    if not isinstance(values, list) or len(values) != seats or not all(map(_is_plain, values)):
        return {}
    return {f"{name}_{seat}": value for seat, value in enumerate(values, 1)}


def _is_plain(value: Any) -> bool:
    return isinstance(value, str | int | float)


def _within(value: Any, *keys: str) -> Any:
    for key in keys:
        value = value.get(key) if isinstance(value, Mapping) else None
    return value


def _matches(path: Path) -> Iterator[Mapping[str, Any]]:
    if path.is_dir():
        yield from _of_folder(path)
    elif path.suffix.lower() == ".json":
        found = _json(path, path.read_bytes())
        each = found if isinstance(found, list) else [found] if isinstance(found, Mapping) else []
        yield from (one for one in each if isinstance(one, Mapping))
    else:
        with path.open("rb") as lines:
            for number, line in enumerate(lines, 1):
                found = _json(path, line, f"line {number:,}: ") if line.strip() else None
                if isinstance(found, Mapping):
                    yield found


def _of_folder(folder: Path) -> Iterator[Mapping[str, Any]]:
    """Yield the matches of a FlatFile storage, sorted by name."""
    files: dict[str, dict[str, Path]] = {}
    for path in sorted(folder.iterdir()):
        if named := _part_of(path):
            match, part = named
            files.setdefault(match, {})[part] = path
    for match, parts in sorted(files.items()):
        values = {part: _json(path, path.read_bytes())["value"] for part, path in parts.items()}
        if "state" in values:
            yield {"matchID": match, **values, "initialState": values.get("initial")}


def _part_of(path: Path) -> tuple[str, str] | None:
    """Return (match, part) for a file of a FlatFile storage; None for other files."""
    if not path.is_file() or path.suffix:
        return None
    try:
        found = strict_json.loads(path.read_bytes())
    except (ValueError, RecursionError):
        return None
    if not isinstance(found, dict) or not isinstance(found.get("key"), str) or "value" not in found:
        return None
    named = re.fullmatch(rf"(.+):({'|'.join(PARTS[1:])})", found["key"])
    return (named[1], named[2]) if named else (found["key"], "state")


def _some(folder: Path, most: int) -> Iterable[Path]:
    return sorted(folder.iterdir())[:most]


def _json(path: Path, text: bytes, where: str = "") -> Any:
    try:
        return strict_json.loads(text)
    except (ValueError, RecursionError) as error:
        raise UsageError(
            f"{path}: {where}invalid JSON: {unreadable(error)[:100]}; export it again"
        ) from error
