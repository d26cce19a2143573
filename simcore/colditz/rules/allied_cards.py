"""Cards that the Allies play (9.1, 9.6 - 9.13, 3.5).

Functions that return nothing modify `state`; functions that search for ways modify its search fields. Each
`write_*` appends to `legal` and returns the new number of actions.
"""

from bartizan.simcore.colditz import actions
from bartizan.simcore.colditz import components as cz
from bartizan.simcore.colditz.actions import action
from bartizan.simcore.colditz.rules import decks, pawns, ways
from bartizan.simcore.colditz.rules.escaping import can_drive
from bartizan.simcore.colditz.rules.pow_moves import FAR, way_into
from bartizan.simcore.compile.jit import jit_module
from bartizan.simcore.kit.actions import append
from bartizan.simcore.kit.journal import log
from bartizan.simcore.rng import below


def write_card_plays(state, tables, p, legal, n):
    """Write the card plays that the player can make in his turn, and conversions (3.6, 9.7).

    The plays are those of all Opportunity cards. Any player can make a conversion.
    """
    for q in range(tables.players):
        if can_convert(state, tables, q) and pawns.in_play(state, q):
            n = write_converts(state, tables, q, legal, n)
    if pawns.cards_held(state, p) > 0:
        n = write_bribes(state, tables, p, legal, n)
        n = write_guard_cards(state, tables, p, legal, n)
        if decks.holds(state, p, tables.sabotage):
            n = append(legal, n, action(cz.Act.SABOTAGE, 0))
        n = write_move_fast(state, tables, p, legal, n)
        n = write_frees(state, tables, p, legal, n)
        if decks.holds(state, p, tables.car):
            for w in range(p * cz.TEAM, (p + 1) * cz.TEAM):
                if can_drive(state, tables, w):
                    n = append(legal, n, action(cz.Act.CAR, w - p * cz.TEAM))
        for t in range(cz.TUNNELS):
            unused = decks.holds(state, p, tables.open_tunnel[t]) and state.tunnel[t] == cz.Tunnel.UNUSED
            if unused and can_dig(state, tables, p, t):
                n = append(legal, n, action(cz.Act.TUNNEL, t))
    return write_gifts(state, tables, p, legal, n)


def converts(state, tables, p, e):
    """Return whether player p can convert a card to Equipment e (9.7).

    He must hold such a card, and the supply must have this Equipment.
    """
    return decks.holds(state, p, tables.equip[e]) and state.supply[e] > 0


def can_convert(state, tables, p):
    for e in range(cz.EQUIPMENT):
        if converts(state, tables, p, e):
            return True
    return False


def write_converts(state, tables, p, legal, n):
    """Write conversions, which are possible at any time, even out of turn (9.7)."""
    for e in range(cz.EQUIPMENT):
        if converts(state, tables, p, e):
            n = append(legal, n, action(cz.Act.CONVERT, actions.ownership(p, e)))
    return n


def write_bribes(state, tables, p, legal, n):
    """Write Bribes for one or two Equipment cards (9.7)."""
    left = 0
    for e in range(cz.EQUIPMENT):
        left += state.supply[e]
    for cards in range(1, 3):
        if not decks.holds(state, p, tables.bribe[cards]):
            continue
        for e in range(cz.EQUIPMENT):
            if state.supply[e] == 0:
                continue
            if cards == 1 or left == 1:
                n = append(legal, n, action(cz.Act.BRIBE, actions.bribery(cards, e, cz.NOTHING)))
                continue
            for f in range(e, cz.EQUIPMENT):
                if state.supply[f] > (f == e):
                    n = append(legal, n, action(cz.Act.BRIBE, actions.bribery(cards, e, f)))
    return n


def write_guard_cards(state, tables, p, legal, n):
    """Write the plays of Diversion and Inspection (9.8)."""
    if decks.holds(state, p, tables.diversion):
        n = write_diversions(state, legal, n)
    if decks.holds(state, p, tables.inspection):
        alone = pawns.guards_out(state) == 1
        for g in range(cz.GUARDS):
            for h in range(g, cz.GUARDS):
                if pawns.is_posted(state, g) and pawns.is_posted(state, h) and (g != h or alone):
                    n = append(legal, n, action(cz.Act.INSPECT, actions.inspection(g, h)))
    return n


def write_diversions(state, legal, n):
    for g in range(cz.GUARDS):
        if pawns.is_posted(state, g):
            n = append(legal, n, action(cz.Act.DIVERT, g))
    return n


def write_move_fast(state, tables, p, legal, n):
    """Write the plays of Move Fast for rooms with a free circle where a POW may stop (9.10)."""
    alike = pawns.first_in_appel(state, p, 0)
    for room in range(tables.board.n_rooms):
        if decks.holds(state, p, tables.fast[room]) and write_room(state, tables, room, legal, n) > n:
            for w in range(p * cz.TEAM, (p + 1) * cz.TEAM):
                if is_taken_by_card(state, tables, w) and (state.pow_at[w] != cz.APPEL or w == alike):
                    n = append(legal, n, action(cz.Act.FAST, actions.fast_move(room, w - p * cz.TEAM)))
    return n


def is_taken_by_card(state, tables, w):
    """Return whether a Move Fast or an Appel may take the POW from his place.

    It may take him from a tunnel only with Q39 `cards_too`.
    """
    above = state.under[w] == cz.NONE
    return state.pow_at[w] >= cz.APPEL and (above or tables.leave_tunnel == cz.LeaveTunnel.cards_too)


def write_room(state, tables, room, legal, n):
    """Write the free circles of a room where a POW may stop."""
    for i in range(tables.board.room_first[room], tables.board.room_first[room + 1]):
        c = tables.board.room_circle[i]
        if state.on[c] == 0 and tables.board.stops[c]:
            n = append(legal, n, action(cz.Act.GO, c))
    return n


def write_frees(state, tables, p, legal, n):
    """Write the plays of a Release card (9.10)."""
    if not decks.holds(state, p, tables.release):
        return n
    for block in range(2):
        if pawns.prisoner(state, p, block) != cz.NONE:
            n = append(legal, n, action(cz.Act.FREE, actions.freeing(block, 0)))
            if block == 1 and tables.released_by_card == cz.ReleasedByCard.nearer:
                n = append(legal, n, action(cz.Act.FREE, actions.freeing(block, 1)))
    return n


def write_gifts(state, tables, p, legal, n):
    """Write gifts of cards (3.5).

    At most `turn.gives` cards change hands per turn. A hand may exceed its limit by a gift, and two gifts are
    an exchange.
    """
    if state.gives >= tables.max_gives or tables.players == 1:
        return n
    for giver in range(tables.players):
        if pawns.cards_held(state, giver) == 0 or not pawns.in_play(state, giver):
            continue
        for taker in range(tables.players):
            if taker != giver and pawns.in_play(state, taker) and may_give(state, tables, p, giver, taker):
                for card in range(tables.n_cards):
                    if state.hand[giver, card] > 0:
                        n = append(legal, n, action(cz.Act.GIVE, actions.gift(giver, taker, card)))
    if tables.equipment_gifts == cz.EquipmentGifts.yes:
        for taker in range(tables.players):
            if taker != p and pawns.in_play(state, taker):
                for e in range(cz.EQUIPMENT):
                    if state.equipment[p, e] > 0:
                        n = append(legal, n, action(cz.Act.GIVE_EQUIPMENT, actions.ownership(taker, e)))
    return n


def may_give(state, tables, p, giver, taker):
    """Return whether `giver` may give to `taker`.

    With Q3 `own_turn`, the player on turn gives, and may receive as many cards in return.
    """
    if tables.card_gifts == cz.CardGifts.any_allied_turn:
        return True
    return giver == p or (taker == p and state.owed[giver] > 0)


def write_discards(hand, legal, n):
    """Write the cards of a hand that is over its limit; one of them must be discarded (3.4)."""
    for card in range(hand.shape[0]):
        if hand[card] > 0:
            n = append(legal, n, action(cz.Act.DISCARD, card))
    return n


# ---------------------------------------------------------------- playing cards


def bribe(state, tables, p, argument):
    """Take one or two chosen Equipment cards (9.7)."""
    cards, e, f = actions.bribery_of(argument)
    decks.spend_card(state, p, tables.bribe[cards])
    decks.take_equipment(state, p, e)
    if f != cz.NOTHING:
        decks.take_equipment(state, p, f)


def begin_move_fast(state, tables, p, argument):
    """Play a Move Fast, then ask for the circle (9.10)."""
    room, i = actions.room_and_pow(argument)
    decks.spend_card(state, p, tables.fast[room])
    state.room = room
    state.picked = p * cz.TEAM + i
    state.after = cz.Step.ROOM


def release_by_card(state, tables, p, argument):
    """Release a POW from Solitary by card (9.10)."""
    block, nearer = actions.block_and_nearer(argument)
    decks.spend_card(state, p, tables.release)
    pawns.release(state, tables, pawns.prisoner(state, p, block), block, nearer == 1)


def give(state, argument):
    giver, taker, card = actions.gift_of(argument)
    state.hand[giver, card] -= 1
    state.hand[taker, card] += 1
    state.gives += 1
    if giver == state.on_turn:
        state.owed[taker] += 1
    elif taker == state.on_turn and state.owed[giver] > 0:
        state.owed[giver] -= 1


def give_equipment(state, p, argument):
    taker, e = actions.owner_and_equipment(argument)
    state.equipment[p, e] -= 1
    state.equipment[taker, e] += 1
    state.gives += 1


def sabotage(state, tables, p):
    """Play Sabotage: remove two random cards of the German's hand, and draw one for him.

    If he has only one card, remove it and draw none (9.8).
    """
    decks.spend_card(state, p, tables.sabotage)
    held = decks.orders_held(state)
    for _ in range(min(held, 2)):
        decks.spend_order(state, random_order(state))
    if held >= 2:
        decks.draw_security(state)


def random_order(state):
    """Return a uniformly random card of the German's hand; NONE if it is empty.

    Advances the random stream.
    """
    pick = below(state, cz.Luck.SECURITY, decks.orders_held(state))
    for card in range(state.orders.shape[0]):
        pick -= state.orders[card]
        if pick < 0:
            return card
    return cz.NONE


def divert(state, tables, p, g):
    decks.spend_card(state, p, tables.diversion)
    pawns.to_barracks(state, g)


def inspect(state, tables, p, argument):
    decks.spend_card(state, p, tables.inspection)
    g, h = actions.guards_of(argument)
    pawns.to_barracks(state, g)
    if g != h:
        pawns.to_barracks(state, h)


def convert(state, tables, argument):
    """Exchange a player's Opportunity card for the Equipment to which it converts (9.7)."""
    p, e = actions.owner_and_equipment(argument)
    decks.spend_card(state, p, tables.equip[e])
    decks.take_equipment(state, p, e)


# ---------------------------------------------------------------- opening a tunnel (9.13)


def can_dig(state, tables, p, t):
    """Return whether the player can open a tunnel (Q38 `two_own`).

    Two of his POWs can enter it with the points left, one of them a circle further in.
    """
    if tables.tunnel_start == cz.TunnelStart.any_two:
        return True
    if not two_may_get_in(state, tables, p, t):
        return False
    best, second = FAR, FAR
    for w in range(p * cz.TEAM, (p + 1) * cz.TEAM):
        if pawns.on_surface(state, w):
            best, second = two_least(best, second, way_into(state, tables, w, t))
    return best + second + 1 <= state.points


def two_may_get_in(state, tables, p, t):
    """Return whether the two POWs of `can_dig` could enter if every way were open and free of pawns."""
    best, second = FAR, FAR
    for w in range(p * cz.TEAM, (p + 1) * cz.TEAM):
        if pawns.on_surface(state, w):
            best, second = two_least(best, second, int(tables.board.steps_in[t, state.pow_at[w]]))
    return best + second + 1 <= state.points


def two_least(best, second, d):
    if d < best:
        return d, best
    return best, min(d, second)


def open_tunnel(state, tables, p, t):
    decks.spend_card(state, p, tables.open_tunnel[t])
    state.tunnels_opened += 1
    state.digger[t] = p
    ways.set_tunnel(state, t, cz.Tunnel.OPEN)


# ---------------------------------------------------------------- answers to Appels, Searches, shots


def is_threatened(state, tables, w):
    """Return whether the current Appel or Search may take this POW."""
    if not pawns.on_surface(state, w):
        return False
    c = state.pow_at[w]
    if state.reaction == cz.Reaction.APPEL:
        return c != cz.APPEL and not tables.board.safe[c] and tables.board.zone[c] != cz.Zone.OUTSIDE
    if tables.board.safe[c] and tables.search_safe == cz.SearchSafe.exempt:
        return False
    return tables.board.room[c] == state.search_room and pawns.equipment_held(state, w // cz.TEAM) > 0


def anybody_threatened(state, tables, p):
    for w in range(p * cz.TEAM, (p + 1) * cz.TEAM):
        if is_threatened(state, tables, w):
            return True
    return False


def write_answers(state, tables, p, legal, n):
    """Write END first, then the player's other options (ANSWER)."""
    n = append(legal, n, action(cz.Act.END, 0))
    if state.reaction == cz.Reaction.APPEL:
        n = write_comes(state, tables, p, legal, n)
    n = write_converts(state, tables, p, legal, n)
    if not state.warned:
        if decks.holds(state, p, tables.warning) and anybody_threatened(state, tables, p):
            n = append(legal, n, action(cz.Act.WARN, 0))
        return n
    n = write_hides(state, tables, p, legal, n)
    if decks.holds(state, p, tables.diversion):
        n = write_diversions(state, legal, n)
    return n


def may_come(state, tables, w):
    return state.pow_at[w] != cz.APPEL and is_taken_by_card(state, tables, w)


def write_comes(state, tables, p, legal, n):
    """Write the POWs that may come to the Appel, one by one or as the whole team (9.1, Q19c)."""
    for w in range(p * cz.TEAM, (p + 1) * cz.TEAM):
        if may_come(state, tables, w):
            if tables.appel_choice == cz.AppelChoice.whole_team:
                return append(legal, n, action(cz.Act.COME, cz.WHOLE_TEAM))
            n = append(legal, n, action(cz.Act.COME, w - p * cz.TEAM))
    return n


def come(state, tables, p, i):
    """Move a POW, or the whole team, to the Appel from anywhere (9.1)."""
    for w in range(p * cz.TEAM, (p + 1) * cz.TEAM):
        if (i == cz.WHOLE_TEAM or w == p * cz.TEAM + i) and may_come(state, tables, w):
            ways.leave_by_card(state, w)
            pawns.stand(state, tables, w, cz.APPEL)


FREELY = -1
PAYMENTS = 6  # none, Wire Cutters, Pass, Key, one Rope, two Ropes


def write_hides(state, tables, p, legal, n):
    """Write the safe circles that threatened POWs can reach (9.6)."""
    free = 0
    for i in range(tables.board.n_safe):
        free += state.on[tables.board.safe_circle[i]] == 0
    for w in range(p * cz.TEAM, (p + 1) * cz.TEAM):
        if not is_threatened(state, tables, w):
            continue
        first = n
        for payment in range(PAYMENTS):
            if n - first == free or not can_afford(state, p, payment):
                continue  # nothing new can be found
            search_hide(state, tables, w, payment)
            for i in range(tables.board.n_safe):
                c = tables.board.safe_circle[i]
                hides = action(cz.Act.HIDE, actions.hiding(w - p * cz.TEAM, c))
                if (
                    hide_arc(state, c) != HIDE_NOT
                    and state.on[c] == 0
                    and not is_written(legal, first, n, hides)
                ):
                    n = append(legal, n, hides)
    return n


def can_afford(state, p, payment):
    """Return whether the player holds the cards for a payment (`is_payment`).

    Without them, a search would find the same spaces as without a payment.
    """
    if payment == 0:
        return True
    if payment > 3:
        return state.equipment[p, cz.Equipment.rope] >= payment - 3
    if payment == 3:
        return state.equipment[p, cz.Equipment.key] > 0
    return state.equipment[p, cz.Equipment.passes if payment == 2 else cz.Equipment.wire_cutters] > 0


def is_written(legal, first, n, wanted):
    for i in range(first, n):
        if legal[i] == wanted:
            return True
    return False


HIDE_NOT = -2


def hide_arc(state, c):
    """Return the payment with which the current search reaches c.

    It is FREELY, the number of the paid arc, or HIDE_NOT if c is not reached.
    """
    if state.mark[c] == state.search:
        return FREELY
    if state.mark[cz.SPACES + c] == state.search:
        return state.goal[state.reach[cz.SPACES + c]]
    return HIDE_NOT


def search_hide(state, tables, w, payment):
    """Find every space c that the POW can reach with or without one payment. Guards block.

    Index c stands for free and open ways, index SPACES + c for one way paid by `payment`.

    `goal` lists the paid arcs. `reach[SPACES + c]` is the index in `goal` of the arc paid on the way to c.
    """
    board = tables.board
    ways.begin_search(state, state.pow_at[w])
    state.n_goals = 0
    head = 0
    while head < state.tail:
        index = state.queue[head]
        head += 1
        paid = index >= cz.SPACES
        x = index - cz.SPACES if paid else index
        for arc in range(board.arc_first[x], board.arc_first[x + 1]):
            y = board.arc_to[arc]
            if state.on[y] >= pawns.GUARD or not ways.may_use(tables, arc):
                continue
            if ways.is_open(state, tables, arc):
                ways.visit(state, cz.SPACES + y if paid else y, state.reach[index], 0)
            elif (
                not paid
                and is_payment(tables, arc, payment)
                and ways.can_pay(state, tables, w // cz.TEAM, arc)
                and state.mark[cz.SPACES + y] != state.search
            ):
                state.goal[state.n_goals] = arc
                ways.visit(state, cz.SPACES + y, state.n_goals, 0)
                state.n_goals += 1


def is_payment(tables, arc, payment):
    """Return whether the way of an arc costs exactly this payment.

    payment: 1 Wire Cutters, 2 Pass, 3 Key, 4 one Rope, 5 two Ropes.
    """
    kind = tables.board.arc_kind[arc]
    if kind == cz.Arc.WIRE:
        return payment == 1
    if kind == cz.Arc.PASS:
        return payment == 2
    if kind == cz.Arc.KEY:
        return payment == 3
    return payment == 3 + tables.board.arc_ropes[arc]


def hide(state, tables, p, argument):
    """Move a POW directly to a safe circle, with the first payment that suffices (9.6)."""
    i, c = actions.pow_and_circle(argument)
    w = p * cz.TEAM + i
    for payment in range(PAYMENTS):
        if not can_afford(state, p, payment):
            continue
        search_hide(state, tables, w, payment)
        arc = hide_arc(state, c)
        if arc != HIDE_NOT:
            if arc != FREELY:
                ways.pay(state, tables, w, arc)
            break
    pawns.stand(state, tables, w, c)


def save(state, p, card):
    decks.spend_card(state, p, card)
    log(state, cz.Event.SAVED, p)


jit_module(__name__)
