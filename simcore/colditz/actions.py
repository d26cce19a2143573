"""How actions are written as numbers: PROTOCOL.md, section 1."""

from bartizan.simcore.colditz.components import ARGUMENTS, CARDS, GUARDS, PAIR, PAWN, SMALL
from bartizan.simcore.compile.jit import inline


@inline
def action(kind, argument):
    return kind * ARGUMENTS + argument


@inline
def kind_of(action):
    return action // ARGUMENTS


@inline
def argument_of(action):
    return action % ARGUMENTS


# ---------------------------------------------------------------- what an argument names


@inline
def pair(one, other):
    """EQUIP: two POWs; SHOOT, MATCH: a guard and a POW."""
    return one * PAIR + other


@inline
def both_of(argument):
    """What `pair` packs."""
    return argument // PAIR, argument % PAIR


@inline
def bribery(cards, e, f):
    """BRIBE: the card for so many Equipment cards, e and f (NOTHING: e alone)."""
    return pair(cards, e * SMALL + f)


@inline
def bribery_of(argument):
    """What `bribery` packs."""
    return argument // PAIR, argument % PAIR // SMALL, argument % SMALL


@inline
def ownership(p, e):
    """CONVERT: the player whose card becomes Equipment e; GIVE_EQUIPMENT: the player who gets it."""
    return p * SMALL + e


@inline
def owner_and_equipment(argument):
    """What `ownership` packs."""
    return argument // SMALL, argument % SMALL


@inline
def inspection(g, h):
    """INSPECT: two guards, or the only one twice."""
    return g * GUARDS + h


@inline
def guards_of(argument):
    """What `inspection` packs."""
    return argument // GUARDS, argument % GUARDS


@inline
def fast_move(room, i):
    """FAST: the room, and which POW of the team."""
    return room * SMALL + i


@inline
def room_and_pow(argument):
    """What `fast_move` packs."""
    return argument // SMALL, argument % SMALL


@inline
def freeing(block, nearer):
    """FREE: the block, and 1 for a circle nearer the way back (Q36)."""
    return block * 2 + nearer


@inline
def block_and_nearer(argument):
    """What `freeing` packs."""
    return argument // 2, argument % 2


@inline
def gift(giver, taker, card):
    """GIVE: an Opportunity card from one player to another."""
    return (giver * SMALL + taker) * CARDS + card


@inline
def gift_of(argument):
    """What `gift` packs."""
    return argument // CARDS // SMALL, argument // CARDS % SMALL, argument % CARDS


@inline
def hiding(i, c):
    """HIDE: which POW of the team, and the safe circle."""
    return i * PAWN + c


@inline
def pow_and_circle(argument):
    """What `hiding` packs."""
    return argument // PAWN, argument % PAWN


@inline
def searching(room, g):
    """SEARCH: the room, and the guard."""
    return room * GUARDS + g


@inline
def room_and_guard(argument):
    """What `searching` packs."""
    return argument // GUARDS, argument % GUARDS


@inline
def holding(w, passes):
    """HOLDER: the POW, and the card: Key (0) or Pass (1)."""
    return w * 2 + passes


@inline
def holder_and_card(argument):
    """What `holding` packs."""
    return argument // 2, argument % 2
