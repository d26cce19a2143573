"""The identity of code from users: its sources, read once, and executed from the same bytes.

A `Code` is created when a file is loaded. It contains the bytes of the file and of every module in the
author's folder that its import statements name, directly or indirectly. These bytes are checked for trust and
executed, now or at a later import inside a function, and their hash names compiled code, manifests and notes.
Therefore an edit after loading cannot give old code a new name. Each loaded file has its own modules: two
policies with a `helper.py` in two folders do not interfere, and neither `sys.path` nor the public names in
`sys.modules` change.
"""

import ast
import builtins
import hashlib
import importlib.util
import inspect
import os
import pickle
import site
import sys
import sysconfig
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from enum import EnumType
from functools import cache, cached_property
from itertools import accumulate, chain
from os import scandir
from pathlib import Path
from threading import RLock, local
from types import CellType, CodeType, FunctionType, ModuleType, NoneType
from typing import Any

from bartizan.simcore.compile import habits, trees

MARK, PLACE = "__bartizan_code__", "__bartizan_name__"  # in the globals of a module: its Code, its own name
# marks a short game: it imports nothing, so its rules depend only on values that `_Content` reads
BY_CONTENT = "__bartizan_by_content__"
_lock = RLock()


class _Reading(local):
    # where this thread notes the files that it opens, and the folder of the code
    into: "tuple[dict[Path, str], Path] | None" = None


_reading = _Reading()


class Code:
    """The sources of one file, and of the author's modules that it imports, as they were when read.

    root: resolved path of the file. files: maps each module to its path and its bytes (None for a folder
    without `__init__.py`). data: maps each file that the code opened to its sha256. sheets: the same for
    files that Bartizan opened for the code. The content of these files is in the scenario.
    """

    def __init__(self, root: Path):
        self.root, self.name = root, root.stem
        self.folder, self.top = root.parent, ""
        self.files: dict[str, tuple[Path, bytes | None]] = {}
        self.modules: dict[str, ModuleType] = {}
        self.finished: set[str] = set()  # modules that other threads may use without waiting
        self.data: dict[Path, str] = {}
        self.sheets: dict[Path, str] = {}
        self.listing, self.kept_in = _listing(self.folder), os.environ.get("NUMBA_CACHE_DIR")
        self.prefix = ""
        base = root.parent
        while (base / "__init__.py").is_file() and base not in (base.parent, trees.HOUSE):
            base = base.parent
        if base != root.parent:  # in a package, its own name is found beside it
            self.top, self.base = root.relative_to(base).parts[0], base
            self.name = ".".join(root.relative_to(base).with_suffix("").parts)
        self._read(self.name, root)

    # ------------------------------------------------------------ reading

    def _read(self, name: str, path: Path | None) -> None:
        """Add a module, its packages, and the modules that its import statements name, to `files`."""
        ahead = [(name, path)]
        while ahead:
            name, path = ahead.pop()
            if name in self.files or path is None:
                continue
            content = path.read_bytes() if path.suffix == ".py" else None
            self.files[name] = path, content
            if content is not None:
                package = name if path.name == "__init__.py" else name.rpartition(".")[0]
                wanted = [_absolute(one, package) for one in trees.said(content).imports]
                ahead += [found for one in (name, *wanted) for found in self._found(one)]

    def _found(self, dotted: str) -> Iterator[tuple[str, Path]]:
        """Yield (dotted name, path) of each module or package that an import of `dotted` runs.

        Only the author's folders are searched.
        """
        top, *_ = parts = dotted.split(".")
        if not top or top == "bartizan":
            return
        place, name = self.base if top == self.top else self.folder, ""
        for part in parts:
            place, name = place / part, f"{name}.{part}" if name else part
            if (place / "__init__.py").is_file():
                yield name, place / "__init__.py"
            elif place.with_name(f"{part}.py").is_file():
                yield name, place.with_name(f"{part}.py")
                return
            elif place.is_dir() and (name != top or not _is_installed(top)):
                yield name, place
            else:
                return

    @property
    def source(self) -> bytes:
        """Bytes of the file itself."""
        return self.files[self.name][1] or b""

    @property
    def paths(self) -> list[Path]:
        return sorted({path for path, content in self.files.values() if content is not None})

    @cached_property
    def tag(self) -> str:
        """Hash (12 hex digits) of the location of the file, all sources, and the imported built-in modules.

        Sources count with their names and bytes.
        """
        digest = hashlib.sha256(trees.location_of(self.root).encode())
        for name, (_, content) in sorted(self.files.items()):
            digest.update(f"{name} {hashlib.sha256(content or b'').hexdigest()}\n".encode())
        digest.update(self.house.encode())
        return digest.hexdigest()[:12]

    @cached_property
    def house(self) -> str:
        """Hash (16 hex digits) of all modules of Bartizan that the sources import."""
        said = [trees.said(content or b"") for _, content in self.files.values()]
        names = chain.from_iterable(one.imports + one.strings for one in said)
        return trees.closure_hash(frozenset(names))

    @property
    def hash(self) -> str:
        """Hash (16 hex digits) of the sources without comments, and the data read during execution."""
        contents = {path: content for path, content in self.files.values() if content is not None}
        says = [trees.said(contents[path]).says for path in sorted(contents)]
        says += [digest for _, digest in sorted(self.data.items())]
        return hashlib.sha256("".join(says).encode()).hexdigest()[:16]

    @property
    def digests(self) -> list[str]:
        return [
            hashlib.sha256(content).hexdigest()
            for _, content in sorted(self.files.values())
            if content is not None
        ]

    def is_current(self) -> bool:
        """Return whether the data files and the cache folder are unchanged since execution.

        The data files are those that the sources read.
        """
        is_same = self.listing == _listing(self.folder) and self.kept_in == os.environ.get("NUMBA_CACHE_DIR")
        read = {**self.data, **self.sheets}
        return is_same and all(_digest(path) == digest for path, digest in read.items())

    @contextmanager
    def reading(self, into: dict[Path, str]) -> Iterator[None]:
        """Record the data files that this thread opens in the context, with their sha256.

        into: `data` or `sheets`, which receives them.
        """
        _listen()
        before, _reading.into = _reading.into, (into, self.folder)
        try:
            yield
        finally:
            _reading.into = before

    # ------------------------------------------------------------ executing

    def execute(self, what: str) -> ModuleType:
        """Run the file and return its module. what: kind of file; becomes part of the module's name."""
        self.prefix = f"bartizan_{what}_{self.root.stem}_{self.tag}"
        with _lock:
            try:
                return self._module(self.name)
            except BaseException:
                for one in self.modules.values():
                    sys.modules.pop(one.__name__, None)
                raise

    def _module(self, name: str) -> ModuleType:
        """Return a module of this code, executed at the first request."""
        if name in self.finished:
            return self.modules[name]
        with _lock:
            if name in self.modules:
                return self.modules[name]
            path, content = self.files[name]
            module = ModuleType(self.prefix if name == self.name else f"{self.prefix}.{name}")
            vars(module).update({MARK: self, PLACE: name, "__file__": str(path)})
            vars(module)["__builtins__"] = {**vars(builtins), "__import__": self._import}
            if path.suffix != ".py" or path.name == "__init__.py":
                module.__path__ = [str(path.parent if content is not None else path)]
            self.modules[name] = sys.modules[module.__name__] = module  # numba looks it up by name
            if content is not None:
                try:
                    with self.reading(self.data):  # also if a function imports the module later
                        exec(_compiled(content, path, module), vars(module))
                except BaseException:
                    del self.modules[name], sys.modules[module.__name__]
                    raise
            head, _, tail = name.rpartition(".")
            if head in self.files and head != self.name:
                setattr(self._module(head), tail, module)
            self.finished.add(name)
            return module

    def _import(self, name, globals=None, locals=None, fromlist=(), level=0):
        """Implement `__import__` for the author's modules.

        The neighbouring files are searched first, then Python's own path.
        """
        own = (globals or {}).get(PLACE, "")
        full = name
        if level:
            path = self.files[own][0] if own in self.files else None
            package = own if path and path.name == "__init__.py" else own.rpartition(".")[0]
            full = _absolute("." * level + name, package)
        if full not in self.files:
            if level:
                raise ImportError(f"no module {'.' * level}{name} in {self.folder}")
            module = builtins.__import__(name, globals, locals, fromlist, level)
            self._note_elsewhere([name, *(f"{name}.{one}" for one in fromlist or ())])
            return module
        parts = full.split(".")
        for end in range(1, len(parts) + 1):
            if (head := ".".join(parts[:end])) in self.files:
                self._module(head)
        module = self._module(full)
        if not fromlist:
            return self._module(parts[0])
        for one in fromlist:
            names = getattr(module, "__all__", ()) if one == "*" else (one,)
            for each in names:
                if not hasattr(module, each) and f"{full}.{each}" in self.files:
                    self._module(f"{full}.{each}")
        return module

    def _note_elsewhere(self, names: list[str]) -> None:
        """Record the sources of modules that Python found in another folder, such as one on `sys.path`.

        Unless they are installed, they are part of this code.
        """
        seen, ahead = set[str](), names
        while ahead:
            name = ahead.pop()
            module, top = sys.modules.get(name), name.partition(".")[0]
            file = getattr(module, "__file__", None)
            if name in seen or file is None or top == "bartizan" or _is_of_the_machine(Path(file)):
                continue
            seen.add(name)
            path = Path(file).resolve()
            if path in self.data or not path.is_file():
                continue
            self.data[path] = _digest(path)
            if path.suffix == ".py":
                package = getattr(module, "__package__", None) or ""
                wanted = (_absolute(one, package) for one in trees.said(path.read_bytes()).imports)
                ahead += [one for each in wanted for one in accumulate(each.split("."), "{}.{}".format)]
            ahead += accumulate(name.split("."), "{}.{}".format)  # its packages

    def forget_elsewhere(self) -> None:
        """Drop the modules that `_note_elsewhere` recorded, so that Python reads them again."""
        sources = {path for path in self.data if path.suffix == ".py"}
        for name, module in list(sys.modules.items()) if sources else ():
            file = getattr(module, "__file__", None)
            if file and Path(file).resolve() in sources:
                del sys.modules[name]


def _compiled(content: bytes, path: Path, module: ModuleType) -> CodeType:
    """Return the code object of a file. With `--plain`, its numbers behave as in compiled code."""
    source: Any = content
    if os.environ.get("BARTIZAN_PLAIN"):
        from bartizan.simcore.compile import plain_numbers  # imports numpy, which `check` does not need

        source = plain_numbers.as_compiled(ast.parse(content, str(path)))
        vars(module)[plain_numbers.NAME] = plain_numbers.as_compiled_number
    return compile(source, str(path), "exec", dont_inherit=True)


def _absolute(name: str, package: str) -> str:
    bare = name.lstrip(".")
    if dots := len(name) - len(bare):
        parts = package.split(".") if package else []
        return ".".join([*parts[: len(parts) - dots + 1], *([bare] if bare else [])])
    return name


@cache
def _is_installed(name: str) -> bool:
    """Return whether another module of this name is installed.

    Such a module takes precedence over a plain folder, as in Python.
    """
    try:
        spec = importlib.util.find_spec(name)
    except (ImportError, ValueError):
        return False
    return spec is not None and spec.origin is not None


def _listing(folder: Path) -> frozenset:
    """Return the name, size and modification time of each data file in a folder.

    They reveal a change of data that is read by other means than `open`.
    """
    found = set()
    with suppress(OSError), scandir(folder) as entries:
        for entry in entries:
            with suppress(OSError):
                if not entry.name.endswith((".py", ".pyc")) and entry.is_file():
                    status = entry.stat()
                    found.add((entry.name, status.st_size, status.st_mtime_ns))
    return frozenset(found)


def _digest(path: Path) -> str:
    try:
        return hashlib.sha256(path.read_bytes()).hexdigest()
    except OSError:
        return ""


@cache
def _listen() -> None:
    """Start to record the data files that are opened in the context of `Code.reading`."""
    sys.addaudithook(_heard)


def _heard(event: str, arguments: tuple) -> None:
    if event != "open" or _reading.into is None or not isinstance(arguments[0], (str, bytes)):
        return
    (into, folder), name = _reading.into, arguments[0]
    _reading.into = None
    try:
        path = Path(name if isinstance(name, str) else name.decode(errors="surrogateescape")).absolute()
        mode = arguments[1]
        if path.suffix in (".py", ".pyc") or (isinstance(mode, str) and set(mode) & set("wax+")):
            return
        is_own = path.is_relative_to(folder) or not _is_of_the_machine(path)
        if is_own and path not in into and path.is_file():
            into[path] = _digest(path)
    finally:
        _reading.into = (into, folder)


def _is_of_the_machine(path: Path) -> bool:
    """Return whether a file outside the author's folder is not part of the game.

    It belongs to Python, an installed package, a cache or the system.
    """
    compiled = Path(os.environ.get("NUMBA_CACHE_DIR") or trees.HOUSE)
    return any(path.is_relative_to(place) for place in (compiled, *_places_of_the_machine()))


@cache
def _places_of_the_machine() -> tuple[Path, ...]:
    installed = (sys.prefix, sys.base_prefix, *sysconfig.get_paths().values(), *site.getsitepackages())
    hidden = (Path.home() / name for name in (".cache", ".config", ".local", "AppData", "Library"))
    system = map(Path, ("/proc", "/sys", "/dev", "/etc", "/usr"))
    return (*map(Path, installed), *hidden, *system, *trees.OURS)


# ---------------------------------------------------------------- queries about loaded code


_loaded: dict[tuple[str, Path], tuple[Code, ModuleType]] = {}  # by kind and file, the last execution
_imported: dict[Path, Code] = {}  # of files that Python imported as usual, since the first request


def load(code: Code, what: str) -> ModuleType:
    """Return the module of a file. The file is executed again only if something has changed."""
    with _lock:
        before, module = _loaded.get((what, code.root), (None, None))
        if before is None or before.tag != code.tag or not before.is_current():
            if before is not None:
                before.forget_elsewhere()
            module = code.execute(what)
            _loaded[what, code.root] = code, module
        return module


def code_of(function: Callable) -> Code | None:
    """Return the sources that a function was executed from; None for a built-in function.

    The sources of an installed module, which Python imports as usual, are read when its first function is
    compiled.
    """
    path = path_of(function)
    if trees.is_ours(path):
        return None
    code = function.__globals__.get(MARK)
    if code is None:
        path = path.resolve()
        with _lock:
            code = _imported.get(path) or _imported.setdefault(path, Code(path))
    return code


def path_of(function: Callable) -> Path:
    return Path(function.__code__.co_filename)


def place_of(function: Callable) -> str:
    """Return `PLACE-HASH`: a function's position in its file, and a hash of its sources.

    The hash includes all direct and indirect imports.

    The position is the first line of a user's function, or the index of a built-in function
    (`trees.number_of`).
    """
    code, line = code_of(function), function.__code__.co_firstlineno
    if code is None:
        return _built_in_place(function.__code__.co_filename, line)
    return f"{line}-{code.tag}"


@cache
def _built_in_place(file: str, line: int) -> str:
    path = Path(file).resolve()
    return f"{trees.number_of(path, line)}-{trees.closure_hash(frozenset(), path)[:12]}"


# ---------------------------------------------------------------- contents of one function

# Sources alone are not enough: a constant may come from a data file, an environment variable or a clock, and
# a function from a factory. So machine code is also identified by values: the variables that a function
# encloses and, for a function from outside, the values of its names when it is compiled. Tables that only
# contain the numbers of a game are not included.


def content_hash(*functions: Callable) -> str:
    """Return a hash (24 hex digits) of everything that compiled code of the functions depends on.

    It is the same in every process.
    """
    content = _Content()
    digests = [content.of(one, is_root=True) for one in functions]
    return hashlib.sha256(b"".join([*digests, content.of(content.lines)])).hexdigest()[:24]


def content_of(function: Callable, is_alone: bool = False) -> tuple[str, str]:
    """Return two digests, as hex text, of the content of one function.

    The first excludes the line numbers of functions of a short game. The second covers only these line
    numbers, which only error messages contain. is_alone: of functions of a short game that this one calls,
    include only the names, parameters and default arguments.
    """
    content = _Content(is_alone)
    return content.of(function, is_root=True).hex(), content.of(content.lines).hex()


class _Content:
    """Computation of digests of values.

    Each function is traversed once, and referred to by number afterwards.
    """

    def __init__(self, is_alone: bool = False) -> None:
        self.is_alone = is_alone  # see `content_of`
        self.seen: dict[FunctionType, int] = {}
        self.lines: list[tuple[str, int, bytes]] = []

    def of(self, value: Any, is_root: bool = False) -> bytes:
        function = getattr(value, "py_func", value)
        if self.is_alone and value is not function and is_by_content(function):
            given = inspect.signature(function).parameters.values()
            return self.of((function.__qualname__, *((one.name, one.default) for one in given)))
        if isinstance(function, FunctionType):
            said = self._function(function, is_root or value is not function)
            return hashlib.sha256(said + str(getattr(value, "symbol", "")).encode()).digest()
        return hashlib.sha256(f"{type(value).__qualname__}:".encode() + self._said(value)).digest()

    def _said(self, value: Any) -> bytes:
        if isinstance(value, (bool, int, float, complex, str, bytes, NoneType)):
            return repr(value).encode(errors="surrogatepass")
        if isinstance(value, (tuple, list)):
            return b"".join(map(self.of, (*value, *getattr(value, "_fields", ()))))
        if isinstance(value, dict):
            return b"".join(self.of(one) for pair in value.items() for one in pair)
        if isinstance(value, (set, frozenset)):
            return b"".join(sorted(map(self.of, value)))
        if isinstance(value, CodeType):
            counts = value.co_argcount, value.co_posonlyargcount, value.co_kwonlyargcount, value.co_flags
            names = value.co_names, value.co_varnames, value.co_freevars, value.co_cellvars
            return self.of((value.co_code, *names, value.co_consts, *counts))
        if type(value).__module__ == "numpy" and hasattr(value, "tobytes") and not value.dtype.hasobject:
            return self.of((str(value.dtype), value.shape)) + value.tobytes()
        if isinstance(value, EnumType):
            return self.of([(one.name, one.value) for one in value])
        if isinstance(made_of := getattr(value, "_defn", None), FunctionType):  # an intrinsic
            return self.of(made_of, is_root=True)
        if isinstance(value, ModuleType) or hasattr(value, "__qualname__"):
            return f"{getattr(value, '__module__', '')}.{getattr(value, '__qualname__', '')}".encode()
        try:
            return pickle.dumps(value)
        except Exception:  # a value that cannot be pickled is not a constant of compiled code
            return b""

    def _function(self, function: FunctionType, is_compiled: bool) -> bytes:
        if function in self.seen:
            return str(self.seen[function]).encode()
        name, is_ours = f"{function.__module__}.{function.__qualname__}", trees.is_ours(path_of(function))
        self.seen[function] = len(self.seen)
        cells = [_meaning_of(cell) for cell in function.__closure__ or ()]
        if not (is_compiled or is_ours or MARK in function.__globals__):
            # plain Python, such as numpy's: compiled code does not depend on the values of its names
            return self.of([name, function.__code__, function.__defaults__, *cells])
        if (code := code_of(function)) is None:
            return self.of([name, place_of(function), *cells])
        # no place: the modules of one file have their own names
        names = dict(habits.named_meanings(function))
        if is_by_content(function):
            file = trees.location_of(path_of(function))
            codes = habits.codes_of(function)
            self.lines += [(file, one.co_firstlineno, one.co_linetable) for one in codes]
        return self.of(
            [
                function.__qualname__,
                [code.house, is_pasted(function)] if is_by_content(function) else code.tag,
                function.__code__,
                function.__defaults__,
                function.__kwdefaults__,
            ]
            + [names, cells, "bounds checked", os.environ.get("BARTIZAN_BOUNDSCHECK", "")]
        )


def is_by_content(function: Callable) -> bool:
    """Return whether a function, compiled or not, belongs to a short game.

    Only its own content identifies such a function.
    """
    return BY_CONTENT in getattr(getattr(function, "py_func", function), "__globals__", ())


def is_pasted(function: FunctionType) -> bool:
    """Return whether a function is marked to be inlined into its callers (`jit.inline`)."""
    return hasattr(function, "is_pasted")


def _meaning_of(cell: CellType) -> Any:
    try:
        return cell.cell_contents
    except ValueError:  # a function that is not yet defined
        return None
