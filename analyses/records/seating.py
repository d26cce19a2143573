"""Separation of the effects of players and seats, by rotations of a line-up.

The module also contains curves over a setting, the advantage of seats, and the comparison of players.

The cells of a sweep that are rotations of one line-up are combined by game number: each player sits in every
seat, with the same random numbers. The value of a game number is the mean over its rotations. Standard errors
are computed from these values (see `analyses.statistics.paired`).
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property, partial, reduce
from itertools import combinations
from operator import add
from typing import Any

import polars as pl

from bartizan.analyses.records.tally import (
    MARGIN,
    CellGames,
    Tally,
    count,
    drawn,
    is_truncated,
    margin,
    reporting_of,
    seat_scores,
    won,
)
from bartizan.analyses.statistics.intervals import Interval, Method, proportion, with_truncated
from bartizan.analyses.statistics.paired import Estimate, Measure, estimates, pieces, values, variances
from bartizan.analyses.statistics.testing import joint_level, jointly
from bartizan.simcore.game import rotations
from bartizan.simcore.reporting import CONFIDENCE, Setting
from bartizan.simcore.scenario.parameters import called

# ----------------------------------------------------- cells that differ in only one numeric setting: a curve

FEWEST = 3  # minimum number of points of a curve

Player = tuple[str, tuple[tuple[str, float], ...], str]  # a policy's name, weights and the hash of its code
Seating = tuple[Player, ...]  # in turn order
# scenario, level and overrides as text by path: equal for cells that differ only in players or one setting
Apart = tuple[str, str | None, tuple[tuple[str, str], ...]]


@dataclass(frozen=True)
class Series:
    """Cells in order of the value of one setting, with everything else equal."""

    path: str
    setting: Setting
    values: tuple[float, ...]
    cells: tuple[Any, ...]


def series(cells: Iterable[Any], every: bool = False, fewest: int = FEWEST) -> list[Series]:
    """Return one series for each setting and each combination of the remaining properties.

    every: use all numeric settings, not only settings that the game draws as curves.
    """
    cells = list(cells)
    paths = dict.fromkeys(path for cell in cells for path in cell.set)
    return [line for path in paths for line in _along(path, cells, every) if len(line.cells) >= fewest]


def setting_of(cell: Any, path: str) -> Setting:
    """Return the label of a setting: the game's own, or the scenario's name for its path."""
    return reporting_of(cell).settings.get(path) or Setting(
        dict(getattr(cell, "names", ())).get(path) or called(path)
    )


def _along(path: str, cells: Sequence[Any], every: bool) -> Iterator[Series]:
    groups: dict[tuple[Seating, Apart], dict[float, Any]] = {}
    for cell in cells:
        value = cell.set.get(path)
        if (
            isinstance(value, int | float)
            and not isinstance(value, bool)
            and (every or setting_of(cell, path).curve)
        ):
            groups.setdefault((seating(cell), all_but(path, cell)), {}).setdefault(value, cell)
    for by_value in groups.values():
        values, in_order = zip(*sorted(by_value.items(), key=lambda item: item[0]), strict=True)
        yield Series(path, setting_of(in_order[0], path), values, in_order)


def seating(cell: Any) -> Seating:
    """Return the seating: name, weights and code hash of each seat's policy."""
    return tuple(
        (policy["name"], tuple(sorted(policy.get("weights", {}).items())), policy.get("source_hash", ""))
        for policy in cell.policies
    )


def all_but(path: str | None, cell: Any) -> Apart:
    """Return the scenario, level, and every changed value except `path` of a cell."""
    values = sorted((key, str(value)) for key, value in cell.set.items() if key != path)
    return cell.scenario, cell.difficulty, tuple(values)


# ------------------------------------------ rotations: the same players in other seats, paired by game number


@dataclass(frozen=True)
class InMemoryCell:
    """Games of one seating in memory, with the cell properties that a `LineUp` needs."""

    policies: list[dict[str, Any]]  # in the form of a manifest, see `seated`
    frame: pl.DataFrame  # `game`, `winner`, and other requested columns
    reporting: Mapping[str, Any] | None = None  # see `simcore.reporting`; in the form of a manifest

    def scan(self) -> pl.LazyFrame:
        return self.frame.lazy()


def seated(roles: Sequence[str], players: Iterable[Any]) -> list[dict[str, Any]]:
    """Return a seating of `simcore.play.match.Player`s in the form of a manifest."""
    return [
        {"role": role, "name": player.name, "weights": player.weights, "source_hash": player.source_hash}
        for role, player in zip(roles, players, strict=False)
    ]


@dataclass(frozen=True)
class LineUp:
    """All rotations of one line-up under the same settings and seed, or a single cell.

    Game number g has the same random numbers in all of its cells.
    """

    cells: tuple[Any, ...]
    known: tuple[Player, ...] = ()  # all players of the sweep, which names must distinguish

    @cached_property
    def seatings(self) -> tuple[tuple[Player, ...], ...]:
        """Players of each cell, by seat."""
        return tuple(seating(cell) for cell in self.cells)

    @cached_property
    def players(self) -> tuple[Player, ...]:
        """Distinct players, in the order of the first cell's seats."""
        return tuple(dict.fromkeys(self.seatings[0]))

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Names of the players, with the weights or code hash that distinguish players of one name."""
        return tuple(name_of(player, self.known or self.players) for player in self.players)

    @property
    def seats(self) -> int:
        return len(self.seatings[0])

    @property
    def is_mirror(self) -> bool:
        """Whether all seats have the same policy, so that a difference between seats is due to the seats."""
        return len(self.players) == 1

    @property
    def is_complete(self) -> bool:
        """Whether each player sat in every seat equally often, so that differences are due to the players."""
        return set(rotations(self.seatings[0])) == set(self.seatings)

    @property
    def tells_players(self) -> bool:
        """Whether players can be separated from seats: several policies, in all rotations."""
        return not self.is_mirror and self.is_complete

    @property
    def name(self) -> str:
        """Name of the line-up, such as `steward+greedy`, in the seating of the first cell."""
        return "+".join(self.names[self.players.index(player)] for player in self.seatings[0])

    def places_of(self, player: int) -> int:
        """Return the number of seats in a game that a player takes."""
        return self.seatings[0].count(self.players[player])

    # ---------------------------------------------------------- one row per game number

    @cached_property
    def numbers(self) -> int:
        """Greatest game number of any cell, plus 1."""
        last = [cell.scan().select(pl.col("game").max()).collect().item() for cell in self.cells]
        return 1 + max((number for number in last if number is not None), default=-1)

    def scan(self, columns: Sequence[str] = ()) -> pl.LazyFrame:
        """Return a frame of the game numbers that all cells have.

        Columns: `game` and, for each cell, its winner and `columns`.
        """
        frames = [self._scan_one(index, columns) for index in range(len(self.cells))]
        return reduce(lambda left, right: left.join(right, on="game", how="inner"), frames)

    def _scan_one(self, index: int, columns: Sequence[str]) -> pl.LazyFrame:
        columns_of = {f"seat:{seat}": won(seat) for seat in range(self.seats)}
        for number, player in enumerate(self.players):
            columns_of[f"player:{number}"] = pl.col("winner").is_in(
                [seat for seat, other in enumerate(self.seatings[index]) if other == player]
            )
        columns_of |= {"cut off": is_truncated(), "drawn": drawn(), "decided": pl.col("winner") >= 0}
        columns_of |= {f"column:{column}": self._column(index, column) for column in columns}
        values = {f"{name}@{index}": value.cast(pl.Float64) for name, value in columns_of.items()}
        games: pl.LazyFrame = self.cells[index].scan()
        return games.select("game", **values)

    def _column(self, index: int, column: str) -> pl.Expr:
        return margin(seat_scores(self.cells[index])) if column == MARGIN else pl.col(column)

    def mean(self, name: str) -> pl.Expr:
        """Return an expression for the mean of a column of `scan` over the cells."""
        return reduce(add, (pl.col(f"{name}@{index}") for index in range(len(self.cells)))) / len(self.cells)

    # --------------------------------------------------- numbers with one value per game number

    def seat_share(self, seat: int) -> Measure:
        """Return the measure of a seat's wins.

        Its value for a game number is the share of the games of that number, one per cell, that the seat won.
        The upper limit counts truncated games as wins.
        """
        share = self.mean(f"seat:{seat}")
        return Measure("seat", str(seat), share, share + self.mean("cut off"), (0.0, 1.0))

    def seat_advantage(self, seat: int) -> Measure:
        """Return the measure of a seat's share minus an equal share of the games with a winner."""
        return self._advantage("seat advantage", self.seat_share(seat))

    def player_share(self, player: int) -> Measure:
        """Return the measure of a policy's wins, divided by the number of seats that it has in each game.

        The upper limit counts truncated games as wins, as in `seat_share`.
        """
        share, places = self.mean(f"player:{player}"), self.places_of(player)
        most = (share + self.mean("cut off")) / places
        return Measure("policy", self.names[player], share / places, most, (0.0, 1 / places))

    def player_advantage(self, player: int) -> Measure:
        """Return the measure of a player's share minus an equal share of the games with a winner."""
        return self._advantage("policy advantage", self.player_share(player))

    def _advantage(self, kind: str, share: Measure) -> Measure:
        # a truncated game would have had a winner
        fair = (self.mean("decided") + self.mean("cut off")) / self.seats
        span = (-1 / self.seats, share.most - 1 / self.seats)
        return Measure(kind, share.name, share.low - fair, share.high - fair, span)

    def skill(self, player: int, other: int) -> Measure:
        """Return the measure of the difference in wins per seat between two players."""
        mine, theirs = self.player_share(player), self.player_share(other)
        name, span = f"{mine.name} - {theirs.name}", (-theirs.most, mine.most)
        return Measure("skill", name, mine.low - theirs.high, mine.high - theirs.low, span)

    def draws(self) -> Measure:
        """Return the measure of draws.

        Its value for a game number is the share of the games of that number, one per cell, that ended in a
        draw.
        """
        share = self.mean("drawn")
        return Measure("draws", "draws", share, share + self.mean("cut off"), (0.0, 1.0))

    def column(self, column: str) -> Measure:
        """Return the measure of a column of the record.

        A game number with a truncated game has no value, because the final value of that game is unknown.
        """
        value = pl.when(self.mean("cut off") == 0).then(self.mean(f"column:{column}"))
        return Measure("column", column, value, value)


def line_ups(cells: Iterable[Any]) -> list[LineUp]:
    """Group cells by line-up, in any rotation, and by all other settings."""
    cells = list(cells)
    groups: dict[tuple[Seating, Apart], dict[Seating, Any]] = {}
    known = tuple(dict.fromkeys(player for cell in cells for player in seating(cell)))
    for cell in cells:
        groups.setdefault((min(rotations(seating(cell))), all_but(None, cell)), {}).setdefault(
            seating(cell), cell
        )
    # the first cell of each group, then its rotations in order
    return [
        LineUp(tuple(group[turned] for turned in rotations(next(iter(group))) if turned in group), known)
        for group in groups.values()
    ]


def name_of(player: Player, players: Iterable[Player]) -> str:
    """Return a policy's name, with the weights or code hash that distinguish it from its namesakes."""
    name, weights, code = player
    namesakes = [other for other in players if other[0] == name]
    telling = [
        f"{key}={value:.15g}"
        for key, value in weights
        if any(dict(other[1]).get(key) != value for other in namesakes)
    ]
    if any(other[1] == weights and other[2] != code for other in namesakes):
        telling.append(f"code {code[:6]}")
    return f"{name} ({', '.join(telling)})" if telling else name


# ----------------------------------------------------------------------------------------- advantage of seats

ADVANTAGE, DISADVANTAGE, NONE_FOUND = "advantage", "disadvantage", "none found"


@dataclass(frozen=True)
class SeatShare:
    """One seat's share of the games with a winner.

    Over rotations of all players, a game without a winner counts as an equal share for each seat.
    """

    seat: int
    role: str
    share: Interval
    advantage: Interval  # share - fair share
    # the advantage, with an interval that is simultaneous for all seats of all cells judged together
    joint: Interval

    @property
    def finding(self) -> str:
        """Verdict of the joint interval; NONE_FOUND if all games are the same."""
        if self.joint.low == self.joint.high:
            return NONE_FOUND
        if self.joint.low > 0:
            return ADVANTAGE
        return DISADVANTAGE if self.joint.high < 0 else NONE_FOUND


@dataclass(frozen=True)
class SeatWins(SeatShare):
    """Share of wins of a seat with one policy."""

    policy: str
    wins: int


def joint_confidence(seats: int, families: int = 1) -> float:
    """Return the confidence level at which the intervals of all seats are simultaneous with CONFIDENCE.

    All seats of the cells or line-ups judged together are included. Wilson's interval at this level is
    Goodman's (1965). Two seats count as one comparison.
    """
    return joint_level((seats if seats > 2 else 1) * families)


@dataclass(frozen=True)
class SeatAdvantage:
    """Win share of each seat of a cell.

    With different policies (`mirror` is False), the share depends on the players as well as on their seats.
    """

    games: int
    drawn: int  # games without a winner (a draw, or lost to the game itself), which are omitted
    capped: int  # truncated games; the bounds of each share count none and all of them
    mirror: bool  # the same policy, with the same weights, in every seat
    seats: tuple[SeatWins, ...]

    @property
    def counted(self) -> int:
        """Number of games behind each share."""
        return self.games - self.drawn

    @property
    def fair(self) -> float:
        """Share of every seat if all were equal."""
        return 1 / len(self.seats)

    @property
    def first(self) -> SeatWins:
        return self.seats[0]

    def document(self) -> dict[str, Any]:
        """Return the fields of the JSON output of a run and of a report."""
        keys = ("seat", "role", "share", "advantage", "joint", "finding", "policy", "wins")
        return {
            "counted": self.counted,
            "drawn": self.drawn,
            "capped": self.capped,
            "same_policy_everywhere": self.mirror,
            "fair_share": self.fair,
            "seats": [{key: plain(getattr(seat, key)) for key in keys} for seat in self.seats],
        }


def plain(value: Any) -> Any:
    return asdict(value) if isinstance(value, Interval) else value


def apart(seats: Sequence[SeatShare]) -> list[SeatShare]:
    """Return the seats that win significantly more or less than an equal share, largest difference first.

    Two seats mirror each other, so only the first is returned.
    """
    judged = seats[:1] if len(seats) == 2 else seats
    found = (share for share in judged if share.finding != NONE_FOUND)
    return sorted(found, key=lambda share: -abs(share.advantage.estimate))


def seat_advantage_of(
    games: Tally, cell: CellGames, method: Method = proportion, families: int = 1
) -> SeatAdvantage:
    """Return the win share of each seat of a cell, compared with an equal share.

    The intervals are Wilson's (1927), or Clopper-Pearson's near 0 and 1.

    The fair share 1/n is known, so the advantage is the share minus 1/n. Findings use simultaneous intervals
    over all seats. `method` is `intervals.confidence_sequence` for a run that stopped at a precision.
    families: number of cells judged together, including this one, times the kinds of comparison that share
    the level.
    """
    seats, truncated = range(len(cell.policies)), count(games.outcomes, is_truncated())
    wins = [count(games.outcomes, won(seat)) for seat in seats]
    counted = sum(wins) + truncated
    shares = (
        _seat(cell, seat, wins[seat], truncated, counted, method, families) for seat in seats if counted
    )
    mirror = len(set(seating(cell))) == 1
    return SeatAdvantage(games.games, games.games - counted, truncated, mirror, tuple(shares))


def _seat(
    cell: CellGames, seat: int, wins: int, truncated: int, counted: int, method: Method, families: int
) -> SeatWins:
    policy = cell.policies[seat]
    seats = len(cell.policies)
    share, joint = (
        with_truncated(wins, truncated, counted, each, method)
        for each in (CONFIDENCE, joint_confidence(seats, families))
    )
    advantage, joint_advantage = (less(interval, 1 / seats) for interval in (share, joint))
    return SeatWins(seat, policy["role"], share, advantage, joint_advantage, policy["name"], wins)


def less(share: Interval, fair: float) -> Interval:
    """Return a share minus a known number, with the interval of the difference."""
    return Interval(share.estimate - fair, share.low - fair, share.high - fair, share.level, share.method)


# ----------------------------------------------------- comparison of players, apart from their seats


@dataclass(frozen=True)
class Standing:
    """Wins of one policy of a line-up, over all seats that it took."""

    policy: str
    places: int  # seats of the policy in each game
    wins: int  # in all rotations together
    share: Estimate  # share of wins for each seat it took; 1/n if all players were equal
    advantage: Estimate  # share minus a seat's equal part of the games with a winner


@dataclass(frozen=True)
class Duel:
    """One policy's share of wins per seat minus another's."""

    better: str  # the policy with the higher share; `is_clear` states whether it is significantly better
    other: str
    difference: Estimate  # by itself
    joint: Interval  # the difference, with an interval that is simultaneous over all duels in the answer
    # pairing factor: variance with separate random numbers per rotation, divided by the actual variance
    factor: float | None

    @property
    def is_clear(self) -> bool:
        """Whether one policy is significantly better than the other, by the joint interval."""
        return not self.joint.low <= 0 <= self.joint.high


@dataclass(frozen=True)
class Skill:
    line_up: LineUp
    games: int  # game numbers that all rotations have
    left_out: int  # game numbers that only some rotations have
    capped: int  # truncated games among games x rotations; they make the intervals bounds
    standings: tuple[Standing, ...]  # best first
    duels: tuple[Duel, ...]  # all pairs of policies, the best first
    seats: tuple[SeatShare, ...]  # over all players, each of whom sat there equally often

    @property
    def rotations(self) -> int:
        return len(self.line_up.cells)

    @property
    def fair(self) -> float:
        return 1 / self.line_up.seats


def skill_of(line_up: LineUp, families: int = 1) -> Skill | None:
    """Return the comparison of the policies.

    Returns None if the line-up does not separate players from seats, or without games.

    families: number of line-ups judged together, including this one, times the kinds of comparison that share
    the level.
    """
    if not line_up.tells_players:
        return None
    frame = line_up.scan()
    counts = _counts(frame, line_up)
    games, truncated = counts["games"], counts["capped"]
    if not games:
        return None
    standings = sorted(_standings(frame, line_up, counts), key=lambda row: -row.share.interval.estimate)
    most = max(cell.scan().select(pl.len()).collect().item() for cell in line_up.cells)
    duels = tuple(_duels(frame, line_up, standings, truncated, families))
    seats = _seats(frame, line_up, truncated, families)
    return Skill(line_up, games, most - games, truncated, tuple(standings), duels, seats)


def _counts(frame: pl.LazyFrame, line_up: LineUp) -> dict[str, int]:
    cells = len(line_up.cells)
    sums = {
        f"player:{number}": line_up.mean(f"player:{number}").sum() * cells
        for number in range(len(line_up.players))
    }
    sums["capped"] = line_up.mean("cut off").sum() * cells
    parts = [
        frame.filter(piece).select(games=pl.len(), **sums).collect(engine="streaming")
        for piece in pieces(line_up.numbers)
    ]
    return {name: round(value) for name, value in pl.concat(parts).sum().row(0, named=True).items()}


def _standings(frame: pl.LazyFrame, line_up: LineUp, counts: dict[str, int]) -> Iterator[Standing]:
    players = range(len(line_up.players))
    shares, advantages = (
        estimates(frame, [of(player) for player in players], counts["capped"], games=line_up.numbers)
        for of in (line_up.player_share, line_up.player_advantage)
    )
    for player, share, advantage in zip(players, shares, advantages, strict=True):
        yield Standing(
            line_up.names[player], line_up.places_of(player), counts[f"player:{player}"], share, advantage
        )


def _duels(
    frame: pl.LazyFrame, line_up: LineUp, standings: list[Standing], truncated: int, families: int
) -> Iterator[Duel]:
    order = [line_up.names.index(standing.policy) for standing in standings]
    pairs = list(combinations(order, 2))
    for better, other in pairs:
        difference = values(frame, line_up.skill(better, other), line_up.numbers)
        yield Duel(
            line_up.names[better],
            line_up.names[other],
            difference.estimate(CONFIDENCE, truncated),
            jointly(partial(difference.interval, truncated=truncated), len(pairs) * families),
            _factor(frame, line_up, better, other),
        )


def _factor(frame: pl.LazyFrame, line_up: LineUp, player: int, other: int) -> float | None:
    mine, theirs = (f"player:{number}" for number in (player, other))
    places, their_places = line_up.places_of(player), line_up.places_of(other)
    cells = len(line_up.cells)
    differences = [line_up.mean(mine) / places - line_up.mean(theirs) / their_places] + [
        pl.col(f"{mine}@{cell}") / places - pl.col(f"{theirs}@{cell}") / their_places for cell in range(cells)
    ]
    reached, *alone = variances(frame, differences, line_up.numbers)
    return sum(alone) / cells**2 / reached if reached else None


def _seats(frame: pl.LazyFrame, line_up: LineUp, truncated: int, families: int) -> tuple[SeatShare, ...]:
    seats = range(line_up.seats)
    measures = [line_up.seat_advantage(seat) for seat in seats]
    advantages, joint = (
        [estimate.interval for estimate in estimates(frame, measures, truncated, confidence, line_up.numbers)]
        for confidence in (CONFIDENCE, joint_confidence(line_up.seats, families))
    )
    shares = [less(advantage, -1 / line_up.seats) for advantage in advantages]
    roles = [policy["role"] for policy in line_up.cells[0].policies]
    return tuple(map(SeatShare, seats, roles, shares, advantages, joint))
