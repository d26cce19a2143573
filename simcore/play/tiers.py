"""Tiers: a long run of a small game switches to a loop that contains its policies.

The run begins with a loop that calls policies through pointers and therefore works for any player. If the
remaining games justify it, another thread compiles the line-up into the loop, which is used from the next
chunk of games. The games are byte-identical (docs/adr/0001-compiled-code.md).
"""

from contextlib import suppress
from dataclasses import replace
from functools import cached_property
from threading import Thread

from numba import types
from numba.core.errors import NumbaError

from bartizan.simcore.compile.jit import PLAIN, bind, inline
from bartizan.simcore.compile.loops import LARGE, Loop, code_tag, functions_of
from bartizan.simcore.game import Engine

# seconds of one core, for Pig on the machine of benchmarks/README.md
A_POINTER = 7e-9  # additional time of a decision through a pointer, which prevents optimization by LLVM
A_FUNCTION = 0.07  # time to compile one function
MARGIN = 2.0  # a run may end before its last game, and machines differ


class Tiers:
    """The compiled loops of a line-up. now: the current kernel, and the policies to pass to it."""

    def __init__(self, loop: Loop, engine: Engine, functions: tuple):
        """Create the tiers. functions: compiled policies by seat."""
        self.loop, self.engine, self.functions = loop, engine, functions
        self.now = loop.compiled_for(engine, len(functions)), functions
        self.is_last = PLAIN or engine.state_dtype.itemsize >= LARGE

    @cached_property  # reading the code of a large game takes a tenth of a second
    def price(self) -> float:
        """Estimated time to compile the last tier, in seconds."""
        return A_FUNCTION * functions_of(self.engine, self.functions)

    def consider(self, decisions: float) -> None:
        """Start to compile the last tier if the number of remaining decisions justifies it."""
        if not self.is_last and decisions * A_POINTER > MARGIN * self.price:
            self.is_last = True
            Thread(target=self.rise, name="tier").start()

    def rise(self) -> None:
        """Compile the policies into the loop, and use it from now on.

        If this fails, the current loop remains in use.
        """
        self.is_last = True
        with suppress(NumbaError):
            self.now = within(self.loop, self.functions).compiled_for(self.engine, len(self.functions)), ()


def within(loop: Loop, functions: tuple) -> Loop:
    """Return the loop with the policies of a line-up compiled into it. functions: one policy per seat."""
    own = asked_of(functions)
    return replace(
        loop,
        rules=lambda engine: loop.rules(engine) | {"asked": own},
        policies=lambda engine, seats: types.Tuple(()),
    )


def asked_of(functions: tuple, seat: int = 0):
    """Return the rule `asked`, which calls the policy of the seat to move.

    The rule is compiled for the policies of `seat` and all following seats.
    """
    tag = f"{code_tag(functions)}_{seat}"
    if len(set(functions)) == 1:
        return inline(bind(asked_alone, tag, own_policy=functions[0]))
    behind = asked_of(functions[1:], seat + 1)
    return inline(bind(asked_in_turn, tag, own_policy=functions[0], others=behind, SEAT=seat))


def own_policy(state, tables, legal, n_legal, weights):
    """Placeholder for the policy of a seat. `bind` replaces it, and also `SEAT` and `others`."""
    raise NotImplementedError


others, SEAT = own_policy, 0


def asked_alone(policies, seat, state, tables, legal, n_legal, weights):
    return own_policy(state, tables, legal, n_legal, weights)


def asked_in_turn(policies, seat, state, tables, legal, n_legal, weights):
    if seat == SEAT:
        return own_policy(state, tables, legal, n_legal, weights)
    return others(policies, seat, state, tables, legal, n_legal, weights)
