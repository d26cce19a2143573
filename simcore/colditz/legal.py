"""Which actions are legal at a decision (PROTOCOL.md sections 2 and 3): one `write_*` for each kind of list.

Each appends to `legal` (int32, modified in place), of which n are written, and returns the new n.
"""

from bartizan.simcore.colditz.actions import action
from bartizan.simcore.colditz.components import (
    APPEL,
    EQUIPMENT,
    GERMAN,
    GUARDS,
    NONE,
    NOTHING,
    TEAM,
    Act,
    ChaseAlone,
    OuterMinimum,
    PostAndArrest,
    Stage,
    StakeAndThrow,
    Zone,
)
from bartizan.simcore.colditz.rules.allied_cards import (
    write_card_plays,
    write_converts,
    write_discards,
    write_room,
)
from bartizan.simcore.colditz.rules.answers import write_answers
from bartizan.simcore.colditz.rules.claims import write_equipment_claims, write_kit_claims
from bartizan.simcore.colditz.rules.decks import holds, must_discard_first, over_limit
from bartizan.simcore.colditz.rules.escaping import may_stake_now, next_stake
from bartizan.simcore.colditz.rules.german_cards import write_matches, write_orders
from bartizan.simcore.colditz.rules.pawns import (
    first_in_appel,
    guard_in_barracks,
    guards_out,
    in_play,
    is_posted,
    prisoner,
)
from bartizan.simcore.compile.jit import jit
from bartizan.simcore.kit.legal import append

INNER, OUTER = 1, 2  # kinds of guard post


@jit
def legal_actions(state, tables, legal):
    """Write the legal actions of the decision at hand into `legal` (int32, modified in place).

    Returns their number.
    """
    stage = state.stage
    if stage == Stage.GOTO:
        return write_goals(state, tables, legal, 0)
    if stage == Stage.TURN and state.to_move == GERMAN:
        return write_german_turn(state, tables, legal, 0)
    if stage == Stage.TURN:
        return write_allied_turn(state, tables, legal, 0)
    if stage == Stage.START:
        return write_start(state, tables, legal, 0)
    if stage == Stage.SETUP:
        return write_setup(state, tables, legal, 0)
    if stage == Stage.NEXT:
        return write_next(state, tables, legal, 0)
    if stage == Stage.ROOM:
        return write_room(state, tables, state.room, legal, 0)
    return write_consequences(state, tables, stage, legal, 0)


@jit
def write_consequences(state, tables, stage, legal, n):
    """ANSWER, LOSE, MATCH; SAVE and CELL: 0 or 1."""
    if stage == Stage.ANSWER:
        return write_answers(state, tables, state.player, legal, n)
    if stage == Stage.LOSE:
        return write_losses(state, tables, legal, n)
    if stage == Stage.MATCH:
        return write_matches(state, tables, legal, n)
    act = Act.SAVE if stage == Stage.SAVE else Act.CELL
    n = append(legal, n, action(act, 0))
    return append(legal, n, action(act, 1))


@jit
def write_goals(state, tables, legal, n):
    """GOTO: what the search has found; STAY unless he may not stop here."""
    if (
        state.to_move == GERMAN
        or state.under[state.picked] != NONE
        or tables.board.stops[state.pow_at[state.picked]]
        or state.fresh_pick
    ):
        n = append(legal, n, action(Act.STAY, 0))
    for i in range(state.n_goals):
        legal[n + i] = state.goal[i]
    return n + state.n_goals


@jit
def write_allied_turn(state, tables, legal, n):
    """4.1: the free mixture of a turn; END first."""
    p = state.on_turn
    if over_limit(state, tables):
        n = write_discards(state.hand[p], legal, n)
    else:
        n = append(legal, n, action(Act.END, 0))
    if state.points > 0:
        n = write_picks(state, p, legal, n)
        n = write_releases(state, p, legal, n)
    n = write_equipment_claims(state, tables, p, legal, n)
    n = write_kit_claims(state, tables, p, legal, n)
    if (
        tables.stake_and_throw == StakeAndThrow.after
        and not over_limit(state, tables)
        and may_stake_now(state, tables, p)
    ):
        n = write_stakes(state, tables, p, legal, n)
    return write_card_plays(state, tables, p, legal, n)


@jit
def write_picks(state, p, legal, n):
    """4.2: POWs that may move; those in the Appel are alike."""
    barred = state.halted | state.stayed
    alike = first_in_appel(state, p, barred)
    for w in range(p * TEAM, (p + 1) * TEAM):
        if state.pow_at[w] >= APPEL and not barred >> w & 1 and (state.pow_at[w] != APPEL or w == alike):
            n = append(legal, n, action(Act.PICK, w - p * TEAM))
    return n


@jit
def write_releases(state, p, legal, n):
    """4.13: for a double."""
    if state.releases > 0:
        for block in range(2):
            if prisoner(state, p, block) != NONE:
                n = append(legal, n, action(Act.RELEASE, block))
    return n


@jit
def write_stakes(state, tables, p, legal, n):
    w = next_stake(state, tables, p, p * TEAM)
    while w != NONE:
        n = append(legal, n, action(Act.STAKE, w - p * TEAM))
        w = next_stake(state, tables, p, w + 1)
    return n


@jit
def write_german_turn(state, tables, legal, n):
    """6.1: the free mixture of his turn; END first."""
    if over_limit(state, tables):
        n = write_discards(state.orders, legal, n)
    else:
        n = append(legal, n, action(Act.END, 0))
    if state.points > 0:
        n = write_guards(state, tables, legal, n)
    return write_orders(state, tables, legal, n)


@jit
def write_guards(state, tables, legal, n):
    """6.3, 6.4: guards that move, are posted or recalled."""
    for g in range(GUARDS):
        if may_pick_guard(state, tables, g):
            n = append(legal, n, action(Act.PICK, g))
    if not state.no_posting and guard_in_barracks(state) != NONE and may_teleport(state, tables, NONE):
        n = write_posts(state, tables, 0, legal, n)
    for g in range(GUARDS):
        if may_recall(state, tables, g) and may_teleport(state, tables, g):
            n = append(legal, n, action(Act.RECALL, g))
    return n


@jit
def may_pick_guard(state, tables, g):
    if not is_posted(state, g) or state.stayed >> g & 1 or (state.chaser != NONE and state.chaser != g):
        return False
    return tables.post_and_arrest == PostAndArrest.yes or not state.posted >> g & 1


@jit
def may_teleport(state, tables, g):
    """6.5, Q46 `teleports_too`: while one guard chases no other is posted or recalled."""
    return tables.chase_alone == ChaseAlone.moves or state.chaser == NONE or state.chaser == g


@jit
def may_recall(state, tables, g):
    """6.3, Q32"""
    if state.guard_at[g] <= APPEL or tables.post[state.guard_at[g]] == 0:
        return False
    if tables.outer_minimum == OuterMinimum.setup_only or tables.board.grey[state.guard_at[g]]:
        return True
    outside = 0
    for h in range(GUARDS):
        outside += state.guard_at[h] > APPEL and tables.board.zone[state.guard_at[h]] == Zone.OUTER
    return outside > 2


@jit
def write_posts(state, tables, where, legal, n):
    """Free black circles inside (1), outside (2), or anywhere (0); 4.9: a POW on one keeps guards away."""
    for i in range(tables.n_posts):
        c = tables.post_circle[i]
        if state.on[c] == 0 and (where == 0 or tables.post[c] == where):
            n = append(legal, n, action(Act.POST, c))
    return n


@jit
def write_setup(state, tables, legal, n):
    """2.4"""
    out = guards_out(state)
    if out < tables.players:
        return write_posts(state, tables, INNER, legal, n)
    if out >= tables.players + tables.outer_min:
        n = append(legal, n, action(Act.END, 0))
    return write_posts(state, tables, OUTER, legal, n)


@jit
def write_next(state, tables, legal, n):
    """Q1 `free`"""
    for p in range(tables.players):
        if in_play(state, p) and not state.moved >> p & 1:
            n = append(legal, n, action(Act.NEXT, p))
    return n


@jit
def write_start(state, tables, legal, n):
    if state.to_move == GERMAN:
        n = append(legal, n, action(Act.THROW, 0))
        return append(legal, n, action(Act.APPEL, 0))
    p = state.player
    n = append(legal, n, action(Act.END if state.last_stakes else Act.THROW, 0))
    n = write_converts(state, tables, p, legal, n)
    if must_discard_first(state, tables, p):
        return write_discards(state.hand[p], legal, n)
    return write_stakes(state, tables, p, legal, n)


@jit
def write_losses(state, tables, legal, n):
    """7.3: own choice of Equipment, or a Hideaway; 9.7."""
    for e in range(EQUIPMENT):
        if state.equipment[state.player, e] > 0:
            n = append(legal, n, action(Act.LOSE, e))
    if holds(state, state.player, tables.hideaway):
        n = append(legal, n, action(Act.LOSE, NOTHING))
    return write_converts(state, tables, state.player, legal, n)
