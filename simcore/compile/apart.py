"""Functions that are compiled separately, once, and called by symbol.

numba recompiles everything that a function calls, so each loop of a large game would compile all of its rules
again. A loop that calls them by symbol compiles in a second or two. The cost is a plain call, which is
noticeable only in games that take a few nanoseconds per decision.
"""

import hashlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import local

from llvmlite.binding import add_symbol
from numba.core import cgutils
from numba.core.compiler_lock import global_compiler_lock
from numba.extending import intrinsic


class _Nesting(local):
    depth = 0  # functions being compiled in this thread, nested: see `inner`

    def __init__(self) -> None:
        self.files: list[str] = []  # source file of each of these functions; "" outside short games
        self.naming: set[int] = set()  # nesting depths, from 1, whose code contains line numbers


nesting = _Nesting()
# by symbol, functions without an address yet: (function, arguments)
_promised: dict[str, tuple[Callable, tuple]] = {}


@contextmanager
def outermost() -> Iterator[None]:
    """Context manager in which compilation starts at nesting depth 0, even during another compilation.

    A function that is compiled in it therefore gets its own executable machine code (see `inner`).
    """
    depth, nesting.depth = nesting.depth, 0
    try:
        yield
    finally:
        nesting.depth = depth


def apart(function: Callable, arguments: tuple, tag: str) -> Callable:
    """Return an intrinsic by which compiled code calls a jitted function by symbol.

    arguments: numba types of its arguments.

    tag: name that distinguishes the function's code from all other code, in all processes. Loops on disk
    refer to the code by this name.
    """
    kinds = hashlib.sha256(repr(arguments).encode()).hexdigest()[:8]
    symbol = f"bartizan.{function.py_func.__name__}.{tag}.{kinds}"
    _promised[symbol] = function, arguments

    def typed(*_):
        link()
        returned = function.overloads[arguments].signature.return_type
        return returned(*arguments), lambda *lowering: _call(symbol, *lowering)

    call = intrinsic(_BY_PARAMETERS[len(arguments)](typed))
    call.py_func, call.symbol = function.py_func, symbol
    return call


# numba requires named parameters of an intrinsic
_BY_PARAMETERS = {
    2: lambda typed: lambda context, a, b: typed(),
    3: lambda typed: lambda context, a, b, c: typed(),
    5: lambda typed: lambda context, a, b, c, d, e: typed(),
}


def _call(symbol: str, context, builder, signature, values):
    """Emit the LLVM call of a symbol. An exception in the called function is raised in the caller."""
    kind = context.call_conv.get_function_type(signature.return_type, signature.args)
    there = cgutils.get_or_insert_function(builder.module, kind, symbol)
    status, returned = context.call_conv.call_function(
        builder, there, signature.return_type, signature.args, values
    )
    with cgutils.if_unlikely(builder, status.is_error):
        context.call_conv.return_status_propagate(builder, status)
    return returned


def link() -> None:
    """Compile the registered functions, or load them from the cache on disk.

    Call this before loading code that refers to them.
    """
    with global_compiler_lock, outermost():
        while _promised:
            symbol, (function, arguments) = _promised.popitem()
            try:
                made = _compiled(function, arguments)
            except BaseException:
                _promised[symbol] = function, arguments
                raise
            add_symbol(symbol, made.library.get_pointer_to_function(made.fndesc.llvm_func_name))


def _compiled(function: Callable, arguments: tuple):
    """Return numba's result of compiling a function for these types. An earlier result is reused."""
    if arguments not in function.overloads:
        function.compile(arguments)
    return function.overloads[arguments]
