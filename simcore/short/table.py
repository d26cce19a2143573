"""The table of a short game as text and pictures, for `trace`, pages, `coverage` and `check`.

Simulations do not use it.
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np

from bartizan.simcore import scene
from bartizan.simcore.game import Topic
from bartizan.simcore.scenario.parameters import unscaled
from bartizan.simcore.scene import Scene, Shape, Shown
from bartizan.simcore.short.simultaneous import REVEALED
from bartizan.simcore.short.words import NONE, SAID, THROWN

PLACEHOLDER = re.compile(r"\{([^{}]*)\}")  # in a text: a value, in words
MOST_VALUES = 3  # in a line of the log
MOST_PLACES = 6  # changed places of a component that a log lists


@dataclass(frozen=True)
class ActWords:
    """A kind of action and its arguments: (name, number of values, meaning)."""

    name: str
    arguments: tuple[tuple[str, int, str], ...] = ()

    def values(self, argument: int) -> list[int]:
        """Unpack the argument of an action. The first part is the most significant."""
        parts = []
        for _, values, _ in reversed(self.arguments):
            argument, part = divmod(argument, values)
            parts.append(part)
        return parts[::-1]


@dataclass(frozen=True)
class Spot:
    """A component on the table.

    cards: the deck of its cards. columns: number of columns of a grid. scale: of the tokens that are the
    score (`Reporting.score_scale`).
    """

    name: str
    each: bool = False
    cards: str = ""
    columns: int = 0
    scale: int = 1

    def shown(self, number: int) -> int | float:
        """Return a number of the state in the unit of the display, divided by `scale`."""
        return unscaled(int(number), self.scale)


@dataclass(frozen=True, eq=False)
class Tabletop:
    """A game's components and texts.

    decks: maps names to kinds of cards, in order. seats: names of the players; () if they are numbered.
    """

    acts: tuple[ActWords, ...]
    zones: tuple[Spot, ...]
    arguments: int
    decks: dict[str, tuple[str, ...]]
    sayings: tuple[str, ...] = ()
    # meaning of an argument -> names of its values
    names: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    seats: tuple[str, ...] = ()
    simultaneous: tuple[str, ...] = ()  # kinds of actions that are held until all players have chosen
    staged: tuple[ActWords, ...] = ()  # actions in stages, whose numbers follow those of `acts`

    def word(self, what: str, value: int) -> str:
        """Return a value as text. what: a deck or board by name, "player", a grid as "cell NAME", or ""."""
        if what in self.names:
            names = self.names[what]
            return names[value] if 0 <= value < len(names) else f"none of {what}"
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
        return self._worded(self.acts[action // self.arguments], action)

    def is_held(self, state, action) -> bool:
        """Return whether a choice is not revealed when it is made (`Scene.is_held`)."""
        is_answer = "answering" in state.dtype.names and state["answering"] != 0
        return not is_answer and self.acts[action // self.arguments].name in self.simultaneous

    def _worded(self, act: ActWords, action: int) -> str:
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
        if event == REVEALED:
            act = (*self.acts, *self.staged)[b // self.arguments]
            return f"{self.word('player', a)}: {self._worded(act, b)}"
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
            is_held=self.is_held if self.simultaneous else None,
            changed=self.changed,
        )

    def snapshot(self, state, tables, scenario) -> dict[str, Any]:
        """Return the state as a table with all cards face up, in the form of `simcore.scene.table`."""
        players, counters, zones = int(state["players"]), {}, []
        for zone in self.zones:
            owners = ((self._name(zone, p), state[zone.name][p]) for p in range(players))
            for shown, value in owners if zone.each else [(self._name(zone), state[zone.name])]:
                if not np.ndim(value):
                    counters[shown] = zone.shown(value)
                else:
                    shape = Shape.GRID if zone.columns else Shape.LIST
                    zones.append(scene.zone(shown, self._things(zone, value), shape=shape))
        deciding = "" if state["end_reason"] else self.word("player", int(state["me"]))
        return scene.table(int(state["turn"]), deciding, counters, zones)

    def changed(self, before, after) -> list[str]:
        """Return the components that differ between two states, in words (`Scene.changed`)."""
        lines = []
        for zone in self.zones:
            owners = range(int(after["players"])) if zone.each else [None]
            for owner in owners:
                old, new = (
                    state[zone.name] if owner is None else state[zone.name][owner]
                    for state in (before, after)
                )
                if not np.array_equal(old, new) and (what := self._difference(zone, old, new)):
                    lines.append(f"{self._name(zone, owner)} {what}")
        return lines

    def _difference(self, zone: Spot, old: Any, new: Any) -> str:
        if not np.ndim(new):
            return f"{zone.shown(old)} -> {zone.shown(new)}"
        if not zone.cards:
            places = np.flatnonzero(np.ravel(old) != np.ravel(new)).tolist()
            named = (f"{self.word(f'cell {zone.name}', i)}:" if zone.columns else f"[{i}]" for i in places)
            listed = [
                f"{place} {old.flat[i]} -> {new.flat[i]}" for place, i in zip(named, places, strict=True)
            ]
            more = [f"{len(listed) - MOST_PLACES} more"] if len(listed) > MOST_PLACES else []
            return ", ".join([*listed[:MOST_PLACES], *more])
        was, now = (Counter(pile[1 : 1 + pile[0]].tolist()) for pile in (old, new))
        moved = [
            (sign, self.word(zone.cards, card), n)
            for sign, of in (("-", was - now), ("+", now - was))
            for card, n in of.items()
        ]
        if moved:
            return " ".join(f"{sign}{card}{f' x{n}' if n > 1 else ''}" for sign, card, n in moved)
        lying = (pile[1 : 1 + pile[0]] for pile in (old, new))
        return "" if np.array_equal(*lying) else "in another order"

    def deal(self, state, tables, scenario) -> list[dict[str, Any]]:
        """Return every pile after the set-up, top card first (`Scene.deal`)."""
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
        """Return the place of a cell of a grid on a page, as `(row, column)` with row 0 at the bottom."""
        row, column = divmod(cell, zone.columns)
        return f"({len(value) - 1 - row}, {column})"

    def check(self, state, tables) -> str:
        """Check that no cards are lost or created. Return the fault, or "" (`Engine.check`)."""
        for deck, names in self.decks.items():
            zones = (np.atleast_2d(state[zone.name]) for zone in self.zones if zone.cards == deck)
            cards = [pile[1 : 1 + pile[0]] for zone in zones for pile in zone]
            lying, expected = np.zeros(len(names), int), tables[f"{deck}_copies"]
            np.add.at(lying, np.concatenate([*cards, np.zeros(0, int)]), 1)
            for name, now, copies in zip(names, lying, expected, strict=True):
                if now != copies:
                    return f"{now} cards {name} of {deck} are on the table, but the game has {copies}"
        return ""

    def topics(self) -> tuple[Topic, ...]:
        """Return the topics for `coverage`: the cards that actions name, by deck."""
        return tuple(filter(None, map(self._topic, self.decks)))

    def _topic(self, deck: str) -> Topic | None:
        """Return the topic of one deck; None if no action has one of its cards as an argument."""
        naming = {act.name for act in self.acts if deck in (what for *_, what in act.arguments)}
        if not naming:
            return None

        def named(act: ActWords, argument: int, seat: int) -> int:
            """Return the first card of the deck that an action names.

            If an action names two cards, the second card is usually a guess.
            """
            values = zip(act.arguments, act.values(argument), strict=True)
            return next(value for (*_, what), value in values if what == deck)

        actions = {act.name: partial(named, act) for act in self.acts if act.name in naming}
        return Topic(
            f"cards of {deck} named in an action", lambda scenario: dict(enumerate(self.decks[deck])), actions
        )
