"""What does one change to a game do? A baseline against the change, the same game numbers on common luck, with one number as the headline."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import sqrt

import polars as pl
from scipy import special

from analyses import effects
from analyses.effects import LENGTH
from analyses.intervals import Interval, newcombe, with_cut_off
from analyses.line_ups import LineUp
from analyses.paired import Effect, Estimate, Measure, adjust

SCORE = "score"
AGAINST = 4  # standard errors by which two sides must move against each other before it is believed


@dataclass(frozen=True)
class Compared:
    """A change against its baseline. Effects are `changed` minus `base`; the headline is the first of them."""

    base: LineUp
    changed: LineUp
    games: int  # game numbers, each played in every cell of both sides
    capped: int  # games cut off, over both
    by_player: bool  # the headline is the share of the first player, every seat taken in turn; else that of the first seat
    difference: Interval  # of the headline
    p: float  # two-sided, of no difference of the headline
    paired: bool  # `difference` is the paired one; else pairing did not help and the sides count as independent
    effects: tuple[Effect, ...]  # headline, seats, turns, score, draws; p adjusted over all (Benjamini & Hochberg 1995)

    @property
    def headline(self) -> Effect:
        return self.effects[0]

    @property
    def factor(self) -> float | None:
        return self.headline.factor

    @property
    def is_clear(self) -> bool:
        """Does the interval of the headline leave out 0?"""
        return not self.difference.low <= 0 <= self.difference.high

    def to_frame(self) -> pl.DataFrame:
        """One row a measure, as `effects.effect_row` gives it."""
        return pl.DataFrame([effects.effect_row(effect) for effect in self.effects])


def analyze(base: LineUp, changed: LineUp, level: float = 0.95) -> Compared:
    """Paired differences (paired t, Law & Kelton). Where common luck is no help (factor below 1) the headline's interval is Newcombe's for independent arms.

    Seeds that are no help leave the two sides independent up to chance. Where they clearly move against each other, Newcombe's interval would be too
    narrow: then the paired one stays.
    """
    by_player = is_by_player(base, changed)
    found = effects.analyze(base, changed, (LENGTH, SCORE), level, _measures(base, by_player, changed.seats), _measures(changed, by_player, base.seats))
    first = found.effects[0]
    apart = first.factor is not None and first.factor < 1 and not _move_against(first)
    difference = newcombe(*(_share(*side, by_player, level) for side in ((changed, first.changed), (base, first.base)))) if apart else first.difference.interval
    p = _p_of_independent(first) if apart and not found.capped else first.difference.p
    return Compared(base, changed, found.games, found.capped, by_player, difference, p, not apart, tuple(adjust(found.effects)))


def is_by_player(*sides: LineUp) -> bool:
    """Do sides speak of players rather than of seats: everybody sat everywhere, and not all are the same?"""
    return all(side.is_complete for side in sides) and not all(side.is_mirror for side in sides)


def headline(line_up: LineUp, by_player: bool) -> Measure:
    """Share of wins: of the player named first, for each seat that he took; or of the first seat, as `bartizan run` gives it."""
    return replace(line_up.player_share(0) if by_player else line_up.seat_share(0), span=(0.0, 1.0))


def _measures(line_up: LineUp, by_player: bool, most_seats: int) -> Sequence[Measure]:
    """The same ones, in the same order, on both sides: seats that only one side has are left out."""
    seats = range(0 if by_player else 1, min(line_up.seats, most_seats))
    return [headline(line_up, by_player), *map(line_up.seat_share, seats), *map(line_up.column, (LENGTH, SCORE)), line_up.draws()]


def _move_against(effect: Effect) -> bool:
    """Is the correlation of the two sides below 0 by more than chance explains?"""
    base, changed, difference = (estimate.se or 0.0 for estimate in (effect.base, effect.changed, effect.difference))
    if not base or not changed:
        return False
    correlation = (base**2 + changed**2 - difference**2) / (2 * base * changed)
    return correlation < -AGAINST / sqrt(effect.n)


def _share(line_up: LineUp, estimate: Estimate, by_player: bool, level: float) -> Interval:
    """A side's headline by itself: a proportion of games where it is one, else the mean over the game numbers."""
    if by_player or len(line_up.cells) > 1:
        return estimate.interval
    measure = headline(line_up, by_player)
    wins, most, games = line_up.scan().select(measure.low.sum().alias("low"), measure.high.sum().alias("high"), pl.len()).collect(engine="streaming").row(0)
    return with_cut_off(round(wins), round(most - wins), games, level)


def _p_of_independent(effect: Effect) -> float:
    """Two-sided, of two independent means: the normal approximation."""
    se = sqrt((effect.base.se or 0.0) ** 2 + (effect.changed.se or 0.0) ** 2)
    return float(2 * special.ndtr(-abs(effect.difference.interval.estimate) / se)) if se else effect.difference.p
