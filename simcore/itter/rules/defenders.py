"""2.0 - 2.8: the Defender Phase. First who may act, then what an activated defender may do, then doing it."""

from bartizan.simcore.compile.jit import inline, jit
from bartizan.simcore.itter.components import (
    ARGUMENTS,
    DISRUPTION,
    EXHAUSTION,
    GUN_TARGET,
    NONE,
    SPENT,
    TOKEN_ONLY,
    Act,
    AttackZero,
    Attribute,
    BlankAction,
    CellarActions,
    CommandAgain,
    CommandInCellar,
    CommandInDeployment,
    CommandTwiceSame,
    CommandUseless,
    CompetitiveDeck1,
    CompetitiveLastCards,
    DeployIntoCellar,
    DeploymentLock,
    EnterCellar,
    EscapeFromWhite,
    EscapeTiming,
    EscapeTwoColours,
    Event,
    Exhaustion,
    FewCardsLeft,
    FreeMoveAlone,
    FreeMoveAndRecover,
    FreeMoveWhen,
    LoadExhausts,
    Luck,
    MayPass,
    Place,
    ShiftAfterPlacing,
    Stage,
    Status,
    Step,
    SwapPartnerActed,
    TokenCap,
    TokensPersist,
    YellowTokens,
)
from bartizan.simcore.itter.rules.attributes import inspire_bonus, may_load, may_use_own, may_use_weapon
from bartizan.simcore.itter.rules.board import (
    has,
    in_cellar,
    is_fit,
    is_open,
    location_of,
    may_stand,
    on_board,
    remove,
    stand,
    swap,
)
from bartizan.simcore.itter.rules.dice import roll
from bartizan.simcore.itter.rules.sight import is_colour_clear, write_targets
from bartizan.simcore.kit.journal import log
from bartizan.simcore.rng import below, rekey

SHIFT_STRIDE = 64  # SHIFT's argument is d * 64 + p
GIVE_STRIDE = 4  # GIVE's is d * 4 + w


@jit
def begin_turn(state, tables):
    """1.1: the next turn's Defender Phase. Modifies `state`."""
    state.turn += 1
    state.actions = 0
    state.actor = NONE
    state.cards_turned = 0
    for d in range(tables.n_defenders):
        state.start_place[d] = state.place[d]
    rekey(state, Luck.DEFENDER, state.turn)
    state.stage = Stage.ORDERS
    state.to_move = 0
    log(state, Event.TURN, state.turn, 0, 0)


@jit
def end_phase(state, tables):
    """2.0d: Action and Command tokens go, everything else stays; then the SS Phase."""
    for d in range(tables.n_defenders):
        state.status[d] &= Status.EXHAUSTED | Status.DISRUPTED
    state.stage = Stage.NONE
    state.step = Step.BEGIN


# ---------------------------------------------------------------- 2.0, 2.1: who may act


@inline
def is_deploying(state, tables):
    """2.1b: one of the starters has not been placed yet."""
    return state.starters_waiting > 0


@jit
def has_open_position(state, tables, d):
    for p in range(tables.n_positions):
        if is_deployable(state, tables, d, p):
            return True
    return False


@inline
def is_deployable(state, tables, d, p):
    """2.1a: any free position; the Cellar by R-03."""
    return is_open(state, tables, d, p) and not (
        tables.is_cellar[tables.location[p]] and tables.deploy_into_cellar == DeployIntoCellar.never
    )


@inline
def is_locked(tables):
    """R-02: while starters wait, only reserve defenders may act."""
    return tables.deployment_lock == DeploymentLock.reserve_only


@jit
def may_activate(state, tables, d, deploying):
    """2.0a, 2.0c, 2.1: may d take the next action?"""
    place = state.place[d]
    if place == Place.RESERVE:
        return has_open_position(state, tables, d)
    if place < 0 or state.status[d] & SPENT:
        return False
    cellar = in_cellar(state, tables, d)
    if deploying and (is_locked(tables) or cellar):
        return False
    if is_bound(state, tables, d):
        return is_fit(state, d) and write_moves(state, tables, d, 0, state.scratch, 0) > 0
    return True


@inline
def is_bound(state, tables, d):
    """R-11 `move_only`: in the Cellar nothing but the Move to the Great Hall."""
    return in_cellar(state, tables, d) and tables.cellar_actions == CellarActions.move_only


@jit
def write_orders(state, tables, legal):
    """ORDERS: which defender takes the next action, or PASS (R-01)."""
    deploying = is_deploying(state, tables)
    n = 0
    for d in range(tables.n_defenders):
        if state.place[d] != Place.RESERVE and (
            state.place[d] < 0 or state.status[d] & SPENT or (deploying and is_locked(tables))
        ):
            continue  # the quick part of may_activate
        if may_activate(state, tables, d, deploying):
            legal[n] = Act.ACTIVATE * ARGUMENTS + d
            n += 1
    if n == 0 or tables.may_pass == MayPass.yes:
        legal[n] = Act.PASS * ARGUMENTS
        n += 1
    if tables.free_move_when == FreeMoveWhen.any_time:
        for d in range(tables.n_defenders):
            if (
                on_board(state, d)
                and is_fit(state, d)
                and may_activate(state, tables, d, deploying)
                and not is_bound(state, tables, d)
            ):
                n = write_shifts(state, tables, d, legal, n)
    return n


@jit
def write_places(state, tables, legal):
    """PLACE: where the activated reserve defender may be put (2.1a)."""
    n = 0
    for p in range(tables.n_positions):
        if is_deployable(state, tables, state.actor, p):
            legal[n] = Act.PLACE * ARGUMENTS + p
            n += 1
    return n


# ---------------------------------------------------------------- 2.2 - 2.8: what the activated defender may
# do


@jit
def write_acts(state, tables, legal):
    """ACT: everything the activated defender may do now."""
    d = state.actor
    if not is_fit(state, d):
        return write_recovers(state, tables, d, legal)
    must_act = tables.blank_action == BlankAction.must_act
    n = 0
    if not in_cellar(state, tables, d):
        n = write_attacks(state, tables, d, legal, n)
        n = write_suppresses(state, tables, d, legal, n, must_act)
        n = write_command(state, tables, d, legal, n, must_act)
        if may_load(state, tables, d, state.place[d]):
            legal[n] = Act.LOAD * ARGUMENTS
            n += 1
        if may_escape(state, tables, d):
            legal[n] = Act.ESCAPE * ARGUMENTS
            n += 1
    elif tables.command_in_cellar == CommandInCellar.yes:
        n = write_command(state, tables, d, legal, n, must_act)
    n = write_moves(state, tables, d, Act.MOVE * ARGUMENTS, legal, n)
    bound = is_bound(state, tables, d)
    if n == 0 or state.shifted or not (must_act or bound):
        legal[n] = Act.BLANK * ARGUMENTS
        n += 1
    if may_shift(state, tables, d) and not bound:
        n = write_shifts(state, tables, d, legal, n)
    return n


@jit
def write_recovers(state, tables, d, legal):
    """2.0c, 2.6: exhausted or disrupted, d may only Recover (R-09 `yes`: after a free move)."""
    n = 0
    if state.status[d] & Status.EXHAUSTED:
        legal[n] = Act.RECOVER * ARGUMENTS + EXHAUSTION
        n += 1
    if state.status[d] & Status.DISRUPTED:
        legal[n] = Act.RECOVER * ARGUMENTS + DISRUPTION
        n += 1
    if tables.free_move_and_recover == FreeMoveAndRecover.yes and may_shift(state, tables, d):
        n = write_shifts(state, tables, d, legal, n)
    return n


@inline
def may_shift(state, tables, d):
    """2.4 as a prelude to the action at hand: once, and not after being placed (R-06, R-07, R-62)."""
    return (
        tables.free_move_when == FreeMoveWhen.prelude
        and not state.shifted
        and not state.status[d] & Status.SHIFTED
        and (not state.just_placed or tables.shift_after_placing == ShiftAfterPlacing.yes)
    )


@jit
def write_shifts(state, tables, d, legal, n):
    """2.4: free positions of the location, or a swap when neither is exhausted or disrupted (R-08)."""
    here = state.place[d]
    location = tables.location[here]
    for p in range(tables.first_position[location], tables.end_position[location]):
        if p != here and may_stand(state, tables, d, p):
            other = state.occupant[p]
            if other == NONE or may_swap(state, tables, d, other):
                legal[n] = Act.SHIFT * ARGUMENTS + d * SHIFT_STRIDE + p
                n += 1
    return n


@jit
def may_swap(state, tables, d, other):
    unable = Status.EXHAUSTED | Status.DISRUPTED
    if tables.swap_partner_acted == SwapPartnerActed.no:
        unable |= SPENT
    if state.status[d] & (Status.EXHAUSTED | Status.DISRUPTED) or state.status[other] & unable:
        return False
    return may_stand(state, tables, other, state.place[d])


@jit
def write_attacks(state, tables, d, legal, n):
    """2.2: own or printed dice, plus Inspire, against one SS counter in sight; no dice, no attack (R-13)."""
    p = state.place[d]
    if tables.n_seen[p] == 0:
        return n
    bonus = inspire_bonus(state, tables, d)
    own = tables.attack[d]
    if (
        may_use_own(state, tables, d, p)
        and own + bonus > 0
        and (own > 0 or tables.attack_zero == AttackZero.yes)
    ):
        n = write_targets(state, tables, p, Act.ATTACK * ARGUMENTS, legal, n)
    if may_use_weapon(state, tables, d, p) and tables.weapon_attack[p] + bonus > 0:
        n = write_targets(state, tables, p, Act.ATTACK_WEAPON * ARGUMENTS, legal, n)
    return n


@jit
def write_suppresses(state, tables, d, legal, n, must_act):
    """2.3: each way to divide the tokens over the squares of the position's colours (R-15)."""
    p = state.place[d]
    if tables.n_squares[p] == 0 and (must_act or tables.yellow_tokens == YellowTokens.forbidden):
        return n
    bonus = inspire_bonus(state, tables, d)
    if may_use_own(state, tables, d, p):
        n = write_splits(tables, p, Act.SUPPRESS * ARGUMENTS, tables.suppress[d] + bonus, legal, n, must_act)
    if may_use_weapon(state, tables, d, p):
        n = write_splits(
            tables, p, Act.SUPPRESS_WEAPON * ARGUMENTS, tables.weapon_suppress[p] + bonus, legal, n, must_act
        )
    return n


@jit
def write_splits(tables, p, code, value, legal, n, must_act):
    if must_act and value == 0:
        return n
    squares = tables.n_squares[p]
    most = value if squares > 0 else 0
    least = 0 if squares == 2 else most
    for x in range(least, most + 1):
        legal[n] = code + x
        n += 1
    return n


@jit
def write_moves(state, tables, d, code, legal, n):
    """2.5: a free position of another location; from the Cellar only where it leads;
    into the Cellar by R-10.
    """
    here = location_of(state, tables, d)
    for p in range(tables.n_positions):
        if state.occupant[p] != NONE:
            continue
        there = tables.location[p]
        if not tables.move_out[here, there] or not may_stand(state, tables, d, p):
            continue
        if tables.is_cellar[there] and tables.enter_cellar == EnterCellar.never:
            continue
        legal[n] = code + p
        n += 1
    return n


@jit
def write_command(state, tables, d, legal, n, must_act):
    """2.7: a commander may Command; with R-04 `must_act` only when somebody can Recover by it."""
    if has(tables, d, Attribute.COMMAND) and tables.recovers > 0:
        if not must_act or write_gives(state, tables, d, legal, n) > n:
            legal[n] = Act.COMMAND * ARGUMENTS
            n += 1
    return n


@jit
def write_gives(state, tables, commander, legal, n):
    """2.7: the free Recovers a commander can give in his location: not to [C], not to one with an Action
    token, to nobody while 2.1 lets only the reserve act (R-72).
    """
    if (
        is_deploying(state, tables)
        and is_locked(tables)
        and tables.command_in_deployment == CommandInDeployment.no
    ):
        return n
    here = location_of(state, tables, commander)
    for d in range(tables.n_defenders):
        if (
            not on_board(state, d)
            or location_of(state, tables, d) != here
            or not may_receive(state, tables, d)
        ):
            continue
        code = Act.GIVE * ARGUMENTS + d * GIVE_STRIDE
        if state.status[d] & Status.EXHAUSTED:
            legal[n] = code + EXHAUSTION
            n += 1
        if state.status[d] & Status.DISRUPTED:
            legal[n] = code + DISRUPTION
            n += 1
        if tables.command_useless == CommandUseless.any:
            legal[n] = code + TOKEN_ONLY
            n += 1
    return n


@jit
def may_receive(state, tables, d):
    if has(tables, d, Attribute.COMMAND) or state.status[d] & Status.ACTED:
        return False
    had_already = state.given_to >> d & 1
    if had_already:
        return tables.command_twice_same == CommandTwiceSame.yes
    return not (state.status[d] & Status.COMMANDED and tables.command_again == CommandAgain.no)


@jit
def may_escape(state, tables, d):
    """2.8a, b: [E], in an escape location since the turn began, and nobody on a circle of its position's
    colours.
    """
    if not has(tables, d, Attribute.ESCAPE) or state.regiment_in:
        return False
    if state.top_deck == 1 and tables.competitive_deck_1 == CompetitiveDeck1.not_possible:
        return False
    p, began = state.place[d], state.start_place[d]
    if (
        began < 0
        or not tables.escape_from[tables.location[began]]
        or not tables.escape_from[tables.location[p]]
    ):
        return False
    if tables.escape_timing == EscapeTiming.position_at_turn_start and began != p:
        return False
    if tables.colours[p, 0] == NONE:
        return tables.escape_from_white == EscapeFromWhite.yes
    first = is_colour_clear(state, tables, tables.colours[p, 0])
    if tables.colours[p, 1] == NONE:
        return first
    second = is_colour_clear(state, tables, tables.colours[p, 1])
    if tables.escape_two_colours == EscapeTwoColours.both_clear:
        return first and second
    return first or second


# ---------------------------------------------------------------- doing it


@jit
def activate(state, tables, d):
    state.actor = d
    state.shifted = 0
    state.just_placed = 0
    state.given_to = 0
    state.gives = 0
    state.stage = Stage.PLACE if state.place[d] == Place.RESERVE else Stage.ACT


@jit
def place_defender(state, tables, p):
    """2.1a: then the defender acts from there, in the same action."""
    if tables.start[state.actor] == Place.RESERVE:
        state.starters_waiting -= 1
    stand(state, tables, state.actor, p)
    state.just_placed = 1
    state.stage = Stage.ACT


@jit
def shift(state, tables, d, p):
    """2.4: go to a free position of the location, or swap."""
    if state.occupant[p] == NONE:
        stand(state, tables, d, p)
    else:
        swap(state, tables, d, p)
    state.shifted = 1


@jit
def finish(state, tables, what, exhausts):
    """The actor's action (an Act) is done: Action token, exhausted or not (7.1, R-64); after the fifth the
    phase ends (2.0).
    """
    state.doer[state.actions] = state.actor
    state.did[state.actions] = what
    if on_board(state, state.actor):
        state.status[state.actor] |= Status.ACTED
        if exhausts and tables.exhaustion == Exhaustion.yes:
            state.status[state.actor] |= Status.EXHAUSTED
    state.actions += 1
    state.actor = NONE
    state.stage = Stage.ORDERS
    if state.actions >= tables.defender_actions:
        end_phase(state, tables)


@jit
def act(state, tables, kind, argument):
    """Carry out one choice of stage ACT. Modifies `state`."""
    d = state.actor
    if kind == Act.SHIFT:
        shift(state, tables, argument // SHIFT_STRIDE, argument % SHIFT_STRIDE)
    elif kind == Act.ATTACK or kind == Act.ATTACK_WEAPON:
        attack(state, tables, kind == Act.ATTACK_WEAPON, argument)
        finish(state, tables, kind, True)
    elif kind == Act.SUPPRESS or kind == Act.SUPPRESS_WEAPON:
        suppress(state, tables, kind == Act.SUPPRESS_WEAPON, argument)
        finish(state, tables, kind, True)
    elif kind == Act.MOVE:
        stand(state, tables, d, argument)
        finish(state, tables, kind, True)
    elif kind == Act.RECOVER:
        recover(state, d, argument)
        state.recovers += 1
        finish(state, tables, kind, False)
    elif kind == Act.COMMAND:
        state.stage = Stage.COMMAND
        go_on_commanding(state, tables)
    elif kind == Act.LOAD:
        state.loaded = 1
        finish(state, tables, kind, tables.load_exhausts == LoadExhausts.yes)
    elif kind == Act.ESCAPE:
        escape(state, tables)
        finish(state, tables, kind, False)
    else:
        blank(state, tables)


@jit
def attack(state, tables, weapon, target):
    """2.2: roll against the counter's Defence Value; success removes it."""
    d = state.actor
    p = state.place[d]
    dice = inspire_bonus(state, tables, d) + (tables.weapon_attack[p] if weapon else tables.attack[d])
    area = target % GUN_TARGET
    gun = target // GUN_TARGET
    kind = tables.gun_kinds[gun - 1] if gun else state.counter[area]
    state.attacks += 1
    if weapon and tables.needs_load[p]:
        state.loaded = tables.keeps_load[p]
        state.shells += 1
    if roll(state, tables, Luck.DEFENDER, dice, tables.defence[kind]):
        if gun:
            state.guns[kind, area] -= 1
        else:
            state.counter[area] = NONE
        state.supply[kind] += 1
        state.counters_shot += 1
        log(state, Event.REMOVED, kind, area, 0)


@jit
def suppress(state, tables, weapon, x):
    """2.3: x tokens on the first square, the rest on the second; over the supply they are lost (R-17)."""
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


@jit
def put_tokens(state, tables, colour, n):
    if tables.token_cap == TokenCap.hard_30:
        n = min(n, tables.token_supply - tokens_out(state, tables))
    state.tokens[colour] += n


@jit
def tokens_out(state, tables):
    out = 0
    for colour in range(tables.n_colours):
        out += state.tokens[colour]
    return out


@jit
def clear_tokens(state, tables):
    """R-16 `cleared`: unused Suppression tokens do not outlast the turn."""
    if tables.tokens_persist == TokensPersist.cleared:
        for colour in range(tables.n_colours):
            state.tokens[colour] = 0


@inline
def recover(state, d, what):
    """2.6: turn the exhausted side back, or remove the Disrupt token."""
    if what == EXHAUSTION:
        state.status[d] &= ~Status.EXHAUSTED
    elif what == DISRUPTION:
        state.status[d] &= ~Status.DISRUPTED


@jit
def give(state, tables, argument):
    """2.7: one free Recover; the recipient gets a Command token."""
    d, what = argument // GIVE_STRIDE, argument % GIVE_STRIDE
    recover(state, d, what)
    if what != TOKEN_ONLY:
        state.commanded += 1
    state.status[d] |= Status.COMMANDED
    state.given_to |= 1 << d
    state.gives += 1
    go_on_commanding(state, tables)


@jit
def go_on_commanding(state, tables):
    """Up to three free Recovers; the Command is over when no more can be given."""
    if state.gives >= tables.recovers or write_gives(state, tables, state.actor, state.scratch, 0) == 0:
        finish(state, tables, Act.COMMAND, True)


@jit
def blank(state, tables):
    """R-04; after a free move R-07 says what it costs. A placing is an action in any case."""
    if state.shifted and not state.just_placed and tables.free_move_alone == FreeMoveAlone.free:
        state.status[state.actor] |= Status.SHIFTED
        state.actor = NONE
        state.stage = Stage.ORDERS
        return
    finish(state, tables, Act.BLANK, state.shifted and tables.free_move_alone == FreeMoveAlone.exhausts)


@jit
def escape(state, tables):
    """2.8c, d: the defender is away; the 142nd is shuffled into the last cards of the
    draw deck (R-28, R-71).
    """
    remove(state, tables, state.actor, Place.ESCAPED)
    if state.top_deck == 1 and tables.competitive_deck_1 == CompetitiveDeck1.no_card:
        return
    left = state.deck_size - state.deck_next
    n = int(tables.last_cards[state.top_deck])
    if tables.competitive_last_cards == CompetitiveLastCards.with_hand:
        n = max(n - state.ss_hand_size, 0)
    if n > left:
        if tables.few_cards_left == FewCardsLeft.no_card:
            return
        n = left
    state.deck[state.deck_size] = tables.n_cards
    state.deck_size += 1
    state.regiment_in = 1
    first = state.deck_size - (n + 1)
    state.regiment_from = first
    for i in range(n, 0, -1):
        a, b = first + i, first + below(state, Luck.REGIMENT, i + 1)
        state.deck[a], state.deck[b] = state.deck[b], state.deck[a]
