"""Skip steps of numba that Bartizan does not need, or run them once per function.

docs/adr/0001-compiled-code.md shows the savings. The compiled code does not change, and listeners still
receive numba's events.
"""

import sys
from contextlib import nullcontext
from functools import cache
from importlib import import_module
from types import NoneType

from llvmlite.binding import ffi
from numba.core import event, ir, postproc, types
from numba.core.codegen import JITCodeLibrary
from numba.core.targetconfig import TargetConfig
from numba.core.transforms import canonicalize_cfg

# ---------------------------------------------------------------- cffi, whose functions rules cannot call

if "cffi" not in sys.modules:
    sys.modules["cffi"] = None  # type: ignore[assignment]  # importing it now raises ImportError
    import_module("numba.core.typing.cffi_utils")
    del sys.modules["cffi"]

# ---------------------------------------------------------------- scipy.linalg, which few functions need

linalg = import_module("numba.np.linalg")
_ensure_blas, linalg.ensure_blas = linalg.ensure_blas, lambda: None
import_module("numba.np.arraymath")
linalg.ensure_blas = _ensure_blas  # a function that needs it still tests it

# ---------------------------------------------------------------- events: unused timings of locks

_start, _end = event.start_event, event.end_event


def _started(kind, data=None) -> None:
    if event._registered.get(kind):
        _start(kind, data)


def _ended(kind, data=None, exc_details=None) -> None:
    if event._registered.get(kind):
        _end(kind, data, exc_details)


for callbacks in tuple(ffi.lib._lock._cblist):  # two for each call into LLVM
    ffi.unregister_lock_callback(*callbacks)
event.start_event, event.end_event = _started, _ended
event.install_timer = lambda kind, callback: nullcontext()

# ---------------------------------------------------------------- flags and records as text in each pass


@cache
def _defaults(kind: type[TargetConfig]) -> dict:
    return {name: option.default for name, option in kind.options.items()}


TargetConfig.values = lambda self: {**_defaults(type(self)), **self._values}
types.Record.__repr__ = lambda self: self.name

# ---------------------------------------------------------------- results of an operator for the same types

OPERATORS = ("_operator", "builtins")
_known: dict[tuple, object] = {}  # (function, context, types of its arguments) -> its signature
_call_type = types.Function.get_call_type


def _known_call_type(self, context, args, kws):
    if kws or getattr(self.typing_key, "__module__", "") not in OPERATORS:
        return _call_type(self, context, args, kws)
    key = self, context, args
    if key not in _known:
        _known[key] = _call_type(self, context, args, kws)
    return _known[key]


types.Function.get_call_type = _known_call_type

# ---------------------------------------------------------------- the variables of a statement

NO_VARIABLES = {str, int, float, bool, NoneType, ir.Loc}
_list_variables = ir.Inst._rec_list_vars


def _variables(self, value) -> list:
    kind = type(value)
    if kind is ir.Var:
        return [value]
    if kind in NO_VARIABLES:
        return []
    if kind is dict:
        value = value.values()
    elif kind is not list and kind is not tuple:
        return _list_variables(self, value)
    return [variable for one in value for variable in _variables(self, one)]


ir.Inst._rec_list_vars = _variables

# ---------------------------------------------------------------- live variables after each pass

_postprocess = postproc.PostProcessor.run


def _prepare(self, emit_dels: bool = False, extend_lifetimes: bool = False) -> None:
    """Skip the search for the live variables of each block, which only generators and Python code need."""
    if emit_dels or self.func_ir.is_generator:
        _postprocess(self, emit_dels, extend_lifetimes)
        return
    self.func_ir.blocks = canonicalize_cfg(self.func_ir.blocks)
    self.func_ir.variable_lifetime = postproc.VariableLifetime(self.func_ir.blocks)
    self.func_ir.generator_info = None


postproc.PostProcessor.run = _prepare

# ---------------------------------------------------------------- functions that a module only names


def _optimize_defined(self: JITCodeLibrary, module) -> None:
    module.data_layout = self._codegen._data_layout
    for function in module.functions:
        if not function.is_declaration:
            passes, builder = self._codegen._function_pass_manager()
            with self._recorded_timings.record(f"Function passes on {function.name!r}", builder):
                passes.run(function, builder)


JITCodeLibrary._optimize_functions = _optimize_defined
