"""`plain`: the reference policy of simcore/castle/REFERENCE_POLICY.md. Docstrings give its section numbers.

Its choices are deterministic; only dice and shuffles are random.
"""

from bartizan.policies.castle.aids import HOME, top_first
from bartizan.policies.protocol import Policy, legal_or_first
from bartizan.simcore.castle import actions
from bartizan.simcore.castle import components as c
from bartizan.simcore.castle.actions import action, argument_of, kind_of
from bartizan.simcore.castle.rules.fight import next_living
from bartizan.simcore.castle.rules.grid import placeable, rank_of
from bartizan.simcore.castle.rules.targets import choices, forbidden, met
from bartizan.simcore.compile.jit import jit_module

ATTACKS_FROM = 7  # 3: cards of at least this value attack
ROW_1 = c.WIDTH + HOME
# 2: Jack, Queen, King, the five cards
LAYOUT = (HOME, HOME + 1, HOME + 2, ROW_1, ROW_1 + 1, ROW_1 + 2, HOME - 1, HOME + 3)
ROW_ORDER = (1, 2, 3, 0)  # 3: order of rows for placing a card


def choose(state, tables, legal, n_legal, weights):
    return legal_or_first(wanted(state, tables, legal, n_legal), legal, n_legal)


def wanted(state, tables, legal, n_legal):
    """Return the action that the specification requires.

    Decisions that the specification does not use (spying, reinforcements) return END, the first listed
    action.
    """
    stage, p = state.stage, state.to_move
    if stage == c.Stage.CARD:
        return drawn_card(state, tables, p)
    if stage == c.Stage.TARGET:
        return next_target(state, tables, p, legal, n_legal)
    if stage == c.Stage.SETUP:
        return layout(state, tables)
    if stage == c.Stage.RAM:
        return action(c.Act.RAM, actions.ram(next_living(state, tables, p), 0))
    if stage == c.Stage.REMOVE:
        return action(c.Act.REMOVE, top_first(listed(legal, n_legal, c.Act.REMOVE)))
    if stage == c.Stage.OWN:
        return action(c.Act.OWN, top_first(listed(legal, n_legal, c.Act.OWN)))
    return legal[0]


def layout(state, tables):
    """Return the cell for the next card of the set-up (2)."""
    return action(c.Act.PLACE, LAYOUT[min(state.to_place % (c.ROYALS + tables.dealt), len(LAYOUT) - 1)])


def listed(legal, n_legal, act):
    """Return a bit mask of the squares for which an action is legal.

    For castle targets, only the first castle listed counts.
    """
    mask = 0
    castle = c.NONE
    for i in range(n_legal):
        argument = argument_of(legal[i])
        if kind_of(legal[i]) == act and argument < c.POOL_TARGET:
            if castle == c.NONE:
                castle = actions.castle_of(argument)
            if actions.castle_of(argument) == castle:
                mask |= 1 << actions.square_of(argument)
    return mask


def drawn_card(state, tables, p):
    """Return the use of the drawn card (3): lead, attack, place or discard.

    An Ace leads. Any other card attacks if there is a target and, in addition, its value is at least
    ATTACKS_FROM or no cell is free.
    """
    rank = rank_of(state.drawn)
    if tables.power[rank] == c.Power.ace:
        return action(c.Act.LEAD, 0)
    target, square = ordinary_target(state, tables, p), first_cell(state, tables, p)
    fights = tables.value[rank] >= ATTACKS_FROM
    if target != c.NONE and (fights or square == c.NONE):
        return action(c.Act.LEAD, 0) if tables.power[rank] == c.Power.spy else action(c.Act.ATTACK, target)
    return action(c.Act.PLACE, square) if square != c.NONE else action(c.Act.DISCARD, 0)


def first_cell(state, tables, p):
    """Return the first free cell in the rows 1, 2, 3, 0, columns from the left (3); NONE if there is none.

    The castle is never shifted.
    """
    free = placeable(state, tables, p) & tables.inside
    for row in ROW_ORDER:
        for s in range(row * c.WIDTH, (row + 1) * c.WIDTH):
            if free >> s & 1:
                return s
    return c.NONE


def ordinary_target(state, tables, p):
    """Return the first target (`top_first`) of an ordinary attack (3); NONE if there is none.

    It is in the castle of the first opponent who has a reachable card that is not barred.
    """
    for i in range(1, tables.players):
        q = (p + i) % tables.players
        if state.alive[q]:
            s = top_first(choices(state, tables, q))
            if s != c.NONE:
                return actions.square_target(q, s)
    return c.NONE


def next_target(state, tables, p, legal, n_legal):
    """Return the next target of the current attack (3, 4 d, 6)."""
    if state.attack == c.Attack.ASSASSIN:
        target = assassin_target(state, tables, next_living(state, tables, p))
        return action(c.Act.ATTACK, target) if target != c.NONE else action(c.Act.END, 0)
    if state.attack == c.Attack.ARCHERS:
        square = top_first(listed(legal, n_legal, c.Act.ATTACK))
        return action(c.Act.ATTACK, actions.square_target(first_listed_castle(legal, n_legal), square))
    if state.target == c.NONE:
        return action(c.Act.ATTACK, ordinary_target(state, tables, p))
    return action(c.Act.ATTACK, go_on(state, tables, legal, n_legal))


def first_listed_castle(legal, n_legal):
    for i in range(n_legal):
        if kind_of(legal[i]) == c.Act.ATTACK:
            return actions.castle_of(argument_of(legal[i]))
    return 0


def go_on(state, tables, legal, n_legal):
    """Return the next target (4 d).

    After a win, the target is to the left, to the right or below. After a loss with a double, it is the same
    card if that is still in place. Otherwise it is a target as after a win or, before the first win, the
    first reachable card.
    """
    q = state.defender
    open_to = listed(legal, n_legal, c.Act.ATTACK)
    if not state.won and state.castle[q, actions.square_of(state.target)] == state.target_card:
        return state.target
    if state.won_square == c.NONE:
        return actions.square_target(q, top_first(open_to))
    for heading in range(3):
        s = met(state, q, state.won_square, heading, 0)
        if s != c.NONE and open_to >> s & 1:
            return actions.square_target(q, s)
    return actions.square_target(q, 0)


def assassin_target(state, tables, q):
    """Return the target of an assassin (6); NONE if there is none.

    In order of preference, it is the revealed King, the revealed Queen, the first hidden Court card from the
    left, or the first Court card.

    Barred cards are not targets.
    """
    barred = forbidden(state, tables, q)
    court = state.occupied[q] & tables.court
    for k in (c.Royal.KING, c.Royal.QUEEN):
        for s in range(c.SQUARES // c.ROWS):
            if (court & state.up[q] & ~barred) >> s & 1 and state.castle[q, s] == state.royal[q, k]:
                return actions.square_target(q, s)
    for cards in (court & ~state.up[q], court):
        if cards:
            first = cards & -cards
            if first & ~barred:
                return actions.square_target(q, top_first(first))
    return c.NONE


jit_module(__name__, but="choose")

PLAIN = Policy(
    "plain",
    choose,
    "the reference policy: places cards up to 6 and attacks the first card in reach with 7 and more; "
    "no spying, no reinforcements",
)
