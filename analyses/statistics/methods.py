"""Registry of statistical methods: each kind of interval, limit and verdict that Bartizan prints.

`intervals.Interval` accepts no other method: its label begins with the name of a registered one, and
qualifiers such as ", bounds over 12 truncated games" follow. `bartizan doctor --validate` measures the
coverage of each method (`analyses/validation/`), and docs/validity.md lists it.
"""

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from bartizan.simcore.errors import EngineError
from bartizan.simcore.reporting import CONFIDENCE

Kind = Literal[
    "interval",  # or a limit, or a band
    "verdict",  # a yes or no, or one of several findings
    "exact",  # nothing was sampled, so there is no coverage
    "drawn",  # a position in a chart, not an estimate
    "former",  # only in documents saved by an earlier version
]


@dataclass(frozen=True)
class StatisticalMethod:
    """One way to compute an interval, a limit or a verdict."""

    name: str  # start of `Interval.method`; N stands for a number
    of: str  # estimated or decided quantity: "share", "mean", "difference of means"
    source: str  # reference, or "Bartizan" with the file that derives it
    nominal: float = CONFIDENCE  # nominal coverage; for a verdict, 1 - error rate
    kind: Kind = "interval"
    former: tuple[str, ...] = ()  # names in documents saved by an earlier version


Method = StatisticalMethod  # in the entries below
METHODS: dict[str, Method] = {}
_BY_LABEL: dict[str, Method] = {}  # including former names
_NUMBER = re.compile(r"\d+(,\d{3})*(\.\d+)?")
QUALIFIERS = (", ", ": ", " / ")  # separators that may follow a name
_ALTERNATIVE = " / "  # between the methods of the two ends of a bound


def register(*methods: Method) -> None:
    """Add methods to the registry. Raises ValueError for a name that is already registered."""
    for method in methods:
        for name in (method.name, *method.former):
            if name in _BY_LABEL:
                raise ValueError(f"method {name!r} is registered twice")
            _BY_LABEL[name] = method
        METHODS[method.name] = method


class UnregisteredMethodError(EngineError, ValueError):
    """Method of an interval, computed here or read from a file, that is not registered."""


@lru_cache(maxsize=4096)
def methods_of(label: str) -> tuple[Method, ...]:
    """Return the methods named at the start of a label.

    There is one, or one for each end of a bound ("Wilson / Clopper-Pearson").

    If several names match, the longest is used. Raises UnregisteredMethodError if none matches.
    """
    rest, found = _NUMBER.sub("N", label), []
    while True:
        names = [
            name
            for name in _BY_LABEL
            if rest == name or rest.startswith(tuple(name + mark for mark in QUALIFIERS))
        ]
        if not names:
            raise UnregisteredMethodError(
                f"interval method {label!r} is not registered, so this version of Bartizan does not know "
                "it; a new method needs an entry in analyses/statistics/methods.py and a coverage trial"
            )
        name = max(names, key=len)
        found.append(_BY_LABEL[name])
        rest = rest[len(name) :]
        if not rest.startswith(_ALTERNATIVE):
            return tuple(found)
        rest = rest[len(_ALTERNATIVE) :]


# ---------------------------------------------------------------- shares

register(
    Method("Wilson", "share, 15 or more games on either side", "Wilson 1927"),
    Method("Clopper-Pearson", "share, fewer than 15 games on one side", "Clopper and Pearson 1934"),
    Method("Wilson, N looks (Bonferroni)", "share, at each of several looks", "Bonferroni; Wilson 1927"),
    Method("Clopper-Pearson, N looks (Bonferroni)", "share, at each of several looks", "Bonferroni"),
    Method("Wilson, linearised", "ratio of clustered counts", "Cochran 1977, 6.4; Korn and Graubard 1998"),
    Method(
        "Clopper-Pearson, linearised",
        "ratio of clustered counts, few games on one side",
        "Cochran 1977, 6.4; Korn and Graubard 1998",
    ),
    Method("rule of three", "upper limit of a share without occurrences", "Clopper and Pearson 1934"),
    Method("confidence sequence", "share, at every look", "Robbins 1970; Howard et al. 2021"),
    Method("Clopper-Pearson limit", "mean of equal values of a bounded number", "Clopper and Pearson 1934"),
    Method("Goodman", "all shares of a multinomial, simultaneous", "Goodman 1965"),
    Method("Newcombe", "difference of independent shares", "Newcombe 1998, method 10"),
    Method("DKW band", "distribution function, simultaneous over time", "Massart 1990"),
)

# ------------------------------------------------------ means and differences on common random numbers

register(
    Method("Student t", "mean; mean of paired differences", "Student 1908"),
    Method("Student t, rough since the games are few", "mean of fewer than 40 games", "as above", 0.0),
    Method(
        "Student t, rough since few values differ",
        "mean, fewer than 15 games differ from the most common value",
        "as above",
        0.0,
    ),
    Method("Student t, linearised", "difference of two ratios of clustered counts", "Cochran 1977, 6.4"),
    Method("exact tails (Blaker)", "mean of a bounded number that rarely varies", "Owen 1988; Blaker 2000"),
    Method(
        "Student t, for all N together (Bonferroni)",
        "the largest, or any, of several differences from one baseline",
        "Bonferroni; Student 1908",
    ),
    Method(
        "exact tails (Blaker), for all N together (Bonferroni)",
        "the same, with little variation",
        "Bonferroni; Blaker 2000",
    ),
    Method("confidence sequence of a mean", "mean, at every look", "Waudby-Smith et al. 2021"),
    Method(
        "confidence sequence of a mean, rough since the games are few",
        "mean of fewer than 40 games, at every look",
        "as above",
        0.0,
    ),
    Method(
        "confidence sequence of a mean, rough since few values differ",
        "mean, fewer than 15 games differ from the most common value, at every look",
        "as above",
        0.0,
    ),
    Method("confidence sequence of pairs", "paired difference of shares, at every look", "Robbins 1970"),
    Method("order statistics", "quantile", "David and Nagaraja 2003, 7.1"),
    Method(
        "order statistics (sample ends)",
        "quantile, too few games for the level, now without limits",
        "David and Nagaraja 2003, 7.1",
        0.0,
        "former",
    ),
    Method("Student t, luck-adjusted", "luck-adjusted share", "Burch et al. 2018"),
    Method(
        "Student t, luck-adjusted, rough since few games are won, or lost",
        "the same, fewer than 15 games on one side",
        "as above",
        0.0,
    ),
    Method(
        "Student t, paired on common luck, luck-adjusted",
        "difference of two luck-adjusted shares",
        "Burch et al. 2018",
    ),
    Method(
        "jackknife of the logarithm",
        "ratio of two variances: gain in effective games",
        "Arvesen 1969",
        former=("bootstrap of games, N draws",),
    ),
    Method(
        "jackknife of the logarithm, rough since few games are won, or lost",
        "the same, fewer than 15 games on one side",
        "as above",
        0.0,
    ),
    Method("one-way ANOVA", "share of the variance between deals", "Searle 1971; Arvesen 1969"),
    Method(
        "one-way ANOVA, rough since few deals are won, or lost",
        "the same, fewer than 15 deals' worth of wins or losses",
        "as above",
        0.0,
    ),
)

# ---------------------------------------------------------------- models and experiments

register(
    Method(
        "bootstrap over blocks of games, percentile",
        "skill, difficulty and their differences",
        "Efron and Tibshirani 1993; Firth 1993",
    ),
    Method(
        "bootstrap over blocks of games, percentile, mixtures found anew",
        "value of a matrix game, now counted in held-out games",
        "Von Neumann 1928; Efron 1979",
        0.0,
        "former",
    ),
    Method(
        "extrapolated: c - a r^k, profile likelihood",
        "win rate in the limit of effort",
        "Bartizan, effort.py",
    ),
    Method("posterior, Gauss-Hermite quadrature on a grid", "skill of people", "Liu and Pierce 1994", 0.9),
    Method("posterior, N draws", "quantities derived from the skill of people", "Rubin 1988", 0.9),
    Method("N groups drawn", "plays that policies predict", "Bartizan, people/checks.py", 0.9),
    Method("bootstrap ball of the level means", "first-order index of sensitivity", "Bartizan, sobol.py"),
    Method("bootstrap BCa", "total index, interaction, variance", "Efron 1987"),
    Method(
        "no value moved", "sensitivity index of an input without effect", "Clopper and Pearson 1934; sobol.py"
    ),
    Method("Student t over N replicates", "probability of a rare event by splitting", "Garvels 2000"),
    Method(
        "gamma (Fay-Feuer) and Student t over N replicates",
        "probability of a rare event by splitting, reached by few replicates",
        "Fay and Feuer 1997; Garvels 2000",
    ),
    Method(
        "Clopper-Pearson of plain games",
        "probability of a rare event that few or no replicates reached",
        "Clopper and Pearson 1934",
    ),
    Method("log-linear mixed model", "mean duration, plays clustered by group", "Bartizan, durations.py"),
    Method(
        "prediction by a log-linear mixed model",
        "duration of one more play by another group",
        "Bartizan, durations.py",
        0.9,
    ),
    Method(
        "trend by play, posterior on a grid",
        "learning: logits per doubling of plays",
        "Bartizan, analyses/people/learning.py",
    ),
    Method(
        "rough upper bound: no replicate reached progress N",
        "probability of a rare event that no replicate saw, now counted",
        "Bartizan, rare.py",
        0.0,
        "former",
    ),
    Method(
        "median-unbiased, stage-wise order",
        "paired difference after a sequential test",
        "Siegmund 1978; Jennison and Turnbull 2000",
    ),
    Method(
        "bounds over N models",
        "lowest to highest of intervals",
        "Bartizan",
        former=("bounds over N models of a newcomer",),
    ),
)

# ---------------------------------------------------------------- verdicts

register(
    Method("claims", "PASS or FAIL of the claims of a plan", "Holm 1979; Schuirmann 1987", kind="verdict"),
    Method(
        "sequential test",
        "whether a hypothesis about a difference is true",
        "Wald 1945; Li, Liu and Ying 2014",
        kind="verdict",
    ),
    Method(
        "Benjamini-Hochberg",
        "effects shown as significant in a comparison",
        "Benjamini and Hochberg 1995",
        kind="verdict",
    ),
    Method("Holm", "cards, steps and neighbours shown as different", "Holm 1979", kind="verdict"),
    Method(
        "hit of a target",
        "whether a result is in a band, by two one-sided tests",
        "Schuirmann 1987",
        kind="verdict",
    ),
    Method(
        "exact binomial TOST", "whether people win as often as policies", "Schuirmann 1987", kind="verdict"
    ),
    Method("mid-p of draws", "whether plays differ from those of policies", "Lancaster 1961", kind="verdict"),
    Method("Hotelling test", "whether one scale fits all cells", "Hotelling 1931", kind="verdict"),
)

# ---------------------------------------------------------------- nothing sampled

register(
    Method("exact", "enumerated probability", "Bartizan, games/", 1.0, "exact"),
    Method("one game", "share in a game without randomness", "Bartizan, intervals.py", 1.0, "exact"),
    Method(
        "no two values differ",
        "number that is equal in all games, now without limits",
        "Bartizan, paired.py",
        0.0,
        "former",
    ),
    Method(
        "value iteration from above and below",
        "highest win rate that any player can reach",
        "Brown, Smith and Sun 2010; Haddad and Monmege 2014",
        1.0,
        "exact",
    ),
    Method("no interval", "position in a chart", "Bartizan, intervals.py", 0.0, "drawn"),
)
