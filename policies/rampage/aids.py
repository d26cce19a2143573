"""What Castle Rampage's policies look at: only what their seat may know.

The own stacks are the own memory (RULES.md, 1.6); the other's are unknown but for known tops.
"""

from bartizan.simcore.compile.jit import jit
from bartizan.simcore.rampage.components import Structure
from bartizan.simcore.rampage.odds import MOST, STRONGEST
from bartizan.simcore.rampage.rules.attack import PERM_GATE, defence_of
from bartizan.simcore.rampage.rules.hands import other
from bartizan.simcore.rampage.rules.stacks import top_card


@jit
def hope(state, tables, p, strength, structure, share=1.0):
    """(Gate cards, Castle cards, chance to win) that an attack of p may hope for.

    The known top card is met as it is, what lies below as any card of the deck, with this share of the
    strength that is left.
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


@jit
def beyond(tables, gate, castle, strength):
    """The same of cards nobody has seen; between two whole strengths in proportion."""
    if strength <= 0:
        return 0.0, 0.0, 0.0
    g, c, s = min(gate, MOST), min(castle, MOST), min(int(strength), STRONGEST)
    more, on = min(s + 1, STRONGEST), strength - int(strength)
    return (
        between(tables.gates[g, s], tables.gates[g, more], on),
        between(tables.castles[g, c, s], tables.castles[g, c, more], on),
        between(tables.wins[g, c, s], tables.wins[g, c, more], on),
    )


@jit
def between(low, high, share):
    return float(low) + share * (float(high) - float(low))


@jit
def target_of(state, p):
    """5.1: what an ordinary attack of p meets."""
    return Structure.GATE if state.size[other(p), Structure.GATE] > 0 else Structure.CASTLE


@jit
def is_hopeless(state, tables, p, strength, structure):
    """The card on top is known and repels it."""
    q = other(p)
    return (
        state.known[q, structure] == 1
        and defence_of(state, tables, q, structure, top_card(state, q, structure)) > strength
    )


@jit
def unit_to_name(state, tables, p):
    """7.5: the unit most cards show that are neither in the discards nor in the own hand."""
    best, unit = -1, 0
    for u in range(tables.units):
        there = 0
        for k in range(tables.kinds):
            if tables.shows[k] >> u & 1:
                there += tables.count[k] - state.discards[k] - state.hand[p, k]
        if there > best:
            best, unit = there, u
    return unit
