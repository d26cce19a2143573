"""The declaration in an engine's first answer, and the game that is created from it."""

import hashlib
import json
import os
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal

import numpy as np
from pydantic import ConfigDict, Field, ValidationError, create_model

from bartizan.simcore import toml
from bartizan.simcore.compile import mistakes
from bartizan.simcore.compile.cache import cache_root
from bartizan.simcore.compile.rules import FIRST_GAME_REASON
from bartizan.simcore.documentation import page
from bartizan.simcore.errors import UsageError
from bartizan.simcore.files import write_atomic
from bartizan.simcore.kit.columns import LOOP_COLUMNS
from bartizan.simcore.reporting import Group, Reporting, Setting
from bartizan.simcore.scenario.loading import first_fault
from bartizan.simcore.scenario.model import ScenarioModel, Strict

VERSION = 1  # version of the protocol
SEATS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")
NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]{0,40}")
POLICY = re.compile(r"[A-Za-z0-9][A-Za-z0-9_. -]{0,60}")
NOT_A_NAME = "is a reserved name or not a word of letters, digits and _; choose another name"
RESULT = ("seed", "winner", "turns", "decisions", "scores", "ending")  # keys of a result that are not columns
IN_RECORD = (*(name for name, _ in LOOP_COLUMNS), "turn", "score", "cell", "side")  # columns of all records
Number = bool | int | float | str


class Declared(Strict):
    model_config = ConfigDict(allow_inf_nan=False)


class DeclaredSetting(Declared):
    name: str
    default: Number
    min: int | float | None = None
    max: int | float | None = None
    choices: list[str] = []
    about: str = ""


class DeclaredPolicy(Declared):
    name: str
    about: str = ""
    weights: dict[str, float] = {}
    seats: list[str] = []  # the seats that it can play; [] all


class Declaration(Declared):
    """The declaration of an engine: its answer to `hello`."""

    bartizan: Literal[1] = Field(description="the version of the protocol")
    name: str
    title: str = ""
    version: str = ""
    players: int | list[int] | None = Field(None, description="2, or [2, 3, 4]")
    seats: list[str] = Field([], description='names of sides that differ: ["attacker", "defender"]')
    cooperative: bool = False
    levels: list[str] = Field(["standard"], min_length=1)
    settings: list[DeclaredSetting] = []
    policies: list[DeclaredPolicy] = Field(min_length=1, description="at least one")
    time: str = "turn"  # unit of `turns`, in the singular
    score: str = ""  # unit of scores, in the plural; "": results have no scores
    columns: dict[str, str] = {}  # further number in a result -> its meaning
    endings: list[str] = []
    steps: bool = False  # whether it answers begin, choose, apply and playout

    @property
    def counts(self) -> list[int]:
        """Possible numbers of players."""
        if self.seats:
            return [len(self.seats)]
        if self.players is None:
            return [1]
        return self.players if isinstance(self.players, list) else [self.players]

    @property
    def is_alike(self) -> bool:
        """Whether all players play against each other with the same rules."""
        return not self.seats and not self.cooperative and max(self.counts) > 1

    @property
    def roles(self) -> tuple[str, ...]:
        if self.seats:
            return tuple(self.seats)
        return SEATS[: max(self.counts)] if self.is_alike else ("players" if self.cooperative else "player",)

    def problems(self) -> Iterator[tuple[str, str]]:
        """Yield (key, message with the fault and its correction) for each fault."""
        if not NAME.fullmatch(self.name):
            yield "name", f"{self.name!r}: write one word of letters, digits and _, such as my_game"
        if self.seats and self.players not in (None, len(self.seats)):
            yield (
                "players",
                (f"{self.players}, but {len(self.seats)} seats are named; declare only one of them"),
            )
        if self.seats and self.cooperative:
            yield "seats", "a cooperative game has one side; leave seats out"
        if any(not 1 <= count <= len(SEATS) for count in self.counts) or not self.counts:
            yield (
                "players",
                (f"{self.players}: write a number from 1 to {len(SEATS)}, or a list of such numbers"),
            )
        if not self.seats and not self.cooperative and 1 in self.counts and max(self.counts) > 1:
            yield (
                "players",
                (
                    "1 cannot be combined with other numbers, because a solo game is a different game; leave "
                    "1 out"
                ),
            )
        if len(set(self.seats)) < len(self.seats) or any(not NAME.fullmatch(seat) for seat in self.seats):
            yield "seats", "write distinct words of letters, digits and _"
        names = [setting.name for setting in self.settings]
        for setting in self.settings:
            yield from _problems_of(setting)
        yield from _twice("settings", names)
        policies = [policy.name for policy in self.policies]
        yield from _twice("policies", policies)
        for policy in self.policies:
            if not POLICY.fullmatch(policy.name) or policy.name.endswith((".py", ".toml")):
                yield "policies", f"{policy.name!r}: write letters, digits, spaces, _, . and -"
            if policy.name in ("lookahead", "learned"):
                yield "policies", f"{policy.name!r} is a reserved name; choose another name"
            if odd := [seat for seat in policy.seats if seat not in self.roles]:
                yield (
                    f"policies.{policy.name}.seats",
                    f"no seat {odd[0]!r}; the seats are {', '.join(self.roles)}",
                )
            if odd := [one for one in policy.weights if one == "plays" or not NAME.fullmatch(one)]:
                yield f"policies.{policy.name}.weights", f"{odd[0]!r}: {NOT_A_NAME}"
        for column in self.columns:
            is_taken = column in (*RESULT, *IN_RECORD) or column.startswith("score_")
            if is_taken or not NAME.fullmatch(column):
                yield (f"columns.{column}", NOT_A_NAME)
        labels = {"levels": self.levels, "endings": self.endings, "time": [self.time]}
        labels |= {f"settings.{setting.name}.choices": setting.choices for setting in self.settings}
        for where, texts in {**labels, "title": [self.title or "-"], "score": [self.score or "-"]}.items():
            if odd := [text for text in texts if not text.strip() or not text.isprintable()]:
                yield where, f"{odd[0]!r}: write a text on one line"
        for setting in self.settings:
            yield from _twice(f"settings.{setting.name}.choices", setting.choices)
        yield from _twice("endings", self.endings)
        yield from _twice("levels", self.levels)


def _problems_of(setting: DeclaredSetting) -> Iterator[tuple[str, str]]:
    where, default = f"settings.{setting.name}", setting.default
    if ScenarioModel.has_taken(setting.name) or not NAME.fullmatch(setting.name):
        yield where, NOT_A_NAME
    is_number = isinstance(default, int | float) and not isinstance(default, bool)
    if is_number and (setting.min is None or setting.max is None):
        yield where, "has no range; declare min and max"
    elif is_number and not setting.min <= default <= setting.max:  # type: ignore[operator]
        yield where, f"default {default} is outside {setting.min} to {setting.max}"
    if isinstance(default, str) and default not in setting.choices:
        yield where, f"default {default!r} is not one of its choices; declare all choices"


def _twice(where: str, names: list[str]) -> Iterator[tuple[str, str]]:
    known = [name.casefold() for name in names]  # options ignore case
    if odd := sorted(name for name in names if known.count(name.casefold()) > 1):
        yield where, f"{odd[0]!r} is declared twice"


def read_declaration(answer: Mapping[str, Any], path: Path) -> Declaration:
    """Read the declaration in an answer. Raises UsageError with one line for the first fault."""
    said = answer.get("bartizan")
    if said != VERSION or isinstance(said, bool):
        raise UsageError(
            f"{path}: the engine's first answer has protocol version {said!r}; answer hello with "
            f'{{"bartizan": {VERSION}, ...}} (see {page("engines")})'
        )
    try:
        declared = Declaration.model_validate(dict(answer))
    except ValidationError as error:
        data = dict(answer)
        raise UsageError(f"{path}: declaration: {first_fault(error, data, Declaration)}") from error
    for where, what in declared.problems():
        raise UsageError(f"{path}: declaration: {where}: {what}")
    return declared


def identity(declared: Declaration, files: str) -> str:
    """Return a hash (16 hex digits) of the engine's declaration and its files. files: digest of the files."""
    text = json.dumps(declared.model_dump(mode="json"), sort_keys=True)
    return hashlib.sha256(f"{text}\n{files}".encode()).hexdigest()[:16]


# ---------------------------------------------------------------- the game


class LiveScenario(ScenarioModel):
    """The scenario of a live engine: its declared settings, with their current values."""

    levels: ClassVar[tuple[str, ...]] = ()

    def difficulties(self) -> list[str]:
        return list(type(self).levels)


def schema_of(declared: Declaration) -> type[LiveScenario]:
    """Return the model of a scenario: a value for each setting, with its range."""
    fields: dict[str, Any] = {setting.name: (_type_of(setting), ...) for setting in declared.settings}
    fields["difficulty"] = (str, declared.levels[0])
    if len(declared.counts) > 1:
        fields["players"] = (Literal[tuple(sorted(declared.counts))], ...)
    schema: type[LiveScenario] = create_model("Settings", __base__=LiveScenario, **fields)
    schema.levels = tuple(declared.levels)
    return schema


def _type_of(setting: DeclaredSetting) -> Any:
    if isinstance(setting.default, bool):
        return bool
    if isinstance(setting.default, str):
        return Literal[tuple(setting.choices)]
    is_whole = all(type(one) is int for one in (setting.default, setting.min, setting.max))
    return Annotated[int if is_whole else float, Field(ge=setting.min, le=setting.max)]


def scenarios_of(declared: Declaration, path: Path) -> Path:
    """Return the folder with the default scenario, stored with compiled code.

    path: the path of the engine file.
    """
    head = {"game": declared.name, "name": "standard", "title": declared.title or declared.name}
    values = {setting.name: setting.default for setting in declared.settings}
    players = {"players": min(declared.counts)} if len(declared.counts) > 1 else {}
    content = toml.document({**head, **players, **values}, {}).encode()
    root = Path(os.environ.get("NUMBA_CACHE_DIR") or cache_root())
    scenario = root / "live" / hashlib.sha256(content).hexdigest()[:16] / "scenarios/standard.toml"
    if not scenario.exists() or scenario.read_bytes() != content:
        scenario.parent.mkdir(parents=True, exist_ok=True)
        write_atomic(scenario, content)
    mistakes.WRITTEN[str(scenario)] = str(path)  # messages name the file that the user knows
    return scenario.parent


def record_of(declared: Declaration) -> np.dtype[Any]:
    scores = [(f"score_{seat}", "f8") for seat in range(len(declared.roles))] if declared.score else []
    own = [(column, "f8") for column in declared.columns]
    return np.dtype([*LOOP_COLUMNS, ("turn", "u4"), ("score", "f8"), *scores, *own])


def end_reasons_of(declared: Declaration) -> dict[int, str]:
    return dict(enumerate(declared.endings or ["end of the game"], FIRST_GAME_REASON))


def reporting_of(declared: Declaration) -> Reporting:
    settings = {
        setting.name: Setting(setting.name.replace("_", " "), curve=True, note=setting.about)
        for setting in declared.settings
        if isinstance(setting.default, int | float) and not isinstance(setting.default, bool)
    }
    if len(declared.counts) > 1:
        settings["players"] = Setting("players", "{} players")
    groups = (Group("Counted by the engine", declared.columns),) if declared.columns else ()
    return Reporting(
        time=declared.time,
        score=declared.score,
        has_score=bool(declared.score),
        scores="score_{}" if declared.score else "",
        groups=groups,
        settings=settings,
    )
