"""numba's index of compiled code on disk, written by one process at a time.

numba reads the index of a function, adds a line and writes it back. Two processes that do so at once lose a
line, and may give one file name to two signatures. There is no public way in: `IndexDataCacheFile.save` is
the one place that writes.
"""

from pathlib import Path

from numba.core.caching import IndexDataCacheFile

from bartizan.simcore.files import held

_save = IndexDataCacheFile.save


def _save_alone(self, key, data) -> None:
    with held(Path(self._cache_path)):
        _save(self, key, data)


IndexDataCacheFile.save = _save_alone
