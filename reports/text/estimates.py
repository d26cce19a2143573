"""Text of an estimate with its interval, such as `31.7 % (31.1–32.3 %)`."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Protocol

from bartizan.analyses.statistics.intervals import Interval
from bartizan.reports.text import words

POINTS, PP = "percentage points", "pp"


class Estimated(Protocol):
    """An object with an estimate and limits."""

    @property
    def estimate(self) -> float: ...
    @property
    def low(self) -> float: ...
    @property
    def high(self) -> float: ...


@dataclass(frozen=True)
class Said:
    """An estimate as text, with its unit.

    limits: text of the interval; "" for a bound. how: level and method.
    """

    text: str
    limits: str = ""
    how: str = ""

    def __str__(self) -> str:
        return f"{self.text} ({self.limits})" if self.limits else self.text

    @property
    def with_method(self) -> str:
        """The estimate with level and method, such as `31.7 % (31.1–32.3 %, 95 % Wilson)`."""
        return self.adding(self.how)

    def adding(self, more: str) -> str:
        """Return the text with `more` appended in the brackets."""
        return str(replace(self, limits=", ".join(filter(None, (self.limits, more)))))


def share(interval: Interval, least: int = 0) -> Said:
    """Return a share, such as `31.7 % (31.1–32.3 %)`, or `below 0.1 %` for a bound.

    least: minimum number of decimals.
    """
    is_bound = words.is_bounds(interval) or interval.estimate in (0, 1) or interval.low == interval.high
    if is_bound:
        return Said(words.share(interval), "", words.how(interval))
    return percent(interval, words.share_digits(interval, least), words.how(interval))


def percent(interval: Estimated, digits: int = 1, how: str = "") -> Said:
    """Return a probability with `digits` decimals, such as `31.7 % (31.1–32.3 %)`; for bounds, the limits."""
    limits = f"{words.span(interval.low * 100, interval.high * 100, digits)}{words.NBSP}%"
    if isinstance(interval, Interval) and interval.is_bounds:
        return Said(limits, "", how)
    return Said(words.percent(interval.estimate, digits), limits, how)


def number(interval: Interval, digits: int | None = None, least: int = 0) -> Said:
    """Return a number, such as `12.3 (11.8–12.8)` or `−2.1 (−3.0 to −1.2)`.

    digits: decimals (default: as many as show one figure of the half-width). least: minimum of the default.
    """
    if not interval.has_limits:
        digits = (0 if interval.estimate % 1 == 0 else max(least, 2)) if digits is None else digits
        return Said(words.number(interval.estimate, digits), "", interval.method)
    digits = words.digits_for(interval.half_width, least) if digits is None else digits
    limits = words.span(interval.low, interval.high, digits) if interval.low < interval.high else ""
    return Said(words.number(interval.estimate, digits), limits, words.how(interval))


def change(difference: Interval, scale: float = 1.0, least: int = 0) -> Said:
    """Return a difference without its unit, such as `+3.5 (+2.7 to +4.2)`; for bounds, the limits.

    scale: 100 for shares.
    """
    text, limits = words.change(difference, scale, least)
    return Said(text, "" if difference.is_bounds else limits, words.how(difference))


def points(difference: Interval, least: int = 0) -> Said:
    """Return a difference of two shares, such as `+3.5 percentage points (+2.7 to +4.2)`."""
    said = change(difference, 100, least)
    return replace(said, text=in_points(said.text))


def in_points(number: str) -> str:
    """Return a formatted number with its unit: `+3.5 percentage points`, `1 percentage point`."""
    return f"{number} {'percentage point' if number.lstrip('+−') == '1' else POINTS}"


def moved(difference: Interval, is_share: bool, least: int = 1) -> Said:
    """Return a difference of shares in percentage points, or a difference of means in their own unit."""
    return points(difference, least) if is_share else change(difference, 1, least)
