"""5.0: how a turn and the game end."""

from bartizan.simcore.compile.jit import jit
from bartizan.simcore.itter.components import CompetitiveEnd, DeckOf61, End, Event, Stage, TopDiscard
from bartizan.simcore.itter.rules.defenders import begin_turn, clear_tokens
from bartizan.simcore.itter.rules.planning import begin_planning
from bartizan.simcore.kit.journal import log


@jit
def breach(state, tables, kind, area):
    """4.3c: a counter enters the castle: the game is lost at once, unless the test device counts it and goes
    on.

    Modifies `state`.
    """
    state.supply[kind] += 1
    state.breaches += 1
    log(state, Event.BREACH, kind, tables.exit[area], area)
    if state.breaches == 1:
        state.breach_circle = tables.exit[area]
        state.breach_area = area
    if tables.breach_ends_game:
        state.end_reason = End.BREACH
        state.stage = Stage.NONE


@jit
def relieved(state, tables):
    """5.0a: the 142nd is drawn, the other cards of the turn are not played."""
    log(state, Event.REGIMENT, 0, 0, 0)
    state.end_reason = End.RELIEVED


@jit
def end_turn(state, tables):
    """The turn is over: discards, tokens (R-16), and the game when the deck has run out (5.0a, R-29)."""
    if tables.top_discard == TopDiscard.lowest_deck and state.lowest_deck > 0:
        state.top_deck = state.lowest_deck
    clear_tokens(state, tables)
    if is_deck_out(state, tables) or (
        tables.deck_of_61 == DeckOf61.end_turn_20 and state.turn >= tables.last_full_turn
    ):
        state.end_reason = End.DECK_EMPTY
    else:
        begin_turn(state, tables)
        begin_planning(state, tables)


@jit
def is_deck_out(state, tables):
    """5.0a, 6.2e, R-52: no card left; of the SS player's hand too few for a turn."""
    if tables.competitive and tables.competitive_end == CompetitiveEnd.after_turn_20:
        return state.ss_hand_size < tables.ss_cards
    return state.deck_next == state.deck_size
