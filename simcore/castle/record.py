"""The columns of a game record of Castle. The range of each column determines its dtype."""

import numpy as np

from bartizan.simcore.castle import components as c
from bartizan.simcore.castle.schema import CastleScenario
from bartizan.simcore.kit.columns import LOOP_COLUMNS, PLIES, column, columns, counter, limits

TURNS = limits(CastleScenario, "limit.turns")[1]
VALUES = c.CARDS * limits(CastleScenario, "rank.*.value")[1]
# a decision causes few fights, a battering ram at most one with each square: each card with each square is an
# upper bound
DEEDS = PLIES * c.CARDS * c.SQUARES

# counts in a game, as fields of its state and columns of its record
TALLIES = (
    *("lead_changes", "royals_lost", "attacks", "attacks_won", "called_off", "placed", "removals"),
    *("reshuffles", "no_target", "discarded_unused", "forced_rounds", "rallied", "closed", "spied", "aces"),
    "barricades",
)
SEATS = range(c.SEATS)
RECORD = np.dtype(
    [
        *LOOP_COLUMNS,  # winner: seat; -2 truncated
        column("turn", TURNS),
        column("turns", TURNS),  # the same
        column("capped", 1),
        column("score", VALUES),  # values of the winner's castle and pool; 0 when truncated
        *columns(" ".join(f"seat{p}_wins" for p in SEATS), 1),
        *columns(" ".join(f"place_{p}" for p in SEATS), c.SEATS),  # 1 the winner, 0 undecided or no such seat
        *columns(" ".join(f"out_{p}" for p in SEATS), TURNS),  # turn, 0 never
        column("lead_changes", DEEDS),
        column("royals_lost", c.SEATS * c.ROYALS),
        *columns("attacks attacks_won called_off placed removals reshuffles no_target", DEEDS),
        *columns("discarded_unused forced_rounds rallied closed added spied aces barricades", DEEDS),
        *columns(
            "kings_by_attack kings_by_ram kings_by_assassin kings_by_counter kings_by_own_lead", c.SEATS
        ),
    ]
)
TALLY = counter(DEEDS)
