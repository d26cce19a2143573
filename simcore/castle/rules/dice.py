"""6, 11.9, C12, C15, C37, C43 - C45, C51: throws, and the doubles and snake eyes in them."""

from bartizan.simcore.castle import components as c
from bartizan.simcore.castle.odds import CARD_FACES, KING_FACE
from bartizan.simcore.castle.rules.decks import discard, take
from bartizan.simcore.castle.rules.grid import rank_of
from bartizan.simcore.compile.jit import jit
from bartizan.simcore.kit.journal import log
from bartizan.simcore.rng import below

SIX = 5


@jit
def roll(state, tables, stream, dice):
    """Throw some dice into `state.face`; sets `total`, `double`, `snake`. Modifies `state`."""
    state.total = state.double = state.snake = 0
    if by_throw(tables):
        pick_throws(state, tables, stream, dice)
        return
    cards = tables.random_source == c.RandomSource.cards
    for i in range(dice):
        face = pick(state, tables, stream) if cards else below(state, stream, tables.die_sides)
        state.face[i] = face
        state.total += card_worth(face) if cards else face + 1
    if dice == 2:
        look_at(state, tables, 0, 1)
    elif tables.multi_dice_doubles == c.MultiDiceDoubles.each_pair:
        for i in range(0, dice - 1, 2):
            look_at(state, tables, i, i + 1)
    elif tables.multi_dice_doubles == c.MultiDiceDoubles.any_equal:
        for i in range(dice):
            for j in range(i):
                look_at(state, tables, i, j)


@jit
def by_throw(tables):
    """C43: a card stands for a throw of two dice."""
    return tables.random_source == c.RandomSource.cards and tables.card_replaces == c.CardReplaces.throw


@jit
def pick_throws(state, tables, stream, dice):
    """11.9: a card for every two dice, half a card for an odd one; the King is a double. Modifies `state`."""
    for i in range((dice + 1) // 2):
        face = pick(state, tables, stream)
        state.face[i] = face
        if 2 * i + 1 == dice:
            state.total += (card_worth(face) + 1) // 2
            return
        state.total += card_worth(face)
        if dice == 2 or tables.multi_dice_doubles != c.MultiDiceDoubles.never:
            state.double |= face == KING_FACE
            state.snake |= face == 0 and tables.ace_as_throw == c.AceAsThrow.snake_eyes


@jit
def pick(state, tables, stream):
    """11.9, C44: the rank of a card picked instead of dice; NONE: a Joker, or no card. Modifies `state`."""
    if tables.cards_from == c.CardsFrom.full_pack or stream == c.Luck.CONTEST:
        return below(state, stream, CARD_FACES)  # each card goes back
    card = take(state)
    if card == c.NONE:
        return c.NONE
    discard(state, card)
    log(state, c.Event.THROWN, card)
    return rank_of(card) if card < c.FIRST_JOKER else c.NONE


@jit
def card_worth(face):
    """11.9: Ace 1 to 10, Jack 11, Queen and King 12; no card 0."""
    return min(face + 1, KING_FACE)


@jit
def look_at(state, tables, i, j):
    """6.1 - 6.3: two dice that count together. Modifies `state`."""
    a, b = state.face[i], state.face[j]
    if a == 0 and b == 0:
        state.snake = 1
    elif (a == b and a != c.NONE) or is_king(tables, a) or is_king(tables, b):
        state.double = 1


@jit
def is_king(tables, face):
    return tables.random_source == c.RandomSource.cards and face == KING_FACE


@jit
def is_double_six(state, tables, dice):
    """11.4: two sixes (or the King) among dice that count together."""
    if by_throw(tables):
        dice //= 2  # so many cards
    pairs = tables.multi_dice_doubles == c.MultiDiceDoubles.each_pair and not by_throw(tables)
    for i in range(dice - dice % 2 if pairs else dice):
        if is_king(tables, state.face[i]):
            return True
        for j in range(i):
            apart = pairs and i // 2 != j // 2
            if state.face[i] == SIX and state.face[j] == SIX and not apart and not by_throw(tables):
                return True
    return False


@jit
def roll_defence(state, tables, stream, dice):
    """6.2, C51: a defender's dice with what a double brings; returns the total. Modifies `state`."""
    roll(state, tables, stream, dice)
    total = state.total
    snake = state.snake
    more = state.double
    # C44 deck: few cards may come again for ever, so a bonus comes once
    short = tables.random_source == c.RandomSource.cards and tables.cards_from == c.CardsFrom.deck
    chain = tables.defence_chain == c.DefenceChain.chain and not short
    while more:
        roll(state, tables, stream, 2)
        total += state.total
        if tables.bonus_snake_eyes == c.BonusSnakeEyes.count:
            snake |= state.snake
        more = state.double if chain else 0
    state.snake = snake
    return total


@jit
def best_of(totals, among):
    """The players of a bit mask with the highest total, as a bit mask."""
    best = c.NONE
    mask = 0
    for p in range(totals.shape[0]):
        if among >> p & 1:
            if totals[p] > best:
                best, mask = totals[p], 0
            if totals[p] == best:
                mask |= 1 << p
    return mask
