"""The order of play between decisions: `advance` continues until a decision is needed or the game is over.

The steps are in the order of the rules. Functions that return nothing modify `state`.
"""

from bartizan.simcore.castle import components as c
from bartizan.simcore.castle.rules import attack
from bartizan.simcore.castle.rules.attack import contest, meet_joker
from bartizan.simcore.castle.rules.decks import deck_left, remake, take
from bartizan.simcore.castle.rules.fight import next_living
from bartizan.simcore.castle.rules.grid import bit, has_gap, standing, suit_of
from bartizan.simcore.castle.rules.targets import own_leads
from bartizan.simcore.compile.jit import jit_module
from bartizan.simcore.kit.actions import ask
from bartizan.simcore.kit.journal import log
from bartizan.simcore.rng import rekey


def advance(state, tables):
    """Execute the steps from `state.after` on, until a decision is needed or the game is over."""
    state.stage = c.Stage.NONE
    while state.end_reason == 0 and state.stage == c.Stage.NONE:
        take_step(state, tables, state.after)


def take_step(state, tables, step):
    # a turn
    if step == c.Step.DRAW:
        draw_for_turn(state, tables)
    elif step == c.Step.CARD:
        ask(state, state.on_turn, c.Stage.CARD)
    elif step == c.Step.END_TURN:
        end_turn(state, tables)
    elif step == c.Step.BEGIN_TURN:
        begin_turn(state, tables)
    elif step == c.Step.CHOOSE:
        choose_royal(state, tables)
    elif step == c.Step.SETUP:
        next_placement(state, tables)
    elif step == c.Step.SETUP_CARD:
        place_dealt(state, tables)
    elif step == c.Step.CONTEST:
        contest(state, tables)
    elif step == c.Step.FORCED_TURN:
        forced_turn(state, tables)
    # an attack, up to its fight
    elif step == c.Step.LEAD:
        attack.begin_attack(state, tables)
    elif step == c.Step.SPY:  # continue the eight's own attack, or the fight against the eight
        state.after = c.Step.FIRST_TARGET if state.target == c.NONE else c.Step.ATTACKER_ADDS
    elif step == c.Step.FIRST_TARGET:
        attack.first_target(state, tables)
    elif step == c.Step.NAME:
        attack.name_more(state, tables)
    elif step == c.Step.FIGHT:
        attack.begin_fight(state, tables)
    # a fight
    elif step == c.Step.ATTACKER_ADDS:
        attack.offer_reinforcements(state, tables, state.attacker, c.Step.DEFENDER_ADDS)
    elif step == c.Step.DEFENDER_ADDS:
        attack.offer_reinforcements(state, tables, state.defender, c.Step.ROLL)
    elif step == c.Step.ROLL:
        attack.resolve(state, tables)
    elif step == c.Step.ATTACKER_PAYS:
        attack.offer_removal(
            state, tables, state.attacker_snake, state.defender, state.attacker, c.Step.DEFENDER_PAYS
        )
    elif step == c.Step.DEFENDER_PAYS:
        attack.offer_removal(
            state, tables, state.defender_snake, state.attacker, state.defender, c.Step.COUNTER
        )
    elif step == c.Step.COUNTER:
        attack.counter(state, tables)
    # after a fight
    elif step == c.Step.GO_ON:
        attack.go_on(state, tables)
    elif step == c.Step.EXTRA:
        attack.draw_extra(state, tables)
    elif step == c.Step.RALLY:
        attack.offer_rally(state)
    elif step == c.Step.NEXT_TARGET:
        attack.next_target(state, tables)
    elif step == c.Step.CALLED_OFF:
        attack.call_off(state, tables)
    elif step == c.Step.END_ATTACK:
        attack.end_attack(state, tables)
    # an Ace
    elif step == c.Step.DRAW_PAIR:
        attack.draw_pair(state, tables)
    elif step == c.Step.PAIR_ORDER:
        attack.order_pair(state)
    elif step == c.Step.NEXT_OF_PAIR:
        attack.next_of_pair(state, tables)
    elif step == c.Step.USE_CARD:
        attack.use_card(state, tables)
    elif step == c.Step.RAM:
        attack.ram_on(state, tables)


# ---------------------------------------------------------------- 2. set-up


def choose_royal(state, tables):
    """Ask for the suit of the next royal, rank by rank, in seat order (C1 choice)."""
    n = tables.players
    if state.to_place < c.ROYALS * n:
        ask(state, state.to_place % n, c.Stage.CHOOSE)
        return
    know_royals(state, tables)
    state.to_place = 0
    state.after = c.Step.SETUP


def know_royals(state, tables):
    """Record that players know their own royals (2.3)."""
    for p in range(tables.players):
        for k in range(c.ROYALS):
            state.seen_by[state.royal[p, k]] |= bit(p)


def next_placement(state, tables):
    """Ask the next player to place the royals, then the dealt cards in any order (2.3)."""
    p, i = state.to_place // (c.ROYALS + tables.dealt), placing(state, tables)
    state.drawn = c.NONE
    if p < tables.players:
        if i < 0:
            state.drawn = state.royal[p, i + c.ROYALS]
            ask(state, p, c.Stage.SETUP)
        elif i < tables.dealt - 1:
            ask(state, p, c.Stage.HAND)
        else:
            state.after = c.Step.SETUP_CARD
        return
    state.on_turn = 0
    state.leader = leader(state, tables)
    state.after = c.Step.BEGIN_TURN


def placing(state, tables):
    """Return the number of dealt cards that the player has placed during set-up.

    The result is below 0 while royals are left to place.
    """
    return state.to_place % (c.ROYALS + tables.dealt) - c.ROYALS


def place_dealt(state, tables):
    """Ask for the place of the dealt card just chosen (2.3)."""
    p = state.to_place // (c.ROYALS + tables.dealt)
    state.drawn = state.dealt[p, placing(state, tables)]
    state.after = c.Step.SETUP
    ask(state, p, c.Stage.SETUP)


# ---------------------------------------------------------------- 3. turn


def count_turn(state):
    """Count a turn, and restart its dice streams so that they do not depend on earlier turns."""
    state.turn += 1
    state.drawn = c.NONE
    rekey(state, c.Luck.ATTACK, state.turn)
    rekey(state, c.Luck.DEFENCE, state.turn)
    log(state, c.Event.TURN, state.on_turn, state.turn)


def begin_turn(state, tables):
    """Begin a turn, and ask the player to choose if there is a choice (3).

    There is a choice if there is an alternative to drawing a card: closing gaps, or an attack with a card of
    the player's own castle.
    """
    count_turn(state)
    p = state.on_turn
    state.after = c.Step.DRAW
    if has_gap(state, tables, p) or (
        tables.own_card_attack == c.OwnCardAttack.yes
        and own_leads(state, tables, p, c.ForcedLeads.all_but_king)
    ):
        ask(state, p, c.Stage.TURN)


def draw_for_turn(state, tables):
    """Draw the card of a turn (3.1, 3.8, C5, C6).

    Players contest a Joker. If there is no card, a forced round begins.
    """
    again = state.drawn != c.NONE  # a card that was rallied, or a Joker, was drawn before it
    card = c.NONE
    if tables.forced_round == c.ForcedRound.both_piles_empty or deck_left(state) > 0 or again:
        card = take(state)
    state.drawn = card
    if card >= c.FIRST_JOKER:
        draws_again = tables.joker_turn == c.JokerTurn.draws_again
        meet_joker(state, tables, card, c.Step.DRAW if draws_again else c.Step.END_TURN)
    elif card != c.NONE:
        hold(state, card)
    elif again:
        state.after = c.Step.END_TURN
    else:
        begin_forced_round(state)


def hold(state, card):
    """Log the drawn card, which the player must use (3.1)."""
    state.seen_by[card] |= bit(state.on_turn)
    state.suits = bit(suit_of(card))  # the Royal rule restricts its targets
    log(state, c.Event.DREW, state.on_turn, card)
    state.after = c.Step.CARD


def end_turn(state, tables):
    """End the turn. Continue with the next player, or end the game at the turn limit (10.4, 3)."""
    state.drawn = c.NONE
    note_leader(state, tables)
    if state.turn >= tables.turn_limit:
        state.end_reason = c.End.TURN_LIMIT
    elif state.forced_from != c.NONE:
        state.after = c.Step.FORCED_TURN
    else:
        state.on_turn = next_living(state, tables, state.on_turn)
        state.after = c.Step.BEGIN_TURN


def leader(state, tables):
    """Return the living player with the highest total value of castle and pool; NONE in a tie."""
    best, who = -1, c.NONE
    for p in range(tables.players):
        if state.alive[p]:
            worth = standing(state, tables, p)
            if worth == best:
                who = c.NONE
            elif worth > best:
                best, who = worth, p
    return who


def note_leader(state, tables):
    now = leader(state, tables)
    if now != c.NONE:
        if state.leader != c.NONE and now != state.leader:
            state.lead_changes += 1
        state.leader = now


# ---------------------------------------------------------------- 8. forced round


def begin_forced_round(state):
    """Begin a forced round, because no card can be drawn (8.1)."""
    log(state, c.Event.RAN_DRY)
    state.forced_rounds += 1
    state.turn -= 1
    state.forced_from = state.on_turn
    state.forced_left = 0
    for p in range(c.SEATS):
        state.forced_left |= state.alive[p] << p
    state.after = c.Step.FORCED_TURN


def forced_turn(state, tables):
    """Begin the next forced turn. After the last one, reshuffle the deck (8.1, 8.2, 8.5)."""
    for i in range(tables.players):
        p = (state.forced_from + i) % tables.players
        if state.forced_left >> p & 1 and state.alive[p]:
            state.forced_left &= ~bit(p)
            state.on_turn = p
            count_turn(state)
            log(state, c.Event.FORCED, p)
            if own_leads(state, tables, p, tables.forced_leads):
                ask(state, p, c.Stage.OWN)
            else:
                log(state, c.Event.PASSED, p)
                state.after = c.Step.END_TURN
            return
    p = state.forced_from
    state.on_turn = p if state.alive[p] else next_living(state, tables, p)
    state.forced_from = c.NONE
    remake(state)
    state.after = c.Step.BEGIN_TURN


jit_module(__name__)
