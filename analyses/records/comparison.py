"""Effect of one change to a game, of a setting, or of all changes since an earlier sweep.

The baseline is compared with the change on the same game numbers with common random numbers. The headline is
the change in the wins of the first seat or player.

A comparison with an earlier sweep uses cells of the same level, line-up and values. If values or weights were
changed in between, cells are matched by the level, names and values that distinguish them within their sweep.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial, reduce
from itertools import combinations
from math import sqrt
from operator import or_
from pathlib import Path
from typing import Any, Self

import polars as pl

from bartizan.analyses.document import Document, optional
from bartizan.analyses.records.outcomes import win_rate_of
from bartizan.analyses.records.quantities import score_names
from bartizan.analyses.records.seating import Apart, LineUp, Seating, all_but, line_ups
from bartizan.analyses.records.tally import reporting_of, tally
from bartizan.analyses.statistics.intervals import (
    Interval,
    Method,
    confidence_sequence,
    least_alpha,
    newcombe,
    proportion,
    with_truncated,
)
from bartizan.analyses.statistics.paired import Effect, Measure, adjust, compare, pieces, values
from bartizan.analyses.statistics.testing import holm, jointly
from bartizan.simcore.game import rotations
from bartizan.simcore.reporting import CONFIDENCE, COUNTER
from bartizan.simcore.sweep.store import open_sweep

# ---------------------------------------------------------------- effects, game by game

LENGTH = "turn"


@dataclass(frozen=True)
class Comparison:
    """Comparison of two settings, with everything else equal. Effects are `changed` minus `base`."""

    base: LineUp
    changed: LineUp
    path: str  # path of the changed value; "" if the two cells were given directly
    value: Any
    base_value: Any  # None: the scenario's value
    games: int  # game numbers that both sides have
    left_out: int  # game numbers that only some cells have
    capped: int  # truncated games of both sides
    effects: tuple[Effect, ...]

    def effect(self, kind: str, name: str | None = None) -> Effect | None:
        """Return the effect on one measure; None if it was not computed."""
        of_kind = (effect for effect in self.effects if effect.measure.kind == kind)
        return next((effect for effect in of_kind if name in (None, effect.measure.name)), None)


def effects_of(
    base: LineUp,
    changed: LineUp,
    columns: Sequence[str] = (LENGTH,),
    measures: Sequence[Measure] | None = None,
    of_changed: Sequence[Measure] | None = None,
) -> Comparison:
    """Compare two line-ups (single cells, or combined rotations) that were simulated with the same seed.

    The default measures are every column of `columns`, the share of the first seat, and the players' shares:
    their difference if the players sat in every seat, otherwise each share as seated. Intervals are paired t
    intervals (Law & Kelton) or, if few games differ, come from `paired.p_curve`. of_changed: see
    `paired.compare`.
    """
    if measures is None:
        measures = [*map(base.column, columns), *shares(base)]
    base_frame, changed_frame = base.scan(columns), changed.scan(columns)
    # common game numbers, and the number of their games that were truncated
    numbers = max(base.numbers, changed.numbers)
    of_base = base_frame.select("game", base=base.mean("cut off"))
    of_other = changed_frame.select("game", changed=changed.mean("cut off"))
    counted = [
        of_base.filter(piece)
        .join(of_other.filter(piece), on="game", how="inner")
        .select(pl.len(), pl.sum("base"), pl.sum("changed"))
        .collect(engine="streaming")
        .row(0)
        for piece in pieces(numbers)
    ]
    games, *truncated_shares = (sum(part) for part in zip(*counted, strict=True))
    sizes = (len(base.cells), len(changed.cells))
    truncated = round(sum((share or 0) * size for share, size in zip(truncated_shares, sizes, strict=True)))
    cells = (*base.cells, *changed.cells)
    most = max(cell.scan().select(pl.len()).collect().item() for cell in cells)
    effects: Sequence[Effect] = []
    if games:
        effects = compare(
            base_frame, changed_frame, measures, truncated=truncated, of_changed=of_changed, games=numbers
        )
    return Comparison(base, changed, "", None, None, games, most - games, truncated, tuple(effects))


def shares(line_up: LineUp) -> list[Measure]:
    """Return the win shares to compare.

    They are the share of the first seat and, if the line-up separates players from seats, the players' shares
    or their differences.
    """
    first, players = line_up.seat_share(0), range(len(line_up.players))
    if line_up.is_mirror:
        return [first]
    if line_up.is_complete:
        return [first, *(line_up.skill(*pair) for pair in combinations(players, 2))]
    return [first, *map(line_up.player_share, players)]


def of_sweep(cells: Iterable[Any], columns: Sequence[str] = (LENGTH,), families: int = 1) -> list[Comparison]:
    """Compare every setting of a sweep with its base.

    p is adjusted for all comparisons (Benjamini & Hochberg 1995). families: see `testing.holm`.
    """
    comparisons = [
        replace(effects_of(base, changed, columns), path=path, value=value, base_value=base_value)
        for path, value, base_value, base, changed in pairs(cells)
    ]
    every = [effect for comparison in comparisons for effect in comparison.effects]
    adjusted = iter(adjust(every, families))
    return [
        replace(comparison, effects=tuple(next(adjusted) for _ in comparison.effects))
        for comparison in comparisons
        if comparison.games
    ]


def pairs(cells: Iterable[Any]) -> Iterator[tuple[str, Any, Any, LineUp, LineUp]]:
    """Yield (path, value, base value, base, changed) for each pair of line-ups that differ in only one value.

    The base is the line-up without the change. Without such a line-up, it is the one with the published value
    or, if this is also missing, the first line-up in the sweep.
    """
    tables = line_ups(cells)
    for path in dict.fromkeys(path for table in tables for path in table.cells[0].set):
        groups: dict[tuple[Seating, Apart], list[LineUp]] = {}
        for table in tables:
            groups.setdefault((min(rotations(table.seatings[0])), all_but(path, table.cells[0])), []).append(
                table
            )
        for group in groups.values():
            base = min(group, key=lambda table: _is_changed(path, table.cells[0]))  # first of the minima
            for changed in (table for table in group if table is not base):
                if both := _seated_alike(base, changed):
                    yield path, changed.cells[0].set[path], base.cells[0].set.get(path), *both


def _is_changed(path: str, cell: Any) -> int:
    """Return 0 if the path is not set, 1 if it is set to the scenario's value, otherwise 2."""
    if path not in cell.set:
        return 0
    return 1 if hasattr(cell, "changes") and path not in {row["path"] for row in cell.changes} else 2


def _seated_alike(base: LineUp, changed: LineUp) -> tuple[LineUp, LineUp] | None:
    """Return both sides with only their common rotations, in the same order; None if there are none."""
    by_seating = dict(zip(changed.seatings, changed.cells, strict=True))
    kept = [
        (cell, by_seating[seats])
        for seats, cell in zip(base.seatings, base.cells, strict=True)
        if seats in by_seating
    ]
    if not kept:
        return None
    mine, theirs = zip(*kept, strict=True)
    return LineUp(mine, base.known), LineUp(theirs, base.known)


class EffectRow(Document):
    """The effect on one measure, as a row of a document."""

    kind: str  # kind of the measure
    measure: str
    n: int
    base: Interval
    changed: Interval
    difference: Interval
    se: float | None
    p: float
    p_adjusted: float | None
    pairing_factor: float | None
    differing: Interval
    # the difference with an interval that is simultaneous over all effects adjusted together;
    # absent from documents of earlier versions
    joint: Interval | None = optional()

    @classmethod
    def of(cls, effect: Effect, **others: Any) -> Self:
        """Create a row. others: additional fields of a subclass."""
        return cls(
            kind=effect.measure.kind,
            measure=effect.measure.name,
            n=effect.n,
            base=effect.base.interval,
            changed=effect.changed.interval,
            difference=effect.difference.interval,
            se=effect.difference.se,
            p=effect.difference.p,
            p_adjusted=effect.adjusted,
            pairing_factor=effect.factor,
            differing=effect.differing,
            joint=effect.joint,
            **others,
        )

    @property
    def quoted(self) -> Interval:
        """The difference with the interval `joint`, if known.

        This interval may be quoted even if the row was selected.
        """
        return self.joint or self.difference

    @property
    def is_quotable(self) -> bool:
        """Whether the quoted interval excludes 0, so that the row may lead an answer."""
        return not self.quoted.low <= 0 <= self.quoted.high

    @property
    def is_share(self) -> bool:
        return self.kind != "column"

    @property
    def scale(self) -> int:
        """Display scale: 100 for a share (percent), 1 for a mean."""
        return 100 if self.is_share else 1


# ---------------------------------------------------------------------- number of games that a change affects

TIER = "tier reached"
OTHER = ":changed"


@dataclass(frozen=True)
class ChangedGames:
    """Number of changed games (`games`), out of all common game numbers (`of`).

    A game number counts as changed if the records differ in some seating.
    """

    games: int
    of: int

    @property
    def is_none(self) -> bool:
        return self.of > 0 and not self.games

    def to_dict(self) -> dict[str, int]:
        return {"games": self.games, "of": self.of}


def changed_games(base: LineUp, changed: LineUp) -> ChangedGames | None:
    """Return the number of changed games; None if the sides differ in their number of seatings."""
    if len(base.cells) != len(changed.cells):
        return None
    cells = list(zip(base.cells, changed.cells, strict=True))
    differs = reduce(or_, (pl.col(f"differs@{index}") for index in range(len(cells))))
    games = of = 0
    for piece in pieces(max(base.numbers, changed.numbers)):
        frames = [
            _differing(*pair, piece).rename({"differs": f"differs@{index}"})
            for index, pair in enumerate(cells)
        ]
        every = reduce(lambda left, right: left.join(right, on="game", how="inner"), frames)
        differing, counted = every.select(differs.sum(), pl.len()).collect(engine="streaming").row(0)
        games, of = games + (differing or 0), of + counted
    return ChangedGames(games, of)


def _differing(base: Any, changed: Any, piece: pl.Expr) -> pl.LazyFrame:
    """Return columns `game` and `differs` for a chunk of two cells."""
    mine, theirs = (_with_tier(cell).filter(piece) for cell in (base, changed))
    their_columns = set(theirs.collect_schema().names())
    columns = [name for name in mine.collect_schema().names() if name in their_columns and name != "game"]
    differs = (pl.col(name).ne_missing(pl.col(f"{name}{OTHER}")) for name in columns)
    return mine.join(theirs, on="game", how="inner", suffix=OTHER).select(
        "game", pl.any_horizontal(*differs).alias("differs")
    )


def _with_tier(cell: Any) -> pl.LazyFrame:
    """Return the games of a cell, with the tier of each game if the game has tiers."""
    games: pl.LazyFrame = cell.scan()
    tiers: Mapping[str, int] = getattr(cell, "tiers", {})
    reached = [(pl.col("score") >= least).fill_null(False).cast(pl.Int32) for least in tiers.values()]
    return games.with_columns(pl.sum_horizontal(*reached).alias(TIER)) if reached else games


# ---------------------------------------------------------------- one change, with a headline

AGAINST = 4  # standard errors below 0 at which a correlation of the two sides counts as negative


@dataclass(frozen=True)
class Compared:
    """A change compared with its baseline.

    Effects are `changed` minus `base`; the headline is the first of them.
    """

    base: LineUp
    changed: LineUp
    games: int  # game numbers, each simulated in every cell of both sides
    capped: int  # truncated games of both sides
    # True: the headline is the share of the first player over all seats; False: the share of the first seat
    by_player: bool
    # whether the headline's difference is paired; if not, pairing did not help and the sides are independent
    paired: bool
    # headline, seats, turns, scores, draws; p adjusted for all of them (Benjamini & Hochberg 1995)
    effects: tuple[Effect, ...]
    touched: ChangedGames | None = None  # games whose record differs; None: the seatings differ

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
        """Two-sided p-value of the hypothesis that the headline is unchanged."""
        return self.headline.difference.p

    @property
    def is_clear(self) -> bool:
        """Whether the headline changes significantly, by the adjusted p."""
        return self.headline.is_significant


def of_line_ups(
    base: LineUp, changed: LineUp, level: float = CONFIDENCE, plain: float = CONFIDENCE
) -> Compared:
    """Compare two line-ups by paired differences (see `paired`).

    If common random numbers do not help (factor below 1), the headline's interval is Newcombe's for
    independent samples, and p its inversion. If the two sides are significantly negatively correlated,
    Newcombe's interval would be too narrow, so the paired interval is kept. level: 1 minus this look's share
    of alpha. plain: confidence level of each difference that is not simultaneous with others.
    """
    by_player = is_by_player(base, changed)
    of_base, of_changed = _measures(base, by_player, changed), _measures(changed, by_player, base)
    compared = effects_of(base, changed, _columns(base, changed), of_base, of_changed)
    first, *others = compared.effects
    paired = not _is_luck_no_help(first)
    if not paired:
        at, p = independent(base, changed, by_player)
        first = replace(first, difference=replace(first.difference, interval=at(CONFIDENCE), p=p), at=at)
    adjusted = tuple(adjust([effect.at_level(plain) for effect in (first, *others)], level=level))
    touched = changed_games(base, changed)
    return Compared(base, changed, compared.games, compared.capped, by_player, paired, adjusted, touched)


def of_cells(base: Any, changed: Any, seat: int = 0, looks: int = 1, families: int = 1) -> Interval:
    """Return the difference in a seat's win share between two cells of one sweep: `changed` minus `base`.

    A sweep has one seed, so the games are paired as in `of_line_ups`. Cells of a sweep that stops at a
    precision have confidence sequences, which are valid at every look. Such cells, and cells with different
    game numbers, are compared as independent samples. looks: number of differences shown together, times the
    number of seats or players from which each was selected. families: see `testing.holm`.
    """
    sides = LineUp((base,)), LineUp((changed,))
    if getattr(base, "precision", None) is not None:
        of_base, of_changed = (_share_at(side, False, seat, confidence_sequence) for side in sides)
        return jointly(lambda level: newcombe(of_changed(level), of_base(level)), looks, families)
    measures = [headline(side, False, seat) for side in sides]
    compared = effects_of(*sides, (), measures[:1], measures[1:])
    if compared.left_out or _is_luck_no_help(compared.effects[0]):
        return jointly(independent(*sides, False, seat)[0], looks, families)
    effect = compared.effects[0]
    return jointly(effect.at, looks, families) if effect.at else effect.difference.interval


def is_by_player(*sides: LineUp) -> bool:
    """Return whether the sides are compared by player, not by seat.

    This requires that all players sat in every seat, and that they are not all the same.
    """
    return all(side.is_complete for side in sides) and not all(side.is_mirror for side in sides)


def headline(line_up: LineUp, by_player: bool, seat: int = 0) -> Measure:
    """Return the headline measure: the first player's wins per seat if `by_player`, else wins of `seat`."""
    return replace(line_up.player_share(0) if by_player else line_up.seat_share(seat), span=(0.0, 1.0))


def _measures(line_up: LineUp, by_player: bool, other: LineUp) -> Sequence[Measure]:
    """Return the measures that both sides have, in the same order."""
    seats = range(0 if by_player else 1, min(line_up.seats, other.seats))
    shares = [headline(line_up, by_player), *map(line_up.seat_share, seats)]
    return [*shares, *map(line_up.column, _columns(line_up, other)), line_up.draws()]


def _columns(line_up: LineUp, other: LineUp) -> list[str]:
    """Return the columns that both sides have: length, scores (as in `score_names`), recorded counters."""

    def columns_of(side: LineUp) -> list[str]:
        cell = side.cells[0]
        counted = [column for group in reporting_of(cell).groups for column in group.columns]
        return [LENGTH, *score_names(cell), *(column for column in counted if column.startswith(COUNTER))]

    theirs = columns_of(other)
    return [column for column in columns_of(line_up) if column in theirs]


def _is_luck_no_help(effect: Effect) -> bool:
    """Return whether common random numbers do not help, so that the sides are treated as independent.

    Returns False if the sides' correlation is significantly below 0, because the interval of independent
    sides would then be too narrow.
    """
    if effect.factor is None or effect.factor >= 1:
        return False
    estimates = effect.base, effect.changed, effect.difference
    base, changed, difference = (estimate.se or 0.0 for estimate in estimates)
    if not base or not changed:
        return True
    correlation = (base**2 + changed**2 - difference**2) / (2 * base * changed)
    return correlation >= -AGAINST / sqrt(effect.n)


def independent(
    base: LineUp, changed: LineUp, by_player: bool, seat: int = 0
) -> tuple[Callable[[float], Interval], float]:
    """Return the difference of two independent headlines as a function of the confidence, and its p.

    The method is Newcombe's.
    """
    of_changed, of_base = (_share_at(side, by_player, seat) for side in (changed, base))

    def at(confidence: float) -> Interval:
        return newcombe(of_changed(confidence), of_base(confidence))

    return at, least_alpha(lambda confidence: not at(confidence).low <= 0 <= at(confidence).high)


def _share_at(
    line_up: LineUp, by_player: bool, seat: int, method: Method = proportion
) -> Callable[[float], Interval]:
    """Return one side's headline as a function from the confidence to the interval.

    The interval is that of a proportion of games if possible, otherwise that of the mean over the game
    numbers.
    """
    measure = headline(line_up, by_player, seat)
    if by_player or len(line_up.cells) > 1:
        return values(line_up.scan(), measure, line_up.numbers).interval
    sums = line_up.scan().select(low=measure.low.sum(), high=measure.high.sum(), games=pl.len())
    wins, most, games = sums.collect(engine="streaming").row(0)
    return lambda confidence: with_truncated(round(wins), round(most - wins), games, confidence, method)


# ---------------------------------------------------------------- since an earlier sweep of the same game


@dataclass(frozen=True)
class Moved:
    """A cell, its earlier version, and the change of its first seat's win rate (after minus before)."""

    before: Any
    after: Any
    games: tuple[int, int]  # before, after
    shares: tuple[Interval, Interval]
    difference: Interval  # not simultaneous
    at: Callable[[float], Interval]  # the same at any confidence
    turns: Interval | None  # difference of the mean length; None: the sides have different random numbers
    p: float
    adjusted: float  # adjusted for all compared cells (Holm 1979)
    is_paired: bool  # game by game on common random numbers
    is_same: bool  # no game differs
    joint: Interval | None = None  # the difference, with an interval that is simultaneous over all cells

    @property
    def quoted(self) -> Interval:
        """The difference with the interval `joint`, if known.

        This interval may be quoted even if the cell was selected.
        """
        return self.joint or self.difference

    @property
    def is_clear(self) -> bool:
        return (
            not self.difference.low <= 0 <= self.difference.high and self.adjusted < 1 - self.difference.level
        )


@dataclass(frozen=True)
class SinceThen:
    """Cells that both sweeps have, and cells of only one sweep. before: the earlier sweep."""

    before: Any
    moved: tuple[Moved, ...]
    only_before: tuple[Any, ...]
    only_after: tuple[Any, ...]


def changes_since(before: Any, after: Any, families: int = 1) -> SinceThen:
    """Compare two sweeps of one game (see `simcore.sweep.store.Sweep`).

    With the same seed, the games are paired on common random numbers; otherwise the sides are independent
    (Newcombe 1998). families: see `testing.holm`.
    """
    same_seed = before.manifest["seed"] == after.manifest["seed"]
    compared = (_moved(*pair, same_seed) for pair in matched(before.cells, after.cells))
    moved = [cell for cell in compared if cell]
    adjusted = holm([cell.p for cell in moved], families)
    matching = {id(cell) for pair in moved for cell in (pair.before, pair.after)}
    left = (tuple(cell for cell in side.cells if id(cell) not in matching) for side in (before, after))
    moved = [
        replace(cell, adjusted=p, joint=jointly(cell.at, len(moved), families))
        for cell, p in zip(moved, adjusted, strict=True)
    ]
    return SinceThen(before, tuple(moved), *left)


def since_named(sweep: Any, families: int = 1) -> SinceThen | None:
    """Compare a sweep with the sweep under `since` in its manifest. Returns None if there is none."""
    named = sweep.manifest.get("since")
    return None if named is None else changes_since(open_sweep(Path(named)), sweep, families)


CellKey = tuple[Any, ...]  # key by which cells are matched: a level, names, a scenario, overrides as JSON


def matched(before: Sequence[Any], after: Sequence[Any]) -> list[tuple[Any, Any]]:
    """Return pairs of cells (before, after), in the order of `after`.

    Cells match if all names and values are equal. Other cells match if their policies, and the values that
    distinguish each cell within its sweep, are equal. If there is no such match, the weights of the policies
    are ignored.
    """
    earlier: dict[int, Any] = {}
    apart = [(_apart(before, who), _apart(after, who)) for who in (_named, partial(_named, exactly=False))]
    for keys in ((_exact, _exact), *apart):
        left = [cell for cell in before if not any(cell is one for one in earlier.values())]
        then = _only(left, keys[0])
        now = _only([cell for cell in after if id(cell) not in earlier], keys[1])
        earlier |= {id(cell): then[name] for name, cell in now.items() if name in then}
    return [(earlier[id(cell)], cell) for cell in after if id(cell) in earlier]


def _only(cells: Iterable[Any], key: Callable[[Any], CellKey]) -> dict[CellKey, Any]:
    """Map each key that exactly one cell has to this cell."""
    groups: dict[CellKey, list[Any]] = {}
    for cell in cells:
        groups.setdefault(key(cell), []).append(cell)
    return {name: group[0] for name, group in groups.items() if len(group) == 1}


def _apart(cells: Sequence[Any], who: Callable[[Any], CellKey]) -> Callable[[Any], CellKey]:
    """Return a function that maps a cell to its key.

    The key consists of its names, and the values that distinguish it in its sweep.
    """

    def key(cell: Any) -> CellKey:
        own = {
            path: value
            for path, value in cell.set.items()
            if any(other.set.get(path) != value for other in cells)
        }
        return *who(cell), json.dumps(own, sort_keys=True, default=str)

    return key


def _named(cell: Any, exactly: bool = True) -> CellKey:
    """Return the level and the policies. exactly: include the weights of the policies."""
    key = "as_named" if exactly else "name"
    return cell.difficulty, *(policy.get(key, policy["name"]) for policy in cell.policies)


def _exact(cell: Any) -> CellKey:
    return *_named(cell), cell.scenario, json.dumps(cell.set, sort_keys=True, default=str)


def _moved(before: Any, after: Any, same_seed: bool) -> Moved | None:
    """Return the change of a cell between two sweeps; None if the cell has no games in one of them."""
    counts = [tally(cell.scan(), cell) for cell in (before, after)]
    if not all(count.games for count in counts):
        return None
    then, now = (win_rate_of(count, cell).first for count, cell in zip(counts, (before, after), strict=True))
    sides = LineUp((before,)), LineUp((after,))
    head = before, after, (then.games, now.games), (then.win, now.win)
    if not same_seed:
        at, p = independent(*sides, False)
        return Moved(*head, at(CONFIDENCE), at, None, p, p, False, False)
    compared = of_line_ups(*sides)
    length = next((effect for effect in compared.effects if effect.measure.name == LENGTH), None)
    same = bool(compared.touched and compared.touched.is_none)
    turns = length.difference.interval if length else None
    at = compared.headline.at or (lambda _: compared.difference)
    return Moved(*head, compared.difference, at, turns, compared.p, compared.p, compared.paired, same)
