"""What a guess at the winner looks at (`simcore.game.Outlook`): each player's stacks, hand and permanents, and the turn at hand."""

from simcore.game import Outlook
from simcore.jit import jit
from simcore.rampage.components import NONE, PERMS, ROOM, SEATS, STRUCTURES, UNITS, Stage
from simcore.rampage.rules.piles import pile_left

PLAYER = (
    "hand",
    "best attack in hand",
    "attack in hand",
    "Gate",
    "Castle",
    "defence of the Gate",
    "defence of the Castle",
    "top of the Gate",
    "top of the Castle",
    "top of the Gate known",
    "top of the Castle known",
    "permanents",
    "drawing",
    "attacking",
    "guarding",
    "strengthening",
    *(f"unit {unit + 1} in hand" for unit in range(UNITS)),
    "on turn",
    "on turn, not begun",
    "strength",
)
TABLE = ("turn", "pile", "setting up", "plays")


@jit
def write(state, tables, out):
    """Modifies `out`."""
    for p in range(SEATS):
        write_hand(state, tables, p, out)
        write_stacks(state, tables, p, out)
        for i in range(PERMS):
            out[(12 + i) * SEATS + p] = state.perm[p, i]
        n = 16 + UNITS
        mine = state.turn_of == p
        out[11 * SEATS + p] = state.n_laid[p]
        out[n * SEATS + p] = mine
        out[(n + 1) * SEATS + p] = mine and state.fresh == 1
        out[(n + 2) * SEATS + p] = state.strength if mine and state.card != NONE and state.to_place == NONE else 0
    n = len(PLAYER) * SEATS
    out[n] = state.turn
    out[n + 1] = pile_left(state)
    out[n + 2] = state.stage == Stage.SETUP_GATE or state.stage == Stage.SETUP_CASTLE
    out[n + 3] = state.plays


@jit
def write_hand(state, tables, p, out):
    best, total = 0, 0
    for unit in range(UNITS):
        out[(16 + unit) * SEATS + p] = 0.0
    for k in range(tables.kinds):
        held = state.hand[p, k]
        if held > 0:
            best = max(best, tables.attack[k])
            total += held * tables.attack[k]
            for unit in range(UNITS):
                out[(16 + unit) * SEATS + p] += held * (tables.shows[k] >> unit & 1)
    out[p] = state.hand_size[p]
    out[SEATS + p] = best
    out[2 * SEATS + p] = total


@jit
def write_stacks(state, tables, p, out):
    for structure in range(STRUCTURES):
        total, top = 0, 0
        for i in range(state.size[p, structure]):
            k = state.stack[p, structure, state.top[p, structure] + i & ROOM - 1]
            total += tables.defence[k, structure]
            if i == 0:
                top = tables.defence[k, structure]
        out[(3 + structure) * SEATS + p] = state.size[p, structure]
        out[(5 + structure) * SEATS + p] = total
        out[(7 + structure) * SEATS + p] = top
        out[(9 + structure) * SEATS + p] = state.known[p, structure]


OUTLOOK = Outlook((*(f"{name} of player {p + 1}" for name in PLAYER for p in range(SEATS)), *TABLE), write)
