"""Rare events of Escape from Colditz, and the progress of a game towards them.

Progress is -1 if the event can no longer occur.
"""

from bartizan.simcore.colditz.components import EQUIPMENT, TEAM, Zone
from bartizan.simcore.colditz.rules.pawns import on_surface
from bartizan.simcore.compile.jit import jit
from bartizan.simcore.game import Rare

BEFORE = 10  # round
ENOUGH = 3  # maximum Equipment cards that count
WITH_KIT = ENOUGH + 1
OUT = WITH_KIT + ENOUGH + 1
ESCAPED = OUT + 2


@jit
def early_escape(state, tables):
    """Return the highest progress of any Allied player towards an early escape.

    Returns ESCAPED if a POW has escaped, other than by Do or Die, before round BEFORE, and -1 if this can no
    longer happen.
    """
    if 0 < state.first_escape < BEFORE:
        return ESCAPED
    if state.round >= BEFORE or state.end_reason != 0:
        return -1
    best = 0
    for p in range(tables.players):
        best = max(best, readiness(state, tables, p))
    return best


@jit
def readiness(state, tables, p):
    """Return a player's progress: the number of Equipment cards, at most ENOUGH.

    It is higher with an Escape Kit, and highest if a POW is also in the Outer Area or Outside.
    """
    held = 0
    for e in range(EQUIPMENT):
        held += state.equipment[p, e]
    held = min(held, ENOUGH)
    if not state.kit[p]:
        return held
    best = WITH_KIT + held
    for w in range(p * TEAM, (p + 1) * TEAM):
        if on_surface(state, w):
            zone = tables.board.zone[state.pow_at[w]]
            if zone == Zone.OUTER:
                best = max(best, OUT)
            elif zone == Zone.OUTSIDE:
                best = max(best, OUT + 1)
    return best


RARE = {
    f"escape-before-{BEFORE}": Rare(
        f"an Allied POW escapes before round {BEFORE}, other than by Do or Die",
        early_escape,
        lambda scenario: ESCAPED,
    )
}
