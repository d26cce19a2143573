"""The factors of `garrison`: what multiplies its estimates, by defender, place, colour and phase of the game.

Without factors, every factor is 1, and the estimates are those of `danger`.
"""

import numpy as np

from bartizan.policies.protocol import indices
from bartizan.simcore.itter.components import COLOURS, DEFENDERS, KINDS, LOCATIONS, POSITIONS

DAYS, PHASES = 24, 6
# phase of a turn: 1, 2, 3 to 4, 5 to 8, 9 to 13, later
PHASE = np.array([0, 0, 1, 2, 2, 3, 3, 3, 3, *[4] * 5, *[5] * (DAYS - 14)], np.int32)
FREE, LEFT, ACTIONS, SORTS = 5, 4, 5, 3
AREAS, CALM, STOCK, SORTS_OF_COUNTER = 12, 8, 8, KINDS
STOCKS = np.array([0, 1, 2, 3, 4, 4, 5, 5, 6, 6, 6, 6, 6, *[7] * 40], np.int32)  # bucket of tokens

RUNS = 6
OPENING = 3  # first turn that is not of the opening
DOERS = 24
SHAPES = {
    "shot_at": (POSITIONS,),  # from a position
    "tokens_in": (PHASES, COLOURS),
    "tokens_at": (POSITIONS,),
    "recover_by": (DOERS,),
    "recover_in": (PHASES,),
    "hurt": (4,),  # recovering: exhausted 1, disrupted 2
    "french_in": (PHASES,),
    "post_at": (POSITIONS,),
    "area": (AREAS,),  # danger: of an area
    "edge": (FREE, COLOURS),  # tokens: by free circles of the colour's shortest track
    "target": (SORTS_OF_COUNTER, FREE),  # shots: by kind and free circles
    "nth": (ACTIONS, 2),  # actions used: shots, tokens
    "miss_in": (PHASES, FREE),  # spending: by free circles
    "miss_free": (KINDS, FREE),
    "miss_stock": (STOCK,),
    "miss_of": (COLOURS,),
    "miss_kind": (KINDS,),
    "miss_left": (LEFT,),  # cards of the turn left
    "act_shot": (DOERS, COLOURS),
    "act_token": (DOERS, COLOURS),
    "act_shot_in": (PHASES, COLOURS),
    "act_token_in": (PHASES, COLOURS),
    "act_other": (PHASES, 4),  # load, command
    "run": (COLOURS,),
    "onward_in": (PHASES,),
    "onward_n": (RUNS,),
    "coast_n": (RUNS,),
    "coast_of": (COLOURS,),
    "rerun": (RUNS,),
}
SIZES = [int(np.prod(shape)) for shape in SHAPES.values()]
COUNT = sum(SIZES)
START = type(indices(SHAPES))(*np.cumsum([0, *SIZES[:-1]]).tolist())
PLAIN = np.ones(COUNT)
PLAIN.flags.writeable = False
