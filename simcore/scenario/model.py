"""Contents of a scenario file: pydantic models that check it, and the origin of each number in it."""

from collections.abc import Collection, Iterator
from enum import IntEnum
from typing import Annotated, Any, ClassVar, Literal

from pydantic import BaseModel, ConfigDict, Field, create_model

# changed: by a user's file or option
Confidence = Literal["rulebook", "public-port", "article", "inferred", "assumed", "changed"]
PROVENANCE = ("source", "confidence", "why", "also", "note", "origins")
# keys of a scenario file, and of a table in it, that are not values of the game
NOT_PARAMETERS = {
    *("schema_version", "game", "name", "title", "sources", "ruling", "about", "reconstruction"),
    *("rules_source", "levels", "step", "change_cost", "headings", "column_scales"),
    "read_otherwise",
    *PROVENANCE,
}
NOT_IN_TABLES = {"name", *PROVENANCE}


def not_values(path: str) -> set[str]:
    """Return the keys that are not values of the game in the table at `path`; "" is the whole file."""
    return NOT_IN_TABLES if path else NOT_PARAMETERS


class Strict(BaseModel):
    """A model that allows no unknown keys and no silent type conversion.

    It is immutable after validation.
    """

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class Origin(Strict):
    """The source and the evidence level of a value."""

    source: str
    confidence: Confidence
    why: str = ""


class Datum(Strict):
    """One record of data, with the `source` and the evidence level `confidence` of its numbers.

    Numbers in `origins` have their own source and level.
    """

    by_value: ClassVar[bool] = False  # its values are counted separately, not the record as one

    source: str = Field(description='source of the numbers in this table: source = "the rulebook, p. 3"')
    confidence: Confidence = Field(description='evidence level of these numbers: confidence = "rulebook"')
    why: str = ""
    also: str = ""
    note: str = ""
    origins: dict[str, Origin] = {}  # value -> its own origin

    def origin(self, value: str) -> Origin:
        """Return the origin of one of the record's values."""
        return self.origins.get(value) or Origin(source=self.source, confidence=self.confidence, why=self.why)


def whole(least: int, most: int) -> Any:
    """Return the type of an integer from `least` to `most`."""
    return Annotated[int, Field(ge=least, le=most)]


def table(**values: Any) -> Any:
    """Return the type of a table that consists of one record, given the types of its values. Example:

    limit: table(turns=whole(1, 10_000))
    """
    fields: Any = {name: (kind, ...) for name, kind in values.items()}
    return create_model("Table", __base__=Datum, **fields)


class Ruling(Datum):
    """An unclear rule: the question, its possible readings (the first is the default) and their meanings."""

    id: str
    question: str
    readings: list[str] = Field(min_length=1)
    meaning: str = ""
    impact: Literal["high", "medium", "low", "none", "unrated"] = "unrated"
    patch: dict[str, dict[str, Any]] = {}  # reading -> {path: value}

    def assumption(self, key: str, reading: str) -> str:
        """Return the sentence for an assumed reading of the rule."""
        asked = self.question.rstrip(".")
        return f'The reading {key} = {reading} of ruling {self.id} is assumed: "{asked}"'


class EditionStep(Strict):
    """One of the changes from this scenario to another edition.

    `compare --steps` measures each separately.
    """

    title: str
    set: dict[str, Any] = Field(min_length=1)  # path -> value


class ChangeCost(Strict):
    """The printing cost of each changed value at or below a path. `tune` prefers cheap changes."""

    cost: float = Field(ge=0, allow_inf_nan=False)
    sheet: str = (
        ""  # a sheet that is reprinted as a whole: its cost counts once for any number of changed values
    )
    why: str = ""


class ScenarioModel(Strict):
    """Common contents of all scenario files.

    A game adds its own tables and, in `problems`, its own checks.
    """

    schema_version: Literal[1] = 1
    game: str = Field(description="name of the game that the scenario is for")
    name: str = Field(description='name of the scenario, such as "standard"')
    title: str = Field(description="title of the scenario, as shown to readers")
    about: str = ""
    rules_source: str = ""  # source of its rules, if it differs from the game's
    # the caveat shown with every result: the data differ from the published game
    reconstruction: str = ""
    difficulty: str = "standard"
    sources: dict[str, str] = {}
    rulings: dict[str, str] = {}
    ruling: dict[str, Ruling] = {}
    step: dict[str, EditionStep] = {}
    # path, or prefix of paths -> cost; the longest match counts, otherwise 1
    change_cost: dict[str, ChangeCost] = {}
    # table read from a designer's sheet -> key of a value -> the heading of its column there
    headings: dict[str, dict[str, str]] = {}
    # such a table -> key of a value with decimals there -> its scale: 10 if rules read it in tenths
    column_scales: dict[str, dict[str, int]] = {}

    @classmethod
    def has_taken(cls, name: str) -> bool:
        """Return whether a scenario file cannot have a table of this name, because the name has a meaning."""
        keys = {*NOT_PARAMETERS, *cls.model_fields, "extends", "taken_over", "players", "level"}
        return name in keys or hasattr(cls, name)

    def difficulties(self) -> list[str]:
        """Return the levels for `--difficulty`. A game without levels returns the default of its model."""
        return [type(self).model_fields["difficulty"].default]

    def only_at(self, level: str) -> str:
        """Return text such as `2 players (--players 2)` if `level` needs another number of players.

        Returns "" if the level exists for the current number.
        """
        return ""

    def other_levels(self) -> list[str]:
        """Return the levels that exist only for other numbers of players than the current one."""
        levels = [level for level in getattr(self, "level", ()) if level not in self.difficulties()]
        return list(filter(self.only_at, levels))

    def problems(self) -> Iterator[tuple[str, str]]:
        """Yield (path, message) for every fault that types alone cannot detect."""
        return iter(())

    def assumptions(self) -> list[str]:
        """Return one sentence for each assumption behind a result under these settings."""
        return []

    def guessed_readings(self, but: Collection[str] = ()) -> list[str]:
        """Return one sentence for each unclear rule whose reading is assumed and can change a result.

        but: rulings that do not apply.
        """
        return [
            ruling.assumption(key, self.rulings[key])
            for key, ruling in self.ruling.items()
            if ruling.confidence == "assumed" and ruling.impact != "none" and key not in but
        ]


def data_records(model: Any, path: str = "") -> Iterator[tuple[str, Datum]]:
    """Yield (path, record) of every Datum in a scenario, rulings included."""
    if isinstance(model, Datum):
        yield path, model
    if isinstance(model, BaseModel):
        children = [(key, getattr(model, key)) for key in type(model).model_fields]
    elif isinstance(model, dict):
        children = list(model.items())
    else:
        return
    for key, child in children:
        yield from data_records(child, f"{path}.{key}" if path else key)


def data_origins(model: Any) -> Iterator[tuple[str, Datum | Origin]]:
    """Yield (path, record or origin that contains its source) of every datum."""
    for path, datum in data_records(model):
        if not datum.by_value:
            yield path, datum
        for value in _values(datum) if datum.by_value else datum.origins:
            yield f"{path}.{value}", datum.origin(value)


def _values(datum: Datum) -> list[str]:
    """Return the names of the values that are given for a record, without its provenance."""
    given = datum.model_fields_set - set(PROVENANCE)
    return [key for key in type(datum).model_fields if key in given]


# ---------------------------------------------------------------- readings as codes

# The readings of a game's rulings as codes for compiled rules.


class Readings(dict):
    """Maps each ruling to an IntEnum of its readings, in the order of the scenario.

    The order is that of `[ruling.<key>].readings`. The game's tables have a field for each ruling.
    """

    def __init__(self, module: str):
        super().__init__()
        self.module = module  # the module of the enums, where numba and pickle look them up
        # rulings of another edition: a scenario without them uses the first reading
        self.elsewhere: set[str] = set()

    def add(self, key: str, *members: str, everywhere: bool = True) -> type[IntEnum]:
        """Add the readings of one ruling, and return them as an IntEnum.

        everywhere: whether every scenario of the game must contain the ruling.
        """
        if not everywhere:
            self.elsewhere.add(key)
        name = key.title().replace("_", "")
        codes = {member: i for i, member in enumerate(members)}
        self[key] = IntEnum(name, codes, module=self.module, qualname=name)
        return self[key]

    def problems(self, model: Any) -> Iterator[tuple[str, str]]:
        """Yield (path, message) for missing rulings and for rulings with other readings.

        The form is that of `ScenarioModel.problems`.
        """
        for key, readings in self.items():
            if key not in model.rulings:
                if key in self.elsewhere:
                    continue
                yield f"rulings.{key}", "is missing"
            elif [m.name for m in readings] != model.ruling[key].readings:
                yield f"ruling.{key}.readings", f"must be {[m.name for m in readings]}"

    def codes(self, model: Any) -> Iterator[tuple[str, int]]:
        """Yield (key, code of the current reading) of every ruling.

        For a ruling that the scenario does not contain, yield the code of the first reading.
        """
        for key, readings in self.items():
            yield key, readings[model.rulings[key]] if key in model.rulings else 0
