"""The definition of a policy.

A policy is a plain Python function with the common signature

    choose(state, tables, legal, n_legal, weights) -> action

state    the game's state record; a policy reads it and must not change it
tables   the scenario's numbers, as a record
legal    int32 array; the first n_legal entries are the legal actions
weights  float64 array: the policy's named weights, in the order of `Policy.weights` (at most 64), then those
         of `Policy.learn`

A policy that declares a memory (`Policy.memory`, a record's dtype) takes a sixth parameter, `memory`, a
record of that dtype, which it may change. There is one record for each seat of each thread. It is all 0 when
a match begins, and then persists over decisions and games. It is only a cache: the choice must not depend on
its content, which may be from this game or another. Store cached data together with the parts of the state
from which it was computed, and use it only if these are unchanged.

numba compiles the function for the game's records, and the function is called through a pointer, so a new
policy never recompiles an engine. A policy draws random numbers from `simcore.rng.policy_below(state, draw,
n)`. It must return one of the legal actions: anything else ends the game and is reported with seed, game and
ply.
"""

from collections import namedtuple
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from functools import cache
from math import isfinite
from pathlib import Path
from types import FunctionType
from typing import Any, ClassVar

import numpy as np

from bartizan.simcore.compile.jit import inline
from bartizan.simcore.compile.memory import MEMORY, remembering, words_of
from bartizan.simcore.errors import PolicyError, did_you_mean
from bartizan.simcore.game import Game
from bartizan.simcore.rng import policy_below
from bartizan.simcore.scenario.loading import Scenario

NONE = -1


@dataclass(frozen=True, eq=False)
class Policy:
    """A named player: a function and its weights."""

    name: str
    choose: Callable
    about: str = ""
    weights: dict[str, float] = field(default_factory=dict)
    roles: tuple[str, ...] = ()  # the roles it can play; () = all
    # (record, seat) -> float: value of the end of a game, for training and lookahead; None: 1 for a win, 1/2
    # for a draw
    aim: Callable | None = None
    # of a record that persists over decisions, only as a cache; None: no memory
    memory: np.dtype | None = None
    reserved: ClassVar[frozenset[str]] = frozenset({"noise", "after", "omitted"})

    def __post_init__(self):
        for holds, otherwise in self._demands():
            if not holds:
                raise PolicyError(f"policy {self.name}: {otherwise}")

    def _demands(self):
        """Yield (is satisfied, message if not) for each requirement that an author may overlook."""
        yield isinstance(self.name, str) and self.name.strip(), f"its name must be text, not {self.name!r}"
        yield (
            isinstance(self.choose, FunctionType),
            f"`choose` must be a plain function without @jit, not {self.choose!r}",
        )
        yield (
            self.aim is None or isinstance(self.aim, FunctionType),
            f"`aim` must be a plain function without @jit, aim(record, seat), not {self.aim!r}",
        )
        memory = self.memory
        is_record = memory is None or (isinstance(memory, np.dtype) and bool(memory.names))
        yield is_record, f"its memory must be the dtype of a record, np.dtype([...]), not {memory!r}"
        yield memory is None or not memory.hasobject, "its memory must contain only numbers"
        yield (
            self.room <= MEMORY,
            f"its memory has {8 * self.room:,} bytes, but at most {8 * MEMORY:,} are allowed",
        )
        yield (
            isinstance(self.roles, tuple),
            f'its roles must be a tuple, such as ("first",), not {self.roles!r}',
        )
        yield (
            isinstance(self.weights, dict),
            f'its weights must be a dict, such as {{"at": 20.0}}, not {self.weights!r}',
        )
        yield len(self.weights) <= 64, f"it has {len(self.weights)} weights, but at most 64 are allowed"
        for name, value in self.weights.items():
            number = isinstance(value, (int, float)) and isfinite(value)
            yield number, f"weight {name} = {value!r} is not a finite number"
            yield (
                isinstance(name, str) and not set(name) & set("@:,+="),
                f"weight {name!r}: write its name with letters, digits and _",
            )
            yield (
                name not in self.reserved,
                f'"{name}" is the name of a modifier: choose another name for the weight',
            )

    @property
    def room(self) -> int:
        """Memory of the policy and of the policies that it calls, in words of 8 bytes."""
        return words_of(self.memory)

    def with_weights(self, changes: dict[str, float]) -> "Policy":
        """Return a copy of the policy with some changed weights. Raises PolicyError for an unknown name."""
        for name in changes:
            if name not in self.weights:
                raise PolicyError(
                    f"policy {self.name}: no weight "
                    f'"{name}"{did_you_mean(name, [*self.weights, "omit", "noise"])}'
                )
        return replace(self, weights={**self.weights, **changes})

    @property
    def source(self) -> Path:
        """Path of the source file of the policy."""
        return Path(self.choose.__code__.co_filename)

    def decided_by(self) -> tuple[Callable, ...]:
        """Return all functions that decide for the policy. Their sources define its version."""
        return (self.choose,)

    @property
    def learns(self) -> bool:
        """Whether the policy learns numbers before the first game (`learn`)."""
        return False

    def learn(self, game: Game, scenario: Scenario, seat: int) -> np.ndarray:
        """Return the numbers that the policy learns about a scenario before the first game: float64.

        The policy reads them after its weights.
        """
        return np.zeros(0)

    def compiled_for(self, engine):
        """Return the policy's function compiled for the records of one engine."""
        return compiled_policy(self.choose, engine, self.memory)


@cache
def compiled_policy(choose: Callable, engine, memory: np.dtype | None = None):
    """Return the function compiled for one game's records.

    A function from a user's file is recompiled if a source in its folder has changed.

    memory: dtype of its sixth parameter; None if it has none.
    """
    from bartizan.simcore.compile.jit import compiled
    from bartizan.simcore.compile.loops import naming_policy, never_returns, policy_signature

    signature = policy_signature(engine)
    with naming_policy(choose):
        function = compiled(as_called(choose, memory), signature)
    if function.nopython_signatures[0].return_type != signature.return_type:
        raise never_returns(choose)
    return function


def as_called(choose: Callable, memory: np.dtype | None = None) -> Callable:
    """Return a plain function with the five parameters of every policy.

    memory: dtype of its sixth parameter.
    """
    return remembering(choose, memory) if memory else choose


def as_player(game: Game, policy: Policy, function: Callable | None = None):
    """Return a policy compiled for the game, as a `simcore.play.match.Player`.

    function: function to use as it is; None to compile the policy's function for the game's records.
    """
    from bartizan.policies.futures import DealsAnew
    from bartizan.simcore.play.match import Player

    deals = False
    try:
        function = function or policy.compiled_for(game.compiled)
    except DealsAnew:
        function, deals = policy.compiled_for(game.compiled.followed()), True
    return Player(
        name=policy.name,
        function=function,
        weights=policy.weights,
        about=policy.about,
        source=policy.source,
        roles=policy.roles,
        aim=policy.aim,
        decided_by=policy.decided_by(),
        learn=policy.learn,
        compiled_for=policy.compiled_for,
        deals=deals,
    )


# ---------------------------------------------------------------- helpers of policies

# A safety net under a policy: its intended action may be illegal under a reading that it was not written for.


@inline
def legal_or_first(action, legal, n_legal):
    """Return the action if it is legal, otherwise the first legal action."""
    for i in range(n_legal):
        if legal[i] == action:
            return action
    return legal[0]


def indices(weights: Iterable[str]) -> Any:
    """Return a named tuple with the index of each weight in the array.

    WEIGHTS = {"patience": 0.95, "alert": 0.37}
    AT = indices(WEIGHTS)  # weights[AT.alert] in compiled code
    """
    names = list(weights)
    return namedtuple("Indices", names)(*range(len(names)))


# ---------------------------------------------------------------- random

# `random`: every legal action with equal probability. It is the baseline for all other policies, in every
# game.


def choose(state, tables, legal, n_legal, weights):
    return legal[policy_below(state, 0, n_legal)]


RANDOM = Policy("random", choose, "each legal action with equal probability")
