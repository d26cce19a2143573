"""Points, and the record of one game (5.0b, c)."""

from numba import literal_unroll

from bartizan.simcore.compile.jit import jit_module
from bartizan.simcore.compile.rules import HOUSE, NOBODY, PLAYING
from bartizan.simcore.itter import components as c
from bartizan.simcore.itter.record import NO_SCORE, TALLIES
from bartizan.simcore.itter.rules.board import has, in_cellar, on_board


def counters_left(state, tables):
    """Return the number of SS counters on the board, including Machine Gunners and Mortars."""
    n = 0
    for kind in range(tables.n_kinds):
        n += tables.count[kind] - state.supply[kind]
    return n


def count_french(state, tables, cellar):
    """Return the number of French defenders on the board, in the Cellar (if `cellar`) or outside it."""
    n = 0
    for d in range(tables.n_defenders):
        if has(tables, d, c.Attribute.FRENCH) and on_board(state, d):
            n += in_cellar(state, tables, d) == cellar
    return n


def count_others(state, tables):
    """Return the number of defenders on the board who are not French, including defenders in the Cellar."""
    n = 0
    for d in range(tables.n_defenders):
        n += on_board(state, d) and not has(tables, d, c.Attribute.FRENCH)
    return n


def count_at(state, tables, place):
    n = 0
    for d in range(tables.n_defenders):
        n += state.place[d] == place
    return n


def final_score(state, tables):
    """Return the points of a game that is not lost (5.0b, 7.5)."""
    if tables.counts_casualties:
        return casualty_points(state, tables)
    others = count_others(state, tables)
    if tables.reserve_scores == c.ReserveScores.yes:
        others += count_at(state, tables, c.Place.RESERVE)
    lost_empty = (
        state.tank_destroyed if tables.tank_empty_when == c.TankEmptyWhen.at_end else state.tank_empty
    )
    return (
        tables.tank_lost_empty * lost_empty
        + tables.borotra_escaped * (count_at(state, tables, c.Place.ESCAPED) > 0)
        + tables.french_outside_cellar * count_french(state, tables, False)
        + tables.french_in_cellar * count_french(state, tables, True)
        + tables.other_on_board * others
        + tables.ss_counter * counters_left(state, tables)
    )


def casualty_points(state, tables):
    """Return the casualty points of the defenders (7.5). Fewer points are better."""
    total = 0
    for d in range(tables.n_defenders):
        if state.place[d] == c.Place.KILLED:
            total += tables.french_casualty if has(tables, d, c.Attribute.FRENCH) else tables.other_casualty
    return total


def write_record(state, tables, record):
    """Write the result of a game to `record`, one row."""
    write_result(state, tables, record)
    for name in literal_unroll(TALLIES):
        record[name] = state[name]
    # pieces at the end
    record.counters_left = counters_left(state, tables)
    record.escaped = count_at(state, tables, c.Place.ESCAPED) > 0
    record.french_outside = count_french(state, tables, False)
    record.french_cellar = count_french(state, tables, True)
    record.others_on_board = count_others(state, tables)


def write_result(state, tables, record):
    record.turn = state.turn
    attacker = 1 if tables.competitive else HOUSE  # 6.2e
    if state.end_reason == c.End.BREACH:
        record.winner = attacker
        record.score = NO_SCORE
        return
    score = final_score(state, tables)
    record.score = score
    if state.end_reason == PLAYING or tables.counts_casualties or score >= tables.min_score:
        record.winner = 0
    elif tables.draw_is_no_loss == c.DrawIsNoLoss.draw:
        record.winner = NOBODY
    else:
        record.winner = attacker


jit_module(__name__)
