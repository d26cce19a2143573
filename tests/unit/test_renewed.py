"""What the memory of policies stands on: the record at the end of a row, and whether a field is still the same."""

import numba
import numpy as np
import pytest
from numba.core.errors import TypingError

from bartizan.simcore.compile.jit import jit
from bartizan.simcore.compile.renewed import record_at_end, renewed

FIELDS = np.dtype([("odd", "i1"), ("cards", "i1", (81,)), ("worth", "f8", (3, 2)), ("n", "i4")])


@jit
def renew_cards(kept, now):
    return renewed(kept[0].cards, now[0].cards)


@jit
def renew_worth(kept, now):
    return renewed(kept[0].worth, now[0].worth)


def random_record(seed: int) -> np.ndarray:
    return np.random.default_rng(seed).integers(0, 100, FIELDS.itemsize).astype(np.uint8).view(FIELDS)


@pytest.mark.parametrize(("renew", "field"), [(renew_cards, "cards"), (renew_worth, "worth")])
def test_a_field_that_differs_anywhere_becomes_the_same_and_no_other_does(renew, field):
    now = random_record(1)
    for at in np.ndindex(FIELDS[field].shape):
        kept = random_record(2)
        kept[field] = now[field]
        others = {name: kept[name].tobytes() for name in FIELDS.names if name != field}
        assert not renew(kept, now)
        kept[field][(0, *at)] = -1 - kept[field][(0, *at)]
        assert renew(kept, now) and not renew(kept, now)
        assert kept[field].tobytes() == now[field].tobytes()
        assert {name: kept[name].tobytes() for name in others} == others


def test_fields_of_two_types_are_refused():
    @jit
    def mixed(kept, now):
        return renewed(kept[0].cards, now[0].worth)

    with pytest.raises(TypingError, match="renewed compares fields of one type"):
        mixed(random_record(1), random_record(2))


@pytest.mark.parametrize("words", [11, 17, 40])
def test_the_record_at_the_end_of_a_row(words):
    dtype = np.dtype([("first", "i4"), ("numbers", "f8", (10,))], align=True)
    end_of = record_at_end(numba.from_dtype(dtype))

    @jit
    def write(row):
        record = end_of(row)
        record.first += 3
        for i in range(10):
            record.numbers[i] = i

    row = np.full(words + 5, -1.0)[5:]
    row[-11:] = 0
    write(row)
    write(row)
    (found,) = row[-11:].view(dtype)
    assert found["first"] == 6 and found["numbers"].tolist() == list(range(10))
    assert (row[:-11] == -1).all()
