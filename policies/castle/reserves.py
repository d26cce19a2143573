"""What the steward gives for reinforcements: a card rallied, or added to a fight."""

from bartizan.policies.castle.aids import chance
from bartizan.policies.castle.attacks import MEAN_VALUE, best_next, price_with_ace
from bartizan.policies.castle.weights import AT, royal_worth
from bartizan.simcore.castle.components import NONE, SQUARES, Attack, ReinforcementOrder
from bartizan.simcore.castle.rules.decks import added_worth
from bartizan.simcore.castle.rules.fight import attack_adds, defence_adds, defence_dice, is_castle
from bartizan.simcore.castle.rules.grid import pool_worth, royal_at, worth
from bartizan.simcore.compile.jit import jit

CERTAIN = 6  # points in the contest for a Joker for which no die makes up


@jit
def rallied(state, tables, p, card, w):
    """What a card is worth in the pool."""
    return w[AT.rally] * worth(tables, card) / (1.0 + pool_worth(tables, state.pool[p]) / 20.0)


@jit
def price_rally(state, tables, p, card, w):
    """A card in the pool, less what it would do in the attack at hand."""
    kept = rallied(state, tables, p, card, w)
    if state.attack == Attack.NONE:
        return kept - price_with_ace(state, tables, p, card, w)
    dice, value = state.attack_dice, worth(tables, card)
    with_it = best_next(state, tables, p, dice, state.force + value, w)
    return kept - (with_it - best_next(state, tables, p, dice, state.force, w))


@jit
def price_add(state, tables, p, card, w):
    """What a reinforcement changes in the chance of this roll, less what it is worth kept.

    Alone, or as the first of all that are left.
    """
    if state.contested != NONE:
        return price_contest(state, tables, p, card, w)
    edge = attack_adds(state, tables) - defence_adds(state, tables)
    dice = tables.counter_dice if state.attack == Attack.COUNTER else state.attack_dice
    sign = 1 if p == state.attacker else -1
    if sign < 0 and tables.reinforcement_order == ReinforcementOrder.simultaneous:
        edge -= added_worth(state, tables, state.attacker)
    stake = worth_of_target(state, tables, w)
    against = defence_dice(state, tables)
    now = chance(tables, dice, against, edge)
    value, rest = worth(tables, card), pool_worth(tables, state.pool[p])
    alone = sign * (chance(tables, dice, against, edge + sign * value) - now) * stake - w[AT.thrift] * value
    together = sign * (chance(tables, dice, against, edge + sign * rest) - now) * stake - w[AT.thrift] * rest
    return max(alone, together - 0.01 * value)


@jit
def price_contest(state, tables, p, card, w):
    """What a reinforcement gains in the contest for a Joker: a share of it for each point up to CERTAIN."""
    if w[AT.contest] == 0.0:
        return -1.0
    value, lacking = worth(tables, card), max(CERTAIN - added_worth(state, tables, p), 0)
    return w[AT.contest] * min(value, lacking) / CERTAIN - w[AT.thrift] * value


@jit
def worth_of_target(state, tables, w):
    """What falls if this fight is won."""
    if not is_castle(state.target):
        return w[AT.breach] * MEAN_VALUE
    q, total = state.defender, 0.0
    for s in range(SQUARES):
        if state.named >> s & 1:
            royal = royal_at(state, q, s)
            total += (
                royal_worth(w, royal) if royal != NONE else w[AT.breach] * worth(tables, state.castle[q, s])
            )
    return total
