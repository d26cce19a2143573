"""numba's index of compiled code on disk, for many processes, many machines and damaged disks.

numba reads the index of a function, adds a line and writes it back: two processes that do so at once lose a
line, and may give one file name to two signatures. It takes another time of a source file for another
source, where here a folder is named by a hash over all sources, whenever they were written. It names the
folder of a file by the path to it, so that two copies of one source would each compile it. And it ends with a
traceback where a file is damaged. There is no public way in: `IndexDataCacheFile` is the one place that reads
and writes.
"""

import pickle
import warnings
from pathlib import Path

from numba.core.caching import IndexDataCacheFile, _CacheLocator

from bartizan.simcore.compile.cache import HOUSE, is_ours
from bartizan.simcore.files import held

# what a damaged pickle raises
UNREADABLE = (pickle.UnpicklingError, EOFError, AttributeError, ImportError, IndexError, ValueError)

_begin, _save = IndexDataCacheFile.__init__, IndexDataCacheFile.save
_load_index, _load_data = IndexDataCacheFile._load_index, IndexDataCacheFile._load_data
_place_by_path = _CacheLocator.get_suitable_cache_subpath


def _begin_without_stamp(self, cache_path, filename_base, source_stamp) -> None:
    _begin(self, cache_path, filename_base, "")


def _save_alone(self, key, data) -> None:
    with held(Path(self._cache_path)):
        _save(self, key, data)


def _load_whole_index(self) -> dict:
    try:
        return _load_index(self)
    except UNREADABLE as error:
        _compiles_anew(self._index_path, error)
        return {}


def _load_whole_data(self, name):
    try:
        return _load_data(self, name)
    except UNREADABLE as error:
        _compiles_anew(self._data_path(name), error)
        return None


def _place_in_the_house(py_file: str) -> str:
    """The folder of compiled code of a source file: by where it stands in the package, wherever that is."""
    path = Path(py_file).resolve()
    return ".".join(path.relative_to(HOUSE).parts[:-1]) if is_ours(path) else _place_by_path(py_file)


def _compiles_anew(path: str, error: Exception) -> None:
    warnings.warn(f"{path}: damaged ({type(error).__name__}); compiled anew", stacklevel=2)


IndexDataCacheFile.__init__, IndexDataCacheFile.save = _begin_without_stamp, _save_alone
IndexDataCacheFile._load_index, IndexDataCacheFile._load_data = _load_whole_index, _load_whole_data
_CacheLocator.get_suitable_cache_subpath = staticmethod(_place_in_the_house)
