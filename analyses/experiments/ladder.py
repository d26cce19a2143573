"""Places of policies and difficulty levels on one scale, with the steps between levels.

The result also contains the cells that do not fit the scale.

There are three kinds of ladder, depending on the seats of a game. With one seat, policies play against levels
(Rasch). With two roles, policies of the first role play against policies of the second role, at each level.
With identical seats, every two policies play against each other in rotated seats (Bradley & Terry 1952). With
more than two such seats, one policy plays among copies of the other. In Luce's model (1959), this gives the
same difference of two skills. The scale is in `analyses.statistics.rasch`.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise, permutations, product
from math import log

import numpy as np
import polars as pl

from bartizan.analyses.document import Document, keyed
from bartizan.analyses.statistics import rasch, special
from bartizan.analyses.statistics.intervals import FEW, Interval, with_truncated
from bartizan.analyses.statistics.paired import Measure, compare
from bartizan.analyses.statistics.rasch import Contest, Entity, Fit, fit
from bartizan.analyses.statistics.testing import ALPHA, holm
from bartizan.simcore.arrays import Floats
from bartizan.simcore.compile.rules import TRUNCATED
from bartizan.simcore.game import Game, around
from bartizan.simcore.play.batch import Source, Stretch
from bartizan.simcore.play.match import Match, Player
from bartizan.simcore.scenario.loading import Scenario

POLICY, OPPONENT, LEVEL, SEAT = "policy", "opponent", "level", "seat"


@dataclass(frozen=True, eq=False)
class LadderExperiment:
    """The design of a ladder.

    sides: the policies of the first role and, if roles differ, of the second, by their names on the ladder.
    """

    game: Game
    # level -> scenario, easiest first; a single one if the game has no levels
    scenarios: Mapping[str, Scenario]
    sides: tuple[Mapping[str, Player], ...]
    anchors: tuple[Entity, ...]  # candidates for 0 on the scale, in order of preference
    games: int  # games per cell
    seed: int

    @property
    def has_rivals(self) -> bool:
        """Whether the policies play against each other in identical seats."""
        return self.game.has_rivals(next(iter(self.scenarios.values())))


class WinsOfEnds(Document):
    """The share of wins at the easier and at the harder level."""

    from_: Interval = keyed("from")
    to: Interval


class DifficultyStep(Document):
    """Effect of the step from one level to the next on the wins of one policy."""

    policy: str
    points: Interval  # effect of the step on the share of wins, paired game by game
    shares: WinsOfEnds
    n: int
    pairing_factor: float | None
    logits: Interval | None  # logits lost; None if a cell has fewer than 10 wins or losses


class Rise(Document):
    """Step from one level to the next on the scale, over all policies."""

    from_: str = keyed("from")
    to: str
    logits: Interval | None  # on the common scale; None if a level is not on it
    even: bool | None = None  # whether it may be the same for all policies; None: too few policies to test
    # test that it is the same for all policies: Hotelling's T-squared of the steps in logits
    p_even: float | None
    p_even_adjusted: float | None = None  # adjusted for all rises (Holm 1979)
    policies: list[DifficultyStep]  # without policies whose games at a level are all truncated


class Neighbours(Document):
    """Two adjacent policies on the ladder."""

    stronger: str
    weaker: str
    difference: Interval  # logits
    p: float
    p_adjusted: float = 1.0  # adjusted for all neighbours (Holm 1979)
    told_apart: bool = False


class Meeting(Document):
    """A cell, and the result that the scale predicts for it."""

    of: dict[str, str] | list[str]  # kind -> name; only names if both are of the same kind
    seat: str | None = None  # seat of the first policy; None: the cell is not of one seat
    games: int
    capped: int
    share: Interval
    expected: float | None  # None: a policy or level of the cell is not on the scale
    z: float | None  # residual in standard errors
    misfit: bool = False  # whether the scale does not fit this cell (Holm over all cells)


class Reversal(Document):
    """Two policies of which the weaker on the scale wins their direct games."""

    stronger: str
    weaker: str
    difference: Interval  # logits by which `weaker` is stronger in the games of these two
    p_adjusted: float  # adjusted for all pairs of policies, and for the other tests of the ladder


class LevelPlace(Document):
    """A difficulty level, and its place on the scale in logits."""

    level: str
    logits: Interval


@dataclass(frozen=True)
class Ladder:
    fit: Fit
    meetings: tuple[Meeting, ...]
    rises: tuple[Rise, ...]
    neighbours: tuple[Neighbours, ...]
    # test that one scale fits, adjusted for the other tests of the ladder; None: not tested
    p_fit: float | None
    reversals: tuple[Reversal, ...] = ()

    def places(self, kind: str) -> list[tuple[str, Interval]]:
        """Return (name, place in logits) for all entities of a kind, lowest first."""
        places = [(name, self.fit.interval((of, name))) for of, name in self.fit.entities if of == kind]
        return sorted(places, key=lambda place: place[1].estimate)

    @property
    def misfits(self) -> list[Meeting]:
        return [meeting for meeting in self.meetings if meeting.misfit]


def analyze(
    cells: Sequence[Contest], anchors: Sequence[Entity], levels: Sequence[str] = (), seed: int = 1
) -> Ladder:
    """Compute the ladder from simulated games. levels: difficulty levels, easiest first."""
    scale = fit(cells, anchors, seed)
    rises, neighbours = list(_rises(cells, scale, levels, seed)), list(_neighbours(scale))
    even = [rise.p_even for rise in rises if rise.p_even is not None]
    # tests: is a policy above the previous one, is a step equal for all policies, does one scale fit
    meetings = list(_meetings(cells, scale))
    # cells are tested only if the scale does not fit, so they share its part of the 5 %
    is_fit_asked = scale.p is not None or any(one.z is not None for one in meetings)
    families = bool(neighbours) + bool(even) + is_fit_asked
    p_fit = None if scale.p is None else min(scale.p * families, 1.0)
    odd = holm([1.0 if one.z is None else 2 * float(special.ndtr(-abs(one.z))) for one in meetings], families)
    return Ladder(
        scale,
        tuple(
            one.model_copy(update={"misfit": p < ALPHA and (p_fit is None or p_fit < ALPHA)})
            for one, p in zip(meetings, odd, strict=True)
        ),
        tuple(_with_adjusted(rises, holm(even, families))),
        tuple(_told_apart(neighbours, families)),
        p_fit,
        # as the cells, tested only if the scale does not fit
        () if p_fit is None or p_fit >= ALPHA else tuple(_reversals(cells, scale, families, seed)),
    )


# --------------------------------------------------------------- results of a fit


def _meetings(cells: Sequence[Contest], scale: Fit) -> Iterator[Meeting]:
    scores = scale.scores
    for cell in cells:
        index = next((i for i, other in enumerate(scale.cells) if other is cell), None)
        score = None if index is None or np.isnan(scores[index]) else float(scores[index])
        entities = [entity for entity in cell.terms if entity[0] != SEAT]
        is_named_by_kind = len({kind for kind, _ in entities}) == len(entities)
        yield Meeting(
            of=dict(entities) if is_named_by_kind else [name for _, name in entities],
            seat=next((name for kind, name in cell.terms if kind == SEAT), None),
            games=cell.games,
            capped=len(cell.won) - cell.games,
            share=share_of(cell),
            expected=None if index is None else float(scale.expected[index]),
            z=score,
        )


def share_of(cell: Contest) -> Interval:
    """Return the share of wins of a cell, with its interval.

    If draws count as part of a win, the interval is Wilson's for the sum of wins and shared draws. This
    interval is conservative, because the variance of the sum is not larger.
    """
    return with_truncated(cell.wins, len(cell.won) - cell.games, len(cell.won))


def _rises(cells: Sequence[Contest], scale: Fit, levels: Sequence[str], seed: int) -> Iterator[Rise]:
    yield from (_rise(cells, scale, *pair, seed) for pair in pairwise(levels))


def _with_adjusted(rises: Sequence[Rise], adjusted: Sequence[float]) -> Iterator[Rise]:
    """Yield the rises with their adjusted p. adjusted: adjusted p of each rise with a p."""
    following = iter(adjusted)
    for rise in rises:
        p = None if rise.p_even is None else next(following)
        yield rise.model_copy(update={"p_even_adjusted": p, "even": None if p is None else p >= ALPHA})


def _rise(cells: Sequence[Contest], scale: Fit, easier: str, harder: str, seed: int) -> Rise:
    ends = [(LEVEL, easier), (LEVEL, harder)]
    policies = list(dict.fromkeys(name for cell in cells for kind, name in cell.terms if kind == POLICY))
    pairs = {
        policy: (_with(cells, (POLICY, policy), ends[0]), _with(cells, (POLICY, policy), ends[1]))
        for policy in policies
    }
    lost = {policy: step for policy, pair in pairs.items() if (step := _lost(*pair, seed)) is not None}
    steps = [step for policy, pair in pairs.items() for step in _step(policy, *pair, lost.get(policy))]
    common = scale.interval(ends[1], ends[0]) if set(ends) <= set(scale.entities) else None
    p = None
    if len(lost) > 1:  # compare each policy's step with the mean of all
        apart = np.array(list(lost.values())) - np.mean(list(lost.values()), axis=0)
        blocks = min(len(cells[0].won), rasch.BLOCKS)
        p = rasch.hotelling_t2(apart[:, 0], apart[:, 1:].T, len(lost) - 1, blocks)[2]
    return Rise(from_=easier, to=harder, logits=common, p_even=p, policies=steps)


def _step(
    policy: str, easier: Sequence[Contest], harder: Sequence[Contest], lost: np.ndarray | None
) -> Iterator[DifficultyStep]:
    """Yield the step of a policy; nothing if no game number ended at both levels."""
    wins = Measure("policy", "wins", pl.col("won"), pl.col("won"), (0.0, 1.0))
    # effect of the step on the share of wins over all opponents, per game number
    for points in compare(_wins(easier), _wins(harder), [wins]):
        yield DifficultyStep(
            policy=policy,
            points=points.difference.interval,
            shares=WinsOfEnds(from_=points.base.interval, to=points.changed.interval),
            n=points.n,
            pairing_factor=points.factor,
            logits=None if lost is None else rasch.percentile(lost[0], lost[1:]),
        )


def _with(cells: Sequence[Contest], *entities: Entity) -> list[Contest]:
    return [cell for cell in cells if set(entities) <= set(cell.terms)]


def _wins(cells: Sequence[Contest]) -> pl.LazyFrame:
    """Return the mean share won for each game number; null if one of its games was truncated."""
    won = np.mean([cell.won for cell in cells], axis=0)
    return pl.LazyFrame({"game": np.arange(len(won)), "won": won}).fill_nan(None)


def _lost(easier: Sequence[Contest], harder: Sequence[Contest], seed: int) -> np.ndarray | None:
    """Return the step in logits, averaged over opponents: float64 [1 + replicate].

    Element 0 is for the simulated games, all others for resampled games.

    Half a win is added on each side (Haldane 1956). Returns None if a cell has fewer than FEW wins or losses.
    """
    before, after = _logits(easier, seed), _logits(harder, seed)
    return None if before is None or after is None else before - after


def _logits(cells: Sequence[Contest], seed: int) -> Floats | None:
    if any(min(cell.wins, cell.games - cell.wins) < FEW for cell in cells):
        return None
    wins, games = rasch.blocked(cells)
    weights = rasch.resampling(wins.shape[1], rasch.REPLICATES, seed)
    wins, games = (np.vstack([of.sum(axis=1), weights @ of.T]) for of in (wins, games))
    means: Floats = np.log((wins + 0.5) / (games - wins + 0.5)).mean(axis=1)
    return means


def _neighbours(scale: Fit) -> Iterator[Neighbours]:
    for kind in (POLICY, OPPONENT):
        mine = sorted((entity for entity in scale.entities if entity[0] == kind), key=scale.value)
        for weaker, stronger in pairwise(mine):
            difference = scale.interval(stronger, weaker)
            spread = float((scale.resampled(stronger) - scale.resampled(weaker)).std(ddof=1))
            p = 2 * float(special.ndtr(-difference.estimate / spread)) if spread else 1.0
            yield Neighbours(stronger=stronger[1], weaker=weaker[1], difference=difference, p=p)


def _told_apart(rows: Sequence[Neighbours], families: int) -> Iterator[Neighbours]:
    for row, p in zip(rows, holm([row.p for row in rows], families), strict=True):
        yield row.model_copy(update={"p_adjusted": p, "told_apart": p < ALPHA})


def _reversals(cells: Sequence[Contest], scale: Fit, families: int, seed: int) -> Iterator[Reversal]:
    """Yield the pairs whose direct games contradict the scale.

    Pairs that play in different seats are left out, because the effects of their seats do not cancel.
    """
    mine = sorted((entity for entity in scale.entities if entity[0] == POLICY), key=scale.value)
    found = []
    for weaker, stronger in combinations(mine, 2):
        sides = [
            [cell for cell in cells if cell.terms.get(one) == 1.0 and cell.terms.get(other) == -1.0]
            for one, other in ((weaker, stronger), (stronger, weaker))
        ]
        is_even = all(sides) and _seats_of(sides[0]) == _seats_of(sides[1])
        lead = _lost(sides[0], sides[1], seed) if is_even else None
        if lead is None or not (spread := float(lead[1:].std(ddof=1))):
            continue
        pair = stronger[1], weaker[1], rasch.percentile(lead[0] / 2, lead[1:] / 2)
        found.append((pair, 2 * float(special.ndtr(-abs(lead[0]) / spread))))
    for (pair, _), p in zip(found, holm([p for _, p in found], families), strict=True):
        above, below, difference = pair
        if p < ALPHA and difference.estimate > 0:
            yield Reversal(stronger=above, weaker=below, difference=difference, p_adjusted=p)


def _seats_of(cells: Sequence[Contest]) -> dict[str, float]:
    """Return the mean sign of each seat in the terms of the cells, without seats whose signs cancel."""
    shares: dict[str, float] = {}
    for cell in cells:
        for (kind, name), sign in cell.terms.items():
            if kind == SEAT:
                shares[name] = shares.get(name, 0.0) + sign / len(cells)
    return {name: round(share, 9) for name, share in shares.items() if abs(share) > 1e-9}


# ---------------------------------------------------------------- playing


@dataclass(frozen=True, eq=False)
class Pairing:
    """A pairing of the ladder before its simulation: the match, and the seat whose wins count."""

    terms: dict[Entity, float]
    match: Match
    seat: int = 0  # seat whose wins count
    draw: float = 0.0  # value of a draw
    offset: float = 0.0

    def contest(self, rows: np.ndarray) -> Contest:
        """Return the results of the pairing for the fit of the scale. Truncated games are nan."""
        winner = rows["winner"]
        won = np.where(winner == self.seat, 1.0, np.where(winner < 0, self.draw, 0.0))
        return Contest(self.terms, np.where(winner == TRUNCATED, np.nan, won), self.offset)


WON_BYTES = 8  # bytes per game of a cell; all games stay in memory


def pairings_of(question: LadderExperiment) -> list[Pairing]:
    """Return every pairing of the ladder. The module describes the kinds of ladder."""
    return list((_around_the_table if question.has_rivals else _against_levels)(question))


def play(question: LadderExperiment, source: Source) -> Iterator[tuple[Pairing, np.ndarray]]:
    """Simulate every cell on common random numbers, and yield (pairing, rows) pairs as they are finished.

    Game number g has the same random numbers in all cells.
    """
    pairings = pairings_of(question)
    stretches = [
        Stretch(
            source.ready(pairing.match),
            range(question.games),
            name=" ".join(name for _, name in pairing.terms),
            seat=pairing.seat,
            key=pairing,
        )
        for pairing in pairings
    ]
    source.expect(question.games * len(pairings), stretches)
    return ((stretch.key, rows) for stretch, rows in source.play(stretches))


def _against_levels(question: LadderExperiment) -> Iterator[Pairing]:
    """Yield each line-up at each level. A draw is not a win for the first role, as in `compare`."""
    several = len(question.scenarios) > 1
    for names, (level, scenario) in product(product(*question.sides), question.scenarios.items()):
        players = tuple(side[name] for side, name in zip(question.sides, names, strict=True))
        terms = {
            (kind, name): sign
            for kind, name, sign in zip((POLICY, OPPONENT), names, (1.0, -1.0), strict=False)
        }
        at_level = {(LEVEL, level): -1.0} if several else {}
        yield Pairing(terms | at_level, Match(question.game, scenario, players, question.seed))


def _around_the_table(question: LadderExperiment) -> Iterator[Pairing]:
    """Yield the pairings of every two policies, with each of them in every seat.

    With two seats, one game has both policies; with more, one policy plays among copies of the other. A draw
    is shared by all seats.
    """
    (scenario,), (players,) = question.scenarios.values(), question.sides
    seats = len(question.game.roles_in(scenario))
    # (first policy, second policy, seating, seat whose wins count)
    tables: list[tuple[str, str, tuple[str, ...], int]]
    if seats == 2:
        both_ways = (turned for two in combinations(players, 2) for turned, _ in around(two))
        tables = [(mine, theirs, (mine, theirs), 0) for mine, theirs in both_ways]
    else:
        tables = [
            (mine, theirs, *turned)
            for mine, theirs in permutations(players, 2)
            for turned in around((mine, *[theirs] * (seats - 1)))
        ]
    for mine, theirs, names, seat in tables:
        terms = {(POLICY, mine): 1.0, (POLICY, theirs): -1.0, (SEAT, question.game.roles[seat]): 1.0}
        match = Match(question.game, scenario, tuple(players[name] for name in names), question.seed)
        yield Pairing(terms, match, seat, question.game.draw_in(scenario), -log(seats - 1))
