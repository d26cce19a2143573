"""The table of a game of Castle Rampage, for viewers.

Plain Python, not used in simulations.
"""

from collections.abc import Iterator

from bartizan.simcore.kit.words import scene_of
from bartizan.simcore.rampage.actions import kind_of
from bartizan.simcore.rampage.components import KINDS, SEATS, Act, Event, Stage
from bartizan.simcore.rampage.trace import PLAYER, STRUCTURE, namers, names, stack
from bartizan.simcore.scenario.loading import Scenario
from bartizan.simcore.scene import Shape, copies, pile, table, thing, zone


def snapshot(state, tables, scenario: Scenario) -> dict:
    """Return the state as a table with all cards face up, in the form of `simcore.scene.table`."""
    name = names(scenario)
    deciding = "" if state["end_reason"] else PLAYER[state["to_move"]]
    zones = [part for p in range(SEATS) for part in _seat(state, name, p)]
    at_hand = [thing(name[state["card"]])] if state["card"] >= 0 else []
    return table(int(state["turn"]), deciding, _counters(state), [*zones, zone("Card at hand", at_hand)])


def _counters(state) -> dict[str, int | str]:
    return {
        "Cards in the pile": int(state["pile_size"]) - int(state["pile_next"]),
        "Discarded": int(state["discards"].sum()) + int(state["resting"].sum()),
        "Plays this turn": int(state["plays"]),
    }


def _seat(state, name: list[str], p: int) -> Iterator[dict]:
    side = f"side-{p}"
    for i, structure in enumerate(STRUCTURE):
        known = state["known"][p][i]
        cards = [
            thing(name[kind], look=side if known and place == 0 else f"{side} hidden")
            for place, kind in enumerate(stack(state, p, i))
        ]
        yield zone(f"{structure} of {PLAYER[p]}", cards, note="" if cards else "no card", shape=Shape.PILE)
    yield zone(f"Hand of {PLAYER[p]}", _of_kinds(name, state["hand"][p] + state["dealt"][p]))
    yield zone(f"Before {PLAYER[p]}", _of_kinds(name, state["laid"][p] + state["front"][p]))


def _of_kinds(name: list[str], counts) -> Iterator[dict]:
    for kind in range(min(KINDS, len(name))):
        yield from copies(name[kind], counts[kind])


def deal(state, tables, scenario: Scenario) -> list[dict]:
    """Return the dealt cards, and the pile with its top card first (2.2).

    The second deal comes from a reshuffled pile, so it cannot be stacked in advance.
    """
    name = names(scenario)
    hands = [
        pile(
            f"First dealt to {PLAYER[p]}",
            [name[k] for k in range(len(name)) for _ in range(int(state["dealt"][p][k]))],
        )
        for p in range(SEATS)
    ]
    cards = state["pile"][state["pile_next"] : state["pile_size"]]
    return [*hands, pile("Pile", [name[card] for card in cards])]


ACT_RULES = {act: act.section for act in Act}
SETTING_UP = (Stage.SETUP_GATE, Stage.SETUP_CASTLE)


def act_rule(state, action: int) -> str:
    return "2.3" if state["stage"] in SETTING_UP else Act(kind_of(action)).section


SCENE = scene_of(Event, namers, snapshot, act_rule, deal)
