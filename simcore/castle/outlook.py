"""What a guess at the winner looks at (`simcore.game.Outlook`): each player's castle, royals and reserves, and the attack at hand."""

from simcore.castle.components import NONE, SEATS, SQUARES, Attack, Royal, Stage
from simcore.castle.rules.decks import deck_left, jokers_of
from simcore.castle.rules.grid import around, count, pool_worth, reachable, worth
from simcore.game import Outlook
from simcore.jit import jit

PLAYER = (
    "alive",
    "cards",
    "face up",
    "worth",
    "Queen",
    "Jack",
    "King shown",
    "King known to others",
    "King in reach",
    "neighbours of the King",
    "cards in reach",
    "reinforcements",
    "worth of reinforcements",
    "Jokers",
    "on turn",
    "attacks",
    "attacked",
    "under attack",
)
TABLE = ("turn", "deck", "setting up", "somebody adds", "force", "King under attack", "attack won")


@jit
def write(state, tables, out):
    """Modifies `out`."""
    for i in range(len(PLAYER) * SEATS):
        out[i] = 0.0
    for p in range(tables.players):
        if state.alive[p]:
            write_player(state, tables, p, out)
    n = len(PLAYER) * SEATS
    fights = state.attack != Attack.NONE and state.defender != NONE
    out[n] = state.turn
    out[n + 1] = deck_left(state)
    out[n + 2] = state.stage == Stage.SETUP or state.stage == Stage.CHOOSE
    out[n + 3] = state.stage == Stage.ADD
    out[n + 4] = state.force if fights else 0
    out[n + 5] = fights and state.target_card != NONE and state.target_card == state.royal[max(state.defender, 0), Royal.KING]
    out[n + 6] = state.won if fights else 0


@jit
def write_player(state, tables, p, out):
    """Column by column, a column a number. Modifies `out`."""
    ground = reachable(state, p)
    total, at = 0, NONE
    for s in range(SQUARES):
        card = state.castle[p, s]
        if card != NONE:
            total += worth(tables, card)
            if card == state.royal[p, Royal.KING]:
                at = s
    fights = state.attack != Attack.NONE
    out[p] = 1.0
    out[SEATS + p] = count(state.occupied[p])
    out[2 * SEATS + p] = count(state.up[p])
    out[3 * SEATS + p] = total
    out[4 * SEATS + p] = state.royal[p, Royal.QUEEN] != NONE
    out[5 * SEATS + p] = state.royal[p, Royal.JACK] != NONE
    if at != NONE:
        out[6 * SEATS + p] = state.up[p] >> at & 1
        out[7 * SEATS + p] = (state.seen_by[state.castle[p, at]] & ~(1 << p)) != 0
        out[8 * SEATS + p] = ground >> at & 1
        out[9 * SEATS + p] = count(around(1 << at) & state.occupied[p])
    out[10 * SEATS + p] = count(ground)
    out[11 * SEATS + p] = count(state.pool[p])
    out[12 * SEATS + p] = pool_worth(tables, state.pool[p])
    out[13 * SEATS + p] = jokers_of(state, p)
    out[14 * SEATS + p] = state.turn_of == p
    out[15 * SEATS + p] = fights and state.attacker == p
    out[16 * SEATS + p] = fights and state.defender == p
    out[17 * SEATS + p] = count(state.named) if fights and state.defender == p else 0


OUTLOOK = Outlook((*(f"{name} of player {p + 1}" for name in PLAYER for p in range(SEATS)), *TABLE), write)
