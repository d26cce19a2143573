"""Exact probabilities of Castle's fights (4.6, 4.7, section 6), from an enumeration of every roll.

Policies use them through the tables, and `bartizan chance castle --event fight` prints them.
"""

from collections import Counter
from dataclasses import dataclass
from functools import cache
from itertools import combinations, combinations_with_replacement
from math import factorial, prod

import numpy as np

from bartizan.simcore.kit.dice import add, convolve

CARD_FACES = 13
KING_FACE = 12  # worth 12 and a double by itself (C37)


@dataclass(frozen=True)
class Thrown:
    """The numbers and rulings that determine how dice are rolled and counted."""

    sides: int = 6
    cards: bool = False  # C37
    multi: str = "never"  # C12
    chain: bool = False  # C15
    by_throw: bool = True  # C43: a card stands for two dice
    ranks: int = CARD_FACES  # C44: of the pack from which cards are picked, from the Ace up

    def faces(self) -> int:
        return self.ranks if self.cards else self.sides

    def worth(self, face: int) -> int:
        return min(face + 1, KING_FACE) if self.cards else face + 1

    def is_double(self, a: int, b: int) -> bool:
        """Return whether two dice form a double, by the index of their faces (6.1, 6.2, 11.9).

        They are equal but not two ones, or cards replace dice and one of them is a King.
        """
        return (a == b and a != 0) or (self.cards and KING_FACE in (a, b))


@cache
def throw(by: Thrown, dice: int) -> tuple[np.ndarray, np.ndarray]:
    """Return two arrays for one throw of `dice` dice, indexed by total.

    They contain the probability of each total without a double, and with a double.
    """
    if by.cards and by.by_throw:
        return _by_cards(by, dice)
    top = dice * max(by.worth(face) for face in range(by.faces()))
    plain, double = np.zeros(top + 1), np.zeros(top + 1)
    if dice > 2 and by.multi == "each_pair":
        return _by_pairs(by, dice, top)
    counts = dice == 2 or (dice > 2 and by.multi == "any_equal")
    for faces in combinations_with_replacement(range(by.faces()), dice):
        ways = factorial(dice) / prod(factorial(n) for n in Counter(faces).values())
        is_double = counts and any(by.is_double(a, b) for a, b in combinations(faces, 2))
        (double if is_double else plain)[sum(map(by.worth, faces))] += ways / by.faces() ** dice
    return plain, double


def _by_cards(by: Thrown, dice: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the arrays of `throw` if one card replaces two dice (C43).

    A King counts as a double. An odd die counts half of a card, rounded up.
    """
    whole, no_king, half = np.zeros(KING_FACE + 1), np.zeros(KING_FACE + 1), np.zeros(KING_FACE // 2 + 1)
    for face in range(by.faces()):
        whole[by.worth(face)] += 1 / by.faces()
        no_king[by.worth(face)] += (face != KING_FACE) / by.faces()
        half[(by.worth(face) + 1) // 2] += 1 / by.faces()
    counts = dice == 2 or by.multi != "never"
    plain, every = np.ones(1), np.ones(1)
    for _ in range(dice // 2):
        plain, every = convolve(plain, no_king if counts else whole), convolve(every, whole)
    if dice % 2:
        plain, every = convolve(plain, half), convolve(every, half)
    return plain, every - plain


def _by_pairs(by: Thrown, dice: int, top: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the arrays of `throw` if dice count in separate pairs (C12 each_pair).

    An odd die counts by itself.
    """
    pair_plain, pair_double = throw(by, 2)
    plain, every = np.ones(1), np.ones(1)
    for _ in range(dice // 2):
        plain, every = convolve(plain, pair_plain), convolve(every, pair_plain + pair_double)
    if dice % 2:
        plain, every = convolve(plain, throw(by, 1)[0]), convolve(every, throw(by, 1)[0])
    return plain[: top + 1], (every - plain)[: top + 1]


@cache
def defence(by: Thrown, dice: int) -> np.ndarray:
    """Return the probability of each total of a defender's dice, with the two extra dice for a double (6.2).

    The index is the total.
    """
    plain, double = throw(by, dice)
    if not double.any():
        return plain
    more_plain, more_double = throw(by, 2)
    if not by.chain:
        bonus = more_plain + more_double
    else:
        bonus, chain = np.zeros(1), np.ones(1)
        while chain.sum() > 1e-18:
            bonus = add(bonus, convolve(chain, more_plain))
            chain = convolve(chain, more_double)
    return add(plain, convolve(double, bonus))


def win_chance(by: Thrown, attack_dice: int, defence_dice: int, edge: int, bonus: bool = True) -> float:
    """Return the probability that attack dice + `edge` exceed defence dice.

    edge: sum of the attacker's bonuses minus the sum of the defender's bonuses. bonus: whether a double gives
    the defender extra dice (6.2).
    """
    attack = sum(throw(by, attack_dice))
    defended = defence(by, defence_dice) if bonus else sum(throw(by, defence_dice))
    below = np.concatenate([[0.0], np.cumsum(defended)])  # below[t]: probability of a defence total under t
    totals = np.clip(np.arange(len(attack)) + edge, 0, len(defended))
    return float((attack * below[totals]).sum())
