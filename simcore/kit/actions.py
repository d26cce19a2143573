"""Actions as integers (section 1 of each game's PROTOCOL.md).

An action is `kind * ARGUMENTS + argument`. Arguments of several values are packed in the same way, as each
game declares in its `actions`:

    shift_to, defender_and_position = packed(defender=DEFENDERS, position=64)
"""

from collections.abc import Callable

from bartizan.simcore.compile.bits import write_eight
from bartizan.simcore.compile.jit import inline, jit


def coded(arguments: int) -> tuple[Callable, Callable, Callable]:
    """Return the functions `action(kind, argument)`, `kind_of(action)` and `argument_of(action)` of a game.

    arguments: number of possible arguments of each kind (the game's `ARGUMENTS`).
    """

    @inline
    def action(kind, argument):
        return kind * arguments + argument

    @inline
    def kind_of(action):
        return action // arguments

    @inline
    def argument_of(action):
        return action % arguments

    return action, kind_of, argument_of


def packed(**sizes: int) -> tuple[Callable, Callable]:
    """Return two functions: one packs two or three values into one integer, the other unpacks them.

    sizes: number of possible values of each argument, most significant first.
    """
    if len(sizes) == 3:
        return _three(*sizes.values())
    _, size = sizes.values()

    @inline
    def pack(first, second):
        return first * size + second

    @inline
    def unpack(number):
        return number // size, number % size

    return pack, unpack


def _three(_: int, middle: int, last: int) -> tuple[Callable, Callable]:
    @inline
    def pack(first, second, third):
        return (first * middle + second) * last + third

    @inline
    def unpack(number):
        return number // last // middle, number // last % middle, number % last

    return pack, unpack


# ---------------------------------------------------------------- lists of legal actions

# Every `write_*` of a game appends to `legal` and returns the new length.
#
# `legal` is int32, with room for `Engine.max_legal` actions, and is modified in place.


@inline
def append(legal, n, action):
    """Append one action to the `n` actions already listed; return the new length."""
    legal[n] = action
    return n + 1


@inline
def write_first(legal, action, n):
    """Write `n` actions with consecutive codes at the start of `legal`; return `n`.

    action: the first code.
    """
    for argument in range(n):
        legal[argument] = action + argument
    return n


@inline
def write_set(legal, n, action, mask):
    """Append `action + b` for each set bit b of a mask, in ascending order; return the new length.

    Overwrites up to eight elements after the list, so `legal` needs room for them.
    """
    while mask:
        n = write_eight(legal, n, action, mask & 255)
        action += 8
        mask >>= 8
    return n


# ---------------------------------------------------------------- the player to decide

# A game's `advance` calls `ask` at its end, because a decision is needed.


@jit
def ask(state, p, stage):
    """Make `p` the player to move, with the decision `stage` (a game's Stage). Modifies `state`."""
    state.to_move = p
    state.stage = stage
