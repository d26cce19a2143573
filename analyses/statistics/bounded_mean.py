"""The mean of a bounded number that is the same in nearly all games: one curve of p-values, of which both the
test and the interval are read.

For a mean that is supposed, the likeliest chances of all values with that mean are found (Owen 1988,
empirical likelihood; for pairs of wins and losses these are the chances of Tango's score test, 1998). Under
them the sum over all games has a distribution that can be computed, and p is the chance of a sum at least as
far out: the observed tail and the greatest other tail that is no larger (Blaker 2000, Canadian Journal of
Statistics 28). The normal approximation of Tango's test covers 93 % where few games differ and all one way;
these tails keep 94 %.

The interval of a level holds every mean whose p exceeds 1 - level, and what lies between them. p is read off
the same curve, so an interval leaves out 0 exactly when p is below 1 - level.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache, reduce
from math import ceil, gcd

import numpy as np
from scipy.fft import next_fast_len

METHOD = "exact tails (Blaker)"
# of a game: what values that did not come up are taken to have come up, so that every mean is possible (as
# fishtest does)
TRACE = 1e-3
HALVINGS = 60
# part of the chance of the very sum that was seen that counts as far out: 1 covers 95 % and more at the cost
# of width, 0.5 (mid-p) 93.8 %
SEEN = 0.6
LEAST_P = 1e-14  # smaller ones drown in rounding
TAIL = 8  # standard errors beyond which a distribution is cut: 1e-15
# standard errors from the estimate at which p is computed
GRID = np.concatenate([np.arange(0.0, 4.0, 0.08), np.arange(4.0, 8.0, 0.25)])
REFINED = 16  # points between two of these, twice
PARTS = 27720  # values are multiples of 1 / PARTS: shares of up to 12 games are
MOST_STEPS = 120  # from one end of the span to the other; finer values are rounded to this


# ---------------------------------------------------------------- the likeliest chances


def tilted(values: np.ndarray, shares: np.ndarray, mean: float | np.ndarray) -> np.ndarray:
    """The likeliest chances with this mean: shares / (1 + x (values - mean)), where x makes the mean right
    (Owen 1988, empirical likelihood).

    Chances stand along the last axis; several means, or several rows of shares, give several rows. A mean
    lies within the values. The side on which x lies shrinks by half each time.
    """
    off = values - np.asarray(mean)[..., None]
    low, high = -1 / off.max(axis=-1), -1 / off.min(axis=-1)
    low, high = (
        np.broadcast_to(end, np.broadcast_shapes(end.shape, shares.shape[:-1])) for end in (low, high)
    )
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        rises = (shares * off / (1 + middle[..., None] * off)).sum(axis=-1) > 0
        low, high = np.where(rises, middle, low), np.where(rises, high, middle)
    chances = shares / (1 + ((low + high) / 2)[..., None] * off)
    return chances / chances.sum(axis=-1, keepdims=True)


def with_traces(
    values: Sequence[float] | np.ndarray, counts: Sequence[float] | np.ndarray, span: tuple[float, float]
) -> tuple[np.ndarray, np.ndarray]:
    """Distinct values with their counts, and a trace of what can come up but did not: the ends of the span,
    and 0.
    """
    trace = dict.fromkeys((span[0], 0.0, span[1]), TRACE) | dict(zip(values, counts, strict=True))
    ordered = sorted(trace)
    return np.array(ordered), np.array([trace[value] for value in ordered])


# ---------------------------------------------------------------- the curve


@dataclass(frozen=True)
class Curve:
    """p of every mean, rising to the estimate and falling from there."""

    sample: "_Sample"
    means: np.ndarray  # ascending; 0 is one of them, if it can be the mean
    p: np.ndarray

    def p_of_zero(self) -> float:
        """Two-sided p of a mean of 0, or where 0 is an end of the span of a mean next to it."""
        return float(self.p[np.abs(self.means).argmin()])

    def limits(self, confidence: float) -> tuple[float, float]:
        """The outermost means with p above 1 - level."""
        kept = np.flatnonzero(self.p > 1 - confidence)
        return self._limit(kept[0], kept[0] - 1, confidence), self._limit(kept[-1], kept[-1] + 1, confidence)

    def _limit(self, inside: int, outside: int, confidence: float) -> float:
        if not 0 <= outside < len(self.means):  # every mean up to the end of the span is kept
            return self.sample.span[0] if outside < 0 else self.sample.span[1]
        near, far = self.means[inside], self.means[outside]
        for _ in range(2):
            between = np.linspace(far, near, REFINED + 2)
            is_kept = np.append(self.sample.p(between[1:-1]) > 1 - confidence, True)
            first = int(is_kept.argmax()) + 1
            far, near = between[first - 1], between[first]
        # by a hair: where 0 is `far`, the interval leaves it out, as its p says
        return float(np.nextafter(far, near))


def curve(
    values: Sequence[float] | np.ndarray, counts: Sequence[float] | np.ndarray, span: tuple[float, float]
) -> Curve:
    """Of distinct values with the number of games that have them; `span`: least and greatest value there can
    be.
    """
    return _curve(tuple(map(float, values)), tuple(map(int, counts)), (float(span[0]), float(span[1])))


@lru_cache(maxsize=1024)
def _curve(values: tuple[float, ...], counts: tuple[int, ...], span: tuple[float, float]) -> Curve:
    sample = _Sample(values, counts, span)
    off = sample.reach(GRID) / sample.games
    least, most = span[0] + sample.hair, span[1] - sample.hair
    means = np.unique(np.clip(np.concatenate([sample.mean - off, sample.mean + off, [0.0]]), least, most))
    p = sample.p(means)
    p[np.abs(means - sample.mean).argmin()] = 1.0  # the estimate itself lies in every interval
    rising, falling = np.maximum.accumulate(p), np.maximum.accumulate(p[::-1])[::-1]
    return Curve(sample, means, np.where(means <= sample.mean, rising, falling))


class _Sample:
    """The games as a sum of whole steps away from their commonest value."""

    def __init__(self, values: Sequence[float], counts: Sequence[int], span: tuple[float, float]):
        self.games, self.span = sum(counts), span
        self.common = values[int(np.argmax(counts))]
        self.differing = self.games - max(counts)
        self.step = _step([value - self.common for value in (*values, *span)], span[1] - span[0])
        ends = round((span[0] - self.common) / self.step), round((span[1] - self.common) / self.step)
        steps: dict[int, int] = {}
        for value, count in zip(values, counts, strict=True):
            away = round((value - self.common) / self.step)
            steps[away] = steps.get(away, 0) + count
        self.sum = sum(away * count for away, count in steps.items())
        self.mean = min(max(self.common + self.sum * self.step / self.games, span[0]), span[1])
        self.steps, of_steps = with_traces(list(steps), list(steps.values()), ends)
        self.shares = of_steps / of_steps.sum()
        self.widest = self.step * max(map(abs, ends))
        self.hair = (span[1] - span[0]) * 1e-9 / self.games

    def reach(self, ses: np.ndarray | float, differing: float | None = None) -> np.ndarray:
        """So many standard errors of the sum, were the games that differ a Poisson number of the widest
        difference: its upper score limit.
        """
        half = np.square(ses) / 2
        return (
            half + ses * np.sqrt((self.differing if differing is None else differing) + half / 2)
        ) * self.widest

    def p(self, means: np.ndarray) -> np.ndarray:
        """Of each mean by itself: its tails. Not monotone, for sums are whole numbers."""
        chances = tilted(self.steps, self.shares, (means - self.common) / self.step)
        far = self.differing + np.abs(means - self.mean).max() * self.games / self.widest
        size = next_fast_len(ceil(2 * (far * self.widest + self.reach(TAIL, far)) / self.step) + 1, real=True)
        sums = np.roll(_of_sums(self.steps, chances, self.games, size), size // 2, axis=1)
        seen = size // 2 + self.sum
        up_to, from_there = sums.cumsum(axis=1), sums[:, ::-1].cumsum(axis=1)[:, ::-1]
        tail = np.minimum(up_to[:, seen], from_there[:, seen])
        other = np.where((up_to[:, seen] < from_there[:, seen])[:, None], from_there, up_to)
        opposite = np.where(other <= tail[:, None] * (1 + 1e-9), other, 0.0).max(axis=1)
        return np.clip(tail + opposite - (1 - SEEN) * sums[:, seen], LEAST_P, 1.0)


def _of_sums(steps: np.ndarray, chances: np.ndarray, games: int, size: int) -> np.ndarray:
    """Distribution of the sum over all games, a row for each row of chances, at 0, 1, ... and -1 last: by its
    characteristic function.

    The function differs from 1 by little, and is raised to a high power: so that difference is computed, not
    the function.
    """
    angle = -2 * np.pi * np.outer(steps, np.arange(size // 2 + 1)) / size
    real, imaginary = chances @ (-2 * np.sin(angle / 2) ** 2), chances @ np.sin(angle)
    logarithm = np.log1p(np.maximum(2 * real + real**2 + imaginary**2, 1e-15 - 1)) / 2
    whole = np.exp(games * (logarithm + 1j * np.arctan2(imaginary, 1 + real)))
    return np.maximum(np.fft.irfft(whole, size, axis=1), 0.0)


def _step(differences: Sequence[float], width: float) -> float:
    """The greatest number of which all differences are multiples; the finest step allowed where there is
    none.
    """
    whole = [round(difference * PARTS) for difference in differences]
    step = reduce(gcd, whole) / PARTS
    return step if step and step >= width / MOST_STEPS else width / MOST_STEPS
