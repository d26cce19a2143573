"""Exact distributions of throws of two dice, as float64 arrays indexed by total.

After a double, the dice are rolled again and the new sum is added.

Chains of doubles are followed until their remaining probability is below 1e-18, which takes about 25 rolls
without a cap.
"""

from functools import cache

import numpy as np

NEGLIGIBLE = 1e-18


@cache
def roll(sides: int) -> tuple[np.ndarray, np.ndarray]:
    """Return two arrays for one roll of two dice, indexed by sum.

    They contain the probability of each sum without a double, and with a double.
    """
    plain, double = np.zeros(2 * sides + 1), np.zeros(2 * sides + 1)
    for a in range(1, sides + 1):
        for b in range(1, sides + 1):
            (double if a == b else plain)[a + b] += 1 / sides**2
    return plain, double


@cache
def throw_distribution(sides: int = 6, cap: int | None = None) -> np.ndarray:
    """Return the distribution of one throw of at most `cap` rolls. With `cap=None`, there is no limit."""
    plain, double = roll(sides)
    total, chain, rolls = np.zeros(1), np.ones(1), 0
    while chain.sum() > NEGLIGIBLE:
        rolls += 1
        total = add(total, convolve(chain, plain + double if rolls == cap else plain))
        if rolls == cap:
            break
        chain = convolve(chain, double)
    return total


@cache
def shot_distribution(sides: int = 6, cap: int | None = None) -> np.ndarray:
    """Return the distribution of Shoot to Kill: a throw whose first roll counts twice."""
    plain, double = roll(sides)
    twice = np.zeros((2, 4 * sides + 1))
    twice[0, ::2], twice[1, ::2] = plain, double
    if cap == 1:
        return twice.sum(axis=0)
    return add(twice[0], convolve(twice[1], throw_distribution(sides, cap and cap - 1)))


def total_distribution(throw: np.ndarray, n: int) -> np.ndarray:
    """Return the distribution of the sum of n independent throws."""
    total = np.ones(1)
    for _ in range(n):
        total = convolve(total, throw)
    return total


def at_least(distribution: np.ndarray, size: int) -> np.ndarray:
    """Return the probabilities of a total of at least 0, 1, ..., size - 1."""
    tail = np.cumsum(distribution[::-1])[::-1]
    return np.concatenate([tail, np.zeros(size)])[:size]


def convolve(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Return the distribution of the sum of two independent totals.

    Does not use `np.convolve`, which calls BLAS: its rounding depends on the processor.
    """
    shorter, longer = (a, b) if len(a) <= len(b) else (b, a)
    result = np.zeros(len(a) + len(b) - 1)
    for at, chance in enumerate(shorter):
        result[at : at + len(longer)] += chance * longer
    return result


def add(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Return the sum of two arrays; the shorter one is padded with 0."""
    longer, shorter = (a, b) if len(a) >= len(b) else (b, a)
    result = longer.copy()
    result[: len(shorter)] += shorter
    return result
