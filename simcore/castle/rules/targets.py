"""Possible targets of attacks, and cards that may be turned over, added or removed.

Rules: 4.1, 4.3, 4.5, 4.8, 6.1, 6.3, 7. Sets are bit masks over squares or, where stated, over cards.
"""

from bartizan.simcore.castle import components as c
from bartizan.simcore.castle.actions import square_of
from bartizan.simcore.castle.rules import grid
from bartizan.simcore.compile.jit import jit_module

# compiled functions return plain numbers
LEFT, RIGHT, DOWN = (int(c.Heading.LEFT), int(c.Heading.RIGHT), int(c.Heading.DOWN))
STEP = (-1, 1, -c.WIDTH, c.WIDTH)  # by Heading


# ---------------------------------------------------------------- 4.1, 4.3: first targets


def forbidden(state, tables, q):
    """Return the squares of q's revealed royals that the Royal rule forbids as targets (4.3)."""
    mask = 0
    if tables.royal_rule == c.RoyalRule.forbidden and state.attack != c.Attack.COUNTER:
        for s in range(c.SQUARES):
            if state.up[q] >> s & 1 and is_akin(state, q, s):
                mask |= grid.bit(s)
    return mask


def is_akin(state, q, s):
    """Return whether a royal's suit is one of the suits of the attack (4.3).

    For an Ace's attack, this is the suit of the Ace (7.6).
    """
    return (
        grid.royal_at(state, q, s) != c.NONE
        and ((state.suits | state.added_suits) >> grid.suit_of(state.castle[q, s]) & 1) == 1
    )


def choices(state, tables, q):
    """Return the squares of q that are reachable and not forbidden (4.1)."""
    return grid.reachable(state, q) & ~forbidden(state, tables, q)


def first_squares(state, tables, q):
    """Return the squares of q that the current attack may choose first (4.1, 7.3, 7.5)."""
    if state.attack == c.Attack.ARCHERS:
        return archer_squares(state, tables, q)
    if state.attack == c.Attack.ASSASSIN:  # anywhere
        return state.occupied[q] & ~forbidden(state, tables, q)
    return choices(state, tables, q)


def first_reinforcements(state, q):
    """Return the reinforcements of q that the attack may choose first (7.3, 7.5).

    The result is a bit mask over cards.
    """
    if state.attack == c.Attack.ARCHERS:
        return state.pool[q] & ~state.pool_hidden
    return state.pool[q] if state.attack == c.Attack.ASSASSIN else 0


def first_joker(state, q):
    """Return the Jokers of q that the attack may choose first, as a bit mask over cards (11.2)."""
    return state.jokers[q] if state.attack == c.Attack.ASSASSIN else 0


def first_barricades(state, tables):
    """Return the squares of barricades that the attack may choose first (11.8).

    They are in the attacker's own castle.
    """
    by_pair = state.attack == c.Attack.ARCHERS or state.attack == c.Attack.ASSASSIN
    return 0 if by_pair or tables.barricade_rank == c.NONE else grid.barricades(state, state.on_turn)


def has_first_target(state, tables):
    for i in range(1, tables.players):
        q = (state.on_turn + i) % tables.players
        if state.alive[q] and (
            first_squares(state, tables, q) or first_reinforcements(state, q) or first_joker(state, q)
        ):
            return True
    return first_barricades(state, tables) != 0


# ---------------------------------------------------------------- 4.8, 6.1: next targets


def met(state, q, s, heading, skip):
    """Return the square of the first card from square s in one direction; NONE if there is none.

    Empty squares and `skip` cards are passed over.
    """
    s += STEP[heading]
    while s >= 0 and s < c.SQUARES and s % c.WIDTH != 0 and s % c.WIDTH != c.WIDTH - 1:
        if state.occupied[q] >> s & 1:
            if skip == 0:
                return s
            skip -= 1
        s += STEP[heading]
    return c.NONE


def may_head(state, tables, heading):
    """Return whether an attack may continue in this direction (C10)."""
    if tables.follow_directions == c.FollowDirections.left_right_down:
        return heading != c.Heading.UP
    if tables.follow_directions == c.FollowDirections.relative:
        return heading != state.heading ^ 1
    return True


def follow(state, tables, q, s):
    """Return the squares to which an attack may continue from the won square s (4.8, 8.3)."""
    mask = 0
    jumps = state.lead_royal == c.Royal.JACK
    for heading in range(4):
        if may_head(state, tables, heading):
            for skip in range(tables.jump + 1 if jumps else 1):
                counts = skip == 0 or tables.jack_jump == c.JackJump.up_to_two or skip == tables.jump - 1
                target = met(state, q, s, heading, skip) if counts else c.NONE
                if target != c.NONE:
                    mask |= grid.bit(target)
    return mask


def next_squares(state, tables):
    """Return the squares to which the attack on the defender's castle may continue (4.8, 6.1)."""
    q = state.defender
    if state.won:
        mask = follow(state, tables, q, state.won_square) if state.won_square != c.NONE else 0
        return mask & ~forbidden(state, tables, q)
    same = state.castle[q, square_of(state.target)] == state.target_card  # it is still in the same place
    mask = grid.bit(square_of(state.target)) if same else 0
    if not same or tables.lost_double_target == c.LostDoubleTarget.same_or_other:
        won = state.won_square
        mask |= follow(state, tables, q, won) if won != c.NONE else grid.reachable(state, q)
    return mask & ~forbidden(state, tables, q)


def first_heading(state, q, s):
    """Return the heading of an attack that enters the castle at square s (C10).

    It is DOWN if possible, otherwise RIGHT if possible, otherwise LEFT. RIGHT means that the attack comes
    from the left.
    """
    ground = grid.open_ground(state.occupied[q])
    if ground >> s + c.WIDTH & 1:
        return DOWN
    return RIGHT if ground >> s - 1 & 1 else LEFT


def heading_to(state, tables, q, s):
    """Return the heading of an attack that begins or continues at square s (C10)."""
    if state.won_square != c.NONE:
        for heading in range(4):
            if may_head(state, tables, heading):
                for skip in range(tables.jump + 1 if state.lead_royal == c.Royal.JACK else 1):
                    if met(state, q, state.won_square, heading, skip) == s:
                        return heading
    return first_heading(state, q, s)


def nameable(state, tables):
    """Return the squares that a berserk attack may add to its group (11.4, C32)."""
    q = state.defender
    near = grid.around(state.named) if tables.berserk_group == c.BerserkGroup.connected else grid.FIELD
    return near & state.occupied[q] & ~state.named & ~forbidden(state, tables, q)


# ---------------------------------------------------------------- 7: archers


def archer_squares(state, tables, q):
    """Return the squares outside the Court that archers may attack (7.3, C25)."""
    outside = state.occupied[q] & ~tables.court
    shown = outside & state.up[q]
    if tables.archer_target == c.ArcherTarget.revealed:
        return shown
    near = outside & grid.reachable(state, q)
    return near if tables.archer_target == c.ArcherTarget.reachable else near | shown


# ---------------------------------------------------------------- 7.1, 7.5: cards that may be turned over


def turnable(state, tables, q):
    """Return the squares whose card an eight may turn over (7.1, C18)."""
    mask = state.occupied[q]
    if tables.eight_turns == c.EightTurns.castles:
        for s in range(c.SQUARES):
            if mask >> s & 1 and state.castle[q, s] == state.royal[q, c.Royal.JACK]:
                mask &= ~grid.bit(s)
    return mask


def any_hidden(state, tables):
    for q in range(tables.players):
        if state.alive[q] and state.occupied[q] & ~state.up[q]:
            return True
    return False


# ---------------------------------------------------------------- 4.5, 6.3: reinforcements, removals


def addable(state, tables, p):
    """Return the reinforcements that a player may add now, as a bit mask over cards (4.5)."""
    cards = state.pool[p] & ~((2 << state.last_added) - 1) if state.last_added != c.NONE else state.pool[p]
    if state.contested != c.NONE:
        return cards
    if state.target >= c.POOL_TARGET and state.target < c.JOKER_TARGET:
        cards &= ~grid.bit(state.target - c.POOL_TARGET)
    if (
        p == state.attacker
        and tables.royal_rule_suit == c.RoyalRuleSuit.any_card
        and tables.royal_rule == c.RoyalRule.forbidden
        and state.attack != c.Attack.COUNTER
    ):
        for card in range(c.CARDS):
            if cards >> card & 1 and names_royal_of(state, grid.suit_of(card)):
                cards &= ~grid.bit(card)
    return cards


def names_royal_of(state, suit):
    """Return whether a royal of this suit is among the attacked cards (C21)."""
    for s in range(c.SQUARES):
        if (
            state.named >> s & 1
            and grid.royal_at(state, state.defender, s) != c.NONE
            and grid.suit_of(state.castle[state.defender, s]) == suit
        ):
            return True
    return False


def removable(state, tables, q):
    """Return the squares outside the Court whose card may be removed (6.3).

    They have hidden cards or, if there are none, revealed cards.
    """
    outside = state.occupied[q] & ~tables.court
    hidden = outside & ~state.up[q]
    return hidden if hidden else outside


# ---------------------------------------------------------------- 8.2, 11.8: the own castle, barricades


def own_leads(state, tables, p, which):
    """Return the squares of the player's own cards that may lead an attack (8.2).

    which: the reading of C28.
    """
    mask = 0
    for s in range(c.SQUARES):
        if state.occupied[p] >> s & 1:
            royal = grid.royal_at(state, p, s)
            if (
                royal == c.NONE
                or which == c.ForcedLeads.all
                or (which == c.ForcedLeads.all_but_king and royal != c.Royal.KING)
            ):
                mask |= grid.bit(s)
    return mask


def laying_squares(state, tables, q):
    """Return the squares for a barricade: three masks, by Side (C48).

    They are above a column, at the left end and at the right end of a row.
    """
    cards = state.occupied[q]
    left, right = 0, 0
    for row in range(c.ROWS):
        line = cards >> row * c.WIDTH & grid.ROW
        if line:
            lowest, highest = c.WIDTH, 0
            for column in range(c.WIDTH):
                if line >> column & 1:
                    lowest, highest = min(lowest, column), column
            left |= grid.bit(row * c.WIDTH + lowest - 1)
            right |= grid.bit(row * c.WIDTH + highest + 1)
    return squares_above(tables, cards), left, right


def squares_above(tables, cards):
    """Return the squares above the top card of each column (C48).

    With `top_row`, only squares above the highest cards of the castle are returned.
    """
    above = 0
    for column in range(1, c.COLUMNS + 1):
        for row in range(c.ROWS - 1, -1, -1):
            if cards >> row * c.WIDTH + column & 1:
                if tables.barricade_above == c.BarricadeAbove.column or not cards >> (row + 1) * c.WIDTH:
                    above |= grid.bit((row + 1) * c.WIDTH + column)
                break
    return above


jit_module(__name__)
