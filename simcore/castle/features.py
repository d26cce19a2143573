"""Inputs of a value function (`simcore.features.Features`) for Castle.

They describe each player's castle, royals and reserves, and the current attack.

`write` and each `write_*` modify `features`.
"""

import numpy as np
from numba import literal_unroll

from bartizan.simcore.castle.components import NONE, SEATS, SQUARES, Attack, Royal, Stage
from bartizan.simcore.castle.rules.decks import deck_left, jokers_of
from bartizan.simcore.castle.rules.grid import around, count, pool_worth, reachable, worth
from bartizan.simcore.compile.jit import jit
from bartizan.simcore.features import Features

TABLE = ["time_gone", "turn", "deck", "setting_up", "somebody_adds", "force", "king_attacked", "attack_won"]
PLAYER = (
    *("alive", "cards", "face_up", "worth", "queen", "jack", "king_shown", "king_known", "king_in_reach"),
    *("king_neighbours", "cards_in_reach", "reserves", "reserves_worth", "jokers", "on_turn", "attacks"),
    *("attacked", "under_attack"),
)
WORDS = {
    "king_attacked": "King under attack",
    "queen": "Queen",
    "jack": "Jack",
    "king_shown": "King shown",
    "king_known": "King known to others",
    "king_in_reach": "King in reach",
    "king_neighbours": "neighbours of the King",
    "reserves": "reinforcements",
    "reserves_worth": "worth of reinforcements",
    "jokers": "Jokers",
}
FIELDS = np.dtype([*((name, "f8") for name in TABLE), *((name, "f8", (SEATS,)) for name in PLAYER)])
# face-down cards in the own castle, and who has seen them
OWN = {"worth", "king_known", "king_in_reach", "king_neighbours"}
RESERVES = {"reserves", "reserves_worth"}
HIDDEN = {"king_attacked"}  # the attacked card may still be face down, for its attacker too

USUAL_TURNS = 40


@jit
def write(state, tables, features):
    for name in literal_unroll(PLAYER):
        features[name][:] = 0.0
    fights = state.attack != Attack.NONE and state.defender != NONE
    for p in range(tables.players):
        if state.alive[p]:
            ground = reachable(state, p)
            write_castle(state, tables, p, ground, features)
            write_king(state, p, ground, features)
            features.on_turn[p] = state.on_turn == p
            features.attacks[p] = state.attack != Attack.NONE and state.attacker == p
            attacked = state.attack != Attack.NONE and state.defender == p
            features.attacked[p] = attacked
            features.under_attack[p] = count(state.named) if attacked else 0
    features.time_gone = state.turn / (state.turn + USUAL_TURNS)
    features.turn = state.turn
    features.deck = deck_left(state)
    features.setting_up = (
        state.stage == Stage.SETUP or state.stage == Stage.HAND or state.stage == Stage.CHOOSE
    )
    features.somebody_adds = state.stage == Stage.ADD
    features.force = state.force if fights else 0
    features.king_attacked = (
        fights and state.target_card != NONE and state.target_card == state.royal[state.defender, Royal.KING]
    )
    features.attack_won = state.won if fights else 0


@jit
def write_castle(state, tables, p, ground, features):
    """Write the features of a player's castle and cards. ground: mask of reachable squares."""
    total = 0
    for s in range(SQUARES):
        if state.castle[p, s] != NONE:
            total += worth(tables, state.castle[p, s])
    features.alive[p] = 1.0
    features.cards[p] = count(state.occupied[p])
    features.face_up[p] = count(state.up[p])
    features.worth[p] = total
    features.queen[p] = state.royal[p, Royal.QUEEN] != NONE
    features.jack[p] = state.royal[p, Royal.JACK] != NONE
    features.cards_in_reach[p] = count(ground)
    features.reserves[p] = count(state.pool[p])
    features.reserves_worth[p] = pool_worth(tables, state.pool[p])
    features.jokers[p] = jokers_of(state, p)


@jit
def write_king(state, p, ground, features):
    """Write the features of a player's King. ground: mask of reachable squares."""
    for s in range(SQUARES):
        card = state.castle[p, s]
        if card != NONE and card == state.royal[p, Royal.KING]:
            features.king_shown[p] = state.up[p] >> s & 1
            features.king_known[p] = (state.seen_by[card] & ~(1 << p)) != 0
            features.king_in_reach[p] = ground >> s & 1
            features.king_neighbours[p] = count(around(1 << s) & state.occupied[p])


def open_to(seat, scenario):
    """Return the names of the features that a player may know: open information and the own castle."""
    together = scenario.model.rulings["reinforcement_order"] == "simultaneous"  # C8b: added face down
    return FEATURES.known_to(seat, OWN | RESERVES if together else OWN, HIDDEN)


FEATURES = Features(FIELDS, write, open_to, WORDS)
