"""5.0: how the game ends."""

from bartizan.simcore.compile.jit import jit
from bartizan.simcore.itter.components import CompetitiveEnd, End, Event, Stage
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
def is_deck_out(state, tables):
    """5.0a, 6.2e, R-52: no card left; of the SS player's hand too few for a turn."""
    if tables.competitive and tables.competitive_end == CompetitiveEnd.after_turn_20:
        return state.ss_hand_size < tables.ss_cards
    return state.deck_next == state.deck_size
