"""The columns of a game record of Escape from Colditz. The range of each column determines its dtype."""

import numpy as np

from bartizan.simcore.colditz import components as cz
from bartizan.simcore.colditz.schema import ColditzScenario
from bartizan.simcore.kit.columns import LOOP_COLUMNS, PLIES, column, columns, counter, limits

ROUNDS = limits(ColditzScenario, "limit.rounds")[1]
TAKEN = PLIES * cz.POWS  # POWs: one decision, such as an Appel, may take all of them
# a throw continues after a double, with probability at most 1/2: more rolls than this have probability below
# 1e-30
ROLLS = 100
DRAWN = PLIES * ROLLS

# counts in a game, as fields of its state and columns of its record
TALLIES = (
    *("stake_tries", "first_escape", "first_stake_escape", "car_tries", "car_escapes", "runs_lost"),
    *("kits", "first_kit", "tunnels_opened"),
)
RECORD = np.dtype(
    [
        *LOOP_COLUMNS,  # winner: seat, 0 the Allies, 1 the German; -1 a draw (10.3)
        column("turn", ROUNDS),  # rounds
        column("score", cz.POWS),  # escapes, Do or Die included
        column("escapes", cz.POWS),  # ordinary ones
        *columns("stake_escapes stake_tries stakes_failed", cz.POWS),  # a try ends in an escape or a death
        # 10.2: the leading Allied player; -1 none or shared
        column("first_player", cz.PLAYERS, least=-1),
        *columns(" ".join(f"escapes_{p + 1}" for p in range(cz.PLAYERS)), cz.TEAM),
        column("first_escape", ROUNDS),  # round of the first ordinary escape, 0 none
        column("first_stake_escape", ROUNDS),
        column("race_1", ROUNDS),  # 10.4: round in which a player first had 1 escape
        column("race_2", ROUNDS),
        column("racer_1", cz.PLAYERS, least=-1),  # the player; -1 none
        column("racer_2", cz.PLAYERS, least=-1),
        column("decided_by_stake", 1),  # 1: the result would differ without Do or Die escapes
        *columns("race_1_by_stake race_2_by_stake", 1),
        *columns(" ".join(f"target_{t}" for t in range(1, 8)), cz.POWS),  # ordinary escapes by target
        *columns("by_rope by_key by_pass by_wire by_tunnel", cz.POWS),
        column("car_tries", PLIES),
        column("car_escapes", cz.POWS),
        *columns("arrested forced searched taken_by_appel holders tunnellers", TAKEN),
        column("shot", cz.POWS),
        column("runs_lost", TAKEN),  # of all these, POWs taken in the Outer Area or Outside
        column("cards_drawn", DRAWN),
        column("equipment_taken", PLIES),
        column("kits", PLIES),
        column("first_kit", ROUNDS),  # round, 0 none
        column("tunnels_opened", PLIES),
        # for games not won: Loss that stopped the last run; otherwise STAKE if one failed, otherwise TIME; 0
        # when won
        column("undoing", max(cz.Loss)),
    ]
)
TALLY = counter(max(TAKEN, DRAWN))
