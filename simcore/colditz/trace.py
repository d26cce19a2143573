"""A game as readable lines, and what must hold in every state.

Plain Python: nothing here runs during simulation.
"""

from bartizan.simcore.colditz import components as cz
from bartizan.simcore.colditz.actions import UNPACK, argument_of, kind_of
from bartizan.simcore.colditz.board import read_board
from bartizan.simcore.scenario.loading import Scenario

EQUIPMENT_NAMES = ["Wire Cutters", "Pass", "Key", "Rope"]
TEAMS = ["British", "French", "Dutch", "Polish", "American"]  # as the pawns of the published game
BLOCKS = ["the inner cells", "the outer cells"]
TUNNEL_STATES = ["unused", "open", "closed to newcomers", "closed for good", "taken by the guards"]


class Names:
    """Names of everything a line can mention."""

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


_LAST: list = []  # the scenario named last, and its Names


def names_of(scenario: Scenario) -> Names:
    if not _LAST or _LAST[0] is not scenario:
        _LAST[:] = scenario, Names(scenario)
    return _LAST[1]


class Chosen:
    """The state in which an action is chosen, for its words."""

    def __init__(self, names: Names, state):
        self.names, self.state = names, state

    @property
    def picked(self) -> str:
        """The POW that moves."""
        return self.names.pow(int(self.state["picked"]))

    @property
    def guard(self) -> str:
        """The guard that moves."""
        return f"guard {self.state['picked']}"

    def own(self, i: int) -> str:
        """POW i of the player who decides."""
        return self.names.pow(int(self.state["player"]) * cz.TEAM + i)


def describe_action(state, tables, action: int, scenario: Scenario) -> str:
    """One chosen action in words, in the state before it is applied."""
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


# Act -> words for it, given the numbers that its argument packs
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
    """9.7: whose card it is, when it is not the player's who decides."""
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
    """What the last `apply` set in motion, one line each."""
    happened = state["events"][: state["n_events"]]
    return [line for row in happened if (line := event_line(scenario, *map(int, row)))]


def event_line(scenario: Scenario, event: int, a: int, b: int, c: int) -> str:
    """One entry of the log in words, "" for one that nobody is told."""
    return EVENTS[event](names_of(scenario), a, b, c) if event in EVENTS else ""


EVENTS = {
    cz.Event.ROUND: lambda n, a, b, c: f"== round {a}",
    cz.Event.TURN: lambda n, a, b, c: "-- the German" if a == cz.NONE else f"-- {TEAMS[a]}",
    cz.Event.THROW: lambda n, a, b, c: f"throw: {a}" + (f" with {b} double{'s' * (b > 1)}" if b else ""),
    cz.Event.DREW: lambda n, a, b, c: f"draws {n.orders[b] if a == cz.NONE else n.cards[b]}",
    cz.Event.OPENED: lambda n, a, b, c: "the way is open",
    cz.Event.TOOK: lambda n, a, b, c: f"{TEAMS[a]} takes a {EQUIPMENT_NAMES[b]}",
    cz.Event.KIT: lambda n, a, b, c: f"{TEAMS[a]} has an Escape Kit",
    cz.Event.ESCAPED: lambda n, a, b, c: (
        f"{n.pow(a)} has ESCAPED" + (" by Do or Die" if c else f" at {n.space(b)}")
    ),
    cz.Event.CELL: lambda n, a, b, c: f"{n.pow(a)} is in {BLOCKS[b]}",
    cz.Event.LOST: lambda n, a, b, c: f"{TEAMS[a]} loses a {EQUIPMENT_NAMES[b]}",
    cz.Event.DEAD: lambda n, a, b, c: f"{n.pow(a)} is dead",
    cz.Event.OUT: lambda n, a, b, c: f"{TEAMS[a]} is out of the game",
    cz.Event.BARRACKS: lambda n, a, b, c: f"guard {a} to the barracks",
    cz.Event.STAKED: lambda n, a, b, c: f"{a} throws bring {b}, {c} needed",
    cz.Event.RANGE: lambda n, a, b, c: f"range {a}",
    cz.Event.TUNNEL: lambda n, a, b, c: f"the {n.tunnels[a]} tunnel is {TUNNEL_STATES[b]}",
    cz.Event.RELEASED: lambda n, a, b, c: f"{n.pow(a)} is let out to {n.space(b)}",
    cz.Event.SAVED: lambda n, a, b, c: f"{TEAMS[a]} saves it with a card",
}


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


def loss_labels(scenario: Scenario) -> dict[int, str]:
    """undoing -> the last loss of a game the Allies did not win."""
    return {int(loss): name for loss, name in LOSSES.items()}


def check_state(state, tables) -> str:
    """What is wrong with a state, or "" (12: pawns, guards and cards conserved; one pawn a circle; hands
    within limits).
    """
    places = [int(at) for at in state["pow_at"]]
    playing = [at for at in places if at != cz.Place.UNUSED]
    if len(playing) != int(tables["players"]) * int(tables["pows"]):
        return f"{len(playing)} POWs, {int(tables['players']) * int(tables['pows'])} began"
    for w, at in enumerate(places):
        if (
            at > cz.APPEL
            and int((state["below"] if state["under"][w] != cz.NONE else state["on"])[at]) != w + 1
        ):
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
