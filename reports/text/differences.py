"""Text of differences.

A difference of two shares is in percentage points. Narrow columns abbreviate the unit to pp.
"""

from bartizan.analyses.statistics.intervals import Interval, limit_of_none
from bartizan.reports.text import estimates, words
from bartizan.reports.text.estimates import POINTS as POINTS
from bartizan.reports.text.estimates import PP as PP
from bartizan.reports.text.estimates import Said

points = estimates.in_points


def half_width(interval: Interval) -> str:
    """Return the half-width of the interval of a share, or of a difference: `0.7 percentage points`."""
    half = interval.half_width * 100
    return points(words.number(half, words.digits_for(half)))


def signed(difference: Interval, least: int = 0) -> str:
    """Return a difference of two shares as text, such as `+3.5 percentage points (+2.7 to +4.2)`.

    least: minimum number of decimals.
    """
    return str(estimates.points(difference, least))


def size(difference: Interval, least: int = 0, more: str = "") -> str:
    """Return the size of a difference of two shares, such as `3.5 percentage points (2.7 to 4.2)`.

    The sentence around it states the direction, and limits in the opposite direction are negative. more: text
    appended in the brackets. least: minimum number of decimals.
    """
    towards = difference if difference.estimate >= 0 else reversed_(difference)
    digits = words.digits_for(difference.half_width * 100, least)
    estimate, low, high = (
        words.number(value * 100, digits) for value in (towards.estimate, towards.low, towards.high)
    )
    if difference.is_bounds:
        return str(Said(points(f"{low} to {high}"), more.lstrip(",; ")))
    return str(Said(points(estimate), f"{low} to {high}{more}"))


def limits(difference: Interval, least: int = 0) -> str:
    """Return only the limits of a difference of two shares, such as `−0.4 to +1.2 percentage points`."""
    text, limits = words.change(difference, 100, least)
    return f"{text if difference.is_bounds else limits} {POINTS}"


def moves(difference: Interval, is_clear: bool, among: str = "") -> str:
    """Return a change as a predicate, such as `rises by 12.3 percentage points (11.4 to 13.2)`.

    If the difference is not significant, the text states this and gives the difference. is_clear: whether it
    is significant at the level of the whole result. among: the comparisons for which p is adjusted.
    """
    if not is_clear:
        return f"{unclear(difference, among)}: {signed(difference, least=1)}"
    return f"{'rises' if difference.estimate > 0 else 'falls'} by {size(difference, least=1)}"


def unclear(difference: Interval, among: str = "") -> str:
    """Return the predicate of a change that is not significant.

    For example: `does not change significantly after adjustment for all rows`. The text mentions the
    adjustment only if the interval excludes 0. among: the comparisons for which p is adjusted.
    """
    is_adjusted = among and not difference.low <= 0 <= difference.high
    adjusted = f" after adjustment for {among}" if is_adjusted else ""
    return f"does not change significantly{adjusted}"


def numbers(difference: Interval, scale: float = 100, least: int = 0) -> str:
    """Return a difference without its unit, such as `+3.5 (+2.7 to +4.2)`, for a column that states the unit.

    For bounds, returns only the limits. scale: 100 for shares, 1 for means. least: minimum number of
    decimals.
    """
    return str(estimates.change(difference, scale, least))


def reversed_(difference: Interval) -> Interval:
    """Return the interval of A minus B, given that of B minus A."""
    return Interval(
        -difference.estimate, -difference.high, -difference.low, difference.level, difference.method
    )


def never(games: int, players: str = "") -> str:
    """Return a predicate for a change without effect: `never came up in 20,000 games with garrison`."""
    return f"never came up in {words.many(games, 'game')}{f' with {players}' if players else ''}"


def below(games: int) -> str:
    """Return the upper limit of the share of affected games, if none of the simulated games was affected.

    For example: `in fewer than 0.015 % of such games, 95 % limit`.
    """
    limit = limit_of_none(games)
    share = words.percent(limit, words.digits_for(limit * 100) + 1)
    return f"in fewer than {share} of such games, {words.CONFIDENCE} limit"
