"""Plays by people: the form, a mapping, a folder of plays, and its log."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from bartizan.api.reading import answers

if TYPE_CHECKING:
    import polars as pl

    from bartizan.reports.answers.answer import Answer


def playtest_form(
    game: str | Path, *, out: str | Path | None = None, says: str | Path | None = None
) -> "Answer":
    """What to write down of a play, and the headings of its CSV; out: a .csv, .md or .html file.

    says: folder of a sweep, whose figures fill the column `the simulator says`.
    """
    folder = Path(says) if says else None
    return answers("play_form", str(game)).form(str(game), Path(out) if out else None, folder)


def playtest_template(file: str | Path, *, out: str | Path, game: str | Path | None = None) -> "Answer":
    """Write a mapping for a sheet: what its headings and words may mean, to be corrected."""
    named = str(game) if game else None
    return answers("plays", named or "").template(Path(file), Path(out), named)


def playtest_import(
    files: str | Path | Sequence[str | Path],
    *,
    out: str | Path,
    game: str | Path | None = None,
    mapping: str | Path | None = None,
    replace: bool = False,
) -> "Answer":
    """Read plays into a folder. replace: of a corrected sheet, drop the plays that are no longer in it.

    `rows()` of the answer is the folder's log.
    """
    listed = [files] if isinstance(files, (str, Path)) else files
    said, named = Path(mapping) if mapping else None, str(game) if game else None
    module = answers("plays", named or "", *([str(said)] if said else []))
    return module.bring_in([Path(file) for file in listed], Path(out), named, said, replace)


def playtest_log(folder: str | Path) -> "pl.DataFrame":
    """Every row of a folder of plays, a seat a play; `kept` is false for those set aside (docs/data.md)."""
    from bartizan.analyses.people.log import read

    return read(folder)
