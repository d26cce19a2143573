"""What a change of a value costs in print: which part of the game it stands on."""

from collections.abc import Mapping
from typing import Any

from bartizan.simcore.scenario.parameters import plain

CARD, COUNTER, BOARD, RULES = "card", "counter", "board", "rules"
# what a room of a scenario is named, or its last word: `ss_card.sturm.count` is on a card
ROOMS = {
    CARD: ("card", "cards", "deck", "opportunity", "security", "do or die", "equipment", "kit"),
    COUNTER: ("counter", "counters", "defender", "token"),
    BOARD: ("board", "circle", "location", "position", "space", "cells"),
}
ROOM_OF = {word: part for part, words in ROOMS.items() for word in words}
COSTS = {
    CARD: "It stands on a card: that card is printed again.",
    COUNTER: "It stands on a counter: the sheet of counters is printed again.",
    BOARD: "It stands on the board: the board is printed again.",
    RULES: "It stands in the rules text: the rulebook is printed again, and no component.",
}
UNKNOWN = (
    "Whether a card, a counter or the board carries it the scenario does not say: if none does, only the "
    "rulebook is printed again."
)
CHOICES = {
    "difficulty": "A level is chosen before play: nothing is printed again.",
    "policy": "Another player, not another game: nothing is printed again.",
    "scenario": "It is another set of data: what differs is printed again.",
}


def part_of(path: str) -> str:
    """`card`, `counter`, `board` or `rules`; "" where the path does not tell."""
    room = plain(path.split(".")[0])
    return RULES if room == "rulings" else ROOM_OF.get(room) or ROOM_OF.get(room.split()[-1], "")


def cost(change: Mapping[str, Any]) -> str:
    """In a sentence. change: with its `path`."""
    path = change["path"]
    return CHOICES.get(path) or COSTS.get(part_of(path), UNKNOWN)
