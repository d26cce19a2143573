"""Compilation with numba: decorators, and numba's flags, which no other module sets."""

import os
import sys
import types as pytypes
import warnings
from pathlib import Path
from typing import Any

import numba
from numba.core.errors import NumbaExperimentalFeatureWarning

from bartizan.simcore.compile import fence, link_names, wraps  # noqa: F401  (`wraps` changes how numba works)
from bartizan.simcore.compile.apart import link, outermost
from bartizan.simcore.compile.cache import configure, is_ours
from bartizan.simcore.compile.identity import is_by_content

if not numba.config.CACHE_DIR:  # numba was imported before Bartizan configured it
    configure()
if fence.is_tested():
    from bartizan.simcore.compile import index, inner, lean  # noqa: F401  (they change how numba works)

# First-class functions allow a policy to plug in without recompiling the engine; numba still calls them
# experimental.
warnings.filterwarnings("ignore", category=NumbaExperimentalFeatureWarning)

FLAGS = {"cache": True, "nogil": True, "error_model": "numpy"}
# `--plain`: nothing is compiled, so print and a debugger work; the games are identical, but some hundred
# times slower
PLAIN = os.environ.get("BARTIZAN_PLAIN", "") != ""
if PLAIN:
    # random numbers wrap around, silently in compiled code
    warnings.filterwarnings("ignore", "overflow encountered in scalar", RuntimeWarning)
# also check array bounds in built-in code; code from outside is always checked
BOUNDS = os.environ.get("BARTIZAN_BOUNDSCHECK", "") != ""
WORDS = "bartizan.simcore.short.words"  # words with bounds checks for rules from outside


def flags(function) -> dict:
    """Return numba's options for a function.

    Code from users raises an error for an index out of bounds, which would otherwise access other memory, and
    for a division by 0, which would otherwise give 0 or inf.
    """
    outside = _is_from_outside(function)
    kept = fence.is_tested() or (link_names.are_unique and not outside)
    own = FLAGS | {"cache": kept, "boundscheck": BOUNDS or outside or function.__module__ == WORDS}
    return own | ({"error_model": "python"} if outside else {})


def _is_from_outside(function) -> bool:
    return isinstance(function, pytypes.FunctionType) and not is_ours(Path(function.__code__.co_filename))


def jit(function):
    """Return a function that is compiled at its first call, is cached on disk, and releases the GIL.

    It has no C wrapper, which only first-class functions need (`compiled`); this shortens compilation by a
    tenth.
    """
    if PLAIN:
        return as_it_stands(function)
    return numba.njit(**flags(function), no_cfunc_wrapper=True)(function)


def jit_module(name, but=""):
    """Apply `jit` to every plain function that the named module defines, except `but`.

    Call it at the end of the module.
    """
    module = sys.modules[name]
    for key, function in list(vars(module).items()):
        if isinstance(function, pytypes.FunctionType) and function.__module__ == name and key != but:
            setattr(module, key, jit(function))


def inline(function):
    """Apply `jit`, and have LLVM inline the function into its callers.

    It is used for one-line functions and `hot` functions.

    If numba inlined them, it would type and lower each copy, which would take half of the compilation time of
    Castle Itter.
    """
    if PLAIN:
        return as_it_stands(function)
    function.is_pasted = True  # see `identity`
    return numba.njit(forceinline=True, **flags(function))(function)


def as_it_stands(function: Any) -> Any:
    """Return the function itself, with an attribute `py_func`. Replaces `jit` in uncompiled simulations."""
    function.py_func = function
    return function


def hot(function):
    """Mark a plain function as part of the body of a loop, so that `jit_part` inlines it into each loop.

    Without inlining, Pig's rollouts are an eighth slower.
    """
    function.is_hot = True
    return function


def jit_part(function, original):
    """Apply `jit` to a bound copy of `original`, or `inline` if `original` is marked as `hot`."""
    return (inline if hasattr(original, "is_hot") else jit)(function)


def compiled(function, signature):
    """Return `function` compiled at once for one explicit numba signature.

    A call with other types is an error.
    """
    if PLAIN:
        function.nopython_signatures = (signature,)
        return as_it_stands(function)
    link()
    with outermost():
        return numba.njit(signature, **flags(function))(function)


def is_cached(function, signature) -> bool:
    """Return whether `compiled` would find its result in the cache.

    The result must be for the current sources, these types and this machine.

    Only numba can answer this, and it has no public function for it.
    """
    if PLAIN:
        return True
    if not fence.is_tested():
        return False
    dispatcher = numba.njit(**flags(function))(function)
    if is_by_content(function):
        from bartizan.simcore.compile import pieces  # only a tested numba is changed

        return pieces.is_kept(function, signature, dispatcher.targetctx.codegen())
    cache = dispatcher._cache
    return cache._index_key(signature, dispatcher.targetctx.codegen()) in cache._cache_file._load_index()


def bind(function, tag, **names):
    """Return a copy of a plain function with other values for its global names.

    names: these values. tag: text that the name of the copy contains.

    In this way, one generic play loop serves every game: the source of the loop contains
    `legal_actions(state, ...)`, to which each game binds its own rule. numba's cache on disk identifies a
    function by its qualified name and argument types, not by the values of its names, so each binding needs
    its own tag. Otherwise, one game would run the compiled rules of another with equal record types.
    """
    meaning = {**function.__globals__, **names} if names else function.__globals__
    bound = pytypes.FunctionType(
        function.__code__, meaning, function.__name__, function.__defaults__, function.__closure__
    )
    bound.__kwdefaults__ = function.__kwdefaults__
    bound.__qualname__ = f"{function.__qualname__}_{tag}"
    bound.__module__ = function.__module__
    return bound
