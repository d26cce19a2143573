"""`tactician`: values every action in one unit, a card of the Gate, and takes the action of highest value.

`defender` and `rusher` are the same policy with other weights.

The value of an attack is the expected number of destroyed cards minus its cost. The value of a Castle card
depends on the number of cards left (`haste`). The value of a card in hand is a constant plus values for its
strength and its units. The value of a placed card is its defence plus a bonus, which is higher if the
player's own structures are low. The policy does not look beyond one action. Some weights are 0 here, and only
the trained weights (`trained/`) use them.
"""

from bartizan.policies.protocol import Policy, indices, legal_or_first
from bartizan.policies.rampage.greedy import hope, is_hopeless, target_of, unit_to_name
from bartizan.simcore.compile.jit import jit_module
from bartizan.simcore.rampage.actions import action, argument_of, kind_of, play_of
from bartizan.simcore.rampage.components import (
    EFFECTS,
    PERM_DRAW,
    PERMS,
    Act,
    AttackTarget,
    Op,
    Stage,
    Structure,
)
from bartizan.simcore.rampage.rules.attack import strength_of
from bartizan.simcore.rampage.rules.zones import other, top_card

GATE, CASTLE = int(Structure.GATE), int(Structure.CASTLE)

WEIGHTS = {
    "castle_card": 0.55,
    "haste": -0.4,
    "win": 30.97,
    "card": 0.5,
    "strength": 0.02,
    "unit": 0.13,
    "build": -0.38,
    "defence": 0.33,
    "fear": 3.07,
    "low": 1.0,
    "text": 0.62,
    "foe": -0.01,
    "permanent": 2.11,
    "reach": 0.17,
    "sturdy": 0.0,
    "glut": 0.0,
    "wall": 0.0,
    "gate_low": 0.0,
    "drawing": 1.0,  # a permanent that draws, relative to others
    "discard": 0.0,  # a card that the opponent discards
    "idle": 0.0,  # minimum value of an action
    # set-up: a text that is kept for play, and cards that wait for the Castle
    "first_text": 0.0,
    "waiting": 0.5,
}
AT = indices(WEIGHTS)


def choose(state, tables, legal, n_legal, weights):
    return legal_or_first(wanted(state, tables, legal, n_legal, weights), legal, n_legal)


def wanted(state, tables, legal, n_legal, weights):
    stage, p = state.stage, state.to_move
    if stage == Stage.MAIN:
        return dearest(state, tables, p, legal, n_legal, weights)
    if stage == Stage.SETUP_GATE or stage == Stage.SETUP_CASTLE:
        return best_to_place(state, tables, p, legal, n_legal, weights)
    if stage == Stage.PAY or stage == Stage.DROP:
        return best_card(state, tables, p, legal, n_legal, weights, -1.0)
    if stage == Stage.TAKE:  # A20: the opponent's best card, or the own worst
        sign = 1.0 if p == state.on_turn else -1.0
        return best_card(state, tables, p, legal, n_legal, weights, sign)
    if stage == Stage.LOSE:
        return least_top(state, tables, p, legal, n_legal, weights)
    if stage == Stage.RAZE:
        return worst_permanent(tables, legal, n_legal)
    if stage == Stage.NAME:
        return action(Act.NAME, unit_to_name(state, tables, p))
    if stage == Stage.TARGET:
        strength = strength_of(state, tables, p, state.card, state.boosts)
        gate = blow(state, tables, p, strength, GATE, weights)
        return legal[1] if blow(state, tables, p, strength, CASTLE, weights) > gate else legal[0]
    if stage == Stage.OPTIONAL:
        strength = strength_of(state, tables, p, state.card, state.boosts)
        structure = target_of(state, p) if tables.target[state.card] == AttackTarget.normal else CASTLE
        return legal[0] if is_hopeless(state, tables, p, strength, structure) else legal[1]
    return legal[n_legal - 1] if stage == Stage.UNDER else legal[0]


# ---------------------------------------------------------------- a turn


def dearest(state, tables, p, legal, n_legal, weights):
    """Return the action of highest value. If no value exceeds `idle`, end the turn."""
    best, choice = weights[AT.idle], legal[0]
    for i in range(1, n_legal):
        act, argument = kind_of(legal[i]), argument_of(legal[i])
        if act == Act.PLAY:
            _, boosts, k = play_of(argument)
            takes = in_hand(state, tables, p, k, weights)
            takes += (tables.cost[k] + boosts) * any_card(state, p, weights)
            worth = brings(state, tables, p, k, boosts, weights) - takes
        else:
            structure = GATE if act == Act.GATE else CASTLE
            worth = built_in(state, tables, p, argument, structure, weights)
            worth -= in_hand(state, tables, p, argument, weights)
            if tables.place_need[argument] != 0:
                worth -= 2.0 * any_card(state, p, weights)
        if worth > best:
            best, choice = worth, legal[i]
    return choice


def in_hand(state, tables, p, k, weights):
    """Return the value of card k in hand: for payment, for attack, and for its units."""
    worth = any_card(state, p, weights)
    if tables.playable[k]:
        worth += weights[AT.strength] * tables.attack[k] / (1 + tables.cost[k]) + weights[AT.foe] * (
            tables.attack[k] == 0
        )
    return worth + weights[AT.unit] * (tables.shows[k] != 0)


def any_card(state, p, weights):
    """Return the value of any card in hand, which decreases as the hand grows."""
    return weights[AT.card] - weights[AT.glut] * state.hand_size[p]


def brings(state, tables, p, k, boosts, weights):
    total = 0.0
    if tables.attack[k] > 0:
        strength = strength_of(state, tables, p, k, boosts)
        structure = target_of(state, p) if tables.target[k] == AttackTarget.normal else CASTLE
        total = blow(state, tables, p, strength, structure, weights)
        if tables.target[k] == AttackTarget.choose:
            total = max(total, blow(state, tables, p, strength, target_of(state, p), weights))
        if tables.returns[k] and is_hopeless(state, tables, p, strength, structure):
            return 0.0
    return total + does(state, tables, p, k, weights)


def does(state, tables, p, k, weights):
    """Return the value of a card's effects if it is played now, including its effects as a permanent."""
    total = 0.0
    for i in range(EFFECTS):
        if tables.op[k, i] != Op.none:
            total += worth_of_effect(state, tables, p, tables.op[k, i], tables.times[k, i], weights)
    for i in range(PERMS):
        total += weights[AT.permanent] * tables.perm[k, i] * (weights[AT.drawing] if i == PERM_DRAW else 1.0)
    return total


def blow(state, tables, p, strength, structure, weights):
    """Return the expected value of an attack.

    The weight `sturdy` makes unseen cards in the opponent's structures stronger than average, because the
    opponent chose them.
    """
    gate, castle, win = hope(state, tables, p, strength, structure, 1.0 - weights[AT.sturdy])
    return gate + castle * castle_card(state, other(p), weights) + win * weights[AT.win]


def castle_card(state, q, weights):
    """Return the value of the top card of q's Castle, in Gate cards."""
    return weights[AT.castle_card] + weights[AT.haste] / (1 + state.size[q, CASTLE])


def worth_of_effect(state, tables, p, op, n, weights):
    q = other(p)
    if op == Op.draw:
        return n * any_card(state, p, weights)
    if op == Op.opp_discard_random:
        return min(n, state.hand_size[q]) * (weights[AT.foe] + weights[AT.discard])
    if op == Op.opp_discard_unit_type:
        return state.hand_size[q] / (1.0 + tables.units) * (weights[AT.foe] + weights[AT.discard])
    if op == Op.destroy_opp_permanent:
        return min(n, state.n_laid[q]) * weights[AT.permanent]
    if op == Op.destroy_own_top:
        return 0.0 - n if state.size[p, GATE] >= n else -weights[AT.win]
    # 7.8, 6.3: a card of each Castle
    if state.size[p, CASTLE] <= n:
        return -weights[AT.win]
    if state.size[q, CASTLE] <= n:
        return weights[AT.win]
    return n * (castle_card(state, q, weights) - castle_card(state, p, weights))


# ---------------------------------------------------------------- building


def built_in(state, tables, p, k, structure, weights):
    """Return the value of placing a card in a structure.

    It is the card's defence and its text, plus a bonus if the player has few cards or a low Castle.
    """
    worth = (
        weights[AT.build]
        + weights[AT.defence] * tables.defence[k, structure]
        + weights[AT.fear] / (1 + state.size[p, GATE] + state.size[p, CASTLE])
    )
    if structure == CASTLE:
        worth += weights[AT.low] / (1 + state.size[p, CASTLE]) - weights[AT.reach]
        worth += weights[AT.wall] * tables.defence[k, CASTLE]
    else:
        worth += weights[AT.gate_low] / (1 + state.size[p, GATE])
    return worth + weights[AT.text] * (tables.text_op[k, 0] != Op.none)


def best_to_place(state, tables, p, legal, n_legal, weights):
    """Return the action that places the best card during set-up (2.3)."""
    structure = CASTLE if state.stage == Stage.SETUP_CASTLE else GATE
    best, choice = -1e9, legal[0]
    for i in range(n_legal):
        k = argument_of(legal[i])
        worth = built_in(state, tables, p, k, structure, weights) - in_hand(state, tables, p, k, weights)
        text = does(state, tables, p, k, weights) - tables.cost[k] * any_card(state, p, weights)
        worth -= max(text, 0.0) * weights[AT.first_text]
        if structure == GATE:  # a card that is better in the Castle waits for it
            lower = tables.defence[k, CASTLE] - tables.defence[k, GATE]
            worth -= weights[AT.defence] * weights[AT.waiting] * max(0, lower)
        if worth > best:
            best, choice = worth, legal[i]
    return choice


# ---------------------------------------------------------------- choosing a card


def best_card(state, tables, p, legal, n_legal, weights, sign):
    """Return the action for the listed card with the highest or lowest value in hand.

    sign: 1 for the highest value, -1 for the lowest.
    """
    best, choice = -1e9, legal[0]
    for i in range(n_legal):
        worth = sign * in_hand(state, tables, p, argument_of(legal[i]), weights)
        if worth > best:
            best, choice = worth, legal[i]
    return choice


def least_top(state, tables, p, legal, n_legal, weights):
    """Return the action that gives up the top card of lowest value (7.7).

    The last card of the Castle is given up only if there is no other.
    """
    least, choice = 1e9, legal[0]
    for i in range(n_legal):
        structure = argument_of(legal[i])
        worth = weights[AT.defence] * tables.defence[top_card(state, p, structure), structure]
        if structure == CASTLE:
            worth += castle_card(state, p, weights) + weights[AT.win] * (state.size[p, CASTLE] == 1)
        if worth < least:
            least, choice = worth, legal[i]
    return choice


def worst_permanent(tables, legal, n_legal):
    """Return the action that destroys the permanent of highest benefit to the opponent (7.6)."""
    most, choice = -1, legal[0]
    for i in range(n_legal):
        k, adds = argument_of(legal[i]), 0
        for perm in range(PERMS):
            adds += tables.perm[k, perm]
        if adds > most:
            most, choice = adds, legal[i]
    return choice


jit_module(__name__, but="choose")

TACTICIAN = Policy(
    "tactician",
    choose,
    "prices every action by the cards it may destroy or save and takes the one of highest value",
    WEIGHTS,
)
DEFENDER = Policy(
    "defender",
    choose,
    "tactician with a higher value for building: Gate and Castle first, attacks with the remaining cards",
    WEIGHTS | {"build": 0.1},
)
RUSHER = Policy(
    "rusher",
    choose,
    "tactician with a lower value for building: attacks, and builds when its own cards are few",
    WEIGHTS | {"build": -1.2},
)
