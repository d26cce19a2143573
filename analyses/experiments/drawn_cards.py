"""Win rates of players who drew a card, and of players who did not.

This is a correlation, not a cause:  games in which a card comes are also longer games, or games of players
who draw more. The effect of a card is measured by games without it (`without`) and with it in hand (`cards`).

A seat in a game is one observation. Observations of one game are dependent, because one seat wins: rates are
ratios of two sums over games, with linearised standard errors (Cochran 1977, 6.4); their difference is
linearised in the same way, and its interval is Student's t with as many values as games.
"""

from collections.abc import Iterable
from math import sqrt

import numpy as np

from bartizan.analyses.document import Document
from bartizan.analyses.experiments.cards import rate_in_clusters
from bartizan.analyses.statistics.intervals import EXACT_BELOW, Interval, student_t
from bartizan.analyses.statistics.testing import jointly
from bartizan.simcore.compile.rules import TRUNCATED

LINEARISED = "Student t, linearised"
CAVEAT = (
    "A correlation: players who drew a card differ in other ways too, such as in how long they played. What "
    "a card causes is measured by --without and --value"
)


class DrawnCard(Document):
    """One kind of card. A field is None if such players have fewer than 15 wins or losses."""

    card: str
    drew: int  # players, over all games
    others: int
    won_if_drawn: Interval | None
    won_otherwise: Interval | None
    difference: Interval | None  # holds together with those of all kinds


def won_if_drawn(drew: np.ndarray, winners: np.ndarray, seats: int, kinds: Iterable[str]) -> list[DrawnCard]:
    """Return a DrawnCard for each kind, in order.

    drew: int8 [game, kind, seat], winners: int8 [game], as in `simcore.play.held_cards`; seats: the occupied
    ones. Truncated games are omitted.
    """
    ended = winners != TRUNCATED
    drew, winners = drew[ended, :, :seats].astype(np.int64), winners[ended]
    won = (winners[:, None] == np.arange(seats)).astype(np.int64)[:, None, :]
    with_it, without = drew.sum(axis=2), (1 - drew).sum(axis=2)
    wins, other_wins = (drew * won).sum(axis=2), ((1 - drew) * won).sum(axis=2)
    names = list(kinds)
    counts = [(with_it[:, k], wins[:, k], without[:, k], other_wins[:, k]) for k in range(len(names))]
    told = sum(_is_enough(n, w) and _is_enough(m, v) for n, w, m, v in counts)
    return [_card(name, *count, told) for name, count in zip(names, counts, strict=True)]


def _is_enough(players: np.ndarray, wins: np.ndarray) -> bool:
    return bool(min(wins.sum(), (players - wins).sum()) >= EXACT_BELOW)


def _card(
    name: str, with_it: np.ndarray, wins: np.ndarray, without: np.ndarray, other_wins: np.ndarray, told: int
) -> DrawnCard:
    difference = None
    if _is_enough(with_it, wins) and _is_enough(without, other_wins):
        difference = difference_of_rates(wins, with_it, other_wins, without, told)
    return DrawnCard(
        card=name,
        drew=int(with_it.sum()),
        others=int(without.sum()),
        won_if_drawn=rate_in_clusters(wins, with_it) if with_it.any() else None,
        won_otherwise=rate_in_clusters(other_wins, without) if without.any() else None,
        difference=difference,
    )


def difference_of_rates(
    wins: np.ndarray, n: np.ndarray, other_wins: np.ndarray, others: np.ndarray, together: int = 1
) -> Interval:
    """Return wins / n minus other_wins / others; each int64 [game].

    together: number of simultaneous intervals.
    """
    rate, other = wins.sum() / n.sum(), other_wins.sum() / others.sum()
    added = (wins - rate * n) / n.sum() - (other_wins - other * others) / others.sum()
    games = len(wins)
    se = sqrt(float((added**2).sum()) * games / max(games - 1, 1))

    def at(confidence: float) -> Interval:
        found = student_t(float(rate - other), se, games, confidence)
        return Interval(found.estimate, max(found.low, -1.0), min(found.high, 1.0), confidence, LINEARISED)

    return jointly(at, together)
