"""Functions that return cells of a table: numbers with their limits and methods."""

from dataclasses import replace

from bartizan.analyses.statistics.intervals import Interval, Mean
from bartizan.reports.blocks import Entry
from bartizan.reports.text import estimates, words
from bartizan.reports.text.estimates import PP, Said

NONE = Entry("–")
MEANS_AND_QUANTILES = (
    f"{words.CONFIDENCE} intervals: Student t for means, order statistics for quantiles; no interval is "
    "shown if both limits equal the quantile, or if all values of a mean are equal."
)
FACTOR = "Pairing factor: factor by which the number of games would increase"


def of(said: Said) -> Entry:
    """Return a cell with a text such as `12.3`, its limits `11.8–12.8`, and the method `95 % Student t`."""
    return Entry(said.text, said.limits, said.how)


def count(n: int) -> Entry:
    return Entry(words.count(n))


def proportion(interval: Interval, n: int) -> Entry:
    """Return a cell with a share such as `31.7 %` and the note `6,342 games; 31.1–32.3 %; Wilson`.

    n: numerator of the share. If only bounds are known, the text is their range. The note omits the method
    Goodman, which captions state.
    """
    said, method = estimates.share(interval), _method(interval)
    limits = "; ".join(filter(None, (words.many(n, "game"), said.limits, _odds(interval))))
    # the caption says Goodman for the whole table
    return Entry(said.text, limits, "" if method == "Goodman" else method)


def share(interval: Interval) -> Entry:
    """Return a cell with a share such as `53.5 %` and the note `53.2–53.8 %; Wilson`."""
    said = estimates.share(interval)
    method = "; ".join(filter(None, (_odds(interval), _method(interval))))
    return Entry(said.text, said.limits, method)


def _odds(interval: Interval) -> str:
    """Return a small share as odds, such as `1 in 240`; "" for other shares.

    Also returns "" for a share of 0, whose text is already the upper limit.
    """
    return words.one_in(interval) if interval.estimate else ""


def points(interval: Interval, with_method: bool = False) -> Entry:
    """Return a cell with a difference of two shares, such as `+3.5 pp` with the limits `+3.2 to +3.8`.

    If there is no estimate, the text contains the limits.
    """
    return replace(difference(interval, 100), method=_method(interval) if with_method else "")


def difference(interval: Interval, scale: float, least: int = 0) -> Entry:
    """Return a cell with a difference and the full name of its method.

    scale: 100 for shares, 1 for means. least: minimum number of decimals.
    """
    text, limits = words.change(interval, scale, least)
    unit = "" if scale == 1 else f" {PP}"
    return Entry(f"{text}{unit}", "" if interval.is_bounds else limits, interval.method)


def _method(interval: Interval) -> str:
    """Return the name of the method without its details, which follow a comma."""
    return interval.method.split(",")[0]


def quantile(interval: Interval) -> Entry:
    return Entry(*words.quantile(interval))


def mean(value: Mean) -> Entry:
    return Entry(*words.mean(value))


def p_values(p: float, adjusted: float | None) -> Entry:
    return Entry(words.p_value(p), "" if adjusted is None else words.p_value(adjusted))


def factor(value: float | None, digits: int = 2) -> Entry:
    """Return a cell with a pairing factor; "–" for None."""
    return NONE if value is None else Entry(words.factor(value, digits))


def standard_error(se: float | None, unit: str = "") -> Entry:
    """Return a cell with the standard error of a difference of two shares, in percentage points.

    Returns "–" for None.
    """
    if se is None:
        return NONE
    return Entry(f"{se * 100:.{words.digits_for(se * 100) + 1}f}{unit}")


def turned(games: int, rotations: int) -> Entry:
    """Return a cell with a number of games such as `20,000` and the note `x 2 rotations`."""
    return Entry(words.count(games), f"x {rotations} rotations" if rotations > 1 else "")
