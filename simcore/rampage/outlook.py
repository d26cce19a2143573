"""What a guess at the winner looks at (`simcore.game.Outlook`): each player's stacks, hand and permanents,
and the turn at hand.
"""

from bartizan.simcore.compile.jit import jit
from bartizan.simcore.game import Outlook
from bartizan.simcore.rampage.components import NONE, PERMS, ROOM, SEATS, STRUCTURES, UNITS, Stage
from bartizan.simcore.rampage.rules.piles import pile_left

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
TABLE = ("time gone", "turn", "pile", "setting up", "plays")
# his hand, and his stacks, whose order he remembers (1.6)
OWN = {
    "best attack in hand",
    "attack in hand",
    "defence of the Gate",
    "defence of the Castle",
    "top of the Gate",
    "top of the Castle",
    *(f"unit {unit + 1} in hand" for unit in range(UNITS)),
}
USUAL_TURNS = 20


@jit
def write(state, tables, out):
    """Modifies `out`."""
    out[0] = state.turn / (state.turn + USUAL_TURNS)
    out[1] = state.turn
    out[2] = pile_left(state)
    out[3] = state.stage == Stage.SETUP_GATE or state.stage == Stage.SETUP_CASTLE
    out[4] = state.plays
    for p in range(SEATS):
        n = len(TABLE) + p  # column by column, a column a number
        write_hand(state, tables, p, out, n)
        write_stacks(state, tables, p, out, n)
        for i in range(PERMS):
            out[n + (12 + i) * SEATS] = state.perm[p, i]
        mine = state.turn_of == p
        out[n + 11 * SEATS] = state.n_laid[p]
        out[n + (16 + UNITS) * SEATS] = mine
        out[n + (17 + UNITS) * SEATS] = mine and state.fresh == 1
        out[n + (18 + UNITS) * SEATS] = (
            state.strength if mine and state.card != NONE and state.to_place == NONE else 0
        )


@jit
def write_hand(state, tables, p, out, n):
    best, total = 0, 0
    for unit in range(UNITS):
        out[n + (16 + unit) * SEATS] = 0.0
    for k in range(tables.kinds):
        held = state.hand[p, k]
        if held > 0:
            best = max(best, tables.attack[k])
            total += held * tables.attack[k]
            for unit in range(UNITS):
                out[n + (16 + unit) * SEATS] += held * (tables.shows[k] >> unit & 1)
    out[n] = state.hand_size[p]
    out[n + SEATS] = best
    out[n + 2 * SEATS] = total


@jit
def write_stacks(state, tables, p, out, n):
    for structure in range(STRUCTURES):
        total, top = 0, 0
        for i in range(state.size[p, structure]):
            k = state.stack[p, structure, state.top[p, structure] + i & ROOM - 1]
            total += tables.defence[k, structure]
            if i == 0:
                top = tables.defence[k, structure]
        out[n + (3 + structure) * SEATS] = state.size[p, structure]
        out[n + (5 + structure) * SEATS] = total
        out[n + (7 + structure) * SEATS] = top
        out[n + (9 + structure) * SEATS] = state.known[p, structure]


def open_to(seat, scenario):
    """What a player may know: all that lies open, and what is his own."""
    of = [
        f"{name} of player {p + 1}" for name in PLAYER for p in range(SEATS) if p == seat or name not in OWN
    ]
    return (*TABLE, *of)


OUTLOOK = Outlook(
    (*TABLE, *(f"{name} of player {p + 1}" for name in PLAYER for p in range(SEATS))), write, open_to
)
