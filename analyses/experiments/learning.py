"""Train a policy by self-play with several seeds, and choose the best on held-out games.

Each pupil plays against itself, its earlier versions (a league), and the judge (the policy with which results
are compared). The judge's choice can be an input of the network (`School.is_advised`). A pupil that trusts
this advice starts as strong as the judge and learns where to deviate (residual policy learning, Silver et al.
2018). A pupil trains for a fixed number of rounds; learning rates and the weight of the score decrease on a
schedule. The result is the running mean of its parameters. A round is a pure function of the seed, its number
and the previous parameters, so an interrupted run resumes with an identical result.

A mixed strategy for a small game is learned by regret matching (`Balancing`), not by a network.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from time import perf_counter
from typing import Any

import numpy as np
import polars as pl

from bartizan.analyses.document import Document
from bartizan.analyses.experiments.training import VALUE, WIN, BeforeAfter, Course, Evaluator, before_after
from bartizan.analyses.experiments.tuning import FRESH
from bartizan.analyses.statistics.paired import Measure, compare
from bartizan.simcore.compile.rules import NOBODY
from bartizan.simcore.errors import UsageError
from bartizan.simcore.game import Game
from bartizan.simcore.learning.balancing import (
    DEEPEST,
    MOST_OF_A_GAME,
    MOST_SETS,
    ROOM,
    TOO_LARGE,
    Ledger,
    MixedTable,
    balancing,
    new_ledger,
    table_of,
)
from bartizan.simcore.learning.layout import Addresses, Layout
from bartizan.simcore.learning.network import (
    HIDDEN_UNITS,
    Decisions,
    WholeNet,
    ends_of,
    learn,
    net_of,
    rounded,
)
from bartizan.simcore.learning.observing import Coding, Noted, coding_of
from bartizan.simcore.learning.self_play import (
    BEFORE,
    ITSELF,
    POLICIES,
    Settings,
    learning,
    new_decisions,
    probing,
)
from bartizan.simcore.play.batch import Source, Stretch
from bartizan.simcore.play.match import CompiledMatch, Match, Player
from bartizan.simcore.scenario.loading import Scenario

METHOD = (
    "self-play by proximal policy optimisation (Schulman et al. 2017) against itself, earlier versions and "
    "a policy, whose choice is an input if it is a bot; the best seed chosen on held-out games; compared on "
    "other held-out games, on common random numbers"
)
METHOD_OF_BALANCE = (
    "counterfactual regret minimisation by external sampling (Lanctot et al. 2009), linear average; the best "
    "seed chosen on held-out games; compared on other held-out games, on common random numbers"
)
DECISIONS = 8192  # decisions per round
BRANCHED = 50_000  # decisions per round of regret matching
BATCH, PASSES = 256, 2  # decisions per step, passes over the decisions of a round
RATE, CLIP, ENTROPY, VALUE_WEIGHT = 1e-3, 0.2, 0.01, 0.5
# for a mixed strategy: learning rate; entropy at first, and from SCORE_ENDS on
MIXED_RATE, MIXED_ENTROPY, MIXED_LEAST = 2e-3, 0.6, 0.1
LATE = 0.1  # fraction of the learning rate and of the entropy at the end
AVERAGED = 0.95  # maximum fraction of the running mean that is kept each round
# fraction of a round's decisions against the judge; the same if the judge is newcomer (slow) or random
WITH_BOT, SLOW = 0.45, 0.05
RESPONDING = 0.9  # fraction of a best response's decisions against the player that it responds to
# pupils' initial trust in advice, by number; fraction of rounds in which they learn only to estimate values
TRUSTING, WARMING = (0.0, 1.0, 0.5), 0.05
EARLIER = 0.2  # fraction of decisions against earlier versions
LEAGUE, JOINS = 8, 10  # maximum number of earlier versions; rounds after which one is added
# weight of the score in the value of a game; fraction of the rounds after which it is 0
SCORE, SCORE_ENDS = 0.3, 0.6
PROBED_GAMES, PROBED_DECISIONS, PIECE = 400, 20_000, 20
LOOKS, LOOK_GAMES = 20, 400  # maximum points of the learning curve, and games of each
TIMED_GAMES = 20  # games that estimate the duration of the comparisons
# for each decision, on average; the system provides memory only as it is used
ROOM_STATE, ROOM_ACTIONS, ROOM_INPUTS = 1000, 200, 4000
LEAST_ROUNDS = 5
APART = 1 << 40  # offset between the game numbers of two pupils
WORTH = Measure("value", "value", pl.col("value"), pl.col("value"), (0.0, 1.0))


@dataclass(frozen=True, eq=False)
class School:
    """Setup of a training run: game, scenario and opponents."""

    game: Game
    scenario: Scenario
    layout: Layout
    others: Mapping[str, Player]  # policies for comparison, the judge first
    seed: int
    with_judge: float = WITH_BOT  # fraction of the decisions against the judge
    is_advised: bool = False  # the judge's choice is an input, from which training starts
    is_for_score: bool = False  # maximise the score instead of the wins
    is_mixed: bool = False  # whether it learns a mixed strategy
    varied: tuple[Scenario, ...] = ()  # train with the rules of these scenarios instead of the scenario's own

    @property
    def seats(self) -> int:
        return len(self.game.roles_in(self.scenario))

    @property
    def judge(self) -> str:
        return next(iter(self.others))

    def match(self, seed: int) -> Match:
        """Return a match with the judge in every seat, in which hidden cards can be redealt."""
        return Match(self.game, self.scenario, (self.others[self.judge],) * self.seats, seed, deals=True)

    @cached_property
    def variants(self) -> list["School"]:
        """The schools of a training run, one for each variant of the rules."""
        return [replace(self, scenario=scenario, varied=()) for scenario in self.varied] or [self]

    @cached_property
    def engine(self) -> Any:
        return self.match(self.seed).engine

    @cached_property
    def addresses(self) -> Addresses:
        return self.layout.addresses(self.engine)

    @cached_property
    def rules(self) -> np.ndarray:
        """The numeric parameters of the rules, int64."""
        return np.frombuffer(self.match(0).tables().tobytes(), np.int64).copy()

    def value(self, rows: np.ndarray, seat: int) -> np.ndarray:
        """Return the value of each game for a seat.

        The value is 1 for a win and, with several seats, an equal part for a draw; or the score if the
        training maximises it.
        """
        own, winner = f"score_{seat}", rows["winner"]
        if self.is_for_score:
            return np.asarray(
                self.engine.in_points(rows[own if own in (rows.dtype.names or ()) else "score"])
            )
        shared = (winner == NOBODY) / self.seats if self.seats > 1 else np.zeros(len(rows))
        return np.asarray((winner == seat) + shared)


@dataclass(frozen=True, eq=False)
class Probed:
    """Properties of a game found before training."""

    coding: Coding
    leaks: tuple[str, ...]  # numbers that depend on hidden cards and are therefore not shown to the pupil
    shape: tuple[float, float]  # middle and spread of scores
    is_advised: bool  # the choice of the judge is an input


def probe(school: School) -> Probed:
    """Simulate games to find which numbers vary or are hidden, and which effects are deterministic."""
    layout = school.layout
    numbers, actions, far = len(layout.names), layout.kinds, 1 << 40
    noted = Noted(
        np.tile(np.array([far, -far], np.int64), (numbers, 1)),
        np.zeros(numbers, np.int64),
        np.zeros((actions, numbers), np.int64),
        np.zeros((actions, numbers), np.int64),
    )
    ends = np.array([0, far, -far, 0], np.int64)
    blank = np.zeros((1, 1), np.int64)
    unknown = Coding(blank, blank, blank, ends)
    for piece in range(max(PROBED_GAMES // PIECE, len(school.variants))):
        variant = school.variants[piece % len(school.variants)]
        match = CompiledMatch(variant.match(school.seed + 3 * FRESH), probing(layout))
        where = (variant.addresses, unknown, variant.rules, school.is_advised)
        match.run(piece * PIECE, PIECE, *where, noted, ends, states=3)
        if ends[0] > PROBED_DECISIONS and piece + 1 >= len(school.variants):
            break
    is_advised = school.is_advised and ends[3] == 0
    coding = coding_of(school.addresses, noted, school.rules, is_advised)
    low, high = (float(ends[1]), float(ends[2])) if ends[1] <= ends[2] else (0.0, 0.0)
    width = high - low
    parts = (2 if school.seats == 1 else 1) if school.is_for_score else 4
    shape = ((low + high) / 2, max(width / parts, 1.0))
    return Probed(coding, tuple(layout.names[i] for i in np.flatnonzero(noted.leaks)), shape, is_advised)


@dataclass(eq=False)
class Pupil:
    """State of one training run: everything that its next round depends on."""

    seed: int
    # float32: `flat`, the parameters; `first` and `second`, their moments; `mean`, their running mean;
    # `earlier` [version, parameter]. For regret matching: the arrays of a `Ledger`
    arrays: dict[str, np.ndarray]
    rounds: int = 0
    steps: int = 0
    games: int = 0
    looks: list[list[int]] = field(default_factory=list)  # [games learned from, wins of LOOK_GAMES]
    mean_score: float | None = None  # at the last look of this process, if trained for the score

    def is_due(self, rounds: int) -> bool:
        """Return whether this round, out of `rounds`, ends with a point of the learning curve."""
        if self.rounds == rounds:
            return self.games >= 4 * LOOK_GAMES  # fewer games are no curve
        games = self.games * rounds // self.rounds  # estimate for the whole training run
        since = self.games - (self.looks[-1][0] if self.looks else 0)
        return since >= max(games // LOOKS, 4 * LOOK_GAMES)

    def facts(self) -> dict[str, Any]:
        """Return the saved fields, without the arrays."""
        return {name: getattr(self, name) for name in ("seed", "rounds", "steps", "games", "looks")}


class Lessons:
    """Training rounds of one school, by self-play."""

    method, loop = METHOD, staticmethod(learning)

    def __init__(self, school: School, probed: Probed):
        self.school, self.probed, self.coding = school, probed, probed.coding
        self.sizes = (int(self.coding.sizes[0]), int(self.coding.sizes[1]))  # inputs of a state, of an action
        self.settings = Settings(
            sides=school.seats,
            others=ITSELF,
            is_advised=probed.is_advised,
            is_look=False,
            wanted=0,
            score=0.0,
            is_linear=school.is_for_score,
            middle=probed.shape[0],
            spread=probed.shape[1],
        )
        self.matches: dict[School, CompiledMatch] = {}

    @cached_property
    def past(self) -> Decisions:
        """Working memory for the decisions of one round, reused by all rounds."""
        room = DECISIONS + DECISIONS // 4
        most = len(self.coding.numbers)
        state = room * min(ROOM_STATE, 9 * most) + 9 * most
        return new_decisions(room, state, room * ROOM_ACTIONS, room * ROOM_INPUTS)

    def pupil(self, number: int) -> Pupil:
        """Return a pupil with random initial parameters. number: its index among the seeds of the run."""
        seed = self.school.seed + number
        flat = np.zeros(ends_of(*self.sizes)[-1], np.float32)
        luck, net, narrow = np.random.default_rng(seed), net_of(flat, *self.sizes), HIDDEN_UNITS**-0.5
        spreads = {"first": 0.3, "judge": 0.3, "action": 0.3, "second": narrow, "out": 0.1 * narrow}
        for name, spread in spreads.items():
            part = getattr(net, name)
            part[:] = luck.normal(0, spread, part.shape)
        if self.settings.is_advised:
            net.direct[-1] = TRUSTING[number % len(TRUSTING)]
        none = np.zeros((0, len(flat)), np.float32)
        moments = {"first": np.zeros_like(flat), "second": np.zeros_like(flat)}
        return Pupil(seed, {"flat": flat, **moments, "mean": flat.copy(), "earlier": none})

    def adviser(self, number: int) -> Pupil:
        """Return a pupil that always follows the advice."""
        pupil = self.pupil(number)
        pupil.arrays["mean"][:] = 0.0
        net_of(pupil.arrays["mean"], *self.sizes).direct[-1] = 1.0
        return pupil

    def strategy(self, pupil: Pupil) -> WholeNet | MixedTable:
        """Return the strategy that a pupil has learned, with its parameters as integers."""
        net: WholeNet = rounded(net_of(pupil.arrays["mean"], *self.sizes))
        return net

    def round(self, pupil: Pupil, rounds: int) -> None:
        """Run one round out of `rounds`: games, then optimisation steps. Modifies the pupil.

        Raises UsageError if the games have too few decisions.
        """
        gone = pupil.rounds / rounds
        score = 1.0 if self.school.is_for_score else SCORE * max(1 - gone / SCORE_ENDS, 0.0)
        kept, past = 0, self.past
        variants = self.school.variants
        flat, first, second, mean, earlier = pupil.arrays.values()
        for table, (who, part) in enumerate(self.tables(pupil)):
            # each kind of opponents meets every variant in turn
            variant = variants[(pupil.rounds + table * len(variants) // 3) % len(variants)]
            nets = np.concatenate([flat[None], earlier]) if who == BEFORE else flat[None]
            settings = self.settings._replace(others=who, wanted=int(part * DECISIONS), score=score)
            kept, tally = self.run(pupil, variant, nets, settings, pupil.games, kept, part)
            pupil.games += int(tally[0])
        if kept < BATCH:
            raise UsageError(
                f"{self.school.game.name}: its games have too few decisions to train a "
                "policy; tune its weights instead (bartizan train without --learn)"
            )
        gains = past.gain[:kept]
        gains[:] = (gains - gains.mean()) / (gains.std() + np.float32(1e-6))
        fall = 1 - (1 - LATE) * gone
        rate, entropy = RATE, ENTROPY * fall
        if self.school.is_mixed:
            rate, entropy = MIXED_RATE, max(MIXED_ENTROPY * (1 - gone / SCORE_ENDS), MIXED_LEAST)
        if self.settings.is_advised and gone < WARMING:
            gains[:], entropy = 0.0, 0.0
        rates = np.array([rate * fall, CLIP, entropy, VALUE_WEIGHT])
        luck = np.random.default_rng([pupil.seed, pupil.rounds])
        for _ in range(PASSES):
            order = luck.permutation(kept)
            pupil.steps = learn(flat, first, second, pupil.steps, order, rates, *self.sizes, BATCH, past)
        weight = np.float32(min(AVERAGED, (1 + pupil.rounds) / (10 + pupil.rounds)))
        mean[:] = weight * mean + (1 - weight) * flat
        pupil.rounds += 1
        if pupil.rounds % JOINS == 0:
            if len(earlier) == LEAGUE:
                earlier = np.delete(earlier, luck.integers(LEAGUE), axis=0)
            pupil.arrays["earlier"] = np.concatenate([earlier, mean[None]])
        if pupil.is_due(rounds):
            wins, total = self.look(pupil, LOOK_GAMES)
            pupil.looks.append([pupil.games, wins])
            is_for_score, mean = self.school.is_for_score, self.school.engine.in_points(total) / LOOK_GAMES
            pupil.mean_score = mean if is_for_score else None

    def tables(self, pupil: Pupil) -> list[tuple[int, float]]:
        """Return (kind of opponents, end) for each table of a round.

        end: fraction of the round's decisions at which the table ends.
        """
        if self.school.seats == 1:
            return [(ITSELF, 1.0)]
        alone = 1 - self.school.with_judge
        earlier = min(EARLIER, alone / 2) if len(pupil.arrays["earlier"]) else 0.0
        tables = ((ITSELF, alone - earlier), (BEFORE, alone), (POLICIES, 1.0))
        return [(who, end) for (who, end), part in zip(tables, (1, earlier, 1 - alone), strict=True) if part]

    @cached_property
    def pace(self) -> float:
        """Measured duration of a game, in seconds.

        The pupil follows the judge's advice if there is any, because the games of weak players differ in
        length.
        """
        pupil = self.adviser(0) if self.settings.is_advised else self.pupil(0)
        self.look(pupil, 1)  # compiles
        begun = perf_counter()
        self.look(pupil, TIMED_GAMES)
        return (perf_counter() - begun) / TIMED_GAMES

    def look(self, pupil: Pupil, games: int) -> tuple[int, int]:
        """Return wins and total score of the pupil's mean parameters in games against the judge.

        The score is 0 unless the training is for the score.
        """
        score = float(self.school.is_for_score)
        settings = self.settings._replace(others=POLICIES, is_look=True, wanted=games, score=score)
        nets = pupil.arrays["mean"][None]
        _, tally = self.run(pupil, self.school, nets, settings, APART // 2)
        return int(tally[1]), int(tally[2])

    def run(
        self,
        pupil: Pupil,
        school: School,
        nets: np.ndarray,
        settings: Settings,
        first_game: int,
        kept: int = 0,
        part: float = 1.0,
    ) -> tuple[int, np.ndarray]:
        """Simulate games and append their decisions to the first `kept` decisions in memory.

        Returns the new number of decisions, and an int64 array [3] of games, wins and total score. part:
        fraction of the memory at which these games stop; the rest is for later tables.
        """
        past = Decisions(*(array[: int(len(array) * part)] for array in self.past))
        where = (school.addresses, self.coding, school.rules, np.ascontiguousarray(nets))
        tally, first_game = np.zeros(3, np.int64), first_game + (pupil.seed - self.school.seed) * APART
        match = self.match(school)
        return match.run(first_game, *where, settings, past, kept, tally, states=3), tally

    def match(self, school: School) -> CompiledMatch:
        """Return the match of a school with its judge, compiled once."""
        if school not in self.matches:
            self.matches[school] = CompiledMatch(school.match(school.seed), self.loop(school.layout))
        return self.matches[school]


# ---------------------------------------------------------------- mixed strategies of small games


class Balancing(Lessons):
    """Training rounds of one school, by regret matching."""

    method, loop = METHOD_OF_BALANCE, staticmethod(balancing)
    pace = 0.0  # the comparisons of a small game take seconds

    def pupil(self, number: int) -> Pupil:
        """Return a pupil with an empty table. number: its index among the seeds of the run."""
        return Pupil(self.school.seed + number, new_ledger()._asdict())

    def strategy(self, pupil: Pupil) -> WholeNet | MixedTable:
        return table_of(Ledger(**pupil.arrays))

    def is_small(self) -> bool:
        """Return whether a table has enough room for the game.

        This is tested by one round of a pupil that is then discarded.
        """
        pupil = self.pupil(0)
        is_played = self.played(pupil) != TOO_LARGE
        sets, entries = pupil.arrays["used"]
        return bool(is_played and 2 * sets < MOST_SETS and 2 * entries < ROOM)

    def round(self, pupil: Pupil, rounds: int) -> None:
        if (games := self.played(pupil)) == TOO_LARGE:
            raise UsageError(
                f"{self.school.game.name}: one of its games branches into more than {MOST_OF_A_GAME:,} "
                "decisions; train without --mixed"
            )
        pupil.games += games
        pupil.rounds += 1

    def played(self, pupil: Pupil) -> int:
        """Simulate the games of a round; return their number, or TOO_LARGE."""
        variants, ledger, weight = self.school.variants, Ledger(**pupil.arrays), float(pupil.rounds + 1)
        school = variants[pupil.rounds % len(variants)]
        where = (school.addresses, self.coding, school.rules)
        settings = self.settings._replace(wanted=BRANCHED, score=float(school.is_for_score))
        first_game = pupil.games + (pupil.seed - self.school.seed) * APART
        match = self.match(school)
        return int(match.run(first_game, *where, settings, weight, ledger, states=DEEPEST + 1))


def lessons_of(school: School, probed: Probed) -> Lessons:
    """Return the training rounds for a school.

    A mixed strategy of a small game is trained by regret matching, anything else by self-play.
    """
    if school.is_mixed and school.seats > 1 and (small := Balancing(school, probed)).is_small():
        return small
    return Lessons(school, probed)


# ---------------------------------------------------- selection and evaluation of the best policy


class LearnedBeside(Document):
    """Comparison of a learned policy with another policy, in one seat of the same held-out games.

    The other policy plays all other seats.
    """

    policy: str
    games: int
    wins: BeforeAfter
    # 1 for a win, an equal part for a draw; or the score, if the policy was trained for it
    value: BeforeAfter
    verdict: str  # better, worse, or unclear
    by: str = "wins"  # kind of `value`: wins or score


def judged(school: School, player: Player, name: str, games: int, seed: int, source: Source) -> LearnedBeside:
    """Compare the learned policy with another policy in each seat in turn.

    The other policy plays all other seats.
    """
    base, changed = (
        _frame(school, one, name, games, seed, source).lazy() for one in (school.others[name], player)
    )
    wins, value = compare(base, changed, [WIN, VALUE if school.is_for_score else WORTH])
    gain = value.difference
    verdict = "unclear" if not gain.is_clear else "better" if gain.interval.estimate > 0 else "worse"
    return LearnedBeside(
        policy=name,
        games=games,
        wins=before_after(wins),
        value=before_after(value),
        verdict=verdict,
        by="score" if school.is_for_score else "wins",
    )


def worth(school: School, player: Player, games: int, seed: int, source: Source) -> float:
    """Return the mean value of held-out games of a policy against the judge."""
    return float(_frame(school, player, school.judge, games, seed, source)["value"].mean())  # type: ignore[arg-type]


def _frame(school: School, player: Player, name: str, games: int, seed: int, source: Source) -> pl.DataFrame:
    """Return one row per game: game, value, win. Each seat gets an equal part of the games."""
    players = (player, *(school.others[name],) * (school.seats - 1))
    course = Course(school.game, (), {"": school.scenario}, players, 0, seed, worth=school.value)
    return Evaluator(course, source).games([{}], seed, range(games))[0][""]


def first_seat(school: School, player: Player, games: int, seed: int, source: Source) -> BeforeAfter:
    """Compare the first seat's wins if the judge and if the learned policy plays all seats."""

    def wins(one: Player) -> pl.LazyFrame:
        match = Match(school.game, school.scenario, (one,) * school.seats, seed)
        parts = source.play([Stretch(source.ready(match), range(games), seat=None, key=0)])
        won = np.concatenate([rows["winner"] == 0 for _, rows in parts])
        return pl.LazyFrame({"game": np.arange(games), "win": won.astype(float)})

    (effect,) = compare(wins(school.others[school.judge]), wins(player), [WIN])
    return before_after(effect)


def paced(lessons: Lessons, seconds: float, clock: Callable[[], float]) -> int:
    """Return the number of rounds that fit into `seconds`, at least LEAST_ROUNDS.

    The number is estimated by trial rounds of a pupil that is then discarded.
    """
    pupil = lessons.pupil(0)
    pupil.rounds = 500
    lessons.round(pupil, 1000)  # compiles
    begun, rounds = clock(), 0
    while rounds < 2 and clock() - begun < seconds / LEAST_ROUNDS:  # one is enough to see that few fit
        lessons.round(pupil, 1000)
        rounds += 1
    return max(int(seconds * rounds / max(clock() - begun, 1e-9)), LEAST_ROUNDS)
