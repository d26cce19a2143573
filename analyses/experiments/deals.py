"""How much of a result is the deal? Each deal is played many times under other luck.

Two-level model: result = mean + deal + rest. The variance between deals is (MSB - MSW) / plays, the usual
one-way ANOVA estimator; its share of the whole is the intraclass correlation, with the F limits of Searle
(1971), which treat the mean of a deal as normal.
"""

from dataclasses import dataclass

import numpy as np
from scipy import stats

from bartizan.analyses.statistics.intervals import CONFIDENCE, Interval, proportion
from bartizan.simcore.play.match import Match
from bartizan.simcore.play.rollouts import Deals

METHOD = (
    "each deal played on under other luck; share of the variance between deals: one-way ANOVA, limits from "
    "the F distribution (Searle 1971), 95 %; win rate of the deal: Wilson, below 10 wins or losses "
    "Clopper-Pearson"
)


@dataclass(frozen=True)
class Share:
    """How much of the variance of a result lies between deals: 0 to 1."""

    estimate: float
    low: float
    high: float
    deals: int
    plays: int  # of each deal

    def fewer(self, plays: int) -> int:
        """As many plays on known deals as tell as much as `plays` on unknown ones, if the deal helps people
        as it helps the policies; at least 1.
        """
        return max(1, int(np.ceil(plays * (1 - self.estimate))))


@dataclass(frozen=True)
class Dealt:
    """What was found. rate: of the deal asked for; overall: over all deals; rates: of each."""

    seat: int
    rate: Interval
    overall: float
    rates: np.ndarray
    share: Share


def shares(wins: np.ndarray, plays: int) -> Share:
    """wins: int [deal], of `plays` each. Raises ValueError with fewer than 2 deals or plays."""
    deals = len(wins)
    if deals < 2 or plays < 2:
        raise ValueError(f"{deals} deals of {plays} plays: two of each are the least")
    rates = wins / plays
    between = plays * rates.var(ddof=1)
    within = plays * (rates * (1 - rates)).sum() / (deals * (plays - 1))
    if not within:  # every deal is won always or never
        sure = float(between > 0)
        return Share(sure, sure, sure, deals, plays)
    freedom = deals - 1, deals * (plays - 1)
    ratio, tail = between / within, (1 - CONFIDENCE) / 2
    low, high = (ratio / stats.f.ppf(q, *freedom) for q in (1 - tail, tail))
    estimate, low, high = (min(max((f - 1) / (f + plays - 1), 0.0), 1.0) for f in (ratio, low, high))
    return Share(estimate, low, high, deals, plays)


def dealt(match: Match, number: int, deals: int, plays: int, seat: int = 0, jobs: int = 1) -> Dealt:
    """The deal of game `number`, and the first `deals` of the seed beside it."""
    games = Deals(match, plays)
    (own,) = games.play(1, 1, number)
    wins = np.concatenate(list(games.play(deals, jobs)))[:, seat]
    return Dealt(
        seat,
        proportion(int(own[0, seat]), plays),
        float(wins.mean() / plays),
        wins / plays,
        shares(wins, plays),
    )
