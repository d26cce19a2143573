"""9.6 - 9.13 and 3.5: what the Allies can do with cards in their turn, and the answers
to Appel and Search.
"""

from bartizan.simcore.colditz.components import (
    APPEL,
    ARGUMENTS,
    EQUIPMENT,
    GUARDS,
    NONE,
    NOTHING,
    PAIR,
    PAWN,
    SPACES,
    TEAM,
    TUNNELS,
    WHOLE_TEAM,
    Act,
    AppelChoice,
    Arc,
    CardGifts,
    EquipmentGifts,
    Event,
    LeaveTunnel,
    Luck,
    Reaction,
    ReleasedByCard,
    SearchSafe,
    Tunnel,
    TunnelStart,
    Zone,
)
from bartizan.simcore.colditz.rules.decks import (
    draw_security,
    holds,
    orders_held,
    spend_card,
    spend_order,
    take_equipment,
)
from bartizan.simcore.colditz.rules.escaping import can_drive
from bartizan.simcore.colditz.rules.pawns import (
    GUARD,
    cards_held,
    equipment_held,
    first_in_appel,
    guards_out,
    in_play,
    is_posted,
    on_surface,
    prisoner,
    stand,
    to_barracks,
)
from bartizan.simcore.colditz.rules.tunnels import leave_by_card, set_tunnel
from bartizan.simcore.colditz.rules.ways import (
    FAR,
    begin_search,
    can_pay,
    is_open,
    may_use,
    pay,
    visit,
    way_into,
)
from bartizan.simcore.compile.jit import jit
from bartizan.simcore.kit.journal import log
from bartizan.simcore.rng import below


@jit
def put(legal, n, act, argument):
    """Write one legal action; returns the new number."""
    legal[n] = act * ARGUMENTS + argument
    return n + 1


@jit
def write_card_plays(state, tables, p, legal, n):
    """3.6: every Opportunity card the player can play in his turn; 9.7: what anybody can turn in.

    Writes into `legal`; returns the new number.
    """
    for q in range(tables.players):
        if can_convert(state, tables, q) and in_play(state, q):
            n = write_converts(state, tables, q, legal, n)
    if cards_held(state, p) > 0:
        n = write_bribes(state, tables, p, legal, n)
        n = write_guard_cards(state, tables, p, legal, n)
        if holds(state, p, tables.sabotage):
            n = put(legal, n, Act.SABOTAGE, 0)
        n = write_move_fast(state, tables, p, legal, n)
        n = write_frees(state, tables, p, legal, n)
        if holds(state, p, tables.car):
            for w in range(p * TEAM, (p + 1) * TEAM):
                if can_drive(state, tables, w):
                    n = put(legal, n, Act.CAR, w - p * TEAM)
        for t in range(TUNNELS):
            unused = holds(state, p, tables.open_tunnel[t]) and state.tunnel[t] == Tunnel.UNUSED
            if unused and can_dig(state, tables, p, t):
                n = put(legal, n, Act.TUNNEL, t)
    return write_gifts(state, tables, p, legal, n)


@jit
def converts(state, tables, p, e):
    """9.7: p holds an Opportunity card that becomes Equipment e, and one is left."""
    return holds(state, p, tables.equip[e]) and state.supply[e] > 0


@jit
def can_convert(state, tables, p):
    for e in range(EQUIPMENT):
        if converts(state, tables, p, e):
            return True
    return False


@jit
def write_converts(state, tables, p, legal, n):
    """9.7: at any time, even out of turn."""
    for e in range(EQUIPMENT):
        if converts(state, tables, p, e):
            n = put(legal, n, Act.CONVERT, p * 8 + e)
    return n


@jit
def write_bribes(state, tables, p, legal, n):
    """9.7"""
    left = 0
    for e in range(EQUIPMENT):
        left += state.supply[e]
    for cards in range(1, 3):
        if not holds(state, p, tables.bribe[cards]):
            continue
        for e in range(EQUIPMENT):
            if state.supply[e] == 0:
                continue
            if cards == 1 or left == 1:
                n = put(legal, n, Act.BRIBE, cards * PAIR + e * 8 + NOTHING)
                continue
            for f in range(e, EQUIPMENT):
                if state.supply[f] > (f == e):
                    n = put(legal, n, Act.BRIBE, cards * PAIR + e * 8 + f)
    return n


@jit
def write_guard_cards(state, tables, p, legal, n):
    """9.8: Diversion and Inspection."""
    if holds(state, p, tables.diversion):
        n = write_diversions(state, legal, n)
    if holds(state, p, tables.inspection):
        alone = guards_out(state) == 1
        for g in range(GUARDS):
            for h in range(g, GUARDS):
                if is_posted(state, g) and is_posted(state, h) and (g != h or alone):
                    n = put(legal, n, Act.INSPECT, g * 16 + h)
    return n


@jit
def write_diversions(state, legal, n):
    for g in range(GUARDS):
        if is_posted(state, g):
            n = put(legal, n, Act.DIVERT, g)
    return n


@jit
def write_move_fast(state, tables, p, legal, n):
    """9.10: to a room with a free circle where he may stop."""
    alike = first_in_appel(state, p, 0)
    for room in range(tables.board.n_rooms):
        if holds(state, p, tables.fast[room]) and write_room(state, tables, room, legal, n) > n:
            for w in range(p * TEAM, (p + 1) * TEAM):
                if is_taken_by_card(state, tables, w) and (state.pow_at[w] != APPEL or w == alike):
                    n = put(legal, n, Act.FAST, room * 8 + w - p * TEAM)
    return n


@jit
def is_taken_by_card(state, tables, w):
    """A Move Fast or an Appel may take the POW from where he is: from a tunnel by Q39 `cards_too` only."""
    above = state.under[w] == NONE
    return state.pow_at[w] >= APPEL and (above or tables.leave_tunnel == LeaveTunnel.cards_too)


@jit
def write_room(state, tables, room, legal, n):
    """The free circles of a room where a POW may stop."""
    for i in range(tables.board.room_first[room], tables.board.room_first[room + 1]):
        c = tables.board.room_circle[i]
        if state.on[c] == 0 and tables.board.stops[c]:
            n = put(legal, n, Act.GO, c)
    return n


@jit
def write_frees(state, tables, p, legal, n):
    """9.10: a Release card."""
    if not holds(state, p, tables.release):
        return n
    for block in range(2):
        if prisoner(state, p, block) != NONE:
            n = put(legal, n, Act.FREE, block * 2)
            if block == 1 and tables.released_by_card == ReleasedByCard.nearer:
                n = put(legal, n, Act.FREE, block * 2 + 1)
    return n


@jit
def write_gifts(state, tables, p, legal, n):
    """3.5: at most `turn.gives` cards a turn, a full hand or not; two gifts are an exchange."""
    if state.gives >= tables.max_gives or tables.players == 1:
        return n
    for giver in range(tables.players):
        if cards_held(state, giver) == 0 or not in_play(state, giver):
            continue
        for taker in range(tables.players):
            if taker != giver and in_play(state, taker) and may_give(state, tables, p, giver, taker):
                for card in range(tables.n_cards):
                    if state.hand[giver, card] > 0:
                        n = put(legal, n, Act.GIVE, (giver * 8 + taker) * 32 + card)
    if tables.equipment_gifts == EquipmentGifts.yes:
        for taker in range(tables.players):
            if taker != p and in_play(state, taker):
                for e in range(EQUIPMENT):
                    if state.equipment[p, e] > 0:
                        n = put(legal, n, Act.GIVE_EQUIPMENT, taker * 8 + e)
    return n


@jit
def may_give(state, tables, p, giver, taker):
    """Q3 `own_turn`: he whose turn it is gives, and is given back as many cards: an exchange."""
    if tables.card_gifts == CardGifts.any_allied_turn:
        return True
    return giver == p or (taker == p and state.owed[giver] > 0)


@jit
def write_discards(hand, legal, n):
    """3.4: what may be thrown away when the hand is over its limit."""
    for card in range(hand.shape[0]):
        if hand[card] > 0:
            n = put(legal, n, Act.DISCARD, card)
    return n


# ---------------------------------------------------------------- playing them


@jit
def bribe(state, tables, p, argument):
    """9.7: one or two Equipment cards of choice. Modifies `state`."""
    spend_card(state, p, tables.bribe[argument // PAIR])
    take_equipment(state, p, argument % PAIR // 8)
    if argument % 8 != NOTHING:
        take_equipment(state, p, argument % 8)


@jit
def give(state, argument):
    giver, taker, card = argument // 32 // 8, argument // 32 % 8, argument % 32
    state.hand[giver, card] -= 1
    state.hand[taker, card] += 1
    state.gives += 1
    if giver == state.turn_of:
        state.owed[taker] += 1
    elif taker == state.turn_of and state.owed[giver] > 0:
        state.owed[giver] -= 1


@jit
def give_equipment(state, p, argument):
    state.equipment[p, argument % 8] -= 1
    state.equipment[argument // 8, argument % 8] += 1
    state.gives += 1


@jit
def sabotage(state, tables, p):
    """9.8: the German loses two random cards and draws one; with one card he loses it and draws none.

    Modifies `state`.
    """
    spend_card(state, p, tables.sabotage)
    held = orders_held(state)
    for _ in range(min(held, 2)):
        spend_order(state, random_order(state))
    if held >= 2:
        draw_security(state)


@jit
def random_order(state):
    """A card of the German's hand, each as likely, listed by card index."""
    pick = below(state, Luck.SECURITY, orders_held(state))
    for card in range(state.orders.shape[0]):
        pick -= state.orders[card]
        if pick < 0:
            return card
    return NONE


# ---------------------------------------------------------------- answers (9.1, 9.2, 9.6)


@jit
def is_threatened(state, tables, w):
    """The Appel or the Search at hand may take this POW."""
    if not on_surface(state, w):
        return False
    c = state.pow_at[w]
    if state.reaction == Reaction.APPEL:
        return c != APPEL and not tables.board.safe[c] and tables.board.zone[c] != Zone.OUTSIDE
    if tables.board.safe[c] and tables.search_safe == SearchSafe.exempt:
        return False
    return tables.board.room[c] == state.search_room and equipment_held(state, w // TEAM) > 0


@jit
def anybody_threatened(state, tables, p):
    for w in range(p * TEAM, (p + 1) * TEAM):
        if is_threatened(state, tables, w):
            return True
    return False


@jit
def write_answers(state, tables, p, legal):
    """ANSWER: END first, then whatever else the player can do. Returns the number."""
    n = put(legal, 0, Act.END, 0)
    if state.reaction == Reaction.APPEL:
        n = write_comes(state, tables, p, legal, n)
    n = write_converts(state, tables, p, legal, n)
    if not state.warned:
        if holds(state, p, tables.warning) and anybody_threatened(state, tables, p):
            n = put(legal, n, Act.WARN, 0)
        return n
    n = write_hides(state, tables, p, legal, n)
    if holds(state, p, tables.diversion):
        n = write_diversions(state, legal, n)
    return n


@jit
def may_come(state, tables, w):
    return state.pow_at[w] != APPEL and is_taken_by_card(state, tables, w)


@jit
def write_comes(state, tables, p, legal, n):
    """9.1: POW by POW, or (Q19c) the whole team."""
    for w in range(p * TEAM, (p + 1) * TEAM):
        if may_come(state, tables, w):
            if tables.appel_choice == AppelChoice.whole_team:
                return put(legal, n, Act.COME, WHOLE_TEAM)
            n = put(legal, n, Act.COME, w - p * TEAM)
    return n


@jit
def come(state, tables, p, i):
    """9.1: to the Appel, from anywhere. Modifies `state`."""
    for w in range(p * TEAM, (p + 1) * TEAM):
        if (i == WHOLE_TEAM or w == p * TEAM + i) and may_come(state, tables, w):
            leave_by_card(state, w)
            stand(state, tables, w, APPEL)


FREELY = -1
PAYMENTS = 6  # none, Wire Cutters, Pass, Key, one Rope, two Ropes


@jit
def write_hides(state, tables, p, legal, n):
    """9.6: safe circles that threatened POWs can reach. Modifies the search fields of `state`."""
    for w in range(p * TEAM, (p + 1) * TEAM):
        if not is_threatened(state, tables, w):
            continue
        first = n
        for payment in range(PAYMENTS):
            search_hide(state, tables, w, payment)
            for i in range(tables.board.n_safe):
                c = tables.board.safe_circle[i]
                action = Act.HIDE * ARGUMENTS + (w - p * TEAM) * PAWN + c
                if (
                    hide_arc(state, c) != HIDE_NOT
                    and state.on[c] == 0
                    and not is_written(legal, first, n, action)
                ):
                    legal[n] = action
                    n += 1
    return n


@jit
def is_written(legal, first, n, action):
    for i in range(first, n):
        if legal[i] == action:
            return True
    return False


HIDE_NOT = -2


@jit
def hide_arc(state, c):
    """How the search at hand reaches c: FREELY, the number of the arc it pays for, or HIDE_NOT."""
    if state.mark[c] == state.search:
        return FREELY
    if state.mark[SPACES + c] == state.search:
        return state.goal[state.reach[SPACES + c]]
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
        paid = index >= SPACES
        x = index - SPACES if paid else index
        for arc in range(board.arc_first[x], board.arc_first[x + 1]):
            y = board.arc_to[arc]
            if state.on[y] >= GUARD or not may_use(tables, arc):
                continue
            if is_open(state, tables, arc):
                visit(state, SPACES + y if paid else y, state.reach[index], 0)
            elif (
                not paid
                and is_payment(tables, arc, payment)
                and can_pay(state, tables, w // TEAM, arc)
                and state.mark[SPACES + y] != state.search
            ):
                state.goal[state.n_goals] = arc
                visit(state, SPACES + y, state.n_goals, 0)
                state.n_goals += 1


@jit
def is_payment(tables, arc, payment):
    """The way of an arc costs exactly this: 1 Wire Cutters, 2 Pass, 3 Key, 4 one Rope, 5 two Ropes."""
    kind = tables.board.arc_kind[arc]
    if kind == Arc.WIRE:
        return payment == 1
    if kind == Arc.PASS:
        return payment == 2
    if kind == Arc.KEY:
        return payment == 3
    return payment == 3 + tables.board.arc_ropes[arc]


@jit
def hide(state, tables, p, argument):
    """9.6: straight to the safe circle; the first payment that does it is made. Modifies `state`."""
    w, c = p * TEAM + argument // PAWN, argument % PAWN
    for payment in range(PAYMENTS):
        search_hide(state, tables, w, payment)
        arc = hide_arc(state, c)
        if arc != HIDE_NOT:
            if arc != FREELY:
                pay(state, tables, w, arc)
            break
    stand(state, tables, w, c)


@jit
def warn(state, tables, p):
    spend_card(state, p, tables.warning)
    state.warned = 1


@jit
def save(state, p, card):
    """A Hideaway or Talisman is played. Modifies `state`."""
    spend_card(state, p, card)
    log(state, Event.SAVED, p)


@jit
def divert(state, tables, p, g):
    spend_card(state, p, tables.diversion)
    to_barracks(state, g)


@jit
def inspect(state, tables, p, argument):
    spend_card(state, p, tables.inspection)
    to_barracks(state, argument // 16)
    if argument // 16 != argument % 16:
        to_barracks(state, argument % 16)


@jit
def convert(state, tables, argument):
    """9.7: the player it belongs to turns the card in. Modifies `state`."""
    p, e = argument // 8, argument % 8
    spend_card(state, p, tables.equip[e])
    take_equipment(state, p, e)


# ---------------------------------------------------------------- opening a tunnel (9.13)


@jit
def can_dig(state, tables, p, t):
    """Q38: two POWs of the player can get into the tunnel with the points left, one a circle further in."""
    if tables.tunnel_start == TunnelStart.any_two:
        return True
    best, second = FAR, FAR
    for w in range(p * TEAM, (p + 1) * TEAM):
        if on_surface(state, w):
            d = way_into(state, tables, w, t)
            if d < best:
                best, second = d, best
            elif d < second:
                second = d
    return best + second + 1 <= state.points


@jit
def open_tunnel(state, tables, p, t):
    spend_card(state, p, tables.open_tunnel[t])
    state.tunnels_opened += 1
    state.digger[t] = p
    set_tunnel(state, t, Tunnel.OPEN)
