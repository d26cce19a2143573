"""`greedy`: a simple player for either side.

The defender mans the guns and shoots the counter nearest to the castle. If he cannot shoot, he Suppresses or
Recovers. The SS player plays the card that places most counters.
"""

from bartizan.policies.itter import reference
from bartizan.policies.itter.reference import nearest_target
from bartizan.policies.protocol import Policy, legal_or_first
from bartizan.simcore.compile.jit import jit_module
from bartizan.simcore.itter.actions import action, argument_of
from bartizan.simcore.itter.components import NONE, Act, Attribute, Card, Stage
from bartizan.simcore.itter.rules.attributes import may_load, may_use_own, may_use_weapon
from bartizan.simcore.itter.rules.board import has, in_cellar, is_fit, on_board
from bartizan.simcore.itter.rules.defenders import is_deploying


def choose(state, tables, legal, n_legal, weights):
    return legal_or_first(decide(state, tables, legal, n_legal), legal, n_legal)


def decide(state, tables, legal, n_legal):
    if state.stage == Stage.ORDERS:
        return order(state, tables)
    if state.stage == Stage.PLACE:
        return action(Act.PLACE, post(state, tables, state.actor))
    if state.stage == Stage.ACT:
        return act(state, tables, state.actor)
    if state.stage == Stage.PLAN:
        return most_counters(tables, legal, n_legal)
    if state.stage == Stage.PLAN_TACTICS:
        return legal[0]
    return legal[n_legal - 1]  # spend every token of the square, accept the Sacrifice


def most_counters(tables, legal, n_legal):
    """Return the card for the SS player (6.2) that places most counters.

    Among equals, it is the one with the highest Defence. If no card places counters, it is the first card.
    """
    best, choice = -1, legal[0]
    for i in range(n_legal):
        card = argument_of(legal[i])
        if card < tables.n_cards and tables.does[card] == Card.PLACE:
            worth = 10 * tables.value[card] + tables.defence[tables.card_counter[card]]
            if worth > best:
                best, choice = worth, legal[i]
    return choice


def order(state, tables):
    """Return the order of highest preference (ORDERS).

    The preferences are: place a waiting defender, use a fit defender, Recover, PASS.
    """
    d = reference.first_in_reserve(state, tables)
    if d != NONE and reference.first_free_outside(state, tables, d) != NONE:
        return action(Act.ACTIVATE, d)
    if is_deploying(state, tables):
        return action(Act.PASS, 0)
    for d in range(tables.n_defenders):
        if on_board(state, d) and is_fit(state, d) and not in_cellar(state, tables, d):
            if has_work(state, tables, d, state.place[d]):
                return action(Act.ACTIVATE, d)
    for d in range(tables.n_defenders):
        if reference.needs_recover(state, d) and not in_cellar(state, tables, d):
            return action(Act.ACTIVATE, d)
    return action(Act.PASS, 0)


def has_work(state, tables, d, p):
    """Return whether d can fight from position p (R-39) or load there."""
    return (
        may_use_own(state, tables, d, p)
        or may_use_weapon(state, tables, d, p)
        or may_load(state, tables, d, p)
    )


def post(state, tables, d):
    """Return the position for a defender.

    For the tank crew, it is the best free gun. If there is none, and for others, it is the first free
    position that is not for the crew, or else the first free position outside the Cellar.
    """
    if has(tables, d, Attribute.TANK_CREW):
        best, most = NONE, 0
        for p in range(tables.n_positions):
            gun = tables.weapon_suppress[p] if has_work(state, tables, d, p) else 0
            if gun > most and reference.is_free_outside(state, tables, d, p):
                best, most = p, gun
        if best != NONE:
            return best
    for p in range(tables.n_positions):
        if reference.is_free_outside(state, tables, d, p) and not tables.crew[p]:
            return p
    return reference.first_free_outside(state, tables, d)


def act(state, tables, d):
    """Return the action of a defender.

    An unfit defender Recovers. Others load, shoot the nearest counter in sight, or Suppress, in this order.
    """
    p = state.place[d]
    if not is_fit(state, d):
        return reference.recover_code(state, d)
    if may_load(state, tables, d, p):
        return action(Act.LOAD, 0)
    if not has_work(state, tables, d, p):
        return action(Act.BLANK, 0)
    weapon = may_use_weapon(state, tables, d, p)
    target = nearest_target(state, tables, p)
    if target == NONE or tables.attack[d] == 0:
        return reference.suppress_code(state, tables, d, weapon)
    return action(Act.ATTACK_WEAPON if weapon else Act.ATTACK, target)


jit_module(__name__, but="choose")


GREEDY = Policy(
    "greedy",
    choose,
    "mans the guns that fire, shoots the counter nearest to the castle, otherwise Suppresses, "
    "otherwise Recovers; as the SS player plays the card that places most counters",
)
