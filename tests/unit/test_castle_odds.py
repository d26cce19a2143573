"""Exact chances of Castle's fights against every roll counted out here with fractions, and the engine's own dice against the exact chances."""

from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from functools import cache
from itertools import combinations, product
from math import sqrt

import numpy as np
import pytest

from bartizan.simcore.castle.components import ARGUMENTS, NONE, SQUARES, Act, Luck, Stage
from bartizan.simcore.castle.engine import apply
from bartizan.simcore.castle.odds import Thrown, win_chance
from bartizan.simcore.castle.tables import NO_EDGE
from bartizan.simcore.compile.jit import jit
from tests.castle_table import Table, at, card

HALF_A_DIGIT = 5e-7
ATTEMPTS = 20_000
EDGES = (-24, -11, -6, -1, 0, 3, 7, 24)  # certain, likely, even: an edge only moves the total that must be beaten
READINGS = [
    {},
    {"multi_dice_doubles": "each_pair"},
    {"multi_dice_doubles": "any_equal"},
    {"defence_chain": "chain"},
    {"defence_chain": "chain", "multi_dice_doubles": "any_equal"},
    {"random_source": "cards"},
    {"random_source": "cards", "defence_chain": "chain", "multi_dice_doubles": "each_pair"},
    {"random_source": "cards", "card_replaces": "die"},
    {"random_source": "cards", "card_replaces": "die", "defence_chain": "chain", "multi_dice_doubles": "each_pair"},
]


def spelled(sets: dict) -> str:
    return " ".join(sets.values()) or "as published"


# ---------------------------------------------------------------- every roll counted out


def worth(face: int) -> int:
    """11.9: the King, face 13, is worth 12."""
    return min(face, 12)


def thrown_by_cards(faces: tuple[int, ...], dice: int, multi: str) -> tuple[int, bool]:
    """C43 throw: total, and is it a double."""
    whole, half = faces[: dice // 2], faces[dice // 2 :]
    return sum(map(worth, whole)) + sum((worth(face) + 1) // 2 for face in half), 13 in whole and (
        dice == 2 or multi != "never"
    )


def is_double(faces: tuple[int, ...], multi: str) -> bool:
    """6.1, 6.2, C12, C37: two dice that count together are equal and no ones, or one of them is a King."""
    if len(faces) == 2:
        pairs = [faces]
    elif multi == "each_pair":
        pairs = list(zip(faces[::2], faces[1::2]))
    else:
        pairs = list(combinations(faces, 2)) if multi == "any_equal" else []
    return any((a == b != 1) or 13 in (a, b) for a, b in pairs)


@cache
def throws(dice: int, sides: int, multi: str, by_throw: bool = False) -> dict[tuple[int, bool], Fraction]:
    """(total, is it a double) -> chance."""
    if by_throw:
        cards = (dice + 1) // 2
        ways = Counter(thrown_by_cards(faces, dice, multi) for faces in product(range(1, sides + 1), repeat=cards))
        return {throw: Fraction(n, sides**cards) for throw, n in ways.items()}
    ways = Counter(
        (sum(map(worth, faces)), is_double(faces, multi)) for faces in product(range(1, sides + 1), repeat=dice)
    )
    return {throw: Fraction(n, sides**dice) for throw, n in ways.items()}


@cache
def at_most(
    total: int, dice: int, sides: int, multi: str, chain: bool, bonus: bool, by_throw: bool = False
) -> Fraction:
    """Chance that a defender's dice come to no more than this, with the two dice a double brings (6.2, C15)."""
    if total < 0:
        return Fraction(0)
    found = Fraction(0)
    for (thrown, double), chance in throws(dice, sides, multi, by_throw).items():
        if double and bonus:
            found += chance * at_most(total - thrown, 2, sides, multi, chain, chain, by_throw)
        elif thrown <= total:
            found += chance
    return found


def counted(
    attack_dice: int,
    defence_dice: int,
    edge: int,
    bonus: bool = True,
    multi_dice_doubles: str = "never",
    defence_chain: str = "once",
    random_source: str = "dice",
    card_replaces: str = "throw",
) -> Fraction:
    """Chance that attack dice + edge come higher."""
    sides = 13 if random_source == "cards" else 6
    by_throw = random_source == "cards" and card_replaces == "throw"
    return sum(
        chance
        * at_most(thrown + edge - 1, defence_dice, sides, multi_dice_doubles, defence_chain == "chain", bonus, by_throw)
        for (thrown, _), chance in throws(attack_dice, sides, multi_dice_doubles, by_throw).items()
    )


def engines_own(attack_dice: int, defence_dice: int, edge: int, bonus: bool = True, **readings) -> float:
    by = Thrown(
        6,
        readings.get("random_source") == "cards",
        readings.get("multi_dice_doubles", "never"),
        readings.get("defence_chain") == "chain",
        readings.get("card_replaces") != "die",
    )
    return win_chance(by, attack_dice, defence_dice, edge, bonus)


# ---------------------------------------------------------------- exact


FIGHTS = {
    "equal values, no bonus": ((2, 2, 0, False), Fraction(575, 1296), 0.443673),
    "equal values": ((2, 2, 0), Fraction(9281, 23328), 0.397848),
    "2 against 4, no bonus": ((2, 2, -2, False), Fraction(155, 648), 0.239198),
    "2 against 4": ((2, 2, -2), Fraction(1247, 5832), 0.213820),
    "10 against the King": ((2, 3, 0), None, 0.1520),
    "10 against the Queen": ((2, 2, -4), None, 0.0873),
    "assassin against the King": ((4, 3, -2), Fraction(163985, 279936), 0.585795),
    "assassin against the King, his Queen dead": ((4, 2, -2), None, 0.7822),
    "assassin against the Queen": ((4, 2, -6), None, 0.4927),
    "ram against the Jack": ((4, 2, -8), None, 0.3262),
    "ram against the King": ((4, 3, -8), None, 0.1372),
    "ram against the Queen": ((4, 2, -12), None, 0.0866),
}


@pytest.mark.parametrize("fight", FIGHTS)
def test_the_chances_of_the_rules(fight):
    numbers, exact, decimal = FIGHTS[fight]
    here = counted(*numbers)
    assert exact is None or here == exact
    digits = HALF_A_DIGIT if len(str(decimal)) > 6 else 5e-5
    assert float(here) == pytest.approx(decimal, abs=digits * 1.001)
    assert engines_own(*numbers) == pytest.approx(float(here), abs=1e-12)
    if len(numbers) == 3:
        assert Table().tables.win[numbers[0], numbers[1], NO_EDGE + numbers[2]] == pytest.approx(float(here), abs=1e-12)


@pytest.mark.parametrize("sets", READINGS, ids=spelled)
def test_every_edge_under_every_reading(sets):
    """C12, C15, C37: for the dice of archers, ram, assassin and ordinary attacks against two and three dice."""
    win = Table(**sets).tables.win
    for attack_dice, defence_dice in product((2, 4) if "card_replaces" not in sets else (2,), (2, 3)):
        for edge in EDGES:
            here = float(counted(attack_dice, defence_dice, edge, **sets))
            assert win[attack_dice, defence_dice, NO_EDGE + edge] == pytest.approx(here, abs=1e-12), (
                attack_dice,
                defence_dice,
                edge,
            )
            assert engines_own(attack_dice, defence_dice, edge, **sets) == pytest.approx(here, abs=1e-12)


def test_saboteurs_and_barricades_without_dice_are_in_the_table():
    table = Table(saboteur=True, barricade=True)
    assert table.tables.win[3, 2, NO_EDGE - 1] == pytest.approx(float(counted(3, 2, -1)), abs=1e-12)
    assert table.tables.win[2, 3, NO_EDGE + 1] == pytest.approx(float(counted(2, 3, 1)), abs=1e-12)


def test_doubles():
    """5/36 of other doubles, 1/36 of snake eyes."""
    assert sum(chance for (_, double), chance in throws(2, 6, "never").items() if double) == Fraction(5, 36)
    assert throws(2, 6, "never")[2, False] == Fraction(1, 36)


# ---------------------------------------------------------------- the engine's dice


@jit
def play_all(states, tables, action):
    """The same action in every state."""
    for i in range(states.shape[0]):
        apply(states[i], tables, action)


def outcomes(table: Table, act: Act, argument: int, seed: int) -> np.ndarray:
    """The states after one action of the table's position, each with dice of its own."""
    assert table.can(act, argument)
    states = np.repeat(table.states, ATTEMPTS)
    words = np.random.default_rng(seed).integers(0, 2**64, (2, ATTEMPTS), np.uint64)
    states["luck"][:, Luck.ATTACK], states["luck"][:, Luck.DEFENCE] = words
    play_all(states, table.tables, np.int32(act * ARGUMENTS + argument))
    return states


def in_standard_errors(count: int, exact: float) -> float:
    return abs(count / ATTEMPTS - exact) / sqrt(exact * (1 - exact) / ATTEMPTS)


def drawn(lead: str, castle: str = "") -> Callable[..., Table]:
    """The set-up of an attack with a card that was drawn, on a castle or on the Court as it is."""

    def table(**sets) -> Table:
        laid = Table(**sets).castle(1, castle) if castle else Table(**sets)
        return laid.draw(lead)

    return table


def ace(second: str, castle: str) -> Callable[..., Table]:
    """The set-up of an attack with an Ace and a second card."""

    def table(**sets) -> Table:
        led = Table(**sets).castle(1, castle).deck("AH", second, "3S").play(Act.DRAW).play(Act.LEAD).play(Act.FIRST, 0)
        return led.end() if led.stage == Stage.REVEAL else led

    return table


POSITIONS = {  # set-up, action, the card that may fall, dice and edge
    "equal values": (drawn("10H", "10D\nQD JD KD"), Act.ATTACK, at(1, 1, 0), "10D", (2, 2, 0)),
    "2 against 4": (drawn("2H", "4D\nQD JD KD"), Act.ATTACK, at(1, 1, 0), "4D", (2, 2, -2)),
    "10 against the King": (drawn("10H"), Act.ATTACK, at(1, 0, 5), "KD", (2, 3, 0)),
    "10 against the Queen": (drawn("10H"), Act.ATTACK, at(1, 0, 3), "QD", (2, 2, -4)),
    "assassin against the King": (ace("8S", "QD JD KD"), Act.ATTACK, at(1, 0, 2), "KD", (4, 3, -2)),
    "assassin, his Queen dead": (ace("8S", ". JD KD"), Act.ATTACK, at(1, 0, 2), "KD", (4, 2, -2)),
    "assassin against the Queen": (ace("8S", "QD JD KD"), Act.ATTACK, at(1, 0, 0), "QD", (4, 2, -6)),
    "ram against the Jack": (ace("2S", "JD QD KD"), Act.RAM, 2, "JD", (4, 2, -8)),
    "ram against the King": (ace("2S", "KD QD JD"), Act.RAM, 2, "KD", (4, 3, -8)),
    "ram against the Queen": (ace("2S", "QD KD JD"), Act.RAM, 2, "QD", (4, 2, -12)),
}


@pytest.mark.rotating
@pytest.mark.parametrize("fight", POSITIONS)
def test_simulated_fights(fight):
    set_up, act, argument, target, numbers = POSITIONS[fight]
    fallen = ~(outcomes(set_up(), act, argument, seed=7)["castle"][:, 1, :] == card(target)).any(axis=1)
    assert in_standard_errors(fallen.sum(), float(counted(*numbers))) < 5


@pytest.mark.rotating
@pytest.mark.parametrize("sets", READINGS[1:], ids=spelled)
@pytest.mark.parametrize("fight", ["equal values", "assassin against the King"])
def test_simulated_fights_under_other_readings(fight, sets):
    set_up, act, argument, target, numbers = POSITIONS[fight]
    fallen = ~(outcomes(set_up(**sets), act, argument, seed=8)["castle"][:, 1, :] == card(target)).any(axis=1)
    assert in_standard_errors(fallen.sum(), float(engines_own(*numbers, **sets))) < 5


def test_simulated_doubles():
    """Against a King who cannot be beaten a double alone brings a second choice, snake eyes alone a removal."""
    table = Table(**{"rank.king.value": 20}).castle(0, "5C\nQC JC KC").draw("2H").deck("4S")
    states = outcomes(table, Act.ATTACK, at(1, 0, 5), seed=9)
    assert (states["castle"][:, 1, :SQUARES] != NONE).sum() == 3 * ATTEMPTS
    for stage, chance in ((Stage.TARGET, 5 / 36), (Stage.REMOVE, 1 / 36)):
        assert in_standard_errors((states["stage"] == stage).sum(), chance) < 5
