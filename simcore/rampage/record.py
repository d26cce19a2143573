"""The columns of a game record of Castle Rampage. The range of each column determines its dtype."""

import numpy as np

from bartizan.simcore.kit.columns import LOOP_COLUMNS, PLIES, column, columns, counter, limits
from bartizan.simcore.rampage import components as c
from bartizan.simcore.rampage.schema import CardEffect, RampageScenario

TURNS = limits(RampageScenario, "limit.turns")[1]
EFFECT = limits(CardEffect, "n")[1]
# cards drawn after one decision: for the turn, for every permanent, and for a card that is played
DRAWS = limits(RampageScenario, "turn.draw")[1] + (c.DECK + 1) * c.EFFECTS * EFFECT
DEEDS = PLIES * c.DECK  # each decision moves every card at most once

# counts in a game, as fields of its state and columns of its record
TALLIES = (
    *("attacks", "repelled", "traded", "felled", "to_castle", "paid", "lost_cards", "raised", "razed"),
    *("reshuffles", "stuck"),
)
RECORD = np.dtype(
    [
        *LOOP_COLUMNS,  # winner: seat; -1 a draw
        column("turn", TURNS),
        column("turns", TURNS),  # the same
        column("score", c.NO_SCORE),  # cards left in the winner's Castle; NO_SCORE for a draw
        *columns("seat0_wins seat1_wins", 1),
        *columns("castle_0 castle_1 gate_0 gate_1", c.DECK),
        column("own_turn", 1),
        *columns("plays attacks repelled traded felled to_castle", DEEDS),
        *columns("boosts strengthened paid lost_cards texts raised razed", DEEDS),
        *columns("drawn reshuffles", PLIES * DRAWS),
        column("stuck", TURNS),
    ]
)
TALLY = counter(PLIES * DRAWS)
