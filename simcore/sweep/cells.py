"""The model of a manifest, for writing, checking and reading it."""

import json
from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from bartizan.simcore.errors import fault_in_saved

Code = Annotated[str, Field(pattern=r"^-?[0-9]+$")]  # a value of a column, as JSON writes a key
Column = Annotated[str, Field(pattern=r"^[<>=|]?[biufSU][0-9]+$")]  # numpy's name of a type
Share = Annotated[float, Field(gt=0, lt=1)]


# keys of a cell that a manifest omits if they are empty
LEFT_OUT = ("reporting", "draws_luck", "banner", "names", "changes", "assumed_values")


class AsWritten(BaseModel):
    """A model that converts no values and accepts keys of other versions."""

    model_config = ConfigDict(strict=True, allow_inf_nan=False, frozen=True)


class MatchGames(AsWritten):
    """The definition of the games of a match, and the meaning of their columns."""

    policies: list[dict[str, Any]]  # see `PlayedPolicy`; for games that no sweep stores, role and name
    tiers: dict[str, Any]  # name -> lowest score
    end_reasons: dict[Code, str]
    labels: dict[str, dict[Code, str]]
    cause_column: str | None
    # see simcore.reporting; empty if the game declares nothing, and in older manifests
    reporting: dict[str, Any] = {}
    # False: all games are proven to be the same game (`simcore.play.drawn`); older manifests omit it, and
    # count as random
    draws_luck: bool = True


class CellEntry(MatchGames):
    """One cell of a sweep in a manifest."""

    id: str
    difficulty: str
    scenario: str
    scenario_hash: str
    set: dict[str, Any]
    games: Annotated[int, Field(ge=1)]
    nulls: dict[str, int]
    columns: dict[str, Column]  # name -> numpy type
    assumed: int
    confidence: dict[str, int]
    assumptions: list[str]
    min_win_score: int | float | None = None
    # tier -> level of victory; empty if the game has none, and in older manifests
    tier_levels: dict[str, str] = {}
    banner: dict[str, Any] | None = None  # caveat of a reconstruction, see simcore.scenario.changes
    # [path, name] of every value that was set, in the order in which they were named; none in older manifests
    names: list[list[str]] = []
    # relative to the built-in scenario, see simcore.scenario.changes
    changes: list[dict[str, Any]] = []
    assumed_values: list[str] = []  # names of the values that `assumed` counts; none in older manifests

    def written(self) -> dict[str, Any]:
        """Return the entry as plain data, as it is written to a manifest."""
        entry = {name: getattr(self, name) for name in CellEntry.model_fields}
        usual = {name: CellEntry.model_fields[name].default for name in LEFT_OUT}
        return {name: value for name, value in entry.items() if name not in usual or value != usual[name]}


# ---------------------------------------------------------------- the whole manifest


class PlayedPolicy(AsWritten):
    role: str
    name: str
    as_named: str
    source_hash: str
    weights: dict[str, float]
    about: str = ""


class PlayedCell(CellEntry):
    policies: list[PlayedPolicy]  # type: ignore[assignment]
    tiers: dict[str, float]


class Manifest(AsWritten):
    """The keys of a manifest that every command uses, with their types."""

    game: str
    game_as_named: str
    title: str
    command: str
    behaviour: int
    seed: int
    level: Share
    cells: Annotated[list[PlayedCell], Field(min_length=1)]
    versions: dict[str, Any]
    # missing in older ones
    scenario_as_named: str | None = None
    rules_source: str | None = None
    precision: Share | None = None
    claims: list[Any] = []
    short: bool = False


def refuse_misshapen(manifest: Any) -> None:
    """Raise ValueError for the first key of a manifest that is missing or has another type.

    Also raises it for an unpaired surrogate.
    """
    check_characters(manifest)
    try:
        Manifest.model_validate(manifest)
    except ValidationError as error:
        raise ValueError(fault_in_saved(error)) from None


def check_characters(document: Any) -> None:
    """Raise ValueError for an unpaired surrogate.

    It is not a character and cannot be written to a page.
    """
    try:
        json.dumps(document, ensure_ascii=False).encode()
    except UnicodeEncodeError as error:
        raise ValueError(rf"\u{ord(error.object[error.start]):04x} is not a character") from None


def as_named(entry: Mapping[str, Any]) -> dict[str, Any]:
    """Return a cell's entry with the keys of `set` and `changes` in their original order.

    A manifest sorts its keys.
    """
    order = [path for path, _ in entry.get("names", [])]
    ordered = {**entry, "set": {path: entry["set"][path] for path in dict.fromkeys((*order, *entry["set"]))}}
    if "changes" in entry:
        ordered["changes"] = [
            {key: row[key] for key in ("path", "what", "from", "to", "confidence", "unit") if key in row}
            for row in entry["changes"]
        ]
    return ordered
