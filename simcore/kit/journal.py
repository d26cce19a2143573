"""Event log of one `apply`, for traces and counts, in the fields `n_events` and `events` of a state.

Rules and policies never read it.
"""

from bartizan.simcore.compile.jit import jit


@jit
def log(state, event, a=0, b=0, c=0):
    """Append an event to the log of `state`, which is modified. Events beyond its capacity are dropped."""
    n = state.n_events
    if n < state.events.shape[0]:
        state.events[n, 0] = event
        state.events[n, 1] = a
        state.events[n, 2] = b
        state.events[n, 3] = c
        state.n_events = n + 1


@jit
def note_events(state, log, n, game):
    """Append the last action's events to `log` after its first `n` entries.

    `log` is modified; its rows contain game, event, a, b, c.

    Returns the new number of entries, including entries that did not fit.
    """
    for i in range(state.n_events):
        if n < log.shape[0]:
            log[n, 0], log[n, 1] = game, state.events[i, 0]
            log[n, 2], log[n, 3], log[n, 4] = state.events[i, 1], state.events[i, 2], state.events[i, 3]
        n += 1
    return n
