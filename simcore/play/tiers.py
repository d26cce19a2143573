"""Tiers: a long run of a small game goes on with its policies compiled into the loop.

It begins with policies that are called through pointers, as any player fits that loop. Where the games that
are left pay for it, the line-up is compiled into the loop in a thread meanwhile, which plays from the next
piece of games on. The games are the same, byte for byte (docs/adr/0001-compiled-code.md).
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
A_POINTER = 7e-9  # what a decision costs more through a pointer, behind which LLVM sees nothing
A_FUNCTION = 0.07  # to compile one function
MARGIN = 2.0  # a run may end before its last game, and other machines are other machines


class Tiers:
    """A loop and a line-up, compiled. now: the kernel that plays, and the policies it is handed."""

    def __init__(self, loop: Loop, engine: Engine, functions: tuple):
        """functions: compiled policies by seat."""
        self.loop, self.engine, self.functions = loop, engine, functions
        self.now = loop.compiled_for(engine, len(functions)), functions
        self.is_last = PLAIN or engine.state_dtype.itemsize >= LARGE

    @cached_property  # reading the code of a large game takes a tenth of a second
    def price(self) -> float:
        """Seconds to compile the last tier."""
        return A_FUNCTION * functions_of(self.engine, self.functions)

    def consider(self, decisions: float) -> None:
        """So many decisions lie ahead: compile the next tier beside them, if they pay for it."""
        if not self.is_last and decisions * A_POINTER > MARGIN * self.price:
            self.is_last = True
            Thread(target=self.rise, name="tier").start()

    def rise(self) -> None:
        """Compile the policies into the loop and let it play from now on.

        What does not compile so, plays on as it is.
        """
        self.is_last = True
        with suppress(NumbaError):
            self.now = within(self.loop, self.functions).compiled_for(self.engine, len(self.functions)), ()


def within(loop: Loop, functions: tuple) -> Loop:
    """A loop with the policies of a line-up compiled into it, by seat."""
    own = asked_of(functions)
    return replace(
        loop,
        rules=lambda engine: loop.rules(engine) | {"asked": own},
        policies=lambda engine, seats: types.Tuple(()),
    )


def asked_of(functions: tuple, seat: int = 0):
    """The rule `asked` for policies from a seat on."""
    tag = f"{code_tag(functions)}_{seat}"
    if len(set(functions)) == 1:
        return inline(bind(asked_alone, tag, own_policy=functions[0]))
    behind = asked_of(functions[1:], seat + 1)
    return inline(bind(asked_in_turn, tag, own_policy=functions[0], others=behind, SEAT=seat))


def own_policy(state, tables, legal, n_legal, weights):
    """The policy of a seat: bound, as are the `others` and the seat."""
    raise NotImplementedError


others, SEAT = own_policy, 0


def asked_alone(policies, seat, state, tables, legal, n_legal, weights):
    return own_policy(state, tables, legal, n_legal, weights)


def asked_in_turn(policies, seat, state, tables, legal, n_legal, weights):
    if seat == SEAT:
        return own_policy(state, tables, legal, n_legal, weights)
    return others(policies, seat, state, tables, legal, n_legal, weights)
