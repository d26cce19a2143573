"""The legal actions at a decision (PROTOCOL.md sections 2 and 3).

Each `write_*` appends to `legal` (int32, modified in place), which already has n entries, and returns the new
n.
"""

from bartizan.simcore.colditz import components as cz
from bartizan.simcore.colditz.actions import action
from bartizan.simcore.colditz.rules import allied_cards, pawns
from bartizan.simcore.colditz.rules.allied_cards import write_answers
from bartizan.simcore.colditz.rules.decks import holds, must_discard_first, over_limit
from bartizan.simcore.colditz.rules.escaping import may_stake_now, next_stake
from bartizan.simcore.colditz.rules.german_cards import write_matches, write_orders
from bartizan.simcore.colditz.rules.pow_moves import write_equipment_claims, write_kit_claims
from bartizan.simcore.compile.jit import jit_module
from bartizan.simcore.kit.actions import append

INNER, OUTER = 1, 2  # kinds of guard post


def legal_actions(state, tables, legal):
    """Write the legal actions of the current decision into `legal`, and return their number."""
    stage = state.stage
    if stage == cz.Stage.GOTO:
        return write_goals(state, tables, legal, 0)
    if stage == cz.Stage.TURN and state.to_move == cz.GERMAN:
        return write_german_turn(state, tables, legal, 0)
    if stage == cz.Stage.TURN:
        return write_allied_turn(state, tables, legal, 0)
    if stage == cz.Stage.START:
        return write_start(state, tables, legal, 0)
    if stage == cz.Stage.SETUP:
        return write_setup(state, tables, legal, 0)
    if stage == cz.Stage.NEXT:
        return write_next(state, tables, legal, 0)
    if stage == cz.Stage.ROOM:
        return allied_cards.write_room(state, tables, state.room, legal, 0)
    if stage == cz.Stage.ANSWER:
        return write_answers(state, tables, state.player, legal, 0)
    if stage == cz.Stage.LOSE:
        return write_losses(state, tables, legal, 0)
    if stage == cz.Stage.MATCH:
        return write_matches(state, tables, legal, 0)
    act = cz.Act.SAVE if stage == cz.Stage.SAVE else cz.Act.CELL
    return append(legal, append(legal, 0, action(act, 0)), action(act, 1))


def write_goals(state, tables, legal, n):
    """Write a GOTO action for each goal that the search found, and STAY if the pawn may stop where it is.

    Returns the new number of legal actions.
    """
    if (
        state.to_move == cz.GERMAN
        or state.under[state.picked] != cz.NONE
        or tables.board.stops[state.pow_at[state.picked]]
        or state.fresh_pick
    ):
        n = append(legal, n, action(cz.Act.STAY, 0))
    for i in range(state.n_goals):
        legal[n + i] = state.goal[i]
    return n + state.n_goals


def write_allied_turn(state, tables, legal, n):
    """Write the actions of an Allied turn, which may be taken in any order.

    END is first, but is not legal while the hand exceeds its limit (4.1).
    """
    p = state.on_turn
    if over_limit(state, tables):
        n = allied_cards.write_discards(state.hand[p], legal, n)
    else:
        n = append(legal, n, action(cz.Act.END, 0))
    if state.points > 0:
        n = write_picks(state, p, legal, n)
        n = write_releases(state, p, legal, n)
    n = write_equipment_claims(state, tables, p, legal, n)
    n = write_kit_claims(state, tables, p, legal, n)
    if (
        tables.stake_and_throw == cz.StakeAndThrow.after
        and not over_limit(state, tables)
        and may_stake_now(state, tables, p)
    ):
        n = write_stakes(state, tables, p, legal, n)
    return allied_cards.write_card_plays(state, tables, p, legal, n)


def write_picks(state, p, legal, n):
    """Write the POWs that may move.

    Of the POWs in the Appel, which are interchangeable, only one is written (4.2).
    """
    barred = state.halted | state.stayed
    alike = pawns.first_in_appel(state, p, barred)
    for w in range(p * cz.TEAM, (p + 1) * cz.TEAM):
        if (
            state.pow_at[w] >= cz.APPEL
            and not barred >> w & 1
            and (state.pow_at[w] != cz.APPEL or w == alike)
        ):
            n = append(legal, n, action(cz.Act.PICK, w - p * cz.TEAM))
    return n


def write_releases(state, p, legal, n):
    """Write the blocks from which a POW may be released for a double (4.13)."""
    if state.releases > 0:
        for block in range(2):
            if pawns.prisoner(state, p, block) != cz.NONE:
                n = append(legal, n, action(cz.Act.RELEASE, block))
    return n


def write_stakes(state, tables, p, legal, n):
    w = next_stake(state, tables, p, p * cz.TEAM)
    while w != cz.NONE:
        n = append(legal, n, action(cz.Act.STAKE, w - p * cz.TEAM))
        w = next_stake(state, tables, p, w + 1)
    return n


def write_german_turn(state, tables, legal, n):
    """Write the actions of the German's turn, which may be taken in any order.

    END is first, but is not legal while the hand exceeds its limit (6.1).
    """
    if over_limit(state, tables):
        n = allied_cards.write_discards(state.orders, legal, n)
    else:
        n = append(legal, n, action(cz.Act.END, 0))
    if state.points > 0:
        n = write_guards(state, tables, legal, n)
    return write_orders(state, tables, legal, n)


def write_guards(state, tables, legal, n):
    """Write the actions that pick a guard to move, post a guard or recall a guard (6.2 - 6.4).

    A post is listed by its circle, not by the guard.
    """
    for g in range(cz.GUARDS):
        if may_pick_guard(state, tables, g):
            n = append(legal, n, action(cz.Act.PICK, g))
    if (
        not state.no_posting
        and pawns.guard_in_barracks(state) != cz.NONE
        and may_teleport(state, tables, cz.NONE)
    ):
        n = write_posts(state, tables, 0, legal, n)
    for g in range(cz.GUARDS):
        if may_recall(state, tables, g) and may_teleport(state, tables, g):
            n = append(legal, n, action(cz.Act.RECALL, g))
    return n


def may_pick_guard(state, tables, g):
    if (
        not pawns.is_posted(state, g)
        or state.stayed >> g & 1
        or (state.chaser != cz.NONE and state.chaser != g)
    ):
        return False
    return tables.post_and_arrest == cz.PostAndArrest.yes or not state.posted >> g & 1


def may_teleport(state, tables, g):
    """Return whether a guard may be posted or recalled (6.5).

    With Q46 `teleports_too`, it may not while another guard is on a chase.
    """
    return tables.chase_alone == cz.ChaseAlone.moves or state.chaser == cz.NONE or state.chaser == g


def may_recall(state, tables, g):
    """Return whether guard g may go back to the barracks (6.3, Q32)."""
    if state.guard_at[g] <= cz.APPEL or tables.post[state.guard_at[g]] == 0:
        return False
    if tables.outer_minimum == cz.OuterMinimum.setup_only or tables.board.grey[state.guard_at[g]]:
        return True
    outside = 0
    for h in range(cz.GUARDS):
        outside += state.guard_at[h] > cz.APPEL and tables.board.zone[state.guard_at[h]] == cz.Zone.OUTER
    return outside > 2


def write_posts(state, tables, where, legal, n):
    """Write free black circles: inside if `where` is 1, outside if 2, anywhere if 0.

    A circle with a pawn is not free (4.9).
    """
    for i in range(tables.n_posts):
        c = tables.post_circle[i]
        if state.on[c] == 0 and (where == 0 or tables.post[c] == where):
            n = append(legal, n, action(cz.Act.POST, c))
    return n


def write_setup(state, tables, legal, n):
    """Write the free posts of the set-up: first the posts inside, then the posts outside (2.4)."""
    out = pawns.guards_out(state)
    if out < tables.players:
        return write_posts(state, tables, INNER, legal, n)
    if out >= tables.players + tables.outer_min:
        n = append(legal, n, action(cz.Act.END, 0))
    return write_posts(state, tables, OUTER, legal, n)


def write_next(state, tables, legal, n):
    """Write the players whose turn may be next (Q1 `free`)."""
    for p in range(tables.players):
        if pawns.in_play(state, p) and not state.moved >> p & 1:
            n = append(legal, n, action(cz.Act.NEXT, p))
    return n


def write_start(state, tables, legal, n):
    if state.to_move == cz.GERMAN:
        n = append(legal, n, action(cz.Act.THROW, 0))
        return append(legal, n, action(cz.Act.APPEL, 0))
    p = state.player
    n = append(legal, n, action(cz.Act.END if state.last_stakes else cz.Act.THROW, 0))
    n = allied_cards.write_converts(state, tables, p, legal, n)
    if must_discard_first(state, tables, p):
        return allied_cards.write_discards(state.hand[p], legal, n)
    return write_stakes(state, tables, p, legal, n)


def write_losses(state, tables, legal, n):
    """Write the Equipment that may be lost, a Hideaway that may save it, and conversions (7.3, 9.7)."""
    for e in range(cz.EQUIPMENT):
        if state.equipment[state.player, e] > 0:
            n = append(legal, n, action(cz.Act.LOSE, e))
    if holds(state, state.player, tables.hideaway):
        n = append(legal, n, action(cz.Act.LOSE, cz.NOTHING))
    return allied_cards.write_converts(state, tables, state.player, legal, n)


jit_module(__name__)
