"""The one place that knows numba's flags."""

import os
import sys
import types as pytypes
import warnings
from pathlib import Path

import numba
from numba.core.errors import NumbaExperimentalFeatureWarning

from bartizan.simcore.compile import fence, link_names
from bartizan.simcore.compile.apart import link, outermost
from bartizan.simcore.compile.cache import configure, is_ours

if not numba.config.CACHE_DIR:  # numba was imported before anything was asked
    configure()
if fence.is_tested():
    from bartizan.simcore.compile import index, inner, lean  # noqa: F401  (they change how numba works)

# First-class functions are what lets a policy plug in without recompiling the engine; numba still calls them
# experimental.
warnings.filterwarnings("ignore", category=NumbaExperimentalFeatureWarning)

FLAGS = {"cache": True, "nogil": True, "error_model": "numpy"}
# `--plain`: nothing is compiled, print and a debugger work; the games are the same, some hundred times slower
PLAIN = os.environ.get("BARTIZAN_PLAIN", "") != ""
if PLAIN:
    # luck wraps around, in compiled code without a word
    warnings.filterwarnings("ignore", "overflow encountered in scalar", RuntimeWarning)
# bounds of arrays are checked in code of the house too; in code from outside they always are
BOUNDS = os.environ.get("BARTIZAN_BOUNDSCHECK", "") != ""
WORDS = "bartizan.simcore.short.words"  # what rules from outside hand their places to


def flags(function) -> dict:
    """numba's options for a function.

    Code from outside fails at a place that an array lacks, where it would read what lies behind it, and at a
    division by 0, which else gives 0 or inf.
    """
    outside = _is_from_outside(function)
    kept = fence.is_tested() or (link_names.are_unique and not outside)
    own = FLAGS | {"cache": kept, "boundscheck": BOUNDS or outside or function.__module__ == WORDS}
    return own | ({"error_model": "python"} if outside else {})


def _is_from_outside(function) -> bool:
    return isinstance(function, pytypes.FunctionType) and not is_ours(Path(function.__code__.co_filename))


def jit(function):
    """Compile on first call, cache on disk, release the GIL.

    Without a C wrapper, which only first-class functions need (`compiled`): a tenth less to compile.
    """
    if PLAIN:
        return as_it_stands(function)
    return numba.njit(**flags(function), no_cfunc_wrapper=True)(function)


def jit_module(name, but=""):
    """As `jit`, every plain function that the module of this name defines, `but` one: called at its end."""
    module = sys.modules[name]
    for key, function in list(vars(module).items()):
        if isinstance(function, pytypes.FunctionType) and function.__module__ == name and key != but:
            setattr(module, key, jit(function))


def inline(function):
    """As `jit`, pasted into its caller: for one-liners, and for what is `hot`. LLVM does it: numba would type
    and lower each copy, which was half of what Castle Itter took to compile.
    """
    if PLAIN:
        return as_it_stands(function)
    function.is_pasted = True  # see `identity`
    return numba.njit(forceinline=True, **flags(function))(function)


def as_it_stands(function):
    """A function that is not compiled, in the place of one that is."""
    function.py_func = function
    return function


def hot(function):
    """Mark a plain function as the inside of loops: `jit_part` pastes it into each of them.

    Behind a call Pig's rollouts are an eighth slower.
    """
    function.is_hot = True
    return function


def jit_part(function, original):
    """As `jit`, for a bound copy of `original`."""
    return (inline if hasattr(original, "is_hot") else jit)(function)


def compiled(function, signature):
    """Compile `function` for one explicit numba signature, now, and forbid any other."""
    if PLAIN:
        function.nopython_signatures = (signature,)
        return as_it_stands(function)
    link()
    with outermost():
        return numba.njit(signature, **flags(function))(function)


def is_cached(function, signature) -> bool:
    """Would `compiled` find its work done, for these sources, these types and this machine?

    Only numba knows, and it has no public way to ask.
    """
    if PLAIN:
        return True
    if not fence.is_tested():
        return False
    dispatcher = numba.njit(**flags(function))(function)
    cache = dispatcher._cache
    return cache._index_key(signature, dispatcher.targetctx.codegen()) in cache._cache_file._load_index()


def bind(function, tag, **names):
    """A copy of a plain function whose global names mean what `names` says, with `tag` in its name.

    This is how one generic play loop serves every game: the loop's source says `legal_actions(state, ...)`,
    each game binds its own. numba's cache on disk knows a function by its qualified name and argument types,
    not by what its names mean, so each meaning needs a tag of its own: without it one game would run the
    compiled rules of another whose records look alike.
    """
    meaning = {**function.__globals__, **names} if names else function.__globals__
    bound = pytypes.FunctionType(
        function.__code__, meaning, function.__name__, function.__defaults__, function.__closure__
    )
    bound.__kwdefaults__ = function.__kwdefaults__
    bound.__qualname__ = f"{function.__qualname__}_{tag}"
    bound.__module__ = function.__module__
    return bound
