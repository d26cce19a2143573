"""Numbers for data: records in one word each, by which the same games under two scenarios are compared."""

from collections.abc import Iterable
from functools import cache
from typing import Any

import numpy as np

from bartizan.simcore.game import Engine
from bartizan.simcore.rng import GOLDEN, mix
from bartizan.simcore.scenario.loading import Scenario


def fingerprints(rows: np.ndarray, engine: Engine, scenario: Scenario) -> np.ndarray:
    """uint64, one a record: another as soon as a column is, or the tier that the score reaches."""
    size = rows.dtype.itemsize
    padded = np.zeros((len(rows), -(-size // 8) * 8), np.uint8)
    padded[:, :size] = np.ascontiguousarray(rows).view(np.uint8).reshape(len(rows), size)
    word = _tier_reached(rows["score"], engine.tiers(scenario).values()).astype(np.uint64)
    for column in padded.view(np.uint64).T:
        word = mix.py_func(word ^ (column + GOLDEN))
    return word


def _tier_reached(scores: np.ndarray, least: Iterable[int]) -> np.ndarray:
    """How many tiers each score reaches."""
    return np.searchsorted(np.sort(np.array(list(least), np.int64)), scores.astype(np.int64), side="right")


def checksum(one: Any) -> tuple[int, bytes]:
    """Of an array or a record: tables may be megabytes, looked at around every call of every policy."""
    data = np.frombuffer(one, np.uint8)
    words = data[: data.size // 8 * 8].view(np.uint64)
    return int(words @ _odd_numbers(words.size)), data[words.nbytes :].tobytes()


@cache
def _odd_numbers(n: int) -> np.ndarray:
    return np.arange(1, 2 * n, 2, dtype=np.uint64)
