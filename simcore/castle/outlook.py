"""What a guess at the winner looks at (`simcore.game.Outlook`): each player's castle, royals and reserves,
and the attack at hand.
"""

from bartizan.simcore.castle.components import NONE, SEATS, SQUARES, Attack, Royal, Stage
from bartizan.simcore.castle.rules.decks import deck_left, jokers_of
from bartizan.simcore.castle.rules.grid import around, count, pool_worth, reachable, worth
from bartizan.simcore.compile.jit import jit
from bartizan.simcore.game import Outlook

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
TABLE = (
    "time gone",
    "turn",
    "deck",
    "setting up",
    "somebody adds",
    "force",
    "King under attack",
    "attack won",
)
# what lies face down in his castle, and who has seen it
OWN = {"worth", "King known to others", "King in reach", "neighbours of the King"}
POOL = {"reinforcements", "worth of reinforcements"}
HIDDEN = {"King under attack"}  # the card attacked may still lie face down, for its attacker too

USUAL_TURNS = 40


@jit
def write(state, tables, out):
    """Modifies `out`."""
    n = len(TABLE)
    for i in range(n, n + len(PLAYER) * SEATS):
        out[i] = 0.0
    for p in range(tables.players):
        if state.alive[p]:
            write_player(state, tables, p, out)
    fights = state.attack != Attack.NONE and state.defender != NONE
    out[0] = state.turn / (state.turn + USUAL_TURNS)
    out[1] = state.turn
    out[2] = deck_left(state)
    out[3] = state.stage == Stage.SETUP or state.stage == Stage.HAND or state.stage == Stage.CHOOSE
    out[4] = state.stage == Stage.ADD
    out[5] = state.force if fights else 0
    out[6] = (
        fights
        and state.target_card != NONE
        and state.target_card == state.royal[max(state.defender, 0), Royal.KING]
    )
    out[7] = state.won if fights else 0


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
    n = len(TABLE) + p
    out[n] = 1.0
    out[n + SEATS] = count(state.occupied[p])
    out[n + 2 * SEATS] = count(state.up[p])
    out[n + 3 * SEATS] = total
    out[n + 4 * SEATS] = state.royal[p, Royal.QUEEN] != NONE
    out[n + 5 * SEATS] = state.royal[p, Royal.JACK] != NONE
    if at != NONE:
        out[n + 6 * SEATS] = state.up[p] >> at & 1
        out[n + 7 * SEATS] = (state.seen_by[state.castle[p, at]] & ~(1 << p)) != 0
        out[n + 8 * SEATS] = ground >> at & 1
        out[n + 9 * SEATS] = count(around(1 << at) & state.occupied[p])
    out[n + 10 * SEATS] = count(ground)
    out[n + 11 * SEATS] = count(state.pool[p])
    out[n + 12 * SEATS] = pool_worth(tables, state.pool[p])
    out[n + 13 * SEATS] = jokers_of(state, p)
    out[n + 14 * SEATS] = state.turn_of == p
    out[n + 15 * SEATS] = fights and state.attacker == p
    out[n + 16 * SEATS] = fights and state.defender == p
    out[n + 17 * SEATS] = count(state.named) if fights and state.defender == p else 0


def open_to(seat, scenario):
    """What a player may know: all that lies open, and his own castle."""
    together = scenario.model.rulings["reinforcement_order"] == "simultaneous"  # C8b: added face down
    own = OWN | POOL if together else OWN
    of = [
        f"{name} of player {p + 1}" for name in PLAYER for p in range(SEATS) if p == seat or name not in own
    ]
    return (*(name for name in TABLE if name not in HIDDEN), *of)


OUTLOOK = Outlook(
    (*TABLE, *(f"{name} of player {p + 1}" for name in PLAYER for p in range(SEATS))), write, open_to
)
