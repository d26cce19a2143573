"""garrison's memory: its judgement of the tracks (`danger`), beside what that was worked out from."""

import numpy as np

from bartizan.policies.itter.weights import AT, WEIGHTS
from bartizan.simcore.compile.jit import inline, jit
from bartizan.simcore.itter.components import CIRCLES, COLOURS, LOCATIONS
from bartizan.simcore.itter.state import STATE

COUNT = len(WEIGHTS)
DECKS = 5  # numbered 1 to 4
DICE = 6  # more dice than five are judged as five

# What a judgement is worked out from, as it stood in the state.
SEEN = np.dtype(
    [
        (name, STATE[name])
        for name in (
            *("deck", "deck_next", "deck_size", "stack", "stack_next", "newer", "regiment_in"),
            *("counter", "guns", "tokens", "place", "status", "occupant", "tank_destroyed"),
        )
    ],
    align=True,
)
# The judgement, beside what it was worked out from: the policy's memory. Functions are handed this record
# alone, with the weights in it: compiled code counts references to an array at every call, and that takes
# longer than the thinking.
VIEW = np.dtype(
    [
        ("worth", "f8", (CIRCLES,)),  # of freeing a circle: the summed danger of the tracks that pass it
        ("entry", "f8", (CIRCLES,)),  # of keeping a counter off an area: that of the circle it would fill
        ("token", "f8", (COLOURS,)),  # of one more token on a colour's square
        ("share", "f8", (COLOURS,)),  # of the counters that come to a colour
        ("shot", "f8", (COLOURS, DICE)),  # of the best Attack on a colour with so many dice
        ("bonus", "i4", (LOCATIONS,)),  # fit inspirers in a location
        ("landing", "f8", (CIRCLES,)),  # chance that the next counter is for this area
        ("turned", "f8", (CIRCLES,)),  # scratch of `turn`
        ("coast", "f8", (COLOURS,)),  # of a counter gone that keeps the runner from escaping
        ("free", "i4", (CIRCLES,)),  # free circles from a circle to the castle, its own included
        ("cards", "i4", (DECKS,)),  # not yet turned up, by numbered deck
        ("counters", "i4", (DECKS,)),  # that advance, on those cards
        ("weights", "f8", (COUNT,)),
        ("calm", "f8", (CIRCLES,)),  # danger of a track by its free circles, against one with none
        ("seen", SEEN),
        ("is_filled", "i4"),  # 0: nothing of the above is right, but for the weights
    ],
    align=True,
)


@inline
def believe(weights, view):
    """Take the policy's weights into `view`, which begins anew where they are others than before."""
    is_new = False
    for i in range(COUNT):
        is_new = is_new or view.weights[i] != weights[i]
    if is_new or view.is_filled == 0:
        begin(weights, view)


@jit
def begin(weights, view):
    """weights and calm; nothing else in `view` is right any more."""
    for i in range(COUNT):
        view.weights[i] = weights[i]
    view.is_filled = 0
    danger = 1.0
    for free in range(CIRCLES):
        view.calm[free] = weights[AT.breach] if free == 0 else danger
        danger *= weights[AT.patience]
