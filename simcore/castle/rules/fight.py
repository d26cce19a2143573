"""One fight, from turning up the target to eliminations (4.2 - 4.9, 6, 10.1 - 10.3, 11.4 - 11.9).

Functions that return nothing modify `state`.
"""

from bartizan.simcore.castle import components as c
from bartizan.simcore.castle.actions import castle_of, square_of
from bartizan.simcore.castle.odds import CARD_FACES, KING_FACE
from bartizan.simcore.castle.rules import grid
from bartizan.simcore.castle.rules.decks import added_worth, discard, discard_all, jokers_of, take, use_up
from bartizan.simcore.castle.rules.targets import is_akin
from bartizan.simcore.compile.jit import jit_module
from bartizan.simcore.kit.journal import log
from bartizan.simcore.rng import below


def is_castle(target):
    """Return whether a target is a card of a castle, not of a pool, a Joker or a barricade."""
    return target >= 0 and target < c.POOL_TARGET


def owner_of(state, tables, target):
    """Return the owner of a target; for a barricade, the player who laid it."""
    if target < c.POOL_TARGET:
        return castle_of(target)
    if target >= c.BARRICADE_TARGET:
        return int(state.barricade_by[state.on_turn, target - c.BARRICADE_TARGET])
    if target >= c.JOKER_TARGET:
        return target - c.JOKER_TARGET
    for p in range(tables.players):
        if state.pool[p] >> (target - c.POOL_TARGET) & 1:
            return p
    return c.NONE


def aim(state, tables, target):
    state.target = target
    state.defender = owner_of(state, tables, target)
    state.named = grid.bit(square_of(target)) if is_castle(target) else 0
    state.target_card = c.NONE
    if is_castle(target):
        state.target_card = state.castle[state.defender, square_of(target)]
    elif target < c.JOKER_TARGET:
        state.target_card = target - c.POOL_TARGET
    elif target >= c.BARRICADE_TARGET:
        state.target_card = state.barricade[state.on_turn, target - c.BARRICADE_TARGET]


def show(state, tables):
    """Turn up the target or the whole group. Return whether the attack is called off (4.2, 4.3)."""
    q = state.defender
    state.turned_up = state.first_up = 0
    state.last_added = c.NONE
    off = False
    for s in range(c.SQUARES):
        if state.named >> s & 1:
            if not state.up[q] >> s & 1:
                state.turned_up |= grid.bit(s)
                if not state.once_up >> state.castle[q, s] & 1:
                    state.first_up |= grid.bit(s)
                grid.reveal(state, q, s)
            off |= (
                tables.royal_rule == c.RoyalRule.forbidden
                and state.attack != c.Attack.COUNTER
                and is_akin(state, q, s)
            )
    return off


def spies(state, tables):
    """Return whether the target is an eight whose owner may turn over a card (4.4, C17)."""
    if not is_castle(state.target) or tables.power[grid.rank_of(state.target_card)] != c.Power.spy:
        return False
    return (
        tables.eight_trigger == c.EightTrigger.each_defence
        or (state.turned_up >> square_of(state.target) & 1) == 1
    )


# ---------------------------------------------------------------- 4.6: rolls and bonuses of each side


def is_group(state):
    """Return whether this is a berserk attack on several cards (11.4)."""
    return state.named & (state.named - 1) != 0


def is_saboteur(state, tables, card, royal):
    """Return whether a card is a plain card of the Saboteur's rank (11.7)."""
    return royal == c.NONE and tables.saboteur_rank != c.NONE and grid.rank_of(card) == tables.saboteur_rank


def lead_strength(state, tables):
    """Return (value, dice) of the lead (1.4, C35)."""
    value = grid.worth(tables, state.lead)
    if is_saboteur(state, tables, state.lead, state.lead_royal):
        return (
            value if tables.saboteur_attack == c.SaboteurAttack.plus_value else 0
        ), tables.saboteur_attack_dice
    return value, tables.attack_dice


def meets_queen(state, tables):
    """Return whether the Queen's modifier applies to the attacker (4.6, C24)."""
    if not is_castle(state.target):
        return False
    q = state.defender
    if tables.queen_protects == c.QueenProtects.all_cards:
        return queen_lives(state, q)
    for s in range(c.SQUARES):
        if state.named >> s & 1 and state.royal[q, c.Royal.QUEEN] == state.castle[q, s]:
            return True
    return False


def shares_suit(state):
    """Return whether the lead has the suit of the target or of any card of a group (11.7).

    Returns False for a counterattack. Only C39 allows such a fight against a royal.
    """
    if state.attack == c.Attack.COUNTER:
        return False
    if not is_castle(state.target):
        return state.target_card != c.NONE and grid.suit_of(state.target_card) == grid.suit_of(state.lead)
    q = state.defender
    for s in range(c.SQUARES):
        if state.named >> s & 1 and grid.suit_of(state.castle[q, s]) == grid.suit_of(state.lead):
            return True
    return False


def attack_adds(state, tables):
    """Return the sum of the attacker's bonuses (4.6)."""
    p = state.attacker
    total = added_worth(state, tables, p) + jokers_of(state, p) * tables.joker_bonus
    if state.attack == c.Attack.COUNTER:
        total += tables.counter_add
    else:
        total += state.force + state.boost + state.kept[p]
    if meets_queen(state, tables):
        total += tables.queen_modifier
    if tables.same_suit_modifier != 0 and shares_suit(state):
        total += tables.same_suit_modifier
    return total


def defence(state, tables):
    """Return (dice, value) of the target (4.6, 11.2, 11.4, 11.8)."""
    if state.target >= c.BARRICADE_TARGET:
        laid_by = tables.barricade_dice == c.BarricadeDice.placer
        return tables.barricade_defence_dice if laid_by else 0, tables.barricade_add
    if state.target >= c.JOKER_TARGET:
        return tables.joker_dice, tables.joker_add
    if state.target >= c.POOL_TARGET:
        return tables.defence_dice, grid.worth(tables, state.target_card)
    if not is_group(state):
        return card_defence(state, tables)
    total = 0
    for s in range(c.SQUARES):
        if state.named >> s & 1:
            total += grid.worth(tables, state.castle[state.defender, s])
    return tables.defence_dice, total


def card_defence(state, tables):
    """Return (dice, value) of one card of a castle (4.6, 10.2, 11.6, 11.7).

    Adjacent cards of the same number are included.
    """
    q, s = state.defender, square_of(state.target)
    royal = grid.royal_at(state, q, s)
    dice, value = tables.defence_dice, grid.worth(tables, state.target_card)
    if royal == c.Royal.KING:
        dice = tables.king_dice if queen_lives(state, q) else tables.king_dice_alone
    elif is_saboteur(state, tables, state.target_card, royal):
        fresh = state.first_up if tables.saboteur_again == c.SaboteurAgain.once else state.turned_up
        dice = tables.saboteur_defence_dice
        value = tables.saboteur_hidden if fresh >> s & 1 else tables.saboteur_revealed
    # C54: by_then: the card is face up now; before: it was face up before this fight
    shown = tables.same_number_shown == c.SameNumberShown.by_then or not state.turned_up >> s & 1
    if tables.same_number_defence and royal == c.NONE and shown:
        value += (grid.count(equals_beside(state, tables, q, s)) - 1) * grid.worth(tables, state.target_card)
    return dice, value


def equals_beside(state, tables, q, s):
    """Return the squares of a card and of equal cards that touch it, as a bit mask (11.6, C34, C53).

    Equal cards are revealed plain cards of the same rank.
    """
    alike = 0
    for other in range(c.SQUARES):
        if (
            state.up[q] >> other & 1
            and grid.rank_of(state.castle[q, other]) == grid.rank_of(state.castle[q, s])
            and grid.royal_at(state, q, other) == c.NONE
        ):
            alike |= grid.bit(other)
    group = grid.bit(s)
    before = 0
    while group != before:
        before = group
        in_row = tables.same_number_sides == c.SameNumberSides.row
        group |= (group << 1 | group >> 1 if in_row else grid.around(group)) & alike
        if tables.same_number_group == c.SameNumberGroup.neighbours:
            break
    return group


def defence_adds(state, tables, value):
    """Return the sum of the defender's bonuses and the target's value (4.6)."""
    q = state.defender
    total = value + added_worth(state, tables, q)
    total += jokers_of(state, q) * tables.joker_bonus
    if state.attack != c.Attack.COUNTER:
        total += state.kept[q]
        if state.lead_royal == c.Royal.QUEEN:
            return total + tables.queen_modifier
    if tables.queen_protects == c.QueenProtects.all_cards and queen_lives(state, state.attacker):
        total += tables.queen_modifier
    return total


# ---------------------------------------------------------------- 4.6, 4.7: the roll


def falls_without_roll(state, tables):
    """Return whether the target is a Joker that does not defend itself (C31)."""
    return c.JOKER_TARGET <= state.target < c.BARRICADE_TARGET and tables.joker_defence == c.JokerDefence.none


def fight(state, tables):
    if falls_without_roll(state, tables):
        state.won, state.doubled, state.attacker_snake, state.defender_snake = 1, 0, 0, 0
    else:
        roll_both(state, tables)
    state.boost = 0
    keep_reinforcements(state, tables)
    if state.won:
        fall(state, tables)


def roll_both(state, tables):
    """Roll for both sides, and store `won`, `tied`, `doubled`, `six` and snake eyes (4.6, 6)."""
    dice = tables.counter_dice if state.attack == c.Attack.COUNTER else state.attack_dice
    roll(state, tables, c.Luck.ATTACK, dice)
    ordinary = state.attack == c.Attack.ORDINARY or state.attack == c.Attack.BARRICADE
    state.doubled = state.double if ordinary else 0
    state.six = ordinary and is_double_six(state, tables, dice)
    state.attacker_snake = state.snake
    attack = state.total + attack_adds(state, tables)
    dice, value = defence(state, tables)
    against = roll_defence(state, tables, c.Luck.DEFENCE, dice) + defence_adds(state, tables, value)
    state.defender_snake = state.snake
    state.won = attack > against
    state.tied = attack == against
    state.attacks += 1
    state.attacks_won += state.won
    log(state, c.Event.ROLL, attack, against, state.won)


def keep_reinforcements(state, tables):
    """Discard reinforcements after the roll, or keep them until the attack ends (4.5, C8)."""
    if tables.reinforcement_scope == c.ReinforcementScope.whole_attack and state.attack != c.Attack.COUNTER:
        for p in range(c.SEATS):
            state.kept[p] += added_worth(state, tables, p)
            state.spent |= state.added[p]
            state.added[p] = 0
    else:
        use_up(state)
        if tables.reinforcement_scope == c.ReinforcementScope.one_roll:
            state.added_suits = 0


def fall(state, tables):
    """Remove a beaten target and set it aside (4.8)."""
    q = state.defender
    if is_castle(state.target):
        fall_in_castle(state, tables, q)
    elif state.target < c.JOKER_TARGET:
        state.pool[q] &= ~grid.bit(state.target_card)
        state.pool_hidden &= ~grid.bit(state.target_card)
        state.spent |= grid.bit(state.target_card)
        log(state, c.Event.FELL, q, state.target_card)
    elif state.target < c.BARRICADE_TARGET:
        card = state.jokers[q] & -state.jokers[q]
        state.jokers[q] &= ~card
        state.spent |= card
    else:
        fall_barricade(state, tables)


def fall_barricade(state, tables):
    """Remove a beaten barricade (11.8)."""
    state.spent |= grid.bit(state.target_card)
    state.force -= grid.worth(tables, state.target_card)
    state.barricade[state.on_turn, state.target - c.BARRICADE_TARGET] = c.NONE
    grid.lay_bars(state, tables, state.on_turn)
    log(state, c.Event.FELL, state.defender, state.target_card)


def fall_in_castle(state, tables, q):
    """Remove a beaten card or group of a castle (4.8, 10.1, 11.4)."""
    king = False
    lost = 0
    for s in range(c.SQUARES):
        if state.named >> s & 1:
            royal = grid.royal_at(state, q, s)
            card = grid.take_off(state, q, s)
            lost += grid.worth(tables, card)
            log(state, c.Event.FELL, q, card)
            if royal == c.NONE:
                state.spent |= grid.bit(card)
            else:
                lose_royal(state, tables, q, royal)
                king |= royal == c.Royal.KING
    if state.attack != c.Attack.COUNTER:
        state.won_square = square_of(state.target)
        if state.attack != c.Attack.RAM:
            state.force -= lost
    if king:
        put_out(state, tables, q, state.attacker, state.attack)


# ---------------------------------------------------------------- 11.5


def provokes(state, tables):
    """Return whether a failed attack on an equal card provokes a counter-strike (11.5, C33, C42, C50)."""
    if not tables.same_number_attack or state.attack == c.Attack.COUNTER:
        return False
    if state.won or state.target_card == c.NONE:
        return False
    plain = state.attack == c.Attack.ORDINARY and is_castle(state.target)
    if tables.counter_attacks == c.CounterAttacks.ordinary and not plain:
        return False
    if not state.alive[state.defender] or not strikeable(state, tables):
        return False
    if state.tied and tables.counter_on_tie == c.CounterOnTie.no:
        return False
    leads = state.attack == c.Attack.ORDINARY or state.attack == c.Attack.BARRICADE
    card = state.lead if leads else state.in_use
    if tables.same_number_means == c.SameNumberMeans.number:
        return grid.rank_of(state.target_card) == grid.rank_of(card)
    return grid.worth(tables, state.target_card) == grid.worth(tables, card)


def strikeable(state, tables):
    """Return the squares of the attacker's castle that a counter-strike may attack (11.5, C49)."""
    p = state.attacker
    anywhere = tables.counter_target == c.CounterTarget.anywhere
    return state.occupied[p] if anywhere else grid.reachable(state, p)


# ---------------------------------------------------------------- 6, 11.9: throws


SIX = 5


def roll(state, tables, stream, dice):
    """Roll dice into `state.face`, and set `total`, `double` and `snake`."""
    state.total = state.double = state.snake = 0
    if by_throw(tables):
        pick_throws(state, tables, stream, dice)
        return
    cards = tables.random_source == c.RandomSource.cards
    for i in range(dice):
        face = pick(state, tables, stream) if cards else below(state, stream, tables.die_sides)
        state.face[i] = face
        state.total += card_worth(face) if cards else face + 1
    if dice == 2:
        look_at(state, tables, 0, 1)
    elif tables.multi_dice_doubles == c.MultiDiceDoubles.each_pair:
        for i in range(0, dice - 1, 2):
            look_at(state, tables, i, i + 1)
    elif tables.multi_dice_doubles == c.MultiDiceDoubles.any_equal:
        for i in range(dice):
            for j in range(i):
                look_at(state, tables, i, j)


def by_throw(tables):
    """Return whether a card replaces a throw of two dice (C43)."""
    return tables.random_source == c.RandomSource.cards and tables.card_replaces == c.CardReplaces.throw


def pick_throws(state, tables, stream, dice):
    """Pick a card for every two dice.

    For an odd die, a card counts half. A King counts as a double (11.9).
    """
    for i in range((dice + 1) // 2):
        face = pick(state, tables, stream)
        state.face[i] = face
        if 2 * i + 1 == dice:
            state.total += (card_worth(face) + 1) // 2
            return
        state.total += card_worth(face)
        if dice == 2 or tables.multi_dice_doubles != c.MultiDiceDoubles.never:
            state.double |= face == KING_FACE
            state.snake |= face == 0 and tables.ace_as_throw == c.AceAsThrow.snake_eyes


def pick(state, tables, stream):
    """Pick a card instead of dice and return its rank; NONE for a Joker or an empty deck (11.9, C44)."""
    if tables.cards_from == c.CardsFrom.full_pack or stream == c.Luck.CONTEST:
        return below(state, stream, CARD_FACES)  # each card goes back
    card = take(state)
    if card == c.NONE:
        return c.NONE
    discard(state, card)
    log(state, c.Event.THROWN, card)
    return grid.rank_of(card) if card < c.FIRST_JOKER else c.NONE


def card_worth(face):
    """Return the value of a card picked instead of dice (11.9).

    It is the number for Ace (1) to 10, 11 for a Jack, 12 for a Queen or King, and 0 for no card.
    """
    return min(face + 1, KING_FACE)


def look_at(state, tables, i, j):
    """Evaluate two dice that count together (6.1 - 6.3)."""
    a, b = state.face[i], state.face[j]
    if a == 0 and b == 0:
        state.snake = 1
    elif (a == b and a != c.NONE) or is_king(tables, a) or is_king(tables, b):
        state.double = 1


def is_king(tables, face):
    return tables.random_source == c.RandomSource.cards and face == KING_FACE


def is_double_six(state, tables, dice):
    """Return whether dice that count together show two sixes or a King (11.4)."""
    if by_throw(tables):
        dice //= 2  # number of cards
    pairs = tables.multi_dice_doubles == c.MultiDiceDoubles.each_pair and not by_throw(tables)
    for i in range(dice - dice % 2 if pairs else dice):
        if is_king(tables, state.face[i]):
            return True
        for j in range(i):
            apart = pairs and i // 2 != j // 2
            if state.face[i] == SIX and state.face[j] == SIX and not apart and not by_throw(tables):
                return True
    return False


def roll_defence(state, tables, stream, dice):
    """Roll a defender's dice, with extra dice for a double. Return the total (6.2, C51)."""
    roll(state, tables, stream, dice)
    total = state.total
    snake = state.snake
    more = state.double
    # C44 deck: few cards could recur for ever, so a bonus occurs once
    short = tables.random_source == c.RandomSource.cards and tables.cards_from == c.CardsFrom.deck
    chain = tables.defence_chain == c.DefenceChain.chain and not short
    while more:
        roll(state, tables, stream, 2)
        total += state.total
        if tables.bonus_snake_eyes == c.BonusSnakeEyes.count:
            snake |= state.snake
        more = state.double if chain else 0
    state.snake = snake
    return total


def best_of(totals, among):
    """Return the players in the bit mask `among` who have the highest total, as a bit mask."""
    best = c.NONE
    mask = 0
    for p in range(totals.shape[0]):
        if among >> p & 1:
            if totals[p] > best:
                best, mask = totals[p], 0
            if totals[p] == best:
                mask |= 1 << p
    return mask


# ---------------------------------------------------------------- 10.1, C11, C23: elimination


def living(state, tables):
    """Return the number of players still in the game."""
    n = 0
    for p in range(tables.players):
        n += state.alive[p]
    return n


def next_living(state, tables, p):
    p = (p + 1) % tables.players
    while not state.alive[p]:
        p = (p + 1) % tables.players
    return p


def bury(state, tables, card):
    """Remove a dead royal from the game, or discard it (C11)."""
    if tables.dead_royals == c.DeadRoyals.removed:
        state.gone |= grid.bit(card)
        state.seen_by[card] = 255
    else:
        discard(state, card)


def put_out(state, tables, p, killer, by):
    """Eliminate a player whose King is dead (10.1).

    killer: NONE if nobody killed it. by: Attack that killed it.
    """
    state.place[p] = living(state, tables)
    state.alive[p] = 0
    state.out[p] = state.turn
    state.kings[by] += 1
    log(state, c.Event.OUT, p)
    bury_royals(state, tables, p)
    if tables.dead_player_cards != c.DeadPlayerCards.walls:
        heir = killer if tables.dead_player_cards == c.DeadPlayerCards.to_killer else c.NONE
        leave_cards(state, tables, p, heir)
    discard_all(state, state.jokers[p])
    state.jokers[p] = 0
    clear_barricades(state, tables, p)
    if living(state, tables) == 1:
        state.end_reason = c.End.LAST_KING
        state.place[next_living(state, tables, p)] = 1


def bury_royals(state, tables, p):
    """Bury a player's remaining royals, including royals outside the castle (C11)."""
    for k in range(c.ROYALS):
        if state.royal[p, k] != c.NONE:
            bury(state, tables, state.royal[p, k])
    for s in range(c.SQUARES):
        if state.castle[p, s] != c.NONE and grid.royal_at(state, p, s) != c.NONE:
            grid.take_off(state, p, s)
    for k in range(c.ROYALS):
        state.royal[p, k] = c.NONE


def clear_barricades(state, tables, p):
    """Discard the barricades in a castle (11.8)."""
    for s in range(c.SQUARES):
        if state.barricade[p, s] != c.NONE:
            discard(state, state.barricade[p, s])
            state.barricade[p, s] = c.NONE
    grid.lay_bars(state, tables, p)


def leave_cards(state, tables, p, heir):
    """Move the plain cards and reinforcements of an eliminated player (C23).

    They go to the discard pile, or to the heir's pool.
    """
    cards = state.pool[p]
    for s in range(c.SQUARES):
        if state.castle[p, s] != c.NONE:
            cards |= grid.bit(grid.take_off(state, p, s))
    state.pool[p] = 0
    state.pool_hidden &= ~cards
    if heir == c.NONE:
        discard_all(state, cards)
        return
    state.pool[heir] |= cards
    for card in range(c.CARDS):
        if cards >> card & 1:
            state.seen_by[card] = 255


def lose_royal(state, tables, p, k):
    """Record a beaten royal, whose card has already left the castle.

    For a King, the caller then calls `put_out`.
    """
    card = state.royal[p, k]
    state.royal[p, k] = c.NONE
    state.royals_lost += 1
    if tables.dead_royals == c.DeadRoyals.removed:
        bury(state, tables, card)
    else:
        state.spent |= grid.bit(card)  # set aside until the attack ends


def queen_lives(state, p):
    return state.royal[p, c.Royal.QUEEN] != c.NONE


jit_module(__name__)
