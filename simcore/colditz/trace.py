"""A game as readable lines, and what must hold in every state.

Plain Python: nothing here runs during simulation.
"""

from bartizan.simcore.colditz import components as cz
from bartizan.simcore.colditz.actions import (
    argument_of,
    block_and_nearer,
    both_of,
    bribery_of,
    gift_of,
    guards_of,
    holder_and_card,
    kind_of,
    owner_and_equipment,
    pow_and_circle,
    room_and_guard,
    room_and_pow,
)
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


class Told:
    """A chosen action: its argument, and what the state says about it."""

    def __init__(self, names: Names, state, argument: int):
        self.names, self.state, self.argument = names, state, argument

    @property
    def space(self) -> str:
        return self.names.space(self.argument)

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
    act, told = cz.Act(kind_of(action)), Told(names_of(scenario), state, argument_of(action))
    if state["to_move"] == cz.GERMAN:
        return GERMAN_ACTIONS[act](told)
    return f"{TEAMS[state['player']]}: {ALLIED_ACTIONS[act](told)}"


def _arrest(a: Told) -> str:
    return f"arrests {a.names.pow(int(a.state['on'][a.argument]) - 1)} at {a.space} with {a.guard}"


def _search(a: Told) -> str:
    room, g = room_and_guard(a.argument)
    return f"searches {a.names.rooms[room]} with guard {g}"


def _hold(a: Told) -> str:
    w, passes = holder_and_card(a.argument)
    return f"arrests {a.names.pow(w)} for the {'Pass' if passes else 'Key'} he used"


def _shoot(a: Told) -> str:
    g, w = both_of(a.argument)
    return f"has guard {g} shoot at {a.names.pow(w)}"


def _match(a: Told) -> str:
    g, w = both_of(a.argument)
    return f"takes {'everybody in range' if w == cz.WHOLE_TEAM else a.names.pow(w)} with guard {g}"


def _cell(a: Told) -> str:
    w = int(a.state["cells"][a.state["cells_next"]])
    return f"sends {a.names.pow(w)} to {BLOCKS[a.argument]}"


GERMAN_ACTIONS = {
    cz.Act.END: lambda a: "is done",
    cz.Act.THROW: lambda a: "throws",
    cz.Act.PICK: lambda a: f"picks guard {a.argument}",
    cz.Act.STAY: lambda a: f"leaves {a.guard} where it is",
    cz.Act.GO: lambda a: f"moves {a.guard} to {a.space}",
    cz.Act.ARREST: _arrest,
    cz.Act.POST: lambda a: f"posts a guard at {a.space}",
    cz.Act.RECALL: lambda a: f"recalls guard {a.argument}",
    cz.Act.APPEL: lambda a: "calls an Appel",
    cz.Act.SEARCH: _search,
    cz.Act.HOLDER: _hold,
    cz.Act.SHOOT: _shoot,
    cz.Act.DETECT: lambda a: f"suspects the {a.names.tunnels[a.argument]} tunnel",
    cz.Act.MATCH: _match,
    cz.Act.CELL: _cell,
    cz.Act.DISCARD: lambda a: f"discards {a.names.orders[a.argument]}",
}


def _equip(a: Told) -> str:
    w, v = both_of(a.argument)
    return f"{a.names.pow(w)} and {a.names.pow(v)} take Equipment"


def _bribe(a: Told) -> str:
    _, *wishes = bribery_of(a.argument)
    return "bribes a sentry for " + " and ".join(EQUIPMENT_NAMES[e] for e in wishes if e != cz.NOTHING)


def _convert(a: Told) -> str:
    """9.7: whose card it is, when it is not the player's who decides."""
    p, e = owner_and_equipment(a.argument)
    whose = "" if p == a.state["player"] else f"{TEAMS[p]} "
    return f"{whose}turns a card into a {EQUIPMENT_NAMES[e]}"


def _inspect(a: Told) -> str:
    g, h = guards_of(a.argument)
    return f"plays Inspection: guards {g} and {h} to the barracks"


def _fast(a: Told) -> str:
    room, i = room_and_pow(a.argument)
    return f"plays Move Fast: {a.own(i)} to {a.names.rooms[room]}"


def _free(a: Told) -> str:
    block, _ = block_and_nearer(a.argument)
    return f"plays Release from Solitary ({BLOCKS[block]})"


def _give(a: Told) -> str:
    giver, taker, card = gift_of(a.argument)
    return f"{TEAMS[giver]} gives {a.names.cards[card]} to {TEAMS[taker]}"


def _give_equipment(a: Told) -> str:
    taker, e = owner_and_equipment(a.argument)
    return f"gives a {EQUIPMENT_NAMES[e]} to {TEAMS[taker]}"


def _come(a: Told) -> str:
    return "all go to the Appel" if a.argument == cz.WHOLE_TEAM else f"{a.own(a.argument)} goes to the Appel"


def _hide(a: Told) -> str:
    i, c = pow_and_circle(a.argument)
    return f"{a.own(i)} hides at {a.names.space(c)}"


def _lose(a: Told) -> str:
    return "plays Hideaway" if a.argument == cz.NOTHING else f"gives up a {EQUIPMENT_NAMES[a.argument]}"


ALLIED_ACTIONS = {
    cz.Act.END: lambda a: "ends the turn" if a.state["stage"] == cz.Stage.TURN else "is done",
    cz.Act.THROW: lambda a: "throws",
    cz.Act.NEXT: lambda a: f"{TEAMS[a.argument]} takes the next turn",
    cz.Act.PICK: lambda a: f"picks {a.own(a.argument)}",
    cz.Act.STAY: lambda a: f"{a.picked} stays",
    cz.Act.GO: lambda a: f"{a.picked} goes to {a.space}",
    cz.Act.UNDER: lambda a: f"{a.picked} crawls to {a.space} in the tunnel",
    cz.Act.CROSS: lambda a: f"{a.picked} opens the way to {a.space}",
    cz.Act.FORCE: lambda a: f"{a.picked} runs into the guard at {a.space}",
    cz.Act.EQUIP: _equip,
    cz.Act.KIT: lambda a: "takes an Escape Kit" + (" with half cards" if a.argument else ""),
    cz.Act.RELEASE: lambda a: f"releases a POW from {BLOCKS[a.argument]} for a double",
    cz.Act.STAKE: lambda a: f"stakes {a.own(a.argument)}: Do or Die",
    cz.Act.BRIBE: _bribe,
    cz.Act.CONVERT: _convert,
    cz.Act.DIVERT: lambda a: f"plays Diversion: guard {a.argument} to the barracks",
    cz.Act.INSPECT: _inspect,
    cz.Act.SABOTAGE: lambda a: "plays Sabotage",
    cz.Act.FAST: _fast,
    cz.Act.FREE: _free,
    cz.Act.CAR: lambda a: f"{a.own(a.argument)} drives off in the Staff Car",
    cz.Act.TUNNEL: lambda a: f"opens the {a.names.tunnels[a.argument]} tunnel",
    cz.Act.GIVE: _give,
    cz.Act.GIVE_EQUIPMENT: _give_equipment,
    cz.Act.DISCARD: lambda a: f"discards {a.names.cards[a.argument]}",
    cz.Act.COME: _come,
    cz.Act.WARN: lambda a: "plays Advance Warning",
    cz.Act.HIDE: _hide,
    cz.Act.LOSE: _lose,
    cz.Act.SAVE: lambda a: "plays the saving card" if a.argument else "keeps the saving card",
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
