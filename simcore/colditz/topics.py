"""What a game of Escape from Colditz can meet: cards, rooms, tunnels (for `bartizan coverage`)."""

from bartizan.simcore.colditz.actions import room_and_guard, room_and_pow
from bartizan.simcore.colditz.components import ALLIED, APPEL, GERMAN, NONE, Event
from bartizan.simcore.colditz.trace import EQUIPMENT_NAMES, names_of
from bartizan.simcore.game import Topic
from bartizan.simcore.scenario.loading import Scenario
from bartizan.simcore.scenario.parameters import plain

room_searched, room_entered = room_and_guard.py_func, room_and_pow.py_func
ELSEWHERE = -100  # the number of nothing


def opportunity_cards(scenario: Scenario) -> dict[int, str]:
    return _in_the_deck(names_of(scenario).cards, scenario.model.opportunity)


def security_cards(scenario: Scenario) -> dict[int, str]:
    return _in_the_deck(names_of(scenario).orders, scenario.model.security)


def _in_the_deck(names: list[str], deck: dict) -> dict[int, str]:
    return {i: name for i, (name, card) in enumerate(zip(names, deck.values(), strict=True)) if card.count}


def stakes(scenario: Scenario) -> dict[int, str]:
    """Do or Die cards by their number of throws."""
    return {card.throws: f"{card.throws} throws" for card in scenario.model.do_or_die.values() if card.count}


def areas(scenario: Scenario) -> dict[int, str]:
    """Circle -> the room, or the part of the ground, that it lies in."""
    circles = names_of(scenario).board.circles.items()
    names = {c: plain(circle.area or circle.zone) for c, circle in circles if circle.zone != "appel"}
    return {APPEL: "the Appel", **names}


def rooms(scenario: Scenario) -> dict[int, str]:
    return {i: plain(room) for i, room in enumerate(names_of(scenario).rooms)}


def rooms_with_a_card(deck: str):
    """Scenario -> the rooms that cards of a deck name."""

    def names(scenario: Scenario) -> dict[int, str]:
        table = names_of(scenario).board.room_table
        return {i: name for i, name in rooms(scenario).items() if getattr(list(table.values())[i], deck)}

    return names


def tunnels(scenario: Scenario) -> dict[int, str]:
    return {i: plain(tunnel) for i, tunnel in enumerate(names_of(scenario).tunnels)}


def equipment(scenario: Scenario) -> dict[int, str]:
    return dict(enumerate(EQUIPMENT_NAMES))


def of(side: int):
    """(circle, seat) -> the circle, when that side moves there."""
    return lambda circle, seat: circle if seat == side else ELSEWHERE


TOPICS = (
    Topic(
        "Opportunity cards drawn",
        opportunity_cards,
        events={Event.DREW: lambda p, card, c: ELSEWHERE if p == NONE else card},
    ),
    Topic(
        "Security cards drawn",
        security_cards,
        events={Event.DREW: lambda p, card, c: card if p == NONE else ELSEWHERE},
    ),
    Topic("Do or Die cards drawn", stakes, events={Event.STAKED: lambda throws, total, distance: throws}),
    Topic("Equipment taken", equipment, events={Event.TOOK: lambda p, e, c: e}),
    Topic("where POWs went", areas, dict.fromkeys(("go", "cross", "force", "under"), of(ALLIED))),
    Topic("where guards went", areas, dict.fromkeys(("go", "post", "arrest"), of(GERMAN))),
    Topic(
        "rooms searched", rooms_with_a_card("search_card"), {"search": lambda a, seat: room_searched(a)[0]}
    ),
    Topic(
        "rooms entered by Move Fast",
        rooms_with_a_card("move_fast_card"),
        {"fast": lambda a, seat: room_entered(a)[0]},
    ),
    Topic("tunnels opened", tunnels, {"tunnel": lambda tunnel, seat: tunnel}),
)

ACT_WORDS = {
    "end": "the turn, or an answer, ends",
    "throw": "a throw",
    "pick": "a pawn is picked",
    "stay": "the picked pawn stays",
    "go": "a pawn walks",
    "under": "a POW crawls in a tunnel",
    "cross": "a POW opens a gate, a drop or the wire",
    "force": "a forced arrest",
    "equip": "Equipment is taken",
    "kit": "an Escape Kit is taken",
    "release": "a release from Solitary for a double",
    "stake": "a Do or Die",
    "next": "which ally is next",
    "bribe": "a Bribe",
    "convert": "a card is turned in for Equipment",
    "divert": "a Diversion",
    "inspect": "an Inspection",
    "sabotage": "a Sabotage",
    "fast": "a Move Fast",
    "free": "a Release from Solitary by card",
    "car": "the Staff Car",
    "tunnel": "a tunnel is opened",
    "give": "a card is given to an ally",
    "give_equipment": "Equipment is given to an ally",
    "discard": "a card is discarded",
    "come": "POWs go to the Appel",
    "warn": "an Advance Warning",
    "hide": "a POW hides on a safe circle",
    "lose": "Equipment is given up, or a Hideaway saves it",
    "save": "a Hideaway or a Talisman, played or kept",
    "post": "a guard is posted",
    "recall": "a guard is recalled",
    "arrest": "an arrest",
    "appel": "an Appel",
    "search": "a Search",
    "holder": "an Arrest Key or Pass Holder",
    "shoot": "a Shoot to Kill",
    "detect": "a Tunnel Detected",
    "match": "an Appel takes a POW",
    "cell": "which cells a POW goes to",
}
