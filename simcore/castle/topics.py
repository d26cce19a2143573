"""What a game of Castle can meet: cards, squares, targets (for `bartizan coverage`)."""

from bartizan.simcore.castle.components import (
    BARRICADE_TARGET,
    CARDS,
    FIRST_JOKER,
    JOKER_TARGET,
    POOL_TARGET,
    RANKS,
    WIDTH,
    Event,
)
from bartizan.simcore.castle.trace import RANK, SUIT, cell
from bartizan.simcore.game import Topic
from bartizan.simcore.scenario.loading import Scenario

TARGETS = {
    0: "a castle card",
    POOL_TARGET: "a reinforcement",
    JOKER_TARGET: "a Joker",
    BARRICADE_TARGET: "a barricade",
}


def ranks(scenario: Scenario) -> dict[int, str]:
    """Card -> its rank; Jokers where they are played with."""
    jokers = scenario.model.advanced.jokers > 0
    names = [*(RANK[card % RANKS] for card in range(FIRST_JOKER)), *["Joker"] * (CARDS - FIRST_JOKER)]
    return dict(enumerate(names if jokers else names[:FIRST_JOKER]))


def squares(scenario: Scenario) -> dict[int, str]:
    """Row and column, from 0."""
    grid = scenario.model.grid
    inside = (row * WIDTH + column + 1 for row in range(grid.rows) for column in range(grid.columns))
    return {square: cell(square) for square in inside}


def targets(scenario: Scenario) -> dict[int, str]:
    return TARGETS


def target(t: int) -> int:
    """The sort of a target."""
    return max(first for first in TARGETS if first <= t)


def suits(scenario: Scenario) -> dict[int, str]:
    return dict(enumerate(SUIT))


TOPICS = (
    Topic("cards drawn", ranks, events={Event.DREW: lambda player, card, c: card}),
    Topic("cards lost", ranks, events={Event.FELL: lambda player, card, c: card}),
    Topic("cards that joined an attack", ranks, events={Event.EXTRA: lambda card, b, c: card}),
    Topic("squares a card was placed on", squares, {"place": lambda square, seat: square}),
    Topic("targets", targets, {"attack": lambda t, seat: target(t)}),
    Topic("suits taken", suits, {"suit": lambda suit, seat: suit}),
)

ACT_WORDS = {
    "end": "no more, or declined",
    "draw": "a card is drawn",
    "close": "gaps are closed",
    "place": "a card is placed",
    "attack": "a target is attacked",
    "lead": "an ace or a spy leads",
    "rally": "a card is rallied",
    "lay": "a barricade is laid",
    "discard": "a card is discarded",
    "turn": "a card is turned over",
    "add": "a reinforcement is added",
    "remove": "a card is paid for snake eyes",
    "first": "which card comes first",
    "use": "an ace's card: the combination, or archers",
    "ram": "a Court is rammed",
    "name": "another card of a group is attacked",
    "own": "an own card attacks",
    "suit": "a suit is chosen",
}
