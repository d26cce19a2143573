"""A page: what stands on it, in the order in which it is read. Every format is a renderer of it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from bartizan.reports.blocks import Method, Paragraph, Section, Table
from bartizan.reports.text import glossary


@dataclass(frozen=True)
class PlayerFact:
    name: str
    role: str
    about: str
    weights: str


@dataclass(frozen=True)
class Assumption:
    text: str
    cells: str = ""  # those that rest on it; "" when every cell does


@dataclass(frozen=True, kw_only=True)
class Page:
    """A report of a sweep, or of a comparison; what only one of them has is empty in the other."""

    title: str
    question: str = ""  # goes on from the title
    headline: str
    caveat: tuple[
        str, ...
    ] = ()  # of a reconstruction: what must be said, then how much, and how far it moves
    reminders: tuple[str, ...] = ()  # what must be said again where a part may be read by itself
    changed: Sequence[str]
    played: str
    whose: str
    who: Sequence[tuple[str, str]] = ()
    incomplete: Sequence[str] = ()
    front: Sequence[Paragraph]
    claims: Sequence[Mapping] = ()
    claimed: str = ""  # the claims in one sentence
    verdict: Sequence[Paragraph]  # what the front has not said in full
    sections: Sequence[Section]
    tables: Sequence[Table]
    open_tables: int = 2  # the others unfold: a phone should reach the assumptions without a mile of rows
    measures: Sequence[Table] = ()  # means of everything recorded
    rules_source: str
    stopping_rule: str = ""
    players: Sequence[PlayerFact] = ()
    scenarios: Table | None = None
    assumptions: Sequence[Assumption]
    methods: Sequence[Method]
    command: str
    trace: str = ""  # the command that shows one of the games
    seed: int
    versions: str
    behaviour: int
    signed: str

    @cached_property
    def glossary(self) -> list[glossary.Term]:
        return glossary.used_in(replace(self, command="", trace=""))
