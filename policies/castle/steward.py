"""`steward`: prices every action by named weights, own walls against enemy royals. `builder` and `raider` are
the same judgement with other weights.

An attack is worth the chance of its first roll times what falls, and a share (`path`) of the best that may
follow. A placed card is worth its value and what it takes off the
danger to the own royals: whether they can be reached at once, behind one card, or deeper. Everything is
priced in plain enemy card points (`breach` = 1 point).
Cards it has not seen are guessed: any of Ace to 10 outside the Court; in the Court the royals still sought
are as likely under each unseen card.
"""

from bartizan.policies.castle.aids import (
    HOME,
    behind,
    chance,
    is_sought,
    joker_edge,
    knows,
    unknown_court,
    win_royal,
    win_shown,
    win_unseen,
)
from bartizan.policies.protocol import Policy
from bartizan.simcore.castle.actions import argument_of, castle_of, kind_of, square_of, square_target
from bartizan.simcore.castle.components import (
    FIRST_ROYAL_RANK,
    JOKER_TARGET,
    NONE,
    POOL_TARGET,
    ROYALS,
    SQUARES,
    WIDTH,
    Act,
    Attack,
    Power,
    ReinforcementOrder,
    Royal,
    Stage,
    WithAce,
)
from bartizan.simcore.castle.rules.decks import added_worth, deck_left
from bartizan.simcore.castle.rules.fight import attack_adds, defence_adds, defence_dice, is_castle
from bartizan.simcore.castle.rules.grid import (
    COLUMN,
    beside_ground,
    bit,
    count,
    gap_column,
    open_ground,
    pool_worth,
    rank_of,
    reachable,
    royal_at,
    suit_of,
    worth,
)
from bartizan.simcore.castle.rules.targets import archer_squares, choices, met, next_squares
from bartizan.simcore.compile.jit import jit
from bartizan.simcore.rng import policy_below

(
    KING,
    QUEEN,
    JACK,
    BREACH,
    PATH,
    WALL,
    COVER,
    NEAR,
    INNER,
    RALLY,
    ACE,
    SPY,
    THRIFT,
    STOP,
    LAY,
    CLOSE,
    ENOUGH,
    SIDE,
    PATIENCE,
) = range(19)
MEAN_VALUE = 5.5  # of Ace to 10
CALLED_OFF = 0.25  # chance that a royal nobody has seen is of the lead's suit


def choose(state, tables, legal, n_legal, weights):
    """The action worth most.

    Of several the first place for a card, but a target by lot: the first would be the next neighbour, and
    seats would differ for it.
    """
    best, choice, ties = -1e18, legal[0], 0
    for i in range(n_legal):
        value = price(state, tables, legal[i], weights)
        if value > best:
            best, choice, ties = value, legal[i], 1
        elif value == best and kind_of(legal[i]) != Act.PLACE:
            ties += 1
            if policy_below(state, i, ties) == 0:
                choice = legal[i]
    return choice


@jit
def price(state, tables, action, w):
    """What an action is worth to the player to move."""
    act, argument = kind_of(action), argument_of(action)
    stage, p = state.stage, state.to_move
    if act == Act.ATTACK:
        return price_attack(state, tables, p, argument, w)
    if act == Act.PLACE:
        return price_place(state, tables, p, argument, w)
    if stage == Stage.CARD:
        return price_card(state, tables, p, act, w)
    if stage == Stage.RALLY:
        return price_rally(state, tables, p, argument, w) if act == Act.RALLY else 0.0
    if stage == Stage.ADD:
        return price_add(state, tables, p, argument, w) if act == Act.ADD else 0.0
    if stage == Stage.SPY or stage == Stage.REVEAL:
        return price_turn(state, tables, p, argument, w) if act == Act.TURN else 0.0
    if act == Act.END:
        return w[STOP] if stage == Stage.TARGET else 0.0
    if act == Act.REMOVE:
        return price_removal(state, p, argument, tables)
    if act == Act.RAM:
        return price_ram(state, tables, p, argument // 2, argument % 2, w)
    if act == Act.OWN:
        return price_own(state, tables, p, argument)
    if act == Act.CLOSE:
        return w[CLOSE] * (danger(state, tables, p, state.occupied[p], w) - danger_closed(state, p, w)) - 1.0
    if stage == Stage.HAND:
        return -float(argument)
    if act == Act.FIRST:
        return 0.0 if tables.with_ace[rank_of(state.pair[argument])] == WithAce.assassin else 1.0
    return 0.0 if act != Act.NAME else -1.0


# ---------------------------------------------------------------- attacks


@jit
def royal_worth(w, k):
    return w[KING] if k == Royal.KING else w[QUEEN] if k == Royal.QUEEN else w[JACK]


@jit
def is_barred(state, card):
    """A royal of a suit of the attack: an attack on it is called off."""
    return (state.suits >> suit_of(card) & 1) == 1 and state.attack != Attack.COUNTER


@jit
def win(state, tables, p, q, s, dice, force):
    """Chance to win a castle card in one roll, to p's knowledge."""
    force += joker_edge(state, tables, p, q)
    if knows(state, p, q, s):
        if royal_at(state, q, s) != NONE and is_barred(state, state.castle[q, s]):
            return 0.0
        return win_shown(state, tables, q, s, dice, force)
    plain = win_unseen(tables, dice, force)
    if s >= WIDTH:
        return plain
    total, hidden = 0.0, count(unknown_court(state, p, q))
    others = hidden
    for k in range(1, ROYALS):
        if is_sought(state, p, q, k):
            others -= 1
            total += (1 - CALLED_OFF) * win_royal(state, tables, q, k, dice, force)
    return (total + max(others, 0) * plain) / hidden


@jit
def prospect(state, tables, p, q, s, dice, force, w):
    """Chance times worth of a castle card in one roll, to p's knowledge."""
    force += joker_edge(state, tables, p, q)
    if knows(state, p, q, s):
        card, royal = state.castle[q, s], royal_at(state, q, s)
        if royal == NONE:
            return w[BREACH] * worth(tables, card) * win_shown(state, tables, q, s, dice, force)
        return (
            0.0
            if is_barred(state, card)
            else royal_worth(w, royal) * win_royal(state, tables, q, royal, dice, force)
        )
    plain = w[BREACH] * MEAN_VALUE * win_unseen(tables, dice, force)
    if s >= WIDTH:
        return plain
    total, hidden = 0.0, count(unknown_court(state, p, q))
    others = hidden
    for k in range(1, ROYALS):
        if is_sought(state, p, q, k):
            others -= 1
            total += (1 - CALLED_OFF) * royal_worth(w, k) * win_royal(state, tables, q, k, dice, force)
    return (total + max(others, 0) * plain) / hidden


@jit
def shown_worth(state, tables, p, q, s):
    """Value of a card by which the force would fall."""
    return float(worth(tables, state.castle[q, s])) if knows(state, p, q, s) else MEAN_VALUE


@jit
def price_attack(state, tables, p, target, w):
    """Chance of the roll times what falls, and a share of what may follow."""
    dice, force = state.attack_dice, state.force
    if state.stage == Stage.CARD:
        dice, force = tables.attack_dice, tables.value[rank_of(state.drawn)]
    elif state.stage == Stage.COUNTER:
        dice, force = tables.counter_dice, tables.counter_add
    if target >= POOL_TARGET:
        return price_other(state, tables, p, target, dice, force, w)
    q, s = castle_of(target), square_of(target)
    value = prospect(state, tables, p, q, s, dice, force, w)
    if state.attack == Attack.ARCHERS or state.attack == Attack.ASSASSIN or state.stage == Stage.COUNTER:
        return value
    left = force - int(shown_worth(state, tables, p, q, s))
    follows = 0.0
    for heading in range(3):
        beyond = met(state, q, s, heading, 0)
        if beyond != NONE:
            follows = max(follows, prospect(state, tables, p, q, beyond, dice, left, w))
    return value + w[PATH] * win(state, tables, p, q, s, dice, force) * follows


@jit
def price_other(state, tables, p, target, dice, force, w):
    """A reinforcement, a Joker, a barricade."""
    if target < JOKER_TARGET:
        value = worth(tables, target - POOL_TARGET)
        return w[BREACH] * value * chance(tables, dice, tables.defence_dice, force - value)
    return w[BREACH] * MEAN_VALUE * chance(tables, dice, tables.defence_dice, force - tables.joker_add)


@jit
def price_ram(state, tables, p, q, side, w):
    """What falls, card after card, until a roll fails."""
    total, stands = 0.0, 1.0
    for i in range(WIDTH):
        s = i if side == 0 else WIDTH - 1 - i
        if state.occupied[q] >> s & 1:
            if (
                knows(state, p, q, s)
                and royal_at(state, q, s) != NONE
                and is_barred(state, state.castle[q, s])
            ):
                break
            total += stands * prospect(state, tables, p, q, s, tables.ram_dice, tables.ram_add, w)
            stands *= win(state, tables, p, q, s, tables.ram_dice, tables.ram_add)
    return total


@jit
def price_turn(state, tables, p, target, w):
    """An unseen Court card of an opponent whose King is sought: the likelier to be him the better."""
    q, s = castle_of(target), square_of(target)
    if (
        target >= POOL_TARGET
        or q == p
        or s >= WIDTH
        or knows(state, p, q, s)
        or (state.stage == Stage.SPY and state.target != NONE)
    ):
        return -1.0
    hunted = w[KING] * is_sought(state, p, q, Royal.KING) + w[QUEEN] * is_sought(state, p, q, Royal.QUEEN)
    return w[SPY] * hunted / count(unknown_court(state, p, q))


@jit
def price_removal(state, p, s, tables):
    """Snake eyes: a high card, best one that covers the Court."""
    q = state.victim
    covers = s >= WIDTH and s < 2 * WIDTH and state.occupied[q] >> (s - WIDTH) & 1
    return shown_worth(state, tables, p, q, s) + 3.0 * covers


@jit
def price_own(state, tables, p, s):
    """Forced: the cheapest card; royals last."""
    return -float(worth(tables, state.castle[p, s])) - 100.0 * (royal_at(state, p, s) != NONE)


# ---------------------------------------------------------------- the own castle


@jit
def exposed(occupied, s, w):
    """How open a square of a castle lies: 1 when it can be reached from three sides, a little less from two
    or one, `near` behind one card, `inner` deeper.
    """
    ground = open_ground(occupied)
    first = beside_ground(occupied, ground)
    if first >> s & 1:
        sides = (ground >> s - 1 & 1) + (ground >> s + 1 & 1) + (ground >> s + WIDTH & 1)
        return 1.0 - w[SIDE] * (3 - sides)
    return w[NEAR] if behind(first) >> s & 1 else w[INNER]


@jit
def danger(state, tables, p, occupied, w):
    """Worth of p's royals, each as far as it lies open."""
    total = 0.0
    for s in range(WIDTH):
        if state.occupied[p] >> s & 1:
            royal = royal_at(state, p, s)
            if royal != NONE:
                total += royal_worth(w, royal) * exposed(occupied, s, w)
    return total


@jit
def danger_closed(state, p, w):
    """The same after the empty columns are closed."""
    occupied = state.occupied[p]
    total = 0.0
    for s in range(WIDTH):
        royal = royal_at(state, p, s) if state.occupied[p] >> s & 1 else NONE
        if royal != NONE:
            cards, square = occupied, s
            gap = gap_column(cards)
            while gap != NONE:
                right = 0
                for column in range(gap + 1, WIDTH):
                    right |= COLUMN << column
                cards = cards & ~right | (cards & right) >> 1
                square -= square > gap
                gap = gap_column(cards)
            total += royal_worth(w, royal) * exposed(cards, square, w)
    return total


@jit
def price_place(state, tables, p, s, w):
    """A card in the own castle: its value, less as the castle grows, and how much of the danger it takes
    away, the more the higher it is.

    A long siege is not won by walls.
    """
    value = worth(tables, state.drawn)
    wall = w[WALL] * value / (1.0 + (count(state.occupied[p]) / w[ENOUGH]) ** 2)
    if state.stage == Stage.SETUP and rank_of(state.drawn) >= FIRST_ROYAL_RANK:
        return 1.0 if s == royals_place(tables, rank_of(state.drawn) - FIRST_ROYAL_RANK) else 0.0
    patience = 1.0 / (1.0 + (state.turn / tables.players / w[PATIENCE]) ** 2)
    if tables.left_border >> s & 1 or tables.right_border >> s & 1:
        # the castle would have to move; nothing is covered there that could not be covered otherwise
        return patience * wall - 0.5
    before = danger(state, tables, p, state.occupied[p], w)
    after = danger(state, tables, p, state.occupied[p] | bit(s), w)
    return patience * (wall + w[COVER] * (before - after) * (value + 2) / 12)


@jit
def royals_place(tables, k):
    """The middle of the Court, or as near as a small grid allows; the King between the others, open only from
    above.
    """
    jack = min(HOME, tables.columns - ROYALS + 1)
    return jack if k == Royal.JACK else jack + 1 if k == Royal.KING else jack + 2


@jit
def rallied(state, tables, p, card, w):
    """What a card is worth in the pool."""
    return w[RALLY] * worth(tables, card) / (1.0 + pool_worth(tables, state.pool[p]) / 20.0)


@jit
def price_card(state, tables, p, act, w):
    """The other uses of a drawn card."""
    if act == Act.RALLY:
        return rallied(state, tables, p, state.drawn, w)
    if act == Act.LAY:
        return w[LAY]
    if act == Act.LEAD:
        return (
            price_ace(state, tables, w)
            if tables.power[rank_of(state.drawn)] == Power.ace
            else price_spy_attack(state, tables, p, w)
        )
    return 0.0


@jit
def price_ace(state, tables, w):
    """An Ace is worth the cards it can draw: late in a game of full castles there may be none, and then it
    only goes round.
    """
    cards = deck_left(state) + count(state.discards)
    return w[ACE] if cards >= tables.ace_draw else w[ACE] * cards / (1.0 + tables.ace_draw) - 1.0


@jit
def price_spy_attack(state, tables, p, w):
    """An eight as lead: the best target it could have, and what it may see before."""
    best = 0.0
    for i in range(1, tables.players):
        q = (p + i) % tables.players
        if state.alive[q]:
            open_to = reachable(state, q)
            for s in range(SQUARES):
                if open_to >> s & 1:
                    best = max(best, price_attack(state, tables, p, square_target(q, s), w))
    return best + 1.0


# ---------------------------------------------------------------- cards picked up in an attack


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
def best_next(state, tables, p, dice, force, w):
    """The best castle card the running attack may go on to."""
    goes_on = state.attack == Attack.ORDINARY and state.alive[state.defender] == 1
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
    if kind == WithAce.assassin:
        dice, force = tables.assassin_dice, tables.assassin_add
    for i in range(1, tables.players):
        q = (p + i) % tables.players
        if state.alive[q]:
            if kind == WithAce.ram:
                best = max(best, price_ram(state, tables, p, q, 0, w), price_ram(state, tables, p, q, 1, w))
            else:
                open_to = state.occupied[q] if kind == WithAce.assassin else archer_squares(state, tables, q)
                best = max(best, best_of(state, tables, p, q, open_to, dice, force, w))
    return best


@jit
def best_of(state, tables, p, q, squares, dice, force, w):
    """The best prospect among some squares of a castle."""
    best = 0.0
    for s in range(SQUARES):
        if squares >> s & 1:
            best = max(best, prospect(state, tables, p, q, s, dice, force, w))
    return best


# ---------------------------------------------------------------- reinforcements


@jit
def price_add(state, tables, p, card, w):
    """What a reinforcement changes in the chance of this roll, less what it is worth kept.

    Alone, or as the first of all that are left.
    """
    if state.contested != NONE:
        return -1.0
    edge = attack_adds(state, tables) - defence_adds(state, tables)
    dice = tables.counter_dice if state.attack == Attack.COUNTER else state.attack_dice
    sign = 1 if p == state.attacker else -1
    if sign < 0 and tables.reinforcement_order == ReinforcementOrder.simultaneous:
        edge -= added_worth(state, tables, state.attacker)
    stake = worth_of_target(state, tables, w)
    against = defence_dice(state, tables)
    now = chance(tables, dice, against, edge)
    one, rest = worth(tables, card), pool_worth(tables, state.pool[p])
    alone = sign * (chance(tables, dice, against, edge + sign * one) - now) * stake - w[THRIFT] * one
    together = sign * (chance(tables, dice, against, edge + sign * rest) - now) * stake - w[THRIFT] * rest
    return max(alone, together - 0.01 * one)


@jit
def worth_of_target(state, tables, w):
    """What falls if this fight is won."""
    if not is_castle(state.target):
        return w[BREACH] * MEAN_VALUE
    q, total = state.defender, 0.0
    for s in range(SQUARES):
        if state.named >> s & 1:
            royal = royal_at(state, q, s)
            total += royal_worth(w, royal) if royal != NONE else w[BREACH] * worth(tables, state.castle[q, s])
    return total


def _weights(**other: float) -> dict[str, float]:
    """The steward's weights, some changed.

    Found by a seeded random search on pilot seeds, kept when better on fresh ones (docs/castle.md).
    """
    own = dict(
        king=200.0,
        queen=27.0,
        jack=30.0,
        breach=0.4,
        path=1.0,
        wall=0.93,
        cover=0.13,
        near=0.47,
        inner=0.11,
        rally=2.5,
    )
    own |= dict(
        ace=8.0, spy=0.45, thrift=1.5, stop=0.25, lay=2.0, close=0.1, enough=5.0, side=0.1, patience=30.0
    )
    return own | other


STEWARD = Policy(
    "steward", choose, "weighs own walls against enemy royals by named weights", weights=_weights()
)
BUILDER = Policy(
    "builder",
    choose,
    "walls the Court and rallies, attacks only what is nearly sure",
    weights=_weights(
        king=60.0,
        queen=30.0,
        jack=8.0,
        breach=0.5,
        path=0.5,
        wall=1.2,
        cover=0.3,
        near=0.4,
        inner=0.2,
        rally=1.0,
        thrift=0.8,
    ),
)
RAIDER = Policy(
    "raider",
    choose,
    "hunts royals with everything it draws, Aces and spies first",
    weights=_weights(
        king=100.0,
        queen=50.0,
        jack=8.0,
        breach=1.5,
        path=0.5,
        wall=0.1,
        cover=0.03,
        near=0.4,
        inner=0.2,
        rally=0.1,
        ace=40.0,
        spy=1.0,
        thrift=0.8,
    ),
)
