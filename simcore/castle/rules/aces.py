"""7.2 - 7.5: an Ace draws cards, which attack one after the other."""

from bartizan.simcore.castle import components as c
from bartizan.simcore.castle.actions import square_target
from bartizan.simcore.castle.rules import targets
from bartizan.simcore.castle.rules.attack import clear_part, may_pick
from bartizan.simcore.castle.rules.decks import take
from bartizan.simcore.castle.rules.fight import aim
from bartizan.simcore.castle.rules.grid import bit, rank_of, suit_of
from bartizan.simcore.castle.rules.jokers import meet_joker
from bartizan.simcore.compile.jit import jit
from bartizan.simcore.kit.actions import ask
from bartizan.simcore.kit.journal import log


@jit
def draw_pair(state, tables):
    """7.2, 7.8: the cards drawn are discarded with the Ace. Modifies `state`."""
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


@jit
def order_pair(state):
    """7.2: which of two different cards comes first. Modifies `state`."""
    state.after = c.Step.NEXT_OF_PAIR
    if state.pair[1] != c.NONE and rank_of(state.pair[0]) != rank_of(state.pair[1]):
        ask(state, state.on_turn, c.Stage.FIRST)


@jit
def next_of_pair(state, tables):
    """The next card that the Ace has drawn attacks (7.2 - 7.5, C19). Modifies `state`."""
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


@jit
def use_card(state, tables):
    """7.3 - 7.5: the card in use becomes archers, a ram or an assassin. Modifies `state`."""
    kind = tables.with_ace[rank_of(state.in_use)]
    state.attacker = state.on_turn
    if kind == c.WithAce.archers or not state.in_combo:
        use_archers(state, tables)
        return
    state.combo_used = 1
    if kind == c.WithAce.ram:
        use_ram(state, tables)
    else:
        use_assassin(state, tables)


@jit
def use_archers(state, tables):
    """Archers choose a target (7.3). Modifies `state`."""
    state.attack = c.Attack.ARCHERS
    state.force, state.attack_dice = tables.value[rank_of(state.in_use)], tables.archers_dice
    if targets.has_archer_target(state, tables):
        state.after = c.Step.NEXT_OF_PAIR
        ask(state, state.on_turn, c.Stage.TARGET)
    else:
        miss(state)


@jit
def use_ram(state, tables):
    """A ram chooses a Court (7.4). Modifies `state`."""
    state.attack = c.Attack.RAM
    state.force, state.attack_dice = tables.ram_add, tables.ram_dice
    state.after = c.Step.RAM
    ask(state, state.on_turn, c.Stage.RAM)


@jit
def use_assassin(state, tables):
    """An assassin, who may first see a card (7.5). Modifies `state`."""
    state.attack = c.Attack.ASSASSIN
    state.force, state.attack_dice = tables.assassin_add, tables.assassin_dice
    state.after = c.Step.ASSASSIN_TARGET
    if targets.any_hidden(state, tables):
        ask(state, state.on_turn, c.Stage.REVEAL)


@jit
def miss(state):
    """7.3, 7.5: no legal target, the attack is lost. Modifies `state`."""
    state.no_target += 1
    log(state, c.Event.NO_TARGET)
    state.after = c.Step.NEXT_OF_PAIR


@jit
def assassin_target(state, tables):
    """The assassin's target (7.5). Modifies `state`."""
    if targets.has_assassin_target(state, tables):
        ask(state, state.on_turn, c.Stage.TARGET)
    else:
        miss(state)


@jit
def ram_on(state, tables):
    """7.4: the next Court card from that end. Modifies `state`."""
    q = state.defender
    for i in range(c.WIDTH):
        s = i if state.ram_side == 0 else c.WIDTH - 1 - i
        if state.occupied[q] >> s & 1:
            if targets.forbidden(state, tables, q) >> s & 1:
                break
            aim(state, tables, square_target(q, s))
            state.after = c.Step.FIGHT
            return
    state.after = c.Step.NEXT_OF_PAIR
