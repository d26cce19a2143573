"""Inputs of a value function (`simcore.features.Features`) for Castle Rampage.

They describe each player's stacks, hand and permanents, and the current turn.
"""

import numpy as np

from bartizan.simcore.compile.jit import jit
from bartizan.simcore.features import Features
from bartizan.simcore.kit.tables import scalars
from bartizan.simcore.rampage import components as c
from bartizan.simcore.rampage.rules.zones import pile_left

OF_PLAYER = (
    *("hand", "best_attack", "attack", "gate", "castle", "gate_defence", "castle_defence", "gate_top"),
    *("castle_top", "gate_known", "castle_known", "permanents", "drawing", "attacking", "guarding"),
    "strengthening",
)
OF_TURN = ("on_turn", "not_begun", "strength")
WORDS = {
    "best_attack": "best attack in hand",
    "attack": "attack in hand",
    "gate": "Gate",
    "castle": "Castle",
    "gate_defence": "defence of the Gate",
    "castle_defence": "defence of the Castle",
    "gate_top": "top of the Gate",
    "castle_top": "top of the Castle",
    "gate_known": "top of the Gate known",
    "castle_known": "top of the Castle known",
    "units_in_hand": "unit {} in hand of player {}",
    "not_begun": "on turn, not begun",
}
FIELDS = np.dtype(
    [
        *scalars("f8", "time_gone turn pile setting_up plays"),
        *((name, "f8", (c.SEATS,)) for name in OF_PLAYER),
        ("units_in_hand", "f8", (c.UNITS, c.SEATS)),
        *((name, "f8", (c.SEATS,)) for name in OF_TURN),
    ]
)
# the own hand, and the own stacks, whose order a player remembers (1.6)
OWN = {"best_attack", "attack", "gate_defence", "castle_defence", "gate_top", "castle_top", "units_in_hand"}
USUAL_TURNS = 20


@jit
def write(state, tables, features):
    features.time_gone = state.turn / (state.turn + USUAL_TURNS)
    features.turn = state.turn
    features.pile = pile_left(state)
    features.setting_up = state.stage == c.Stage.SETUP_GATE or state.stage == c.Stage.SETUP_CASTLE
    features.plays = state.plays
    for p in range(c.SEATS):
        write_hand(state, tables, p, features)
        # stacks
        features.gate[p] = state.size[p, c.Structure.GATE]
        features.gate_known[p] = state.known[p, c.Structure.GATE]
        features.gate_defence[p], features.gate_top[p] = defences(state, tables, p, c.Structure.GATE)
        features.castle[p] = state.size[p, c.Structure.CASTLE]
        features.castle_known[p] = state.known[p, c.Structure.CASTLE]
        features.castle_defence[p], features.castle_top[p] = defences(state, tables, p, c.Structure.CASTLE)
        # permanents
        features.permanents[p] = state.n_laid[p]
        features.drawing[p] = state.perm[p, c.PERM_DRAW]
        features.attacking[p] = state.perm[p, c.PERM_ATTACK]
        features.guarding[p] = state.perm[p, c.PERM_GATE]
        features.strengthening[p] = state.perm[p, c.PERM_STRENGTHEN]
        # the current turn
        is_on_turn = state.on_turn == p
        strikes = is_on_turn and state.card != c.NONE and state.to_place == c.NONE
        features.on_turn[p] = is_on_turn
        features.not_begun[p] = is_on_turn and state.fresh == 1
        features.strength[p] = state.strength if strikes else 0


@jit
def write_hand(state, tables, p, features):
    best, total = 0, 0
    features.units_in_hand[:, p] = 0.0
    for k in range(tables.kinds):
        held = state.hand[p, k]
        if held > 0:
            best = max(best, tables.attack[k])
            total += held * tables.attack[k]
            for unit in range(c.UNITS):
                features.units_in_hand[unit, p] += held * (tables.shows[k] >> unit & 1)
    features.hand[p] = state.hand_size[p]
    features.best_attack[p] = best
    features.attack[p] = total


@jit
def defences(state, tables, p, structure):
    """Return the total defence of the cards in a structure, and the defence of its top card."""
    total, top = 0, 0
    for i in range(state.size[p, structure]):
        k = state.stack[p, structure, state.top[p, structure] + i & c.ROOM - 1]
        total += tables.defence[k, structure]
        if i == 0:
            top = tables.defence[k, structure]
    return total, top


def open_to(seat, scenario):
    """Return the names of the features that a player may know: open information and the own cards."""
    return FEATURES.known_to(seat, OWN)


FEATURES = Features(FIELDS, write, open_to, WORDS)
