"""What may be attacked, turned over, added or removed (4.1, 4.3, 4.5, 4.8, 6.1, 6.3, 7): as masks of squares,
and as lists of actions.
"""

from bartizan.simcore.castle.actions import square_of
from bartizan.simcore.castle.components import (
    CARDS,
    COLUMNS,
    JOKER_TARGET,
    NONE,
    POOL_TARGET,
    ROWS,
    SQUARES,
    WIDTH,
    ArcherTarget,
    Attack,
    BarricadeAbove,
    BerserkGroup,
    EightTurns,
    FollowDirections,
    ForcedLeads,
    Heading,
    JackJump,
    LostDoubleTarget,
    Royal,
    RoyalRule,
    RoyalRuleSuit,
)
from bartizan.simcore.castle.rules.grid import (
    FIELD,
    ROW,
    around,
    barricades,
    bit,
    open_ground,
    reachable,
    royal_at,
    suit_of,
)
from bartizan.simcore.compile.jit import jit

# compiled functions return plain numbers
LEFT, RIGHT, DOWN = (int(Heading.LEFT), int(Heading.RIGHT), int(Heading.DOWN))
STEP = (-1, 1, -WIDTH, WIDTH)  # by Heading


# ---------------------------------------------------------------- 4.1, 4.3: whom an attack may choose


@jit
def forbidden(state, tables, q):
    """4.3: squares of q's revealed royals that the Royal rule keeps from being chosen."""
    mask = 0
    if tables.royal_rule == RoyalRule.forbidden and state.attack != Attack.COUNTER:
        for s in range(SQUARES):
            if state.up[q] >> s & 1 and is_akin(state, q, s):
                mask |= bit(s)
    return mask


@jit
def is_akin(state, q, s):
    """4.3, 7.6: a royal whose suit is among those of the attack; of an Ace's attack the Ace's."""
    return (
        royal_at(state, q, s) != NONE
        and ((state.suits | state.added_suits) >> suit_of(state.castle[q, s]) & 1) == 1
    )


@jit
def choices(state, tables, q):
    """4.1: reachable and not forbidden."""
    return reachable(state, q) & ~forbidden(state, tables, q)


@jit
def has_first_target(state, tables):
    p = state.on_turn
    for i in range(1, tables.players):
        q = (p + i) % tables.players
        if state.alive[q] and choices(state, tables, q):
            return True
    return tables.barricade_rank != NONE and barricades(state, p) != 0


# ---------------------------------------------------------------- 4.8, 6.1: whom it goes on to


@jit
def met(state, q, s, heading, skip):
    """The card met from square s going one way over empty squares, after passing over `skip`
    cards; or NONE.
    """
    s += STEP[heading]
    while s >= 0 and s < SQUARES and s % WIDTH != 0 and s % WIDTH != WIDTH - 1:
        if state.occupied[q] >> s & 1:
            if skip == 0:
                return s
            skip -= 1
        s += STEP[heading]
    return NONE


@jit
def may_head(state, tables, heading):
    """C10"""
    if tables.follow_directions == FollowDirections.left_right_down:
        return heading != Heading.UP
    if tables.follow_directions == FollowDirections.relative:
        return heading != state.heading ^ 1
    return True


@jit
def follow(state, tables, q, s):
    """4.8, 8.3: squares an attack may go on to from the won square s."""
    mask = 0
    jumps = state.lead_royal == Royal.JACK
    for heading in range(4):
        if may_head(state, tables, heading):
            for skip in range(tables.jump + 1 if jumps else 1):
                counts = skip == 0 or tables.jack_jump == JackJump.up_to_two or skip == tables.jump - 1
                target = met(state, q, s, heading, skip) if counts else NONE
                if target != NONE:
                    mask |= bit(target)
    return mask


@jit
def next_squares(state, tables):
    """4.8, 6.1: where the attack on the defender's castle may go on."""
    q = state.defender
    if state.won:
        mask = follow(state, tables, q, state.won_square) if state.won_square != NONE else 0
        return mask & ~forbidden(state, tables, q)
    same = target_stands(state)
    mask = bit(square_of(state.target)) if same else 0
    if not same or tables.lost_double_target == LostDoubleTarget.same_or_other:
        mask |= (
            follow(state, tables, q, state.won_square) if state.won_square != NONE else reachable(state, q)
        )
    return mask & ~forbidden(state, tables, q)


@jit
def target_stands(state):
    """The card last attacked is still where it was."""
    return state.castle[state.defender, square_of(state.target)] == state.target_card


@jit
def first_heading(state, q, s):
    """C10: the way an attack comes in: from above, else from the left, else from the right."""
    ground = open_ground(state.occupied[q])
    if ground >> s + WIDTH & 1:
        return DOWN
    return RIGHT if ground >> s - 1 & 1 else LEFT


@jit
def heading_to(state, tables, q, s):
    """The heading of an attack that now chooses square s."""
    if state.won_square != NONE:
        for heading in range(4):
            if may_head(state, tables, heading):
                for skip in range(tables.jump + 1 if state.lead_royal == Royal.JACK else 1):
                    if met(state, q, state.won_square, heading, skip) == s:
                        return heading
    return first_heading(state, q, s)


@jit
def nameable(state, tables):
    """11.4, C32: cards a berserk attack may add to those it has named."""
    q = state.defender
    near = around(state.named) if tables.berserk_group == BerserkGroup.connected else FIELD
    return near & state.occupied[q] & ~state.named & ~forbidden(state, tables, q)


# ---------------------------------------------------------------- 7: archers and assassins


@jit
def archer_squares(state, tables, q):
    """7.3, C25"""
    outside = state.occupied[q] & ~tables.court
    shown = outside & state.up[q]
    if tables.archer_target == ArcherTarget.revealed:
        return shown
    near = outside & reachable(state, q)
    return near if tables.archer_target == ArcherTarget.reachable else near | shown


@jit
def has_archer_target(state, tables):
    p = state.on_turn
    for i in range(1, tables.players):
        q = (p + i) % tables.players
        if state.alive[q] and (archer_squares(state, tables, q) or state.pool[q] & ~state.pool_hidden):
            return True
    return False


@jit
def has_assassin_target(state, tables):
    p = state.on_turn
    for i in range(1, tables.players):
        q = (p + i) % tables.players
        if state.alive[q] and (
            state.occupied[q] & ~forbidden(state, tables, q) or state.pool[q] or state.jokers[q]
        ):
            return True
    return False


# ---------------------------------------------------------------- 7.1, 7.5: what may be turned over


@jit
def turnable(state, tables, q):
    """7.1, C18: castle cards an eight may turn."""
    mask = state.occupied[q]
    if tables.eight_turns == EightTurns.castles:
        for s in range(SQUARES):
            if mask >> s & 1 and state.castle[q, s] == state.royal[q, Royal.JACK]:
                mask &= ~bit(s)
    return mask


@jit
def any_hidden(state, tables):
    for q in range(tables.players):
        if state.alive[q] and state.occupied[q] & ~state.up[q]:
            return True
    return False


# ---------------------------------------------------------------- 4.5, 6.3: reinforcements, removals


@jit
def addable(state, tables, p):
    """4.5: reinforcements a player may add now, bit mask over cards."""
    cards = state.pool[p] & ~((2 << state.last_added) - 1) if state.last_added != NONE else state.pool[p]
    if state.contested != NONE:
        return cards
    if state.target >= POOL_TARGET and state.target < JOKER_TARGET:
        cards &= ~bit(state.target - POOL_TARGET)
    if (
        p == state.attacker
        and tables.royal_rule_suit == RoyalRuleSuit.any_card
        and tables.royal_rule == RoyalRule.forbidden
        and state.attack != Attack.COUNTER
    ):
        for card in range(CARDS):
            if cards >> card & 1 and names_royal_of(state, suit_of(card)):
                cards &= ~bit(card)
    return cards


@jit
def names_royal_of(state, suit):
    """C21: a royal of this suit is under attack."""
    for s in range(SQUARES):
        if (
            state.named >> s & 1
            and royal_at(state, state.defender, s) != NONE
            and suit_of(state.castle[state.defender, s]) == suit
        ):
            return True
    return False


@jit
def removable(state, tables, q):
    """6.3: hidden cards outside the Court; if there are none, revealed ones."""
    outside = state.occupied[q] & ~tables.court
    hidden = outside & ~state.up[q]
    return hidden if hidden else outside


# ---------------------------------------------------------------- 8.2, 11.8: the own castle, barricades


@jit
def own_leads(state, tables, p, which):
    """8.2, C28: own cards that may attack."""
    mask = 0
    for s in range(SQUARES):
        if state.occupied[p] >> s & 1:
            royal = royal_at(state, p, s)
            if (
                royal == NONE
                or which == ForcedLeads.all
                or (which == ForcedLeads.all_but_king and royal != Royal.KING)
            ):
                mask |= bit(s)
    return mask


@jit
def laying_squares(state, tables, q):
    """C48: squares above a column, left and right of a row: three masks, by Side."""
    cards = state.occupied[q]
    left, right = 0, 0
    for row in range(ROWS):
        line = cards >> row * WIDTH & ROW
        if line:
            lowest, highest = WIDTH, 0
            for column in range(WIDTH):
                if line >> column & 1:
                    lowest, highest = min(lowest, column), column
            left |= bit(row * WIDTH + lowest - 1)
            right |= bit(row * WIDTH + highest + 1)
    return squares_above(tables, cards), left, right


@jit
def squares_above(tables, cards):
    """C48: above the top card of each column; `top_row`: only where no card stands higher anywhere."""
    above = 0
    for column in range(1, COLUMNS + 1):
        for row in range(ROWS - 1, -1, -1):
            if cards >> row * WIDTH + column & 1:
                if tables.barricade_above == BarricadeAbove.column or not cards >> (row + 1) * WIDTH:
                    above |= bit((row + 1) * WIDTH + column)
                break
    return above
