"""Skill of people on the policies' scale, from the log of plays and simulated games.

Assumptions (docs/adr/0009-people-and-newcomers.md): a play of a solo or cooperative game is one observation
of the group, whose skill is the mean of its named members. All plays without names in one file count as plays
of one tester, which is conservative. A draw is not a win. Unknown values are left out and counted.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cache, cached_property, partial
from itertools import product
from typing import Any

import numpy as np
import polars as pl

from bartizan.analyses.document import Document, optional
from bartizan.analyses.experiments import ladder
from bartizan.analyses.experiments.ladder import LEVEL, POLICY, LadderExperiment, LevelPlace
from bartizan.analyses.statistics import latent_skill, special
from bartizan.analyses.statistics.intervals import Interval, proportion
from bartizan.analyses.statistics.latent_skill import Draws, LeftOut, Posterior, TableResult, interval_of
from bartizan.analyses.statistics.rasch import Entity, Fit, fit
from bartizan.analyses.statistics.testing import EXACT, binomial, equivalent_to_known, holm
from bartizan.simcore.arrays import Bools, Floats, Ints
from bartizan.simcore.compile.rules import TRUNCATED
from bartizan.simcore.game import Game
from bartizan.simcore.play.batch import Source
from bartizan.simcore.play.match import Player
from bartizan.simcore.scenario.loading import Scenario

# ---------------------------- the yardstick: a policy and noisy copies of it (the skill scale), at each level

REPLICATES = 20  # bootstrap replicates of the scale; people are compared with each one
FEWEST = 2  # minimum number of rungs on the scale, because interpolation needs two


@dataclass(frozen=True, eq=False)
class Finished:
    """Games of one cell that reached an end.

    won: bool [game]. score, turn: float64 [game]. ended: str [game, 2].
    """

    won: Bools
    score: Floats  # nan: none
    turn: Floats
    ended: np.ndarray  # names [game, 2] of how a game was lost: end reason and cause; "" for a win


class NoisePlace(Document):
    """The noise of a rung, and its place on the scale in logits."""

    noise: float
    logits: Interval


@dataclass(frozen=True, eq=False)
class Yardstick:
    """The scale of the policies: its rungs, from the strongest to the weakest, and its levels.

    Rungs and levels without a place on the scale are left out.
    """

    question: LadderExperiment
    fit: Fit
    noises: tuple[float, ...]  # noises of the rungs on the scale, ascending
    levels: tuple[str, ...]
    cells: Mapping[tuple[float, str], Finished]

    @property
    def policy(self) -> str:
        return self.question.sides[0][_name(0.0)].name

    @property
    def eases(self) -> Floats:
        """Array [replicate, level]: ease of each level, in logits."""
        return np.column_stack([-self._of((LEVEL, level)) for level in self.levels])

    @property
    def skills(self) -> Floats:
        """Array [replicate, rung]: skills, made monotone in the noise."""
        skills = [self._of((POLICY, _name(noise))) for noise in self.noises]
        return np.minimum.accumulate(np.column_stack(skills), axis=1)

    @property
    def places(self) -> list[NoisePlace]:
        return [
            NoisePlace(noise=noise, logits=self.fit.interval((POLICY, _name(noise)))) for noise in self.noises
        ]

    @property
    def difficulties(self) -> list[LevelPlace]:
        return [
            LevelPlace(level=level, logits=self.fit.interval((LEVEL, level)))
            for level in self.levels
            if (LEVEL, level) in self.fit.entities
        ]

    def noise_of(self, skill: Floats) -> Floats:
        """Return the noise that matches each skill, by linear interpolation: float64 [draw].

        Beyond the ends, it is the lowest or highest noise.

        skill: array [draw]. Draw i uses replicate i modulo the number of replicates.
        """
        skills, where = self.skills, np.arange(len(skill)) % REPLICATES
        noises = np.empty(len(skill))
        for row in range(min(REPLICATES, len(skill))):
            mine = where == row
            noises[mine] = np.interp(-skill[mine], -skills[row], self.noises)
        return noises

    def _of(self, entity: Entity) -> Floats:
        """Return an array [replicate]: the places of an entity in evenly spaced replicates.

        The single level of a game without levels is at 0.
        """
        if entity not in self.fit.entities:
            return np.zeros(REPLICATES)
        values = self.fit.resampled(entity)
        evenly: Floats = values[np.linspace(0, len(values) - 1, REPLICATES).astype(int)]
        return evenly


def _name(noise: float) -> str:
    """Return a rung's name on the ladder; `float` converts it back to its noise."""
    return repr(noise)


def question_of(
    game: Game,
    scenarios: Mapping[str, Scenario],
    dial: Mapping[float, Player],
    games: int,
    seed: int,
    zero: str,
) -> LadderExperiment:
    """Return a ladder of one policy at every noise level.

    dial: maps the probability of a random action to the player, 0 first. zero: the reference level of the
    scale.
    """
    anchors = ((LEVEL, zero), *((LEVEL, level) for level in scenarios))
    rungs = {_name(noise): player for noise, player in dial.items()}
    return LadderExperiment(game, scenarios, (rungs,), anchors, games, seed)


def play_yardstick(question: LadderExperiment, source: Source) -> Yardstick:
    """Simulate every rung at every level, on common random numbers, and return the scale."""
    (rungs,) = question.sides
    contests, cells = [], {}
    conditions = product(rungs, question.scenarios)
    for (rung, level), (pairing, rows) in zip(conditions, ladder.play(question, source), strict=True):
        contests.append(pairing.contest(rows))
        cells[float(rung), level] = finished(question.game, question.scenarios[level], rows)
    scale = fit(contests, question.anchors, question.seed)
    several = len(question.scenarios) > 1
    noises = tuple(float(rung) for rung in rungs if (POLICY, rung) in scale.entities)
    levels = tuple(level for level in question.scenarios if not several or (LEVEL, level) in scale.entities)
    return Yardstick(question, scale, noises, levels, cells)


def finished(game: Game, scenario: Scenario, rows: np.ndarray) -> Finished:
    """Return the games that reached an end, with the names of their kinds of loss."""
    rows, engine = rows[rows["winner"] != TRUNCATED], game.compiled
    score = rows["score"].astype(float)
    if "score" in engine.nulls:
        score = np.where(rows["score"] == engine.nulls["score"], np.nan, score)
    if not getattr(engine.reporting, "has_score", True):  # the game declares that it has no score
        score = np.full(len(rows), np.nan)
    score = engine.in_points(score)  # as people write them
    reasons = _named(rows["end_reason"], engine.reason_names())
    cause = engine.cause_column
    causes = _named(rows[cause], engine.labels[cause](scenario)) if cause in engine.labels else reasons
    won = rows["winner"] == 0
    ended = np.where(won[:, None], "", np.column_stack([reasons, causes]))
    return Finished(won, score, rows["turn"].astype(float), ended)


def _named(codes: Ints, names: Mapping[int, str]) -> np.ndarray:
    known = {int(code): str(name) for code, name in names.items()}
    values, where = np.unique(codes, return_inverse=True)
    return np.array([known.get(int(value), "") for value in values])[where]


# ---------------------------------------------------------------- people on the scale

FIRST = 1.0  # prior spread of the effect of a first play, in logits, if both kinds of plays are marked
MARGIN = 0.1  # margin of practical equivalence
NEWCOMER, EXPERT = 0.1, 0.9  # quantiles of skill among people like these


@dataclass(frozen=True)
class PeoplePlay:
    """One play of a group of people: its level, result, score, length and ending."""

    people: tuple[str, ...]
    level: str
    won: bool
    first: float | None  # share of first plays; None: not recorded
    score: float | None
    turns: float | None
    ending: str
    when: str  # date and row, as a sort key; "" without a date
    other_unit: str = ""  # unit of a length that is not in the game's unit


@dataclass(frozen=True)
class Joined:
    """Plays that are comparable with the scale, and the reasons for leaving out others."""

    plays: tuple[PeoplePlay, ...]
    left_out: Mapping[str, int]  # reason -> plays


def join(
    log: pl.DataFrame, game: str, levels: Sequence[str], all_levels: Sequence[str], unit: str = "turn"
) -> Joined:
    """Return the plays of one game that can be compared with the scale, and count the others by reason.

    levels: levels on the scale. all_levels: levels of the game. unit: unit of its length.
    """
    rows = log.filter((pl.col("game") == game) & pl.col("kept"))
    plays, left = [], Counter[str]()
    for _, table in rows.sort("play_id", "row").group_by("play_id", maintain_order=True):
        play = _play(table.to_dicts(), levels, all_levels, unit)
        if isinstance(play, str):
            left[play] += 1
        else:
            plays.append(play)
    return Joined(tuple(plays), dict(sorted(left.items())))


def _play(
    seats: list[dict[str, Any]], levels: Sequence[str], all_levels: Sequence[str], unit: str
) -> PeoplePlay | str:
    """Return one play, or the reason why it is left out."""
    results = {seat["result"] for seat in seats} - {"unknown", None}
    level = _first(seats, "level") or (all_levels[0] if len(all_levels) == 1 else None)
    if len(results) != 1:
        return "several results at one table" if results else "result unknown"
    if level is None:
        return "level unknown"
    if level not in levels:
        return f"level {level} is not on the scale"
    firsts = [seat["first_play"] for seat in seats if seat["first_play"] is not None]
    named = sorted({seat["player_key"] for seat in seats if seat["player_key"]})
    date, rounds, counted_in = (_first(seats, column) for column in ("date", "rounds", "rounds_unit"))
    other = "" if counted_in in (None, unit) else counted_in
    return PeoplePlay(
        tuple(named) or (f"unnamed, {seats[0]['source']}",),
        level,
        results == {"win"},
        sum(firsts) / len(firsts) if firsts else None,
        _first(seats, "score"),
        None if other else rounds,
        _first(seats, "ending") or "",
        f"{date} {seats[0]['row']:>9}" if date else "",
        other,
    )


def _first(seats: list[dict[str, Any]], column: str) -> Any:
    return next((seat[column] for seat in seats if seat[column] is not None), None)


class EquivalenceTest(Document):
    """Exact test of the equivalence of people's and the policy's win rates."""

    margin: float
    p: float
    method: str
    p_adjusted: float | None = optional()  # adjusted for all levels (Holm); None: saved by an earlier version


class AtLevel(Document):
    """Results of people and of the policy at one level. Win rates are shares."""

    level: str
    plays: int
    wins: int
    seen: Interval | None  # win rate in the plays at this level
    these: Interval  # predicted for these people
    new_tester: Interval  # predicted for a new tester from the same population
    newcomer: Interval  # at the 10 % quantile of skill
    expert: Interval  # at the 90 % quantile
    policy: float  # win rate of the policy, from the scale
    within_margin: float  # probability that these people's win rate is within the margin of the policy's
    # equivalence test of people's and the policy's win rates, on the plays at this level
    equivalence: EquivalenceTest | None


@dataclass(frozen=True, eq=False)
class PeopleSkill:
    """The estimate of people's skill: their place on the scale, its posterior, and results by level."""

    yardstick: Yardstick
    joined: Joined
    results: tuple[TableResult, ...]
    posterior: Posterior
    draws: Draws
    levels: tuple[AtLevel, ...]
    left_out: tuple[LeftOut, ...]  # each level predicted from the others
    calibration: Posterior | None  # None: plays at one level only
    margin: float

    @cached_property
    def noise(self) -> Interval:
        """Noise of the policy that matches these people's mean skill."""
        return interval_of(self.yardstick.noise_of(self.draws.skill()))

    @cached_property
    def beyond(self) -> tuple[float, float]:
        """Probabilities that these people are above the strongest rung, and below the weakest."""
        skill = self.draws.skill()
        rungs = self.yardstick.skills[np.arange(len(skill)) % len(self.yardstick.skills)]
        return float((skill > rungs[:, 0]).mean()), float((skill < rungs[:, -1]).mean())

    @property
    def people(self) -> int:
        return len(self.draws.people)

    @property
    def families(self) -> int:
        """Number of families of comparisons. All families together have an error rate of 5 %.

        The families are: plays against policies; learning; the distances between levels, if there are plays
        at several levels; and equal win rates per level, if tested.
        """
        return 2 + (self.calibration is not None) + any(level.equivalence for level in self.levels)

    @property
    def has_first(self) -> bool:
        return len(np.unique(self.posterior.points.first)) > 1

    @property
    def flatter(self) -> float | None:
        """Probability that levels are closer together for people than for policies.

        None if all plays are at one level.
        """
        if self.calibration is None:
            return None
        weight, slope = self.calibration.weight, self.calibration.points.slope
        return float(weight[slope < 1 - 1e-9].sum()) + 0.5 * float(weight[np.abs(slope - 1) <= 1e-9].sum())


def results_of(plays: Sequence[PeoplePlay], levels: Sequence[str]) -> tuple[TableResult, ...]:
    """Combine plays into one result for each group of people, level and share of first plays.

    A play that is not marked as first or later counts as the average of all marked plays.
    """
    known = [play.first for play in plays if play.first is not None]
    usual = sum(known) / len(known) if known else 0.0
    counts: dict[tuple[tuple[str, ...], int, float], list[int]] = {}
    for play in plays:
        first = usual if play.first is None else play.first
        count = counts.setdefault((play.people, levels.index(play.level), first), [0, 0])
        count[0] += 1
        count[1] += play.won
    return tuple(
        TableResult(people, level, plays, wins, first)
        for (people, level, first), (plays, wins) in counts.items()
    )


def analyze(joined: Joined, yardstick: Yardstick, margin: float = MARGIN, seed: int = 1) -> PeopleSkill:
    """Estimate people's skill from one play or more. All intervals have the level CREDIBLE."""
    results = results_of(joined.plays, yardstick.levels)
    marked = {result.first for result in results}
    prior = latent_skill.Prior(first=FIRST) if len(marked) > 1 else latent_skill.SKILL
    posterior = latent_skill.fit(results, yardstick.eases, prior)
    draws = posterior.draw(seed)
    played = sorted({result.level for result in results})
    reference = yardstick.skills[:, :1] + yardstick.eases
    calibration = latent_skill.fit(results, reference, latent_skill.CALIBRATION) if len(played) > 1 else None
    levels = tuple(
        _at_level(index, name, results, draws, reference, margin)
        for index, name in enumerate(yardstick.levels)
    )
    left = tuple(latent_skill.leave_one_level_out(results, yardstick.eases, prior, seed))
    found = PeopleSkill(yardstick, joined, results, posterior, draws, levels, left, calibration, margin)
    return replace(found, levels=_adjusted(levels, found.families))


def _adjusted(levels: Sequence[AtLevel], families: int) -> tuple[AtLevel, ...]:
    """Return the levels, with the p-value of each equivalence test adjusted for all of them."""
    p = iter(holm([level.equivalence.p for level in levels if level.equivalence], families))
    return tuple(
        level.model_copy(update={"equivalence": level.equivalence.model_copy(update={"p_adjusted": next(p)})})
        if level.equivalence
        else level
        for level in levels
    )


def _at_level(
    index: int, name: str, results: Sequence[TableResult], draws: Draws, reference: np.ndarray, margin: float
) -> AtLevel:
    mine = [result for result in results if result.level == index]
    plays, wins = sum(result.plays for result in mine), sum(result.wins for result in mine)
    these, policy = draws.of_these(index), special.expit(reference[:, index])
    rate = float(policy.mean())
    p = max(equivalent_to_known(wins, plays, rate, margin)) if plays else None
    return AtLevel(
        level=name,
        plays=plays,
        wins=wins,
        seen=proportion(wins, plays, latent_skill.CREDIBLE) if plays else None,
        these=interval_of(these),
        new_tester=interval_of(draws.of_a_new_tester(index)),
        newcomer=interval_of(draws.at_quantile(index, NEWCOMER)),
        expert=interval_of(draws.at_quantile(index, EXPERT)),
        policy=rate,
        within_margin=float((np.abs(these - policy[np.arange(len(these)) % len(policy)]) < margin).mean()),
        equivalence=None if p is None else EquivalenceTest(margin=margin, p=p, method=EXACT),
    )


# ----------------------------------- number of additional plays: assurance (O'Hagan, Stevens & Campbell 2005)

SURE = 0.95  # probability of being inside, or outside, the band at which the verdict is decided
FUTURES = 1000  # drawn
NODES = 20  # Gauss-Hermite nodes of a tester's skill
WANTED = (0.5, 0.8, 0.9)
MOST = 128  # maximum number of testers that is recommended


@dataclass(frozen=True)
class Assurance:
    """Assurance (expected power) of a number of new testers, each with the same number of plays."""

    testers: int
    plays: int
    decided: float  # share of futures with a decision
    inside: float  # share of futures with the decision "in the band"


class PlaysNeeded(Document):
    """Smallest number of plays with the requested assurance.

    All fields except `assurance` are None if more than MOST testers are needed.
    """

    assurance: float
    testers: int | None = optional()
    plays: int | None = optional()
    decided: float | None = optional()
    inside: float | None = optional()


class LevelPlan(Document):
    """Verdict of a level so far, and the number of additional plays that would decide it."""

    level: str
    band: tuple[float, float]
    chance_inside: float  # current probability that such people have a win rate in the band
    decided: bool
    more: list[PlaysNeeded]


@dataclass(frozen=True, eq=False)
class Outlook:
    """Prediction for new testers at one level: weighted points of (mu, tau), the mean and SD of skill."""

    mu: Floats
    tau: Floats
    weight: Floats
    ease: float
    band: tuple[float, float]

    @property
    def chances(self) -> Floats:
        """Array [point, node]: win probability at each quadrature node of a tester's skill."""
        x, _ = _quadrature()
        chances: Floats = special.expit(self.mu[:, None] + np.sqrt(2) * self.tau[:, None] * x + self.ease)
        return chances

    @cached_property
    def inside(self) -> Bools:
        """Array [point]: whether people with this mean and SD of skill have a win rate in the band."""
        rate = self.chances @ _quadrature()[1]
        return (rate >= self.band[0]) & (rate <= self.band[1])

    @property
    def chance(self) -> float:
        return float(self.weight[self.inside].sum())

    def assurance(self, testers: int, each: int, seed: int = 1) -> Assurance:
        """Estimate the assurance by simulation.

        Each simulation draws true parameters from the points, then testers with these parameters, then their
        plays. Bayes' rule gives the verdict on these plays.
        """
        random = np.random.default_rng([seed, testers, each])
        at = random.choice(len(self.weight), FUTURES, p=self.weight)
        skill = self.mu[at, None] + self.tau[at, None] * random.standard_normal((FUTURES, testers))
        wins = random.binomial(each, special.expit(skill + self.ease))
        counts = np.stack([(wins == k).sum(axis=1) for k in range(each + 1)], axis=1)
        posterior = special.softmax(
            counts @ self._log_likelihood(each).T + np.log(self.weight + 1e-300), axis=1
        )
        inside = posterior @ self.inside
        sure = (inside >= SURE) | (inside <= 1 - SURE)
        return Assurance(testers, testers * each, float(sure.mean()), float((inside >= SURE).mean()))

    def _log_likelihood(self, each: int) -> Floats:
        """Return an array [point, wins]: the log likelihood of one tester's plays."""
        chances = self.chances
        nodes = binomial(each, chances.ravel()).reshape(*chances.shape, each + 1)
        logarithms: Floats = np.log(np.einsum("gnk,n->gk", nodes, _quadrature()[1]) + 1e-300)
        return logarithms


@cache
def _quadrature() -> tuple[Floats, Floats]:
    """Return the nodes, and their weights for a normal density."""
    nodes, weights = np.polynomial.hermite.hermgauss(NODES)
    return nodes, weights / np.sqrt(np.pi)


def outlook(posterior: Posterior, level: int, band: tuple[float, float]) -> Outlook:
    """Return the prediction for new testers after their first play.

    The small error of the scale is ignored.
    """
    points = posterior.points
    pairs, where = np.unique(np.column_stack([points.mu, points.tau]), axis=0, return_inverse=True)
    weight = np.bincount(where.ravel(), weights=posterior.weight)
    return Outlook(
        pairs[:, 0], pairs[:, 1], weight / weight.sum(), float(posterior.eases[:, level].mean()), band
    )


def more_plays(
    posterior: Posterior, level: str, index: int, band: tuple[float, float], each: int, seed: int = 1
) -> LevelPlan:
    """Return the additional plays needed for a verdict.

    index: index of the level on the scale. each: plays per new tester.
    """
    view = outlook(posterior, index, band)
    assurance = cache(partial(view.assurance, each=each, seed=seed))
    least = {share: _least(assurance, share) for share in WANTED}
    more = [
        PlaysNeeded(assurance=share, **(asdict(needs) if needs else {})) for share, needs in least.items()
    ]
    decided = not 1 - SURE < view.chance < SURE
    return LevelPlan(level=level, band=band, chance_inside=view.chance, decided=decided, more=more)


def _least(assurance: Callable[[int], Assurance], share: float) -> Assurance | None:
    """Return the assurance of the smallest sufficient number of testers; None if it is above MOST.

    The number is sufficient if the share of decided futures is at least `share`. The search uses doubling and
    bisection.
    """
    doubled = (assurance(2**power) for power in range(MOST.bit_length()))
    if (high := next((future for future in doubled if future.decided >= share), None)) is None:
        return None
    low = high.testers // 2
    while high.testers - low > 1:
        middle = assurance((low + high.testers) // 2)
        low, high = (low, middle) if middle.decided >= share else (middle.testers, high)
    return high
