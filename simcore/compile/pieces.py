"""Compiled functions on disk, each in a file whose name is a hash of everything that its code depends on.

An edit of a game compiles only the functions whose content changes (`identity.content_of`). There are two
kinds of files: inner functions (`inner`) as LLVM code before optimisation, for every caller; and functions of
short games with their machine code. A call to an inner function is a symbol of the process that compiled it,
so a file is used only if its callees still have the symbols that it calls. Code that contains line numbers of
a designer's file, for error messages, is used only while these line numbers are unchanged.
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

from bartizan.simcore.compile.apart import nesting
from bartizan.simcore.compile.cache import PIECES
from bartizan.simcore.compile.identity import content_of
from bartizan.simcore.files import whole

ENVIRONMENT = "_ZN08NumbaEnv"  # how the names of numba's environments begin


class KeptFunction(NamedTuple):
    """Contents of the file of an inner function. code: LLVM bitcode. calls: (file, symbol) of each function
    that it calls. lines: digest of the line numbers in its code; "" if it contains none.
    """

    code: bytes
    calls: tuple[tuple[str, str], ...]
    lines: str
    library: str
    fndesc: Any
    signature: Any


class Linked(NamedTuple):
    """An inner function of this process that has a file."""

    file: str
    symbol: str
    lines: str


linked: WeakKeyDictionary[JITCodeLibrary, Linked] = WeakKeyDictionary()
naming: WeakSet[JITCodeLibrary] = WeakSet()  # libraries with line numbers, or that call one
_read: dict[str, tuple[JITCodeLibrary, KeptFunction]] = {}  # by file


# ---------------------------------------------------------------- inner functions


def load(function: FunctionType, signature: Any, context: Any) -> CompileResult | None:
    """Return the stored compilation of an inner function; None if there is none or it no longer fits."""
    file, lines = _file_of("inner", function, signature, context.codegen())
    found = _library_of(file, context) if file else None
    if found is None or found[1].lines not in ("", lines) or not _fits(found[1].signature, signature):
        return None
    library, piece = found
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


def _library_of(file: str, context: Any) -> tuple[JITCodeLibrary, KeptFunction] | None:
    """Return the library and the content of a file, after reading the files of all functions that it calls.

    Return None if a file is missing, or if a called function now has another symbol.
    """
    if file in _read:
        return _read[file]
    piece = _unpickled(file)
    if piece is None:
        return None
    piece = KeptFunction(*piece)
    library = context.codegen().create_library(piece.library)
    for called, symbol in piece.calls:
        found = _library_of(called, context)
        if found is None or found[1].fndesc.mangled_name != symbol:
            return None
        library._linking_libraries.append(found[0])
    library._final_module = binding.parse_bitcode(piece.code)
    linked[library] = Linked(file, piece.fndesc.mangled_name, piece.lines)
    if piece.lines:
        naming.add(library)
    _read[file] = library, piece
    return _read[file]


def save(function: FunctionType, result: CompileResult) -> None:
    """Write the file of an inner function, unless its code refers to an object of this process."""
    library, fndesc = result.library, result.fndesc
    file, lines = _file_of("inner", function, result.signature.args, library.codegen)
    if not file or not _lasts(result.signature) or result.lifted or result.reload_init or result.objectmode:
        return
    module, calls = library._final_module.clone(), []
    for called in library._linking_libraries:
        if called in linked:
            calls.append(linked[called])
        elif not _joins(module, called):
            return
    names = [variable.name for variable in module.global_variables]
    if any(map(_is_of_this_process, names)):
        return
    fndesc.typemap = fndesc.calltypes = None
    said = lines if library in naming else ""
    needs = tuple((one.file, one.symbol) for one in calls)
    piece = KeptFunction(module.as_bitcode(), needs, said, library.name, fndesc, result.signature)
    if _pickled(file, tuple(piece)):
        linked[library] = Linked(file, fndesc.mangled_name, said)
        _read[file] = library, piece


def _joins(module: Any, library: JITCodeLibrary) -> bool:
    """Link a library without a file of its own into a module, in place. Return False if this is not
    possible.
    """
    module.link_in(library._get_module_for_linking(), preserve=True)
    if library._finalized:
        return True
    return all(one not in linked and _joins(module, one) for one in library._linking_libraries)


def _is_of_this_process(name: str) -> bool:
    """Return whether a global exists only in this process: an address, the symbol of a function that calls
    itself, or an environment with constants, which are Python objects.
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
    return CompileResult._rebuild(context, libdata, fndesc, own, *made, (), tuple(others))


def is_kept(function: FunctionType, signature: Any, codegen: Any) -> bool:
    """Return whether `load_outer` would find a function, unless its file is damaged or its line numbers
    differ.
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


def note_lines(library: JITCodeLibrary) -> None:
    """Record whether a function that was just compiled, or a function that it calls, contains line numbers
    for error messages.
    """
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
    """Return (file name, digest of the lines) of a function; both are "" if a type exists only in this
    process.
    """
    arguments, returned = sigutils.normalize_signature(signature)
    types = repr((arguments, returned))
    if not _lasts(types) or not config.CACHE_DIR:
        return "", ""
    content, lines = content_of(function)
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
    """Return the content of a file; None if it is missing, damaged or of another version, so that it is
    written again.
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
