"""The set-up, up to the first turn (section 2)."""

from bartizan.simcore.compile.jit import jit
from bartizan.simcore.rampage.components import NONE, Step
from bartizan.simcore.rampage.rules.zones import deal, shuffle_pile
from bartizan.simcore.rampage.turns import advance


@jit
def reset(state, tables):
    """Set up the game with the first deal, up to the first decision (2.1). Modifies `state`."""
    state.loser = state.card = state.drawn = state.to_place = state.attacked = state.entry = NONE
    for k in range(tables.kinds):
        state.aside[k] = tables.count[k]
    shuffle_pile(state, tables)
    deal(state, tables)
    state.after = Step.SETUP
    advance(state, tables)
