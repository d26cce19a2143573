"""A game as readable lines, and what must hold in every state.

Plain Python: nothing here runs during simulation.
"""

from bartizan.simcore.rampage.actions import argument_of, kind_of, play_of
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
from bartizan.simcore.scenario.loading import Scenario

PLAYER = ["A", "B"]
STRUCTURE = ["Gate", "Castle"]


def names(scenario: Scenario) -> list[str]:
    return list(scenario.model.labels().values())


def describe_action(state, tables, action: int, scenario: Scenario) -> str:
    """One chosen action in words, in the state before it is applied."""
    act, arg = Act(kind_of(action)), argument_of(action)
    name, units = names(scenario), scenario.model.units.types
    words = {
        Act.END: lambda: "does not attack" if state["card"] >= 0 else "ends the turn",
        Act.GATE: lambda: f"puts {name[arg]} under the Gate",
        Act.CASTLE: lambda: f"puts {name[arg]} under the Castle",
        Act.PLAY: lambda: _play(name, arg),
        Act.PAY: lambda: f"pays with {name[arg]}",
        Act.TARGET: lambda: f"attacks the {STRUCTURE[arg]}",
        Act.LOSE: lambda: f"gives up the top of the own {STRUCTURE[arg]}",
        Act.RAZE: lambda: f"destroys {name[arg]}",
        Act.NAME: lambda: f"names {units[arg]}",
        Act.TAKE: lambda: f"discards {name[arg]}",
        Act.ATTACK: lambda: "attacks",
        Act.EFFECT: lambda: "takes the effect first",
        Act.UNDER: lambda: f"puts it under the {STRUCTURE[arg]}",
        Act.DROP: lambda: f"discards {name[arg]}",
    }
    return f"{PLAYER[state['to_move']]} {words[act]()}"


def _play(name: list[str], argument: int) -> str:
    in_front, boosts, card = play_of(argument)
    boosted = " with the boost" if boosts == 1 else f" with {boosts} boosts" if boosts else ""
    return f"plays {name[card]}{' from in front' if in_front else ''}{boosted}"


def describe_events(state, tables, scenario: Scenario) -> list[str]:
    """What the last `apply` set in motion, one line each."""
    happened = state["events"][: state["n_events"]]
    return [line for row in happened if (line := event_line(scenario, *map(int, row)))]


def event_line(scenario: Scenario, event: int, a: int, b: int, c: int) -> str:
    """One entry of the log in words, "" for one that nobody is told."""
    name = names(scenario)
    words = {
        Event.TURN: lambda: f"== turn {b}, {PLAYER[a]}",
        Event.DREW: lambda: f"{PLAYER[a]} draws {name[b]}",
        Event.SHUFFLED: lambda: f"{a} cards are shuffled into a new pile",
        Event.STRIKES: lambda: f"attack with {a} on the {STRUCTURE[b]}",
        Event.REVEALED: lambda: f"{STRUCTURE[a]}: {name[b]} defends with {c}",
        Event.REPELLED: lambda: f"{name[a]} is repelled",
        Event.FELL: lambda: f"{PLAYER[a]} loses {name[c]} of the {STRUCTURE[b]}",
        Event.TEXT: lambda: f"{name[a]}: {Op(b).name.replace('_', ' ')}",
        Event.DISCARDED: lambda: f"{PLAYER[a]} discards {name[b]}",
        Event.STOLEN: lambda: f"{PLAYER[a]} has to give {name[b]} away",
        Event.RAZED: lambda: f"{PLAYER[a]} loses {name[b]}",
        Event.LAID: lambda: f"{name[b]} lies before {PLAYER[a]}",
        Event.RETURNED: lambda: f"{name[b]} comes back to {PLAYER[a]}",
        Event.LOST: lambda: f"the Castle of {PLAYER[a]} is destroyed",
    }
    return words[event]() if event in words else ""


def stack(state, p: int, structure: int) -> list[int]:
    """The kinds of a structure, top first."""
    top, size = int(state["top"][p][structure]), int(state["size"][p][structure])
    return [int(state["stack"][p][structure][(top + i) % ROOM]) for i in range(size)]


def zones(state) -> list[int]:
    """How many cards of each kind there are, all zones together (R19)."""
    counts = [
        int(sum(int(state[zone][k]) for zone in ("discards", "resting", "aside"))) for k in range(KINDS)
    ]
    for k in range(KINDS):
        counts[k] += sum(
            int(state[zone][p][k]) for zone in ("hand", "dealt", "laid", "front") for p in range(SEATS)
        )
    for k in state["pile"][state["pile_next"] : state["pile_size"]]:
        counts[int(k)] += 1
    for p in range(SEATS):
        for structure in range(STRUCTURES):
            for k in stack(state, p, structure):
                counts[k] += 1
    if state["card"] >= 0:
        counts[int(state["card"])] += 1
    return counts


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
