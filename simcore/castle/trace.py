"""Text for actions and events, items for `bartizan coverage`, and checks of a state.

Plain Python, not used in simulations.
"""

from bartizan.simcore.castle import actions
from bartizan.simcore.castle import components as c
from bartizan.simcore.castle.actions import argument_of, kind_of
from bartizan.simcore.game import Topic
from bartizan.simcore.kit.words import Namers, said
from bartizan.simcore.scenario.loading import Scenario

RANK = ["ace", "2", "3", "4", "5", "6", "7", "8", "9", "10", "Jack", "Queen", "King"]
SUIT = ["clubs", "diamonds", "hearts", "spades"]
PLAYER = ["A", "B", "C", "D"]
SIDE = ["above", "at the left end", "at the right end"]


def card_name(card: int) -> str:
    if card < 0:
        return "no card"
    return "a Joker" if card >= c.FIRST_JOKER else f"{RANK[card % c.RANKS]} of {SUIT[card // c.RANKS]}"


def cell(s: int) -> str:
    """Return the row and column of a square as text, numbered from 0 as in the rules."""
    return f"({s // c.WIDTH}, {s % c.WIDTH - 1})"


def castle_card(state, q: int, s: int) -> str:
    """Return the public description of the card on a square."""
    shown = card_name(int(state["castle"][q][s])) if int(state["up"][q]) >> s & 1 else "a hidden card"
    return f"{shown} at {cell(s)} of {PLAYER[q]}"


def target_name(state, t: int) -> str:
    if t < c.POOL_TARGET:
        return castle_card(state, actions.castle_of(t), actions.square_of(t))
    if t < c.JOKER_TARGET:
        return f"the reinforcement {card_name(t - c.POOL_TARGET)}"
    if t < c.BARRICADE_TARGET:
        return f"{PLAYER[t - c.JOKER_TARGET]}'s Joker"
    return f"the barricade at {cell(t - c.BARRICADE_TARGET)}"


def _end(state, tables, _: int) -> str:
    if state["stage"] == c.Stage.ADD:
        return "no more"
    return "stops" if state["stage"] in (c.Stage.TARGET, c.Stage.NAME) else "declines"


def _target(state, tables, t: int) -> str:
    """Describe a target; at the start of an attack, also name the card that leads it."""
    begins = state["stage"] == c.Stage.CARD
    return target_name(state, t) + (f" with {card_name(int(state['drawn']))}" if begins else "")


def _barricade(state, tables, laid: int) -> str:
    q, s, side = actions.laid_at(laid)
    return f"{SIDE[side]} at {cell(s)} of {PLAYER[q]}"


def _court(state, tables, rammed: int) -> str:
    q, end = actions.castle_and_end(rammed)
    return f"{PLAYER[q]} from the {'right' if end else 'left'}"


def _first(state, tables, i: int) -> str:
    """Describe the choice of an Ace's card, or of a dealt card in the set-up."""
    if state["stage"] == c.Stage.FIRST:
        return f"uses {card_name(int(state['pair'][i]))} first"
    placed = int(state["to_place"]) % (c.ROYALS + int(tables["dealt"])) - c.ROYALS
    return f"takes up {card_name(int(state['dealt'][state['to_move']][placed + i]))}"


# names in the text of an action (`components.Act`), from (state, tables, argument)
OF_ACTION = {
    "end": _end,
    "card": lambda state, tables, card: card_name(card),
    "drawn": lambda state, tables, _: card_name(int(state["drawn"])),
    "rallied": lambda state, tables, card: card_name(
        card if state["stage"] == c.Stage.RALLY else int(state["drawn"])
    ),
    "cell": lambda state, tables, s: cell(s),
    "target": _target,
    "barricade": _barricade,
    "victims": lambda state, tables, s: castle_card(state, int(state["victim"]), s),
    "defenders": lambda state, tables, s: castle_card(state, int(state["defender"]), s),
    "own": lambda state, tables, s: castle_card(state, int(state["on_turn"]), s),
    "first": _first,
    "use": lambda state, tables, combination: "the combination" if combination else "it for archers",
    "court": _court,
    "suit": lambda state, tables, suit: SUIT[suit],
}


def describe_action(state, tables, action: int, scenario: Scenario) -> str:
    """Return the description of an action. state: the state before the action is applied."""
    kind = c.Act(kind_of(action))
    return f"{PLAYER[state['to_move']]} {said(kind, OF_ACTION, state, tables, argument_of(action))}"


def namers(scenario: Scenario) -> Namers:
    """Return the functions that name the numbers of events (`components.Event`)."""
    return {
        "player": PLAYER.__getitem__,
        "card": card_name,
        "cell": cell,
        "outcome": lambda won: "wins" if won else "fails",
        "jokers": lambda n: f"{n} Joker{'s' * (n != 1)}",
    }


def check_state(state, tables) -> str:
    """Return the first fault in a state, or "".

    Checks that the cards from Ace to 10 and the Jokers are conserved, that no card is in two places, that
    royals are in their Court, that all cards are inside the grid, and that masks match the cards.
    """
    places = []
    for p in range(int(tables["players"])):
        if fault := _castle_wrong(state, tables, p):
            return f"player {p}: {fault}"
        laid = state["castle"][p].tolist() + state["barricade"][p].tolist()
        places += [card for card in laid if card != c.NONE]
        places += cards_in(state["pool"][p]) + cards_in(state["jokers"][p]) + cards_in(state["added"][p])
    places += map(int, state["deck"][state["deck_next"] : state["deck_size"]])
    places += cards_in(int(state["discards"]) | int(state["gone"]) | _in_hand(state, places))
    due = {card for card in range(c.FIRST_JOKER) if card % c.RANKS < c.FIRST_ROYAL_RANK}
    due |= set(range(c.FIRST_JOKER, c.FIRST_JOKER + int(tables["jokers"])))
    if (missing := due.difference(places)) and not _setting_up(state):
        return f"{', '.join(map(card_name, sorted(missing)))} is missing"
    if len(places) != len(set(places)):
        return "a card is in two places"
    return "" if all(0 <= card < c.CARDS for card in places) else "an invalid card"


def _setting_up(state) -> bool:
    return state["stage"] in (c.Stage.SETUP, c.Stage.HAND, c.Stage.CHOOSE)


def _in_hand(state, elsewhere: list[int]) -> int:
    """Return the cards of the current turn as a bit mask.

    They are the drawn card, the cards of the attack, and a contested Joker.
    """
    cards = int(state["spent"]) | int(state["picked"])
    for field in ("drawn", "contested"):
        if state[field] >= 0 and int(state[field]) not in elsewhere:
            cards |= 1 << int(state[field])
    if state["lead"] >= 0 and state["lead_royal"] >= 0:
        cards |= 1 << int(state["lead"])
    return cards


def _castle_wrong(state, tables, p: int) -> str:
    castle = state["castle"][p].tolist()
    occupied = sum(1 << square for square, card in enumerate(castle) if card != c.NONE)
    if occupied != int(state["occupied"][p]):
        return "the mask of occupied squares is wrong"
    if occupied & ~int(tables["inside"]):
        return "a card outside the grid"
    if int(state["up"][p]) & ~occupied:
        return "an empty square is face up"
    return "" if _setting_up(state) else _royals_wrong(state, p, castle)


def _royals_wrong(state, p: int, castle: list[int]) -> str:
    for royal in state["royal"][p].tolist():
        if royal != c.NONE and (castle.count(royal) != 1 or castle.index(royal) >= c.WIDTH):
            return f"{card_name(royal)} is not in the Court"
    if state["attack"] != c.Attack.NONE and state["on_turn"] == p:
        return ""
    has_king = state["royal"][p][c.Royal.KING] != c.NONE
    return "" if has_king or not state["alive"][p] else "alive without a King"


def cards_in(mask) -> list[int]:
    return [card for card in range(c.FIRST_JOKER + 2) if int(mask) >> card & 1]


# ---------------------------------------------------------------- things counted by `bartizan coverage`


TARGETS = {
    0: "a castle card",
    c.POOL_TARGET: "a reinforcement",
    c.JOKER_TARGET: "a Joker",
    c.BARRICADE_TARGET: "a barricade",
}


def ranks(scenario: Scenario) -> dict[int, str]:
    """Map each card to the name of its rank, including Jokers if they are used."""
    jokers = scenario.model.advanced.jokers > 0
    names = [*(RANK[card % c.RANKS] for card in range(c.FIRST_JOKER)), *["Joker"] * (c.CARDS - c.FIRST_JOKER)]
    return dict(enumerate(names if jokers else names[: c.FIRST_JOKER]))


def squares(scenario: Scenario) -> dict[int, str]:
    """Map each square of the grid to its row and column as text."""
    grid = scenario.model.grid
    inside = (row * c.WIDTH + column + 1 for row in range(grid.rows) for column in range(grid.columns))
    return {square: cell(square) for square in inside}


def target(t: int) -> int:
    """Return the first code of the range of targets that contains `t`."""
    return max(first for first in TARGETS if first <= t)


TOPICS = (
    Topic("cards drawn", ranks, events={c.Event.DREW: lambda player, card, _: card}),
    Topic("cards lost", ranks, events={c.Event.FELL: lambda player, card, _: card}),
    Topic("cards that joined an attack", ranks, events={c.Event.EXTRA: lambda card, *_: card}),
    Topic("squares a card was placed on", squares, {"place": lambda square, seat: square}),
    Topic("targets", lambda scenario: TARGETS, {"attack": lambda t, seat: target(t)}),
    Topic("suits taken", lambda scenario: dict(enumerate(SUIT)), {"suit": lambda suit, seat: suit}),
)
