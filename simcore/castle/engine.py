"""Castle for the play loop: which actions are legal at a decision, and what each does."""

from bartizan.simcore.castle import trace
from bartizan.simcore.castle.actions import (
    action,
    argument_of,
    castle_of,
    kind_of,
    laying,
    ram,
    square_of,
    square_target,
)
from bartizan.simcore.castle.cards import CARDS
from bartizan.simcore.castle.components import (
    ARGUMENTS,
    BARRICADE_TARGET,
    COLUMNS,
    FIRST_ROYAL_RANK,
    MAX_LEGAL,
    NONE,
    POOL_TARGET,
    RANKS,
    ROWS,
    SIDES,
    SQUARES,
    SUITS,
    WIDTH,
    Act,
    Attack,
    BarricadeAbove,
    End,
    Event,
    FollowThrough,
    ForcedLeads,
    OwnCardAttack,
    PlacedFace,
    Power,
    RallyTurn,
    Royal,
    RoyalRuleSuit,
    Side,
    SnakeEyes,
    Stage,
    Step,
)
from bartizan.simcore.castle.outlook import OUTLOOK
from bartizan.simcore.castle.rare import RARE
from bartizan.simcore.castle.rules.decks import determinize, discard
from bartizan.simcore.castle.rules.fight import aim, strikeable
from bartizan.simcore.castle.rules.grid import (
    bit,
    close_gaps,
    has_gap,
    lay_bars,
    make_room,
    movable_borders,
    placeable,
    put,
    rank_of,
    reveal,
    royal_at,
    suit_of,
    take_off,
)
from bartizan.simcore.castle.rules.targets import (
    addable,
    append_all,
    heading_to,
    nameable,
    next_squares,
    removable,
    write_archer_targets,
    write_assassin_targets,
    write_first_targets,
    write_hidden,
    write_turns,
)
from bartizan.simcore.castle.scoring import REPORTING, write_record
from bartizan.simcore.castle.setup import reset
from bartizan.simcore.castle.state import RECORD, STATE
from bartizan.simcore.castle.tables import TABLES, build_tables
from bartizan.simcore.castle.turns import (
    advance,
    join,
    may_rally,
    miss,
    next_contestant,
    own_leads,
    placing,
    show_lead,
)
from bartizan.simcore.compile.jit import jit
from bartizan.simcore.game import Engine, acts_of
from bartizan.simcore.kit.journal import log
from bartizan.simcore.kit.legal import append

# ---------------------------------------------------------------- what is legal


@jit
def legal_actions(state, tables, legal):
    """Write the legal actions of the decision at hand into `legal` (int32, modified in place); returns their
    number.
    """
    stage = state.stage
    p = state.to_move
    if stage == Stage.CARD:
        return write_card(state, tables, p, legal)
    if stage == Stage.TARGET:
        return write_targets(state, tables, legal)
    if stage == Stage.SPY:
        return write_turns(state, tables, legal, append(legal, 0, action(Act.END, 0)))
    if stage == Stage.ADD:
        return append_all(legal, append(legal, 0, action(Act.END, 0)), Act.ADD, addable(state, tables, p), 0)
    if stage == Stage.REMOVE:
        n = append(legal, 0, action(Act.END, 0)) if tables.snake_eyes == SnakeEyes.may else 0
        return append_all(legal, n, Act.REMOVE, removable(state, tables, state.victim), 0)
    if stage == Stage.TURN:
        return write_turn(state, tables, p, legal)
    if stage == Stage.SETUP:
        return write_placement(state, tables, p, legal)
    if stage == Stage.NAME:
        return append_all(legal, append(legal, 0, action(Act.END, 0)), Act.NAME, nameable(state, tables), 0)
    if stage == Stage.RAM:
        return write_rams(state, tables, legal)
    if stage == Stage.REVEAL:
        return write_hidden(state, tables, legal, append(legal, 0, action(Act.END, 0)))
    if stage == Stage.COUNTER:
        return append_all(legal, 0, Act.ATTACK, strikeable(state, tables), square_target(state.attacker, 0))
    if stage == Stage.OWN:
        return append_all(legal, 0, Act.OWN, own_leads(state, tables, p, tables.forced_leads), 0)
    if stage == Stage.KEEP:
        return append_all(legal, 0, Act.PLACE, placeable(state, tables, p), 0)
    if stage == Stage.CHOOSE:
        return write_suits(state, tables, legal)
    if stage == Stage.RALLY:
        return append_all(legal, append(legal, 0, action(Act.END, 0)), Act.RALLY, state.picked, 0)
    if stage == Stage.HAND:
        return write_hand(state, tables, legal)
    act = Act.FIRST if stage == Stage.FIRST else Act.USE
    return append(legal, append(legal, 0, action(act, 0)), action(act, 1))


@jit
def write_card(state, tables, p, legal):
    """3.1, 3.2, 3.3, 3.4, 3.5, 3.6: what the drawn card can do."""
    card = state.drawn
    n = append_all(legal, 0, Act.PLACE, placeable(state, tables, p), 0)
    if tables.power[rank_of(card)] == Power.none:
        n = write_first_targets(state, tables, legal, n)
    else:
        n = append(legal, n, action(Act.LEAD, 0))
    if may_rally(state, p, card):
        n = append(legal, n, action(Act.RALLY, 0))
    if tables.barricade_rank != NONE and rank_of(card) == tables.barricade_rank:
        n = write_barricades(state, tables, legal, n)
    return n if n > 0 else append(legal, 0, action(Act.DISCARD, 0))


@jit
def write_barricades(state, tables, legal, n):
    """3.5, 11.8: above the top card of an enemy column, at the ends of an enemy row."""
    p = state.turn_of
    for i in range(1, tables.players):
        q = (p + i) % tables.players
        if state.alive[q]:
            ends = laying_squares(state, tables, q)
            room = (tables.inside | movable_borders(state, tables, q)) & ~state.barred[q] & ~state.occupied[q]
            for s in range(SQUARES):
                for side in range(SIDES - 1):
                    if ends[side] & room & bit(s) and (side != Side.ABOVE or tables.inside & bit(s)):
                        n = append(legal, n, action(Act.LAY, laying(q, s, side)))
    return n


@jit
def laying_squares(state, tables, q):
    """C48: squares above a column, left and right of a row: three masks, by Side."""
    cards = state.occupied[q]
    above, left, right = 0, 0, 0
    for column in range(1, COLUMNS + 1):
        for row in range(ROWS - 1, -1, -1):
            if cards >> row * WIDTH + column & 1:
                if tables.barricade_above == BarricadeAbove.column or not cards >> (row + 1) * WIDTH:
                    above |= bit((row + 1) * WIDTH + column)
                break
    for row in range(ROWS):
        line = cards >> row * WIDTH & ((1 << WIDTH) - 1)
        if line:
            lowest, highest = WIDTH, 0
            for column in range(WIDTH):
                if line >> column & 1:
                    lowest, highest = min(lowest, column), column
            left |= bit(row * WIDTH + lowest - 1)
            right |= bit(row * WIDTH + highest + 1)
    return above, left, right


@jit
def write_targets(state, tables, legal):
    """TARGET: the first of an attack, or the next; of archers and assassins."""
    if state.target == NONE:
        if state.attack == Attack.ARCHERS:
            return write_archer_targets(state, tables, legal, 0)
        if state.attack == Attack.ASSASSIN:
            return write_assassin_targets(state, tables, legal, append(legal, 0, action(Act.END, 0)))
        may_stop = state.renewed == 1 and tables.follow_through == FollowThrough.optional
        return write_first_targets(
            state, tables, legal, append(legal, 0, action(Act.END, 0)) if may_stop else 0
        )
    n = append(legal, 0, action(Act.END, 0)) if tables.follow_through == FollowThrough.optional else 0
    if state.attack == Attack.BARRICADE:
        return append(legal, n, action(Act.ATTACK, state.target))
    return append_all(legal, n, Act.ATTACK, next_squares(state, tables), square_target(state.defender, 0))


@jit
def write_turn(state, tables, p, legal):
    """3.1, 3.7, C27"""
    n = append(legal, 0, action(Act.DRAW, 0))
    if has_gap(state, tables, p):
        n = append(legal, n, action(Act.CLOSE, 0))
    if tables.own_card_attack == OwnCardAttack.yes:
        n = append_all(legal, n, Act.OWN, own_leads(state, tables, p, ForcedLeads.all_but_king), 0)
    return n


@jit
def write_placement(state, tables, p, legal):
    """2.3: royals anywhere in the Court, other cards by the rule of placing."""
    if rank_of(state.drawn) >= FIRST_ROYAL_RANK:
        return append_all(legal, 0, Act.PLACE, tables.inside & tables.court & ~state.occupied[p], 0)
    return append_all(legal, 0, Act.PLACE, placeable(state, tables, p), 0)


@jit
def write_hand(state, tables, legal):
    """2.3: which of the dealt cards is placed next."""
    n = 0
    for i in range(tables.dealt - placing(state, tables)):
        n = append(legal, n, action(Act.FIRST, i))
    return n


@jit
def write_rams(state, tables, legal):
    """7.4: whose Court, and from which end."""
    p = state.turn_of
    n = 0
    for i in range(1, tables.players):
        q = (p + i) % tables.players
        if state.alive[q]:
            n = append(legal, n, action(Act.RAM, ram(q, 0)))
            n = append(legal, n, action(Act.RAM, ram(q, 1)))
    return n


@jit
def write_suits(state, tables, legal):
    """C1 choice"""
    n = 0
    for suit in range(SUITS):
        if state.suits_left[state.to_place // tables.players, suit]:
            n = append(legal, n, action(Act.SUIT, suit))
    return n


# ---------------------------------------------------------------- what an action does


@jit
def apply(state, tables, action):
    """Play one legal action and everything up to the next decision. Modifies `state`."""
    state.n_events = 0
    act, argument = kind_of(action), argument_of(action)
    stage = state.stage
    if stage == Stage.CARD:
        apply_card(state, tables, act, argument)
    elif stage == Stage.TARGET:
        apply_target(state, tables, act, argument)
    elif stage == Stage.SPY or stage == Stage.REVEAL:
        apply_spy(state, act, argument)
    elif stage == Stage.ADD:
        apply_add(state, tables, act, argument)
    elif stage == Stage.REMOVE:
        if act == Act.REMOVE:
            state.removals += 1
            card = take_off(state, state.victim, argument)
            log(state, Event.REMOVED, state.victim, card)
            discard(state, card)
    elif stage == Stage.TURN or stage == Stage.OWN:
        apply_turn(state, tables, act, argument)
    elif stage == Stage.SETUP or stage == Stage.KEEP:
        place(state, tables, state.to_move, argument, stage == Stage.KEEP)
    elif stage == Stage.NAME:
        apply_name(state, act, argument)
    elif stage == Stage.RAM:
        state.defender = argument // 2
        state.ram_side = argument % 2
    elif stage == Stage.COUNTER:
        state.attack = Attack.COUNTER
        state.attacker = state.to_move
        aim(state, tables, argument)
        state.after = Step.FIGHT
    elif stage == Stage.CHOOSE:
        choose_suit(state, tables, argument)
    elif stage == Stage.RALLY:
        apply_rally(state, tables, act, argument)
    elif stage == Stage.HAND:
        take_up(state, tables, argument)
    elif stage == Stage.FIRST:
        if argument == 1:
            state.pair[0], state.pair[1] = state.pair[1], state.pair[0]
    else:
        state.in_combo = argument
    advance(state, tables)


@jit
def choose_suit(state, tables, suit):
    """C1 choice. Modifies `state`."""
    k = state.to_place // tables.players
    state.suits_left[k, suit] = 0
    state.royal[state.to_move, k] = suit * RANKS + FIRST_ROYAL_RANK + k
    state.to_place += 1


@jit
def take_up(state, tables, i):
    """2.3: the i-th of the dealt cards at hand is placed next; the others keep their order.

    Modifies `state`.
    """
    p, k = state.to_move, placing(state, tables)
    card = state.dealt[p, k + i]
    for j in range(k + i, k, -1):
        state.dealt[p, j] = state.dealt[p, j - 1]
    state.dealt[p, k] = card
    state.after = Step.SETUP_CARD


@jit
def place(state, tables, p, square, turn):
    """2.3, 3.2, 7.7, C2, C7, C41: the card at hand into the own castle. Modifies `state`."""
    square = make_room(state, tables, p, square)
    face_up = tables.placed_face == PlacedFace.revealed if turn else state.drawn == state.royal[p, Royal.JACK]
    put(state, p, square, state.drawn, face_up)
    if turn:
        state.placed += 1
        state.after = Step.END_TURN
    else:
        state.to_place += 1


@jit
def apply_turn(state, tables, act, argument):
    """3.7, 8.1, 8.2, 9.1. Modifies `state`."""
    p = state.turn_of
    if act == Act.CLOSE:
        state.closed += 1
        close_gaps(state, tables, p)
        state.after = Step.END_TURN
    elif act == Act.OWN:
        royal = royal_at(state, p, argument)
        if royal != NONE:
            state.royal[p, royal] = NONE
        card = take_off(state, p, argument)
        show_lead(state, tables, card, royal, True)
        state.after = Step.LEAD
    else:
        state.after = Step.DRAW


@jit
def apply_card(state, tables, act, argument):
    """3.1 - 3.6. Modifies `state`."""
    p, card = state.turn_of, state.drawn
    state.after = Step.END_TURN
    if act == Act.PLACE:
        place(state, tables, p, argument, True)
    elif act == Act.ATTACK or act == Act.LEAD:
        show_lead(state, tables, card, NONE, False)
        state.after = Step.LEAD
        if act == Act.ATTACK:
            choose_target(state, tables, argument)
    elif act == Act.RALLY:
        rally(state, p, card)
        if tables.rally_turn == RallyTurn.draw_again:
            state.after = Step.DRAW
    elif act == Act.LAY:
        lay(state, tables, argument // SIDES, argument % SIDES)
    else:
        state.discarded_unused += 1
        discard(state, card)


@jit
def rally(state, p, card):
    """3.4. Modifies `state`."""
    state.rallied += 1
    state.pool[p] |= bit(card)
    state.seen_by[card] = 255


@jit
def apply_rally(state, tables, act, card):
    """3.4, C46: an extra card, or one of an Ace's, is rallied; those passed over attack. Modifies `state`."""
    extra = state.attack != Attack.NONE
    passed = state.picked & (bit(card) - 1) if act == Act.RALLY else state.picked
    state.picked &= ~passed
    if extra:
        join(state, tables, passed)
    if act != Act.RALLY:
        return
    state.picked &= ~bit(card)
    state.spent &= ~bit(card)
    if state.pair[0] == card:
        state.pair[0] = state.pair[1]
        state.pair[1] = NONE
    elif state.pair[1] == card:
        state.pair[1] = NONE
    rally(state, state.turn_of, card)
    if tables.rally_turn == RallyTurn.draw_again:
        state.wanted = 1
        state.after = Step.EXTRA if extra else Step.DRAW_PAIR


@jit
def lay(state, tables, where, side):
    """11.8. Modifies `state`."""
    q = castle_of(where)
    s = make_room(state, tables, q, square_of(where))
    state.barricades += 1
    state.barricade[q, s] = state.drawn
    state.barricade_side[q, s] = side
    state.barricade_by[q, s] = state.turn_of
    state.seen_by[state.drawn] = 255
    lay_bars(state, tables, q)


@jit
def apply_target(state, tables, act, argument):
    """4.1, 4.8, 6.1, 7. Modifies `state`."""
    if act == Act.END:
        if state.attack == Attack.ASSASSIN and state.target == NONE:
            miss(state)
        else:
            state.after = Step.NEXT_OF_PAIR if state.attack == Attack.ASSASSIN else Step.END_ATTACK
    else:
        choose_target(state, tables, argument)


@jit
def choose_target(state, tables, target):
    """The target of the next fight. Modifies `state`."""
    if target >= BARRICADE_TARGET:
        state.attack = Attack.BARRICADE
    elif target < POOL_TARGET and target != state.target:
        state.heading = heading_to(state, tables, castle_of(target), square_of(target))
    aim(state, tables, target)
    state.after = Step.NAME


@jit
def apply_name(state, act, square):
    """11.4. Modifies `state`."""
    state.after = Step.NAME
    if act == Act.NAME:
        state.named |= bit(square)
    else:
        state.berserk = 0
        state.after = Step.FIGHT


@jit
def apply_spy(state, act, target):
    """7.1, 7.5: one card is turned over. Modifies `state`."""
    if act == Act.END:
        return
    if state.stage == Stage.SPY:
        state.spied += 1
    if target >= POOL_TARGET:
        state.pool_hidden ^= bit(target - POOL_TARGET)
    elif state.up[castle_of(target)] >> square_of(target) & 1:
        state.up[castle_of(target)] &= ~bit(square_of(target))
    else:
        reveal(state, castle_of(target), square_of(target))


@jit
def apply_add(state, tables, act, card):
    """4.5, 11.1. Modifies `state`."""
    p = state.to_move
    if act == Act.ADD:
        state.last_added = card
        state.pool[p] &= ~bit(card)
        state.pool_hidden &= ~bit(card)
        state.added[p] |= bit(card)
        state.reinforced += 1
        if (
            state.contested == NONE
            and p == state.attacker
            and state.attack != Attack.COUNTER
            and tables.royal_rule_suit == RoyalRuleSuit.any_card
        ):
            state.added_suits |= bit(suit_of(card))
    elif state.contested != NONE:
        next_contestant(state)
    else:
        state.after = Step.DEFENDER_ADDS if p == state.attacker else Step.ROLL
        state.adder = NONE


ENGINE = Engine(
    state_dtype=STATE,
    tables_dtype=TABLES,
    record_dtype=RECORD,
    build_tables=build_tables,
    reset=reset,
    legal_actions=legal_actions,
    apply=apply,
    write_record=write_record,
    end_reasons={End.LAST_KING: "one King left", End.TURN_LIMIT: "turn limit"},
    max_legal=MAX_LEGAL,
    nulls={**{f"place_{p}": 0 for p in range(4)}, **{f"out_{p}": 0 for p in range(4)}},
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
