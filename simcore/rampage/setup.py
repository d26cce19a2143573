"""Section 2: the set-up, up to the first turn."""

from bartizan.simcore.compile.jit import jit
from bartizan.simcore.rampage.components import NONE, PERMS, SEATS, STRUCTURES, SecondDeal, SetAside, Step
from bartizan.simcore.rampage.rules.hands import gain
from bartizan.simcore.rampage.rules.piles import pile_left, shuffle_pile


@jit
def lay_out(state, tables):
    """2.1, and the first deal. Modifies `state`."""
    clear(state)
    for k in range(tables.kinds):
        state.aside[k] = tables.count[k]
    shuffle_pile(state, tables)
    deal(state, tables)
    state.after = Step.SETUP


@jit
def clear(state):
    """Modifies `state`."""
    state.turn = state.plays = state.strengthened = 0
    state.turn_of = 0
    state.loser = state.card = state.drawn = state.to_place = state.attacked = NONE
    state.fresh = 0
    state.pile_size = state.pile_next = state.shuffles = 0
    state.batch = state.placed = 0
    state.boosts = state.need = state.left = state.strength = state.outcome = state.texts = 0
    state.entry = NONE
    state.effects_done = state.attack_done = 0
    state.n_plays = state.attacks = state.repelled = state.traded = state.felled = state.to_castle = 0
    state.n_boosts = state.n_strengthened = state.paid = state.lost_cards = state.n_texts = 0
    state.raised = state.razed = state.n_drawn = state.reshuffles = state.stuck = 0
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


@jit
def deal(state, tables):
    """2.2, A3, A4: one batch for both players. Modifies `state`."""
    replaces = state.batch == 0 or tables.second_deal == SecondDeal.replaced
    for p in range(SEATS):
        missing = tables.batch_size
        while missing > 0 and pile_left(state) > 0:
            k = state.pile[state.pile_next]
            state.pile_next += 1
            if tables.purple[k] and replaces:
                state.aside[k] += 1
            else:
                state.dealt[p, k] += 1
                missing -= 1
    if tables.set_aside == SetAside.each_batch or state.batch == tables.batches - 1:
        put_back(state, tables)


@jit
def put_back(state, tables):
    """2.2: the pile is shuffled anew if any card was set aside. Modifies `state`."""
    for k in range(tables.kinds):
        if state.aside[k] > 0:
            shuffle_pile(state, tables)
            return


@jit
def keep(state, tables, p):
    """2.3, 2.4: what is left of the batch joins the hand. Modifies `state`."""
    for k in range(tables.kinds):
        for _ in range(state.dealt[p, k]):
            gain(state, tables, p, k)
            state.got[k] += 1
        state.dealt[p, k] = 0
