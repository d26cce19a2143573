"""Scores, and other numbers that a game ends with."""

from collections.abc import Sequence
from functools import partial

from bartizan.analyses.records.quantities import Scores, Tier, best_first, tier_of
from bartizan.reports import entries
from bartizan.reports.blocks import Entry, Figure, Section, Table
from bartizan.reports.figures import bars, theme
from bartizan.reports.pages.parts import names
from bartizan.reports.study import Finding, Study
from bartizan.reports.text import words

QUANTILES = (5, 25, 50, 75, 95)
NUMBERS = ("Mean", "Spread (sd)", "5 %", "25 %", "Median", "75 %", "95 %", "Least to greatest")
VISIBLE = 0.05  # of the highest bar of the set: lower than that, words say more than bars

# ---------------------------------------------------------------- figures


def section(study: Study) -> Section:
    title, scored, what = _title(study), _scored(study.seated_once), names.scores(study)
    if not scored:
        return Section(title, "")
    ends = axes(scored)
    figures = tuple(
        figure(
            finding, names.label(finding, study), f"{words.count(finding.scores.mean.n)} games", ends, what
        )
        for finding in scored
    )
    return Section(title, f"A bar for every number of {what}, as a share of all games.", figures)


def axes(scored: list[Finding]) -> tuple[tuple[int, int], float]:
    """Least and greatest score, and the highest share of the games: the same in all figures of scores."""
    span = min(f.scores.values[0] for f in scored), max(f.scores.values[-1] for f in scored)
    return span, max(max(f.scores.counts) / f.games for f in scored)


def figure(
    finding: Finding, title: str, note: str, ends: tuple[tuple[int, int], float], what: str = "score"
) -> Figure:
    """A bar for every score in its tier's colour; above, where there are tiers, a strip of all games."""
    return Figure(title, _in_words(finding), partial(_draw, finding, *ends, what), note)


def _draw(finding: Finding, span: tuple[int, int], highest: float, what: str):
    """One path a tier keeps the page small."""
    scores, tiers = finding.scores, best_first(finding.cell.tiers)
    colours = theme.tier_colours(tiers)
    groups: dict[str, dict[int, float]] = {}
    for score, n in zip(scores.values, scores.counts, strict=True):
        colour = colours[tier_of(score, tiers)] if tiers else theme.CLEAR
        groups.setdefault(colour, {})[score] = n / finding.games
    few = (
        f"{words.count(scores.mean.n)} of {words.count(finding.games)} games\nhave a score: too few to see "
        "here"
        if max(scores.counts, default=0) / finding.games < VISIBLE * highest
        else ""
    )
    strip = [(colours[tier.name], tier.share.estimate) for tier in worst_first(scores.tiers)]
    return bars.histogram(groups, span, highest, what, strip=strip, note=few)


def worst_first(tiers: Sequence[Tier]) -> list[Tier]:
    """Cut off, lost, then the tiers from the lowest to the best: left to right as the score grows."""
    by_score = [tier for tier in tiers if tier.least is not None]
    return [tier for tier in reversed(tiers) if tier.least is None] + by_score[::-1]


def _in_words(finding: Finding) -> str:
    tiers = [
        f"{tier.name}{f', {tier.victory}' if tier.victory else ''} {words.share(tier.share)}"
        for tier in finding.scores.tiers
    ]
    median = finding.scores.quantiles.get(50)
    middle = (
        f"median score {median.estimate:g} of the {words.count(finding.scores.mean.n)} games with a score"
        if median
        else "no game got a score"
    )
    return f"Scores of {finding.name}: {middle}" + (f"; {', '.join(tiers)}" if tiers else "")


def _scored(findings: Sequence[Finding]) -> list[Finding]:
    """Those with scores; none where every score is 0: a game that only knows who wins."""
    scored = [finding for finding in findings if finding.scores.values]
    return scored if any(any(finding.scores.values) for finding in scored) else []


def _title(study: Study) -> str:
    what = names.scores(study)
    return "Scores" if what == "scores" else f"{words.sentence(what)} in a game"


# ---------------------------------------------------------------- table


def table(study: Study) -> Table:
    """One row a cell."""
    is_score = names.scores(study) == "scores"
    headers = (names.header(study), "Games with a score" if is_score else "Games", *NUMBERS)
    caption = f"{'Only games that ended with a score. ' if is_score else ''}{entries.MEANS_AND_QUANTILES}"
    rows = tuple((names.row_name(f, study), *_row(f.scores)) for f in _scored(study.findings))
    return Table(_title(study), caption, headers, rows)


def _row(score: Scores) -> tuple[Entry, ...]:
    """The games that have one, and their numbers."""
    return (
        entries.count(score.mean.n),
        entries.mean(score.mean),
        Entry("–" if score.mean.sd is None else f"{score.mean.sd:.1f}"),
        *(entries.quantile(score.quantiles[q]) for q in QUANTILES),
        Entry(f"{words.number(score.values[0])} to {words.number(score.values[-1])}"),
    )
