"""Single fights by the thousand with the engine's own rules and dice: what exact odds (`simcore.castle.odds`)
are held against.

No game is played.
"""

import numpy as np

from bartizan.simcore.castle.actions import square_target
from bartizan.simcore.castle.components import (
    FIRST_JOKER,
    FIRST_ROYAL_RANK,
    JOKER_TARGET,
    NONE,
    RANKS,
    ROYALS,
    Attack,
    Royal,
)
from bartizan.simcore.castle.rules.fight import aim, roll_both
from bartizan.simcore.castle.rules.grid import bit, put
from bartizan.simcore.castle.setup import clear
from bartizan.simcore.castle.state import STATE
from bartizan.simcore.compile.jit import jit
from bartizan.simcore.rng import seed_luck

JOKER = -1  # in place of the rank that defends
ATTACKER, DEFENDER = 0, 1
SQUARE = 6  # any of the Court


def simulate(
    tables: np.ndarray,
    attack: Attack,
    lead: int,
    force: int,
    dice: int,
    rank: int,
    queen: bool,
    hidden: bool,
    adds: tuple[int, int],
    same_suit: bool,
    attempts: int,
    seed: int,
):
    """Fights of one kind: uint8 [attempts], 1 where the attacker wins. Attempt i has the luck of game i of
    the seed.

    lead, rank: 0 Ace .. 12 King (rank may be JOKER); force, dice: the attacker's; queen: the defender's Queen
    lives; hidden: the target was face down; adds: reinforcements.
    """
    won = np.empty(attempts, np.uint8)
    state = np.zeros(1, STATE).view(np.recarray)[0]
    fights(
        state,
        tables.view(np.recarray)[0],
        int(attack),
        lead,
        force,
        dice,
        rank,
        queen,
        hidden,
        adds[0],
        adds[1],
        same_suit,
        seed,
        won,
    )
    return won


@jit
def fights(
    state,
    tables,
    attack,
    lead,
    force,
    dice,
    rank,
    queen,
    hidden,
    attack_add,
    defence_add,
    same_suit,
    seed,
    won,
):
    """Fill `won`. Modifies `state`."""
    for i in range(won.shape[0]):
        seed_luck(state, seed, i)
        clear(state, tables)
        state.attack, state.attacker, state.lead, state.force, state.attack_dice = (
            attack,
            ATTACKER,
            lead,
            force,
            dice,
        )
        state.lead_royal = lead - FIRST_ROYAL_RANK if lead >= FIRST_ROYAL_RANK else NONE
        suit = 0 if same_suit else 1
        for k in range(ROYALS):
            if k != Royal.QUEEN or queen:
                state.royal[DEFENDER, k] = suit * RANKS + FIRST_ROYAL_RANK + k
        if rank == JOKER:
            state.jokers[DEFENDER] = bit(FIRST_JOKER)
            aim(state, tables, JOKER_TARGET + DEFENDER)
        else:
            put(state, DEFENDER, SQUARE, suit * RANKS + rank, not hidden)
            aim(state, tables, square_target(DEFENDER, SQUARE))
            state.turned_up = state.first_up = bit(SQUARE) if hidden else 0
            state.up[DEFENDER] |= bit(SQUARE)
        state.kept[ATTACKER], state.kept[DEFENDER] = attack_add, defence_add
        roll_both(state, tables)
        won[i] = state.won
