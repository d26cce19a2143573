"""The deck of Castle Rampage under a scenario.

For `bartizan cards`, a drawn card is exchanged for a card of the pile.

`swap`, `exchange` and `take_away` modify `state`.
"""

import numpy as np

from bartizan.simcore.compile.jit import jit
from bartizan.simcore.compile.rules import NO_ACTION
from bartizan.simcore.game import CardRow, Cards
from bartizan.simcore.kit.piles import another_of, one_of
from bartizan.simcore.rampage.actions import argument_of, kind_of, play_of
from bartizan.simcore.rampage.components import KINDS, NONE, SEATS, Act, Event, RepelledVeteran, Stage
from bartizan.simcore.rampage.rules.zones import gain, take
from bartizan.simcore.rampage.schema import Card, CardEffect
from bartizan.simcore.scenario.loading import Scenario

# ---------------------------------------------------------------- another card in hand

SAME = np.arange(KINDS)  # a card is a kind


@jit
def due(state, tables, seat):
    """Return whether the seat has drawn for its turn and has not acted yet (3.1)."""
    return state.stage == Stage.MAIN and state.to_move == seat and state.fresh == 1 and state.drawn != NONE


@jit
def swap(state, tables, seat, kind):
    """Exchange the card drawn last for a uniformly random card of `kind` in the pile.

    Returns False if the pile has no such card.
    """
    old = int(state.drawn)
    if old == kind:
        return True
    i = one_of(state, state.pile, state.pile_next, state.pile_size, SAME, kind)
    if i == NONE:
        return False
    exchange(state, tables, seat, old, i)
    state.drawn = kind
    return True


@jit
def exchange(state, tables, seat, old, i):
    """Exchange card `old` in the seat's hand for the card at index `i` of the pile."""
    new = int(state.pile[i])
    state.pile[i] = old
    take(state, tables, seat, old)
    gain(state, tables, seat, new)
    state.got[old] -= 1
    state.got[new] += 1


@jit
def take_away(state, tables, seat, kind, mark):
    """Exchange each card of `kind` in the seat's hand for a random card of another kind in the pile.

    Return the number of cards exchanged.

    mark: distinguishes several exchanges in one game.
    """
    taken = 0
    while state.hand[seat, kind] > 0:
        i = another_of(state, state.pile, state.pile_next, state.pile_size, SAME, kind, mark * 64 + taken)
        if i == NONE:
            break
        if state.drawn == kind and state.to_move == seat:
            state.drawn = state.pile[i]
        exchange(state, tables, seat, kind, i)
        taken += 1
    return taken


@jit
def holdings(state, tables, held):
    """Write one row per seat to `held`: the seat and the number of cards of each kind in hand.

    Return the seat to move.

    Cards that a player places during set-up (2.3) are in no hand.
    """
    for p in range(SEATS):
        held[p, 0] = p
        for k in range(held.shape[1] - 1):
            held[p, 1 + k] = state.hand[p, k]
    return state.to_move


# ---------------------------------------------------------------- how cards are used

PLAYED, GATE, CASTLE, PAID, LOST, HELD = range(1, 7)
USES = ("played", "put under the Gate", "put under the Castle", "paid", "dropped or lost", "held at the end")


@jit
def note(state, tables, action, seen):
    """Count the uses of cards that leave a hand in `seen`, which is modified.

    A card leaves a hand without a use if it must be discarded (7.4, 7.5, 7.10, A15) or is stolen; such cards
    are counted at the end of the game. A stolen card (7.10) and a repelled Veteran (A16) enter a hand again.
    Cards placed during set-up (2.3) enter no hand.
    """
    to_hand = tables.repelled_veteran == RepelledVeteran.to_hand
    for i in range(state.n_events):  # cards that the last action brought back, which are only in its log
        event = state.events[i, 0]
        if event == Event.STOLEN or (event == Event.RETURNED and to_hand):
            seen[state.events[i, 2], 0] += 1
    if action == NO_ACTION:
        close(state, seen)
        return
    act, argument = kind_of(action), argument_of(action)
    if state.stage == Stage.MAIN:
        if act == Act.GATE:
            seen[argument, GATE] += 1
        elif act == Act.CASTLE:
            seen[argument, CASTLE] += 1
        elif act == Act.PLAY:
            in_front, _, card = play_of(argument)
            seen[card, PLAYED] += not in_front
    elif state.stage == Stage.PAY:
        seen[argument, PAID] += 1


@jit
def close(state, seen):
    """Count the cards still held at the end and the cards that left without a use. Modifies `seen`."""
    for k in range(seen.shape[0]):
        seen[k, 0] += state.got[k]
        for p in range(SEATS):
            seen[k, HELD] += state.hand[p, k]
        gone = int(seen[k, 0])
        for use in range(PLAYED, HELD + 1):
            gone -= seen[k, use]
        seen[k, LOST] += max(gone, 0)
        seen[k, 0] += max(-gone, 0)  # it came back by an event beyond the room of the log


def printed_for(scenario: Scenario) -> dict[int, tuple[str, ...]]:
    """Return the intended uses of each kind of card.

    A card is to be played or, if it cannot be played (4.7), to be put under the player's Gate or Castle.
    """
    return {
        kind: ("played",) if _is_played(card) else USES[1:3]
        for kind, card in enumerate(scenario.model.card.values())
        if card.count
    }


def _is_played(card: Card) -> bool:
    return card.attack > 0 or bool(card.on_play)


# ---------------------------------------------------------------- the deck


def kinds(scenario: Scenario) -> dict[int, str]:
    """Map each kind of card in the deck to its name."""
    labels = scenario.model.labels()
    return {kind: labels[key] for kind, (key, card) in enumerate(scenario.model.card.items()) if card.count}


def table(scenario: Scenario) -> list[CardRow]:
    """Return a row for every kind of card, with the source of its least certain value."""
    labels = scenario.model.labels()
    return [_row(labels[key], card) for key, card in scenario.model.card.items()]


def _row(name: str, card: Card) -> CardRow:
    origins = {value: card.origin(value) for value in VALUES}
    least = min(origins.values(), key=lambda origin: SURE.index(origin.confidence))
    assumed = tuple(VALUES[value] for value, origin in origins.items() if origin.confidence == "assumed")
    return CardRow(
        name,
        card.count,
        card.attack or None,
        "; ".join(words(card)),
        least.source,
        least.confidence,
        # number of cards to pay for playing it; for a card that cannot be played (4.7), for placing it (3.3)
        sum(entry.n for entry in (card.cost if _is_played(card) else card.place_cost)),
        assumed,
    )


VALUES = {
    "count": "copies",
    "gate": "Gate",
    "castle": "Castle",
    "attack": "attack",
    "cost": "cost",
    "on_play": "effect",
    "on_destroyed_in_attack": "effect of its fall",
}
# the evidence level of a row is that of its least certain value
SURE = ("changed", "assumed", "inferred", "public-port", "article", "rulebook")


def words(card: Card) -> list[str]:
    """Describe the effects of a card, in the order of RULES.md, section 7."""
    parts = [f"Gate {card.gate}, Castle {card.castle}"]
    parts += ["purple"] * card.purple + ["permanent"] * card.permanent
    if card.units:
        parts.append(f"shows {', '.join(card.units)}")
    for what, cost in (("costs", card.cost), ("placing costs", card.place_cost)):
        if cost:
            parts.append(f"{what} {', '.join(entry.words() for entry in cost)}")
    if card.boost:
        parts.append(f"{card.boost.n} {card.boost.unit} more: +{card.boost.strength}")
    parts += [_effect(entry) for entry in card.on_play]
    parts += [f"destroyed in an attack: {_effect(entry)}" for entry in card.on_destroyed_in_attack]
    if card.target != "normal":
        parts.append({"castle": "attacks the Castle", "choose": "attacks Gate or Castle"}[card.target])
    return parts + ["comes back when repelled"] * (card.on_repelled == "return")


def _effect(entry: CardEffect) -> str:
    text = entry.op.replace("opp_", "the other's ").replace("_", " ")
    return text if entry.op in ("opp_discard_unit_type", "end_attack") else f"{text} {entry.n}"


def copies(scenario: Scenario) -> dict[int, str]:
    return {kind: f"card.{key}.count" for kind, key in enumerate(scenario.model.card)}


CARDS = Cards(
    table,
    kinds,
    due,
    swap,
    USES,
    note,
    printed_for,
    value="attack",
    take_away=take_away,
    holdings=holdings,
    copies=copies,
)
