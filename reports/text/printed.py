"""The cost of a changed value in print, which depends on the component that shows the value."""

from collections.abc import Mapping
from typing import Any

from bartizan.simcore.scenario.parameters import plain

CARD, COUNTER, BOARD, RULES = "card", "counter", "board", "rules"
# names of scenario sections, or their last words: `ss_card.sturm.count` is on a card
ROOMS = {
    CARD: ("card", "cards", "deck", "opportunity", "security", "do or die", "equipment", "kit"),
    COUNTER: ("counter", "counters", "defender", "token"),
    BOARD: ("board", "circle", "location", "position", "space", "cells"),
}
ROOM_OF = {word: part for part, words in ROOMS.items() for word in words}
COSTS = {
    CARD: "The value is on a card: reprint that card.",
    COUNTER: "The value is on a counter: reprint the sheet of counters.",
    BOARD: "The value is on the board: reprint the board.",
    RULES: "The value is only in the rules text: reprint only the rulebook.",
}
UNKNOWN = (
    "The scenario does not record whether the value is on a card, a counter or the board. If not, reprint "
    "only the rulebook."
)
CHOICES = {
    "difficulty": "The level is chosen before the game: no reprint is needed.",
    "policy": "The player differs, not the game: no reprint is needed.",
    "scenario": "The data set differs: reprint the components that differ.",
}


def part_of(path: str) -> str:
    """Return the component that shows the value of a path: `card`, `counter`, `board` or `rules`.

    Returns "" if the path does not determine it.
    """
    room = plain(path.split(".")[0])
    return RULES if room == "rulings" else ROOM_OF.get(room) or ROOM_OF.get(room.split()[-1], "")


def cost(change: Mapping[str, Any]) -> str:
    """Return a sentence on the components that must be reprinted after a change."""
    path = change["path"]
    return CHOICES.get(path) or COSTS.get(part_of(path), UNKNOWN)
