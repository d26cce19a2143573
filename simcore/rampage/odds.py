"""What an attack may hope for against cards nobody has seen: exact, if each of them is any card of the deck
with the same chance (section 5).
"""

from typing import NamedTuple

import numpy as np

from bartizan.simcore.rampage.schema import RampageScenario

MOST = 8  # cards of a structure that are told apart; more count as that many
STRONGEST = 30  # so does more strength


class Hopes(NamedTuple):
    """By the cards of the Gate, the cards of the Castle (not for `gates`), and the strength."""

    gates: np.ndarray  # [gate, strength] Gate cards that fall, on average
    castles: np.ndarray  # [gate, castle, strength] Castle cards that fall
    wins: np.ndarray  # [gate, castle, strength] chance that the whole Castle falls


def hopes(model: RampageScenario) -> Hopes:
    """One attack on the Gate (none there: on the Castle), card after card; texts and permanents are left
    aside.
    """
    gate, castle = (shares(model, structure) for structure in ("gate", "castle"))
    n, s = MOST + 1, STRONGEST + 1
    gates, castles, wins = np.zeros((n, s)), np.zeros((n, n, s)), np.zeros((n, n, s))
    wins[0, 0] = 1.0
    for m in range(1, n):
        castles[0, m] = fallen(castle) + carried(castle, castles[0, m - 1])
        wins[0, m] = carried(castle, wins[0, m - 1]) + (exact(castle) if m == 1 else 0)
    for g in range(1, n):
        gates[g] = fallen(gate) + carried(gate, gates[g - 1])
        for m in range(n):
            castles[g, m], wins[g, m] = carried(gate, castles[g - 1, m]), carried(gate, wins[g - 1, m])
    return Hopes(gates, castles, wins)


def shares(model: RampageScenario, structure: str) -> np.ndarray:
    """[defence] share of the deck's cards with it at this structure."""
    found = np.zeros(STRONGEST + 1)
    for card in model.card.values():
        found[getattr(card, structure)] += card.count
    return found / found.sum()


def exact(share: np.ndarray) -> np.ndarray:
    """[strength] chance that the next card has just this defence: both are destroyed.

    No attack has strength 0.
    """
    found = share.copy()
    found[0] = 0.0
    return found


def fallen(share: np.ndarray) -> np.ndarray:
    """[strength] chance that the next card falls."""
    found = share.cumsum()
    found[0] = 0.0
    return found


def carried(share: np.ndarray, beyond: np.ndarray) -> np.ndarray:
    """[strength] what comes beyond the next card, if strength is left."""
    found = np.zeros_like(beyond)
    for defence, chance in enumerate(share):
        if chance and defence < STRONGEST:
            found[defence + 1 :] += chance * beyond[1 : len(beyond) - defence]
    return found
