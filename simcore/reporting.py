"""The contents of a report besides the winner.

A game's engine declares them, the manifest stores them, and the analyses read them. The code of the reports
therefore contains no game-specific column names.

A manifest sorts its keys, so data whose order matters is stored there as a list.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any

from pydantic import BeforeValidator, PlainSerializer, TypeAdapter

from bartizan.simcore.errors import UsageError

CONFIDENCE = 0.95  # nominal coverage of an interval, unless noted otherwise
# column -> its text
Labels = Annotated[
    Mapping[str, str], BeforeValidator(dict), PlainSerializer(lambda labels: list(map(list, labels.items())))
]


@dataclass(frozen=True)
class Form:
    """The result of the same games under another rule.

    Side `winner` wins if `column` has a value, and side `otherwise` if it is null.
    """

    title: str
    column: str
    winner: int = 0
    otherwise: int = 1
    note: str = ""


COUNTER = "counter_"  # beginning of the columns with a game's recorded counters at its end
# rows of a table of tiers for games without a score and for truncated games; no tier may have these names
LOST, CUT_OFF = "lost", "cut off"


@dataclass(frozen=True)
class Group:
    """Columns that count events in a game and are shown together, as means per game."""

    title: str
    columns: Labels  # meaning of each column
    note: str = ""  # for example, that the counts overlap


@dataclass(frozen=True)
class Setting:
    """A setting in which cells may differ, with its name for use within a sentence."""

    name: str  # as the title of an axis: "Allied players"
    value: str = ""  # as part of a sentence, {} for the value: "{} Allied players"
    one: str = ""  # the same when the value is 1
    curve: bool = False  # a measure along which results are drawn as a curve
    note: str = ""  # explanation for readers of the curve

    def words(self, value: object) -> str:
        if str(value) == "1" and self.one:
            return self.one
        # with text as value, the end of the name would be unclear
        colon = "" if str(value).lstrip("-").replace(".", "", 1).isdecimal() else ":"
        return self.value.format(value) if self.value else f"{self.name}{colon} {value}"


@dataclass(frozen=True)
class Ranking:
    """Columns of games in which players are eliminated one by one.

    `{}` is replaced by the seat, from 0. An empty name means that the column is not recorded.
    """

    # "place_{}": 1 the winner, 2 the last to be eliminated, and so on; 0 or null undecided
    place: str = ""
    out: str = ""  # "out_{}": turn in which the seat was eliminated; 0 or null never
    lead_changes: str = ""  # number of times that the lead changed

    def places(self, seats: int) -> list[str]:
        return [self.place.format(seat) for seat in range(seats)] if self.place else []

    def outs(self, seats: int) -> list[str]:
        return [self.out.format(seat) for seat in range(seats)] if self.out else []

    def columns(self, seats: int) -> list[str]:
        return [*self.places(seats), *self.outs(seats), *([self.lead_changes] if self.lead_changes else [])]


@dataclass(frozen=True)
class Reporting:
    """Contents of reports.

    Columns are columns of the record. Texts that may occur within a sentence are in lower case.
    """

    # one per seat, as the object of a sentence: "the Allies"; empty: made from the roles
    sides: tuple[str, ...] = ()
    time: str = "turn"  # unit of column `turn`
    score: str = ""  # unit of column `score`, in the plural; empty: "scores"
    has_score: bool = True  # False: the rules set no score, and no result shows column `score`
    # 10: the rules and the records count scores in tenths, and results show them divided by 10
    score_scale: int = 1
    # owner of `score`, as the object of a sentence: "the winner"; empty: the first seat's side
    scored: str = ""
    # "score_{}": column with each seat's own score, the seat from 0; empty: not recorded
    scores: str = ""
    forms: tuple[Form, ...] = ()
    marks: Labels = field(default_factory=dict)  # yes/no column -> description of such a game
    # column with the turn of the first occurrence (null: never) -> description
    firsts: Labels = field(default_factory=dict)
    # override path -> value under which games end too early for `forms` and `firsts`
    cut_short: Mapping[str, Any] = field(default_factory=dict)
    groups: tuple[Group, ...] = ()
    settings: Mapping[str, Setting] = field(default_factory=dict)  # override path -> its text
    ranking: Ranking = Ranking()

    def __post_init__(self):
        parts = ((Form, self.forms), (Group, self.groups), (Setting, self.settings.values()))
        for kind, declared in parts:
            if odd := [part for part in declared if not isinstance(part, kind)]:
                name = kind.__name__
                raise UsageError(f"reporting: each {name.lower()} must be a {name}(...), not {odd[0]!r}")

    def columns(self, seats: int = 0) -> list[str]:
        """Return every column that the declaration names, each once.

        seats: include the columns of each seat.
        """
        counted = [column for group in self.groups for column in group.columns]
        ranked = [*self.ranking.columns(seats), *self.seat_scores(seats)] if seats else []
        forms = [form.column for form in self.forms]
        return list(dict.fromkeys([*forms, *self.marks, *self.firsts, *counted, *ranked]))

    def seat_scores(self, seats: int) -> list[str]:
        """Return the columns with each seat's score; empty if seats have no separate scores."""
        own = self.has_score and self.scores and seats > 1
        return [self.scores.format(seat) for seat in range(seats)] if own else []

    def in_points(self, score: Any) -> Any:
        """Convert scores from the unit of rules and records to points: 154 tenths become 15.4.

        score: a number, or an array.
        """
        return score if self.score_scale == 1 else score / self.score_scale

    def scored_columns(self, columns: Collection[str]) -> list[str]:
        """Return the columns of a record that contain scores, including those of seats without a player."""
        named = {"score", *map(self.scores.format, range(len(columns)))} if self.has_score else set()
        return [column for column in columns if column in named]

    def absent(self, columns: Collection[str], seats: int) -> set[str]:
        """Return the columns that belong to seats without a player.

        An example is `score_3` in a game of three players.
        """
        present = {*self.columns(seats), *map(self.scores.format, range(seats))}
        return set(columns) & (set(self.columns(len(columns))) - present)

    def is_cut_short(self, overrides: Mapping[str, Any]) -> bool:
        return any(overrides.get(path) == value for path, value in self.cut_short.items())

    def document(self) -> dict:
        """Return the declaration as plain data, for a manifest."""
        return DOCUMENT.dump_python(self, mode="json")


DOCUMENT = TypeAdapter(Reporting)


def read(document: Mapping[str, Any] | None) -> Reporting:
    """Return the declaration stored by `Reporting.document`.

    Older manifests have none; return the default for them.
    """
    return DOCUMENT.validate_python(document or {})
