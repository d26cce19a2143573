"""Claims of a designer, their cells, and their measures.

A claim is that a share or mean is inside a band, or that it decreases along an order of levels, policies or
values.

A band claim is tested for equivalence (Schuirmann 1987): PASS if the whole interval is inside the band, FAIL
if it is outside, otherwise INCONCLUSIVE. An order claim is about the difference between two cells, paired
game by game on common random numbers. It passes if the whole interval is above the minimum step. The p-value
is the smallest alpha whose interval (1 - alpha) is still on one side. The p-values of a plan's claims are
adjusted by Holm (1979), and the adjusted p determines the verdict.

Verdicts on the same games, or on more of them, are repeated looks. They are counted in the results folder,
and each look has its own share of alpha (`analyses.statistics.looks`). Each p-value is weighted by this share
before Holm's adjustment. The probability of any wrong verdict, at any look and for all claims together, is
then at most 5 %, for any stopping rule.
"""

import tomllib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import pairwise, product
from math import ceil, inf, isfinite
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from bartizan.analyses.records.quantities import best_first, may_lack_score, tier_column
from bartizan.analyses.records.seating import Apart, LineUp, Seating, all_but, seating
from bartizan.analyses.records.tally import IDENTITIES, drawn, is_truncated, reporting_of, won
from bartizan.analyses.statistics.intervals import (
    LEAST_P,
    Interval,
    confidence_sequence,
    excess_width,
    least_alpha,
    proportion,
    with_truncated,
)
from bartizan.analyses.statistics.looks import level_of
from bartizan.analyses.statistics.paired import Measure, Values, differences, values
from bartizan.analyses.statistics.testing import holm
from bartizan.simcore.errors import UsageError, did_you_mean
from bartizan.simcore.reporting import CONFIDENCE, LOST
from bartizan.simcore.sweep import looks

# ------------------------------------------------------------------------------ published target bands

FILE = Path(__file__).with_name("bands.toml")
# band stated by the designer; band derived from a number that the designer stated; our own assumption
CONFIDENCES = ("stated", "derived", "assumed")


@dataclass(frozen=True)
class Preset:
    """A target range of win rates."""

    name: str
    band: tuple[float, float]
    whose: str  # player or side whose win rate it is: the end of "35 to 45 % for ..."
    about: str  # games and players to which it applies
    source: str  # author and place, with the address; for an assumption, the reason
    confidence: str  # one of CONFIDENCES


@cache
def presets() -> dict[str, Preset]:
    """Return the presets by name, in the order of the file."""
    data = tomllib.loads(FILE.read_text(encoding="utf-8"))
    return {name: Preset(name, tuple(table.pop("band")), **table) for name, table in data.items()}


# ------------------------------------------------------------------------- claims

PASS, FAIL, INCONCLUSIVE = "PASS", "FAIL", "INCONCLUSIVE"
DIFFICULTY, POLICY = "difficulty", "policy"
NAMED = {
    "tier": "a victory tier's share",
    "end": "an end reason's share",
    "mean": "the mean of a record column",
}
PLAIN = ("win_rate", "draw_rate", "score", "turns")
BAND_KEYS = {"title", "measure", "difficulty", "policy", "set", "seat", "band", "preset"}
ORDER_KEYS = {"title", "measure", "difficulty", "policy", "set", "seat", "order", "over", "by"}


@dataclass(frozen=True)
class Claim:
    """One [[claim]] table of a plan, after validation."""

    title: str  # "": the claim's text is its title
    measure: str = "win_rate"
    difficulty: tuple[str, ...] = ()  # only these levels; (): all
    policy: tuple[str, ...] = ()  # only cells with these policies
    sets: tuple[tuple[str, Any], ...] = ()  # only cells with these values
    seat: str | None = None  # seat whose win rate is meant; None: the first seat
    band: tuple[float, float] | None = None
    preset: str | None = None  # name of the preset that supplies the band
    order: tuple[str | float, ...] = ()  # values along which the measure decreases
    over: str = DIFFICULTY  # setting of `order`: difficulty, policy, or a path
    by: float = 0.0  # minimum step

    @property
    def is_band(self) -> bool:
        return self.band is not None

    def side(self, interval: Interval) -> str:
        """Return PASS if the interval meets the target, FAIL if it misses the target, otherwise INCONCLUSIVE.

        A band includes its edges; a minimum step must be exceeded.
        """
        if self.band is not None:
            inside = self.band[0] <= interval.low and interval.high <= self.band[1]
            outside = interval.high < self.band[0] or interval.low > self.band[1]
        else:
            inside, outside = interval.low > self.by, interval.high <= self.by
        return PASS if inside else FAIL if outside else INCONCLUSIVE


def read(tables: Iterable[Mapping[str, Any]], where: str) -> tuple[Claim, ...]:
    """Read claims from a plan or a manifest. Raises UsageError with the file and the key."""
    return tuple(_read_one(table, f"{where}: claim {number}") for number, table in enumerate(tables, start=1))


def _read_one(table: Mapping[str, Any], where: str) -> Claim:
    kinds = [key for key in ("band", "preset", "order") if key in table]
    if len(kinds) != 1:
        raise UsageError(
            f"{where}: {' and '.join(kinds) or 'band'}: give exactly one of band = [0.35, 0.45], "
            "preset = NAME (bartizan describe --bands lists them), order = [A, B]"
        )
    known = ORDER_KEYS if kinds == ["order"] else BAND_KEYS
    for key in table:
        if key not in known:
            raise UsageError(f"{where}: {key}: unknown key{did_you_mean(key, known)}")
    claim = Claim(
        _text(table, "title", where),
        _text(table, "measure", where, "win_rate"),
        _texts(table, "difficulty", where),
        _texts(table, "policy", where),
        _settings(table, where),
        _text(table, "seat", where) or None,
    )
    kind, colon, name = claim.measure.partition(":")
    if claim.measure not in PLAIN and not (colon and kind in NAMED and name):
        measures = [*PLAIN, *(f"{kind}:NAME" for kind in NAMED)]
        raise UsageError(
            f"{where}: measure: unknown measure {claim.measure}{did_you_mean(claim.measure, measures)}"
        )
    if claim.seat is not None and claim.measure != "win_rate":
        raise UsageError(
            f"{where}: seat: only win_rate accepts a seat, but measure is {claim.measure}; remove seat"
        )
    return _ordered(claim, table, where) if kinds == ["order"] else _banded(claim, table, where)


def _banded(claim: Claim, table: Mapping[str, Any], where: str) -> Claim:
    if "preset" in table:
        name = _text(table, "preset", where)
        if name not in presets():
            raise UsageError(f'{where}: preset: unknown preset "{name}"{did_you_mean(name, presets())}')
        if claim.measure != "win_rate":
            raise UsageError(
                f"{where}: preset: presets are bands of win rates, but measure is {claim.measure}; "
                "write your own band"
            )
        return replace(claim, band=presets()[name].band, preset=name)
    band = table["band"]
    is_pair = isinstance(band, list | tuple) and len(band) == 2 and all(map(_is_number, band))
    if not is_pair or not band[0] < band[1]:
        raise UsageError(f"{where}: band: must be two numbers, the lower one first, such as [0.35, 0.45]")
    if is_share(claim.measure) and not 0 <= band[0] < band[1] <= 1:
        raise UsageError(
            f"{where}: band: {claim.measure} is a share of games: write fractions of 1, such as [0.35, 0.45]"
        )
    return replace(claim, band=(float(band[0]), float(band[1])))


def _ordered(claim: Claim, table: Mapping[str, Any], where: str) -> Claim:
    order, by, over = table["order"], table.get("by", 0.0), _text(table, "over", where, DIFFICULTY)
    is_list = isinstance(order, list | tuple) and all(isinstance(value, str | int | float) for value in order)
    if not is_list or len(order) < 2:
        raise UsageError(
            f"{where}: order: must be a list of two or more, the one with the greatest {claim.measure} "
            'first, such as ["veteran", "elite"]'
        )
    if len({_as_text(value) for value in order}) < len(order):
        raise UsageError(f"{where}: order: contains a value twice; list each value once")
    if not _is_number(by) or by < 0:
        raise UsageError(
            f"{where}: by: must be a number of at least 0, the smallest step from one to the next"
        )
    if getattr(claim, over, None) if over in (DIFFICULTY, POLICY) else over in dict(claim.sets):
        raise UsageError(
            f"{where}: {over}: cannot also be a filter, because the claim orders the cells by it"
        )
    return replace(claim, order=tuple(order), over=over, by=float(by))


def is_share(measure: str) -> bool:
    return measure in ("win_rate", "draw_rate") or measure.startswith(("tier:", "end:"))


def _text(table: Mapping[str, Any], key: str, where: str, default: str = "") -> str:
    value = table.get(key, default)
    if not isinstance(value, str) or (key in table and not value):
        raise UsageError(f"{where}: {key}: must be text")
    return value


def _texts(table: Mapping[str, Any], key: str, where: str) -> tuple[str, ...]:
    values = table.get(key, [])
    values = [values] if isinstance(values, str) else values
    if not isinstance(values, list | tuple) or not all(isinstance(value, str) for value in values):
        raise UsageError(f"{where}: {key}: must be text, or a list of texts")
    return tuple(values)


def _settings(table: Mapping[str, Any], where: str) -> tuple[tuple[str, Any], ...]:
    values = table.get("set", {})
    if isinstance(values, Mapping) and all(isinstance(value, str | int | float) for value in values.values()):
        return tuple(values.items())
    raise UsageError(
        f'{where}: set: must be a table of path = value, such as {{ "turn.defender_actions" = 5 }}'
    )


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and isfinite(value)


# ----------------------------------------------------------------------- cells of a claim


@dataclass(frozen=True)
class ClaimCase:
    """A claim about one cell, or about a cell and the next cell of the order."""

    number: int  # number of the claim, in the order of the plan
    claim: Claim
    cells: tuple[Any, ...]
    measures: tuple[Measure, ...]  # one per cell, because codes of tiers and endings may differ between cells


def cases(claims: Sequence[Claim], cells: Sequence[Any], alike: bool, where: str) -> list[ClaimCase]:
    """Return one case for each claim and each cell to which it applies.

    For a claim about an order, return one case for each two consecutive cells.

    Raises UsageError for a claim that matches no cell, or that names something the game does not have.
    """
    claim_cases = []
    for number, claim in enumerate(claims, start=1):
        at = f"{where}: claim {number}"
        kept = _filtered(claim, cells, alike, at)
        for group in [(cell,) for cell in kept] if claim.is_band else _steps(claim, kept, alike, at):
            measures = tuple(_measure(claim, cell, at) for cell in group)
            claim_cases.append(ClaimCase(number, claim, group, measures))
    return claim_cases


def _shipped(cells: Sequence[Any]) -> dict[str, Any]:
    """Map overridden paths to the scenario's own value, which is the value in cells without the override.

    Only values that a cell records are included.
    """
    rows = [row for cell in cells for row in getattr(cell, "changes", ())]
    return {row["path"]: row["from"] for row in rows if row["from"] is not None}


def _filtered(claim: Claim, cells: Sequence[Any], alike: bool, where: str) -> list[Any]:
    """Return the cells that match all filters of a claim: levels, policies and settings."""
    shipped = _shipped(cells)

    def settings(cell: Any) -> set[str]:
        return {f"{path}={_as_text(value)}" for path, value in {**shipped, **cell.set}.items()}

    def passes(cell: Any, key: str, text: str) -> bool:
        if key == POLICY:
            return _plays(text, cell, alike)
        return cell.difficulty == text if key == DIFFICULTY else text in settings(cell)

    filters = [(DIFFICULTY, claim.difficulty), (POLICY, claim.policy)]
    filters += [("set", (f"{path}={_as_text(value)}",)) for path, value in claim.sets]
    names = {
        DIFFICULTY: {cell.difficulty for cell in cells},
        POLICY: {line_up(cell) for cell in cells},
        "set": {text for cell in cells for text in settings(cell)},
    }
    for key, text in ((key, text) for key, texts in filters for text in texts):
        if not any(passes(cell, key, text) for cell in cells):
            raise UsageError(f"{where}: {key}: no cell has {text}{did_you_mean(text, names[key])}")
    kept = [
        cell
        for cell in cells
        if all(not texts or any(passes(cell, key, text) for text in texts) for key, texts in filters)
    ]
    if not kept:
        raise UsageError(
            f"{where}: no cell matches all its filters; the cells are: "
            f"{', '.join(cell.id for cell in cells[:20])}"
        )
    return kept


def line_up(cell: Any) -> str:
    """Return the line-up as written in a plan: `steward+greedy`, or `garrison` for one policy everywhere."""
    texts = [_named(policy) for policy in cell.policies]
    return texts[0] if len(set(texts)) == 1 else "+".join(texts)


def _plays(text: str, cell: Any, alike: bool) -> bool:
    """Return whether a cell matches a policy filter.

    `role=P` requires P in one seat, and `P+Q` requires these policies in seat order. `P` requires P in every
    seat if the seats are alike, otherwise in any seat.
    """
    by_role = {policy["role"]: policy for policy in cell.policies}
    role, equals, policy = text.partition("=")
    if equals and role in by_role:
        return policy in _names(by_role[role])
    table = text.split("+")
    if len(table) > 1:
        return len(table) == len(cell.policies) and all(
            part in _names(policy) for part, policy in zip(table, cell.policies, strict=True)
        )
    return (all if alike else any)(text in _names(policy) for policy in cell.policies)


def _names(policy: Mapping[str, Any]) -> tuple[str, str]:
    """Return the names of a policy: as written in the plan, with its weights, and without weights."""
    return _named(policy), policy["name"]


def _named(policy: Mapping[str, Any]) -> str:
    name: str = policy.get("as_named", policy["name"])
    return name


def _steps(claim: Claim, cells: Sequence[Any], alike: bool, where: str) -> list[tuple[Any, Any]]:
    """Return pairs of consecutive cells in the order that are otherwise equal.

    Raises UsageError for a value that no cell has, and if there are no such pairs.
    """
    # the value of a cell that does not set the path of the order; None if it is unknown
    shipped = _shipped(cells).get(claim.over)

    def is_at(value: Any, cell: Any) -> bool:
        if claim.over == POLICY:
            return _plays(str(value), cell, alike)
        at, text = _at(claim, cell), _as_text(value)
        return _as_text(at) == text or (at is None and shipped is not None and _as_text(shipped) == text)

    for value in claim.order:
        if not any(is_at(value, cell) for cell in cells):
            names = {_as_text(_at(claim, cell)) for cell in cells} - {"none"}
            raise UsageError(
                f"{where}: order: no cell has {claim.over} "
                f"{_as_text(value)}{did_you_mean(_as_text(value), names)}"
            )
    # group by everything except the setting of the order
    groups: dict[tuple[Apart, Seating], list[Any]] = {}
    for cell in cells:
        scenario, difficulty, sets = all_but(None if claim.over in (DIFFICULTY, POLICY) else claim.over, cell)
        level = None if claim.over == DIFFICULTY else difficulty
        players = () if claim.over == POLICY else seating(cell)
        groups.setdefault(((scenario, level, sets), players), []).append(cell)
    pairs: list[tuple[Any, Any]] = []
    for group in groups.values():
        by_value = ([cell for cell in group if is_at(value, cell)] for value in claim.order)
        for before, after in pairwise(filter(None, by_value)):
            pairs += product(before, after)
    if not pairs:
        raise UsageError(
            f"{where}: order: no two cells differ only in {claim.over}; simulate cells "
            "that do, or add filters for the other differences"
        )
    return pairs


def _at(claim: Claim, cell: Any) -> Any:
    if claim.over == DIFFICULTY:
        return cell.difficulty
    return line_up(cell) if claim.over == POLICY else cell.set.get(claim.over)


def _as_text(value: Any) -> str:
    if value is None or isinstance(value, bool):
        return "none" if value is None else str(value).lower()
    return f"{value:g}" if isinstance(value, int | float) else str(value)


# ------------------------------------------------------------------------ measures


def _measure(claim: Claim, cell: Any, where: str) -> Measure:
    kind, _, name = claim.measure.partition(":")
    if claim.measure == "win_rate":
        return _share(claim, won(_seat(claim, cell, where)))
    if claim.measure == "draw_rate":
        return _share(claim, drawn())
    if kind == "tier":
        return _share(claim, _in_tier(name, cell, where) & ~is_truncated())
    if kind == "end":
        return _share(claim, pl.col("end_reason").is_in(_codes(name, cell, where)))
    if claim.measure == "score" and not reporting_of(cell).has_score:
        raise UsageError(
            f"{where}: measure: the game of cell {cell.id} has no score; measure win_rate or turns instead"
        )
    column = {"score": "score", "turns": "turn"}.get(claim.measure, name)
    kinds = {
        key: np.dtype(kind).kind
        for key, kind in getattr(cell, "columns", {}).items()
        if key not in {*IDENTITIES, *cell.labels, cell.cause_column}
    }
    if kind == "mean" and kinds.get(column) not in tuple("biuf"):
        raise UsageError(
            f"{where}: measure: {name} is not a numeric column in cell {cell.id}{did_you_mean(name, kinds)}"
        )
    if kinds.get(column) == "b":
        return _share(claim, pl.col(column) & ~is_truncated())
    ended = pl.when(~is_truncated()).then(pl.col(column).cast(pl.Float64))
    return Measure("mean", claim.measure, ended, ended)


def _share(claim: Claim, which: pl.Expr) -> Measure:
    """Return the share of all games that satisfy `which`.

    Truncated games give bounds, because their final state is unknown.
    """
    is_one = which.fill_null(False)
    return Measure(
        "share",
        claim.measure,
        is_one.cast(pl.Float64),
        (is_one | is_truncated()).cast(pl.Float64),
        (0.0, 1.0),
    )


def _seat(claim: Claim, cell: Any, where: str) -> int:
    roles = [policy["role"] for policy in cell.policies]
    if claim.seat is not None and claim.seat not in roles:
        raise UsageError(
            f"{where}: seat: no seat {claim.seat} in cell {cell.id}{did_you_mean(claim.seat, roles)}"
        )
    return roles.index(claim.seat) if claim.seat else 0


def _in_tier(name: str, cell: Any, where: str) -> pl.Expr:
    tiers = best_first(cell.tiers)
    lost = [LOST] if tiers and may_lack_score(cell) else []
    if name in lost:
        return pl.col("score").is_null()
    if name not in tiers:
        raise UsageError(
            f"{where}: measure: no tier {name} in cell {cell.id}{did_you_mean(name, [*tiers, *lost])}"
        )
    return tier_column(pl.col("score"), tiers, name)


def _codes(name: str, cell: Any, where: str) -> list[int]:
    codes = [int(code) for code, reason in cell.end_reasons.items() if reason == name]
    if not codes:
        raise UsageError(
            f"{where}: measure: no end reason {name} in cell "
            f"{cell.id}{did_you_mean(name, cell.end_reasons.values())}"
        )
    return codes


# ---------------------------------------------------------------- verdicts: PASS, FAIL or INCONCLUSIVE

ON_THE_EDGE = 100  # multiple of the simulated games; if more would be needed, the estimate is on the edge


@dataclass(frozen=True)
class Judged:
    """Result of one claim case: the interval of its measure, p, and the verdict."""

    case: ClaimCase
    games: int  # games or pairs of games
    capped: int  # truncated games; a share then lies between two bounds, and a mean is unknown
    interval: Interval | None  # of the measure, or of the difference; None if there is none
    p: float = 1.0
    leaning: str = INCONCLUSIVE  # the side to which p refers
    adjusted: float = 1.0  # p weighted by the look's share of alpha, then adjusted for all claims (Holm)
    look: int = 1  # number of the look at the games of these cells
    level: float = CONFIDENCE  # of the interval; the level of a first look if looks are not counted
    played: Mapping[str, int] = field(default_factory=dict)  # cell -> its games at this look
    # games of this cell, or pairs, that would decide if the estimate is right; None: decided, or no number
    # is known
    needed: int | None = None
    # the estimate is on the edge: `needed` is a minimum, and perhaps no number would decide
    on_edge: bool = False
    sample: Values | None = field(default=None, repr=False)

    @property
    def claim(self) -> Claim:
        return self.case.claim

    @property
    def alone(self) -> str:
        """Verdict that would apply if this were the only claim."""
        return self.leaning if self.interval and self.weighed <= 1 - CONFIDENCE else INCONCLUSIVE

    @property
    def weighed(self) -> float:
        """p weighted by this look's share of alpha, so that the limit is 5 % at every look."""
        return min(self.p * (1 - CONFIDENCE) / (1 - self.level), 1.0)

    @property
    def verdict(self) -> str:
        return self.leaning if self.interval and self.adjusted <= 1 - CONFIDENCE else INCONCLUSIVE


def overall(verdicts: Iterable[str]) -> str:
    """Return FAIL if any claim fails, INCONCLUSIVE if any is inconclusive, otherwise PASS."""
    verdicts = set(verdicts)
    return next((verdict for verdict in (FAIL, INCONCLUSIVE) if verdict in verdicts), PASS)


def judge(sweep: Any) -> list[Judged]:
    """Judge every claim of a sweep's manifest; [] without claims. Records no look: see `look_at`."""
    manifest = sweep.manifest
    where = manifest.get("claims_from") or str(sweep.folder)
    claims = read(manifest.get("claims", []), where)
    if not claims:
        return []
    claim_cases = cases(claims, sweep.cells, bool(manifest.get("alike")), where)
    watched, earlier = manifest.get("precision") is not None, looks.read(sweep)
    return adjust([judge_one(case, watched, earlier) for case in claim_cases], watched)


def look_at(judged: Iterable[Judged]) -> looks.Look:
    """Return the record of a look: the games of each cell that these verdicts use."""
    return {cell: games for one in judged for cell, games in one.played.items() if games}


def judge_one(case: ClaimCase, watched: bool = False, earlier: Sequence[looks.Look] = ()) -> Judged:
    """Return the result of one claim case.

    earlier: looks recorded in the folder. watched: whether the run stopped at a precision; then the intervals
    are confidence sequences, which are valid at every look.
    """
    played, truncated = _counts(case.cells)
    look = looks.number_of(played, earlier)
    level = CONFIDENCE if watched else level_of(look)
    found = Judged(case, min(played.values()), truncated, None, look=look, level=level, played=played)
    if case.claim.is_band:
        sample = values(case.cells[0].scan(), case.measures[0])
    else:  # decrease of the measure from one cell to the next
        (first, later), (of_first, of_later) = case.cells, case.measures
        numbers = LineUp(case.cells).numbers
        sample = differences(later.scan(), first.scan(), of_later, of_first, numbers)
    if not sample.games or (truncated and not _is_bounded(case)):
        return found
    at = _interval_at(case, sample, watched, truncated)
    leaning, p = case.claim.side(at(LEAST_P)), 1.0  # side of the narrowest interval
    if leaning != INCONCLUSIVE:
        p = least_alpha(lambda confidence: case.claim.side(at(confidence)) == leaning)
    return replace(found, games=sample.games, interval=at(level), p=p, leaning=leaning, sample=sample)


def adjust(judged: Sequence[Judged], watched: bool = False) -> list[Judged]:
    """Return the results with p-values adjusted for the number of the look and of the claims (Holm 1979).

    An inconclusive claim also gets the number of games that is expected to decide it, unless it has no
    estimate or truncated games could put it on either side of a limit.
    """
    adjusted = holm([verdict.weighed for verdict in judged])
    return [
        _with_needed(
            replace(verdict, adjusted=p), sum(other.weighed >= verdict.weighed for other in judged), watched
        )
        for verdict, p in zip(judged, adjusted, strict=True)
    ]


def _is_bounded(case: ClaimCase) -> bool:
    return case.measures[0].kind == "share"


def _counts(cells: Sequence[Any]) -> tuple[dict[str, int], int]:
    """Return the number of games of each cell, and the number of truncated games in all cells."""
    counted = {
        cell.id: cell.scan()
        .select(pl.len(), is_truncated().sum().alias("capped"))
        .collect(engine="streaming")
        .row(0)
        for cell in cells
    }
    truncated = sum(truncated for _, truncated in counted.values())
    return {cell: games for cell, (games, _) in counted.items()}, truncated


def _interval_at(
    case: ClaimCase, sample: Values, watched: bool, truncated: int
) -> Callable[[float], Interval]:
    if case.claim.is_band and _is_bounded(case):
        method = confidence_sequence if watched else proportion
        sure, most = (round(float((ends * sample.n).sum())) for ends in (sample.low, sample.high))
        return lambda confidence: with_truncated(sure, most - sure, sample.games, confidence, method)
    return lambda confidence: (sample.sequence if watched else sample.interval)(confidence, truncated)


def _with_needed(one: Judged, open_claims: int, watched: bool) -> Judged:
    """Return the result with the number of games that would decide an inconclusive claim (`needed`).

    At this number, the next look is expected to decide it. It is assumed that the estimate does not change,
    and that the half-width of the interval is inversely proportional to the square root of n.
    """
    if one.sample is None or one.verdict != INCONCLUSIVE:
        return one
    if any(one.sample.least < edge < one.sample.most for edge in _edges(one.claim)):
        return one  # because of truncated games, the side of an edge is unknown
    level = CONFIDENCE if watched else level_of(one.look + 1)
    interval = _interval_at(one.case, one.sample, watched, one.capped)(1 - (1 - level) / open_claims)
    ratio = excess_width(interval, *_edges(one.claim), one.sample.least, one.sample.most)
    most = ON_THE_EDGE * one.games
    needed = ceil(one.games * ratio**2) if ratio**2 < ON_THE_EDGE else most
    return replace(one, needed=max(needed, one.games + 1), on_edge=needed >= most)


def _edges(claim: Claim) -> tuple[float, float]:
    return claim.band if claim.band is not None else (claim.by, inf)
