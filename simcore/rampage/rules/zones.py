"""Zones of cards and moves between them: hands and costs, the pile, Gate and Castle, permanents, dealing.

Functions that return nothing modify `state`.
"""

from bartizan.simcore.compile.jit import inline, jit_module
from bartizan.simcore.kit.journal import log
from bartizan.simcore.kit.piles import shuffle
from bartizan.simcore.rampage import components as c
from bartizan.simcore.rng import named_word

# ---------------------------------------------------------------- 1.2 hands, 4.2 costs

DEMAND = (1 << c.NEED) - 1


@inline
def other(p):
    return 1 - p


def gain(state, tables, p, k):
    state.hand[p, k] += 1
    state.hand_size[p] += 1
    state.held[p] |= 1 << k
    state.shows[p, tables.shows[k]] += 1


def take(state, tables, p, k):
    state.hand[p, k] -= 1
    state.hand_size[p] -= 1
    if state.hand[p, k] == 0:
        state.held[p] &= ~(1 << k)
    state.shows[p, tables.shows[k]] -= 1


def spare(state, tables, p, k):
    """Remove a card from a hand without playing it. Tired Veterans are removed first (A16b)."""
    take(state, tables, p, k)
    if state.tired[k] > 0 and p == state.on_turn and tables.repelled_veteran == c.RepelledVeteran.to_hand:
        state.tired[k] -= 1


# ---------------------------------------------------------------- 4.2, 4.3, 7.1: costs


@inline
def demanded(need, unit):
    """Return the number of cards of a unit in a packed demand. unit: UNITS for cards of any kind."""
    return need >> unit * c.NEED & DEMAND


def cards_of(need):
    n = 0
    for unit in range(c.UNITS + 1):
        n += demanded(need, unit)
    return n


def can_pay(state, tables, p, need, k):
    """Return whether the hand, without one card of kind k, can pay a demand (4.2, 4.3).

    k = NONE: the whole hand may be used.

    By Hall's marriage theorem, the hand can pay if, for every set of units, at least as many cards show one
    of them as the demand requires for the set.
    """
    cards = state.hand_size[p] - (k != c.NONE)
    together = tables.several_symbols == c.SeveralSymbols.yes  # A9: a card pays for everything that it shows
    if need == 0:
        return True
    if (not together or need >= 1 << c.NEED * c.UNITS) and cards_of(need) > cards:
        return False
    own = tables.shows[k] if k != c.NONE else 0
    for units in range(1, 1 << tables.units):
        if together and units & (units - 1) != 0:
            continue
        wanted = demanded_of(tables, need, units)
        if wanted > 0 and shown(state, tables, p, units) - (own & units != 0) < wanted:
            return False
    return True


def demanded_of(tables, need, units):
    """Return the number of cards that the demand requires for a set of units (a bit mask).

    Returns 0 if one of these units is not demanded, because the set without this unit gives a stronger
    condition.
    """
    wanted = 0
    for unit in range(tables.units):
        if units >> unit & 1:
            n = demanded(need, unit)
            if n == 0:
                return 0
            wanted += n
    return wanted


def shown(state, tables, p, units):
    """Return the number of hand cards that show at least one of these units (a bit mask)."""
    n = 0
    for shows in range(1, 1 << tables.units):
        if shows & units:
            n += state.shows[p, shows]
    return n


def asked_unit(need):
    """Return the unit of the next card to be paid; UNITS for any card."""
    for unit in range(c.UNITS):
        if demanded(need, unit) > 0:
            return unit
    return c.UNITS


def less(tables, need, k):
    """Return the demand left after paying with a card of kind k.

    The card pays for the next part of the demand and, with A9, for every unit that it shows.
    """
    unit = asked_unit(need)
    if unit == c.UNITS:
        return need - (1 << c.ANY)
    if tables.several_symbols == c.SeveralSymbols.no:
        return need - (1 << unit * c.NEED)
    for u in range(c.UNITS):
        if tables.shows[k] >> u & 1 and demanded(need, u) > 0:
            need -= 1 << u * c.NEED
    return need


# ---------------------------------------------------------------- 2.1, 3.1 pile and discards


def discard(state, tables, k):
    """Discard a card. With A24 `left_out`, it cannot be drawn before the next turn."""
    if tables.midturn_reshuffle == c.MidturnReshuffle.left_out:
        state.resting[k] += 1
    else:
        state.discards[k] += 1


def pile_left(state):
    return state.pile_size - state.pile_next


def shuffle_pile(state, tables):
    """Shuffle the rest of the pile and the cards in `aside` into a new pile (2.1, 2.2).

    The cards are sorted by random words (PROTOCOL.md).
    """
    for i in range(state.pile_next, state.pile_size):
        state.aside[state.pile[i]] += 1
    n = 0
    for k in range(tables.kinds):
        for copy in range(state.aside[k]):
            word, i = named_word(state, c.Luck.DECK, state.shuffles, tables.tag[k], copy), n
            while i > 0 and state.word[i - 1] > word:  # insertion sort
                state.word[i], state.pile[i] = state.word[i - 1], state.pile[i - 1]
                i -= 1
            state.word[i], state.pile[i] = word, k
            n += 1
        state.aside[k] = 0
    state.pile_size = n
    state.pile_next = 0
    state.shuffles += 1
    log(state, c.Event.SHUFFLED, n)


def shuffle_unseen(state, tables):
    """Reshuffle the rest of the pile uniformly. Return the number of its cards."""
    shuffle(state, c.Luck.DECK, state.pile, state.pile_next, state.pile_size)
    return pile_left(state)


def renew(state, tables):
    """Make a new pile after the pile has run out (A1). Return whether it has cards."""
    if tables.empty_pile == c.EmptyPile.game_ends:
        stop(state, tables, c.End.PILE_EMPTY)
        return False
    if tables.empty_pile == c.EmptyPile.no_draw:
        return False
    cards = 0
    for k in range(tables.kinds):
        cards += state.discards[k]
        state.aside[k] = state.discards[k]
        state.discards[k] = 0
    if cards == 0:
        return False
    shuffle_pile(state, tables)
    state.reshuffles += 1
    return True


def stop(state, tables, reason):
    """End a game in which no Castle was destroyed.

    With A18 `count_cards`, the player with fewer cards in the Castle (in a tie, in the Gate) loses.
    """
    state.end_reason = reason
    if tables.stalemate == c.Stalemate.count_cards:
        for structure in (c.Structure.CASTLE, c.Structure.GATE):
            more = state.size[0, structure] - state.size[1, structure]
            if more != 0:
                state.loser = 1 if more > 0 else 0
                return


def draw(state, tables, p):
    """Draw a card. Return its kind, or NONE if there is none (3.1, 7.3)."""
    if pile_left(state) == 0 and not renew(state, tables):
        return c.NONE
    k = int(state.pile[state.pile_next])
    state.pile_next += 1
    state.n_drawn += 1
    state.got[k] += 1
    gain(state, tables, p, k)
    log(state, c.Event.DREW, p, k)
    return k


# ---------------------------------------------------------------- 1.3 Gate and Castle

TURN_ROUND = c.ROOM - 1


def top_card(state, p, structure):
    return int(state.stack[p, structure, state.top[p, structure] & TURN_ROUND])


def put_under(state, p, structure, k):
    """Put a card at the bottom of a structure, even of an empty Gate (3.2, 3.5)."""
    state.stack[p, structure, state.top[p, structure] + state.size[p, structure] & TURN_ROUND] = k
    state.size[p, structure] += 1


def fell(state, tables, p, structure):
    """Destroy the top card of a structure, and return its kind."""
    k = top_card(state, p, structure)
    state.top[p, structure] = state.top[p, structure] + 1 & TURN_ROUND
    state.size[p, structure] -= 1
    state.known[p, structure] = 0
    discard(state, tables, k)
    log(state, c.Event.FELL, p, structure, k)
    return k


def in_ruins(state, p):
    """Return whether the player's Castle is destroyed (6.1)."""
    return state.size[p, c.Structure.CASTLE] == 0


# ---------------------------------------------------------------- 4.5, 7.9 permanents


def lay(state, tables, p, k):
    state.laid[p, k] += 1
    state.n_laid[p] += 1
    state.raised += 1
    for i in range(c.PERMS):
        state.perm[p, i] += tables.perm[k, i]
    log(state, c.Event.LAID, p, k)


def raze(state, tables, p, k):
    """Destroy one of p's permanents (7.6)."""
    state.laid[p, k] -= 1
    state.n_laid[p] -= 1
    state.razed += 1
    for i in range(c.PERMS):
        state.perm[p, i] -= tables.perm[k, i]
    discard(state, tables, k)
    log(state, c.Event.RAZED, p, k)


# ---------------------------------------------------------------- 2.2 - 2.4 dealing


def deal(state, tables):
    """Deal one batch to each player (2.2, A3, A4)."""
    replaces = state.batch == 0 or tables.second_deal == c.SecondDeal.replaced
    for p in range(c.SEATS):
        missing = tables.batch_size
        while missing > 0 and pile_left(state) > 0:
            k = state.pile[state.pile_next]
            state.pile_next += 1
            if tables.purple[k] and replaces:
                state.aside[k] += 1
            else:
                state.dealt[p, k] += 1
                missing -= 1
    if tables.set_aside == c.SetAside.each_batch or state.batch == tables.batches - 1:
        if state.aside[: tables.kinds].any():  # the pile is reshuffled
            shuffle_pile(state, tables)


def keep(state, tables, p):
    """Move the rest of the batch to the hand (2.3, 2.4)."""
    for k in range(tables.kinds):
        for _ in range(state.dealt[p, k]):
            gain(state, tables, p, k)
            state.got[k] += 1
        state.dealt[p, k] = 0


jit_module(__name__)
