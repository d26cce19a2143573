"""Text of numbers.

The number of decimals shows one significant figure of the half-width. Small probabilities are also written as
"1 in N", and 0 of n is written as an upper bound.
"""

from collections.abc import Callable, Iterable, Mapping
from math import ceil, floor, isclose, isfinite, isinf, isnan, log10
from typing import Any

from bartizan.analyses.statistics import intervals
from bartizan.analyses.statistics.intervals import Interval, Mean, limit_of_none
from bartizan.analyses.statistics.testing import TOGETHER
from bartizan.simcore.scenario.parameters import plain as plain
from bartizan.simcore.scenario.parameters import title as title

NBSP = "\u00a0"  # keeps a number and its unit on one line
RARE = 0.05  # probabilities up to this are also given as "1 in N"
MIDDLING = (0.095, 0.905)  # probabilities that are also given as games in 10
MOST_DIGITS = 8
MOST_DECIMALS = 3  # of a recorded number
LEAST_P = 0.0001  # smaller p-values are shown as "below 0.0001"
MOST_FACTOR = 10_000  # greater pairing factors are shown as "above 10,000"


def level(confidence: float) -> str:
    return f"{confidence * 100:g}{NBSP}%"


def is_together(interval: Interval) -> bool:
    """Return whether the interval is simultaneous with other intervals."""
    return TOGETHER in interval.method


def together(interval: Interval, count: int, of: str) -> str:
    """Return the level and the adjustment of intervals: `95 % intervals, simultaneous for all 12 steps`.

    For results of earlier versions, the text states that the intervals are not adjusted. The interval of one
    row can be simultaneous with those of other tables. count, of: number and name of the rows.
    """
    if is_together(interval) or count < 2:
        fellows = f"for all {count:,} {of}" if count > 1 else "with other comparisons"
        return f"{level(interval.level)} intervals{f', simultaneous {fellows}' * is_together(interval)}"
    return f"{level(interval.level)} intervals, not adjusted for choosing among {count:,} {of}"


CONFIDENCE = level(intervals.CONFIDENCE)  # default level of intervals


def count(n: int) -> str:
    return f"{n:,}"


def many(n: int, thing: str) -> str:
    """Return a number with its noun, such as `1 game` or `2,000 games`."""
    return f"{count(n)} {thing}{'' if n == 1 else 's'}"


def were(n: int, thing: str) -> str:
    """Return a subject with its verb, such as `1 game was` or `2,000 games were`."""
    return f"{many(n, thing)} {'was' if n == 1 else 'were'}"


def evidence(counts: Mapping[str, int]) -> str:
    """Return counts by evidence level, such as `72 article, 30 inferred`."""
    return ", ".join(f"{n} {level}" for level, n in counts.items())


def digits_for(half_width: float, least: int = 0) -> int:
    """Return the number of decimals at which a half-width in the same unit shows one significant figure.

    least: minimum, unless the half-width has two digits or more before the decimal point.
    """
    if half_width <= 0 or not isfinite(half_width):
        return least
    digits = min(max(-floor(log10(half_width)), 0), MOST_DIGITS)
    return max(digits, least) if half_width < 10 else digits


def share_digits(interval: Interval, least: int = 0) -> int:
    """Return the number of decimals of a proportion in percent.

    They show one significant figure of the half-width, and do not round another estimate to 0 % or 100 %
    if MOST_DIGITS suffice.
    """
    return _short_of_ends(interval.estimate, digits_for(interval.half_width * 100, least))


def _short_of_ends(value: float, digits: int) -> int:
    """Return more decimals than `digits` if another value would be rounded to 0 % or 100 %."""
    if 0 < value < 1 and float(f"{value * 100:.{digits}f}") in (0, 100):
        more = digits_for(min(value, 1 - value) * 100)
        return more if float(f"{value * 100:.{more}f}") not in (0, 100) else digits
    return digits


def share(interval: Interval) -> str:
    """Return a proportion in percent, or a bound if the estimate is 0 or 1 or games were truncated."""
    if interval.low == interval.high:  # one game without chance
        return percent(interval.estimate, 0)
    if interval.estimate == 0 or (is_bounds(interval) and interval.low == 0):
        return f"below {_up(interval.high * 100)}{NBSP}%"
    if interval.estimate == 1 or (is_bounds(interval) and interval.high == 1):
        return f"above {_down_from_100(interval.low)}{NBSP}%"
    if is_bounds(interval):
        return share_limits(interval)
    return f"{interval.estimate * 100:.{share_digits(interval)}f}{NBSP}%"


def share_limits(interval: Interval) -> str:
    """Return the limits of a share, such as `31.1–32.3 %`."""
    digits = share_digits(interval)
    return f"{span(interval.low * 100, interval.high * 100, digits)}{NBSP}%"


def share_with_limits(interval: Interval) -> str:
    """Return a share with its limits, such as `31.7 % (31.1–32.3 %)`. A bound has no limits."""
    text = share(interval)
    return (
        text if is_bounds(interval) or interval.estimate in (0, 1) else f"{text} ({share_limits(interval)})"
    )


def share_of(share: Interval | Mapping[str, Any]) -> str:
    """Return a share with its limits and method, such as `31.7 % (31.1–32.3 %, 95 % Wilson)`."""
    interval = share if isinstance(share, Interval) else Interval(**share)
    text, method = share_with_limits(interval), how(interval)
    return f"{text[:-1]}, {method})" if text.endswith(")") else f"{text} ({method})"


def how(interval: Interval) -> str:
    """Return level and method, such as `95 % Wilson`.

    For an exactly known value, returns only the method, which states why the value is known.
    """
    is_known = interval.low == interval.high
    return interval.method if is_known else f"{level(interval.level)} {interval.method}"


def methods(intervals: Iterable[Interval]) -> str:
    """Return the distinct methods of intervals, such as `Wilson, Clopper-Pearson`."""
    return ", ".join(dict.fromkeys(interval.method.split(",")[0] for interval in intervals))


def is_bounds(interval: Interval) -> bool:
    return interval.is_bounds


def percent(value: float, digits: int = 1) -> str:
    """Return a probability as text, such as `54.4 %`, not rounded to 0 % or 100 % if MOST_DIGITS suffice.

    The probability is exact, or its limits are shown elsewhere. digits: least number of decimals.
    """
    return f"{number(value * 100, _short_of_ends(value, digits))}{NBSP}%"


def one_in(interval: Interval) -> str:
    """Return a small probability as text, such as `1 in 240` or `fewer than 1 in 5,400`; "" for any other."""
    if interval.high == 0:
        return ""
    if interval.estimate == 0:
        return f"fewer than 1 in {two_figures(1 / interval.high, floor):,}"
    if interval.estimate > RARE or is_bounds(interval):
        return ""
    return f"1 in {two_figures(1 / interval.estimate, round):,}"


def in_ten(interval: Interval) -> str:
    """Return a medium probability as text, such as `about 3 games in 10`; "" for small and large ones."""
    if is_bounds(interval) or not MIDDLING[0] <= interval.estimate <= MIDDLING[1]:
        return ""
    tenths = round(interval.estimate * 10)
    return f"about {tenths} {'game' if tenths == 1 else 'games'} in 10"


def signed(value: float, digits: int = 0) -> str:
    """Return a number with its sign: `+3.5`, `−0.4`; 0 has none."""
    text = number(value, digits)
    if not isfinite(value):
        return f"+{text}" if value > 0 else text
    return text if text.startswith("−") or not float(text.replace(",", "")) else f"+{text}"


def change(interval: Interval, scale: float = 1.0, least: int = 0) -> tuple[str, str]:
    """Return a difference and its limits as texts, such as (`+3.5`, `+2.7 to +4.2`).

    With truncated games, there is no estimate: returns the limits and the note (`+2.7 to +4.2`, `bounds over
    12 truncated games`). scale: 100 for percentage points. least: minimum number of decimals.
    """
    if not interval.has_limits:
        estimate = interval.estimate * scale
        return signed(estimate, 0 if estimate % 1 == 0 else max(least, 2)), interval.method
    digits = digits_for(interval.half_width * scale, least)
    limits = f"{signed(interval.low * scale, digits)} to {signed(interval.high * scale, digits)}"
    if is_bounds(interval):
        return limits, interval.method[interval.method.index("bounds") :].partition(",")[0]
    return signed(interval.estimate * scale, digits), limits


def mean(value: Mean) -> tuple[str, str]:
    """Return a mean and its interval as texts, such as (`12.34`, `12.29–12.39`).

    The interval of a few values is rough, so their number follows: `12.3`, `10.9–13.7, n = 5`.
    """
    if value.mean is None:
        return "none", ""
    interval, few = value.interval(), f"n = {value.n}"
    if interval is None:
        note = f"all {count(value.n)} equal" if value.is_equal else few
        return number(value.mean, 2).rstrip("0").rstrip("."), note
    digits = digits_for(interval.half_width)
    limits = span(interval.low, interval.high, digits)
    return number(value.mean, digits), f"{limits}, {few}" if value.n < intervals.FEW_GAMES else limits


def whole(interval: Interval) -> str:
    """Return a quantile, such as `13`, or `13 (12–13)` if its limits differ.

    A score in tenths has decimals, as in `13.0 (12.4–13.2)`.
    """
    estimate, limits = quantile(interval)
    return f"{estimate} ({limits})" if limits else estimate


def quantile(interval: Interval) -> tuple[str, str]:
    """Return a quantile and its limits as texts, with the decimals of the recorded numbers.

    The text of the limits is "" if both are equal.
    """
    low, estimate, high = interval.low, interval.estimate, interval.high
    digits = decimals(low, estimate, high)
    return number(estimate, digits), "" if low == high else span(low, high, digits)


def decimals(*values: float) -> int:
    """Return the number of decimals that show recorded numbers: 0 for integers, at most MOST_DECIMALS."""
    finite = [value for value in values if isfinite(value)]
    shown = (digits for digits in range(MOST_DECIMALS) if all(_has_at_most(digits, one) for one in finite))
    return next(shown, MOST_DECIMALS)


def _has_at_most(digits: int, value: float) -> bool:
    return isclose(value, round(value, digits), rel_tol=1e-12, abs_tol=1e-9)


def number(value: float, digits: int = 0) -> str:
    """Return a number with thousands separators and a true minus sign; NaN is a dash.

    A value that rounds to 0 has no sign.
    """
    if isnan(value):
        return "–"
    if isinf(value):
        return "∞" if value > 0 else "−∞"
    text = f"{value:,.{digits}f}"
    return text.replace("-", "−") if float(text.replace(",", "")) else text.lstrip("-")


def exact(value: float) -> str:
    """Return a number without rounding, as in `1,234,567`, `−2.5`; fractions have at most 12 figures."""
    return number(value) if value == round(value) else f"{value:,.12g}".replace("-", "−")


def mean_of(document: Mapping[str, Any], draws_luck: bool = True) -> str:
    """Return as text a mean from JSON with limits and method, as in `12.34 (12.29–12.39, 95 % Student t)`.

    If all values are equal, the parentheses contain the number of values and the upper confidence limit of
    the share of games with another value. draws_luck: whether the games use random numbers; if not, this
    limit is omitted.
    """
    value = Mean(document["mean"], document["se"], document["n"])
    text, limits = mean(value)
    if value.is_equal:
        others = limit_of_none(value.n) * 100
        limits += f"; another value in at most {_up(others)}{NBSP}% of games, {CONFIDENCE} limit" * draws_luck
    elif value.n > 1:
        limits += f", {CONFIDENCE} Student t"
    return f"{text} ({limits})" if limits else text


def span(low: float, high: float, digits: int = 0) -> str:
    """Return a range, such as `14–15` or `−3 to 4`; `at most 15` without a lower limit."""
    if isinf(low) and isinf(high):
        return "too few games for limits"
    if isinf(low) or isinf(high):
        return f"at least {number(low, digits)}" if isinf(high) else f"at most {number(high, digits)}"
    return f"{number(low, digits)}{' to ' if low < 0 else '–'}{number(high, digits)}"


def open_span(least: int, most: int, far: int) -> str:
    """Return a range, such as `up to 40`, `41 to 50`, `61 or more` or `0`.

    far: the value of `most` that means "no upper end".
    """
    if least == most:
        return str(least)
    return f"{least} or more" if most == far else f"up to {most}" if least == 0 else f"{least} to {most}"


def p_value(p: float) -> str:
    """Return a p-value as text, such as `below 0.0001`, `0.0013` or `0.24`."""
    return f"below {LEAST_P}" if p < LEAST_P else f"{p:.2g}" if p < 0.1 else f"{p:.2f}"


def factor(value: float, digits: int = 1) -> str:
    """Return a pairing factor, such as `16.9`; `above 10,000` for factors beyond MOST_FACTOR."""
    return number(value, digits) if value <= MOST_FACTOR else f"above {count(MOST_FACTOR)}"


def spread(value: float) -> str:
    """Return a standard deviation with two decimals below 100, one below 1,000, otherwise none."""
    return number(value, 2 if value < 100 else 1 if value < 1000 else 0)


def sentence(text: str) -> str:
    """Return the text with a capital first letter."""
    return text[:1].upper() + text[1:]


def listing(items: list[str], last: str = "and") -> str:
    """Return the items as text, such as `a, b and c`."""
    return items[0] if len(items) == 1 else f"{', '.join(items[:-1])} {last} {items[-1]}" if items else ""


def _up(value: float) -> str:
    """Return the value rounded up to one significant figure, or to an integer, so that it remains a bound."""
    digits = digits_for(value)
    return f"{ceil(value * 10**digits - 1e-9) / 10**digits:.{digits}f}"


def _down_from_100(low: float) -> str:
    digits = digits_for((1 - low) * 100)
    return f"{floor(low * 100 * 10**digits + 1e-9) / 10**digits:.{digits}f}"


def two_figures(value: float, how: Callable[[float], int] = ceil) -> int:
    """Return an integer with two significant figures: 45,678 -> 46,000. how: rounding function."""
    step = 10 ** max(floor(log10(value)) - 1, 0)
    return int(how(value / step) * step)


def ends(items: Iterable[Any], key: Callable[[Any], float]) -> tuple[Any, Any]:
    """Return the items with the least and the greatest `key`."""
    found = list(items)
    return min(found, key=key), max(found, key=key)
