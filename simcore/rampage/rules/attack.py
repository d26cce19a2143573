"""An attack, from the first revealed card to its effects (section 5), and the loss of a game (section 6).

Functions that return nothing modify `state`.
"""

from bartizan.simcore.compile.jit import jit_module
from bartizan.simcore.kit.journal import log
from bartizan.simcore.rampage import components as c
from bartizan.simcore.rampage.rules.zones import discard, fell, gain, in_ruins, other, spare, top_card
from bartizan.simcore.rng import below


def strength_of(state, tables, p, k, boosts):
    """Return the strength of an attacking card (5.2)."""
    return tables.attack[k] + boosts * tables.boost_strength[k] + state.perm[p, c.PERM_ATTACK]


def defence_of(state, tables, q, structure, k):
    """Return the defence of a card of kind k in this structure (5.2, 7.9)."""
    bonus = state.perm[q, c.PERM_GATE] if structure == c.Structure.GATE else 0
    return tables.defence[k, structure] + bonus


def attack(state, tables):
    """Reveal card after card (5.2), first of the Gate, then of the Castle (5.6).

    The texts of destroyed cards apply (5.7).
    """
    p = state.on_turn
    q = other(p)
    state.strength = strength_of(state, tables, p, state.card, state.boosts)
    state.outcome = c.Outcome.STANDS
    state.texts = 0
    state.attacks += 1
    at_castle = False
    log(state, c.Event.STRIKES, state.strength, state.attacked)
    while state.outcome == c.Outcome.STANDS and not in_ruins(state, q):
        if state.size[q, state.attacked] == 0:  # 5.6
            state.attacked = c.Structure.CASTLE
        at_castle |= state.attacked == c.Structure.CASTLE
        reveal(state, tables, q)
    state.to_castle += at_castle
    over_first = tables.last_card_text == c.LastCardText.over_first  # A13
    if not (over_first and in_ruins(state, q)):
        for i in range(state.texts):  # A12 after_attack
            work(state, tables, state.waiting[i])
    if in_ruins(state, q):
        lose(state, q)


def reveal(state, tables, q):
    """Reveal the next card of the stack.

    Either the attack is repelled (5.3), or both cards are destroyed (5.4), or only the revealed card is
    destroyed and the attack keeps some strength (5.5).
    """
    structure = state.attacked
    k = top_card(state, q, structure)
    d = defence_of(state, tables, q, structure, k)
    log(state, c.Event.REVEALED, structure, k, d)
    if d > state.strength:
        state.known[q, structure] = tables.returned_card == c.ReturnedCard.known  # A10
        state.repelled += 1
        state.outcome = c.Outcome.RETURNS if tables.returns[state.card] else c.Outcome.DESTROYED
        log(state, c.Event.REPELLED, state.card)
        return
    tied = d == state.strength
    fell(state, tables, q, structure)
    state.felled += 1
    state.traded += tied
    if tied:
        state.outcome = c.Outcome.DESTROYED
    else:
        # A23
        state.strength -= d if tables.gate_bonus == c.GateBonus.modified else tables.defence[k, structure]
    speak(state, tables, q, k, tied)


def speak(state, tables, q, k, tied):
    """Apply the text of a destroyed card now or later, or ignore it (5.7, A11 - A13)."""
    if tables.text_op[k, 0] == c.Op.none or (tied and tables.tied_text != c.TiedText.works):
        return
    if tables.text_timing == c.TextTiming.after_attack:
        state.waiting[state.texts] = k
        state.texts += 1
    elif not in_ruins(state, q) or tables.last_card_text == c.LastCardText.effect_first:
        work(state, tables, k)


def work(state, tables, k):
    """Apply the text of a destroyed card (7.10)."""
    p = state.on_turn
    state.n_texts += 1
    for i in range(c.EFFECTS):
        op = tables.text_op[k, i]
        if op != c.Op.none:
            log(state, c.Event.TEXT, k, op)
        if op == c.Op.end_attack:
            state.outcome = c.Outcome.DESTROYED
        elif op == c.Op.attacker_discard_random or op == c.Op.defender_steal_random:
            for _ in range(tables.text_times[k, i]):
                rob(state, tables, p, op == c.Op.defender_steal_random)


def rob(state, tables, p, steal):
    """Discard a random card of p's hand, if there is one (7.4, 7.10).

    With `steal`, give it to the other player instead.
    """
    if state.hand_size[p] == 0:
        return
    k, left = 0, below(state, c.Luck.DISCARD, state.hand_size[p]) - state.hand[p, 0]
    while left >= 0:
        k += 1
        left -= state.hand[p, k]
    spare(state, tables, p, k)
    state.lost_cards += 1
    if steal:
        gain(state, tables, other(p), k)
        log(state, c.Event.STOLEN, p, k)
    else:
        discard(state, tables, k)
        log(state, c.Event.DISCARDED, p, k)


def lose(state, p):
    """End the game after the last card of p's Castle was destroyed (6.1, 6.2)."""
    state.loser = p
    state.end_reason = c.End.OWN_TURN if p == state.on_turn else c.End.CASTLE_FELL
    log(state, c.Event.LOST, p)


def lose_both(state):
    """End the game if a Castle is destroyed; its owner loses.

    If both Castles are destroyed, the player on turn loses (6.3).
    """
    p = state.on_turn
    if in_ruins(state, p):
        lose(state, p)
    elif in_ruins(state, other(p)):
        lose(state, other(p))


jit_module(__name__)
