"""The order of play between decisions: `advance` goes on until somebody has to decide or the game is over.

Its steps stand in the order of the rules.
"""

from bartizan.simcore.castle.components import (
    FIRST_JOKER,
    NONE,
    ROYALS,
    SEATS,
    End,
    Event,
    ForcedLeads,
    ForcedRound,
    JokerTurn,
    Luck,
    OwnCardAttack,
    Stage,
    Step,
)
from bartizan.simcore.castle.rules.aces import (
    assassin_target,
    draw_pair,
    next_of_pair,
    order_pair,
    ram_on,
    use_card,
)
from bartizan.simcore.castle.rules.attack import (
    after_spy,
    begin_attack,
    begin_fight,
    call_off,
    counter,
    draw_extra,
    end_attack,
    first_target,
    go_on,
    name_more,
    next_target,
    offer_rally,
    offer_reinforcements,
    offer_removal,
    resolve,
)
from bartizan.simcore.castle.rules.death import next_living
from bartizan.simcore.castle.rules.decks import deck_left, remake, take
from bartizan.simcore.castle.rules.grid import bit, has_gap, standing, suit_of
from bartizan.simcore.castle.rules.jokers import contest, meet_joker
from bartizan.simcore.castle.rules.targets import own_leads
from bartizan.simcore.compile.jit import jit
from bartizan.simcore.kit.ask import ask
from bartizan.simcore.kit.journal import log
from bartizan.simcore.rng import rekey


@jit
def advance(state, tables):
    """Go on with `state.after` to the next decision. Modifies `state`."""
    state.stage = Stage.NONE
    while state.end_reason == 0 and state.stage == Stage.NONE:
        step = state.after
        if step < Step.LEAD:
            step_of_turn(state, tables, step)
        elif step < Step.ATTACKER_ADDS:
            step_of_attack(state, tables, step)
        elif step < Step.GO_ON:
            step_of_fight(state, tables, step)
        elif step < Step.DRAW_PAIR:
            step_after_fight(state, tables, step)
        else:
            step_of_ace(state, tables, step)


@jit
def step_of_turn(state, tables, step):
    if step == Step.DRAW:
        draw_for_turn(state, tables)
    elif step == Step.CARD:
        ask(state, state.on_turn, Stage.CARD)
    elif step == Step.END_TURN:
        end_turn(state, tables)
    elif step == Step.BEGIN_TURN:
        begin_turn(state, tables)
    elif step == Step.CHOOSE:
        choose_royal(state, tables)
    elif step == Step.SETUP:
        next_placement(state, tables)
    elif step == Step.SETUP_CARD:
        place_dealt(state, tables)
    elif step == Step.CONTEST:
        contest(state, tables)
    else:
        forced_turn(state, tables)


@jit
def step_of_attack(state, tables, step):
    """Up to the fight."""
    if step == Step.LEAD:
        begin_attack(state, tables)
    elif step == Step.SPY:
        after_spy(state)
    elif step == Step.FIRST_TARGET:
        first_target(state, tables)
    elif step == Step.NAME:
        name_more(state, tables)
    else:
        begin_fight(state, tables)


@jit
def step_of_fight(state, tables, step):
    attacker, defender = state.attacker, state.defender
    if step == Step.ATTACKER_ADDS:
        offer_reinforcements(state, tables, attacker, Step.DEFENDER_ADDS)
    elif step == Step.DEFENDER_ADDS:
        offer_reinforcements(state, tables, defender, Step.ROLL)
    elif step == Step.ROLL:
        resolve(state, tables)
    elif step == Step.ATTACKER_PAYS:
        offer_removal(state, tables, state.attacker_snake, defender, attacker, Step.DEFENDER_PAYS)
    elif step == Step.DEFENDER_PAYS:
        offer_removal(state, tables, state.defender_snake, attacker, defender, Step.COUNTER)
    else:
        counter(state, tables)


@jit
def step_after_fight(state, tables, step):
    if step == Step.GO_ON:
        go_on(state, tables)
    elif step == Step.EXTRA:
        draw_extra(state, tables)
    elif step == Step.RALLY:
        offer_rally(state)
    elif step == Step.NEXT_TARGET:
        next_target(state, tables)
    elif step == Step.CALLED_OFF:
        call_off(state, tables)
    else:
        end_attack(state, tables)


@jit
def step_of_ace(state, tables, step):
    if step == Step.DRAW_PAIR:
        draw_pair(state, tables)
    elif step == Step.PAIR_ORDER:
        order_pair(state)
    elif step == Step.NEXT_OF_PAIR:
        next_of_pair(state, tables)
    elif step == Step.USE_CARD:
        use_card(state, tables)
    elif step == Step.ASSASSIN_TARGET:
        assassin_target(state, tables)
    else:
        ram_on(state, tables)


# ---------------------------------------------------------------- 2. set-up


@jit
def choose_royal(state, tables):
    """C1: `choice` asks for each rank, in seat order. Modifies `state`."""
    n = tables.players
    if state.to_place < ROYALS * n:
        ask(state, state.to_place % n, Stage.CHOOSE)
        return
    know_royals(state, tables)
    state.to_place = 0
    state.after = Step.SETUP


@jit
def know_royals(state, tables):
    """2.3: owners know their own cards. Modifies `state`."""
    for p in range(tables.players):
        for k in range(ROYALS):
            state.seen_by[state.royal[p, k]] |= bit(p)


@jit
def next_placement(state, tables):
    """2.3: the royals, then the dealt cards in any order, player after player. Modifies `state`."""
    p, i = state.to_place // (ROYALS + tables.dealt), placing(state, tables)
    state.drawn = NONE
    if p < tables.players:
        if i < 0:
            state.drawn = state.royal[p, i + ROYALS]
            ask(state, p, Stage.SETUP)
        elif i < tables.dealt - 1:
            ask(state, p, Stage.HAND)
        else:
            state.after = Step.SETUP_CARD
        return
    state.on_turn = 0
    state.leader = leader(state, tables)
    state.after = Step.BEGIN_TURN


@jit
def placing(state, tables):
    """How many of the dealt cards the player at set-up has placed; below 0 while royals are left."""
    return state.to_place % (ROYALS + tables.dealt) - ROYALS


@jit
def place_dealt(state, tables):
    """2.3. Modifies `state`."""
    p = state.to_place // (ROYALS + tables.dealt)
    state.drawn = state.dealt[p, placing(state, tables)]
    state.after = Step.SETUP
    ask(state, p, Stage.SETUP)


# ---------------------------------------------------------------- 3. turn


@jit
def count_turn(state):
    """A turn begins: its dice do not depend on those thrown before. Modifies `state`."""
    state.turn += 1
    state.drawn = NONE
    rekey(state, Luck.ATTACK, state.turn)
    rekey(state, Luck.DEFENCE, state.turn)
    log(state, Event.TURN, state.on_turn, state.turn)


@jit
def begin_turn(state, tables):
    """3: draw, or close gaps. Modifies `state`."""
    count_turn(state)
    p = state.on_turn
    state.after = Step.DRAW
    if has_gap(state, tables, p) or (
        tables.own_card_attack == OwnCardAttack.yes and own_leads(state, tables, p, ForcedLeads.all_but_king)
    ):
        ask(state, p, Stage.TURN)


@jit
def draw_for_turn(state, tables):
    """3.1, 3.8, C5, C6. Modifies `state`."""
    again = state.drawn != NONE  # a card rallied, or a Joker, was drawn before it
    card = NONE
    if tables.forced_round == ForcedRound.both_piles_empty or deck_left(state) > 0 or again:
        card = take(state)
    state.drawn = card
    if card >= FIRST_JOKER:
        draws_again = tables.joker_turn == JokerTurn.draws_again
        meet_joker(state, tables, card, Step.DRAW if draws_again else Step.END_TURN)
    elif card != NONE:
        hold(state, card)
    elif again:
        state.after = Step.END_TURN
    else:
        begin_forced_round(state)


@jit
def hold(state, card):
    """3.1: the card is drawn, and the player has to use it. Modifies `state`."""
    state.seen_by[card] |= bit(state.on_turn)
    state.suits = bit(suit_of(card))  # the Royal rule bears on whom it may attack
    log(state, Event.DREW, state.on_turn, card)
    state.after = Step.CARD


@jit
def end_turn(state, tables):
    """10.4, 3. Modifies `state`."""
    state.drawn = NONE
    note_leader(state, tables)
    if state.turn >= tables.turn_limit:
        state.end_reason = End.TURN_LIMIT
    elif state.forced_from != NONE:
        state.after = Step.FORCED_TURN
    else:
        state.on_turn = next_living(state, tables, state.on_turn)
        state.after = Step.BEGIN_TURN


@jit
def leader(state, tables):
    """The living player whose castle and pool are worth most, if he is alone; or NONE."""
    best, who = -1, NONE
    for p in range(tables.players):
        if state.alive[p]:
            worth = standing(state, tables, p)
            if worth == best:
                who = NONE
            elif worth > best:
                best, who = worth, p
    return who


@jit
def note_leader(state, tables):
    """Modifies `state`."""
    now = leader(state, tables)
    if now != NONE:
        if state.leader != NONE and now != state.leader:
            state.lead_changes += 1
        state.leader = now


# ---------------------------------------------------------------- 8. forced round


@jit
def begin_forced_round(state):
    """8.1. Modifies `state`."""
    log(state, Event.RAN_DRY)
    state.forced_rounds += 1
    state.turn -= 1
    state.forced_from = state.on_turn
    state.forced_left = 0
    for p in range(SEATS):
        state.forced_left |= state.alive[p] << p
    state.after = Step.FORCED_TURN


@jit
def forced_turn(state, tables):
    """8.1, 8.2, 8.5. Modifies `state`."""
    for i in range(tables.players):
        p = (state.forced_from + i) % tables.players
        if state.forced_left >> p & 1 and state.alive[p]:
            state.forced_left &= ~bit(p)
            state.on_turn = p
            count_turn(state)
            log(state, Event.FORCED, p)
            if own_leads(state, tables, p, tables.forced_leads):
                ask(state, p, Stage.OWN)
            else:
                log(state, Event.PASSED, p)
                state.after = Step.END_TURN
            return
    p = state.forced_from
    state.on_turn = p if state.alive[p] else next_living(state, tables, p)
    state.forced_from = NONE
    remake(state)
    state.after = Step.BEGIN_TURN
