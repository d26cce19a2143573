"""Functions that run only inside another compiled function: numba creates no machine code for them.

numba optimises every function that it meets, turns it into machine code and writes it to the cache on disk;
then it repeats all of this within each caller. That takes a third of the compilation time of a game. Here, a
function that is met while another is compiled is only typed and lowered. Its code is linked into the
outermost function and optimised there once. If Python calls it later, the missing parts are added then. Inner
functions take 64-bit integers in every call, so each is compiled once and not for each mix of widths and
constants.

There is no public interface: numba's dispatcher and code library are patched, following the idea of numba's
pull request 9566. docs/adr/0001-compiled-code.md shows the savings.
"""

from collections.abc import Iterable
from weakref import WeakKeyDictionary, WeakValueDictionary

from llvmlite.binding import Linkage
from numba.core import sigutils, types
from numba.core.caching import FunctionCache
from numba.core.codegen import JITCodeLibrary, RuntimeLinker
from numba.core.compiler import CompileResult
from numba.core.compiler_lock import global_compiler_lock
from numba.core.cpu import CPUContext
from numba.core.dispatcher import Dispatcher

from bartizan.simcore.compile import pieces
from bartizan.simcore.compile.apart import nesting
from bartizan.simcore.compile.identity import is_by_content
from bartizan.simcore.compile.meter import listeners

NUMBAS_OWN = "numba."  # numba's own functions may need constants as arguments

_inner: WeakValueDictionary[str, JITCodeLibrary] = WeakValueDictionary()  # by function name
_compile, _add_overload = Dispatcher.compile, Dispatcher.add_overload
_call_template = Dispatcher.get_call_template
_create_wrapper = CPUContext.create_cpython_wrapper
# contents of the wrapper not yet made
_unwrapped: WeakKeyDictionary[JITCodeLibrary, tuple] = WeakKeyDictionary()
_get_executable, _save_overload = CPUContext.get_executable, FunctionCache.save_overload
_load_overload = FunctionCache.load_overload
_find_environments = CompileResult._find_referenced_environments
_finalize, _module_for_linking = JITCodeLibrary.finalize, JITCodeLibrary._get_module_for_linking


class _NoEntry:
    """A stand-in for the entry point of an inner function, by which numba finds its code."""


def _called_by_another(self: Dispatcher, args: tuple, kws: dict[str, types.Type]):
    if not self.py_func.__module__.startswith(NUMBAS_OWN):
        args, kws = tuple(map(_widened, args)), {name: _widened(kind) for name, kind in kws.items()}
    return _call_template(self, args, kws)


def _widened(kind: types.Type) -> types.Type:
    kind = types.unliteral(kind)
    return types.int64 if isinstance(kind, types.Integer) and kind.bitwidth < 64 else kind


def _compiled(self: Dispatcher, signature):
    if nesting.depth == 0:
        arguments, _ = sigutils.normalize_signature(signature)
        result = self.overloads.get(tuple(arguments))
        if result is not None and _is_inner(result):
            if result.library not in pieces.linked or result.library in _unwrapped:
                return _completed(self, result)
            del self.overloads[tuple(arguments)]  # read from disk, without the parts of an entry point
    nesting.depth += 1
    nesting.files.append(self.py_func.__code__.co_filename if is_by_content(self.py_func) else "")
    try:
        return _compile(self, signature)
    finally:
        nesting.naming.discard(len(nesting.files))
        nesting.files.pop()
        nesting.depth -= 1


def _is_inner(result) -> bool:
    return isinstance(result.entry_point, _NoEntry)


@global_compiler_lock
def _completed(dispatcher: Dispatcher, result):
    """Create the entry point of an inner function that Python calls, and return it.

    The entry point exists only in this process and is not cached on disk.
    """
    context, fndesc, library = result.target_context, result.fndesc, result.library
    if library in _unwrapped:  # otherwise it was read from disk, where it was stored with its Python wrapper
        library = context.codegen().create_library(f"wrapper of {fndesc.qualname}")
        library.add_linking_library(result.library)
        _create_wrapper(context, library, fndesc, *_unwrapped[result.library])
    entry = _get_executable(context, library, fndesc, result.environment)
    context.insert_user_function(entry, fndesc, [library])
    dispatcher.add_overload(result._replace(entry_point=entry))
    return entry


def _wrapped(self: CPUContext, library, fndesc, *made_of, **settings) -> None:
    """Skip the wrapper for Python, because Python cannot call an inner function yet."""
    if nesting.depth > 1:
        _unwrapped[library] = (*made_of, *settings.values())
    else:
        if nesting.files and nesting.files[-1]:
            pieces.unfinished[library] = pieces.Unfinished.of(library)
        _create_wrapper(self, library, fndesc, *made_of, **settings)


def _executable(self: CPUContext, library, fndesc, env):
    if nesting.depth > 1 and not _is_recursive(library, fndesc):
        _inner[fndesc.mangled_name] = library
        return _NoEntry()
    if library in _unwrapped:
        _create_wrapper(self, library, fndesc, *_unwrapped.pop(library))
    return _get_executable(self, library, fndesc, env)


def _is_recursive(library: JITCodeLibrary, fndesc) -> bool:
    """Return whether a function calls itself, directly or indirectly.

    Its machine code must then exist under its name, because such a call finds it by name.
    """
    names = (variable.name for variable in library._final_module.global_variables)
    waits = any(name.startswith(RuntimeLinker.PREFIX) for name in names)
    return waits or fndesc.mangled_name in library.codegen._rtlinker._unresolved


def _overload_added(self: Dispatcher, result) -> None:
    """Store a compilation of a function.

    An inner function (see the module) is stored without an entry point; `_compiled` adds this when Python
    first calls the function.
    """
    if _is_inner(result):
        self.overloads[tuple(result.signature.args)] = result
    else:
        _add_overload(self, result)


def _outer_saved(self: FunctionCache, signature, result) -> None:
    for compiled_one in tuple(listeners):
        compiled_one()
    pieces.note(self._py_func, result.library)
    if _is_inner(result):
        if signature == result.signature.args:
            pieces.save(self._py_func, result)
    elif is_by_content(self._py_func):
        pieces.save_outer(self._py_func, signature, result)
        pieces.save(self._py_func, result)
    else:
        _save_overload(self, signature, result)


def _loaded(self: FunctionCache, signature, context):
    """Load a compilation from disk.

    For an inner function, read its own file, which contains no machine code.
    """
    context.refresh()
    if nesting.depth > 1:
        result = pieces.load(self._py_func, signature, context)
        if result is not None:
            _inner[result.fndesc.mangled_name] = result.library
            return result._replace(entry_point=_NoEntry())
    if is_by_content(self._py_func):
        result = pieces.load_outer(self._py_func, signature, context)
        if result is None and nesting.depth == 1:
            return _optimised(self._py_func, signature, context)
        return result
    return _load_overload(self, signature, context)


def _optimised(function, signature, context: CPUContext):
    """Load the LLVM code of an outermost function, turn it into machine code, and store this on disk.

    After an edit, this is enough if only functions that it calls have changed.
    """
    result = pieces.load(function, signature, context)
    if result is None:
        return None
    library, fndesc, env = result.library, result.fndesc, result.environment
    library.enable_object_caching()
    _create_wrapper(context, library, fndesc, env, None, release_gil=True)
    if library in pieces.first_class:
        context.create_cfunc_wrapper(library, fndesc, env, None)
    result = result._replace(entry_point=_get_executable(context, library, fndesc, env))
    pieces.save_outer(function, signature, result)
    return result


def _linked_later(self: JITCodeLibrary, library: JITCodeLibrary) -> None:
    """Add a library to be linked when this library is finalized. numba would finalize it here."""
    self._linking_libraries.append(library)


def _finalized(self: JITCodeLibrary) -> None:
    """Link the pending libraries into this library, and finalize it."""
    self._linking_libraries = list(_with_theirs(self._linking_libraries, {}))[::-1]
    self._shared_module = None  # it contains only its own functions so far
    _finalize(self)
    # called by recursion: machine code is found by name
    for name in list(self._codegen._rtlinker._unresolved):
        if (library := _inner.get(name)) is not None:
            library._ensure_finalized()


def _with_theirs(libraries: Iterable[JITCodeLibrary], seen: dict) -> dict:
    """Collect libraries, and the libraries that unfinalized ones would link, as keys of `seen`.

    Returns `seen`.

    Each library comes after the libraries that it calls. The caller reverses this order, because LLVM links
    only functions that have been requested before.
    """
    for library in libraries:
        if library not in seen:
            if not library._finalized:
                _with_theirs(library._linking_libraries, seen)
            seen[library] = None
    return seen


def _module_to_link(self: JITCodeLibrary):
    if self._finalized:
        return _module_for_linking(self)
    if self._shared_module is None:
        module = self._final_module.clone()
        for function in module.functions:
            if not function.is_declaration and function.linkage == Linkage.external:
                function.linkage = Linkage.linkonce_odr
        self._shared_module = module
    return self._shared_module


def _with_constants(self: CompileResult) -> list:
    """Return the environments that contain constants, which are the only ones to load.

    Any other environment may refer to the module of the file before an edit.
    """
    return [one for one in _find_environments(self) if one.consts]


CompileResult._find_referenced_environments = _with_constants
Dispatcher.compile, Dispatcher.add_overload = _compiled, _overload_added
Dispatcher.get_call_template = _called_by_another
CPUContext.create_cpython_wrapper = _wrapped
CPUContext.get_executable, FunctionCache.save_overload = _executable, _outer_saved
FunctionCache.load_overload = _loaded
JITCodeLibrary.add_linking_library, JITCodeLibrary.finalize = _linked_later, _finalized
JITCodeLibrary._get_module_for_linking = _module_to_link
