"""A folder of results, for reports and for reading its games."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from bartizan.api.reading import answers, prepare

if TYPE_CHECKING:
    import polars as pl

    from bartizan.reports.answers.answer import Answer


class Results:
    """A folder of results, for reports."""

    def __init__(self, folder: Path):
        self.folder = folder

    def report(self, out: str | Path = "report.html", *, claims: str | Path | None = None) -> "Answer":
        """Write it as a page (.html), text (.md) or data (.json). claims: a plan file whose claims are judged
        instead of those the sweep was played with.
        """
        there = self.folder / "a" if (self.folder / "compare.json").is_file() else self.folder
        results = answers("results", str(there / "manifest.json"))
        return results.report(self.folder, Path(out), Path(claims) if claims else None)

    def verify(self) -> Iterator[str]:
        """Checks the files and plays part of the games again; yields a line for each check passed."""
        return answers("results", str(self.folder / "manifest.json")).verify(self.folder)

    def rows(self) -> "pl.LazyFrame":
        """Every game, one a row, with a column `cell`."""
        prepare(str(self.folder / "manifest.json"))
        from bartizan.reports.answers.answer import Folder
        from bartizan.reports.answers.run import rows_of

        return rows_of(Folder(self.folder))
