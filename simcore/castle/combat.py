"""Simulation of single fights with the engine's own rules and dice.

It verifies the exact odds (`simcore.castle.odds`).
"""

from typing import NamedTuple

import numpy as np

from bartizan.simcore.arrays import as_records
from bartizan.simcore.castle import components as c
from bartizan.simcore.castle.actions import square_target
from bartizan.simcore.castle.rules.fight import aim, roll_both
from bartizan.simcore.castle.rules.grid import bit, put
from bartizan.simcore.castle.setup import clear_table
from bartizan.simcore.castle.state import STATE
from bartizan.simcore.compile.jit import jit
from bartizan.simcore.rng import seed_luck

JOKER = -1  # in place of the defending rank
ATTACKER, DEFENDER = 0, 1
SQUARE = 6  # any of the Court


class Fight(NamedTuple):
    """One fight: the dice and values of the attack and of the defence."""

    attack: int  # Attack
    lead: int  # rank, 0 Ace .. 12 King
    force: int  # the attacker's bonus to the dice
    dice: int  # number of the attacker's dice
    rank: int  # of the defending card, or JOKER
    queen: bool  # the defender's Queen is alive
    hidden: bool  # the target was face down
    same_suit: bool  # lead and target have the same suit
    attack_adds: int  # value of the attacker's reinforcements
    defence_adds: int


def simulate(tables: np.ndarray, fight: Fight, attempts: int, seed: int) -> np.ndarray:
    """Simulate fights of one kind. Return uint8 [attempts], 1 for fights that the attacker wins.

    Attempt i uses the random numbers of game i of the seed.
    """
    won = np.empty(attempts, np.uint8)
    states, blank = np.zeros((2, 1), STATE)
    fights(states, blank, as_records(tables)[0], fight, seed, won)
    return won


@jit
def fights(states, blank, tables, fight, seed, won):
    """Simulate one fight for each element of `won`, and store whether the attacker won.

    states, blank: arrays of one state each. Modifies `won` and `states`.
    """
    for i in range(won.shape[0]):
        states[0] = blank[0]
        fight_once(states[0], tables, fight, seed, i)
        won[i] = states[0].won


@jit
def fight_once(state, tables, fight, seed, attempt):
    """Simulate one fight in `state`, which must be blank and is modified."""
    seed_luck(state, seed, attempt)
    clear_table(state, tables)
    state.attack, state.attacker = fight.attack, ATTACKER
    state.lead, state.force, state.attack_dice = fight.lead, fight.force, fight.dice
    state.lead_royal = fight.lead - c.FIRST_ROYAL_RANK if fight.lead >= c.FIRST_ROYAL_RANK else c.NONE
    state.kept[ATTACKER] = fight.attack_adds
    set_up_target(state, tables, fight)
    roll_both(state, tables)


@jit
def set_up_target(state, tables, fight):
    suit = 0 if fight.same_suit else 1
    for k in range(c.ROYALS):
        if k != c.Royal.QUEEN or fight.queen:
            state.royal[DEFENDER, k] = suit * c.RANKS + c.FIRST_ROYAL_RANK + k
    if fight.rank == JOKER:
        state.jokers[DEFENDER] = bit(c.FIRST_JOKER)
        aim(state, tables, c.JOKER_TARGET + DEFENDER)
    else:
        put(state, DEFENDER, SQUARE, suit * c.RANKS + fight.rank, not fight.hidden)
        aim(state, tables, square_target(DEFENDER, SQUARE))
        state.turned_up = state.first_up = bit(SQUARE) if fight.hidden else 0
        state.up[DEFENDER] |= bit(SQUARE)
    state.kept[DEFENDER] = fight.defence_adds
