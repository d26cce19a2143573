"""Functions shared by Castle's policies. They read only information that their seat may see.

Cards of other players that the seat has not seen are estimated.
"""

from bartizan.simcore.castle.components import FIRST_ROYAL_RANK, NONE, ROWS, WIDTH, Royal, SaboteurAgain
from bartizan.simcore.castle.rules.decks import jokers_of
from bartizan.simcore.castle.rules.fight import is_saboteur
from bartizan.simcore.castle.rules.grid import ROW, royal_at, worth
from bartizan.simcore.castle.tables import EDGES, NO_EDGE
from bartizan.simcore.compile.bits import lowest
from bartizan.simcore.compile.jit import jit_module

HOME = 5  # where these policies put their Jack: row 0, column 4


def chance(tables, attack_dice, defence_dice, edge):
    """Return the exact probability that a roll succeeds.

    edge: sum of the attacker's bonuses minus the sum of the defender's bonuses.
    """
    return tables.win[attack_dice, defence_dice, min(max(edge + NO_EDGE, 0), EDGES - 1)]


def top_first(mask):
    """Return the first square of a bit mask; NONE if it is empty.

    The order is by rows 3, 2, 1, 0, and by columns from the left.
    """
    for row in range(ROWS - 1, -1, -1):
        line = mask >> row * WIDTH & ROW
        if line:
            return row * WIDTH + lowest(line)
    return NONE


def knows(state, p, q, s):
    """Return whether p knows the card on a square: it is face up, or p has seen it since it left the deck."""
    return (state.up[q] >> s & 1) == 1 or (state.seen_by[state.castle[q, s]] >> p & 1) == 1


def unknown_court(state, p, q):
    """Return the Court squares of q whose card p has not seen, as a mask."""
    mask = 0
    for s in range(WIDTH):
        if state.occupied[q] >> s & 1 and not knows(state, p, q, s):
            mask |= 1 << s
    return mask


def is_sought(state, p, q, k):
    """Return whether q's royal k is alive but not known to p.

    Whether it is alive is public, because all players see a royal fall.
    """
    return state.royal[q, k] != NONE and not state.seen_by[state.royal[q, k]] >> p & 1


def joker_edge(state, tables, p, q):
    """Return the total Joker bonus of the attacker p minus that of the defender q."""
    return (jokers_of(state, p) - jokers_of(state, q)) * tables.joker_bonus


def win_royal(state, tables, q, k, dice, force):
    """Return the probability of beating q's royal k in one roll, without reinforcements."""
    edge = force - tables.value[FIRST_ROYAL_RANK + k]
    if k == Royal.KING:
        defence = tables.king_dice if state.royal[q, Royal.QUEEN] != NONE else tables.king_dice_alone
        return chance(tables, dice, defence, edge)
    if k == Royal.QUEEN:
        edge += tables.queen_modifier
    return chance(tables, dice, tables.defence_dice, edge)


def win_shown(state, tables, q, s, dice, force):
    """Return the probability of beating a card that the attacker knows."""
    card = state.castle[q, s]
    royal = royal_at(state, q, s)
    if royal != NONE:
        return win_royal(state, tables, q, royal, dice, force)
    if is_saboteur(state, tables, card, royal):
        return chance(tables, dice, tables.saboteur_defence_dice, force - saboteur_adds(state, tables, q, s))
    return chance(tables, dice, tables.defence_dice, force - worth(tables, card))


def saboteur_adds(state, tables, q, s):
    """Return the bonus that a Saboteur would have if attacked now (11.7, C52)."""
    shown = state.up[q] >> s & 1
    if tables.saboteur_again == SaboteurAgain.once:
        shown |= state.once_up >> state.castle[q, s] & 1
    return tables.saboteur_revealed if shown else tables.saboteur_hidden


def win_unseen(tables, dice, force):
    """Return the probability of beating an unseen card of the deck: any of Ace to 10."""
    total = 0.0
    for rank in range(FIRST_ROYAL_RANK):
        total += chance(tables, dice, tables.defence_dice, force - tables.value[rank])
    return total / FIRST_ROYAL_RANK


def behind(mask):
    """Return the squares to which a won attack on a square of the mask may continue: left, right, below."""
    return mask << 1 | mask >> 1 | mask >> WIDTH


jit_module(__name__)
