"""Pictures, tables and pages from a sweep folder. `write_report` picks the form by the file's suffix."""

import importlib
import os
from pathlib import Path

from bartizan.simcore.errors import UsageError, did_you_mean

WRITERS = {
    ".html": "bartizan.reports.pages.html",
    ".md": "bartizan.reports.pages.markdown",
    ".json": "bartizan.reports.pages.data",
}
OF_TWO = "bartizan.reports.pages.comparison"  # writes all of these


def write_report(sweep, path) -> Path:
    """Analyse a sweep and write it as .html, .md or .json; returns the path.

    sweep: as `simcore.sweep.store.open_sweep` gives it; or a comparison, as `reports.pages.comparison.read`
    gives it.
    """
    path = Path(path)
    suffix = path.suffix.lower()
    if suffix == ".pdf":
        raise UsageError(
            f"{path}: PDF reports are not built yet; write an .html report and print it to PDF from a "
            "browser, or use .md or .json"
        )
    if suffix not in WRITERS:
        what = (
            f'"{suffix}" is no report format{did_you_mean(suffix, WRITERS)}'
            if suffix
            else "the name needs a suffix: .html, .md or .json"
        )
        raise UsageError(f"{path}: {what}")
    if not path.parent.is_dir():
        raise UsageError(f"{path}: there is no folder {path.parent}")
    writer = importlib.import_module(OF_TWO if isinstance(sweep, dict) else WRITERS[suffix])
    part = path.with_name(f".{os.getpid()}.{path.name}")
    try:  # whole or not at all: where it cannot be written the page before stays
        writer.write(sweep, part)
        os.replace(part, path)
    finally:
        part.unlink(missing_ok=True)
    return path
