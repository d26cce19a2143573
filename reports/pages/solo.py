"""Page of a solo or cooperative game, which answers how hard the game is."""

from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, replace
from itertools import pairwise, takewhile

from bartizan.analyses.records import comparison
from bartizan.analyses.records.outcomes import Spread
from bartizan.analyses.records.quantities import Scores
from bartizan.analyses.statistics.intervals import Interval, with_truncated, without_limits
from bartizan.analyses.statistics.testing import jointly
from bartizan.reports import entries, views
from bartizan.reports.blocks import (
    Band,
    Chart,
    ChartMark,
    Entry,
    Method,
    Paragraph,
    Shape,
    Table,
    Track,
    paragraph,
    share_mark,
)
from bartizan.reports.figures import curves
from bartizan.reports.pages.parts import certainty, measured, names, outcomes
from bartizan.reports.pages.parts.certainty import never_came_up
from bartizan.reports.pages.parts.measure import Document, PageMeasure
from bartizan.reports.study import Finding, Study, hopeless, leading, main_findings, strongest, win_rate
from bartizan.reports.text import words
from bartizan.reports.text.cell_names import grouped
from bartizan.reports.views import bracket

MOST_MARKS = 4  # policies in a row of the main chart


# ================================================================ the main chart


def picks(study: Study) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Return (kind, names) of the levels and of the players that a reader can select for all charts.

    Returns () for a game with several sides.
    """
    kinds = (("level", tuple(study.levels)), ("player", tuple(study.players)))
    return () if study.is_contest else tuple((kind, names) for kind, names in kinds if len(names) > 1)


def chart(study: Study) -> Chart:
    """Return the main chart: scores, lengths, or win rates from a newcomer to the best play found."""
    if study.is_about_score:
        return _spread_chart(
            study, lambda finding: finding.scores, names.scores(study), "{who} scores {mean} on average."
        )
    if study.is_about_length:
        time, title = f"{names.time(study)}s", "A game takes {mean} on average with {who}."
        return _spread_chart(study, lambda finding: finding.length.ended, time, title)
    known = {
        row["scenario_hash"]: bracket.MeasuredBracket.read(row) for row in measured.brackets_of_study(study)
    }
    losers, tracks = hopeless(study), []
    for findings in study.levels.values():
        mains = main_findings(findings)
        variants = grouped([each for each in findings if each not in mains], lambda each: each.variant)
        for cells in (mains, *variants.values()):
            best = strongest(cells)
            shown = sorted((each for each in cells if each.player not in losers), key=win_rate)[-MOST_MARKS:]
            own = [_mark(each, "own" if each is best else "other") for each in shown]
            own += _people(study, best)
            marks = bracket.marks(known.get(best.cell.scenario_hash), own)
            under = ", ".join(dict.fromkeys(filter(None, (best.variant, *best.rests_on))))
            tracks.append(Track(best.level, marks, under, _band(study, best)))
    shares = [mark.interval for track in tracks for mark in track.marks]
    ends = (0.0, curves.axis_end(shares))
    return Chart(
        _difficulty(study, tracks), tuple(tracks), "games won", ends, notes=tuple(_left_out(study, losers))
    )


def _mark(finding: Finding, shape: Shape) -> ChartMark:
    about = finding.cell.policies[0].get("about", "")
    return share_mark(finding.player, finding.wins.first.win, finding.games, shape, about)


def _people(study: Study, best: Finding) -> Iterator[ChartMark]:
    for answer in study.plays_by_people:
        cell, people = best.cell, views.people_skill.read(answer)
        yield from views.people_skill.marks(people, cell.difficulty, cell.scenario_hash)


def _band(study: Study, best: Finding) -> Band | None:
    """Return the claimed band of the win rate; None if no claim has one."""
    for judged in study.claims:
        claim = judged.claim
        about = [cell.id for cell in judged.case.cells]
        if claim.band and claim.measure == "win_rate" and best.cell.id in about:
            low, high = claim.band
            limits = f"{low * 100:g}–{high * 100:g}{words.NBSP}%"
            return Band(low, high, ", ".join(filter(None, (f"claimed {limits}", claim.preset))))
    return None


def _left_out(study: Study, losers: list[str]) -> Iterator[str]:
    """Yield notes on the players without a mark in the chart."""
    if cells := [each for each in study.findings if each.player in losers]:
        most = max(each.wins.first.wins for each in cells)
        games = words.count(min(each.games for each in cells))
        won = f"at most {words.count(most)}" if most else "none"
        where = " at any level" if len(study.levels) > 1 else ""
        yield f"{words.sentence(words.listing(losers))}: {won} of {games} games won{where}."
    more = len(study.players) - len(losers) - MOST_MARKS
    if more > 0:
        yield f"The table contains {more} more, which win less."


def _difficulty(study: Study, tracks: list[Track]) -> str:
    """Return the title of the main chart: win rates at the first and the last level.

    For example: `The policy garrison wins 74.2 % at Novice and 23.5 % at Elite; the best play found 88 % and
    43 %.` The first level is the first one with an informative result.
    """
    best = [strongest(findings) for findings in study.levels.values()]
    telling = [each for each in best if not each.tally.is_one_game] or best
    first = next((each for each in telling if not any(each.says_little)), telling[0])
    ends = [first] if first is telling[-1] else [first, telling[-1]]
    if not any(map(win_rate, ends)):
        return f"No policy wins a game at {words.listing([each.level for each in ends])}."
    wins = [f"{words.share(each.wins.first.win)} at {each.level}" for each in ends]
    if len({each.player for each in ends}) > 1:
        wins = [f"{each.player} wins {share}" for each, share in zip(ends, wins, strict=True)]
        return f"{words.sentence(words.listing(wins))}."
    rows = [next(track for track in tracks if track.label == each.level) for each in ends]
    found = [mark.value for track in rows for mark in track.marks if mark.shape == "best"]
    beyond = f"; the best play found {words.listing(found)}" if len(found) == len(ends) else ""
    return f"The policy {ends[0].player} wins {words.listing(wins)}{beyond}."


def _spread_chart(
    study: Study, spread_of: Callable[[Finding], Spread | Scores], unit: str, title: str
) -> Chart:
    """Return the chart of scores or lengths: their mean, and the range of 90 % of games."""
    tracks = []
    for each in study.findings:
        spread = spread_of(each)
        mean, limits = words.mean(spread.mean)
        low, high = (
            ChartMark(
                name,
                _seen(spread.quantiles[q], spread),
                words.whole(spread.quantiles[q]),
                "order statistics",
                "other",
            )
            for q, name in ((5, "5 % of games up to"), (95, "95 % of games up to"))
        )
        own = spread.mean.interval() or without_limits(spread.mean.mean or 0.0, spread.mean.n)
        method = f"{words.CONFIDENCE} {own.method}, " if own.has_limits else ""
        how = f"{method}{words.many(spread.mean.n, 'game')}"
        middle = ChartMark("mean", _seen(own, spread), mean, how, limits=limits)
        tracks.append(Track(each.name if len(study.findings) > 1 else each.who, (low, middle, high)))
    values = [value for each in study.findings for value in spread_of(each).values]
    most = max(mark.interval.high for track in tracks for mark in track.marks)
    ends = (min(0.0, *values), max(most, 0.0) * 1.05 or 1.0)
    first = leading(study.findings)
    mean = tracks[study.findings.index(first)].marks[1].value
    said = title.format(who=first.player, mean=mean if unit == "score" else f"{mean} {unit}")
    return Chart(words.sentence(said), tuple(tracks), unit, ends, is_share=False)


def _seen(interval: Interval, spread: Spread | Scores) -> Interval:
    """Return the interval for a chart, limited to the range of values because a limit may be infinite."""
    least, most = spread.values[0], spread.values[-1]
    return replace(interval, low=max(interval.low, least), high=min(interval.high, most))


# ================================================================ win rates


class WinRates(outcomes.WhoWins):
    """Win, draw and loss rates of every cell, with a sentence on the strongest policy of each level."""

    def said(self, study: Study) -> Iterator[Paragraph]:
        if not study.has_one_result:
            for level, findings in study.levels.items():
                best, players = strongest(findings), len(main_findings(findings))
                yield paragraph(level, [_strongest(best, players, study), *_truncated(best)])

    def tables(self, study: Study) -> Iterator[Table]:
        def shares(finding: Finding) -> Iterator[Entry]:
            seat = finding.wins.first
            for share, games in ((seat.win, seat.wins), (seat.draw, seat.draws), (seat.loss, seat.losses)):
                yield entries.proportion(share, games)

        headers = ("Won", "Drawn", "Lost")
        yield outcomes.outcome_table(study, "Won, drawn, lost", headers, shares, none_of="neither")

    def methods(self, study: Study) -> list[Method]:
        return [("Win, draw and loss rates", certainty.share_method(study)), *certainty.truncated(study)]


def _truncated(finding: Finding) -> Iterator[str]:
    if capped := finding.wins.first.capped:
        yield f"{words.were(capped, 'game')} truncated; the range extends from all lost to all won."


def how_sure(study: Study) -> Iterator[str]:
    shares = [] if study.has_one_result else [finding.wins.first.win for finding in study.findings]
    others = "People may do better or worse than these policies."
    moves = "results" if study.has_one_result else "win rates"
    return certainty.how_sure(study, "win rate of the games", shares, others, moves)


def _strongest(finding: Finding, of: int, study: Study) -> str:
    """Return a sentence on a cell's win rate.

    of: number of policies from which this one was chosen as the best; the interval is adjusted for the
    choice.
    """
    seat, method = finding.wins.first, finding.tally.method(study.method)

    def at(confidence: float) -> Interval:
        return with_truncated(seat.wins, seat.capped, finding.games, confidence, method)

    win = jointly(at, of)
    under = f" ({'; '.join(_rests(finding))})" if _rests(finding) else ""
    best = f", the best of {of} policies," if of > 1 else ""
    adjusted = " (interval adjusted for choosing the best)" if of > 1 else ""
    rough = words.in_ten(win)
    about = f"{rough}: " if rough else ""
    return f"{words.sentence(finding.player)}{under}{best} wins {about}{_chance(finding, win)}{adjusted}."


def _rests(finding: Finding) -> tuple[str, ...]:
    return tuple(dict.fromkeys(part for part in (finding.variant, *finding.rests_on) if part))


def _chance(finding: Finding, win: Interval) -> str:
    odds = f", {words.one_in(win)}," if words.one_in(win) else ""
    return f"{words.share_with_limits(win)}{odds} of {words.many(finding.games, 'game')}"


# ================================================================ differences of win rates


@dataclass(frozen=True)
class RatePair:
    """Two cells whose win rates are compared. of: number of players from which the strongest was selected."""

    name: str
    before: Finding
    after: Finding
    of: int = 1

    def difference(self, pairs: int, study: Study) -> Interval:
        """Return the difference of the win rates, after minus before.

        pairs: number of pairs for which the interval is simultaneous.
        """
        looks = pairs * self.of
        return comparison.of_cells(self.before.cell, self.after.cell, looks=looks, families=study.families)


class Differences(PageMeasure):
    """Pairwise differences of win rates between players, readings and levels."""

    title = "Differences of win rates"

    def tables(self, study: Study) -> Iterator[Table]:
        pairs = _pairs(study)
        rows = tuple(
            (
                Entry(pair.name),
                entries.share(pair.before.wins.first.win),
                entries.share(pair.after.wins.first.win),
                _entry(pair, len(pairs), study),
            )
            for pair in pairs
        )
        caption = (
            "Paired game by game if both settings have the same game numbers. "
            f"{words.CONFIDENCE} intervals, simultaneous for all rows and adjusted for choosing the "
            "strongest player of a level."
        )
        yield Table(self.title, caption, ("Change", "Before", "After", "Difference"), rows)

    def methods(self, study: Study) -> list[Method]:
        several = len(study.findings) > 1
        return [(self.title, certainty.difference_method(study)), certainty.SEVERAL] if several else []

    def of_study(self, study: Study) -> Document:
        pairs = _pairs(study)
        rows = [
            {
                "name": pair.name,
                "cells": [pair.before.cell.id, pair.after.cell.id],
                **asdict(pair.difference(len(pairs), study)),
            }
            for pair in pairs
        ]
        return {"win_rate_differences": rows} if rows else {}


def _pairs(study: Study) -> list[RatePair]:
    """Return the pairs of cells to compare; [] if all games have the same result.

    At each level, the strongest player is compared with every other player and with its own variants. Each
    level is also compared with the next.
    """
    if study.has_one_result:
        return []
    pairs = []
    for level, findings in study.levels.items():
        best, mains = strongest(findings), main_findings(findings)
        for other in sorted(mains, key=win_rate, reverse=True):
            if other is not best:
                name = f"{level}: {other.player} instead of {best.player}"
                pairs.append(RatePair(name, best, other, len(study.players)))
        for other in findings:
            if other.player == best.player and other is not best:
                changed = f"{other.variant} instead of {_without_subject(best.variant, other.variant)}"
                pairs.append(RatePair(f"{level}, {best.player}: {changed}", best, other))
    for (lower, before), (upper, after) in pairwise(study.levels.items()):
        above = {finding.player: finding for finding in main_findings(after)}
        if shared := [finding for finding in main_findings(before) if finding.player in above]:
            best = max(shared, key=win_rate)
            name = f"{best.player}: {upper} instead of {lower}"
            pairs.append(RatePair(name, best, above[best.player], len(shared)))
    return pairs


def _entry(pair: RatePair, pairs: int, study: Study) -> Entry:
    # with different totals some game differs, so that single games need not be compared
    is_alike = pair.before.wins == pair.after.wins
    if is_alike and never_came_up(pair.before.cell, pair.after.cell, pair.before.player):
        return Entry("0", "all games identical")
    return entries.points(pair.difference(pairs, study), with_method=True)


def _without_subject(text: str, beside: str) -> str:
    """Shorten `Tactics cards: assumed set` beside `Tactics cards: blank` to `assumed set`.

    Several settings are not shortened.
    """
    if ";" in text + beside:
        return text
    own, others = text.split(" "), beside.split(" ")
    shared = takewhile(lambda pair: pair[0] == pair[1], zip(own[:-1], others, strict=False))
    return " ".join(own[len(list(shared)) :])
