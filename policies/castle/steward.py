"""`steward`: prices every action by named weights, own walls against enemy royals. `builder` and `raider` are
the same judgement with other weights.

An attack is worth the chance of its first roll times what falls, and a share (`path`) of the best that may
follow. A placed card is worth its value and what it takes off the danger to the own royals: whether they can
be reached at once, behind one card, or deeper. Everything is priced in plain enemy card points (`breach` = 1
point). Cards it has not seen are guessed: any of Ace to 10 outside the Court; in the Court the royals still
sought are as likely under each unseen card.
"""

from bartizan.policies.castle.aids import is_sought, knows, unknown_court
from bartizan.policies.castle.attacks import price_attack, price_ram, price_spy_attack, shown_worth
from bartizan.policies.castle.reserves import price_add, price_rally, rallied
from bartizan.policies.castle.walls import danger, danger_closed, price_place
from bartizan.policies.castle.weights import AT, WEIGHTS
from bartizan.policies.protocol import Policy
from bartizan.simcore.castle.actions import argument_of, castle_and_end, castle_of, kind_of, square_of
from bartizan.simcore.castle.components import NONE, POOL_TARGET, WIDTH, Act, Power, Royal, Stage, WithAce
from bartizan.simcore.castle.rules.decks import deck_left
from bartizan.simcore.castle.rules.grid import count, rank_of, royal_at, worth
from bartizan.simcore.compile.jit import jit
from bartizan.simcore.rng import policy_below


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
    return price_other(state, tables, p, act, argument, w)


@jit
def price_other(state, tables, p, act, argument, w):
    """What is neither a target nor a use of a card just drawn."""
    if act == Act.END:
        return w[AT.stop] if state.stage == Stage.TARGET else 0.0
    if act == Act.REMOVE:
        return price_removal(state, p, argument, tables)
    if act == Act.RAM:
        q, side = castle_and_end(argument)
        return price_ram(state, tables, p, q, side, w)
    if act == Act.OWN:
        # forced: the cheapest card; royals last
        card, royal = state.castle[p, argument], royal_at(state, p, argument)
        return -float(worth(tables, card)) - 100.0 * (royal != NONE)
    if act == Act.CLOSE:
        return (
            w[AT.close] * (danger(state, tables, p, state.occupied[p], w) - danger_closed(state, p, w)) - 1.0
        )
    if state.stage == Stage.HAND:
        return -float(argument)
    if act == Act.FIRST:
        return 0.0 if tables.with_ace[rank_of(state.pair[argument])] == WithAce.assassin else 1.0
    return 0.0 if act != Act.NAME else -1.0


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
    hunted = w[AT.king] * is_sought(state, p, q, Royal.KING) + w[AT.queen] * is_sought(
        state, p, q, Royal.QUEEN
    )
    return w[AT.spy] * hunted / count(unknown_court(state, p, q))


@jit
def price_removal(state, p, s, tables):
    """Snake eyes: a high card, best one that covers the Court."""
    q = state.victim
    covers = s >= WIDTH and s < 2 * WIDTH and state.occupied[q] >> (s - WIDTH) & 1
    return shown_worth(state, tables, p, q, s) + 3.0 * covers


@jit
def price_card(state, tables, p, act, w):
    """The other uses of a drawn card."""
    if act == Act.RALLY:
        return rallied(state, tables, p, state.drawn, w)
    if act == Act.LAY:
        return w[AT.lay]
    if act != Act.LEAD:
        return 0.0
    if tables.power[rank_of(state.drawn)] != Power.ace:
        return price_spy_attack(state, tables, p, w)
    # an Ace is worth the cards it can draw: late in a game of full castles there may be none
    cards = deck_left(state) + count(state.discards)
    return w[AT.ace] if cards >= tables.ace_draw else w[AT.ace] * cards / (1.0 + tables.ace_draw) - 1.0


STEWARD = Policy("steward", choose, "weighs own walls against enemy royals by named weights", weights=WEIGHTS)
BUILDER = Policy(
    "builder",
    choose,
    "walls the Court and rallies, attacks only what is nearly sure",
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
