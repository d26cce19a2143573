"""The table of a game of Escape from Colditz, for viewers.

Plain Python, not used in simulations.
"""

from collections.abc import Iterator

from bartizan.simcore.colditz import trace
from bartizan.simcore.colditz.actions import kind_of
from bartizan.simcore.colditz.components import GERMAN, GUARDS, NONE, PLAYERS, TEAM, Act, Event, Place, Stage
from bartizan.simcore.colditz.trace import ACTS, EVENTS, TEAMS, Names
from bartizan.simcore.scenario.loading import Scenario
from bartizan.simcore.scene import Scene, Shape, Shown, copies, pile, table, thing, zone

GUARD_LOOK = f"side-{PLAYERS}"
GONE = {  # places off the board, in words
    Place.CELL_INNER: "the inner cells",
    Place.CELL_OUTER: "the outer cells",
    Place.ESCAPED: "escaped",
    Place.DEAD: "dead",
    Place.OUT: "out of the game",
    Place.BARRACKS: "the barracks",
    Place.ON_THE_WAY: "on the way to Solitary",
}


def snapshot(state, tables, scenario: Scenario) -> dict:
    """Return the state as a table with all cards face up, in the form of `simcore.scene.table`."""
    n, players = trace.names_of(scenario), int(tables["players"])
    zones = [*_allied(n, state, players), *_german(n, state), _tunnels(n, state)]
    return table(int(state["round"]), _deciding(state), _counters(state), zones)


def _deciding(state) -> str:
    if state["end_reason"]:
        return ""
    return "the German" if state["to_move"] == GERMAN else f"the {TEAMS[state['player']]}"


def _counters(state) -> dict[str, int | str]:
    return {
        "Movement points left": int(state["points"]),
        "Escapes": int(state["escaped"].sum()) + int(state["staked_out"].sum()),
        "Opportunity cards left": int(state["deck_size"]) - int(state["deck_next"]),
        "Security cards left": int(state["order_size"]) - int(state["order_next"]),
        "Do or Die cards left": int(state["stakes_size"]) - int(state["stakes_next"]),
    }


def _allied(n: Names, state, players: int) -> Iterator[dict]:
    for p in range(players):
        kit = "has an Escape Kit" if state["kit"][p] else ""
        yield zone(f"{TEAMS[p]} POWs", _pows(n, state, p), note=kit, shape=Shape.BOARD)
        yield zone(f"{TEAMS[p]} cards", _cards(n, state, p))


def _pows(n: Names, state, p: int) -> Iterator[dict]:
    for w in range(p * TEAM, (p + 1) * TEAM):
        at = int(state["pow_at"][w])
        if at != Place.UNUSED:
            below = ", in a tunnel" if state["under"][w] != NONE else ""
            short = f"{TEAMS[p][0]}{w % TEAM + 1}"
            yield thing(n.pow(w) + below, short, at=_place(n, at), look=f"side-{p}")


def _place(n: Names, at: int) -> str:
    return GONE[Place(at)] if at < 0 else n.space(at)


def _cards(n: Names, state, p: int) -> Iterator[dict]:
    for card, name in enumerate(n.cards):
        yield from copies(name, state["hand"][p][card])
    for e, name in enumerate(trace.EQUIPMENT_NAMES):
        yield from copies(name, state["equipment"][p][e], look=f"side-{p}")


def _german(n: Names, state) -> Iterator[dict]:
    guards = [(g, int(state["guard_at"][g])) for g in range(GUARDS)]
    placed = [
        thing(f"guard {g}", f"G{g}", at=_place(n, at), look=GUARD_LOOK)
        for g, at in guards
        if at != Place.UNUSED
    ]
    yield zone("Guards", placed, shape=Shape.BOARD)
    orders = [card for i, name in enumerate(n.orders) for card in copies(name, state["orders"][i])]
    yield zone("German cards", orders)


def _tunnels(n: Names, state) -> dict:
    words = {name: trace.TUNNEL_STATES[state["tunnel"][t]] for t, name in enumerate(n.tunnels)}
    return zone("Tunnels", [thing(f"{name}: {word}") for name, word in words.items()])


def deal(state, tables, scenario: Scenario) -> list[dict]:
    """Return the stacked piles, each with its top card first (2.2)."""
    n = trace.names_of(scenario)
    cards = state["deck"][state["deck_next"] : state["deck_size"]]
    orders = state["order_deck"][state["order_next"] : state["order_size"]]
    stakes = state["stakes"][state["stakes_next"] : state["stakes_size"]]
    return [
        pile("Opportunity deck", [n.cards[card] for card in cards]),
        pile("Security deck", [n.orders[card] for card in orders]),
        pile("Do or Die deck", [f"{int(throws)} throws" for throws in stakes]),
    ]


GERMAN_RULES = {Act.END: "6.1", Act.PICK: "6.2", Act.STAY: "6.2", Act.GO: "6.2"}


ACT_RULES = {act: rule for act, (rule, _) in ACTS.items()}


def act_rule(state, action: int) -> str:
    act = Act(kind_of(action))
    if state["stage"] == Stage.SETUP:
        return "2.4"
    return GERMAN_RULES.get(act, ACT_RULES[act]) if state["to_move"] == GERMAN else ACT_RULES[act]


EVENT_RULES = {event: rule for event, (rule, _) in EVENTS.items()}
MARKS = {
    Event.THROW: Shown.DICE,
    Event.STAKED: Shown.DICE,
    Event.RANGE: Shown.DICE,
    Event.DREW: Shown.CARD,
    Event.CELL: Shown.LOSS,
    Event.DEAD: Shown.LOSS,
    Event.OUT: Shown.LOSS,
}
SCENE = Scene(snapshot, act_rule, trace.event_line, EVENT_RULES, deal, MARKS)
