"""A picture as a file of its own: .svg, .pdf or .png."""

import io
from collections.abc import Callable
from pathlib import Path

from matplotlib.figure import Figure

from bartizan.reports.figures import svg, theme
from bartizan.simcore.errors import UsageError

FORMATS = (".svg", ".pdf", ".png")


def check_name(path: Path, option: str) -> Path:
    """Raises UsageError for a name that says no format, or a folder that is not there."""
    path = Path(path)
    if path.suffix.lower() not in FORMATS:
        raise UsageError(f"{option} {path}: the name must end in {', '.join(FORMATS)}")
    if not path.parent.is_dir():
        raise UsageError(f"{option} {path}: cannot be written: there is no folder {path.parent}")
    return path


def write(draw: Callable[[], Figure], path: Path, option: str) -> Path:
    """Draws a picture into a file; the same picture is the same SVG. Raises UsageError where it cannot."""
    path = check_name(path, option)
    try:
        with theme.applied():
            _save(draw(), path)
    except OSError as error:
        raise UsageError(f"{option} {path}: cannot be written: {error.strerror or error}") from error
    return path


def _save(figure: Figure, path: Path) -> None:
    """An SVG without its date and its needless digits."""
    if path.suffix.lower() != ".svg":
        return figure.savefig(path, dpi=150, facecolor="white")
    buffer = io.StringIO()
    figure.savefig(buffer, format="svg", metadata={"Date": None}, facecolor="white")
    text = svg.NUMBER.sub(lambda number: f"{float(number.group()):.2f}", buffer.getvalue())
    path.write_text(text, encoding="utf-8")
