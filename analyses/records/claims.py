"""Does the game do what its designer claims? A share or mean inside a band, or falling along an order of
levels: PASS, FAIL or INCONCLUSIVE.

A claim of a band is tested for equivalence (Schuirmann 1987): PASS when the whole interval lies inside the
band, FAIL when it lies outside, else nobody can tell yet.
A claim of an order is about the difference of two cells, paired game by game on common luck, and passes when
the whole interval lies above the least step.
p is the least alpha whose interval (1 - alpha) still lies on one side; a plan's claims are adjusted for each
other by Holm (1979), and the verdict is the adjusted one.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import pairwise, product
from math import ceil, inf, isfinite
from typing import Any

import numpy as np
import polars as pl

from bartizan.analyses.records.bands import presets
from bartizan.analyses.records.scores import LOST, best_first
from bartizan.analyses.records.series import all_but, seating
from bartizan.analyses.records.tally import IDENTITIES, cut_off, drawn, won
from bartizan.analyses.statistics.intervals import (
    LEAST_P,
    Interval,
    confidence_sequence,
    least_alpha,
    proportion,
    with_cut_off,
)
from bartizan.analyses.statistics.multiple_testing import holm
from bartizan.analyses.statistics.paired import Measure, Values, differences, values
from bartizan.simcore.errors import UsageError, did_you_mean

PASS, FAIL, INCONCLUSIVE = "PASS", "FAIL", "INCONCLUSIVE"
ON_THE_EDGE = 100  # times the games played: who would need more has an estimate that sits on the edge
DIFFICULTY, POLICY = "difficulty", "policy"
NAMED = {
    "tier": "a victory tier's share",
    "end": "an end reason's share",
    "mean": "the mean of a record column",
}
PLAIN = ("win_rate", "draw_rate", "score", "turns")
BAND_KEYS = {"title", "measure", "difficulty", "policy", "set", "seat", "band", "preset"}
ORDER_KEYS = {"title", "measure", "difficulty", "policy", "set", "seat", "order", "over", "by"}


# ---------------------------------------------------------------- what is claimed


@dataclass(frozen=True)
class Claim:
    """One [[claim]] of a plan."""

    title: str  # "": what it says is its name
    measure: str = "win_rate"
    difficulty: tuple[str, ...] = ()  # only these levels; (): all
    policy: tuple[str, ...] = ()  # only cells in which these play
    sets: tuple[tuple[str, Any], ...] = ()  # only cells with these values
    seat: str | None = None  # whose win rate; None: the first seat's
    band: tuple[float, float] | None = None
    preset: str | None = None  # where the band is from
    order: tuple = ()  # the measure falls along these
    over: str = DIFFICULTY  # what they are values of: difficulty, policy, or a path
    by: float = 0.0  # least step

    @property
    def is_band(self) -> bool:
        return self.band is not None

    def side(self, interval: Interval) -> str:
        """Where an interval lies: a band holds its edges, a least step has to be exceeded."""
        if self.band is not None:
            inside = self.band[0] <= interval.low and interval.high <= self.band[1]
            outside = interval.high < self.band[0] or interval.low > self.band[1]
        else:
            inside, outside = interval.low > self.by, interval.high <= self.by
        return PASS if inside else FAIL if outside else INCONCLUSIVE


def read(tables: Iterable[Mapping], where: str) -> tuple[Claim, ...]:
    """Claims as a plan or a manifest says them; what is wrong is refused with file and key."""
    return tuple(_read_one(table, f"{where}: claim {number}") for number, table in enumerate(tables, start=1))


def _read_one(table: Mapping, where: str) -> Claim:
    kinds = [key for key in ("band", "preset", "order") if key in table]
    if len(kinds) != 1:
        raise UsageError(
            f"{where}: {' and '.join(kinds) or 'band'}: say one of band = [0.35, 0.45], preset = NAME "
            "(bartizan bands lists them), order = [A, B]"
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
        tuple(_table(table, "set", where).items()),
        _text(table, "seat", where) or None,
    )
    _check_measure(claim, where)
    return _ordered(claim, table, where) if kinds == ["order"] else _banded(claim, table, where)


def _banded(claim: Claim, table: Mapping, where: str) -> Claim:
    if "preset" in table:
        name = _text(table, "preset", where)
        if name not in presets():
            raise UsageError(f'{where}: preset: no preset "{name}"{did_you_mean(name, presets())}')
        if claim.measure != "win_rate":
            raise UsageError(
                f"{where}: preset: is a band of win rates, and measure is {claim.measure}: write a band of "
                "your own"
            )
        return replace(claim, band=presets()[name].band, preset=name)
    band = table["band"]
    if (
        not isinstance(band, list | tuple)
        or len(band) != 2
        or not all(map(_is_number, band))
        or not band[0] < band[1]
    ):
        raise UsageError(f"{where}: band: must be two numbers, the lower one first, such as [0.35, 0.45]")
    if is_share(claim.measure) and not 0 <= band[0] < band[1] <= 1:
        raise UsageError(
            f"{where}: band: {claim.measure} is a share of games: write fractions of 1, such as [0.35, 0.45]"
        )
    return replace(claim, band=(float(band[0]), float(band[1])))


def _ordered(claim: Claim, table: Mapping, where: str) -> Claim:
    order, by, over = table["order"], table.get("by", 0.0), _text(table, "over", where, DIFFICULTY)
    if (
        not isinstance(order, list | tuple)
        or len(order) < 2
        or not all(isinstance(value, str | int | float) for value in order)
    ):
        raise UsageError(
            f"{where}: order: must be a list of two or more, the one with the greatest {claim.measure} "
            'first, such as ["veteran", "elite"]'
        )
    if len({_as_text(value) for value in order}) < len(order):
        raise UsageError(f"{where}: order: names one of them twice")
    if not _is_number(by) or by < 0:
        raise UsageError(f"{where}: by: must be a number from 0, the least step from one to the next")
    if getattr(claim, over, None) if over in (DIFFICULTY, POLICY) else over in dict(claim.sets):
        raise UsageError(f"{where}: {over}: the order goes over it, so it cannot be a filter too")
    return replace(claim, order=tuple(order), over=over, by=float(by))


def _check_measure(claim: Claim, where: str) -> None:
    kind, colon, name = claim.measure.partition(":")
    if claim.measure not in PLAIN and not (colon and kind in NAMED and name):
        known = [*PLAIN, *(f"{kind}:NAME" for kind in NAMED)]
        raise UsageError(f"{where}: measure: {claim.measure} is none{did_you_mean(claim.measure, known)}")
    if claim.seat is not None and claim.measure != "win_rate":
        raise UsageError(f"{where}: seat: only a win_rate has a seat, and measure is {claim.measure}")


def is_share(measure: str) -> bool:
    return measure in ("win_rate", "draw_rate") or measure.startswith(("tier:", "end:"))


def _text(table: Mapping, key: str, where: str, default: str = "") -> str:
    value = table.get(key, default)
    if key in table and not (isinstance(value, str) and value):
        raise UsageError(f"{where}: {key}: must be text")
    return value


def _texts(table: Mapping, key: str, where: str) -> tuple[str, ...]:
    found = table.get(key, [])
    found = [found] if isinstance(found, str) else found
    if not isinstance(found, list | tuple) or not all(isinstance(value, str) for value in found):
        raise UsageError(f"{where}: {key}: must be text, or a list of texts")
    return tuple(found)


def _table(table: Mapping, key: str, where: str) -> Mapping:
    found = table.get(key, {})
    if not isinstance(found, Mapping) or not all(
        isinstance(value, str | int | float) for value in found.values()
    ):
        raise UsageError(
            f'{where}: {key}: must be a table of path = value, such as {{ "turn.defender_actions" = 5 }}'
        )
    return found


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and isfinite(value)


# ---------------------------------------------------------------- which cells it is about


@dataclass(frozen=True)
class Case:
    """A claim about one cell, or about a cell and the next one of the order."""

    number: int  # of the claim, in the order of the plan
    claim: Claim
    cells: tuple[Any, ...]
    measures: tuple[Measure, ...]  # one a cell: names of tiers and ends may have other numbers there


def cases(claims: Sequence[Claim], cells: Sequence[Any], alike: bool, where: str) -> list[Case]:
    """Every claim about every cell it speaks of.

    One that speaks of no cell, or of what the game does not have, is refused.
    """
    return [
        case
        for number, claim in enumerate(claims, start=1)
        for case in _cases_of(number, claim, cells, alike, f"{where}: claim {number}")
    ]


def _cases_of(number: int, claim: Claim, cells: Sequence[Any], alike: bool, where: str) -> list[Case]:
    kept = _filtered(claim, cells, alike, where)
    groups = [(cell,) for cell in kept] if claim.is_band else list(_steps(claim, kept, alike, where))
    return [
        Case(number, claim, group, tuple(_measure(claim, cell, where) for cell in group)) for group in groups
    ]


def _has_level(level: str, cell: Any) -> bool:
    return cell.difficulty == level


def _is_played_by(text: str, alike: bool, cell: Any) -> bool:
    return _plays(text, cell, alike)


def _has_value(path: str, value: Any, cell: Any) -> bool:
    return path in cell.set and _same(cell.set[path], value)


def _filtered(claim: Claim, cells: Sequence[Any], alike: bool, where: str) -> list[Any]:
    """The cells that pass every filter."""
    tests: list[tuple[str, str, Callable[[Any], bool], set]] = []
    levels = {cell.difficulty for cell in cells}
    for level in claim.difficulty:
        tests.append((DIFFICULTY, level, partial(_has_level, level), levels))
    for text in claim.policy:
        tests.append((POLICY, text, partial(_is_played_by, text, alike), {line_up(cell) for cell in cells}))
    for path, value in claim.sets:
        there = {f"{other}={_as_text(cell.set[other])}" for cell in cells for other in cell.set}
        tests.append(("set", f"{path}={_as_text(value)}", partial(_has_value, path, value), there))
    for key, text, test, there in tests:
        if not any(map(test, cells)):
            raise UsageError(f"{where}: {key}: no cell has {text}{did_you_mean(text, there)}")
    found = [
        cell
        for cell in cells
        if all(
            any(test(cell) for key, _, test, _ in tests if key == wanted)
            for wanted in {key for key, *_ in tests} - {"set"}
        )
    ]
    found = [cell for cell in found if all(test(cell) for key, _, test, _ in tests if key == "set")]
    if not found:
        raise UsageError(
            f"{where}: its filters together leave no cell; there is: "
            f"{', '.join(cell.id for cell in cells[:20])}"
        )
    return found


def line_up(cell: Any) -> str:
    """Who plays, as a plan names it: `garrison`, `steward+greedy`, `allied=escape_officer german=greedy`."""
    texts = [_named(policy) for policy in cell.policies]
    if len(set(texts)) == 1:
        return texts[0]
    return "+".join(texts)


def _plays(text: str, cell: Any, alike: bool) -> bool:
    """`role=P` one seat; `P+Q` the seats in turn; `P` every seat where all are alike, else any."""
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


def _names(policy: Mapping) -> tuple[str, str]:
    """As the plan names it, with its weights, and by its name alone."""
    return _named(policy), policy["name"]


def _named(policy: Mapping) -> str:
    return policy.get("as_named", policy["name"])


def _steps(claim: Claim, cells: Sequence[Any], alike: bool, where: str) -> Iterator[tuple[Any, Any]]:
    """Pairs of cells that follow each other in the order, everything else equal."""
    for value in claim.order:
        if not any(_is_at(claim, value, cell, alike) for cell in cells):
            there = {_as_text(_at(claim, cell)) for cell in cells} - {"none"}
            raise UsageError(
                f"{where}: order: no cell has {claim.over} "
                f"{_as_text(value)}{did_you_mean(_as_text(value), there)}"
            )
    groups: dict[tuple, list[Any]] = {}
    for cell in cells:
        groups.setdefault(_all_else(claim, cell), []).append(cell)
    found = [pair for group in groups.values() for pair in _along(claim, group, alike)]
    if not found:
        raise UsageError(f"{where}: order: no two cells differ in {claim.over} alone")
    yield from found


def _along(claim: Claim, group: list[Any], alike: bool) -> Iterator[tuple[Any, Any]]:
    there = [[cell for cell in group if _is_at(claim, value, cell, alike)] for value in claim.order]
    for one, other in pairwise(filter(None, there)):
        yield from product(one, other)


def _all_else(claim: Claim, cell: Any) -> tuple:
    scenario, difficulty, sets = all_but(None if claim.over in (DIFFICULTY, POLICY) else claim.over, cell)
    return (
        scenario,
        None if claim.over == DIFFICULTY else difficulty,
        sets,
        () if claim.over == POLICY else seating(cell),
    )


def _at(claim: Claim, cell: Any) -> Any:
    if claim.over == DIFFICULTY:
        return cell.difficulty
    return line_up(cell) if claim.over == POLICY else cell.set.get(claim.over)


def _is_at(claim: Claim, value: Any, cell: Any, alike: bool) -> bool:
    return _plays(str(value), cell, alike) if claim.over == POLICY else _same(_at(claim, cell), value)


def _same(here: Any, wanted: Any) -> bool:
    return _as_text(here) == _as_text(wanted)


def _as_text(value: Any) -> str:
    if value is None or isinstance(value, bool):
        return "none" if value is None else str(value).lower()
    return f"{value:g}" if isinstance(value, int | float) else str(value)


# ---------------------------------------------------------------- what is measured


def _measure(claim: Claim, cell: Any, where: str) -> Measure:
    kind, _, name = claim.measure.partition(":")
    if claim.measure == "win_rate":
        return _share(claim, won(_seat(claim, cell, where)))
    if claim.measure == "draw_rate":
        return _share(claim, drawn())
    if kind == "tier":
        return _share(claim, _in_tier(name, cell, where) & ~cut_off())
    if kind == "end":
        return _share(claim, pl.col("end_reason").is_in(_codes(name, cell, where)))
    column = {"score": "score", "turns": "turn"}.get(claim.measure, name)
    kinds = {
        key: np.dtype(kind).kind
        for key, kind in getattr(cell, "columns", {}).items()
        if key not in {*IDENTITIES, *cell.labels, cell.cause_column}
    }
    if kind == "mean" and kinds.get(column) not in tuple("biuf"):
        raise UsageError(
            f"{where}: measure: {name} is no column of numbers in cell {cell.id}{did_you_mean(name, kinds)}"
        )
    if kinds.get(column) == "b":
        return _share(claim, pl.col(column) & ~cut_off())
    ended = pl.when(~cut_off()).then(pl.col(column).cast(pl.Float64))
    return Measure("mean", claim.measure, ended, ended)


def _share(claim: Claim, which: pl.Expr) -> Measure:
    """Of all games; one cut off may still have become such a game."""
    is_one = which.fill_null(False)
    return Measure(
        "share", claim.measure, is_one.cast(pl.Float64), (is_one | cut_off()).cast(pl.Float64), (0.0, 1.0)
    )


def _seat(claim: Claim, cell: Any, where: str) -> int:
    roles = [policy["role"] for policy in cell.policies]
    if claim.seat is not None and claim.seat not in roles:
        raise UsageError(f"{where}: seat: no {claim.seat} in cell {cell.id}{did_you_mean(claim.seat, roles)}")
    return roles.index(claim.seat) if claim.seat else 0


def _in_tier(name: str, cell: Any, where: str) -> pl.Expr:
    tiers = best_first(cell.tiers)
    if name == LOST and tiers:
        return pl.col("score").is_null()
    if name not in tiers:
        raise UsageError(
            f"{where}: measure: no tier {name} in cell "
            f"{cell.id}{did_you_mean(name, [*tiers, LOST] if tiers else [])}"
        )
    names = list(tiers)
    place = names.index(name)
    score, better = pl.col("score"), [score for score in (tiers[other] for other in names[:place])]
    least = pl.lit(True) if place == len(names) - 1 else score >= tiers[name]
    return score.is_not_null() & least & (score < better[-1] if better else pl.lit(True))


def _codes(name: str, cell: Any, where: str) -> list[int]:
    found = [int(code) for code, reason in cell.end_reasons.items() if reason == name]
    if not found:
        raise UsageError(
            f"{where}: measure: no end reason {name} in cell "
            f"{cell.id}{did_you_mean(name, cell.end_reasons.values())}"
        )
    return found


# ---------------------------------------------------------------- the verdict


@dataclass(frozen=True)
class Judged:
    """What the games say to one case."""

    case: Case
    games: int  # or pairs of games
    capped: int  # of these, cut off: a share then lies between two bounds, a mean cannot be told
    interval: Interval | None  # of the measure, or of the difference; None where there is none
    p: float = 1.0
    leaning: str = INCONCLUSIVE  # the side that p speaks of
    adjusted: float = 1.0  # p after Holm, over all claims
    # games of this cell, or pairs, that would tell if the estimate is right; None: decided, or no number
    # can be said
    needed: int | None = None
    # the estimate sits on the edge: `needed` is the least, and perhaps no number would tell
    on_edge: bool = False
    sample: Values | None = field(default=None, repr=False)

    @property
    def claim(self) -> Claim:
        return self.case.claim

    @property
    def alpha(self) -> float:
        return 1 - self.interval.level if self.interval else 0.0

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


def to_frame(judged: Sequence[Judged]) -> pl.DataFrame:
    """One row a case: cell, against, measure, n, interval as a struct, p, adjusted, verdict."""
    rows = [(one, [cell.id for cell in one.case.cells]) for one in judged]
    return pl.DataFrame(
        {
            "cell": ids[-1],
            "against": ids[0] if len(ids) > 1 else None,
            "measure": one.claim.measure,
            "n": one.games,
            "interval": one.interval and one.interval.to_dict(),
            "p": one.p,
            "adjusted": one.adjusted,
            "verdict": one.verdict,
        }
        for one, ids in rows
    )


def judge(sweep: Any) -> list[Judged]:
    """Every claim of a sweep's manifest; [] when it claims nothing."""
    manifest = sweep.manifest
    where = manifest.get("claims_from") or str(sweep.folder)
    claims = read(manifest.get("claims", []), where)
    found = cases(claims, sweep.cells, bool(manifest.get("alike")), where)
    level, watched = manifest.get("level", 0.95), manifest.get("precision") is not None
    return adjust([judge_one(case, level, watched) for case in found], level, watched)


def judge_one(case: Case, level: float = 0.95, watched: bool = False) -> Judged:
    """watched: the games were looked at on the way and stopped when precise enough; only confidence sequences
    keep their promise then.
    """
    games, capped = _counts(case.cells)
    sample = _sample(case)
    if not sample.games or (capped and not _is_bounded(case)):
        return Judged(case, games, capped, None)
    at = _interval_at(case, sample, watched, capped)
    leaning, p = _least_alpha(case.claim, at)
    return Judged(case, sample.games, capped, at(level), p, leaning, p, sample=sample)


def adjust(judged: Sequence[Judged], level: float = 0.95, watched: bool = False) -> list[Judged]:
    """Each p adjusted for all claims (Holm 1979), and where that leaves one open, the
    games that would tell.
    """
    adjusted = holm([one.p for one in judged])
    found = [replace(one, adjusted=p) for one, p in zip(judged, adjusted, strict=True)]
    return [_with_needed(one, sum(other.p >= one.p for other in found), level, watched) for one in found]


def _is_bounded(case: Case) -> bool:
    return case.measures[0].kind == "share"


def _counts(cells: Sequence[Any]) -> tuple[int, int]:
    """Games of the smallest cell; games cut off, over all."""
    counted = [
        cell.scan().select(pl.len(), cut_off().sum().alias("capped")).collect(engine="streaming").row(0)
        for cell in cells
    ]
    return min(games for games, _ in counted), sum(capped for _, capped in counted)


def _sample(case: Case) -> Values:
    """One value a game; of an order, how much less the later cell has of it."""
    if case.claim.is_band:
        return values(case.cells[0].scan(), case.measures[0])
    return differences(case.cells[1].scan(), case.cells[0].scan(), case.measures[1], case.measures[0])


def _interval_at(case: Case, sample: Values, watched: bool, capped: int) -> Callable[[float], Interval]:
    """The interval of any level."""
    if case.claim.is_band and _is_bounded(case):
        sure, games = round(float((sample.low * sample.n).sum())), sample.games
        return lambda level: with_cut_off(
            sure,
            round(float((sample.high * sample.n).sum())) - sure,
            games,
            level,
            confidence_sequence if watched else proportion,
        )
    return lambda level: (sample.sequence if watched else sample.interval)(level, capped)


def _least_alpha(claim: Claim, at: Callable[[float], Interval]) -> tuple[str, float]:
    """The side on which the narrowest interval lies, and the least alpha whose interval still does."""
    leaning = claim.side(at(LEAST_P))
    if leaning == INCONCLUSIVE:
        return INCONCLUSIVE, 1.0
    return leaning, least_alpha(lambda level: claim.side(at(level)) == leaning)


def _with_needed(one: Judged, open_claims: int, level: float, watched: bool) -> Judged:
    """How many games would bring the interval clear of the nearest edge, were the estimate the truth:
    half-widths fall with the root of n.
    """
    if one.sample is None or one.verdict != INCONCLUSIVE or not _is_clear_of_edges(one.claim, one.sample):
        return one
    interval = _interval_at(one.case, one.sample, watched, one.capped)(1 - (1 - level) / open_claims)
    ratio = _reach_over_distance(one.claim, one.sample, interval)
    most = ON_THE_EDGE * one.games
    needed = ceil(one.games * ratio**2) if ratio**2 < ON_THE_EDGE else most
    return replace(one, needed=max(needed, one.games + 1), on_edge=needed >= most)


def _edges(claim: Claim) -> tuple[float, float]:
    return claim.band if claim.band is not None else (claim.by, inf)


def _is_clear_of_edges(claim: Claim, sample: Values) -> bool:
    """Is no edge between the bounds that the cut-off games leave open?"""
    return not any(sample.least < edge < sample.most for edge in _edges(claim))


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
