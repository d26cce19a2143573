"""The castle as a grid (1.1, 2.4, 3.2, 5, 9).

Masks have one bit per square. The border squares are open ground, so edges need no special case. Functions
that return nothing modify `state`.
"""

from bartizan.simcore.castle import components as c
from bartizan.simcore.compile.jit import inline, jit_module
from bartizan.simcore.kit.journal import log

ROW = (1 << c.WIDTH) - 1
SKY = ROW << c.SQUARES  # a row of open ground above row 3
BORDERS = sum(1 << row * c.WIDTH | 1 << row * c.WIDTH + c.WIDTH - 1 for row in range(c.ROWS))
FIELD = (1 << c.SQUARES + c.WIDTH) - 1
GRID = (1 << c.SQUARES) - 1
COLUMN = sum(1 << row * c.WIDTH for row in range(c.ROWS))


@inline
def rank_of(card):
    return card % c.RANKS


@inline
def suit_of(card):
    """Return the suit of a card, 0 to 3; 4 for a Joker."""
    return card // c.RANKS


@inline
def bit(i):
    return 1 << i


def count(mask):
    """Return the number of bits set in a mask."""
    n = 0
    while mask:
        mask &= mask - 1
        n += 1
    return n


def around(mask):
    """Return the squares next to the squares of a mask: left, right, above, below."""
    return mask << 1 | mask >> 1 | mask << c.WIDTH | mask >> c.WIDTH


# ---------------------------------------------------------------- 5. reachable cards


def open_ground(occupied):
    """Return the open ground, which spreads from the left, the right and above through empty squares (5.1).

    The ground below is solid.
    """
    empty = FIELD & ~occupied
    ground = SKY | BORDERS
    before = 0
    while ground != before:
        before = ground
        ground |= around(ground) & empty
    return ground


def reachable(state, q):
    """Return the mask of a player's cards with open ground on the left, on the right or above (5.2, 5.3)."""
    return beside_ground(state.occupied[q], open_ground(state.occupied[q]))


def beside_ground(occupied, ground):
    """Return the mask of occupied squares with open ground on the left, on the right or above (5.2)."""
    return occupied & (ground << 1 | ground >> 1 | ground >> c.WIDTH)


# ---------------------------------------------------------------- placing and removing cards


def royal_at(state, q, s):
    """Return which of the player's royals is on a square (Royal), or NONE."""
    card = state.castle[q, s]
    for k in range(c.ROYALS):
        if state.royal[q, k] == card:
            return k
    return c.NONE


def put(state, q, s, card, face_up):
    state.castle[q, s] = card
    state.occupied[q] |= bit(s)
    state.once_up &= ~bit(card)
    if face_up:
        reveal(state, q, s)


def take_off(state, q, s):
    """Remove and return the card of a square. Modifies `state`."""
    card = state.castle[q, s]
    state.castle[q, s] = c.NONE
    state.occupied[q] &= ~bit(s)
    state.up[q] &= ~bit(s)
    return card


def reveal(state, q, s):
    """Turn a card face up and record that all players have seen it."""
    card = state.castle[q, s]
    state.up[q] |= bit(s)
    state.once_up |= bit(card)
    state.seen_by[card] = 255
    log(state, c.Event.SHOWN, q, s, card)


def worth(tables, card):
    """Return the value of a card; 0 for a Joker (1.6)."""
    return 0 if card >= c.CARDS - 2 else tables.value[rank_of(card)]


def standing(state, tables, p):
    """Return the sum of the values of a player's castle and pool."""
    total = 0
    for s in range(c.SQUARES):
        if state.castle[p, s] != c.NONE:
            total += worth(tables, state.castle[p, s])
    return total + pool_worth(tables, state.pool[p])


def pool_worth(tables, cards):
    """Return the sum of the values of a set of cards."""
    total = 0
    card = 0
    while cards >> card:
        if cards >> card & 1:
            total += worth(tables, card)
        card += 1
    return total


# ---------------------------------------------------------------- 3.2, 2.4: where a card may be placed


def placeable(state, tables, q):
    """Return the squares where q may place a card (C2).

    They include border squares if the castle can move away from them.
    """
    taken = state.occupied[q]
    if tables.placement == c.Placement.adjacent:
        near = around(taken)
    elif tables.placement == c.Placement.supported:
        near = taken << c.WIDTH | (taken & tables.court) << 1 | (taken & tables.court) >> 1
    else:
        near = FIELD
    return near & (tables.inside | movable_borders(state, tables, q)) & ~taken & ~state.barred[q]


def movable_borders(state, tables, q):
    """Return the border squares that become free if the castle moves one column (2.4, C2).

    The castle may move because columns are relative.
    """
    solid = state.occupied[q] | barricades(state, q)
    borders = 0
    if not solid & tables.last_column:
        borders |= tables.left_border
    if not solid & tables.first_column:
        borders |= tables.right_border
    return borders


def make_room(state, tables, q, s):
    """Move the castle away from border square `s`, and return the new number of the square.

    A card can then be placed there. Do nothing for other squares.
    """
    if tables.left_border >> s & 1:
        move_columns(state, tables, q, 0, 1)
        return s + 1
    if tables.right_border >> s & 1:
        move_columns(state, tables, q, 0, -1)
        return s - 1
    return s


# ---------------------------------------------------------------- 9. closing gaps; moving rows and columns


def move_square(state, q, a, b):
    """Move everything on square a to the empty square b."""
    if a == b:
        return
    state.castle[q, b] = state.castle[q, a]
    state.castle[q, a] = c.NONE
    state.barricade[q, b] = state.barricade[q, a]
    state.barricade[q, a] = c.NONE
    state.barricade_side[q, b] = state.barricade_side[q, a]
    state.barricade_by[q, b] = state.barricade_by[q, a]
    state.occupied[q] = state.occupied[q] & ~bit(b) | (state.occupied[q] >> a & 1) << b
    state.up[q] = state.up[q] & ~bit(b) | (state.up[q] >> a & 1) << b
    state.occupied[q] &= ~bit(a)
    state.up[q] &= ~bit(a)


def move_columns(state, tables, q, first, by):
    """Move some columns of a castle by one.

    by: -1 to move the columns after `first` to the left, 1 to move the columns from `first` on to the right.
    """
    for row in range(c.ROWS):
        if by < 0:
            for s in range(row * c.WIDTH + first + 2, row * c.WIDTH + c.WIDTH - 1):
                move_square(state, q, s, s - 1)
        else:
            for s in range(row * c.WIDTH + c.WIDTH - 3, row * c.WIDTH + first, -1):
                move_square(state, q, s, s + 1)
    lay_bars(state, tables, q)


def barricades(state, q):
    mask = 0
    for s in range(c.SQUARES):
        if state.barricade[q, s] != c.NONE:
            mask |= bit(s)
    return mask


def lay_bars(state, tables, q):
    """Set the squares that barricades forbid: their own squares and the squares beyond them (11.8, C48)."""
    bars = 0
    for s in range(c.SQUARES):
        if state.barricade[q, s] != c.NONE:
            row, column = s // c.WIDTH, s % c.WIDTH
            if state.barricade_side[q, s] == c.Side.ABOVE:
                closed = GRID if tables.barricade_above == c.BarricadeAbove.top_row else COLUMN << column
                bars |= closed >> row * c.WIDTH << row * c.WIDTH
            elif state.barricade_side[q, s] == c.Side.LEFT:
                bars |= ((1 << column + 1) - 1) << row * c.WIDTH
            else:
                bars |= (ROW >> column << column) << row * c.WIDTH
    state.barred[q] = bars


def gap_row(solid):
    """Return an empty row with cards above and below it; NONE if there is none."""
    for row in range(1, c.ROWS - 1):
        if not solid >> row * c.WIDTH & ROW and solid >> row * c.WIDTH and solid & ((1 << row * c.WIDTH) - 1):
            return row
    return c.NONE


def gap_column(solid):
    """Return an empty column with cards on both sides of it; NONE if there is none."""
    before = False
    empty = c.NONE
    for column in range(1, c.WIDTH - 1):
        if solid & COLUMN << column:
            if before and empty != c.NONE:
                return empty
            before = True
            empty = c.NONE
        elif before and empty == c.NONE:
            empty = column
    return c.NONE


def gap_in_row(solid):
    """Return a row whose cards are not contiguous; NONE if there is none (C22 squeeze_rows)."""
    for row in range(c.ROWS):
        cards = solid >> row * c.WIDTH & ROW
        if cards:
            lowest = cards & -cards
            # adding the lowest bit to the lowest run carries past it; any other bits form another run
            if (cards + lowest) & cards:
                return row
    return c.NONE


def has_gap(state, tables, q):
    """Return whether there is a gap to close (9.2)."""
    solid = state.occupied[q] | barricades(state, q) if tables.barricade_rank != c.NONE else state.occupied[q]
    if gap_row(solid) != c.NONE or gap_column(solid) != c.NONE:
        return True
    return tables.gap_closing == c.GapClosing.squeeze_rows and gap_in_row(solid) != c.NONE


def close_gaps(state, tables, q):
    """Close every gap (9.2, 9.3)."""
    if tables.gap_closing == c.GapClosing.squeeze_rows:
        for row in range(c.ROWS):
            squeeze(state, q, row)
    row = gap_row(state.occupied[q] | barricades(state, q))
    while row != c.NONE:
        for s in range((row + 1) * c.WIDTH, c.SQUARES):
            move_square(state, q, s, s - c.WIDTH)
        row = gap_row(state.occupied[q] | barricades(state, q))
    column = gap_column(state.occupied[q] | barricades(state, q))
    while column != c.NONE:
        move_columns(state, tables, q, column - 1, -1)
        column = gap_column(state.occupied[q] | barricades(state, q))
    lay_bars(state, tables, q)


def squeeze(state, q, row):
    """Move the cards of a row together, next to the leftmost card."""
    free = c.NONE
    for s in range(row * c.WIDTH, (row + 1) * c.WIDTH):
        if state.castle[q, s] != c.NONE or state.barricade[q, s] != c.NONE:
            if free == c.NONE:
                free = s + 1
            else:
                move_square(state, q, s, free)
                free += 1


jit_module(__name__)
