"""The current results for the page, and the charts of the report.

Each result has its number of games, interval and method. The intervals of the results are confidence
sequences, which are valid at every look, because the page looks continuously. In the charts, only shares of
outcomes have confidence sequences. Other intervals, such as those of means, assume a fixed number of games.
"""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import polars as pl

from bartizan.analyses.records import outcomes, quantities
from bartizan.analyses.records.claims import Claim, adjust, cases, judge_one
from bartizan.analyses.records.comparison import LENGTH
from bartizan.analyses.records.tally import (
    MARGIN,
    Tally,
    drawn,
    is_truncated,
    margin,
    reporting_of,
    seat_scores,
    won,
)
from bartizan.analyses.statistics.intervals import Interval, Mean, confidence_sequence, mean_of, mean_sequence
from bartizan.analyses.statistics.pairs import Pairs, watched_difference
from bartizan.reports.blocks import View
from bartizan.reports.pages.sweep import kind_of
from bartizan.reports.render.figures import keyed, shortened
from bartizan.reports.study import Study, finding_of
from bartizan.reports.text import words
from bartizan.simcore.sweep.manifest import MemoryCell
from bartizan.workbench.live import Live, PairedGames

Document = dict[str, Any]
CountedGames = tuple[MemoryCell, Tally]
PERCENT, PLAIN = "percent", "number"


def figures(live: Live, claim: Claim | None) -> Document:
    """Return all results of the current setting, compared with the pinned one.

    claim: the target band, or None.
    """
    assert live.pair
    pair = live.pair
    now = pair.now.counted(pair.now.games)
    return {
        "games": pair.now.games,
        "pairs": pair.games if pair.pinned else 0,
        "measures": [*_shares(now, pair), *_means(now, pair)],
        "target": _target(claim, now[0]) if claim else None,
        "levels": [_level(level, each) for level, each in live.pairs()],
        "refused": live.refused,
    }


# ---------------------------------------------------------------- shares of games


def _shares(now: CountedGames, pair: PairedGames) -> Iterator[Document]:
    rates = _rates(*now)
    old = _rates(*pair.pinned.counted(pair.games)) if pair.pinned else {}
    for name, (which, share) in rates.items():
        document: Document = {"name": name, "kind": PERCENT, "now": share_document(share, now[1].games)}
        if pair.pinned:
            was = old.get(name)
            document["pinned"] = share_document(was[1], pair.games) if was else None
            document["difference"] = _difference(which, pair)
        yield document


def _rates(cell: MemoryCell, games: Tally) -> dict[str, tuple[pl.Expr, Interval]]:
    """Map the name of each rate to its condition (which games count) and the share of games that meet it."""
    seats = outcomes.win_rate_of(games, cell, method=confidence_sequence).seats
    if len(seats) == 1:
        return {"Win rate": (won(0), seats[0].win)}
    shares = {f"{words.title(seat.role)} wins": (won(seat.seat), seat.win) for seat in seats}
    return shares | ({"Draws": (drawn(), seats[0].draw)} if seats[0].draws else {})


def share_document(share: Interval, games: int) -> Document:
    """Return a share as a document with its number of games."""
    limits = words.share_limits(share)
    return _figure(words.share(share), limits, games, share)


def _figure(text: str, limits: str, games: int, interval: Interval, **others: Any) -> Document:
    return {"text": text, "limits": limits, "n": games, **interval.to_dict(), **others}


def _difference(which: pl.Expr, pair: PairedGames) -> Document:
    """Return the difference of a rate from the pinned setting, in percentage points.

    which: condition of games that count. With truncated games, the interval covers every possible outcome.
    """
    assert pair.pinned
    # condition for a game to count: with certainty, and possibly
    ends = {"surely": which, "perhaps": which | is_truncated()}
    now, was = (side.cell(pair.games).frame.select(**ends) for side in (pair.now, pair.pinned))

    def shift(here: pl.Series, before: pl.Series) -> Interval:
        gained, lost = int((here & ~before).sum()), int((~here & before).sum())
        return watched_difference(Pairs(gained, lost, len(here) - gained - lost))

    least, most = shift(now["surely"], was["perhaps"]), shift(now["perhaps"], was["surely"])
    middle = (least.estimate + most.estimate) / 2
    difference = replace(least, estimate=middle, low=min(least.low, middle), high=max(most.high, middle))
    text, limits = words.change(difference, 100, 1)
    return _figure(f"{text} pp", f"{limits} pp", pair.games, difference, told=_told_apart(difference))


def _told_apart(difference: Interval) -> bool:
    return not difference.low <= 0 <= difference.high


# ---------------------------------------------------------------- means


def _means(now: CountedGames, pair: PairedGames) -> Iterator[Document]:
    """Yield the mean of every score, named by its owner, and of the length of completed games."""
    cell, _ = now
    for column, name in (quantities.score_names(cell) | {LENGTH: f"{reporting_of(cell).time}s"}).items():
        value = _mean(_column(cell, column))
        if value.mean is None:
            continue
        document: Document = {"name": words.sentence(name), "kind": PLAIN, "now": mean_document(value)}
        if pair.pinned:
            before, after = (_column(side.cell(pair.games), column) for side in (pair.pinned, pair.now))
            document |= {"pinned": mean_document(_mean(before)), "difference": _shift(_mean(after - before))}
        yield document


def _column(cell: MemoryCell, column: str) -> pl.Series:
    """Return a column of the games, or their winning margin (MARGIN); null for truncated games."""
    value = margin(seat_scores(cell)) if column == MARGIN else pl.col(column).cast(pl.Float64)
    return cell.frame.select(pl.when(~is_truncated()).then(value).alias(column)).to_series()


def _mean(values: pl.Series) -> Mean:
    return mean_of(values.drop_nulls().to_numpy())


def mean_document(value: Mean) -> Document | None:
    interval = mean_sequence(value)
    if interval is None:
        return None
    digits = words.digits_for(interval.half_width)
    limits = words.span(interval.low, interval.high, digits)
    return _figure(words.number(interval.estimate, digits), limits, value.n, interval)


def _shift(value: Mean) -> Document | None:
    """Return the mean of paired differences with its interval; None if the interval cannot be computed."""
    interval = mean_sequence(value)
    if interval is None:
        return None
    text, limits = words.change(interval)
    return _figure(text, limits, value.n, interval, told=_told_apart(interval))


# ---------------------------------------------------------------- the target, the levels


def _target(claim: Claim, cell: MemoryCell) -> Document:
    """Return the verdict on the target band and, if it is inconclusive, the number of games still needed."""
    (case,) = cases([claim], [cell], True, "target")
    (judged,) = adjust([judge_one(case, watched=True)], watched=True)
    more = judged.needed - judged.games if judged.needed else None
    band = list(claim.band or ())
    return {"verdict": judged.verdict, "more": more, "on_edge": judged.on_edge, "band": band}


def _level(level: str, pair: PairedGames) -> Document:
    """Return the first seat's win rate at one level, and the difference from the pinned setting."""
    cell, games = pair.now.counted(pair.now.games)
    which, share = next(iter(_rates(cell, games).values()))
    document = {"level": level, "title": words.title(level), "now": share_document(share, games.games)}
    if pair.pinned and pair.games:
        _, was = next(iter(_rates(*pair.pinned.counted(pair.games)).values()))
        document |= {"pinned": share_document(was, pair.games), "difference": _difference(which, pair)}
    return document


# ---------------------------------------------------------------- pictures


NOW, PINNED = "Now", "Pinned"
MOST = 2  # charts per section: now and pinned


def pictures(pair: PairedGames) -> dict[str, Any]:
    """Return the number of games, and the sections of the report that have charts.

    Each section has title, caption, legend, and charts as SVG.
    """
    study = _study(pair)
    sections = [_section(section) for section in kind_of(study).sections(study) if section.groups]
    return {"games": study.findings[0].games, "sections": sections}


def _study(pair: PairedGames) -> Study:
    named = [(NOW, pair.now, pair.now.games)]
    if pair.pinned:
        named.append((PINNED, pair.pinned, pair.games))
    findings = []
    for name, kept, games in named:
        cell, counted = kept.counted(games)
        player = " against ".join(dict.fromkeys(policy["as_named"] for policy in cell.policies))
        names = (name, player, "")
        findings.append(finding_of(cell.model_copy(update={"id": name}), counted, names, confidence_sequence))
    return Study(pair.now.sweep.manifest, tuple(findings), ())


def _section(section: View) -> dict[str, Any]:
    rows = [
        {"title": _titled(group.title, figure.title), "note": figure.note, "svg": figure.svg()}
        for group in shortened(keyed(section), MOST).groups
        for figure in group.figures
    ]
    legend = [list(pair) for pair in section.legend]
    return {"title": section.title, "caption": section.caption, "legend": legend, "pictures": rows}


def _titled(group: str, title: str) -> str:
    """Return a chart's title, preceded by its group, such as "Now", because charts are shown separately."""
    return title if not group or title.startswith(group) else ": ".join(filter(None, (group, title)))
