"""The engine of Castle: `apply`, and the declaration of the engine for the play loop.

All compiled functions modify `state`.
"""

from bartizan.simcore.castle import actions, scene, trace
from bartizan.simcore.castle import components as c
from bartizan.simcore.castle.actions import argument_of, kind_of
from bartizan.simcore.castle.cards import CARDS
from bartizan.simcore.castle.features import FEATURES
from bartizan.simcore.castle.legal import legal_actions
from bartizan.simcore.castle.rare import RARE
from bartizan.simcore.castle.record import RECORD
from bartizan.simcore.castle.rules import attack, grid
from bartizan.simcore.castle.rules.attack import join, next_contestant, show_lead
from bartizan.simcore.castle.rules.decks import determinize, discard, shuffle_unseen
from bartizan.simcore.castle.rules.fight import aim
from bartizan.simcore.castle.rules.targets import heading_to
from bartizan.simcore.castle.scoring import REPORTING, write_record
from bartizan.simcore.castle.setup import reset
from bartizan.simcore.castle.state import STATE
from bartizan.simcore.castle.tables import TABLES, build_tables
from bartizan.simcore.castle.trace import TOPICS
from bartizan.simcore.castle.turns import advance, placing
from bartizan.simcore.compile.jit import jit_module
from bartizan.simcore.game import Engine, acts_of
from bartizan.simcore.kit.journal import log


def apply(state, tables, action):
    """Apply one legal action and everything up to the next decision."""
    state.n_events = 0
    act, argument = kind_of(action), argument_of(action)
    stage = state.stage
    if stage == c.Stage.CARD:
        apply_card(state, tables, act, argument)
    elif stage == c.Stage.TARGET:
        apply_target(state, tables, act, argument)
    elif stage == c.Stage.TURN or stage == c.Stage.OWN:
        apply_turn(state, tables, act, argument)
    elif stage == c.Stage.SETUP or stage == c.Stage.KEEP:
        place(state, tables, state.to_move, argument, stage == c.Stage.KEEP)
    elif stage == c.Stage.CHOOSE:
        choose_suit(state, tables, argument)
    elif stage == c.Stage.HAND:
        take_up(state, tables, argument)
    # decisions in an attack other than its target
    elif stage == c.Stage.ADD:
        apply_add(state, tables, act, argument)
    elif stage == c.Stage.SPY or stage == c.Stage.REVEAL:
        apply_spy(state, act, argument)
    elif stage == c.Stage.REMOVE:
        apply_remove(state, act, argument)
    elif stage == c.Stage.NAME:
        apply_name(state, act, argument)
    elif stage == c.Stage.RAM:
        state.defender, state.ram_side = actions.castle_and_end(argument)
    elif stage == c.Stage.COUNTER:
        strike_back(state, tables, argument)
    elif stage == c.Stage.RALLY:
        apply_rally(state, tables, act, argument)
    elif stage == c.Stage.FIRST:
        if argument == 1:
            state.pair[0], state.pair[1] = state.pair[1], state.pair[0]
    elif stage == c.Stage.USE:
        state.in_combo = argument
    advance(state, tables)


def apply_remove(state, act, square):
    """Remove a card of the victim for snake eyes, unless the player declines (6.3)."""
    if act == c.Act.REMOVE:
        state.removals += 1
        card = grid.take_off(state, state.victim, square)
        log(state, c.Event.REMOVED, state.victim, card)
        discard(state, card)


def strike_back(state, tables, target):
    """Attack a card with a counter-strike (11.5)."""
    state.attack = c.Attack.COUNTER
    state.attacker = state.to_move
    aim(state, tables, target)
    state.after = c.Step.FIGHT


def choose_suit(state, tables, suit):
    """Give the player's next royal the chosen suit (C1 choice)."""
    k = state.to_place // tables.players
    state.suits_left[k, suit] = 0
    state.royal[state.to_move, k] = suit * c.RANKS + c.FIRST_ROYAL_RANK + k
    state.to_place += 1


def take_up(state, tables, i):
    """Take the i-th of the remaining dealt cards, to be placed next (2.3).

    The order of the other cards does not change.
    """
    p, k = state.to_move, placing(state, tables)
    card = state.dealt[p, k + i]
    for j in range(k + i, k, -1):
        state.dealt[p, j] = state.dealt[p, j - 1]
    state.dealt[p, k] = card
    state.after = c.Step.SETUP_CARD


def place(state, tables, p, square, turn):
    """Place the drawn card in the castle of player p (2.3, 3.2, 7.7, C2, C7, C41).

    turn: False for a placement in the set-up.
    """
    square = grid.make_room(state, tables, p, square)
    face_up = (
        tables.placed_face == c.PlacedFace.revealed if turn else state.drawn == state.royal[p, c.Royal.JACK]
    )
    grid.put(state, p, square, state.drawn, face_up)
    if turn:
        state.placed += 1
        state.after = c.Step.END_TURN
    else:
        state.to_place += 1


def apply_turn(state, tables, act, argument):
    """Apply an action at the start of a turn (3.7, 8.1, 8.2, 9.1).

    The player draws a card, closes gaps, or attacks with a card of the own castle.
    """
    p = state.on_turn
    if act == c.Act.CLOSE:
        state.closed += 1
        grid.close_gaps(state, tables, p)
        state.after = c.Step.END_TURN
    elif act == c.Act.OWN:
        royal = grid.royal_at(state, p, argument)
        if royal != c.NONE:
            state.royal[p, royal] = c.NONE
        card = grid.take_off(state, p, argument)
        show_lead(state, tables, card, royal, True)
        state.after = c.Step.LEAD
    else:
        state.after = c.Step.DRAW


def apply_card(state, tables, act, argument):
    """Apply the use of the drawn card (3.1 - 3.6)."""
    p, card = state.on_turn, state.drawn
    state.after = c.Step.END_TURN
    if act == c.Act.PLACE:
        place(state, tables, p, argument, True)
    elif act == c.Act.ATTACK or act == c.Act.LEAD:
        show_lead(state, tables, card, c.NONE, False)
        state.after = c.Step.LEAD
        if act == c.Act.ATTACK:
            choose_target(state, tables, argument)
    elif act == c.Act.RALLY:
        rally(state, p, card)
        if tables.rally_turn == c.RallyTurn.draw_again:
            state.after = c.Step.DRAW
    elif act == c.Act.LAY:
        q, square, side = actions.laid_at(argument)
        lay(state, tables, q, square, side)
    else:
        state.discarded_unused += 1
        discard(state, card)


def rally(state, p, card):
    """Add a card to the pool of player p (3.4)."""
    state.rallied += 1
    state.pool[p] |= grid.bit(card)
    state.seen_by[card] = 255


def apply_rally(state, tables, act, card):
    """Rally an extra card, or a card drawn by an Ace (3.4, C46).

    Extra cards with lower numbers, which the player has passed over, join the attack.
    """
    extra = state.attack != c.Attack.NONE
    passed = state.picked & (grid.bit(card) - 1) if act == c.Act.RALLY else state.picked
    state.picked &= ~passed
    if extra:
        join(state, tables, passed)
    if act != c.Act.RALLY:
        return
    state.picked &= ~grid.bit(card)
    state.spent &= ~grid.bit(card)
    if state.pair[0] == card:
        state.pair[0] = state.pair[1]
        state.pair[1] = c.NONE
    elif state.pair[1] == card:
        state.pair[1] = c.NONE
    rally(state, state.on_turn, card)
    if tables.rally_turn == c.RallyTurn.draw_again:
        state.wanted = 1
        state.after = c.Step.EXTRA if extra else c.Step.DRAW_PAIR


def lay(state, tables, q, square, side):
    """Lay the drawn card as a barricade on a square of q's castle (11.8). side: Side."""
    s = grid.make_room(state, tables, q, square)
    state.barricades += 1
    state.barricade[q, s] = state.drawn
    state.barricade_side[q, s] = side
    state.barricade_by[q, s] = state.on_turn
    state.seen_by[state.drawn] = 255
    grid.lay_bars(state, tables, q)


def apply_target(state, tables, act, argument):
    """Choose the next target, or end the attack (4.1, 4.8, 6.1, 7)."""
    if act == c.Act.END:
        if state.attack == c.Attack.ASSASSIN and state.target == c.NONE:
            attack.miss(state)
        else:
            state.after = c.Step.NEXT_OF_PAIR if state.attack == c.Attack.ASSASSIN else c.Step.END_ATTACK
    else:
        choose_target(state, tables, argument)


def choose_target(state, tables, target):
    """Set the target of the next fight, and the kind and heading of the attack."""
    if target >= c.BARRICADE_TARGET:
        state.attack = c.Attack.BARRICADE
    elif target < c.POOL_TARGET and target != state.target:
        state.heading = heading_to(state, tables, actions.castle_of(target), actions.square_of(target))
    aim(state, tables, target)
    state.after = c.Step.NAME


def apply_name(state, act, square):
    """Add a card to a group, or begin the fight (11.4)."""
    state.after = c.Step.NAME
    if act == c.Act.NAME:
        state.named |= grid.bit(square)
    else:
        state.berserk = 0
        state.after = c.Step.FIGHT


def apply_spy(state, act, target):
    """Turn over the target, unless the player declines (7.1, 7.5)."""
    if act == c.Act.END:
        return
    if state.stage == c.Stage.SPY:
        state.spied += 1
    if target >= c.POOL_TARGET:
        state.pool_hidden ^= grid.bit(target - c.POOL_TARGET)
    elif state.up[actions.castle_of(target)] >> actions.square_of(target) & 1:
        state.up[actions.castle_of(target)] &= ~grid.bit(actions.square_of(target))
    else:
        grid.reveal(state, actions.castle_of(target), actions.square_of(target))


def apply_add(state, tables, act, card):
    """Add a reinforcement to the roll, or stop adding (4.5, 11.1)."""
    if act == c.Act.ADD:
        reinforce(state, tables, state.to_move, card)
    elif state.contested != c.NONE:
        next_contestant(state)
    else:
        state.after = c.Step.DEFENDER_ADDS if state.to_move == state.attacker else c.Step.ROLL
        state.adder = c.NONE


def reinforce(state, tables, p, card):
    """Add a card of p's pool to the roll (4.5, C21)."""
    state.last_added = card
    state.pool[p] &= ~grid.bit(card)
    state.pool_hidden &= ~grid.bit(card)
    state.added[p] |= grid.bit(card)
    state.reinforced += 1
    attacks = state.contested == c.NONE and p == state.attacker and state.attack != c.Attack.COUNTER
    if attacks and tables.royal_rule_suit == c.RoyalRuleSuit.any_card:
        state.added_suits |= grid.bit(grid.suit_of(card))


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
    end_reasons={c.End.LAST_KING: "one King left", c.End.TURN_LIMIT: "turn limit"},
    max_legal=c.MAX_LEGAL,
    nulls={**{f"place_{p}": 0 for p in range(4)}, **{f"out_{p}": 0 for p in range(4)}},
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
    shuffle_unseen=shuffle_unseen,
    determinize=determinize,
    features=FEATURES,
    topics=TOPICS,
)
