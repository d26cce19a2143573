"""What a game of Castle Rampage can meet: cards, texts, units (for `bartizan coverage`)."""

from bartizan.simcore.game import Topic
from bartizan.simcore.rampage.actions import play_of
from bartizan.simcore.rampage.cards import kinds
from bartizan.simcore.rampage.components import Event
from bartizan.simcore.scenario.loading import Scenario


def with_a_last_text(scenario: Scenario) -> dict[int, str]:
    """Cards that do something when they are destroyed in an attack."""
    cards = list(scenario.model.card.values())
    return {k: name for k, name in kinds(scenario).items() if cards[k].on_destroyed_in_attack}


def veterans(scenario: Scenario) -> dict[int, str]:
    """Cards that come back when they are repelled."""
    cards = list(scenario.model.card.values())
    return {k: name for k, name in kinds(scenario).items() if cards[k].on_repelled == "return"}


def units(scenario: Scenario) -> dict[int, str]:
    return dict(enumerate(scenario.model.units.types))


TOPICS = (
    Topic("cards drawn", kinds, events={Event.DREW: lambda player, card, c: card}),
    Topic("cards played", kinds, {"play": lambda argument, seat: play_of.py_func(argument)[2]}),
    Topic("cards put under the Gate", kinds, {"gate": lambda card, seat: card}),
    Topic("cards put under the Castle", kinds, {"castle": lambda card, seat: card}),
    Topic("cards paid with", kinds, {"pay": lambda card, seat: card}),
    Topic(
        "texts of cards destroyed in an attack",
        with_a_last_text,
        events={Event.TEXT: lambda card, op, c: card},
    ),
    Topic("cards that came back", veterans, events={Event.RETURNED: lambda player, card, c: card}),
    Topic("units named", units, {"name": lambda unit, seat: unit}),
)

ACT_WORDS = {
    "end": "the turn ends, or no attack",
    "gate": "a card goes under the Gate",
    "castle": "a card goes under the Castle",
    "play": "a card is played",
    "pay": "a card is paid",
    "target": "Gate or Castle is attacked",
    "lose": "which own top card goes",
    "raze": "a permanent is destroyed",
    "name": "a unit is named",
    "take": "which card the other discards",
    "attack": "the attack comes first, or at all",
    "effect": "the effect comes first",
    "under": "where a repelled card goes",
    "drop": "a card over the hand limit goes",
}
