"""Questions about a folder of results: `report`, `export`, `verify`."""

from collections.abc import Iterator
from functools import partial
from pathlib import Path

from bartizan.api import answers
from bartizan.api.answer import Answer
from bartizan.api.options import Trust
from bartizan.api.question import Question, opt, out_opt
from bartizan.api.reading import File, trusted_of
from bartizan.simcore.errors import UsageError


class ReportQuestion(Question[Answer]):
    """Write win rates, scores, tiers, losses and claims of a sweep as a page or PDF. Exit codes: 0, all
    claims hold; 1, a claim fails; 3, a claim is inconclusive.
    """

    command = "report"
    example = "bartizan report levels -o report.html"
    has_document = False

    folder: File = opt(
        "folder of a sweep, or of a comparison (compare -o)", metavar="DIR", is_argument=True, kw_only=False
    )
    out: File = out_opt(
        "FILE",
        "report.html, .pdf, .xlsx (its tables), .md or .json",
        default=Path("report.html"),
        kw_only=False,
    )
    claims: File | None = opt(
        "use the [[claim]] tables of this file instead of the sweep's own", default=None, metavar="PLAN.toml"
    )
    since: File | None = opt(
        "folder of an earlier sweep; the report begins with the changes since then",
        default=None,
        metavar="EARLIER",
    )
    plays: File | None = opt(
        "a folder of plays by people, shown beside the policies", default=None, metavar="PLAYS"
    )
    paper: str | None = opt("page size of a .pdf (default: a4)", default=None, metavar="a4|letter")
    trust: Trust = None

    def answer(self) -> Answer:
        trusted_of(self.trust)
        return answers.results.report(self)


class ExportQuestion(Question[Answer]):
    """Export all games of a result folder as one table with one row per game, for pandas, DuckDB, R or a
    spreadsheet.
    """

    command = "export"
    example = "bartizan export levels -o games.csv"

    folder: File = opt(
        "folder that run, sweep or compare wrote with -o", metavar="DIR", is_argument=True, kw_only=False
    )
    out: File = out_opt("FILE", "games.parquet or games.csv", kw_only=False)

    def answer(self) -> Answer:
        import polars as pl

        from bartizan.analyses.records.tidy import table, write_table
        from bartizan.simcore.files import check_output, whole, writing

        folder, out = Path(self.folder), Path(self.out)
        if out.suffix not in (".parquet", ".csv"):
            raise UsageError(f"-o {out}: use a .parquet or .csv file")
        check_output(out)
        frame = table(folder)
        games, columns = frame.select(pl.len()).collect().item(), frame.collect_schema().names()
        with writing(f"-o {out}"), whole(out) as part:
            write_table(frame, games, part, is_parquet=out.suffix == ".parquet")
        document = {"schema": "bartizan.export/1", "file": str(out), "games": games, "columns": columns}
        line = f"{out}: {games:,} games, {len(columns)} columns (docs/data.md says what they are)"
        return Answer(document, lambda: [line], rows=partial(table, folder))


class VerifyQuestion(Question[Iterator[str]]):
    """Verify the files of a sweep by their checksums, and simulate some of its games again."""

    command = "verify"
    example = "bartizan verify levels"
    has_document = False

    folder: File = opt("folder of a sweep", metavar="DIR", is_argument=True, kw_only=False)
    trust: Trust = None

    def answer(self) -> Iterator[str]:
        return answers.results.verify(Path(self.folder), trusted_of(self.trust))
