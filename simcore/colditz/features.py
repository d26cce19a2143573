"""Inputs of a value function (`simcore.features.Features`) for Escape from Colditz.

They describe escapes, the progress of each player, and the places of POWs and guards.

`write` and each `write_*` modify `features`.
"""

import numpy as np
from numba import literal_unroll

from bartizan.simcore.colditz.board_tables import LOADOUT
from bartizan.simcore.colditz.components import EQUIPMENT, GERMAN, PLAYERS, POWS, TEAM, Place, Stage, Zone
from bartizan.simcore.colditz.rules.decks import orders_held
from bartizan.simcore.colditz.rules.pawns import cards_held, guards_out, on_surface, team_size
from bartizan.simcore.compile.jit import jit_module
from bartizan.simcore.features import Features

FAR = 120  # steps: no way out with the cards held
THROW = 8  # typical points of a throw
UNDERGROUND = int(Zone.UNDERGROUND)  # compiled code does not compare a number with a member by `min`
TABLE = (
    "time_gone",
    "rounds_left",
    "last_round",
    "escapes",
    "by_do_or_die",
    "german_on_turn",
    "points_left",
    "guards_out",
    "guards_outside",
    "orders_held",
    "stakes_left",
    "posting",
)
PEOPLE = ("inner_cells", "outer_cells", "dead", "let_out")
PLAYER = ("team", "kit")
ERRAND = ("cards", "escapes_of", "by_do_or_die_of", "steps", "one_throw_away", "two_throws_away", "on_turn")
EACH = PLAYER + ERRAND
FIELDS = np.dtype(
    [
        *((name, "f8") for name in TABLE),
        ("zones", "f8", (UNDERGROUND + 1,)),  # POWs in each
        *((name, "f8") for name in PEOPLE),
        *((name, "f8", (PLAYERS,)) for name in PLAYER),
        ("equipment", "f8", (EQUIPMENT, PLAYERS)),
        *((name, "f8", (PLAYERS,)) for name in ERRAND),
    ]
)
EQUIPMENT_NAMES = ("wire cutters", "passes", "keys", "ropes")
WORDS = {
    "by_do_or_die": "by Do or Die",
    "german_on_turn": "German on turn",
    "zones": ("in the Appel", "in the courtyard", "in rooms", "in the Outer Area", "outside", "in tunnels"),
    "inner_cells": "in inner cells",
    "outer_cells": "in outer cells",
    "team": "in the game",
    "kit": "Kit",
    "equipment": tuple(f"{name} of player {p + 1}" for name in EQUIPMENT_NAMES for p in range(PLAYERS)),
    "escapes_of": "escapes",
    "by_do_or_die_of": "by Do or Die",
    "steps": "steps to a target",
}


def write(state, tables, features):
    for name in literal_unroll(EACH):
        features[name][:] = 0.0
    features.equipment[:] = 0.0
    for p in range(tables.players):
        write_player(state, tables, p, features)
    write_people(state, tables, features)
    write_guards(state, tables, features)
    features.time_gone = state.round / max(tables.rounds, 1)
    features.rounds_left = tables.rounds - state.round
    features.last_round = state.round >= tables.rounds
    features.escapes = state.escaped.any()
    features.by_do_or_die = state.staked_out.any()
    features.german_on_turn = state.to_move == GERMAN
    features.points_left = state.points
    features.orders_held = orders_held(state)
    features.stakes_left = state.stakes_size - state.stakes_next
    features.posting = state.stage == Stage.SETUP


def write_guards(state, tables, features):
    outside = 0
    for g in range(state.guard_at.shape[0]):
        outside += state.guard_at[g] > 0 and tables.board.zone[state.guard_at[g]] >= Zone.OUTER
    features.guards_out = guards_out(state)
    features.guards_outside = outside


def write_player(state, tables, p, features):
    steps = way_out(state, tables, p)
    features.team[p] = team_size(state, p)
    features.kit[p] = state.kit[p]
    for e in range(EQUIPMENT):
        features.equipment[e, p] = state.equipment[p, e]
    features.cards[p] = cards_held(state, p)
    features.escapes_of[p] = state.escaped[p]
    features.by_do_or_die_of[p] = state.staked_out[p]
    features.steps[p] = steps
    features.one_throw_away[p] = steps <= THROW
    features.two_throws_away[p] = steps <= 2 * THROW
    features.on_turn[p] = state.on_turn == p


def way_out(state, tables, p):
    """Return the number of steps from the player's nearest POW to the nearest target.

    Only routes for which the Equipment held is enough count. Returns FAR if there is no such route, or if the
    player has no Kit.
    """
    if not state.kit[p]:
        return FAR
    table, held = tables.board.way_out, state.equipment
    cutters, passes = min(held[p, 0], LOADOUT[0] - 1), min(held[p, 1], LOADOUT[1] - 1)
    keys, ropes = min(held[p, 2], LOADOUT[2] - 1), min(held[p, 3], LOADOUT[3] - 1)
    least = FAR
    for w in range(p * TEAM, (p + 1) * TEAM):
        if on_surface(state, w):
            d = table[cutters, passes, keys, ropes, state.pow_at[w]]
            if 0 <= d < least:
                least = int(d)
    return least


def write_people(state, tables, features):
    """Write the numbers of POWs in each zone, in the cells, dead, and returning from the outer cells."""
    features.zones[:] = 0.0
    features.let_out = 0.0
    features.inner_cells = features.outer_cells = features.dead = 0.0
    for w in range(POWS):
        at = state.pow_at[w]
        if at >= 0:
            features.zones[min(max(tables.board.zone[at], 0), UNDERGROUND)] += 1
            features.let_out += state.returning[w]
        else:
            features.inner_cells += at == Place.CELL_INNER
            features.outer_cells += at == Place.CELL_OUTER
            features.dead += at == Place.DEAD


jit_module(__name__)


FEATURES = Features(
    FIELDS,
    write,
    # pawns and Equipment are open; only the sizes of hands are known
    open_to=lambda seat, scenario: FEATURES.names,
    words=WORDS,
)
