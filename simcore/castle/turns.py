"""The order of play between decisions: `advance` goes on until somebody has to decide or the game is over.

Its steps stand in the order of the rules.
"""

from bartizan.simcore.castle.actions import square_target
from bartizan.simcore.castle.components import (
    CARDS,
    FIRST_JOKER,
    NONE,
    PAIR,
    ROYALS,
    SEATS,
    SQUARES,
    WIDTH,
    AssassinFollow,
    Attack,
    CalledOffLead,
    CalledOffTarget,
    Combo,
    DoubleAnew,
    End,
    Event,
    ForcedLeads,
    ForcedRound,
    JokerTurn,
    Luck,
    OwnCardAttack,
    Power,
    RallyCard,
    Royal,
    RoyalRuleSuit,
    Stage,
    Step,
    WithAce,
)
from bartizan.simcore.castle.rules.death import lead_is_lost, next_living
from bartizan.simcore.castle.rules.decks import added_worth, deck_left, discard_all, remake, take, use_up
from bartizan.simcore.castle.rules.dice import best_of, roll
from bartizan.simcore.castle.rules.fight import (
    adds_extra,
    aim,
    falls_without_roll,
    fight,
    is_castle,
    lead_strength,
    provokes,
    show,
    spies,
)
from bartizan.simcore.castle.rules.grid import (
    bit,
    count,
    has_gap,
    placeable,
    rank_of,
    royal_at,
    standing,
    suit_of,
)
from bartizan.simcore.castle.rules.targets import (
    addable,
    any_hidden,
    forbidden,
    has_archer_target,
    has_assassin_target,
    has_first_target,
    nameable,
    next_squares,
    removable,
)
from bartizan.simcore.compile.jit import jit
from bartizan.simcore.kit.ask import ask
from bartizan.simcore.kit.journal import log
from bartizan.simcore.rng import rekey


@jit
def advance(state, tables):
    """Go on with `state.after` to the next decision. Modifies `state`."""
    state.stage = Stage.NONE
    while state.end_reason == 0 and state.stage == Stage.NONE:
        step = state.after
        if step <= Step.LEAD:
            step_of_turn(state, tables, step)
        elif step <= Step.NEXT_TARGET:
            step_of_attack(state, tables, step)
        else:
            step_beyond(state, tables, step)


@jit
def step_of_turn(state, tables, step):
    if step == Step.CHOOSE:
        choose_royal(state, tables)
    elif step == Step.SETUP:
        next_placement(state, tables)
    elif step == Step.BEGIN_TURN:
        begin_turn(state, tables)
    elif step == Step.DRAW:
        draw_for_turn(state, tables)
    elif step == Step.CARD:
        ask(state, state.turn_of, Stage.CARD)
    else:
        begin_attack(state, tables)


@jit
def step_of_attack(state, tables, step):
    if step == Step.FIRST_TARGET:
        first_target(state, tables)
    elif step == Step.NAME:
        name_more(state, tables)
    elif step == Step.FIGHT:
        begin_fight(state, tables)
    elif step == Step.ATTACKER_ADDS:
        offer_reinforcements(state, tables, state.attacker, Step.DEFENDER_ADDS)
    elif step == Step.DEFENDER_ADDS:
        offer_reinforcements(state, tables, state.defender, Step.ROLL)
    elif step == Step.ROLL:
        resolve(state, tables)
    elif step == Step.ATTACKER_PAYS:
        offer_removal(state, tables, state.attacker_snake, state.defender, state.attacker, Step.DEFENDER_PAYS)
    elif step == Step.DEFENDER_PAYS:
        offer_removal(state, tables, state.defender_snake, state.attacker, state.defender, Step.COUNTER)
    elif step == Step.COUNTER:
        counter(state, tables)
    elif step == Step.GO_ON:
        go_on(state, tables)
    elif step == Step.EXTRA:
        draw_extra(state, tables)
    else:
        next_target(state, tables)


@jit
def step_beyond(state, tables, step):
    if step == Step.DRAW_PAIR:
        draw_pair(state, tables)
    elif step == Step.NEXT_OF_PAIR:
        next_of_pair(state, tables)
    elif step == Step.USE_CARD:
        use_card(state, tables)
    elif step == Step.ASSASSIN_TARGET:
        assassin_target(state, tables)
    elif step == Step.RAM:
        ram_on(state, tables)
    elif step == Step.CALLED_OFF:
        call_off(state, tables)
    elif step == Step.END_ATTACK:
        end_attack(state, tables)
    elif step == Step.END_TURN:
        end_turn(state, tables)
    elif step == Step.FORCED_TURN:
        forced_turn(state, tables)
    elif step == Step.SPY:
        after_spy(state)
    elif step == Step.RALLY:
        offer_rally(state)
    elif step == Step.PAIR_ORDER:
        order_pair(state)
    elif step == Step.SETUP_CARD:
        place_dealt(state, tables)
    else:
        contest(state, tables)


# ---------------------------------------------------------------- 2. set-up


@jit
def choose_royal(state, tables):
    """C1: `choice` asks for each rank, in seat order. Modifies `state`."""
    n = tables.players
    if state.to_place < ROYALS * n:
        ask(state, state.to_place % n, Stage.CHOOSE)
        return
    know_royals(state, tables)
    state.to_place = 0
    state.after = Step.SETUP


@jit
def know_royals(state, tables):
    """2.3: owners know their own cards. Modifies `state`."""
    for p in range(tables.players):
        for k in range(ROYALS):
            state.seen_by[state.royal[p, k]] |= bit(p)


@jit
def next_placement(state, tables):
    """2.3: the royals, then the dealt cards in any order, player after player. Modifies `state`."""
    p, i = state.to_place // (ROYALS + tables.dealt), placing(state, tables)
    state.drawn = NONE
    if p < tables.players:
        if i < 0:
            state.drawn = state.royal[p, i + ROYALS]
            ask(state, p, Stage.SETUP)
        elif i < tables.dealt - 1:
            ask(state, p, Stage.HAND)
        else:
            state.after = Step.SETUP_CARD
        return
    state.turn_of = 0
    state.leader = leader(state, tables)
    state.after = Step.BEGIN_TURN


@jit
def placing(state, tables):
    """How many of the dealt cards the player at set-up has placed; below 0 while royals are left."""
    return state.to_place % (ROYALS + tables.dealt) - ROYALS


@jit
def place_dealt(state, tables):
    """2.3. Modifies `state`."""
    p = state.to_place // (ROYALS + tables.dealt)
    state.drawn = state.dealt[p, placing(state, tables)]
    state.after = Step.SETUP
    ask(state, p, Stage.SETUP)


# ---------------------------------------------------------------- 3. turn


@jit
def count_turn(state):
    """A turn begins: its dice do not depend on those thrown before. Modifies `state`."""
    state.turn += 1
    state.drawn = NONE
    rekey(state, Luck.ATTACK, state.turn)
    rekey(state, Luck.DEFENCE, state.turn)
    log(state, Event.TURN, state.turn_of, state.turn)


@jit
def begin_turn(state, tables):
    """3: draw, or close gaps. Modifies `state`."""
    count_turn(state)
    p = state.turn_of
    state.after = Step.DRAW
    if has_gap(state, tables, p) or (
        tables.own_card_attack == OwnCardAttack.yes and own_leads(state, tables, p, ForcedLeads.all_but_king)
    ):
        ask(state, p, Stage.TURN)


@jit
def draw_for_turn(state, tables):
    """3.1, 3.8, C5, C6. Modifies `state`."""
    again = state.drawn != NONE  # a card rallied, or a Joker, was drawn before it
    state.drawn = NONE
    card = NONE
    if tables.forced_round == ForcedRound.both_piles_empty or deck_left(state) > 0 or again:
        card = take(state)
    if card == NONE:
        if again:
            state.after = Step.END_TURN
        else:
            begin_forced_round(state)
        return
    if card >= FIRST_JOKER:
        state.drawn = card
        meet_joker(
            state, tables, card, Step.DRAW if tables.joker_turn == JokerTurn.draws_again else Step.END_TURN
        )
        return
    state.drawn = card
    state.seen_by[card] |= bit(state.turn_of)
    state.suits = bit(suit_of(card))  # the Royal rule bears on whom it may attack
    log(state, Event.DREW, state.turn_of, card)
    state.after = Step.CARD


@jit
def end_turn(state, tables):
    """10.4, 3. Modifies `state`."""
    state.drawn = NONE
    note_leader(state, tables)
    if state.turn >= tables.turn_limit:
        state.end_reason = End.TURN_LIMIT
    elif state.forced_from != NONE:
        state.after = Step.FORCED_TURN
    else:
        state.turn_of = next_living(state, tables, state.turn_of)
        state.after = Step.BEGIN_TURN


@jit
def leader(state, tables):
    """The living player whose castle and pool are worth most, if he is alone; or NONE."""
    best, who = -1, NONE
    for p in range(tables.players):
        if state.alive[p]:
            worth = standing(state, tables, p)
            if worth == best:
                who = NONE
            elif worth > best:
                best, who = worth, p
    return who


@jit
def note_leader(state, tables):
    """Modifies `state`."""
    now = leader(state, tables)
    if now != NONE:
        if state.leader != NONE and now != state.leader:
            state.lead_changes += 1
        state.leader = now


# ---------------------------------------------------------------- 4. an attack


@jit
def clear_attack(state):
    """Modifies `state`."""
    state.attack = Attack.NONE
    state.lead = state.lead_royal = NONE
    state.lead_own = 0
    state.suits = state.added_suits = 0
    state.force = state.boost = state.attack_dice = 0
    state.spent = 0
    state.berserk = 0
    state.combo_used = 0
    state.in_use = NONE
    state.attacker = state.defender = NONE
    for i in range(PAIR):
        state.pair[i] = NONE
    clear_part(state)


@jit
def clear_part(state):
    """What belongs to one ordinary attack, or to one of the two of an Ace. Modifies `state`."""
    state.target = state.target_card = NONE
    state.won_square = NONE
    state.named = state.turned_up = 0
    state.won = state.doubled = state.renewed = 0
    state.added_suits = 0
    for p in range(SEATS):
        state.kept[p] = 0


@jit
def show_lead(state, tables, card, royal, own):
    """4.1, 8.2: this card attacks. Modifies `state`."""
    clear_attack(state)
    state.lead = card
    state.lead_royal = royal
    state.lead_own = own
    state.seen_by[card] = 255
    state.suits = bit(suit_of(card))
    if royal == NONE:
        state.spent = bit(card)
    state.attacker = state.turn_of
    state.attack = Attack.ORDINARY
    state.force, state.attack_dice = lead_strength(state, tables)


@jit
def begin_attack(state, tables):
    """7.1, 7.2, 8.4: an Ace draws two cards if there are any, an eight may turn one. Modifies `state`."""
    plain = state.lead_royal == NONE
    power = tables.power[rank_of(state.lead)]
    if (
        plain
        and power == Power.ace
        and not (
            state.lead_own
            and state.forced_from != NONE
            and deck_left(state) + count(state.discards) < tables.ace_draw
        )
    ):
        state.aces += 1
        state.attack = Attack.NONE
        state.wanted = tables.ace_draw
        state.after = Step.DRAW_PAIR
        return
    state.after = Step.FIRST_TARGET
    if plain and power == Power.spy:
        state.after = Step.SPY
        ask(state, state.turn_of, Stage.SPY)


@jit
def after_spy(state):
    """An eight has turned a card: its attack, or the fight about it, goes on. Modifies `state`."""
    state.after = Step.FIRST_TARGET if state.target == NONE else Step.ATTACKER_ADDS


@jit
def first_target(state, tables):
    """4.1, 8.2. Modifies `state`."""
    if has_first_target(state, tables):
        ask(state, state.turn_of, Stage.TARGET)
    else:
        log(state, Event.NO_TARGET)
        state.after = Step.END_ATTACK


@jit
def name_more(state, tables):
    """11.4. Modifies `state`."""
    if state.berserk and is_castle(state.target) and nameable(state, tables):
        ask(state, state.turn_of, Stage.NAME)
        return
    state.berserk = 0
    state.after = Step.FIGHT


@jit
def begin_fight(state, tables):
    """4.2 - 4.4. Modifies `state`."""
    if show(state, tables):
        state.after = Step.CALLED_OFF
    elif spies(state, tables):
        state.after = Step.SPY
        ask(state, state.defender, Stage.SPY)
    else:
        state.after = Step.ROLL if falls_without_roll(state, tables) else Step.ATTACKER_ADDS


@jit
def offer_reinforcements(state, tables, p, then):
    """4.5. Modifies `state`."""
    if state.adder != p:
        state.adder = p
        state.last_added = NONE
    if state.alive[p] and addable(state, tables, p):
        ask(state, p, Stage.ADD)
        return
    state.adder = NONE
    state.after = then


@jit
def resolve(state, tables):
    """4.6, 4.7: the roll; a dead King ends a ram, an assassin, an attack without a double.

    Modifies `state`.
    """
    fight(state, tables)
    state.after = Step.ATTACKER_PAYS
    if not state.alive[state.defender] and is_castle(state.target):
        if state.attack == Attack.RAM or state.attack == Attack.ASSASSIN:
            state.after = Step.NEXT_OF_PAIR
        elif state.attack == Attack.ORDINARY and state.doubled and tables.double_anew == DoubleAnew.yes:
            state.after = Step.GO_ON
        else:
            state.after = Step.END_ATTACK


@jit
def offer_removal(state, tables, snake, remover, victim, then):
    """6.3. Modifies `state`."""
    state.after = then
    if snake and state.alive[remover] and state.alive[victim] and removable(state, tables, victim):
        state.remover, state.victim = remover, victim
        ask(state, remover, Stage.REMOVE)


@jit
def counter(state, tables):
    """11.5: a counter-strike, or its end. Modifies `state`."""
    state.after = Step.GO_ON
    if state.attack == Attack.COUNTER:
        state.attack = state.waiting_attack
        state.attacker, state.defender = state.defender, state.attacker
        state.target, state.target_card = state.waiting_target, state.waiting_card
        state.doubled, state.six = state.waiting_doubled, state.waiting_six
        state.won = 0
    elif provokes(state, tables):
        state.waiting_attack = state.attack
        state.waiting_target, state.waiting_card = state.target, state.target_card
        state.waiting_doubled, state.waiting_six = state.doubled, state.six
        log(state, Event.COUNTER, state.defender)
        ask(state, state.defender, Stage.COUNTER)


@jit
def go_on(state, tables):
    """4.8, 4.9, 6.1, 7: what comes after a fight. Modifies `state`."""
    if state.attack == Attack.ARCHERS:
        state.after = Step.NEXT_OF_PAIR
    elif state.attack == Attack.RAM:
        state.after = Step.RAM if state.won else Step.NEXT_OF_PAIR
    elif state.attack == Attack.ASSASSIN:
        follows = state.won and is_castle(state.target) and tables.assassin_follow == AssassinFollow.yes
        state.after = Step.NEXT_TARGET if follows else Step.NEXT_OF_PAIR
    elif state.doubled:
        berserk = tables.berserker and state.six
        state.wanted = tables.extra_cards if berserk else 1
        state.berserk = berserk
        state.after = Step.EXTRA
    else:
        state.after = Step.NEXT_TARGET if state.won else Step.END_ATTACK


@jit
def draw_extra(state, tables):
    """6.1, C46: an extra card of the Jack's suit may be rallied before it joins. Modifies `state`."""
    if state.wanted == 0:
        state.after = Step.RALLY
        return
    card = take(state)
    if card >= FIRST_JOKER:
        state.wanted -= tables.joker_turn == JokerTurn.over
        meet_joker(state, tables, card, Step.EXTRA)
        return
    state.wanted -= 1
    if card == NONE:
        state.wanted = 0
        return
    state.seen_by[card] = 255
    log(state, Event.EXTRA, card)
    if may_pick(state, tables, card):
        state.picked |= bit(card)
    else:
        join(state, tables, bit(card))


@jit
def join(state, tables, cards):
    """6.1: extra cards join the attack. Modifies `state`."""
    state.spent |= cards
    for card in range(CARDS):
        if cards >> card & 1:
            if tables.royal_rule_suit == RoyalRuleSuit.any_card:
                state.suits |= bit(suit_of(card))
            adds_extra(state, tables, card)


@jit
def may_rally(state, p, card):
    """3.4, 10.2"""
    return state.royal[p, Royal.JACK] != NONE and suit_of(state.royal[p, Royal.JACK]) == suit_of(card)


@jit
def may_pick(state, tables, card):
    """3.4, 8.1, C46: a card taken in an attack may be rallied."""
    if tables.rally_card != RallyCard.any or state.forced_from != NONE:
        return False
    return may_rally(state, state.turn_of, card)


@jit
def offer_rally(state):
    """3.4. Modifies `state`."""
    if state.picked:
        ask(state, state.turn_of, Stage.RALLY)
    else:
        state.after = Step.NEXT_TARGET if state.attack != Attack.NONE else Step.PAIR_ORDER


@jit
def next_target(state, tables):
    """4.8, 6.1, C47: the attack goes on, or begins anew when nothing of its target is left.

    Modifies `state`.
    """
    barricade = state.attack == Attack.BARRICADE
    if state.won and (barricade or not state.alive[state.defender]):
        state.after = Step.END_ATTACK
        if state.doubled and tables.double_anew == DoubleAnew.yes and has_first_target(state, tables):
            state.attack = Attack.ORDINARY
            state.target = state.won_square = NONE
            state.renewed = 1
            ask(state, state.turn_of, Stage.TARGET)
        return
    if (barricade and not state.won) or (not barricade and next_squares(state, tables)):
        ask(state, state.turn_of, Stage.TARGET)
    else:
        state.after = Step.NEXT_OF_PAIR if state.attack == Attack.ASSASSIN else Step.END_ATTACK


@jit
def call_off(state, tables):
    """4.3, C7. Modifies `state`."""
    state.called_off += 1
    log(state, Event.CALLED_OFF, state.lead)
    if tables.called_off_target == CalledOffTarget.turned_back:
        state.up[state.defender] &= ~state.turned_up
    state.after = Step.END_ATTACK
    if (
        tables.called_off_lead == CalledOffLead.placed
        and not state.lead_own
        and placeable(state, tables, state.turn_of)
    ):
        discard_all(state, state.spent & ~bit(state.lead))
        state.drawn = state.lead
        clear_attack(state)
        ask(state, state.turn_of, Stage.KEEP)


@jit
def end_attack(state, tables):
    """4.10. Modifies `state`."""
    discard_all(state, state.spent)
    if state.lead_royal != NONE:
        lead_is_lost(state, tables, state.turn_of)
    clear_attack(state)
    state.after = Step.END_TURN


# ---------------------------------------------------------------- 7. an Ace


@jit
def draw_pair(state, tables):
    """7.2, 7.8: the cards drawn are discarded with the Ace. Modifies `state`."""
    card = take(state) if state.wanted > 0 else NONE
    if card >= FIRST_JOKER:
        state.wanted -= tables.joker_turn == JokerTurn.over
        meet_joker(state, tables, card, Step.DRAW_PAIR)
    elif card != NONE:
        state.wanted -= 1
        state.pair[0 if state.pair[0] == NONE else 1] = card
        state.spent |= bit(card)
        state.seen_by[card] = 255
        log(state, Event.EXTRA, card)
        if may_pick(state, tables, card):
            state.picked |= bit(card)
    else:
        state.after = Step.RALLY


@jit
def order_pair(state):
    """7.2: which of two different cards comes first. Modifies `state`."""
    state.after = Step.NEXT_OF_PAIR
    if state.pair[1] != NONE and rank_of(state.pair[0]) != rank_of(state.pair[1]):
        ask(state, state.turn_of, Stage.FIRST)


@jit
def next_of_pair(state, tables):
    """7.2 - 7.5, C19. Modifies `state`."""
    clear_part(state)
    if state.pair[0] == NONE:
        state.after = Step.END_ATTACK
        return
    state.in_use = state.pair[0]
    state.pair[0], state.pair[1] = state.pair[1], NONE
    state.suits = bit(suit_of(state.lead))
    if tables.royal_rule_suit == RoyalRuleSuit.any_card:
        state.suits |= bit(suit_of(state.in_use))
    optional = (
        tables.combo == Combo.one_optional and tables.with_ace[rank_of(state.in_use)] != WithAce.archers
    )
    state.in_combo = not optional
    state.after = Step.USE_CARD
    if optional and not state.combo_used:
        ask(state, state.turn_of, Stage.USE)


@jit
def use_card(state, tables):
    """7.3 - 7.5: the card in use becomes archers, a ram or an assassin. Modifies `state`."""
    kind = tables.with_ace[rank_of(state.in_use)]
    p = state.turn_of
    state.attacker = p
    if kind == WithAce.archers or not state.in_combo:
        state.attack = Attack.ARCHERS
        state.force, state.attack_dice = tables.value[rank_of(state.in_use)], tables.archers_dice
        if has_archer_target(state, tables):
            state.after = Step.NEXT_OF_PAIR
            ask(state, p, Stage.TARGET)
        else:
            miss(state)
        return
    state.combo_used = 1
    if kind == WithAce.ram:
        state.attack = Attack.RAM
        state.force, state.attack_dice = tables.ram_add, tables.ram_dice
        state.after = Step.RAM
        ask(state, p, Stage.RAM)
        return
    state.attack = Attack.ASSASSIN
    state.force, state.attack_dice = tables.assassin_add, tables.assassin_dice
    state.after = Step.ASSASSIN_TARGET
    if any_hidden(state, tables):
        ask(state, p, Stage.REVEAL)


@jit
def miss(state):
    """7.3, 7.5: no legal target, the attack is lost. Modifies `state`."""
    state.no_target += 1
    log(state, Event.NO_TARGET)
    state.after = Step.NEXT_OF_PAIR


@jit
def assassin_target(state, tables):
    """7.5. Modifies `state`."""
    if has_assassin_target(state, tables):
        ask(state, state.turn_of, Stage.TARGET)
    else:
        miss(state)


@jit
def ram_on(state, tables):
    """7.4: the next Court card from that end. Modifies `state`."""
    q = state.defender
    for i in range(WIDTH):
        s = i if state.ram_side == 0 else WIDTH - 1 - i
        if state.occupied[q] >> s & 1:
            if forbidden(state, tables, q) >> s & 1:
                break
            aim(state, tables, square_target(q, s))
            state.after = Step.FIGHT
            return
    state.after = Step.NEXT_OF_PAIR


# ---------------------------------------------------------------- 8. forced round


@jit
def begin_forced_round(state):
    """8.1. Modifies `state`."""
    log(state, Event.RAN_DRY)
    state.forced_rounds += 1
    state.turn -= 1
    state.forced_from = state.turn_of
    state.forced_left = 0
    for p in range(SEATS):
        state.forced_left |= state.alive[p] << p
    state.after = Step.FORCED_TURN


@jit
def forced_turn(state, tables):
    """8.1, 8.2, 8.5. Modifies `state`."""
    for i in range(tables.players):
        p = (state.forced_from + i) % tables.players
        if state.forced_left >> p & 1 and state.alive[p]:
            state.forced_left &= ~bit(p)
            state.turn_of = p
            count_turn(state)
            log(state, Event.FORCED, p)
            if own_leads(state, tables, p, tables.forced_leads):
                ask(state, p, Stage.OWN)
            else:
                log(state, Event.PASSED, p)
                state.after = Step.END_TURN
            return
    p = state.forced_from
    state.turn_of = p if state.alive[p] else next_living(state, tables, p)
    state.forced_from = NONE
    remake(state)
    state.after = Step.BEGIN_TURN


@jit
def own_leads(state, tables, p, which):
    """8.2, C28: own cards that may attack."""
    mask = 0
    for s in range(SQUARES):
        if state.occupied[p] >> s & 1:
            royal = royal_at(state, p, s)
            if (
                royal == NONE
                or which == ForcedLeads.all
                or (which == ForcedLeads.all_but_king and royal != Royal.KING)
            ):
                mask |= bit(s)
    return mask


# ---------------------------------------------------------------- 11.1 - 11.3: a Joker is drawn


@jit
def meet_joker(state, tables, card, then):
    """Everybody alive may add reinforcements, then rolls for it. Modifies `state`."""
    state.contested = card
    state.after_draw = then
    state.adder = state.turn_of
    state.last_added = NONE
    state.asked = 0
    log(state, Event.DREW, state.turn_of, card)
    state.after = Step.CONTEST


@jit
def contest(state, tables):
    """11.1: the next player who may add; after the last one the dice. Modifies `state`."""
    while state.asked < tables.players:
        p = (state.turn_of + state.asked) % tables.players
        if state.alive[p] and addable(state, tables, p):
            ask(state, p, Stage.ADD)
            return
        next_contestant(state)
    award(state, tables)


@jit
def next_contestant(state):
    state.asked += 1
    state.last_added = NONE


@jit
def award(state, tables):
    """11.1, 11.3: the highest has the Joker; the Jokers of all others are discarded. Modifies `state`."""
    among = 0
    for p in range(tables.players):
        among |= state.alive[p] << p
    while count(among) > 1:
        for i in range(tables.players):
            p = (state.turn_of + i) % tables.players
            if among >> p & 1:
                roll(state, tables, Luck.CONTEST, tables.contest_dice)
                state.contest[p] = state.total + added_worth(state, tables, p)
                log(state, Event.CONTEST, p, state.contest[p])
        among = best_of(state.contest, among)
    for p in range(tables.players):
        if among >> p & 1:
            state.jokers[p] |= bit(state.contested)
            log(state, Event.JOKER, p, count(state.jokers[p]))
        else:
            discard_all(state, state.jokers[p])
            state.jokers[p] = 0
    state.seen_by[state.contested] = 255
    use_up(state)
    state.contested = NONE
    state.after = state.after_draw
