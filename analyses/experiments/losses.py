"""When games are lost: the win probability at the start of every turn, from rollouts with new random numbers.

A game is often lost before its end. This module finds the turn from which it could no longer be saved, and
the turn in which the win probability fell most. A probability is a share of rollouts, so it has an interval
(Clopper & Pearson 1934). A position is hopeless if fewer than HOPELESS of its rollouts are won and the
interval excludes DOUBTFUL. The largest of many noisy numbers is biased upward. Therefore, if a turn or
position is selected by one half of its rollouts, it is measured by the other half or by new rollouts. The
shares of turns follow Isaksen and Nealen (2015), who treat the loss of a game as a hazard by turn.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property, reduce
from statistics import median, median_low
from typing import Any

import numpy as np

from bartizan.analyses.document import Document
from bartizan.analyses.records.outcomes import UNKNOWN, LossCause, TurnHazard, losses_of
from bartizan.analyses.records.tally import (
    NOBODY,
    TRUNCATED,
    CellGames,
    Tally,
    added,
    cause_column,
    cause_labels,
    count,
    is_truncated,
    tally,
)
from bartizan.analyses.statistics.intervals import (
    Interval,
    clopper_pearson,
    equal_values,
    mean_of,
    proportion,
    with_truncated,
)
from bartizan.simcore.arrays import Floats
from bartizan.simcore.play.batch import Source, Stretch
from bartizan.simcore.play.match import Jobs, Match, chunks_of
from bartizan.simcore.play.rollouts import NO_TURN, RolledOut, Rollouts
from bartizan.simcore.reporting import CONFIDENCE
from bartizan.simcore.sweep.manifest import frame_of, games_of
from bartizan.simcore.sweep.shards import SHARD_GAMES

HOPELESS, DOUBTFUL = 0.05, 0.10
MISTAKEN = 0.005  # probability that the rollouts prove something wrong about a position
POINTS = 0.05
METHOD = (
    "discrete hazard by turn with competing causes (Isaksen & Nealen 2015); win probability at a turn's "
    "first decision: share of rollouts with new random numbers and the same policies, Clopper-Pearson; "
    "hopeless: below 5 % of the rollouts won, upper limit below 10 %, at this turn and "
    "every later one, with bounds over undecided games; decisive turn: the "
    "largest drop between two turn starts, "
    "its size from the held-out half of the rollouts; chosen games: new rollouts"
)


# ---------------------------------------------------------------- one game


@dataclass(frozen=True)
class Moment:
    """The position at the first decision of a turn, and the results of its rollouts."""

    turn: int
    rollouts: int
    won: int
    capped: int  # truncated rollouts

    @property
    def interval(self) -> Interval:
        return chance(self.won, self.capped, self.rollouts)

    @property
    def chance(self) -> float:
        return (self.won + self.capped / 2) / self.rollouts

    @property
    def is_hopeless(self) -> bool:
        return self.chance < HOPELESS and self.interval.high < DOUBTFUL

    @property
    def is_proven_hopeless(self) -> bool:
        """Whether the win probability is significantly below HOPELESS (error rate at most MISTAKEN)."""
        return self._sure(MISTAKEN).high < HOPELESS

    def is_proven_hope(self, mistaken: float) -> bool:
        """Return whether the win probability is significantly at or above HOPELESS.

        mistaken: maximum error rate.
        """
        return self._sure(mistaken).low >= HOPELESS

    def _sure(self, mistaken: float) -> Interval:
        return chance(self.won, self.capped, self.rollouts, 1 - 2 * mistaken)


@cache
def chance(won: int, truncated: int, rollouts: int, confidence: float = CONFIDENCE) -> Interval:
    return with_truncated(won, truncated, rollouts, confidence, method=clopper_pearson)


@dataclass(frozen=True)
class Story:
    """One game of the pilot from the point of view of a seat.

    `halves` contains its positions for each half of the rollouts.
    """

    game: int
    winner: int
    last_turn: int
    cause: str
    moments: tuple[Moment, ...]
    halves: tuple[tuple[Moment, ...], tuple[Moment, ...]]

    @cached_property
    def hopeless_from(self) -> int | None:
        """First turn from which every position is hopeless.

        None if the last turn does not begin in a hopeless position.
        """
        since = None
        for moment in reversed(self.moments):
            if not moment.is_hopeless:
                break
            since = moment.turn
        return since

    def is_hopeless_by(self, turn: int) -> tuple[bool, bool, bool]:
        """Return three judgements of all positions from this turn on.

        They are: all are classified as hopeless; all are proven hopeless; none is proven not to be hopeless.
        """
        since = max((i for i, moment in enumerate(self.moments) if moment.turn <= turn), default=None)
        if since is None:
            return False, False, False
        left = self.moments[since:]
        return (
            all(moment.is_hopeless for moment in left),
            all(moment.is_proven_hopeless for moment in left),
            not any(moment.is_proven_hope(MISTAKEN / len(left)) for moment in left),
        )

    @property
    def turns_in_vain(self) -> int:
        """Number of turns from `hopeless_from` to the end of the game."""
        return 0 if self.hopeless_from is None else self.last_turn - self.hopeless_from + 1

    @cached_property
    def decisive(self) -> int:
        """Index of the position after which the win probability fell most.

        The end of the game counts as 0.
        """
        return int(np.argmax(drops(self.moments)))

    @property
    def decisive_turn(self) -> int:
        """Turn in which the win probability fell most; in a game without a decision, its last turn."""
        return self.moments[self.decisive].turn if self.moments else self.last_turn

    @cached_property
    def drop(self) -> float:
        """Size of the largest fall of the win probability.

        Each half of the rollouts selects a turn, and the other half measures the fall there.
        """
        first, second = (drops(half) for half in self.halves)
        return float(second[np.argmax(first)] + first[np.argmax(second)]) / 2

    @property
    def best(self) -> Moment:
        return max(self.moments, key=lambda moment: moment.chance)

    @property
    def worst(self) -> Moment:
        return min(self.moments, key=lambda moment: moment.chance)


def drops(moments: Sequence[Moment], end: float = 0.0) -> Floats:
    """Return the fall of the win probability after each position. end: the value at the end of the game."""
    chances = np.array([*(moment.chance for moment in moments), end])
    fallen: Floats = chances[:-1] - chances[1:]
    return fallen


class TurnStart(Document):
    """Win probability at the first decision of a turn."""

    turn: int
    chance: Interval


class GameChances(Document):
    """Win probability of a seat through one game, and its decisive turn."""

    role: str
    is_won: bool
    turn_name: str = "turn"  # the game's word for the unit that `turn` counts
    rollouts: int  # rollouts per turn
    turns: list[TurnStart]
    decisive_turn: int  # turn after whose start the probability moved most towards the result
    # size of that change: each half of the rollouts selects a turn, and the other half measures it
    moved: float
    untold: str = ""  # information about hidden cards that the rules reveal but the rollouts do not use
    method: str = "share of rollouts with new random numbers and the same policies, Clopper-Pearson"


def game_chances(match: Match, game: int, rollouts: int) -> GameChances:
    """Return the win probabilities of the seat that won the game or, if no seat won, of the first seat.

    rollouts: number of rollouts from the start of each turn.
    """
    half = rollouts // 2
    futures = Rollouts(match, half)
    played = [next(iter(futures.play(range(game, game + 1), first_branch=first))) for first in (0, half)]
    winner = int(played[0].rows[0]["winner"])
    seat, end = (winner, 1.0) if winner >= 0 else (0, 0.0)
    turns = [int(turn) for turn in played[0].turns[0] if turn != NO_TURN]
    halves = [tuple(_moments(turns, part.wins[0], seat, half)) for part in played]
    both = tuple(_moments(turns, played[0].wins[0] + played[1].wins[0], seat, 2 * half))
    towards = -1 if end else 1
    first, second = (towards * drops(moments, end) for moments in halves)
    return GameChances(
        role=match.game.roles_in(match.scenario)[seat],
        is_won=bool(end),
        turn_name=match.game.turn_name,
        untold=match.engine.followed().untold,
        rollouts=2 * half,
        turns=[TurnStart(turn=moment.turn, chance=moment.interval) for moment in both],
        decisive_turn=both[int(np.argmax(towards * drops(both, end)))].turn,
        moved=-towards * float(second[np.argmax(first)] + first[np.argmax(second)]) / 2,
    )


# ---------------------------------------------------------------- many games


class TurnLosses(Document):
    """Losses in one turn, as a share of the games that reach it."""

    turn: int
    alive: int  # recorded games
    lost: int  # games lost in this turn
    capped: int = 0  # games truncated in this turn; missing in JSON of early versions
    hazard: Interval
    causes: dict[str, int]  # cause -> games lost in this turn by it
    win_if_alive: Interval  # share of the games that reach this turn
    # share of the pilot's lost games that were hopeless by this turn; None: no game was lost
    hopeless_by: Interval | None
    decisive: int  # lost games of the pilot whose win probability fell most in this turn


class TurnChance(Document):
    """Win probability at the start of a turn."""

    turn: int
    chance: float


class NextTurn(Document):
    """Win probability at the start of the next turn."""

    turn: int
    estimate: float
    low: float
    high: float
    level: float
    method: str

    @property
    def chance(self) -> Interval:
        return Interval(self.estimate, self.low, self.high, self.level, self.method)


class ChosenGame(Document):
    """A game selected as an example, and the position to show."""

    kind: str  # typical, cruel, comeback
    game: int
    winner: int
    last_turn: int
    cause: str
    turn: int
    chance: Interval  # estimated by the rollouts that selected it
    chance_fresh: Interval  # estimated by new rollouts
    next_turn_fresh: NextTurn | None  # None: no decision followed
    chances: list[TurnChance]
    trace: str = ""  # command that shows the game


class PilotGames(Document):
    """Games with rollouts from every turn."""

    games: int
    lost: int
    won: int
    rollouts: int  # rollouts per position
    # truncated rollouts of all positions, each counted as half a win; missing in JSON of early versions
    capped: int = 0
    # at the first decision; it should agree with the win rate of the records
    win_rate_by_rollouts: Interval | None
    piles: str


class Hopeless(Document):
    """Turns at which lost games become hopeless.

    never: share of the lost games whose last turn does not begin in a hopeless position.
    median_turns_in_vain: median number of turns from the first hopeless one to the end, over the lost games.
    """

    never: Interval | None
    median_turns_in_vain: int | float | None


class Decisive(Document):
    """Turn and size of the largest fall of the win probability in lost games."""

    median_turn: int | None
    mean_drop: float | None  # over the lost games with a decision


class LossAnalysis(Document):
    """When and how one seat loses its games: hazard, win probabilities by turn, and selected games."""

    seat: str
    games: int
    lost: int
    capped: int = 0  # truncated games; missing in JSON of early versions
    win_rate: Interval | None
    pilot: PilotGames
    hopeless: Hopeless
    decisive: Decisive
    causes: list[LossCause]
    turns: list[TurnLosses]
    chosen: list[ChosenGame]
    method: str = METHOD


def is_lost(story: Story, seat: int) -> bool:
    return story.winner not in (seat, NOBODY, TRUNCATED)


def counted(source: Source, match: Match, games: int) -> Tally:
    """Simulate games and return the counts of their results.

    Games are counted chunk by chunk, so that memory does not grow with their number.
    """
    cell, batch = games_of(match), source.ready(match)
    played = source.play(Stretch(batch, *chunk) for chunk in chunks_of(range(games), SHARD_GAMES))
    return reduce(added, (tally(frame_of(rows, match.engine).lazy(), cell) for _, rows in played))


def analyze(
    games: Tally,
    futures: Rollouts,
    pilot: int,
    seat: int = 0,
    jobs: Jobs = 1,
    watch: Callable[[Iterable[Any]], Iterable[Any]] = iter,
) -> LossAnalysis:
    """Analyse the losses of one seat.

    games: counts of games of the match. futures: rollouts of the same match; `futures.rollouts` is half of
    the number per position. watch: iterates over the chunks of the pilot, to report progress.
    """
    cell = games_of(futures.match)
    other = futures.play(range(pilot), jobs, first_branch=futures.rollouts)
    halves = zip(futures.play(range(pilot), jobs), other, strict=True)
    stories = tuple(
        story for pair in watch(halves) for story in stories_of(pair, cell, seat, futures.rollouts)
    )
    lost = [story for story in stories if is_lost(story, seat)]
    falls = [story.drop for story in lost if story.moments]
    losses = losses_of(games, cell, seat=seat)
    turns = [_turn(hazard, lost, losses.turns[0].turn) for hazard in losses.turns]
    return LossAnalysis(
        seat=futures.match.game.roles[seat],
        games=games.games,
        lost=losses.lost,
        capped=count(games.outcomes, is_truncated()),
        win_rate=turns[0].win_if_alive if turns else None,
        pilot=_pilot(stories, lost, seat, futures),
        hopeless=Hopeless(
            never=hopeless_share(lost, [story.last_turn for story in lost], never=True),
            median_turns_in_vain=median(story.turns_in_vain for story in lost) if lost else None,
        ),
        decisive=Decisive(
            median_turn=median_low(story.decisive_turn for story in lost) if lost else None,
            mean_drop=float(np.mean(falls)) if falls else None,
        ),
        causes=list(losses.causes),
        turns=turns,
        chosen=list(choose(stories, seat, futures, jobs)),
    )


def hopeless_share(lost: Sequence[Story], turns: Sequence[int], never: bool = False) -> Interval | None:
    """Return the share of the lost games that are hopeless by a given turn; None without lost games.

    turns: the turn for each game. never: return the share that never becomes hopeless instead.

    The interval includes the sampling error of the games and of the rollouts: from the lower limit of the
    proven share to the upper limit of the share that is not disproven, widened by MISTAKEN on both sides.
    """
    if not lost:
        return None
    found = np.array([story.is_hopeless_by(turn) for story, turn in zip(lost, turns, strict=True)])
    share, least, most = found.sum(axis=0).tolist()
    if never:
        share, least, most = (len(lost) - n for n in (share, most, least))
    low, high = proportion(least, len(lost)), proportion(most, len(lost))
    method = " / ".join(dict.fromkeys((low.method, high.method)))
    return Interval(
        share / len(lost),
        max(low.low - MISTAKEN, 0.0),
        min(high.high + MISTAKEN, 1.0),
        CONFIDENCE,
        f"{method}, with {most - least} undecided games",
    )


def _pilot(stories: Sequence[Story], lost: Sequence[Story], seat: int, futures: Rollouts) -> PilotGames:
    firsts = [story.moments[0] if story.moments else _ended(story, seat) for story in stories]
    engine = futures.match.engine.followed()
    piles = "reshuffled for each rollout" if engine.shuffle_unseen else "as they are in the game"
    piles = "redealt by the engine" if engine.live else piles
    return PilotGames(
        games=len(stories),
        lost=len(lost),
        won=sum(story.winner == seat for story in stories),
        rollouts=2 * futures.rollouts,
        capped=sum(moment.capped for story in stories for moment in story.moments),
        win_rate_by_rollouts=_mean_chance(firsts),
        piles="; ".join(filter(None, [piles, engine.untold])),
    )


def _ended(story: Story, seat: int) -> Moment:
    """Return the result of a game without a decision as a position with one rollout."""
    return Moment(story.last_turn, 1, int(story.winner == seat), int(story.winner == TRUNCATED))


def _mean_chance(firsts: Sequence[Moment]) -> Interval | None:
    """Return the mean win probability of positions; with truncated rollouts, bounds on it."""
    ends = [_mean_of([(one.won + more * one.capped) / one.rollouts for one in firsts]) for more in (0, 1)]
    least, most = ends
    truncated = sum(one.capped for one in firsts)
    if not (least and most and truncated):
        return least
    methods = " / ".join(dict.fromkeys((least.method, most.method)))
    method = f"{methods}, bounds over {truncated} truncated rollouts"
    return Interval((least.estimate + most.estimate) / 2, least.low, most.high, CONFIDENCE, method)


def _mean_of(chances: Sequence[float]) -> Interval | None:
    found = mean_of(chances)
    if found.mean is not None and found.is_equal:
        return equal_values(found.mean, found.n, found.mean, 1 - found.mean)
    interval = found.interval()
    return interval and replace(interval, low=max(interval.low, 0.0), high=min(interval.high, 1.0))


def stories_of(
    halves: tuple[RolledOut, RolledOut], cell: CellGames, seat: int, rollouts: int
) -> Iterator[Story]:
    """Yield the games of a chunk from the point of view of a seat."""
    first, second = halves
    column, labels = cause_column(cell), cause_labels(cell)
    for index, row in enumerate(first.rows):
        turns = [int(turn) for turn in first.turns[index] if turn != NO_TURN]
        one, other = (tuple(_moments(turns, half.wins[index], seat, rollouts)) for half in halves)
        both = tuple(_moments(turns, first.wins[index] + second.wins[index], seat, 2 * rollouts))
        cause = labels.get(str(row[column]), UNKNOWN)
        game, winner, last_turn = first.first_game + index, int(row["winner"]), int(row["turn"])
        yield Story(game, winner, last_turn, cause, both, (one, other))


def _moments(turns: Sequence[int], wins: np.ndarray, seat: int, rollouts: int) -> Iterator[Moment]:
    for turn, outcomes in zip(turns, wins, strict=False):
        yield Moment(turn, rollouts, int(outcomes[seat]), int(outcomes[-1]))


def _turn(hazard: TurnHazard, lost: Sequence[Story], first: int) -> TurnLosses:
    """Return the losses of a turn. first: number of the first turn, which includes the set-up."""
    return TurnLosses(
        turn=hazard.turn,
        alive=hazard.at_risk,
        lost=hazard.lost,
        capped=hazard.capped,
        hazard=hazard.hazard,
        causes=hazard.causes,
        win_if_alive=hazard.win_if_alive,
        hopeless_by=hopeless_share(lost, [hazard.turn] * len(lost)),
        decisive=sum(max(story.decisive_turn, first) == hazard.turn for story in lost),
    )


# ------------------------------------------------------------------------ selected games


def choose(stories: Sequence[Story], seat: int, futures: Rollouts, jobs: Jobs = 1) -> Iterator[ChosenGame]:
    """Yield up to three examples with new rollouts.

    They are a typical loss, the loss with the highest win probability at any turn, and the win with the
    lowest win probability at any turn.
    """
    lost = [story for story in stories if is_lost(story, seat) and story.moments]
    won = [story for story in stories if story.winner == seat and story.moments]
    if lost:
        usual = typical(lost)
        yield _again("typical", usual, usual.decisive, seat, futures, jobs)
        cruel = max(lost, key=lambda story: (story.best.chance, -story.game))
        yield _again("cruel", cruel, cruel.moments.index(cruel.best), seat, futures, jobs)
    if won:
        comeback = min(won, key=lambda story: (story.worst.chance, story.game))
        yield _again("comeback", comeback, comeback.moments.index(comeback.worst), seat, futures, jobs)


def typical(lost: Sequence[Story]) -> Story:
    """Return the loss with the most frequent cause that is most typical.

    It is nearest to the medians of last turn, decisive turn and fall.

    A difference of POINTS in the fall counts as one turn.
    """
    causes = [story.cause for story in lost]
    common = max(dict.fromkeys(causes), key=causes.count)
    same = [story for story in lost if story.cause == common]
    last = median_low(story.last_turn for story in lost)
    decisive = median_low(story.decisive_turn for story in lost)
    fall = median(story.drop for story in lost)

    def off(story: Story) -> tuple[float, int]:
        turns = abs(story.last_turn - last) + abs(story.decisive_turn - decisive)
        return turns + abs(story.drop - fall) / POINTS, story.game

    return min(same, key=off)


def _again(kind: str, story: Story, index: int, seat: int, futures: Rollouts, jobs: Jobs) -> ChosenGame:
    """Return the same game with new rollouts of its positions, on unused random numbers."""
    rollouts = 2 * futures.rollouts
    game = range(story.game, story.game + 1)
    (played,) = Rollouts(futures.match, rollouts).play(game, jobs, first_branch=rollouts)
    turns = [moment.turn for moment in story.moments]
    fresh, *after = tuple(_moments(turns, played.wins[0], seat, rollouts))[index : index + 2]
    return ChosenGame(
        kind=kind,
        game=story.game,
        winner=story.winner,
        last_turn=story.last_turn,
        cause=story.cause,
        turn=story.moments[index].turn,
        chance=story.moments[index].interval,
        chance_fresh=fresh.interval,
        next_turn_fresh=NextTurn(turn=after[0].turn, **after[0].interval.to_dict()) if after else None,
        chances=[TurnChance(turn=moment.turn, chance=moment.chance) for moment in story.moments],
    )
