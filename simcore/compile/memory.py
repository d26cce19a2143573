"""A policy's memory: the last words of its row of weights, viewed as a record.

The row of a seat is in the workspace of a thread (`loops.workspace_dtype`), with the weights first and the
memory last. All policies therefore have one signature, and a policy without memory has no overhead. A policy
that combines several other policies gives each of them a slice of the row, which ends with the memory of that
policy.
"""

import hashlib
from collections.abc import Callable

import numpy as np

MEMORY = 2048  # words of 8 bytes at the end of every row
WORDS = 0  # bound: number of words of a policy's memory


def words_of(dtype: np.dtype | None) -> int:
    """Return the number of words of a memory; 0 if there is none."""
    return -(-dtype.itemsize // 8) if dtype else 0


def remembering(choose: Callable, dtype: np.dtype) -> Callable:
    """Return a plain function with the common signature of policies, which calls `choose` with its memory."""
    import numba

    from bartizan.simcore.compile.jit import bind, jit
    from bartizan.simcore.compile.loops import code_tag
    from bartizan.simcore.compile.renewed import record_at_end

    inner, record = jit(choose), numba.from_dtype(padded(dtype))
    tag = f"{code_tag((inner,))}_{hashlib.sha256(str(record).encode()).hexdigest()[:8]}"
    words = words_of(dtype)
    return bind(ask_with_memory, tag, choose=inner, memory_of=record_at_end(record), WORDS=words)


def ask_with_memory(state, tables, legal, n_legal, weights):
    """Call a policy with a memory.

    Raises ValueError for a row that is too short, because the policy would silently write outside it.
    """
    if len(weights) < WORDS:
        raise ValueError("a policy with a memory needs a full row of weights: simcore.compile.loops.new_row")
    return choose(state, tables, legal, n_legal, weights, memory_of(weights))


def choose(state, tables, legal, n_legal, weights, memory):
    """Placeholder for the policy, which `bind` replaces."""
    raise NotImplementedError


def memory_of(weights):
    """Return the memory at the end of `weights` as a record. Placeholder, which `bind` replaces."""
    raise NotImplementedError


def padded(dtype: np.dtype) -> np.dtype:
    """Return a dtype with the same fields, padded to full words."""
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
