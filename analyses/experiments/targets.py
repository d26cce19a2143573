"""What a designer wants to hit, and which values he would put up with: targets and the values of a knob, read
from text.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from math import ceil, floor, isfinite, log10, nan

import polars as pl

from bartizan.analyses.records.comparison import headline, is_by_player
from bartizan.analyses.records.line_ups import LineUp
from bartizan.analyses.statistics.intervals import Interval
from bartizan.analyses.statistics.paired import Measure
from bartizan.simcore.errors import UsageError, did_you_mean
from bartizan.simcore.scenario.parameters import Parameter, parse_value

WIN_RATE, TURNS, SCORE, DRAWS, TIER = "win_rate", "turns", "score", "draws", "tier"
SHARES = (WIN_RATE, DRAWS, TIER)
BELOW, ON, ABOVE, UNCLEAR = -1, 0, 1, None
STEPS = 100  # a range of fractions is cut into about so many
MOST_VALUES = 2000
MOST_WIDER = 10  # times too wide: an interval that would take more than 100 times the games


@dataclass(frozen=True)
class Target:
    """A number, or a range of it, that a result is to lie on."""

    measure: str  # win_rate, turns, score, draws, tier
    low: float
    high: float  # equal to `low` for a single number
    name: str = ""  # of the tier

    @property
    def is_share(self) -> bool:
        return self.measure in SHARES

    @property
    def is_range(self) -> bool:
        return self.low < self.high

    @property
    def middle(self) -> float:
        return (self.low + self.high) / 2

    def distance(self, value: float) -> float:
        return max(self.low - value, value - self.high, 0.0)

    def side(self, interval: Interval) -> int | None:
        """Where the whole interval lies; UNCLEAR while it holds an end of the target."""
        if interval.high < self.low:
            return BELOW
        if interval.low > self.high:
            return ABOVE
        return ON if self.low <= interval.low and interval.high <= self.high else UNCLEAR

    def is_hit_by(self, interval: Interval) -> bool:
        """A number is hit by an interval that holds it, a range by one that lies in it (Schuirmann 1987)."""
        return self.side(interval) == ON if self.is_range else interval.low <= self.low <= interval.high

    def games_to_tell(self, interval: Interval, games: int) -> int | None:
        """Games with which an interval that holds an edge would lie on one side of it, were the estimate the
        truth; half-widths fall with the root of n.

        None where it holds none, or where the estimate sits so near to an edge that a hundred times as many
        games would not tell.
        """
        if not self.is_range or self.side(interval) is not UNCLEAR:
            return None
        estimate, below, above = (
            interval.estimate,
            interval.estimate - interval.low,
            interval.high - interval.estimate,
        )
        edges = (
            [(above, self.low - estimate)]
            if estimate < self.low
            else [(below, estimate - self.high)]
            if estimate > self.high
            else []
        )
        edges = edges or [(below, estimate - self.low), (above, self.high - estimate)]
        if any(distance * MOST_WIDER <= reach for reach, distance in edges):
            return None
        return max(ceil(games * max(reach / distance for reach, distance in edges) ** 2), games + 1)

    def measured(self, line_up: LineUp) -> Measure:
        """What is measured in each game number of a line-up."""
        if self.measure == WIN_RATE:
            return headline(line_up, is_by_player(line_up))
        if self.measure == DRAWS:
            return line_up.draws()
        if self.measure == TIER:
            share = line_up.mean(f"column:{TIER}")
            return Measure(TIER, self.name, share, share + line_up.mean("cut off"), (0.0, 1.0))
        return line_up.column({TURNS: "turn", SCORE: "score"}[self.measure])


def read_target(text: str, tiers: Sequence[str]) -> Target:
    """`win_rate=0.30`, `win_rate=25%..35%`, `turns=18`, `tier:gold=0.2`. tiers: what the game has."""
    what, equals, value = text.partition("=")
    kind, _, name = what.partition(":")
    kinds = (WIN_RATE, TURNS, SCORE, DRAWS, *([TIER] if tiers else []))
    if not equals or kind not in kinds or bool(name) != (kind == TIER):
        raise UsageError(
            f"--target {text}: write what=value, such as win_rate=0.30 or turns=18..20; what may be "
            f"{', '.join(kinds)}{' (tier:NAME)' if tiers else ''}"
        )
    if kind == TIER and name not in tiers:
        raise UsageError(f'--target {text}: no tier "{name}"{did_you_mean(name, tiers)}')
    low, _, high = value.partition("..")
    least, most = (_number(part, text) for part in ((low, high) if ".." in value else (low, low)))
    if least > most or (kind in SHARES and not 0 <= least <= most <= 1):
        share = "a share lies between 0 and 1 (or 0% and 100%)"
        raise UsageError(f"--target {text}: {share if kind in SHARES else 'the range ends before it begins'}")
    return Target(kind, least, most, name)


def _number(text: str, whole: str) -> float:
    try:
        number = float(text.removesuffix("%")) / (100 if text.endswith("%") else 1)
    except ValueError:
        number = nan
    if not isfinite(number):
        raise UsageError(f'--target {whole}: "{text}" is no number')
    return number


# ---------------------------------------------------------------- values of a knob


@dataclass(frozen=True)
class Asked:
    """A knob and the values it may take."""

    knob: Parameter
    values: tuple
    is_ordered: bool  # numbers; choices are in no order


def read_knob(text: str, knobs: Sequence[Parameter]) -> Asked:
    """`path=lo:hi`, `path=lo:hi:step`, `path=a,b,c`; the path alone: all its choices, or all whole numbers
    within its bounds.
    """
    path, equals, choice = text.partition("=")
    by_path = {knob.path: knob for knob in knobs}
    if path not in by_path:
        raise UsageError(
            f'--knob {text}: no value "{path}"{did_you_mean(path, by_path)} (bartizan describe GAME --knobs '
            "lists them)"
        )
    knob = by_path[path]
    is_number = isinstance(knob.value, int | float) and not isinstance(knob.value, bool)
    if not equals:
        return _all_of(knob, is_number)
    if ":" in choice and is_number and not knob.choices:
        return Asked(knob, _steps(knob, choice, text), True)
    values = tuple(dict.fromkeys(map(str.strip, _split(choice))))
    if len(values) < 2:
        raise UsageError(
            f"--knob {text}: one value is no choice; write {f'{path}=lo:hi' if is_number else f'{path}=a,b'}"
        )
    read = [parse_value(value, knob.value) for value in values]
    for value in read:
        if knob.choices and value not in knob.choices:
            raise UsageError(
                f"--knob {text}: {value} is none of its choices{did_you_mean(value, knob.choices)}"
            )
        if is_number and not isinstance(value, int | float):
            raise UsageError(f"--knob {text}: {value} is no number; a range is lo:hi")
    return Asked(knob, tuple(sorted(read) if is_number else read), is_number)


def _all_of(knob: Parameter, is_number: bool) -> Asked:
    if knob.choices:
        return Asked(knob, knob.choices, False)
    if is_number and knob.low is not None and knob.high is not None:
        return Asked(knob, _steps(knob, f"{knob.low}:{knob.high}", knob.path), True)
    raise UsageError(
        f"--knob {knob.path}: which values? write {knob.path}={'lo:hi' if is_number else 'a,b,c'}"
    )


def _split(text: str) -> list[str]:
    """At the commas that stand outside brackets."""
    parts, depth = [""], 0
    for letter in text:
        depth += (letter in "[{") - (letter in "]}")
        if letter == "," and not depth:
            parts.append("")
        else:
            parts[-1] += letter
    return [part for part in parts if part.strip()]


def _steps(knob: Parameter, steps: str, text: str) -> tuple:
    """Both ends and what lies between them: whole numbers, or about 100 round fractions, or every `step`."""
    try:
        low, high, *more = map(Decimal, steps.split(":"))
        (step,) = more or [Decimal(1) if isinstance(knob.value, int) else _round_step(float(high - low))]
    except (InvalidOperation, ValueError):
        raise UsageError(f"--knob {text}: write {knob.path}=lo:hi or lo:hi:step, in numbers") from None
    if isinstance(knob.value, int) and any(part % 1 for part in (low, step)):
        raise UsageError(f"--knob {text}: {knob.path} is a whole number")
    if not (low < high and step > 0):
        raise UsageError(f"--knob {text}: lo must be below hi, and a step above 0")
    if (high - low) / step > MOST_VALUES:
        raise UsageError(
            f"--knob {text}: more than {MOST_VALUES:,} values; give a step: {knob.path}={low}:{high}:STEP"
        )
    if (knob.low is not None and low < knob.low) or (knob.high is not None and high > knob.high):
        raise UsageError(f"--knob {text}: {knob.path} may be {knob.allowed}")
    return tuple(type(knob.value)(low + step * number) for number in range(int((high - low) / step) + 1))


def _round_step(width: float) -> Decimal:
    """1, 2 or 5 times a power of ten, near a hundredth of the width."""
    power = floor(log10(max(width, 1e-12) / STEPS))
    lead = next(lead for lead in (1, 2, 5, 10) if lead * 10.0**power * STEPS >= width * 0.999)
    return Decimal(lead).scaleb(power)


def tier_column(score: pl.Expr, tiers: dict[str, int], name: str) -> pl.Expr:
    """1 in games whose score falls into this tier and no better one, else 0. tiers: name -> least score."""
    least = tiers[name]
    better = [other for other in tiers.values() if other > least]
    worst = least == min(tiers.values())
    inside = pl.lit(True) if worst else score >= least
    return (score.is_not_null() & inside & (score < min(better) if better else pl.lit(True))).fill_null(False)
