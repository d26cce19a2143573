"""What a guess at the winner looks at (`simcore.game.Outlook`): escapes, how far each player has come with
his errand, where POWs and guards are.
"""

from bartizan.simcore.colditz.board_tables import LOADOUT
from bartizan.simcore.colditz.components import EQUIPMENT, GERMAN, PLAYERS, POWS, TEAM, Place, Stage, Zone
from bartizan.simcore.colditz.rules.decks import orders_held
from bartizan.simcore.colditz.rules.pawns import cards_held, guards_out, on_surface, team_size
from bartizan.simcore.compile.jit import jit
from bartizan.simcore.game import Outlook

FAR = 120  # steps: no way out with what is held
PLAYER = (
    "in the game",
    "Kit",
    "wire cutters",
    "passes",
    "keys",
    "ropes",
    "cards",
    "escapes",
    "by Do or Die",
    "steps to a target",
    "one throw away",
    "two throws away",
    "on turn",
)
UNDERGROUND = int(Zone.UNDERGROUND)  # compiled code does not compare a number with a member by `min`
PEOPLE = (
    "in the Appel",
    "in the courtyard",
    "in rooms",
    "in the Outer Area",
    "outside",
    "in tunnels",
    "in inner cells",
    "in outer cells",
    "dead",
    "let out",
)
TABLE = (
    "time gone",
    "rounds left",
    "last round",
    "escapes",
    "by Do or Die",
    "German on turn",
    "points left",
    "guards out",
    "guards outside",
    "orders held",
    "stakes left",
    "posting",
)
THROW = 8  # points of a throw, about


@jit
def write(state, tables, out):
    """Modifies `out`."""
    escapes, staked, outside = 0, 0, 0
    for p in range(PLAYERS):
        write_player(state, tables, p, out, len(TABLE) + len(PEOPLE) + p)
        escapes += state.escaped[p]
        staked += state.staked_out[p]
    write_people(state, tables, out, len(TABLE))
    for g in range(state.guard_at.shape[0]):
        outside += state.guard_at[g] > 0 and tables.board.zone[state.guard_at[g]] >= Zone.OUTER
    out[0] = state.round / max(tables.rounds, 1)
    out[1] = tables.rounds - state.round
    out[2] = state.round >= tables.rounds
    out[3] = min(escapes, 1)
    out[4] = min(staked, 1)
    out[5] = state.to_move == GERMAN
    out[6] = state.points
    out[7] = guards_out(state)
    out[8] = outside
    out[9] = orders_held(state)
    out[10] = state.stakes_size - state.stakes_next
    out[11] = state.stage == Stage.SETUP


@jit
def write_player(state, tables, p, out, n):
    """Column by column, a column a number. Modifies `out`."""
    for i in range(len(PLAYER)):
        out[n + i * PLAYERS] = 0.0
    if p >= tables.players:
        return
    steps = way_out(state, tables, p)
    out[n] = team_size(state, p)
    out[n + PLAYERS] = state.kit[p]
    for e in range(EQUIPMENT):
        out[n + (2 + e) * PLAYERS] = state.equipment[p, e]
    out[n + 6 * PLAYERS] = cards_held(state, p)
    out[n + 7 * PLAYERS] = state.escaped[p]
    out[n + 8 * PLAYERS] = state.staked_out[p]
    out[n + 9 * PLAYERS] = steps
    out[n + 10 * PLAYERS] = steps <= THROW
    out[n + 11 * PLAYERS] = steps <= 2 * THROW
    out[n + 12 * PLAYERS] = state.on_turn == p


@jit
def way_out(state, tables, p):
    """Steps the nearest POW of a player with a Kit has to go with the Equipment held; FAR without."""
    if not state.kit[p]:
        return FAR
    table, held = tables.board.way_out, state.equipment
    cutters, passes = min(held[p, 0], LOADOUT[0] - 1), min(held[p, 1], LOADOUT[1] - 1)
    keys, ropes = min(held[p, 2], LOADOUT[2] - 1), min(held[p, 3], LOADOUT[3] - 1)
    least = FAR
    for w in range(p * TEAM, (p + 1) * TEAM):
        if on_surface(state, w):
            d = table[cutters, passes, keys, ropes, state.pow_at[w]]
            if 0 <= d < least:
                least = int(d)
    return least


@jit
def write_people(state, tables, out, n):
    for i in range(len(PEOPLE)):
        out[n + i] = 0.0
    for w in range(POWS):
        at = state.pow_at[w]
        if at >= 0:
            out[n + min(max(tables.board.zone[at], 0), UNDERGROUND)] += 1
            out[n + 9] += state.returning[w]
        else:
            out[n + 6] += at == Place.CELL_INNER
            out[n + 7] += at == Place.CELL_OUTER
            out[n + 8] += at == Place.DEAD


OUTLOOK = Outlook(
    (*TABLE, *PEOPLE, *(f"{name} of player {p + 1}" for name in PLAYER for p in range(PLAYERS))),
    write,
    open_to=lambda seat, scenario: OUTLOOK.names,  # pawns and Equipment lie open; of hands only their size
)
