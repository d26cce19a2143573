"""Sequential test of the difference between B and A, by pairs of games until a decision.

Both games of a pair have common random numbers.

This is the generalized sequential probability ratio test of two means of the paired difference (Wald 1945,
Annals of Mathematical Statistics 16; Li, Liu & Ying 2014, Sequential Analysis 33). Chess engines are tested
in the same way (Fishtest, the test bench of Stockfish, with notes by M. Van den Bergh). Each value that a
pair can have has its own probability, and the likelihood of a mean is the maximum over these probabilities.
Wald's bounds control both error rates; testing at intervals makes the rates smaller.
"""

import re
from collections.abc import Generator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from itertools import islice
from math import ceil, log

import numpy as np
import polars as pl

from bartizan.analyses.records.comparison import headline, is_by_player
from bartizan.analyses.records.seating import InMemoryCell, LineUp, seated
from bartizan.analyses.statistics.intervals import Interval
from bartizan.analyses.statistics.paired import ENDS, Effect, Measure, effect_of, tilted, with_traces
from bartizan.analyses.statistics.stagewise import STAGE_WISE, Chances, Walk, limits, median_unbiased
from bartizan.simcore.arrays import Floats, Ints
from bartizan.simcore.errors import UsageError
from bartizan.simcore.numerals import numeral
from bartizan.simcore.play.batch import Source, Stretch
from bartizan.simcore.play.match import Match, chunks_of
from bartizan.simcore.reporting import CONFIDENCE

YES, NO, NOT_TOLD = "yes", "no", "not told"
LOOK_PAIRS = 512  # pairs between looks; a multiple of it if there would be more than MOST_LOOKS
MOST_LOOKS = 200
CHUNK_PAIRS = 2048  # maximum number of pairs that one thread simulates at a time
FEW = 30  # with fewer differing pairs, the adjusted difference is called rough
DIGITS = 12  # rounding that makes equal shares identical
RESULTS = ("base_low", "base_high", "low", "high", "capped")  # columns of a pair
STATEMENT = re.compile(r"\s*([AB])\s*-\s*([AB])\s*([<>])\s*([+-]?[0-9.]+)\s*(pp|%)?\s*", re.IGNORECASE)


# ---------------------------------------------------------------- the question


@dataclass(frozen=True)
class Hypothesis:
    """A statement about B - A (change minus baseline), which is true if `sign * (B - A)` > `threshold`."""

    text: str
    sign: int
    threshold: float
    margin: float  # indifference zone: within threshold +- margin, either answer is acceptable
    alpha: float  # probability of "yes" if the truth is a margin or more on the other side
    beta: float  # probability of "no" if the truth is a margin or more on this side

    @property
    def means(self) -> tuple[float, float]:
        """The two edges of the indifference zone, as means of `sign * (B - A)`.

        At the first, the statement is false by the margin; at the second, it is true by the margin.
        """
        return self.threshold - self.margin, self.threshold + self.margin

    @property
    def bounds(self) -> tuple[float, float]:
        """Log likelihood ratios at which the test answers no and yes (Wald 1945)."""
        return log(self.beta / (1 - self.alpha)), log((1 - self.beta) / self.alpha)


def read_claim(text: str, margin: float, alpha: float = 0.05, beta: float = 0.05) -> Hypothesis:
    """Parse a hypothesis such as `B - A > 2pp`, also with A - B, <, or 0.02.

    Raises UsageError for other text.
    """
    match = STATEMENT.fullmatch(text)
    if match is None or match[1].upper() == match[2].upper():
        raise UsageError(
            f'--test "{text}": write it as "B - A > 2pp" (B is the change, A the baseline; also A - B, <, '
            "0.02)"
        )
    first, _, relation, number, unit = match.groups()
    try:
        value = float(numeral(number)) / (100 if unit else 1)
    except ValueError:
        raise UsageError(
            f'--test "{text}": {number} is not a number; write a difference such as 2pp or 0.02'
        ) from None
    sign = 1 if relation == ">" else -1
    claim = Hypothesis(
        " ".join(text.split()), sign if first.upper() == "B" else -sign, sign * value, margin, alpha, beta
    )
    if abs(value) + margin >= 1:
        raise UsageError(
            f'--test "{text}": a difference of shares plus its margin of {margin * 100:g}pp must be '
            "below 100pp; write 2pp or 0.02 for two percentage points"
        )
    return claim


# ---------------------------------------------------------------- the test


def log_likelihood_ratio(values: Floats, counts: Floats | Ints, low: float, high: float) -> Floats:
    """Return the log likelihood ratio of mean `high` to mean `low`.

    The likelihood is maximised under each mean.

    counts: number of pairs with each value, along the last axis.
    """
    shares = counts / counts.sum(axis=-1, keepdims=True)
    logarithms = np.log(tilted(values, shares, high)) - np.log(tilted(values, shares, low))
    ratio: Floats = (counts * logarithms).sum(axis=-1)
    return ratio


def ends(values: np.ndarray, counts: np.ndarray, claim: Hypothesis, every: int, answer: str) -> Chances:
    """Return a function that maps a mean difference to the probabilities of more extreme ends of the test.

    These are the probabilities that the test ends below, and above, the observed end.

    The test is treated as a random walk, whose steps are the differences minus the midpoint of the two means.
    The bounds of the walk are Wald's bounds times variance / (high - low), which is the log likelihood ratio
    to second order (Van den Bergh, GSPRT approximation). The variance at a mean is computed from the
    maximum-likelihood probabilities with this mean.
    """
    n, (no, yes) = round(counts.sum()), claim.means
    shares, middle = counts / counts.sum(), (no + yes) / 2
    mean = float(shares @ values)
    unit = float(shares @ (values - mean) ** 2) / (yes - no)
    low, high = (bound * unit for bound in claim.bounds)
    walk = Walk(low, high, every, n, n * (mean - middle), {YES: 1, NO: -1}.get(answer, 0))

    def chances(supposed: float) -> tuple[float, float]:
        return walk.chances(
            supposed - middle, float(tilted(values, shares, supposed) @ (values - supposed) ** 2)
        )

    return chances


def after_the_test(
    values: np.ndarray, counts: np.ndarray, claim: Hypothesis, every: int, answer: str
) -> Interval:
    """Return the median-unbiased estimate and the interval of the mean difference after the test stopped.

    Possible ends of the test are ordered stage-wise.
    """
    chances = ends(values, counts, claim, every, answer)
    edge = 1e-6 * (values[-1] - values[0])
    within = values[0] + edge, values[-1] - edge
    estimate = median_unbiased(chances, *within)
    least, most = limits(chances, *within, CONFIDENCE)
    differing = round(counts[values != 0].sum())
    rough = f", rough since only {differing} pairs differ" if differing < FEW else ""
    method = f"median-unbiased, {STAGE_WISE}{rough}"
    return Interval(estimate, min(least, estimate), max(most, estimate), CONFIDENCE, method)


# ---------------------------------------------------------------- the answer


@dataclass(frozen=True)
class Answered:
    """Verdict, number of pairs, and estimated difference.

    Differences are B - A, whatever the direction of the claim.
    """

    claim: Hypothesis
    answer: str  # YES, NO or NOT_TOLD
    pairs: int
    limit: int
    every: int
    # log likelihood ratio if all truncated games count against the claim, and if all count for it
    ratio: tuple[float, float]
    raw: Effect  # as if the number of pairs had been fixed
    adjusted: Interval | None  # None with truncated games, because the order of ends requires a single number
    capped: int  # truncated games of both sides
    by_player: bool
    # the first-named player on either side, whose share is the headline if it is by player
    names: tuple[str, str]

    @property
    def looks(self) -> int:
        return ceil(self.pairs / self.every)


def analyze(
    claim: Hypothesis,
    base: Sequence[Match],
    changed: Sequence[Match],
    limit: int,
    source: Source,
    seat: int = 0,
) -> Answered:
    """Simulate pairs until the claim is decided, or `limit` pairs.

    base, changed: the two versions of the game, in every seating. seat: the seat whose wins count, if the
    claim is about a seat. The result does not depend on the workers. Raises UsageError if no difference can
    be as large as the threshold plus or minus the margin.
    """
    pairs = _Pairs(base, changed, source, seat)
    if not all(abs(mean) < pairs.most for mean in claim.means):
        raise UsageError(
            f'--test "{claim.text}": the difference is at most {pairs.most * 100:g}pp, so the threshold plus '
            f"the margin ({claim.margin * 100:g}pp) must be below {pairs.most * 100:g}pp; lower one of them"
        )
    every = LOOK_PAIRS * ceil(limit / (LOOK_PAIRS * MOST_LOOKS))
    played, answer, ratio = _NOTHING, NOT_TOLD, (0.0, 0.0)
    source.expect(limit * len(pairs.tables))
    with closing(pairs.play(every, limit)) as chunks:
        for chunk in chunks:
            played = _counted(pl.concat([played, chunk]))
            if _games(played) % every and _games(played) != limit:
                continue
            # if every truncated game counts against the claim, and if every one counts for it
            sides = [_differences(played, claim, pairs.most, end) for end in ("low", "high")]
            against, in_favour = (float(log_likelihood_ratio(*side, *claim.means)) for side in sides)
            ratio = against, in_favour
            no, yes = claim.bounds  # the answer holds for any result of the truncated games
            answer = YES if min(ratio) >= yes else NO if max(ratio) <= no else NOT_TOLD
            source.progress.cell = f"LLR {ratio[0]:+.2f} (no {no:.2f}, yes {yes:.2f})"
            if answer != NOT_TOLD:
                break
    truncated, adjusted = int((played["capped"] * played["n"]).sum()), None
    if not truncated:
        adjusted = after_the_test(*_differences(played, claim, pairs.most, "low"), claim, every, answer)
        if claim.sign < 0:
            low, high = -adjusted.high, -adjusted.low
            adjusted = replace(adjusted, estimate=-adjusted.estimate, low=low, high=high)
    return Answered(
        claim,
        answer,
        _games(played),
        limit,
        every,
        ratio,
        _raw(played, pairs, truncated),
        adjusted,
        truncated,
        pairs.by_player,
        pairs.names,
    )


def _differences(
    played: pl.DataFrame, claim: Hypothesis, most: float, end: str
) -> tuple[np.ndarray, np.ndarray]:
    """Return the values of B - A times the claim's sign, and their counts.

    end: `low` to count truncated games against the claim, `high` to count them for it.
    """
    least = pl.col("low") - pl.col("base_high")
    greatest = pl.col("high") - pl.col("base_low")
    difference = least if (end == "low") == (claim.sign > 0) else greatest
    value = (difference * claim.sign).round(DIGITS)
    counts = played.group_by(value=value).agg(pl.col("n").sum()).sort("value")
    return with_traces(counts["value"].to_list(), counts["n"].to_list(), (-most, most))


def _raw(played: pl.DataFrame, pairs: "_Pairs", truncated: int) -> Effect:
    """Return the effect, estimated as if the number of pairs had been fixed in advance."""
    kind = "policy" if pairs.by_player else "seat"
    measure = Measure(kind, "headline", pl.col("low"), pl.col("high"), (0.0, pairs.most))
    ends = played.rename({"low": "changed_low", "high": "changed_high"})
    return effect_of(measure, ends.group_by(ENDS).agg(pl.col("n").sum()).sort(ENDS), truncated)


# ---------------------------------------------------------------- playing


class _Pairs:
    """A baseline and a change in every seating, by game number, on common random numbers."""

    def __init__(self, base: Sequence[Match], changed: Sequence[Match], source: Source, seat: int):
        self.source, self.seat = source, seat
        self.tables = [source.ready(match) for match in (*base, *changed)]  # a pair is a game at each
        self.base = len(base)
        empty = [np.zeros(0, table.match.engine.record_dtype) for table in self.tables]
        sides = self._sides(empty)
        self.by_player = is_by_player(*sides)
        self.names = sides[0].names[0], sides[1].names[0]
        # maximum difference
        self.most = max(headline(side, self.by_player, seat).most for side in sides)

    def play(self, every: int, limit: int) -> Generator[pl.DataFrame, None, None]:
        """Yield chunks of pairs by game number, as counts of distinct results; a chunk ends at each look."""
        stretches = (
            Stretch(table, *chunk, seat=None)
            for (look,) in chunks_of(range(limit), every)
            for chunk in chunks_of(look, CHUNK_PAIRS)
            for table in self.tables
        )
        with closing(self.source.play(stretches)) as played:
            while games := [rows for _, rows in islice(played, len(self.tables))]:
                base, changed = map(self._shares, self._sides(games))
                base = base.rename({"low": "base_low", "high": "base_high", "capped": "base_capped"})
                both = base.join(changed, on="game")
                yield _counted(both.with_columns(pl.col("capped") + pl.col("base_capped"), n=pl.lit(1)))

    def _sides(self, games: Sequence[np.ndarray]) -> tuple[LineUp, LineUp]:
        """Return both sides of a chunk. games: rows of each seating."""
        cells = [
            InMemoryCell(
                seated(table.match.game.roles, table.match.players),
                pl.DataFrame({name: rows[name].astype(np.int64) for name in ("game", "winner")}),
            )
            for table, rows in zip(self.tables, games, strict=True)
        ]
        return LineUp(tuple(cells[: self.base])), LineUp(tuple(cells[self.base :]))

    def _shares(self, line_up: LineUp) -> pl.DataFrame:
        """Return the headline of each game number, and the number of its truncated games."""
        share = headline(line_up, self.by_player, self.seat)
        truncated = (line_up.mean("cut off") * len(line_up.cells)).round().cast(pl.Int64)
        low, high = share.low.round(DIGITS), share.high.round(DIGITS)
        return line_up.scan().select("game", low=low, high=high, capped=truncated).collect()


def _counted(pairs: pl.DataFrame) -> pl.DataFrame:
    return pairs.group_by(RESULTS).agg(pl.col("n").cast(pl.Int64).sum()).sort(RESULTS)


def _games(counts: pl.DataFrame) -> int:
    return int(counts["n"].sum())


_NOTHING = pl.DataFrame(
    schema={name: pl.Int64 if name == "capped" else pl.Float64 for name in RESULTS} | {"n": pl.Int64}
)
