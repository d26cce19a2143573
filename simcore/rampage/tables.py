"""The numbers of the scenario as one record for compiled rules, constant during a game."""

import hashlib
from typing import NamedTuple

import numpy as np

from bartizan.simcore.arrays import as_records
from bartizan.simcore.kit.tables import Field, fill, record_of
from bartizan.simcore.rampage import components as c
from bartizan.simcore.rampage.schema import Card, Cost, RampageScenario
from bartizan.simcore.scenario.loading import Scenario

# capacities of `Hopes`
MOST = 8  # cards of a structure that are distinguished; more count as this many
STRONGEST = 30  # maximum strength, likewise

FIELDS: list[Field] = [
    ("kinds", "i4"),
    ("units", "i4"),  # number of units
    ("batches", "i4", "setup.batches"),
    ("batch_size", "i4", "setup.batch_size"),
    ("gate_per_batch", "i4", "setup.gate_per_batch"),
    ("castle_per_batch", "i4", "setup.castle_per_batch"),
    ("draw", "i4", "turn.draw"),
    ("first_draw", "i4", "turn.first_draw"),
    ("strengthen", "i4", "turn.strengthen"),
    ("cards_in_hand", "i4", "turn.hand_limit"),  # A15 limited
    ("turn_limit", "i4", "limit.turns"),
    ("play_limit", "i4", "limit.plays"),
    # kinds
    ("count", "i4", (c.KINDS,), "card.*.count"),
    ("tag", "u8", (c.KINDS,)),  # identifies the kind in the shuffle
    ("shows", "i4", (c.KINDS,)),  # bit mask over units
    ("defence", "i4", (c.KINDS, c.STRUCTURES)),
    ("attack", "i4", (c.KINDS,), "card.*.attack"),  # 0: none
    ("need", "i8", (c.KINDS,)),  # cost: packed, see components.NEED
    ("place_need", "i8", (c.KINDS,)),
    ("boost_need", "i8", (c.KINDS,)),  # of one boost
    ("cost", "i4", (c.KINDS,)),  # number of cards it takes, without those of a boost
    ("is_scheme", "u1", (c.KINDS,)),  # its cost demands units
    ("boosts", "i4", (c.KINDS,)),  # maximum number (4.4, A8)
    ("boost_strength", "i4", (c.KINDS,)),
    ("op", "i4", (c.KINDS, c.EFFECTS)),  # Op, without those of permanents
    ("times", "i4", (c.KINDS, c.EFFECTS)),
    ("text_op", "i4", (c.KINDS, c.EFFECTS)),  # when destroyed in an attack
    ("text_times", "i4", (c.KINDS, c.EFFECTS)),
    ("perm", "i4", (c.KINDS, c.PERMS)),  # draw, attack, gate defence, strengthenings
    ("target", "i4", (c.KINDS,)),  # AttackTarget (7.11)
    ("returns", "u1", (c.KINDS,)),  # repelled
    ("permanent", "u1", (c.KINDS,), "card.*.permanent"),
    ("purple", "u1", (c.KINDS,), "card.*.purple"),
    ("playable", "u1", (c.KINDS,)),  # 4.7, A14
    # for policies: expected results of an attack against unseen cards, see `Hopes`
    ("gates", "f4", (MOST + 1, STRONGEST + 1)),
    ("castles", "f4", (MOST + 1, MOST + 1, STRONGEST + 1)),
    ("wins", "f4", (MOST + 1, MOST + 1, STRONGEST + 1)),
    *((key, "i4") for key in c.READINGS),
]
TABLES = record_of(FIELDS)


def build_tables(scenario: Scenario) -> np.ndarray:
    """Return the scenario for compiled rules: a structured array (TABLES) of length 1."""
    array = np.zeros(1, TABLES)
    tables = as_records(array)[0]
    model = scenario.model
    for key, readings in c.READINGS.items():
        tables[key] = readings[model.rulings[key]]
    fill(tables, FIELDS, model)
    tables.kinds, tables.units = len(model.card), len(model.units.types)
    for kind, (key, card) in enumerate(model.card.items()):
        _card(tables, kind, key, card, model)
    tables.gates, tables.castles, tables.wins = hopes(model)
    return array


def _card(t, k: int, key: str, card: Card, m: RampageScenario) -> None:
    units = m.units.types
    t.tag[k] = tag(key)
    t.shows[k] = sum(1 << units.index(unit) for unit in set(card.units))
    t.defence[k] = card.gate, card.castle
    t.need[k], t.place_need[k] = packed(card.cost, units), packed(card.place_cost, units)
    if m.rulings["placing_itself"] == "yes" and t.place_need[k] >> c.ANY:  # A22
        t.place_need[k] -= 1 << c.ANY
    t.cost[k] = sum(entry.n for entry in card.cost)
    t.is_scheme[k] = any(entry.unit for entry in card.cost)
    if card.boost:
        t.boosts[k] = c.BOOSTS if m.rulings["boost_times"] == "any_number" else 1
        t.boost_need[k], t.boost_strength[k] = (
            card.boost.n << units.index(card.boost.unit) * c.NEED,
            card.boost.strength,
        )
    _effects(t, k, card)
    t.target[k], t.returns[k] = c.AttackTarget[card.target], card.on_repelled == "return"
    t.playable[k] = card.attack > 0 or bool(card.on_play) or m.rulings["idle_card"] == "playable"


def _effects(t, k: int, card: Card) -> None:
    played = [entry for entry in card.on_play if not entry.op.startswith("perm_")]
    for i, entry in enumerate(played):
        t.op[k, i], t.times[k, i] = c.Op[entry.op], entry.n
    for entry in card.on_play:
        if entry not in played:
            t.perm[k, c.Op[entry.op] - c.FIRST_PERM] += entry.n
    for i, entry in enumerate(card.on_destroyed_in_attack):
        t.text_op[k, i], t.text_times[k, i] = c.Op[entry.op], entry.n


def packed(costs: list[Cost], units: list[str]) -> int:
    """Return costs as one packed demand (see components.NEED)."""
    return sum(
        entry.n << (c.ANY if entry.unit is None else units.index(entry.unit) * c.NEED) for entry in costs
    )


def tag(key: str) -> int:
    """Return a number (64 bits) that identifies a kind, the same in every deck (PROTOCOL.md, section 4)."""
    return int.from_bytes(hashlib.sha256(key.encode()).digest()[:8], "big")


# ---------------------------------------------------------------- expected results of attacks


class Hopes(NamedTuple):
    """Expected results of an attack against unseen cards (section 5).

    Each unseen card is assumed to be a uniformly random card of the deck.

    The indices are the number of cards in the Gate, the number in the Castle (not for `gates`), and the
    strength.
    """

    gates: np.ndarray  # [gate, strength] mean number of destroyed Gate cards
    castles: np.ndarray  # [gate, castle, strength] mean number of destroyed Castle cards
    wins: np.ndarray  # [gate, castle, strength] probability that the whole Castle is destroyed


def hopes(model: RampageScenario) -> Hopes:
    """Return the expected results of one attack on the Gate or, if it is empty, on the Castle.

    Texts and permanents are ignored.
    """
    gate, castle = (shares(model, structure) for structure in ("gate", "castle"))
    n, s = MOST + 1, STRONGEST + 1
    gates, castles, wins = np.zeros((n, s)), np.zeros((n, n, s)), np.zeros((n, n, s))
    wins[0, 0] = 1.0
    for m in range(1, n):
        castles[0, m] = fallen(castle) + carried(castle, castles[0, m - 1])
        wins[0, m] = carried(castle, wins[0, m - 1])
        if m == 1:
            # strength equal to its defence: both are destroyed; no attack has strength 0
            wins[0, 1, 1:] += castle[1:]
    for g in range(1, n):
        gates[g] = fallen(gate) + carried(gate, gates[g - 1])
        for m in range(n):
            castles[g, m], wins[g, m] = carried(gate, castles[g - 1, m]), carried(gate, wins[g - 1, m])
    return Hopes(gates, castles, wins)


def shares(model: RampageScenario, structure: str) -> np.ndarray:
    """Return the share of the deck's cards with each defence in a structure, indexed by defence."""
    cards = np.zeros(STRONGEST + 1)
    for card in model.card.values():
        cards[getattr(card, structure)] += card.count
    return cards / cards.sum()


def fallen(share: np.ndarray) -> np.ndarray:
    """Return the probability that an attack destroys the next card, indexed by strength.

    share: probability of each defence of this card.
    """
    chance = share.cumsum()
    chance[0] = 0.0  # no attack has strength 0
    return chance


def carried(share: np.ndarray, beyond: np.ndarray) -> np.ndarray:
    """Return the expected further result after the next card is destroyed, indexed by strength.

    share: probability of each defence of the next card. beyond: the further result, indexed by the strength
    left.
    """
    total = np.zeros_like(beyond)
    for defence, chance in enumerate(share):
        if chance and defence < STRONGEST:
            total[defence + 1 :] += chance * beyond[1 : len(beyond) - defence]
    return total
