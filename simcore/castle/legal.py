"""The legal actions at a decision, in the order of PROTOCOL.md, section 2.

Each `write_*` appends to `legal` (int32, modified in place) and returns the new number of entries. n: current
number of entries, 0 for functions without it.
"""

from bartizan.simcore.castle import components as c
from bartizan.simcore.castle.actions import action, laying, ram, square_target
from bartizan.simcore.castle.rules import targets
from bartizan.simcore.castle.rules.attack import may_rally
from bartizan.simcore.castle.rules.fight import strikeable
from bartizan.simcore.castle.rules.grid import bit, has_gap, movable_borders, placeable, rank_of
from bartizan.simcore.castle.turns import placing
from bartizan.simcore.compile.jit import jit_module
from bartizan.simcore.kit.actions import append


def append_all(legal, n, act, mask, offset):
    """Append an action for every bit of a mask, in ascending order.

    The argument is `offset` plus the bit number.
    """
    s = 0
    while mask >> s:
        if mask >> s & 1:
            n = append(legal, n, action(act, offset + s))
        s += 1
    return n


def legal_actions(state, tables, legal):
    """Write the legal actions of the current decision into `legal`, and return their number."""
    stage = state.stage
    p = state.to_move
    if stage == c.Stage.CARD:
        return write_card(state, tables, p, legal)
    if stage == c.Stage.TARGET:
        return write_targets(state, tables, legal)
    if stage == c.Stage.TURN:
        return write_turn(state, tables, p, legal)
    if stage == c.Stage.OWN:
        return append_all(legal, 0, c.Act.OWN, targets.own_leads(state, tables, p, tables.forced_leads), 0)
    if stage == c.Stage.SETUP:
        return write_placement(state, tables, p, legal)
    if stage == c.Stage.KEEP:
        return append_all(legal, 0, c.Act.PLACE, placeable(state, tables, p), 0)
    if stage == c.Stage.CHOOSE:
        return write_suits(state, tables, legal)
    if stage == c.Stage.HAND:
        return write_hand(state, tables, legal)
    return write_in_attack(state, tables, p, legal)


def write_in_attack(state, tables, p, legal):
    """Write the legal actions of a decision in an attack, except for targets (TARGET).

    Most decisions may be declined (END).
    """
    stage = state.stage
    if stage == c.Stage.REMOVE:
        n = append(legal, 0, action(c.Act.END, 0)) if tables.snake_eyes == c.SnakeEyes.may else 0
        return append_all(legal, n, c.Act.REMOVE, targets.removable(state, tables, state.victim), 0)
    if stage == c.Stage.RAM:
        return write_rams(state, tables, legal)
    if stage == c.Stage.COUNTER:
        return append_all(legal, 0, c.Act.ATTACK, strikeable(state, tables), square_target(state.attacker, 0))
    if stage == c.Stage.FIRST or stage == c.Stage.USE:
        act = c.Act.FIRST if stage == c.Stage.FIRST else c.Act.USE
        return append(legal, append(legal, 0, action(act, 0)), action(act, 1))
    n = append(legal, 0, action(c.Act.END, 0))
    if stage == c.Stage.ADD:
        return append_all(legal, n, c.Act.ADD, targets.addable(state, tables, p), 0)
    if stage == c.Stage.SPY:
        return write_turns(state, tables, legal, n)
    if stage == c.Stage.NAME:
        return append_all(legal, n, c.Act.NAME, targets.nameable(state, tables), 0)
    if stage == c.Stage.REVEAL:
        return write_hidden(state, tables, legal, n)
    return append_all(legal, n, c.Act.RALLY, state.picked, 0)


def write_card(state, tables, p, legal):
    """Write the uses of the drawn card (3.1 - 3.6)."""
    card = state.drawn
    n = append_all(legal, 0, c.Act.PLACE, placeable(state, tables, p), 0)
    if tables.power[rank_of(card)] == c.Power.none:
        n = write_first_targets(state, tables, legal, n)
    else:
        n = append(legal, n, action(c.Act.LEAD, 0))
    if may_rally(state, p, card):
        n = append(legal, n, action(c.Act.RALLY, 0))
    if tables.barricade_rank != c.NONE and rank_of(card) == tables.barricade_rank:
        n = write_barricades(state, tables, legal, n)
    return n if n > 0 else append(legal, 0, action(c.Act.DISCARD, 0))


def write_barricades(state, tables, legal, n):
    """Write the places for a barricade (3.5, 11.8).

    They are above the top card of an enemy column, and at the ends of an enemy row.
    """
    p = state.on_turn
    for i in range(1, tables.players):
        q = (p + i) % tables.players
        if state.alive[q]:
            ends = targets.laying_squares(state, tables, q)
            room = (tables.inside | movable_borders(state, tables, q)) & ~state.barred[q] & ~state.occupied[q]
            for s in range(c.SQUARES):
                for side in range(c.SIDES - 1):
                    if ends[side] & room & bit(s) and (side != c.Side.ABOVE or tables.inside & bit(s)):
                        n = append(legal, n, action(c.Act.LAY, laying(q, s, side)))
    return n


def write_targets(state, tables, legal):
    """Write the possible first or next targets of an attack, including archers and assassins (TARGET)."""
    if state.target == c.NONE:
        is_anew = state.renewed == 1 and tables.follow_through == c.FollowThrough.optional
        may_stop = is_anew or state.attack == c.Attack.ASSASSIN
        n = append(legal, 0, action(c.Act.END, 0)) if may_stop else 0
        return write_first_targets(state, tables, legal, n)
    n = append(legal, 0, action(c.Act.END, 0)) if tables.follow_through == c.FollowThrough.optional else 0
    if state.attack == c.Attack.BARRICADE:
        return append(legal, n, action(c.Act.ATTACK, state.target))
    return append_all(
        legal, n, c.Act.ATTACK, targets.next_squares(state, tables), square_target(state.defender, 0)
    )


def write_turn(state, tables, p, legal):
    """Write the actions at the start of a turn (3.1, 3.7, C27).

    They are drawing, closing gaps, and attacking with a card of the player's own castle.
    """
    n = append(legal, 0, action(c.Act.DRAW, 0))
    if has_gap(state, tables, p):
        n = append(legal, n, action(c.Act.CLOSE, 0))
    if tables.own_card_attack == c.OwnCardAttack.yes:
        n = append_all(
            legal, n, c.Act.OWN, targets.own_leads(state, tables, p, c.ForcedLeads.all_but_king), 0
        )
    return n


def write_placement(state, tables, p, legal):
    """Write the squares where the drawn card may be placed (2.3).

    A royal may be placed anywhere in the Court; other cards follow the placement rule.
    """
    if rank_of(state.drawn) >= c.FIRST_ROYAL_RANK:
        return append_all(legal, 0, c.Act.PLACE, tables.inside & tables.court & ~state.occupied[p], 0)
    return append_all(legal, 0, c.Act.PLACE, placeable(state, tables, p), 0)


def write_hand(state, tables, legal):
    """Write the dealt cards that may be placed next (2.3)."""
    n = 0
    for i in range(tables.dealt - placing(state, tables)):
        n = append(legal, n, action(c.Act.FIRST, i))
    return n


def write_rams(state, tables, legal):
    """Write the two ends of each opponent's Court from which a ram may attack (7.4)."""
    p = state.on_turn
    n = 0
    for i in range(1, tables.players):
        q = (p + i) % tables.players
        if state.alive[q]:
            n = append(legal, n, action(c.Act.RAM, ram(q, 0)))
            n = append(legal, n, action(c.Act.RAM, ram(q, 1)))
    return n


def write_suits(state, tables, legal):
    """Write the suits left for a player's royal (C1 choice)."""
    n = 0
    for suit in range(c.SUITS):
        if state.suits_left[state.to_place // tables.players, suit]:
            n = append(legal, n, action(c.Act.SUIT, suit))
    return n


def write_first_targets(state, tables, legal, n):
    """Write the first targets of an attack.

    They are cards of the opponents' castles by seat, then reinforcements, Jokers, and barricades in the
    player's own castle.
    """
    cards = 0
    for i in range(1, tables.players):
        q = (state.on_turn + i) % tables.players
        if state.alive[q]:
            squares = targets.first_squares(state, tables, q)
            n = append_all(legal, n, c.Act.ATTACK, squares, square_target(q, 0))
            cards |= targets.first_reinforcements(state, q)
    n = append_all(legal, n, c.Act.ATTACK, cards, c.POOL_TARGET)
    for i in range(1, tables.players):
        q = (state.on_turn + i) % tables.players
        if state.alive[q] and targets.first_joker(state, q):
            n = append(legal, n, action(c.Act.ATTACK, c.JOKER_TARGET + q))
    return append_all(legal, n, c.Act.ATTACK, targets.first_barricades(state, tables), c.BARRICADE_TARGET)


def write_turns(state, tables, legal, n):
    """Write the cards that may be turned over: castle cards by seat, then reinforcements (SPY; C18)."""
    cards = 0
    for q in range(tables.players):
        if state.alive[q]:
            n = append_all(legal, n, c.Act.TURN, targets.turnable(state, tables, q), square_target(q, 0))
            cards |= state.pool[q]
    if tables.eight_turns == c.EightTurns.anything:
        n = append_all(legal, n, c.Act.TURN, cards, c.POOL_TARGET)
    return n


def write_hidden(state, tables, legal, n):
    """Write every hidden castle card (REVEAL)."""
    for q in range(tables.players):
        if state.alive[q]:
            n = append_all(legal, n, c.Act.TURN, state.occupied[q] & ~state.up[q], square_target(q, 0))
    return n


jit_module(__name__)
