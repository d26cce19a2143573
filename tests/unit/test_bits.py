"""Sets as bit masks: compared with sets that Python computes element by element."""

import numpy as np
import pytest
from numba.core.errors import TypingError

from bartizan.simcore.compile.bits import count_bits, lowest, where_above, where_above_in, where_bits, where_equal
from bartizan.simcore.compile.jit import jit
from bartizan.simcore.kit.actions import write_set

FIELDS = np.dtype(
    [
        ("odd", "i1"),
        ("place", "i1", (32,)),
        ("status", "u1", (31,)),
        ("circle", "i1", (40,)),
        ("guns", "i2", (3, 63)),
        ("cards", "i4", (7,)),
        ("hands", "i8", (2,)),
    ]
)


@jit
def masks(records, number, row):
    r = records[0]
    return (
        where_equal(r.place, number),
        where_above(r.place, number),
        where_above(r.status, 200),
        where_bits(r.status, 129),
        where_equal(r.circle, number),
        where_above_in(r.guns, row, number),
        where_bits(r.cards, 1 << 20),
        where_equal(r.hands, number),
    )


def bits(found) -> int:
    return sum(1 << i for i, one in enumerate(found) if one)


def test_masks_are_those_of_a_comparison_element_by_element():
    draw = np.random.default_rng(1)
    for _ in range(200):
        records = draw.integers(0, 256, FIELDS.itemsize).astype(np.uint8).view(FIELDS)
        number, row = int(draw.integers(-3, 4)), int(draw.integers(3))
        for name in ("place", "circle", "guns", "hands"):
            records[name] = draw.integers(-3, 4, FIELDS[name].shape)
        r = records[0]
        expected = (
            r["place"] == number,
            r["place"] > number,
            r["status"] > 200,
            r["status"] & 129 != 0,
            r["circle"] == number,
            r["guns"][row] > number,
            r["cards"] & 1 << 20 != 0,
            r["hands"] == number,
        )
        assert masks(records, number, row) == tuple(map(bits, expected))


@jit
def walk(mask, into):
    n = count_bits(mask)
    while mask:
        into[lowest(mask)] += 1
        mask &= mask - 1
    return n


@jit
def write(into, n, action, mask):
    return write_set(into, n, action, mask)


@pytest.mark.parametrize("seed", range(50))
def test_the_bits_of_a_mask_are_walked_counted_and_written_in_order(seed):
    draw = np.random.default_rng(seed)
    numbers = sorted(draw.choice(63, draw.integers(0, 64), replace=False).tolist())
    mask, seen = sum(1 << i for i in numbers), np.zeros(63, np.int32)
    assert walk(mask, seen) == len(numbers)
    assert np.flatnonzero(seen).tolist() == numbers
    legal, n = np.full(80, -1, np.int32), int(draw.integers(0, 9))
    end = write(legal, n, 3 << 16, mask)
    assert legal[n:end].tolist() == [(3 << 16) + i for i in numbers]
    assert (legal[:n] == -1).all() and (legal[end + 8 :] == -1).all()


@jit
def mask_of_a_number(records):
    return where_equal(records[0].odd, 1)


@jit
def mask_of_a_table(records):
    return where_equal(records[0].guns, 1)


@pytest.mark.parametrize(
    ("mask", "reason"), [(mask_of_a_number, "a field of integers"), (mask_of_a_table, "at most 63 numbers")]
)
def test_what_is_no_row_of_integers_is_rejected(mask, reason):
    with pytest.raises(TypingError, match=reason):
        mask(np.zeros(1, FIELDS))
