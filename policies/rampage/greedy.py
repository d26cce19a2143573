"""`greedy`: plays whatever attack may hope to fell most, as long as one can fell anything; puts the best
defender under the smaller structure.

It keeps no card for later and counts no cost.
"""

from bartizan.policies.protocol import Policy, legal_or_first
from bartizan.policies.rampage.aids import hope, is_hopeless, target_of, unit_to_name
from bartizan.simcore.compile.jit import jit
from bartizan.simcore.rampage.actions import action, argument_of, kind_of, play_of
from bartizan.simcore.rampage.components import Act, AttackTarget, Op, Stage, Structure
from bartizan.simcore.rampage.rules.attack import strength_of
from bartizan.simcore.rampage.rules.hands import other


def choose(state, tables, legal, n_legal, weights):
    return legal_or_first(wanted(state, tables, legal, n_legal), legal, n_legal)


@jit
def wanted(state, tables, legal, n_legal):
    stage, p = state.stage, state.to_move
    if stage == Stage.MAIN:
        return in_turn(state, tables, p, legal, n_legal)
    if stage == Stage.SETUP_GATE or stage == Stage.SETUP_CASTLE:
        return best_defender(tables, legal, 0, n_legal, stage == Stage.SETUP_CASTLE)
    if stage == Stage.TARGET:
        return action(Act.TARGET, Structure.CASTLE)
    if stage == Stage.NAME:
        return action(Act.NAME, unit_to_name(state, tables, p))
    if stage == Stage.OPTIONAL:
        return legal[1]
    return legal[0]


@jit
def in_turn(state, tables, p, legal, n_legal):
    """The best play, else the best defender, else the end of the turn."""
    best, choice = 0.0, legal[0]
    placeable = 0
    for i in range(1, n_legal):
        act, argument = kind_of(legal[i]), argument_of(legal[i])
        if act == Act.PLAY:
            _, boosts, k = play_of(argument)
            gain = prospect(state, tables, p, k, boosts)
            if gain > best:
                best, choice = gain, legal[i]
        elif act == Act.GATE:
            placeable += 1
    if best > 0.0 or placeable == 0:
        return choice
    castle = state.size[p, Structure.CASTLE] < state.size[p, Structure.GATE]
    first = 1 + placeable if castle else 1
    return best_defender(tables, legal, first, first + placeable, castle)


@jit
def prospect(state, tables, p, k, boosts):
    """Cards of the other player that a play may hope to rid him of."""
    q = other(p)
    if tables.attack[k] > 0:
        structure = target_of(state, p) if tables.target[k] == AttackTarget.normal else Structure.CASTLE
        strength = strength_of(state, tables, p, k, boosts)
        if is_hopeless(state, tables, p, strength, structure):
            return 0.0
        gate, castle, win = hope(state, tables, p, strength, structure)
        return gate + castle + win
    op = tables.op[k, 0]
    if op == Op.destroy_top_both_castles:
        return 1.0 if state.size[p, Structure.CASTLE] > tables.times[k, 0] else 0.0
    if op == Op.destroy_own_top:
        return 0.1 if state.size[p, Structure.GATE] > tables.times[k, 0] else 0.0
    if op == Op.opp_discard_unit_type or op == Op.opp_discard_random:
        return 1.0 if state.hand_size[q] > 0 else 0.0
    return 1.0 if tables.permanent[k] else 0.0


@jit
def best_defender(tables, legal, first, last, castle):
    """Of the listed cards the one with the highest defence there."""
    best, choice = -1, legal[first]
    for i in range(first, last):
        defence = tables.defence[argument_of(legal[i]), 1 if castle else 0]
        if defence > best:
            best, choice = defence, legal[i]
    return choice


GREEDY = Policy(
    "greedy",
    choose,
    "plays the attack that may fell most as long as one may fell anything, then strengthens the smaller "
    "structure with its best defender",
)
