"""What the steward gives for the own castle: a card placed, and how open the royals lie."""

from bartizan.policies.castle.aids import HOME, behind
from bartizan.policies.castle.weights import AT, royal_worth
from bartizan.simcore.castle.components import FIRST_ROYAL_RANK, NONE, ROYALS, WIDTH, Royal, Stage
from bartizan.simcore.castle.rules import grid
from bartizan.simcore.compile.jit import jit


@jit
def exposed(occupied, s, w):
    """How open a square of a castle lies: 1 when it can be reached from three sides, a little less from two
    or one, `near` behind one card, `inner` deeper.
    """
    ground = grid.open_ground(occupied)
    first = grid.beside_ground(occupied, ground)
    if first >> s & 1:
        sides = (ground >> s - 1 & 1) + (ground >> s + 1 & 1) + (ground >> s + WIDTH & 1)
        return 1.0 - w[AT.side] * (3 - sides)
    return w[AT.near] if behind(first) >> s & 1 else w[AT.inner]


@jit
def danger(state, tables, p, occupied, w):
    """Worth of p's royals, each as far as it lies open."""
    total = 0.0
    for s in range(WIDTH):
        if state.occupied[p] >> s & 1:
            royal = grid.royal_at(state, p, s)
            if royal != NONE:
                total += royal_worth(w, royal) * exposed(occupied, s, w)
    return total


@jit
def danger_closed(state, p, w):
    """Worth of p's royals, each as far as it would lie open with the empty columns closed."""
    occupied = state.occupied[p]
    total = 0.0
    for s in range(WIDTH):
        royal = grid.royal_at(state, p, s) if state.occupied[p] >> s & 1 else NONE
        if royal != NONE:
            cards, square = occupied, s
            gap = grid.gap_column(cards)
            while gap != NONE:
                right = 0
                for column in range(gap + 1, WIDTH):
                    right |= grid.COLUMN << column
                cards = cards & ~right | (cards & right) >> 1
                square -= square > gap
                gap = grid.gap_column(cards)
            total += royal_worth(w, royal) * exposed(cards, square, w)
    return total


@jit
def price_place(state, tables, p, s, w):
    """A card in the own castle: its value, less as the castle grows, and how much of the danger it takes
    away, the more the higher it is.

    A long siege is not won by walls.
    """
    value = grid.worth(tables, state.drawn)
    wall = w[AT.wall] * value / (1.0 + (grid.count(state.occupied[p]) / w[AT.enough]) ** 2)
    if state.stage == Stage.SETUP and grid.rank_of(state.drawn) >= FIRST_ROYAL_RANK:
        return 1.0 if s == royals_place(tables, grid.rank_of(state.drawn) - FIRST_ROYAL_RANK) else 0.0
    patience = 1.0 / (1.0 + (state.turn / tables.players / w[AT.patience]) ** 2)
    if tables.left_border >> s & 1 or tables.right_border >> s & 1:
        # the castle would have to move; nothing is covered there that could not be covered otherwise
        return patience * wall - 0.5
    before = danger(state, tables, p, state.occupied[p], w)
    after = danger(state, tables, p, state.occupied[p] | grid.bit(s), w)
    return patience * (wall + w[AT.cover] * (before - after) * (value + 2) / 12)


@jit
def royals_place(tables, k):
    """The middle of the Court, or as near as a small grid allows; the King between the others, open only from
    above.
    """
    jack = min(HOME, tables.columns - ROYALS + 1)
    return jack if k == Royal.JACK else jack + 1 if k == Royal.KING else jack + 2
