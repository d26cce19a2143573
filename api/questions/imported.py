"""Games simulated elsewhere, by another program or on other machines: `import`."""

from collections.abc import Sequence
from pathlib import Path

from bartizan.api import answers
from bartizan.api.answer import Answer
from bartizan.api.question import HelpSection, Question, opt, out_opt
from bartizan.api.reading import File, paths_of
from bartizan.simcore.errors import UsageError


class ImportRecordsQuestion(Question[Answer]):
    """Import games that were simulated elsewhere.

    The new folder of results contains the records of your own simulator, or the combined parts of a divided
    run (`run --shards`). Combined parts are byte-identical to a run on one machine.
    """

    command = "import"
    section = HelpSection.OWN
    example = "bartizan import games.csv --by deck_size -o records"

    file: File | Sequence[File] = opt(
        "records with one game per row (.csv, .tsv, .jsonl or .parquet), or the folders of all parts of a "
        "run",
        metavar="FILE|PART",
        is_argument=True,
        kw_only=False,
    )
    out: File | None = out_opt(
        "DIR", "new folder of results; for parts, run the command again to resume", default=None
    )
    mapping: File | None = opt(
        "file that maps columns and words to their meaning (write a draft with --suggest)",
        default=None,
        metavar="FILE.toml",
    )
    by: str | Sequence[str] | None = opt(
        "a column with a setting that was varied between games; repeatable", default=None, metavar="COLUMN"
    )
    suggest: File | None = opt("write a draft mapping and import nothing", default=None, metavar="FILE.toml")

    def answer(self) -> Answer:
        from bartizan.analyses.records.imported_formats import is_flat_file

        if any(path.is_dir() and not is_flat_file(path) for path in paths_of(self.file)):
            return self._merged(paths_of(self.file))
        if (self.out is None) == (self.suggest is None):
            raise UsageError("import: give either -o DIR or --suggest FILE.toml")
        return answers.imported.suggested(self) if self.suggest else answers.imported.bring_in(self)

    def _merged(self, parts: Sequence[Path]) -> Answer:
        if self.out is None or self.mapping or self.by or self.suggest:
            raise UsageError(
                "import: combining the parts of a run requires -o DIR and does not support options about "
                "columns"
            )
        return answers.sweep.merge(parts, Path(self.out), self.watch)

    @property
    def path(self) -> Path:
        """The single file of records. Raises UsageError if there are several."""
        path, *more = paths_of(self.file)
        if more:
            raise UsageError(f"import: give one file of records, not {len(more) + 1}")
        return path
