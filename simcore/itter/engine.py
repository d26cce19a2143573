"""The order of play: which decision is asked, and what a chosen action sets in motion."""

from bartizan.simcore.compile.jit import jit
from bartizan.simcore.game import Engine, acts_of
from bartizan.simcore.itter import trace
from bartizan.simcore.itter.components import ARGUMENTS, MAX_LEGAL, Act, End, Stage, SuppressSpending
from bartizan.simcore.itter.features import FEATURES
from bartizan.simcore.itter.rare import RARE
from bartizan.simcore.itter.rules.attributes import sacrifice
from bartizan.simcore.itter.rules.defenders import (
    SHIFT_STRIDE,
    act,
    activate,
    end_phase,
    finish,
    give,
    place_defender,
    shift,
    write_acts,
    write_gives,
    write_orders,
    write_places,
)
from bartizan.simcore.itter.rules.planning import lay, lay_tactics, write_plans, write_tactics_plans
from bartizan.simcore.itter.rules.ss_phase import advance, fire_next, spend, usable_tokens
from bartizan.simcore.itter.scoring import write_record
from bartizan.simcore.itter.setup import redeal, reset
from bartizan.simcore.itter.state import NO_SCORE, RECORD, STATE
from bartizan.simcore.itter.tables import TABLES, build_tables


@jit
def legal_actions(state, tables, legal):
    """Write the legal actions of the decision at hand into `legal` (int32, modified in place); returns their
    number.
    """
    stage = state.stage
    if stage == Stage.ORDERS:
        return write_orders(state, tables, legal)
    if stage == Stage.PLACE:
        return write_places(state, tables, legal)
    if stage == Stage.ACT:
        return write_acts(state, tables, legal)
    if stage == Stage.COMMAND:
        n = write_gives(state, tables, state.actor, legal, 0)
        legal[n] = Act.DONE * ARGUMENTS
        return n + 1
    if stage == Stage.SPEND:
        return write_spends(state, tables, legal)
    if stage == Stage.PLAN:
        return write_plans(state, tables, Act.LAY * ARGUMENTS, legal)
    if stage == Stage.PLAN_TACTICS:
        return write_tactics_plans(state, tables, Act.LAY_TACTICS * ARGUMENTS, legal)
    kind = Act.SACRIFICE if stage == Stage.SACRIFICE else Act.FIRE
    legal[0] = kind * ARGUMENTS
    legal[1] = kind * ARGUMENTS + 1
    return 2


@jit
def write_spends(state, tables, legal):
    """4.3b: 0 .. all tokens of the square; one at a time with R-18 `one_by_one`."""
    most = usable_tokens(state, tables)
    if tables.suppress_spending == SuppressSpending.one_by_one:
        most = min(most, 1)
    for k in range(most + 1):
        legal[k] = Act.SPEND * ARGUMENTS + k
    return most + 1


@jit
def apply(state, tables, action):
    """Play one legal action and everything up to the next decision. Modifies `state`."""
    state.n_events = 0
    kind = action // ARGUMENTS
    argument = action % ARGUMENTS
    stage = state.stage
    if stage == Stage.ORDERS:
        give_order(state, tables, kind, argument)
    elif stage == Stage.PLACE:
        place_defender(state, tables, argument)
    elif stage == Stage.ACT:
        act(state, tables, kind, argument)
    elif stage == Stage.COMMAND:
        if kind == Act.DONE:
            finish(state, tables, Act.COMMAND, True)
        else:
            give(state, tables, argument)
    elif stage == Stage.SPEND:
        spend(state, tables, argument)
    elif stage == Stage.FIRE:
        fire_next(state, tables, argument)
    elif stage == Stage.PLAN:
        lay(state, tables, argument)
    elif stage == Stage.PLAN_TACTICS:
        lay_tactics(state, tables, argument)
    else:
        answer_offer(state, tables, argument)
    advance(state, tables)


@jit
def give_order(state, tables, kind, argument):
    if kind == Act.PASS:
        end_phase(state, tables)
    elif kind == Act.ACTIVATE:
        activate(state, tables, argument)
    else:
        shift(state, tables, argument // SHIFT_STRIDE, argument % SHIFT_STRIDE)


@jit
def answer_offer(state, tables, accepted):
    """SACRIFICE: yes or no for the victim at hand; then the batch goes on."""
    state.stage = Stage.NONE
    if accepted:
        sacrifice(state, tables)
    state.offer += 1


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
    acts=acts_of(Act),
    arguments=ARGUMENTS,
    describe_action=trace.describe_action,
    describe_events=trace.describe_events,
    check=trace.check_state,
    labels={"breach_circle": trace.exit_labels, "breach_area": trace.area_labels},
    cause_column="breach_circle",
    rare=RARE,
    determinize=redeal,
    features=FEATURES,
)
