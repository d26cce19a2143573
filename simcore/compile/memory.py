"""A policy's memory: the last words of its weights' row, seen as a record.

The row of a seat lies in the workspace of a thread (`loops.workspace_dtype`): weights in front, memory at the
end. So a policy is called as ever, through one signature, and who has no memory pays nothing for it. Who
decides for several policies gives each a slice of the row that ends with that policy's own words.
"""

import hashlib
from collections.abc import Callable

import numpy as np

MEMORY = 2048  # words of 8 bytes at the end of every row
WORDS = 0  # bound: how many a policy's memory takes


def words_of(dtype: np.dtype | None) -> int:
    """How many words a memory takes; None: there is none."""
    return -(-dtype.itemsize // 8) if dtype else 0


def remembering(choose: Callable, dtype: np.dtype) -> Callable:
    """A plain function with the signature of all policies: `choose`, which is handed its memory too."""
    import numba

    from bartizan.simcore.compile.jit import bind, jit
    from bartizan.simcore.compile.loops import code_tag
    from bartizan.simcore.compile.renewed import record_at_end

    inner, record = jit(choose), numba.from_dtype(padded(dtype))
    tag = f"{code_tag((inner,))}_{hashlib.sha256(str(record).encode()).hexdigest()[:8]}"
    words = words_of(dtype)
    return bind(ask_with_memory, tag, choose=inner, memory_of=record_at_end(record), WORDS=words)


def ask_with_memory(state, tables, legal, n_legal, weights):
    """A short row would have the policy write before its beginning, which nothing else notices."""
    if len(weights) < WORDS:
        raise ValueError("a policy with a memory needs a full row of weights: simcore.compile.loops.new_row")
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
