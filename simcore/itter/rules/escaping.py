"""2.8: Escape, and the 142nd that it brings into the draw deck."""

from bartizan.simcore.compile.jit import jit
from bartizan.simcore.itter import components as c
from bartizan.simcore.itter.rules.board import has, remove
from bartizan.simcore.kit.piles import shuffle


@jit
def may_escape(state, tables, d):
    """2.8a, b: [E], in an escape location since the turn began, and nobody on a circle of its position's
    colours.
    """
    return is_ready_to_escape(state, tables, d) and is_coast_clear(state, tables, state.place[d])


@jit
def is_ready_to_escape(state, tables, d):
    """2.8a: all but the clear coast: in an escape location now, and when the turn began."""
    if not has(tables, d, c.Attribute.ESCAPE) or state.regiment_in:
        return False
    if state.top_deck == 1 and tables.competitive_deck_1 == c.CompetitiveDeck1.not_possible:
        return False
    p, began = state.place[d], state.start_place[d]
    if began < 0 or not tables.escape_from[tables.location[began]]:
        return False
    if tables.escape_timing == c.EscapeTiming.position_at_turn_start and began != p:
        return False
    return tables.escape_from[tables.location[p]] != 0


@jit
def is_coast_clear(state, tables, p):
    """2.8b: of both colours of the position, or one of them (R-23); R-24 where it has none."""
    if tables.colours[p, 0] == c.NONE:
        return tables.escape_from_white == c.EscapeFromWhite.yes
    first = is_colour_clear(state, tables, tables.colours[p, 0])
    if tables.colours[p, 1] == c.NONE:
        return first
    second = is_colour_clear(state, tables, tables.colours[p, 1])
    if tables.escape_two_colours == c.EscapeTwoColours.both_clear:
        return first and second
    return first or second


@jit
def is_colour_clear(state, tables, colour):
    """2.8b: no SS counter on any circle of this colour (R-26: also Machine Gunners and Mortars)."""
    for circle in range(2, state.counter.shape[0]):
        if tables.circle_colour[circle] != colour:
            continue
        if state.counter[circle] != c.NONE:
            return False
        if tables.escape_counters == c.EscapeCounters.all and tables.is_area[circle]:
            if state.guns[tables.gun_kinds[0], circle] > 0 or state.guns[tables.gun_kinds[1], circle] > 0:
                return False
    return True


@jit
def escape(state, tables):
    """2.8c, d: the defender is away, and the 142nd is shuffled into the last cards of the deck (R-71).

    Modifies `state`.
    """
    remove(state, tables, state.actor, c.Place.ESCAPED)
    if state.top_deck == 1 and tables.competitive_deck_1 == c.CompetitiveDeck1.no_card:
        return
    left = state.deck_size - state.deck_next
    n = int(tables.last_cards[state.top_deck])
    if tables.competitive_last_cards == c.CompetitiveLastCards.with_hand:
        n = max(n - state.ss_hand_size, 0)
    if n > left and tables.few_cards_left == c.FewCardsLeft.no_card:
        return
    state.deck[state.deck_size] = tables.n_cards
    state.deck_size += 1
    state.regiment_in = 1
    state.regiment_from = state.deck_size - (min(n, left) + 1)
    shuffle(state, c.Luck.REGIMENT, state.deck, state.regiment_from, state.deck_size)
