"""Results in a notebook: sentence, charts and tables as HTML, with the full text folded below.

Single charts and tables are matplotlib figures and polars data frames.
"""

import io
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache, partial
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from bartizan.reports.blocks import Chart, Entry, Figure, Table, Track, View
from bartizan.reports.render.html import FOLDER, render
from bartizan.reports.text import changes
from bartizan.reports.text.visible import visible

if TYPE_CHECKING:
    import matplotlib.figure
    import polars as pl

ROOT = re.compile(r"(?m)(^\s*)(?::root|body|html)(?=[\s:{])")  # selectors of the whole page


def fragment(view: View | None, document: Mapping[str, Any], text: str) -> str:
    """Return the HTML of one notebook output, whose style and ids do not affect other outputs."""
    sentence, _, rest = text.partition("\n")
    name = f"bartizan-{sha256(text.encode()).hexdigest()[:8]}"
    return render(
        "notebook.html.j2",
        style=style(),
        name=name,
        sentence=view.sentence if view else sentence,
        banner=document.get("banner"),
        changed=list(changes.lines(document.get("changes") or ())),
        charts=_keyed(view) if view else [],
        view=view,
        rest=rest,
    )


def _keyed(view: View) -> list[Chart | Figure]:
    """Return the charts of a view. Figures get the legend of the view."""
    return [replace(one, legend=view.legend) if isinstance(one, Figure) else one for one in charts_of(view)]


def charts_of(view: View) -> Sequence[Chart | Figure]:
    """Return the figures of a view, or its charts if it has no figure."""
    return view.figures or [block for block in view.blocks if isinstance(block, Chart) and block.tracks]


@cache
def style() -> str:
    """Return the style sheet of a page, limited to one element by CSS nesting."""
    return ROOT.sub(r"\1&", (FOLDER / "report.css").read_text(encoding="utf-8"))


# ---------------------------------------------------------------- one chart, one table


def drawn(chart: Chart | Figure) -> "matplotlib.figure.Figure":
    """Return a chart as a matplotlib figure on a white background."""
    figure = (chart if isinstance(chart, Figure) else Figure(chart.title, apart(chart))).drawn()
    figure.set_facecolor("white")
    # without pyplot, IPython does not display figures
    setattr(figure, "_repr_png_", partial(_png, figure))  # noqa: B010
    return figure


def _png(figure: "matplotlib.figure.Figure") -> bytes:
    buffer = io.BytesIO()
    figure.savefig(buffer, format="png", dpi=150)
    return buffer.getvalue()


def apart(chart: Chart) -> Chart:
    """Return the chart with one row per mark, labelled with the name of the mark."""
    tracks = (
        Track(f"{track.label}: {mark.name}" if mark.name else track.label, (mark,), mark.value)
        for track in chart.tracks
        for mark in track.marks
    )
    return replace(chart, tracks=tuple(tracks))


def frame_of(table: Table) -> "pl.DataFrame":
    """Return a table as a data frame of text: the printed cells with their limits.

    Columns without a name, or with a repeated name, are numbered.
    """
    import polars as pl

    names: list[str] = []
    for place, header in enumerate(table.headers, 1):
        names.append(header if header and header not in names else f"{header or 'column'} {place}")
    columns = zip(*table.rows, strict=True) if table.rows else [()] * len(names)
    cells = {name: list(map(_printed, column)) for name, column in zip(names, columns, strict=True)}
    return pl.DataFrame(cells, schema=dict.fromkeys(names, pl.String()))


def _printed(entry: Entry) -> str:
    return visible(f"{entry.text} ({entry.limits})" if entry.limits else entry.text)
