"""`report`: write a results folder as a page, or its games as a table."""

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import polars as pl

from bartizan.analyses.document import DocumentError
from bartizan.analyses.records.outcomes import side_names
from bartizan.analyses.records.over import rates_over
from bartizan.api import answers
from bartizan.api.answer import Answer
from bartizan.api.judging import claim_lines, judged_claims, verdict_code
from bartizan.api.questions.results import ReportQuestion
from bartizan.api.reading import listed, path_of, trusted_of
from bartizan.reports import write_report
from bartizan.reports.render import terminal
from bartizan.reports.text import changes
from bartizan.reports.text.cell_names import cell_names
from bartizan.reports.views import over as views
from bartizan.simcore.documentation import page
from bartizan.simcore.errors import BartizanError, UsageError
from bartizan.simcore.files import check_output, whole, writing
from bartizan.simcore.scenario.changes import common
from bartizan.simcore.sweep.plan import read_claims
from bartizan.simcore.sweep.store import Sweep, is_comparison
from bartizan.simcore.sweep.verify import checked_sweep

SCHEMA = "bartizan.report/1"
TABLES = (".parquet", ".csv")


def report(question: ReportQuestion) -> Answer:
    """Write a sweep or a comparison as a page, or all its games as a table.

    Plays by people, if given, are compared with the policies first.
    """
    folder, out, paper = Path(question.folder), Path(question.out), question.paper
    claims, since = path_of(question.claims), path_of(question.since)
    if out.suffix in TABLES:
        for option in ("claims", "since", "over", "plays", "paper"):
            if getattr(question, option):
                raise UsageError(
                    f"--{option}: {out} is a table of games, not a page; remove the option, or choose a "
                    "page such as report.html"
                )
        return export(folder, out)
    if question.plays:
        answers.replaying.lay_beside(folder, Path(question.plays), question.watch, trusted_of(question.trust))
    if is_comparison(folder):
        if since is not None:
            raise UsageError(
                f"--since: {folder} contains a comparison, which already reports a change; remove --since"
            )
        if claims is not None:
            raise UsageError(
                f"--claims: {folder} contains a comparison; claims need a sweep, such as {folder / 'b'}"
            )
        if question.over:
            raise UsageError(
                f"--over: {folder} contains a comparison; columns need a sweep, such as {folder / 'b'}"
            )
        from bartizan.reports.pages import comparison

        for side in ("a", "b"):
            checked_sweep(folder / side)
        path = _written(comparison.read(folder), out, paper)
        return Answer({"schema": SCHEMA, "file": str(path), "claims": []}, lambda: [_size(path)])
    opened = checked_sweep(folder)
    if not any(cell.shards() for cell in opened.cells):
        raise UsageError(f"{folder}: contains no games yet; run the same sweep again with -o {folder}")
    if claims is not None:
        manifest = {**opened.manifest, "claims": list(read_claims(claims)), "claims_from": str(claims)}
        opened = replace(opened, manifest=manifest)
    if since is not None:
        opened = replace(opened, manifest={**opened.manifest, "since": str(earlier(since, opened))})
    columns = listed(question.over)
    rates = rates_over(columns, opened)
    opened = replace(opened, manifest={**opened.manifest, **({"over": list(columns)} if columns else {})})
    judged, counted = judged_claims(opened)
    path = _written(opened, out, paper)
    over = {"over": [rate.plain() for rate in rates]} if columns else {}
    document = {"schema": SCHEMA, "file": str(path), "claims": judged, **counted, **over}

    def lines() -> Iterator[str]:
        if shared := common([cell.changes for cell in opened.cells]):
            yield changes.title(opened.manifest["title"], shared)
        yield _size(path)
        yield from claim_lines(judged, opened, counted)
        names = cell_names(opened.cells, bool(opened.manifest.get("alike")))
        whose = side_names(opened.cells[0])[0]
        for view in views.views(rates, names, whose):
            yield ""
            yield from terminal.lines(view)

    return Answer(document, lines, exit_code=verdict_code(judged))


def earlier(folder: Path, opened: Sweep, option: str = "--since") -> Path:
    """Return the folder if it contains a sweep of the same game.

    Raises UsageError for a comparison and for a sweep of another game. option: the option that names the
    folder.
    """
    if is_comparison(folder):
        raise UsageError(
            f"{option} {folder}: contains a comparison; choose one of its sides, such as {folder / 'a'}"
        )
    manifest = checked_sweep(folder).manifest
    if manifest["game"] != opened.manifest["game"]:
        raise UsageError(
            f"{option} {folder}: contains another game ({manifest['game']}, not "
            f"{opened.manifest['game']}); choose a sweep of the same game"
        )
    return folder


def _written(what: Any, out: Path, paper: str | None) -> Path:
    """Write the page, and return its path.

    If the page cannot show a saved result, raises EngineError, which names the result.
    """
    with writing(str(out)):
        try:
            return write_report(what, out, paper)
        except Exception as error:
            is_told = isinstance(error, (BartizanError, OSError)) and not isinstance(error, DocumentError)
            if isinstance(what, Sweep) and not is_told:
                from bartizan.reports.pages.parts import measured
                from bartizan.reports.study import study

                measured.refuse_damaged(what.folder, study(what))
            raise


def _size(path: Path) -> str:
    return f"{path} ({path.stat().st_size / 1024:.0f} kB)"


def export(folder: Path, out: Path) -> Answer:
    """Write all games to one table, one row per game."""
    if out.suffix not in TABLES:
        raise UsageError(f"-o {out}: use a .parquet or .csv file")
    check_output(out)
    from bartizan.analyses.records.tidy import table, write_table

    frame = table(folder)
    games, columns = frame.select(pl.len()).collect().item(), frame.collect_schema().names()
    with writing(f"-o {out}"), whole(out) as part:
        write_table(frame, games, part, is_parquet=out.suffix == ".parquet")
    document = {"schema": "bartizan.export/1", "file": str(out), "games": games, "columns": columns}
    line = f"{out}: {games:,} games, {len(columns)} columns (described in {page('data')})"
    return Answer(document, lambda: [line], rows=partial(table, folder))
