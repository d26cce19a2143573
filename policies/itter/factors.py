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

SHAPES = {
    "shot_by": (DEFENDERS, COLOURS),  # an Attack by a defender on a colour
    "shot_in": (PHASES, COLOURS),
    "shot_at": (POSITIONS,),  # from a position
    "tokens_by": (DEFENDERS, COLOURS),  # a Suppress
    "tokens_in": (PHASES, COLOURS),
    "tokens_at": (POSITIONS,),
    "load_in": (PHASES,),
    "recover_by": (DEFENDERS,),
    "recover_in": (PHASES,),
    "command_in": (PHASES,),
    "french_in": (PHASES,),
    "order": (ACTIONS, SORTS),  # actions used this turn; fit, unfit, French
    "first": (DEFENDERS,),  # who is placed first
    "post_at": (POSITIONS,),
    "post_by": (DEFENDERS, LOCATIONS),
    "area": (AREAS,),  # danger: of an area
    "calm": (CALM,),  # by free circles
    "stock": (STOCK, COLOURS),  # tokens: by those in stock
    "edge": (FREE, COLOURS),  # tokens: by free circles of the colour's shortest track
    "target": (SORTS_OF_COUNTER, FREE),  # shots: by kind and free circles
    "coast_in": (PHASES,),
    "point_in": (PHASES,),
    "nth": (ACTIONS, 2),  # actions used: shots, tokens
    "hurt": (4,),  # recovering: exhausted 1, disrupted 2
    "miss_in": (PHASES, FREE),  # spending: by free circles
    "miss_free": (KINDS, FREE),
    "miss_stock": (STOCK,),
    "miss_of": (COLOURS,),
    "miss_kind": (KINDS,),
    "miss_left": (LEFT,),  # cards of the turn left
}
SIZES = [int(np.prod(shape)) for shape in SHAPES.values()]
COUNT = sum(SIZES)
START = type(indices(SHAPES))(*np.cumsum([0, *SIZES[:-1]]).tolist())
PLAIN = np.ones(COUNT)
PLAIN.flags.writeable = False
