"""`steward`: values every action with named weights, which balance its own walls against enemy royals.

`builder` and `raider` are the same policy with other weights.

The value of an attack is the probability of its first roll times the value of the cards that fall, plus a
share (`path`) of the best possible continuation. The value of a placed card is its own value plus the
reduction in danger to the policy's royals, which depends on whether they can be reached at once, behind one
card, or deeper. A plain enemy card has the value `breach` per point. Unseen cards are estimated: any of Ace
to 10 outside the Court; in the Court, each missing royal is equally likely under each unseen card.
"""

from bartizan.policies.castle import aids
from bartizan.policies.protocol import Policy, indices
from bartizan.simcore.castle import actions
from bartizan.simcore.castle import components as c
from bartizan.simcore.castle.actions import argument_of, kind_of
from bartizan.simcore.castle.rules import grid
from bartizan.simcore.castle.rules.decks import added_worth, deck_left
from bartizan.simcore.castle.rules.fight import attack_adds, defence, defence_adds, is_castle
from bartizan.simcore.castle.rules.targets import archer_squares, choices, met, next_squares
from bartizan.simcore.compile.jit import jit_module
from bartizan.simcore.rng import policy_below

# found by a seeded random search on pilot seeds, kept if better on held-out ones (docs/castle.md)
WEIGHTS = dict(
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
    ace=8.0,
    spy=0.45,
    thrift=1.5,
    stop=0.25,
    lay=2.0,
    close=0.1,
    enough=5.0,
    side=0.1,
    patience=30.0,
    contest=0.0,  # 20 wins with Jokers (docs/castle.md)
)
AT = indices(WEIGHTS)


def royal_worth(w, k):
    return w[AT.king] if k == c.Royal.KING else w[AT.queen] if k == c.Royal.QUEEN else w[AT.jack]


# ---------------------------------------------------------------- values of actions


def choose(state, tables, legal, n_legal, weights):
    """Return the action of highest value.

    Among equal places for a card, the first is chosen. Among other equal actions, such as targets, one is
    chosen at random, because the first target would always belong to the next player, which would make seats
    unequal.
    """
    best, choice, ties = -1e18, legal[0], 0
    for i in range(n_legal):
        value = price(state, tables, legal[i], weights)
        if value > best:
            best, choice, ties = value, legal[i], 1
        elif value == best and kind_of(legal[i]) != c.Act.PLACE:
            ties += 1
            if policy_below(state, i, ties) == 0:
                choice = legal[i]
    return choice


def price(state, tables, action, w):
    """Return the value of an action for the player to move."""
    act, argument = kind_of(action), argument_of(action)
    stage, p = state.stage, state.to_move
    if act == c.Act.ATTACK:
        return price_attack(state, tables, p, argument, w)
    if act == c.Act.PLACE:
        return price_place(state, tables, p, argument, w)
    if stage == c.Stage.CARD:
        return price_card(state, tables, p, act, w)
    if stage == c.Stage.RALLY:
        return price_rally(state, tables, p, argument, w) if act == c.Act.RALLY else 0.0
    if stage == c.Stage.ADD:
        return price_add(state, tables, p, argument, w) if act == c.Act.ADD else 0.0
    if stage == c.Stage.SPY or stage == c.Stage.REVEAL:
        return price_turn(state, tables, p, argument, w) if act == c.Act.TURN else 0.0
    return price_other(state, tables, p, act, argument, w)


def price_other(state, tables, p, act, argument, w):
    """Return the value of an action that is not an attack, a placement or a use of cards just drawn."""
    if act == c.Act.END:
        return w[AT.stop] if state.stage == c.Stage.TARGET else 0.0
    if act == c.Act.REMOVE:
        return price_removal(state, p, argument, tables)
    if act == c.Act.RAM:
        q, side = actions.castle_and_end(argument)
        return price_ram(state, tables, p, q, side, w)
    if act == c.Act.OWN:
        # forced: the cheapest card; royals last
        card, royal = state.castle[p, argument], grid.royal_at(state, p, argument)
        return -float(grid.worth(tables, card)) - 100.0 * (royal != c.NONE)
    if act == c.Act.CLOSE:
        relief = danger(state, tables, p, state.occupied[p], w) - danger_closed(state, p, w)
        return w[AT.close] * relief - 1.0
    if state.stage == c.Stage.HAND:
        return -float(argument)
    if act == c.Act.FIRST:
        return 0.0 if tables.with_ace[grid.rank_of(state.pair[argument])] == c.WithAce.assassin else 1.0
    return 0.0 if act != c.Act.NAME else -1.0


def price_turn(state, tables, p, target, w):
    """Return the value of turning up a card; -1 unless it is an opponent's unseen Court card.

    The value is the card's share in the value of that opponent's hidden King and Queen. It is also -1 for a
    spy whose target is already chosen.
    """
    q, s = actions.castle_of(target), actions.square_of(target)
    if (
        target >= c.POOL_TARGET
        or q == p
        or s >= c.WIDTH
        or aids.knows(state, p, q, s)
        or (state.stage == c.Stage.SPY and state.target != c.NONE)
    ):
        return -1.0
    hunted = w[AT.king] * aids.is_sought(state, p, q, c.Royal.KING)
    hunted += w[AT.queen] * aids.is_sought(state, p, q, c.Royal.QUEEN)
    return w[AT.spy] * hunted / grid.count(aids.unknown_court(state, p, q))


def price_removal(state, p, s, tables):
    """Return the value of removing a card of the victim for snake eyes.

    It is the card's value, plus a bonus if it covers the Court.
    """
    q = state.victim
    covers = s >= c.WIDTH and s < 2 * c.WIDTH and state.occupied[q] >> (s - c.WIDTH) & 1
    return shown_worth(state, tables, p, q, s) + 3.0 * covers


def price_card(state, tables, p, act, w):
    """Return the value of rallying, laying as a barricade, leading with, or discarding the drawn card."""
    if act == c.Act.RALLY:
        return rallied(state, tables, p, state.drawn, w)
    if act == c.Act.LAY:
        return w[AT.lay]
    if act != c.Act.LEAD:
        return 0.0
    if tables.power[grid.rank_of(state.drawn)] != c.Power.ace:
        return price_spy_attack(state, tables, p, w)
    # the value of an Ace is that of the cards it can draw: late in a game of full castles there may be none
    cards = deck_left(state) + grid.count(state.discards)
    return w[AT.ace] if cards >= tables.ace_draw else w[AT.ace] * cards / (1.0 + tables.ace_draw) - 1.0


# ---------------------------------------------------------------- attacks


MEAN_VALUE = 5.5  # mean of Ace to 10
CALLED_OFF = 0.25  # probability that an unseen royal has the suit of the lead


def is_barred(state, card):
    """Return whether a card has a suit of the attack; False in a counter-attack.

    An attack on such a card is called off if the card is a royal.
    """
    return (state.suits >> grid.suit_of(card) & 1) == 1 and state.attack != c.Attack.COUNTER


def prospect(state, tables, p, q, s, dice, force, w):
    """Return p's estimate of the probability of beating a castle card in one roll, and the prospect.

    The prospect is this probability times the card's value.
    """
    force += aids.joker_edge(state, tables, p, q)
    if aids.knows(state, p, q, s):
        card, royal = state.castle[q, s], grid.royal_at(state, q, s)
        if royal != c.NONE and is_barred(state, card):
            return 0.0, 0.0
        chance = aids.win_shown(state, tables, q, s, dice, force)
        worth = w[AT.breach] * grid.worth(tables, card) if royal == c.NONE else royal_worth(w, royal)
        return chance, worth * chance
    plain = aids.win_unseen(tables, dice, force)
    value = w[AT.breach] * MEAN_VALUE * plain
    if s >= c.WIDTH:
        return plain, value
    chance, worth, hidden = 0.0, 0.0, grid.count(aids.unknown_court(state, p, q))
    others = hidden
    for k in range(1, c.ROYALS):
        if aids.is_sought(state, p, q, k):
            others -= 1
            won = aids.win_royal(state, tables, q, k, dice, force)
            chance += (1 - CALLED_OFF) * won
            worth += (1 - CALLED_OFF) * royal_worth(w, k) * won
    return (chance + max(others, 0) * plain) / hidden, (worth + max(others, 0) * value) / hidden


def shown_worth(state, tables, p, q, s):
    """Return the value of a castle card; MEAN_VALUE if p has not seen it."""
    return float(grid.worth(tables, state.castle[q, s])) if aids.knows(state, p, q, s) else MEAN_VALUE


def price_attack(state, tables, p, target, w):
    """Return the value of an attack.

    It is the probability of its roll times the value of the cards that fall, plus a share of the best
    continuation.
    """
    dice, force = state.attack_dice, state.force
    if state.stage == c.Stage.CARD:
        dice, force = tables.attack_dice, tables.value[grid.rank_of(state.drawn)]
    elif state.stage == c.Stage.COUNTER:
        dice, force = tables.counter_dice, tables.counter_add
    if target >= c.POOL_TARGET:
        return price_beside(state, tables, p, target, dice, force, w)
    q, s = actions.castle_of(target), actions.square_of(target)
    chance, value = prospect(state, tables, p, q, s, dice, force, w)
    single = state.attack == c.Attack.ARCHERS or state.attack == c.Attack.ASSASSIN
    if single or state.stage == c.Stage.COUNTER:
        return value
    left = force - int(shown_worth(state, tables, p, q, s))
    follows = 0.0
    for heading in range(3):
        beyond = met(state, q, s, heading, 0)
        if beyond != c.NONE:
            follows = max(follows, prospect(state, tables, p, q, beyond, dice, left, w)[1])
    return value + w[AT.path] * chance * follows


def price_beside(state, tables, p, target, dice, force, w):
    """Return the value of attacking a reinforcement, a Joker or a barricade."""
    if target < c.JOKER_TARGET:
        value = grid.worth(tables, target - c.POOL_TARGET)
        return w[AT.breach] * value * aids.chance(tables, dice, tables.defence_dice, force - value)
    chance = aids.chance(tables, dice, tables.defence_dice, force - tables.joker_add)
    return w[AT.breach] * MEAN_VALUE * chance


def price_ram(state, tables, p, q, side, w):
    """Return the expected value of the cards that a ram destroys, one after another.

    The ram stops at a failed roll, or at a known royal that has a suit of the attack.
    """
    total, stands = 0.0, 1.0
    for i in range(c.WIDTH):
        s = i if side == 0 else c.WIDTH - 1 - i
        if state.occupied[q] >> s & 1:
            royal = aids.knows(state, p, q, s) and grid.royal_at(state, q, s) != c.NONE
            if royal and is_barred(state, state.castle[q, s]):
                break
            chance, value = prospect(state, tables, p, q, s, tables.ram_dice, tables.ram_add, w)
            total += stands * value
            stands *= chance
    return total


def price_spy_attack(state, tables, p, w):
    """Return the value of an eight as the lead card.

    It is the value of the best possible target, plus a bonus for the card that it may turn over first.
    """
    best = 0.0
    for i in range(1, tables.players):
        q = (p + i) % tables.players
        if state.alive[q]:
            open_to = grid.reachable(state, q)
            for s in range(c.SQUARES):
                if open_to >> s & 1:
                    best = max(best, price_attack(state, tables, p, actions.square_target(q, s), w))
    return best + 1.0


def best_of(state, tables, p, q, squares, dice, force, w):
    """Return the highest prospect (see `prospect`) among some squares (bit mask) of a castle."""
    best = 0.0
    for s in range(c.SQUARES):
        if squares >> s & 1:
            best = max(best, prospect(state, tables, p, q, s, dice, force, w)[1])
    return best


def best_next(state, tables, p, dice, force, w):
    """Return the highest prospect among the castle cards to which the current attack may continue.

    A prospect is the probability of winning in one roll, times the value of the card (`prospect`).
    """
    goes_on = state.attack == c.Attack.ORDINARY and state.alive[state.defender] == 1
    if not goes_on and not state.won:
        return 0.0  # an existing barricade: nothing else may be attacked
    best = 0.0
    for i in range(1, tables.players):
        q = (p + i) % tables.players
        if state.alive[q] and (q == state.defender or not goes_on):
            open_to = next_squares(state, tables) if goes_on else choices(state, tables, q)
            best = max(best, best_of(state, tables, p, q, open_to, dice, force, w))
    return best


def price_with_ace(state, tables, p, card, w):
    """Return the value of the best attack with a card drawn by an Ace: archers, a ram or an assassin."""
    kind, best = tables.with_ace[grid.rank_of(card)], 0.0
    dice, force = tables.archers_dice, grid.worth(tables, card)
    if kind == c.WithAce.assassin:
        dice, force = tables.assassin_dice, tables.assassin_add
    for i in range(1, tables.players):
        q = (p + i) % tables.players
        if state.alive[q]:
            if kind == c.WithAce.ram:
                best = max(best, price_ram(state, tables, p, q, 0, w), price_ram(state, tables, p, q, 1, w))
            else:
                anywhere = kind == c.WithAce.assassin
                open_to = state.occupied[q] if anywhere else archer_squares(state, tables, q)
                best = max(best, best_of(state, tables, p, q, open_to, dice, force, w))
    return best


# ---------------------------------------------------------------- reinforcements


CERTAIN = 6  # points in the contest for a Joker that no die can make up for


def rallied(state, tables, p, card, w):
    """Return the value of adding a card to the pool, which is lower if the pool is already strong."""
    return w[AT.rally] * grid.worth(tables, card) / (1.0 + grid.pool_worth(tables, state.pool[p]) / 20.0)


def price_rally(state, tables, p, card, w):
    """Return the value of rallying a card: its value in the pool minus its value in the current attack."""
    kept = rallied(state, tables, p, card, w)
    if state.attack == c.Attack.NONE:
        return kept - price_with_ace(state, tables, p, card, w)
    dice, value = state.attack_dice, grid.worth(tables, card)
    with_it = best_next(state, tables, p, dice, state.force + value, w)
    return kept - (with_it - best_next(state, tables, p, dice, state.force, w))


def price_add(state, tables, p, card, w):
    """Return the gain from a reinforcement, minus the value of keeping the cards used.

    The gain is the change in the probability of winning this roll, times the value of the target.

    The result is the larger of two values: for this card alone, and for all remaining reinforcements
    together, reduced by 0.01 per point of this card. In the contest for a Joker, it is `price_contest`.
    """
    if state.contested != c.NONE:
        return price_contest(state, tables, p, card, w)
    against, worth = defence(state, tables)
    edge = attack_adds(state, tables) - defence_adds(state, tables, worth)
    dice = tables.counter_dice if state.attack == c.Attack.COUNTER else state.attack_dice
    sign = 1 if p == state.attacker else -1
    if sign < 0 and tables.reinforcement_order == c.ReinforcementOrder.simultaneous:
        edge -= added_worth(state, tables, state.attacker)
    stake = worth_of_target(state, tables, w)
    now = aids.chance(tables, dice, against, edge)
    value, rest = grid.worth(tables, card), grid.pool_worth(tables, state.pool[p])
    gain = sign * (aids.chance(tables, dice, against, edge + sign * value) - now)
    alone = gain * stake - w[AT.thrift] * value
    gain = sign * (aids.chance(tables, dice, against, edge + sign * rest) - now)
    together = gain * stake - w[AT.thrift] * rest
    return max(alone, together - 0.01 * value)


def price_contest(state, tables, p, card, w):
    """Return the gain from a reinforcement in the contest for a Joker, minus the value of keeping the card.

    The gain is a fixed value per point, up to CERTAIN points. Without the weight `contest`, the result is -1.
    """
    if w[AT.contest] == 0.0:
        return -1.0
    value, lacking = grid.worth(tables, card), max(CERTAIN - added_worth(state, tables, p), 0)
    return w[AT.contest] * min(value, lacking) / CERTAIN - w[AT.thrift] * value


def worth_of_target(state, tables, w):
    """Return the value of the cards that fall if this fight is won."""
    if not is_castle(state.target):
        return w[AT.breach] * MEAN_VALUE
    q, total = state.defender, 0.0
    for s in range(c.SQUARES):
        if state.named >> s & 1:
            royal = grid.royal_at(state, q, s)
            total += (
                royal_worth(w, royal)
                if royal != c.NONE
                else w[AT.breach] * grid.worth(tables, state.castle[q, s])
            )
    return total


# ---------------------------------------------------------------- the own castle


def exposed(occupied, s, w):
    """Return the exposure of a square of a castle, from 0 to 1.

    It is 1 minus a little for each side from which the square cannot be reached, `near` behind one card, and
    `inner` deeper.
    """
    ground = grid.open_ground(occupied)
    first = grid.beside_ground(occupied, ground)
    if first >> s & 1:
        sides = (ground >> s - 1 & 1) + (ground >> s + 1 & 1) + (ground >> s + c.WIDTH & 1)
        return 1.0 - w[AT.side] * (3 - sides)
    return w[AT.near] if aids.behind(first) >> s & 1 else w[AT.inner]


def danger(state, tables, p, occupied, w):
    """Return the total value of p's royals, weighted by their exposure.

    The exposure is that in a castle with these occupied squares.
    """
    total = 0.0
    for s in range(c.WIDTH):
        if state.occupied[p] >> s & 1:
            royal = grid.royal_at(state, p, s)
            if royal != c.NONE:
                total += royal_worth(w, royal) * exposed(occupied, s, w)
    return total


def danger_closed(state, p, w):
    """Return `danger` as it would be after empty columns are closed."""
    occupied = state.occupied[p]
    total = 0.0
    for s in range(c.WIDTH):
        royal = grid.royal_at(state, p, s) if state.occupied[p] >> s & 1 else c.NONE
        if royal != c.NONE:
            cards, square = occupied, s
            gap = grid.gap_column(cards)
            while gap != c.NONE:
                right = 0
                for column in range(gap + 1, c.WIDTH):
                    right |= grid.COLUMN << column
                cards = cards & ~right | (cards & right) >> 1
                square -= square > gap
                gap = grid.gap_column(cards)
            total += royal_worth(w, royal) * exposed(cards, square, w)
    return total


def price_place(state, tables, p, s, w):
    """Return the value of placing a card in the castle.

    It is the value of the card, which decreases as the castle grows, plus the reduction of danger, which
    counts more for a higher card. Both decrease over the turns (`patience`). On the border, where the castle
    would have to move, only the value of the card counts, minus 0.5. A royal in the set-up has value 1 on its
    square (`royals_place`), else 0.
    """
    value = grid.worth(tables, state.drawn)
    wall = w[AT.wall] * value / (1.0 + (grid.count(state.occupied[p]) / w[AT.enough]) ** 2)
    if state.stage == c.Stage.SETUP and grid.rank_of(state.drawn) >= c.FIRST_ROYAL_RANK:
        return 1.0 if s == royals_place(tables, grid.rank_of(state.drawn) - c.FIRST_ROYAL_RANK) else 0.0
    patience = 1.0 / (1.0 + (state.turn / tables.players / w[AT.patience]) ** 2)
    if tables.left_border >> s & 1 or tables.right_border >> s & 1:
        # the castle would have to move, and a card there covers nothing that could not be covered elsewhere
        return patience * wall - 0.5
    before = danger(state, tables, p, state.occupied[p], w)
    after = danger(state, tables, p, state.occupied[p] | grid.bit(s), w)
    return patience * (wall + w[AT.cover] * (before - after) * (value + 2) / 12)


def royals_place(tables, k):
    """Return the square for a royal: in the middle of the Court, or as near to it as a small grid allows.

    The King is between the other royals, exposed only from above.
    """
    jack = min(aids.HOME, tables.columns - c.ROYALS + 1)
    return jack if k == c.Royal.JACK else jack + 1 if k == c.Royal.KING else jack + 2


jit_module(__name__, but="choose")

STEWARD = Policy("steward", choose, "weighs own walls against enemy royals by named weights", weights=WEIGHTS)
BUILDER = Policy(
    "builder",
    choose,
    "walls in the Court, rallies, and attacks only when success is nearly certain",
    weights=WEIGHTS
    | dict(
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
    weights=WEIGHTS
    | dict(
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
