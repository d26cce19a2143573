"""2. Set-up: everything in its start place, the decks shuffled, the German to post his guards."""

from bartizan.simcore.colditz.components import (
    APPEL,
    EQUIPMENT,
    GUARDS,
    NONE,
    PLAYERS,
    POWS,
    SPACES,
    TEAM,
    TUNNELS,
    Luck,
    Place,
    Reaction,
    Step,
    Tunnel,
)
from bartizan.simcore.colditz.rules.decks import remake, stack_stakes
from bartizan.simcore.colditz.turns import advance
from bartizan.simcore.compile.jit import jit
from bartizan.simcore.kit.piles import shuffle


@jit
def reset(state, tables):
    """2.1 - 2.4. Modifies `state`."""
    clear(state)
    place_pawns(state, tables)
    stack_decks(state, tables)
    state.after = Step.SETUP
    advance(state, tables)


@jit
def clear(state):
    state.n_events = 0
    state.round = 0
    state.moved = 0
    state.on_turn = state.player = 0
    state.last_stakes = 0
    state.points = state.releases = state.gives = state.claims = state.doubles = 0
    state.halted = state.stayed = 0
    state.picked = state.mover = state.chaser = NONE
    state.opened = state.guard_drops = 0
    state.no_posting = state.posted = 0
    state.left_tunnel = 0
    state.reaction = Reaction.NONE
    state.warned = 0
    state.cells_size = state.cells_next = 0
    state.n_goals = 0
    clear_players(state)
    clear_tunnels(state)
    clear_tallies(state)


@jit
def clear_players(state):
    """Nobody holds a card."""
    for p in range(PLAYERS):
        state.kit[p] = state.owed[p] = state.to_lose[p] = 0
        state.escaped[p] = state.staked_out[p] = state.out[p] = 0
        for e in range(EQUIPMENT):
            state.equipment[p, e] = 0
        for card in range(state.hand.shape[1]):
            state.hand[p, card] = 0
    for card in range(state.discards.shape[0]):
        state.discards[card] = 0
    for card in range(state.orders.shape[0]):
        state.orders[card] = state.order_discards[card] = 0


@jit
def clear_tunnels(state):
    for t in range(TUNNELS):
        state.tunnel[t] = Tunnel.UNUSED
        state.had_two[t] = state.broken_out[t] = state.detected[t] = state.carded[t] = state.shut[t] = 0
        state.digger[t] = NONE


@jit
def clear_tallies(state):
    state.first_escape = state.first_stake_escape = state.first_kit = 0
    for i in range(2):
        state.race[i] = state.racer_staked[i] = 0
        state.racer[i] = NONE
    for i in range(state.targets.shape[0]):
        state.targets[i] = 0
    for i in range(state.by_way.shape[0]):
        state.by_way[i] = 0
    for i in range(state.losses.shape[0]):
        state.losses[i] = 0
    state.last_run = state.runs_lost = state.stake_tries = state.car_tries = state.car_escapes = 0
    state.drawn = state.claimed = state.kits = state.tunnels_opened = 0


@jit
def place_pawns(state, tables):
    """2.1, 2.3: the POWs in the Appel, the guards in the barracks."""
    for c in range(SPACES):
        state.on[c] = state.below[c] = 0
    for w in range(POWS):
        there = w // TEAM < tables.players and w % TEAM < tables.pows
        state.pow_at[w] = APPEL if there else Place.UNUSED
        state.under[w] = NONE
        state.returning[w] = state.used[w] = state.used_key[w] = state.used_pass[w] = 0
    for g in range(GUARDS):
        state.guard_at[g] = Place.BARRACKS if g < tables.guards else Place.UNUSED


@jit
def stack_decks(state, tables):
    """2.2: Opportunity, Security and Do or Die face down; Equipment and Kits open."""
    for i in range(tables.n_dealt):
        state.discards[tables.dealt[i]] += 1
    state.deck_size = remake(state, state.deck, state.discards, Luck.OPPORTUNITY)
    for i in range(tables.n_order_dealt):
        state.order_discards[tables.order_dealt[i]] += 1
    state.order_size = remake(state, state.order_deck, state.order_discards, Luck.SECURITY)
    stack_stakes(state, tables)
    state.deck_next = state.order_next = 0
    for e in range(EQUIPMENT):
        state.supply[e] = tables.equipment_count[e]
    state.kit_supply = tables.kit_count


@jit
def determinize(state, tables):
    """What is left of the three face-down decks in another order (3.3, 5.4): each as likely, since nobody
    looks at them.

    Hands stay. Modifies `state`; returns how many.
    """
    shuffle(state, Luck.OPPORTUNITY, state.deck, state.deck_next, state.deck_size)
    shuffle(state, Luck.SECURITY, state.order_deck, state.order_next, state.order_size)
    shuffle(state, Luck.STAKE_CARD, state.stakes, state.stakes_next, state.stakes_size)
    return (
        state.deck_size
        - state.deck_next
        + state.order_size
        - state.order_next
        + state.stakes_size
        - state.stakes_next
    )
