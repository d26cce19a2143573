"""K in a row, a family of games in one file: each variant is a level, defined by a line of data.

    bartizan run examples/rows/rows.py --difficulty 5x5-4 --games 10000
    bartizan run examples/rows/rows.py --set played.variant.3x3-3.columns=4

Two players take turns placing a piece on an empty square. The first player with enough pieces in a row wins
or, in some variants, loses; a full board without a row is a draw. The 41 variants are those that people
played in Collins et al. 2026 (docs/newcomer.md); the rules of each are data.
"""

from pathlib import Path
from typing import Annotated

import numpy as np
from pydantic import Field

from bartizan import LUCK_FIELDS, Datum, Engine, Game, Reporting, ScenarioModel, all_open, jit, newcomer
from bartizan.simcore.scenario.model import Strict

MOST = 10  # squares along one side
DIRECTIONS = ((0, 1), (1, 0), (1, 1), (1, -1))  # the first two straight, the others diagonal
Side = Annotated[int, Field(ge=1, le=MOST)]

# ---------------------------------------------------------------- the scenario file


class Player(Strict):
    """Conditions for one player: length and directions of a row, and number of pieces in the first move."""

    row: Annotated[int, Field(ge=2, le=MOST)]  # pieces in a row
    straight: bool = True  # rows and columns count
    diagonal: bool = True
    opening: Annotated[int, Field(ge=1, le=2)] = 1  # pieces of the first move


class Variant(Strict):
    rows: Side
    columns: Side
    first: Player
    second: Player
    loses: bool = False  # the player who makes a row loses


class Played(Datum):
    variant: dict[str, Variant]


class RowsScenario(ScenarioModel):
    difficulty: str = "3x3-3"
    played: Played

    def difficulties(self):
        return list(self.played.variant)

    def problems(self):
        for name, variant in self.played.variant.items():
            longest = max(variant.rows, variant.columns)
            for seat in ("first", "second"):
                if getattr(variant, seat).row > longest:
                    yield (
                        f"played.variant.{name}.{seat}.row",
                        f"no row on this board is longer than {longest}",
                    )


# ---------------------------------------------------------------- state, constants, record

STATE = np.dtype(
    [
        *LUCK_FIELDS,
        ("end_reason", "i4"),
        ("to_move", "i4"),
        ("turn", "i4"),  # moves begun
        ("left", "i4"),  # pieces still to be placed in this move
        ("pieces", "i4"),
        ("winner", "i4"),
        ("square", "i1", (MOST * MOST,)),  # 0 empty, 1 the first player's, 2 the second's
    ],
    align=True,
)
TABLES = np.dtype(
    [
        ("rows", "i4"),
        ("columns", "i4"),
        ("loses", "i4"),
        ("row", "i4", (2,)),
        ("opening", "i4", (2,)),
        ("counts", "i4", (2, 4)),  # by player and direction
    ],
    align=True,
)
RECORD = np.dtype(
    [("game", "u4"), ("plies", "u4"), ("end_reason", "u1"), ("winner", "i1"), ("turn", "u2"), ("score", "i2")]
)
ROW, FULL = 3, 4  # end reasons


def build_tables(scenario):
    model, tables = scenario.model, np.zeros(1, TABLES)
    variant = model.played.variant[model.difficulty]
    for name in ("rows", "columns", "loses"):
        tables[name] = getattr(variant, name)
    for seat, player in enumerate((variant.first, variant.second)):
        tables["row"][0, seat], tables["opening"][0, seat] = player.row, player.opening
        tables["counts"][0, seat] = (player.straight,) * 2 + (player.diagonal,) * 2
    return tables


# ---------------------------------------------------------------- the rules


@jit
def reset(state, tables):
    """Set up the game. All other fields of `state` are 0."""
    state.turn = 1
    state.left = tables.opening[0]
    state.winner = -1


@jit
def legal_actions(state, tables, legal):
    n = 0
    for square in range(tables.rows * tables.columns):
        if state.square[square] == 0:
            legal[n] = square
            n += 1
    return n


@jit
def apply(state, tables, action):
    seat = state.to_move
    state.square[action] = seat + 1
    state.pieces += 1
    if completes(state, tables, action, seat):
        state.winner = 1 - seat if tables.loses else seat
        state.end_reason = ROW
    elif state.pieces == tables.rows * tables.columns:
        state.end_reason = FULL
    else:
        state.left -= 1
        if state.left == 0:
            state.turn += 1
            state.to_move = 1 - seat
            state.left = tables.opening[1] if state.turn == 2 else 1


@jit
def completes(state, tables, square, seat):
    """Return whether the piece on a square is in a row that counts for its player."""
    for d in range(4):
        if tables.counts[seat, d]:
            dr, dc = DIRECTIONS[d]
            length = 1 + run(state, tables, square, seat, dr, dc) + run(state, tables, square, seat, -dr, -dc)
            if length >= tables.row[seat]:
                return True
    return False


@jit
def run(state, tables, square, seat, dr, dc):
    """Return the number of a player's pieces in an unbroken line from a square in one direction."""
    r, c, n = square // tables.columns + dr, square % tables.columns + dc, 0
    while 0 <= r < tables.rows and 0 <= c < tables.columns:
        if state.square[r * tables.columns + c] != seat + 1:
            break
        r, c, n = r + dr, c + dc, n + 1
    return n


@jit
def write_record(state, tables, record):
    record.winner = state.winner
    record.turn = state.turn
    record.score = state.pieces


# ---------------------------------------------------------------- goal of the newcomer

NEAR = 3  # lines that lack more pieces than this are not counted
FADES, FEARED, CENTRE = 0.248, 2.963, 0.118  # fitted to plays of people: benchmarks/newcomer_fit.py


@jit
def count_lines(state, tables, lines):
    """Count, in lines[player, k], the lines that the player can still fill and that lack k + 1 pieces."""
    lines[:] = 0.0
    for square in range(tables.rows * tables.columns):
        r, c = square // tables.columns, square % tables.columns
        for seat in range(2):
            for d in range(4):
                dr, dc = DIRECTIONS[d]
                far_r, far_c = r + dr * (tables.row[seat] - 1), c + dc * (tables.row[seat] - 1)
                if tables.counts[seat, d] and far_r < tables.rows and 0 <= far_c < tables.columns:
                    lacks = 0
                    for k in range(tables.row[seat]):
                        piece = state.square[square + k * (dr * tables.columns + dc)]
                        if piece == 2 - seat:
                            lacks = NEAR + 1
                            break
                        lacks += piece == 0
                    if 0 < lacks <= NEAR:
                        lines[seat, lacks - 1] += 1.0


@jit
def centrality(tables, square):
    """Return 1 in the middle of the board, 0 in a corner, and values between them elsewhere."""
    r, c = (tables.rows - 1) / 2, (tables.columns - 1) / 2
    away = np.hypot(square // tables.columns - r, square % tables.columns - c)
    return 1.0 - away / np.hypot(r, c)


def goal(state, tables, seat):
    """Return the value of the seat's lines minus the other player's lines, plus the value of the middle."""
    lines, worth = np.zeros((2, NEAR)), 0.0
    count_lines(state, tables, lines)
    for k in range(NEAR):
        worth += FADES**k * (np.log1p(lines[seat, k]) - FEARED * np.log1p(lines[1 - seat, k]))
    if tables.loses:
        worth = -worth
    for square in range(tables.rows * tables.columns):
        if state.square[square] == seat + 1:
            worth += CENTRE * centrality(tables, square)
    return worth


# ---------------------------------------------------------------- words for the trace


def name_of(square, columns):
    return f"{'abcdefghij'[square % columns]}{square // columns + 1}"


def describe_action(state, tables, action, scenario):
    return f"places a piece on {name_of(action, tables['columns'])}"


# ---------------------------------------------------------------- the game

REPORTING = Reporting(score="pieces on the board", scored="both players")

ENGINE = Engine(
    state_dtype=STATE,
    tables_dtype=TABLES,
    record_dtype=RECORD,
    build_tables=build_tables,
    reset=reset,
    legal_actions=legal_actions,
    apply=apply,
    write_record=write_record,
    end_reasons={ROW: "a row", FULL: "board full"},
    max_legal=MOST * MOST,
    acts={"place": 0},
    arguments=MOST * MOST,
    describe_action=describe_action,
    reporting=REPORTING,
    determinize=all_open,
)

GAME = Game(
    name="rows",
    title="K in a row",
    schema=RowsScenario,
    scenarios=Path(__file__).parent / "scenarios",
    engine=lambda: ENGINE,
    behaviour=1,
    roles=("first", "second"),
    rules_source="Collins et al. 2026, games of the play experiment",
    policies=lambda: [newcomer(goal, "lines that can still be filled")],
    home=Path(__file__),
)
