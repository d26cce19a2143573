"""Learning to play a game: self-play with several seeds, of which fresh games choose the best.

Each pupil plays against itself, against what it was before, and against the policies that are named (a
league). It takes a fixed number of rounds; rates and the part of the score in what a game is worth fall along
the way. What it ends as is the running mean of its parameters. A round is a pure function of the seed, its
number and the parameters before it, so a training that was interrupted is resumed without a difference.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
import polars as pl

from bartizan.analyses.document import Document
from bartizan.analyses.experiments.training import WIN, BeforeAfter, portions
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
    "policies; the best seed chosen by fresh games; compared on other fresh games, on common luck"
)
HIDDEN_UNITS = 32
DECISIONS = 8192  # of a round
BATCH, PASSES = 256, 2  # decisions of a step, passes over those of a round
RATE, CLIP, ENTROPY, VALUE = 1e-3, 0.2, 0.01, 0.5
LATE = 0.1  # part of the rate and of the entropy that is left at the end
DECAY = 0.95  # of advantages
AVERAGED = 0.95  # most of the running mean that is kept each round
# part of a round's decisions against policies, against newcomer, which is slow, and where one is named
OTHERS, SLOW, WITH_BOT = 0.2, 0.05, 0.45
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
    """What is learned, under which scenario, from whom."""

    game: Game
    scenario: Scenario
    layout: Layout
    # who is met, the one that all is judged by first; `is_named`: the user asked for that one
    others: Mapping[str, Player]
    seed: int
    is_named: bool = False

    @property
    def seats(self) -> int:
        return len(self.game.roles_in(self.scenario))

    @property
    def judge(self) -> str:
        return next(iter(self.others))

    def match(self, name: str, seed: int) -> Match:
        """A table with one policy at every seat, where hidden cards can be dealt anew."""
        return Match(self.game, self.scenario, (self.others[name],) * self.seats, seed, deals=True)

    @cached_property
    def engine(self) -> Any:
        return self.match(self.judge, self.seed).engine

    @cached_property
    def addresses(self) -> Addresses:
        return self.layout.addresses(self.engine)

    @cached_property
    def rules(self) -> np.ndarray:
        """The numbers of the rules, as int64."""
        return np.frombuffer(self.match(self.judge, 0).tables().tobytes(), np.int64).copy()

    @property
    def shown(self) -> int:
        """How many features the game has."""
        return int(self.engine.features.dtype.itemsize) // 8


@dataclass(frozen=True, eq=False)
class Probed:
    """What a game showed before training."""

    coding: Coding
    leaks: tuple[str, ...]  # numbers that hidden cards change, and that are not seen therefore
    shape: tuple[float, float]  # middle and spread of scores


def probe(school: School) -> Probed:
    """Play games to see which numbers there are, which of them must not be seen, and which effects of actions
    are certain.
    """
    at, layout = school.addresses, school.layout
    numbers, actions, far = len(layout.names), len(layout.game.actions), 1 << 40
    noted = Noted(
        np.tile(np.array([far, -far], np.int64), (numbers, 1)),
        np.zeros(numbers, np.int64),
        np.zeros((actions, numbers), np.int64),
        np.zeros(actions, np.int64),
    )
    ends, none = np.array([0, far, -far], np.int64), np.zeros((1, 1), np.int64)
    match = CompiledMatch(school.match(school.judge, school.seed + 3 * FRESH), probing(layout))
    where = (at, Coding(none, none, none, ends), school.rules, school.shown)
    for first in range(0, PROBED_GAMES, PIECE):
        match.run(first, PIECE, *where, noted, ends, states=3)
        if ends[0] > PROBED_DECISIONS:
            break
    coding = coding_of(at, noted, school.rules)
    low, high = (float(ends[1]), float(ends[2])) if ends[1] <= ends[2] else (0.0, 0.0)
    shape = ((low + high) / 2, max((high - low) / 4, 1.0))
    return Probed(coding, tuple(layout.names[i] for i in np.flatnonzero(noted.leaks)), shape)


@dataclass(eq=False)
class Pupil:
    """One training: its parameters, and all that the next round depends on."""

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
        """All but the arrays."""
        return {name: getattr(self, name) for name in ("seed", "rounds", "steps", "games", "looks")}


class Lessons:
    """Rounds of training of one school."""

    def __init__(self, school: School, probed: Probed):
        self.school, self.coding, self.shape = school, probed.coding, probed.shape
        self.sizes = (int(self.coding.sizes[0]), int(self.coding.sizes[1]), HIDDEN_UNITS)
        room = DECISIONS + DECISIONS // 4
        most = len(self.coding.numbers)
        self.past: Decisions = new_decisions(
            room, room * min(ROOM_STATE, 9 * most) + 9 * most, room * ROOM_ACTIONS, room * ROOM_INPUTS
        )
        self.matches = {
            name: CompiledMatch(school.match(name, school.seed), learning(school.layout))
            for name in school.others
        }

    def pupil(self, number: int) -> Pupil:
        """A pupil who has learned nothing yet."""
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
        """The network that a pupil has become."""
        net: Net = net_of(pupil.mean, *self.sizes)
        return net

    def round(self, pupil: Pupil, rounds: int) -> None:
        """One round of `rounds`: games, then steps. Modifies the pupil."""
        gone = pupil.rounds / rounds
        score = SCORE * max(1 - gone / SCORE_ENDS, 0.0)
        kept, past = 0, self.past
        for who, name, part in self.tables(pupil):
            kept = self.play(pupil, who, name, kept, int(part * DECISIONS), score)
        if kept < BATCH:
            raise UsageError(f"{self.school.game.name}: too few decisions in its games to learn from")
        gains = past.gain[:kept]
        gains[:] = (gains - gains.mean()) / (gains.std() + np.float32(1e-6))
        fall = 1 - (1 - LATE) * gone
        rates = np.array([RATE * fall, CLIP, ENTROPY * fall, VALUE])
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
        """(who else plays, which policy, up to which part of the round)."""
        school, others = self.school, list(self.school.others)
        if school.seats == 1:
            return [(ITSELF, school.judge, 1.0)]
        name = school.judge if school.is_named else others[pupil.rounds % len(others)]
        with_policies = WITH_BOT if school.is_named else SLOW if name == "newcomer" else OTHERS
        itself = 1 - with_policies - (EARLIER if len(pupil.earlier) else 0)
        return [
            (ITSELF, school.judge, itself),
            *([(BEFORE, school.judge, 1 - with_policies)] if len(pupil.earlier) else []),
            (POLICIES, name, 1.0),
        ]

    def play(self, pupil: Pupil, who: int, name: str, kept: int, wanted: int, score: float) -> int:
        """Games until `wanted` decisions are kept; how many are."""
        nets = np.concatenate([pupil.flat[None], pupil.earlier]) if who == BEFORE else pupil.flat[None]
        kept, tally = self.run(pupil, name, nets, who, False, wanted, kept, score, pupil.games)
        pupil.games += int(tally[0])
        return kept

    def wins(self, pupil: Pupil) -> int:
        """Of LOOK_GAMES against the judge, as its mean parameters choose."""
        _, tally = self.run(
            pupil, self.school.judge, pupil.mean[None], POLICIES, True, LOOK_GAMES, 0, 0.0, APART // 2
        )
        return int(tally[1])

    def run(
        self,
        pupil: Pupil,
        name: str,
        nets: np.ndarray,
        who: int,
        is_look: bool,
        wanted: int,
        kept: int,
        score: float,
        first_game: int,
    ) -> tuple[int, np.ndarray]:
        school, tally = self.school, np.zeros(2, np.int64)
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
            spread=self.shape[1],
            decay=DECAY,
            shown=school.shown,
        )
        where = (school.addresses, self.coding, school.rules, np.ascontiguousarray(nets))
        kept = self.matches[name].run(first_game, *where, settings, self.past, kept, tally, states=3)
        return kept, tally


# ---------------------------------------------------------------- which one is best, and how good


class LearnedBeside(Document):
    """A learned player beside a policy: the same fresh games with either in a seat, that policy elsewhere."""

    policy: str
    games: int
    wins: BeforeAfter
    value: BeforeAfter  # 1 a win, equal parts of a draw
    verdict: str  # better, worse, or unclear


def judged(school: School, player: Player, name: str, games: int, seed: int, source: Source) -> LearnedBeside:
    """The player in each seat in turn against a policy in all others, and that policy in its place."""
    base, changed = (
        _frame(school, one, name, games, seed, source).lazy() for one in (school.others[name], player)
    )
    wins, value = compare(base, changed, [WIN, WORTH])
    gain = value.difference
    verdict = "unclear" if not gain.is_clear else "better" if gain.interval.estimate > 0 else "worse"
    return LearnedBeside(
        policy=name, games=games, wins=_before_after(wins), value=_before_after(value), verdict=verdict
    )


def _before_after(effect: Effect) -> BeforeAfter:
    return BeforeAfter(
        games=effect.n,
        before=effect.base.interval,
        after=effect.changed.interval,
        difference=effect.difference.interval,
    )


def worths(school: School, players: Sequence[Player], games: int, seed: int, source: Source) -> list[float]:
    """What fresh games against the judge are worth to each player."""
    frames = (_frame(school, player, school.judge, games, seed, source) for player in players)
    return [float(frame["value"].mean()) for frame in frames]  # type: ignore[arg-type]


def _frame(school: School, player: Player, name: str, games: int, seed: int, source: Source) -> pl.DataFrame:
    """One row a game: game, value, win. Each seat gets an equal part of the games."""
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
    return pl.DataFrame({"game": np.arange(games), "value": values, "win": wins})


Keep = Callable[[Sequence[Pupil]], None]


def train(
    lessons: Lessons, pupils: list[Pupil], rounds: int, keep: Keep, tell: Callable[[Pupil], None]
) -> None:
    """Every pupil learns for `rounds` rounds, one after the other. Modifies the pupils.

    keep: is handed them after each round; tell: the pupil after each round.
    """
    for pupil in pupils:
        while pupil.rounds < rounds:
            lessons.round(pupil, rounds)
            tell(pupil)
            keep(pupils)


def paced(lessons: Lessons, seconds: float, clock: Callable[[], float]) -> int:
    """How many rounds fill so many seconds: some rounds of a pupil who is then forgotten tell it."""
    pupil, each = lessons.pupil(0), max(len(lessons.school.others), 2)
    lessons.round(pupil, 1000)  # compiles
    begun = clock()
    for _ in range(each):
        lessons.round(pupil, 1000)
    return max(int(seconds * each / max(clock() - begun, 1e-9)), LEAST_ROUNDS)
