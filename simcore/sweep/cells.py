"""What was played, one model: a manifest is written from it, checked by it and read into it."""

import json
from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

Code = Annotated[str, Field(pattern=r"^-?[0-9]+$")]  # of a column, as JSON writes a key
Column = Annotated[str, Field(pattern=r"^[<>=|]?[biufSU][0-9]+$")]  # numpy's name of a type
Share = Annotated[float, Field(gt=0, lt=1)]


# keys of a cell that a manifest leaves out where they say nothing
LEFT_OUT = ("reporting", "draws_luck", "banner", "names", "changes")


class AsWritten(BaseModel):
    """Nothing is converted; keys of other versions may stand there too."""

    model_config = ConfigDict(strict=True, allow_inf_nan=False, frozen=True)


class MatchGames(AsWritten):
    """How the games of a match are played, and what their columns mean."""

    policies: list[dict[str, Any]]  # see `PlayedPolicy`; of games that no sweep keeps, role and name
    tiers: dict[str, Any]  # name -> least score
    end_reasons: dict[Code, str]
    labels: dict[str, dict[Code, str]]
    cause_column: str | None
    # see simcore.reporting; empty when the game says nothing, and in older manifests
    reporting: dict[str, Any] = {}
    # False: all games are proven to be one game (`simcore.play.drawn`); older manifests do not say, and count
    # as drawing luck
    draws_luck: bool = True


class CellEntry(MatchGames):
    """One cell of a sweep, as a manifest has it."""

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
    # tier -> level of victory; empty where the game has none, and in older manifests
    tier_levels: dict[str, str] = {}
    banner: dict[str, Any] | None = None  # of a reconstruction, see simcore.scenario.changes
    # [path, name] of every value that was set, as they were named; none in older manifests
    names: list[list[str]] = []
    # against the shipped scenario, see simcore.scenario.changes
    changes: list[dict[str, Any]] = []

    def written(self) -> dict[str, Any]:
        """As a manifest has it."""
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
    """The types of what every command uses."""

    game: str
    game_as_named: str
    title: str
    command: str
    behaviour: int
    seed: int
    level: Share
    cells: Annotated[list[PlayedCell], Field(min_length=1)]
    versions: dict[str, Any]
    # what older ones lack
    scenario_as_named: str | None = None
    rules_source: str | None = None
    precision: Share | None = None
    claims: list[Any] = []


def refuse_misshapen(manifest: Any) -> None:
    """Raises ValueError that names the first key which is missing, or of another type."""
    hold_letters(manifest)
    try:
        Manifest.model_validate(manifest)
    except ValidationError as error:
        fault = error.errors(include_url=False)[0]
        where = ".".join(map(str, fault["loc"])) or "the whole"
        instead = "" if fault["type"] == "missing" else f", not {str(fault['input'])[:40]!r}"
        raise ValueError(f"{where}: {fault['msg']}{instead}") from None


def hold_letters(document: Any) -> None:
    """Raises ValueError: half of a pair of surrogates stands for no letter, and no page could be written."""
    try:
        json.dumps(document, ensure_ascii=False).encode()
    except UnicodeEncodeError as error:
        raise ValueError(rf"\u{ord(error.object[error.start]):04x} is not a character") from None


def as_named(entry: Mapping[str, Any]) -> dict[str, Any]:
    """A manifest sorts its keys: what was set stands again in the order in which it was named."""
    order = [path for path, _ in entry.get("names", [])]
    ordered = {**entry, "set": {path: entry["set"][path] for path in dict.fromkeys((*order, *entry["set"]))}}
    if "changes" in entry:
        ordered["changes"] = [
            {key: row[key] for key in ("path", "what", "from", "to", "confidence", "unit") if key in row}
            for row in entry["changes"]
        ]
    return ordered
