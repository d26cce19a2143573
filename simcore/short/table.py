"""What lies on the table of a game, in words and as pictures: for `trace`, pages, `coverage` and `check`.

Plain Python: play never reads it.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np

from bartizan.simcore import scene
from bartizan.simcore.game import Topic
from bartizan.simcore.scene import Scene, Shape, Shown
from bartizan.simcore.short.words import NONE, SAID, THROWN

PLACEHOLDER = re.compile(r"\{([^{}]*)\}")  # in what is said: a value, in words
MOST_VALUES = 3  # of a line of the log


@dataclass(frozen=True)
class ActWords:
    """A kind of action and its arguments: (name, how many values it has, what it names)."""

    name: str
    arguments: tuple[tuple[str, int, str], ...] = ()

    def values(self, argument: int) -> list[int]:
        """The argument of an action, taken apart: the first of its parts is the most significant."""
        parts = []
        for _, values, _ in reversed(self.arguments):
            argument, part = divmod(argument, values)
            parts.append(part)
        return parts[::-1]


@dataclass(frozen=True)
class Spot:
    """Something on the table. cards: the deck that its cards are of; columns: of a grid."""

    name: str
    each: bool = False
    cards: str = ""
    columns: int = 0


@dataclass(frozen=True, eq=False)
class Tabletop:
    """A game's components and words. decks: name -> the kinds of its cards, in order; seats: their names where
    each player has one.
    """

    acts: tuple[ActWords, ...]
    zones: tuple[Spot, ...]
    arguments: int
    decks: dict[str, tuple[str, ...]]
    sayings: tuple[str, ...] = ()
    names: Mapping[str, tuple[str, ...]] = field(default_factory=dict)  # what an argument names -> its values
    seats: tuple[str, ...] = ()

    def word(self, what: str, value: int) -> str:
        """A value in words. what: the name of a deck, "player", a grid as "cell NAME", or ""."""
        if what in self.names:
            return self.names[what][value]
        if what in self.decks:
            names = self.decks[what]
            if 0 <= value < len(names):
                return names[value]
            return "no card" if value == NONE else f"card {value} of {what}"
        if what == "player":
            if value == NONE:
                return "nobody"
            return f"{self.seats[value]} player" if self.seats else f"player {value + 1}"
        if what.startswith("cell "):
            if value == NONE:
                return "no cell"
            row, column = divmod(value, next(z.columns for z in self.zones if z.name == what[5:]))
            return f"row {row + 1}, column {column + 1}"
        return str(value)

    def describe_action(self, state, tables, action, scenario) -> str:
        act = self.acts[action // self.arguments]
        values = act.values(action % self.arguments)
        parts = (
            f"{'' if what == 'player' or what in self.decks or what in self.names else f'{name} '}"
            f"{self.word(what, value)}".strip()
            for (name, _, what), value in zip(act.arguments, values, strict=True)
        )
        return f"{act.name.replace('_', ' ')} {', '.join(parts)}".strip()

    def event_line(self, scenario, event, a, b, c) -> str:
        if event == THROWN:
            return f"the die shows {a}"
        values = iter((a, b, c))
        return PLACEHOLDER.sub(lambda found: self.word(found[1], next(values)), self.sayings[event - SAID])

    def scene(self) -> Scene:
        return Scene(
            snapshot=self.snapshot,
            act_rule=lambda state, action: "",
            event_line=self.event_line,
            event_rules={},
            deal=self.deal if self.decks else None,
            marks={THROWN: Shown.DICE},
        )

    def snapshot(self, state, tables, scenario) -> dict[str, Any]:
        """`simcore.scene.table`."""
        players, counters, zones = int(state["players"]), {}, []
        for zone in self.zones:
            owners = ((self._name(zone, p), state[zone.name][p]) for p in range(players))
            for shown, value in owners if zone.each else [(self._name(zone), state[zone.name])]:
                if not np.ndim(value):
                    counters[shown] = int(value)
                else:
                    shape = Shape.GRID if zone.columns else Shape.LIST
                    zones.append(scene.zone(shown, self._things(zone, value), shape=shape))
        deciding = "" if state["end_reason"] else self.word("player", int(state["me"]))
        return scene.table(int(state["turn"]), deciding, counters, zones)

    def deal(self, state, tables, scenario) -> list[dict[str, Any]]:
        """Every pile as it lies after the set-up, top card first (`Scene.deal`)."""
        piles = []
        for zone in self.zones:
            if zone.cards:
                owners = range(int(state["players"])) if zone.each else [None]
                for owner in owners:
                    lying = state[zone.name] if owner is None else state[zone.name][owner]
                    cards = [self.word(zone.cards, card) for card in lying[1 : 1 + lying[0]].tolist()[::-1]]
                    if cards:
                        piles.append(scene.pile(self._name(zone, owner), cards))
        return piles

    def _name(self, zone: Spot, owner: int | None = None) -> str:
        of = "" if owner is None else f" of {self.word('player', owner)}"
        return f"{zone.name.replace('_', ' ')}{of}"

    def _things(self, zone: Spot, value: np.ndarray) -> Iterator[dict[str, str]]:
        if zone.cards:
            lying = value[1 : 1 + value[0]].tolist()
            for card in dict.fromkeys(lying):
                yield from scene.copies(self.word(zone.cards, card), lying.count(card))
        else:
            for i, number in enumerate(value.flat):
                yield scene.thing(str(number), at=self._place(zone, value, i) if zone.columns else "")

    @staticmethod
    def _place(zone: Spot, value: np.ndarray, cell: int) -> str:
        """As a grid of a scene counts: row 0 at the bottom."""
        row, column = divmod(cell, zone.columns)
        return f"({len(value) - 1 - row}, {column})"

    def check(self, state, tables) -> str:
        """Cards are neither lost nor made: "" or what is wrong (`Engine.check`)."""
        for deck, names in self.decks.items():
            lying = np.zeros(len(names), int)
            for zone in self.zones:
                if zone.cards == deck:
                    for pile in np.atleast_2d(state[zone.name]):
                        np.add.at(lying, pile[1 : 1 + pile[0]], 1)
            for name, now, copies in zip(names, lying, tables[f"{deck}_copies"], strict=True):
                if now != copies:
                    return f"{now} cards {name} of {deck} lie on the table, and the game has {copies}"
        return ""

    def topics(self) -> tuple[Topic, ...]:
        """The cards that actions name."""
        return tuple(filter(None, map(self._topic, self.decks)))

    def _topic(self, deck: str) -> Topic | None:
        """What is named of one deck; None where no action names its cards."""
        naming = {act.name for act in self.acts if deck in (what for *_, what in act.arguments)}
        if not naming:
            return None

        def named(act: ActWords, argument: int, seat: int) -> int:
            """The first card of the deck that it names: a second one is mostly a guess."""
            values = zip(act.arguments, act.values(argument), strict=True)
            return next(value for (*_, what), value in values if what == deck)

        actions = {act.name: partial(named, act) for act in self.acts if act.name in naming}
        return Topic(f"cards of {deck}", lambda scenario: dict(enumerate(self.decks[deck])), actions)
