"""What a game of Castle Itter can meet: cards, defenders, positions, circles (for `bartizan coverage`)."""

from collections.abc import Callable

from bartizan.simcore.game import Topic
from bartizan.simcore.itter.actions import defender_and_position
from bartizan.simcore.itter.components import Event
from bartizan.simcore.itter.trace import names_of
from bartizan.simcore.scenario.loading import Scenario


def ss_cards(scenario: Scenario) -> dict[int, str]:
    """Those this level plays with; last the card that ends the siege."""
    model, names = scenario.model, names_of(scenario).cards
    in_play = {**model.base_cards(), **model.set_cards()}
    return {i: names[i] for i, key in enumerate(model.all_cards()) if key in in_play} | {REGIMENT: names[-1]}


REGIMENT = -1


def named(things: str) -> Callable[[Scenario], dict[int, str]]:
    """What a scenario has of some kind, an attribute of `simcore.itter.trace.Names`."""
    return lambda scenario: dict(enumerate(getattr(names_of(scenario), things)))


def circles(scenario: Scenario) -> dict[int, str]:
    return {int(circle): f"circle {circle}" for circle in scenario.model.circle}


TOPICS = (
    Topic(
        "SS cards turned up",
        ss_cards,
        events={Event.CARD: lambda card, deck, n: card, Event.REGIMENT: lambda a, b, c: REGIMENT},
    ),
    Topic(
        "Tactics cards in force",
        named("tactics"),
        events={Event.TACTICS: lambda newer, older, c: (newer, older)},
    ),
    Topic("SS counters placed", named("kinds"), events={Event.PLACED: lambda kind, circle, c: kind}),
    Topic(
        "circles with an SS counter",
        circles,
        events={
            Event.PLACED: lambda kind, circle, c: circle,
            Event.PUSHED: lambda kind, left, circle: circle,
        },
    ),
    Topic("defenders who acted", named("defenders"), {"activate": lambda d, seat: d}),
    Topic("defenders lost", named("defenders"), events={Event.KILLED: lambda d, b, c: d}),
    Topic(
        "positions a defender took",
        named("positions"),
        {
            "place": lambda p, seat: p,
            "move": lambda p, seat: p,
            "shift": lambda argument, seat: defender_and_position.py_func(argument)[1],
        },
    ),
    Topic(
        "locations hit", named("locations"), events={Event.HIT_LOCATION: lambda location, value, c: location}
    ),
)

ACT_WORDS = {
    "pass": "no further action this turn",
    "activate": "a defender is chosen",
    "place": "a defender is deployed",
    "shift": "a free move within a location",
    "attack": "an Attack",
    "attack_weapon": "an Attack with a weapon",
    "suppress": "a Suppress",
    "suppress_weapon": "a Suppress with a weapon",
    "move": "a Move",
    "recover": "a Recover",
    "command": "a Command",
    "load": "the cannon is loaded",
    "escape": "an Escape",
    "blank": "an action without effect",
    "give": "what a Command gives",
    "done": "a Command ends early",
    "spend": "Suppression tokens are spent",
    "sacrifice": "a Sacrifice, accepted or declined",
    "fire": "the order of a Suppressive Fire",
    "lay": "the SS player lays a card",
    "lay_tactics": "the SS player lays a Tactics card",
}
