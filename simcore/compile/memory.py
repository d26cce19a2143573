"""A policy's memory: the last words of its weights' row, seen as a record.

The row of a seat lies in the workspace of a thread (`loops.workspace_dtype`): weights in front, memory at the
end. So a policy is called as ever, through one signature, and who has no memory pays nothing for it. Who
decides for several policies gives each a slice of the row that ends with that policy's own words.
"""

from collections.abc import Callable

import numpy as np

MEMORY = 2048  # words of 8 bytes at the end of every row


def words_of(dtype: np.dtype | None) -> int:
    """How many words a memory takes; None: there is none."""
    return -(-dtype.itemsize // 8) if dtype else 0


def remembering(choose: Callable, dtype: np.dtype) -> Callable:
    """A plain function with the signature of all policies: `choose`, which is handed its memory too."""
    from bartizan.simcore.compile.jit import bind, jit
    from bartizan.simcore.compile.loops import code_tag

    inner, end_of = jit(choose), _end_as(padded(dtype))
    return bind(ask_with_memory, code_tag((inner, end_of)), choose=inner, memory_of=end_of)


def ask_with_memory(state, tables, legal, n_legal, weights):
    return choose(state, tables, legal, n_legal, weights, memory_of(weights))


def choose(state, tables, legal, n_legal, weights, memory):
    """The policy: bound."""
    raise NotImplementedError


def memory_of(weights):
    """The end of the row as a record: bound."""
    raise NotImplementedError


def padded(dtype: np.dtype) -> np.dtype:
    """The same fields, in whole words."""
    fields = dtype.fields or {}
    return np.dtype(
        {
            "names": list(fields),
            "formats": [field[0] for field in fields.values()],
            "offsets": [field[1] for field in fields.values()],
            "itemsize": 8 * words_of(dtype),
        },
        align=dtype.isalignedstruct,
    )


def _end_as(dtype: np.dtype) -> Callable:
    """Compiled: the last words of a row as one record of a dtype; they share memory."""
    from bartizan.simcore.compile.jit import jit

    words = words_of(dtype)

    def end_as_record(weights):
        return weights[len(weights) - words :].view(dtype)[0]

    return jit(end_as_record)
