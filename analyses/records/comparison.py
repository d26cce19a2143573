"""What does one change to a game do?

A baseline against the change, the same game numbers on common luck, with one number as the headline.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from math import sqrt
from typing import Any

import polars as pl

from bartizan.analyses.records import effects
from bartizan.analyses.records.changed_games import ChangedGames, changed_games
from bartizan.analyses.records.effects import LENGTH
from bartizan.analyses.records.line_ups import LineUp
from bartizan.analyses.records.tally import Method
from bartizan.analyses.statistics.intervals import (
    CONFIDENCE,
    Interval,
    confidence_sequence,
    least_alpha,
    newcombe,
    proportion,
    with_cut_off,
)
from bartizan.analyses.statistics.paired import Effect, Measure, adjust, values

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
    # is the headline's difference the paired one? Else pairing did not help: the sides count as independent
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
    def difference(self) -> Interval:
        return self.headline.difference.interval

    @property
    def p(self) -> float:
        """Two-sided, of no difference of the headline."""
        return self.headline.difference.p

    @property
    def is_clear(self) -> bool:
        """Does the interval of the headline leave out 0?"""
        return self.headline.difference.is_clear


def analyze(base: LineUp, changed: LineUp) -> Compared:
    """Paired differences (see `paired`). Where common luck is no help (factor below 1) the headline's
    interval is Newcombe's for independent arms, and p its inversion.

    Seeds that are no help leave the two sides independent up to chance. Where they clearly move against each
    other, Newcombe's interval would be too narrow: then the paired one stays.
    """
    by_player = is_by_player(base, changed)
    of_base, of_changed = _measures(base, by_player, changed), _measures(changed, by_player, base)
    compared = effects.analyze(base, changed, (LENGTH, SCORE), of_base, of_changed)
    first, *others = compared.effects
    paired = not _is_luck_no_help(first)
    if not paired:
        interval, p = independent(base, changed, by_player)
        first = replace(first, difference=replace(first.difference, interval=interval, p=p))
    adjusted = tuple(adjust([first, *others]))
    touched = changed_games(base, changed)
    return Compared(base, changed, compared.games, compared.capped, by_player, paired, adjusted, touched)


def of_cells(base: Any, changed: Any, seat: int = 0) -> Interval:
    """Share of games that a seat wins in `changed` less that in `base`, two cells of one sweep.

    A sweep has one seed: the games are paired as `analyze` pairs them. Cells of a sweep that stops when it is
    precise enough keep confidence sequences, which hold at every look; these, and cells that have other game
    numbers, are compared as independent.
    """
    sides = LineUp((base,)), LineUp((changed,))
    if getattr(base, "precision", None) is not None:
        of_base, of_changed = (_share_at(side, False, seat, confidence_sequence) for side in sides)
        return newcombe(of_changed(CONFIDENCE), of_base(CONFIDENCE))
    measures = [headline(side, False, seat) for side in sides]
    compared = effects.analyze(*sides, (), measures[:1], measures[1:])
    if compared.left_out or _is_luck_no_help(compared.effects[0]):
        return independent(*sides, False, seat)[0]
    return compared.effects[0].difference.interval


def is_by_player(*sides: LineUp) -> bool:
    """Do sides speak of players rather than of seats: everybody sat everywhere, and not all are the same?"""
    return all(side.is_complete for side in sides) and not all(side.is_mirror for side in sides)


def headline(line_up: LineUp, by_player: bool, seat: int = 0) -> Measure:
    """Share of wins: of the player named first, for each seat that it took; or of a seat, the first one as
    `bartizan run` gives it.
    """
    return replace(line_up.player_share(0) if by_player else line_up.seat_share(seat), span=(0.0, 1.0))


def _measures(line_up: LineUp, by_player: bool, other: LineUp) -> Sequence[Measure]:
    """The same ones, in the same order, on both sides: seats that only one side has are left out."""
    seats = range(0 if by_player else 1, min(line_up.seats, other.seats))
    shares = [headline(line_up, by_player), *map(line_up.seat_share, seats)]
    return [*shares, *map(line_up.column, (LENGTH, SCORE)), line_up.draws()]


def _is_luck_no_help(effect: Effect) -> bool:
    """Do the two sides use up common luck in another order, and so count as independent?"""
    return effect.factor is not None and effect.factor < 1 and not _move_against(effect)


def _move_against(effect: Effect) -> bool:
    """Is the correlation of the two sides below 0 by more than chance explains?"""
    base, changed, difference = (
        estimate.se or 0.0 for estimate in (effect.base, effect.changed, effect.difference)
    )
    if not base or not changed:
        return False
    correlation = (base**2 + changed**2 - difference**2) / (2 * base * changed)
    return correlation < -AGAINST / sqrt(effect.n)


def independent(base: LineUp, changed: LineUp, by_player: bool, seat: int = 0) -> tuple[Interval, float]:
    """The difference of the headlines of two sides that have nothing to do with each other (Newcombe), and
    the least alpha whose interval leaves out 0.
    """
    of_changed, of_base = (_share_at(side, by_player, seat) for side in (changed, base))

    def at(confidence: float) -> Interval:
        return newcombe(of_changed(confidence), of_base(confidence))

    return at(CONFIDENCE), least_alpha(lambda confidence: not at(confidence).low <= 0 <= at(confidence).high)


def _share_at(
    line_up: LineUp, by_player: bool, seat: int, method: Method = proportion
) -> Callable[[float], Interval]:
    """A side's headline by itself, with an interval of any confidence: a proportion of games where it is
    one, else the mean over the game numbers.
    """
    measure = headline(line_up, by_player, seat)
    if by_player or len(line_up.cells) > 1:
        return values(line_up.scan(), measure).interval
    sums = line_up.scan().select(low=measure.low.sum(), high=measure.high.sum(), games=pl.len())
    wins, most, games = sums.collect(engine="streaming").row(0)
    return lambda confidence: with_cut_off(round(wins), round(most - wins), games, confidence, method)
