"""Does the game do what its designer claims? PASS, FAIL or INCONCLUSIVE.

A claim of a band is tested for equivalence (Schuirmann 1987): PASS when the whole interval lies inside the
band, FAIL when it lies outside, else nobody can tell yet. A claim of an order is about the difference of two
cells, paired game by game on common luck, and passes when the whole interval lies above the least step. p is
the least alpha whose interval (1 - alpha) still lies on one side; a plan's claims are adjusted for each other
by Holm (1979), and the verdict is the adjusted one.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from math import ceil, inf
from typing import Any

import polars as pl

from bartizan.analyses.records.claims import FAIL, INCONCLUSIVE, PASS, Claim, ClaimCase, cases, read
from bartizan.analyses.records.tally import cut_off
from bartizan.analyses.statistics.intervals import (
    CONFIDENCE,
    LEAST_P,
    Interval,
    confidence_sequence,
    least_alpha,
    proportion,
    with_cut_off,
)
from bartizan.analyses.statistics.multiple_testing import holm
from bartizan.analyses.statistics.paired import Values, differences, values

ON_THE_EDGE = 100  # times the games played: who would need more has an estimate that sits on the edge


@dataclass(frozen=True)
class Judged:
    """What the games say to one case."""

    case: ClaimCase
    games: int  # or pairs of games
    capped: int  # of these, cut off: a share then lies between two bounds, a mean cannot be told
    interval: Interval | None  # of the measure, or of the difference; None where there is none
    p: float = 1.0
    leaning: str = INCONCLUSIVE  # the side that p speaks of
    adjusted: float = 1.0  # p after Holm, over all claims
    # games of this cell, or pairs, that would tell if the estimate is right; None: decided, or no number can
    # be said
    needed: int | None = None
    # the estimate sits on the edge: `needed` is the least, and perhaps no number would tell
    on_edge: bool = False
    sample: Values | None = field(default=None, repr=False)

    @property
    def claim(self) -> Claim:
        return self.case.claim

    @property
    def alpha(self) -> float:
        return 1 - CONFIDENCE if self.interval else 0.0

    @property
    def alone(self) -> str:
        """The verdict, were this the only claim."""
        return self.leaning if self.interval and self.p <= self.alpha else INCONCLUSIVE

    @property
    def verdict(self) -> str:
        return self.leaning if self.interval and self.adjusted <= self.alpha else INCONCLUSIVE


def overall(verdicts: Iterable[str]) -> str:
    """FAIL if any claim fails, else INCONCLUSIVE if any is open, else PASS."""
    verdicts = set(verdicts)
    return next((verdict for verdict in (FAIL, INCONCLUSIVE) if verdict in verdicts), PASS)


def judge(sweep: Any) -> list[Judged]:
    """Every claim of a sweep's manifest; [] when it claims nothing."""
    manifest = sweep.manifest
    where = manifest.get("claims_from") or str(sweep.folder)
    claims = read(manifest.get("claims", []), where)
    claim_cases = cases(claims, sweep.cells, bool(manifest.get("alike")), where)
    watched = manifest.get("precision") is not None
    return adjust([judge_one(case, watched) for case in claim_cases], watched)


def judge_one(case: ClaimCase, watched: bool = False) -> Judged:
    """watched: the games were looked at on the way and stopped when precise enough; only confidence sequences
    keep their promise then.
    """
    games, capped = _counts(case.cells)
    if case.claim.is_band:
        sample = values(case.cells[0].scan(), case.measures[0])
    else:  # how much less the later cell has of it
        sample = differences(case.cells[1].scan(), case.cells[0].scan(), case.measures[1], case.measures[0])
    if not sample.games or (capped and not _is_bounded(case)):
        return Judged(case, games, capped, None)
    at = _interval_at(case, sample, watched, capped)
    leaning, p = _least_alpha(case.claim, at)
    return Judged(case, sample.games, capped, at(CONFIDENCE), p, leaning, p, sample=sample)


def adjust(judged: Sequence[Judged], watched: bool = False) -> list[Judged]:
    """Each p adjusted for all claims (Holm 1979), and where that leaves one open, the games
    that would tell.
    """
    adjusted = holm([one.p for one in judged])
    adjusted_claims = [replace(one, adjusted=p) for one, p in zip(judged, adjusted, strict=True)]
    return [
        _with_needed(one, sum(other.p >= one.p for other in adjusted_claims), watched)
        for one in adjusted_claims
    ]


def _is_bounded(case: ClaimCase) -> bool:
    return case.measures[0].kind == "share"


def _counts(cells: Sequence[Any]) -> tuple[int, int]:
    """Games of the smallest cell; games cut off, over all."""
    counted = [
        cell.scan().select(pl.len(), cut_off().sum().alias("capped")).collect(engine="streaming").row(0)
        for cell in cells
    ]
    return min(games for games, _ in counted), sum(capped for _, capped in counted)


def _interval_at(case: ClaimCase, sample: Values, watched: bool, capped: int) -> Callable[[float], Interval]:
    """The interval of any confidence."""
    if case.claim.is_band and _is_bounded(case):
        sure, games = round(float((sample.low * sample.n).sum())), sample.games
        return lambda confidence: with_cut_off(
            sure,
            round(float((sample.high * sample.n).sum())) - sure,
            games,
            confidence,
            confidence_sequence if watched else proportion,
        )
    return lambda confidence: (sample.sequence if watched else sample.interval)(confidence, capped)


def _least_alpha(claim: Claim, at: Callable[[float], Interval]) -> tuple[str, float]:
    """The side on which the narrowest interval lies, and the least alpha whose interval still does."""
    leaning = claim.side(at(LEAST_P))
    if leaning == INCONCLUSIVE:
        return INCONCLUSIVE, 1.0
    return leaning, least_alpha(lambda confidence: claim.side(at(confidence)) == leaning)


def _with_needed(one: Judged, open_claims: int, watched: bool) -> Judged:
    """How many games would bring the interval clear of the nearest edge, were the estimate the truth:
    half-widths fall with the root of n.
    """
    if one.sample is None or one.verdict != INCONCLUSIVE:
        return one
    if any(one.sample.least < edge < one.sample.most for edge in _edges(one.claim)):
        return one  # cut-off games leave open on which side of an edge it lies
    interval = _interval_at(one.case, one.sample, watched, one.capped)(1 - (1 - CONFIDENCE) / open_claims)
    ratio = _reach_over_distance(one.claim, one.sample, interval)
    most = ON_THE_EDGE * one.games
    needed = ceil(one.games * ratio**2) if ratio**2 < ON_THE_EDGE else most
    return replace(one, needed=max(needed, one.games + 1), on_edge=needed >= most)


def _edges(claim: Claim) -> tuple[float, float]:
    return claim.band if claim.band is not None else (claim.by, inf)


def _reach_over_distance(claim: Claim, sample: Values, interval: Interval) -> float:
    """How many times too wide the interval is."""
    low, high = _edges(claim)
    below, above = sample.least - interval.low, interval.high - sample.most
    if sample.most < low:
        return above / (low - sample.most)
    if sample.least > high:
        return below / (sample.least - high)
    return max(_ratio(below, sample.least - low), _ratio(above, high - sample.most))


def _ratio(reach: float, distance: float) -> float:
    if reach <= 0:
        return 0.0
    return reach / distance if distance > 0 else inf
