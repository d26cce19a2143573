"""How long a game takes at the table, and how long a player waits: minutes of imported plays, beside the turns
and choices of simulated games.

Two models of the same kind (`analyses/statistics/durations.py`). The length of a game at each level: log(minutes)
over the logarithm of the mean turns that simulated games take there, with a deviation of each level, so a level
that people played is estimated from its own plays and one that nobody played from the others and the policy. The
minutes of a turn: log(minutes) over the logarithm of the turns that the plays counted. A slope below 1 is time
that does not grow with the turns, such as setting up. docs/people.md says what was compared with it.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl

from bartizan.analyses.document import Document
from bartizan.analyses.people.skill import PeopleSkill
from bartizan.analyses.statistics import durations
from bartizan.analyses.statistics.durations import METHOD, ONE_MORE, PREDICTION, Durations, Slope
from bartizan.analyses.statistics.intervals import Interval
from bartizan.simcore.compile.rules import TRUNCATED
from bartizan.simcore.game import Game
from bartizan.simcore.play.match import Match
from bartizan.simcore.play.waits import CHOICES, LONGEST, TURNS, WAITED, Shared

FEWEST = 5  # plays with minutes, for an estimate
GROWS = Slope(0.8, 0.3)  # with the turns: a fifth of a usual game does not
BENDS = Slope(0.08, 0.08)  # of the square: set-up plus so much a turn is convex in logarithms
MORE_PLAYERS = Slope(0.5, 0.5)
OF_LEVEL = Slope(0.0, 0.2)  # what a level takes beyond its turns
RESAMPLINGS = 200  # of the simulated games
MOST_GAMES = 1000  # played for their choices


@dataclass(frozen=True)
class TimedPlay:
    """A play whose minutes somebody wrote down."""

    minutes: float
    turns: float | None  # as the game counts them
    players: int | None
    level: str
    group: str  # the same people, the same group
    named: bool
    place: str  # row and file


@dataclass(frozen=True)
class Timed:
    """Plays of one game, and how many tell nothing."""

    plays: tuple[TimedPlay, ...]
    left_out: Mapping[str, int]  # reason -> plays


class ImplausiblePlay(Document):
    """A play whose minutes are left out."""

    minutes: float
    place: str


class LevelMinutes(Document):
    """How long a game takes at one level."""

    level: str
    plays: int  # there, with minutes
    mean: Interval
    one_game: Interval  # of one more


class Minutes(Document):
    """Durations in minutes. Nothing is estimated where `needed` is not 0."""

    plays: int  # that count
    needed: int  # plays with minutes that are missing for an estimate
    left_out: dict[str, int]  # reason -> plays
    implausible: list[ImplausiblePlay] = []
    groups: int = 0  # of people
    unnamed: int = 0  # plays without names, each counted as a group
    unit: str = "turn"  # what a turn of the game is called
    turns_from: str = ""  # "plays" or the policy whose games stand in for them
    players: int | None = None  # at the table, where the plays tell
    levels: list[LevelMinutes] = []
    turns: float | None = None  # of the game whose turns are timed
    per_turn: Interval | None = None  # set-up included
    per_turn_and_player: Interval | None = None
    growth: Interval | None = None  # elasticity of the minutes by turns: 1, nothing but turns takes time
    by_players: Interval | None = None  # elasticity by the number of people; None: it is always the same
    own_turn: Interval | None = None
    wait: Interval | None = None  # mean, between two turns of one seat
    longest_wait: Interval | None = None  # mean over games and seats
    policy: str = ""  # who played the simulated games
    games: int = 0  # simulated, a level
    method: str = METHOD


def timed(log: pl.DataFrame, game: str, levels: Sequence[str], seats: int | None = None) -> Timed:
    """Plays of a game with minutes. seats: people at the table where they play each other; None: any number."""
    rows = log.filter((pl.col("game") == game) & pl.col("kept"))
    plays, left = [], Counter[str]()
    for _, table in rows.sort("play_id", "row").group_by("play_id", maintain_order=True):
        play = _timed(table.to_dicts(), levels, seats)
        if isinstance(play, str):
            left[play] += 1
        else:
            plays.append(play)
    return Timed(tuple(plays), dict(sorted(left.items())))


def _timed(table: list[dict], levels: Sequence[str], seats: int | None) -> TimedPlay | str:
    def first(column: str):
        return next((seat[column] for seat in table if seat[column] is not None), None)

    level = first("level") or (levels[0] if len(levels) == 1 else None)
    players = first("players") or (len(table) if len(table) > 1 else None)
    if not first("minutes"):
        return "no minutes"
    if seats is not None and (players or len(table)) != seats:
        return "other number of players"
    if level not in levels:
        return "level unknown" if level is None else f"level {level} was not simulated"
    named = sorted({seat["player_key"] for seat in table if seat["player_key"]})
    return TimedPlay(
        first("minutes"),
        first("rounds") or None,
        players,
        level,
        " ".join(named) or table[0]["play_id"],
        bool(named),
        f"row {table[0]['row']} of {table[0]['source']}",
    )


def estimate(
    those: Timed,
    turns: Mapping[str, np.ndarray],
    policy: str,
    unit: str = "turn",
    shared: Shared | None = None,
    seed: int = 1,
) -> Minutes:
    """turns: level -> those of simulated games that reached an end; shared: their choices, where there is more
    than one seat.
    """
    plays, many = those.plays, {"left_out": dict(those.left_out), "unit": unit, "policy": policy}
    if len(plays) < FEWEST:
        return Minutes(plays=len(plays), needed=FEWEST - len(plays), **many)
    length = _length(plays, turns, seed)
    counted = tuple(play for play, used in zip(plays, length.fitted.used, strict=True) if used)
    implausible = [
        ImplausiblePlay(minutes=play.minutes, place=play.place)
        for play, used in zip(plays, length.fitted.used, strict=True)
        if not used
    ]
    pace = _pace(counted, length, turns, policy, seed)
    return Minutes(
        plays=len(counted),
        needed=0,
        implausible=implausible,
        groups=len({play.group for play in counted}),
        unnamed=sum(not play.named for play in counted),
        players=length.players,
        levels=[length.at(level, counted) for level in turns],
        by_players=length.by_players,
        games=min(map(len, turns.values())),
        **pace,
        **(_waits(length, shared, seed) if shared else {}),
        **many,
    )


def of_skill(log: pl.DataFrame, people: PeopleSkill, seed: int = 1) -> Minutes:
    """Of a game with one side, beside the copy of the policy that is as strong as these people."""
    yard = people.yardstick
    noise = min(yard.noises, key=lambda one: abs(one - people.noise.estimate))
    turns = {level: yard.cells[noise, level].turn for level in yard.levels}
    policy = f"{yard.policy} with noise {noise:g}" if noise else yard.policy
    game = yard.question.game
    return estimate(timed(log, game.name, list(turns)), turns, policy, unit_of(game), None, seed)


def of_match(those: Timed, match: Match, seated: Sequence[str], shared: Shared | None) -> Minutes:
    """Of a game in which people play each other, beside games of policies; without these too few plays."""
    policy, unit = " vs ".join(dict.fromkeys(seated)), unit_of(match.game)
    turns = {match.scenario.difficulty: shared.turn[shared.winner != TRUNCATED]} if shared else {}
    return estimate(those, turns, policy, unit, shared, match.seed)


def unit_of(game: Game) -> str:
    """What the game calls a turn."""
    reporting = game.compiled.reporting
    return reporting.time if reporting else "turn"


@dataclass(frozen=True, eq=False)
class _Length:
    """The first model: how long a game takes at each level."""

    fitted: Durations
    turns: Mapping[str, float]  # level -> logarithm of the mean
    players: int | None
    varies: bool  # does the number of people?
    seed: int

    def predictors(self, level: str, players: int | None) -> list[float]:
        own = [self.turns[level], *(float(level == one) for one in self.turns)] if len(self.turns) > 1 else []
        return [*own, *([np.log(players or self.players or 1)] if self.varies else [])]

    def mean(self, level: str) -> np.ndarray:
        return self.fitted.mean(self.predictors(level, self.players))

    def at(self, level: str, plays: Sequence[TimedPlay]) -> LevelMinutes:
        one = self.fitted.one_more(self.predictors(level, self.players), self.seed)
        return LevelMinutes(
            level=level,
            plays=sum(play.level == level for play in plays),
            mean=durations.interval(self.mean(level)),
            one_game=durations.interval(one, PREDICTION, ONE_MORE),
        )

    @property
    def by_players(self) -> Interval | None:
        return durations.interval(self.fitted.slopes[:, -1]) if self.varies else None


def _length(plays: Sequence[TimedPlay], turns: Mapping[str, np.ndarray], seed: int) -> _Length:
    known = [play.players for play in plays if play.players]
    usual = Counter(known).most_common(1)[0][0] if known else None
    means = {level: float(np.log(games.mean())) for level, games in turns.items()}
    blank = _Length(None, means, usual, len(set(known)) > 1, seed)  # type: ignore[arg-type]
    rows = np.array([blank.predictors(play.level, play.players) for play in plays], float)
    priors = [GROWS, *([OF_LEVEL] * len(means))] if len(means) > 1 else []
    priors += [MORE_PLAYERS] if blank.varies else []
    minutes = np.array([play.minutes for play in plays])
    fitted = durations.fit(minutes, rows, [play.group for play in plays], priors, seed)
    return _Length(fitted, means, usual, blank.varies, seed)


def _pace(
    plays: Sequence[TimedPlay], length: _Length, turns: Mapping[str, np.ndarray], policy: str, seed: int
) -> dict:
    """Minutes of a turn: of the plays that counted turns, or of games of the policy at their levels."""
    told = [play for play in plays if play.turns]
    if len(told) >= FEWEST:
        turns_of = np.log([play.turns for play in told])
        off = turns_of - turns_of.mean()
        minutes, groups = np.array([play.minutes for play in told]), [play.group for play in told]
        fitted = durations.fit(minutes, np.column_stack([off, off**2]), groups, [GROWS, BENDS], seed)
        at, growth = float(np.exp(turns_of.mean())), durations.interval(fitted.slopes[:, 1])
        of_game, source = fitted.mean([0.0, 0.0]), "plays"
    else:
        share = Counter(play.level for play in plays)
        weights = {level: number / len(plays) for level, number in share.items()}
        at = float(sum(weight * turns[level].mean() for level, weight in weights.items()))
        of_game = sum(weight * length.mean(level) for level, weight in weights.items())  # type: ignore[assignment]
        growth, source = None, policy
    each = of_game / at
    per_player = durations.interval(each / length.players) if length.players else None
    return {
        "turns": at,
        "turns_from": source,
        "per_turn": durations.interval(each),
        "per_turn_and_player": per_player,
        "growth": growth,
    }


def _waits(length: _Length, shared: Shared, seed: int) -> dict[str, Interval]:
    """Every choice takes as long: the minutes of a game are spread over its choices. Of games of one level."""
    (level,) = length.turns
    counts = shared.counts[shared.winner != TRUNCATED].astype(float)
    random = np.random.default_rng([seed, len(counts)])
    shares = np.array(
        [_shares(counts[random.integers(0, len(counts), len(counts))]) for _ in range(RESAMPLINGS)]
    )
    minutes = length.mean(level)
    drawn = minutes[:, None] * shares[np.arange(len(minutes)) % RESAMPLINGS]
    names = ("own_turn", "wait", "longest_wait")
    return {name: durations.interval(values) for name, values in zip(names, drawn.T, strict=True)}


def _shares(counts: np.ndarray) -> tuple[float, float, float]:
    """Of a game's time: a turn of one seat, the wait until its next, the longest wait of a seat."""
    choices = counts[:, :, CHOICES].sum(axis=1).mean()
    turns = counts[:, :, TURNS].sum()
    waits = np.maximum(counts[:, :, TURNS] - 1, 0).sum()
    own = counts[:, :, CHOICES].sum() / max(turns, 1)
    return (
        own / choices,
        counts[:, :, WAITED].sum() / max(waits, 1) / choices,
        counts[:, :, LONGEST].mean() / choices,
    )
