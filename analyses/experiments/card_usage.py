"""How are cards used? Of all copies of a kind that came into a hand, which share ended how; and which kinds
are hardly ever used for what they are printed for.

Copies of one game are not independent: the share is a ratio of two sums over games, copies used and copies
that came, with the linearised standard error of a ratio (Cochran 1977, Sampling Techniques, 6.4). It says how
many independent copies the games are worth, p (1 - p) / se^2; the interval is that of so many: Wilson's, or,
where few games show the use or lack it, Clopper-Pearson's, and then of no more copies than there are (Korn &
Graubard 1998, Survey Methodology 24). Where no copy is used so, or every one is, nothing is known of how the
copies of a game hang together: then each game counts as one copy.
"""

from collections.abc import Iterable
from dataclasses import replace
from math import sqrt

import numpy as np

from bartizan.analyses.document import Document, optional
from bartizan.analyses.statistics.intervals import CONFIDENCE, FEW, Interval, clopper_pearson, wilson
from bartizan.analyses.statistics.paired import ALL_ALIKE

DEAD_BELOW = 0.05
METHOD = (
    "shares of copies that came into a hand, over all seats; ratio estimator, linearised standard error over "
    "games (Cochran 1977); Wilson's interval of the effective "
    "number of copies, Clopper-Pearson's where few games show the use or lack it (Korn & Graubard 1998); "
    "each interval holds on its own"
)
RESTS_ON = (
    "How a card is used is what these policies do with it: a card they leave alone may be a good one in "
    "other hands"
)


class UseShare(Document):
    """Copies that ended in one way, of those that came into a hand."""

    use: str | None = optional()  # None: those that the card is printed for, together
    copies: int
    share: Interval
    se: float | None  # linearised; None for a single game


class KindUsage(Document):
    """One kind of card over all games."""

    card: str
    copies: int  # that came into a hand
    games: int  # in which one did
    uses: list[UseShare]
    printed_for: list[str]
    as_printed: UseShare
    dead: bool


class CardUsage(Document):
    """In the order of the deck."""

    games: int
    uses: list[str]
    method: str = METHOD
    dead_below: float = DEAD_BELOW
    dead: list[str]
    cards: list[KindUsage]
    never_there: list[str]  # kinds that came into no hand


class Sums:
    """Sums over games, exact whatever the order of the chunks: arrays int64 [kind, column], the columns being
    `uses` and at last what the card is printed for.
    """

    def __init__(self, kinds: int, columns: int):
        self.games = 0
        # [kind, 1]: copies, their squares, games in which a copy came
        self.came, self.came_squared, self.with_it = np.zeros((3, kinds, 1), np.int64)
        self.used, self.used_squared, self.product = np.zeros((3, kinds, columns), np.int64)
        # games with a copy used so, and with one used otherwise
        self.showing, self.lacking = np.zeros((2, kinds, columns), np.int64)

    def add(self, came: np.ndarray, used: np.ndarray) -> None:
        """came: int64 [game, kind, 1]; used: int64 [game, kind, column]."""
        self.games += len(came)
        self.came += came.sum(axis=0)
        self.came_squared += (came**2).sum(axis=0)
        self.with_it += (came > 0).sum(axis=0)
        self.used += used.sum(axis=0)
        self.used_squared += (used**2).sum(axis=0)
        self.product += (used * came).sum(axis=0)
        self.showing += (used > 0).sum(axis=0)
        self.lacking += (used < came).sum(axis=0)


def card_usage(
    chunks: Iterable[np.ndarray],
    kinds: dict[int, str],
    uses: tuple[str, ...],
    printed_for: dict[int, tuple[str, ...]],
) -> CardUsage:
    """chunks: as `simcore.play.cards.CardUsage.play` gives them."""
    meant = np.array([[use in printed_for[kind] for use in uses] for kind in kinds], np.int64)
    sums = Sums(len(kinds), len(uses) + 1)
    for chunk in chunks:
        counts = chunk.astype(np.int64)
        used = counts[:, :, 1:]
        sums.add(counts[:, :, :1], np.concatenate([used, (used * meant).sum(axis=2, keepdims=True)], axis=2))
    cards, never = [], []
    for row, (kind, name) in enumerate(kinds.items()):
        if not sums.came[row, 0]:
            never.append(name)
            continue
        *shares, as_printed = (_share(sums, row, column, use) for column, use in enumerate((*uses, None)))
        card = KindUsage(
            card=name,
            copies=int(sums.came[row, 0]),
            games=int(sums.with_it[row, 0]),
            uses=shares,
            printed_for=list(printed_for[kind]),
            as_printed=as_printed,
            dead=as_printed.share.high < DEAD_BELOW,
        )
        cards.append(card)
    dead = [card.card for card in cards if card.dead]
    return CardUsage(games=sums.games, uses=list(uses), dead=dead, cards=cards, never_there=never)


def _share(sums: Sums, row: int, column: int, use: str | None) -> UseShare:
    used, came = int(sums.used[row, column]), int(sums.came[row, 0])
    squares = (sums.came_squared[row, 0], sums.product[row, column], sums.used_squared[row, column])
    se = standard_error(sums.games, came, used, *map(int, squares))
    few = min(int(sums.showing[row, column]), int(sums.lacking[row, column])) < FEW
    share = _interval(used / came, came, int(sums.with_it[row, 0]), se, few)
    return UseShare(use=use, copies=used, share=share, se=se)


def standard_error(
    games: int, came: int, used: int, came_squared: int, product: int, used_squared: int
) -> float | None:
    """Standard error of used / came (Cochran 1977, 6.4), sqrt(G / (G - 1) * sum (used_g - p came_g)^2) / came

    All but `games` are sums over games.
    """
    if games < 2:
        return None
    p = used / came
    squares = used_squared - 2 * p * product + p * p * came_squared
    return sqrt(max(squares, 0.0) * games / (games - 1)) / came


def _interval(p: float, came: int, with_it: int, se: float | None, few: bool) -> Interval:
    """`few`: of the games show the use, or lack it."""
    if p in (0, 1) or se is None:
        return replace(
            clopper_pearson(p * with_it, with_it), estimate=p, method=f"Clopper-Pearson, {with_it:,} games"
        )
    if se == 0:
        return Interval(p, p, p, CONFIDENCE, ALL_ALIKE)
    n = max(p * (1 - p) / se**2, 1.0)
    interval = clopper_pearson(p * min(n, came), min(n, came)) if few else wilson(p * n, n)
    return replace(interval, estimate=p, method=f"{interval.method}, linearised")
