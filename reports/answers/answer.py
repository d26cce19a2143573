"""What every answer is, and what every answer says: the reconstruction's banner, and what is assumed."""

import json
import os
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from html import escape
from pathlib import Path
from textwrap import shorten
from typing import Any

import polars as pl

from bartizan.analyses.document import Document
from bartizan.policies.request import command_of, name_in_commands
from bartizan.reports.blocks import View
from bartizan.reports.render import terminal
from bartizan.reports.text import banner, changes
from bartizan.simcore.compile.loops import Loop
from bartizan.simcore.errors import UsageError
from bartizan.simcore.files import write_atomic
from bartizan.simcore.game import MOST_GAMES, Game
from bartizan.simcore.play.batch import BATCH, Elsewhere, Source
from bartizan.simcore.scenario.changes import caveat_of, together
from bartizan.simcore.scenario.loading import Scenario, load_scenario, scenario_names
from bartizan.simcore.scenario.parameters import as_text
from bartizan.simcore.watch import Watch

ASSUMED = 90  # letters of an assumption in a result
INCONCLUSIVE = 3  # exit code of an answer that more games would give


@dataclass(frozen=True)
class Effort:
    """How much is played, on which luck, and who watches."""

    games: int
    seed: int = 1
    jobs: int | None = None
    watch: Watch = field(default_factory=Watch)
    elsewhere: Elsewhere | None = None  # who plays, where it is not this machine

    def __post_init__(self):
        if self.games > MOST_GAMES:
            raise UsageError(f"games = {self.games:,}: at most {MOST_GAMES:,}, which a record can number")

    @property
    def threads(self) -> int:
        """Of this machine: all cores unless a number is given; no result depends on it."""
        return self.jobs or os.cpu_count() or 1

    def compiles(self, game: Game, loop: Loop) -> None:
        """Says so if the loop has yet to be compiled for this machine, which takes a while."""
        if not loop.is_compiled(game.compiled, len(game.roles)):
            self.watch.compiling(game.name, "seconds for a small game, minutes for a large one")

    @contextmanager
    def source(self, game: Game, games: int = 0) -> Iterator[Source]:
        """Where a question's games come from, while somebody watches. games: how many there will be, 0
        unknown.
        """
        if not self.elsewhere:
            self.compiles(game, BATCH)
        with self.watch.progress(game.name, games) as watch:
            yield Source(self.threads, watch, self.elsewhere)


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
    """An answer: fields of the document by name, its text by `print`, its games by `rows()`."""

    def __init__(
        self,
        document: Mapping[str, Any],
        text: Callable[[], Iterable[str]],
        *,
        hints: Iterable[str] = (),
        exit_code: int = 0,
        rows: Callable[[], pl.LazyFrame] | None = None,
    ):
        super().__init__(document)
        self._text, self._rows = text, rows
        self.hints, self.exit_code = tuple(hints), exit_code

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

    def rows(self) -> pl.LazyFrame:
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
    return json.loads(json.dumps(document, default=_as_json))


def as_json(document: Any) -> str:
    """The document as text."""
    return json.dumps(document, indent=2, default=_as_json)


def _as_json(value: Any) -> Any:
    return value.item() if hasattr(value, "item") else str(value)


# ---------------------------------------------------------------- what every document says


def caveat(game: Game, scenario: Scenario) -> dict[str, Any]:
    """The part of a document that says it is about a reconstruction; {} for a published game."""
    found = caveat_of(game, scenario)
    return {"banner": found} if found else {}


def common_caveat(documents: Iterable[Mapping]) -> dict[str, Any]:
    """One for several cells."""
    found = together([document["banner"] for document in documents if "banner" in document])
    return {"banner": found} if found else {}


def caveat_lines(game: Game, document: Mapping) -> Iterator[str]:
    """What a result of a reconstruction opens with; and all that is changed, where a title has no room."""
    if "banner" in document:
        yield banner.line(document["banner"], name_in_commands(game))
    yield from changes.lines(document.get("changes", ()))


def assumed(document: Mapping, assumptions: Iterable[str] | None = None) -> list[str]:
    """Assumptions to be listed: what the banner has said is not said again."""
    listed = document["assumptions"] if assumptions is None else assumptions
    return [line for line in listed if line != document.get("banner", {}).get("text")]


def framed(
    game: Game,
    document: Mapping,
    lines: Iterable[str],
    assumptions: Iterable[str] | None = None,
    played: Sequence[Mapping] = (),
) -> Iterator[str]:
    """The sentence, the caveat, the other lines, then what is assumed. played: as in `assumed_lines`."""
    sentence, *rest = lines
    yield sentence
    yield from caveat_lines(game, document)
    yield from rest
    yield from assumed_lines(game, document, assumptions, played)


def shown(game: Game, document: Document, view: View, **others: Any) -> Answer:
    """An answer that is a document and its view. others: hints, exit_code, rows of `Answer`."""
    plain_document = document.plain()
    return Answer(plain_document, lambda: framed(game, plain_document, terminal.lines(view)), **others)


def assumed_lines(
    game: Game, document: Mapping, assumptions: Iterable[str] | None = None, played: Sequence[Mapping] = ()
) -> Iterator[str]:
    """What a result rests on, in one line; `describe` says it in full. played: documents of what was played,
    where they are others than `document`.
    """
    found = assumed(document, assumptions)
    if found:
        more = f" and {len(found) - 1} more" if len(found) > 1 else ""
        first = shorten(found[0], ASSUMED, placeholder=" ...")
        commands = _describing(game, played or [document], found)
        yield f"  assumed  {first}{more}; in full: {' and '.join(commands)}"


def _describing(game: Game, played: Iterable[Mapping], found: Iterable[str]) -> list[str]:
    """The commands that show all that is `found`, few of them: first the one that shows most."""
    shown = [(command, set(lines)) for one in played for command, lines in _described(game, one)]
    commands: list[str] = []
    missing = set(found)
    while not commands or any(lines & missing for _, lines in shown):
        command, lines = max(shown, key=lambda pair: len(pair[1] & missing))
        commands.append(command)
        missing -= lines
    return commands


def _described(game: Game, document: Mapping) -> Iterator[tuple[str, Iterable[str]]]:
    """(command, the assumptions that it shows) for the level of a document; for each where it has several."""
    level, sets = document.get("difficulty"), document.get("overrides", {})
    name = document.get("scenario")
    shipped = name if name in scenario_names(game.scenarios) else None
    if isinstance(level, str) or (name and not shipped):
        lines = document.get("assumptions", ())
        yield _describe(game, shipped, level if shipped else None, sets), lines
        return
    texts = {path: as_text(value) for path, value in sets.items()}
    for level in load_scenario(game, shipped, None, texts).model.difficulties():
        lines = load_scenario(game, shipped, level, texts).model.assumptions()
        yield _describe(game, shipped, level, sets), lines


def _describe(game: Game, scenario: str | None, level: str | None, sets: Mapping) -> str:
    return command_of(
        "describe", name_in_commands(game), scenario=scenario, difficulty=level or None, set=sets
    )


# ---------------------------------------------------------------- files


_READ: list["Folder"] = []  # folders that lazy frames read from, until Python ends


class Folder:
    """The folder of a sweep: where the user said, or a temporary one that lives as long as this object."""

    def __init__(self, out: Path | None):
        self.temporary: tempfile.TemporaryDirectory | None = None
        if out is None:
            self.temporary = tempfile.TemporaryDirectory(prefix="bartizan-")
            out = Path(self.temporary.name)
        self.path = Path(out)

    def keep(self) -> None:
        """Let it live until Python ends: somebody reads from it."""
        if self.temporary:
            _READ.append(self)

    def __truediv__(self, name: str) -> "Folder":
        """A folder within, which keeps this one alive."""
        inside = Folder(self.path / name)
        inside.temporary = self.temporary
        return inside


def json_file(out: Path) -> Callable[[Mapping], Path]:
    """What writes a document to a .json file; refused before anything is played."""
    if out.suffix != ".json":
        raise UsageError(f"-o {out}: name a .json file")
    if not out.parent.is_dir():
        raise UsageError(f"-o {out}: there is no folder {out.parent}")

    def write(document: Mapping) -> Path:
        with writing(f"-o {out}"):
            write_atomic(out, as_json(document).encode() + b"\n")
        return out

    return write


@contextmanager
def writing(where: str) -> Iterator[None]:
    """A file that cannot be written is the user's to mend."""
    try:
        yield
    except OSError as error:
        raise UsageError(f"{where}: cannot be written: {error.strerror or error}") from error
