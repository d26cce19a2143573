"""A sheet fetched from a link: the file in the folder of the game, and the record of its source.

The record of `cards.csv` is `cards.csv.link.json`. With this record, `refresh` replaces only files that it
fetched itself, and results can report later edits.
"""

import json
from datetime import UTC, datetime
from pathlib import Path

from bartizan.simcore.files import file_digest, write_atomic

SCHEMA = "bartizan.link/1"


def record_path(path: Path) -> Path:
    return path.with_name(f"{path.name}.link.json")


def is_as_fetched(path: Path) -> bool:
    """Return whether a file still matches the digest in its record."""
    try:
        record = json.loads(record_path(path).read_text(encoding="utf-8"))
        return record["schema"] == SCHEMA and record["sha256"] == file_digest(path)
    except (OSError, ValueError, KeyError, TypeError):
        return False


def keep_record(path: Path, link: str) -> None:
    """Write the record of a file that was fetched from a link."""
    record = {
        "schema": SCHEMA,
        "file": path.name,
        "link": link,
        "sha256": file_digest(path),
        "fetched": datetime.now(UTC).isoformat(timespec="seconds"),
    }
    write_atomic(record_path(path), json.dumps(record, indent=2).encode() + b"\n")
