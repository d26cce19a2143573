"""A folder of plays: the log, the list of imports, and the salt for hashing names.

A play is identified by its id in an export, or by its file and cells in a sheet. Known plays are not added; a
changed play (another mapping, a correction in the app) replaces the earlier one. A sheet under another name
is recognised by its bytes, or by its plays (`Plays._same_sheet`).
"""

import hashlib
import hmac
import json
import os
import secrets
import unicodedata
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import polars as pl

from bartizan.analyses.people.cells import words
from bartizan.analyses.people.drafts import ANOTHER_GAME, CONTENT, NAME, Drafts
from bartizan.analyses.people.log import LOG, RESULTS, SCHEMA, frame_of, read
from bartizan.simcore.errors import UsageError
from bartizan.simcore.files import check_new_folder, is_left_over, whole, write_atomic

SALT, IMPORTS = "salt", "imports.json"
AGAIN = "the same play again"
FEWEST_ALIKE = 5  # different plays by which a sheet under another name is recognised
Row = tuple[Any, ...]


@dataclass
class Added:
    """Result of adding one file. Its counts include only plays with at least one kept row."""

    drafts: Drafts
    source: str  # its name in the log
    frame: pl.DataFrame
    new: int = 0
    replaced: int = 0
    already: int = 0
    dropped: int = 0  # plays of an earlier import of this file that it no longer contains
    notes: list[str] = field(default_factory=list)


class Plays:
    """A folder of plays to which files are added. `save` writes it."""

    def __init__(self, folder: Path):
        """Open the folder, which may be new.

        Raises UsageError if the path is not a folder, if the folder contains other files, or if the log or
        the list of imports is damaged. Also raises it if the salt file is damaged, or missing although there
        are other files of plays.
        """
        check_new_folder(folder)
        self.folder = folder
        inside = folder.iterdir() if folder.is_dir() else ()
        names = {path.name for path in inside if not is_left_over(path)}
        if (folder.exists() and not folder.is_dir()) or names - {LOG, SALT, IMPORTS}:
            raise UsageError(f"-o {folder}: contains other files; choose a folder that is only for plays")
        self.log = read(folder) if LOG in names else frame_of([])
        self.imports = _imports(folder / IMPORTS) if IMPORTS in names else []
        if SALT not in names and (names or self.log.height):
            raise UsageError(
                f"{folder}: its file {SALT} is missing, and people cannot be recognised "
                "without it; restore it, or import the files again into another folder"
            )
        self.salt = secrets.token_hex(32).encode()
        if SALT in names and len(salt := (folder / SALT).read_bytes().strip()) < 16:
            lost = (
                "damaged; people cannot be recognised without it; restore it, or import again into "
                "another folder"
            )
            raise UsageError(f"{folder / SALT}: {lost}")
        if SALT in names:
            self.salt = salt

    def add(self, drafts: Drafts, data: bytes, replace: bool = False) -> Added:
        """Merge a file into the log, and return the counts of its plays.

        replace: for a sheet, remove plays of an earlier sheet with the same name that this sheet lacks.
        """
        digest = hashlib.sha256(data).hexdigest()
        known = next((one["source"] for one in self.imports if one["sha256"] == digest), None)
        source = known or self._source(drafts, replace)
        is_new = drafts.kind == "sheet" and source not in set(self.log["source"])
        same = self._same_sheet(drafts) if is_new else None
        added = Added(drafts, same or source, self._frame(drafts, same or source))
        if same:
            added.notes.append(
                f"all plays of {same}, imported earlier, are in this sheet too, so they are counted once; if "
                "they are other plays, add a column that distinguishes them, such as table"
            )
        elif source not in (drafts.file, known):
            added.notes.append(
                f"an earlier {drafts.file} has plays that are not in this one, so this one is stored as "
                f"{source}; if it is the same sheet, corrected, use --replace"
            )
        self._lay(added, drops=drafts.kind == "sheet" and bool(known or replace))
        entry = {"file": drafts.file, "source": added.source, "kind": drafts.kind, "sha256": digest}
        if entry not in self.imports:
            self.imports.append(entry)
        return added

    def _source(self, drafts: Drafts, replace: bool) -> str:
        """Return the name of a file in the log.

        A sheet that lacks plays of an earlier sheet of that name counts as another file.
        """
        number, name = 1, drafts.file
        while drafts.kind == "sheet" and not replace:
            earlier = self.log.filter((pl.col("source") == name) & pl.col("kept"))["play_id"]
            if set(earlier) <= set(self._frame(drafts, name)["play_id"]):
                break
            number += 1
            name = f"{drafts.file} ({number})"
        return name

    def _same_sheet(self, drafts: Drafts) -> str | None:
        """Return an earlier sheet whose plays are all in this one; None if there is none.

        Sheets with fewer than FEWEST_ALIKE different plays are ignored, because they may be alike by chance.
        """
        for name in self.log["source"].unique(maintain_order=True):
            earlier = set(self.log.filter((pl.col("source") == name) & pl.col("kept"))["play_id"])
            plays = self._frame(drafts, name)["play_id"]
            if earlier <= set(plays):
                texts = {
                    row[CONTENT] for play, row in zip(plays, drafts.rows, strict=True) if play in earlier
                }
                if len(texts) >= FEWEST_ALIKE:
                    return str(name)
        return None

    def _frame(self, drafts: Drafts, source: str) -> pl.DataFrame:
        """Return the rows with names and ids hashed. Repeated plays of an export are set aside."""
        scope = source if drafts.kind == "sheet" else ""
        times, ids, rows = Counter[str](), dict[tuple[str, int], str](), []
        for draft in drafts.rows:
            content, first = str(draft[CONTENT]), int(draft.get("first") or draft["row"])
            if (content, first) not in ids:
                times[content] += 1
                parts = (drafts.kind, scope, content, str(times[content]))
                ids[content, first] = self._hashed("\x1f".join(parts))
            name = draft.get(NAME)
            player = self._hashed("name\x1f" + words(unicodedata.normalize("NFKC", name))) if name else None
            row = {**draft, "play_id": ids[content, first], "source": source, "player_key": player}
            if drafts.kind != "sheet" and times[content] > 1:
                row |= {"kept": False, "reason": draft.get("reason") or AGAIN}
            rows.append(row)
        return frame_of(rows)

    def _hashed(self, text: str) -> str:
        return hmac.new(self.salt, text.encode("utf-8", "surrogatepass"), "sha256").hexdigest()[:16]

    def _lay(self, added: Added, drops: bool) -> None:
        """Count new, identical and changed plays, and merge them into the log.

        drops: remove all plays that a sheet no longer contains; otherwise, only those that do not count.
        """
        before, now = _by_play(self.log), _by_play(added.frame)
        counted = set(added.frame.filter(pl.col("kept"))["play_id"])
        same = {play for play, rows in now.items() if before.get(play) == rows}
        kept = set(self.log.filter(pl.col("kept"))["play_id"])
        # an export may be imported once for each game; plays of other games are not removed
        same |= kept & set(added.frame.filter(pl.col("reason") == ANOTHER_GAME)["play_id"])
        changed = {play for play in now if play in before} - same
        added.already, added.replaced = len(same & counted), len(changed & counted)
        added.new = len(counted) - added.already - added.replaced
        lacking: dict[str, bool] = {}  # plays that a sheet no longer contains -> whether any row was kept
        if added.drafts.kind == "sheet":
            gone = (pl.col("source") == added.source) & ~pl.col("play_id").is_in(list(now))
            lacking = dict(self.log.filter(gone).group_by("play_id").agg(pl.col("kept").any()).rows())
        dropped = {play for play, counts in lacking.items() if drops or not counts}
        added.dropped = sum(lacking[play] for play in dropped)
        rest = self.log.filter(~pl.col("play_id").is_in(list(changed | dropped)))
        self.log = pl.concat([rest, added.frame.filter(~pl.col("play_id").is_in(list(same)))])

    def save(self) -> None:
        """Write each file atomically, the salt first, because people cannot be recognised without it."""
        self.folder.mkdir(parents=True, exist_ok=True)
        if not (self.folder / SALT).exists():
            write_atomic(self.folder / SALT, self.salt + b"\n")
            os.chmod(self.folder / SALT, 0o600)
        with whole(self.folder / LOG) as part:
            self.log.write_parquet(part)
        document = {"schema": "bartizan.plays/1", "imports": self.imports}
        write_atomic(self.folder / IMPORTS, json.dumps(document, indent=2).encode() + b"\n")


def _by_play(frame: pl.DataFrame) -> dict[str, list[Row]]:
    """Map each play to its rows without their positions."""
    columns = [name for name in SCHEMA if name not in ("play_id", "source", "row")]
    plays: dict[str, list[Row]] = {}
    for play, *rest in frame.select("play_id", *columns).iter_rows():
        plays.setdefault(play, []).append(tuple(rest))
    return plays


def _imports(path: Path) -> list[dict[str, str]]:
    try:
        rows = json.loads(path.read_text(encoding="utf-8"))["imports"]
        return [{key: str(row[key]) for key in ("file", "source", "kind", "sha256")} for row in rows]
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise UsageError(
            f"{path}: damaged; delete it. No plays are lost, but a sheet of fewer than {FEWEST_ALIKE} "
            "different plays must keep its name if you import it again, or it is counted twice"
        ) from error


def account(added: Added) -> dict[str, Any]:
    """Return the counts of a file as plain data: records = kept + aside."""
    drafts, frame = added.drafts, added.frame
    seats = frame.filter(pl.col("kept"))
    # a record is kept if any of its seats is kept
    records = frame.group_by("row", maintain_order=True).agg(
        pl.col("kept").any(), pl.col("reason").drop_nulls().first()
    )
    aside = records.filter(~pl.col("kept"))
    seats_aside = frame.filter(~pl.col("kept") & pl.col("row").is_in(list(set(seats["row"]))))
    others = frame.filter(pl.col("reason") == ANOTHER_GAME).unique("row", maintain_order=True)
    return {
        "file": drafts.file,
        "source": added.source,
        "kind": drafts.kind,
        "unit": drafts.unit,
        "records": drafts.records,
        "kept": records.height - aside.height,
        "aside": aside.height,
        "reasons": _reasons(aside),
        "seats_aside": _reasons(seats_aside),
        "other_games": dict(Counter(name or "no name" for name in others["game"]).most_common()),
        "plays": {"new": added.new, "replaced": added.replaced, "already": added.already},
        "dropped": added.dropped,
        "seats": seats.height,
        "results": {name: seats.filter(pl.col("result") == name).height for name in RESULTS},
        "unread": [
            {
                "column": column,
                "why": why,
                "count": len(cells.rows),
                "rows": list(dict.fromkeys(cells.rows)),
                "examples": list(dict.fromkeys(cells.examples))[:3],
            }
            for (column, why), cells in drafts.unread.items()
        ],
        "unticked": drafts.unticked,
        "by_rank": drafts.ranked,
        "by_score": drafts.scored,
        "notes": [*drafts.notes, *added.notes],
    }


def _reasons(frame: pl.DataFrame) -> list[dict[str, Any]]:
    """Return the reasons with the rows that they set aside, the most frequent first."""
    reasons: dict[str, list[int]] = {}
    for row, reason in frame.select("row", "reason").iter_rows():
        reasons.setdefault(reason, []).append(row)
    ordered = sorted(reasons.items(), key=lambda item: (-len(item[1]), item[1][0]))
    return [{"reason": reason, "count": len(rows), "rows": rows} for reason, rows in ordered]
