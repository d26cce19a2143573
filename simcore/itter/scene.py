"""The table of a game of Castle Itter, for viewers.

Plain Python, not used in simulations.
"""

from collections.abc import Iterator

from bartizan.simcore.itter.actions import kind_of
from bartizan.simcore.itter.components import NONE, Act, Event, Place, Status
from bartizan.simcore.itter.trace import ACTIONS, EVENTS, Names, event_line, names_of
from bartizan.simcore.scenario.loading import Scenario
from bartizan.simcore.scene import Scene, Shape, Shown, pile, table, thing, zone

PLAYER = "the defender", "the SS"
SHORT = ["Ri", "Sc", "St", "MG", "Mo"]  # SS counters
ELSEWHERE = {
    "Reserve": Place.RESERVE,
    "Set aside": Place.ASIDE,
    "Killed": Place.KILLED,
    "Escaped": Place.ESCAPED,
}
WORDS = {Status.EXHAUSTED: "exhausted", Status.DISRUPTED: "disrupted"}
LOOKS = {Status.EXHAUSTED: "spent", Status.DISRUPTED: "hurt"}


def snapshot(state, tables, scenario: Scenario) -> dict:
    """Return the state as a table with all cards face up, in the form of `simcore.scene.table`."""
    n = names_of(scenario)
    deciding = "" if state["end_reason"] else PLAYER[state["to_move"]]
    return table(int(state["turn"]), deciding, _counters(n, state), _zones(n, state))


def _counters(n: Names, state) -> dict[str, int | str]:
    tokens = {
        f"Suppression tokens, {colour}": int(state["tokens"][i])
        for i, colour in enumerate(n.colours)
        if n.model.colour[colour].suppression_square
    }
    left = int(state["deck_size"]) - int(state["deck_next"])
    return {"SS cards left": left, "Casualties": int(state["casualties"]), **tokens}


def _zones(n: Names, state) -> Iterator[dict]:
    yield zone("SS counters", _counters_out(n, state), shape=Shape.BOARD)
    for i, location in enumerate(n.model.location.values()):
        positions = enumerate(n.model.position.values())
        inside = [p for p, position in positions if n.model.location[position.location] is location]
        value = int(state["defence"][i])
        note = f"Defence Value {value}" if value else "destroyed"
        defenders = [pawn for p in inside for pawn in _defenders_at(n, state, p)]
        yield zone(location.name, defenders, note=note if location.defence_track else "", shape=Shape.BOARD)
    for name, place in ELSEWHERE.items():
        yield zone(name, _defenders_at(n, state, place))
    in_force = [n.tactics[card] for card in (state["newer"], state["older"]) if card != NONE]
    yield zone("Tactics in force", map(thing, in_force))


def _defenders_at(n: Names, state, place: int) -> list[dict]:
    return [_defender(n, state, d) for d in range(len(n.defenders)) if state["place"][d] == place]


def _counters_out(n: Names, state) -> Iterator[dict]:
    for circle, kind in enumerate(state["counter"]):
        if kind != NONE:
            yield thing(n.kinds[kind], SHORT[kind], at=str(circle), look="side-1")
    for kind, guns in enumerate(state["guns"]):
        for circle in range(len(guns)):
            for _ in range(int(guns[circle])):
                yield thing(n.kinds[kind], SHORT[kind], at=str(circle), look="side-1")


def _defender(n: Names, state, d: int) -> dict:
    status, place = int(state["status"][d]), int(state["place"][d])
    states = [word for bit, word in WORDS.items() if status & bit]
    name = n.model.defender[n.defenders[d]].name
    look = " ".join(["side-0", *(look for bit, look in LOOKS.items() if status & bit)])
    words = f"{name}, {' and '.join(states)}" if states else name
    return thing(words, name, at=n.positions[place] if place >= 0 else "", look=look)


def deal(state, tables, scenario: Scenario) -> list[dict]:
    """Return the stacked piles, each with its top card first, without empty piles.

    They are the SS deck (0.3), the Tactics cards (6.1), the SS player's cards (6.2), and the counters on the
    areas (0.2).
    """
    n = names_of(scenario)
    held = [card for card, copies in enumerate(state["ss_hand"]) for _ in range(copies)]
    tactics = [name for i, name in enumerate(n.tactics) if int(state["tactics_hand"]) >> i & 1]
    stack = state["stack"][state["stack_next"] : state["stack_size"]]
    counters = [f"{n.kinds[kind]} on {area}" for area, kind in enumerate(state["counter"]) if kind != NONE]
    piles = [
        pile("SS deck", [n.cards[card] for card in state["deck"][state["deck_next"] : state["deck_size"]]]),
        pile("Tactics", [n.tactics[card] for card in stack]),
        pile("The SS player's cards", [n.cards[card] for card in held]),
        pile("The SS player's Tactics", tactics),
        pile("SS counters at the start", counters),
    ]
    return [cards for cards in piles if cards["cards"]]


ACT_RULES = {act: rule for act, (rule, _, _) in ACTIONS.items()}


def act_rule(state, action: int) -> str:
    return ACT_RULES[Act(kind_of(action))]


EVENT_RULES = {event: rule for event, (rule, _) in EVENTS.items()}
MARKS = {
    Event.ROLL: Shown.DICE,
    Event.TARGET: Shown.DICE,
    Event.AREA: Shown.DICE,
    Event.CARD: Shown.CARD,
    Event.REGIMENT: Shown.CARD,
    Event.TACTICS: Shown.CARD,
    Event.BREACH: Shown.LOSS,
    Event.KILLED: Shown.LOSS,
    Event.TANK_LOST: Shown.LOSS,
}
SCENE = Scene(snapshot, act_rule, event_line, EVENT_RULES, deal, MARKS)
