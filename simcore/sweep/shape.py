"""What a manifest must look like before anything is read from it: the types of what every command uses."""

import json
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

Code = Annotated[str, Field(pattern=r"^-?[0-9]+$")]  # of a column, as JSON writes a key
Column = Annotated[str, Field(pattern=r"^[<>=|]?[biufSU][0-9]+$")]  # numpy's name of a type
Share = Annotated[float, Field(gt=0, lt=1)]


class AsWritten(BaseModel):
    """Nothing is converted; keys that no command needs may stand there too."""

    model_config = ConfigDict(strict=True, allow_inf_nan=False)


class PlayedPolicy(AsWritten):
    role: str
    name: str
    as_named: str
    source_hash: str
    weights: dict[str, float]
    about: str = ""


class PlayedCell(AsWritten):
    id: str
    difficulty: str
    scenario: str
    scenario_hash: str
    set: dict[str, Any]
    policies: list[PlayedPolicy]
    games: Annotated[int, Field(ge=1)]
    tiers: dict[str, float]
    end_reasons: dict[Code, str]
    labels: dict[str, dict[Code, str]]
    nulls: dict[str, int]
    columns: dict[str, Column]
    confidence: dict[str, int]
    assumed: int
    assumptions: list[str]
    cause_column: str | None


class Manifest(AsWritten):
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
        raise ValueError(f"\\u{ord(error.object[error.start]):04x} is no letter") from None
