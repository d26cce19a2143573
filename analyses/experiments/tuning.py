"""Find the value of one parameter that meets a target.

The method is stochastic root finding on a grid. A value is simulated until its interval is inside or outside
the hit band, or the maximum number of games is reached. Then the search interval is narrowed. This is the
problem of Robbins & Monro (1951) in the setting of Waeber, Frazier & Henderson (2013, SIAM J. Control Optim.
51), in which the answer to "above or below?" is right with a known probability. All values use the same game
numbers on common random numbers. A monotone fit through all results (isotonic regression, weights = games;
Barlow, Bartholomew, Bremner & Brunk 1972) selects the nearest value. Because of selection
bias, the chosen value is simulated again on held-out seeds.

A target is hit if the held-out interval is inside its band, and missed if the interval is outside. Otherwise,
the result is inconclusive. These are two one-sided tests, each at half the error rate of the two-sided
interval (Schuirmann 1987). The band of a single number is the number plus or minus its margin. An interval
that merely contains the number is not a hit, because a wide interval contains it too easily.
"""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal, InvalidOperation
from functools import partial, reduce
from itertools import combinations, pairwise
from math import ceil, floor, isfinite, log2, log10, nan
from operator import add
from typing import Any

import numpy as np
import polars as pl

from bartizan.analyses.document import Document
from bartizan.analyses.experiments import trials
from bartizan.analyses.experiments.trials import Condition, Trial, truncated
from bartizan.analyses.records.comparison import headline, is_by_player
from bartizan.analyses.records.quantities import tier_column
from bartizan.analyses.records.seating import LineUp
from bartizan.analyses.records.tally import TRUNCATED
from bartizan.analyses.statistics import special
from bartizan.analyses.statistics.intervals import Interval, excess_width, with_truncated
from bartizan.analyses.statistics.paired import Estimate, Measure, Values, values
from bartizan.analyses.statistics.testing import joint_level
from bartizan.simcore.errors import ScenarioError, UsageError, as_spelled, did_you_mean
from bartizan.simcore.numerals import numeral
from bartizan.simcore.play.batch import Batch, Source
from bartizan.simcore.play.match import chunks_of
from bartizan.simcore.reporting import CONFIDENCE
from bartizan.simcore.scenario.loading import Scenario
from bartizan.simcore.scenario.parameters import Parameter, parse_value, unit_of

# ----------------------------------------------------- targets, and the values of a parameter, read from text

WIN_RATE, TURNS, SCORE, DRAWS, TIER = "win_rate", "turns", "score", "draws", "tier"
SHARES = (WIN_RATE, DRAWS, TIER)
BELOW, ON, ABOVE, UNCLEAR = -1, 0, 1, None
STEPS = 100  # approximate number of steps of a range of fractions
MOST_VALUES = 2000
MOST_WIDER = 10  # excess width of an interval that would need more than 100 times the games


# margin of a hit around a single number. Shares: 1 percentage point. Turns and scores: 0.5,
# or 2 % of the number if that is more
SHARE_MARGIN, LEAST_MARGIN, PART_MARGIN = 0.01, 0.5, 0.02


@dataclass(frozen=True)
class Target:
    """Target result: a number with a margin, or a range."""

    measure: str  # win_rate, turns, score, draws, tier
    low: float
    high: float  # equal to `low` for a single number
    name: str = ""  # name of the tier
    # margin of a hit around a single number, in units of the measure; 0 in documents of earlier
    # versions, in which an interval was a hit if it contained the number
    margin: float = 0.0

    @property
    def is_share(self) -> bool:
        return self.measure in SHARES

    @property
    def band(self) -> tuple[float, float]:
        """Minimum and maximum result that count as a hit."""
        return self.low - self.margin, self.high + self.margin

    @property
    def middle(self) -> float:
        return (self.low + self.high) / 2

    def distance(self, value: float) -> float:
        return max(self.low - value, value - self.high, 0.0)

    def off(self, interval: Interval) -> tuple[bool, float, float]:
        """Return a sort key: hits first, then the estimate nearest to the target, then to its middle."""
        estimate = interval.estimate
        return not self.is_hit_by(interval), self.distance(estimate), abs(estimate - self.middle)

    def side(self, interval: Interval) -> int | None:
        """Return the position of the interval relative to the target number or range.

        The position is ON, BELOW or ABOVE for the whole interval, or UNCLEAR if it contains an end of the
        range.
        """
        return _side(interval, self.low, self.high)

    def result(self, interval: Interval) -> int | None:
        """Return the position of the whole interval relative to the hit band: ON, BELOW, ABOVE, or UNCLEAR.

        ON is a hit, BELOW or ABOVE a miss; UNCLEAR is inconclusive.
        """
        return _side(interval, *self.band)

    def is_hit_by(self, interval: Interval) -> bool:
        return self.result(interval) == ON

    def games_to_tell(self, interval: Interval, games: int, wider: float = 1.0) -> int | None:
        """Return the number of games at which the interval would no longer contain an edge of the hit band.

        wider: factor by which the next look's interval is wider for the same games. Returns None if the
        interval contains no edge, if a hundred times as many games would not be enough, or if there are
        truncated games.
        """
        if self.result(interval) is not UNCLEAR or interval.is_bounds:
            return None
        wider *= excess_width(interval, *self.band, interval.estimate, interval.estimate)
        return max(ceil(games * wider**2), games + 1) if wider < MOST_WIDER else None

    def measured(self, line_up: LineUp) -> Measure:
        """Return the measured quantity for each game number of a line-up."""
        if self.measure == WIN_RATE:
            return headline(line_up, is_by_player(line_up))
        if self.measure == DRAWS:
            return line_up.draws()
        if self.measure == TIER:
            share = line_up.mean(f"column:{TIER}")
            return Measure(TIER, self.name, share, share + line_up.mean("cut off"), (0.0, 1.0))
        return line_up.column({TURNS: "turn", SCORE: "score"}[self.measure])


def _side(interval: Interval, low: float, high: float) -> int | None:
    if interval.high < low:
        return BELOW
    if interval.low > high:
        return ABOVE
    return ON if low <= interval.low and interval.high <= high else UNCLEAR


def read_target(
    text: str, tiers: Sequence[str], margin: str | float | None = None, has_score: bool = True
) -> Target:
    """Parse a target: `win_rate=0.30`, `win_rate=25%..35%`, `turns=18`, `tier:gold=0.2`.

    tiers, has_score: properties of the game. margin: margin of a single number, such as `1pp` or `0.01` for a
    share; None for the default of the measure. Raises UsageError for other text.
    """
    what, equals, value = text.partition("=")
    kind, _, name = what.partition(":")
    kinds = (WIN_RATE, TURNS, *([SCORE] if has_score else []), DRAWS, *([TIER] if tiers else []))
    kind, name = as_spelled(kind, kinds), as_spelled(name, tiers)
    if not equals or kind not in kinds or bool(name) != (kind == TIER):
        raise UsageError(
            f"--target {text}: write WHAT=VALUE, such as win_rate=0.30 or turns=18..20; WHAT is one "
            f"of {', '.join(kinds)}{' (tier:NAME)' if tiers else ''}"
        )
    if kind == TIER and name not in tiers:
        raise UsageError(f'--target {text}: no tier "{name}"{did_you_mean(name, tiers)}')
    low, _, high = value.partition("..")
    least, most = (_number(part, text) for part in ((low, high) if ".." in value else (low, low)))
    if least > most or (kind in SHARES and not 0 <= least <= most <= 1):
        share = "a share must be between 0 and 1 (or 0% and 100%)"
        order = "the lower end of a range comes first, as in turns=18..20"
        raise UsageError(f"--target {text}: {order if least > most else share}")
    if least < most:
        if margin is not None:
            raise UsageError(
                f"--margin {margin}: needs a target that is a single number; --target {text} is a range"
            )
        return Target(kind, least, most, name)
    return Target(kind, least, most, name, _margin(kind, least, margin))


def _margin(kind: str, number: float, given: str | float | None) -> float:
    if given is None:
        return SHARE_MARGIN if kind in SHARES else max(LEAST_MARGIN, PART_MARGIN * abs(number))
    text, unit = str(given), "pp" if kind in SHARES else ""
    try:
        margin = float(numeral(text.removesuffix(unit))) / (100 if unit and text.endswith(unit) else 1)
    except ValueError:
        margin = nan
    if not (isfinite(margin) and margin > 0 and (kind not in SHARES or margin < 0.5)):
        example = "1pp (percentage points)" if kind in SHARES else f"{LEAST_MARGIN:g}"
        raise UsageError(f"--margin {given}: write a number above 0, such as {example}")
    return margin


def _number(text: str, whole: str) -> float:
    try:
        number = float(numeral(text.removesuffix("%"))) / (100 if text.endswith("%") else 1)
    except ValueError:
        number = nan
    if not isfinite(number):
        raise UsageError(f'--target {whole}: "{text}" is not a number; write one such as 0.3, 30% or 18')
    return number


@dataclass(frozen=True)
class Knob:
    """A parameter to tune, and the values that it may take."""

    parameter: Parameter
    values: tuple[Any, ...]
    is_ordered: bool  # True for numbers; choices have no order


def read_knob(text: str, knobs: Sequence[Parameter], option: str = "--knob") -> Knob:
    """Parse `path=lo:hi[:step]` or `path=a,b,c`.

    A path alone means all choices of the parameter, or the steps between its bounds (see `_steps`). Raises
    UsageError for other text.
    """
    path, equals, choice = text.partition("=")
    by_path = {knob.path: knob for knob in knobs}
    if path not in by_path:
        raise UsageError(
            f'{option} {text}: unknown parameter "{path}"{did_you_mean(path, by_path)} '
            "(bartizan describe GAME --knobs lists them)"
        )
    knob = by_path[path]
    is_number = isinstance(knob.value, int | float) and not isinstance(knob.value, bool)
    if not equals and knob.choices:
        return Knob(knob, knob.choices, False)
    if not equals and is_number and knob.low is not None and knob.high is not None:
        return Knob(knob, _steps(knob, f"{knob.low}:{knob.high}", path, option), True)
    if not equals:
        raise UsageError(
            f"{option} {path}: no values given; write {path}={'lo:hi' if is_number else 'a,b,c'}"
        )
    if ":" in choice and is_number and not knob.choices:
        return Knob(knob, _steps(knob, choice, text, option), True)
    values = tuple(dict.fromkeys(map(str.strip, _split(choice))))
    if len(values) < 2:
        raise UsageError(
            f"{option} {text}: needs more than one value; write "
            f"{f'{path}=lo:hi' if is_number else f'{path}=a,b'}"
        )
    read = [parse_value(value, knob.value) for value in values]
    for value in read:
        if knob.choices and value not in knob.choices:
            raise UsageError(
                f"{option} {text}: {value} is not one of its choices{did_you_mean(value, knob.choices)}"
            )
        if is_number and not isinstance(value, int | float):
            raise UsageError(f"{option} {text}: {value} is not a number; write a range as lo:hi")
    return Knob(knob, tuple(sorted(read) if is_number else read), is_number)


def _split(text: str) -> list[str]:
    """Split a text at commas outside of brackets."""
    parts, depth = [""], 0
    for letter in text:
        depth += (letter in "[{") - (letter in "]}")
        if letter == "," and not depth:
            parts.append("")
        else:
            parts[-1] += letter
    return [part for part in parts if part.strip()]


def _steps(knob: Parameter, steps: str, text: str, option: str) -> tuple[Any, ...]:
    """Return the values from one end to the other: integers, about 100 round fractions, or every `step`."""
    try:
        low, high, *more = map(Decimal, map(numeral, steps.split(":")))
        (step,) = more or [Decimal(1) if isinstance(knob.value, int) else _round_step(float(high - low))]
    except (InvalidOperation, ValueError):
        raise UsageError(f"{option} {text}: write {knob.path}=lo:hi or lo:hi:step, in numbers") from None
    if isinstance(knob.value, int) and any(part % 1 for part in (low, step)):
        scaled = [part * knob.scale for part in (low, high, *more)]
        exact = knob.scale > 1 and not any(part % 1 for part in scaled)
        ends = f": write {knob.path}={':'.join(f'{part:.0f}' for part in scaled)}" if exact else ""
        unit = f" number of {unit_of(knob.scale)}{ends}" if knob.scale > 1 else ""
        raise UsageError(f"{option} {text}: {knob.path} must be an integer{unit}")
    if not (low < high and step > 0):
        raise UsageError(f"{option} {text}: lo must be below hi, and a step above 0")
    if (high - low) / step > MOST_VALUES:
        raise UsageError(
            f"{option} {text}: more than {MOST_VALUES:,} values; give a step: {knob.path}={low}:{high}:STEP"
        )
    if (knob.low is not None and low < knob.low) or (knob.high is not None and high > knob.high):
        raise UsageError(f"{option} {text}: {knob.path} must be {knob.allowed}")
    return tuple(type(knob.value)(low + step * number) for number in range(int((high - low) / step) + 1))


def _round_step(width: float) -> Decimal:
    """Return 1, 2 or 5 times a power of ten, near a hundredth of the width."""
    power = floor(log10(max(width, 1e-12) / STEPS))
    lead = next(lead for lead in (1, 2, 5, 10) if lead * 10.0**power * STEPS >= width * 0.999)
    return Decimal(lead).scaleb(power)


# --------------------- ways to set up one game, each simulated as far as needed, on common random numbers

PART = 32_768  # games of a seating in memory at a time


@dataclass(frozen=True)
class Candidate:
    """One setting of the game, with counts of its first `games` game numbers in every seating."""

    target: Target
    games: int
    measured: Values  # the target measure
    length: Values  # turns
    truncated: int  # truncated games of all seatings
    is_share: bool  # whether it is a share of single games
    # cache: confidence -> interval
    known: dict[float, Interval] = field(default_factory=dict, compare=False, repr=False)

    def interval(self, confidence: float = CONFIDENCE) -> Interval:
        """Return the interval of the target measure.

        The method is `with_truncated` for a share of single games, otherwise `Values.estimate`.

        Raises UsageError if no game has the measure.
        """
        if confidence not in self.known:
            of, n = self.measured, self.measured.n
            if self.is_share:
                least, most = float((of.low * n).sum()), float((of.high * n).sum())
                interval = with_truncated(round(least), round(most - least), self.games, confidence)
            else:
                if not of.games:
                    raise UsageError(
                        f"--target {self.target.measure}: none of {self.games:,} games has this "
                        "measure; choose another target"
                    )
                interval = of.estimate(confidence, self.truncated).interval
            self.known[confidence] = interval
        return self.known[confidence]

    def turns(self) -> Estimate:
        return self.length.estimate(CONFIDENCE)

    def __add__(self, more: "Candidate") -> "Candidate":
        """Return the candidate extended by the following game numbers."""
        return replace(
            self,
            games=self.games + more.games,
            measured=self.measured + more.measured,
            length=self.length + more.length,
            truncated=self.truncated + more.truncated,
            known={},
        )


class Sample(Document):
    """Number of games simulated under one setting, and the interval of the target measure."""

    games: int
    capped: int = 0  # truncated games of all seatings; missing in JSON of early versions
    estimate: Interval  # the target measure
    turns: Interval


def numbers_of(candidate: Candidate, confidence: float = CONFIDENCE) -> dict[str, Any]:
    """Return the fields of a sample. confidence: the confidence of the interval of the target measure."""
    estimate, turns = candidate.interval(confidence), candidate.turns().interval
    return {"games": candidate.games, "capped": candidate.truncated, "estimate": estimate, "turns": turns}


class Verified(Document):
    """Search and held-out results of the chosen value."""

    search: Sample
    fresh: Sample  # on held-out seeds


class Candidates:
    """Candidates of a search, simulated on demand and cached. The result does not depend on the workers."""

    def __init__(self, condition: Condition, target: Target, source: Source):
        self.condition, self.target, self.source = condition, target, source
        # changes as text -> number of games -> candidate
        self.played: dict[str, dict[int, Candidate]] = {}

    def play(self, changes: Mapping[str, Any], games: int) -> Candidate:
        """Return the first `games` games under these changes. Only missing games are simulated.

        Raises ScenarioError if the games cannot be simulated, UsageError if the changes affect the number of
        players, and AskAgain (see `trials.asked`).
        """
        condition, scenario = self.condition, self.condition.load_playable(changes)
        if len(condition.game.roles_in(scenario)) != len(condition.players):
            raise UsageError(f"{', '.join(changes)}: changes the number of players; use --players")
        known = self.played.setdefault(json.dumps(changes, sort_keys=True), {})
        if games not in known:
            have = max((number for number in known if number < games), default=0)
            name = " ".join(f"{path}={value}" for path, value in changes.items()) or "as it is"
            more = self._more(scenario, have, games, name[:40])
            known[games] = reduce(add, more, *([known[have]] if have else []))
        return known[games]

    def _more(self, scenario: Scenario, have: int, games: int, name: str) -> Iterator[Candidate]:
        """Yield the games after the first `have` games, part by part."""
        condition, progress = self.condition, self.source.progress
        tables = [[self.source.ready(match) for match in condition.matches(scenario)]]
        more = (games - have) * len(tables[0])
        progress.games_total = max(progress.games_total, progress.games_done + more)
        parts = (Trial(None, tables, *chunk, name) for chunk in chunks_of(range(have, games), PART))
        for trial, line_up in trials.play(condition, parts, self.source, partial(self._frame, scenario)):
            yield self._counted(len(trial.games), line_up)

    def _counted(self, games: int, line_up: LineUp) -> Candidate:
        measure = self.target.measured(line_up)
        frame = line_up.scan(["turn", *(kind for kind in (SCORE, TIER) if kind == self.target.measure)])
        measured, length = (values(frame, each) for each in (measure, line_up.column("turn")))
        is_share = len(line_up.cells) == 1 and measure.span == (0.0, 1.0)
        return Candidate(self.target, games, measured, length, truncated(line_up), is_share)

    def _frame(self, scenario: Scenario, rows: Sequence[np.ndarray], tables: Sequence[Batch]) -> pl.DataFrame:
        engine, target = self.condition.game.compiled, self.target
        frame = trials.columns_of(np.concatenate(rows), engine)
        if target.measure != TIER:
            return frame
        tier = tier_column(pl.col("score"), engine.tiers_in_points(scenario), target.name)
        return frame.with_columns(tier.alias(TIER) & (pl.col("winner") != TRUNCATED))


def tiers_of(condition: Condition) -> list[str]:
    return list(condition.game.compiled.tiers(condition.load({})))


def playable(condition: Condition, choice: Knob) -> tuple[tuple[Any, ...], list[tuple[Any, str]]]:
    """Return the valid values of a parameter, and the invalid values with the reason.

    Raises UsageError for fewer than two valid values.
    """
    values, refused = [], []
    for value in choice.values:
        try:
            condition.load_playable({choice.parameter.path: value})
            values.append(value)
        except ScenarioError as error:
            refused.append((value, condition.refusal(choice.parameter.path, value, error).reason))
    if len(values) < 2:
        why = f" ({refused[0][1]})" if refused else ""
        raise UsageError(
            f"--knob {choice.parameter.path}: only {len(values)} of its {len(choice.values)} values can be "
            f"simulated{why}; give at least two valid values"
        )
    return tuple(values), refused


# ---------------------------------------------------------------- the search on a grid

FIRST_GAMES = 1000  # games of a value before the first doubling
EVERY = 8  # with at most this many values, all are simulated
MANY = 64  # the same if the response is not monotonic
BENT = 0.01  # probability of a false finding that the response is not monotonic
FRESH = 1_000_003  # added to the seed for the held-out games of the best value
HIT, BETWEEN, BEYOND, NONE_OF_THEM, INCONCLUSIVE = "hit", "between", "beyond", "none of them", "open"
METHOD = (
    "stochastic root finding on common random numbers: a value is simulated (doubling the games) until its "
    "interval is inside or outside the hit band, all these looks simultaneous at 95 % (Bonferroni); isotonic "
    "regression over all simulated values (Barlow et al. 1972; Waeber, Frazier & Henderson 2013); the winner "
    "again on held-out seeds, 95 % for all values checked there (Bonferroni); a hit is an interval inside "
    "the band, a miss one outside (two one-sided tests, Schuirmann 1987)"
)


Play = Callable[[Any, int], Candidate]  # (value, games) -> candidate with this number of games


class TriedValue(Sample):
    """A simulated value of the parameter, with its result in the monotone fit."""

    value: Any
    present: bool  # whether it is the current value
    fit: float | None  # from the monotone fit; None if values have no order or the response is not monotonic


class ChosenValue(Verified):
    value: Any


class Tuning(Document):
    """The value that hits the target, or the nearest value."""

    # hit; between (two neighbours), beyond (an end), none of them (choices): no value reaches it; open:
    # inconclusive
    verdict: str
    points: list[TriedValue]  # in the order of the values
    winner: ChosenValue
    # for `between`: the value next to the best one, on the other side of the target
    neighbour: TriedValue | None
    present: TriedValue | None  # the current value, even if it was not among the values
    # values simulated on held-out seeds: the nearest, and its neighbour if that was equally likely
    checked: list[Any]
    played: int
    values: int  # requested values
    bends: bool  # whether the response is significantly non-monotonic
    look: float  # confidence level of one look of the search


def tune(
    play: Play,
    again: Play,
    values: Sequence[Any],
    target: Target,
    is_ordered: bool = True,
    most: int = 20_000,
    fresh: int = 20_000,
    present: Any = None,
    confidence: float = CONFIDENCE,
) -> Tuning:
    """Find the value that hits the target, or the nearest value, and verify it on held-out seeds.

    play, again: functions that return candidates with the seed of the search, and with held-out seeds.
    values: ascending if they are ordered. most: maximum number of games per value. present: the current
    value. confidence: joint confidence of all held-out verdicts.
    """
    search = _Search(play, values, target, is_ordered, most)
    search.run(present)
    winner = search.nearest()
    checked = {winner: again(values[winner], fresh)}
    neighbour = search.across(winner, checked[winner].interval())
    if neighbour is not None and search.results[neighbour] in (ON, UNCLEAR):
        # as likely as the best value, so it is also verified
        checked[neighbour] = again(values[neighbour], fresh)
    level = joint_level(len(checked), confidence)
    intervals = {index: sample.interval(level) for index, sample in checked.items()}
    if neighbour in intervals:  # the held-out games decide between the two
        winner, neighbour = sorted(intervals, key=lambda index: target.off(intervals[index]))

    def tried(value: Any, sample: Candidate, fit: float | None = None) -> TriedValue:
        return TriedValue(value=value, present=value == present, fit=fit, **numbers_of(sample))

    fits = search.fit()
    points = {
        index: tried(values[index], sample, fits.get(index))
        for index, sample in sorted(search.samples.items())
    }
    now = next((point for point in points.values() if point.present), None)
    if now is None and present is not None:  # not part of the search
        now = tried(present, play(present, min(4 * FIRST_GAMES, most)))
    verdict = _verdict(search, intervals, winner, neighbour)
    fresh_games = Sample(**numbers_of(checked[winner], level))
    return Tuning(
        verdict=verdict,
        points=list(points.values()),
        winner=ChosenValue(value=values[winner], search=points[winner], fresh=fresh_games),
        neighbour=points[neighbour] if verdict == BETWEEN and neighbour is not None else None,
        present=now,
        checked=[values[index] for index in checked],
        played=len(points),
        values=len(values),
        bends=search.bends(),
        look=search.confidence,
    )


def _verdict(search: "_Search", checked: dict[int, Interval], winner: int, neighbour: int | None) -> str:
    if search.target.is_hit_by(checked[winner]):
        return HIT
    sides = search.results | {index: search.target.result(interval) for index, interval in checked.items()}
    if not set(sides.values()) <= {BELOW, ABOVE}:
        return INCONCLUSIVE
    if not search.is_ordered or (search.bends() and search.is_complete):
        return NONE_OF_THEM
    if search.bends():
        return INCONCLUSIVE
    if len(set(sides.values())) == 1:
        return BEYOND
    return BETWEEN if neighbour is not None and sides[neighbour] != sides[winner] else INCONCLUSIVE


class _Search:
    """State of the search: simulated candidates, by the index of their value."""

    def __init__(self, play: Play, values: Sequence[Any], target: Target, is_ordered: bool, most: int):
        self.play, self.values, self.target = play, values, target
        self.is_ordered, self.most = is_ordered, most
        self.samples: dict[int, Candidate] = {}
        self.sides: dict[int, int | None] = {}  # side of the target number
        self.results: dict[int, int | None] = {}  # side of the hit band
        doublings = 1 + ceil(log2(max(most / FIRST_GAMES, 1)))
        # if the response is not monotonic, all values (up to MANY) are simulated
        looked_at = len(values) if len(values) <= MANY else 7 + 2 * ceil(log2(len(values)))
        self.confidence = 1 - (1 - CONFIDENCE) / (doublings * looked_at)

    @property
    def is_complete(self) -> bool:
        return len(self.samples) == len(self.values)

    def run(self, present: Any = None) -> None:
        if not self.is_ordered or len(self.values) <= EVERY:
            return self.settle_all()
        last = len(self.values) - 1
        for index in (0, last, *([self.values.index(present)] if present in self.values else [])):
            self.settle(index)
        # a non-monotonic response may reach the target between two ends that do not
        if self._bracket() is None:
            for quarter in (1, 2, 3):
                self.settle(round(last * quarter / 4))
        if bracket := self._bracket():
            self._close(*bracket)
        if self.bends() and len(self.values) <= MANY:
            self.settle_all()
        return None

    def _bracket(self) -> tuple[int, int] | None:
        """Return two adjacent simulated values around the target; None if there are none."""
        for pair in pairwise(sorted(self.samples)):
            if {self.sides[index] for index in pair} == {BELOW, ABOVE}:
                return pair
        return None

    def settle_all(self) -> None:
        for index in range(len(self.values)):
            self.settle(index)

    def settle(self, index: int) -> int | None:
        """Simulate a value until its interval is inside or outside the hit band, and return its side.

        Stops at the maximum number of games.
        """
        if index not in self.samples:
            games = min(FIRST_GAMES, self.most)
            while True:
                self.samples[index] = self.play(self.values[index], games)
                interval = self.samples[index].interval(self.confidence)
                self.sides[index], self.results[index] = (
                    self.target.side(interval),
                    self.target.result(interval),
                )
                if self.results[index] is not UNCLEAR or games >= self.most:
                    break
                games = min(2 * games, self.most)
        return self.sides[index]

    def _close(self, low: int, high: int) -> None:
        """Narrow the search interval.

        Stops if its ends are adjacent, or if a value does not differ significantly from the target.

        The next value alternates between two choices: the one at which linear interpolation between the ends
        reaches the target, and the midpoint.
        """
        by_fit, first = True, self.sides[low]
        while high - low > 1:
            middle = self._crossing(low, high) if by_fit else (low + high) // 2
            by_fit, side = not by_fit, self.settle(middle)
            if side is UNCLEAR:  # after the maximum number of games, the value's own 95 % interval decides
                side = self.target.side(self.samples[middle].interval())
            if side not in (BELOW, ABOVE):
                return
            low, high = (middle, high) if side == first else (low, middle)

    def _crossing(self, low: int, high: int) -> int:
        a, b = (self.samples[index].interval().estimate for index in (low, high))
        crossing = low + (self.target.middle - a) / (b - a) * (high - low)
        return min(max(round(crossing), low + 1), high - 1)

    # ------------------------------------------------------------ the monotone fit

    def fit(self) -> dict[int, float]:
        """Return the fitted result of each simulated value, by index.

        Returns {} if the values have no order or the response is not monotonic.

        The fit is an isotonic regression, rising or falling, whichever fits better.
        """
        if not self.is_ordered or self.bends():
            return {}
        return self._fitted(self._rises())

    def _rises(self) -> bool:
        return self._misfit(True) <= self._misfit(False)

    def _misfit(self, rising: bool) -> float:
        fitted = self._fitted(rising)
        return sum(
            sample.games * (sample.interval().estimate - fitted[index]) ** 2
            for index, sample in self.samples.items()
        )

    def _fitted(self, rising: bool) -> dict[int, float]:
        from scipy.optimize import isotonic_regression  # half a second to import

        order = sorted(self.samples)
        estimates = [self.samples[index].interval().estimate for index in order]
        weights = [self.samples[index].games for index in order]
        fit = isotonic_regression(estimates, weights=weights, increasing=rising)
        return dict(zip(order, map(float, fit.x), strict=True))

    def bends(self) -> bool:
        """Return whether any two values differ significantly in the opposite direction to the overall trend.

        Treats the games as independent, which is conservative.
        """
        if not self.is_ordered or len(self.samples) < 3:
            return False
        sign = 1 if self._rises() else -1
        pairs = list(combinations(sorted(self.samples), 2))
        far = float(special.ndtri(1 - BENT / len(pairs)))
        intervals = {index: sample.interval() for index, sample in self.samples.items()}
        z = float(special.ndtri((1 + CONFIDENCE) / 2))
        ses = {index: interval.half_width / z for index, interval in intervals.items()}
        return any(
            sign * (intervals[a].estimate - intervals[b].estimate) > far * (ses[a] ** 2 + ses[b] ** 2) ** 0.5
            for a, b in pairs
        )

    # ------------------------------------------------------------ the nearest

    def nearest(self) -> int:
        """Return the index of the simulated value whose fit is nearest to the target.

        Among equal fits, it is the value whose own result is nearest.
        """
        fit, target = self.fit(), self.target

        def off(index: int) -> tuple[float, float, float, int]:
            own = self.samples[index].interval().estimate
            return target.distance(fit.get(index, own)), target.distance(own), abs(own - target.middle), index

        return min(self.samples, key=off)

    def across(self, winner: int, fresh: Interval) -> int | None:
        """Simulate the winner's neighbour in the direction of the target, and return its index.

        fresh: held-out interval of the winner. Returns None if it is a hit or contains an end of the target,
        if there is no neighbour, or if the values have no order.
        """
        side = self.target.side(fresh)
        if self.target.is_hit_by(fresh) or side not in (BELOW, ABOVE):
            return None
        if not self.is_ordered or len(self.samples) < 2:
            return None
        step = 1 if self._rises() == (side == BELOW) else -1
        if not 0 <= winner + step < len(self.values):
            return None
        self.settle(winner + step)
        return winner + step
