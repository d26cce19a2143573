"""The engine of Castle Rampage: `apply`, and the declaration of the engine for the play loop.

`turns` contains the order of play, `rules/` the rules, and PROTOCOL.md the encoding of actions. All compiled
functions modify `state`.
"""

from bartizan.simcore.compile.jit import jit_module
from bartizan.simcore.game import Engine, acts_of
from bartizan.simcore.kit.journal import log
from bartizan.simcore.rampage import components as c
from bartizan.simcore.rampage import scene, trace
from bartizan.simcore.rampage.actions import argument_of, kind_of, play_of
from bartizan.simcore.rampage.cards import CARDS
from bartizan.simcore.rampage.features import FEATURES
from bartizan.simcore.rampage.legal import legal_actions
from bartizan.simcore.rampage.rare import RARE
from bartizan.simcore.rampage.record import RECORD
from bartizan.simcore.rampage.rules import attack, hidden, zones
from bartizan.simcore.rampage.scoring import REPORTING, write_record
from bartizan.simcore.rampage.setup import reset
from bartizan.simcore.rampage.state import STATE
from bartizan.simcore.rampage.tables import TABLES, build_tables
from bartizan.simcore.rampage.trace import TOPICS
from bartizan.simcore.rampage.turns import advance


def apply(state, tables, action):
    """Apply one legal action and everything up to the next decision."""
    state.n_events = 0
    act, argument = kind_of(action), argument_of(action)
    stage = state.stage
    p = state.on_turn
    if stage == c.Stage.MAIN:
        state.fresh = 0
        if act == c.Act.END:
            state.after = c.Step.END_TURN
        elif act == c.Act.PLAY:
            begin_play(state, tables, argument)
        else:  # 3.2, 3.3
            zones.spare(state, tables, p, argument)
            state.card = argument
            state.to_place = c.Structure.GATE if act == c.Act.GATE else c.Structure.CASTLE
            state.need = tables.place_need[argument]
            state.after = c.Step.PAY
    elif stage == c.Stage.PAY:  # 4.2
        state.need = zones.less(tables, state.need, argument)
        zones.spare(state, tables, p, argument)
        zones.discard(state, tables, argument)
        state.paid += 1
        state.after = c.Step.PAY
    elif stage == c.Stage.SETUP_GATE or stage == c.Stage.SETUP_CASTLE:  # 2.3
        seat = state.to_move
        state.dealt[seat, argument] -= 1
        zones.put_under(state, seat, c.Structure.GATE if act == c.Act.GATE else c.Structure.CASTLE, argument)
        state.placed += 1
        state.after = c.Step.SETUP
    elif stage == c.Stage.ORDER:
        state.after = c.Step.ATTACK if act == c.Act.ATTACK else c.Step.EFFECTS
    elif stage == c.Stage.OPTIONAL:
        state.attack_done = act == c.Act.END
        state.after = c.Step.ORDER if act == c.Act.END else c.Step.STRIKE
    elif stage == c.Stage.TARGET:
        state.attacked = argument
        state.after = c.Step.STRIKE
    elif stage == c.Stage.UNDER:
        zones.put_under(state, p, argument, state.card)
        state.after = c.Step.PLAYED
    elif stage == c.Stage.DROP:
        drop(state, tables, p, argument)
        state.after = c.Step.END_TURN
    else:
        apply_choice(state, tables, stage, argument)
        state.after = c.Step.EFFECTS
    advance(state, tables)


def apply_choice(state, tables, stage, argument):
    """Apply a choice for an effect (7.4 - 7.7)."""
    p = state.on_turn
    q = zones.other(p)
    state.left -= 1
    if stage == c.Stage.LOSE:
        zones.fell(state, tables, p, argument)
        attack.lose_both(state)
    elif stage == c.Stage.RAZE:
        zones.raze(state, tables, q, argument)
    elif stage == c.Stage.TAKE:
        drop(state, tables, q, argument)
        state.lost_cards += 1
    else:  # 7.5: every card in hand with this unit
        for k in range(tables.kinds):
            if tables.shows[k] >> argument & 1:
                for _ in range(state.hand[q, k]):
                    drop(state, tables, q, k)
                    state.lost_cards += 1


def begin_play(state, tables, argument):
    """Take the card to be played, and set its cost with boosts (4.1 - 4.4).

    The card comes from the hand, or from in front of the player.
    """
    p = state.on_turn
    in_front, boosts, k = play_of(argument)
    if in_front:
        state.front[p, k] -= 1
    else:
        zones.take(state, tables, p, k)
    state.card = k
    state.boosts = boosts
    state.need = tables.need[k] + boosts * tables.boost_need[k]
    state.plays += 1
    state.n_plays += 1
    state.n_boosts += boosts
    state.entry = c.NONE
    state.left = 0
    state.effects_done = state.attack_done = 0
    state.outcome = c.Outcome.STANDS
    state.after = c.Step.PAY


def drop(state, tables, p, k):
    zones.spare(state, tables, p, k)
    zones.discard(state, tables, k)
    log(state, c.Event.DISCARDED, p, k)


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
        c.End.CASTLE_FELL: "Castle destroyed",
        c.End.OWN_TURN: "lost in the own turn",
        c.End.TURN_LIMIT: "turn limit",
        c.End.PLAY_LIMIT: "play limit",
        c.End.PILE_EMPTY: "pile empty",
    },
    max_legal=c.MAX_LEGAL,
    nulls={"score": c.NO_SCORE},
    acts=acts_of(c.Act),
    act_words={act.name.lower(): act.words for act in c.Act},
    arguments=c.ARGUMENTS,
    describe_action=trace.describe_action,
    describe_events=scene.SCENE.describe_events,
    scene=scene.SCENE,
    check=trace.check_state,
    reporting=REPORTING,
    cards=CARDS,
    rare=RARE,
    shuffle_unseen=zones.shuffle_unseen,
    determinize=hidden.determinize,
    features=FEATURES,
    topics=TOPICS,
)
