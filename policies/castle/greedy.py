"""`greedy`: attacks if one roll is likely enough to win something, otherwise builds.

It builds on the first free cell.

It looks one roll ahead and ignores threats to its own castle.
"""

from bartizan.policies.castle.aids import joker_edge, knows, top_first, win_shown, win_unseen
from bartizan.policies.castle.plain import first_cell, layout, listed
from bartizan.policies.protocol import Policy, indices, legal_or_first
from bartizan.simcore.castle.actions import action, argument_of, castle_of, kind_of, square_of, square_target
from bartizan.simcore.castle.components import NONE, POOL_TARGET, Act, Power, Royal, Stage
from bartizan.simcore.castle.rules.grid import rank_of, royal_at
from bartizan.simcore.castle.rules.targets import choices
from bartizan.simcore.compile.jit import jit_module

# minimum value of one roll; values of royals relative to 1 for a plain card
WEIGHTS = {"attack_at": 0.55, "king": 5.0, "queen": 2.5, "jack": 1.5}
AT = indices(WEIGHTS)


def choose(state, tables, legal, n_legal, weights):
    return legal_or_first(wanted(state, tables, legal, n_legal, weights), legal, n_legal)


def wanted(state, tables, legal, n_legal, weights):
    stage, p = state.stage, state.to_move
    if stage == Stage.CARD:
        return drawn_card(state, tables, p, weights)
    if stage == Stage.TARGET:
        dice, force = state.attack_dice, state.force
        return best_attack(state, tables, p, legal, n_legal, dice, force, weights)
    if stage == Stage.SETUP:
        return layout(state, tables)
    if stage == Stage.REMOVE:
        return action(Act.REMOVE, top_first(listed(legal, n_legal, Act.REMOVE)))
    return legal[0]


def drawn_card(state, tables, p, weights):
    """Return the use of the drawn card.

    An Ace leads. Any other card makes the best attack if that has enough value. Otherwise it is placed, or
    discarded if no cell is free.
    """
    rank = rank_of(state.drawn)
    if tables.power[rank] == Power.ace:
        return action(Act.LEAD, 0)
    best, target = weights[AT.attack_at], NONE
    for i in range(1, tables.players):
        q = (p + i) % tables.players
        if state.alive[q]:
            open_to = choices(state, tables, q)
            s = 0
            while open_to >> s:
                if open_to >> s & 1:
                    gain = prospect(state, tables, p, q, s, tables.attack_dice, tables.value[rank], weights)
                    if gain > best:
                        best, target = gain, square_target(q, s)
                s += 1
    square = first_cell(state, tables, p)
    if target == NONE:
        return action(Act.PLACE, square) if square != NONE else action(Act.DISCARD, 0)
    return action(Act.LEAD, 0) if tables.power[rank] == Power.spy else action(Act.ATTACK, target)


def prospect(state, tables, p, q, s, dice, force, weights):
    """Return the probability of beating a castle card in one roll, times the card's value."""
    force += joker_edge(state, tables, p, q)
    if not knows(state, p, q, s):
        return win_unseen(tables, dice, force)
    royal = royal_at(state, q, s)
    worth = 1.0
    if royal != NONE:
        at = AT.king if royal == Royal.KING else AT.queen if royal == Royal.QUEEN else AT.jack
        worth = weights[at]
    return worth * win_shown(state, tables, q, s, dice, force)


def best_attack(state, tables, p, legal, n_legal, dice, force, weights):
    """Return the attack on the listed target with the best prospect.

    A target beside a castle has prospect 0.5. An attack that may continue always does.
    """
    best, choice = -1.0, legal[0]
    for i in range(n_legal):
        target = argument_of(legal[i])
        if kind_of(legal[i]) == Act.ATTACK:
            gain = 0.5
            if target < POOL_TARGET:
                gain = prospect(state, tables, p, castle_of(target), square_of(target), dice, force, weights)
            if gain > best:
                best, choice = gain, legal[i]
    return choice


jit_module(__name__, but="choose")

GREEDY = Policy(
    "greedy",
    choose,
    "attacks when a single roll is promising, otherwise places the card on the first free cell; "
    "continues as long as it can",
    weights=WEIGHTS,
)
