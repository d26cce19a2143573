"""A folder of results, for reports and for reading its games."""

from pathlib import Path
from typing import TYPE_CHECKING

from bartizan.api.answer import Answer
from bartizan.api.methods import QuestionMethod, Subject
from bartizan.api.questions.results import ExportQuestion, ReportQuestion, VerifyQuestion, manifests
from bartizan.simcore.compile import cache

if TYPE_CHECKING:
    import polars as pl


class Results(Subject):
    """A folder of results."""

    report = QuestionMethod(ReportQuestion)
    verify = QuestionMethod(VerifyQuestion)

    @property
    def folder(self) -> Path:
        return Path(self.name)

    def export(self, out: str | Path = "games.parquet") -> Answer:
        """Write `table()` to a .parquet or .csv file."""
        return ExportQuestion(self.folder, out).ask()

    def table(self) -> "pl.LazyFrame":
        """Every game, one a row, with its level, policies and settings, and codes in words (docs/data.md).

        Raises EngineError when a file is not what was written.
        """
        cache.prepare(manifests(self.folder))
        from bartizan.analyses.records.tidy import table

        return table(self.folder)

    def rows(self) -> "pl.LazyFrame":
        """Every game, one a row, with a column `cell`.

        Raises EngineError when a file is not what was written.
        """
        cache.prepare((str(self.folder / "manifest.json"),))
        from bartizan.api.files import Folder
        from bartizan.api.playing import rows_of
        from bartizan.simcore.sweep.verify import checked_sweep

        checked_sweep(self.folder)
        return rows_of(Folder(self.folder))
