"""Functions that run inside another compiled function are compiled once."""

import numpy as np
from numba import types

from bartizan.simcore.compile.jit import jit


@jit
def half(number):
    return (number - 1) // 2


@jit
def halves(numbers, small):
    """Called with 8, 32 and 64 bits, signed and not, and with constants."""
    return (
        half(numbers[0])
        + half(small)
        + half(np.int32(small))
        + half(np.uint8(7))
        + half(len(numbers))
        + half(3)
        + half(number=5)
    )


def test_one_function_serves_all_widths_and_constants():
    numbers = np.array([-5, 9], np.int8)
    assert halves(numbers, np.int16(0)) == -3 - 1 - 1 + 3 + 0 + 1 + 2
    halves.recompile()  # code from the disk brings no signatures of what runs inside it
    assert half.signatures == [(types.int64,)]


@jit
def scaled(number, flag, factor):
    return number * factor if flag else factor


@jit
def of_other_kinds(number):
    return scaled(number, True, 0.5) + scaled(np.uint64(number), False, number)


def test_fractions_flags_and_unsigned_words_stay_what_they_are():
    assert of_other_kinds(np.int8(3)) == 1.5 + 3
    of_other_kinds.recompile()
    assert scaled.signatures == [
        (types.int64, types.boolean, types.float64),
        (types.uint64, types.boolean, types.int64),
    ]
