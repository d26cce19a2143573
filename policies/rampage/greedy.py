"""`greedy`: plays the card of highest value, which is mostly the number of cards that it may destroy.

If no card has a value, it puts the best defender under the smaller structure.

It keeps no card for later and ignores costs. It uses only information that its seat may know. It remembers
its own stacks (RULES.md, 1.6); the opponent's stacks are unknown except for known top cards.
"""

from bartizan.policies.protocol import Policy, legal_or_first
from bartizan.simcore.compile.jit import jit_module
from bartizan.simcore.rampage.actions import action, argument_of, kind_of, play_of
from bartizan.simcore.rampage.components import PERM_GATE, Act, AttackTarget, Op, Stage, Structure
from bartizan.simcore.rampage.rules.attack import defence_of, strength_of
from bartizan.simcore.rampage.rules.zones import other, top_card
from bartizan.simcore.rampage.tables import MOST, STRONGEST

# ---------------------------------------------------------------- expectations of attacks


def hope(state, tables, p, strength, structure, share=1.0):
    """Return (Gate cards, Castle cards, probability of winning) for an attack of p.

    The first two are the expected numbers of destroyed cards.

    A known top card counts with its own values, and unknown cards count as random cards of the deck. share:
    fraction of the strength that reaches unknown cards.
    """
    q = other(p)
    gate = state.size[q, Structure.GATE] if structure == Structure.GATE else 0
    castle = state.size[q, Structure.CASTLE]
    if not state.known[q, structure]:
        left = strength - (state.perm[q, PERM_GATE] if gate > 0 else 0)
        return beyond(tables, gate, castle, share * left)
    d = defence_of(state, tables, q, structure, top_card(state, q, structure))
    if d > strength:
        return 0.0, 0.0, 0.0
    if gate > 0:
        g, c, w = beyond(tables, gate - 1, castle, share * (strength - d))
        return g + 1.0, c, w
    g, c, w = beyond(tables, 0, castle - 1, share * (strength - d))
    return g, c + 1.0, 1.0 if castle == 1 else w


def beyond(tables, gate, castle, strength):
    """Return the results of `hope` for an attack on unseen cards, interpolated between integer strengths."""
    if strength <= 0:
        return 0.0, 0.0, 0.0
    g, c, s = min(gate, MOST), min(castle, MOST), min(int(strength), STRONGEST)
    more, on = min(s + 1, STRONGEST), strength - int(strength)
    return (
        between(tables.gates[g, s], tables.gates[g, more], on),
        between(tables.castles[g, c, s], tables.castles[g, c, more], on),
        between(tables.wins[g, c, s], tables.wins[g, c, more], on),
    )


def between(low, high, share):
    return float(low) + share * (float(high) - float(low))


def target_of(state, p):
    """Return the target of an ordinary attack of p (5.1)."""
    return Structure.GATE if state.size[other(p), Structure.GATE] > 0 else Structure.CASTLE


def is_hopeless(state, tables, p, strength, structure):
    """Return whether the known top card repels the attack."""
    q = other(p)
    return (
        state.known[q, structure] == 1
        and defence_of(state, tables, q, structure, top_card(state, q, structure)) > strength
    )


def unit_to_name(state, tables, p):
    """Return the unit on most cards that are neither discarded nor in the player's own hand (7.5)."""
    best, unit = -1, 0
    for u in range(tables.units):
        cards = 0
        for k in range(tables.kinds):
            if tables.shows[k] >> u & 1:
                cards += tables.count[k] - state.discards[k] - state.hand[p, k]
        if cards > best:
            best, unit = cards, u
    return unit


# ---------------------------------------------------------------- greedy


def choose(state, tables, legal, n_legal, weights):
    return legal_or_first(wanted(state, tables, legal, n_legal), legal, n_legal)


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


def in_turn(state, tables, p, legal, n_legal):
    """Return the play of highest value, else the best placement, else the end of the turn.

    The best placement is that of the best defender.
    """
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


def prospect(state, tables, p, k, boosts):
    """Return the value of a play.

    For an attack, it is the expected number of the opponent's cards that it destroys, plus the probability of
    winning. Other cards have a fixed value (0, 0.1 or 1): 1 for a permanent, a card that the opponent
    discards, or a card of each Castle if the player's own Castle remains.
    """
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


def best_defender(tables, legal, first, last, castle):
    """Return the placement of the card with the highest defence.

    first, last: range of entries of `legal`. castle: whether the card is placed in the Castle.
    """
    best, choice = -1, legal[first]
    for i in range(first, last):
        defence = tables.defence[argument_of(legal[i]), 1 if castle else 0]
        if defence > best:
            best, choice = defence, legal[i]
    return choice


jit_module(__name__, but="choose")

GREEDY = Policy(
    "greedy",
    choose,
    "plays the attack that can destroy most cards as long as one can destroy any, then strengthens "
    "the smaller structure with its best defender",
)
