"""Charts drawn by matplotlib, as SVG inside a page or as files."""

from __future__ import annotations

import io
import re
from collections.abc import Callable
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING

from bartizan.reports.figures import theme
from bartizan.reports.text.visible import visible
from bartizan.simcore.errors import UsageError
from bartizan.simcore.files import MADE_HERE, check_output, whole

if TYPE_CHECKING:
    from matplotlib.figure import Figure

# ---------------------------------------------------------------- inside a page

TAG = re.compile(r"<[^>]+>")
NUMBER = re.compile(r"-?\d+\.\d{3,}")
FONT_FAMILY = re.compile(r"font-family: [^;\"]*; ")
FONT = re.compile(r"font: (?:(\d+|bold) )?([\d.]+)px [^;\"]*")
VIEW_BOX = re.compile(r'viewBox="[^"]*"')
LEVEL = re.compile(r' transform="rotate\(-?0 [^)]*\)"')  # rotation by 0 degrees, which is superfluous


def inline(figure: Figure, name: str, alt: str) -> str:
    """Return a chart as SVG markup for a page. Its labels are text, and it loads no other files.

    name: prefix that makes the ids unique in the page (letters, digits, hyphens). alt: the alternative text.
    """
    from matplotlib.backends.backend_svg import FigureCanvasSVG

    with theme.applied():
        _make_visible(figure)
        buffer = io.StringIO()
        # `savefig` would first draw the figure for its layout, which is not needed
        FigureCanvasSVG(figure).print_svg(buffer, metadata={"Date": None})
    text = _without_wrapping(buffer.getvalue())
    text = TAG.sub(_in_hundredths, text)
    text = FONT.sub(_font, FONT_FAMILY.sub("", text))  # the page's style sheet names the typeface once
    text = LEVEL.sub("", text)
    text = re.sub(r'<g id="[^"]*"', "<g", text)  # groups are never referred to
    text = re.sub(r'\bid="', f'id="{name}-', text)
    text = re.sub(r'(href="|url\()#', rf"\1#{name}-", text)
    view_box = VIEW_BOX.findall(text)[0]
    label = escape(visible(alt), quote=True)
    _, rest = text.split(">", 1)
    return f'<svg {view_box} role="img" aria-label="{label}">{rest}'


def _make_visible(figure: Figure) -> None:
    """Escape characters in the labels that would make the SVG invalid XML."""
    from matplotlib.text import Text

    for text in figure.findobj(Text):
        if (shown := visible(text.get_text())) != text.get_text():
            text.set_text(shown)


def _without_wrapping(text: str) -> str:
    text = text[text.index("<svg") :]
    text = re.sub(r"<metadata>.*?</metadata>", "", text, flags=re.DOTALL)
    text = re.sub(r"<!--.*?-->", "", text, flags=re.DOTALL)
    # this rule would affect the whole page; the style sheet has it for svg elements
    text = re.sub(r"<style.*?</style>", "", text, flags=re.DOTALL)
    return re.sub(r"\s+", " ", re.sub(r">\s+<", "><", text)).replace(" </", "</").strip()


def _in_hundredths(tag: re.Match[str]) -> str:
    """Return a tag with coordinates rounded to hundredths of a pixel."""
    return NUMBER.sub(lambda number: f"{float(number.group()):.2f}".rstrip("0").rstrip("."), tag.group())


def _font(match: re.Match[str]) -> str:
    weight, size = match.groups()
    return f"font-size: {size}px" + (f"; font-weight: {weight}" if weight else "")


# ---------------------------------------------------------------- a file of its own: .svg, .pdf or .png

FORMATS = (".svg", ".pdf", ".png")


def check_name(path: Path, option: str) -> Path:
    """Return the path of a chart file.

    Raises UsageError for a name without a known format, and for a path that cannot be written. option: the
    option that names the file.
    """
    path = Path(path)
    if path.suffix.lower() not in FORMATS:
        raise UsageError(f"{option} {path}: the name must end in one of {', '.join(FORMATS)}")
    check_output(path, option)
    return path


def write(draw: Callable[[], Figure], path: Path, option: str) -> Path:
    """Write a chart to a file, and return the path. The same chart gives the same SVG.

    Raises UsageError if the file cannot be written.
    """
    path = check_name(path, option)
    try:
        with theme.applied(), whole(path) as part:
            _save(draw(), path.suffix.lower(), part)
    except OSError as error:
        raise UsageError(f"{option} {path}: cannot be written: {error.strerror or error}") from error
    return path


AUTHOR = {".svg": "Creator", ".pdf": "Creator", ".png": "Software"}  # name of that metadata in each format


def _save(figure: Figure, suffix: str, path: Path) -> None:
    """Write a chart. An SVG has no date, and its numbers are rounded to two decimals."""
    _make_visible(figure)
    about, form = {AUTHOR[suffix]: MADE_HERE}, suffix[1:]
    if suffix != ".svg":
        return figure.savefig(path, format=form, metadata=about, dpi=150, facecolor="white")
    buffer = io.StringIO()
    figure.savefig(buffer, format=form, metadata={**about, "Date": None}, facecolor="white")
    text = NUMBER.sub(lambda number: f"{float(number.group()):.2f}", buffer.getvalue())
    path.write_text(text, encoding="utf-8")
