"""The end of an `advance`: somebody has to decide."""

from bartizan.simcore.compile.jit import jit


@jit
def ask(state, p, stage):
    """Player `p` has the decision `stage` (a game's Stage). Modifies `state`."""
    state.to_move = p
    state.stage = stage
