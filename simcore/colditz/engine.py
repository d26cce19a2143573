"""The engine of Escape from Colditz: `apply`, and the declaration of the engine for the play loop.

Functions that return nothing modify `state`.
"""

from bartizan.simcore.colditz import components as cz
from bartizan.simcore.colditz import scene, trace, turns
from bartizan.simcore.colditz.actions import argument_of, both_of, kind_of
from bartizan.simcore.colditz.features import FEATURES
from bartizan.simcore.colditz.legal import legal_actions
from bartizan.simcore.colditz.rare import RARE
from bartizan.simcore.colditz.record import RECORD
from bartizan.simcore.colditz.rules import allied_cards, decks, german_cards, pawns
from bartizan.simcore.colditz.rules import allied_cards as cards
from bartizan.simcore.colditz.rules.escaping import drive, stake
from bartizan.simcore.colditz.rules.guard_moves import guard_goals, move_guard, note_teleport
from bartizan.simcore.colditz.rules.pow_moves import claim_equipment, claim_kit, move_pow, pow_goals
from bartizan.simcore.colditz.rules.ways import goal_number, leave_by_card, look_for_detection
from bartizan.simcore.colditz.scoring import REPORTING, write_record
from bartizan.simcore.colditz.setup import determinize, reset, shuffle_unseen
from bartizan.simcore.colditz.state import STATE
from bartizan.simcore.colditz.tables import TABLES, build_tables
from bartizan.simcore.colditz.trace import ACT_WORDS, TOPICS
from bartizan.simcore.compile.jit import jit_module
from bartizan.simcore.game import Engine, acts_of


def apply(state, tables, action):
    """Apply one legal action and everything up to the next decision."""
    state.n_events = 0
    act, argument = kind_of(action), argument_of(action)
    stage = state.stage
    if stage == cz.Stage.GOTO:
        apply_goto(state, tables, action, act, argument)
    elif stage == cz.Stage.TURN:
        apply_turn(state, tables, act, argument)
    elif stage == cz.Stage.START:
        apply_start(state, tables, act, argument)
    elif stage == cz.Stage.SETUP:
        apply_setup(state, tables, act, argument)
    elif stage == cz.Stage.NEXT:
        turns.begin_allied_turn(state, tables, argument)
    elif stage == cz.Stage.ROOM:
        leave_by_card(state, state.picked)
        pawns.stand(state, tables, state.picked, argument)
        state.after = cz.Step.TURN
    # answers to another player's action
    elif stage == cz.Stage.ANSWER:
        apply_answer(state, tables, act, argument)
    elif stage == cz.Stage.LOSE:
        apply_loss(state, tables, act, argument)
    elif stage == cz.Stage.SAVE:
        apply_save(state, tables, argument)
    elif stage == cz.Stage.MATCH:
        german_cards.match(state, tables, argument)
        state.after = cz.Step.MATCH
    elif stage == cz.Stage.CELL:
        pawns.lock_up(state, state.cells[state.cells_next], argument)
        state.cells_next += 1
    turns.advance(state, tables)


def apply_setup(state, tables, act, argument):
    if act == cz.Act.POST:
        pawns.post_guard(state, pawns.guard_in_barracks(state), argument)
    else:
        state.on_turn = tables.players
        state.after = cz.Step.NEXT_TURN


def apply_start(state, tables, act, argument):
    if act == cz.Act.THROW:
        turns.make_throw(state, tables)
    elif act == cz.Act.APPEL:
        begin_appel(state, tables)
    elif act == cz.Act.CONVERT or act == cz.Act.DISCARD:
        if act == cz.Act.CONVERT:
            cards.convert(state, tables, argument)
        else:
            decks.spend_card(state, state.player, argument)
        state.after = cz.Step.START
    else:
        if act == cz.Act.STAKE:
            stake(state, tables, state.player * cz.TEAM + argument)
        turns.end_allied_turn(state, tables)


def apply_turn(state, tables, act, argument):
    stayed = state.stayed
    state.stayed = 0
    state.after = cz.Step.TURN
    if act == cz.Act.PICK:
        state.stayed = stayed
        pick(state, tables, argument)
    elif act == cz.Act.END:
        if state.to_move == cz.GERMAN:
            turns.end_german_turn(state, tables)
        else:
            turns.end_allied_turn(state, tables)
    elif state.to_move == cz.GERMAN:
        apply_german(state, tables, act, argument)
    else:
        apply_allied(state, tables, state.on_turn, act, argument)


def pick(state, tables, argument):
    state.after = cz.Step.GOTO
    state.fresh_pick = 1
    if state.to_move == cz.GERMAN:
        state.picked = argument
        guard_goals(state, tables, argument)
    else:
        state.picked = state.on_turn * cz.TEAM + argument
        pow_goals(state, tables, state.picked)


def apply_allied(state, tables, p, act, argument):
    if act == cz.Act.EQUIP:
        w, v = both_of(argument)
        claim_equipment(state, tables, w, v)
    elif act == cz.Act.KIT:
        claim_kit(state, tables, p, argument)
    elif act == cz.Act.RELEASE:
        state.points -= 1
        state.releases -= 1
        pawns.release(state, tables, pawns.prisoner(state, p, argument), argument, False)
    elif act == cz.Act.STAKE:
        stake(state, tables, p * cz.TEAM + argument)
        turns.end_allied_turn(state, tables)
    # Opportunity cards
    elif act == cz.Act.DIVERT:
        cards.divert(state, tables, p, argument)
    elif act == cz.Act.INSPECT:
        cards.inspect(state, tables, p, argument)
    elif act == cz.Act.SABOTAGE:
        cards.sabotage(state, tables, p)
    elif act == cz.Act.FAST:
        cards.begin_move_fast(state, tables, p, argument)
    elif act == cz.Act.FREE:
        cards.release_by_card(state, tables, p, argument)
    elif act == cz.Act.CAR:
        drive(state, tables, p * cz.TEAM + argument)
    elif act == cz.Act.TUNNEL:
        cards.open_tunnel(state, tables, p, argument)
    # cards converted to Equipment, given away, or discarded
    elif act == cz.Act.DISCARD:
        decks.spend_card(state, p, argument)
    elif act == cz.Act.BRIBE:
        cards.bribe(state, tables, p, argument)
    elif act == cz.Act.CONVERT:
        cards.convert(state, tables, argument)
    elif act == cz.Act.GIVE:
        cards.give(state, argument)
    elif act == cz.Act.GIVE_EQUIPMENT:
        cards.give_equipment(state, p, argument)


def apply_german(state, tables, act, argument):
    if act == cz.Act.POST:
        post_from_barracks(state, tables, argument)
    elif act == cz.Act.RECALL:
        recall(state, tables, argument)
    elif act == cz.Act.APPEL:
        begin_appel(state, tables)
    elif act == cz.Act.SEARCH:
        german_cards.begin_search_order(state, tables, argument)
        state.after = cz.Step.ANSWER
    elif act == cz.Act.HOLDER:
        german_cards.arrest_holder(state, tables, argument)
    elif act == cz.Act.SHOOT:
        german_cards.shoot_to_kill(state, tables, argument)
    elif act == cz.Act.DETECT:
        suspect_tunnel(state, tables, argument)
    else:
        decks.spend_order(state, argument)


def post_from_barracks(state, tables, c):
    """Post a guard from the barracks (6.3, 6.4)."""
    g = pawns.guard_in_barracks(state)
    state.points -= 1
    state.posted |= 1 << g
    note_teleport(state, tables, g)
    pawns.post_guard(state, g, c)
    look_for_detection(state, tables)


def recall(state, tables, g):
    """Send a guard back to the barracks (6.3)."""
    state.points -= 1
    state.no_posting = 1
    note_teleport(state, tables, g)
    pawns.to_barracks(state, g)


def suspect_tunnel(state, tables, t):
    """Play the card that searches for a tunnel (8.5, Q40)."""
    decks.spend_order(state, tables.detect)
    state.carded[t] = 1
    state.shut[t] = tables.detect_closes == cz.DetectCloses.when_played
    look_for_detection(state, tables)


def begin_appel(state, tables):
    """Begin an Appel: the players answer in turn, then the range is thrown (9.1)."""
    decks.spend_order(state, tables.appel)
    state.reaction = cz.Reaction.APPEL
    state.answerer = -1
    turns.next_answerer(state)
    state.after = cz.Step.ANSWER


# ---------------------------------------------------------------- the picked pawn


def apply_goto(state, tables, action, act, argument):
    state.after = cz.Step.TURN
    if act == cz.Act.STAY:
        state.stayed |= 1 << state.picked
        return
    state.stayed = 0
    goal = goal_number(state, action)
    state.points -= state.goal_cost[goal]
    if state.to_move == cz.GERMAN:
        move_guard(state, tables, state.picked, act, argument, goal)
    else:
        move_pow(state, tables, state.picked, act, argument, goal)


# ---------------------------------------------------------------- answers


def apply_answer(state, tables, act, argument):
    """Apply an answer (9.1, 9.2, 9.6).

    The player answers again until END is chosen or is the only legal action.
    """
    p = state.player
    if act == cz.Act.COME:
        allied_cards.come(state, tables, p, argument)
    elif act == cz.Act.WARN:
        decks.spend_card(state, p, tables.warning)
        state.warned = 1
    elif act == cz.Act.HIDE:
        allied_cards.hide(state, tables, p, argument)
    elif act == cz.Act.DIVERT:
        cards.divert(state, tables, p, argument)
    elif act == cz.Act.CONVERT:
        cards.convert(state, tables, argument)
    if act == cz.Act.END or allied_cards.write_answers(state, tables, p, state.scratch, 0) == 1:
        turns.next_answerer(state)
    state.after = cz.Step.ANSWER


def apply_loss(state, tables, act, argument):
    """Lose an Equipment card, or save it by a Hideaway (7.3, 9.9). A conversion (9.7) may come first."""
    if act == cz.Act.CONVERT:
        cards.convert(state, tables, argument)
    elif argument == cz.NOTHING:
        allied_cards.save(state, state.player, tables.hideaway)
        state.to_lose[state.player] -= 1
    else:
        decks.lose_equipment(state, state.player, argument)


def apply_save(state, tables, accepted):
    """Use a Hideaway or a Talisman if `accepted`, then apply a shot that was waiting.

    A Hideaway recovers the Key or Pass (9.3). With a Talisman, the first roll of a shot counts only once
    (9.12).
    """
    p = state.victim // cz.TEAM
    shot = state.reaction == cz.Reaction.SHOT
    if accepted:
        allied_cards.save(state, p, tables.talisman if shot else tables.hideaway)
        if shot:
            state.range -= state.first_roll
        else:
            decks.take_equipment(state, p, state.distance)
    if shot:
        german_cards.finish_shot(state, tables)
    state.reaction = cz.Reaction.NONE
    state.after = cz.Step.TURN


def turn_number(state):
    return state.round


def member(state):
    """Return the number of the deciding Allied player; 0 for the German."""
    return state.player if state.to_move == cz.ALLIED else 0


jit_module(__name__)


ENGINE = Engine(
    state_dtype=STATE,
    tables_dtype=TABLES,
    record_dtype=RECORD,
    build_tables=build_tables,
    reset=reset,
    legal_actions=legal_actions,
    apply=apply,
    write_record=write_record,
    end_reasons={
        cz.End.LIMIT: "round limit",
        cz.End.NOBODY_LEFT: "nobody left to play",
        cz.End.RACE_WON: "race won",
    },
    max_legal=cz.MAX_LEGAL,
    nulls=dict.fromkeys(("first_escape", "first_stake_escape", "race_1", "race_2", "first_kit"), 0)
    | dict.fromkeys(("first_player", "racer_1", "racer_2"), -1),
    acts=acts_of(cz.Act),
    act_words=ACT_WORDS,
    arguments=cz.ARGUMENTS,
    turn_number=turn_number,
    member=member,
    describe_action=trace.describe_action,
    describe_events=trace.describe_events,
    scene=scene.SCENE,
    check=trace.check_state,
    labels={"undoing": lambda scenario: {int(loss): name for loss, name in trace.LOSSES.items()}},
    cause_column="undoing",
    reporting=REPORTING,
    rare=RARE,
    shuffle_unseen=shuffle_unseen,
    determinize=determinize,
    features=FEATURES,
    topics=TOPICS,
)
