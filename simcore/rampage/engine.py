"""Castle Rampage for the house: legal actions and what each action does.

The order of play is in `turns`, the rules in `rules/`, how actions are written in PROTOCOL.md.
"""

from bartizan.simcore.compile.jit import jit
from bartizan.simcore.game import Engine, acts_of
from bartizan.simcore.kit.journal import log
from bartizan.simcore.kit.legal import append
from bartizan.simcore.rampage import trace
from bartizan.simcore.rampage.actions import (
    action,
    argument_of,
    boosts_of,
    card_of,
    is_in_front,
    kind_of,
    play,
)
from bartizan.simcore.rampage.cards import CARDS
from bartizan.simcore.rampage.components import (
    ARGUMENTS,
    MAX_LEGAL,
    NO_SCORE,
    NONE,
    STRUCTURES,
    Act,
    End,
    Event,
    Outcome,
    RepelledVeteran,
    Stage,
    Step,
    StrengthenTiming,
    StrengthenWith,
    Structure,
)
from bartizan.simcore.rampage.outlook import OUTLOOK
from bartizan.simcore.rampage.rare import RARE
from bartizan.simcore.rampage.rules.attack import lose_both
from bartizan.simcore.rampage.rules.hands import can_pay, less, other, spare, take, will_do
from bartizan.simcore.rampage.rules.permanents import STRENGTHEN, raze
from bartizan.simcore.rampage.rules.piles import determinize, discard
from bartizan.simcore.rampage.rules.stacks import fell, put_under
from bartizan.simcore.rampage.scoring import REPORTING, write_record
from bartizan.simcore.rampage.setup import lay_out
from bartizan.simcore.rampage.state import RECORD, STATE
from bartizan.simcore.rampage.tables import TABLES, build_tables
from bartizan.simcore.rampage.turns import advance


@jit
def reset(state, tables):
    """Section 2, up to the first decision. Modifies `state`."""
    state.n_events = 0
    lay_out(state, tables)
    advance(state, tables)


# ---------------------------------------------------------------- legal actions


@jit
def legal_actions(state, tables, legal):
    """Write the legal actions in the order of PROTOCOL.md, section 2; returns how many."""
    stage, p = state.stage, state.to_move
    if stage == Stage.MAIN:
        return write_main(state, tables, legal, p)
    if stage == Stage.PAY:
        return write_payments(state, tables, legal, p)
    if stage == Stage.SETUP_GATE:
        return write_kinds(legal, 0, Act.GATE, tables.kinds, state.dealt[p])
    if stage == Stage.SETUP_CASTLE:
        return write_kinds(legal, 0, Act.CASTLE, tables.kinds, state.dealt[p])
    return write_other(state, tables, legal, stage, p)


@jit
def write_other(state, tables, legal, stage, p):
    """What is asked within a play."""
    if stage == Stage.RAZE:
        return write_kinds(legal, 0, Act.RAZE, tables.kinds, state.laid[other(p)])
    if stage == Stage.TAKE:
        return write_kinds(legal, 0, Act.TAKE, tables.kinds, state.hand[other(state.turn_of)])
    if stage == Stage.DROP:
        return write_kinds(legal, 0, Act.DROP, tables.kinds, state.hand[p])
    if stage == Stage.NAME:
        return write_first(legal, Act.NAME, tables.units)
    if stage == Stage.TARGET:
        return write_first(legal, Act.TARGET, STRUCTURES)
    if stage == Stage.UNDER:
        return write_first(legal, Act.UNDER, STRUCTURES)
    if stage == Stage.LOSE:
        return write_tops(state, legal, p)
    n = append(legal, 0, action(Act.EFFECT if stage == Stage.ORDER else Act.END, 0))
    return append(legal, n, action(Act.ATTACK, 0))


@jit
def write_kinds(legal, n, act, kinds, counts):
    """Every kind there is one of, after the n actions already listed."""
    for k in range(kinds):
        if counts[k] > 0:
            n = append(legal, n, action(act, k))
    return n


@jit
def write_first(legal, act, n):
    """Arguments 0 .. n-1."""
    for i in range(n):
        append(legal, i, action(act, i))
    return n


@jit
def write_tops(state, legal, p):
    """7.7: structures with a card."""
    n = 0
    for structure in range(STRUCTURES):
        if state.size[p, structure] > 0:
            n = append(legal, n, action(Act.LOSE, structure))
    return n


@jit
def write_payments(state, tables, legal, p):
    """4.2, 4.3"""
    n = 0
    for k in range(tables.kinds):
        if state.held[p] >> k & 1 and will_do(state, tables, p, state.need, k):
            n = append(legal, n, action(Act.PAY, k))
    return n


@jit
def write_main(state, tables, legal, p):
    """3.2 - 3.4"""
    n = append(legal, 0, action(Act.END, 0))
    if may_strengthen(state, tables, p):
        n = write_placeable(state, tables, legal, p)
    to_hand = tables.repelled_veteran == RepelledVeteran.to_hand
    for k in range(tables.kinds):
        if state.held[p] >> k & 1 and not (to_hand and state.hand[p, k] <= state.tired[k]):  # A16b
            n = write_plays(state, tables, legal, n, p, k, k)
    if tables.repelled_veteran == RepelledVeteran.in_front:
        for k in range(tables.kinds):
            if state.front[p, k] > state.tired[k]:
                n = write_plays(state, tables, legal, n, p, k, NONE)
    return n


@jit
def write_plays(state, tables, legal, n, p, k, from_hand):
    """3.4, 4.2 - 4.4, 4.7: with as many boosts as can be paid.

    `from_hand`: k, or NONE for a card in front.
    """
    if not tables.playable[k]:
        return n
    for boosts in range(tables.boosts[k] + 1):
        need = tables.need[k] + boosts * tables.boost_need[k]
        if need != 0 and not can_pay(state, tables, p, need, from_hand):
            return n
        n = append(legal, n, action(Act.PLAY, play(k, boosts, from_hand == NONE)))
    return n


@jit
def may_strengthen(state, tables, p):
    """3.2, A2"""
    if tables.strengthen_timing == StrengthenTiming.before_plays and state.plays > 0:
        return False
    return state.strengthened < tables.strengthen + state.perm[p, STRENGTHEN]


@jit
def write_placeable(state, tables, legal, p):
    """3.2, 3.3, A25: GATE of each kind, then CASTLE of each."""
    n = 1
    for k in range(tables.kinds):
        if state.held[p] >> k & 1:
            barred = tables.strengthen_with == StrengthenWith.not_allowed and (
                tables.permanent[k] or tables.is_scheme[k]
            )
            if not barred and (
                tables.place_need[k] == 0 or can_pay(state, tables, p, tables.place_need[k], k)
            ):
                n = append(legal, n, action(Act.GATE, k))
    found = n
    for i in range(1, n):
        found = append(legal, found, action(Act.CASTLE, argument_of(legal[i])))
    return found


# ---------------------------------------------------------------- apply


@jit
def apply(state, tables, action):
    """Play one legal action and whatever follows without a decision. Modifies `state`."""
    state.n_events = 0
    act, argument = kind_of(action), argument_of(action)
    stage = state.stage
    if stage == Stage.MAIN:
        apply_main(state, tables, act, argument)
    elif stage == Stage.PAY:
        apply_pay(state, tables, argument)
    elif stage <= Stage.SETUP_CASTLE:
        apply_setup(state, act, argument)
    else:
        apply_other(state, tables, stage, act, argument)
    advance(state, tables)


@jit
def apply_setup(state, act, k):
    """2.3. Modifies `state`."""
    p = state.to_move
    state.dealt[p, k] -= 1
    put_under(state, p, Structure.GATE if act == Act.GATE else Structure.CASTLE, k)
    state.placed += 1
    state.after = Step.SETUP


@jit
def apply_main(state, tables, act, argument):
    """3.2 - 3.4. Modifies `state`."""
    state.fresh = 0
    if act == Act.END:
        state.after = Step.END_TURN
    elif act == Act.PLAY:
        begin_play(state, tables, argument)
    else:
        begin_placing(state, tables, Structure.GATE if act == Act.GATE else Structure.CASTLE, argument)


@jit
def begin_placing(state, tables, structure, k):
    """3.2, 3.3. Modifies `state`."""
    spare(state, tables, state.turn_of, k)
    state.card = k
    state.to_place = structure
    state.need = tables.place_need[k]
    state.after = Step.PAY


@jit
def begin_play(state, tables, argument):
    """4.1 - 4.4. Modifies `state`."""
    p, k = state.turn_of, card_of(argument)
    if is_in_front(argument):
        state.front[p, k] -= 1
    else:
        take(state, tables, p, k)
    state.card = k
    state.boosts = boosts_of(argument)
    state.need = tables.need[k] + state.boosts * tables.boost_need[k]
    state.plays += 1
    state.n_plays += 1
    state.n_boosts += state.boosts
    state.entry = NONE
    state.left = 0
    state.effects_done = state.attack_done = 0
    state.outcome = Outcome.STANDS
    state.after = Step.PAY


@jit
def apply_pay(state, tables, k):
    """4.2. Modifies `state`."""
    p = state.turn_of
    state.need = less(tables, state.need, k)
    spare(state, tables, p, k)
    discard(state, tables, k)
    state.paid += 1
    state.after = Step.PAY


@jit
def apply_other(state, tables, stage, act, argument):
    """Choices within a play. Modifies `state`."""
    p = state.turn_of
    if stage == Stage.ORDER:
        state.after = Step.ATTACK if act == Act.ATTACK else Step.EFFECTS
    elif stage == Stage.OPTIONAL:
        state.attack_done = act == Act.END
        state.after = Step.ORDER if act == Act.END else Step.STRIKE
    elif stage == Stage.TARGET:
        state.attacked = argument
        state.after = Step.STRIKE
    elif stage == Stage.UNDER:
        put_under(state, p, argument, state.card)
        state.after = Step.PLAYED
    elif stage == Stage.DROP:
        drop(state, tables, p, argument)
        state.after = Step.END_TURN
    else:
        apply_effect(state, tables, stage, argument)
        state.after = Step.EFFECTS


@jit
def apply_effect(state, tables, stage, argument):
    """7.4 - 7.7. Modifies `state`."""
    p = state.turn_of
    state.left -= 1
    if stage == Stage.LOSE:
        fell(state, tables, p, argument)
        lose_both(state)
    elif stage == Stage.RAZE:
        raze(state, tables, other(p), argument)
    elif stage == Stage.TAKE:
        drop(state, tables, other(p), argument)
        state.lost_cards += 1
    else:
        drop_all(state, tables, other(p), argument)


@jit
def drop(state, tables, p, k):
    """A card of a hand is discarded. Modifies `state`."""
    spare(state, tables, p, k)
    discard(state, tables, k)
    log(state, Event.DISCARDED, p, k)


@jit
def drop_all(state, tables, p, unit):
    """7.5: every hand card that shows this unit. Modifies `state`."""
    for k in range(tables.kinds):
        if tables.shows[k] >> unit & 1:
            for _ in range(state.hand[p, k]):
                drop(state, tables, p, k)
                state.lost_cards += 1


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
        End.CASTLE_FELL: "Castle destroyed",
        End.OWN_TURN: "lost in the own turn",
        End.TURN_LIMIT: "turn limit",
        End.PLAY_LIMIT: "play limit",
        End.PILE_EMPTY: "pile empty",
    },
    max_legal=MAX_LEGAL,
    nulls={"score": NO_SCORE},
    acts=acts_of(Act),
    arguments=ARGUMENTS,
    describe_action=trace.describe_action,
    describe_events=trace.describe_events,
    check=trace.check_state,
    reporting=REPORTING,
    cards=CARDS,
    rare=RARE,
    redeal=determinize,
    outlook=OUTLOOK,
)
