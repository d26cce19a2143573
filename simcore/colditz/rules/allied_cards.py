"""9.6 - 9.13 and 3.5: what the Allies can do with cards in their turn."""

from bartizan.simcore.colditz import components as cz
from bartizan.simcore.colditz.actions import (
    action,
    block_and_nearer,
    bribery,
    bribery_of,
    fast_move,
    freeing,
    gift,
    gift_of,
    guards_of,
    inspection,
    owner_and_equipment,
    ownership,
    room_and_pow,
)
from bartizan.simcore.colditz.rules import decks, pawns
from bartizan.simcore.colditz.rules.escaping import can_drive
from bartizan.simcore.colditz.rules.pow_moves import FAR, way_into
from bartizan.simcore.colditz.rules.tunnels import set_tunnel
from bartizan.simcore.compile.jit import jit
from bartizan.simcore.kit.actions import append
from bartizan.simcore.rng import below


@jit
def write_card_plays(state, tables, p, legal, n):
    """3.6: every Opportunity card the player can play in his turn; 9.7: what anybody can turn in.

    Writes into `legal`; returns the new number.
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


@jit
def converts(state, tables, p, e):
    """9.7: p holds an Opportunity card that becomes Equipment e, and one is left."""
    return decks.holds(state, p, tables.equip[e]) and state.supply[e] > 0


@jit
def can_convert(state, tables, p):
    for e in range(cz.EQUIPMENT):
        if converts(state, tables, p, e):
            return True
    return False


@jit
def write_converts(state, tables, p, legal, n):
    """9.7: at any time, even out of turn."""
    for e in range(cz.EQUIPMENT):
        if converts(state, tables, p, e):
            n = append(legal, n, action(cz.Act.CONVERT, ownership(p, e)))
    return n


@jit
def write_bribes(state, tables, p, legal, n):
    """Bribes for one Equipment card or two (9.7)."""
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
                n = append(legal, n, action(cz.Act.BRIBE, bribery(cards, e, cz.NOTHING)))
                continue
            for f in range(e, cz.EQUIPMENT):
                if state.supply[f] > (f == e):
                    n = append(legal, n, action(cz.Act.BRIBE, bribery(cards, e, f)))
    return n


@jit
def write_guard_cards(state, tables, p, legal, n):
    """9.8: Diversion and Inspection."""
    if decks.holds(state, p, tables.diversion):
        n = write_diversions(state, legal, n)
    if decks.holds(state, p, tables.inspection):
        alone = pawns.guards_out(state) == 1
        for g in range(cz.GUARDS):
            for h in range(g, cz.GUARDS):
                if pawns.is_posted(state, g) and pawns.is_posted(state, h) and (g != h or alone):
                    n = append(legal, n, action(cz.Act.INSPECT, inspection(g, h)))
    return n


@jit
def write_diversions(state, legal, n):
    for g in range(cz.GUARDS):
        if pawns.is_posted(state, g):
            n = append(legal, n, action(cz.Act.DIVERT, g))
    return n


@jit
def write_move_fast(state, tables, p, legal, n):
    """9.10: to a room with a free circle where he may stop."""
    alike = pawns.first_in_appel(state, p, 0)
    for room in range(tables.board.n_rooms):
        if decks.holds(state, p, tables.fast[room]) and write_room(state, tables, room, legal, n) > n:
            for w in range(p * cz.TEAM, (p + 1) * cz.TEAM):
                if is_taken_by_card(state, tables, w) and (state.pow_at[w] != cz.APPEL or w == alike):
                    n = append(legal, n, action(cz.Act.FAST, fast_move(room, w - p * cz.TEAM)))
    return n


@jit
def is_taken_by_card(state, tables, w):
    """A Move Fast or an Appel may take the POW from where he is: from a tunnel by Q39 `cards_too` only."""
    above = state.under[w] == cz.NONE
    return state.pow_at[w] >= cz.APPEL and (above or tables.leave_tunnel == cz.LeaveTunnel.cards_too)


@jit
def write_room(state, tables, room, legal, n):
    """The free circles of a room where a POW may stop."""
    for i in range(tables.board.room_first[room], tables.board.room_first[room + 1]):
        c = tables.board.room_circle[i]
        if state.on[c] == 0 and tables.board.stops[c]:
            n = append(legal, n, action(cz.Act.GO, c))
    return n


@jit
def write_frees(state, tables, p, legal, n):
    """9.10: a Release card."""
    if not decks.holds(state, p, tables.release):
        return n
    for block in range(2):
        if pawns.prisoner(state, p, block) != cz.NONE:
            n = append(legal, n, action(cz.Act.FREE, freeing(block, 0)))
            if block == 1 and tables.released_by_card == cz.ReleasedByCard.nearer:
                n = append(legal, n, action(cz.Act.FREE, freeing(block, 1)))
    return n


@jit
def write_gifts(state, tables, p, legal, n):
    """3.5: at most `turn.gives` cards a turn, a full hand or not; two gifts are an exchange."""
    if state.gives >= tables.max_gives or tables.players == 1:
        return n
    for giver in range(tables.players):
        if pawns.cards_held(state, giver) == 0 or not pawns.in_play(state, giver):
            continue
        for taker in range(tables.players):
            if taker != giver and pawns.in_play(state, taker) and may_give(state, tables, p, giver, taker):
                for card in range(tables.n_cards):
                    if state.hand[giver, card] > 0:
                        n = append(legal, n, action(cz.Act.GIVE, gift(giver, taker, card)))
    if tables.equipment_gifts == cz.EquipmentGifts.yes:
        for taker in range(tables.players):
            if taker != p and pawns.in_play(state, taker):
                for e in range(cz.EQUIPMENT):
                    if state.equipment[p, e] > 0:
                        n = append(legal, n, action(cz.Act.GIVE_EQUIPMENT, ownership(taker, e)))
    return n


@jit
def may_give(state, tables, p, giver, taker):
    """Q3 `own_turn`: he whose turn it is gives, and is given back as many cards: an exchange."""
    if tables.card_gifts == cz.CardGifts.any_allied_turn:
        return True
    return giver == p or (taker == p and state.owed[giver] > 0)


@jit
def write_discards(hand, legal, n):
    """3.4: what may be thrown away when the hand is over its limit."""
    for card in range(hand.shape[0]):
        if hand[card] > 0:
            n = append(legal, n, action(cz.Act.DISCARD, card))
    return n


# ---------------------------------------------------------------- playing them


@jit
def bribe(state, tables, p, argument):
    """9.7: one or two Equipment cards of choice. Modifies `state`."""
    cards, e, f = bribery_of(argument)
    decks.spend_card(state, p, tables.bribe[cards])
    decks.take_equipment(state, p, e)
    if f != cz.NOTHING:
        decks.take_equipment(state, p, f)


@jit
def begin_move_fast(state, tables, p, argument):
    """9.10: the card is played; then the circle is asked for. Modifies `state`."""
    room, i = room_and_pow(argument)
    decks.spend_card(state, p, tables.fast[room])
    state.room = room
    state.picked = p * cz.TEAM + i
    state.after = cz.Step.ROOM


@jit
def release_by_card(state, tables, p, argument):
    """A release from Solitary by card (9.10). Modifies `state`."""
    block, nearer = block_and_nearer(argument)
    decks.spend_card(state, p, tables.release)
    pawns.release(state, tables, pawns.prisoner(state, p, block), block, nearer == 1)


@jit
def give(state, argument):
    giver, taker, card = gift_of(argument)
    state.hand[giver, card] -= 1
    state.hand[taker, card] += 1
    state.gives += 1
    if giver == state.on_turn:
        state.owed[taker] += 1
    elif taker == state.on_turn and state.owed[giver] > 0:
        state.owed[giver] -= 1


@jit
def give_equipment(state, p, argument):
    taker, e = owner_and_equipment(argument)
    state.equipment[p, e] -= 1
    state.equipment[taker, e] += 1
    state.gives += 1


@jit
def sabotage(state, tables, p):
    """9.8: the German loses two random cards and draws one; with one card he loses it and draws none.

    Modifies `state`.
    """
    decks.spend_card(state, p, tables.sabotage)
    held = decks.orders_held(state)
    for _ in range(min(held, 2)):
        decks.spend_order(state, random_order(state))
    if held >= 2:
        decks.draw_security(state)


@jit
def random_order(state):
    """A card of the German's hand, each as likely, listed by card index."""
    pick = below(state, cz.Luck.SECURITY, decks.orders_held(state))
    for card in range(state.orders.shape[0]):
        pick -= state.orders[card]
        if pick < 0:
            return card
    return cz.NONE


@jit
def divert(state, tables, p, g):
    decks.spend_card(state, p, tables.diversion)
    pawns.to_barracks(state, g)


@jit
def inspect(state, tables, p, argument):
    decks.spend_card(state, p, tables.inspection)
    g, h = guards_of(argument)
    pawns.to_barracks(state, g)
    if g != h:
        pawns.to_barracks(state, h)


@jit
def convert(state, tables, argument):
    """9.7: the player it belongs to turns the card in. Modifies `state`."""
    p, e = owner_and_equipment(argument)
    decks.spend_card(state, p, tables.equip[e])
    decks.take_equipment(state, p, e)


# ---------------------------------------------------------------- opening a tunnel (9.13)


@jit
def can_dig(state, tables, p, t):
    """Q38: two POWs of the player can get into the tunnel with the points left, one a circle further in."""
    if tables.tunnel_start == cz.TunnelStart.any_two:
        return True
    if not two_may_get_in(state, tables, p, t):
        return False
    best, second = FAR, FAR
    for w in range(p * cz.TEAM, (p + 1) * cz.TEAM):
        if pawns.on_surface(state, w):
            best, second = two_least(best, second, way_into(state, tables, w, t))
    return best + second + 1 <= state.points


@jit
def two_may_get_in(state, tables, p, t):
    """What `can_dig` asks under `two_own`, if every way were open and nobody stood on it."""
    best, second = FAR, FAR
    for w in range(p * cz.TEAM, (p + 1) * cz.TEAM):
        if pawns.on_surface(state, w):
            best, second = two_least(best, second, int(tables.board.steps_in[t, state.pow_at[w]]))
    return best + second + 1 <= state.points


@jit
def two_least(best, second, d):
    """The two least of three numbers, of which best <= second."""
    if d < best:
        return d, best
    return best, min(d, second)


@jit
def open_tunnel(state, tables, p, t):
    decks.spend_card(state, p, tables.open_tunnel[t])
    state.tunnels_opened += 1
    state.digger[t] = p
    set_tunnel(state, t, cz.Tunnel.OPEN)
