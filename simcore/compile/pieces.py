"""Compiled functions on disk, each in a file whose name is a hash of everything that its code depends on.

An edit of a game compiles only the functions whose content changes (`identity.content_of`). There are two
kinds of files: functions as LLVM code before optimisation, for every caller; and functions of short games
with their machine code. A call to a function is a symbol of the process that compiled it. LLVM code depends
only on the types of the functions of a short game that it calls, so after an edit of these functions, their
new symbols replace the symbols in the code. Any other function must still have the symbol. Code that contains
line numbers of a designer's file, for error messages, is used only while these line numbers are unchanged.
"""

import hashlib
import os
import pickle
from contextlib import suppress
from pathlib import Path
from types import FunctionType
from typing import Any, NamedTuple
from weakref import WeakKeyDictionary, WeakSet

import numba
from llvmlite import binding
from numba.core import config, sigutils
from numba.core.callconv import CPUCallConv
from numba.core.codegen import JITCodeLibrary, RuntimeLinker
from numba.core.compiler import CompileResult, compile_result
from numba.core.environment import Environment, lookup_environment
from numba.core.errors import NumbaError

from bartizan.simcore.compile.apart import nesting
from bartizan.simcore.compile.cache import PIECES
from bartizan.simcore.compile.habits import named_meanings
from bartizan.simcore.compile.identity import content_of, is_by_content
from bartizan.simcore.files import whole

ENVIRONMENT = "_ZN08NumbaEnv"  # how the names of numba's environments begin


class KeptCall(NamedTuple):
    """A function that a stored function calls.

    name: its global name there; "" if it has none. signature: signature by which a function of a short game
    is looked up; None for any other function, which is read from its file.
    """

    file: str
    symbol: str
    name: str
    signature: Any


class KeptFunction(NamedTuple):
    """Contents of the file of LLVM code.

    code: bitcode. lines: digest of the line numbers in its code; "" if it contains none. is_first_class:
    whether it can be called through a pointer.
    """

    code: bytes
    calls: tuple[tuple, ...]  # `KeptCall`s
    lines: str
    library: str
    fndesc: Any
    signature: Any
    is_first_class: bool


class Linked(NamedTuple):
    """A function of this process whose LLVM code has a file."""

    file: str
    symbol: str
    function: FunctionType | None  # None: read for a caller
    signature: Any


linked: WeakKeyDictionary[JITCodeLibrary, Linked] = WeakKeyDictionary()
of_games: WeakSet[JITCodeLibrary] = WeakSet()  # libraries of functions of short games
naming: WeakSet[JITCodeLibrary] = WeakSet()  # libraries with line numbers, or that call one
first_class: WeakSet[JITCodeLibrary] = WeakSet()  # libraries that need a wrapper for calls through pointers
_read: dict[str, tuple[JITCodeLibrary, KeptFunction]] = {}  # by file, without functions of short games
_under_way: set[str] = set()  # files whose called functions are being compiled


# ---------------------------------------------------------------- LLVM code


def load(function: FunctionType, signature: Any, context: Any) -> CompileResult | None:
    """Return the stored compilation of a function, without machine code.

    Returns None if there is none or it no longer fits.
    """
    file, lines = _file_of("llvm", function, signature, context.codegen())
    if not file or file in _under_way:  # functions that call each other
        return None
    _under_way.add(file)
    try:
        found = _library_of(file, context, function)
    finally:
        _under_way.discard(file)
    if found is None or found[1].lines not in ("", lines) or not _fits(found[1].signature, signature):
        return None
    library, piece = found
    if piece.is_first_class:
        first_class.add(library)
    return compile_result(
        typing_context=context.typing_context,
        target_context=context,
        library=library,
        environment=_environment(piece.fndesc.env_name, (), function),
        fndesc=piece.fndesc,
        signature=piece.signature,
        objectmode=False,
        lifted=(),
        reload_init=[],
        referenced_envs=(),
    )


def _library_of(
    file: str, context: Any, function: FunctionType | None
) -> tuple[JITCodeLibrary, KeptFunction] | None:
    """Return the library and the content of a file, after reading or compiling all functions that it calls.

    function: the function of the file; None if it is unknown. Returns None if a file is missing, or if a
    called function no longer fits.
    """
    if file in _read:
        return _read[file]
    stored = _unpickled(file)
    if stored is None:
        return None
    piece = KeptFunction(*stored)
    calls = [KeptCall(*one) for one in piece.calls]
    library, module = context.codegen().create_library(piece.library), binding.parse_bitcode(piece.code)
    meanings = dict(named_meanings(function)) if function else {}
    symbols = []
    for call in calls:
        found = _called(call, meanings.get(call.name), context)
        if found is None:
            return None
        library._linking_libraries.append(found[0])
        symbols.append(found[1])
        with suppress(NameError):  # optimised away
            module.get_function(call.symbol).name = found[1]
    symbol = piece.fndesc.mangled_name
    if symbols != [call.symbol for call in calls]:  # code of one name must be the same in a process
        digest = hashlib.sha256(" ".join([symbol, *symbols]).encode()).hexdigest()[:16]
        module.get_function(symbol).name = piece.fndesc.mangled_name = f"{symbol}_{digest}"
    library._final_module = module
    if piece.lines or any(one in naming for one in library._linking_libraries):
        naming.add(library)
    _note(library, piece, Linked(file, piece.fndesc.mangled_name, function, piece.signature))
    return library, piece


def _note(library: JITCodeLibrary, piece: KeptFunction, link: Linked) -> None:
    """Record the file of a library. It is read once, unless it depends on functions of a short game."""
    linked[library] = link
    if is_by_content(link.function):
        of_games.add(library)
    elif all(KeptCall(*call).signature is None for call in piece.calls):
        _read[link.file] = library, piece


def _called(call: KeptCall, meaning: Any, context: Any) -> tuple[JITCodeLibrary, str] | None:
    """Return the library and the symbol of a called function; None if it no longer fits.

    meaning: the value of its name.
    """
    if call.signature is None:
        found = _library_of(call.file, context, getattr(meaning, "py_func", None))
        return (found[0], call.symbol) if found and found[1].fndesc.mangled_name == call.symbol else None
    if not is_by_content(meaning):
        return None
    try:
        meaning.compile(call.signature.args)
    except NumbaError:  # compiling the caller reports it
        return None
    result = meaning.overloads.get(tuple(call.signature.args))
    if result is None or result.signature.return_type != call.signature.return_type:
        return None
    return result.library, result.fndesc.mangled_name


class Unfinished(NamedTuple):
    """The module of a function, and the libraries of the functions that it calls.

    Wrappers and other functions are not linked into the module yet.
    """

    module: Any
    calls: list[JITCodeLibrary]

    @classmethod
    def of(cls, library: JITCodeLibrary) -> "Unfinished":
        return cls(library._final_module.clone(), list(library._linking_libraries))


unfinished: WeakKeyDictionary[JITCodeLibrary, Unfinished] = WeakKeyDictionary()  # outermost functions


def save(function: FunctionType, result: CompileResult) -> None:
    """Write the LLVM code of a function, unless it refers to an object of this process."""
    library, fndesc = result.library, result.fndesc
    file, lines = _file_of("llvm", function, result.signature.args, library.codegen)
    if not file or not _lasts(result.signature) or result.lifted or result.reload_init or result.objectmode:
        return
    module, called = unfinished.pop(library, None) or Unfinished.of(library)
    names = {getattr(meaning, "py_func", None): name for name, meaning in named_meanings(function)}
    calls = []
    for one in dict.fromkeys(called):
        if one in linked:
            other, is_of_game = linked[one], one in of_games
            name = names.get(other.function, "") if other.function else ""
            if is_of_game and not name:
                return
            calls.append(KeptCall(other.file, other.symbol, name, other.signature if is_of_game else None))
        elif one in of_games or not _joins(module, one):
            return
    if any(_is_of_this_process(variable.name) for variable in module.global_variables):
        return
    fndesc.typemap = fndesc.calltypes = None
    said = lines if library in naming else ""
    wrapper = fndesc.llvm_cfunc_wrapper_name
    is_first_class = not _defines(module, wrapper) and _defines(library._final_module, wrapper)
    kept = tuple(map(tuple, calls)), said, library.name, fndesc, result.signature, is_first_class
    piece = KeptFunction(module.as_bitcode(), *kept)
    if _pickled(file, tuple(piece)):
        _note(library, piece, Linked(file, fndesc.mangled_name, function, result.signature))


def _defines(module: Any, name: str) -> bool:
    return any(one.name == name for one in module.functions)


def _joins(module: Any, library: JITCodeLibrary) -> bool:
    """Link a library without a file of its own into a module, in place.

    Return False if this is not possible.
    """
    module.link_in(library._get_module_for_linking(), preserve=True)
    if library._finalized:
        return True
    inside = library._linking_libraries
    return all(one not in linked and one not in of_games and _joins(module, one) for one in inside)


def _is_of_this_process(name: str) -> bool:
    """Return whether a global exists only in this process.

    It is an address, the symbol of a function that calls itself, or an environment with constants, which are
    Python objects.
    """
    if name.startswith(ENVIRONMENT):
        environment = lookup_environment(name)
        return environment is not None and bool(environment.consts)
    return name.startswith(("numba.dynamic.globals", RuntimeLinker.PREFIX))


# ---------------------------------------------------------------- functions with machine code


def load_outer(function: FunctionType, signature: Any, context: Any) -> CompileResult | None:
    """Return the stored compilation of a function of a short game, including its machine code.

    Returns None if none is stored, or if it no longer fits the function or the signature.
    """
    file, lines = _file_of("outer", function, signature, context.codegen())
    kept = _unpickled(file) if file else None
    if kept is None or kept[0] not in ("", lines) or not _fits(kept[-1][0], signature):
        return None
    _, libdata, fndesc, environments, made = kept
    fndesc.modname = function.__module__
    own, *others = [_environment(name, consts, function) for name, consts in environments]
    result = CompileResult._rebuild(context, libdata, fndesc, own, *made, (), tuple(others))
    of_games.add(result.library)
    if kept[0]:
        naming.add(result.library)
    return result


def is_kept(function: FunctionType, signature: Any, codegen: Any) -> bool:
    """Return whether `load_outer` would find a function.

    Damaged files and different line numbers are not detected.
    """
    file, _ = _file_of("outer", function, signature, codegen)
    return bool(file) and _path_of(file).is_file()


def save_outer(function: FunctionType, signature: Any, result: CompileResult) -> None:
    """Write the file of a function of a short game. signature: the requested signature."""
    file, lines = _file_of("outer", function, signature, result.library.codegen)
    if not file or not _lasts(result.signature) or result.lifted or result.reload_init:
        return
    if result.library.has_dynamic_globals:
        return
    libdata, fndesc, own, signature, objectmode, lifted, about, _, referenced = result._reduce()
    environments = [(one.env_name, list(one.consts)) for one in (own, *referenced)]
    said = lines if result.library in naming else ""
    _pickled(file, (said, libdata, fndesc, environments, (signature, objectmode, lifted, about)))


def note(function: FunctionType, library: JITCodeLibrary) -> None:
    """Record whether a newly compiled function belongs to a short game, and whether it contains line numbers.

    These are line numbers for error messages. Those in the functions that it calls also count.
    """
    if is_by_content(function):
        of_games.add(library)
    if len(nesting.files) in nesting.naming or any(one in naming for one in library._linking_libraries):
        naming.add(library)


def _environment(name: str, consts: Any, function: FunctionType) -> Environment:
    """Rebuild an environment as numba does, but with the globals of this process's module."""
    environment = lookup_environment(name)
    if environment is None:
        environment = Environment(function.__globals__)
        environment.consts[:] = consts
        environment.env_name = name
        Environment._memo[name] = environment
    return environment


_set_error = CPUCallConv.set_static_user_exc


def _error_set(self, builder, exc, exc_args=None, loc=None, func_name=None) -> None:
    if loc is not None and nesting.files and loc.filename == nesting.files[-1]:
        nesting.naming.add(len(nesting.files))
    _set_error(self, builder, exc, exc_args, loc, func_name)


CPUCallConv.set_static_user_exc = _error_set


# ---------------------------------------------------------------- files


def _file_of(kind: str, function: FunctionType, signature: Any, codegen: Any) -> tuple[str, str]:
    """Return (file name, digest of the lines) of a function.

    Both are "" if a type exists only in this process.
    """
    arguments, returned = sigutils.normalize_signature(signature)
    types = repr((arguments, returned))
    if not _lasts(types) or not config.CACHE_DIR:
        return "", ""
    content, lines = content_of(function, is_alone=kind == "llvm")
    made_of = repr((numba.__version__, codegen.magic_tuple(), kind, function.__qualname__, content, types))
    return f"{function.__name__}-{hashlib.sha256(made_of.encode()).hexdigest()[:32]}", lines


def _lasts(types: Any) -> bool:
    """Return whether types mean the same in every process. The class of an enumeration does not."""
    return not any(mark in str(types) for mark in (" at 0x", "Enum"))


def _fits(kept: Any, signature: Any) -> bool:
    arguments, _ = sigutils.normalize_signature(signature)
    return tuple(kept.args) == tuple(arguments)


def _path_of(file: str) -> Path:
    return Path(config.CACHE_DIR) / PIECES / f"{file}.nbc"


def _unpickled(file: str) -> Any:
    """Return the content of a file; None if it is missing, damaged or of another version.

    The caller then writes the file again.
    """
    path = _path_of(file)
    try:
        content = path.read_bytes()
        digest, content = content[:32], content[32:]
        if hashlib.sha256(content).digest() != digest:
            return None
        found = pickle.loads(content)
        os.utime(path)  # `drop_unused` uses this time
    except (OSError, pickle.UnpicklingError, EOFError, AttributeError, ImportError, IndexError, ValueError):
        return None
    return found


def _pickled(file: str, content: Any) -> bool:
    """Write a file. Return False if the content refers to something that exists only in this process."""
    path = _path_of(file)
    try:
        said = pickle.dumps(content)
    except Exception:
        return False
    with suppress(OSError):
        path.parent.mkdir(exist_ok=True)
        with whole(path) as part:
            part.write_bytes(hashlib.sha256(said).digest() + said)
    return True
