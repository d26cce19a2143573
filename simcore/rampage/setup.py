"""Section 2: the set-up, up to the first turn."""

from numba import literal_unroll

from bartizan.simcore.compile.jit import jit
from bartizan.simcore.rampage.components import NONE, PERMS, SEATS, STRUCTURES, Step
from bartizan.simcore.rampage.rules.dealing import deal
from bartizan.simcore.rampage.rules.piles import shuffle_pile
from bartizan.simcore.rampage.state import TALLIES
from bartizan.simcore.rampage.turns import advance


@jit
def reset(state, tables):
    """2.1, and the first deal, up to the first decision. Modifies `state`."""
    clear(state)
    for k in range(tables.kinds):
        state.aside[k] = tables.count[k]
    shuffle_pile(state, tables)
    deal(state, tables)
    state.after = Step.SETUP
    advance(state, tables)


@jit
def clear(state):
    """Modifies `state`."""
    state.n_events = 0
    state.turn = state.plays = state.strengthened = 0
    state.on_turn = 0
    state.loser = state.card = state.drawn = state.to_place = state.attacked = NONE
    state.fresh = 0
    state.pile_size = state.pile_next = state.shuffles = 0
    state.batch = state.placed = 0
    state.boosts = state.need = state.left = state.strength = state.outcome = state.texts = 0
    state.entry = NONE
    state.effects_done = state.attack_done = 0
    state.n_plays = state.n_boosts = state.n_strengthened = state.n_texts = state.n_drawn = 0
    for name in literal_unroll(TALLIES):
        state[name] = 0
    for k in range(state.tired.shape[0]):
        state.tired[k] = state.discards[k] = state.resting[k] = state.aside[k] = 0
        state.got[k] = 0
    for p in range(SEATS):
        clear_seat(state, p)


@jit
def clear_seat(state, p):
    """Modifies `state`."""
    state.hand_size[p] = state.n_laid[p] = 0
    state.held[p] = 0
    for k in range(state.tired.shape[0]):
        state.hand[p, k] = state.dealt[p, k] = state.laid[p, k] = state.front[p, k] = 0
    for units in range(state.shows.shape[1]):
        state.shows[p, units] = 0
    for i in range(PERMS):
        state.perm[p, i] = 0
    for structure in range(STRUCTURES):
        state.top[p, structure] = state.size[p, structure] = state.known[p, structure] = 0
