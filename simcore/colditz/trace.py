"""Text for actions and events, items for `bartizan coverage`, and checks of a state.

Plain Python, not used in simulations.
"""

from bartizan.simcore.colditz import components as cz
from bartizan.simcore.colditz.actions import UNPACK, argument_of, kind_of, room_and_guard, room_and_pow
from bartizan.simcore.colditz.board import read_board
from bartizan.simcore.game import Topic
from bartizan.simcore.scenario.loading import Scenario
from bartizan.simcore.scenario.parameters import plain

EQUIPMENT_NAMES = ["Wire Cutters", "Pass", "Key", "Rope"]
TEAMS = ["British", "French", "Dutch", "Polish", "American"]  # from the pawns of the published game
BLOCKS = ["the inner cells", "the outer cells"]
TUNNEL_STATES = ["unused", "open", "closed to newcomers", "closed for good", "taken by the guards"]


class Names:
    """Names of the pawns, spaces, rooms, tunnels and cards of a scenario."""

    def __init__(self, scenario: Scenario):
        self.model = scenario.model
        self.board = read_board()
        self.rooms = list(self.board.rooms)
        self.tunnels = list(self.board.tunnels)
        self.cards = [key.replace("_", " ") for key in self.model.opportunity]
        self.orders = [key.replace("_", " ") for key in self.model.security]

    def pow(self, w: int) -> str:
        return f"{TEAMS[w // cz.TEAM]} {w % cz.TEAM + 1}"

    def space(self, c: int) -> str:
        if c == cz.APPEL:
            return "the Appel"
        if c < 0:
            return cz.Place(c).name.lower().replace("_", " ")
        circle = self.board.circles[c]
        return f"{c} ({circle.area or circle.zone})".replace("_", " ")


_LAST: list = []  # the last scenario used, and its Names


def names_of(scenario: Scenario) -> Names:
    if not _LAST or _LAST[0] is not scenario:
        _LAST[:] = scenario, Names(scenario)
    return _LAST[1]


class Chosen:
    """The state in which an action is chosen, as needed to describe the action."""

    def __init__(self, names: Names, state):
        self.names, self.state = names, state

    @property
    def picked(self) -> str:
        return self.names.pow(int(self.state["picked"]))

    @property
    def guard(self) -> str:
        return f"guard {self.state['picked']}"

    def own(self, i: int) -> str:
        """Return the name of POW i of the deciding player."""
        return self.names.pow(int(self.state["player"]) * cz.TEAM + i)


def describe_action(state, tables, action: int, scenario: Scenario) -> str:
    """Describe an action in the state before it is applied."""
    act, argument = cz.Act(kind_of(action)), argument_of(action)
    numbers = UNPACK[act](argument) if act in UNPACK else (argument,)
    chosen = Chosen(names_of(scenario), state)
    if state["to_move"] == cz.GERMAN:
        return GERMAN_ACTIONS[act](chosen, *numbers)
    return f"{TEAMS[state['player']]}: {ALLIED_ACTIONS[act](chosen, *numbers)}"


def _arrest(a: Chosen, c: int) -> str:
    return f"arrests {a.names.pow(int(a.state['on'][c]) - 1)} at {a.names.space(c)} with {a.guard}"


def _cell(a: Chosen, block: int) -> str:
    w = int(a.state["cells"][a.state["cells_next"]])
    return f"sends {a.names.pow(w)} to {BLOCKS[block]}"


# Act -> its text, from the numbers that its argument packs
GERMAN_ACTIONS = {
    cz.Act.END: lambda a, _: "is done",
    cz.Act.THROW: lambda a, _: "throws",
    cz.Act.PICK: lambda a, g: f"picks guard {g}",
    cz.Act.STAY: lambda a, _: f"leaves {a.guard} where it is",
    cz.Act.GO: lambda a, c: f"moves {a.guard} to {a.names.space(c)}",
    cz.Act.ARREST: _arrest,
    cz.Act.POST: lambda a, c: f"posts a guard at {a.names.space(c)}",
    cz.Act.RECALL: lambda a, g: f"recalls guard {g}",
    cz.Act.APPEL: lambda a, _: "calls an Appel",
    cz.Act.SEARCH: lambda a, room, g: f"searches {a.names.rooms[room]} with guard {g}",
    cz.Act.HOLDER: lambda a, w, card: f"arrests {a.names.pow(w)} for the {('Key', 'Pass')[card]} he used",
    cz.Act.SHOOT: lambda a, g, w: f"has guard {g} shoot at {a.names.pow(w)}",
    cz.Act.DETECT: lambda a, t: f"suspects the {a.names.tunnels[t]} tunnel",
    cz.Act.MATCH: lambda a, g, w: (
        f"takes {'everybody in range' if w == cz.WHOLE_TEAM else a.names.pow(w)} with guard {g}"
    ),
    cz.Act.CELL: _cell,
    cz.Act.DISCARD: lambda a, card: f"discards {a.names.orders[card]}",
}


def _bribe(a: Chosen, cards: int, *wishes: int) -> str:
    return "bribes a sentry for " + " and ".join(EQUIPMENT_NAMES[e] for e in wishes if e != cz.NOTHING)


def _convert(a: Chosen, p: int, e: int) -> str:
    """Describe a conversion, with the owner of the card if it is not the deciding player (9.7)."""
    whose = "" if p == a.state["player"] else f"{TEAMS[p]} "
    return f"{whose}turns a card into a {EQUIPMENT_NAMES[e]}"


ALLIED_ACTIONS = {
    cz.Act.END: lambda a, _: "ends the turn" if a.state["stage"] == cz.Stage.TURN else "is done",
    cz.Act.THROW: lambda a, _: "throws",
    cz.Act.NEXT: lambda a, p: f"{TEAMS[p]} takes the next turn",
    cz.Act.PICK: lambda a, i: f"picks {a.own(i)}",
    cz.Act.STAY: lambda a, _: f"{a.picked} stays",
    cz.Act.GO: lambda a, c: f"{a.picked} goes to {a.names.space(c)}",
    cz.Act.UNDER: lambda a, c: f"{a.picked} crawls to {a.names.space(c)} in the tunnel",
    cz.Act.CROSS: lambda a, c: f"{a.picked} opens the way to {a.names.space(c)}",
    cz.Act.FORCE: lambda a, c: f"{a.picked} runs into the guard at {a.names.space(c)}",
    cz.Act.EQUIP: lambda a, w, v: f"{a.names.pow(w)} and {a.names.pow(v)} take Equipment",
    cz.Act.KIT: lambda a, halves: "takes an Escape Kit" + (" with half cards" if halves else ""),
    cz.Act.RELEASE: lambda a, block: f"releases a POW from {BLOCKS[block]} for a double",
    cz.Act.STAKE: lambda a, i: f"stakes {a.own(i)}: Do or Die",
    cz.Act.BRIBE: _bribe,
    cz.Act.CONVERT: _convert,
    cz.Act.DIVERT: lambda a, g: f"plays Diversion: guard {g} to the barracks",
    cz.Act.INSPECT: lambda a, g, h: f"plays Inspection: guards {g} and {h} to the barracks",
    cz.Act.SABOTAGE: lambda a, _: "plays Sabotage",
    cz.Act.FAST: lambda a, room, i: f"plays Move Fast: {a.own(i)} to {a.names.rooms[room]}",
    cz.Act.FREE: lambda a, block, nearer: f"plays Release from Solitary ({BLOCKS[block]})",
    cz.Act.CAR: lambda a, i: f"{a.own(i)} drives off in the Staff Car",
    cz.Act.TUNNEL: lambda a, t: f"opens the {a.names.tunnels[t]} tunnel",
    cz.Act.GIVE: lambda a, giver, taker, card: (
        f"{TEAMS[giver]} gives {a.names.cards[card]} to {TEAMS[taker]}"
    ),
    cz.Act.GIVE_EQUIPMENT: lambda a, taker, e: f"gives a {EQUIPMENT_NAMES[e]} to {TEAMS[taker]}",
    cz.Act.DISCARD: lambda a, card: f"discards {a.names.cards[card]}",
    cz.Act.COME: lambda a, i: (
        "all go to the Appel" if i == cz.WHOLE_TEAM else f"{a.own(i)} goes to the Appel"
    ),
    cz.Act.WARN: lambda a, _: "plays Advance Warning",
    cz.Act.HIDE: lambda a, i, c: f"{a.own(i)} hides at {a.names.space(c)}",
    cz.Act.LOSE: lambda a, e: "plays Hideaway" if e == cz.NOTHING else f"gives up a {EQUIPMENT_NAMES[e]}",
    cz.Act.SAVE: lambda a, plays: "plays the saving card" if plays else "keeps the saving card",
}


def describe_events(state, tables, scenario: Scenario) -> list[str]:
    """Describe the effects of the last `apply`, one line each."""
    happened = state["events"][: state["n_events"]]
    return [line for row in happened if (line := event_line(scenario, *map(int, row)))]


def event_line(scenario: Scenario, event: int, a: int, b: int, c: int) -> str:
    """Describe one log entry; "" for an internal entry."""
    return EVENTS[event][1](names_of(scenario), a, b, c) if event in EVENTS else ""


# Event -> its rule, and its text
EVENTS = {
    cz.Event.ROUND: ("2.5", lambda n, a, b, c: f"== round {a}"),
    cz.Event.TURN: ("2.5", lambda n, a, b, c: "-- the German" if a == cz.NONE else f"-- {TEAMS[a]}"),
    cz.Event.THROW: (
        "3.1",
        lambda n, a, b, c: f"throw: {a}" + (f" with {b} double{'s' * (b > 1)}" if b else ""),
    ),
    cz.Event.DREW: ("3.3", lambda n, a, b, c: f"draws {n.orders[b] if a == cz.NONE else n.cards[b]}"),
    cz.Event.OPENED: ("4.7", lambda n, a, b, c: "the way is open"),
    cz.Event.TOOK: ("4.11", lambda n, a, b, c: f"{TEAMS[a]} takes a {EQUIPMENT_NAMES[b]}"),
    cz.Event.KIT: ("4.10", lambda n, a, b, c: f"{TEAMS[a]} has an Escape Kit"),
    cz.Event.ESCAPED: (
        "5.1",
        lambda n, a, b, c: f"{n.pow(a)} has ESCAPED" + (" by Do or Die" if c else f" at {n.space(b)}"),
    ),
    cz.Event.CELL: ("7.2", lambda n, a, b, c: f"{n.pow(a)} is in {BLOCKS[b]}"),
    cz.Event.LOST: ("7.3", lambda n, a, b, c: f"{TEAMS[a]} loses a {EQUIPMENT_NAMES[b]}"),
    cz.Event.DEAD: ("5.4", lambda n, a, b, c: f"{n.pow(a)} is dead"),
    cz.Event.OUT: ("5.4", lambda n, a, b, c: f"{TEAMS[a]} is out of the game"),
    cz.Event.BARRACKS: ("7.2", lambda n, a, b, c: f"guard {a} to the barracks"),
    cz.Event.STAKED: ("5.4", lambda n, a, b, c: f"{a} throws bring {b}, {c} needed"),
    cz.Event.RANGE: ("9.1", lambda n, a, b, c: f"range {a}"),
    cz.Event.TUNNEL: ("8.6", lambda n, a, b, c: f"the {n.tunnels[a]} tunnel is {TUNNEL_STATES[b]}"),
    cz.Event.RELEASED: ("4.13", lambda n, a, b, c: f"{n.pow(a)} is let out to {n.space(b)}"),
    cz.Event.SAVED: ("9.9", lambda n, a, b, c: f"{TEAMS[a]} saves it with a card"),
}


# undoing -> the last loss of a game the Allies did not win
LOSSES = {
    cz.Loss.TIME: "the round limit, no run ever stopped",
    cz.Loss.ARREST: "an arrest",
    cz.Loss.FORCED: "a forced arrest",
    cz.Loss.SEARCH: "a Search",
    cz.Loss.APPEL: "an Appel",
    cz.Loss.HOLDER: "Arrest Key or Pass Holder",
    cz.Loss.DETECTED: "a tunnel detected",
    cz.Loss.SHOT: "Shoot to Kill",
    cz.Loss.STAKE: "a failed Do or Die, no run before it",
    cz.Loss.CAR: "the Staff Car stopped",
}


def check_state(state, tables) -> str:
    """Return the first fault in a state, or "".

    Checks section 12: pawns, guards and cards are conserved, each circle has at most one pawn, and hands are
    within their limits.
    """
    places = [int(at) for at in state["pow_at"]]
    playing = [at for at in places if at != cz.Place.UNUSED]
    if len(playing) != int(tables["players"]) * int(tables["pows"]):
        return f"{len(playing)} POWs, {int(tables['players']) * int(tables['pows'])} began"
    for w, at in enumerate(places):
        level = "on" if state["under"][w] == cz.NONE else "below"
        if at > cz.APPEL and int(state[level][at]) != w + 1:
            return f"POW {w} is not where he stands"
    guards = [int(at) for at in state["guard_at"] if at != cz.Place.UNUSED]
    if len(guards) != int(tables["guards"]):
        return f"{len(guards)} guards, {int(tables['guards'])} began"
    return _circles_wrong(state, places, guards) or _cards_wrong(state, tables)


def _circles_wrong(state, places: list[int], guards: list[int]) -> str:
    surface = [at for w, at in enumerate(places) if at > cz.APPEL and state["under"][w] == cz.NONE] + [
        at for at in guards if at > cz.APPEL
    ]
    if len(set(surface)) < len(surface) or int((state["on"] != 0).sum()) != len(surface):
        return "two pawns on a circle"
    return ""


def _cards_wrong(state, tables) -> str:
    left = int(state["deck_size"]) - int(state["deck_next"])
    if (n := int(state["hand"].sum()) + int(state["discards"].sum()) + left) != int(tables["n_dealt"]):
        return f"{n} Opportunity cards"
    left = int(state["order_size"]) - int(state["order_next"])
    if (n := int(state["orders"].sum()) + int(state["order_discards"].sum()) + left) != int(
        tables["n_order_dealt"]
    ):
        return f"{n} Security cards"
    return _equipment_wrong(state, tables) or _hands_wrong(state, tables)


def _equipment_wrong(state, tables) -> str:
    if (
        (state["equipment"].sum(axis=0) + state["supply"] != tables["equipment_count"]).any()
        or (state["equipment"] < 0).any()
        or (state["supply"] < 0).any()
    ):
        return "Equipment is not conserved"
    if int(state["kit"].sum()) + int(state["kit_supply"]) != int(tables["kit_count"]):
        return "Kits are not conserved"
    return ""


def _hands_wrong(state, tables) -> str:
    given = int(tables["players"]) * int(tables["max_gives"])  # 3.5: also to a full hand
    limit = int(tables["hand_limit"]) + 1 + given
    for p in range(int(tables["players"])):
        if int(state["hand"][p].sum()) > limit:
            return f"player {p} holds {int(state['hand'][p].sum())} cards"
    return ""


# ---------------------------------------------------------------- things counted by `bartizan coverage`


room_searched, room_entered = room_and_guard.py_func, room_and_pow.py_func
ELSEWHERE = -100  # a number without meaning


def _in_the_deck(names: list[str], deck: dict) -> dict[int, str]:
    return {i: name for i, (name, card) in enumerate(zip(names, deck.values(), strict=True)) if card.count}


def stakes(scenario: Scenario) -> dict[int, str]:
    """Map the number of throws on each Do or Die card to its name."""
    return {card.throws: f"{card.throws} throws" for card in scenario.model.do_or_die.values() if card.count}


def areas(scenario: Scenario) -> dict[int, str]:
    """Map each circle to its room, or to its part of the grounds."""
    circles = names_of(scenario).board.circles.items()
    names = {c: plain(circle.area or circle.zone) for c, circle in circles if circle.zone != "appel"}
    return {cz.APPEL: "the Appel", **names}


def rooms(scenario: Scenario) -> dict[int, str]:
    return {i: plain(room) for i, room in enumerate(names_of(scenario).rooms)}


def rooms_with_a_card(deck: str):
    """Return a function that maps a scenario to the rooms named on the cards of a deck.

    deck: the field of `Room`, "search_card" or "move_fast_card".
    """

    def names(scenario: Scenario) -> dict[int, str]:
        table = names_of(scenario).board.room_table
        return {i: name for i, name in rooms(scenario).items() if getattr(list(table.values())[i], deck)}

    return names


def of(side: int):
    """Return a function of (circle, seat), which returns the circle for a seat of `side`.

    For other seats, it returns ELSEWHERE.
    """
    return lambda circle, seat: circle if seat == side else ELSEWHERE


TOPICS = (
    Topic(
        "Opportunity cards drawn",
        lambda scenario: _in_the_deck(names_of(scenario).cards, scenario.model.opportunity),
        events={cz.Event.DREW: lambda p, card, c: ELSEWHERE if p == cz.NONE else card},
    ),
    Topic(
        "Security cards drawn",
        lambda scenario: _in_the_deck(names_of(scenario).orders, scenario.model.security),
        events={cz.Event.DREW: lambda p, card, c: card if p == cz.NONE else ELSEWHERE},
    ),
    Topic("Do or Die cards drawn", stakes, events={cz.Event.STAKED: lambda throws, total, distance: throws}),
    Topic(
        "Equipment taken",
        lambda scenario: dict(enumerate(EQUIPMENT_NAMES)),
        events={cz.Event.TOOK: lambda p, e, c: e},
    ),
    Topic("where POWs went", areas, dict.fromkeys(("go", "cross", "force", "under"), of(cz.ALLIED))),
    Topic("where guards went", areas, dict.fromkeys(("go", "post", "arrest"), of(cz.GERMAN))),
    Topic(
        "rooms searched", rooms_with_a_card("search_card"), {"search": lambda a, seat: room_searched(a)[0]}
    ),
    Topic(
        "rooms entered by Move Fast",
        rooms_with_a_card("move_fast_card"),
        {"fast": lambda a, seat: room_entered(a)[0]},
    ),
    Topic(
        "tunnels opened",
        lambda scenario: dict(enumerate(map(plain, names_of(scenario).tunnels))),
        {"tunnel": lambda tunnel, seat: tunnel},
    ),
)

# Act -> its rule, and its name in counts of actions
ACTS = {
    cz.Act.END: ("4.1", "the turn, or an answer, ends"),
    cz.Act.THROW: ("3.2", "a throw"),
    cz.Act.PICK: ("4.2", "a pawn is picked"),
    cz.Act.STAY: ("4.2", "the picked pawn stays"),
    cz.Act.GO: ("4.2", "a pawn walks"),
    cz.Act.UNDER: ("8.2", "a POW crawls in a tunnel"),
    cz.Act.CROSS: ("4.7", "a POW opens a gate, a drop or the wire"),
    cz.Act.FORCE: ("4.12", "a forced arrest"),
    cz.Act.EQUIP: ("4.11", "Equipment is taken"),
    cz.Act.KIT: ("4.10", "an Escape Kit is taken"),
    cz.Act.RELEASE: ("4.13", "a release from Solitary for a double"),
    cz.Act.STAKE: ("5.4", "a Do or Die"),
    cz.Act.NEXT: ("2.5", "which ally is next"),
    cz.Act.BRIBE: ("9.7", "a Bribe"),
    cz.Act.CONVERT: ("9.7", "a card is turned in for Equipment"),
    cz.Act.DIVERT: ("9.8", "a Diversion"),
    cz.Act.INSPECT: ("9.8", "an Inspection"),
    cz.Act.SABOTAGE: ("9.8", "a Sabotage"),
    cz.Act.FAST: ("9.10", "a Move Fast"),
    cz.Act.FREE: ("9.10", "a Release from Solitary by card"),
    cz.Act.CAR: ("9.11", "the Staff Car"),
    cz.Act.TUNNEL: ("8.1", "a tunnel is opened"),
    cz.Act.GIVE: ("3.5", "a card is given to an ally"),
    cz.Act.GIVE_EQUIPMENT: ("3.5", "Equipment is given to an ally"),
    cz.Act.DISCARD: ("3.4", "a card is discarded"),
    cz.Act.COME: ("9.1", "POWs go to the Appel"),
    cz.Act.WARN: ("9.6", "an Advance Warning"),
    cz.Act.HIDE: ("9.6", "a POW hides on a safe circle"),
    cz.Act.LOSE: ("7.3", "Equipment is given up, or a Hideaway saves it"),
    cz.Act.SAVE: ("9.12", "a Hideaway or a Talisman, played or kept"),
    cz.Act.POST: ("6.3", "a guard is posted"),
    cz.Act.RECALL: ("6.3", "a guard is recalled"),
    cz.Act.ARREST: ("7.1", "an arrest"),
    cz.Act.APPEL: ("9.1", "an Appel"),
    cz.Act.SEARCH: ("9.2", "a Search"),
    cz.Act.HOLDER: ("9.3", "an Arrest Key or Pass Holder"),
    cz.Act.SHOOT: ("9.4", "a Shoot to Kill"),
    cz.Act.DETECT: ("8.5", "a Tunnel Detected"),
    cz.Act.MATCH: ("9.1", "an Appel takes a POW"),
    cz.Act.CELL: ("7.2", "which cells a POW goes to"),
}
ACT_WORDS = {act.name.lower(): words for act, (_, words) in ACTS.items()}
