"""Ends of games: wins, draws and losses, the kind of end and its turn, and the first player eliminated."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial, reduce
from itertools import accumulate
from operator import and_, or_
from typing import Any

import polars as pl

from bartizan.analyses.document import Document
from bartizan.analyses.records.tally import (
    HOUSE,
    NOBODY,
    CellGames,
    SeatedGames,
    Tally,
    cause_column,
    cause_labels,
    count,
    drawn,
    is_truncated,
    lost,
    reporting_of,
    won,
)
from bartizan.analyses.statistics.intervals import (
    Interval,
    Mean,
    Method,
    dkw_band,
    goodman,
    mean_of_counts,
    proportion,
    quantile_interval,
    with_truncated,
)
from bartizan.simcore.reporting import Reporting

# ---------------------------------------------------------------- wins, draws and losses of a seat


@dataclass(frozen=True)
class SeatRate:
    """Results of one seat: wins + draws + losses + capped = games. The intervals are shares of all games."""

    seat: int
    role: str
    policy: str
    games: int
    wins: int
    draws: int
    losses: int
    capped: int  # truncated by the limit on plies; they may be wins or losses, so the intervals are bounds
    win: Interval
    draw: Interval
    loss: Interval


@dataclass(frozen=True)
class WinRate:
    seats: tuple[SeatRate, ...]  # in seat order

    @property
    def first(self) -> SeatRate:
        return self.seats[0]


def win_rate_of(games: Tally, cell: CellGames, method: Method = proportion) -> WinRate:
    """Return win, draw and loss rates.

    method: `intervals.confidence_sequence` for a run that stopped at a precision.
    """
    truncated, rates = count(games.outcomes, is_truncated()), []
    for seat, policy in enumerate(cell.policies):
        wins, draws, losses = (count(games.outcomes, which) for which in (won(seat), drawn(), lost(seat)))
        numbers = games.games, wins, draws, losses, truncated
        shares = (
            with_truncated(number, truncated, games.games, method=method) for number in (wins, draws, losses)
        )
        rates.append(SeatRate(seat, policy["role"], policy["name"], *numbers, *shares))
    return WinRate(tuple(rates))


# ------------------------------------------------------------------------- endings


@dataclass(frozen=True)
class Ending:
    name: str
    games: int
    drawn: int  # draws among these games
    share: Interval  # of all games; simultaneous within a cell

    @property
    def is_draw(self) -> bool:
        return self.drawn == self.games


def endings_of(games: Tally, cell: CellGames) -> tuple[Ending, ...]:
    """Return the endings that occurred, most frequent first, with simultaneous intervals (Goodman 1965)."""
    counted = (
        games.outcomes.group_by("end_reason")
        .agg(pl.col("n").sum())
        .sort("n", "end_reason", descending=[True, False])
    )
    codes, numbers = counted["end_reason"].to_list(), counted["n"].to_list()
    draws = [count(games.outcomes, drawn() & (pl.col("end_reason") == code)) for code in codes]
    names = [cell.end_reasons.get(str(code), f"end reason {code}") for code in codes]
    # endings that never occurred also count for the joint level
    never = len({*map(int, cell.end_reasons)} - {*codes})
    return tuple(map(Ending, names, numbers, draws, goodman([*numbers, *[0] * never])))


# ------------------------------------------------------------------- time of the first occurrence of an event


@dataclass(frozen=True)
class CurveStep:
    turn: int
    games: int  # games in which it first happened in this turn
    # share of all games in which it has happened by the end of this turn; the band is simultaneous for all
    # turns
    by: Interval


@dataclass(frozen=True)
class FirstTime:
    """Share of all games in which an event has happened by each turn.

    A game that ends before the event counts as a game without it.
    """

    column: str
    label: str
    games: int
    happened: int
    ever: Interval  # share of all games in which it ever happened
    steps: tuple[CurveStep, ...]  # every turn from 1 to the last one that a game of the cell reached

    def rows(self) -> list[dict[str, Any]]:
        """Return a row for each turn, with the keys `turn`, `games`, `by` and the limits of `by`."""
        return [{"turn": step.turn, "games": step.games, **step.by.named("by")} for step in self.steps]

    def by(self, turn: int) -> Interval:
        """Return the share by the end of this turn; it is constant after the last turn of all games."""
        return self.steps[min(turn, len(self.steps)) - 1].by


def first_times_of(games: Tally, cell: CellGames, method: Method = proportion) -> tuple[FirstTime, ...]:
    """Return the first times of all events that the game declares.

    Returns () if a setting ends games too early for these events.
    """
    reporting = reporting_of(cell)
    if reporting.is_cut_short(getattr(cell, "set", {})):
        return ()
    first_times = []
    for column, label in reporting.firsts.items():
        values = games.values[column]
        happened = count(values, pl.col("value").is_not_null())
        ever = with_truncated(happened, cut_before(values), games.games, method=method)
        steps = tuple(_curve(games, values))
        first_times.append(FirstTime(column, label, games.games, happened, ever, steps))
    return tuple(first_times)


def cut_before(values: pl.DataFrame) -> int:
    """Return the number of games truncated before the event, in which it might still have happened."""
    return count(values, pl.col("value").is_null() & pl.col("cut_at").is_not_null())


def _curve(games: Tally, values: pl.DataFrame) -> Iterator[CurveStep]:
    never = values.filter(pl.col("value").is_null())
    first, cut = (
        dict(counts.drop_nulls(column).group_by(column).agg(pl.col("n").sum()).iter_rows())
        for counts, column in ((values, "value"), (never, "cut_at"))
    )
    so_far, cut_so_far = 0, 0
    for turn in range(1, max(1, max(games.outcomes["turn"])) + 1):
        so_far, cut_so_far = so_far + first.get(turn, 0), cut_so_far + cut.get(turn, 0)
        yield CurveStep(turn, first.get(turn, 0), dkw_band(so_far, cut_so_far, games.games))


# ------------------------------------ games with two or more sides: wins, and alternative forms of the result


@dataclass(frozen=True)
class Part:
    """Games that ended in one way.

    seat: the winner; `tally.NOBODY` for a draw, `tally.HOUSE` if the game itself wins.
    """

    seat: int
    name: str  # "the Allies", "draw"
    games: int
    share: Interval  # of all games; truncated games make it a pair of bounds


@dataclass(frozen=True)
class FormResult:
    """The same games, scored by an alternative result."""

    title: str
    note: str
    winner: Part
    otherwise: Part

    def share_of(self, seat: int) -> Interval:
        """Return the win share of one of the two sides."""
        return self.winner.share if self.winner.seat == seat else self.otherwise.share


@dataclass(frozen=True)
class Mark:
    """Games that have a declared property."""

    column: str
    label: str
    games: int
    share: Interval  # of all games


@dataclass(frozen=True)
class Outcomes:
    """Results of all games. The parts and the truncated games sum to all games.

    `edges`: cumulative shares at which a stacked bar changes colour, one for each part except the last.
    """

    games: int
    capped: int
    parts: tuple[Part, ...]  # in the order of a stacked bar
    edges: tuple[Interval, ...]
    forms: tuple[FormResult, ...]
    marks: tuple[Mark, ...]

    @property
    def sides(self) -> tuple[Part, ...]:
        """Parts won by a side, in seat order."""
        return tuple(sorted((part for part in self.parts if part.seat >= 0), key=lambda part: part.seat))

    @property
    def draw(self) -> Part:
        return next(part for part in self.parts if part.seat == NOBODY)


def outcomes_of(games: Tally, cell: CellGames, method: Method = proportion) -> Outcomes:
    """Return shares of all games, each with its own interval.

    method: `intervals.confidence_sequence` for a run that stopped at a precision.
    """
    reporting, truncated = reporting_of(cell), count(games.outcomes, is_truncated())
    names = side_names(cell)

    def share(number: int, unknown: int = truncated) -> Interval:
        return with_truncated(number, unknown, games.games, method=method)

    numbers = {seat: count(games.outcomes, won(seat)) for seat in (*range(len(names)), NOBODY, HOUSE)}
    parts = tuple(
        Part(seat, names[seat] if seat in names else OTHERS[seat], numbers[seat], share(numbers[seat]))
        for seat in _order(len(names), numbers)
    )
    edges = tuple(share(games_so_far) for games_so_far in list(accumulate(part.games for part in parts))[:-1])
    is_cut_short = reporting.is_cut_short(getattr(cell, "set", {}))
    forms = () if is_cut_short else tuple(_forms(games, reporting, names, share))
    marks = []
    for column, label in reporting.marks.items():
        number = count(games.values[column], (pl.col("value") == 1) & pl.col("cut_at").is_null())
        marks.append(Mark(column, label, number, share(number)))
    return Outcomes(games.games, truncated, parts, edges, forms, tuple(marks))


OTHERS = {NOBODY: "draw", HOUSE: "nobody"}


def side_names(cell: SeatedGames) -> dict[int, str]:
    """Map each seat to the side's name in a sentence."""
    declared = reporting_of(cell).sides
    roles = (policy["role"].replace("_", " ") for policy in cell.policies)
    return dict(enumerate(declared or (f"the {role} player" for role in roles)))


def _order(seats: int, numbers: dict[int, int]) -> list[int]:
    """Return the seats in the order of a bar: draws between two sides, otherwise after all sides."""
    order = [0, NOBODY, 1] if seats == 2 else [*range(seats), NOBODY]
    return order + ([HOUSE] if numbers[HOUSE] else [])


def _forms(
    games: Tally, reporting: Reporting, names: dict[int, str], share: Callable[[int, int], Interval]
) -> Iterator[FormResult]:
    """Yield the result under each alternative rule (`reporting.forms`): games and share of each of two sides.

    A game that was truncated before the event in the rule's column counts as undecided: neither side wins
    it, and it widens the interval of both shares.
    """
    for form in reporting.forms:
        values = games.values[form.column]
        unknown = cut_before(values)
        reached = count(values, pl.col("value").is_not_null())
        rest = games.games - reached - unknown
        parts = (
            Part(seat, names[seat], number, share(number, unknown))
            for seat, number in ((form.winner, reached), (form.otherwise, rest))
        )
        yield FormResult(form.title, form.note, *parts)


# ------------------------------------------------------------------ times and causes of losses

UNKNOWN = "cause not recorded"
NameOf = Callable[[int | None], str]  # code of a cause (None: not recorded) -> its name


@dataclass(frozen=True)
class TurnHazard:
    """Hazard of turn `turn` in the games that reach it."""

    turn: int
    at_risk: int  # games that reached this turn
    lost: int  # games lost in this turn
    capped: int  # games truncated in this turn: at risk in it, unknown afterwards
    hazard: Interval  # probability of a loss in this turn, given that the game reaches it
    win_if_alive: Interval  # share of the games that reached this turn
    # share of all games lost by the end of this turn; the band is simultaneous for all turns
    lost_by: Interval
    causes: dict[str, int]  # cause -> games lost in this turn by it


class LossCause(Document):
    cause: str
    games: int
    share: Interval  # of the lost games; simultaneous for all causes (Goodman)


@dataclass(frozen=True)
class Losses:
    """Games lost by a seat, by turn (discrete hazard) and by cause (competing causes)."""

    lost: int
    turns: tuple[TurnHazard, ...]  # every turn from 1 to the last one in which a game ended
    causes: tuple[LossCause, ...]  # commonest first

    def rows(self) -> list[dict[str, Any]]:
        """Return a row for each turn.

        Keys: `turn`, `at_risk`, `lost`, `capped`, `hazard` and its limits, `lost_by` and its limits.
        """
        return [
            {"turn": t.turn, "at_risk": t.at_risk, "lost": t.lost, "capped": t.capped}
            | t.hazard.named("hazard")
            | t.lost_by.named("lost_by")
            for t in self.turns
        ]


def losses_of(games: Tally, cell: CellGames, seat: int = 0) -> Losses:
    """Return the losses of one seat: games that another seat, or the game itself, won.

    `causes` is empty if there is a single cause and the game does not record causes.
    """
    gone, name_of = games.outcomes.filter(lost(seat)), partial(_cause_name, cell)
    causes = _causes(gone, name_of, cause_labels(cell).values())
    says_more = bool(cell.cause_column) or len(causes) > 1  # a single cause has nothing to compare
    return Losses(
        lost=int(gone["n"].sum()),
        turns=tuple(_hazards(games, gone, seat, name_of)),
        causes=causes if says_more else (),
    )


def _cause_name(cell: CellGames, code: int | None) -> str:
    return UNKNOWN if code is None else cause_labels(cell).get(str(code), f"{cause_column(cell)} {code}")


def _hazards(games: Tally, gone: pl.DataFrame, seat: int, name_of: NameOf) -> Iterator[TurnHazard]:
    results = {"ended": pl.lit(True), "lost": lost(seat), "won": won(seat), "capped": is_truncated()}
    by_turn = games.outcomes.group_by("turn").agg(
        pl.col("n").filter(which).sum().alias(name) for name, which in results.items()
    )
    ends = {turn: numbers for turn, *numbers in by_turn.iter_rows()}
    causes: dict[int, list[tuple[int | None, int]]] = {}
    for turn, code, n in _turns_counted(gone, "turn", "cause").iter_rows():
        causes.setdefault(turn, []).append((code, n))
    at_risk, _, won_later, truncated_later = map(sum, zip(*ends.values(), strict=True))
    lost_so_far = truncated_so_far = 0
    # a truncated game has as many turns as the limit on decisions allows
    last = max((turn for turn, (ended, *_, truncated) in ends.items() if ended > truncated), default=1)
    for turn in range(min(1, *ends), last + 1):
        ended, lost_now, won_now, truncated_now = ends.get(turn, (0, 0, 0, 0))
        lost_so_far, truncated_so_far = lost_so_far + lost_now, truncated_so_far + truncated_now
        yield TurnHazard(
            turn,
            at_risk,
            lost_now,
            truncated_now,
            hazard=with_truncated(lost_now, truncated_now, at_risk),
            win_if_alive=with_truncated(won_later, truncated_later, at_risk),
            lost_by=dkw_band(lost_so_far, truncated_so_far, games.games),
            causes=_cause(causes.get(turn, ()), name_of),
        )
        at_risk, won_later, truncated_later = (
            at_risk - ended,
            won_later - won_now,
            truncated_later - truncated_now,
        )


def _turns_counted(gone: pl.DataFrame, *columns: str) -> pl.DataFrame:
    return gone.group_by(columns).agg(pl.col("n").sum()).sort(columns)


def _cause(counted: Iterable[tuple[int | None, int]], name_of: NameOf) -> dict[str, int]:
    """Map each cause to its games, most frequent first. Codes with the same name are one cause."""
    numbers: dict[str, int] = {}
    for code, n in counted:
        numbers[name_of(code)] = numbers.get(name_of(code), 0) + n
    return dict(sorted(numbers.items(), key=lambda pair: -pair[1]))


def _causes(gone: pl.DataFrame, name_of: NameOf, possible: Iterable[str]) -> tuple[LossCause, ...]:
    """Return the causes that occurred.

    possible: names of all causes of the game. Their number sets the joint level.
    """
    numbers = _cause(_turns_counted(gone, "cause").iter_rows(), name_of)
    if not numbers:
        return ()
    shares = goodman([*numbers.values(), *[0] * len({*possible} - {*numbers})])
    return tuple(
        LossCause(cause=name, games=n, share=share)
        for (name, n), share in zip(numbers.items(), shares, strict=False)
    )


# ------------------------------------------------ eliminations and lead changes (`simcore.reporting.Ranking`)

QUANTILES = (5, 25, 50, 75, 95)  # percent


@dataclass(frozen=True)
class SeatRank:
    """Share of games in which a seat has a rank."""

    seat: int
    role: str
    rank: int  # 1: winner; number of seats: first eliminated
    games: int
    share: Interval  # of all games; games truncated before the rank was decided make it a pair of bounds


@dataclass(frozen=True)
class Spread:
    """Distribution of an integer over games."""

    games: int
    values: tuple[int, ...]  # ascending
    counts: tuple[int, ...]
    mean: Mean
    quantiles: dict[int, Interval]  # percent -> value; empty without games


@dataclass(frozen=True)
class Elimination:
    """Eliminations in the games. Fields that a game does not record are empty or None."""

    games: int
    seats: int
    undecided: int  # games that end with some ranks undecided
    places: tuple[SeatRank, ...]  # by seat, then rank
    first_out: Spread | None  # turn of the first elimination, over the games with an elimination
    nobody_out: Interval | None  # share of games without an elimination
    lead_changes: Spread | None
    no_change: Interval | None  # share of games in which the lead never changed

    def first_to_go(self) -> tuple[SeatRank, ...]:
        """Return the share of games in which each seat is eliminated first."""
        return tuple(one for one in self.places if one.rank == self.seats)


def elimination_of(frame: pl.LazyFrame, cell: CellGames, method: Method = proportion) -> Elimination | None:
    """Return the eliminations in the games of a cell.

    Shares of all games have intervals by `method`, quantiles by order statistics, and means by Student's t.

    Returns None if the game declares no ranking, or without games.
    """
    ranking, seats = reporting_of(cell).ranking, len(cell.policies)
    places, outs, changes = ranking.places(seats), ranking.outs(seats), ranking.lead_changes
    if not (places or outs or changes):
        return None
    gone = [pl.when(pl.col(out) > 0).then(pl.col(out).cast(pl.Int64)) for out in outs]
    parts = [
        _counted(frame, {name: pl.col(name).cast(pl.Int64).fill_null(0) for name in places}),
        _counted(frame, {"value": pl.min_horizontal(gone) if gone else pl.lit(None, pl.Int64)}),
        _counted(frame, {"value": pl.col(changes).cast(pl.Int64) if changes else pl.lit(None, pl.Int64)}),
    ]
    placed, first, changed = pl.collect_all(parts, engine="streaming")
    games = int(first["n"].sum())
    if not games:
        return None
    return Elimination(
        games,
        seats,
        count(placed, reduce(or_, (pl.col(name) == 0 for name in places))) if places else 0,
        tuple(_places(placed, cell, places, games, method)) if places else (),
        _spread(first) if outs else None,
        method(count(first, pl.col("value").is_null()), games) if outs else None,
        _spread(changed) if changes else None,
        method(count(changed, pl.col("value") == 0), games) if changes else None,
    )


def _counted(frame: pl.LazyFrame, columns: dict[str, pl.Expr]) -> pl.LazyFrame:
    if not columns:
        return pl.LazyFrame(schema={"n": pl.Int64})
    counted = frame.with_columns(**columns).group_by(list(columns)).agg(n=pl.len().cast(pl.Int64))
    return counted.sort(list(columns))


def _places(
    placed: pl.DataFrame, cell: CellGames, columns: Sequence[str], games: int, method: Method
) -> Iterator[SeatRank]:
    """Yield the ranks of each seat.

    In a truncated game, a seat without a rank may still reach every rank that is not taken.
    """
    for seat, mine in enumerate(columns):
        for rank in range(1, len(columns) + 1):
            number = count(placed, pl.col(mine) == rank)
            is_open = reduce(and_, (pl.col(other) != rank for other in columns), pl.col(mine) == 0)
            share = with_truncated(number, count(placed, is_open), games, method=method)
            yield SeatRank(seat, cell.policies[seat]["role"], rank, number, share)


def _spread(values: pl.DataFrame) -> Spread:
    known = values.drop_nulls("value").sort("value")
    return spread_of(tuple(known["value"].to_list()), tuple(known["n"].to_list()))


def spread_of(values: tuple[int, ...], counts: tuple[int, ...]) -> Spread:
    """Return the distribution of an integer over games.

    values: distinct and ascending. counts: number of games with each value.
    """
    quantiles = {q: quantile_interval(values, counts, q / 100) for q in QUANTILES} if values else {}
    return Spread(sum(counts), values, counts, mean_of_counts(values, counts), quantiles)
