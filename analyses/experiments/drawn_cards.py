"""Win rates of players who drew a card, and of players who did not.

This is a correlation, not a causal effect: games in which a card is drawn also tend to be longer, or to have
players who draw more. The effect of a card is measured by games without it (`without`) and with it in hand
(`cards`).

A seat in a game is one observation. Observations of one game are dependent, because only one seat wins.
Therefore rates are ratios of two sums over games, with linearised standard errors (Cochran 1977, 6.4). Their
difference is linearised in the same way; its interval is Student's t with one value per game.
"""

from collections.abc import Iterable
from math import sqrt

import numpy as np

from bartizan.analyses.document import Document
from bartizan.analyses.experiments.cards import Sums, share_of_sums
from bartizan.analyses.statistics.intervals import EXACT_BELOW, Interval, student_t
from bartizan.analyses.statistics.testing import jointly
from bartizan.simcore.compile.rules import TRUNCATED

LINEARISED = "Student t, linearised"
CAVEAT = (
    "A correlation: players who drew a card differ in other ways too, such as in how long they played. What "
    "a card causes is measured by --without and --value"
)


class DrawnCard(Document):
    """One kind of card.

    A win rate is None without players; the difference is None if a group of players has fewer than 15 wins or
    losses.
    """

    card: str
    drew: int  # players, over all games
    others: int
    won_if_drawn: Interval | None
    won_otherwise: Interval | None
    difference: Interval | None  # simultaneous over all kinds


class DrawnGames:
    """Sums over games: players who drew each kind, players who did not, and the wins of both groups.

    The sums are exact, and do not depend on the order of the games. Memory does not grow with the number of
    games.
    """

    def __init__(self, kinds: int):
        self.drew, self.others = Sums(kinds, 1), Sums(kinds, 1)
        # [kind, column]: sum over games of the product of both groups' values; columns: players, wins
        self.products = np.zeros((4, kinds, 1), np.int64)

    def add(self, drew: np.ndarray, winners: np.ndarray, seats: int) -> None:
        """Add games. Truncated games are omitted.

        drew: int8 or bool [game, kind, seat], as in `simcore.play.held_cards`. winners: int8 [game]. seats:
        number of occupied seats.
        """
        ended = winners != TRUNCATED
        flags, winners = drew[ended, :, :seats].astype(np.int64), winners[ended]
        won = (winners[:, None] == np.arange(seats)).astype(np.int64)[:, None, :]
        n, m = flags.sum(axis=2, keepdims=True), (1 - flags).sum(axis=2, keepdims=True)
        wins, losses = (
            (flags * won).sum(axis=2, keepdims=True),
            ((1 - flags) * won).sum(axis=2, keepdims=True),
        )
        self.drew.add(n, wins)
        self.others.add(m, losses)
        self.products += [(one * other).sum(axis=0) for one in (wins, n) for other in (losses, m)]

    def cards(self, kinds: Iterable[str]) -> list[DrawnCard]:
        """Return a DrawnCard for each kind, in order."""
        names = list(kinds)
        enough = [self._is_enough(row) for row in range(len(names))]
        return [self._card(row, name, sum(enough) if enough[row] else 0) for row, name in enumerate(names)]

    def _is_enough(self, row: int) -> bool:
        sides = ((int(of.came[row, 0]), int(of.used[row, 0])) for of in (self.drew, self.others))
        return all(min(wins, players - wins) >= EXACT_BELOW for players, wins in sides)

    def _card(self, row: int, name: str, together: int) -> DrawnCard:
        """Return the DrawnCard of one kind.

        together: number of kinds with a difference; 0: this kind has none.
        """
        return DrawnCard(
            card=name,
            drew=int(self.drew.came[row, 0]),
            others=int(self.others.came[row, 0]),
            won_if_drawn=share_of_sums(self.drew, row, 0) if self.drew.came[row, 0] else None,
            won_otherwise=share_of_sums(self.others, row, 0) if self.others.came[row, 0] else None,
            difference=self._difference(row, together) if together else None,
        )

    def _difference(self, row: int, together: int) -> Interval:
        (n, wins, nn, nw, ww), (m, losses, mm, mv, vv) = (
            [int(part[row, 0]) for part in (of.came, of.used, of.came_squared, of.product, of.used_squared)]
            for of in (self.drew, self.others)
        )
        wv, wm, nv, nm = (int(product[row, 0]) for product in self.products)
        rate, other = wins / n, losses / m
        squares = (ww - 2 * rate * nw + rate**2 * nn) / n**2 + (vv - 2 * other * mv + other**2 * mm) / m**2
        squares -= 2 * (wv - other * wm - rate * nv + rate * other * nm) / (n * m)
        return _difference(rate - other, squares, self.drew.games, together)


def difference_of_rates(
    wins: np.ndarray, n: np.ndarray, other_wins: np.ndarray, others: np.ndarray, together: int = 1
) -> Interval:
    """Return the interval of the difference wins / n - other_wins / others. All four arrays are int64 [game].

    together: number of simultaneous intervals.
    """
    rate, other = wins.sum() / n.sum(), other_wins.sum() / others.sum()
    added = (wins - rate * n) / n.sum() - (other_wins - other * others) / others.sum()
    return _difference(float(rate - other), float((added**2).sum()), len(wins), together)


def _difference(value: float, squares: float, games: int, together: int) -> Interval:
    """Return the difference with its interval.

    squares: sum over games of the squared contributions to the difference.
    """
    se = sqrt(max(squares, 0.0) * games / max(games - 1, 1))

    def at(confidence: float) -> Interval:
        found = student_t(value, se, games, confidence)
        return Interval(found.estimate, max(found.low, -1.0), min(found.high, 1.0), confidence, LINEARISED)

    return jointly(at, together)
