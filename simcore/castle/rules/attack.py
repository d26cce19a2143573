"""The course of an attack from its lead to its end (4, 6.1, 7.2 - 7.5, 11.1 - 11.3).

The module includes attacks of an Ace, and the contest for a Joker.

Functions that return nothing modify `state`.
"""

from bartizan.simcore.castle import components as c
from bartizan.simcore.castle.actions import square_target
from bartizan.simcore.castle.rules import fight as fights
from bartizan.simcore.castle.rules import targets
from bartizan.simcore.castle.rules.decks import added_worth, deck_left, discard_all, take, use_up
from bartizan.simcore.castle.rules.grid import bit, count, placeable, rank_of, suit_of, worth
from bartizan.simcore.compile.jit import jit_module
from bartizan.simcore.kit.actions import ask
from bartizan.simcore.kit.journal import log


def clear_attack(state):
    state.attack = c.Attack.NONE
    state.lead = state.lead_royal = c.NONE
    state.lead_own = 0
    state.suits = state.added_suits = 0
    state.force = state.boost = state.attack_dice = 0
    state.spent = 0
    state.berserk = 0
    state.combo_used = 0
    state.in_use = c.NONE
    state.attacker = state.defender = c.NONE
    for i in range(c.PAIR):
        state.pair[i] = c.NONE
    clear_part(state)


def clear_part(state):
    """Reset the fields of a single attack. An Ace makes up to two single attacks."""
    state.target = state.target_card = c.NONE
    state.won_square = c.NONE
    state.named = state.turned_up = 0
    state.won = state.doubled = state.renewed = 0
    state.added_suits = 0
    for p in range(c.SEATS):
        state.kept[p] = 0


def show_lead(state, tables, card, royal, own):
    """Begin an attack by showing its lead (4.1, 8.2)."""
    clear_attack(state)
    state.lead = card
    state.lead_royal = royal
    state.lead_own = own
    state.seen_by[card] = 255
    state.suits = bit(suit_of(card))
    if royal == c.NONE:
        state.spent = bit(card)
    state.attacker = state.on_turn
    state.attack = c.Attack.ORDINARY
    state.force, state.attack_dice = fights.lead_strength(state, tables)


def begin_attack(state, tables):
    """Begin an attack with the power of its lead (7.1, 7.2).

    An Ace draws cards, and an eight may turn over a card.
    """
    plain = state.lead_royal == c.NONE
    power = tables.power[rank_of(state.lead)]
    # 8.4: in a forced round, an own Ace draws only if there are cards
    forced = state.lead_own == 1 and state.forced_from != c.NONE
    draws = not forced or deck_left(state) + count(state.discards) >= tables.ace_draw
    if plain and power == c.Power.ace and draws:
        state.aces += 1
        state.attack = c.Attack.NONE
        state.wanted = tables.ace_draw
        state.after = c.Step.DRAW_PAIR
        return
    state.after = c.Step.FIRST_TARGET
    if plain and power == c.Power.spy:
        state.after = c.Step.SPY
        ask(state, state.on_turn, c.Stage.SPY)


def first_target(state, tables):
    """Ask for the first target of an attack. Without a legal target, the attack ends (4.1, 7.3, 7.5, 8.2)."""
    if targets.has_first_target(state, tables):
        ask(state, state.on_turn, c.Stage.TARGET)
    elif state.attack == c.Attack.ORDINARY:
        log(state, c.Event.NO_TARGET)
        state.after = c.Step.END_ATTACK
    else:
        miss(state)


def name_more(state, tables):
    """Ask for more cards of a group after a double six, or begin the fight (11.4)."""
    if state.berserk and fights.is_castle(state.target) and targets.nameable(state, tables):
        ask(state, state.on_turn, c.Stage.NAME)
        return
    state.berserk = 0
    state.after = c.Step.FIGHT


def begin_fight(state, tables):
    """Begin a fight (4.2 - 4.4).

    Turn up the target, let an eight turn over a card, and ask for reinforcements.
    """
    if fights.show(state, tables):
        state.after = c.Step.CALLED_OFF
    elif fights.spies(state, tables):
        state.after = c.Step.SPY
        ask(state, state.defender, c.Stage.SPY)
    else:
        state.after = c.Step.ROLL if fights.falls_without_roll(state, tables) else c.Step.ATTACKER_ADDS


def offer_reinforcements(state, tables, p, then):
    """Let a player add reinforcements (4.5). then: the Step that follows."""
    if state.adder != p:
        state.adder = p
        state.last_added = c.NONE
    if state.alive[p] and targets.addable(state, tables, p):
        ask(state, p, c.Stage.ADD)
        return
    state.adder = c.NONE
    state.after = then


def resolve(state, tables):
    """Roll the dice of a fight (4.6, 4.7), and set the next step.

    If the defender's King falls, an attack of a ram or an assassin ends. An ordinary attack ends unless a
    double lets it continue.
    """
    fights.fight(state, tables)
    state.after = c.Step.ATTACKER_PAYS
    if not state.alive[state.defender] and fights.is_castle(state.target):
        if state.attack == c.Attack.RAM or state.attack == c.Attack.ASSASSIN:
            state.after = c.Step.NEXT_OF_PAIR
        elif state.attack == c.Attack.ORDINARY and state.doubled and tables.double_anew == c.DoubleAnew.yes:
            state.after = c.Step.GO_ON
        else:
            state.after = c.Step.END_ATTACK


def offer_removal(state, tables, snake, remover, victim, then):
    """Let the other side remove a card after snake eyes (6.3). then: the Step that follows."""
    state.after = then
    if snake and state.alive[remover] and state.alive[victim] and targets.removable(state, tables, victim):
        state.remover, state.victim = remover, victim
        ask(state, remover, c.Stage.REMOVE)


def counter(state, tables):
    """Begin a counter-strike if the fight provokes one, or end the current one (11.5)."""
    state.after = c.Step.GO_ON
    if state.attack == c.Attack.COUNTER:
        state.attack = state.waiting_attack
        state.attacker, state.defender = state.defender, state.attacker
        state.target, state.target_card = state.waiting_target, state.waiting_card
        state.doubled, state.six = state.waiting_doubled, state.waiting_six
        state.won = 0
    elif fights.provokes(state, tables):
        state.waiting_attack = state.attack
        state.waiting_target, state.waiting_card = state.target, state.target_card
        state.waiting_doubled, state.waiting_six = state.doubled, state.six
        log(state, c.Event.COUNTER, state.defender)
        ask(state, state.defender, c.Stage.COUNTER)


def go_on(state, tables):
    """Set the step after a fight (4.8, 4.9, 6.1, 7)."""
    if state.attack == c.Attack.ARCHERS:
        state.after = c.Step.NEXT_OF_PAIR
    elif state.attack == c.Attack.RAM:
        state.after = c.Step.RAM if state.won else c.Step.NEXT_OF_PAIR
    elif state.attack == c.Attack.ASSASSIN:
        follows = (
            state.won and fights.is_castle(state.target) and tables.assassin_follow == c.AssassinFollow.yes
        )
        state.after = c.Step.NEXT_TARGET if follows else c.Step.NEXT_OF_PAIR
    elif state.doubled:
        berserk = tables.berserker and state.six
        state.wanted = tables.extra_cards if berserk else 1
        state.berserk = berserk
        state.after = c.Step.EXTRA
    else:
        state.after = c.Step.NEXT_TARGET if state.won else c.Step.END_ATTACK


def draw_extra(state, tables):
    """Draw the next extra card won by a double.

    A card of the Jack's suit may be rallied before it joins the attack (6.1, C46).
    """
    if state.wanted == 0:
        state.after = c.Step.RALLY
        return
    card = take(state)
    if card >= c.FIRST_JOKER:
        state.wanted -= tables.joker_turn == c.JokerTurn.over
        meet_joker(state, tables, card, c.Step.EXTRA)
        return
    state.wanted -= 1
    if card == c.NONE:
        state.wanted = 0
        return
    state.seen_by[card] = 255
    log(state, c.Event.EXTRA, card)
    if may_pick(state, tables, card):
        state.picked |= bit(card)
    else:
        join(state, tables, bit(card))


def join(state, tables, cards):
    """Add extra cards to the attack (6.1, C13)."""
    state.spent |= cards
    for card in range(c.CARDS):
        if cards >> card & 1:
            if tables.royal_rule_suit == c.RoyalRuleSuit.any_card:
                state.suits |= bit(suit_of(card))
            if tables.extra_card_scope == c.ExtraCardScope.lasting:
                state.force += worth(tables, card)
            else:
                state.boost += worth(tables, card)


def may_rally(state, p, card):
    """Return whether the card is of the suit of the player's Jack (3.4, 10.2)."""
    return state.royal[p, c.Royal.JACK] != c.NONE and suit_of(state.royal[p, c.Royal.JACK]) == suit_of(card)


def may_pick(state, tables, card):
    """Return whether a card taken in an attack may be rallied (3.4, 8.1, C46)."""
    if tables.rally_card != c.RallyCard.any or state.forced_from != c.NONE:
        return False
    return may_rally(state, state.on_turn, card)


def offer_rally(state):
    """Offer to rally the cards just taken (3.4)."""
    if state.picked:
        ask(state, state.on_turn, c.Stage.RALLY)
    else:
        state.after = c.Step.NEXT_TARGET if state.attack != c.Attack.NONE else c.Step.PAIR_ORDER


def next_target(state, tables):
    """Ask for the next target of an attack.

    If the defender is eliminated or the barricade has fallen, end the attack, or begin it again after a
    double (4.8, 6.1, C47).
    """
    barricade = state.attack == c.Attack.BARRICADE
    if state.won and (barricade or not state.alive[state.defender]):
        state.after = c.Step.END_ATTACK
        if (
            state.doubled
            and tables.double_anew == c.DoubleAnew.yes
            and targets.has_first_target(state, tables)
        ):
            state.attack = c.Attack.ORDINARY
            state.target = state.won_square = c.NONE
            state.renewed = 1
            ask(state, state.on_turn, c.Stage.TARGET)
        return
    if (barricade and not state.won) or (not barricade and targets.next_squares(state, tables)):
        ask(state, state.on_turn, c.Stage.TARGET)
    else:
        state.after = c.Step.NEXT_OF_PAIR if state.attack == c.Attack.ASSASSIN else c.Step.END_ATTACK


def call_off(state, tables):
    """End an attack on a royal of the lead's suit (4.3, C7)."""
    state.called_off += 1
    log(state, c.Event.CALLED_OFF, state.lead)
    if tables.called_off_target == c.CalledOffTarget.turned_back:
        state.up[state.defender] &= ~state.turned_up
    state.after = c.Step.END_ATTACK
    if (
        tables.called_off_lead == c.CalledOffLead.placed
        and not state.lead_own
        and placeable(state, tables, state.on_turn)
    ):
        discard_all(state, state.spent & ~bit(state.lead))
        state.drawn = state.lead
        clear_attack(state)
        ask(state, state.on_turn, c.Stage.KEEP)


def end_attack(state, tables):
    """End the attack (4.10, 8.2). A royal that led it leaves the game; a King eliminates its owner (C28)."""
    discard_all(state, state.spent)
    if state.lead_royal != c.NONE:
        fights.bury(state, tables, state.lead)
        if state.lead_royal == c.Royal.KING and state.alive[state.on_turn]:
            fights.put_out(state, tables, state.on_turn, c.NONE, c.Attack.OWN_LEAD)
    clear_attack(state)
    state.after = c.Step.END_TURN


# ---------------------------------------------------------------- 7.2 - 7.5: attacks of an Ace


def draw_pair(state, tables):
    """Draw the next card for an Ace. It is discarded together with the Ace (7.2, 7.8)."""
    card = take(state) if state.wanted > 0 else c.NONE
    if card >= c.FIRST_JOKER:
        state.wanted -= tables.joker_turn == c.JokerTurn.over
        meet_joker(state, tables, card, c.Step.DRAW_PAIR)
    elif card != c.NONE:
        state.wanted -= 1
        state.pair[0 if state.pair[0] == c.NONE else 1] = card
        state.spent |= bit(card)
        state.seen_by[card] = 255
        log(state, c.Event.EXTRA, card)
        if may_pick(state, tables, card):
            state.picked |= bit(card)
    else:
        state.after = c.Step.RALLY


def order_pair(state):
    """Ask which of two different cards comes first (7.2)."""
    state.after = c.Step.NEXT_OF_PAIR
    if state.pair[1] != c.NONE and rank_of(state.pair[0]) != rank_of(state.pair[1]):
        ask(state, state.on_turn, c.Stage.FIRST)


def next_of_pair(state, tables):
    """Attack with the next of the Ace's cards (7.2 - 7.5, C19)."""
    clear_part(state)
    if state.pair[0] == c.NONE:
        state.after = c.Step.END_ATTACK
        return
    state.in_use = state.pair[0]
    state.pair[0], state.pair[1] = state.pair[1], c.NONE
    state.suits = bit(suit_of(state.lead))
    if tables.royal_rule_suit == c.RoyalRuleSuit.any_card:
        state.suits |= bit(suit_of(state.in_use))
    optional = (
        tables.combo == c.Combo.one_optional and tables.with_ace[rank_of(state.in_use)] != c.WithAce.archers
    )
    state.in_combo = not optional
    state.after = c.Step.USE_CARD
    if optional and not state.combo_used:
        ask(state, state.on_turn, c.Stage.USE)


def use_card(state, tables):
    """Use the Ace's card as archers, as a ram, or as an assassin (7.3 - 7.5).

    An assassin may first turn over a hidden card.
    """
    kind = tables.with_ace[rank_of(state.in_use)]
    state.attacker = state.on_turn
    state.after = c.Step.FIRST_TARGET
    if kind == c.WithAce.archers or not state.in_combo:
        state.attack = c.Attack.ARCHERS
        state.force, state.attack_dice = tables.value[rank_of(state.in_use)], tables.archers_dice
        return
    state.combo_used = 1
    if kind == c.WithAce.ram:
        state.attack = c.Attack.RAM
        state.force, state.attack_dice = tables.ram_add, tables.ram_dice
        state.after = c.Step.RAM
        ask(state, state.on_turn, c.Stage.RAM)
    else:
        state.attack = c.Attack.ASSASSIN
        state.force, state.attack_dice = tables.assassin_add, tables.assassin_dice
        if targets.any_hidden(state, tables):
            ask(state, state.on_turn, c.Stage.REVEAL)


def miss(state):
    """End an attack without a legal target (7.3, 7.5)."""
    state.no_target += 1
    log(state, c.Event.NO_TARGET)
    state.after = c.Step.NEXT_OF_PAIR


def ram_on(state, tables):
    """Ram the next Court card from the same end (7.4)."""
    q = state.defender
    for i in range(c.WIDTH):
        s = i if state.ram_side == 0 else c.WIDTH - 1 - i
        if state.occupied[q] >> s & 1:
            if targets.forbidden(state, tables, q) >> s & 1:
                break
            fights.aim(state, tables, square_target(q, s))
            state.after = c.Step.FIGHT
            return
    state.after = c.Step.NEXT_OF_PAIR


# ---------------------------------------------------------------- 11.1 - 11.3: all roll for a Joker


def meet_joker(state, tables, card, then):
    """Begin a contest for a Joker.

    All living players may add reinforcements, then they roll. then: the Step after the contest.
    """
    state.contested = card
    state.after_draw = then
    state.adder = state.on_turn
    state.last_added = c.NONE
    state.asked = 0
    log(state, c.Event.DREW, state.on_turn, card)
    state.after = c.Step.CONTEST


def contest(state, tables):
    """Ask the next player who may add reinforcements. After the last player, all roll (11.1)."""
    while state.asked < tables.players:
        p = (state.on_turn + state.asked) % tables.players
        if state.alive[p] and targets.addable(state, tables, p):
            ask(state, p, c.Stage.ADD)
            return
        next_contestant(state)
    award(state, tables)


def next_contestant(state):
    state.asked += 1
    state.last_added = c.NONE


def award(state, tables):
    """Give the Joker to the player with the highest total.

    The other players discard their Jokers (11.1, 11.3).
    """
    among = 0
    for p in range(tables.players):
        among |= state.alive[p] << p
    while count(among) > 1:
        among = roll_contest(state, tables, among)
    for p in range(tables.players):
        if among >> p & 1:
            state.jokers[p] |= bit(state.contested)
            log(state, c.Event.JOKER, p, count(state.jokers[p]))
        else:
            discard_all(state, state.jokers[p])
            state.jokers[p] = 0
    state.seen_by[state.contested] = 255
    use_up(state)
    state.contested = c.NONE
    state.after = state.after_draw


def roll_contest(state, tables, among):
    """Roll for the players of the bit mask `among`.

    Return those with the highest total as a bit mask (11.1).
    """
    for i in range(tables.players):
        p = (state.on_turn + i) % tables.players
        if among >> p & 1:
            fights.roll(state, tables, c.Luck.CONTEST, tables.contest_dice)
            state.contest[p] = state.total + added_worth(state, tables, p)
            log(state, c.Event.CONTEST, p, state.contest[p])
    return fights.best_of(state.contest, among)


jit_module(__name__)
