"""What a game wants reported beyond who won: declared by its engine, kept in the manifest, read by the
analyses. No report knows a game's columns by itself.

A manifest sorts its keys, so everything whose order matters is kept there as a list.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any

from pydantic import BeforeValidator, PlainSerializer, TypeAdapter

from bartizan.simcore.errors import UsageError

CONFIDENCE = 0.95  # nominal coverage of an interval, where nothing else is said
# column -> its words
Labels = Annotated[
    Mapping[str, str], BeforeValidator(dict), PlainSerializer(lambda labels: list(map(list, labels.items())))
]


@dataclass(frozen=True)
class Form:
    """The result by another rule, read off from the same games: side `winner` wins where `column` has a
    value, side `otherwise` where it is null.
    """

    title: str
    column: str
    winner: int = 0
    otherwise: int = 1
    note: str = ""


@dataclass(frozen=True)
class Group:
    """Columns that count something in a game and are read together. Their means a game are shown."""

    title: str
    columns: Labels  # what each counts
    note: str = ""  # for example that the counts overlap


@dataclass(frozen=True)
class Setting:
    """A setting that cells may differ in, in words."""

    name: str  # as the title of an axis: "Allied players"
    value: str = ""  # as part of a sentence, {} for the value: "{} Allied players"
    one: str = ""  # the same when the value is 1
    curve: bool = False  # a measure along which results are drawn as a curve
    note: str = ""  # what a reader of the curve must know

    def words(self, value: object) -> str:
        if str(value) == "1" and self.one:
            return self.one
        # of words nobody would know where the name ends
        colon = "" if str(value).lstrip("-").replace(".", "", 1).isdigit() else ":"
        return self.value.format(value) if self.value else f"{self.name}{colon} {value}"


@dataclass(frozen=True)
class Ranking:
    """Columns of games where players go out in turn. `{}`: the seat, from 0; empty: not recorded."""

    # "place_{}": 1 the winner, 2 the last to go out, as many as play the first; 0 or null undecided
    place: str = ""
    out: str = ""  # "out_{}": turn in which the seat went out; 0 or null never
    lead_changes: str = ""  # how often the lead passed to another player

    def places(self, seats: int) -> list[str]:
        return [self.place.format(seat) for seat in range(seats)] if self.place else []

    def outs(self, seats: int) -> list[str]:
        return [self.out.format(seat) for seat in range(seats)] if self.out else []

    def columns(self, seats: int) -> list[str]:
        return [*self.places(seats), *self.outs(seats), *([self.lead_changes] if self.lead_changes else [])]


@dataclass(frozen=True)
class Reporting:
    """What reports show. Columns stand in the record; texts are lower case where a sentence may hold them."""

    # one a seat, as the object of a sentence: "the Allies"; empty: made from the roles
    sides: tuple[str, ...] = ()
    time: str = "turn"  # what column `turn` counts
    score: str = ""  # what column `score` counts, in the plural; empty: "scores"
    has_score: bool = True  # False: the rules set no score, and no answer shows column `score`
    # whose `score` is, as the object of a sentence: "the winner"; empty: the first seat's side
    scored: str = ""
    # "score_{}": column with each seat's own score, the seat from 0; empty: not recorded
    scores: str = ""
    forms: tuple[Form, ...] = ()
    marks: Labels = field(default_factory=dict)  # yes/no column -> what is true of such a game
    # column with the turn in which something first happened (null: never) -> what
    firsts: Labels = field(default_factory=dict)
    # override path -> value under which games end too early for `forms` and `firsts`
    cut_short: Mapping[str, Any] = field(default_factory=dict)
    groups: tuple[Group, ...] = ()
    settings: Mapping[str, Setting] = field(default_factory=dict)  # override path -> its words
    ranking: Ranking = Ranking()

    def __post_init__(self):
        parts = ((Form, self.forms), (Group, self.groups), (Setting, self.settings.values()))
        for kind, declared in parts:
            if odd := [part for part in declared if not isinstance(part, kind)]:
                name = kind.__name__
                raise UsageError(f"reporting: each {name.lower()} must be a {name}(...), not {odd[0]!r}")

    def columns(self, seats: int = 0) -> list[str]:
        """Every column it names, each once; with `seats` those of each seat too."""
        counted = [column for group in self.groups for column in group.columns]
        ranked = [*self.ranking.columns(seats), *self.seat_scores(seats)] if seats else []
        forms = [form.column for form in self.forms]
        return list(dict.fromkeys([*forms, *self.marks, *self.firsts, *counted, *ranked]))

    def seat_scores(self, seats: int) -> list[str]:
        """The columns with each seat's score; none where the seats have no scores of their own."""
        own = self.has_score and self.scores and seats > 1
        return [self.scores.format(seat) for seat in range(seats)] if own else []

    def is_cut_short(self, overrides: Mapping[str, Any]) -> bool:
        return any(overrides.get(path) == value for path, value in self.cut_short.items())

    def document(self) -> dict:
        """Plain data for a manifest."""
        return DOCUMENT.dump_python(self, mode="json")


DOCUMENT = TypeAdapter(Reporting)


def read(document: Mapping[str, Any] | None) -> Reporting:
    """Inverse of `Reporting.document`; the default where nothing is declared, as in older manifests."""
    return DOCUMENT.validate_python(document or {})
