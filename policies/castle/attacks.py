"""What the steward gives for an attack: the chance of its first roll, what falls, what may follow."""

from bartizan.policies.castle import aids
from bartizan.policies.castle.weights import AT, royal_worth
from bartizan.simcore.castle import components as c
from bartizan.simcore.castle.actions import castle_of, square_of, square_target
from bartizan.simcore.castle.rules.grid import count, rank_of, reachable, royal_at, suit_of, worth
from bartizan.simcore.castle.rules.targets import archer_squares, choices, met, next_squares
from bartizan.simcore.compile.jit import jit

MEAN_VALUE = 5.5  # of Ace to 10
CALLED_OFF = 0.25  # chance that a royal nobody has seen is of the lead's suit


@jit
def is_barred(state, card):
    """A royal of a suit of the attack: an attack on it is called off."""
    return (state.suits >> suit_of(card) & 1) == 1 and state.attack != c.Attack.COUNTER


@jit
def win(state, tables, p, q, s, dice, force):
    """Chance to win a castle card in one roll, to p's knowledge."""
    force += aids.joker_edge(state, tables, p, q)
    if aids.knows(state, p, q, s):
        if royal_at(state, q, s) != c.NONE and is_barred(state, state.castle[q, s]):
            return 0.0
        return aids.win_shown(state, tables, q, s, dice, force)
    plain = aids.win_unseen(tables, dice, force)
    if s >= c.WIDTH:
        return plain
    total, hidden = 0.0, count(aids.unknown_court(state, p, q))
    others = hidden
    for k in range(1, c.ROYALS):
        if aids.is_sought(state, p, q, k):
            others -= 1
            total += (1 - CALLED_OFF) * aids.win_royal(state, tables, q, k, dice, force)
    return (total + max(others, 0) * plain) / hidden


@jit
def prospect(state, tables, p, q, s, dice, force, w):
    """Chance times worth of a castle card in one roll, to p's knowledge."""
    force += aids.joker_edge(state, tables, p, q)
    if aids.knows(state, p, q, s):
        card, royal = state.castle[q, s], royal_at(state, q, s)
        if royal == c.NONE:
            return w[AT.breach] * worth(tables, card) * aids.win_shown(state, tables, q, s, dice, force)
        return (
            0.0
            if is_barred(state, card)
            else royal_worth(w, royal) * aids.win_royal(state, tables, q, royal, dice, force)
        )
    plain = w[AT.breach] * MEAN_VALUE * aids.win_unseen(tables, dice, force)
    if s >= c.WIDTH:
        return plain
    total, hidden = 0.0, count(aids.unknown_court(state, p, q))
    others = hidden
    for k in range(1, c.ROYALS):
        if aids.is_sought(state, p, q, k):
            others -= 1
            total += (1 - CALLED_OFF) * royal_worth(w, k) * aids.win_royal(state, tables, q, k, dice, force)
    return (total + max(others, 0) * plain) / hidden


@jit
def shown_worth(state, tables, p, q, s):
    """Value of a card by which the force would fall."""
    return float(worth(tables, state.castle[q, s])) if aids.knows(state, p, q, s) else MEAN_VALUE


@jit
def price_attack(state, tables, p, target, w):
    """Chance of the roll times what falls, and a share of what may follow."""
    dice, force = state.attack_dice, state.force
    if state.stage == c.Stage.CARD:
        dice, force = tables.attack_dice, tables.value[rank_of(state.drawn)]
    elif state.stage == c.Stage.COUNTER:
        dice, force = tables.counter_dice, tables.counter_add
    if target >= c.POOL_TARGET:
        return price_other(state, tables, p, target, dice, force, w)
    q, s = castle_of(target), square_of(target)
    value = prospect(state, tables, p, q, s, dice, force, w)
    if (
        state.attack == c.Attack.ARCHERS
        or state.attack == c.Attack.ASSASSIN
        or state.stage == c.Stage.COUNTER
    ):
        return value
    left = force - int(shown_worth(state, tables, p, q, s))
    follows = 0.0
    for heading in range(3):
        beyond = met(state, q, s, heading, 0)
        if beyond != c.NONE:
            follows = max(follows, prospect(state, tables, p, q, beyond, dice, left, w))
    return value + w[AT.path] * win(state, tables, p, q, s, dice, force) * follows


@jit
def price_other(state, tables, p, target, dice, force, w):
    """A reinforcement, a Joker, a barricade."""
    if target < c.JOKER_TARGET:
        value = worth(tables, target - c.POOL_TARGET)
        return w[AT.breach] * value * aids.chance(tables, dice, tables.defence_dice, force - value)
    return (
        w[AT.breach] * MEAN_VALUE * aids.chance(tables, dice, tables.defence_dice, force - tables.joker_add)
    )


@jit
def price_ram(state, tables, p, q, side, w):
    """What falls, card after card, until a roll fails."""
    total, stands = 0.0, 1.0
    for i in range(c.WIDTH):
        s = i if side == 0 else c.WIDTH - 1 - i
        if state.occupied[q] >> s & 1:
            if (
                aids.knows(state, p, q, s)
                and royal_at(state, q, s) != c.NONE
                and is_barred(state, state.castle[q, s])
            ):
                break
            total += stands * prospect(state, tables, p, q, s, tables.ram_dice, tables.ram_add, w)
            stands *= win(state, tables, p, q, s, tables.ram_dice, tables.ram_add)
    return total


@jit
def price_spy_attack(state, tables, p, w):
    """An eight as lead: the best target it could have, and what it may see before."""
    best = 0.0
    for i in range(1, tables.players):
        q = (p + i) % tables.players
        if state.alive[q]:
            open_to = reachable(state, q)
            for s in range(c.SQUARES):
                if open_to >> s & 1:
                    best = max(best, price_attack(state, tables, p, square_target(q, s), w))
    return best + 1.0


@jit
def best_of(state, tables, p, q, squares, dice, force, w):
    """The best prospect among some squares of a castle."""
    best = 0.0
    for s in range(c.SQUARES):
        if squares >> s & 1:
            best = max(best, prospect(state, tables, p, q, s, dice, force, w))
    return best


@jit
def best_next(state, tables, p, dice, force, w):
    """The best castle card the running attack may go on to."""
    goes_on = state.attack == c.Attack.ORDINARY and state.alive[state.defender] == 1
    if not goes_on and not state.won:
        return 0.0  # a barricade that stands: nothing else may be attacked
    best = 0.0
    for i in range(1, tables.players):
        q = (p + i) % tables.players
        if state.alive[q] and (q == state.defender or not goes_on):
            open_to = next_squares(state, tables) if goes_on else choices(state, tables, q)
            best = max(best, best_of(state, tables, p, q, open_to, dice, force, w))
    return best


@jit
def price_with_ace(state, tables, p, card, w):
    """The best attack a card drawn by an Ace could make: archers, a ram or an assassin."""
    kind, best = tables.with_ace[rank_of(card)], 0.0
    dice, force = tables.archers_dice, worth(tables, card)
    if kind == c.WithAce.assassin:
        dice, force = tables.assassin_dice, tables.assassin_add
    for i in range(1, tables.players):
        q = (p + i) % tables.players
        if state.alive[q]:
            if kind == c.WithAce.ram:
                best = max(best, price_ram(state, tables, p, q, 0, w), price_ram(state, tables, p, q, 1, w))
            else:
                open_to = (
                    state.occupied[q] if kind == c.WithAce.assassin else archer_squares(state, tables, q)
                )
                best = max(best, best_of(state, tables, p, q, open_to, dice, force, w))
    return best
