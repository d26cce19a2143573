"""10.1, C11, C23: royals and players that leave the game."""

from bartizan.simcore.castle import components as c
from bartizan.simcore.castle.rules.decks import discard, discard_all
from bartizan.simcore.castle.rules.grid import bit, lay_bars, royal_at, take_off
from bartizan.simcore.compile.jit import jit
from bartizan.simcore.kit.journal import log


@jit
def living(state, tables):
    """How many players live."""
    n = 0
    for p in range(tables.players):
        n += state.alive[p]
    return n


@jit
def next_living(state, tables, p):
    """The next living player after p."""
    p = (p + 1) % tables.players
    while not state.alive[p]:
        p = (p + 1) % tables.players
    return p


@jit
def bury(state, tables, card):
    """C11: a dead royal leaves the game, or comes back as a plain card. Modifies `state`."""
    if tables.dead_royals == c.DeadRoyals.removed:
        state.gone |= bit(card)
        state.seen_by[card] = 255
    else:
        discard(state, card)


@jit
def put_out(state, tables, p, killer, by):
    """10.1: the King is dead; `killer` is NONE when nobody killed him. Modifies `state`."""
    state.place[p] = living(state, tables)
    state.alive[p] = 0
    state.out[p] = state.turn
    state.kings[by] += 1
    log(state, c.Event.OUT, p)
    bury_royals(state, tables, p)
    if tables.dead_player_cards != c.DeadPlayerCards.walls:
        heir = killer if tables.dead_player_cards == c.DeadPlayerCards.to_killer else c.NONE
        leave_cards(state, tables, p, heir)
    discard_all(state, state.jokers[p])
    state.jokers[p] = 0
    clear_barricades(state, tables, p)
    if living(state, tables) == 1:
        state.end_reason = c.End.LAST_KING
        state.place[next_living(state, tables, p)] = 1


@jit
def bury_royals(state, tables, p):
    """C11: those that are left, off the castle too. Modifies `state`."""
    for k in range(c.ROYALS):
        if state.royal[p, k] != c.NONE:
            bury(state, tables, state.royal[p, k])
    for s in range(c.SQUARES):
        if state.castle[p, s] != c.NONE and royal_at(state, p, s) != c.NONE:
            take_off(state, p, s)
    for k in range(c.ROYALS):
        state.royal[p, k] = c.NONE


@jit
def clear_barricades(state, tables, p):
    """11.8: those in a castle are discarded. Modifies `state`."""
    for s in range(c.SQUARES):
        if state.barricade[p, s] != c.NONE:
            discard(state, state.barricade[p, s])
            state.barricade[p, s] = c.NONE
    lay_bars(state, tables, p)


@jit
def leave_cards(state, tables, p, heir):
    """C23: his plain cards and reinforcements to the discard pile, or to the heir's pool.

    Modifies `state`.
    """
    cards = state.pool[p]
    for s in range(c.SQUARES):
        if state.castle[p, s] != c.NONE:
            cards |= bit(take_off(state, p, s))
    state.pool[p] = 0
    state.pool_hidden &= ~cards
    if heir == c.NONE:
        discard_all(state, cards)
        return
    state.pool[heir] |= cards
    for card in range(c.CARDS):
        if cards >> card & 1:
            state.seen_by[card] = 255


@jit
def lose_royal(state, tables, p, k):
    """A royal is beaten in a fight, its card already off the castle; a King's owner is out by `put_out`.

    Modifies `state`.
    """
    card = state.royal[p, k]
    state.royal[p, k] = c.NONE
    state.royals_lost += 1
    if tables.dead_royals == c.DeadRoyals.removed:
        bury(state, tables, card)
    else:
        state.spent |= bit(card)  # set aside until the attack ends


@jit
def queen_lives(state, p):
    return state.royal[p, c.Royal.QUEEN] != c.NONE
