"""Text for actions and events, items for `bartizan coverage`, and checks of a state.

Plain Python, not used in simulations.
"""

from collections.abc import Callable

import numpy as np

from bartizan.simcore.game import Topic
from bartizan.simcore.kit.words import Namers, said
from bartizan.simcore.rampage import components as c
from bartizan.simcore.rampage.actions import argument_of, kind_of, play_of
from bartizan.simcore.rampage.cards import kinds
from bartizan.simcore.rampage.schema import Card
from bartizan.simcore.scenario.loading import Scenario

PLAYER = ["A", "B"]
STRUCTURE = ["Gate", "Castle"]


def names(scenario: Scenario) -> list[str]:
    return list(scenario.model.labels().values())


def _play(state, scenario: Scenario, argument: int) -> str:
    in_front, boosts, card = play_of(argument)
    boosted = " with the boost" if boosts == 1 else f" with {boosts} boosts" if boosts else ""
    return f"{names(scenario)[card]}{' from in front' if in_front else ''}{boosted}"


# names in the text of an action (`components.Act`), from (state, scenario, argument)
OF_ACTION = {
    "end": lambda state, scenario, _: "does not attack" if state["card"] >= 0 else "ends the turn",
    "card": lambda state, scenario, k: names(scenario)[k],
    "play": _play,
    "structure": lambda state, scenario, structure: STRUCTURE[structure],
    "unit": lambda state, scenario, unit: scenario.model.units.types[unit],
}


def describe_action(state, tables, action: int, scenario: Scenario) -> str:
    """Describe an action in the state before it is applied."""
    kind = c.Act(kind_of(action))
    return f"{PLAYER[state['to_move']]} {said(kind, OF_ACTION, state, scenario, argument_of(action))}"


def namers(scenario: Scenario) -> Namers:
    """Return the functions that name the numbers of events (`components.Event`)."""
    return {
        "player": PLAYER.__getitem__,
        "card": names(scenario).__getitem__,
        "structure": STRUCTURE.__getitem__,
        "op": lambda op: c.Op(op).name.replace("_", " "),
    }


def stack(state, p: int, structure: int) -> list[int]:
    """Return the kinds of a structure, top first."""
    top, size = int(state["top"][p][structure]), int(state["size"][p][structure])
    return [int(state["stack"][p][structure][(top + i) % c.ROOM]) for i in range(size)]


def zones(state) -> np.ndarray:
    """Return the number of cards of each kind over all zones (R19): int [KINDS]."""
    cards = [*state["pile"][state["pile_next"] : state["pile_size"]]]
    cards += [k for p in range(c.SEATS) for part in range(c.STRUCTURES) for k in stack(state, p, part)]
    cards += [state["card"]] if state["card"] >= 0 else []
    counts = np.bincount(cards, minlength=c.KINDS)
    counts += sum(state[zone].astype(int) for zone in ("discards", "resting", "aside"))
    return counts + sum(state[zone].sum(axis=0, dtype=int) for zone in ("hand", "dealt", "laid", "front"))


def check_state(state, tables) -> str:
    """Return the first fault in a state, or "".

    Checks that each card of the deck is in exactly one place, that sums are right, and that the game is over
    when a Castle is destroyed.
    """
    counts = zones(state)
    for k in range(c.KINDS):
        if counts[k] != tables["count"][k]:
            return f"{counts[k]} cards of kind {k} instead of {tables['count'][k]}"
    for p in range(c.SEATS):
        fault = _seat_wrong(state, tables, p)
        if fault:
            return f"player {p}: {fault}"
    over = state["end_reason"] != 0
    ruins = [p for p in range(c.SEATS) if not state["size"][p][c.Structure.CASTLE]]
    return "" if over or not ruins or state["turn"] == 0 else f"player {ruins[0]} has no Castle and plays on"


def _seat_wrong(state, tables, p: int) -> str:
    hand, laid = state["hand"][p].astype(int), state["laid"][p].astype(int)
    if hand.sum() != state["hand_size"][p]:
        return "the size of the hand is wrong"
    if sum(1 << k for k in range(c.KINDS) if hand[k]) != int(state["held"][p]):
        return "the mask of the hand is wrong"
    if (np.bincount(tables["shows"], hand, c.SHOWN) != state["shows"][p]).any():
        return "the units of the hand are counted wrongly"
    if laid.sum() != state["n_laid"][p]:
        return "the number of permanents is wrong"
    return "permanents add up wrongly" if (laid @ tables["perm"] != state["perm"][p]).any() else ""


# ---------------------------------------------------------------- topics


def those(which: Callable[[Card], bool]) -> Callable[[Scenario], dict[int, str]]:
    """Return a function that maps a scenario to the kinds of card that satisfy `which`."""

    def names_of_those(scenario: Scenario) -> dict[int, str]:
        cards = list(scenario.model.card.values())
        return {k: name for k, name in kinds(scenario).items() if which(cards[k])}

    return names_of_those


def units(scenario: Scenario) -> dict[int, str]:
    return dict(enumerate(scenario.model.units.types))


TOPICS = (
    Topic("cards drawn", kinds, events={c.Event.DREW: lambda player, card, _: card}),
    Topic("cards played", kinds, {"play": lambda argument, seat: play_of.py_func(argument)[2]}),
    Topic("cards put under the Gate", kinds, {"gate": lambda card, seat: card}),
    Topic("cards put under the Castle", kinds, {"castle": lambda card, seat: card}),
    Topic("cards paid with", kinds, {"pay": lambda card, seat: card}),
    Topic(
        "texts of cards destroyed in an attack",
        those(lambda card: bool(card.on_destroyed_in_attack)),
        events={c.Event.TEXT: lambda card, op, _: card},
    ),
    Topic(
        "cards that came back",
        those(lambda card: card.on_repelled == "return"),
        events={c.Event.RETURNED: lambda player, card, _: card},
    ),
    Topic("units named", units, {"name": lambda unit, seat: unit}),
)
