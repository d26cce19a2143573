"""The order of play between decisions: `advance` continues until a decision is needed or the game is over.

The steps are in the order of the rules. All functions modify `state`.
"""

from bartizan.simcore.compile.jit import jit_module
from bartizan.simcore.kit.actions import ask
from bartizan.simcore.kit.journal import log
from bartizan.simcore.rampage import components as c
from bartizan.simcore.rampage.rules import attack, zones
from bartizan.simcore.rng import rekey


def advance(state, tables):
    """Execute the steps from `state.after` on, until a decision is needed or the game is over."""
    state.stage = c.Stage.NONE
    while state.end_reason == 0 and state.stage == c.Stage.NONE:
        take_step(state, tables)


def take_step(state, tables):
    step = state.after
    if step == c.Step.SETUP:
        next_placement(state, tables)
    elif step == c.Step.BEGIN_TURN:
        begin_turn(state, tables)
    elif step == c.Step.MAIN:
        ask(state, state.on_turn, c.Stage.MAIN)
    elif step == c.Step.END_TURN:
        end_turn(state, tables)
    elif step == c.Step.PAY:  # 4.2, 3.3: the next card of a cost, if one is due
        if state.need != 0:
            ask(state, state.on_turn, c.Stage.PAY)
        else:
            state.after = c.Step.ORDER if state.to_place == c.NONE else c.Step.PLACE
    elif step == c.Step.PLACE:
        # 3.2, 3.3: the card goes under its structure
        zones.put_under(state, state.on_turn, state.to_place, state.card)
        state.strengthened += 1
        state.n_strengthened += 1
        state.card = state.to_place = c.NONE
        state.after = c.Step.MAIN
    elif step == c.Step.ORDER:
        order(state, tables)
    elif step == c.Step.EFFECTS:
        next_effect(state, tables)
    elif step == c.Step.ATTACK:  # 4.6, A7
        state.after = c.Step.STRIKE
        state.attacked = c.NONE
        if tables.attack_compulsory == c.AttackCompulsory.optional:
            ask(state, state.on_turn, c.Stage.OPTIONAL)
    elif step == c.Step.STRIKE:
        strike(state, tables)
    elif step == c.Step.FINISH:
        finish(state, tables)
    else:  # A17: the play is over
        state.card = c.NONE
        state.after = c.Step.MAIN
        if state.plays >= tables.play_limit:
            state.end_reason = c.End.PLAY_LIMIT


# ---------------------------------------------------------------- 2. set-up


def next_placement(state, tables):
    """Ask for the next placement of the set-up (2.3).

    The order is batch by batch, seat by seat, the Gate before the Castle.
    """
    each = tables.gate_per_batch + tables.castle_per_batch
    if state.placed > 0 and state.placed % each == 0:
        zones.keep(state, tables, state.placed // each - 1)
    if state.placed < c.SEATS * each:
        ask(
            state,
            state.placed // each,
            c.Stage.SETUP_GATE if state.placed % each < tables.gate_per_batch else c.Stage.SETUP_CASTLE,
        )
        return
    state.batch += 1
    state.placed = 0
    if state.batch < tables.batches:
        zones.deal(state, tables)
    else:
        state.after = c.Step.BEGIN_TURN


# ---------------------------------------------------------------- 3. turn


def begin_turn(state, tables):
    """Begin a turn, and draw its cards (3.1)."""
    state.on_turn = state.turn & 1
    state.turn += 1
    state.plays = state.strengthened = 0
    state.fresh = 1
    state.drawn = c.NONE
    rekey(state, c.Luck.DISCARD, state.turn)
    log(state, c.Event.TURN, state.on_turn, state.turn)
    n = tables.first_draw if state.turn == 1 else tables.draw
    for _ in range(n + state.perm[state.on_turn, c.PERM_DRAW]):
        if state.end_reason == 0:
            state.drawn = zones.draw(state, tables, state.on_turn)
    state.after = c.Step.MAIN


def end_turn(state, tables):
    """End a turn, or ask for a discard if the hand exceeds its limit (3.4, A15, A18, A24)."""
    p = state.on_turn
    if tables.hand_limit == c.HandLimit.limited and state.hand_size[p] > tables.cards_in_hand:
        ask(state, p, c.Stage.DROP)
        return
    state.stuck += state.plays + state.strengthened == 0
    for k in range(tables.kinds):
        state.discards[k] += state.resting[k]
        state.resting[k] = 0
        state.tired[k] = 0
    state.after = c.Step.BEGIN_TURN
    if state.turn >= tables.turn_limit:
        zones.stop(state, tables, c.End.TURN_LIMIT)


# ---------------------------------------------------------------- 4. playing a card


def order(state, tables):
    """Begin the effect or the attack of the card, or finish the card if neither is left (4.1, A6).

    If both are left, the scenario sets which comes first, or the player chooses.
    """
    has_effect = not state.effects_done and tables.op[state.card, 0] != c.Op.none
    has_attack = not state.attack_done and tables.attack[state.card] > 0
    if has_effect and has_attack and tables.effect_or_attack == c.EffectOrAttack.choice:
        ask(state, state.on_turn, c.Stage.ORDER)
    elif has_attack and (not has_effect or tables.effect_or_attack == c.EffectOrAttack.attack_first):
        state.after = c.Step.ATTACK
    else:
        state.after = c.Step.EFFECTS if has_effect else c.Step.FINISH


def next_effect(state, tables):
    """Apply one repetition of an entry of the card's `on_play` effects (4.1)."""
    if state.left == 0:
        state.entry += 1
        if state.entry == c.EFFECTS or tables.op[state.card, state.entry] == c.Op.none:
            state.effects_done = 1
            state.after = c.Step.ORDER
            return
        state.left = tables.times[state.card, state.entry]
    work_once(state, tables, state.on_turn, tables.op[state.card, state.entry])


def work_once(state, tables, p, op):
    """Apply an effect once (7.3 - 7.8).

    An effect without a decision decrements `left` here, an effect with a decision in `apply`.
    """
    if op == c.Op.draw:
        state.left -= 1
        zones.draw(state, tables, p)
    elif op == c.Op.opp_discard_random:  # 7.4, A20
        if state.hand_size[zones.other(p)] == 0:
            state.left = 0
        elif tables.discard_choice == c.DiscardChoice.random:
            state.left -= 1
            attack.rob(state, tables, zones.other(p), False)
        else:
            looks = tables.discard_choice == c.DiscardChoice.look_and_choose
            ask(state, p if looks else zones.other(p), c.Stage.TAKE)
    elif op == c.Op.opp_discard_unit_type:
        ask(state, p, c.Stage.NAME)
    elif op == c.Op.destroy_own_top:
        ask(state, p, c.Stage.LOSE)
    elif op == c.Op.destroy_top_both_castles:
        state.left -= 1
        for seat in range(c.SEATS):  # 7.8, 6.3: at the same time
            zones.fell(state, tables, seat, c.Structure.CASTLE)
        attack.lose_both(state)
    elif state.n_laid[zones.other(p)] > 0:
        ask(state, p, c.Stage.RAZE)
    else:
        state.left = 0


def strike(state, tables):
    """Attack. If the player may choose the target, ask for it first (5.1)."""
    if state.attacked == c.NONE:
        gate_stands = state.size[zones.other(state.on_turn), c.Structure.GATE] > 0
        target = tables.target[state.card]
        if gate_stands and target == c.AttackTarget.choose:
            ask(state, state.on_turn, c.Stage.TARGET)
            return
        state.attacked = (
            c.Structure.GATE if gate_stands and target == c.AttackTarget.normal else c.Structure.CASTLE
        )
    attack.attack(state, tables)
    state.attack_done = 1
    state.after = c.Step.ORDER


def finish(state, tables):
    """Move the played card to its next zone (4.1, 4.5, 5.3)."""
    p, k = state.on_turn, state.card
    state.after = c.Step.PLAYED
    if state.outcome == c.Outcome.DESTROYED:
        zones.discard(state, tables, k)
    elif state.outcome == c.Outcome.RETURNS:
        come_back(state, tables, p, k)
    elif tables.permanent[k]:
        zones.lay(state, tables, p, k)
    else:
        zones.discard(state, tables, k)


def come_back(state, tables, p, k):
    """Move a repelled Veteran to its owner's hand, in front of the owner, or under a stack (5.3, A16)."""
    if tables.repelled_veteran == c.RepelledVeteran.under_a_stack:
        ask(state, p, c.Stage.UNDER)
        return
    if tables.veteran_again == c.VeteranAgain.no:  # A16b
        state.tired[k] += 1
    log(state, c.Event.RETURNED, p, k)
    if tables.repelled_veteran == c.RepelledVeteran.in_front:
        state.front[p, k] += 1
    else:
        zones.gain(state, tables, p, k)


jit_module(__name__)
