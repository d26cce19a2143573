"""The result of every question: document, text, charts, tables, exit code, and the simulated games."""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, Self

from bartizan.simcore.errors import BartizanError, UsageError, did_you_mean

if TYPE_CHECKING:
    import matplotlib.figure
    import pandas as pd
    import polars as pl

    from bartizan.reports.blocks import View


EXIT_INCONCLUSIVE = 3  # exit code of an inconclusive answer; more games may decide it


class Fields(Mapping[str, Any]):
    """Read-only part of a document. `fields["low"]` and `fields.low` return the same value."""

    def __init__(self, document: Mapping[str, Any]):
        self._document = document

    def __getitem__(self, key: str) -> Any:
        return _readable(self._document[key])

    def __iter__(self) -> Iterator[str]:
        return iter(self._document)

    def __len__(self) -> int:
        return len(self._document)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):  # while a copy is made, there is no document yet
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
        if name not in self._document:
            raise AttributeError(f"no field {name!r}; the fields are: {', '.join(self._document)}")
        return self[name]

    def __copy__(self) -> Self:
        """Return the object itself, because it is read-only."""
        return self

    def __deepcopy__(self, memo: Any) -> Self:
        return self

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self._document]

    def __repr__(self) -> str:
        return repr(plain(self._document))


class Answer(Fields):
    """Result of a question.

    Read its fields by name (`answer.win_rate.low`), print its text with `print`, and get its games with
    `rows()`. A notebook shows its charts and tables.

    exit_code: exit code of the command. failure: an error that the command raises after it has printed the
    answer. view: a function that returns the charts and tables on demand. Pickling an answer pickles `view`
    and `rows` too.
    """

    def __init__(
        self,
        document: Mapping[str, Any],
        text: Callable[[], Iterable[str]],
        *,
        view: "Callable[[], View] | None" = None,
        hints: Iterable[str] = (),
        exit_code: int = 0,
        failure: BartizanError | None = None,
        rows: "Callable[[], pl.LazyFrame] | None" = None,
    ):
        super().__init__(document)
        self._text, self._view, self._rows = text, view, rows
        self.hints, self.exit_code, self.failure = tuple(hints), exit_code, failure

    def to_dict(self) -> dict[str, Any]:
        """Return a copy of the document that the command prints with `--json`, with JSON types only."""
        return dict(plain(self._document))

    def to_json(self) -> str:
        """Return the document as JSON text."""
        return as_json(self._document)

    def lines(self) -> Iterable[str]:
        """Return the lines of the command's text."""
        return self._text()

    def text(self) -> str:
        """Return the text that the command prints, as one string."""
        return "\n".join(self.lines())

    def rows(self) -> "pl.LazyFrame":
        """Return the games of the answer, one per row.

        Each column of codes also has a column of names, such as `end_reason_name`. For pandas, use
        `rows().collect().to_pandas()`. Raises UsageError if the question saves no games, or if a pickled
        answer's games were temporary.
        """
        if self._rows is None:
            raise UsageError("rows: this result has no games; only the results of run and compare have games")
        return self._rows()

    def __repr__(self) -> str:
        return self.text()

    __str__ = __repr__

    def beside(self, name: str, part: Mapping[str, Any], line: str) -> Self:
        """Add the field `name` to this answer, and a line about it below the summary sentence.

        Modifies the answer itself and returns it.
        """
        before, view = self._text, self._view

        def text() -> Iterator[str]:
            sentence, *rest = before()
            yield from (sentence, f"  {line}", *rest)

        self.__dict__["_document"] = {**self._document, name: part}
        self.__dict__["_text"] = text
        self.__dict__["_view"] = view and partial(_with_line, view, line)
        return self

    def hinted(self, line: str) -> Self:
        """Add a line that the command prints below the text, before other such lines.

        Modifies the answer itself and returns it.
        """
        self.__dict__["hints"] = (line, *self.hints)
        return self

    # ------------------------------------------------------------ its chart and its tables

    @property
    def view(self) -> "View | None":
        """Charts, tables and findings as blocks; None for an answer that is only text."""
        return self._view and self._view()

    def _repr_html_(self) -> str:
        from bartizan.reports.render import notebook

        return notebook.fragment(self.view, self._document, self.text())

    def figure(self, title: str | None = None) -> "matplotlib.figure.Figure":
        """Return the first chart, or the chart with this title, as a matplotlib figure.

        Raises UsageError if the answer has no such chart.
        """
        from bartizan.reports.render import notebook

        view = self.view
        charts = notebook.charts_of(view) if view else []
        return notebook.drawn(charts[_place(title, "figure", [one.title for one in charts])])

    def table(self, title: str | None = None) -> "pl.DataFrame":
        """Return the first table, or the table with this title.

        All cells are text, as printed. For numbers, use `to_polars()`. Raises UsageError if the answer has no
        such table.
        """
        from bartizan.reports.render import notebook

        view = self.view
        tables = view.tables if view else ()
        return notebook.frame_of(tables[_place(title, "table", [one.title for one in tables])])

    def to_polars(self, part: str | None = None) -> "pl.DataFrame":
        """Return the document as one row, with nested fields as columns such as `win_rate.low`.

        part: a field with several entries, such as `cells` or `end_reasons`; the result then has one row per
        entry. Raises UsageError for a field that is missing, empty or a single value.
        """
        from bartizan.analyses.document import in_rows

        document = self.to_dict()
        if part is None:
            return in_rows([document])
        known = [name for name, value in document.items() if isinstance(value, (list, dict)) and value]
        if part not in known:
            raise UsageError(f'to_polars: this result has no table "{part}"{did_you_mean(part, known)}')
        return in_rows(document[part])

    def to_pandas(self, part: str | None = None) -> "pd.DataFrame":
        """Return the result of `to_polars` as a pandas DataFrame."""
        return self.to_polars(part).to_pandas()

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_text": tuple(self.lines())}

    def __setstate__(self, state: Mapping[str, Any]) -> None:
        lines = state["_text"]
        self.__dict__.update(state, _text=lambda: lines)


def _with_line(view: "Callable[[], View]", line: str) -> "View":
    from bartizan.reports.blocks import Lines

    made = view()
    return replace(made, blocks=(*made.blocks, Lines((line,))))


def _place(title: str | None, what: str, titles: Sequence[str]) -> int:
    """Return the index of `title` in `titles`; 0 for None.

    Raises UsageError for an unknown title, and if there are no titles.
    """
    if not titles:
        raise UsageError(
            f"{what}: not available for this result; use print(answer) for its text or to_polars() for "
            "its numbers"
        )
    if title is None:
        return 0
    if title not in titles:
        known = titles if any(titles) else ["the first, without a title"]
        raise UsageError(f'{what}: no title "{title}"{did_you_mean(title, known)}')
    return titles.index(title)


def _readable(value: Any) -> Any:
    if isinstance(value, Mapping):
        return Fields(value)
    return tuple(map(_readable, value)) if isinstance(value, (list, tuple)) else value


def plain(document: Any) -> Any:
    """Return a copy of a document that contains only JSON types."""
    from bartizan.analyses.document import finite  # imports pydantic, which `--help` does not need

    return json.loads(json.dumps(finite(document), default=_as_json))


def as_json(document: Any) -> str:
    """Return a document as JSON text."""
    from bartizan.analyses.document import finite

    return json.dumps(finite(document), indent=2, default=_as_json)


def _as_json(value: Any) -> Any:
    return value.item() if hasattr(value, "item") else str(value)
