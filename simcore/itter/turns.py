"""The order of play between decisions: `advance` continues until a decision is needed or the game is over.

A turn consists of the plans of the SS player (6.2), the Defender Phase (2.0) and the SS Phase (4.0). The SS
Phase consists of small steps. `state.step` is the next step, so that a decision (Suppression tokens, a
Sacrifice, R-44) can interrupt the phase. All functions modify `state`.
"""

from bartizan.simcore.compile.jit import jit_module
from bartizan.simcore.compile.rules import PLAYING
from bartizan.simcore.itter import components as c
from bartizan.simcore.itter.rules import attributes, siege, tactics
from bartizan.simcore.kit.actions import ask
from bartizan.simcore.kit.journal import log
from bartizan.simcore.rng import rekey


def advance(state, tables):
    """Continue until a decision is needed or the game is over."""
    while state.stage == c.Stage.NONE and state.end_reason == PLAYING:
        if state.deaths_open:
            attributes.settle_deaths(state, tables)
        else:
            take_step(state, tables)


def take_step(state, tables):
    """Execute the next step of the SS Phase (4.0)."""
    step = state.step
    if step == c.Step.BEGIN:
        tactics.turn_up_tactics(state, tables)
        state.lowest_deck = 0
        state.step = c.Step.NEXT_CARD
    elif step == c.Step.NEXT_CARD:
        next_card(state, tables)
    elif step == c.Step.COUNTER:
        siege.begin_counter(state, tables)
    elif step == c.Step.ALONG_FACES:
        siege.flak_at_face(state, tables)
    elif step == c.Step.ALONG_AREAS:
        siege.fire_in_area(state, tables)
    elif step == c.Step.ALONG_COLOURS:
        siege.squads_of_colour(state, tables)
    else:
        siege.disrupt_at_position(state, tables)


# ---------------------------------------------------------------- 1.1, 5.0: turns


def begin_turn(state, tables):
    """Begin the next turn with its Defender Phase (1.1)."""
    state.turn += 1
    state.actions = 0
    state.actor = c.NONE
    state.cards_turned = 0
    for d in range(tables.n_defenders):
        state.start_place[d] = state.place[d]
    rekey(state, c.Luck.DEFENDER, state.turn)
    ask(state, c.DEFENDER, c.Stage.ORDERS)
    log(state, c.Event.TURN, state.turn)


def end_turn(state, tables):
    """End the turn: update the top discard and the tokens (R-16).

    End the game if too few cards are left (5.0a, R-29, R-52), otherwise begin the next turn.
    """
    if tables.top_discard == c.TopDiscard.lowest_deck and state.lowest_deck > 0:
        state.top_deck = state.lowest_deck
    if tables.tokens_persist == c.TokensPersist.cleared:
        state.tokens[:] = 0
    is_last = tables.deck_of_61 == c.DeckOf61.end_turn_20 and state.turn >= tables.last_full_turn
    if tables.competitive and tables.competitive_end == c.CompetitiveEnd.after_turn_20:  # 6.2e
        is_out = state.ss_hand_size < tables.ss_cards
    else:
        is_out = state.deck_next == state.deck_size
    if is_last or is_out:
        state.end_reason = c.End.DECK_EMPTY
    else:
        begin_turn(state, tables)
        tactics.begin_planning(state, tables)


# ---------------------------------------------------------------- 4.0: the SS Phase


def next_card(state, tables):
    """Reveal the next card of the turn, or end the turn (4.0, 6.2d)."""
    if tables.competitive:
        is_over = state.cards_turned == state.n_planned
    else:
        is_over = state.cards_turned == tables.ss_cards or state.deck_next == state.deck_size
    if is_over:
        end_turn(state, tables)
        return
    turned = (state.turn - 1) * tables.ss_cards + state.cards_turned  # cards before this one
    rekey(state, c.Luck.SS, turned)
    rekey(state, c.Luck.SUPPRESSION, turned)
    state.cards_turned += 1
    if tables.competitive:
        card = int(state.planned[state.cards_turned - 1])
    else:
        state.deck_next += 1
        card = int(state.deck[state.deck_next - 1])
    if card == tables.n_cards:  # 5.0a: the other cards of the turn are not played
        log(state, c.Event.REGIMENT)
        state.end_reason = c.End.RELIEVED
        return
    deck = tables.deck_of[card]
    state.card = card
    state.top_deck = deck  # 2.8d
    state.lowest_deck = deck if state.lowest_deck == 0 else min(deck, state.lowest_deck)
    log(state, c.Event.CARD, card, deck, state.cards_turned)
    resolve(state, tables, card)


def resolve(state, tables, card):
    """Begin the effect of an SS card. A card with several steps sets the next step."""
    state.item = 0
    state.shots[0] = state.shots[1] = 0
    state.step = c.Step.NEXT_CARD
    does = tables.does[card]
    if does == c.Card.PLACE:
        state.step = c.Step.COUNTER
    elif does == c.Card.SNIPER:
        siege.sniper(state, tables, card)
    elif does == c.Card.LOCATION:
        siege.attack_location(state, tables, card)
    elif does == c.Card.REINFORCEMENTS:
        attributes.reinforce(state, tables)
    elif does == c.Card.FLAK30:
        siege.begin_flak(state, tables, card)
    elif does == c.Card.SUPPRESSIVE_FIRE:
        state.step = c.Step.ALONG_AREAS
    else:
        state.step = c.Step.ALONG_COLOURS


jit_module(__name__)
