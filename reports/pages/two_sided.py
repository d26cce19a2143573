"""Page of a game with two or more sides: which side wins, how, and how soon.

The page is neutral: it does not call a side "the player", and no side "loses".
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from math import comb

from bartizan.analyses.records import comparison
from bartizan.analyses.records import tally as records
from bartizan.analyses.records.outcomes import Outcomes, Part
from bartizan.analyses.records.seating import Series, series
from bartizan.analyses.statistics.intervals import Interval, proportion, with_truncated
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
    View,
    paragraph,
    share_mark,
)
from bartizan.reports.entries import NONE
from bartizan.reports.pages.parts import certainty, measured, names, outcomes
from bartizan.reports.pages.parts.certainty import is_unclear, never_came_up
from bartizan.reports.study import Finding, Study, leading
from bartizan.reports.text import differences, words
from bartizan.reports.text.cell_names import grouped
from bartizan.simcore.scenario.parameters import called

MOST = 6  # cells that are listed individually
NOBODY = {"draw": "Drawn", "nobody": "Lost by all"}
NO_LEADER = "These games do not show that a side is ahead"


# ================================================================ the main chart


def chart(study: Study) -> Chart:
    """Return the main chart: the equilibrium value, then the shares of the sides by setting."""
    known = [views.equilibrium.EquilibriumDocument.read(row) for row in measured.equilibria_of(study)]
    between = {value.scenario_hash: _between(value) for value in known}
    first = leading(study.findings)
    if with_value := [each for each in study.findings if each.cell.scenario_hash in between]:
        first = leading(with_value)
        value = between[first.cell.scenario_hash].marks[0]
        title = f"Between the best players found, {value.in_words} of the games{_here(first, study)}."
    elif ahead := _leader(first, study):
        share = words.share(ahead.share)
        title = f"{words.sentence(ahead.name)} wins {share} of the games{_here(first, study)}."
    else:
        title = f"{NO_LEADER}{_here(first, study)}."
    apart = () if len(study.findings) > 1 else between.values()  # several settings: each in its row
    shown = study.findings[:MOST] if first in study.findings[:MOST] else (first, *study.findings[: MOST - 1])
    played = tuple(_track(finding, study, between) for finding in shown)
    more = len(study.findings) - len(played)
    notes = (f"The table contains {words.many(more, 'more setting')}.",) if more > 0 else ()
    return Chart(title, (*apart, *played), "of the games", line=(0.5, "half"), notes=notes)


def _track(finding: Finding, study: Study, between: dict[str, Track]) -> Track:
    """Return the row of a setting with the shares of the sides.

    With several settings, the row also has the equilibrium value, which is then removed from `between` so
    that the value appears only once.
    """
    best = between.pop(finding.cell.scenario_hash, None) if len(study.findings) > 1 else None
    found = [replace(mark, name=f"best found: {mark.name}") for mark in best.marks] if best else []
    marks = (*found, *_marks(finding))
    return Track(names.label(finding, study), marks, "", best.band if best else None, is_range=False)


def _here(finding: Finding, study: Study) -> str:
    """Return the name of the setting if there are several; "" otherwise."""
    return f" with {names.plain_label(finding, study)}" if len(study.findings) > 1 else ""


def _between(d: views.equilibrium.EquilibriumDocument) -> Track:
    """Return the row of the equilibrium value, with the range of the best responses as a band."""
    limits = views.equilibrium.span(d.value, d.gap)
    gap = Band(*d.gap, f"best responses {limits}") if limits else None
    value = share_mark(
        f"{words.title(d.roles[0])} {views.equilibrium.gets(d)}",
        d.value,
        d.value_games or d.games,
        "best",
        "between their mixtures",
    )
    changed = ", ".join(f"{called(path)} {words.plain(str(each))}" for path, each in d.overrides.items())
    return Track("Best players found", (value,), changed, gap, is_range=False)


def _marks(finding: Finding) -> Iterator[ChartMark]:
    shapes: tuple[Shape, ...] = ("own", "other", "beside")
    for index, part in enumerate(finding.outcomes.parts):
        shape = shapes[min(index, 2)] if part.seat >= 0 else "first"
        name = part.name if part.seat >= 0 else NOBODY[part.name].lower()
        yield share_mark(name, part.share, finding.games, shape)


# ================================================================ in sentences


class SideShares(outcomes.WhoWins):
    """Shares of the sides, with sentences on the leader of each level and on the trend along a setting."""

    def said(self, study: Study) -> Iterator[Paragraph]:
        for heading, findings in _groups(study).items():
            yield paragraph(heading, _who_wins(findings, study))

    def sections(self, study: Study) -> Iterator[View]:
        if len(study.findings) <= MOST:  # the main chart shows all cells
            return
        groups = grouped(study.findings, lambda finding: (finding.level, finding.player))
        caption = (
            f"Shares of all games. A dark line at a boundary is the {words.CONFIDENCE} interval of the share "
            "up to there. The table has every share with its own interval."
        )
        figures = []
        for findings in groups.values():
            who = findings[0].player if len(study.players) > 1 else ""
            title = ": ".join(filter(None, (who, _takeaway(findings))))
            figures.append(outcomes.outcome_figure(title, findings, study))
        yield View(
            title="Who wins", caption=caption, blocks=tuple(figures), legend=outcomes.outcome_legend(study)
        )

    def tables(self, study: Study) -> Iterator[Table]:
        parts = {part.name: part for finding in study.findings for part in finding.outcomes.parts}.values()
        headers = [f"Won by {part.name}" if part.seat >= 0 else NOBODY[part.name] for part in parts]

        def shares(finding: Finding) -> Iterator[Entry]:
            own = {part.name: entries.proportion(part.share, part.games) for part in finding.outcomes.parts}
            yield from (own.get(part.name, NONE) for part in parts)

        yield outcomes.outcome_table(study, "Who wins", headers, shares, none_of="none of these")

    def methods(self, study: Study) -> list[Method]:
        used = [("Shares of games", certainty.share_method(study)), *certainty.truncated(study)]
        if len(study.findings) > 1:
            used.append(("Differences of shares", certainty.difference_method(study)))
        return [*used, certainty.SEVERAL]


def _groups(study: Study) -> dict[str, list[Finding]]:
    """Group cells by level and players. A heading contains only what differs between groups."""

    def heading(finding: Finding) -> str:
        level = [finding.level] * (len(study.levels) > 1)
        return ", ".join([*level, *[finding.player] * (len(study.players) > 1)]) or "Who wins"

    return grouped(study.findings, heading)


# ---------------------------------------------------------------- who wins


def _who_wins(findings: list[Finding], study: Study) -> Iterator[str]:
    if len(findings) == 1:
        ahead = _leader(findings[0], study)
        odds = f"The odds favour {ahead.name}" if ahead else NO_LEADER
        yield f"{odds}: {split(findings[0].outcomes)}."
        return
    yield _odds_of_all(findings, study)
    if ordered := _ordered(findings):
        yield from _trend(ordered, findings, study)


def _leader(finding: Finding, study: Study) -> Part | None:
    method = finding.tally.method(study.method)
    return leader(finding.outcomes, method, len(study.findings), study.families)


def leader(
    outcomes: Outcomes, method: records.Method = proportion, settings: int = 1, families: int = 1
) -> Part | None:
    """Return the side whose lower limit is above the upper limits of all others; None if no side leads.

    The intervals are simultaneous for all settings and families of the page.
    """
    pairs = comb(len(outcomes.sides), 2) * settings
    best = max(outcomes.sides, key=lambda side: side.share.estimate)

    def together(side: Part) -> Interval:
        at = partial(with_truncated, side.games, outcomes.capped, outcomes.games)
        return jointly(lambda confidence: at(confidence, method), pairs, families)

    others = [together(side).high for side in outcomes.sides if side is not best]
    return best if max(others, default=0.0) < together(best).low else None


def _odds_of_all(findings: list[Finding], study: Study) -> str:
    """Return a sentence on the side that is ahead in each setting.

    If there are many settings, the sentence gives only the number of settings per side.
    """
    ahead: dict[str, list[str]] = {}
    for finding in findings:
        best = _leader(finding, study)
        ahead.setdefault(best.name if best else "", []).append(names.plain_label(finding, study))
    if list(ahead) == [""]:
        return "These games do not show that a side is ahead in any setting."
    if len(ahead) == 1:
        return f"The odds favour {next(iter(ahead))} in every setting."
    few = len(findings) <= MOST
    where = {
        name: f"with {words.listing(labels)}" if few else f"in {len(labels)}"
        for name, labels in ahead.items()
    }
    undecided = where.pop("", "")
    rest = f"; no side is shown to be ahead {undecided}" if undecided else ""
    start = "The" if few else f"Of {len(findings)} settings, the"
    return f"{start} odds favour {'; '.join(f'{name} {place}' for name, place in where.items())}{rest}."


def split(outcomes: Outcomes) -> str:
    """Return the shares of all sides as text.

    For example: `of 2,000 games, 31 % (29–33 %) go to the Allies and 69 % (67–71 %) go to the German`.
    """
    parts = [f"{portion(side)} go to {side.name}" for side in outcomes.sides]
    parts += [
        f"{portion(part)} {'are drawn' if part is outcomes.draw else 'are lost by all'}"
        for part in outcomes.parts
        if part.seat < 0 and part.games
    ]
    truncated = (
        f"; {words.were(outcomes.capped, 'game')} truncated, and each range covers none to all of them"
        if outcomes.capped
        else ""
    )
    return f"of {words.many(outcomes.games, 'game')}, {words.listing(parts)}{truncated}"


def portion(part: Part) -> str:
    """Return a share with its limits. A small share is also given as 1 in N.

    A share of 0 or 1 is given as a bound, such as `none (below 0.1 %)`.
    """
    text = words.share_with_limits(part.share)
    if words.is_bounds(part.share):
        return text
    if part.games and (odds := words.one_in(part.share)):
        return f"{words.share(part.share)} ({words.share_limits(part.share)}; {odds})"
    ends = {0.0: f"none ({text})", 1.0: f"all ({text})"}
    return ends.get(part.share.estimate, text)


def _ordered(findings: list[Finding]) -> Series | None:
    """Return the numeric setting that distinguishes all these cells; None if there is none."""
    lines = series((finding.cell for finding in findings), every=True, fewest=2)
    return next((line for line in lines if len(line.cells) == len(findings)), None)


def _trend(line: Series, findings: list[Finding], study: Study) -> Iterator[str]:
    """Yield a sentence on the change from the first to the last value of a setting, then the setting's note.

    The sentence is about the side whose share changes most. If games were truncated, there is no such
    sentence.
    """
    by_id = {finding.cell.id: finding for finding in findings}
    first, last = by_id[line.cells[0].id], by_id[line.cells[-1].id]
    if not (first.outcomes.capped or last.outcomes.capped):
        pairs = list(zip(first.outcomes.sides, last.outcomes.sides, strict=True))
        before, after = max(pairs, key=lambda pair: abs(pair[1].share.estimate - pair[0].share.estimate))
        span = f"From {line.setting.words(line.values[0])} to {line.setting.words(line.values[-1])}"
        looks = len(pairs) * len(_groups(study))
        change = comparison.of_cells(first.cell, last.cell, before.seat, looks, study.families)
        if same := never_came_up(first.cell, last.cell, first.player):
            yield f"{span} {same}."
        elif is_unclear(change):
            limits = differences.limits(change, least=1)
            yield f"{span}, these games show no change in the share of {before.name} ({limits})."
        else:
            way = "rises" if change.estimate > 0 else "falls"
            yield (
                f"{span}, the share of {before.name} {way} by {differences.size(change)}, from "
                f"{portion(before)} to {portion(after)}."
            )
    if line.setting.note:
        yield line.setting.note


# ---------------------------------------------------------------- how sure


def how_sure(study: Study) -> Iterator[str]:
    shares = [part.share for finding in study.findings for part in finding.outcomes.parts]
    others = "Other policies, and people, may get different results, for either side."
    return certainty.how_sure(study, "share of all games", shares, others, "shares")


# ================================================================ figures


def _takeaway(findings: list[Finding]) -> str:
    """Return the title of a figure, such as `The German: 71 % of the games`; "" without shares.

    For several settings, the title gives the first and the last share of the first side.
    """
    ends = [finding.outcomes.sides for finding in (findings[0], findings[-1])]
    if not all(ends):
        return ""
    if len(findings) == 1:
        best = max(ends[0], key=lambda side: side.share.estimate)
        return words.sentence(f"{best.name}: {words.share(best.share)} of the games")
    first, last = (next((side for side in sides if side.seat == 0), None) for sides in ends)
    if first is None or last is None:
        return ""
    return words.sentence(f"{first.name}: from {words.share(first.share)} to {words.share(last.share)}")
