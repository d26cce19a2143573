"""Escape from Colditz for the play loop: which actions are legal at a decision, and what each does."""

from bartizan.simcore.colditz import trace
from bartizan.simcore.colditz.components import (
    APPEL,
    ARGUMENTS,
    EQUIPMENT,
    GERMAN,
    GUARDS,
    MAX_LEGAL,
    NONE,
    NOTHING,
    PAIR,
    TEAM,
    Act,
    ChaseAlone,
    DetectCloses,
    End,
    Loss,
    OuterMinimum,
    PostAndArrest,
    Reaction,
    Stage,
    StakeAndThrow,
    Step,
    Zone,
)
from bartizan.simcore.colditz.features import FEATURES
from bartizan.simcore.colditz.rare import RARE
from bartizan.simcore.colditz.rules import allied_cards as cards
from bartizan.simcore.colditz.rules.allied_cards import (
    put,
    write_answers,
    write_card_plays,
    write_converts,
    write_discards,
    write_room,
)
from bartizan.simcore.colditz.rules.blocking import blocks
from bartizan.simcore.colditz.rules.claims import (
    claim_equipment,
    claim_kit,
    write_equipment_claims,
    write_kit_claims,
)
from bartizan.simcore.colditz.rules.decks import (
    confiscate,
    holds,
    lose_equipment,
    over_limit,
    spend_card,
    spend_order,
    take_equipment,
)
from bartizan.simcore.colditz.rules.escaping import arrive, drive, may_stake_now, next_stake, stake
from bartizan.simcore.colditz.rules.german_cards import (
    begin_search_order,
    finish_shot,
    hold,
    match,
    shoot,
    write_matches,
    write_orders,
)
from bartizan.simcore.colditz.rules.pawns import (
    cards_held,
    first_in_appel,
    guard_in_barracks,
    guards_out,
    imprison,
    in_play,
    is_posted,
    lock_up,
    post_guard,
    prisoner,
    release,
    stand,
    stand_below,
    to_barracks,
)
from bartizan.simcore.colditz.rules.tunnels import leave_by_card, look_for_detection, note_breakout, note_two
from bartizan.simcore.colditz.rules.ways import goal_number, guard_goals, open_way, pay, pow_goals
from bartizan.simcore.colditz.scoring import REPORTING, write_record
from bartizan.simcore.colditz.setup import redeal, reset
from bartizan.simcore.colditz.state import RECORD, STATE
from bartizan.simcore.colditz.tables import TABLES, build_tables
from bartizan.simcore.colditz.turns import (
    advance,
    begin_allied_turn,
    end_allied_turn,
    end_german_turn,
    make_throw,
    next_answerer,
)
from bartizan.simcore.compile.jit import jit
from bartizan.simcore.game import Engine, acts_of

INNER, OUTER = 1, 2  # kinds of guard post
SEVERAL = -2  # `mover`: more than one guard has moved this turn

# ---------------------------------------------------------------- what is legal


@jit
def legal_actions(state, tables, legal):
    """Write the legal actions of the decision at hand into `legal` (int32, modified in place); returns their
    number.
    """
    stage = state.stage
    if stage == Stage.GOTO:
        return write_goals(state, tables, legal)
    if stage == Stage.TURN:
        return (
            write_german_turn(state, tables, legal)
            if state.to_move == GERMAN
            else write_allied_turn(state, tables, legal)
        )
    if stage == Stage.START:
        return write_start(state, tables, legal)
    if stage == Stage.SETUP:
        return write_setup(state, tables, legal)
    if stage == Stage.NEXT:
        return write_next(state, tables, legal)
    if stage == Stage.ROOM:
        return write_room(state, tables, state.room, legal, 0)
    if stage == Stage.ANSWER:
        return write_answers(state, tables, state.player, legal)
    if stage == Stage.LOSE:
        return write_losses(state, tables, legal)
    if stage == Stage.MATCH:
        return write_matches(state, tables, legal)
    act = Act.SAVE if stage == Stage.SAVE else Act.CELL
    return put(legal, put(legal, 0, act, 0), act, 1)


@jit
def write_goals(state, tables, legal):
    """GOTO: what the search has found; STAY unless he may not stop here."""
    n = 0
    if (
        state.to_move == GERMAN
        or state.under[state.picked] != NONE
        or tables.board.stops[state.pow_at[state.picked]]
        or state.fresh_pick
    ):
        n = put(legal, n, Act.STAY, 0)
    for i in range(state.n_goals):
        legal[n + i] = state.goal[i]
    return n + state.n_goals


@jit
def write_allied_turn(state, tables, legal):
    """4.1: the free mixture of a turn; END first."""
    p = state.turn_of
    n = 0
    if over_limit(state, tables):
        n = write_discards(state.hand[p], legal, n)
    else:
        n = put(legal, n, Act.END, 0)
    if state.points > 0:
        n = write_picks(state, p, legal, n)
        if state.releases > 0:
            for block in range(2):
                if prisoner(state, p, block) != NONE:
                    n = put(legal, n, Act.RELEASE, block)
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
            n = put(legal, n, Act.PICK, w - p * TEAM)
    return n


@jit
def write_stakes(state, tables, p, legal, n):
    w = next_stake(state, tables, p, p * TEAM)
    while w != NONE:
        n = put(legal, n, Act.STAKE, w - p * TEAM)
        w = next_stake(state, tables, p, w + 1)
    return n


@jit
def write_german_turn(state, tables, legal):
    """6.1: the free mixture of his turn; END first."""
    n = 0
    if over_limit(state, tables):
        n = write_discards(state.orders, legal, n)
    else:
        n = put(legal, n, Act.END, 0)
    if state.points > 0:  # 6.3, 6.4
        for g in range(GUARDS):
            if may_pick_guard(state, tables, g):
                n = put(legal, n, Act.PICK, g)
        if not state.no_posting and guard_in_barracks(state) != NONE and may_teleport(state, tables, NONE):
            n = write_posts(state, tables, 0, legal, n)
        for g in range(GUARDS):
            if may_recall(state, tables, g) and may_teleport(state, tables, g):
                n = put(legal, n, Act.RECALL, g)
    return write_orders(state, tables, legal, n)


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
            n = put(legal, n, Act.POST, c)
    return n


@jit
def write_setup(state, tables, legal):
    """2.4"""
    out = guards_out(state)
    if out < tables.players:
        return write_posts(state, tables, INNER, legal, 0)
    n = 0
    if out >= tables.players + tables.outer_min:
        n = put(legal, n, Act.END, 0)
    return write_posts(state, tables, OUTER, legal, n)


@jit
def write_next(state, tables, legal):
    """Q1 `free`"""
    n = 0
    for p in range(tables.players):
        if in_play(state, p) and not state.moved >> p & 1:
            n = put(legal, n, Act.NEXT, p)
    return n


@jit
def write_start(state, tables, legal):
    if state.to_move == GERMAN:
        return put(legal, put(legal, 0, Act.THROW, 0), Act.APPEL, 0)
    p = state.player
    n = put(legal, 0, Act.END if state.last_stakes else Act.THROW, 0)
    n = write_converts(state, tables, p, legal, n)
    if not state.last_stakes and cards_held(state, p) > tables.hand_limit:  # 3.4: a STAKE would end the turn
        return write_discards(state.hand[p], legal, n)
    return write_stakes(state, tables, p, legal, n)


@jit
def write_losses(state, tables, legal):
    """7.3: own choice of Equipment, or a Hideaway; 9.7."""
    n = 0
    for e in range(EQUIPMENT):
        if state.equipment[state.player, e] > 0:
            n = put(legal, n, Act.LOSE, e)
    if holds(state, state.player, tables.hideaway):
        n = put(legal, n, Act.LOSE, NOTHING)
    return write_converts(state, tables, state.player, legal, n)


# ---------------------------------------------------------------- what an action does


@jit
def apply(state, tables, action):
    """Play one legal action and everything up to the next decision. Modifies `state`."""
    state.n_events = 0
    act, argument = action // ARGUMENTS, action % ARGUMENTS
    stage = state.stage
    if stage == Stage.GOTO:
        apply_goto(state, tables, action, act, argument)
    elif stage == Stage.TURN:
        apply_turn(state, tables, act, argument)
    elif stage == Stage.START:
        apply_start(state, tables, act, argument)
    elif stage == Stage.SETUP:
        apply_setup(state, tables, act, argument)
    elif stage == Stage.NEXT:
        begin_allied_turn(state, tables, argument)
    elif stage == Stage.ROOM:
        leave_by_card(state, state.picked)
        stand(state, tables, state.picked, argument)
        state.after = Step.TURN
    elif stage == Stage.ANSWER:
        apply_answer(state, tables, act, argument)
    elif stage == Stage.LOSE:
        apply_loss(state, tables, act, argument)
    elif stage == Stage.SAVE:
        apply_save(state, tables, argument)
    elif stage == Stage.MATCH:
        match(state, tables, argument)
        state.after = Step.MATCH
    else:
        lock_up(state, state.cells[state.cells_next], argument)
        state.cells_next += 1
    advance(state, tables)


@jit
def apply_setup(state, tables, act, argument):
    if act == Act.POST:
        post_guard(state, guard_in_barracks(state), argument)
    else:
        state.turn_of = tables.players
        state.after = Step.NEXT_TURN


@jit
def apply_start(state, tables, act, argument):
    if act == Act.THROW:
        make_throw(state, tables)
    elif act == Act.APPEL:
        begin_appel(state, tables)
    elif act == Act.CONVERT or act == Act.DISCARD:
        if act == Act.CONVERT:
            cards.convert(state, tables, argument)
        else:
            spend_card(state, state.player, argument)
        state.after = Step.START
    else:
        if act == Act.STAKE:
            stake(state, tables, state.player * TEAM + argument)
        end_allied_turn(state, tables)


@jit
def apply_turn(state, tables, act, argument):
    stayed = state.stayed
    state.stayed = 0
    state.after = Step.TURN
    if act == Act.PICK:
        state.stayed = stayed
        pick(state, tables, argument)
    elif act == Act.END:
        if state.to_move == GERMAN:
            end_german_turn(state, tables)
        else:
            end_allied_turn(state, tables)
    elif state.to_move == GERMAN:
        apply_german(state, tables, act, argument)
    else:
        apply_allied(state, tables, state.turn_of, act, argument)


@jit
def pick(state, tables, argument):
    """The pawn that moves next: its goals are searched once, here. Modifies `state`."""
    state.after = Step.GOTO
    state.fresh_pick = 1
    if state.to_move == GERMAN:
        state.picked = argument
        guard_goals(state, tables, argument)
    else:
        state.picked = state.turn_of * TEAM + argument
        pow_goals(state, tables, state.picked)


@jit
def apply_allied(state, tables, p, act, argument):
    if act == Act.EQUIP:
        claim_equipment(state, tables, argument // PAIR, argument % PAIR)
    elif act == Act.KIT:
        claim_kit(state, tables, p, argument)
    elif act == Act.RELEASE:
        state.points -= 1
        state.releases -= 1
        release(state, tables, prisoner(state, p, argument), argument, False)
    elif act == Act.STAKE:
        stake(state, tables, p * TEAM + argument)
        end_allied_turn(state, tables)
    elif act == Act.DISCARD:
        spend_card(state, p, argument)
    elif act == Act.BRIBE:
        cards.bribe(state, tables, p, argument)
    elif act == Act.CONVERT:
        cards.convert(state, tables, argument)
    elif act == Act.DIVERT:
        cards.divert(state, tables, p, argument)
    elif act == Act.INSPECT:
        cards.inspect(state, tables, p, argument)
    elif act == Act.SABOTAGE:
        cards.sabotage(state, tables, p)
    elif act == Act.FAST:
        spend_card(state, p, tables.fast[argument // 8])
        state.room = argument // 8
        state.picked = p * TEAM + argument % 8
        state.after = Step.ROOM
    elif act == Act.FREE:
        spend_card(state, p, tables.release)
        release(state, tables, prisoner(state, p, argument // 2), argument // 2, argument % 2 == 1)
    elif act == Act.CAR:
        drive(state, tables, p * TEAM + argument)
    elif act == Act.TUNNEL:
        cards.open_tunnel(state, tables, p, argument)
    elif act == Act.GIVE:
        cards.give(state, argument)
    else:
        cards.give_equipment(state, p, argument)


@jit
def apply_german(state, tables, act, argument):
    if act == Act.POST:
        g = guard_in_barracks(state)
        state.points -= 1
        state.posted |= 1 << g
        note_teleport(state, tables, g)
        post_guard(state, g, argument)
        look_for_detection(state, tables)
    elif act == Act.RECALL:
        state.points -= 1
        state.no_posting = 1
        note_teleport(state, tables, argument)
        to_barracks(state, argument)
    elif act == Act.APPEL:
        begin_appel(state, tables)
    elif act == Act.SEARCH:
        begin_search_order(state, tables, argument)
        state.after = Step.ANSWER
    elif act == Act.HOLDER:
        hold(state, tables, argument)
        if holds(state, state.victim // TEAM, tables.hideaway) and state.supply[state.distance] > 0:
            state.reaction = Reaction.HOLDER
            state.after = Step.SAVE
    elif act == Act.SHOOT:
        shoot(state, tables, argument)
        if state.range >= state.distance and holds(state, state.victim // TEAM, tables.talisman):
            state.reaction = Reaction.SHOT
            state.after = Step.SAVE
        else:
            finish_shot(state, tables)
    elif act == Act.DETECT:
        spend_order(state, tables.detect)
        state.carded[argument] = 1
        state.shut[argument] = tables.detect_closes == DetectCloses.when_played
        look_for_detection(state, tables)
    else:
        spend_order(state, argument)


@jit
def note_mover(state, g):
    """6.5: a chase needs a guard that is the only one to move this turn. Modifies `state`."""
    state.mover = g if state.mover == NONE or state.mover == g else SEVERAL


@jit
def note_teleport(state, tables, g):
    """Q46"""
    if tables.chase_alone == ChaseAlone.teleports_too:
        note_mover(state, g)


@jit
def begin_appel(state, tables):
    """9.1: every player answers in turn, then the range is thrown. Modifies `state`."""
    spend_order(state, tables.appel)
    state.reaction = Reaction.APPEL
    state.answerer = -1
    next_answerer(state)
    state.after = Step.ANSWER


# ---------------------------------------------------------------- the picked pawn


@jit
def apply_goto(state, tables, action, act, argument):
    state.after = Step.TURN
    if act == Act.STAY:
        state.stayed |= 1 << state.picked
        return
    state.stayed = 0
    goal = goal_number(state, action)
    state.points -= state.goal_cost[goal]
    if state.to_move == GERMAN:
        move_guard(state, tables, state.picked, act, argument, goal)
    else:
        move_pow(state, tables, state.picked, act, argument, goal)


@jit
def move_pow(state, tables, w, act, c, goal):
    """4.2 - 4.12. Modifies `state`."""
    t = state.under[w]
    via = state.goal_via[goal] | state.used[w]
    if act == Act.UNDER:
        stand_below(state, tables, w, c)
        note_two(state, tables.board.tunnel_of[c])
        return
    if act == Act.FORCE:
        if state.goal_arc[goal] != NONE:
            pay(state, tables, w, state.goal_arc[goal])
            open_way(state, tables, state.goal_arc[goal])
        g = state.on[c] - 64
        to_barracks(state, g)
        imprison(state, tables, w, Loss.FORCED)
    else:
        arc = state.goal_arc[goal]
        stand(state, tables, w, c)
        if act == Act.CROSS:
            pay(state, tables, w, arc)
            open_way(state, tables, arc)
        if act == Act.CROSS or not tables.board.grey[c]:
            state.used[w] = via
    if t != NONE:
        state.left_tunnel |= 1 << t
    note_breakout(state, state.goal_via[goal])
    arrive(state, tables, w)
    if act == Act.CROSS and state.pow_at[w] >= APPEL and state.points > 0:
        state.fresh_pick = 0
        pow_goals(state, tables, w)
        state.after = Step.GOTO


@jit
def move_guard(state, tables, g, act, c, goal):
    """6.2, 6.5, 7.1 - 7.3. Modifies `state`."""
    if state.goal_via[goal] or (act == Act.GO and blocks(state, tables, g, c)):
        state.chaser = g  # through a room, or to a stop that only a chase allows; who arrests does not stop
    note_mover(state, g)
    if act == Act.GO:
        post_guard(state, g, c)
        look_for_detection(state, tables)
        return
    w = state.on[c] - 1
    if not tables.board.grey[c]:
        confiscate(state, w // TEAM, 1)
    to_barracks(state, g)
    imprison(state, tables, w, Loss.ARREST)
    state.no_posting = 1


# ---------------------------------------------------------------- answers


@jit
def apply_answer(state, tables, act, argument):
    """9.1, 9.2, 9.6: the player goes on answering until END, or until nothing but END is left."""
    p = state.player
    if act == Act.COME:
        cards.come(state, tables, p, argument)
    elif act == Act.WARN:
        cards.warn(state, tables, p)
    elif act == Act.HIDE:
        cards.hide(state, tables, p, argument)
    elif act == Act.DIVERT:
        cards.divert(state, tables, p, argument)
    elif act == Act.CONVERT:
        cards.convert(state, tables, argument)
    if act == Act.END or write_answers(state, tables, p, state.scratch) == 1:
        next_answerer(state)
    state.after = Step.ANSWER


@jit
def apply_loss(state, tables, act, argument):
    """7.3, 9.9: the card goes, or a Hideaway saves it; 9.7: first another card becomes Equipment."""
    if act == Act.CONVERT:
        cards.convert(state, tables, argument)
    elif argument == NOTHING:
        cards.save(state, state.player, tables.hideaway)
        state.to_lose[state.player] -= 1
    else:
        lose_equipment(state, state.player, argument)


@jit
def apply_save(state, tables, accepted):
    """9.3: the Hideaway brings the Key or Pass back; 9.12: with the Talisman the first
    roll is not doubled.
    """
    p = state.victim // TEAM
    shot = state.reaction == Reaction.SHOT
    if accepted:
        cards.save(state, p, tables.talisman if shot else tables.hideaway)
        if shot:
            state.range -= state.first_roll
        else:
            take_equipment(state, p, state.distance)
    if shot:
        finish_shot(state, tables)
    state.reaction = Reaction.NONE
    state.after = Step.TURN


@jit
def turn_of(state):
    """What a record calls its turn."""
    return state.round


ENGINE = Engine(
    state_dtype=STATE,
    tables_dtype=TABLES,
    record_dtype=RECORD,
    build_tables=build_tables,
    reset=reset,
    legal_actions=legal_actions,
    apply=apply,
    write_record=write_record,
    end_reasons={End.LIMIT: "round limit", End.NOBODY_LEFT: "nobody left to play", End.RACE_WON: "race won"},
    max_legal=MAX_LEGAL,
    nulls={
        "first_escape": 0,
        "first_stake_escape": 0,
        "race_1": 0,
        "race_2": 0,
        "first_kit": 0,
        "first_player": -1,
        "racer_1": -1,
        "racer_2": -1,
    },
    acts=acts_of(Act),
    arguments=ARGUMENTS,
    turn_number=turn_of,
    describe_action=trace.describe_action,
    describe_events=trace.describe_events,
    check=trace.check_state,
    labels={"undoing": trace.loss_labels},
    cause_column="undoing",
    reporting=REPORTING,
    rare=RARE,
    determinize=redeal,
    features=FEATURES,
)
