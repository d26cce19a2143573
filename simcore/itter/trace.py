"""A game as readable lines, and what must hold in every state.

Plain Python: nothing here runs during simulation.
"""

from bartizan.simcore.itter.components import ARGUMENTS, GUN_TARGET, NONE, Act, Event, Place, Stage, Status
from bartizan.simcore.itter.schema import ItterScenario
from bartizan.simcore.scenario.loading import Scenario

WHAT = {0: "turns up its exhausted side", 1: "removes its Disrupt token", 2: "gets a Command token"}


class Names:
    """Names of everything a line can mention."""

    def __init__(self, model: ItterScenario):
        self.model = model
        self.defenders = [key for key in model.defender]
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

    def target(self, argument: int, state) -> str:
        circle, gun = argument % GUN_TARGET, argument // GUN_TARGET
        kind = self.kinds[state["counter"][circle]] if gun == 0 else ("Machine Gunner", "Mortar")[gun - 1]
        return f"{kind} on {circle}"


_LAST: list = []  # the scenario named last, and its Names


def names_of(scenario: Scenario) -> Names:
    if not _LAST or _LAST[0] is not scenario:
        _LAST[:] = scenario, Names(scenario.model)
    return _LAST[1]


def describe_action(state, tables, action: int, scenario: Scenario) -> str:
    """One chosen action in words, in the state before it is applied."""
    n = names_of(scenario)
    kind, arg = Act(action // ARGUMENTS), action % ARGUMENTS
    who = n.defenders[state["actor"]] if state["actor"] >= 0 else "the defender"
    colour = n.colours[tables["circle_colour"][state["area"]]] if state["stage"] == Stage.SPEND else ""
    words = {
        Act.PASS: lambda: "passes: no further action this turn",
        Act.ACTIVATE: lambda: f"chooses {n.defenders[arg]}",
        Act.PLACE: lambda: f"{who} is placed on {n.positions[arg]}",
        Act.SHIFT: lambda: f"{n.defenders[arg // 64]} steps to {n.positions[arg % 64]}",
        Act.ATTACK: lambda: f"{who} attacks the {n.target(arg, state)}",
        Act.ATTACK_WEAPON: lambda: f"{who} fires the {_weapon(n, state)} at the {n.target(arg, state)}",
        Act.SUPPRESS: lambda: f"{who} suppresses ({arg} tokens on the first colour)",
        Act.SUPPRESS_WEAPON: lambda: (
            f"{who} suppresses with the {_weapon(n, state)} ({arg} tokens on the first colour)"
        ),
        Act.MOVE: lambda: f"{who} moves to {n.positions[arg]}",
        Act.RECOVER: lambda: f"{who} {WHAT[arg]}",
        Act.COMMAND: lambda: f"{who} commands",
        Act.LOAD: lambda: f"{who} loads the cannon",
        Act.ESCAPE: lambda: f"{who} escapes",
        Act.BLANK: lambda: f"{who} does nothing",
        Act.GIVE: lambda: f"at the command of {who}, {n.defenders[arg // 4]} {WHAT[arg % 4]}",
        Act.DONE: lambda: f"{who} ends the Command",
        Act.SPEND: lambda: f"spends {arg} of {state['tokens'][n.colours.index(colour)]} {colour} tokens",
        Act.SACRIFICE: lambda: (
            f"{'accepts' if arg else 'declines'} the Sacrifice for {n.defenders[state['offer']]}"
        ),
        Act.LAY: lambda: f"lays {n.cards[arg]} face down",
        Act.LAY_TACTICS: lambda: f"lays the Tactics card {n.tactics[arg]} face down",
        Act.FIRE: lambda: f"lets a {'Mortar' if arg else 'Machine Gunner'} fire first",
    }
    return words[kind]()


def _weapon(n: Names, state) -> str:
    return n.model.position[n.positions[state["place"][state["actor"]]]].weapon


def describe_events(state, tables, scenario: Scenario) -> list[str]:
    """What followed the last action, one line an event."""
    n = names_of(scenario)
    return [line for row in state["events"][: state["n_events"]] if (line := _event(n, *map(int, row)))]


def _event(n: Names, event: int, a: int, b: int, c: int) -> str:
    def who(i):
        return n.defenders[i] if i != NONE else "nobody"

    words = {
        Event.TURN: lambda: f"== turn {a}",
        Event.TACTICS: lambda: "Tactics: " + (", ".join(n.tactics[x] for x in (a, b) if x != NONE) or "none"),
        Event.CARD: lambda: f"SS card {c}: {n.cards[a]} (deck {b})",
        Event.REGIMENT: lambda: "SS card: the 142nd Infantry Regiment relieves the castle",
        Event.AREA: lambda: f"{n.kinds[a]} for area {b}",
        Event.ROLL: lambda: f"  {a} dice against {c}: {b} successes",
        Event.SUPPRESSED: lambda: f"  the {n.kinds[a]} is suppressed",
        Event.PLACED: lambda: f"  the {n.kinds[a]} is placed on {b}",
        Event.PUSHED: lambda: f"  the {n.kinds[a]} on {b} is pushed to {c or 'the castle'}",
        Event.BREACH: lambda: f"  BREACH: the {n.kinds[a]} enters the castle from {b}",
        Event.TARGET: lambda: f"  target on {n.colours[a]}, die {c}: {who(b)}",
        Event.DISRUPTED: lambda: f"  {who(a)} is disrupted",
        Event.KILLED: lambda: f"  {who(a)} is killed",
        Event.HIT_LOCATION: lambda: f"  {n.locations[a]} falls to Defence Value {b}",
        Event.TANK_LOST: lambda: f"  Besotten Jenny is destroyed with {a} aboard",
        Event.NO_SUPPLY: lambda: f"no {n.kinds[a]} left in the supply",
        Event.COLOUR: lambda: f"  colour {n.colours[a]}",
        Event.LOCATION: lambda: f"  at {n.locations[a]}",
        Event.REMOVED: lambda: f"  the {n.kinds[a]} on {b} is removed",
        Event.SPARED: lambda: f"  {who(a)} is spared",
        Event.REINFORCED: lambda: "  the reinforcements join the reserve",
        Event.PLANNED: lambda: f"{a} SS cards lie ready",
        Event.LOW_MORALE: lambda: f"  Low Morale: {who(a)}",
    }
    return words[event]() if event in words else ""


def check_state(state, tables) -> str:
    """ "" when the pieces are where pieces can be, else what is wrong (property tests and `bartizan check`
    ask).
    """
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
    for kind in range(tables["n_kinds"]):
        out = int((state["counter"] == kind).sum() + state["guns"][kind].sum())
        if out + state["supply"][kind] != tables["count"][kind]:
            return (
                f"{out} counters of kind {kind} on the board and {state['supply'][kind]} in the supply are "
                f"not {tables['count'][kind]}"
            )
    if (state["tokens"] < 0).any() or (
        state["tokens"].sum() > max(tables["token_supply"], 0) and tables["token_cap"] == 0
    ):
        return f"{state['tokens'].sum()} Suppression tokens"
    return ""


def exit_labels(scenario: Scenario) -> dict[int, str]:
    """Names of the tracks by their last circle, told by the placement areas that lead there."""
    model = scenario.model
    areas: dict[int, list[int]] = {}
    for area in sorted(model.areas):
        here = area
        while model.circle[str(here)].next:
            here = model.circle[str(here)].next
        areas.setdefault(here, []).append(area)
    return {0: "no breach"} | {circle: f"track of areas {_span(group)}" for circle, group in areas.items()}


def area_labels(scenario: Scenario) -> dict[int, str]:
    return {0: "no breach"} | {
        area: f"area {area}, {scenario.model.circle[str(area)].colour}"
        for area in sorted(scenario.model.areas)
    }


def _span(numbers: list[int]) -> str:
    return f"{numbers[0]}-{numbers[-1]}" if len(numbers) > 1 else str(numbers[0])
