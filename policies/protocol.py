"""What a policy is.

A policy is a plain Python function with the house's one signature,

    choose(state, tables, legal, n_legal, weights) -> action

state    the game's state record; a policy reads it and must leave it untouched
tables   the scenario's numbers, as a record
legal    int32 array; the first n_legal entries are the legal actions
weights  float64 array: the policy's named weights, in the order of `Policy.weights` (at most 64), then zeros

It is compiled by numba for the game's records and called through a function pointer, so a new policy never
recompiles an engine. Randomness of its own comes from `simcore.rng.policy_below(state, draw, n)`. It must
return one of the legal actions: anything else ends the game and is reported with seed, game and ply.
"""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cache

from bartizan.simcore.errors import PolicyError, did_you_mean

NONE = -1


@dataclass(frozen=True, eq=False)
class Policy:
    """A named player: a function and its weights."""

    name: str
    choose: Callable
    about: str = ""
    weights: dict[str, float] = field(default_factory=dict)
    roles: tuple[str, ...] = ()  # the roles it can play; () = all

    def __post_init__(self):
        if len(self.weights) > 64:
            raise PolicyError(f"policy {self.name}: {len(self.weights)} weights, at most 64")

    def with_weights(self, changes: dict[str, float]) -> "Policy":
        """The same policy with some weights changed; an unknown name is refused."""
        for name in changes:
            if name not in self.weights:
                raise PolicyError(
                    f"policy {self.name}: no weight "
                    f'"{name}"{did_you_mean(name, [*self.weights, "omit", "noise"])}'
                )
        return replace(self, weights={**self.weights, **changes})

    def compiled_for(self, engine):
        """The compiled function that plays it."""
        return compiled_policy(self.choose, engine)


@cache
def compiled_policy(choose: Callable, engine):
    """The function as numba compiles it for one game's records; one from a user's file anew whenever a source
    in its folder has changed.
    """
    from bartizan.simcore.compile.jit import compiled
    from bartizan.simcore.compile.loops import policy_signature

    try:
        return compiled(choose, policy_signature(engine))
    # numba raises its own errors, and plain ones such as KeyError for an unknown field of a record
    except Exception as error:
        where = f"{choose.__code__.co_filename}:{choose.__code__.co_firstlineno}"
        raise PolicyError(
            f"{where}: policy function {choose.__name__} does not compile: {type(error).__name__}: "
            f"{_reason(error)}"
        ) from error


# how lines of numba's messages begin that tell an author nothing
DULL = (
    *("Failed in", "During:", "File ", "This error may", "To see Python", "This should not", "For more info"),
    *("<source", "- argument", "[1]", "[2]"),
)


def _reason(error: Exception) -> str:
    """The telling lines of numba's long messages, as one."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    telling = [line for line in lines if not line.startswith(DULL)]
    return " ".join(telling)[:300]
