"""Pictures, tables and pages from a sweep folder. `write_report` picks the form by the file's suffix."""

import importlib
from pathlib import Path

from simcore.errors import UsageError, did_you_mean

WRITERS = {".html": "reports.html", ".md": "reports.markdown", ".json": "reports.data"}


def write_report(sweep, path) -> Path:
    """Analyse a sweep (as `simcore.store.open_sweep` gives it) and write it as .html, .md or .json; returns the path."""
    path = Path(path)
    suffix = path.suffix.lower()
    if suffix == ".pdf":
        raise UsageError(f"{path}: PDF reports are not built yet; write an .html report and print it to PDF from a browser, or use .md or .json")
    if suffix not in WRITERS:
        what = f'"{suffix}" is no report format{did_you_mean(suffix, WRITERS)}' if suffix else "the name needs a suffix: .html, .md or .json"
        raise UsageError(f"{path}: {what}")
    if not path.parent.is_dir():
        raise UsageError(f"{path}: there is no folder {path.parent}")
    return importlib.import_module(WRITERS[suffix]).write(sweep, path)
