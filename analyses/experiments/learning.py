"""Train a policy by self-play with several seeds, and choose the best on held-out games.

Each pupil plays against itself, its earlier versions, and the named policies (a league). It trains for a
fixed number of rounds; learning rates and the weight of the score decrease on a schedule. The result is the
running mean of its parameters. A round is a pure function of the seed, its number and the previous
parameters, so an interrupted training resumes with an identical result.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np
import polars as pl

from bartizan.analyses.document import Document
from bartizan.analyses.experiments.training import VALUE, WIN, BeforeAfter, portions
from bartizan.analyses.experiments.tuning import FRESH
from bartizan.analyses.statistics.paired import Effect, Measure, compare
from bartizan.simcore.compile.rules import NOBODY
from bartizan.simcore.errors import UsageError
from bartizan.simcore.game import Game
from bartizan.simcore.learning.layout import Addresses, Layout
from bartizan.simcore.learning.network import Decisions, Net, learn, net_of, parameters
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
    "policies; the best seed chosen on held-out games; compared on other held-out games, on common random "
    "numbers"
)
HIDDEN_UNITS = 32
DECISIONS = 8192  # of a round
BATCH, PASSES = 256, 2  # decisions of a step, passes over those of a round
RATE, CLIP, ENTROPY, VALUE_WEIGHT = 1e-3, 0.2, 0.01, 0.5
# of a player that mixes: rate; entropy at first, and from SCORE_ENDS on
MIXED_RATE, MIXED_ENTROPY, MIXED_LEAST = 2e-3, 0.6, 0.1
LATE = 0.1  # part of the rate and of the entropy that is left at the end
DECAY = 0.95  # of advantages
AVERAGED = 0.95  # most of the running mean that is kept each round
# part of a round's decisions against policies, against newcomer, which is slow, and where one is named
OTHERS, SLOW, WITH_BOT = 0.2, 0.05, 0.45
RESPONDING = 0.9  # of a best response, against the player that it responds to
EARLIER = 0.2  # against earlier versions
LEAGUE, JOINS = 8, 10  # earlier versions at a time; rounds after which one joins
SCORE, SCORE_ENDS = 0.3, 0.6  # part of the score in what a game is worth; when it has faded
PROBED_GAMES, PROBED_DECISIONS, PIECE = 400, 20_000, 20
LOOKS, LOOK_GAMES = 20, 400  # points of the learning curve, and games of each
ROOM_STATE, ROOM_ACTIONS, ROOM_INPUTS = 120, 40, 500  # for each decision, on average
LEAST_ROUNDS = 5
APART = 1 << 40  # between the numbers of two pupils' games
WORTH = Measure("value", "value", pl.col("value"), pl.col("value"), (0.0, 1.0))


@dataclass(frozen=True, eq=False)
class School:
    """The setup of a training: game, scenario and opponents."""

    game: Game
    scenario: Scenario
    layout: Layout
    # who is met, the one that all is judged by first; `is_named`: the user asked for that one
    others: Mapping[str, Player]
    seed: int
    is_named: bool = False
    with_named: float = WITH_BOT  # part of the decisions against that one
    is_for_score: bool = False  # the score is to be as high as possible, instead of as many wins
    is_mixed: bool = False  # it draws its actions by chance
    varied: tuple[Scenario, ...] = ()  # trains with these numbers of the rules instead of the scenario's

    @property
    def seats(self) -> int:
        return len(self.game.roles_in(self.scenario))

    @property
    def judge(self) -> str:
        return next(iter(self.others))

    def match(self, name: str, seed: int) -> Match:
        """Return a match with one policy in every seat, in which hidden cards can be redealt."""
        return Match(self.game, self.scenario, (self.others[name],) * self.seats, seed, deals=True)

    @cached_property
    def variants(self) -> list["School"]:
        """The schools of training, one for each variant of the rules."""
        return [replace(self, scenario=scenario, varied=()) for scenario in self.varied] or [self]

    @cached_property
    def engine(self) -> Any:
        return self.match(self.judge, self.seed).engine

    @cached_property
    def addresses(self) -> Addresses:
        return self.layout.addresses(self.engine)

    @cached_property
    def rules(self) -> np.ndarray:
        """Numbers of the rules, int64."""
        return np.frombuffer(self.match(self.judge, 0).tables().tobytes(), np.int64).copy()

    @property
    def shown(self) -> int:
        """Number of features of the game."""
        return int(self.engine.features.dtype.itemsize) // 8


@dataclass(frozen=True, eq=False)
class Probed:
    """Properties of a game found before training."""

    coding: Coding
    leaks: tuple[str, ...]  # numbers that hidden cards change, and that are not seen therefore
    shape: tuple[float, float]  # middle and spread of scores


def probe(school: School) -> Probed:
    """Simulate games to find out which numbers vary, which are hidden, and which effects of actions are
    deterministic.
    """
    layout = school.layout
    numbers, actions, far = len(layout.names), len(layout.game.actions), 1 << 40
    noted = Noted(
        np.tile(np.array([far, -far], np.int64), (numbers, 1)),
        np.zeros(numbers, np.int64),
        np.zeros((actions, numbers), np.int64),
        np.zeros(actions, np.int64),
    )
    ends, none = np.array([0, far, -far], np.int64), np.zeros((1, 1), np.int64)
    for piece in range(max(PROBED_GAMES // PIECE, len(school.variants))):
        variant = school.variants[piece % len(school.variants)]
        match = CompiledMatch(variant.match(school.judge, school.seed + 3 * FRESH), probing(layout))
        where = (variant.addresses, Coding(none, none, none, ends), variant.rules, school.shown)
        match.run(piece * PIECE, PIECE, *where, noted, ends, states=3)
        if ends[0] > PROBED_DECISIONS and piece + 1 >= len(school.variants):
            break
    coding = coding_of(school.addresses, noted, school.rules)
    low, high = (float(ends[1]), float(ends[2])) if ends[1] <= ends[2] else (0.0, 0.0)
    width = high - low
    parts = (2 if school.seats == 1 else 1) if school.is_for_score else 4
    shape = ((low + high) / 2, max(width / parts, 1.0))
    return Probed(coding, tuple(layout.names[i] for i in np.flatnonzero(noted.leaks)), shape)


@dataclass(eq=False)
class Pupil:
    """State of one training: its parameters, and everything that the next round depends on."""

    seed: int
    flat: np.ndarray  # float32 parameters, and their moments
    first: np.ndarray
    second: np.ndarray
    mean: np.ndarray  # running mean of the parameters
    earlier: np.ndarray  # float32 [version, parameter]
    rounds: int = 0
    steps: int = 0
    games: int = 0
    looks: list[list[int]] = field(default_factory=list)  # [games learned from, wins of LOOK_GAMES]

    ARRAYS = ("flat", "first", "second", "mean", "earlier")

    def facts(self) -> dict[str, Any]:
        """Return all fields except the arrays."""
        return {name: getattr(self, name) for name in ("seed", "rounds", "steps", "games", "looks")}


class Lessons:
    """Runs the rounds of training of one school."""

    def __init__(self, school: School, probed: Probed):
        self.school, self.coding, self.shape = school, probed.coding, probed.shape
        self.sizes = (int(self.coding.sizes[0]), int(self.coding.sizes[1]), HIDDEN_UNITS)
        room = DECISIONS + DECISIONS // 4
        most = len(self.coding.numbers)
        self.past: Decisions = new_decisions(
            room, room * min(ROOM_STATE, 9 * most) + 9 * most, room * ROOM_ACTIONS, room * ROOM_INPUTS
        )
        self.matches: dict[tuple[School, str], CompiledMatch] = {}

    def pupil(self, number: int) -> Pupil:
        """Return an untrained pupil."""
        _state, _action, hidden = self.sizes
        seed = self.school.seed + number
        flat = np.zeros(parameters(*self.sizes), np.float32)
        luck, net = np.random.default_rng(seed), net_of(flat, *self.sizes)
        for part, spread in ((net.first, 0.3), (net.judge, 0.3), (net.action, 0.3)):
            part[:] = luck.normal(0, spread, part.shape)
        net.second[:] = luck.normal(0, hidden**-0.5, net.second.shape)
        net.out[:] = luck.normal(0, 0.1 * hidden**-0.5, hidden)
        none = np.zeros((0, len(flat)), np.float32)
        return Pupil(seed, flat, np.zeros_like(flat), np.zeros_like(flat), flat.copy(), none)

    def net(self, pupil: Pupil) -> Net:
        """Return the network of a pupil."""
        net: Net = net_of(pupil.mean, *self.sizes)
        return net

    def round(self, pupil: Pupil, rounds: int) -> None:
        """Run one round out of `rounds`: games, then optimisation steps. Modifies the pupil."""
        gone = pupil.rounds / rounds
        score = 1.0 if self.school.is_for_score else SCORE * max(1 - gone / SCORE_ENDS, 0.0)
        kept, past = 0, self.past
        variants = self.school.variants
        for table, (who, name, part) in enumerate(self.tables(pupil)):
            variant = variants[(3 * pupil.rounds + table) % len(variants)]
            kept = self.play(pupil, variant, who, name, kept, int(part * DECISIONS), score)
        if kept < BATCH:
            raise UsageError(f"{self.school.game.name}: its games have too few decisions to train a policy")
        gains = past.gain[:kept]
        gains[:] = (gains - gains.mean()) / (gains.std() + np.float32(1e-6))
        fall = 1 - (1 - LATE) * gone
        rate, entropy = RATE, ENTROPY * fall
        if self.school.is_mixed:
            rate, entropy = MIXED_RATE, max(MIXED_ENTROPY * (1 - gone / SCORE_ENDS), MIXED_LEAST)
        rates = np.array([rate * fall, CLIP, entropy, VALUE_WEIGHT])
        sizes = np.array([*self.sizes, BATCH], np.int64)
        luck = np.random.default_rng([pupil.seed, pupil.rounds])
        for _ in range(PASSES):
            order = luck.permutation(kept)
            pupil.steps = learn(pupil.flat, pupil.first, pupil.second, pupil.steps, order, rates, sizes, past)
        weight = np.float32(min(AVERAGED, (1 + pupil.rounds) / (10 + pupil.rounds)))
        pupil.mean[:] = weight * pupil.mean + (1 - weight) * pupil.flat
        pupil.rounds += 1
        if pupil.rounds % JOINS == 0:
            left = pupil.earlier
            if len(left) == LEAGUE:
                left = np.delete(left, luck.integers(LEAGUE), axis=0)
            pupil.earlier = np.concatenate([left, pupil.mean[None]])
        looks = {rounds * (i + 1) // LOOKS for i in range(LOOKS)}
        if pupil.rounds in looks:
            pupil.looks.append([pupil.games, self.wins(pupil)])

    def tables(self, pupil: Pupil) -> list[tuple[int, str, float]]:
        """Return (other seats, their policy, end of this table's part of the round) for each table."""
        school, others = self.school, list(self.school.others)
        if school.seats == 1:
            return [(ITSELF, school.judge, 1.0)]
        name = school.judge if school.is_named else others[pupil.rounds % len(others)]
        # policies that can be exploited would draw a player that mixes away from balance
        with_policies = 0.0 if school.is_mixed else SLOW if name == "newcomer" else OTHERS
        with_policies = school.with_named if school.is_named else with_policies
        earlier = min(EARLIER, (1 - with_policies) / 2) if len(pupil.earlier) else 0.0
        itself = 1 - with_policies - earlier
        return [
            (ITSELF, school.judge, itself),
            *([(BEFORE, school.judge, 1 - with_policies)] if len(pupil.earlier) else []),
            *([(POLICIES, name, 1.0)] if with_policies else []),
        ]

    def play(
        self, pupil: Pupil, school: School, who: int, name: str, kept: int, wanted: int, score: float
    ) -> int:
        """Simulate games until `wanted` decisions are recorded; return their number."""
        nets = np.concatenate([pupil.flat[None], pupil.earlier]) if who == BEFORE else pupil.flat[None]
        kept, tally = self.run(pupil, school, name, nets, who, False, wanted, kept, score, pupil.games)
        pupil.games += int(tally[0])
        return kept

    def wins(self, pupil: Pupil) -> int:
        """Return the wins in LOOK_GAMES against the judge, with the pupil's mean parameters."""
        school, nets = self.school, pupil.mean[None]
        _, tally = self.run(pupil, school, school.judge, nets, POLICIES, True, LOOK_GAMES, 0, 0.0, APART // 2)
        return int(tally[1])

    def run(
        self,
        pupil: Pupil,
        school: School,
        name: str,
        nets: np.ndarray,
        who: int,
        is_look: bool,
        wanted: int,
        kept: int,
        score: float,
        first_game: int,
    ) -> tuple[int, np.ndarray]:
        tally = np.zeros(2, np.int64)
        if (school, name) not in self.matches:
            match = CompiledMatch(school.match(name, school.seed), learning(school.layout))
            self.matches[school, name] = match
        first_game += (pupil.seed - school.seed) * APART
        state, action, hidden = self.sizes
        settings = Settings(
            state,
            action,
            hidden,
            sides=school.seats,
            others=who,
            is_look=is_look,
            wanted=wanted,
            score=score,
            middle=self.shape[0],
            is_linear=school.is_for_score,
            spread=self.shape[1],
            decay=DECAY,
            shown=school.shown,
        )
        where = (school.addresses, self.coding, school.rules, np.ascontiguousarray(nets))
        kept = self.matches[school, name].run(first_game, *where, settings, self.past, kept, tally, states=3)
        return kept, tally


# ---------------------------------------------------------------- which one is best, and how good


class LearnedBeside(Document):
    """Comparison of a learned policy with another policy. Both play the same held-out games in one seat, and
    the other policy plays all other seats.
    """

    policy: str
    games: int
    wins: BeforeAfter
    value: BeforeAfter  # 1 a win, equal parts of a draw; or the score, if that is what was learned for
    verdict: str  # better, worse, or unclear
    by: str = "wins"  # or score: what `value` is


def judged(school: School, player: Player, name: str, games: int, seed: int, source: Source) -> LearnedBeside:
    """Compare the learned policy with the other policy in each seat in turn. The other policy plays all other
    seats.
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
        wins=_before_after(wins),
        value=_before_after(value),
        verdict=verdict,
        by="score" if school.is_for_score else "wins",
    )


def _before_after(effect: Effect) -> BeforeAfter:
    return BeforeAfter(
        games=effect.n,
        before=effect.base.interval,
        after=effect.changed.interval,
        difference=effect.difference.interval,
    )


def worths(school: School, players: Sequence[Player], games: int, seed: int, source: Source) -> list[float]:
    """Return each policy's results in held-out games against the judge."""
    frames = (_frame(school, player, school.judge, games, seed, source) for player in players)
    return [float(frame["value"].mean()) for frame in frames]  # type: ignore[arg-type]


def _frame(school: School, player: Player, name: str, games: int, seed: int, source: Source) -> pl.DataFrame:
    """Return one row per game: game, value, win. Each seat gets an equal part of the games."""
    seats, other = school.seats, school.others[name]
    values, wins = np.zeros(games), np.zeros(games)
    stretches = []
    for seat, part in enumerate(portions(range(games), [1] * seats)):
        table = (*(other,) * seat, player, *(other,) * (seats - 1 - seat))
        match = Match(school.game, school.scenario, table, seed)
        if part:
            stretches.append(Stretch(source.ready(match), part, seat=None, key=seat))
    for stretch, rows in source.play(stretches):
        at = slice(stretch.games.start, stretch.games.stop)
        wins[at] = rows["winner"] == stretch.key
        drawn = rows["winner"] == NOBODY
        values[at] = wins[at] + (drawn / seats if seats > 1 else 0.0)
        if school.is_for_score:
            own = f"score_{stretch.key}"
            values[at] = rows[own if own in (rows.dtype.names or ()) else "score"]
    return pl.DataFrame({"game": np.arange(games), "value": values, "win": wins})


def first_seat(school: School, player: Player, games: int, seed: int, source: Source) -> BeforeAfter:
    """Return the wins of the first seat in two cases: the judge plays all seats, and the learned policy plays
    all seats.
    """

    def wins(one: Player) -> pl.LazyFrame:
        match = Match(school.game, school.scenario, (one,) * school.seats, seed)
        parts = source.play([Stretch(source.ready(match), range(games), seat=None, key=0)])
        won = np.concatenate([rows["winner"] == 0 for _, rows in parts])
        return pl.LazyFrame({"game": np.arange(games), "win": won.astype(float)})

    (effect,) = compare(wins(school.others[school.judge]), wins(player), [WIN])
    return _before_after(effect)


def responding(school: School, player: Player, name: str) -> School:
    """Return the setup of a training whose opponent is one fixed policy."""
    return replace(school, others={name: player}, is_named=True, with_named=RESPONDING, is_mixed=False)


Keep = Callable[[Sequence[Pupil]], None]


def train(
    lessons: Lessons, pupils: list[Pupil], rounds: int, keep: Keep, tell: Callable[[Pupil], None]
) -> None:
    """Train every pupil for `rounds` rounds, one after the other. Modifies the pupils.

    keep: called with all pupils after each round. tell: called with the trained pupil after each round.
    """
    for pupil in pupils:
        while pupil.rounds < rounds:
            lessons.round(pupil, rounds)
            tell(pupil)
            keep(pupils)


def paced(lessons: Lessons, seconds: float, clock: Callable[[], float]) -> int:
    """Return the number of rounds that fit into `seconds`, estimated by trial rounds of a discarded pupil."""
    pupil, each = lessons.pupil(0), max(len(lessons.school.others), 2)
    lessons.round(pupil, 1000)  # compiles
    begun = clock()
    for _ in range(each):
        lessons.round(pupil, 1000)
    return max(int(seconds * each / max(clock() - begun, 1e-9)), LEAST_ROUNDS)
