"""Lists of legal actions. Every `write_*` of a game appends to `legal` and returns the new length.

`legal` is int32, with room for `Engine.max_legal` actions, and is modified in place.
"""

from bartizan.simcore.compile.jit import inline


@inline
def append(legal, n, action):
    """Append one action to the `n` listed already; returns the new length."""
    legal[n] = action
    return n + 1


@inline
def write_first(legal, action, n):
    """The only actions are `n` of one kind, arguments 0 .. n - 1: `action` is the first of them."""
    for argument in range(n):
        legal[argument] = action + argument
    return n
