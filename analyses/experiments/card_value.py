"""What is a card worth? The share of wins of a seat with that card in hand at one moment, less its share with
the card it was dealt, game by game.

The value of a card is what an intervention changes, never how often its owners happen to win: those are also
the games in which something else went well (restricted play: Jaffe et al. 2012). Each game is played up to
the moment once, and from there on with every kind of card, on the same luck: pairs. Games cut off give
bounds. The claims of one table are adjusted for each other by Holm (1979).
"""

import numpy as np
import polars as pl

from bartizan.analyses.document import Document
from bartizan.analyses.statistics.intervals import CONFIDENCE, Interval, with_cut_off
from bartizan.analyses.statistics.multiple_testing import holm
from bartizan.analyses.statistics.paired import Effect, Measure, compare
from bartizan.simcore.compile.rules import NO_CARD, NOT_THERE, TRUNCATED

AS_DEALT = "as dealt"
METHOD = (
    "intervention on common luck, never a conditional win rate (Jaffe et al. 2012); game by game, Student's "
    "t; "
    "with fewer than 100 games that differ exact tails (Blaker 2000); p adjusted for all cards (Holm 1979)"
)
RESTS_ON = (
    "A card's value is that of one exchange: the card just got changes places with one of the draw pile, any "
    "of its kind alike; all other cards stay where they are. "
    "It is what these policies make of it at that moment: who plays better may make more of it"
)


class CardValue(Document):
    """One kind of card against the base, over the games in which both could be played."""

    card: str
    pairs: int  # games
    wins: Interval  # of the seat with this card
    base_wins: Interval
    value: Interval  # wins with this card, less those with the base
    se: float | None
    p: float
    p_adjusted: float  # Holm
    pairing_factor: float | None
    differing: Interval  # share of games that end otherwise
    capped: int  # games cut off, with it or with the base


class CardValues(Document):
    """Best first."""

    against: str  # AS_DEALT, or the card all others are compared with
    games: int
    reached: int  # games in which the seat got that card at all
    capped: int  # of these, cut off as dealt
    as_dealt: Interval | None  # wins of the seat over the games reached; None: it never is
    cards: list[CardValue]
    never_there: list[str]  # kinds that never could be had
    method: str = METHOD


def card_values(
    outcomes: np.ndarray, seat: int, kinds: dict[int, str], against: int | None = None
) -> CardValues:
    """outcomes: as `simcore.play.cards.Interventions.play` gives them, all chunks together;
    `against`: a kind, instead of the card as dealt.
    """
    reached = reaching(outcomes)
    columns = dict(zip(kinds, range(1, len(kinds) + 1), strict=True))
    base = 0 if against is None else columns[against]
    compared = [kind for kind in kinds if kind != against]
    pairs = {kind: _playable(reached[:, base], reached[:, columns[kind]]) for kind in compared}
    had = [kind for kind in compared if len(pairs[kind][0])]
    effects = [_effect(*pairs[kind], seat, kinds[kind]) for kind in had]
    adjusted = holm([effect.difference.p for effect in effects])
    cards = [
        _value(kinds[kind], effect, p, *pairs[kind], seat)
        for kind, effect, p in zip(had, effects, adjusted, strict=True)
    ]
    dealt = reached[:, 0]
    return CardValues(
        against=AS_DEALT if against is None else kinds[against],
        games=len(outcomes),
        reached=len(reached),
        capped=_cut_off(dealt),
        as_dealt=_share(dealt, seat) if len(dealt) else None,
        cards=sorted(cards, key=lambda card: -card.value.estimate),
        never_there=[kinds[kind] for kind in compared if kind not in had],
    )


def reaching(outcomes: np.ndarray) -> np.ndarray:
    """The games in which the seat got that card at all."""
    return outcomes[(outcomes[:, 1:] != NO_CARD).all(axis=1)]


def _playable(base: np.ndarray, changed: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The games in which both cards could be had."""
    both = (base != NOT_THERE) & (changed != NOT_THERE)
    return base[both], changed[both]


def _effect(base: np.ndarray, changed: np.ndarray, seat: int, name: str) -> Effect:
    won = pl.col("winner") == seat
    cut_off = pl.col("winner") == TRUNCATED
    low, high = won.cast(pl.Float64), (won | cut_off).cast(pl.Float64)
    measure = Measure("card", name, low, high, (0.0, 1.0))
    (effect,) = compare(_winners(base), _winners(changed), [measure], _cut_off(base) + _cut_off(changed))
    return effect


def _value(
    name: str, effect: Effect, adjusted: float, base: np.ndarray, changed: np.ndarray, seat: int
) -> CardValue:
    difference = effect.difference
    return CardValue(
        card=name,
        pairs=effect.n,
        wins=_share(changed, seat),
        base_wins=effect.base.interval,
        value=difference.interval,
        se=difference.se,
        p=difference.p,
        p_adjusted=adjusted,
        pairing_factor=effect.factor,
        differing=effect.differing,
        capped=_cut_off(base) + _cut_off(changed),
    )


def _cut_off(winners: np.ndarray) -> int:
    return int((winners == TRUNCATED).sum())


def _winners(winners: np.ndarray) -> pl.LazyFrame:
    return pl.LazyFrame({"game": np.arange(len(winners)), "winner": winners.astype(np.int64)})


def _share(winners: np.ndarray, seat: int) -> Interval:
    return with_cut_off(int((winners == seat).sum()), _cut_off(winners), len(winners))


def not_told_from_best(outcomes: np.ndarray, seat: int, kinds: dict[int, str], best: str) -> list[str]:
    """The kinds that may be as good as the one that looks best.

    It was chosen by its looks, so the price is that of comparing all pairs (Bonferroni).
    """
    (kind,) = (kind for kind, name in kinds.items() if name == best)
    pairs = len(kinds) * (len(kinds) - 1) / 2
    others = card_values(outcomes, seat, kinds, kind).cards
    return [card.card for card in others if card.p * pairs >= 1 - CONFIDENCE]
