"""The table of a game of Castle, for viewers.

Plain Python, not used in simulations.
"""

from collections.abc import Iterator

from bartizan.simcore.castle.actions import kind_of
from bartizan.simcore.castle.components import FIRST_JOKER, NONE, RANKS, SQUARES, Act, Event, Stage
from bartizan.simcore.castle.trace import PLAYER, SIDE, card_name, cards_in, cell, namers
from bartizan.simcore.kit.words import scene_of
from bartizan.simcore.scenario.loading import Scenario
from bartizan.simcore.scene import Shape, pile, table, thing, zone

RANK, SUIT = ["A", *"23456789", "10", "J", "Q", "K"], "♣♦♥♠"
RED = (1, 2)


def snapshot(state, tables, scenario: Scenario) -> dict:
    """Return the state as a table with all cards face up, in the form of `simcore.scene.table`."""
    zones = [part for p in range(int(tables["players"])) for part in _seat(state, p)]
    deciding = "" if state["end_reason"] else PLAYER[state["to_move"]]
    at_hand = [_card(int(state["drawn"]))] if state["drawn"] >= 0 else []
    return table(int(state["turn"]), deciding, _counters(state), [*zones, zone("Card at hand", at_hand)])


def _counters(state) -> dict[str, int | str]:
    return {
        "Cards in the deck": int(state["deck_size"]) - int(state["deck_next"]),
        "Discarded": len(cards_in(state["discards"])),
        "Out of the game": len(cards_in(state["gone"])),
    }


def _seat(state, p: int) -> Iterator[dict]:
    note = "" if state["alive"][p] else "out of the game"
    yield zone(f"Castle of {PLAYER[p]}", _castle(state, p), note=note, shape=Shape.GRID)
    yield zone(f"Reinforcements of {PLAYER[p]}", [_card(card) for card in cards_in(state["pool"][p])])
    barricades = [
        thing(f"{card_name(int(card))} {SIDE[state['barricade_side'][p][s]]} at {cell(s)}", _short(int(card)))
        for s, card in enumerate(state["barricade"][p])
        if card != NONE
    ]
    jokers = [_card(card) for card in cards_in(state["jokers"][p])]
    if barricades or jokers:
        yield zone(f"Barricades and Jokers of {PLAYER[p]}", [*barricades, *jokers])


def _castle(state, p: int) -> Iterator[dict]:
    for s in range(SQUARES):
        if state["castle"][p][s] != NONE:
            is_up = int(state["up"][p]) >> s & 1
            yield _card(int(state["castle"][p][s]), cell(s), "" if is_up else "hidden")


def _card(card: int, at: str = "", look: str = "") -> dict:
    hidden = ", face down" if look == "hidden" else ""
    red = "red" if card < FIRST_JOKER and card // RANKS in RED else ""
    return thing(card_name(card) + hidden, _short(card), at=at, look=f"{look} {red}".strip())


def _short(card: int) -> str:
    return "Joker" if card >= FIRST_JOKER else RANK[card % RANKS] + SUIT[card // RANKS]


def deal(state, tables, scenario: Scenario) -> list[dict]:
    """Return the cards dealt to each player, and the shuffled deck with its top card first (2.1, 2.2)."""
    players = range(int(tables["players"]))
    dealt = [[*state["royal"][p], *state["dealt"][p][: tables["dealt"]]] for p in players]
    hands = [
        pile(f"Dealt to {PLAYER[p]}", [card_name(int(card)) for card in dealt[p] if card != NONE])
        for p in players
    ]
    deck = state["deck"][state["deck_next"] : state["deck_size"]]
    return [*hands, pile("Deck", [card_name(int(card)) for card in deck])]


STAGE_RULES = {  # actions that several rules require
    (Act.END, Stage.ADD): "4.5",
    (Act.END, Stage.TARGET): "4.8",
    (Act.END, Stage.NAME): "11.4",
    (Act.END, Stage.SPY): "7.1",
    (Act.END, Stage.REVEAL): "7.5",
    (Act.END, Stage.REMOVE): "6.3",
    (Act.END, Stage.RALLY): "3.4",
    (Act.PLACE, Stage.SETUP): "2.3",
    (Act.FIRST, Stage.HAND): "2.3",
    (Act.ATTACK, Stage.TARGET): "4.8",
    (Act.ATTACK, Stage.COUNTER): "11.5",
    (Act.TURN, Stage.REVEAL): "7.5",
}

ACT_RULES = {act: act.section for act in Act}


def act_rule(state, action: int) -> str:
    act = Act(kind_of(action))
    return STAGE_RULES.get((act, Stage(int(state["stage"]))), act.section)


SCENE = scene_of(Event, namers, snapshot, act_rule, deal)
