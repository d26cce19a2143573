"""What every answer is: a document, its text, its exit code, the games behind it."""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from html import escape
from typing import TYPE_CHECKING, Any

from bartizan.simcore.errors import BartizanError, UsageError

if TYPE_CHECKING:
    import polars as pl


class Fields(Mapping):
    """Part of a document: `fields["low"]` or `fields.low`. Read-only."""

    def __init__(self, document: Mapping[str, Any]):
        self._document = document

    def __getitem__(self, key: str) -> Any:
        return _readable(self._document[key])

    def __iter__(self) -> Iterator[str]:
        return iter(self._document)

    def __len__(self) -> int:
        return len(self._document)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_") or name not in self._document:
            raise AttributeError(f"no {name!r} here; there is: {', '.join(self._document)}")
        return self[name]

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self._document]

    def __repr__(self) -> str:
        return repr(plain(self._document))


class Answer(Fields):
    """An answer: fields of the document by name, its text by `print`, its games by `rows()`.

    exit_code: of the command; failure: what the command ends with, once it has printed the answer.
    """

    def __init__(
        self,
        document: Mapping[str, Any],
        text: Callable[[], Iterable[str]],
        *,
        hints: Iterable[str] = (),
        exit_code: int = 0,
        failure: BartizanError | None = None,
        rows: "Callable[[], pl.LazyFrame] | None" = None,
    ):
        super().__init__(document)
        self._text, self._rows = text, rows
        self.hints, self.exit_code, self.failure = tuple(hints), exit_code, failure

    def to_dict(self) -> dict[str, Any]:
        """The document that the command prints under `--json`; a copy."""
        return plain(self._document)

    def to_json(self) -> str:
        """The same as text."""
        return as_json(self._document)

    def lines(self) -> Iterable[str]:
        """The command's text, line by line; `hints` say what to ask next."""
        return self._text()

    def text(self) -> str:
        """The command's text."""
        return "\n".join(self.lines())

    def rows(self) -> "pl.LazyFrame":
        """The games behind the answer, one a row; `rows().collect().to_pandas()` for pandas.

        UsageError where the question keeps no games.
        """
        if self._rows is None:
            raise UsageError("rows: this answer keeps no games; run, sweep and compare do")
        return self._rows()

    def __repr__(self) -> str:
        return self.text()

    __str__ = __repr__

    def _repr_html_(self) -> str:
        first, _, rest = self.text().partition("\n")
        return f"<p><b>{escape(first)}</b></p><pre>{escape(rest)}</pre>"


def _readable(value: Any) -> Any:
    if isinstance(value, Mapping):
        return Fields(value)
    return tuple(map(_readable, value)) if isinstance(value, (list, tuple)) else value


def plain(document: Any) -> Any:
    """Plain data as JSON has it; a copy."""
    from bartizan.analyses.document import finite  # pydantic: `--help` does without

    return json.loads(json.dumps(finite(document), default=_as_json))


def as_json(document: Any) -> str:
    """The document as text."""
    from bartizan.analyses.document import finite

    return json.dumps(finite(document), indent=2, default=_as_json)


def _as_json(value: Any) -> Any:
    return value.item() if hasattr(value, "item") else str(value)
