"""The order of play between decisions: `advance` goes on until somebody has to decide or the game is over.

A turn: the SS player plans (6.2), the Defender Phase (2.0), the SS Phase (4.0). The SS Phase is taken in
small steps, and `state.step` says which comes next: so a decision (Suppression tokens, a Sacrifice, R-44) can
interrupt any of them.
"""

from bartizan.simcore.compile.jit import jit
from bartizan.simcore.itter import components as c
from bartizan.simcore.itter.rules.attacks import attack_location, disrupt_at_position, sniper
from bartizan.simcore.itter.rules.attributes import reinforce, settle_deaths
from bartizan.simcore.itter.rules.counters import begin_counter
from bartizan.simcore.itter.rules.ending import is_deck_out, relieved
from bartizan.simcore.itter.rules.fighting import clear_tokens
from bartizan.simcore.itter.rules.fire import (
    apply_flak,
    begin_flak,
    fire_in_area,
    flak_at_face,
    squads_of_colour,
)
from bartizan.simcore.itter.rules.planning import begin_planning
from bartizan.simcore.itter.rules.tactics import turn_up_tactics
from bartizan.simcore.kit.ask import ask
from bartizan.simcore.kit.journal import log
from bartizan.simcore.play.rules import PLAYING
from bartizan.simcore.rng import rekey


@jit
def advance(state, tables):
    """Run on until a decision is asked or the game is over. Modifies `state`."""
    while state.stage == c.Stage.NONE and state.end_reason == PLAYING:
        if state.deaths_open:
            settle_deaths(state, tables)
        else:
            take_step(state, tables)


@jit
def take_step(state, tables):
    step = state.step
    if step == c.Step.BEGIN:
        begin_ss_phase(state, tables)
    elif step == c.Step.NEXT_CARD:
        next_card(state, tables)
    elif step == c.Step.COUNTER:
        begin_counter(state, tables)
    else:
        step_of_card(state, tables, step)


@jit
def step_of_card(state, tables, step):
    """The next step of a card that goes along faces, areas, colours or positions."""
    if step == c.Step.ALONG_FACES:
        flak_at_face(state, tables)
    elif step == c.Step.APPLY_FACES:
        apply_flak(state, tables)
    elif step == c.Step.ALONG_AREAS:
        fire_in_area(state, tables)
    elif step == c.Step.ALONG_COLOURS:
        squads_of_colour(state, tables)
    else:
        disrupt_at_position(state, tables)


# ---------------------------------------------------------------- 1.1, 5.0: turns


@jit
def begin_turn(state, tables):
    """1.1: the next turn's Defender Phase. Modifies `state`."""
    state.turn += 1
    state.actions = 0
    state.actor = c.NONE
    state.cards_turned = 0
    for d in range(tables.n_defenders):
        state.start_place[d] = state.place[d]
    rekey(state, c.Luck.DEFENDER, state.turn)
    ask(state, c.DEFENDER, c.Stage.ORDERS)
    log(state, c.Event.TURN, state.turn, 0, 0)


@jit
def end_turn(state, tables):
    """The turn is over: discards, tokens (R-16), and the game when the deck has run out (5.0a, R-29).

    Modifies `state`.
    """
    if tables.top_discard == c.TopDiscard.lowest_deck and state.lowest_deck > 0:
        state.top_deck = state.lowest_deck
    clear_tokens(state, tables)
    is_last = tables.deck_of_61 == c.DeckOf61.end_turn_20 and state.turn >= tables.last_full_turn
    if is_last or is_deck_out(state, tables):
        state.end_reason = c.End.DECK_EMPTY
    else:
        begin_turn(state, tables)
        begin_planning(state, tables)


# ---------------------------------------------------------------- 4.0: the SS Phase


@jit
def begin_ss_phase(state, tables):
    """4.0, 6.1. Modifies `state`."""
    turn_up_tactics(state, tables)
    state.lowest_deck = 0
    state.step = c.Step.NEXT_CARD


@jit
def next_card(state, tables):
    """4.0: reveal the next of the turn's cards, or end the turn. Modifies `state`."""
    if is_last_turned(state, tables):
        end_turn(state, tables)
        return
    turned = (state.turn - 1) * tables.ss_cards + state.cards_turned  # cards before this one
    rekey(state, c.Luck.SS, turned)
    rekey(state, c.Luck.SUPPRESSION, turned)
    card = turn_up(state, tables)
    if card == tables.n_cards:
        relieved(state, tables)
    else:
        note_card(state, tables.deck_of[card], card)
        resolve(state, tables, card)


@jit
def is_last_turned(state, tables):
    """The cards of the turn are used up, or the deck is."""
    if tables.competitive:
        return state.cards_turned == state.n_planned
    return state.cards_turned == tables.ss_cards or state.deck_next == state.deck_size


@jit
def turn_up(state, tables):
    """4.0, 6.2d: the next card of the deck, or of those laid. Modifies `state`."""
    state.cards_turned += 1
    if tables.competitive:
        return int(state.planned[state.cards_turned - 1])
    state.deck_next += 1
    return int(state.deck[state.deck_next - 1])


@jit
def note_card(state, deck, card):
    """The card at hand, and the discards' decks (2.8d, R-27). Modifies `state`."""
    state.card = card
    state.top_deck = deck
    state.lowest_deck = deck if state.lowest_deck == 0 else min(deck, state.lowest_deck)
    log(state, c.Event.CARD, card, deck, state.cards_turned)


@jit
def resolve(state, tables, card):
    """Begin the effect of one SS card; those that take more than one step say which is next.

    Modifies `state`.
    """
    state.item = 0
    state.step = c.Step.NEXT_CARD
    does = tables.does[card]
    if does == c.Card.PLACE:
        state.step = c.Step.COUNTER
    elif does == c.Card.SNIPER:
        sniper(state, tables, card)
    elif does == c.Card.LOCATION:
        attack_location(state, tables, card)
    elif does == c.Card.REINFORCEMENTS:
        reinforce(state, tables)
    else:
        begin_fire(state, tables, card, does)


@jit
def begin_fire(state, tables, card, does):
    """4.4, 7.4: the cards that go along faces, areas or colours. Modifies `state`."""
    state.shots[0] = state.shots[1] = 0
    if does == c.Card.FLAK30:
        begin_flak(state, tables, card)
    elif does == c.Card.SUPPRESSIVE_FIRE:
        state.step = c.Step.ALONG_AREAS
    else:
        state.step = c.Step.ALONG_COLOURS
