"""The order of play between decisions (2.5, 4.1, 6.1, 10.1).

`advance` continues until a decision is needed or the game is over.

Functions that return nothing modify `state`.
"""

from bartizan.simcore.colditz import components as cz
from bartizan.simcore.colditz.rules import decks, german_cards, pawns
from bartizan.simcore.colditz.rules.allied_cards import anybody_threatened, can_convert, may_come
from bartizan.simcore.colditz.rules.escaping import draws, may_stake_now, throw
from bartizan.simcore.colditz.rules.ways import at_german_turn, settle_tunnels
from bartizan.simcore.compile.jit import jit_module
from bartizan.simcore.kit.actions import ask
from bartizan.simcore.kit.journal import log
from bartizan.simcore.rng import rekey

TURNS = 8  # turns of a round in its random stream
GERMAN_TURN = 7


def side_on_turn(state, tables):
    return cz.GERMAN if state.on_turn == tables.players else cz.ALLIED


def advance(state, tables):
    """Apply the consequences of an action, and continue to the next decision or the end of the game.

    The steps from `state.after` on are executed.
    """
    state.stage = cz.Stage.NONE
    while state.end_reason == 0 and state.stage == cz.Stage.NONE:
        settle_tunnels(state, tables)
        if settle_losses(state, tables) or settle_cells(state, tables):
            return
        take_step(state, tables, state.after)


def take_step(state, tables, step):
    if step == cz.Step.TURN or step == cz.Step.GOTO:
        ask(state, side_on_turn(state, tables), cz.Stage.TURN if step == cz.Step.TURN else cz.Stage.GOTO)
    elif step == cz.Step.NEXT_TURN:
        next_turn(state, tables)
    elif step == cz.Step.START:
        start_turn(state, tables)
    elif step == cz.Step.ANSWER:
        next_answer(state, tables)
    elif step == cz.Step.MATCH:
        next_match(state, tables)
    elif step == cz.Step.SETUP:
        next_post(state, tables)
    elif step == cz.Step.ROOM:
        ask(state, cz.ALLIED, cz.Stage.ROOM)
    elif step == cz.Step.SAVE:
        state.player = state.victim // cz.TEAM
        ask(state, cz.ALLIED, cz.Stage.SAVE)


# ---------------------------------------------------------------- consequences (7.2, 7.3)


def settle_losses(state, tables):
    """Confiscate cards, player by player (7.3). Return True if a player must choose a card."""
    for p in range(tables.players):
        while state.to_lose[p] > 0:
            if decks.kinds_held(state, p) == 0:
                state.to_lose[p] = 0
                break
            if (
                decks.kinds_held(state, p) > 1
                or decks.holds(state, p, tables.hideaway)
                or can_convert(state, tables, p)
            ):
                state.player = p
                ask(state, cz.ALLIED, cz.Stage.LOSE)
                return True
            for e in range(cz.EQUIPMENT):
                if state.equipment[p, e] > 0:
                    decks.lose_equipment(state, p, e)
                    break
    return False


def settle_cells(state, tables):
    """Send POWs to Solitary one by one. Return True if the German must choose the block (7.2, 7.4)."""
    while state.cells_next < state.cells_size:
        inner = pawns.in_block(state, 0) < tables.cells[0]
        outer = pawns.in_block(state, 1) < tables.cells[1]
        if inner and outer:
            ask(state, cz.GERMAN, cz.Stage.CELL)
            return True
        pawns.lock_up(state, state.cells[state.cells_next], 1 if outer else 0)
        state.cells_next += 1
    state.cells_next = state.cells_size = 0
    return False


# ---------------------------------------------------------------- set-up (2.4)


def next_post(state, tables):
    """Ask the German for the next post of the set-up.

    First come k guards inside (k is the number of Allied players), then `outer_min` to `outer_max` outside.
    """
    out = pawns.guards_out(state)
    inside = out < tables.players
    full = out == tables.players + tables.outer_max
    if (
        full
        or pawns.guard_in_barracks(state) == cz.NONE
        or free_post(state, tables, 1 if inside else 2) == cz.NONE
    ):
        state.on_turn = tables.players
        state.after = cz.Step.NEXT_TURN
        return
    ask(state, cz.GERMAN, cz.Stage.SETUP)


def free_post(state, tables, where):
    """Return a free black circle inside (1) or outside (2); NONE if there is none."""
    for i in range(tables.n_posts):
        c = tables.post_circle[i]
        if tables.post[c] == where and state.on[c] == 0:
            return c
    return cz.NONE


# ---------------------------------------------------------------- the order of turns (2.5)


def next_turn(state, tables):
    """Begin the turn of the next player.

    This is the next Allied player who has not moved in this round. After the last one comes the German's
    turn, then a new round.
    """
    if state.last_stakes:
        next_last_stake(state, tables)
        return
    if state.on_turn == tables.players and not begin_round(state, tables):
        return
    waiting, first = 0, cz.NONE
    for p in range(tables.players):
        if pawns.in_play(state, p) and not state.moved >> p & 1:
            waiting += 1
            first = p if first == cz.NONE else first
    if waiting == 0:
        begin_german_turn(state, tables)
    elif waiting > 1 and tables.allied_order == cz.AlliedOrder.free:
        state.player = first
        ask(state, cz.ALLIED, cz.Stage.NEXT)
    else:
        begin_allied_turn(state, tables, first)


def begin_round(state, tables):
    """Begin a round. Return False if all rounds are over, otherwise True (2.5; Q24)."""
    state.moved = 0
    if state.round == tables.rounds:
        state.last_stakes = 1
        return False
    state.round += 1
    log(state, cz.Event.ROUND, state.round)
    return True


def next_last_stake(state, tables):
    """Let the next player stake one POW after the last round.

    After the last player, the game is over (Q24 `at_limit`).
    """
    for p in range(tables.players):
        if not state.moved >> p & 1:
            state.moved |= 1 << p
            if may_stake_now(state, tables, p) and tables.stake_when == cz.StakeWhen.at_limit:
                state.on_turn = state.player = p
                ask(state, cz.ALLIED, cz.Stage.START)
                return
    state.end_reason = cz.End.LIMIT


def begin_allied_turn(state, tables, p):
    state.on_turn = state.player = p
    state.moved |= 1 << p
    state.points = state.releases = state.gives = state.claims = 0
    for q in range(tables.players):
        state.owed[q] = 0
    state.halted = state.stayed = 0
    state.picked = cz.NONE
    if tables.just_used == cz.JustUsed.last_allied_turn:
        german_cards.forget_holders(state)
    for w in range(p * cz.TEAM, (p + 1) * cz.TEAM):
        if state.returning[w]:
            state.return_from[w] = way_back(state, tables, w)
    rekey(state, cz.Luck.THROW, state.round * TURNS + p)
    log(state, cz.Event.TURN, p)
    state.after = cz.Step.START


def way_back(state, tables, w):
    """Return the steps of a POW on the board to the PASS circle into the courtyard (4.14)."""
    return tables.board.steps[state.pow_at[w], tables.board.pass_circle]


def end_allied_turn(state, tables):
    """End an Allied turn, and with it the immunity of POWs who have not come nearer (4.14)."""
    p = state.on_turn
    for w in range(p * cz.TEAM, (p + 1) * cz.TEAM):
        if state.returning[w] and way_back(state, tables, w) >= state.return_from[w]:
            state.returning[w] = tables.return_immunity == cz.ReturnImmunity.any
    state.after = cz.Step.NEXT_TURN


def begin_german_turn(state, tables):
    """Begin the German's turn: close the ways that are open, and update the tunnels (4.7, 6.7, 8.1, 8.4)."""
    state.on_turn = tables.players
    state.points = state.releases = 0
    state.stayed = 0
    state.picked = state.mover = state.chaser = cz.NONE
    state.posted = 0
    state.guard_drops = state.opened & tables.board.drop_ways
    state.opened = 0
    if tables.no_posting_after == cz.NoPostingAfter.turn:
        state.no_posting = 0
    rekey(state, cz.Luck.THROW, state.round * TURNS + GERMAN_TURN)
    log(state, cz.Event.TURN, cz.NONE)
    at_german_turn(state, tables)
    state.after = cz.Step.START


def end_german_turn(state, tables):
    """End the German's turn (5.3, 6.7, 9.3, Q41).

    Guards Outside go to the barracks if there is no escaper, and used Keys and Passes are forgotten.
    """
    state.guard_drops = 0
    if pawns.stands_down_at_the_end(tables):
        pawns.stand_down(state, tables)
    if tables.detect_lasts == cz.DetectLasts.turn:
        for t in range(cz.TUNNELS):
            state.carded[t] = 0
    german_cards.forget_holders(state)
    state.after = cz.Step.NEXT_TURN


# ---------------------------------------------------------------- the throw (3.2, 3.3)


def start_turn(state, tables):
    """Ask for a stake (Q12, Q24) or an Appel (Q19d) before the throw, if there is a choice."""
    if state.last_stakes:  # a card was turned in before the stake
        ask(state, cz.ALLIED, cz.Stage.START)
        return
    if side_on_turn(state, tables) == cz.GERMAN:
        if tables.appel_when == cz.AppelWhen.before_throw and decks.has_order(state, tables.appel):
            ask(state, cz.GERMAN, cz.Stage.START)
            return
    elif tables.stake_and_throw == cz.StakeAndThrow.replaces and may_stake_now(state, tables, state.on_turn):
        state.player = state.on_turn
        ask(state, cz.ALLIED, cz.Stage.START)
        return
    make_throw(state, tables)


def make_throw(state, tables):
    """Throw for movement points, and draw a card if the throw requires it (3.2, 3.3, 4.13)."""
    state.points = throw(state, tables, cz.Luck.THROW)
    state.releases = state.doubles
    log(state, cz.Event.THROW, state.points, state.doubles)
    if draws(state, tables):
        if side_on_turn(state, tables) == cz.GERMAN:
            decks.draw_security(state)
        else:
            decks.draw_opportunity(state, state.on_turn)
    state.player = state.on_turn
    state.after = cz.Step.TURN


# ---------------------------------------------------------------- answers and matches (9.1, 9.2)


def next_answer(state, tables):
    """Ask the next player who may answer an Appel or a Search.

    After the last player, carry out the Appel or the Search.
    """
    while state.answerer < tables.players:
        p = state.answerer
        if can_answer(state, tables, p):
            state.player = p
            ask(state, cz.ALLIED, cz.Stage.ANSWER)
            return
        next_answerer(state)
    if state.reaction == cz.Reaction.APPEL:
        state.range = german_cards.throw_range(state, tables)
        state.after = cz.Step.MATCH
    else:
        german_cards.finish_search(state, tables)
        state.reaction = cz.Reaction.NONE
        state.after = cz.Step.TURN


def next_answerer(state):
    state.answerer += 1
    state.warned = 0


def can_answer(state, tables, p):
    """Return whether a player can answer an Appel or a Search.

    An Appel requires that a POW may come to it. A Search requires that the player is warned or can play an
    Advance Warning.
    """
    if state.reaction == cz.Reaction.SEARCH:
        warns = decks.holds(state, p, tables.warning) and anybody_threatened(state, tables, p)
        return state.warned == 1 or warns
    for w in range(p * cz.TEAM, (p + 1) * cz.TEAM):
        if may_come(state, tables, w):
            return True
    return False


def next_match(state, tables):
    """Ask for a MATCH while a pair is in range and (Q16) a cell is left; then continue the turn."""
    if pawns.can_imprison(state, tables):
        for g in range(cz.GUARDS):
            for w in range(cz.POWS):
                if german_cards.is_in_range(state, tables, g, w):
                    ask(state, cz.GERMAN, cz.Stage.MATCH)
                    return
    state.reaction = cz.Reaction.NONE
    state.after = cz.Step.START if tables.appel_when == cz.AppelWhen.before_throw else cz.Step.TURN


jit_module(__name__)
