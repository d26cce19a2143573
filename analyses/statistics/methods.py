"""Registry of statistical methods: each kind of interval, limit and verdict that Bartizan prints, once.

`Interval.method` begins with the name of a registered method; qualifiers such as "bounds over 12 truncated
games" follow it. The coverage of each method is measured by simulation (`bartizan doctor --validate`).
"""

from dataclasses import dataclass

from bartizan.simcore.reporting import CONFIDENCE


@dataclass(frozen=True)
class Method:
    """One way to compute an interval, a limit or a verdict."""

    name: str  # as `Interval.method` begins
    of: str  # what it estimates or decides: "share", "mean", "difference of means"
    source: str  # reference, or "Bartizan" with the file that derives it
    nominal: float = CONFIDENCE  # coverage that it claims; of a verdict: 1 - error rate


METHODS: dict[str, Method] = {}


def register(*methods: Method) -> None:
    """Add methods to the registry. Raises ValueError for a name that is registered already."""
    for method in methods:
        if method.name in METHODS:
            raise ValueError(f"method {method.name!r} is registered twice")
        METHODS[method.name] = method


register(
    Method("Wilson", "share", "Wilson 1927"),
    Method("Clopper-Pearson", "share", "Clopper and Pearson 1934"),
    Method("Goodman", "all shares of a multinomial together", "Goodman 1965"),
    Method("Newcombe", "difference of independent shares", "Newcombe 1998, method 10"),
    Method("Student t", "mean", "Student 1908"),
    Method("one game", "share in a game without randomness", "Bartizan, simcore/play/drawn.py", 1.0),
    Method("no interval", "mean of equal values without bounds", "Bartizan, intervals.without_limits", 1.0),
    Method("gamma (Fay-Feuer)", "mean of skewed replicates", "Fay and Feuer 1997"),
)
