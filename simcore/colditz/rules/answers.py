"""9.1, 9.2, 9.6: what the Allies answer to an Appel or a Search."""

from bartizan.simcore.colditz import components as cz
from bartizan.simcore.colditz.actions import action, hiding, pow_and_circle
from bartizan.simcore.colditz.rules.allied_cards import is_taken_by_card, write_converts, write_diversions
from bartizan.simcore.colditz.rules.decks import holds, spend_card
from bartizan.simcore.colditz.rules.pawns import GUARD, equipment_held, on_surface, stand
from bartizan.simcore.colditz.rules.tunnels import leave_by_card
from bartizan.simcore.colditz.rules.ways import begin_search, can_pay, is_open, may_use, pay, visit
from bartizan.simcore.compile.jit import jit
from bartizan.simcore.kit.actions import append
from bartizan.simcore.kit.journal import log


@jit
def is_threatened(state, tables, w):
    """The Appel or the Search at hand may take this POW."""
    if not on_surface(state, w):
        return False
    c = state.pow_at[w]
    if state.reaction == cz.Reaction.APPEL:
        return c != cz.APPEL and not tables.board.safe[c] and tables.board.zone[c] != cz.Zone.OUTSIDE
    if tables.board.safe[c] and tables.search_safe == cz.SearchSafe.exempt:
        return False
    return tables.board.room[c] == state.search_room and equipment_held(state, w // cz.TEAM) > 0


@jit
def anybody_threatened(state, tables, p):
    for w in range(p * cz.TEAM, (p + 1) * cz.TEAM):
        if is_threatened(state, tables, w):
            return True
    return False


@jit
def write_answers(state, tables, p, legal, n):
    """ANSWER: END first, then whatever else the player can do."""
    n = append(legal, n, action(cz.Act.END, 0))
    if state.reaction == cz.Reaction.APPEL:
        n = write_comes(state, tables, p, legal, n)
    n = write_converts(state, tables, p, legal, n)
    if not state.warned:
        if holds(state, p, tables.warning) and anybody_threatened(state, tables, p):
            n = append(legal, n, action(cz.Act.WARN, 0))
        return n
    n = write_hides(state, tables, p, legal, n)
    if holds(state, p, tables.diversion):
        n = write_diversions(state, legal, n)
    return n


@jit
def may_come(state, tables, w):
    return state.pow_at[w] != cz.APPEL and is_taken_by_card(state, tables, w)


@jit
def write_comes(state, tables, p, legal, n):
    """9.1: POW by POW, or (Q19c) the whole team."""
    for w in range(p * cz.TEAM, (p + 1) * cz.TEAM):
        if may_come(state, tables, w):
            if tables.appel_choice == cz.AppelChoice.whole_team:
                return append(legal, n, action(cz.Act.COME, cz.WHOLE_TEAM))
            n = append(legal, n, action(cz.Act.COME, w - p * cz.TEAM))
    return n


@jit
def come(state, tables, p, i):
    """9.1: to the Appel, from anywhere. Modifies `state`."""
    for w in range(p * cz.TEAM, (p + 1) * cz.TEAM):
        if (i == cz.WHOLE_TEAM or w == p * cz.TEAM + i) and may_come(state, tables, w):
            leave_by_card(state, w)
            stand(state, tables, w, cz.APPEL)


FREELY = -1
PAYMENTS = 6  # none, Wire Cutters, Pass, Key, one Rope, two Ropes


@jit
def write_hides(state, tables, p, legal, n):
    """9.6: safe circles that threatened POWs can reach. Modifies the search fields of `state`."""
    free = 0
    for i in range(tables.board.n_safe):
        free += state.on[tables.board.safe_circle[i]] == 0
    for w in range(p * cz.TEAM, (p + 1) * cz.TEAM):
        if not is_threatened(state, tables, w):
            continue
        first = n
        for payment in range(PAYMENTS):
            if n - first == free or not can_afford(state, p, payment):
                continue  # nothing new to find
            search_hide(state, tables, w, payment)
            for i in range(tables.board.n_safe):
                c = tables.board.safe_circle[i]
                hides = action(cz.Act.HIDE, hiding(w - p * cz.TEAM, c))
                if (
                    hide_arc(state, c) != HIDE_NOT
                    and state.on[c] == 0
                    and not is_written(legal, first, n, hides)
                ):
                    n = append(legal, n, hides)
    return n


@jit
def can_afford(state, p, payment):
    """The player holds what a payment takes; without it a search finds what one without payment does."""
    if payment == 0:
        return True
    if payment > 3:
        return state.equipment[p, cz.Equipment.rope] >= payment - 3
    if payment == 3:
        return state.equipment[p, cz.Equipment.key] > 0
    return state.equipment[p, cz.Equipment.passes if payment == 2 else cz.Equipment.wire_cutters] > 0


@jit
def is_written(legal, first, n, wanted):
    for i in range(first, n):
        if legal[i] == wanted:
            return True
    return False


HIDE_NOT = -2


@jit
def hide_arc(state, c):
    """How the search at hand reaches c: FREELY, the number of the arc it pays for, or HIDE_NOT."""
    if state.mark[c] == state.search:
        return FREELY
    if state.mark[cz.SPACES + c] == state.search:
        return state.goal[state.reach[cz.SPACES + c]]
    return HIDE_NOT


@jit
def search_hide(state, tables, w, payment):
    """Every space in reach by free and open ways, and (index SPACES + c) by one way paid with `payment`
    besides; guards block. Modifies the search fields of `state`.

    `goal` holds the arcs paid for, `reach[SPACES + c]` which of them.
    """
    board = tables.board
    begin_search(state, state.pow_at[w])
    state.n_goals = 0
    head = 0
    while head < state.tail:
        index = state.queue[head]
        head += 1
        paid = index >= cz.SPACES
        x = index - cz.SPACES if paid else index
        for arc in range(board.arc_first[x], board.arc_first[x + 1]):
            y = board.arc_to[arc]
            if state.on[y] >= GUARD or not may_use(tables, arc):
                continue
            if is_open(state, tables, arc):
                visit(state, cz.SPACES + y if paid else y, state.reach[index], 0)
            elif (
                not paid
                and is_payment(tables, arc, payment)
                and can_pay(state, tables, w // cz.TEAM, arc)
                and state.mark[cz.SPACES + y] != state.search
            ):
                state.goal[state.n_goals] = arc
                visit(state, cz.SPACES + y, state.n_goals, 0)
                state.n_goals += 1


@jit
def is_payment(tables, arc, payment):
    """The way of an arc costs exactly this: 1 Wire Cutters, 2 Pass, 3 Key, 4 one Rope, 5 two Ropes."""
    kind = tables.board.arc_kind[arc]
    if kind == cz.Arc.WIRE:
        return payment == 1
    if kind == cz.Arc.PASS:
        return payment == 2
    if kind == cz.Arc.KEY:
        return payment == 3
    return payment == 3 + tables.board.arc_ropes[arc]


@jit
def hide(state, tables, p, argument):
    """9.6: straight to the safe circle; the first payment that does it is made. Modifies `state`."""
    i, c = pow_and_circle(argument)
    w = p * cz.TEAM + i
    for payment in range(PAYMENTS):
        if not can_afford(state, p, payment):
            continue
        search_hide(state, tables, w, payment)
        arc = hide_arc(state, c)
        if arc != HIDE_NOT:
            if arc != FREELY:
                pay(state, tables, w, arc)
            break
    stand(state, tables, w, c)


@jit
def save(state, p, card):
    """A Hideaway or Talisman is played. Modifies `state`."""
    spend_card(state, p, card)
    log(state, cz.Event.SAVED, p)
