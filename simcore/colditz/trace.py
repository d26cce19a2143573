"""A game as readable lines, and what must hold in every state.

Plain Python: nothing here runs during simulation.
"""

from bartizan.simcore.colditz.board import read_board
from bartizan.simcore.colditz.components import (
    APPEL,
    ARGUMENTS,
    GERMAN,
    NONE,
    NOTHING,
    PAIR,
    PAWN,
    TEAM,
    WHOLE_TEAM,
    Act,
    Event,
    Loss,
    Place,
    Stage,
)
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
        return f"{TEAMS[w // TEAM]} {w % TEAM + 1}"

    def space(self, c: int) -> str:
        if c == APPEL:
            return "the Appel"
        if c < 0:
            return Place(c).name.lower().replace("_", " ")
        circle = self.board.circles[c]
        return f"{c} ({circle.area or circle.zone})".replace("_", " ")


_NAMES: dict[int, Names] = {}


def names_of(scenario: Scenario) -> Names:
    return _NAMES.setdefault(id(scenario), Names(scenario))


def describe_action(state, tables, action: int, scenario: Scenario) -> str:
    """One chosen action in words, in the state before it is applied."""
    n = names_of(scenario)
    act, arg = Act(action // ARGUMENTS), action % ARGUMENTS
    if state["to_move"] == GERMAN:
        return _german(n, state, act, arg)
    return f"{TEAMS[state['player']]}: {_allied(n, state, act, arg)}"


def _german(n: Names, state, act: Act, arg: int) -> str:
    guard = f"guard {state['picked']}"
    words = {
        Act.END: lambda: "is done",
        Act.THROW: lambda: "throws",
        Act.PICK: lambda: f"picks guard {arg}",
        Act.STAY: lambda: f"leaves {guard} where it is",
        Act.GO: lambda: f"moves {guard} to {n.space(arg)}",
        Act.ARREST: lambda: f"arrests {n.pow(int(state['on'][arg]) - 1)} at {n.space(arg)} with {guard}",
        Act.POST: lambda: f"posts a guard at {n.space(arg)}",
        Act.RECALL: lambda: f"recalls guard {arg}",
        Act.APPEL: lambda: "calls an Appel",
        Act.SEARCH: lambda: f"searches {n.rooms[arg // 16]} with guard {arg % 16}",
        Act.HOLDER: lambda: f"arrests {n.pow(arg // 2)} for the {'Pass' if arg % 2 else 'Key'} he used",
        Act.SHOOT: lambda: f"has guard {arg // PAIR} shoot at {n.pow(arg % PAIR)}",
        Act.DETECT: lambda: f"suspects the {n.tunnels[arg]} tunnel",
        Act.MATCH: lambda: (
            f"takes {'everybody in range' if arg % PAIR == WHOLE_TEAM else n.pow(arg % PAIR)} with guard "
            f"{arg // PAIR}"
        ),
        Act.CELL: lambda: f"sends {n.pow(int(state['cells'][state['cells_next']]))} to {BLOCKS[arg]}",
        Act.DISCARD: lambda: f"discards {n.orders[arg]}",
    }
    return words[act]()


def _allied(n: Names, state, act: Act, arg: int) -> str:
    own = int(state["player"]) * TEAM
    picked = n.pow(int(state["picked"])) if state["picked"] >= 0 else ""
    words = {
        Act.END: lambda: "ends the turn" if state["stage"] == Stage.TURN else "is done",
        Act.THROW: lambda: "throws",
        Act.NEXT: lambda: f"{TEAMS[arg]} takes the next turn",
        Act.PICK: lambda: f"picks {n.pow(own + arg)}",
        Act.STAY: lambda: f"{picked} stays",
        Act.GO: lambda: f"{picked} goes to {n.space(arg)}",
        Act.UNDER: lambda: f"{picked} crawls to {n.space(arg)} in the tunnel",
        Act.CROSS: lambda: f"{picked} opens the way to {n.space(arg)}",
        Act.FORCE: lambda: f"{picked} runs into the guard at {n.space(arg)}",
        Act.EQUIP: lambda: f"{n.pow(arg // PAIR)} and {n.pow(arg % PAIR)} take Equipment",
        Act.KIT: lambda: "takes an Escape Kit" + (" with half cards" if arg else ""),
        Act.RELEASE: lambda: f"releases a POW from {BLOCKS[arg]} for a double",
        Act.STAKE: lambda: f"stakes {n.pow(own + arg)}: Do or Die",
        Act.BRIBE: lambda: (
            "bribes a sentry for "
            + " and ".join(EQUIPMENT_NAMES[e] for e in (arg % PAIR // 8, arg % 8) if e != NOTHING)
        ),
        Act.CONVERT: lambda: f"{_holder(state, arg // 8)}turns a card into a {EQUIPMENT_NAMES[arg % 8]}",
        Act.DIVERT: lambda: f"plays Diversion: guard {arg} to the barracks",
        Act.INSPECT: lambda: f"plays Inspection: guards {arg // 16} and {arg % 16} to the barracks",
        Act.SABOTAGE: lambda: "plays Sabotage",
        Act.FAST: lambda: f"plays Move Fast: {n.pow(own + arg % 8)} to {n.rooms[arg // 8]}",
        Act.FREE: lambda: f"plays Release from Solitary ({BLOCKS[arg // 2]})",
        Act.CAR: lambda: f"{n.pow(own + arg)} drives off in the Staff Car",
        Act.TUNNEL: lambda: f"opens the {n.tunnels[arg]} tunnel",
        Act.GIVE: lambda: f"{TEAMS[arg // 256]} gives {n.cards[arg % 32]} to {TEAMS[arg // 32 % 8]}",
        Act.GIVE_EQUIPMENT: lambda: f"gives a {EQUIPMENT_NAMES[arg % 8]} to {TEAMS[arg // 8]}",
        Act.DISCARD: lambda: f"discards {n.cards[arg]}",
        Act.COME: lambda: (
            "all go to the Appel" if arg == WHOLE_TEAM else f"{n.pow(own + arg)} goes to the Appel"
        ),
        Act.WARN: lambda: "plays Advance Warning",
        Act.HIDE: lambda: f"{n.pow(own + arg // PAWN)} hides at {n.space(arg % PAWN)}",
        Act.LOSE: lambda: "plays Hideaway" if arg == NOTHING else f"gives up a {EQUIPMENT_NAMES[arg]}",
        Act.SAVE: lambda: "plays the saving card" if arg else "keeps the saving card",
    }
    return words[act]()


def _holder(state, p: int) -> str:
    """9.7: whose card it is, when it is not the player's who decides."""
    return "" if p == state["player"] else f"{TEAMS[p]} "


def describe_events(state, tables, scenario: Scenario) -> list[str]:
    """What the last `apply` set in motion, one line each."""
    n = names_of(scenario)
    return [line for i in range(state["n_events"]) if (line := _event(n, *map(int, state["events"][i])))]


def _event(n: Names, event: int, a: int, b: int, c: int) -> str:
    words = {
        Event.ROUND: lambda: f"== round {a}",
        Event.TURN: lambda: "-- the German" if a == NONE else f"-- {TEAMS[a]}",
        Event.THROW: lambda: f"throw: {a}" + (f" with {b} double{'s' * (b > 1)}" if b else ""),
        Event.DREW: lambda: f"draws {n.orders[b] if a == NONE else n.cards[b]}",
        Event.OPENED: lambda: "the way is open",
        Event.TOOK: lambda: f"{TEAMS[a]} takes a {EQUIPMENT_NAMES[b]}",
        Event.KIT: lambda: f"{TEAMS[a]} has an Escape Kit",
        Event.ESCAPED: lambda: f"{n.pow(a)} has ESCAPED" + (" by Do or Die" if c else f" at {n.space(b)}"),
        Event.CELL: lambda: f"{n.pow(a)} is in {BLOCKS[b]}",
        Event.LOST: lambda: f"{TEAMS[a]} loses a {EQUIPMENT_NAMES[b]}",
        Event.DEAD: lambda: f"{n.pow(a)} is dead",
        Event.OUT: lambda: f"{TEAMS[a]} is out of the game",
        Event.BARRACKS: lambda: f"guard {a} to the barracks",
        Event.STAKED: lambda: f"{a} throws bring {b}, {c} needed",
        Event.RANGE: lambda: f"range {a}",
        Event.TUNNEL: lambda: f"the {n.tunnels[a]} tunnel is {TUNNEL_STATES[b]}",
        Event.RELEASED: lambda: f"{n.pow(a)} is let out to {n.space(b)}",
        Event.SAVED: lambda: f"{TEAMS[a]} saves it with a card",
    }
    return words[event]() if event in words else ""


LOSSES = {
    Loss.TIME: "the round limit, no run ever stopped",
    Loss.ARREST: "an arrest",
    Loss.FORCED: "a forced arrest",
    Loss.SEARCH: "a Search",
    Loss.APPEL: "an Appel",
    Loss.HOLDER: "Arrest Key or Pass Holder",
    Loss.DETECTED: "a tunnel detected",
    Loss.SHOT: "Shoot to Kill",
    Loss.STAKE: "a failed Do or Die, no run before it",
    Loss.CAR: "the Staff Car stopped",
}


def loss_labels(scenario: Scenario) -> dict[int, str]:
    """undoing -> the last loss of a game the Allies did not win."""
    return {int(loss): name for loss, name in LOSSES.items()}


def check_state(state, tables) -> str:
    """What is wrong with a state, or "" (12: pawns, guards and cards conserved; one pawn a circle; hands
    within limits).
    """
    places = [int(at) for at in state["pow_at"]]
    playing = [at for at in places if at != Place.UNUSED]
    if len(playing) != int(tables["players"]) * int(tables["pows"]):
        return f"{len(playing)} POWs, {int(tables['players']) * int(tables['pows'])} began"
    for w, at in enumerate(places):
        if at > APPEL and int((state["below"] if state["under"][w] != NONE else state["on"])[at]) != w + 1:
            return f"POW {w} is not where he stands"
    guards = [int(at) for at in state["guard_at"] if at != Place.UNUSED]
    if len(guards) != int(tables["guards"]):
        return f"{len(guards)} guards, {int(tables['guards'])} began"
    surface = [at for w, at in enumerate(places) if at > APPEL and state["under"][w] == NONE] + [
        at for at in guards if at > APPEL
    ]
    if len(set(surface)) < len(surface) or int((state["on"] != 0).sum()) != len(surface):
        return "two pawns on a circle"
    return _cards_wrong(state, tables)


def _cards_wrong(state, tables) -> str:
    left = int(state["deck_size"]) - int(state["deck_next"])
    if (n := int(state["hand"].sum()) + int(state["discards"].sum()) + left) != int(tables["n_dealt"]):
        return f"{n} Opportunity cards"
    left = int(state["order_size"]) - int(state["order_next"])
    if (n := int(state["orders"].sum()) + int(state["order_discards"].sum()) + left) != int(
        tables["n_order_dealt"]
    ):
        return f"{n} Security cards"
    if (
        (state["equipment"].sum(axis=0) + state["supply"] != tables["equipment_count"]).any()
        or (state["equipment"] < 0).any()
        or (state["supply"] < 0).any()
    ):
        return "Equipment is not conserved"
    if int(state["kit"].sum()) + int(state["kit_supply"]) != int(tables["kit_count"]):
        return "Kits are not conserved"
    given = int(tables["players"]) * int(tables["max_gives"])  # 3.5: also to a full hand
    limit = int(tables["hand_limit"]) + 1 + given
    for p in range(int(tables["players"])):
        if int(state["hand"][p].sum()) > limit:
            return f"player {p} holds {int(state['hand'][p].sum())} cards"
    return ""
