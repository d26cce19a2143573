"""Questions about records of games that another program played: `import`."""

from collections.abc import Sequence
from pathlib import Path

from bartizan.api import answers
from bartizan.api.answer import Answer
from bartizan.api.question import Question, opt, out_opt
from bartizan.api.reading import File
from bartizan.simcore.errors import UsageError


class ImportRecordsQuestion(Question[Answer]):
    """Import records of games from your own simulator into a folder of results."""

    command = "import"
    example = "bartizan import games.csv --by deck_size -o records"

    file: File = opt(
        "one game a row: .csv, .tsv, .jsonl or .parquet", metavar="FILE", is_argument=True, kw_only=False
    )
    out: File | None = out_opt("DIR", "a new folder of results", default=None)
    mapping: File | None = opt("meaning of columns and words", default=None, metavar="FILE.toml")
    by: str | Sequence[str] | None = opt(
        "a column that was varied between games; repeat for several", default=None, metavar="COLUMN"
    )
    suggest: File | None = opt(
        "write a mapping with what is guessed, and import nothing", default=None, metavar="FILE.toml"
    )

    def answer(self) -> Answer:
        if (self.out is None) == (self.suggest is None):
            raise UsageError("import: name either -o DIR or --suggest FILE.toml")
        return answers.imported.suggested(self) if self.suggest else answers.imported.bring_in(self)

    @property
    def path(self) -> Path:
        return Path(self.file)
