"""Which numbers move the result, and which conclusions stand whatever they are?

Every value in question is varied by the rules of `analyses.variations`: one at a time, each variation against the baseline on common luck, game by game,
and then all of them at once in random draws, since one at a time misses what several do together (Saltelli et al. 2008, Global Sensitivity Analysis).
Conclusions are statements about a sign. They are looked at under every variation and in every draw with simultaneous intervals (Bonferroni).
"""

from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations, groupby, pairwise
from math import ceil
from time import perf_counter
from typing import Any

import numpy as np
import polars as pl

from analyses.comparison import headline, is_by_player
from analyses.effects import LENGTH
from analyses.line_ups import LineUp, rotations
from analyses.paired import Effect, Estimate, Measure, adjust, compare, estimates
from analyses.tally import CAPPED
from analyses.variations import RANGE, variations
from simcore.batch import CHUNK_GAMES, Match, Player, Table, in_order
from simcore.errors import ScenarioError
from simcore.game import Game
from simcore.scenario import Knob, Scenario, load_scenario
from simcore.sweep import Progress

LEVEL = 0.95
CLEAR = 0.05  # p adjusted for all variations, below which an influence is called one
QUANTILES = (5, 50, 95)  # percent
HALF, SIDES, DUEL, FIRST_SEAT, LEVELS = "half", "sides", "duel", "first seat", "levels"
METHOD = (
    "each variation against the baseline on common luck, game by game: Student's t, with few games that differ Clopper-Pearson and a sign test; p adjusted for all "
    "variations (Benjamini & Hochberg 1995); a conclusion stands, is open or is reversed by intervals that all hold together with 95 % (Bonferroni over variations and draws)"
)


# ---------------------------------------------------------------- the question


@dataclass(frozen=True)
class Question:
    """What is played: one line-up under one scenario, some of whose values are in question."""

    game: Game
    scenario: str | None  # as the user named it
    sets: Mapping[str, Any]  # the baseline's, `difficulty` among them
    players: tuple[Player, ...]  # one a seat; who sits in several seats is the same object
    games: int  # of each seating, under each variation
    seed: int

    def load(self, changes: Mapping[str, Any], level: str | None = None) -> Scenario:
        """The scenario with some values changed. Raises ScenarioError where it cannot be played."""
        return load_scenario(self.game, self.scenario, level, {**self.sets, **changes})

    def seatings(self) -> list[tuple[Player, ...]]:
        """Every rotation where seats are alike, so that players can be told from places."""
        return rotations(self.players) if self.game.alike else [self.players]


@dataclass(frozen=True)
class Case:
    """Values that differ from the baseline: one, or those of a joint draw; none in the baseline itself."""

    changes: Mapping[str, Any] = field(default_factory=dict)
    draw: int = 0  # number of the joint draw, from 1
    left_out: tuple[str, ...] = ()  # paths of a joint draw that stay as they are: what was drawn did not go with the others


@dataclass(frozen=True)
class Refused:
    """A variation that cannot be played."""

    path: str
    value: Any
    reason: str


# ---------------------------------------------------------------- the answer


@dataclass(frozen=True)
class Influence:
    """What one variation of one value does."""

    knob: Knob
    value: Any
    headline: Effect  # p adjusted over all variations
    turns: Effect

    @property
    def is_clear(self) -> bool:
        """Can it be told from nothing? Both by its interval and after adjusting for all the variations looked at."""
        return self.headline.adjusted < CLEAR and self.headline.difference.is_clear


@dataclass(frozen=True)
class Draw:
    """One joint variation."""

    case: Case
    headline: Estimate


@dataclass(frozen=True)
class Claim:
    """A number whose sign is a conclusion.

    kind: `half` share of wins less 1/2; `sides` wins of the first side less the second's; `duel` the same of two players, a seat;
    `first seat` its wins less its equal part of the games won by anybody; `levels` wins at the first level less those at the second.
    """

    kind: str
    names: tuple[str, ...] = ()  # of sides, players or levels, in that order


@dataclass(frozen=True)
class Standing:
    """How a conclusion fares under several cases."""

    stands: int
    open: tuple[Case, ...]  # the interval holds the line
    reversed: tuple[Case, ...]  # the whole interval lies on the other side

    @property
    def looks(self) -> int:
        return self.stands + len(self.open) + len(self.reversed)


@dataclass(frozen=True)
class Conclusion:
    """A claim with the sign it has at the baseline."""

    claim: Claim
    baseline: Estimate  # by itself, at LEVEL
    strict: Estimate  # the same as one of all looks
    single: Standing
    joint: Standing

    @property
    def is_positive(self) -> bool:
        return self.baseline.interval.estimate >= 0

    @property
    def is_open(self) -> bool:
        """Even the baseline does not settle it."""
        return not self.baseline.is_clear

    @property
    def is_weak(self) -> bool:
        """The baseline settles it, but with too few games to do so once more under every look."""
        return self.baseline.is_clear and not self.strict.is_clear

    @property
    def always_stands(self) -> bool:
        """At the baseline, under every variation and in every draw."""
        return not any((self.is_open, self.single.open, self.single.reversed, self.joint.open, self.joint.reversed))


@dataclass(frozen=True)
class Sensitivity:
    """Influences, largest first; draws and conclusions."""

    line_up: LineUp  # the baseline's
    by_player: bool  # the headline is the share of the first player over all seats; else that of the first seat
    headline: Estimate
    turns: Estimate
    knobs: tuple[Knob, ...]  # that were varied
    unvaried: tuple[Knob, ...]  # asked for, but text or empty: no rule varies them
    influences: tuple[Influence, ...]
    draws: tuple[Draw, ...]
    conclusions: tuple[Conclusion, ...]
    refused: tuple[Refused, ...]
    look: float  # level of the intervals that conclusions are judged by

    @property
    def unclear(self) -> tuple[Knob, ...]:
        """Values of which no variation can be told from nothing."""
        clear = {influence.knob.path for influence in self.influences if influence.is_clear}
        return tuple(knob for knob in self.knobs if knob.path not in clear)

    @property
    def spread(self) -> dict[str, float]:
        """Least, quantiles and greatest headline of the joint draws; `se`: the median standard error of a draw, whose games are luck too. Empty without draws."""
        if not self.draws:
            return {}
        values = [draw.headline.interval.estimate for draw in self.draws]
        quantiles = {f"q{q}": float(np.quantile(values, q / 100)) for q in QUANTILES}
        return {"min": min(values), **quantiles, "max": max(values), "se": float(np.median([draw.headline.se or 0.0 for draw in self.draws]))}

    def to_frame(self) -> pl.DataFrame:
        """One row a variation, largest first: path, confidence, from and to (as text), difference as a struct, p, p_adjusted, pairing_factor."""
        return pl.DataFrame([_row(influence) for influence in self.influences])


def _row(found: Influence) -> dict:
    share = found.headline
    told = {"path": found.knob.path, "confidence": found.knob.confidence, "from": str(found.knob.value), "to": str(found.value)}
    return {**told, "difference": share.difference.interval.to_dict(), "p": share.difference.p, "p_adjusted": share.adjusted, "pairing_factor": share.factor}


# ---------------------------------------------------------------- asking


def knobs_of(scenario: Scenario, game: Game, assumed: bool = False, prefixes: Sequence[str] = ()) -> list[Knob]:
    """The values in question: all, only guesses, only those below some paths. Who plays, and at which level, belongs to the question."""
    fixed = {"difficulty", game.players_path}
    asked = [knob for knob in scenario.knobs() if knob.path not in fixed and (not assumed or knob.confidence == "assumed")]
    return [knob for knob in asked if not prefixes or any(f"{knob.path}.".startswith(f"{prefix}.") for prefix in prefixes)]


def analyze(
    question: Question,
    knobs: Sequence[Knob],
    spread: float = RANGE,
    draws: int = 32,
    levels: Sequence[str] = (),
    jobs: int = 1,
    watch: Callable[[Progress], None] = lambda progress: None,
) -> Sensitivity:
    """Play every variation and every draw, and compare. The answer does not depend on `jobs`.

    levels: easiest first; with two or more every case is played at each of them, and that harder levels win less often is a conclusion too.
    """
    values = {knob.path: variations(knob, spread) for knob in knobs}
    varied = {knob.path: knob for knob in knobs if values[knob.path]}
    cases = _Cases(question, {path: values[path] for path in varied}, draws, levels)
    tables = cases.played(jobs, watch)
    base = next(tables)
    claims = _claims(question.game, base.main, levels)
    look = 1 - (1 - LEVEL) / max(len(claims) * cases.most, 1)
    by_player = is_by_player(base.main)
    measures = [headline(base.main, by_player), base.main.column(LENGTH)]
    singles, joint, looks = [], [], []
    for table in tables:
        looks.append((table.case, _claimed(claims, table, look)))
        if table.case.draw:
            joint.append(Draw(table.case, estimates(table.scan(), measures[:1], table.capped, LEVEL)[0]))
        else:
            singles.append((table.case, *compare(base.scan(), table.scan(), measures, base.capped + table.capped, LEVEL)))
    share, turns = estimates(base.scan(), measures, base.capped, LEVEL)
    at_base, strict = (_claimed(claims, base, level) for level in (LEVEL, look))
    return Sensitivity(
        base.main,
        by_player,
        share,
        turns,
        tuple(varied.values()),
        tuple(knob for knob in knobs if not values[knob.path]),
        tuple(_influences(varied, singles)),
        tuple(joint),
        tuple(_conclusion(claim, at_base[claim], strict[claim], looks) for claim in claims if claim in at_base),
        tuple(cases.refused),
        look,
    )


def _influences(varied: Mapping[str, Knob], singles: list[tuple[Case, Effect, Effect]]) -> list[Influence]:
    shares = adjust([share for _, share, _ in singles])
    found = []
    for (case, _, turns), share in zip(singles, shares, strict=True):
        ((path, value),) = case.changes.items()
        found.append(Influence(varied[path], value, share, turns))
    return sorted(found, key=lambda influence: -abs(influence.headline.difference.interval.estimate))


# ---------------------------------------------------------------- conclusions


def _claims(game: Game, line_up: LineUp, levels: Sequence[str]) -> list[Claim]:
    """What can be concluded from games like these."""
    between = [Claim(LEVELS, pair) for pair in pairwise(levels)]
    if game.alike:
        duels = [] if line_up.is_mirror else [Claim(DUEL, pair) for pair in combinations(line_up.names, 2)]
        return [*duels, Claim(FIRST_SEAT), *between]
    sides = {1: [Claim(HALF)], 2: [Claim(SIDES, tuple(game.roles))]}
    return sides.get(line_up.seats, []) + between


def _claimed(claims: list[Claim], played: "_Played", level: float) -> dict[Claim, Estimate]:
    """Of each claim the number whose sign it is about; without those of levels that cannot be played."""
    within = [claim for claim in claims if claim.kind != LEVELS]
    found = dict(zip(within, estimates(played.scan(), [_measure(claim, played.main) for claim in within], played.capped, level), strict=True))
    for claim in claims:
        if claim.kind == LEVELS and all(name in played.levels for name in claim.names):
            easier, harder = (played.levels[name] for name in claim.names)
            (effect,) = compare(harder.scan(), easier.scan(), [headline(easier, False)], _capped(harder) + _capped(easier), level)
            found[claim] = effect.difference
    return found


def _measure(claim: Claim, line_up: LineUp) -> Measure:
    if claim.kind == DUEL:
        return line_up.skill(*map(line_up.names.index, claim.names))
    if claim.kind == FIRST_SEAT:
        return line_up.seat_advantage(0)
    mine = line_up.seat_share(0)
    if claim.kind == HALF:
        return Measure(HALF, mine.name, mine.low - 0.5, mine.high - 0.5, (-0.5, 0.5))
    theirs = line_up.seat_share(1)
    return Measure(SIDES, mine.name, mine.low - theirs.high, mine.high - theirs.low, (-1.0, 1.0))


def _conclusion(claim: Claim, baseline: Estimate, strict: Estimate, looks: list[tuple[Case, dict[Claim, Estimate]]]) -> Conclusion:
    sign = 1 if baseline.interval.estimate >= 0 else -1
    seen = [(case, estimate[claim]) for case, estimate in looks if claim in estimate]
    single, joint = ([(case, estimate) for case, estimate in seen if bool(case.draw) == is_joint] for is_joint in (False, True))
    return Conclusion(claim, baseline, strict, _standing(single, sign), _standing(joint, sign))


def _standing(seen: list[tuple[Case, Estimate]], sign: int) -> Standing:
    is_open = tuple(case for case, estimate in seen if not estimate.is_clear)
    is_reversed = tuple(case for case, estimate in seen if estimate.is_clear and estimate.interval.estimate * sign < 0)
    return Standing(len(seen) - len(is_open) - len(is_reversed), is_open, is_reversed)


# ---------------------------------------------------------------- playing


@dataclass(frozen=True)
class _Cell:
    """The games of one seating, in memory: what a `LineUp` needs of a cell."""

    policies: list[dict]
    frame: pl.DataFrame  # game, winner, turn

    def scan(self) -> pl.LazyFrame:
        return self.frame.lazy()


@dataclass(frozen=True)
class _Played:
    """All games of one case."""

    case: Case
    main: LineUp  # at the level in question
    levels: Mapping[str, LineUp]  # every level that was asked for and can be played

    @property
    def capped(self) -> int:
        return _capped(self.main)

    def scan(self) -> pl.LazyFrame:
        return self.main.scan((LENGTH,))


def _capped(line_up: LineUp) -> int:
    """Games cut off."""
    return sum(int((cell.frame["winner"] == CAPPED).sum()) for cell in line_up.cells)


class _Cases:
    """The baseline, every single variation and the joint draws: checked one after another while others are played."""

    def __init__(self, question: Question, values: Mapping[str, list], draws: int, levels: Sequence[str]):
        self.question, self.values, self.draws, self.levels = question, values, draws, levels
        self.refused: list[Refused] = []
        self.most = sum(map(len, values.values())) + draws  # cases besides the baseline, should none be refused
        self.players = [(seats, _described(question.game, seats)) for seats in question.seatings()]
        self.games = len(self.players) * question.games  # of one case at one level

    def played(self, jobs: int, watch: Callable[[Progress], None]) -> Iterator[_Played]:
        """One case after another, the baseline first."""
        level = self.question.load({}).difficulty
        for _, group in groupby(self._line_ups(jobs, watch), key=lambda found: found[0]):
            found = list(group)
            at = {name: line_up for _, name, line_up in found}
            yield _Played(found[0][0], at[level], at)

    def _scenarios(self, progress: Progress) -> Iterator[tuple[Case, Scenario]]:
        """Each case at the level in question first, then at the others."""
        for case, scenario in self._checked(progress):
            yield case, scenario
            for level in self.levels:
                if level != scenario.difficulty:
                    try:
                        yield case, self.question.load(case.changes, level)
                    except ScenarioError:
                        progress.games_total -= self.games

    def _checked(self, progress: Progress) -> Iterator[tuple[Case, Scenario]]:
        base = self.question.load({})
        yield Case(), base
        playable: dict[str, list] = {}
        for path, values in self.values.items():
            for value in values:
                try:
                    scenario = self.question.load({path: value})
                except ScenarioError as error:
                    self.refused.append(Refused(path, value, str(error).removeprefix(f"{base.path}: ")))
                    progress.games_total -= self.games * max(len(self.levels), 1)
                    continue
                playable.setdefault(path, []).append(value)
                yield Case({path: value}), scenario
        for draw in range(1, self.draws + 1):
            case = self._drawn(draw, playable)
            yield case, self.question.load(case.changes)

    def _drawn(self, draw: int, playable: Mapping[str, list]) -> Case:
        """Each value drawn by itself among its variations and what it is now, all as likely. Draw n of a seed is the same however many there are."""
        luck = np.random.default_rng((self.question.seed, draw))
        picked = {path: int(luck.integers(len(values) + 1)) for path, values in playable.items()}
        wanted = [(path, playable[path][index - 1]) for path, index in picked.items() if index]
        order = luck.permutation(len(wanted))
        changes = self._together({}, [wanted[index] for index in order])
        return Case(changes, draw, tuple(path for path, _ in wanted if path not in changes))

    def _together(self, kept: dict, more: list[tuple[str, Any]]) -> dict:
        """`kept` and as many of the others as can be played with it: all, or (halved until one is left) without those that are refused."""
        try:
            self.question.load(kept | dict(more))
            return kept | dict(more)
        except ScenarioError:
            if len(more) < 2:
                return kept
            half = len(more) // 2
            return self._together(self._together(kept, more[:half]), more[half:])

    def _line_ups(self, jobs: int, watch: Callable[[Progress], None]) -> Iterator[tuple[Case, str, LineUp]]:
        question, begun = self.question, deque()
        progress = Progress(games_total=self.games * (1 + self.most) * max(len(self.levels), 1))

        def chunks() -> Iterator[tuple[Table, np.ndarray, int]]:
            for case, scenario in self._scenarios(progress):
                tables = [(Table(Match(question.game, scenario, seats, question.seed)), policies) for seats, policies in self.players]
                rows = [np.zeros(question.games, question.game.compiled.record_dtype) for _ in tables]
                begun.append((case, scenario.difficulty, tables, rows))
                for (table, _), games in zip(tables, rows, strict=True):
                    for first in range(0, question.games, CHUNK_GAMES):
                        yield table, games[first : first + CHUNK_GAMES], first

        since, each = perf_counter(), len(self.players) * ceil(question.games / CHUNK_GAMES)
        for number, chunk in enumerate(in_order(Table.play_into, chunks(), jobs), 1):
            case, level, tables, rows = begun[0]
            _count(progress, case, chunk, perf_counter() - since)
            watch(progress)
            if number % each == 0:
                begun.popleft()
                yield case, level, LineUp(tuple(_Cell(policies, _frame(games)) for (_, policies), games in zip(tables, rows, strict=True)))


def _count(progress: Progress, case: Case, chunk: np.ndarray, seconds: float) -> None:
    """One more chunk is done. Modifies `progress`."""
    name = f"draw {case.draw}" if case.draw else next(iter(case.changes), "baseline")
    if name != progress.cell:
        progress.cell, progress.wins, progress.games_of_cell = name, 0, 0
    progress.games_done += len(chunk)
    progress.played += len(chunk)
    progress.seconds = seconds
    progress.games_of_cell += len(chunk)
    progress.wins += int((chunk["winner"] == 0).sum())


def _described(game: Game, seats: tuple[Player, ...]) -> list[dict]:
    """A seating as a manifest has it."""
    return [{"role": role, "name": player.name, "weights": player.weights, "source_hash": player.source_hash} for role, player in zip(game.roles, seats, strict=False)]


def _frame(rows: np.ndarray) -> pl.DataFrame:
    return pl.DataFrame({name: rows[name].astype(np.int64) for name in ("game", "winner", LENGTH)})
