"""Claims and their verdicts: the rows of the JSON output, and the sentences for terminals and pages."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from bartizan.analyses.records import claims
from bartizan.analyses.records.claims import FAIL, INCONCLUSIVE, PASS, Claim, Judged, judge, presets
from bartizan.analyses.records.quantities import score_names
from bartizan.analyses.records.tally import reporting_of
from bartizan.analyses.statistics.intervals import Interval
from bartizan.reports.study import Study
from bartizan.reports.text import differences, sentences, words
from bartizan.reports.text.cell_names import cell_names

METHOD = (
    "equivalence test against the band (Schuirmann 1987): PASS if the interval is inside the band, FAIL if "
    "it is outside. An order is tested by the paired difference of two settings (Student t; exact tails if "
    "fewer than 100 games differ, Blaker 2000). p is the smallest error at which the interval is still on "
    "one side; the verdict uses p adjusted for all claims (Holm 1979). The number of games needed assumes "
    "that half-widths shrink with the square root of the number of games."
)


# ---------------------------------------------------------------- rows


def of_sweep(sweep: Any) -> list[dict[str, Any]]:
    """Return one row per judged claim of a sweep (`simcore.sweep.store.open_sweep`); [] without claims."""
    return of_judged(judge(sweep), sweep)


def of_judged(judged: Sequence[Judged], sweep: Any) -> list[dict[str, Any]]:
    return rows(judged, cell_names(sweep.cells, bool(sweep.manifest.get("alike")))) if judged else []


def of_study(study: Study) -> list[dict[str, Any]]:
    return rows(study.claims, study.names)


def rows(judged: Sequence[Judged], names: Mapping[str, str]) -> list[dict[str, Any]]:
    """Return one row per claim and cell, as in `run --json` and reports. names: maps cell ids to names."""
    return [{**row, "finding": finding(row)} for row in (_row(each, names) for each in judged)]


def _row(judged: Judged, names: Mapping[str, str]) -> dict[str, Any]:
    claim, cells = judged.claim, judged.case.cells
    *before, cell = cells
    called = _called(claim.measure, cell)
    return {
        "claim": judged.case.number,
        "title": claim.title or _said(claim, called),
        "measure": claim.measure,
        "measure_name": called,
        "seat": claim.seat,
        "whose": _whose(judged),
        "cell": cell.id,
        **({"against": before[0].id} if before else {}),
        "names": [names[each.id] for each in cells],
        "kind": "band" if claim.is_band else "order",
        **(
            {
                "band": list(claim.band),
                "preset": claim.preset,
                "source": claim.preset and presets()[claim.preset].source,
                "band_of": claim.preset and presets()[claim.preset].whose,
            }
            if claim.band is not None
            else {}
        ),
        **({"order": list(claim.order), "over": claim.over, "by": claim.by} if not claim.is_band else {}),
        "verdict": judged.verdict,
        "verdict_alone": judged.alone,
        "estimate": judged.interval and judged.interval.estimate,
        "interval": judged.interval and judged.interval.to_dict(),
        "is_share": judged.case.measures[0].kind == "share",
        "p": judged.p,
        "p_adjusted": judged.adjusted,
        "looks": judged.look,
        "level": judged.level,
        "games": judged.games,
        "games_needed": judged.needed,
        "on_edge": judged.on_edge,
        "capped": judged.capped,
        **({"pairing_factor": judged.sample.factor if judged.sample else None} if before else {}),
        "assumed": max(each.assumed for each in cells),
    }


def _whose(judged: Judged) -> str | None:
    """Return the policy whose win rate is claimed; None for another measure, or if the policies differ."""
    seat = judged.claim.seat
    if judged.claim.measure != "win_rate":
        return None
    seated = [next(p for p in cell.policies if seat in (None, p["role"])) for cell in judged.case.cells]
    names = {policy["name"] for policy in seated}
    return names.pop() if len(names) == 1 else None


# ---------------------------------------------------------------- sentences


def sentence(judged: Sequence[Mapping[str, Any]], manifest: Mapping[str, Any]) -> str:
    """Return a sentence with the numbers of claims by verdict, the method and the assumptions."""
    counts = {
        verdict: sum(row["verdict"] == verdict for row in judged) for verdict in (PASS, FAIL, INCONCLUSIVE)
    }
    verbs = {
        PASS: ("passes", "pass"),
        FAIL: ("fails", "fail"),
        INCONCLUSIVE: ("is inconclusive", "are inconclusive"),
    }
    parts = [f"{n} {verbs[verdict][n > 1]}" for verdict, n in counts.items() if n]
    level = words.level(manifest.get("level", 0.95))
    if manifest.get("precision") is None:
        intervals = f"{level} intervals over all looks, p adjusted for looks and all claims (Holm 1979)"
    else:
        intervals = f"{level} confidence sequences, p adjusted for all claims (Holm 1979)"
    how = f"{intervals}, seed {manifest['seed']}"
    after = (
        f" The claims are from {manifest['claims_from']} and were added after the games were simulated."
        if manifest.get("claims_from")
        else ""
    )
    counted = f"{_of(len(judged), len({row['claim'] for row in judged}))} {words.listing(parts)}"
    return f"{counted} ({how}); {sentences.rests_on(max(row['assumed'] for row in judged))}.{after}"


def _of(verdicts: int, plan: int) -> str:
    """Return the number of claims, as `Of 3 claims`, or as `3 claims, 5 verdicts:` if a claim has several."""
    claims = words.many(plan, "claim")
    return f"Of {claims}" if verdicts == plan else f"{claims}, {words.count(verdicts)} verdicts:"


def lines(judged: Sequence[Mapping[str, Any]], manifest: Mapping[str, Any]) -> Iterator[str]:
    """Yield the text for a terminal: a sentence, then one line per row."""
    yield sentence(judged, manifest)
    for row in judged:
        yield f"  {row['verdict']:<12}  {row['title']}: {row['finding']}"


def finding(row: Mapping[str, Any]) -> str:
    """Return the result of a claim as text.

    For example: `win rate 39.8 % (39.1–40.5 %), claimed 35–45 %; Veteran, garrison; 20,000 games, Wilson; p
    below 0.0001, adjusted below 0.0001`.
    """
    if row["interval"] is None:
        why = (
            f"{words.were(row['capped'], 'game')} truncated, so the mean has no bounds"
            if row["games"]
            else "no games simulated yet"
        )
        return f"{_measured(row)}; {' and '.join(row['names'])}; {why}"
    interval = Interval(**row["interval"])
    pairing = f", pairing factor {words.factor(row['pairing_factor'])}" if row.get("pairing_factor") else ""
    look = f"look {row['looks']}, " if row["looks"] > 1 else ""
    how = (
        f"{words.count(row['games'])} {'pairs of games' if 'against' in row else 'games'}, "
        f"{look}{interval.method}{pairing}"
    )
    alone, adjusted = (words.p_value(row[key]) for key in ("p", "p_adjusted"))
    return f"{_estimate(row, interval)}; {how}; p {alone}, adjusted {adjusted}{_open(row)}"


def _estimate(row: Mapping[str, Any], interval: Interval) -> str:
    name = row["names"][-1]
    if row["kind"] == "band":
        digits = _digits(interval, row["band"], 100 if row["is_share"] else 1)
        limits = words.span(interval.low, interval.high, digits)
        mean = f"{words.number(interval.estimate, digits)} ({limits})"
        value = _share(interval, digits) if row["is_share"] else mean
        # the band of a preset may concern people, not the policy
        people = f" for {row['band_of']}" if row.get("band_of") else ""
        band = f"{_band(row['band'], row['is_share'])}{people}"
        return f"{_measured(row)} {value}, claimed {band}; {name}"
    move = _moved(interval, row["is_share"])
    by = differences.points(f"{row['by'] * 100:g}") if row["is_share"] else words.exact(row["by"])
    least = f", claimed by more than {by}" if row["by"] else ""
    return f"{_measured(row)} {move}{least}; from {row['names'][0]} to {name}"


def _moved(interval: Interval, is_share: bool) -> str:
    """Return the change of a measure, such as `falls by 12.3 percentage points (11.4 to 13.2)`.

    If the interval contains 0, the text is a signed change. interval: interval of the fall that the claimed
    order predicts.
    """
    if interval.low <= 0 <= interval.high:
        fall = differences.reversed_(interval)
        by = differences.signed(fall, least=1) if is_share else differences.numbers(fall, 1, least=1)
        return f"changes by {by}"
    verb = "falls" if interval.estimate > 0 else "rises"
    if is_share:
        return f"{verb} by {differences.size(interval)}"
    low, high = sorted((abs(interval.low), abs(interval.high)))
    digits = words.digits_for(interval.half_width)
    return f"{verb} by {words.number(abs(interval.estimate), digits)} ({words.span(low, high, digits)})"


def _share(interval: Interval, digits: int) -> str:
    """Return a share with `digits` decimals, such as `39.8 % (39.1–40.5 %)`.

    The text is a bound if the share is 0 or 1 or games were truncated.
    """
    if words.is_bounds(interval) or interval.estimate in (0, 1):
        return words.share_with_limits(interval)
    estimate, low, high = (
        f"{value * 100:.{digits}f}" for value in (interval.estimate, interval.low, interval.high)
    )
    return f"{estimate}{words.NBSP}% ({low}–{high}{words.NBSP}%)"


def _digits(interval: Interval, band: Sequence[float], scale: float) -> int:
    """Return the fewest decimals at which no limit of the interval rounds to an edge of the band.

    The number of decimals shows at least one significant figure of the half-width. If no number below
    MOST_DIGITS suffices, returns this least number. scale: 100 for shares, 1 for means.
    """
    least = words.digits_for(interval.half_width * scale)
    ends = [
        (limit * scale, edge * scale)
        for limit in (interval.low, interval.high)
        for edge in band
        if limit != edge
    ]
    return next(
        (
            digits
            for digits in range(least, words.MOST_DIGITS)
            if all(round(limit, digits) != round(edge, digits) for limit, edge in ends)
        ),
        least,
    )


def _band(band: Sequence[float], is_share: bool) -> str:
    if is_share:
        return f"{band[0] * 100:g}–{band[1] * 100:g}{words.NBSP}%"
    return f"{words.exact(band[0])} to {words.exact(band[1])}"


def _open(row: Mapping[str, Any]) -> str:
    """Return why a claim is inconclusive and how many games it needs, as text; "" for any other verdict."""
    if row["verdict"] != INCONCLUSIVE:
        return ""
    alone = (
        f"; {row['verdict_alone']} without the adjustment for all claims"
        if row["verdict_alone"] != INCONCLUSIVE
        else ""
    )
    if row["games_needed"] is None:
        return (
            f"{alone}; {words.were(row['capped'], 'game')} truncated and the verdict depends on the "
            "outcome, so more games cannot decide"
        )
    needed = f"{words.two_figures(row['games_needed']):,}"
    if row["on_edge"]:
        return (
            f"{alone}; the estimate is at the edge of the band: at least {needed} games are needed, and no "
            "number may be enough"
        )
    return f"{alone}; about {needed} games are needed"


def _measured(row: Mapping[str, Any]) -> str:
    """Return the claimed measure: `win rate of garrison`, `win rate of the german seat, greedy,`."""
    named = _with_seat(row["measure_name"], row["seat"])
    if not row.get("whose"):
        return named
    return f"{named}, {row['whose']}," if row["seat"] else f"{named} of {row['whose']}"


def _called(measure: str, cell: Any) -> str:
    """Return the name of a measure in a cell: `mean score of the winner`, `mean number of rounds`."""
    kind, colon, name = measure.partition(":")
    if colon:
        return {
            "tier": f'share of games with "{name}"',
            "end": f'share of games that end by "{name}"',
            "mean": f"mean of {score_names(cell).get(name, words.plain(name))}",
        }[kind]
    return {
        "win_rate": "win rate",
        "draw_rate": "share of draws",
        "score": f"mean {score_names(cell).get('score', 'score')}",
        "turns": f"mean number of {reporting_of(cell).time}s",
    }[measure]


def _with_seat(measure: str, seat: str | None) -> str:
    return f"{measure} of the {words.plain(seat)} seat" if seat else measure


def _said(claim: Claim, called: str) -> str:
    """Return the title of a claim that has none. called: name of its measure."""
    measure = words.sentence(_with_seat(called, claim.seat))
    if claim.band is not None:
        return f"{measure} {_band(claim.band, claims.is_share(claim.measure))}"
    return f"{measure} falls along {', '.join(map(str, claim.order))}"


def methods(study: Study) -> list[tuple[str, str]]:
    return [("Claims", METHOD)] if study.claims else []
