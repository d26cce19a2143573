"""Pictures, tables and pages from a sweep folder. `write_report` picks the form by the file's suffix."""

import importlib
import os
from pathlib import Path

from bartizan.simcore.errors import UsageError, did_you_mean

WRITERS = {
    ".html": "bartizan.reports.pages.html",
    ".md": "bartizan.reports.pages.markdown",
    ".json": "bartizan.reports.pages.data",
    ".pdf": "bartizan.reports.pages.pdf",
}
PAPERS = ("a4", "letter")
OF_TWO = "bartizan.reports.pages.comparison"  # writes all of these but the last


def write_report(sweep, path, paper: str | None = None) -> Path:
    """Analyse a sweep and write it as .html, .md, .json or .pdf; returns the path.

    sweep: as `simcore.sweep.store.open_sweep` gives it; or a comparison, as `reports.pages.comparison.read`
    gives it. paper: of a .pdf, "a4" unless given, or "letter".
    """
    path = Path(path)
    suffix = path.suffix.lower()
    if suffix not in WRITERS:
        what = (
            f'"{suffix}" is no report format{did_you_mean(suffix, WRITERS)}'
            if suffix
            else "the name needs a suffix: .html, .md, .json or .pdf"
        )
        raise UsageError(f"{path}: {what}")
    _check_paper(paper, path)
    if not path.parent.is_dir():
        raise UsageError(f"{path}: there is no folder {path.parent}")
    of_two = isinstance(sweep, dict) and suffix != ".pdf"
    writer = importlib.import_module(OF_TWO if of_two else WRITERS[suffix])
    part = path.with_name(f".{os.getpid()}.{path.name}")
    try:  # whole or not at all: where it cannot be written the page before stays
        writer.write(sweep, part, **({"paper": paper} if paper else {}))
        os.replace(part, path)
    finally:
        part.unlink(missing_ok=True)
    return path


def _check_paper(paper: str | None, path: Path) -> None:
    if paper and path.suffix.lower() != ".pdf":
        raise UsageError(f"--paper {paper}: is for a .pdf; leave it out, or name the file {path.stem}.pdf")
    if paper and paper not in PAPERS:
        raise UsageError(f"--paper {paper}: there is {' and '.join(PAPERS)}{did_you_mean(paper, PAPERS)}")
