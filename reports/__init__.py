"""Charts, tables and pages from a sweep folder. The suffix of the file selects the format."""

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bartizan.simcore.errors import UsageError, did_you_mean
from bartizan.simcore.files import check_output, whole

if TYPE_CHECKING:
    from typing_extensions import TypeIs

    from bartizan.reports.blocks import Page
    from bartizan.reports.pages.comparison import KeptComparison
    from bartizan.simcore.sweep.store import Sweep

SUFFIXES = (".html", ".md", ".json", ".pdf", ".xlsx")
PAPERS = ("a4", "letter")


def write_report(sweep: "Sweep | KeptComparison", path: Path | str, paper: str | None = None) -> Path:
    """Analyse a sweep and write it as .html, .md, .json, .pdf or .xlsx. Returns the path.

    sweep: a sweep from `simcore.sweep.store.open_sweep`, or a comparison from
    `reports.pages.comparison.read`. paper: paper size of a .pdf, "a4" (default) or "letter". Raises
    UsageError for another suffix or paper size, for `paper` with another format, and for a path that
    `check_output` rejects. A .pdf also raises it if typst is not installed.
    """
    path = Path(path)
    suffix = path.suffix.lower()
    if suffix not in SUFFIXES:
        what = (
            f'"{suffix}" is not a report format{did_you_mean(suffix, SUFFIXES)}'
            if suffix
            else "the name needs a suffix: .html, .md, .json, .pdf or .xlsx"
        )
        raise UsageError(f"{path}: {what}")
    _check_paper(paper, path)
    check_output(path)
    with whole(path) as part:  # if writing fails, the previous file is unchanged
        part.write_bytes(_report(sweep, suffix, paper or PAPERS[0]))
    return path


def _check_paper(paper: str | None, path: Path) -> None:
    if paper and path.suffix.lower() != ".pdf":
        raise UsageError(
            f"--paper {paper}: only for PDF reports; remove it, or call the file {path.stem}.pdf"
        )
    if paper and paper not in PAPERS:
        raise UsageError(f"--paper {paper}: choose {' or '.join(PAPERS)}{did_you_mean(paper, PAPERS)}")


def _report(sweep: "Sweep | KeptComparison", suffix: str, paper: str) -> bytes:
    if suffix == ".pdf":
        from bartizan.reports.render import pdf

        pdf.compiler()  # fail before the long analysis
    if suffix == ".json":
        from bartizan.analyses.document import finite

        text = json.dumps(finite(_document(sweep)), indent=2, ensure_ascii=False, allow_nan=False)
        return text.encode() + b"\n"
    page = _page(sweep)
    # import only one renderer: HTML needs no matplotlib, PDF no templates
    if suffix == ".md":
        from bartizan.reports.render import markdown

        return markdown.page(page).encode()
    if suffix == ".xlsx":
        from bartizan.reports.render import workbook

        return workbook.page(page)
    if suffix == ".html":
        from bartizan.reports.render import html

        return html.page(page)
    return pdf.page(page, paper)


def _page(sweep: "Sweep | KeptComparison") -> "Page":
    if _is_comparison(sweep):
        from bartizan.reports.pages import comparison

        return comparison.page(sweep)
    from bartizan.reports.pages import sweep as of_sweep
    from bartizan.reports.study import study

    return of_sweep.page(study(sweep))


def _document(sweep: "Sweep | KeptComparison") -> dict[str, Any]:
    if _is_comparison(sweep):
        return sweep.data
    from bartizan.reports.pages import data
    from bartizan.reports.study import study

    return data.document(study(sweep))


def _is_comparison(sweep: "Sweep | KeptComparison") -> "TypeIs[KeptComparison]":
    """Return whether `sweep` is a comparison, without importing the module of comparisons."""
    comparison = sys.modules.get("bartizan.reports.pages.comparison")
    return comparison is not None and isinstance(sweep, comparison.KeptComparison)
