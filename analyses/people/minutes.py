"""Duration of a game at the table, and waiting time of a player.

They are estimated from the minutes of imported plays and the turns and choices of simulated games.

If at least FEWEST and at least half of the plays record their turns, log(minutes) is regressed on the
logarithm of the turns and its square, and the prediction is averaged over the turns of a game at each level.
These turns are the people's own, and the simulated games count as `SIMULATED` additional plays (a Dirichlet
process; Ferguson 1973). A level without plays therefore has the policy's turns. Otherwise, log(minutes) is
regressed on the logarithm of the mean turns of simulated games at their level, with a deviation per level. A
slope below 1 means that part of the time, such as set-up, does not grow with the turns.
`analyses/statistics/durations.py` fits both models. See docs/people.md for their validation.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import polars as pl

from bartizan.analyses.document import Document, optional
from bartizan.analyses.people.log import counts_as, unit_of
from bartizan.analyses.people.skill import PeopleSkill
from bartizan.analyses.statistics import durations
from bartizan.analyses.statistics.durations import METHOD, ONE_MORE, PREDICTION, Durations, Slope
from bartizan.analyses.statistics.intervals import Interval
from bartizan.simcore.compile.rules import TRUNCATED
from bartizan.simcore.game import Game
from bartizan.simcore.play.match import Match
from bartizan.simcore.play.waits import CHOICES, LONGEST, TURNS, WAITED, Shared

FEWEST = 5  # minimum number of plays with minutes for an estimate
GROWS = Slope(0.8, 0.3)  # elasticity by turns: a fifth of a typical game does not grow with its turns
# coefficient of the square: set-up plus a constant per turn is convex in logarithms
BENDS = Slope(0.08, 0.08)
MORE_PLAYERS = Slope(0.5, 0.5)
OF_LEVEL = Slope(0.0, 0.2)  # effect of a level beyond its turns
SIMULATED = 5  # number of plays that a level's simulated games count as
RARE = 0.005  # fraction of simulated games in each tail that is implausible for a play without turns
RESAMPLINGS = 200  # resamplings of the simulated games
MOST_GAMES = 1000  # maximum number of games simulated for their choices


@dataclass(frozen=True)
class TimedPlay:
    """A play with recorded minutes, and the inputs of the model: turns, level and group."""

    minutes: float
    turns: float | None  # in the game's unit
    players: int | None
    level: str
    group: str  # identifier of the group; the same people are the same group
    named: bool
    place: str  # row and file


@dataclass(frozen=True)
class Timed:
    """Timed plays of one game, and the number of unusable plays."""

    plays: tuple[TimedPlay, ...]
    left_out: Mapping[str, int]  # reason -> plays


class ImplausiblePlay(Document):
    """A play excluded for an implausible duration."""

    minutes: float
    place: str


class LevelMinutes(Document):
    """Duration of a game at one level."""

    level: str
    plays: int  # plays at this level with minutes
    mean: Interval
    one_game: Interval  # duration of one more game


class Minutes(Document):
    """Durations in minutes. Without an estimate, `levels` is empty."""

    plays: int  # plays that are used
    needed: int  # additional plays with minutes needed for an estimate; also 0 if no simulated game ends
    left_out: dict[str, int]  # reason -> plays
    implausible: list[ImplausiblePlay] = []
    groups: int = 0  # groups of people
    unnamed: int = 0  # plays without names, each counted as a group
    unit: str = "turn"  # the game's word for a turn
    turns_from: str = ""  # source of the turns: "plays", or the policy whose games are used instead
    players: int | None = None  # players at the table, if the plays record it
    levels: list[LevelMinutes] = []
    turns: float | None = None  # turns of the typical game on which `per_turn` is based
    per_turn: Interval | None = None  # including set-up
    per_turn_and_player: Interval | None = None
    growth: Interval | None = None  # elasticity of the minutes by turns; 1: only turns take time
    by_players: Interval | None = None  # elasticity by the number of people; None: the number is constant
    own_turn: Interval | None = None
    choices: float | None = optional()  # mean number of choices in a turn of a seat, in simulated games
    wait: Interval | None = None  # mean, between two turns of one seat
    longest_wait: Interval | None = None  # mean over games and seats
    # waiting as a fraction of the time between the starts of two turns of a seat, in simulated games
    waiting: Interval | None = None
    policy: str = ""  # policy of the simulated games
    games: int = 0  # simulated games per level
    method: str = METHOD


def timed(log: pl.DataFrame, game: Game, levels: Sequence[str], seats: int | None = None) -> Timed:
    """Return the plays of a game that can be used to estimate durations, and count the others by reason.

    seats: number of people in a competitive game; None: any number.
    """
    rows = log.filter((pl.col("game") == game.name) & pl.col("kept"))
    plays, left = [], Counter[str]()
    for _, table in rows.sort("play_id", "row").group_by("play_id", maintain_order=True):
        play = _timed(table.to_dicts(), game, levels, seats)
        if isinstance(play, str):
            left[play] += 1
        else:
            plays.append(play)
    return Timed(tuple(plays), dict(sorted(left.items())))


def _timed(
    table: list[dict[str, Any]], game: Game, levels: Sequence[str], seats: int | None
) -> TimedPlay | str:
    def first(column: str) -> Any:
        return next((seat[column] for seat in table if seat[column] is not None), None)

    level = first("level") or (levels[0] if len(levels) == 1 else None)
    fixed = seats if not game.players_path and (seats or 1) > 1 else None  # one row for a whole play
    players = first("players") or (len(table) if len(table) > 1 else fixed)
    if not first("minutes"):
        return "no minutes"
    if seats is not None and (players or len(table)) != seats:
        return "other number of players"
    if level is None:
        return "level unknown"
    if level not in levels:
        return f"level {level} was not simulated"
    named = sorted({seat["player_key"] for seat in table if seat["player_key"]})
    return TimedPlay(
        first("minutes"),
        (first("rounds") or None) if counts_as(first("rounds_unit"), game) else None,
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
    """Estimate durations. Without enough plays or finished games, the result has no levels.

    turns: maps levels to the turns of simulated games that reached an end. shared: the choices in these
    games, for a game with several seats.
    """
    turns = {level: np.maximum(games, 1.0) for level, games in turns.items() if len(games)}
    plays = [play for play in those.plays if play.level in turns or not turns]
    left = Counter(those.left_out)
    left["at a level whose simulated games do not end"] += len(those.plays) - len(plays)
    if not turns or len(plays) < FEWEST:
        needed = max(FEWEST - len(plays), 0)
        return Minutes(plays=len(plays), needed=needed, left_out=dict(+left), unit=unit, policy=policy)
    told = [play for play in plays if play.turns]
    model: _Model = (_ByTurns if len(told) >= FEWEST and 2 * len(told) >= len(plays) else _ByLevel)(
        plays, turns, seed
    )
    counted = [play for play, used in zip(model.plays, model.fitted.used, strict=True) if used]
    left["with minutes but no turns"] += len(plays) - len(model.plays)
    pace, players = model.pace(counted), model.players
    waits = _waits(model, shared, seed) if shared else Waits()
    return Minutes(
        plays=len(counted),
        needed=0,
        implausible=[
            ImplausiblePlay(minutes=play.minutes, place=play.place)
            for play, used in zip(model.plays, model.fitted.used, strict=True)
            if not used
        ],
        groups=len({play.group for play in counted}),
        unnamed=sum(not play.named for play in counted),
        players=players,
        levels=[_at(model, level, counted, seed) for level in turns],
        by_players=durations.interval(model.fitted.slopes[:, -1]) if model.varies else None,
        games=min(map(len, turns.values())),
        turns=pace.turns,
        turns_from=pace.source or policy,
        per_turn=durations.interval(pace.each),
        per_turn_and_player=durations.interval(pace.each / players) if players else None,
        growth=durations.interval(model.fitted.slopes[:, 1]) if pace.source else None,
        own_turn=waits.own_turn,
        choices=_choices(shared) if shared else None,
        wait=waits.wait,
        longest_wait=waits.longest,
        waiting=waits.share,
        left_out=dict(+left),
        unit=unit,
        policy=policy,
    )


def _at(model: "_Model", level: str, plays: Sequence[TimedPlay], seed: int) -> LevelMinutes:
    length = model.length(level)
    one = model.fitted.one_more(length.one, seed)
    return LevelMinutes(
        level=level,
        plays=sum(play.level == level for play in plays),
        mean=durations.interval(length.mean),
        one_game=durations.interval(one, PREDICTION, ONE_MORE),
    )


def of_skill(log: pl.DataFrame, people: PeopleSkill, seed: int = 1) -> Minutes:
    """Estimate durations of a game with one side.

    Turns come from games of the noisy policy with these people's skill.
    """
    yard = people.yardstick
    noise = min(yard.noises, key=lambda one: abs(one - people.noise.estimate))
    turns = {level: yard.cells[noise, level].turn for level in yard.levels}
    policy = f"{yard.policy} with noise {noise:g}" if noise else yard.policy
    game = yard.question.game
    return estimate(timed(log, game, list(turns)), turns, policy, unit_of(game), None, seed)


def of_match(those: Timed, match: Match, seated: Sequence[str], shared: Shared | None) -> Minutes:
    """Estimate durations of a competitive game. Turns come from games of policies."""
    policy, unit = " vs ".join(dict.fromkeys(seated)), unit_of(match.game)
    turns = {match.scenario.difficulty: shared.turn[shared.winner != TRUNCATED]} if shared else {}
    return estimate(those, turns, policy, unit, shared, match.seed)


class Waits(NamedTuple):
    """A player's own turn and waiting times in minutes, and the share of waiting.

    All are None in a game with one side, where nobody waits.
    """

    own_turn: Interval | None = None
    wait: Interval | None = None
    longest: Interval | None = None
    share: Interval | None = None


class _Length(NamedTuple):
    """Duration of a game at one level."""

    mean: np.ndarray  # [draw]: minutes
    one: np.ndarray  # [draw]: median of log(minutes) of a game with a random number of turns


class _Pace(NamedTuple):
    """Minutes per turn, the usual number of turns, and the source of the turns."""

    each: np.ndarray  # [draw]: minutes
    turns: float  # turns of the typical game
    source: str  # source of the turns: "plays"; "": the policy's games


class _Model:
    """Plays with their minutes and predictors; base class of both models."""

    fitted: Durations

    def __init__(self, plays: Sequence[TimedPlay], turns: Mapping[str, np.ndarray], seed: int):
        self.plays, self.turns, self.seed = plays, turns, seed
        known = [play.players for play in plays if play.players]
        self.players = Counter(known).most_common(1)[0][0] if known else None
        self.varies = len(set(known)) > 1

    def fit(
        self, predictors: list[list[float]], priors: list[Slope], slack: tuple[float, float]
    ) -> Durations:
        """Fit the model, with the number of people as the last predictor if it varies."""
        if self.varies:
            predictors = [
                [*own, self._players(play.players)] for own, play in zip(predictors, self.plays, strict=True)
            ]
            priors = [*priors, MORE_PLAYERS]
        minutes = np.array([play.minutes for play in self.plays])
        groups = [play.group for play in self.plays]
        return durations.fit(minutes, np.array(predictors), groups, priors, self.seed, slack=slack)

    def _players(self, players: int | None) -> float:
        return float(np.log((players or self.players or 1) / (self.players or 1)))

    def at(self, *predictors: float) -> np.ndarray:
        """Return an array [draw]: the median of log(minutes) for the usual number of people."""
        return self.fitted.middle([*predictors, *([0.0] if self.varies else [])])

    def length(self, level: str) -> _Length:
        raise NotImplementedError

    def pace(self, plays: Sequence[TimedPlay]) -> _Pace:
        raise NotImplementedError


class _ByTurns(_Model):
    """Model for plays whose number of turns was recorded."""

    def __init__(self, plays: Sequence[TimedPlay], turns: Mapping[str, np.ndarray], seed: int):
        super().__init__([play for play in plays if play.turns], turns, seed)
        own = np.log([float(play.turns or 1) for play in self.plays])
        self.middle = float(own.mean())
        off = own - self.middle
        self.fitted = self.fit(np.column_stack([off, off**2]).tolist(), [GROWS, BENDS], (0.0, 0.0))

    def length(self, level: str) -> _Length:
        """Return the duration at a level.

        Each draw combines people's turns with the turns of a few simulated games.
        """
        own = [
            play.turns
            for play, used in zip(self.plays, self.fitted.used, strict=True)
            if used and play.level == level
        ]
        random = np.random.default_rng([self.seed, len(own)])
        draws = len(self.fitted.within)
        simulated = random.choice(self.turns[level], (draws, SIMULATED))
        turns = np.hstack([np.tile(np.array(own, float), (draws, 1)), simulated])
        weight = random.dirichlet(np.ones(turns.shape[1]), draws)
        off = np.log(turns) - self.middle
        slopes = self.fitted.slopes
        base = self.at(0.0, 0.0)[:, None]
        middle = base + slopes[:, 1:2] * off + slopes[:, 2:3] * off**2
        one = (weight.cumsum(axis=1) < random.random((draws, 1))).sum(axis=1).clip(0, turns.shape[1] - 1)
        mean = (weight * self.fitted.mean_over(middle)).sum(axis=1)
        return _Length(mean, middle[np.arange(draws), one])

    def pace(self, plays: Sequence[TimedPlay]) -> _Pace:
        turns = float(np.exp(self.middle))
        return _Pace(self.fitted.mean_over(self.at(0.0, 0.0)) / turns, turns, "plays")


class _ByLevel(_Model):
    """Model of the minutes by level. It ignores recorded turns, because too few plays have them."""

    def __init__(self, plays: Sequence[TimedPlay], turns: Mapping[str, np.ndarray], seed: int):
        super().__init__(plays, turns, seed)
        several = len(turns) > 1
        priors = [GROWS, *([OF_LEVEL] * len(turns))] if several else []
        off = np.concatenate([np.log(games / games.mean()) for games in turns.values()])
        low, high = np.quantile(off, [RARE, 1 - RARE])
        self.fitted = self.fit([self._of(play.level) for play in plays], priors, (-float(low), float(high)))

    def _of(self, level: str) -> list[float]:
        if len(self.turns) == 1:
            return []
        return [float(np.log(self.turns[level].mean())), *(float(level == one) for one in self.turns)]

    def length(self, level: str) -> _Length:
        middle = self.at(*self._of(level))
        return _Length(self.fitted.mean_over(middle), middle)

    def pace(self, plays: Sequence[TimedPlay]) -> _Pace:
        share = {
            level: number / len(plays) for level, number in Counter(play.level for play in plays).items()
        }
        turns = float(sum(weight * self.turns[level].mean() for level, weight in share.items()))
        minutes = sum((weight * self.length(level).mean for level, weight in share.items()), np.zeros(1))
        return _Pace(minutes / turns, turns, "")


def _waits(model: _Model, shared: Shared, seed: int) -> Waits:
    """Return waiting times at one level, assuming equal time per choice."""
    (level,) = model.turns
    counts = shared.counts[shared.winner != TRUNCATED].astype(float)
    random = np.random.default_rng([seed, len(counts)])
    shares = np.array(
        [_shares(counts[random.integers(0, len(counts), len(counts))]) for _ in range(RESAMPLINGS)]
    )
    minutes = model.length(level).mean
    drawn = minutes[:, None] * shares[np.arange(len(minutes)) % RESAMPLINGS]
    own, wait = shares[:, 0], shares[:, 1]
    return Waits(*(durations.interval(values) for values in (*drawn.T, wait / (own + wait))))


def _choices(shared: Shared) -> float:
    counts = shared.counts[shared.winner != TRUNCATED]
    return float(counts[:, :, CHOICES].sum() / max(counts[:, :, TURNS].sum(), 1))


def _shares(counts: np.ndarray) -> tuple[float, float, float]:
    """Return three shares of a game's time: a seat's turn, its wait between turns, and its longest wait."""
    choices = counts[:, :, CHOICES].sum(axis=1).mean()
    turns = counts[:, :, TURNS].sum()
    waits = np.maximum(counts[:, :, TURNS] - 1, 0).sum()
    own = counts[:, :, CHOICES].sum() / max(turns, 1)
    return (
        own / choices,
        counts[:, :, WAITED].sum() / max(waits, 1) / choices,
        counts[:, :, LONGEST].mean() / choices,
    )
