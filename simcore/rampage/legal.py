"""The legal actions at a decision, in the order of PROTOCOL.md, section 2.

Each `write_*` appends to `legal` (int32, modified in place) and returns the new number of actions. n: current
number of actions, 0 for functions without it.
"""

from bartizan.simcore.compile.jit import jit_module
from bartizan.simcore.kit.actions import append, write_first
from bartizan.simcore.rampage import components as c
from bartizan.simcore.rampage.actions import action, argument_of, play
from bartizan.simcore.rampage.rules.zones import asked_unit, can_pay, less, other


def legal_actions(state, tables, legal):
    """Write the legal actions of the current decision into `legal`, and return their number."""
    stage, p = state.stage, state.to_move
    if stage == c.Stage.MAIN:
        return write_main(state, tables, legal, p)
    if stage == c.Stage.PAY:  # 4.2, 4.3
        n, unit = 0, asked_unit(state.need)
        for k in range(tables.kinds):
            shows = unit == c.UNITS or tables.shows[k] >> unit & 1
            if state.held[p] >> k & 1 and shows:
                if can_pay(state, tables, p, less(tables, state.need, k), k):
                    n = append(legal, n, action(c.Act.PAY, k))
        return n
    if stage == c.Stage.SETUP_GATE:
        return write_kinds(legal, c.Act.GATE, tables.kinds, state.dealt[p])
    if stage == c.Stage.SETUP_CASTLE:
        return write_kinds(legal, c.Act.CASTLE, tables.kinds, state.dealt[p])
    if stage == c.Stage.RAZE:
        return write_kinds(legal, c.Act.RAZE, tables.kinds, state.laid[other(p)])
    if stage == c.Stage.TAKE:
        return write_kinds(legal, c.Act.TAKE, tables.kinds, state.hand[other(state.on_turn)])
    if stage == c.Stage.DROP:
        return write_kinds(legal, c.Act.DROP, tables.kinds, state.hand[p])
    if stage == c.Stage.LOSE:  # 7.7: structures with a card
        return write_kinds(legal, c.Act.LOSE, c.STRUCTURES, state.size[p])
    if stage == c.Stage.NAME:
        return write_first(legal, action(c.Act.NAME, 0), tables.units)
    if stage == c.Stage.TARGET:
        return write_first(legal, action(c.Act.TARGET, 0), c.STRUCTURES)
    if stage == c.Stage.UNDER:
        return write_first(legal, action(c.Act.UNDER, 0), c.STRUCTURES)
    n = append(legal, 0, action(c.Act.EFFECT if stage == c.Stage.ORDER else c.Act.END, 0))
    return append(legal, n, action(c.Act.ATTACK, 0))


def write_main(state, tables, legal, p):
    """Write the actions of a turn (3.2 - 3.4)."""
    n = append(legal, 0, action(c.Act.END, 0))
    if may_strengthen(state, tables, p):
        n = write_placeable(state, tables, legal, p)
    to_hand = tables.repelled_veteran == c.RepelledVeteran.to_hand
    for k in range(tables.kinds):
        if state.held[p] >> k & 1 and not (to_hand and state.hand[p, k] <= state.tired[k]):  # A16b
            n = write_plays(state, tables, legal, n, p, k, k)
    if tables.repelled_veteran == c.RepelledVeteran.in_front:
        for k in range(tables.kinds):
            if state.front[p, k] > state.tired[k]:
                n = write_plays(state, tables, legal, n, p, k, c.NONE)
    return n


def write_kinds(legal, act, kinds, counts):
    """Write action `act` for every kind of which `counts` contains at least one card."""
    n = 0
    for k in range(kinds):
        if counts[k] > 0:
            n = append(legal, n, action(act, k))
    return n


def write_plays(state, tables, legal, n, p, k, from_hand):
    """Write plays of kind k with every number of boosts that can be paid (3.4, 4.2 - 4.4, 4.7).

    from_hand: k, or NONE for a card in front of the player.
    """
    if not tables.playable[k]:
        return n
    for boosts in range(tables.boosts[k] + 1):
        need = tables.need[k] + boosts * tables.boost_need[k]
        if need != 0 and not can_pay(state, tables, p, need, from_hand):
            return n
        n = append(legal, n, action(c.Act.PLAY, play(from_hand == c.NONE, boosts, k)))
    return n


def write_placeable(state, tables, legal, p):
    """Write GATE, then CASTLE, for each kind that may be placed (3.2, 3.3, A25).

    END must already be at index 0.
    """
    n = 1
    for k in range(tables.kinds):
        if state.held[p] >> k & 1:
            if tables.strengthen_with == c.StrengthenWith.not_allowed:
                if tables.permanent[k] or tables.is_scheme[k]:
                    continue
            if tables.place_need[k] == 0 or can_pay(state, tables, p, tables.place_need[k], k):
                n = append(legal, n, action(c.Act.GATE, k))
    end = n
    for i in range(1, end):
        n = append(legal, n, action(c.Act.CASTLE, argument_of(legal[i])))
    return n


def may_strengthen(state, tables, p):
    """Return whether the player may strengthen a structure (3.2, A2)."""
    if tables.strengthen_timing == c.StrengthenTiming.before_plays and state.plays > 0:
        return False
    return state.strengthened < tables.strengthen + state.perm[p, c.PERM_STRENGTHEN]


jit_module(__name__)
