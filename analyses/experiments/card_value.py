"""What is a card worth? The share of wins of a seat with that card in hand at one moment, less its share with
the card it was dealt, game by game.

The value of a card is what an intervention changes, never how often its owners happen to win: those are also
the games in which something else went well (restricted play: Jaffe et al. 2012). Each game is played up to
the moment once, and from there on with every kind of card, on the same luck: pairs. Games cut off give
bounds. The claims of one table are adjusted for each other by Holm (1979).
"""

from dataclasses import dataclass, replace

import numpy as np
import polars as pl

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


@dataclass(frozen=True)
class CardValue:
    """One kind of card against the base, over the games in which both could be played."""

    kind: int
    name: str
    capped: int  # games cut off, with it or with the base
    share: Interval  # wins of the seat with this card
    effect: Effect  # with this card, less the base
    adjusted: float = 1.0  # p after Holm

    @property
    def value(self) -> Interval:
        return self.effect.difference.interval


@dataclass(frozen=True)
class CardValues:
    """Best first."""

    base: str  # AS_DEALT, or the card all others are compared with
    games: int
    reached: int  # games in which the seat got that card at all
    capped: int  # of these, cut off as dealt
    as_dealt: Interval | None  # wins of the seat over the games reached; None: it never is
    values: tuple[CardValue, ...]
    never: tuple[str, ...]  # kinds that never could be had


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
    rows = [
        value
        for kind in compared
        if (value := _value(reached[:, base], reached[:, columns[kind]], seat, kind, kinds[kind]))
    ]
    adjusted = holm([value.effect.difference.p for value in rows])
    values = [replace(value, adjusted=p) for value, p in zip(rows, adjusted, strict=True)]
    had = {value.kind for value in values}
    dealt = reached[:, 0]
    return CardValues(
        AS_DEALT if against is None else kinds[against],
        len(outcomes),
        len(reached),
        int((dealt == TRUNCATED).sum()),
        _share(dealt, seat) if len(dealt) else None,
        tuple(sorted(values, key=lambda value: -value.value.estimate)),
        tuple(kinds[kind] for kind in compared if kind not in had),
    )


def reaching(outcomes: np.ndarray) -> np.ndarray:
    """The games in which the seat got that card at all."""
    return outcomes[(outcomes[:, 1:] != NO_CARD).all(axis=1)]


def _value(base: np.ndarray, changed: np.ndarray, seat: int, kind: int, name: str) -> CardValue | None:
    """Over the games in which both cards could be had; None without any."""
    both = (base != NOT_THERE) & (changed != NOT_THERE)
    base, changed = base[both], changed[both]
    if not len(base):
        return None
    capped = int((base == TRUNCATED).sum() + (changed == TRUNCATED).sum())
    won = pl.col("winner") == seat
    measure = Measure(
        "card",
        name,
        won.cast(pl.Float64),
        (won | (pl.col("winner") == TRUNCATED)).cast(pl.Float64),
        (0.0, 1.0),
    )
    (effect,) = compare(_winners(base), _winners(changed), [measure], capped)
    return CardValue(kind, name, capped, _share(changed, seat), effect)


def _winners(winners: np.ndarray) -> pl.LazyFrame:
    return pl.LazyFrame({"game": np.arange(len(winners)), "winner": winners.astype(np.int64)})


def _share(winners: np.ndarray, seat: int) -> Interval:
    return with_cut_off(int((winners == seat).sum()), int((winners == TRUNCATED).sum()), len(winners))


def not_told_from_best(outcomes: np.ndarray, seat: int, kinds: dict[int, str], best: int) -> tuple[str, ...]:
    """The kinds that may be as good as the one that looks best.

    It was chosen by its looks, so the price is that of comparing all pairs (Bonferroni).
    """
    pairs = len(kinds) * (len(kinds) - 1) / 2
    others = card_values(outcomes, seat, kinds, best).values
    return tuple(value.name for value in others if value.effect.difference.p * pairs >= 1 - CONFIDENCE)


# ---------------------------------------------------------------- as plain data


def to_document(result: CardValues) -> dict:
    """What a file and a report hold of it: shares and values as fractions of 1."""
    return {
        "against": result.base,
        "games": result.games,
        "reached": result.reached,
        "capped": result.capped,
        "as_dealt": result.as_dealt and result.as_dealt.to_dict(),
        "method": METHOD,
        "cards": [_row(value) for value in result.values],
        "never_there": list(result.never),
    }


def _row(value: CardValue) -> dict:
    difference = value.effect.difference
    return {
        "card": value.name,
        "pairs": value.effect.n,
        "wins": value.share.to_dict(),
        "base_wins": value.effect.base.interval.to_dict(),
        "value": value.value.to_dict(),
        "se": difference.se,
        "p": difference.p,
        "p_adjusted": value.adjusted,
        "pairing_factor": value.effect.factor,
        "differing": value.effect.differing.to_dict(),
        "capped": value.capped,
    }
