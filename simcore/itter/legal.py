"""The legal actions at a decision (PROTOCOL.md section 2).

Each `write_*` appends to `legal` (int32, modified in place), which already has n entries, and returns the new
n.
"""

from bartizan.simcore.compile.bits import lowest
from bartizan.simcore.compile.jit import inline, jit
from bartizan.simcore.itter import components as c
from bartizan.simcore.itter.actions import action, gift, shift_to, target_of
from bartizan.simcore.itter.rules.attributes import inspire_bonus, may_load, may_use_own, may_use_weapon
from bartizan.simcore.itter.rules.board import has, in_cellar, is_fit, location_of, on_board
from bartizan.simcore.itter.rules.defenders import (
    deployable,
    is_bound,
    is_command_locked,
    is_deploying,
    may_activate,
    may_attack_own,
    may_command,
    may_escape,
    may_receive,
    may_shift,
    may_shift_to,
    reachable,
    ready,
    targets,
)
from bartizan.simcore.itter.rules.siege import usable_tokens
from bartizan.simcore.itter.rules.tactics import may_lay
from bartizan.simcore.kit.actions import append, write_first, write_set


@jit
def legal_actions(state, tables, legal):
    """Write the legal actions of the current decision into `legal`, and return their number."""
    stage = state.stage
    if stage == c.Stage.ORDERS:
        return write_orders(state, tables, legal, 0)
    if stage == c.Stage.ACT:
        return write_acts(state, tables, state.actor, legal, 0)
    if stage == c.Stage.PLACE:  # 2.1a
        positions = deployable(state, tables, has(tables, state.actor, c.Attribute.TANK_CREW))
        return write_set(legal, 0, action(c.Act.PLACE, 0), positions)
    if stage == c.Stage.COMMAND:
        n = write_gives(state, tables, state.actor, legal, 0)
        return append(legal, n, action(c.Act.DONE, 0))
    if stage == c.Stage.SPEND:  # 4.3b: 0 .. all tokens of the square; one at a time with R-18 `one_by_one`
        most = usable_tokens(state, tables)
        if tables.suppress_spending == c.SuppressSpending.one_by_one:
            most = min(most, 1)
        return write_first(legal, action(c.Act.SPEND, 0), most + 1)
    if stage == c.Stage.PLAN:
        return write_plans(state, tables, legal)
    if stage == c.Stage.PLAN_TACTICS:  # 6.2b
        n = 0
        for card in range(tables.tactics_end[4]):
            if state.tactics_hand >> int(card) & 1:
                n = append(legal, n, action(c.Act.LAY_TACTICS, card))
        return n
    # SACRIFICE: no or yes; FIRE: Machine Gunner or Mortar
    return write_first(legal, action(c.Act.SACRIFICE if stage == c.Stage.SACRIFICE else c.Act.FIRE, 0), 2)


@inline
def write_plans(state, tables, legal):
    """Write the cards of the SS player's hand that may be played (6.2b, c; R-54).

    If mandatory cards fill the places left, only these are written.
    """
    must_cards = 0
    for card in range(tables.n_cards + 1):
        if tables.must_play[card]:
            must_cards += state.ss_hand[card]
    only_must = must_cards >= tables.ss_cards - state.n_planned
    n = 0
    for card in range(tables.n_cards + 1):
        if may_lay(state, tables, card) and (not only_must or tables.must_play[card]):
            n = append(legal, n, action(c.Act.LAY, card))
    return n


# ---------------------------------------------------------------- 2.0, 2.1: who acts, and from where


@inline
def write_orders(state, tables, legal, n):
    """Write the actions of an ORDERS decision.

    They are the defenders who may take the next action, PASS if there is none or R-01 allows it, and SHIFT
    with R-06 `any_time`.
    """
    deploying = is_deploying(state, tables)
    n = write_set(legal, n, action(c.Act.ACTIVATE, 0), ready(state, tables, deploying))
    if n == 0 or tables.may_pass == c.MayPass.yes:
        n = append(legal, n, action(c.Act.PASS, 0))
    if tables.free_move_when == c.FreeMoveWhen.any_time:  # for every fit defender who may be activated
        for d in range(tables.n_defenders):
            if on_board(state, d) and is_fit(state, d) and may_activate(state, tables, d, deploying):
                if not is_bound(state, tables, d):
                    n = write_shifts(state, tables, d, legal, n)
    return n


# ---------------------------------------------------------------- 2.2 - 2.8: actions of the chosen defender


@inline
def write_acts(state, tables, d, legal, n):
    if not is_fit(state, d):  # 2.0c, 2.6: d may only Recover (R-09 `yes`: after a free move)
        if state.status[d] & c.Status.EXHAUSTED:
            n = append(legal, n, action(c.Act.RECOVER, c.EXHAUSTION))
        if state.status[d] & c.Status.DISRUPTED:
            n = append(legal, n, action(c.Act.RECOVER, c.DISRUPTION))
        if tables.free_move_and_recover == c.FreeMoveAndRecover.yes and may_shift(state, tables, d):
            n = write_shifts(state, tables, d, legal, n)
        return n
    outside = not in_cellar(state, tables, d)
    if outside:
        bonus = inspire_bonus(state, tables, d)
        n = write_attacks(state, tables, d, bonus, legal, n)
        n = write_suppresses(state, tables, d, bonus, legal, n)
    if (outside or tables.command_in_cellar == c.CommandInCellar.yes) and may_command(state, tables, d):
        n = append(legal, n, action(c.Act.COMMAND, 0))
    if outside:
        if may_load(state, tables, d, state.place[d]):
            n = append(legal, n, action(c.Act.LOAD, 0))
        if may_escape(state, tables, d):
            n = append(legal, n, action(c.Act.ESCAPE, 0))
    n = write_moves(state, tables, d, legal, n)
    bound = is_bound(state, tables, d)
    if n == 0 or state.shifted or not (tables.blank_action == c.BlankAction.must_act or bound):
        n = append(legal, n, action(c.Act.BLANK, 0))
    if may_shift(state, tables, d) and not bound:
        n = write_shifts(state, tables, d, legal, n)
    return n


@inline
def write_shifts(state, tables, d, legal, n):
    """Write free moves within the location (2.4; R-08).

    They lead to free positions, or swap with another defender.
    """
    location = location_of(state, tables, d)
    for p in range(tables.first_position[location], tables.end_position[location]):
        if may_shift_to(state, tables, d, p):
            n = append(legal, n, action(c.Act.SHIFT, shift_to(d, p)))
    return n


@inline
def write_attacks(state, tables, d, bonus, legal, n):
    """Write attacks on SS counters in sight, with the defender's own or the printed dice plus Inspire.

    Without dice, no attack is possible (2.2; R-13).
    """
    p = state.place[d]
    counters, guns = targets(state, tables, p)
    if not counters | guns:
        return n
    if may_attack_own(state, tables, d, p, bonus):
        n = write_targets(state, tables, action(c.Act.ATTACK, 0), counters, guns, legal, n)
    if may_use_weapon(state, tables, d, p) and tables.weapon_attack[p] + bonus > 0:
        n = write_targets(state, tables, action(c.Act.ATTACK_WEAPON, 0), counters, guns, legal, n)
    return n


@inline
def write_targets(state, tables, attack, counters, guns, legal, n):
    """Append the action `attack` for each of these SS counters, circle by circle.

    counters, guns: bit masks of circles (`targets`).
    """
    if not guns:
        return write_set(legal, n, attack, counters)
    circles = counters | guns
    while circles:
        circle = lowest(circles)
        circles &= circles - 1
        if counters >> circle & 1:
            n = append(legal, n, attack + target_of(0, circle))
        if guns >> circle & 1:
            for gun in range(1, 3):
                if state.guns[tables.gun_kinds[gun - 1], circle] > 0:
                    n = append(legal, n, attack + target_of(gun, circle))
    return n


@inline
def write_suppresses(state, tables, d, bonus, legal, n):
    """Write each way to divide the tokens between the squares of the position's colours (2.3; R-15)."""
    p = state.place[d]
    no_use = tables.blank_action == c.BlankAction.must_act or tables.yellow_tokens == c.YellowTokens.forbidden
    if tables.n_squares[p] == 0 and no_use:
        return n
    if may_use_own(state, tables, d, p):
        n = write_splits(tables, p, action(c.Act.SUPPRESS, 0), tables.suppress[d] + bonus, legal, n)
    if may_use_weapon(state, tables, d, p):
        value = tables.weapon_suppress[p] + bonus
        n = write_splits(tables, p, action(c.Act.SUPPRESS_WEAPON, 0), value, legal, n)
    return n


@inline
def write_splits(tables, p, suppress, value, legal, n):
    """Write `suppress` with each possible number of tokens for the first square.

    With R-04 `must_act`, there must be tokens to place (2.3).
    """
    if value == 0 and tables.blank_action == c.BlankAction.must_act:
        return n
    squares = tables.n_squares[p]
    most = value if squares > 0 else 0
    least = 0 if squares == 2 else most
    for x in range(least, most + 1):
        n = append(legal, n, suppress + x)
    return n


@inline
def write_moves(state, tables, d, legal, n):
    """Write moves to other locations (2.5)."""
    return write_set(legal, n, action(c.Act.MOVE, 0), reachable(state, tables, d))


@inline
def write_gives(state, tables, commander, legal, n):
    """Write the Recovers that a commander can give (2.7)."""
    if is_command_locked(state, tables):
        return n
    here = location_of(state, tables, commander)
    for d in range(tables.n_defenders):
        if not may_receive(state, tables, d, here):
            continue
        if state.status[d] & c.Status.EXHAUSTED:
            n = append(legal, n, action(c.Act.GIVE, gift(d, c.EXHAUSTION)))
        if state.status[d] & c.Status.DISRUPTED:
            n = append(legal, n, action(c.Act.GIVE, gift(d, c.DISRUPTION)))
        if tables.command_useless == c.CommandUseless.any:
            n = append(legal, n, action(c.Act.GIVE, gift(d, c.TOKEN_ONLY)))
    return n
