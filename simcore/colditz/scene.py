"""A game of Escape from Colditz as it lies on the table, for who watches it.

Plain Python: nothing here runs during simulation.
"""

from collections.abc import Iterator

from bartizan.simcore.colditz.actions import kind_of
from bartizan.simcore.colditz.components import GERMAN, GUARDS, NONE, PLAYERS, TEAM, Act, Event, Place, Stage
from bartizan.simcore.colditz.trace import EQUIPMENT_NAMES, TEAMS, TUNNEL_STATES, Names, event_line, names_of
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
    """`simcore.scene.table`."""
    n, players = names_of(scenario), int(tables["players"])
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
    for e, name in enumerate(EQUIPMENT_NAMES):
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
    words = {name: TUNNEL_STATES[state["tunnel"][t]] for t, name in enumerate(n.tunnels)}
    return zone("Tunnels", [thing(f"{name}: {word}") for name, word in words.items()])


def deal(state, tables, scenario: Scenario) -> list[dict]:
    """What a table stacks, top first (2.2)."""
    n = names_of(scenario)
    cards = state["deck"][state["deck_next"] : state["deck_size"]]
    orders = state["order_deck"][state["order_next"] : state["order_size"]]
    stakes = state["stakes"][state["stakes_next"] : state["stakes_size"]]
    return [
        pile("Opportunity deck", [n.cards[card] for card in cards]),
        pile("Security deck", [n.orders[card] for card in orders]),
        pile("Do or Die deck", [f"{int(throws)} throws" for throws in stakes]),
    ]


ACT_RULES = {
    Act.END: "4.1",
    Act.THROW: "3.2",
    Act.PICK: "4.2",
    Act.STAY: "4.2",
    Act.GO: "4.2",
    Act.UNDER: "8.2",
    Act.CROSS: "4.7",
    Act.FORCE: "4.12",
    Act.EQUIP: "4.11",
    Act.KIT: "4.10",
    Act.RELEASE: "4.13",
    Act.STAKE: "5.4",
    Act.NEXT: "2.5",
    Act.BRIBE: "9.7",
    Act.CONVERT: "9.7",
    Act.DIVERT: "9.8",
    Act.INSPECT: "9.8",
    Act.SABOTAGE: "9.8",
    Act.FAST: "9.10",
    Act.FREE: "9.10",
    Act.CAR: "9.11",
    Act.TUNNEL: "8.1",
    Act.GIVE: "3.5",
    Act.GIVE_EQUIPMENT: "3.5",
    Act.DISCARD: "3.4",
    Act.COME: "9.1",
    Act.WARN: "9.6",
    Act.HIDE: "9.6",
    Act.LOSE: "7.3",
    Act.SAVE: "9.12",
    Act.POST: "6.3",
    Act.RECALL: "6.3",
    Act.ARREST: "7.1",
    Act.APPEL: "9.1",
    Act.SEARCH: "9.2",
    Act.HOLDER: "9.3",
    Act.SHOOT: "9.4",
    Act.DETECT: "8.5",
    Act.MATCH: "8.4",
    Act.CELL: "7.2",
}
GERMAN_RULES = {Act.END: "6.1", Act.PICK: "6.2", Act.STAY: "6.2", Act.GO: "6.2"}


def act_rule(state, action: int) -> str:
    act = Act(kind_of(action))
    if state["stage"] == Stage.SETUP:
        return "2.4"
    return GERMAN_RULES.get(act, ACT_RULES[act]) if state["to_move"] == GERMAN else ACT_RULES[act]


EVENT_RULES = {
    Event.ROUND: "2.5",
    Event.TURN: "2.5",
    Event.THROW: "3.1",
    Event.DREW: "3.3",
    Event.OPENED: "4.7",
    Event.TOOK: "4.11",
    Event.KIT: "4.10",
    Event.ESCAPED: "5.1",
    Event.CELL: "7.2",
    Event.LOST: "7.3",
    Event.DEAD: "5.4",
    Event.OUT: "5.4",
    Event.BARRACKS: "7.2",
    Event.STAKED: "5.4",
    Event.RANGE: "9.1",
    Event.TUNNEL: "8.6",
    Event.RELEASED: "4.13",
    Event.SAVED: "9.9",
}
MARKS = {
    Event.THROW: Shown.DICE,
    Event.STAKED: Shown.DICE,
    Event.RANGE: Shown.DICE,
    Event.DREW: Shown.CARD,
    Event.CELL: Shown.LOSS,
    Event.DEAD: Shown.LOSS,
    Event.OUT: Shown.LOSS,
}
SCENE = Scene(snapshot, act_rule, event_line, EVENT_RULES, deal, MARKS)
