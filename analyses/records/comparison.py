"""What does one change to a game do?

A baseline against the change, the same game numbers on common luck, with one number as the headline.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from math import sqrt

import polars as pl

from bartizan.analyses.records import effects
from bartizan.analyses.records.changed_games import ChangedGames, changed_games
from bartizan.analyses.records.effects import LENGTH
from bartizan.analyses.records.line_ups import LineUp
from bartizan.analyses.statistics.intervals import CONFIDENCE, Interval, least_alpha, newcombe, with_cut_off
from bartizan.analyses.statistics.paired import Effect, Estimate, Measure, adjust, values

SCORE = "score"
AGAINST = 4  # standard errors by which two sides must move against each other before it is believed


@dataclass(frozen=True)
class Compared:
    """A change against its baseline.

    Effects are `changed` minus `base`; the headline is the first of them.
    """

    base: LineUp
    changed: LineUp
    games: int  # game numbers, each played in every cell of both sides
    capped: int  # games cut off, over both
    # the headline is the share of the first player, every seat taken in turn; else that of the first seat
    by_player: bool
    difference: Interval  # of the headline
    p: float  # two-sided, of no difference of the headline
    # `difference` is the paired one; else pairing did not help and the sides count as independent
    paired: bool
    # headline, seats, turns, score, draws; p adjusted over all (Benjamini & Hochberg 1995)
    effects: tuple[Effect, ...]
    touched: ChangedGames | None = None  # games whose record is another; None: seated otherwise

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


def analyze(base: LineUp, changed: LineUp) -> Compared:
    """Paired differences (see `paired`). Where common luck is no help (factor below 1) the headline's
    interval is Newcombe's for independent arms, and p its inversion.

    Seeds that are no help leave the two sides independent up to chance. Where they clearly move against each
    other, Newcombe's interval would be too narrow: then the paired one stays.
    """
    by_player = is_by_player(base, changed)
    found = effects.analyze(
        base,
        changed,
        (LENGTH, SCORE),
        _measures(base, by_player, changed.seats),
        _measures(changed, by_player, base.seats),
    )
    first, *others = found.effects
    apart = first.factor is not None and first.factor < 1 and not _move_against(first)
    if apart:
        first = replace(first, difference=_independent(first.difference, base, changed, by_player))
    difference = first.difference
    return Compared(
        base,
        changed,
        found.games,
        found.capped,
        by_player,
        difference.interval,
        difference.p,
        not apart,
        tuple(adjust([first, *others])),
        changed_games(base, changed),
    )


def is_by_player(*sides: LineUp) -> bool:
    """Do sides speak of players rather than of seats: everybody sat everywhere, and not all are the same?"""
    return all(side.is_complete for side in sides) and not all(side.is_mirror for side in sides)


def headline(line_up: LineUp, by_player: bool, seat: int = 0) -> Measure:
    """Share of wins: of the player named first, for each seat that it took; or of a seat, the first one as
    `bartizan run` gives it.
    """
    return replace(line_up.player_share(0) if by_player else line_up.seat_share(seat), span=(0.0, 1.0))


def _measures(line_up: LineUp, by_player: bool, most_seats: int) -> Sequence[Measure]:
    """The same ones, in the same order, on both sides: seats that only one side has are left out."""
    seats = range(0 if by_player else 1, min(line_up.seats, most_seats))
    return [
        headline(line_up, by_player),
        *map(line_up.seat_share, seats),
        *map(line_up.column, (LENGTH, SCORE)),
        line_up.draws(),
    ]


def _move_against(effect: Effect) -> bool:
    """Is the correlation of the two sides below 0 by more than chance explains?"""
    base, changed, difference = (
        estimate.se or 0.0 for estimate in (effect.base, effect.changed, effect.difference)
    )
    if not base or not changed:
        return False
    correlation = (base**2 + changed**2 - difference**2) / (2 * base * changed)
    return correlation < -AGAINST / sqrt(effect.n)


def _independent(paired: Estimate, base: LineUp, changed: LineUp, by_player: bool) -> Estimate:
    """The same difference, had the two sides nothing to do with each other."""
    interval, p = independent(base, changed, by_player)
    return replace(paired, interval=interval, p=p)


def independent(base: LineUp, changed: LineUp, by_player: bool) -> tuple[Interval, float]:
    """The difference of the headlines of two sides that have nothing to do with each other (Newcombe), and
    the least alpha whose interval leaves out 0.
    """
    of_changed, of_base = (_share_at(side, by_player) for side in (changed, base))

    def at(confidence: float) -> Interval:
        return newcombe(of_changed(confidence), of_base(confidence))

    return at(CONFIDENCE), least_alpha(lambda confidence: not at(confidence).low <= 0 <= at(confidence).high)


def _share_at(line_up: LineUp, by_player: bool) -> Callable[[float], Interval]:
    """A side's headline by itself, with an interval of any confidence: a proportion of games where it is
    one, else the mean over the game numbers.
    """
    measure = headline(line_up, by_player)
    if by_player or len(line_up.cells) > 1:
        return values(line_up.scan(), measure).interval
    wins, most, games = (
        line_up.scan()
        .select(measure.low.sum().alias("low"), measure.high.sum().alias("high"), pl.len())
        .collect(engine="streaming")
        .row(0)
    )
    return lambda confidence: with_cut_off(round(wins), round(most - wins), games, confidence)
