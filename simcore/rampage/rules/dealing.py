"""2.2 - 2.4: a batch is dealt, and what is left of it joins the hands."""

from bartizan.simcore.compile.jit import jit
from bartizan.simcore.rampage.components import SEATS, SecondDeal, SetAside
from bartizan.simcore.rampage.rules.hands import gain
from bartizan.simcore.rampage.rules.piles import pile_left, shuffle_pile


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
        if state.aside[: tables.kinds].any():  # the pile is shuffled anew
            shuffle_pile(state, tables)


@jit
def keep(state, tables, p):
    """2.3, 2.4: what is left of the batch joins the hand. Modifies `state`."""
    for k in range(tables.kinds):
        for _ in range(state.dealt[p, k]):
            gain(state, tables, p, k)
            state.got[k] += 1
        state.dealt[p, k] = 0
