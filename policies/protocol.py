"""What a policy is.

A policy is a plain Python function with the house's one signature,

    choose(state, tables, legal, n_legal, weights) -> action

state    the game's state record; a policy reads it and must leave it untouched
tables   the scenario's numbers, as a record
legal    int32 array; the first n_legal entries are the legal actions
weights  float64 array: the policy's named weights, in the order of `Policy.weights` (at most 64), then others

A policy that declares a memory (`Policy.memory`, a record's dtype) takes a sixth parameter, `memory`, a
record of that dtype, which it may change. It is all 0 when a match begins and then lasts, over decisions and
games: one for each seat of each thread. It is a cache, no more: whatever stands in it, of this game or
another, the choice must be the same. So what is kept has to stand beside everything in the state that it was
worked out from, and is used only where that is the same again.

It is compiled by numba for the game's records and called through a function pointer, so a new policy never
recompiles an engine. Randomness of its own comes from `simcore.rng.policy_below(state, draw, n)`. It must
return one of the legal actions: anything else ends the game and is reported with seed, game and ply.
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
    # (record, seat) -> float: what the end of a game is worth to it, when it is trained or looks ahead; None:
    # 1 a win, 1/2 a draw
    aim: Callable | None = None
    memory: np.dtype | None = None  # of a record that lasts over decisions, a pure cache; None: no memory
    reserved: ClassVar[frozenset[str]] = frozenset({"noise", "after", "omitted"})

    def __post_init__(self):
        for holds, otherwise in self._demands():
            if not holds:
                raise PolicyError(f"policy {self.name}: {otherwise}")

    def _demands(self):
        """(does it hold, what is wrong otherwise): what an author may get wrong."""
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
            (f"its memory has {8 * self.room:,} bytes, but at most {8 * MEMORY:,} are allowed"),
        )
        yield (
            isinstance(self.roles, tuple),
            (f'its roles must be a tuple, such as ("first",), not {self.roles!r}'),
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
                name not in self.reserved,
                (f'"{name}" is the name of a modifier: choose another name for the weight'),
            )

    @property
    def room(self) -> int:
        """Words of 8 bytes that its memory takes, and those of the policies that it asks."""
        return words_of(self.memory)

    def with_weights(self, changes: dict[str, float]) -> "Policy":
        """The same policy with some weights changed; an unknown name is refused."""
        for name in changes:
            if name not in self.weights:
                raise PolicyError(
                    f"policy {self.name}: no weight "
                    f'"{name}"{did_you_mean(name, [*self.weights, "omit", "noise"])}'
                )
        return replace(self, weights={**self.weights, **changes})

    @property
    def source(self) -> Path:
        """The file it is written in."""
        return Path(self.choose.__code__.co_filename)

    def decided_by(self) -> tuple[Callable, ...]:
        """Its function, and those of what decides with it: their sources are its version."""
        return (self.choose,)

    @property
    def learns(self) -> bool:
        """Does it read numbers behind its weights that it learns of a scenario?"""
        return False

    def learn(self, game: Game, scenario: Scenario, seat: int) -> np.ndarray:
        """What it works out about a scenario before it plays: float64 numbers, read behind its weights."""
        return np.zeros(0)

    def compiled_for(self, engine):
        """The compiled function that plays it."""
        return compiled_policy(self.choose, engine, self.memory)


@cache
def compiled_policy(choose: Callable, engine, memory: np.dtype | None = None):
    """The function as numba compiles it for one game's records; one from a user's file anew whenever a source
    in its folder has changed.

    memory: of the record that it takes as its sixth parameter.
    """
    from bartizan.simcore.compile import mistakes
    from bartizan.simcore.compile.habits import PLAYERS_LUCK, bad_habit
    from bartizan.simcore.compile.jit import compiled
    from bartizan.simcore.compile.loops import policy_signature

    signature = policy_signature(engine)
    try:
        function = compiled(remembering(choose, memory) if memory else choose, signature)
    # numba raises its own errors, and plain ones such as KeyError for an unknown field of a record
    except Exception as error:
        where, _, why = mistakes.sentence(error, choose).partition(": ")
        why = bad_habit(choose, PLAYERS_LUCK) or why
        raise PolicyError(f"{where}: policy function {choose.__name__} does not compile: {why}") from error
    if function.nopython_signatures[0].return_type != signature.return_type:
        raise PolicyError(
            f"{mistakes.head_of(choose)}: policy function {choose.__name__} never returns an action"
        )
    return function


def as_player(game: Game, policy: Policy):
    """A policy, compiled for the game: a `simcore.play.match.Player`."""
    from bartizan.policies.futures import DealsAnew
    from bartizan.simcore.play.match import Player

    deals = False
    try:
        function = policy.compiled_for(game.compiled)
    except DealsAnew:
        function, deals = policy.compiled_for(game.compiled.followed()), True
    return Player(
        policy.name,
        function,
        policy.weights,
        policy.about,
        policy.source,
        policy.roles,
        policy.aim,
        policy.decided_by(),
        policy.learn,
        policy.compiled_for,
        deals,
    )


# ---------------------------------------------------------------- helpers of policies

# A net under a policy: what it means to do may be illegal under a reading it was not written for.


@inline
def legal_or_first(action, legal, n_legal):
    """The action if it is legal, else the first legal one."""
    for i in range(n_legal):
        if legal[i] == action:
            return action
    return legal[0]


def indices(weights: Iterable[str]) -> Any:
    """The place of each weight in the array, by its name.

    WEIGHTS = {"patience": 0.95, "alert": 0.37}
    AT = indices(WEIGHTS)  # weights[AT.alert] in compiled code
    """
    names = list(weights)
    return namedtuple("Indices", names)(*range(len(names)))


# ---------------------------------------------------------------- random

# `random`: every legal action alike. The floor every other policy is measured against, for every game.


def choose(state, tables, legal, n_legal, weights):
    return legal[policy_below(state, 0, n_legal)]


RANDOM = Policy("random", choose, "each legal action with equal probability")
