"""The Defender Phase (section 2): who may act, and the effects of actions.

Functions that return nothing modify `state`.
"""

from bartizan.simcore.compile.bits import lowest, where_above, where_above_in, where_bits, where_equal
from bartizan.simcore.compile.jit import inline, jit_module
from bartizan.simcore.itter import components as c
from bartizan.simcore.itter.actions import defender_and_gift, defender_and_position, gun_and_circle
from bartizan.simcore.itter.rules.attributes import inspire_bonus, may_use_own
from bartizan.simcore.itter.rules.board import (
    counters_on,
    has,
    in_cellar,
    is_at,
    is_fit,
    location_of,
    may_stand,
    on_board,
    open_positions,
    remove,
    roll,
    stand,
    swap,
)
from bartizan.simcore.kit.journal import log
from bartizan.simcore.kit.piles import shuffle

# ---------------------------------------------------------------- 2.0, 2.1 who may act


@inline
def is_deploying(state, tables):
    """Return whether a starter has not been placed yet (2.1b)."""
    return state.starters_waiting > 0


@inline
def deployable(state, tables, is_crew):
    """Return the positions (bit mask) where a reserve defender may be placed (2.1a).

    They are free positions outside the Cellar and, unless R-03 is `never`, in the Cellar. is_crew: whether
    the defender is a [T].
    """
    positions = open_positions(state, tables, is_crew)
    if tables.deploy_into_cellar == c.DeployIntoCellar.never:
        positions &= ~tables.in_cellars
    return positions


@inline
def is_locked(tables):
    """Return whether only reserve defenders may act while starters wait (R-02)."""
    return tables.deployment_lock == c.DeploymentLock.reserve_only


def may_activate(state, tables, d, deploying):
    """Return whether d may take the next action (2.0a, 2.0c, 2.1)."""
    place = state.place[d]
    if place == c.Place.RESERVE:
        return deployable(state, tables, has(tables, d, c.Attribute.TANK_CREW)) != 0
    if place < 0 or state.status[d] & c.SPENT:
        return False
    if deploying and (is_locked(tables) or in_cellar(state, tables, d)):
        return False
    if is_bound(state, tables, d):
        return is_fit(state, d) and reachable(state, tables, d) != 0
    return True


@inline
def ready(state, tables, deploying):
    """Return the defenders (bit mask) who may take the next action (`may_activate`)."""
    waiting = where_equal(state.place, c.Place.RESERVE) & tables.everybody
    if waiting & tables.tank_crew and not deployable(state, tables, True):
        waiting &= ~tables.tank_crew
    if waiting & ~tables.tank_crew and not deployable(state, tables, False):
        waiting &= tables.tank_crew
    if deploying and is_locked(tables):
        return waiting
    on_board = where_above(state.place, c.NONE) & tables.everybody & ~where_bits(state.status, c.SPENT)
    if deploying or tables.cellar_actions == c.CellarActions.move_only:
        left = on_board
        while left:
            d = lowest(left)
            left &= left - 1
            if not may_activate(state, tables, d, deploying):
                on_board &= ~(1 << d)
    return waiting | on_board


@inline
def is_bound(state, tables, d):
    """Return whether d, in the Cellar, may only Move to the Great Hall (R-11 `move_only`)."""
    return in_cellar(state, tables, d) and tables.cellar_actions == c.CellarActions.move_only


# ---------------------------------------------------------------- 2.0, 2.1 beginning and ending an action


def activate(state, tables, d):
    """Choose d for the next action (2.0a).

    He is first placed (PLACE) if he is in the reserve; otherwise he acts (ACT).
    """
    state.actor = d
    state.shifted = 0
    state.just_placed = 0
    state.given_to = 0
    state.gives = 0
    state.stage = c.Stage.PLACE if state.place[d] == c.Place.RESERVE else c.Stage.ACT


def place_defender(state, tables, p):
    """Place a defender, who then acts from there in the same action (2.1a)."""
    if tables.start[state.actor] == c.Place.RESERVE:
        state.starters_waiting -= 1
    stand(state, tables, state.actor, p)
    state.just_placed = 1
    state.stage = c.Stage.ACT


def finish(state, tables, what, exhausts):
    """Finish the actor's action: set the Action token and, depending on 7.1 and R-64, the exhausted side.

    The last action of the turn ends the phase (2.0). what: an Act.
    """
    state.doer[state.actions] = state.actor
    state.did[state.actions] = what
    if on_board(state, state.actor):
        state.status[state.actor] |= c.Status.ACTED
        if exhausts and tables.exhaustion == c.Exhaustion.yes:
            state.status[state.actor] |= c.Status.EXHAUSTED
    state.actions += 1
    state.actor = c.NONE
    state.stage = c.Stage.ORDERS
    if state.actions >= tables.defender_actions:
        end_phase(state, tables)


def do_nothing(state, tables):
    """End the action without effect (R-04).

    After a free move alone, R-07 determines its cost. Placing a defender is always an action.
    """
    if state.shifted and not state.just_placed and tables.free_move_alone == c.FreeMoveAlone.free:
        state.status[state.actor] |= c.Status.SHIFTED
        state.actor = c.NONE
        state.stage = c.Stage.ORDERS
        return
    finish(state, tables, c.Act.BLANK, state.shifted and tables.free_move_alone == c.FreeMoveAlone.exhausts)


def end_phase(state, tables):
    """Remove Action and Command tokens, and begin the SS Phase (2.0d).

    Defenders remain exhausted or disrupted.
    """
    for d in range(tables.n_defenders):
        state.status[d] &= c.Status.EXHAUSTED | c.Status.DISRUPTED
    state.stage = c.Stage.NONE
    state.step = c.Step.BEGIN


# ---------------------------------------------------------------- 2.2 Attack


@inline
def may_attack_own(state, tables, d, p, bonus):
    """Return whether d may attack with its own dice, plus Inspire (2.2).

    With R-13 `yes`, Inspire alone is enough for a defender with an Attack of 0.
    """
    own = tables.attack[d]
    return (
        may_use_own(state, tables, d, p)
        and own + bonus > 0
        and (own > 0 or tables.attack_zero == c.AttackZero.yes)
    )


@inline
def targets(state, tables, p):
    """Return the circles in sight of position p with SS counters (1.3), as two bit masks.

    They are the circles with an advancing counter, and the circles with Machine Gunners or Mortars.
    """
    guns = where_above_in(state.guns, tables.gun_kinds[0], 0)
    guns |= where_above_in(state.guns, tables.gun_kinds[1], 0)
    return where_above(state.counter, c.NONE) & tables.in_sight[p], guns & tables.areas_in_sight[p]


def attack(state, tables, weapon, argument):
    """Roll against the Defence Value of an SS counter; a success removes the counter (2.2)."""
    d = state.actor
    p = state.place[d]
    dice = inspire_bonus(state, tables, d) + (tables.weapon_attack[p] if weapon else tables.attack[d])
    gun, circle = gun_and_circle(argument)
    kind = tables.gun_kinds[gun - 1] if gun else state.counter[circle]
    state.attacks += 1
    if weapon and tables.needs_load[p]:
        state.loaded = tables.keeps_load[p]
        state.shells += 1
    if roll(state, tables, c.Luck.DEFENDER, dice, tables.defence[kind]):
        if gun:
            state.guns[kind, circle] -= 1
        else:
            state.counter[circle] = c.NONE
        state.supply[kind] += 1
        state.counters_shot += 1
        log(state, c.Event.REMOVED, kind, circle)


# ---------------------------------------------------------------- 2.3 Suppress


def suppress(state, tables, weapon, x):
    """Put x Suppression tokens on the first square and the rest on the second.

    Tokens beyond the supply are lost (2.3; R-17).
    """
    d = state.actor
    p = state.place[d]
    value = inspire_bonus(state, tables, d) + (tables.weapon_suppress[p] if weapon else tables.suppress[d])
    state.suppresses += 1
    if weapon and tables.needs_load[p]:
        state.loaded = tables.keeps_load[p]
    if tables.n_squares[p] > 0:
        put_tokens(state, tables, tables.squares[p, 0], x)
    if tables.n_squares[p] > 1:
        put_tokens(state, tables, tables.squares[p, 1], value - x)


def put_tokens(state, tables, colour, n):
    if tables.token_cap == c.TokenCap.hard_30:
        n = min(n, tables.token_supply - state.tokens.sum())
    state.tokens[colour] += n


# ---------------------------------------------------------------- 2.4 free move


@inline
def may_shift(state, tables, d):
    """Return whether d may make a free move in the current action (2.4; R-06, R-07, R-62).

    He may do so only once, and not directly after being placed.
    """
    return (
        tables.free_move_when == c.FreeMoveWhen.prelude
        and not state.shifted
        and not state.status[d] & c.Status.SHIFTED
        and (not state.just_placed or tables.shift_after_placing == c.ShiftAfterPlacing.yes)
    )


def may_shift_to(state, tables, d, p):
    """Return whether d may shift to position p (2.4).

    p is another position of the location that is free, or whose occupant may swap with d.
    """
    if p == state.place[d] or not may_stand(state, tables, d, p):
        return False
    other = state.occupant[p]
    return other == c.NONE or may_swap(state, tables, d, other)


def may_swap(state, tables, d, other):
    """Return whether two defenders may swap (2.4).

    Neither is exhausted or disrupted (R-08), and each may stand on the other's position.
    """
    unable = c.Status.EXHAUSTED | c.Status.DISRUPTED
    if tables.swap_partner_acted == c.SwapPartnerActed.no:
        unable |= c.SPENT
    if state.status[d] & (c.Status.EXHAUSTED | c.Status.DISRUPTED) or state.status[other] & unable:
        return False
    return may_stand(state, tables, other, state.place[d])


def shift(state, tables, argument):
    """Move a defender to a free position of the location, or swap it with the occupant (2.4)."""
    d, p = defender_and_position(argument)
    if state.occupant[p] == c.NONE:
        stand(state, tables, d, p)
    else:
        swap(state, tables, d, p)
    state.shifted = 1


# ---------------------------------------------------------------- 2.5 Move


@inline
def reachable(state, tables, d):
    """Return the positions (bit mask) to which d may move (2.5).

    They are free positions of other locations where d may stand. From the Cellar, d may move only to the
    locations connected to it. R-10 determines whether d may enter the Cellar.
    """
    positions = open_positions(state, tables, has(tables, d, c.Attribute.TANK_CREW))
    positions &= tables.moves_from[location_of(state, tables, d)]
    if tables.enter_cellar == c.EnterCellar.never:
        positions &= ~tables.in_cellars
    return positions


# ---------------------------------------------------------------- 2.6 Recover


@inline
def recover(state, d, what):
    """Remove one condition of d: EXHAUSTION or DISRUPTION (2.6)."""
    if what == c.EXHAUSTION:
        state.status[d] &= ~c.Status.EXHAUSTED
    elif what == c.DISRUPTION:
        state.status[d] &= ~c.Status.DISRUPTED


# ---------------------------------------------------------------- 2.7 Command


def may_command(state, tables, d):
    """Return whether d may Command; with R-04 `must_act`, only if a defender can then Recover (2.7)."""
    if not has(tables, d, c.Attribute.COMMAND) or tables.recovers == 0:
        return False
    return tables.blank_action != c.BlankAction.must_act or anybody_receives(state, tables, d)


def anybody_receives(state, tables, commander):
    if is_command_locked(state, tables):
        return False
    here = location_of(state, tables, commander)
    for d in range(tables.n_defenders):
        if may_receive(state, tables, d, here) and (
            state.status[d] & (c.Status.EXHAUSTED | c.Status.DISRUPTED)
            or tables.command_useless == c.CommandUseless.any
        ):
            return True
    return False


def is_command_locked(state, tables):
    """Return whether a Command has no effect because only the reserve may act (R-72; 2.1)."""
    return (
        is_deploying(state, tables)
        and is_locked(tables)
        and tables.command_in_deployment == c.CommandInDeployment.no
    )


def may_receive(state, tables, d, here):
    """Return whether d may receive a Recover (2.7).

    He is in the commander's location `here`, is not a [C], and has no Action token.
    """
    if not is_at(state, tables, d, here):
        return False
    if has(tables, d, c.Attribute.COMMAND) or state.status[d] & c.Status.ACTED:
        return False
    had_already = state.given_to >> d & 1
    if had_already:
        return tables.command_twice_same == c.CommandTwiceSame.yes
    return not (state.status[d] & c.Status.COMMANDED and tables.command_again == c.CommandAgain.no)


def give(state, tables, argument):
    """Give one free Recover. Its recipient gets a Command token (2.7)."""
    d, what = defender_and_gift(argument)
    recover(state, d, what)
    if what != c.TOKEN_ONLY:
        state.commanded += 1
    state.status[d] |= c.Status.COMMANDED
    state.given_to |= 1 << d
    state.gives += 1
    go_on_commanding(state, tables)


def go_on_commanding(state, tables):
    """Continue a Command, or end it when no free Recover is left or no defender can receive one."""
    if state.gives >= tables.recovers or not anybody_receives(state, tables, state.actor):
        finish(state, tables, c.Act.COMMAND, True)


# ---------------------------------------------------------------- 2.8 Escape, and the 142nd


def may_escape(state, tables, d):
    """Return whether d may escape (2.8a, b).

    He has [E], has been in an escape location since the start of the turn, and no SS counter is on a circle
    of his position's colours.
    """
    return is_ready_to_escape(state, tables, d) and is_coast_clear(state, tables, state.place[d])


def is_ready_to_escape(state, tables, d):
    """Return whether d meets all conditions of an escape except that no SS counter is in the way (2.8a)."""
    if not has(tables, d, c.Attribute.ESCAPE) or state.regiment_in:
        return False
    if state.top_deck == 1 and tables.competitive_deck_1 == c.CompetitiveDeck1.not_possible:
        return False
    p, began = state.place[d], state.start_place[d]
    if began < 0 or not tables.escape_from[tables.location[began]]:
        return False
    if tables.escape_timing == c.EscapeTiming.position_at_turn_start and began != p:
        return False
    return tables.escape_from[tables.location[p]] != 0


def is_coast_clear(state, tables, p):
    """Return whether both colours of the position or, depending on R-23, one of them is clear (2.8b).

    R-24 applies if the position has no colour.
    """
    if tables.colours[p, 0] == c.NONE:
        return tables.escape_from_white == c.EscapeFromWhite.yes
    first = is_colour_clear(state, tables, tables.colours[p, 0])
    if tables.colours[p, 1] == c.NONE:
        return first
    second = is_colour_clear(state, tables, tables.colours[p, 1])
    if tables.escape_two_colours == c.EscapeTwoColours.both_clear:
        return first and second
    return first or second


def is_colour_clear(state, tables, colour):
    """Return whether there is no SS counter on any circle of this colour (2.8b).

    With R-26 `all`, Machine Gunners and Mortars count too.
    """
    return counters_on(state, tables, colour, tables.escape_counters == c.EscapeCounters.all) == 0


def escape(state, tables):
    """Remove the defender, and shuffle the 142nd into the last cards of the deck (2.8c, d; R-71)."""
    remove(state, tables, state.actor, c.Place.ESCAPED)
    if state.top_deck == 1 and tables.competitive_deck_1 == c.CompetitiveDeck1.no_card:
        return
    left = state.deck_size - state.deck_next
    n = int(tables.last_cards[state.top_deck])
    if tables.competitive_last_cards == c.CompetitiveLastCards.with_hand:
        n = max(n - state.ss_hand_size, 0)
    if n > left and tables.few_cards_left == c.FewCardsLeft.no_card:
        return
    state.deck[state.deck_size] = tables.n_cards
    state.deck_size += 1
    state.regiment_in = 1
    state.regiment_from = state.deck_size - (min(n, left) + 1)
    shuffle(state, c.Luck.REGIMENT, state.deck, state.regiment_from, state.deck_size)


jit_module(__name__)
