"""A folder of results, for reports and for reading its games."""

from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING

from bartizan.api.reading import Names, answers, listed, prepare
from bartizan.simcore.watch import Watch

if TYPE_CHECKING:
    import polars as pl

    from bartizan.reports.answers.answer import Answer


class Results:
    """A folder of results, for reports."""

    def __init__(self, folder: Path, watch: Watch):
        self.folder, self.watch = folder, watch

    def report(
        self,
        out: str | Path = "report.html",
        *,
        claims: str | Path | None = None,
        since: str | Path | None = None,
        plays: str | Path | None = None,
        paper: str | None = None,
        trust: Names = None,
    ) -> "Answer":
        """Write it as a page (.html), on paper (.pdf), as text (.md) or data (.json). claims: a plan file
        whose claims are judged instead of those the sweep was played with; since: the folder of an earlier
        sweep, to say what has changed; plays: a folder of plays by people, laid beside the policies, which
        plays games of its own and stays in the folder; paper: of a .pdf, "a4" (unless given) or "letter";
        trust: as in `verify`, for what `plays` plays.
        """
        results = answers("results", str(self._manifest()))
        own, earlier, people = (Path(one) if one else None for one in (claims, since, plays))
        if people:
            results.lay_beside(self.folder, people, self.watch, tuple(map(Path, listed(trust))))
        return results.report(self.folder, Path(out), own, earlier, paper)

    def verify(self, *, trust: Names = None) -> Iterator[str]:
        """Checks the files and plays part of the games again; yields a line for each check passed.

        trust: .py files that may be run though only the folder names them.
        """
        results = answers("results", str(self.folder / "manifest.json"))
        return results.verify(self.folder, tuple(map(Path, listed(trust))))

    def table(self) -> "pl.LazyFrame":
        """Every game, one a row, with its level, policies and settings, and codes in words (docs/data.md).

        Raises EngineError when a file is not what was written.
        """
        return self._export().table(self.folder)

    def export(self, out: str | Path = "games.parquet") -> "Answer":
        """Write `table()` to a .parquet or .csv file."""
        return self._export().ask(self.folder, Path(out))

    def _export(self) -> "ModuleType":
        return answers("export", str(self._manifest()))

    def _manifest(self) -> Path:
        there = self.folder / "a" if (self.folder / "compare.json").is_file() else self.folder
        return there / "manifest.json"

    def rows(self) -> "pl.LazyFrame":
        """Every game, one a row, with a column `cell`.

        Raises EngineError when a file is not what was written.
        """
        prepare(str(self.folder / "manifest.json"))
        from bartizan.reports.answers.answer import Folder
        from bartizan.reports.answers.run import rows_of
        from bartizan.simcore.sweep.verify import checked_sweep

        checked_sweep(self.folder)
        return rows_of(Folder(self.folder))
