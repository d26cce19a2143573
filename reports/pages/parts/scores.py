"""Scores of games, and the tiers of victory that they define."""

from collections.abc import Iterator, Sequence

from bartizan.analyses.records.outcomes import QUANTILES
from bartizan.analyses.records.quantities import Tier, best_first, tier_of
from bartizan.analyses.records.tally import reporting_of
from bartizan.reports import entries
from bartizan.reports.blocks import Entry, Figure, FigureGroup, Method, Paragraph, Table, View, paragraph
from bartizan.reports.entries import NONE
from bartizan.reports.figures import bars, theme
from bartizan.reports.pages.parts import certainty, names
from bartizan.reports.pages.parts.measure import Document, PageMeasure, Shares, of_quantiles
from bartizan.reports.study import Finding, Study, hopeless
from bartizan.reports.text import words

NUMBERS = ("Mean", "SD", "5 %", "25 %", "Median", "75 %", "95 %", "Range")
VISIBLE = 0.05  # fraction of the highest bar of the set; lower bars are replaced by a sentence

Axes = tuple[tuple[int, int], float]  # least score and the end of the axis; highest share of the games


class TierShares(Shares):
    """Shares of the tiers of victory.

    The strips above the scores show them, so there is no separate figure.
    """

    title = "Victory tiers"
    holds = "simultaneous in each row (Goodman unless noted)."
    is_said = is_drawn = False

    def parts(self, finding: Finding, study: Study) -> Sequence[Tier]:
        return finding.scores.tiers

    def header(self, name: str, study: Study) -> str:
        return words.title(_tier_labels(study).get(name, name))

    def methods(self, study: Study) -> list[Method]:
        some = any(finding.scores.tiers for finding in study.findings)
        return [(self.title, certainty.GOODMAN)] if some else []


class ScoreBars(PageMeasure):
    """Distribution of scores. For a game with several seats, a table also has the mean of each seat."""

    def said(self, study: Study) -> Iterator[Paragraph]:
        """Yield paragraphs with the mean and the range of scores, if the score is the main result."""
        if study.is_about_score:
            for level, findings in study.levels.items():
                yield paragraph(level, [_of_player(finding, names.scores(study)) for finding in findings])

    def sections(self, study: Study) -> Iterator[View]:
        drawn = _drawn(study)
        if not drawn:
            return
        axes = _axes(drawn)
        if study.is_contest:
            groups = [FigureGroup("", tuple(_figure(each, study, axes) for each in drawn))]
        else:
            levels = study.levels.items()
            groups = [_of_level(level, findings, drawn, study, axes) for level, findings in levels]
        title = _title(study) + (" and medals" if study.tiers else "")
        yield View(
            title=title, caption=_caption(study, drawn), blocks=tuple(groups), legend=_tier_legend(study)
        )

    def tables(self, study: Study) -> Iterator[Table]:
        scored, solo = _scored(study.findings), not study.is_contest
        headers = ("Games with a score", *NUMBERS, *["Mean of games won"] * solo)
        caption = f"Games that ended with a score. {entries.MEANS_AND_QUANTILES}"
        if solo:
            caption += " Scores of games that were not won are included, except in the last column."

        def row(finding: Finding) -> Iterator[Entry]:
            yield from _row(finding)
            if solo:
                yield entries.mean(finding.scores.won)

        yield names.table(study, _title(study), caption, headers, row, scored)
        if study.is_contest:
            yield _seat_table(study)

    def of_cell(self, finding: Finding, study: Study) -> Document:
        scores = finding.scores
        return {
            "score_counts": dict(zip(map(str, scores.values), scores.counts, strict=True)),
            "score_quantile_intervals": of_quantiles(scores.quantiles),
        }


def _of_player(finding: Finding, unit: str) -> str:
    """Return a sentence on a player's scores: mean, median, and the range of the middle 90 %.

    For example: `Clever: mean 210 points (208–212), median 209; 90 % of 500 games score 172 to 246.`
    """
    scores = finding.scores
    mean, limits = words.mean(scores.mean)
    low, middle, high = (words.quantile(scores.quantiles[q])[0] for q in (5, 50, 95))
    points = "" if unit == "score" else f" {unit}"
    return (
        f"{words.title(finding.who)}: mean {mean}{points} ({limits}), median {middle}; 90{words.NBSP}% of "
        f"{words.count(scores.mean.n)} games score {low} to {high}."
    )


def _title(study: Study) -> str:
    """Return a title such as `Points of the first player` or `Score of the defender`."""
    of = study.findings[0].scores.of
    return words.sentence(f"{names.scores(study)} of {of}") if of else "Scores"


def _scored(findings: Sequence[Finding]) -> list[Finding]:
    return [finding for finding in findings if finding.scores.values]


# ---------------------------------------------------------------- figures


def _drawn(study: Study) -> list[Finding]:
    """Return the cells whose scores are drawn.

    For a solo game, players who almost never win are left out, and so are cells whose bars would be too low
    to see beside those of other cells.
    """
    if study.is_contest:
        return _scored(study.seated_once)
    left_out = hopeless(study)
    return [each for each in study.findings if each.player not in left_out and _is_visible(each, study)]


def _is_visible(finding: Finding, study: Study) -> bool:
    highest = [max(other.scores.counts, default=0) / other.games for other in (finding, *study.findings)]
    return highest[0] > 0 and highest[0] >= VISIBLE * max(highest)


def _caption(study: Study, drawn: list[Finding]) -> str:
    what = names.scores(study)
    of = study.findings[0].scores.of
    caption = f"Share of all games with each {'score' if what == 'score' else f'number of {what}'}"
    caption += f" of {of}." if of else "."
    if study.tiers:
        caption = (
            "The strip shows all games from the worst outcome (left) to the best (right). The bars show "
            "the scores of the games that were not lost, as shares of all games."
        )
    if study.is_contest:
        has_seats = bool(drawn[0].scores.seats)
        return caption + " The table lists every seat and the winner's margin." * has_seats
    if any(finding.scores.mean.n > finding.scores.won.n > 0 for finding in drawn) and not study.tiers:
        caption += " Games that were not won are included."
    left = [
        f"{finding.name} ({words.count(finding.scores.mean.n)} of {words.count(finding.games)})"
        for finding in study.findings
        if finding not in drawn and finding.player not in hopeless(study)
    ]
    return f"{caption} Too few games with a score to draw: {words.listing(left)}." if left else caption


def _axes(scored: list[Finding]) -> tuple[tuple[int, int], float]:
    """Return the axes that all figures of scores share: ((lowest score, end of the axis), highest share)."""
    span = bars.robust_span(([score for score, _ in _scores_of(f)], f.scores.counts) for f in scored)
    over = (sum(n for score, n in _scores_of(f) if score > span[1]) / f.games for f in scored)
    return span, max(*(max(f.scores.counts) / f.games for f in scored), *over)


def _scores_of(finding: Finding) -> Iterator[tuple[int, int]]:
    """Yield (score, number of games).

    Scores are in units of 1 / `score_scale`, as in the records, so that each has a bar.
    """
    scale = reporting_of(finding.cell).score_scale
    for score, n in zip(finding.scores.values, finding.scores.counts, strict=True):
        yield score if scale == 1 else round(score * scale), n


def _of_level(
    level: str, findings: list[Finding], drawn: list[Finding], study: Study, axes: Axes
) -> FigureGroup:
    """Return the figures of a level in one grid, with two or three variants of a policy in one row."""
    variants = {sum(other.player == finding.player for other in findings) for finding in findings}
    columns = variants.pop() if len(variants) == 1 else 0
    figures = tuple(_figure(finding, study, axes) for finding in findings if finding in drawn)
    return FigureGroup(level, figures, columns if columns in (2, 3) else 0)


def _figure(finding: Finding, study: Study, axes: Axes) -> Figure:
    """Return a figure with one bar per score, in the colour of its tier.

    Games with tiers also have a strip above the bars.
    """
    middle, scored = finding.scores.quantiles.get(50), finding.scores.mean.n
    label = names.label(finding, study) if study.is_contest else finding.who
    title = f"{label}: median {words.quantile(middle)[0]}" if middle else label
    some = "" if scored == finding.games else f", {words.count(scored)} with a score"
    rests = () if study.is_contest else names.unnamed(finding, finding.name)
    note = "; ".join([f"{words.many(finding.games, 'game')}{some}", *rests])
    return Figure(title, _histogram(finding, *axes, names.scores(study)), note)


def _histogram(finding: Finding, span: tuple[int, int], highest: float, what: str) -> bars.Histogram:
    scores, tiers = finding.scores, best_first(finding.cell.tiers)
    scale = reporting_of(finding.cell).score_scale
    colours = theme.tier_colours(tiers)
    groups: dict[str, dict[int, float]] = {}
    for score, n in _scores_of(finding):
        if score <= span[1]:
            colour = colours[tier_of(score / scale, tiers)] if tiers else theme.CLEAR
            groups.setdefault(colour, {})[score] = n / finding.games
    over = sum(n for score, n in _scores_of(finding) if score > span[1]) / finding.games
    best = colours[next(iter(tiers))] if tiers else theme.CLEAR
    beyond = (bars.Beyond(f"{words.exact((span[1] + 1) / scale)}+", best, over),) if over else ()
    few = (
        f"{words.count(scores.mean.n)} of {words.count(finding.games)} games\nhave a score: too few to draw"
        if max(scores.counts, default=0) / finding.games < VISIBLE * highest
        else ""
    )
    strip = [(colours[tier.name], tier.share.estimate) for tier in _worst_first(scores.tiers)]
    return bars.Histogram(groups, span, highest, what, strip=strip, note=few, beyond=beyond, scale=scale)


def _worst_first(tiers: Sequence[Tier]) -> list[Tier]:
    """Return the tiers from worst to best: truncated and lost games, then the lowest tier to the best."""
    by_score = [tier for tier in tiers if tier.least is not None]
    return [tier for tier in reversed(tiers) if tier.least is None] + by_score[::-1]


def _tier_legend(study: Study) -> tuple[tuple[str, str], ...]:
    colours, labels = theme.tier_colours(study.tiers), _tier_labels(study)
    seen = {tier.name: tier for finding in study.findings for tier in finding.scores.tiers}
    return tuple(
        (colours[tier.name], words.title(labels.get(tier.name, tier.name)))
        for tier in _worst_first(list(seen.values()))
    )


# ---------------------------------------------------------------- tables


def _seat_table(study: Study) -> Table:
    """Return a table with one row per cell: the mean score of each seat and the winner's margin."""
    scored = [finding for finding in study.findings if finding.scores.seats]
    most = max((len(finding.scores.seats) for finding in scored), default=0)
    roles = max((f.scores.seats for f in scored), key=len, default=())
    what = words.sentence(names.scores(study))
    headers = ("Games that ended", *(f"{words.title(seat.role)}" for seat in roles), "Winner's margin")
    caption = (
        f"Mean {names.scores(study)} of each seat over the games that ended, and the winner's margin over "
        f"the best other seat in the games that a seat won, with {words.CONFIDENCE} intervals (Student t)."
    )

    def row(finding: Finding) -> Iterator[Entry]:
        seats, margin = finding.scores.seats, finding.scores.margin
        yield entries.count(seats[0].mean.n)
        yield from (entries.mean(seat.mean) for seat in seats)
        yield from [NONE] * (most - len(seats))
        yield entries.mean(margin.mean) if margin else NONE

    return names.table(study, f"{what} by seat", caption, headers, row, scored)


def _row(finding: Finding) -> tuple[Entry, ...]:
    """Return the cells of a row: number of games with a score, mean, SD, quantiles, extremes."""
    score = finding.scores
    return (
        entries.count(score.mean.n),
        entries.mean(score.mean),
        Entry("–" if score.mean.sd is None else words.spread(score.mean.sd)),
        *(entries.quantile(score.quantiles[q]) for q in QUANTILES),
        Entry(f"{words.exact(score.values[0])} to {words.exact(score.values[-1])}"),
    )


def _tier_labels(study: Study) -> dict[str, str]:
    return tier_labels(study.tiers, study.tier_levels, names.reporting(study).score_scale)


def tier_labels(tiers: dict[str, int], levels: dict[str, str], scale: int = 1) -> dict[str, str]:
    """Map tiers to labels with level of victory and scores, such as `Silver Star, minor victory (10–19)`.

    tiers: maps names to lowest scores, best first. scale: scores are multiples of 1 / scale.
    """
    labels, above = {}, None  # the least score of the next better tier
    digits = words.decimals(1 / scale)
    for name, least in tiers.items():
        if above is None:
            span = f"{words.number(least, digits)}+"
        elif len(labels) == len(tiers) - 1:
            span = f"{words.number(above - 1 / scale, digits)} or less"
        elif least < above - 1 / scale:
            span = words.span(least, above - 1 / scale, digits)
        else:
            span = words.number(least, digits)
        level = f", {levels[name]}" if levels.get(name) else ""
        labels[name] = f"{name}{level} ({span})"
        above = least
    return labels
