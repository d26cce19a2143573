"""A game in words: actions, events, what can be met (for `bartizan coverage`);
and what must hold in every state.

Plain Python: nothing here runs during simulation.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

from bartizan.simcore.game import Topic
from bartizan.simcore.rampage.actions import argument_of, kind_of, play_of
from bartizan.simcore.rampage.cards import kinds
from bartizan.simcore.rampage.components import (
    KINDS,
    PERMS,
    ROOM,
    SEATS,
    STRUCTURES,
    Act,
    Event,
    Op,
    Structure,
)
from bartizan.simcore.rampage.schema import Card
from bartizan.simcore.scenario.loading import Scenario

PLAYER = ["A", "B"]
STRUCTURE = ["Gate", "Castle"]


def names(scenario: Scenario) -> list[str]:
    return list(scenario.model.labels().values())


class Move(NamedTuple):
    """A chosen action: its argument, and the names of cards and units."""

    state: Any
    argument: int
    cards: list[str]
    units: list[str]

    @property
    def card(self) -> str:
        return self.cards[self.argument]

    @property
    def structure(self) -> str:
        return STRUCTURE[self.argument]


def _play(m: Move) -> str:
    in_front, boosts, card = play_of(m.argument)
    boosted = " with the boost" if boosts == 1 else f" with {boosts} boosts" if boosts else ""
    return f"plays {m.cards[card]}{' from in front' if in_front else ''}{boosted}"


# act -> the section of RULES.md that it is played by, what it is, and what one of them says
ACTIONS = {
    Act.END: (
        "3.4",
        "the turn ends, or no attack",
        lambda m: "does not attack" if m.state["card"] >= 0 else "ends the turn",
    ),
    Act.GATE: ("3.2", "a card goes under the Gate", lambda m: f"puts {m.card} under the Gate"),
    Act.CASTLE: ("3.2", "a card goes under the Castle", lambda m: f"puts {m.card} under the Castle"),
    Act.PLAY: ("4.1", "a card is played", _play),
    Act.PAY: ("4.2", "a card is paid", lambda m: f"pays with {m.card}"),
    Act.TARGET: ("5.1", "Gate or Castle is attacked", lambda m: f"attacks the {m.structure}"),
    Act.LOSE: ("7.7", "which own top card goes", lambda m: f"gives up the top of the own {m.structure}"),
    Act.RAZE: ("7.6", "a permanent is destroyed", lambda m: f"destroys {m.card}"),
    Act.NAME: ("7.5", "a unit is named", lambda m: f"names {m.units[m.argument]}"),
    Act.TAKE: ("7.4", "which card the other discards", lambda m: f"discards {m.card}"),
    Act.ATTACK: ("4.6", "the attack comes first, or at all", lambda m: "attacks"),
    Act.EFFECT: ("4.1", "the effect comes first", lambda m: "takes the effect first"),
    Act.UNDER: ("3.2", "where a repelled card goes", lambda m: f"puts it under the {m.structure}"),
    Act.DROP: ("1.2", "a card over the hand limit goes", lambda m: f"discards {m.card}"),
}


def describe_action(state, tables, action: int, scenario: Scenario) -> str:
    """One chosen action in words, in the state before it is applied."""
    move = Move(state, argument_of(action), names(scenario), scenario.model.units.types)
    return f"{PLAYER[state['to_move']]} {ACTIONS[Act(kind_of(action))][2](move)}"


# event -> section of RULES.md, and what it says
EVENTS = {
    Event.TURN: ("3.1", lambda n, a, b, c: f"== turn {b}, {PLAYER[a]}"),
    Event.DREW: ("3.1", lambda n, a, b, c: f"{PLAYER[a]} draws {n[b]}"),
    Event.SHUFFLED: ("2.2", lambda n, a, b, c: f"{a} cards are shuffled into a new pile"),
    Event.STRIKES: ("5.1", lambda n, a, b, c: f"attack with {a} on the {STRUCTURE[b]}"),
    Event.REVEALED: ("5.2", lambda n, a, b, c: f"{STRUCTURE[a]}: {n[b]} defends with {c}"),
    Event.REPELLED: ("5.3", lambda n, a, b, c: f"{n[a]} is repelled"),
    Event.FELL: ("5.5", lambda n, a, b, c: f"{PLAYER[a]} loses {n[c]} of the {STRUCTURE[b]}"),
    Event.TEXT: ("5.7", lambda n, a, b, c: f"{n[a]}: {Op(b).name.replace('_', ' ')}"),
    Event.DISCARDED: ("7.4", lambda n, a, b, c: f"{PLAYER[a]} discards {n[b]}"),
    Event.STOLEN: ("7.10", lambda n, a, b, c: f"{PLAYER[a]} has to give {n[b]} away"),
    Event.RAZED: ("7.6", lambda n, a, b, c: f"{PLAYER[a]} loses {n[b]}"),
    Event.LAID: ("4.5", lambda n, a, b, c: f"{n[b]} lies before {PLAYER[a]}"),
    Event.RETURNED: ("5.3", lambda n, a, b, c: f"{n[b]} comes back to {PLAYER[a]}"),
    Event.LOST: ("6.1", lambda n, a, b, c: f"the Castle of {PLAYER[a]} is destroyed"),
}


def event_line(scenario: Scenario, event: int, a: int, b: int, c: int) -> str:
    """One entry of the log in words, "" for one that nobody is told."""
    return EVENTS[event][1](names(scenario), a, b, c) if event in EVENTS else ""


def stack(state, p: int, structure: int) -> list[int]:
    """The kinds of a structure, top first."""
    top, size = int(state["top"][p][structure]), int(state["size"][p][structure])
    return [int(state["stack"][p][structure][(top + i) % ROOM]) for i in range(size)]


def zones(state) -> list[int]:
    """How many cards of each kind there are, all zones together (R19)."""
    counts = sum(state[zone].astype(int) for zone in ("discards", "resting", "aside"))
    counts += sum(state[zone].sum(axis=0, dtype=int) for zone in ("hand", "dealt", "laid", "front"))
    cards = [int(k) for k in state["pile"][state["pile_next"] : state["pile_size"]]]
    cards += [k for p in range(SEATS) for structure in range(STRUCTURES) for k in stack(state, p, structure)]
    cards += [int(state["card"])] if state["card"] >= 0 else []
    return [int(counts[k]) + cards.count(k) for k in range(KINDS)]


def check_state(state, tables) -> str:
    """What is wrong with a state, or "": all cards of the deck are somewhere, once, and the sums agree with
    what they sum.
    """
    counts = zones(state)
    for k in range(KINDS):
        if counts[k] != tables["count"][k]:
            return f"{counts[k]} cards of kind {k} instead of {tables['count'][k]}"
    for p in range(SEATS):
        fault = _seat_wrong(state, tables, p)
        if fault:
            return f"player {p}: {fault}"
    over = state["end_reason"] != 0
    ruins = [p for p in range(SEATS) if not state["size"][p][Structure.CASTLE]]
    return "" if over or not ruins or state["turn"] == 0 else f"player {ruins[0]} has no Castle and plays on"


def _seat_wrong(state, tables, p: int) -> str:
    hand = state["hand"][p]
    if int(hand.sum()) != state["hand_size"][p]:
        return "the size of the hand is wrong"
    if sum(1 << k for k in range(KINDS) if hand[k]) != int(state["held"][p]):
        return "the mask of the hand is wrong"
    for shows in range(len(state["shows"][p])):
        if sum(int(hand[k]) for k in range(KINDS) if tables["shows"][k] == shows) != state["shows"][p][shows]:
            return "the units of the hand are counted wrongly"
    laid = state["laid"][p]
    if int(laid.sum()) != state["n_laid"][p]:
        return "the number of permanents is wrong"
    for i in range(PERMS):
        if sum(int(laid[k]) * int(tables["perm"][k][i]) for k in range(KINDS)) != state["perm"][p][i]:
            return "permanents add up wrongly"
    return ""


# ---------------------------------------------------------------- topics


def those(which: Callable[[Card], bool]) -> Callable[[Scenario], dict[int, str]]:
    """The kinds of card for which this holds."""

    def names_of_those(scenario: Scenario) -> dict[int, str]:
        cards = list(scenario.model.card.values())
        return {k: name for k, name in kinds(scenario).items() if which(cards[k])}

    return names_of_those


def units(scenario: Scenario) -> dict[int, str]:
    return dict(enumerate(scenario.model.units.types))


TOPICS = (
    Topic("cards drawn", kinds, events={Event.DREW: lambda player, card, c: card}),
    Topic("cards played", kinds, {"play": lambda argument, seat: play_of.py_func(argument)[2]}),
    Topic("cards put under the Gate", kinds, {"gate": lambda card, seat: card}),
    Topic("cards put under the Castle", kinds, {"castle": lambda card, seat: card}),
    Topic("cards paid with", kinds, {"pay": lambda card, seat: card}),
    Topic(
        "texts of cards destroyed in an attack",
        those(lambda card: bool(card.on_destroyed_in_attack)),
        events={Event.TEXT: lambda card, op, c: card},
    ),
    Topic(
        "cards that came back",
        those(lambda card: card.on_repelled == "return"),
        events={Event.RETURNED: lambda player, card, c: card},
    ),
    Topic("units named", units, {"name": lambda unit, seat: unit}),
)
