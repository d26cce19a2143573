"""Cards that the German plays (9.1 - 9.5).

Functions that return nothing modify `state`. `write_orders` modifies its search fields.
"""

from bartizan.simcore.colditz import actions
from bartizan.simcore.colditz import components as cz
from bartizan.simcore.colditz.actions import action
from bartizan.simcore.colditz.rules.allied_cards import is_threatened
from bartizan.simcore.colditz.rules.decks import confiscate, draw_security, has_order, holds, spend_order
from bartizan.simcore.colditz.rules.escaping import draws, look_for_end, throw
from bartizan.simcore.colditz.rules.guard_moves import distance_to_room
from bartizan.simcore.colditz.rules.pawns import imprison, is_posted, leave_board, on_surface, to_barracks
from bartizan.simcore.colditz.rules.ways import in_tunnel
from bartizan.simcore.compile.jit import jit_module
from bartizan.simcore.kit.actions import append
from bartizan.simcore.kit.journal import log


def write_orders(state, tables, legal, n):
    """Append the card plays of the German's turn to `legal`, and return the new number of actions.

    They are the plays of all Security cards that he can use.
    """
    if has_order(state, tables.appel) and tables.appel_when == cz.AppelWhen.any_time:
        n = append(legal, n, action(cz.Act.APPEL, 0))
    for room in range(tables.board.n_rooms):
        if has_order(state, tables.search[room]) and is_occupied(state, tables, room):
            for g in range(cz.GUARDS):
                if is_posted(state, g) and distance_to_room(state, tables, g, room) >= 0:
                    n = append(legal, n, action(cz.Act.SEARCH, actions.searching(room, g)))
    for b in range(2):
        if has_order(state, tables.holder[b]):
            for w in range(cz.POWS):
                if (state.used_pass[w] if b else state.used_key[w]) and on_surface(state, w):
                    n = append(legal, n, action(cz.Act.HOLDER, actions.holding(w, b)))
    if has_order(state, tables.shoot):
        n = write_shots(state, tables, legal, n)
    if has_order(state, tables.detect):
        for t in range(cz.TUNNELS):
            if in_tunnel(state, t) > 0:
                n = append(legal, n, action(cz.Act.DETECT, t))
    return n


def is_occupied(state, tables, room):
    """Return whether a POW is on a circle of the room."""
    for w in range(cz.POWS):
        if on_surface(state, w) and tables.board.room[state.pow_at[w]] == room:
            return True
    return False


def write_shots(state, tables, legal, n):
    """Add a legal shot for each posted guard and each POW Outside in that guard's line of sight (9.4).

    Returns the new number of legal actions.
    """
    for w in range(cz.POWS):
        if on_surface(state, w) and tables.board.zone[state.pow_at[w]] == cz.Zone.OUTSIDE:
            for g in range(cz.GUARDS):
                if is_posted(state, g) and shot_distance(state, tables, g, w) >= 0:
                    n = append(legal, n, action(cz.Act.SHOOT, actions.pair(g, w)))
    return n


def shot_distance(state, tables, g, w):
    """Return the distance of a shot; -1 without a line of sight (9.4, Q21).

    With `straight`, a line of sight crosses open ground, with or without wire; with `steps`, it is any way
    without a drop.
    """
    a, b = state.guard_at[g], state.pow_at[w]
    if tables.shot_distance == cz.ShotDistance.steps:
        return tables.board.steps[a, b]
    return tables.board.straight[a, b] if tables.board.ground[a] & tables.board.ground[b] else cz.NONE


def stop_posting(state, tables, loss):
    """Forbid posting for the rest of the turn after a card has taken a POW (6.4).

    With Q44 `arrests`, only "Arrest Key Holder" does so, because its name makes it an arrest.
    """
    if loss == cz.Loss.HOLDER or tables.posting_stops == cz.PostingStops.captures:
        state.no_posting = 1


# ---------------------------------------------------------------- Appel (9.1)


def appel_distance(state, tables, g, w):
    """Return the distance from guard g to POW w for the range of an Appel (Q19b)."""
    if tables.appel_range == cz.AppelRange.steps:
        return tables.board.steps[state.guard_at[g], state.pow_at[w]]
    return tables.board.straight[state.guard_at[g], state.pow_at[w]]


def throw_range(state, tables):
    """Throw the range of an Appel or a shot, and return the total.

    With Q5 `yes`, the throw may draw a card.
    """
    total = throw(state, tables, cz.Luck.RANGE)
    if tables.range_throws_draw == cz.RangeThrowsDraw.yes and draws(state, tables):
        draw_security(state)
    log(state, cz.Event.RANGE, total)
    return total


def is_in_range(state, tables, g, w):
    if not is_threatened(state, tables, w) or not is_posted(state, g):
        return False
    distance = appel_distance(state, tables, g, w)
    return 0 <= distance <= state.range


def write_matches(state, tables, legal, n):
    """Write every pair of a guard and a POW in range (MATCH).

    The German cannot end the Appel while one is left.
    """
    for g in range(cz.GUARDS):
        for w in range(cz.POWS):
            if is_in_range(state, tables, g, w):
                whole = tables.appel_match == cz.AppelMatch.guard_takes_all
                n = append(legal, n, action(cz.Act.MATCH, actions.pair(g, cz.WHOLE_TEAM if whole else w)))
                if whole:
                    break
    return n


def match(state, tables, argument):
    """Send the POW, or every POW in range, to Solitary, and the guard to the barracks (9.1)."""
    g, target = actions.both_of(argument)
    for w in range(cz.POWS):  # recorded first, because guards may leave with the last escaper (5.3)
        state.searched[w] = target in (w, cz.WHOLE_TEAM) and is_in_range(state, tables, g, w)
    for w in range(cz.POWS):
        if state.searched[w]:
            imprison(state, tables, w, cz.Loss.APPEL)
    to_barracks(state, g)
    stop_posting(state, tables, cz.Loss.APPEL)


# ---------------------------------------------------------------- Search (9.2)


def begin_search_order(state, tables, argument):
    """Play a Search card and spend the points for it. The players answer before the search takes effect."""
    state.search_room, state.search_guard = actions.room_and_guard(argument)
    state.points -= distance_to_room(state, tables, state.search_guard, state.search_room)
    spend_order(state, tables.search[state.search_room])
    state.reaction = cz.Reaction.SEARCH
    state.answerer = 0


def finish_search(state, tables):
    """Finish the search, unless the guard was diverted (9.2)."""
    if not is_posted(state, state.search_guard):
        return
    for w in range(cz.POWS):
        state.searched[w] = is_threatened(state, tables, w)
    taken = 0
    for w in range(cz.POWS):
        if state.searched[w] and imprison(state, tables, w, cz.Loss.SEARCH):
            confiscate(state, w // cz.TEAM, 1)
            taken += 1
    to_barracks(state, state.search_guard)
    if taken:
        stop_posting(state, tables, cz.Loss.SEARCH)


# ---------------------------------------------------------------- Key and Pass holders, shots (9.3, 9.4)


def arrest_holder(state, tables, argument):
    """Send the POW to Solitary (9.3). A Hideaway may then recover the card (9.9)."""
    w, b = actions.holder_and_card(argument)
    spend_order(state, tables.holder[b])
    state.victim = w
    state.distance = cz.Equipment.passes if b else cz.Equipment.key
    if imprison(state, tables, w, cz.Loss.HOLDER):
        stop_posting(state, tables, cz.Loss.HOLDER)
    if holds(state, w // cz.TEAM, tables.hideaway) and state.supply[state.distance] > 0:
        state.reaction = cz.Reaction.HOLDER
        state.after = cz.Step.SAVE


def forget_holders(state):
    """Forget which POWs have recently used a Key or Pass (Q20)."""
    for w in range(cz.POWS):
        state.used_key[w] = state.used_pass[w] = 0


def shoot_to_kill(state, tables, argument):
    """Throw the range, in which the first roll counts twice (9.4).

    The guard goes to the barracks in any case. A Talisman may save the POW (9.12).
    """
    g, w = actions.both_of(argument)
    spend_order(state, tables.shoot)
    state.victim = w
    state.distance = shot_distance(state, tables, g, w)
    total = throw_range(state, tables)
    state.range = total + state.first_roll
    to_barracks(state, g)
    if state.range >= state.distance and holds(state, w // cz.TEAM, tables.talisman):
        state.reaction = cz.Reaction.SHOT
        state.after = cz.Step.SAVE
    else:
        finish_shot(state, tables)


def finish_shot(state, tables):
    if state.range < state.distance:
        return
    w = state.victim
    state.runs_lost += 1
    state.last_run = cz.Loss.SHOT
    state.losses[cz.Loss.SHOT] += 1
    log(state, cz.Event.DEAD, w)
    leave_board(state, tables, w, cz.Place.DEAD)
    look_for_end(state, tables)


jit_module(__name__)
