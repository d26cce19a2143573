"""The one place that knows numba's flags."""

import os
import types as pytypes
import warnings

import numba
from numba.core.errors import NumbaExperimentalFeatureWarning

# First-class functions are what lets a policy plug in without recompiling the engine; numba still calls them experimental.
warnings.filterwarnings("ignore", category=NumbaExperimentalFeatureWarning)

FLAGS = {
    "cache": True,
    "nogil": True,
    "error_model": "numpy",
    "boundscheck": bool(os.environ.get("BARTIZAN_BOUNDSCHECK")),
}


def jit(function):
    """Compile on first call, cache on disk, release the GIL."""
    return numba.njit(**FLAGS)(function)


def inline(function):
    """As `jit`, pasted into its caller: for one-liners only."""
    return numba.njit(inline="always", **FLAGS)(function)


def compiled(function, signature):
    """Compile `function` for one explicit numba signature, now, and forbid any other."""
    return numba.njit(signature, **FLAGS)(function)


def bind(function, **names):
    """A copy of a plain function whose global names mean what `names` says.

    This is how one generic play loop serves every game: the loop's source says `legal_actions(state, ...)`, each game binds its own.
    """
    bound = pytypes.FunctionType(function.__code__, {**function.__globals__, **names}, function.__name__, function.__defaults__)
    bound.__qualname__ = function.__qualname__
    bound.__module__ = function.__module__
    return bound
