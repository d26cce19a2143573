"""The log of one `apply`, for traces and counts: `n_events` and `events` of a game's state.

Simulations never read it.
"""

from bartizan.simcore.compile.jit import jit


@jit
def log(state, event, a=0, b=0, c=0):
    """Log one event. Events beyond the available room are dropped. Modifies `state`."""
    n = state.n_events
    if n < state.events.shape[0]:
        state.events[n, 0] = event
        state.events[n, 1] = a
        state.events[n, 2] = b
        state.events[n, 3] = c
        state.n_events = n + 1


@jit
def note_events(state, log, n, game):
    """Append the last action's events to `log` (modified) after `n` entries; returns the number of
    entries.
    """
    for i in range(state.n_events):
        if n < log.shape[0]:
            log[n, 0], log[n, 1] = game, state.events[i, 0]
            log[n, 2], log[n, 3], log[n, 4] = state.events[i, 1], state.events[i, 2], state.events[i, 3]
        n += 1
    return n
