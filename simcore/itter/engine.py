"""Castle Itter for the play loop: what an action does (`apply`), and the Engine."""

from bartizan.simcore.compile.jit import jit
from bartizan.simcore.game import Engine, acts_of
from bartizan.simcore.itter import scene, trace
from bartizan.simcore.itter.actions import argument_of, defender_and_position, kind_of
from bartizan.simcore.itter.components import ARGUMENTS, MAX_LEGAL, Act, End, LoadExhausts, Stage
from bartizan.simcore.itter.features import FEATURES
from bartizan.simcore.itter.legal import legal_actions
from bartizan.simcore.itter.rare import RARE
from bartizan.simcore.itter.rules.attributes import answer_offer
from bartizan.simcore.itter.rules.board import stand
from bartizan.simcore.itter.rules.command import begin_command, give, recover
from bartizan.simcore.itter.rules.counters import spend
from bartizan.simcore.itter.rules.escaping import escape
from bartizan.simcore.itter.rules.fighting import attack, suppress
from bartizan.simcore.itter.rules.fire import fire_next
from bartizan.simcore.itter.rules.hidden import determinize
from bartizan.simcore.itter.rules.moves import shift
from bartizan.simcore.itter.rules.orders import activate, do_nothing, end_phase, finish, place_defender
from bartizan.simcore.itter.rules.planning import lay, lay_tactics
from bartizan.simcore.itter.scoring import write_record
from bartizan.simcore.itter.setup import reset, shuffle_unseen
from bartizan.simcore.itter.state import NO_SCORE, RECORD, STATE
from bartizan.simcore.itter.tables import TABLES, build_tables
from bartizan.simcore.itter.topics import ACT_WORDS, TOPICS
from bartizan.simcore.itter.turns import advance


@jit
def apply(state, tables, action):
    """Play one legal action and everything up to the next decision. Modifies `state`."""
    state.n_events = 0
    kind, argument = kind_of(action), argument_of(action)
    stage = state.stage
    if stage == Stage.ORDERS:
        apply_order(state, tables, kind, argument)
    elif stage == Stage.ACT:
        apply_act(state, tables, kind, argument)
    elif stage == Stage.PLACE:
        place_defender(state, tables, argument)
    elif stage == Stage.COMMAND:
        apply_command(state, tables, kind, argument)
    else:
        apply_answer(state, tables, stage, argument)
    advance(state, tables)


@jit
def apply_order(state, tables, kind, argument):
    if kind == Act.PASS:
        end_phase(state, tables)
    elif kind == Act.ACTIVATE:
        activate(state, tables, argument)
    else:
        d, p = defender_and_position(argument)
        shift(state, tables, d, p)


@jit
def apply_act(state, tables, kind, argument):
    """ACT: a free move, a Command, nothing, or the one thing that ends the action."""
    if kind == Act.SHIFT:
        d, p = defender_and_position(argument)
        shift(state, tables, d, p)
    elif kind == Act.COMMAND:
        begin_command(state, tables)
    elif kind == Act.BLANK:
        do_nothing(state, tables)
    elif kind == Act.RECOVER or kind == Act.ESCAPE:
        apply_quiet_act(state, tables, kind, argument)
        finish(state, tables, kind, False)
    elif kind == Act.LOAD:
        state.loaded = 1
        finish(state, tables, kind, tables.load_exhausts == LoadExhausts.yes)
    else:
        apply_loud_act(state, tables, kind, argument)
        finish(state, tables, kind, True)


@jit
def apply_quiet_act(state, tables, kind, argument):
    """What exhausts nobody."""
    if kind == Act.RECOVER:
        recover(state, state.actor, argument)
        state.recovers += 1
    else:
        escape(state, tables)


@jit
def apply_loud_act(state, tables, kind, argument):
    """What exhausts."""
    if kind == Act.ATTACK or kind == Act.ATTACK_WEAPON:
        attack(state, tables, kind == Act.ATTACK_WEAPON, argument)
    elif kind == Act.SUPPRESS or kind == Act.SUPPRESS_WEAPON:
        suppress(state, tables, kind == Act.SUPPRESS_WEAPON, argument)
    else:
        stand(state, tables, state.actor, argument)


@jit
def apply_command(state, tables, kind, argument):
    if kind == Act.DONE:
        finish(state, tables, Act.COMMAND, True)
    else:
        give(state, tables, argument)


@jit
def apply_answer(state, tables, stage, argument):
    """What a player is asked outside the defenders' actions."""
    if stage == Stage.SPEND:
        spend(state, tables, argument)
    elif stage == Stage.FIRE:
        fire_next(state, tables, argument)
    elif stage == Stage.PLAN:
        lay(state, tables, argument)
    elif stage == Stage.PLAN_TACTICS:
        lay_tactics(state, tables, argument)
    else:
        answer_offer(state, tables, argument)


def tiers(scenario) -> dict[str, int]:
    """Medals (5.0c): name -> least score, best first; there are none where casualties count (7.5)."""
    if scenario.model.victory.counts == "casualties":
        return {}
    return {medal.name: medal.min for medal in sorted(scenario.model.medal.values(), key=lambda m: -m.min)}


def tier_levels(scenario) -> dict[str, str]:
    """Levels of victory (5.0c): medal -> epic, major or minor victory, or draw."""
    there = tiers(scenario)
    return {medal.name: medal.level for medal in scenario.model.medal.values() if medal.name in there}


ENGINE = Engine(
    state_dtype=STATE,
    tables_dtype=TABLES,
    record_dtype=RECORD,
    build_tables=build_tables,
    reset=reset,
    legal_actions=legal_actions,
    apply=apply,
    write_record=write_record,
    end_reasons={End.BREACH: "breach", End.DECK_EMPTY: "deck ran out", End.RELIEVED: "relieved by the 142nd"},
    max_legal=MAX_LEGAL,
    nulls={"score": NO_SCORE},
    tiers=tiers,
    tier_levels=tier_levels,
    min_win_score=lambda scenario: scenario.model.victory.min_score,
    acts=acts_of(Act),
    act_words=ACT_WORDS,
    arguments=ARGUMENTS,
    describe_action=trace.describe_action,
    describe_events=trace.describe_events,
    scene=scene.SCENE,
    check=trace.check_state,
    labels={"breach_circle": trace.exit_labels, "breach_area": trace.area_labels},
    cause_column="breach_circle",
    rare=RARE,
    shuffle_unseen=shuffle_unseen,
    determinize=determinize,
    features=FEATURES,
    topics=TOPICS,
)
