"""numba's index of compiled code on disk, made safe for edited sources, many processes and damaged disks.

numba treats a new modification time as a new source, ignores imported files, and names the folder of a file
by its path, so that two copies of one source would each be compiled. It updates the index of a function
without a lock: two processes that do so at once lose a line, and may give the same file name to two
signatures. It also stops with a traceback at a damaged file. There is no public interface. `CacheImpl`
determines where code is stored, and only `IndexDataCacheFile` reads and writes it.

Here, a line of an index identifies the contents of a function by `identity.content_hash`. numba itself
compares only the function's operations, not constants or the values of names, and treats an enclosed function
as different in each process.
"""

import os
import pickle
import warnings
from contextlib import suppress
from functools import cache
from pathlib import Path

from numba.core import config
from numba.core.caching import Cache, CacheImpl, IndexDataCacheFile, _CacheLocator

from bartizan.simcore.compile.cache import drop_unused
from bartizan.simcore.compile.identity import content_hash, place_of
from bartizan.simcore.compile.trees import HOUSE
from bartizan.simcore.files import held

# exceptions of a damaged pickle
UNREADABLE = (pickle.UnpicklingError, EOFError, AttributeError, ImportError, IndexError, ValueError)

_save = IndexDataCacheFile.save
_load_index, _load_data = IndexDataCacheFile._load_index, IndexDataCacheFile._load_data


class _Place(_CacheLocator):
    """The place on disk for the code of one function.

    It depends on the location of its file within the package, not on where the package is installed, and on
    the function's contents.
    """

    def __init__(self, function, file: str):
        self._py_file, self._function = file, function

    def get_cache_path(self) -> str:
        return os.path.join(config.CACHE_DIR, _room(self._py_file))

    def get_source_stamp(self) -> str:
        return ""

    def get_disambiguator(self) -> str:
        return place_of(self._function)

    @classmethod
    def from_function(cls, py_func, py_file):
        return cls(py_func, py_file) if config.CACHE_DIR and os.path.isfile(py_file) else None


@cache
def _room(file: str) -> str:
    path = Path(file).resolve()
    if path.is_relative_to(HOUSE):
        return ".".join(path.relative_to(HOUSE).parts[:-1])
    return _CacheLocator.get_suitable_cache_subpath(file)


def _save_alone(self, key, data) -> None:
    _drop_once(config.CACHE_DIR)
    with held(Path(self._cache_path)):
        _save(self, key, data)


@cache
def _drop_once(folder: str) -> None:
    """Delete old files before the first compilation in this process."""
    drop_unused(Path(folder))


def _load_whole_index(self) -> dict:
    try:
        return _load_index(self)
    except UNREADABLE as error:
        _compiles_anew(self._index_path, error)
        return {}


def _load_whole_data(self, name):
    try:
        data = _load_data(self, name)
    except UNREADABLE as error:
        _compiles_anew(self._data_path(name), error)
        return None
    for path in (self._index_path, self._data_path(name)):
        with suppress(OSError):
            os.utime(path)  # `drop_unused` uses this time
    return data


def _compiles_anew(path: str, error: Exception) -> None:
    warnings.warn(f"{path}: damaged ({type(error).__name__}); recompiling", stacklevel=2)


def _content_key(self, signature, codegen) -> tuple:
    return signature, codegen.magic_tuple(), content_hash(self._py_func)


CacheImpl._locator_classes = [_Place, *CacheImpl._locator_classes]
IndexDataCacheFile.save, Cache._index_key = _save_alone, _content_key
IndexDataCacheFile._load_index, IndexDataCacheFile._load_data = _load_whole_index, _load_whole_data
