"""What columns and words of a file mean: a TOML file beside it, or the form's own headings."""

import shlex
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, ValidationError, field_validator

from bartizan.analyses.people.log import RATINGS, RESULTS
from bartizan.analyses.people.vocabulary import words
from bartizan.simcore.errors import UsageError, did_you_mean

# what a column can mean, in the form's order; `winner` holds the name of who won
OF_PLAY = tuple("play date game edition level variant players minutes turns ending winner".split())  # noqa: SIM905
OF_SEAT = tuple("player seat role team result score rank first_play start_player experience".split())  # noqa: SIM905
AT_THE_END = ("simulator_says", "table_says")
FIELDS = (*OF_PLAY, *OF_SEAT, *RATINGS, *AT_THE_END)
OTHER_NAMES = {"version": "edition", "rounds": "turns", "difficulty": "level", "name": "player"}
OTHER_NAMES |= {"timestamp": "date"}
# fields of [values.*]
WORDED = ("result", "level", "role", "game", "edition", "ending", "experience", "team", "variant")
WRITE_ONE = "write a mapping with: bartizan playtest template {} -o mapping.toml --game GAME"

Texts = dict[str, list[str]]


class Conventions(BaseModel):
    """[playtest]: what is true of the whole file."""

    model_config = ConfigDict(extra="forbid", strict=True)

    game: str = ""
    edition: str = ""
    level: str = ""
    decimal: Literal["", ".", ","] = ""
    dates: Literal["", "day.month.year", "month/day/year"] = ""
    untouched_means: Literal["unknown", "loss"] = "unknown"


class PlayMapping(BaseModel):
    """A mapping file."""

    model_config = ConfigDict(extra="forbid")

    playtest: Conventions = Conventions()
    columns: Texts = {}
    values: dict[str, Texts] = {}

    @field_validator("columns", mode="before")
    @classmethod
    def _listed(cls, columns: Any) -> Any:
        """A heading, or several: one a seat."""
        if not isinstance(columns, dict):
            return columns
        return {
            field: [headings] if isinstance(headings, str) else headings
            for field, headings in columns.items()
        }

    def means(self, field: str, text: str) -> str | None:
        """What a word means by [values.FIELD]; None where nothing is said of it."""
        for meaning, texts in self.values.get(field, {}).items():
            if words(text) in map(words, texts):
                return meaning
        return None

    def called(self) -> dict[str, str]:
        """Names that a file gives games -> their names here."""
        games = self.values.get("game", {}).items()
        return {words(text): name for name, texts in games if name != "unknown" for text in texts}


def read_mapping(path: Path) -> PlayMapping:
    """UsageError: one line with what is wrong where."""
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8-sig"))
    except FileNotFoundError:
        raise UsageError(f"{path}: no such mapping; {WRITE_ONE.format('FILE')}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError) as error:
        raise UsageError(f"{path}: not a mapping: {error}") from error
    try:
        mapping = PlayMapping.model_validate(data)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        raise UsageError(f"{path}: {where}: {_said(first, where)}") from error
    _check(path, mapping)
    return mapping


def _said(error: Mapping[str, Any], where: str) -> str:
    if error["type"] == "extra_forbidden":
        table = Conventions if where.startswith("playtest.") else PlayMapping
        return f"no such key{did_you_mean(where.split('.')[-1], table.model_fields)}"
    return str(error["msg"]).replace("Input should be", "write").lower()


def _check(path: Path, mapping: PlayMapping) -> None:
    for kind, known in (("columns", FIELDS), ("values", WORDED)):
        for field in getattr(mapping, kind):
            if field not in known:
                raise UsageError(
                    f"{path}: {kind}.{field}: no such column of a log{did_you_mean(field, known)}"
                )
    for field in mapping.columns:
        if not mapping.columns[field]:
            raise UsageError(f"{path}: columns.{field}: no heading; leave the line out")
        if field in OF_PLAY and len(mapping.columns[field]) > 1:
            raise UsageError(f"{path}: columns.{field}: is one of a play, not one a seat; name one heading")
    for meaning in mapping.values.get("result", {}):
        if meaning not in RESULTS:
            raise UsageError(f"{path}: values.result.{meaning}: a result is one of {', '.join(RESULTS)}")
    counts = {field: len(counted) for field, counted in mapping.columns.items() if len(counted) > 1}
    if len(set(counts.values())) > 1:
        counted = ", ".join(f"{field} {count}" for field, count in counts.items())
        raise UsageError(
            f"{path}: columns: as many headings for each field that has one a seat, not {counted}"
        )


def own_headings(name: str, headings: list[str]) -> PlayMapping:
    """The mapping of a table with the form's headings. UsageError for one with others."""
    plain = {words(heading).replace(" ", "_"): heading for heading in reversed(headings)}
    fields = {field: [plain[field]] for field in FIELDS if field in plain}
    for other, field in OTHER_NAMES.items():  # a date by that name goes before a form's timestamp
        if other in plain:
            fields.setdefault(field, [plain[other]])
    if not {"result", "winner"} & set(fields):
        raise UsageError(
            f'{name}: no column "result" or "winner", so its headings are not the form\'s; '
            f"{WRITE_ONE.format(shlex.quote(name))}"
        )
    return PlayMapping(columns=fields)
