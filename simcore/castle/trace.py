"""A game as readable lines, and what must hold in every state.

Plain Python: nothing here runs during simulation.
"""

from bartizan.simcore.castle import actions
from bartizan.simcore.castle.actions import argument_of, kind_of
from bartizan.simcore.castle.components import (
    BARRICADE_TARGET,
    CARDS,
    FIRST_JOKER,
    FIRST_ROYAL_RANK,
    JOKER_TARGET,
    NONE,
    POOL_TARGET,
    RANKS,
    ROYALS,
    SQUARES,
    SUITS,
    WIDTH,
    Act,
    Attack,
    Event,
    Stage,
)
from bartizan.simcore.game import Topic
from bartizan.simcore.scenario.loading import Scenario

RANK = ["ace", "2", "3", "4", "5", "6", "7", "8", "9", "10", "Jack", "Queen", "King"]
SUIT = ["clubs", "diamonds", "hearts", "spades"]
PLAYER = ["A", "B", "C", "D"]
SIDE = ["above", "at the left end", "at the right end"]


def card_name(card: int) -> str:
    if card < 0:
        return "no card"
    return "a Joker" if card >= FIRST_JOKER else f"{RANK[card % RANKS]} of {SUIT[card // RANKS]}"


def cell(s: int) -> str:
    """Rows and columns from 0, as in the rules."""
    return f"({s // WIDTH}, {s % WIDTH - 1})"


def castle_card(state, q: int, s: int) -> str:
    """What everybody can see of a castle card."""
    shown = card_name(int(state["castle"][q][s])) if int(state["up"][q]) >> s & 1 else "a hidden card"
    return f"{shown} at {cell(s)} of {PLAYER[q]}"


def target_name(state, t: int) -> str:
    if t < POOL_TARGET:
        return castle_card(state, actions.castle_of(t), actions.square_of(t))
    if t < JOKER_TARGET:
        return f"the reinforcement {card_name(t - POOL_TARGET)}"
    if t < BARRICADE_TARGET:
        return f"{PLAYER[t - JOKER_TARGET]}'s Joker"
    return f"the barricade at {cell(t - BARRICADE_TARGET)}"


def describe_action(state, tables, action: int, scenario: Scenario) -> str:
    """One chosen action in words, in the state before it is applied."""
    act, arg = Act(kind_of(action)), argument_of(action)
    words = {
        Act.END: lambda: (
            "no more"
            if state["stage"] == Stage.ADD
            else "stops"
            if state["stage"] in (Stage.TARGET, Stage.NAME)
            else "declines"
        ),
        Act.DRAW: lambda: "draws",
        Act.CLOSE: lambda: "closes the gaps",
        Act.PLACE: lambda: f"places {card_name(int(state['drawn']))} at {cell(arg)}",
        Act.ATTACK: lambda: f"attacks {target_name(state, arg)}" + _with(state),
        Act.LEAD: lambda: f"attacks with {card_name(int(state['drawn']))}",
        Act.RALLY: lambda: (
            f"rallies {card_name(arg if state['stage'] == Stage.RALLY else int(state['drawn']))} to the flag"
        ),
        Act.LAY: lambda: _laid(*actions.laid_at(arg)),
        Act.DISCARD: lambda: f"discards {card_name(int(state['drawn']))}",
        Act.TURN: lambda: f"turns over {target_name(state, arg)}",
        Act.ADD: lambda: f"adds {card_name(arg)}",
        Act.REMOVE: lambda: f"removes {castle_card(state, int(state['victim']), arg)}",
        Act.FIRST: lambda: _first(state, tables, arg),
        Act.USE: lambda: "uses the combination" if arg else "uses it for archers",
        Act.RAM: lambda: _rammed(*actions.castle_and_end(arg)),
        Act.NAME: lambda: f"and {castle_card(state, int(state['defender']), arg)}",
        Act.OWN: lambda: f"attacks with his own {castle_card(state, int(state['on_turn']), arg)}",
        Act.SUIT: lambda: f"takes {SUIT[arg]}",
    }
    return f"{PLAYER[state['to_move']]} {words[act]()}"


def _laid(q: int, s: int, side: int) -> str:
    return f"lays a barricade {SIDE[side]} at {cell(s)} of {PLAYER[q]}"


def _rammed(q: int, end: int) -> str:
    return f"rams the Court of {PLAYER[q]} from the {'right' if end else 'left'}"


def _first(state, tables, i: int) -> str:
    """An Ace's card, or one at hand at set-up."""
    if state["stage"] == Stage.FIRST:
        return f"uses {card_name(int(state['pair'][i]))} first"
    placed = int(state["to_place"]) % (ROYALS + int(tables["dealt"])) - ROYALS
    return f"takes up {card_name(int(state['dealt'][state['to_move']][placed + i]))}"


def _with(state) -> str:
    """The card an attack begins with."""
    return f" with {card_name(int(state['drawn']))}" if state["stage"] == Stage.CARD else ""


def describe_events(state, tables, scenario: Scenario) -> list[str]:
    """What the last `apply` set in motion, one line each."""
    happened = state["events"][: state["n_events"]]
    return [line for row in happened if (line := event_line(scenario, *map(int, row)))]


def event_line(scenario: Scenario, event: int, a: int, b: int, c: int) -> str:
    """One entry of the log in words, "" for one that nobody is told."""
    return EVENTS[event][1](a, b, c) if event in EVENTS else ""


# Event -> the rule that it belongs to, and words for it
EVENTS = {
    Event.TURN: ("3.1", lambda a, b, c: f"== turn {b}, {PLAYER[a]}"),
    Event.DREW: ("3.1", lambda a, b, c: f"{PLAYER[a]} draws {card_name(b)}"),
    Event.SHUFFLED: ("3.8", lambda a, b, c: f"{a} cards are shuffled into a new deck"),
    Event.SHOWN: ("4.2", lambda a, b, c: f"{card_name(c)} at {cell(b)} of {PLAYER[a]} is face up"),
    Event.CALLED_OFF: ("4.3", lambda a, b, c: f"called off: {card_name(a)} is of that suit"),
    Event.ROLL: ("4.6", lambda a, b, c: f"{a} against {b}: the attack {'wins' if c else 'fails'}"),
    Event.FELL: ("4.8", lambda a, b, c: f"{PLAYER[a]} loses {card_name(b)}"),
    Event.REMOVED: ("6.3", lambda a, b, c: f"snake eyes cost {PLAYER[a]} {card_name(b)}"),
    Event.EXTRA: ("6.1", lambda a, b, c: f"{card_name(a)} joins the attack"),
    Event.OUT: ("10.1", lambda a, b, c: f"{PLAYER[a]} is OUT"),
    Event.FORCED: ("8.1", lambda a, b, c: f"{PLAYER[a]} has to attack with an own card"),
    Event.PASSED: ("8.2", lambda a, b, c: f"{PLAYER[a]} has none and passes"),
    Event.CONTEST: ("11.1", lambda a, b, c: f"{PLAYER[a]} has {b} in the contest"),
    Event.JOKER: ("11.1", lambda a, b, c: f"{PLAYER[a]} has {b} Joker{'s' * (b != 1)}"),
    Event.COUNTER: ("11.5", lambda a, b, c: f"{PLAYER[a]} strikes back"),
    Event.RAN_DRY: ("3.8", lambda a, b, c: "no card is left: a forced round"),
    Event.NO_TARGET: ("4.1", lambda a, b, c: "there is nothing to attack"),
    Event.THROWN: ("11.9", lambda a, b, c: f"{card_name(a)} is picked instead of dice"),
}


def check_state(state, tables) -> str:
    """What is wrong with a state, or "": 52 cards (and Jokers) conserved, the grid's limits, masks that agree
    with the cards.
    """
    n, places = int(tables["players"]), []
    for p in range(n):
        fault = _castle_wrong(state, tables, p)
        if fault:
            return f"player {p}: {fault}"
        places += [int(card) for card in state["castle"][p] if card != NONE] + [
            int(card) for card in state["barricade"][p] if card != NONE
        ]
        places += cards_in(state["pool"][p]) + cards_in(state["jokers"][p]) + cards_in(state["added"][p])
    places += [int(card) for card in state["deck"][state["deck_next"] : state["deck_size"]]]
    places += cards_in(int(state["discards"]) | int(state["gone"]) | _in_hand(state, places))
    spare = [k + FIRST_ROYAL_RANK + suit * RANKS for k in range(ROYALS) for suit in range(SUITS)]
    missing = {c for c in range(FIRST_JOKER) if c % RANKS < FIRST_ROYAL_RANK} | set(
        range(FIRST_JOKER, FIRST_JOKER + int(tables["jokers"]))
    )
    missing -= set(places)
    if missing and not _setting_up(state):
        return f"{', '.join(map(card_name, sorted(missing)))} is nowhere"
    if len(places) != len(set(places)):
        return "a card is in two places"
    known = all(card in spare or card % RANKS < FIRST_ROYAL_RANK or card >= FIRST_JOKER for card in places)
    return "" if known else "a card that is none"


def _setting_up(state) -> bool:
    return state["stage"] in (Stage.SETUP, Stage.HAND, Stage.CHOOSE)


def _in_hand(state, elsewhere: list[int]) -> int:
    """Cards of the running turn: the one at hand, the attack's, a Joker being contested."""
    cards = int(state["spent"]) | int(state["picked"])
    for field in ("drawn", "contested"):
        if state[field] >= 0 and int(state[field]) not in elsewhere:
            cards |= 1 << int(state[field])
    if state["lead"] >= 0 and state["lead_royal"] >= 0:
        cards |= 1 << int(state["lead"])
    return cards


def _castle_wrong(state, tables, p: int) -> str:
    castle = state["castle"][p]
    occupied = sum(1 << s for s in range(SQUARES) if castle[s] != NONE)
    if occupied != int(state["occupied"][p]):
        return "the mask of occupied squares is wrong"
    if occupied & ~int(tables["inside"]):
        return "a card outside the grid"
    if int(state["up"][p]) & ~occupied:
        return "an empty square is face up"
    return "" if _setting_up(state) else _royals_wrong(state, p)


def _royals_wrong(state, p: int) -> str:
    for royal in map(int, state["royal"][p]):
        where = [s for s in range(SQUARES) if state["castle"][p][s] == royal]
        if royal != NONE and (len(where) != 1 or where[0] >= WIDTH):
            return f"{card_name(royal)} does not stand in the Court"
    if state["attack"] != Attack.NONE and state["on_turn"] == p:
        return ""
    return "" if not state["alive"][p] or state["royal"][p][ROYALS - 1] != NONE else "alive without a King"


def cards_in(mask) -> list[int]:
    return [card for card in range(FIRST_JOKER + 2) if int(mask) >> card & 1]


# ---------------------------------------------------------------- what `bartizan coverage` counts


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


def target(t: int) -> int:
    """The sort of a target."""
    return max(first for first in TARGETS if first <= t)


TOPICS = (
    Topic("cards drawn", ranks, events={Event.DREW: lambda player, card, c: card}),
    Topic("cards lost", ranks, events={Event.FELL: lambda player, card, c: card}),
    Topic("cards that joined an attack", ranks, events={Event.EXTRA: lambda card, b, c: card}),
    Topic("squares a card was placed on", squares, {"place": lambda square, seat: square}),
    Topic("targets", lambda scenario: TARGETS, {"attack": lambda t, seat: target(t)}),
    Topic("suits taken", lambda scenario: dict(enumerate(SUIT)), {"suit": lambda suit, seat: suit}),
)

# Act -> the rule that it belongs to, and what it is called where acts are counted
ACTS = {
    Act.END: ("3.6", "no more, or declined"),
    Act.DRAW: ("3.1", "a card is drawn"),
    Act.CLOSE: ("9.1", "gaps are closed"),
    Act.PLACE: ("3.2", "a card is placed"),
    Act.ATTACK: ("4.1", "a target is attacked"),
    Act.LEAD: ("3.3", "an ace or a spy leads"),
    Act.RALLY: ("3.4", "a card is rallied"),
    Act.LAY: ("11.8", "a barricade is laid"),
    Act.DISCARD: ("3.6", "a card is discarded"),
    Act.TURN: ("7.1", "a card is turned over"),
    Act.ADD: ("4.5", "a reinforcement is added"),
    Act.REMOVE: ("6.3", "a card is paid for snake eyes"),
    Act.FIRST: ("7.2", "which card comes first"),
    Act.USE: ("7.2", "an ace's card: the combination, or archers"),
    Act.RAM: ("7.4", "a Court is rammed"),
    Act.NAME: ("11.4", "another card of a group is attacked"),
    Act.OWN: ("8.1", "an own card attacks"),
    Act.SUIT: ("2.1", "a suit is chosen"),
}
ACT_WORDS = {act.name.lower(): words for act, (_, words) in ACTS.items()}
