"""Alpha spending for repeated looks at a growing set of games.

A test for a fixed number of games rejects too often if it is repeated as games are added, for example by
users who follow the advice "about N games would decide". Here each look has its own share of alpha, and the
shares of all possible looks sum to alpha (Bonferroni over looks). The error rate is therefore at most alpha
under any stopping rule.
"""

from bartizan.simcore.reporting import CONFIDENCE

# Most games are judged once, so the first look keeps nearly all of alpha: 2.05 standard errors, not 1.96. In
# simulations it decides more often at the first look than alpha / 2^k (2.24) and 6 alpha / (pi k)^2 (2.16),
# and as often by the second and by the eighth.
FIRST = 0.8


def spent(look: int, alpha: float = 1 - CONFIDENCE) -> float:
    """Return a look's share of alpha. Looks are counted from 1, and the shares of all looks sum to alpha.

    Raises ValueError for a look below 1.
    """
    if look < 1:
        raise ValueError(f"look {look}: looks are counted from 1")
    return alpha * (FIRST if look == 1 else (1 - FIRST) / (look * (look - 1)))


def level_of(look: int) -> float:
    """Return the confidence of the interval at a look.

    With these levels, the intervals of all looks are simultaneous at 95 %.
    """
    return 1 - spent(look)


def next_wider(look: int, level: float) -> float:
    """Return the factor by which the next look's interval is wider for the same number of games.

    The factor is a normal approximation.

    level: confidence of this look's interval, which is higher than `level_of(look)` for one of several
    simultaneous intervals.
    """
    from bartizan.analyses.statistics import special

    later = (1 - level) * spent(look + 1) / spent(look)
    return float(special.ndtri(later / 2) / special.ndtri((1 - level) / 2))


def plain_level_of(look: int) -> float:
    """Return the confidence of an interval without a verdict: 95 % at the first look.

    Later looks share a further error rate of 1 %, so the intervals of all looks are simultaneous with at
    least 94 %.
    """
    return CONFIDENCE if look == 1 else level_of(look)
