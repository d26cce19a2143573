"""Factors by which a table changes the estimates of `garrison` (`policies.itter.sentinel`).

A table is a flat float64 array of the groups in SHAPES, in order. START contains the index of the first
factor of each group. PLAIN is the table of `garrison`, in which all factors are 1.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np

from bartizan.policies.protocol import indices
from bartizan.simcore.itter.components import COLOURS, KINDS

OPENING = 2  # turns with factors of their own; all other factors apply afterwards
PHASE = np.array(
    [0, 0, 1, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 4, 5], np.int32
)  # by turn; later turns are like the last
STOCK = np.array([0, 1, 2, 3, 4, 4, 5, 5, 6, 6, 6, 6, 6, 7], np.int32)  # class of a number of tokens
FREE = 5  # free circles from 0; more count as four
ACTIONS = 5
FIGHTERS = 24  # in the order of the scenario; any others count as the last

SHAPES = {
    # the first turn: value of an Attack, or of tokens, by colour
    "opening_shot": (COLOURS,),
    "opening_tokens": (COLOURS,),
    # value of a Recover
    "recover_of": (FIGHTERS,),
    "recover_in": (PHASE.max() + 1,),
    "recover_nth": (ACTIONS,),  # by actions used this turn
    "recover_near": (FREE,),  # by free circles of the shortest track
    "recover_from": (4,),  # status bits: 1 exhausted, 2 disrupted
    # value of tokens, by free circles of the shortest track
    "tokens_near": (FREE,),
    # value of an Attack on a counter, by its kind and the free circles of its track
    "target": (KINDS, FREE),
    # accepted probability of letting a counter through
    "miss_kind": (KINDS,),
    "miss_colour": (COLOURS,),
    "miss_stock": (STOCK.max() + 1,),
}
SIZES = [int(np.prod(shape)) for shape in SHAPES.values()]
COUNT = sum(SIZES)
START = type(indices(SHAPES))(*np.cumsum([0, *SIZES[:-1]]).tolist())
PLAIN = np.ones(COUNT)
PLAIN.flags.writeable = False


def flat(table: Mapping[str, Any]) -> np.ndarray:
    """Return a table as a flat, read-only array. Omitted factors are 1."""
    factors = PLAIN.copy()
    for name, values in table.items():
        group = np.ravel(np.array(values, float))
        start = getattr(START, name)
        factors[start : start + len(group)] = group
    factors.flags.writeable = False
    return factors
