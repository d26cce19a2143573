"""Kinds of action and of event, declared once with their text for readers.

    class Act(ActKind):
        PLACE = 4, "3.2", "a card is placed", "places {drawn} at {cell}"

    class Event(EventKind):
        DREW = 2, "3.1", "{a:player} draws {b:card}", Shown.CARD

This module is plain Python; compiled rules use the numbers.
"""

from collections.abc import Callable, Mapping
from enum import IntEnum
from typing import Any, NamedTuple

from bartizan.simcore.scene import Scene, Shown

Namers = Mapping[str, Callable[[int], str]]  # meaning of an event's number ("card") -> its name


class ActKind(IntEnum):
    """A kind of action, with its section of RULES.md, its description and its text (`said`)."""

    section: str
    words: str
    says: str

    def __new__(cls, code: int, section: str, words: str, says: str):
        kind = int.__new__(cls, code)
        kind._value_ = code
        kind.section, kind.words, kind.says = section, words, says
        return kind


class EventKind(IntEnum):
    """A kind of event, with its section of RULES.md, its text and its appearance on a page.

    In the text, `{a}`, `{b}` and `{c}` are the numbers of the event in the log. `{b:card}` is the name of the
    card with number b.
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
    """Mapping for `str.format_map` that computes a replacement only if the text contains its name."""

    namers: Mapping[str, Callable[..., str]]
    move: tuple

    def __getitem__(self, name: Any) -> Any:
        return self.namers[name](*self.move)


def said(kind: ActKind, namers: Mapping[str, Callable[..., str]], *move: Any) -> str:
    """Return the text of one action.

    namers: maps each name in the text to a function that computes its replacement from `move`.
    """
    return kind.says.format_map(_Names(namers, move))


class _Number(NamedTuple):
    """A number of an event, formatted by `{b}` as a number and by `{b:card}` as a name."""

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
    """Return the scene of a game with declared events.

    namers_of: function that maps a scenario to the namers.
    """

    def event_line(scenario, event: int, a: int, b: int, c: int) -> str:
        namers = namers_of(scenario)
        numbers = {name: _Number(value, namers) for name, value in zip("abc", (a, b, c), strict=True)}
        return events(event).says.format(**numbers)

    sections = {event.value: event.section for event in events}
    marks = {event.value: event.shows for event in events if event.shows}
    return Scene(snapshot, act_rule, event_line, sections, deal, marks)
