"""The factors of `garrison`: what multiplies its estimates, by defender, place, colour and phase of the game.

Without factors, every factor is 1, and the estimates are those of `danger`.
"""

import numpy as np

from bartizan.policies.protocol import indices
from bartizan.simcore.itter.components import COLOURS, KINDS, POSITIONS

DAYS, PHASES = 24, 6
# phase of a turn: 1, 2, 3 to 4, 5 to 8, 9 to 13, later
PHASE = np.array([0, 0, 1, 2, 2, 3, 3, 3, 3, *[4] * 5, *[5] * (DAYS - 14)], np.int32)
FREE, LEFT, ACTIONS = 5, 4, 5
STOCK, SORTS_OF_COUNTER = 8, KINDS
STOCKS = np.array([0, 1, 2, 3, 4, 4, 5, 5, 6, 6, 6, 6, 6, *[7] * 40], np.int32)  # bucket of tokens

FIT = 8
OPENING = 3  # first turn that is not of the opening
DOERS = 24
SHAPES = {
    "shot_at": (POSITIONS,),  # from a position
    "tokens_at": (POSITIONS,),
    "recover_by": (DOERS,),
    "recover_in": (PHASES,),
    "hurt": (4,),  # recovering: exhausted 1, disrupted 2
    "recover_fit": (FIT,),  # by number of fit defenders
    "recover_alarm": (FREE,),  # by free circles of the shortest track
    "recover_nth": (ACTIONS,),
    "tokens_fit": (FIT,),
    "tokens_alarm": (FREE,),
    "post_at": (POSITIONS,),
    "target": (SORTS_OF_COUNTER, FREE),  # shots: by kind and free circles
    "miss_free": (KINDS, FREE),
    "miss_stock": (STOCK,),
    "miss_of": (COLOURS,),
    "miss_kind": (KINDS,),
    "miss_left": (LEFT,),  # cards of the turn left
    "act_shot_in": (PHASES, COLOURS),
    "act_token_in": (PHASES, COLOURS),
}
SIZES = [int(np.prod(shape)) for shape in SHAPES.values()]
COUNT = sum(SIZES)
START = type(indices(SHAPES))(*np.cumsum([0, *SIZES[:-1]]).tolist())
PLAIN = np.ones(COUNT)
PLAIN.flags.writeable = False
