"""Kinds of action and of event with what a reader is told of them, each declared once.

    class Act(ActKind):
        PLACE = 4, "3.2", "a card is placed", "places {drawn} at {cell}"

    class Event(EventKind):
        DREW = 2, "3.1", "{a:player} draws {b:card}", Shown.CARD

Plain Python: compiled rules see the numbers.
"""

from collections.abc import Callable, Mapping
from enum import IntEnum
from typing import Any, NamedTuple

from bartizan.simcore.scene import Scene, Shown

Namers = Mapping[str, Callable[[int], str]]  # what a number of an event is ("card") -> its name


class ActKind(IntEnum):
    """A kind of action, its section of RULES.md, what it is, and what one of them says (`said`)."""

    section: str
    words: str
    says: str

    def __new__(cls, code: int, section: str, words: str, says: str):
        kind = int.__new__(cls, code)
        kind._value_ = code
        kind.section, kind.words, kind.says = section, words, says
        return kind


class EventKind(IntEnum):
    """A kind of event, its section of RULES.md, what one of them says, and what it shows.

    a, b, c: the numbers that stand in the log, each with the name of what it is.
    """

    section: str
    says: str
    shows: Shown

    def __new__(cls, code: int, section: str, says: str, shows: Shown = Shown.NONE):
        kind = int.__new__(cls, code)
        kind._value_ = code
        kind.section, kind.says, kind.shows = section, says, shows
        return kind


class _Names(NamedTuple):
    """What a sentence names, worked out when it does."""

    namers: Mapping[str, Callable[..., str]]
    move: tuple

    def __getitem__(self, name: Any) -> Any:
        return self.namers[name](*self.move)


def said(kind: ActKind, namers: Mapping[str, Callable[..., str]], *move: Any) -> str:
    """One action in words. namers: what a sentence names -> its words, from what `move` holds."""
    return kind.says.format_map(_Names(namers, move))


class _Number(NamedTuple):
    """A number of an event in a sentence: `{b}` as it is, `{b:card}` by its name."""

    value: int
    namers: Namers

    def __format__(self, kind: str) -> str:
        return self.namers[kind](self.value) if kind else str(self.value)


def scene_of(
    events: type[EventKind],
    namers_of: Callable[[Any], Namers],
    snapshot: Callable,
    act_rule: Callable,
    deal: Callable | None = None,
) -> Scene:
    """A game to watch whose events are declared so. namers_of: under a scenario."""

    def event_line(scenario, event: int, a: int, b: int, c: int) -> str:
        namers = namers_of(scenario)
        numbers = {name: _Number(value, namers) for name, value in zip("abc", (a, b, c), strict=True)}
        return events(event).says.format(**numbers)

    sections = {event.value: event.section for event in events}
    marks = {event.value: event.shows for event in events if event.shows}
    return Scene(snapshot, act_rule, event_line, sections, deal, marks)
