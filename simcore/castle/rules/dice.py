"""6, 11.9, C12, C15, C37: throws, and the doubles and snake eyes in them."""

from simcore.castle.components import NONE, DefenceChain, MultiDiceDoubles, RandomSource
from simcore.jit import jit
from simcore.rng import below

CARD_FACES = 13  # C37: a pack of its own, each card goes back
KING_FACE = 12  # worth 12 and a double by itself
SIX = 5


@jit
def roll(state, tables, stream, dice):
    """Throw some dice into `state.face`; sets `total`, `double`, `snake`. Modifies `state`."""
    cards = tables.random_source == RandomSource.cards
    state.total = 0
    for i in range(dice):
        face = below(state, stream, CARD_FACES if cards else tables.die_sides)
        state.face[i] = face
        state.total += min(face + 1, KING_FACE) if cards else face + 1
    state.double = state.snake = 0
    if dice == 2:
        look_at(state, tables, 0, 1)
    elif tables.multi_dice_doubles == MultiDiceDoubles.each_pair:
        for i in range(0, dice - 1, 2):
            look_at(state, tables, i, i + 1)
    elif tables.multi_dice_doubles == MultiDiceDoubles.any_equal:
        for i in range(dice):
            for j in range(i):
                look_at(state, tables, i, j)


@jit
def look_at(state, tables, i, j):
    """6.1 - 6.3: two dice that count together. Modifies `state`."""
    a, b = state.face[i], state.face[j]
    if a == 0 and b == 0:
        state.snake = 1
    elif a == b or is_king(tables, a) or is_king(tables, b):
        state.double = 1


@jit
def is_king(tables, face):
    return tables.random_source == RandomSource.cards and face == KING_FACE


@jit
def is_double_six(state, tables, dice):
    """11.4: two sixes (or the King) among dice that count together."""
    pairs = tables.multi_dice_doubles == MultiDiceDoubles.each_pair
    for i in range(dice - dice % 2 if pairs else dice):
        if is_king(tables, state.face[i]):
            return True
        for j in range(i):
            apart = pairs and i // 2 != j // 2
            if state.face[i] == SIX and state.face[j] == SIX and not apart:
                return True
    return False


@jit
def roll_defence(state, tables, stream, dice):
    """6.2: a defender's dice with what a double brings; returns the total. `snake` is that of the first throw. Modifies `state`."""
    roll(state, tables, stream, dice)
    total = state.total
    snake = state.snake
    more = state.double
    while more:
        roll(state, tables, stream, 2)
        total += state.total
        more = state.double if tables.defence_chain == DefenceChain.chain else 0
    state.snake = snake
    return total


@jit
def best_of(totals, among):
    """The players of a bit mask with the highest total, as a bit mask."""
    best = NONE
    mask = 0
    for p in range(totals.shape[0]):
        if among >> p & 1:
            if totals[p] > best:
                best, mask = totals[p], 0
            if totals[p] == best:
                mask |= 1 << p
    return mask
