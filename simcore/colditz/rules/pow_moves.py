"""POWs: the possible moves of the picked POW, and the moves themselves (4.2 - 4.12).

Functions that return nothing modify `state`. The searches `way_into`, `can_go_on` and `can_rest` modify its
search fields. Each `write_*` appends to `legal` and returns the new number of actions.
"""

import numpy as np

from bartizan.simcore.colditz import components as cz
from bartizan.simcore.colditz.actions import action, argument_of, kind_of, pair
from bartizan.simcore.colditz.rules import pawns, ways
from bartizan.simcore.colditz.rules.decks import holds, spend_card, take_equipment
from bartizan.simcore.colditz.rules.escaping import arrive
from bartizan.simcore.compile.jit import jit_module
from bartizan.simcore.kit.actions import append
from bartizan.simcore.kit.journal import log


def pow_goals(state, tables, w):
    """Find every GO, UNDER, CROSS and FORCE that the picked POW can reach, with its cost."""
    c = state.pow_at[w]
    ways.begin_search(state, c if state.under[w] == cz.NONE else cz.SPACES + c)
    state.n_goals = 0
    head = 0
    while head < state.tail:
        index = state.queue[head]
        head += 1
        if index < cz.SPACES:
            on_the_surface(state, tables, w, index)
        else:
            in_the_tunnel(state, tables, w, index - cz.SPACES)
    drop_dead_ends(state, tables, w)


def on_the_surface(state, tables, w, c):
    """Continue the search at space c of the surface.

    Add a goal if the POW may stop there, and visit the next circles.
    """
    distance, via = state.reach[c], state.via[c]
    if distance > 0 and tables.board.stops[c]:
        ways.add_goal(state, cz.Act.GO, c, distance, via, cz.NONE)
    escapes = tables.board.target[c] > 0 and state.kit[w // cz.TEAM]  # 5.1: his way ends here
    if distance >= state.points or escapes:
        return
    if tables.board.is_plain[c]:
        walk_on(state, tables, c, distance + 1, via)
    else:
        step_out(state, tables, w, c, distance, via)


def walk_on(state, tables, x, distance, via):
    """Make the steps of `step_out` faster, for a space x from which no step costs a card (`is_plain`).

    Nine of ten steps are made here. The end of the queue is therefore in a local variable.
    """
    board = tables.board
    search, tail = state.search, state.tail
    for arc in range(board.arc_first[x], board.arc_first[x + 1]):
        y = board.arc_to[arc]
        if state.mark[y] == search:
            continue
        pawn = state.on[y]
        if pawn == 0:
            state.mark[y] = search
            state.reach[y] = distance
            state.via[y] = via
            state.queue[tail] = y
            tail += 1
        elif pawn >= pawns.GUARD and pawns.can_imprison(state, tables):
            add_force(state, y, distance, via)
    state.tail = tail


def in_the_tunnel(state, tables, w, c):
    """Continue the search at circle c of a tunnel, from inside (8.2).

    It continues along the tunnel, and out at either end.
    """
    distance, via = state.reach[cz.SPACES + c], state.via[cz.SPACES + c]
    if distance > 0:
        ways.add_goal(state, cz.Act.UNDER, c, distance, via, cz.NONE)
    if distance == state.points:
        return
    t = tables.board.tunnel_of[c]
    for i in (tables.board.chain_index[c] - 1, tables.board.chain_index[c] + 1):
        if 0 <= i < tables.board.chain_length[t] and is_free_below(state, w, tables.board.chain[t, i]):
            ways.visit(state, cz.SPACES + tables.board.chain[t, i], distance + 1, via)
    if tables.board.chain_index[c] == tables.board.chain_length[t] - 1:
        step_out(state, tables, w, c, distance, via | cz.Used.TUNNEL << t)
    elif tables.board.chain_index[c] == 0:
        step_out(state, tables, w, c, distance, via)


def is_free_below(state, w, c):
    return state.below[c] == 0 or state.below[c] == w + 1


def step_out(state, tables, w, x, distance, via):
    """Make every step from x on the surface.

    Free circles are visited; guards, and circles behind a way that costs a card, become goals.
    """
    board = tables.board
    p = w // cz.TEAM
    for arc in range(board.arc_first[x], board.arc_first[x + 1]):
        y = board.arc_to[arc]
        if not ways.may_use(tables, arc) or is_barred(state, tables, p, y):
            continue
        pawn = state.on[y]
        if not ways.is_open(state, tables, arc):
            forces = (
                pawn >= pawns.GUARD
                and tables.force_pays == cz.ForcePays.yes
                and pawns.can_imprison(state, tables)
            )
            if pawn == 0 or forces:
                add_paid_goal(state, tables, p, y, distance + 1, via, arc)
            continue
        if pawn == 0:
            ways.visit(state, y, distance + 1, via | ways.kind_of_way(tables, arc))
        elif pawn >= pawns.GUARD and pawns.can_imprison(state, tables):
            add_force(state, y, distance + 1, via)
        if is_way_down(state, tables, p, y) and is_free_below(state, w, y):
            ways.visit(state, cz.SPACES + y, distance + 1, via)


def add_paid_goal(state, tables, p, y, cost, via, arc):
    """Add a CROSS, or a FORCE if a guard is at y (Q43), over a way that the player can pay for.

    It is added only the first time that y is reached in this way.

    A FORCE without a card takes precedence.
    """
    forces = state.on[y] >= pawns.GUARD
    if state.crossed[y] == state.search or (forces and state.mark[y] == state.search):
        return
    if ways.can_pay(state, tables, p, arc):
        state.crossed[y] = state.search
        ways.add_goal(
            state, cz.Act.FORCE if forces else cz.Act.CROSS, y, cost, via | ways.kind_of_way(tables, arc), arc
        )


def add_force(state, y, cost, via):
    """Add a FORCE over a way without a card, once per guard. It replaces a FORCE with a card."""
    if state.mark[y] == state.search:
        return
    state.mark[y] = state.search  # never queued
    if state.crossed[y] == state.search:
        i = ways.goal_number(state, action(cz.Act.FORCE, y))
        state.goal_cost[i], state.goal_via[i], state.goal_arc[i] = cost, via, cz.NONE
    else:
        ways.add_goal(state, cz.Act.FORCE, y, cost, via, cz.NONE)


def is_barred(state, tables, p, c):
    """Return whether circle c is a target that is closed to the player without a Kit (Q10 `not_allowed`)."""
    return (
        tables.board.target[c] > 0
        and not state.kit[p]
        and tables.target_without_kit == cz.TargetWithoutKit.not_allowed
    )


def is_way_down(state, tables, p, c):
    """Return whether POWs of player p may enter an open tunnel at its first circle c (8.1, 8.2).

    With Q38 `two_own`, other players' POWs may enter only while two POWs are inside. Nobody may enter a
    suspected tunnel (Q40).
    """
    t = tables.board.tunnel_of[c]
    if t == cz.NONE or state.tunnel[t] != cz.Tunnel.OPEN or tables.board.chain[t, 0] != c or state.shut[t]:
        return False
    return (
        tables.tunnel_start == cz.TunnelStart.any_two or state.digger[t] == p or ways.in_tunnel(state, t) >= 2
    )


FAR = 999


def way_into(state, tables, w, t):
    """Return the steps of a POW on the surface into the first circle of a tunnel (Q38).

    He uses free circles and open ways.

    Returns FAR if they exceed the points left, or if there is no way.
    """
    board = tables.board
    if board.steps_in[t, state.pow_at[w]] > state.points:
        return FAR
    ways.begin_search(state, state.pow_at[w])
    head = 0
    while head < state.tail:
        x = state.queue[head]
        head += 1
        left = state.points - state.reach[x] - 1
        if left < 0:
            return FAR
        for arc in range(board.arc_first[x], board.arc_first[x + 1]):
            y = board.arc_to[arc]
            if not ways.may_use(tables, arc) or not ways.is_open(state, tables, arc):
                continue
            if y == board.chain[t, 0]:
                return state.reach[x] + 1
            if (
                state.on[y] == 0
                and board.steps_in[t, y] <= left
                and not is_barred(state, tables, w // cz.TEAM, y)
            ):
                ways.visit(state, y, state.reach[x] + 1, 0)
    return FAR


def drop_dead_ends(state, tables, w):
    """Remove each CROSS after which the POW cannot stop.

    He may neither stop on its circle, nor reach a place to stop with the points left.
    """
    kept = 0
    for i in range(state.n_goals):
        act, c = kind_of(state.goal[i]), argument_of(state.goal[i])
        if act == cz.Act.CROSS and not tables.board.stops[c] and not can_go_on(state, tables, w, i):
            continue
        if kept < i:
            state.goal[kept], state.goal_cost[kept] = state.goal[i], state.goal_cost[i]
            state.goal_via[kept], state.goal_arc[kept] = state.goal_via[i], state.goal_arc[i]
        kept += 1
    state.n_goals = kept


def can_go_on(state, tables, w, i):
    """Return whether the POW can reach a place to stop after goal number i, a CROSS, which opens its way."""
    opened = state.opened
    state.opened |= np.uint64(1) << np.uint64(tables.board.arc_way[state.goal_arc[i]])
    rests = can_rest(state, tables, w, argument_of(state.goal[i]), state.points - state.goal_cost[i])
    state.opened = opened
    return rests


def can_rest(state, tables, w, c, points):
    """Return whether the POW can reach a place to stop from c with this many points.

    He uses free or open ways.
    """
    board = tables.board
    ways.begin_search(state, c)
    head = 0
    while head < state.tail:
        x = state.queue[head]
        head += 1
        if state.reach[x] == points:
            continue
        for arc in range(board.arc_first[x], board.arc_first[x + 1]):
            y = board.arc_to[arc]
            if (
                not ways.may_use(tables, arc)
                or not ways.is_open(state, tables, arc)
                or is_barred(state, tables, w // cz.TEAM, y)
            ):
                continue
            if is_way_down(state, tables, w // cz.TEAM, y) and is_free_below(state, w, y):
                return True
            if state.on[y] == 0 or state.on[y] == w + 1:
                if board.stops[y]:
                    return True
                ways.visit(state, y, state.reach[x] + 1, 0)
    return False


# ---------------------------------------------------------------- moving


def move_pow(state, tables, w, act, c, goal):
    """Move POW w to c, or below it (4.2 - 4.12)."""
    if act == cz.Act.UNDER:
        pawns.stand_below(state, tables, w, c)
        t = state.under[w]
        if ways.in_tunnel(state, t) >= 2:  # 8.1
            state.had_two[t] = 1
        return
    t = state.under[w]
    if act == cz.Act.FORCE:
        force(state, tables, w, c, state.goal_arc[goal])
    else:
        walk(state, tables, w, act, c, goal)
    if t != cz.NONE:
        state.left_tunnel |= 1 << t
    ways.note_breakout(state, state.goal_via[goal])
    arrive(state, tables, w)
    if act == cz.Act.CROSS and state.pow_at[w] >= cz.APPEL and state.points > 0:
        state.fresh_pick = 0
        pow_goals(state, tables, w)
        state.after = cz.Step.GOTO


def force(state, tables, w, c, arc):
    """Move onto a guard, who goes to the barracks; the POW goes to Solitary (4.9, Q43)."""
    if arc != cz.NONE:
        ways.pay(state, tables, w, arc)
        ways.open_way(state, tables, arc)
    pawns.to_barracks(state, state.on[c] - pawns.GUARD)
    pawns.imprison(state, tables, w, cz.Loss.FORCED)


def walk(state, tables, w, act, c, goal):
    """Walk to c (4.2 - 4.8). The player pays for the last step of a CROSS."""
    via = state.goal_via[goal] | state.used[w]
    pawns.stand(state, tables, w, c)
    if act == cz.Act.CROSS:
        ways.pay(state, tables, w, state.goal_arc[goal])
        ways.open_way(state, tables, state.goal_arc[goal])
    if act == cz.Act.CROSS or not tables.board.grey[c]:
        state.used[w] = via


# ---------------------------------------------------------------- 4.10, 4.11: Equipment and Kits


WHOLE_KIT = 15  # a bit for each of its four symbols


def symbol_of(state, tables, w):
    """Return the symbol of the room that a POW is in; NONE if there is none."""
    if not pawns.on_surface(state, w):
        return cz.NONE
    room = tables.board.room[state.pow_at[w]]
    return cz.NONE if room == cz.NONE else tables.board.symbol[room]


def write_equipment_claims(state, tables, p, legal, n):
    """Write pairs of POWs in rooms with the same Equipment symbol (4.11)."""
    if tables.after_claim == cz.AfterClaim.stop and state.claims > 0:
        return n
    for w in range(p * cz.TEAM, (p + 1) * cz.TEAM):
        e = symbol_of(state, tables, w)
        if e == cz.NONE or e >= cz.EQUIPMENT or state.supply[e] == 0:
            continue
        for v in range(cz.POWS):
            own = v // cz.TEAM == p
            if symbol_of(state, tables, v) == e and (
                (own and v > w) or (not own and tables.equipment_pair == cz.EquipmentPair.two_allies)
            ):
                n = append(legal, n, action(cz.Act.EQUIP, pair(w, v)))
    return n


def claim_equipment(state, tables, w, v):
    """Take one Equipment card; both POWs go to the Appel (4.11)."""
    take_equipment(state, w // cz.TEAM, symbol_of(state, tables, w))
    pawns.stand(state, tables, w, cz.APPEL)
    pawns.stand(state, tables, v, cz.APPEL)
    state.claims += 1
    state.claimed += 1
    if tables.after_claim == cz.AfterClaim.stop:
        state.halted |= 1 << w | 1 << v


def kit_symbols(state, tables, p):
    """Return the Kit symbols of the rooms in which the player has POWs, as a bit mask."""
    seen = 0
    for w in range(p * cz.TEAM, (p + 1) * cz.TEAM):
        symbol = symbol_of(state, tables, w)
        if symbol >= cz.Symbol.disguise:
            seen |= 1 << (symbol - cz.Symbol.disguise)
    return seen


def write_kit_claims(state, tables, p, legal, n):
    """Write claims of a Kit with none, one or both of the half cards that the player holds (4.10)."""
    if state.kit[p] or state.kit_supply == 0:
        return n
    seen = kit_symbols(state, tables, p)
    for mask in range(4):
        if tables.kit_claim == cz.KitClaim.all_or_none and (mask == 1 or mask == 2):
            continue
        if (mask & 1 and not holds(state, p, tables.half[0])) or (
            mask & 2 and not holds(state, p, tables.half[1])
        ):
            continue
        by_cards = (tables.half_items[0] if mask & 1 else 0) | (tables.half_items[1] if mask & 2 else 0)
        if tables.kit_claim == cz.KitClaim.all_or_none and mask == 3 and by_cards != WHOLE_KIT:
            continue
        if by_cards | (0 if mask == 3 and tables.kit_claim == cz.KitClaim.all_or_none else seen) == WHOLE_KIT:
            n = append(legal, n, action(cz.Act.KIT, mask))
    return n


def claim_kit(state, tables, p, mask):
    """Take a Kit. POWs who wait at a target escape (4.10; 5.2)."""
    for half in range(2):
        if mask >> half & 1:
            spend_card(state, p, tables.half[half])
    state.kit[p] = 1
    state.kit_supply -= 1
    state.kits += 1
    if state.first_kit == 0:
        state.first_kit = state.round
    log(state, cz.Event.KIT, p)
    for w in range(p * cz.TEAM, (p + 1) * cz.TEAM):
        arrive(state, tables, w)


jit_module(__name__)
