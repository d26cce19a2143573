"""The engine of Castle Itter: `apply`, and the declaration of the engine for the play loop."""

from bartizan.simcore.compile.jit import jit
from bartizan.simcore.game import Engine, acts_of
from bartizan.simcore.itter import scene, trace
from bartizan.simcore.itter.actions import argument_of, kind_of
from bartizan.simcore.itter.components import ARGUMENTS, MAX_LEGAL, Act, End, LoadExhausts, Stage
from bartizan.simcore.itter.features import FEATURES
from bartizan.simcore.itter.legal import legal_actions
from bartizan.simcore.itter.rare import RARE
from bartizan.simcore.itter.record import NO_SCORE, RECORD
from bartizan.simcore.itter.rules import attributes, board, defenders, hidden, siege, tactics
from bartizan.simcore.itter.scoring import write_record
from bartizan.simcore.itter.setup import reset, shuffle_unseen
from bartizan.simcore.itter.state import STATE
from bartizan.simcore.itter.tables import TABLES, build_tables
from bartizan.simcore.itter.trace import ACTIONS, TOPICS
from bartizan.simcore.itter.turns import advance


@jit
def apply(state, tables, action):
    """Apply one legal action and everything up to the next decision. Modifies `state`."""
    state.n_events = 0
    kind, argument = kind_of(action), argument_of(action)
    stage = state.stage
    if stage == Stage.ORDERS:
        if kind == Act.PASS:
            defenders.end_phase(state, tables)
        elif kind == Act.ACTIVATE:
            defenders.activate(state, tables, argument)
        else:
            defenders.shift(state, tables, argument)
    elif stage == Stage.ACT:
        apply_act(state, tables, kind, argument)
    elif stage == Stage.PLACE:
        defenders.place_defender(state, tables, argument)
    elif stage == Stage.COMMAND:
        if kind == Act.DONE:
            defenders.finish(state, tables, Act.COMMAND, True)
        else:
            defenders.give(state, tables, argument)
    elif stage == Stage.SPEND:
        siege.spend(state, tables, argument)
    elif stage == Stage.FIRE:
        siege.fire_next(state, tables, argument)
    elif stage == Stage.PLAN:
        tactics.lay(state, tables, argument)
    elif stage == Stage.PLAN_TACTICS:
        tactics.lay_tactics(state, tables, argument)
    else:
        attributes.answer_offer(state, tables, argument)
    advance(state, tables)


@jit
def apply_act(state, tables, kind, argument):
    """Apply a choice of the activated defender (ACT).

    It is a free move, a Command, no effect, or an effect that ends the action.
    """
    if kind == Act.SHIFT:
        defenders.shift(state, tables, argument)
        return
    if kind == Act.COMMAND:
        state.stage = Stage.COMMAND
        defenders.go_on_commanding(state, tables)
        return
    if kind == Act.BLANK:
        defenders.do_nothing(state, tables)
        return
    exhausts = True
    if kind == Act.RECOVER:
        defenders.recover(state, state.actor, argument)
        state.recovers += 1
        exhausts = False
    elif kind == Act.ESCAPE:
        defenders.escape(state, tables)
        exhausts = False
    elif kind == Act.LOAD:
        state.loaded = 1
        exhausts = tables.load_exhausts == LoadExhausts.yes
    elif kind == Act.ATTACK or kind == Act.ATTACK_WEAPON:
        defenders.attack(state, tables, kind == Act.ATTACK_WEAPON, argument)
    elif kind == Act.SUPPRESS or kind == Act.SUPPRESS_WEAPON:
        defenders.suppress(state, tables, kind == Act.SUPPRESS_WEAPON, argument)
    else:
        board.stand(state, tables, state.actor, argument)
    defenders.finish(state, tables, kind, exhausts)


def tiers(scenario) -> dict[str, int]:
    """Map each medal to its lowest score, best medal first (5.0c); {} if casualties count (7.5)."""
    if scenario.model.victory.counts == "casualties":
        return {}
    return {medal.name: medal.min for medal in sorted(scenario.model.medal.values(), key=lambda m: -m.min)}


def tier_levels(scenario) -> dict[str, str]:
    """Map each medal to its level of victory (5.0c): epic, major or minor victory, or draw."""
    known = tiers(scenario)
    return {medal.name: medal.level for medal in scenario.model.medal.values() if medal.name in known}


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
    act_words={act.name.lower(): words for act, (_, words, _) in ACTIONS.items()},
    arguments=ARGUMENTS,
    describe_action=trace.describe_action,
    describe_events=scene.SCENE.describe_events,
    scene=scene.SCENE,
    check=trace.check_state,
    labels={"breach_circle": trace.exit_labels, "breach_area": trace.area_labels},
    cause_column="breach_circle",
    rare=RARE,
    shuffle_unseen=shuffle_unseen,
    determinize=hidden.determinize,
    features=FEATURES,
    topics=TOPICS,
)
