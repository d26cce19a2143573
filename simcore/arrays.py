"""Array types by kind of element, for annotations, and records with fields as attributes.

The docstring or comment of an array describes its axes.
"""

from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.floating]  # float64, unless noted otherwise
Ints = npt.NDArray[np.integer]
Bools = npt.NDArray[np.bool_]


class Record(np.void):  # type: ignore[misc]  # numpy marks its base class as final
    """A record whose fields are attributes, with faster access than `np.record`."""

    __slots__ = ()
    if TYPE_CHECKING:  # fields are known from the dtype

        def __getattr__(self, name: str) -> Any: ...

    def __setattr__(self, name: str, value: Any) -> None:
        np.void.__setitem__(self, name, value)


def as_records(array: np.ndarray, hides_numpy: bool = False) -> np.ndarray:
    """Return a view of a structured array whose records have their fields as attributes.

    hides_numpy: whether fields replace attributes of numpy with the same name, such as `round`. Rules that
    run uncompiled need this; code that calls numpy's methods on a record must not use it.
    """
    return array.view(_record_dtype(array.dtype, hides_numpy))


@cache
def _record_dtype(dtype: np.dtype, hides_numpy: bool) -> np.dtype:
    names = [name for name in dtype.names or () if hides_numpy or not hasattr(np.void, name)]
    fields = {name: _field(name, dtype[name].base, hides_numpy) for name in names}
    return np.dtype((type("Record", (Record,), fields), dtype))


def _field(name: str, dtype: np.dtype, hides_numpy: bool) -> property:
    if dtype.names:  # a record in a record
        within = _record_dtype(dtype, hides_numpy)
        return property(lambda record: np.void.__getitem__(record, name).view(within))
    return property(lambda record: np.void.__getitem__(record, name))
