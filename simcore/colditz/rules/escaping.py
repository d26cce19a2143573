"""Escapes (5) by targets, Do or Die and the Staff Car (9.11), throws (3), and the end of the game (10).

Functions that return nothing modify `state`.
"""

from bartizan.simcore.colditz import components as cz
from bartizan.simcore.colditz.rules import pawns
from bartizan.simcore.colditz.rules.decks import return_equipment, spend_card, stack_stakes
from bartizan.simcore.compile.jit import jit_module
from bartizan.simcore.compile.rules import NOBODY
from bartizan.simcore.kit.journal import log
from bartizan.simcore.rng import die

STAKED = 0  # `targets`: escapes by Do or Die


def arrive(state, tables, w):
    """Let a POW at a target escape if its player holds a Kit (5.1)."""
    if pawns.on_surface(state, w) and tables.board.target[state.pow_at[w]] > 0 and state.kit[w // cz.TEAM]:
        target = tables.board.target[state.pow_at[w]]
        used = state.used[w]
        for bit in range(4):
            state.by_way[bit] += used >> bit & 1
        state.by_way[4] += used >= cz.Used.TUNNEL
        escape(state, tables, w, target)


def escape(state, tables, w, target):
    """Remove a POW who has escaped. target: 0 for an escape by Do or Die."""
    p = w // cz.TEAM
    state.targets[target] += 1
    if target == STAKED:
        state.staked_out[p] += 1
        if state.first_stake_escape == 0:
            state.first_stake_escape = state.round
    else:
        state.escaped[p] += 1
        if state.first_escape == 0:
            state.first_escape = state.round
    log(state, cz.Event.ESCAPED, w, state.pow_at[w], target == STAKED)
    pawns.leave_board(state, tables, w, cz.Place.ESCAPED)
    note_escape(state, tables, p, target == STAKED)


# ---------------------------------------------------------------- Do or Die (5.4)


def stake_distance(state, tables, w):
    """Return the steps from a POW to the nearest target beyond the moat (5.4b).

    He has the Ropes and Wire Cutters held. Returns -1 if none of the three targets can be reached.
    """
    table = tables.board.stake_distance
    p = w // cz.TEAM
    ropes = min(state.equipment[p, cz.Equipment.rope], table.shape[0] - 1)
    cutters = min(state.equipment[p, cz.Equipment.wire_cutters], table.shape[1] - 1)
    return table[ropes, cutters, state.pow_at[w]]


def stake_left(state, tables):
    """Return whether there is a Do or Die card to draw (3.7, Q45)."""
    if state.stakes_next < state.stakes_size:
        return True
    return tables.stake_deck == cz.StakeDeck.remade and state.stakes_size > 0


def can_stake(state, tables, w):
    """Return whether a POW can be staked (5.4).

    He is in the grey zone or the Appel (Q11), or in the Outer Area on the way back from the outer cells.
    """
    if not pawns.on_surface(state, w) or not state.kit[w // cz.TEAM] or not stake_left(state, tables):
        return False
    c = state.pow_at[w]
    if c == cz.APPEL:
        if tables.stake_from_appel == cz.StakeFromAppel.not_allowed:
            return False
    elif not tables.board.grey[c] and not (state.returning[w] and tables.board.zone[c] == cz.Zone.OUTER):
        return False
    return stake_distance(state, tables, w) >= 0


def next_stake(state, tables, p, w):
    """Return the first POW of player p, from POW w on, that may be staked; NONE if there is none.

    In the Appel, only the player's first POW may be staked.
    """
    alike = pawns.first_in_appel(state, p, 0)
    while w < (p + 1) * cz.TEAM:
        if can_stake(state, tables, w) and (state.pow_at[w] != cz.APPEL or w == alike):
            return w
        w += 1
    return cz.NONE


def may_stake_now(state, tables, p):
    """Return whether the player may use Do or Die at this time (Q24) and has a POW to stake."""
    if tables.stake_when == cz.StakeWhen.at_limit and not state.last_stakes:
        return False
    return next_stake(state, tables, p, p * cz.TEAM) != cz.NONE


def stake(state, tables, w):
    """Draw a Do or Die card and throw. Either the POW escapes, or the whole team is lost (5.4)."""
    if state.stakes_next == state.stakes_size:
        stack_stakes(state, tables)
    number = state.stakes[state.stakes_next]
    state.stakes_next += 1
    state.stake_tries += 1
    distance = stake_distance(state, tables, w)
    spend_ropes(state, tables, w, distance)
    total = throws(state, tables, cz.Luck.STAKE, number)
    log(state, cz.Event.STAKED, number, total, distance)
    if total >= distance:
        escape(state, tables, w, STAKED)
    else:
        lose_team(state, tables, w)


def spend_ropes(state, tables, w, distance):
    """Spend the fewest Ropes, then the fewest Wire Cutters, that give this distance (5.4a)."""
    table = tables.board.stake_distance
    p, c = w // cz.TEAM, state.pow_at[w]
    for ropes in range(min(state.equipment[p, cz.Equipment.rope], table.shape[0] - 1) + 1):
        for cutters in range(min(state.equipment[p, cz.Equipment.wire_cutters], table.shape[1] - 1) + 1):
            if table[ropes, cutters, c] == distance:
                return_equipment(state, p, cz.Equipment.rope, ropes)
                return_equipment(state, p, cz.Equipment.wire_cutters, cutters)
                return


def lose_team(state, tables, w):
    """Remove the dead POW and the rest of his team from the game.

    Their cards go back to the discards and supplies (5.4c).
    """
    p = w // cz.TEAM
    state.losses[cz.Loss.STAKE] += 1
    log(state, cz.Event.DEAD, w)
    pawns.leave_board(state, tables, w, cz.Place.DEAD)
    for v in range(p * cz.TEAM, (p + 1) * cz.TEAM):
        at = state.pow_at[v]
        if at >= cz.APPEL or at == cz.Place.CELL_INNER or at == cz.Place.CELL_OUTER:
            t = state.under[v]
            pawns.leave_board(state, tables, v, cz.Place.OUT)
            if t != cz.NONE:
                state.left_tunnel |= 1 << t
    for card in range(tables.n_cards):
        while state.hand[p, card] > 0:
            spend_card(state, p, card)
    for e in range(cz.EQUIPMENT):
        return_equipment(state, p, e, state.equipment[p, e])
    state.kit_supply += state.kit[p]
    state.kit[p] = 0
    state.out[p] = 1
    log(state, cz.Event.OUT, p)
    look_for_end(state, tables)


# ---------------------------------------------------------------- Staff Car (9.11)


def can_drive(state, tables, w):
    """Return whether a POW is next to the car and may drive.

    With Q30, he needs a Pass. Without a Kit, he must be able to wait at the target (Q10).
    """
    if not pawns.on_surface(state, w) or not tables.board.beside_car[state.pow_at[w]]:
        return False
    if tables.car_pass == cz.CarPass.yes and state.equipment[w // cz.TEAM, cz.Equipment.passes] == 0:
        return False
    return state.kit[w // cz.TEAM] or (
        state.on[tables.board.car_target] == 0 and tables.target_without_kit == cz.TargetWithoutKit.waits
    )


def drive(state, tables, w):
    """Throw the dice `tables.car_throws` times, and compare the total with the distance to the target (9.11).

    If the total is too low, the POW goes to Solitary; otherwise he reaches the target.
    """
    spend_card(state, w // cz.TEAM, tables.car)
    if tables.car_pass == cz.CarPass.yes:
        return_equipment(state, w // cz.TEAM, cz.Equipment.passes, 1)
    state.car_tries += 1
    total = throws(state, tables, cz.Luck.CAR, tables.car_throws)
    log(state, cz.Event.STAKED, tables.car_throws, total, tables.car_distance)
    if total < tables.car_distance:
        pawns.imprison(state, tables, w, cz.Loss.CAR)
        return
    state.used[w] = 0
    if state.kit[w // cz.TEAM]:
        state.car_escapes += 1
        escape(state, tables, w, tables.board.target[tables.board.car_target])
    else:
        pawns.stand(state, tables, w, tables.board.car_target)


# ---------------------------------------------------------------- 3, 5.4: throws


def throw(state, tables, purpose):
    """Roll the dice; a double is rolled again and added (3.1). Return the total.

    Writes `first_roll`, `last_roll` and `doubles` to `state`. tables.roll_cap limits the rolls (Q2); 0: no
    limit. A double on the last allowed roll counts as a double.
    """
    total = 0
    state.doubles = 0
    state.first_roll = 0
    rolls = 0
    while True:
        a = die(state, purpose, tables.die_sides)
        b = die(state, purpose, tables.die_sides)
        rolls += 1
        total += a + b
        state.last_roll = a + b
        if rolls == 1:
            state.first_roll = a + b
        if a != b:
            return total
        state.doubles += 1
        if rolls == tables.roll_cap:
            return total


def throws(state, tables, purpose, n):
    """Return the total of n throws for a Do or Die or the Staff Car. They draw no card (3.8)."""
    total = 0
    for _ in range(n):
        total += throw(state, tables, purpose)
    return total


def draws(state, tables):
    """Return whether the last throw draws a card (3.3).

    Only its last roll counts, because all earlier rolls are doubles, which have an even sum.
    """
    for i in range(tables.n_draws_on):
        if state.last_roll == tables.draws_on[i]:
            return True
    return False


# ---------------------------------------------------------------- 10: the end


def note_escape(state, tables, p, by_stake):
    """Record the first player with one and with two escapes (10.4).

    The game ends if this wins the race.
    """
    total = state.escaped[p] + state.staked_out[p]
    for goal in range(1, 3):
        if total >= goal and state.race[goal - 1] == 0:
            state.race[goal - 1] = state.round
            state.racer[goal - 1] = p
            state.racer_staked[goal - 1] = by_stake
    if tables.race and total >= tables.race_target:
        state.end_reason = cz.End.RACE_WON
    look_for_end(state, tables)


def look_for_end(state, tables):
    """End the game if nobody is left to play (10.1)."""
    for p in range(tables.players):
        if pawns.in_play(state, p):
            return
    if state.end_reason == 0:
        state.end_reason = cz.End.NOBODY_LEFT


def winner(state, tables):
    """Return the winning seat; NOBODY for a draw (10.2 - 10.4)."""
    if tables.race:
        return cz.ALLIED if state.end_reason == cz.End.RACE_WON else cz.GERMAN
    if state.escaped.any():
        return cz.ALLIED
    return NOBODY if state.staked_out.any() else cz.GERMAN


def first_player(state, tables):
    """Return the Allied player with the most escapes (10.2; Q22).

    Returns NOBODY if there are no escapes, or in a tie.
    """
    best, who = 0, NOBODY
    for p in range(tables.players):
        n = state.escaped[p] + (state.staked_out[p] if tables.rank_counts == cz.RankCounts.all else 0)
        if n == best:
            who = NOBODY
        if n > best:
            best, who = n, p
    return who


jit_module(__name__)
