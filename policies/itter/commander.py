"""`commander`: plays the SS in the competitive game (6.2).

It keeps cards whose value will increase. It plays the other cards in an order in which each helps the next,
with the Tactics card that helps these cards most. The value of a counter is the danger of the tracks where it
may land, minus the share that the tokens there will stop. The value of an attack is its expected cost to the
defenders in their current places. The policy sees the board and its hand, never the draw pile.
"""

from bartizan.policies.protocol import Policy, indices, legal_or_first
from bartizan.simcore.compile.jit import jit_module
from bartizan.simcore.itter.actions import action, argument_of
from bartizan.simcore.itter.components import NONE, Act, Card, CardKind, Stage, Status
from bartizan.simcore.itter.features import free_circles
from bartizan.simcore.itter.rules.board import location_of, on_board
from bartizan.simcore.itter.rules.siege import next_value

WEIGHTS = {
    "patience": 0.6,  # effect of one more free circle on the danger of a track
    "breach": 4.0,  # value of a counter on a full track
    "tokens": 0.5,  # assumed share of a square's tokens that the defender spends on one counter
    "gun": 0.3,
    "disrupt": 0.15,
    "kill": 0.4,
    "hit": 0.25,  # value of one step of a Defence Value
    "tank": 0.4,  # value of each of the crew
    "keep_sturm": 0.1,
    "keep_artillery": 0.0,
    "keep_fire": 0.1,
    "die": 0.1,  # value of an additional die from a Tactics card
    "more": 1.0,  # value of an additional counter
}
AT = indices(WEIGHTS)
DAYS = 20  # turns in a game
COUNTED_DICE = 12  # more dice count as this number, as when the weights were chosen


def choose(state, tables, legal, n_legal, weights):
    if state.stage == Stage.PLAN:
        chosen = action(Act.LAY, next_card(state, tables, legal, n_legal, weights))
    else:
        chosen = action(Act.LAY_TACTICS, best_tactics(state, tables, legal, n_legal, weights))
    return legal_or_first(chosen, legal, n_legal)


# ---------------------------------------------------------------- SS cards


def next_card(state, tables, legal, n_legal, weights):
    """Return the next card to play, from the cards that are not kept."""
    to_keep = state.ss_hand_size - (tables.ss_cards - state.n_planned)
    best, choice = 1e9, argument_of(int(legal[0]))
    for i in range(n_legal):
        card = argument_of(int(legal[i]))
        if place_from_below(state, tables, legal, n_legal, card, weights) < to_keep:
            continue
        when = moment(tables, card)
        if when < best:
            best, choice = when, card
    return choice


def place_from_below(state, tables, legal, n_legal, card, weights):
    """Return the number of cards in hand with a lower current value, which would be kept before this card."""
    worth = urgency(state, tables, card, weights)
    n = 0
    for i in range(n_legal):
        other = argument_of(int(legal[i]))
        if other != card:
            theirs = urgency(state, tables, other, weights)
            if theirs < worth or (theirs == worth and other < card):
                n += state.ss_hand[other]
    return n + state.ss_hand[card] - 1


def moment(tables, card):
    """Return the position of a card in the order within a turn. Lower numbers come first.

    The order is: guns, cards that fire them, artillery, cheap counters that use up the tokens, the best
    counters.
    """
    if card >= tables.n_cards:
        return 9.0
    does = tables.does[card]
    if does == Card.PLACE:
        kind = tables.card_counter[card]
        return 5.0 + tables.defence[kind] * 0.1 if tables.advances[kind] else 0.0
    if does == Card.SUPPRESSIVE_FIRE:
        return 1.0
    return 2.0 if does == Card.LOCATION else 8.0 if does == Card.REINFORCEMENTS else 3.0


def urgency(state, tables, card, weights):
    """Return the current value of a card, minus the value of keeping it.

    The value of keeping it decreases towards the end of the game.
    """
    if card >= tables.n_cards:
        return -100.0
    promise = max(0.0, 1.0 - state.turn / DAYS)
    does = tables.does[card]
    kept = 0.0
    if does == Card.PLACE and tables.card_kind[card] == CardKind.sturm:
        kept = weights[AT.keep_sturm]
    elif does == Card.LOCATION:
        kept = weights[AT.keep_artillery]
    elif does == Card.SUPPRESSIVE_FIRE or does == Card.FLAK30 or does == Card.SNIPER:
        kept = weights[AT.keep_fire]
    return worth_now(state, tables, card, weights) - kept * promise


def worth_now(state, tables, card, weights):
    does = tables.does[card]
    if does == Card.PLACE:
        return tables.value[card] * counter_worth(state, tables, tables.card_counter[card], weights)
    if does == Card.LOCATION:
        return average_hit(state, tables, card, weights)
    if does == Card.SNIPER:
        loss = average_loss(state, tables, card, 1.0, weights)
        people = 0
        for d in range(tables.n_defenders):
            people += on_board(state, d)
        return weights[AT.kill] * loss / max(1, people)
    if does == Card.FLAK30:
        return average_loss(state, tables, card, weights[AT.disrupt], weights) * 0.4
    if does == Card.SUPPRESSIVE_FIRE:
        guns = 0  # Machine Gunners and Mortars on the board
        for gun in range(2):
            kind = tables.gun_kinds[gun]
            guns += tables.count[kind] - state.supply[kind]
        return weights[AT.disrupt] * guns * 0.5
    return -50.0


def counter_worth(state, tables, kind, weights):
    """Return the value of a counter.

    It is the danger of the tracks where the counter may land, minus the share that the tokens there will
    stop. For a Machine Gunner or Mortar, it is the weight `gun`.
    """
    if not tables.advances[kind]:
        return weights[AT.gun]
    total = 0.0
    for i in range(len(tables.areas)):
        area = tables.areas[i]
        free = free_circles(state, tables, area)
        danger = weights[AT.patience] ** free if free > 0 else weights[AT.breach]
        dice = min(int(weights[AT.tokens] * state.tokens[tables.circle_colour[area]]), COUNTED_DICE)
        total += tables.landing[area] * danger * (1.0 - tables.hit[dice, tables.defence[kind]])
    return total


def average_hit(state, tables, card, weights):
    """Return the probability of a hit times its cost, averaged over the faces of the card's table."""
    table, total = tables.target_table[card], 0.0
    for face in range(6):
        location = tables.target[table, face]
        value = state.defence[location]
        if value > 0:
            chance = tables.hit[min(tables.value[card], COUNTED_DICE), value]
            total += chance * (weights[AT.hit] + hurt(state, tables, location, weights))
    return total / 6


def hurt(state, tables, location, weights):
    """Return the cost of a hit to the defenders in a location.

    It is 0 unless the location has its last Defence Value.
    """
    if next_value(state, tables, location) > 0:
        return 0.0
    total = 0.0
    for p in range(tables.first_position[location], tables.end_position[location]):
        d = state.occupant[p]
        if d == NONE:
            continue
        if tables.destructible[location]:
            total += weights[AT.tank]
        else:
            total += weights[AT.kill] if state.status[d] & Status.DISRUPTED else weights[AT.disrupt]
    return total


def average_loss(state, tables, card, each, weights):
    """Return the expected loss from a card that fires at all defenders on the board outside the Cellar.

    each: cost per hit defender; a disrupted defender costs `kill` instead.
    """
    total = 0.0
    dice = min(tables.value[card], COUNTED_DICE)
    for d in range(tables.n_defenders):
        if on_board(state, d):
            location = location_of(state, tables, d)
            value = state.defence[location]
            if value > 0 and not tables.is_cellar[location]:
                total += tables.hit[dice, value] * (
                    weights[AT.kill] if state.status[d] & Status.DISRUPTED else each
                )
    return total


# ---------------------------------------------------------------- Tactics


def best_tactics(state, tables, legal, n_legal, weights):
    """Return the Tactics card that helps this turn's cards most."""
    best, choice = -1.0, argument_of(int(legal[0]))
    for i in range(n_legal):
        card = argument_of(int(legal[i]))
        worth = tactics_worth(state, tables, card, weights)
        if worth > best:
            best, choice = worth, card
    return choice


def tactics_worth(state, tables, tactics, weights):
    total = 0.0
    for i in range(state.n_planned):
        card = state.planned[i]
        if card >= tables.n_cards:
            continue
        kind = tables.card_kind[card]
        total += weights[AT.die] * tables.extra_dice[tactics, kind]
        if tables.does[card] == Card.PLACE:
            counter = tables.card_counter[card]
            each = counter_worth(state, tables, counter, weights)
            total += weights[AT.more] * tables.extra_counters[tactics, kind] * each
            total += tables.value[card] * stopped(state, tables, tactics, counter)
    return total


def stopped(state, tables, tactics, kind):
    """Return the probability that a counter gets through only because of a Tactics card.

    Without the card, the tokens would stop the counter. The card makes it tougher, or closes the square.
    """
    if not tables.advances[kind]:
        return 0.0
    total = 0.0
    for i in range(len(tables.areas)):
        area = tables.areas[i]
        colour = tables.circle_colour[area]
        dice = min(int(state.tokens[colour]), COUNTED_DICE)
        now = tables.hit[dice, tables.defence[kind]]
        closed = (tables.banned[tactics] >> colour) & 1
        then = (
            0.0 if closed else tables.hit[dice, min(tables.defence[kind] + tables.tougher[tactics, kind], 6)]
        )
        total += tables.landing[area] * (now - then)
    return total


jit_module(__name__, but="choose")


COMMANDER = Policy(
    "commander",
    choose,
    "the SS player: keeps sturm and artillery for weak tracks and damaged locations, and plays the "
    "Tactics card that helps the turn's cards",
    WEIGHTS,
    roles=("ss",),
)
