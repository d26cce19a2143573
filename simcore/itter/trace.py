"""Text for actions and events, items for `bartizan coverage`, and checks of a state.

Plain Python, not used in simulations.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

from bartizan.simcore.game import Topic
from bartizan.simcore.itter.actions import (
    argument_of,
    defender_and_gift,
    defender_and_position,
    gun_and_circle,
    kind_of,
)
from bartizan.simcore.itter.components import NONE, Act, Event, Place, Status
from bartizan.simcore.itter.schema import ItterScenario
from bartizan.simcore.scenario.loading import Scenario

WHAT = {0: "turns up its exhausted side", 1: "removes its Disrupt token", 2: "gets a Command token"}


class Names:
    """Names of the defenders, positions, colours, counters, locations and cards of a scenario."""

    def __init__(self, model: ItterScenario):
        self.model = model
        self.defenders = list(model.defender)
        self.positions = list(model.position)
        self.colours = list(model.colour)
        self.kinds = [key.replace("_", " ").title() for key in model.ss_counter]
        self.locations = [location.name for location in model.location.values()]
        self.cards = [
            card.kind.replace("_", " ").title().replace("Ss ", "SS ")
            + (f" x{card.value}" if card.category == "place" else "")
            for card in model.all_cards().values()
        ]
        self.cards.append("142nd Infantry Regiment")
        self.tactics = [card.name for card in model.tactics_card.values()]

    def who(self, d: int) -> str:
        return self.defenders[d] if d != NONE else "nobody"


_LAST: list = []  # the last scenario used, and its Names


def names_of(scenario: Scenario) -> Names:
    if not _LAST or _LAST[0] is not scenario:
        _LAST[:] = scenario, Names(scenario.model)
    return _LAST[1]


def describe_action(state, tables, action: int, scenario: Scenario) -> str:
    """Return the description of an action. state: the state before the action is applied."""
    return ACTIONS[Act(kind_of(action))][2](Move(names_of(scenario), state, tables, argument_of(action)))


class Move(NamedTuple):
    """A chosen action: its argument, with the names, the state and the tables that describe it."""

    names: Names
    state: Any
    tables: Any
    argument: int

    @property
    def who(self) -> str:
        actor = self.state["actor"]
        return self.names.defenders[actor] if actor >= 0 else "the defender"

    @property
    def position(self) -> str:
        return self.names.positions[self.argument]

    @property
    def tokens(self) -> str:
        return f"({self.argument} tokens on the first colour)"

    @property
    def target(self) -> str:
        gun, circle = gun_and_circle(self.argument)
        guns = "Machine Gunner", "Mortar"
        return f"{guns[gun - 1] if gun else self.names.kinds[self.state['counter'][circle]]} on {circle}"

    @property
    def weapon(self) -> str:
        position = self.names.positions[self.state["place"][self.state["actor"]]]
        return self.names.model.position[position].weapon


def _shift(a: Move) -> str:
    d, p = defender_and_position(a.argument)
    return f"{a.names.defenders[d]} steps to {a.names.positions[p]}"


def _give(a: Move) -> str:
    d, what = defender_and_gift(a.argument)
    return f"at the command of {a.who}, {a.names.defenders[d]} {WHAT[what]}"


def _spend(a: Move) -> str:
    colour = a.tables["circle_colour"][a.state["area"]]
    return f"spends {a.argument} of {a.state['tokens'][colour]} {a.names.colours[colour]} tokens"


def _sacrifice(a: Move) -> str:
    saved = a.names.defenders[a.state["offer"]]
    return f"{'accepts' if a.argument else 'declines'} the Sacrifice for {saved}"


# act -> its section of RULES.md, its description, and the text of one such action
ACTIONS = {
    Act.PASS: ("2.0", "no further action this turn", lambda a: "passes: no further action this turn"),
    Act.ACTIVATE: ("2.0", "a defender is chosen", lambda a: f"chooses {a.names.defenders[a.argument]}"),
    Act.PLACE: ("2.1", "a defender is deployed", lambda a: f"{a.who} is placed on {a.position}"),
    Act.SHIFT: ("2.4", "a free move within a location", _shift),
    Act.ATTACK: ("2.2", "an Attack", lambda a: f"{a.who} attacks the {a.target}"),
    Act.ATTACK_WEAPON: (
        "3.6",
        "an Attack with a weapon",
        lambda a: f"{a.who} fires the {a.weapon} at the {a.target}",
    ),
    Act.SUPPRESS: ("2.3", "a Suppress", lambda a: f"{a.who} suppresses {a.tokens}"),
    Act.SUPPRESS_WEAPON: (
        "3.6",
        "a Suppress with a weapon",
        lambda a: f"{a.who} suppresses with the {a.weapon} {a.tokens}",
    ),
    Act.MOVE: ("2.5", "a Move", lambda a: f"{a.who} moves to {a.position}"),
    Act.RECOVER: ("2.6", "a Recover", lambda a: f"{a.who} {WHAT[a.argument]}"),
    Act.COMMAND: ("2.7", "a Command", lambda a: f"{a.who} commands"),
    Act.LOAD: ("3.6", "the cannon is loaded", lambda a: f"{a.who} loads the cannon"),
    Act.ESCAPE: ("2.8", "an Escape", lambda a: f"{a.who} escapes"),
    Act.BLANK: ("2.0", "an action without effect", lambda a: f"{a.who} does nothing"),
    Act.GIVE: ("2.7", "what a Command gives", _give),
    Act.DONE: ("2.7", "a Command ends early", lambda a: f"{a.who} ends the Command"),
    Act.SPEND: ("4.3", "Suppression tokens are spent", _spend),
    Act.SACRIFICE: ("3.5", "a Sacrifice, accepted or declined", _sacrifice),
    Act.LAY: ("6.2", "the SS player lays a card", lambda a: f"lays {a.names.cards[a.argument]} face down"),
    Act.LAY_TACTICS: (
        "6.2",
        "the SS player lays a Tactics card",
        lambda a: f"lays the Tactics card {a.names.tactics[a.argument]} face down",
    ),
    Act.FIRE: (
        "4.4",
        "the order of a Suppressive Fire",
        lambda a: f"lets a {'Mortar' if a.argument else 'Machine Gunner'} fire first",
    ),
}


def event_line(scenario: Scenario, event: int, a: int, b: int, c: int) -> str:
    """Describe one log entry; "" for an internal entry."""
    return EVENTS[event][1](names_of(scenario), a, b, c) if event in EVENTS else ""


def _tactics(n: Names, newer: int, older: int, _: int) -> str:
    return "Tactics: " + (", ".join(n.tactics[card] for card in (newer, older) if card != NONE) or "none")


# event -> section of RULES.md, and its text
EVENTS = {
    Event.TURN: ("1.1", lambda n, a, b, c: f"== turn {a}"),
    Event.TACTICS: ("6.1", _tactics),
    Event.CARD: ("4.0", lambda n, a, b, c: f"SS card {c}: {n.cards[a]} (deck {b})"),
    Event.REGIMENT: ("5.0", lambda n, a, b, c: "SS card: the 142nd Infantry Regiment relieves the castle"),
    Event.AREA: ("4.3", lambda n, a, b, c: f"{n.kinds[a]} for area {b}"),
    Event.ROLL: ("4.0", lambda n, a, b, c: f"  {a} dice against {c}: {b} successes"),
    Event.SUPPRESSED: ("4.3", lambda n, a, b, c: f"  the {n.kinds[a]} is suppressed"),
    Event.PLACED: ("4.3", lambda n, a, b, c: f"  the {n.kinds[a]} is placed on {b}"),
    Event.PUSHED: ("4.3", lambda n, a, b, c: f"  the {n.kinds[a]} on {b} is pushed to {c or 'the castle'}"),
    Event.BREACH: ("5.0", lambda n, a, b, c: f"  BREACH: the {n.kinds[a]} enters the castle from {b}"),
    Event.TARGET: ("4.0", lambda n, a, b, c: f"  target on {n.colours[a]}, die {c}: {n.who(b)}"),
    Event.DISRUPTED: ("4.0", lambda n, a, b, c: f"  {n.who(a)} is disrupted"),
    Event.KILLED: ("4.0", lambda n, a, b, c: f"  {n.who(a)} is killed"),
    Event.HIT_LOCATION: ("4.2", lambda n, a, b, c: f"  {n.locations[a]} falls to Defence Value {b}"),
    Event.TANK_LOST: ("4.2", lambda n, a, b, c: f"  Besotten Jenny is destroyed with {a} aboard"),
    Event.NO_SUPPLY: ("4.3", lambda n, a, b, c: f"no {n.kinds[a]} left in the supply"),
    Event.COLOUR: ("4.1", lambda n, a, b, c: f"  colour {n.colours[a]}"),
    Event.LOCATION: ("4.2", lambda n, a, b, c: f"  at {n.locations[a]}"),
    Event.REMOVED: ("2.2", lambda n, a, b, c: f"  the {n.kinds[a]} on {b} is removed"),
    Event.SPARED: ("3.5", lambda n, a, b, c: f"  {n.who(a)} is spared"),
    Event.REINFORCED: ("3.4", lambda n, a, b, c: "  the reinforcements join the reserve"),
    Event.PLANNED: ("6.2", lambda n, a, b, c: f"{a} SS cards lie ready"),
    Event.LOW_MORALE: ("3.2", lambda n, a, b, c: f"  Low Morale: {n.who(a)}"),
}


def check_state(state, tables) -> str:
    """Return the first fault in the places of pieces, or "". Property tests and `bartizan check` use it."""
    fault = _defenders_wrong(state, tables) or _counters_wrong(state, tables)
    tokens = state["tokens"]
    too_many = tables["token_cap"] == 0 and tokens.sum() > max(tables["token_supply"], 0)
    return fault or (f"{tokens.sum()} Suppression tokens" if too_many or (tokens < 0).any() else "")


def _defenders_wrong(state, tables) -> str:
    for d in range(tables["n_defenders"]):
        p = state["place"][d]
        if p >= 0 and state["occupant"][p] != d:
            return f"defender {d} is on position {p}, which holds {state['occupant'][p]}"
        if p < Place.ESCAPED or p == NONE:
            return f"defender {d} is nowhere ({p})"
        if p < 0 and state["status"][d] & (Status.EXHAUSTED | Status.DISRUPTED):
            return f"defender {d} is off the board with tokens"
    for p in range(tables["n_positions"]):
        d = state["occupant"][p]
        if d != NONE and state["place"][d] != p:
            return f"position {p} holds {d}, who is at {state['place'][d]}"
    return ""


def _counters_wrong(state, tables) -> str:
    for kind in range(tables["n_kinds"]):
        out = int((state["counter"] == kind).sum() + state["guns"][kind].sum())
        if out + state["supply"][kind] != tables["count"][kind]:
            return (
                f"{out} counters of kind {kind} on the board and {state['supply'][kind]} in the supply are "
                f"not {tables['count'][kind]}"
            )
    return ""


def exit_labels(scenario: Scenario) -> dict[int, str]:
    """Map the last circle of each track to a label that lists the placement areas leading to it."""
    model = scenario.model
    areas: dict[int, list[int]] = {}
    for area in sorted(model.areas):
        areas.setdefault(model.track(area)[-1], []).append(area)
    return {0: "no breach"} | {circle: f"track of areas {_span(group)}" for circle, group in areas.items()}


def area_labels(scenario: Scenario) -> dict[int, str]:
    return {0: "no breach"} | {
        area: f"area {area}, {scenario.model.circle[str(area)].colour}"
        for area in sorted(scenario.model.areas)
    }


def _span(numbers: list[int]) -> str:
    return f"{numbers[0]}-{numbers[-1]}" if len(numbers) > 1 else str(numbers[0])


# ---------------------------------------------------------------- topics


def ss_cards(scenario: Scenario) -> dict[int, str]:
    """Map the SS cards of this level to their names, with the card that ends the siege last."""
    model, names = scenario.model, names_of(scenario).cards
    in_play = {**model.base_cards(), **model.set_cards()}
    return {i: names[i] for i, key in enumerate(model.all_cards()) if key in in_play} | {REGIMENT: names[-1]}


REGIMENT = -1


def named(things: str) -> Callable[[Scenario], dict[int, str]]:
    """Return a function that maps a scenario to its items of one kind.

    things: attribute of `simcore.itter.trace.Names`.
    """
    return lambda scenario: dict(enumerate(getattr(names_of(scenario), things)))


def circles(scenario: Scenario) -> dict[int, str]:
    return {int(circle): f"circle {circle}" for circle in scenario.model.circle}


TOPICS = (
    Topic(
        "SS cards turned up",
        ss_cards,
        events={Event.CARD: lambda card, deck, n: card, Event.REGIMENT: lambda a, b, c: REGIMENT},
    ),
    Topic(
        "Tactics cards in force",
        named("tactics"),
        events={Event.TACTICS: lambda newer, older, c: (newer, older)},
    ),
    Topic("SS counters placed", named("kinds"), events={Event.PLACED: lambda kind, circle, c: kind}),
    Topic(
        "circles with an SS counter",
        circles,
        events={
            Event.PLACED: lambda kind, circle, c: circle,
            Event.PUSHED: lambda kind, left, circle: circle,
        },
    ),
    Topic("defenders who acted", named("defenders"), {"activate": lambda d, seat: d}),
    Topic("defenders lost", named("defenders"), events={Event.KILLED: lambda d, b, c: d}),
    Topic(
        "positions a defender took",
        named("positions"),
        {
            "place": lambda p, seat: p,
            "move": lambda p, seat: p,
            "shift": lambda argument, seat: defender_and_position.py_func(argument)[1],
        },
    ),
    Topic(
        "locations hit", named("locations"), events={Event.HIT_LOCATION: lambda location, value, c: location}
    ),
)
