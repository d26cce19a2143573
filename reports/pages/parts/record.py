"""What games record: counts, scores, lengths, what is lost and when something happens first."""

from collections.abc import Callable, Iterator, Sequence
from functools import partial

from bartizan.analyses.records.comparison import LENGTH
from bartizan.analyses.records.outcomes import FirstTime
from bartizan.analyses.records.quantities import Count, Tier, best_first, score_names, tier_of
from bartizan.analyses.records.tally import reporting_of, seat_scores
from bartizan.analyses.statistics.intervals import Interval, goodman, without_limits
from bartizan.reports import entries
from bartizan.reports.blocks import ChartMark, Entry, Figure, FigureGroup, Table, Track, View
from bartizan.reports.entries import NONE
from bartizan.reports.figures import bars, dots, theme
from bartizan.reports.figures.curves import DASHES, Bands, DrawnCurve
from bartizan.reports.pages.parts import names, outcomes
from bartizan.reports.study import Finding, Study
from bartizan.reports.text import words

# ---------------------------------------------------------------- what happens in a game, counted

HAPPENS = "What happens in a game"
# more rows than this stand in several figures, each with counts up to so many times apart
MANY_ROWS, MAGNITUDE = 8, 8
HOW_OFTEN = ("Often", "Less often", "Seldom")


def counts_section(study: Study) -> View:
    grid = FigureGroup("", tuple(_count_figures(study)), columns=2)
    return View(
        title=HAPPENS,
        caption=_counts_caption(study),
        blocks=(grid,),
        legend=outcomes.legend(study),
        left_out=outcomes.left_out(study),
    )


def _count_figures(study: Study) -> Iterator[Figure]:
    for index, group in enumerate(outcomes.drawn(study)[0].groups):
        counts = [row for row in _counts(study, index) if any(count.any is None for count in row)]
        if counts:
            parts = _by_size(counts)
            title, how_often = "" if group.title == HAPPENS else group.title, HOW_OFTEN[: len(parts)]
            for part, name in zip(parts, how_often if len(parts) > 1 else ("",), strict=True):
                yield _count_figure(study, ": ".join(filter(None, (title, name))), group.note, part)


def _counts(study: Study, index: int) -> list[list[Count]]:
    """The counts of a group, each that of every drawn cell."""
    counts = (finding.groups[index].counts for finding in outcomes.drawn(study))
    return [list(row) for row in zip(*counts, strict=True)]


def _counts_caption(study: Study) -> str:
    caption = (
        f"Means a game with their {words.CONFIDENCE} intervals (Student t), over "
        f"{outcomes.games_each(study)}. A hollow dot: it never happened. What never happened anywhere is "
        "in the table only, with how often it could at most."
    )
    findings = outcomes.drawn(study)
    never = [
        group.title[:1].lower() + group.title[1:]
        for index, group in enumerate(findings[0].groups)
        if all(count.any for finding in findings for count in finding.groups[index].counts)
    ]
    if never:
        caption += f" Never in any of these games: {words.listing(never)}."
    if any(finding.outcomes.capped for finding in findings):
        caption += " Truncated games count with what had happened by then."
    return caption + (outcomes.ONE_ROTATION if len(study.seated_once) < len(study.findings) else "")


def _by_size(counts: list[list[Count]]) -> list[list[list[Count]]]:
    """Many rows in up to three figures, so that what is rare is not all at 0 on the axis of what is common.

    The order stays.
    """
    if len(counts) <= MANY_ROWS:
        return [counts]
    sizes = [max(count.mean.mean or 0.0 for count in row) for row in counts]
    sized = list(zip(counts, sizes, strict=True))
    parts, below = [], max(sizes)
    for last in (False, False, True):
        least = 0.0 if last else below / MAGNITUDE
        parts.append([row for row, size in sized if size <= below and (size > least or last)])
        below = max((size for size in sizes if size <= least), default=-1.0)
        if below < 0:
            break
    return parts


def _count_figure(study: Study, title: str, note: str, counts: list[list[Count]]) -> Figure:
    alone = len(counts[0]) == 1
    rows = [
        dots.row(words.sentence(row[0].label), _mean_text(row[0]) if alone else "", _points(row, study))
        for row in counts
    ]
    most = max(point.interval.drawn[1] for row in rows for point in row.marks) * 1.05 or 1.0
    title = words.sentence(": ".join(filter(None, (title, _above_all(counts)))))
    return Figure(title, dots.chart(rows, most, "a game", is_share=False), note)


def _above_all(counts: list[list[Count]]) -> str:
    """What happens most, and how often: `up to 87 a game (fights)`"""
    most = max(counts, key=lambda row: max(count.mean.mean or 0.0 for count in row))
    mean = max(count.mean.mean or 0.0 for count in most)
    digits = 0 if mean >= 10 else 1 if mean >= 1 else 2
    often = f"{'up to ' if len(most) > 1 else ''}{words.number(mean, digits)} a game"
    return f"{often} ({most[0].label[:1].lower()}{most[0].label[1:]})"


def _points(row: list[Count], study: Study) -> tuple[ChartMark, ...]:
    points = []
    for count, colour in zip(row, outcomes.colours(study).values(), strict=True):
        mean = count.mean.mean or 0.0
        interval = count.mean.interval() or without_limits(mean, count.mean.n)
        points.append(dots.mark(interval, colour, count.any is None))
    return tuple(points)


def _mean_text(count: Count) -> str:
    if count.any is not None:
        return "none"
    text, limits = words.mean(count.mean)
    return f"{text} ({limits})" if limits else text


def counts_tables(study: Study) -> list[Table]:
    """One table a group of counts: one row a count, one column a cell."""
    labels = (
        f"{names.label(finding, study)} (n = {words.count(finding.games)})" for finding in study.findings
    )
    headers = ("In a game", *labels)
    tables = []
    for index, group in enumerate(study.findings[0].groups):
        counts = zip(*(finding.groups[index].counts for finding in study.findings), strict=True)
        rows = tuple((Entry(words.sentence(row[0].label)), *map(_count_entry, row)) for row in counts)
        caption = _counts_table_caption(study, group.note) if index == 0 else group.note
        tables.append(Table(group.title, caption, headers, rows))
    return tables


def _counts_table_caption(study: Study, note: str) -> str:
    truncated = (
        " Truncated games count with what had happened by then."
        if any(finding.outcomes.capped for finding in study.findings)
        else ""
    )
    return (
        f"{note} Mean a game over all n games with its {words.CONFIDENCE} interval (Student t); "
        f"where it never happened, in what share of games it could at most.{truncated}"
    ).strip()


def _count_entry(count: Count) -> Entry:
    if count.any is None:
        return entries.mean(count.mean)
    note = f"in {words.share(count.any)} of games; {words.one_in(count.any)}; {count.any.method}"
    return Entry("none", note)


# ---------------------------------------------------------------- scores

QUANTILES = (5, 25, 50, 75, 95)
NUMBERS = ("Mean", "Spread (sd)", "5 %", "25 %", "Median", "75 %", "95 %", "Least to greatest")
VISIBLE = 0.05  # of the highest bar of the set: lower than that, words say more than bars


def scores_section(study: Study) -> View:
    title, scored, what = scores_title(study), _scored(study.seated_once), names.scores(study)
    if not scored:
        return View(title=title)
    ends = score_axes(scored)
    figures = tuple(
        score_figure(
            finding, names.label(finding, study), f"{words.count(finding.scores.mean.n)} games", ends, what
        )
        for finding in scored
    )
    caption = f"{_whose_scores(study)} Shares of all games.{_seats_in_table(scored)}"
    return View(title=title, caption=caption, blocks=figures)


def _whose_scores(study: Study) -> str:
    """`A bar for every number of points of the first player.`"""
    what = names.scores(study)
    every = "every score" if what == "score" else f"every number of {what}"
    return f"A bar for {every} of {study.findings[0].scores.of}."


def _seats_in_table(scored: Sequence[Finding]) -> str:
    return " The table has every seat and the winner's margin." if scored[0].scores.seats else ""


def score_axes(scored: list[Finding]) -> tuple[tuple[int, int], float]:
    """Least score and the end of the axis, and the highest share of the games: the same in all figures of
    scores.
    """
    span = bars.robust_span((f.scores.values, f.scores.counts) for f in scored)
    over = (sum(n for score, n in _scores_of(f) if score > span[1]) / f.games for f in scored)
    return span, max(*(max(f.scores.counts) / f.games for f in scored), *over)


def _scores_of(finding: Finding) -> Iterator[tuple[int, int]]:
    """Each score, and the games with it."""
    return zip(finding.scores.values, finding.scores.counts, strict=True)


def score_figure(
    finding: Finding, title: str, note: str, ends: tuple[tuple[int, int], float], what: str = "score"
) -> Figure:
    """A bar for every score in its tier's colour; above, where there are tiers, a strip of all games."""
    return Figure(title, _histogram(finding, *ends, what), note)


def _histogram(finding: Finding, span: tuple[int, int], highest: float, what: str) -> bars.Histogram:
    scores, tiers = finding.scores, best_first(finding.cell.tiers)
    colours = theme.tier_colours(tiers)
    groups: dict[str, dict[int, float]] = {}
    for score, n in _scores_of(finding):
        if score <= span[1]:
            colour = colours[tier_of(score, tiers)] if tiers else theme.CLEAR
            groups.setdefault(colour, {})[score] = n / finding.games
    over = sum(n for score, n in _scores_of(finding) if score > span[1]) / finding.games
    best = colours[next(iter(tiers))] if tiers else theme.CLEAR
    beyond = (bars.Beyond(f"{words.number(span[1] + 1)}+", best, over),) if over else ()
    few = (
        f"{words.count(scores.mean.n)} of {words.count(finding.games)} games\nhave a score: too few to see "
        "here"
        if max(scores.counts, default=0) / finding.games < VISIBLE * highest
        else ""
    )
    strip = [(colours[tier.name], tier.share.estimate) for tier in worst_first(scores.tiers)]
    return bars.Histogram(groups, span, highest, what, strip=strip, note=few, beyond=beyond)


def worst_first(tiers: Sequence[Tier]) -> list[Tier]:
    """Cut off, lost, then the tiers from the lowest to the best: left to right as the score grows."""
    by_score = [tier for tier in tiers if tier.least is not None]
    return [tier for tier in reversed(tiers) if tier.least is None] + by_score[::-1]


def _scored(findings: Sequence[Finding]) -> list[Finding]:
    """Those with scores: none of a game that declares that it has no score."""
    return [finding for finding in findings if finding.scores.values]


def scores_title(study: Study) -> str:
    """`Points of the first player`, `Score of the defender`"""
    of = study.findings[0].scores.of
    return words.sentence(f"{names.scores(study)} of {of}") if of else "Scores"


def scores_table(study: Study) -> Table:
    """One row a cell."""
    scored, solo = _scored(study.findings), not study.is_contest
    headers = ("Games with a score", *NUMBERS, *["Mean of games won"] * solo)
    caption = f"Over the games that ended with a score. {entries.MEANS_AND_QUANTILES}"
    if solo:
        caption += (
            " Games that are not won count too, where the game gives them a score; the last column does "
        )
        caption += "not count them."

    def row(finding: Finding) -> Iterator[Entry]:
        yield from _scores_row(finding)
        if solo:
            yield entries.mean(finding.scores.won)

    return names.table(study, scores_title(study), caption, headers, row, scored)


def seat_scores_table(study: Study) -> Table:
    """One row a cell: the mean score of each seat, and how far the winner is ahead."""
    scored = [finding for finding in study.findings if finding.scores.seats]
    most = max((len(finding.scores.seats) for finding in scored), default=0)
    roles = max((f.scores.seats for f in scored), key=len, default=())
    what = words.sentence(names.scores(study))
    headers = ("Games that ended", *(f"{words.title(seat.role)}" for seat in roles), "Winner's margin")
    caption = (
        f"Mean {names.scores(study)} of each seat over the games that ended, and the winner's less the best "
        f"other seat's over the games that a seat won, with {words.CONFIDENCE} intervals (Student t)."
    )

    def row(finding: Finding) -> Iterator[Entry]:
        seats, margin = finding.scores.seats, finding.scores.margin
        yield entries.count(seats[0].mean.n)
        yield from (entries.mean(seat.mean) for seat in seats)
        yield from [NONE] * (most - len(seats))
        yield entries.mean(margin.mean) if margin else NONE

    return names.table(study, f"{what} by seat", caption, headers, row, scored)


def _scores_row(finding: Finding) -> tuple[Entry, ...]:
    """The games that have one, and their numbers."""
    score = finding.scores
    return (
        entries.count(score.mean.n),
        entries.mean(score.mean),
        Entry("–" if score.mean.sd is None else f"{score.mean.sd:.1f}"),
        *(entries.quantile(score.quantiles[q]) for q in QUANTILES),
        Entry(f"{words.number(score.values[0])} to {words.number(score.values[-1])}"),
    )


# ---------------------------------------------------------------- lengths, and the means of everything else


def lengths_table(study: Study) -> Table:
    """One row a cell."""
    time = words.sentence(f"{names.time(study)}s")
    some_cut = any(finding.length.capped for finding in study.findings)
    headers = (
        "Games that ended" if some_cut else "Games",
        *(f"{time}, mean", f"{time}, 5 %", f"{time}, median", f"{time}, 95 %"),
        *(f"{time}, shortest to longest", "Decisions, mean"),
        *["Truncated"] * some_cut,
    )
    caption = f"{time} played and decisions made in a game. {entries.MEANS_AND_QUANTILES}"
    if some_cut:
        caption += (
            " Games truncated at the limit on decisions count only in the mean of decisions; the last column "
            f"says how many there are, and after how many {time.lower()}."
        )
    return names.table(study, "Length", caption, headers, partial(_length_row, some_cut))


def _length_row(some_cut: bool, finding: Finding) -> Iterator[Entry]:
    length, ended = finding.length, finding.length.ended
    yield entries.count(ended.games)
    if ended.values:
        yield entries.mean(ended.mean)
        yield from (entries.quantile(ended.quantiles[q]) for q in (5, 50, 95))
        yield Entry(f"{ended.values[0]} to {ended.values[-1]}")
    else:
        yield from [NONE] * 5
    yield entries.mean(length.plies)
    if some_cut:
        at = f"after {words.span(*length.capped_at)}" if length.capped_at else ""
        yield Entry(words.count(length.capped), at)


def last_turn(findings: Sequence[Finding]) -> int:
    """The turn at which an axis of turns ends, common to these cells: see `bars.robust_span`. Truncated games
    do not count, unless no game ended.
    """
    ended = [(each.length.ended.values, each.length.ended.counts) for each in findings]
    spread = [pair for pair in ended if pair[0]]
    return bars.robust_span(spread)[1] if spread else max(each.length.values[-1] for each in findings)


def ends_early(findings: Sequence[Finding], study: Study) -> str:
    """What is said of games that go on beyond the axis; "" where none does."""
    last = last_turn(findings)
    more = sum(
        n
        for each in findings
        for value, n in zip(each.length.values, each.length.counts, strict=True)
        if value > last
    )
    some = f"{words.count(more)} {'game goes' if more == 1 else 'games go'}"
    return f" The axis ends at {names.time(study)} {last}; {some} on beyond it." if more else ""


def truncated_sentences(finding: Finding, study: Study) -> Iterator[str]:
    """How many games have no length, and what that means; nothing where all games ended."""
    length = finding.length
    if not length.capped or not length.capped_at:
        return
    was = "1 game was" if length.capped == 1 else f"{words.count(length.capped)} games were"
    least, most = length.capped_at
    after = words.number(least) if least == most else words.span(least, most)
    yield (
        f"{was} truncated at the limit on decisions, after {after} {names.time(study)}s; how long "
        f"{'it' if length.capped == 1 else 'they'} would have been is unknown, and no mean or median counts "
        f"{'it' if length.capped == 1 else 'them'}."
    )


def measures(study: Study) -> list[Table]:
    """Means of everything else the game records: a table a level, a column a player and variant."""
    caption = (
        f"Mean of every recorded number over all games that have it, with its {words.CONFIDENCE} "
        "interval (Student t)."
    )
    return [
        _measured(f"Mean of everything recorded: {level}", "" if place else caption, findings)
        for place, (level, findings) in enumerate(study.levels.items())
    ]


def _measured(title: str, caption: str, findings: list[Finding]) -> Table:
    headers = ("Measure", *(f"{f.who} (n = {words.count(f.games)})" for f in findings))
    columns = {name: called for finding in findings for name, called in _recorded(finding).items()}
    rows = tuple(
        (Entry(called), *(_measure(finding, name) for finding in findings))
        for name, called in columns.items()
    )
    return Table(title, caption, headers, rows)


def _recorded(finding: Finding) -> dict[str, str]:
    """Column -> what it is called: units and scores by their names. A score that says nothing, or what
    another column says, is left out.
    """
    cell = finding.cell
    scores, own = score_names(cell), ["score", *seat_scores(cell)]
    known = {"plies": "decisions", LENGTH: f"{reporting_of(cell).time}s", **scores}
    return {
        name: known.get(name, words.plain(name))
        for name in finding.means
        if name in scores or name not in own
    }


def _measure(finding: Finding, name: str) -> Entry:
    value = finding.means.get(name)
    if value is None:
        return NONE
    entry = entries.mean(value)
    if value.n == finding.games:
        return entry
    return Entry(entry.text, f"{entry.note}, n = {words.count(value.n)}".lstrip(", "))


# ---------------------------------------------------------------- what ended the lost games, commonest first

MOST_CAUSES, NAMED = 8, 4  # in a figure, in a row of the table
FEWEST_LOSSES = 30  # a cell with fewer lost games says too little about their causes
CAUSE_HEADERS = ("Games lost", "Commonest cause", "Second", "Third", "Fourth", "All others")
CAUSE_CAPTION = (
    f"Shares of the lost games; the {words.CONFIDENCE} intervals of a row hold together "
    "(Goodman unless named)."
)


def eligible(findings: Sequence[Finding]) -> list[Finding]:
    return [finding for finding in findings if finding.losses.causes and finding.losses.lost >= FEWEST_LOSSES]


def causes(findings: Sequence[Finding]) -> list[str]:
    """The commonest causes over these cells, each cell counting the same."""
    weights: dict[str, float] = {}
    for finding in eligible(findings):
        for cause in finding.losses.causes:
            weights[cause.cause] = weights.get(cause.cause, 0.0) + cause.share.estimate
    return sorted(weights, key=lambda name: -weights[name])[:MOST_CAUSES]


def cause_rows(findings: Sequence[Finding], point: Callable[[Finding, Interval], ChartMark]) -> list[Track]:
    """A row a cause, with a point for each cell; what a single cell says stands beside it as a text."""
    drawn = eligible(findings)
    shares = {cause: [_share_of(cause, finding) for finding in drawn] for cause in causes(drawn)}
    return [
        dots.row(
            cause,
            words.share_with_limits(row[0]) if len(findings) == 1 else "",
            tuple(point(finding, share) for finding, share in zip(drawn, row, strict=True)),
        )
        for cause, row in shares.items()
    ]


def cause_axis_end(rows: Sequence[Track]) -> float:
    return min(max(point.interval.high for row in rows for point in row.marks) * 1.05, 1.0)


def _share_of(cause: str, finding: Finding) -> Interval:
    """Share of the lost games with this cause; one that never occurred here still has an upper bound."""
    shares = {known.cause: known.share for known in finding.losses.causes}
    return shares.get(cause) or goodman([0, *(known.games for known in finding.losses.causes)])[0]


def causes_table(study: Study, title: str, caption: str = "") -> Table:
    """One row a cell. caption: before what is said of the numbers."""
    losing = [finding for finding in study.findings if finding.losses.causes]
    return names.table(
        study, title, f"{caption} {CAUSE_CAPTION}".lstrip(), CAUSE_HEADERS, _cause_entries, losing
    )


def _cause_entries(finding: Finding) -> tuple[Entry, ...]:
    """The commonest causes of a cell's lost games, and how many have another."""
    losses = finding.losses
    top = [
        Entry(cause.cause, f"{words.share_with_limits(cause.share)}, {words.count(cause.games)} games")
        for cause in losses.causes[:NAMED]
    ]
    rest = sum(cause.games for cause in losses.causes[NAMED:])
    return (entries.count(losses.lost), *top, *[NONE] * (NAMED - len(top)), entries.count(rest))


# ---------------------------------------------------------------- how soon: when something has happened first

HOW_SOON = "How soon"
QUARTERS = 4  # turns at which what happens by a turn is tabled


def first_times_section(study: Study) -> View:
    # of the cells along a curve only the last: the others end sooner and show less
    shorter = {cell.id for line in outcomes.lines_of(study) for cell in line.cells[:-1]}
    findings = [each for each in study.findings if each.firsts and each.cell.id not in shorter]
    if not findings:
        return View(title=HOW_SOON)
    last = last_turn(findings)
    drawn = [_first_curves(finding, last) for finding in findings]
    legend = tuple((curve.colour, words.sentence(curve.label)) for curve in drawn[0])
    time = names.time(study)
    figures = tuple(
        Figure(
            names.label(finding, study),
            Bands(shown, time, "of all games, so far", last, steps=True, with_key=False),
            f"{words.count(finding.games)} games",
        )
        for finding, shown in zip(findings, drawn, strict=True)
    )
    caption = f"{_first_caption(study, findings)}{ends_early(findings, study)}"
    return View(title=HOW_SOON, caption=caption, blocks=figures, legend=legend)


def _first_curves(finding: Finding, last: int) -> list[DrawnCurve]:
    """Share of games in which it has happened by the end of each turn, up to the last that is drawn."""
    colours = theme.cell_colours(len(finding.firsts), in_order=False)
    return [
        DrawnCurve(
            first.label,
            colours[index],
            tuple(step.turn for step in first.steps[:last]),
            tuple(step.by for step in first.steps[:last]),
            DASHES[index % len(DASHES)],
        )
        for index, first in enumerate(finding.firsts)
    ]


def _first_caption(study: Study, findings: list[Finding]) -> str:
    time = names.time(study)
    caption = (
        f"Share of all games in which it has happened by the end of each {time}. The shaded band holds the "
        f"whole line at {words.CONFIDENCE}. "
    )
    for setting in names.reporting(study).settings.values():
        if setting.curve:
            caption += (
                f"Every game was played to the end under its own {setting.name}: a line says what had "
                f"happened by {time} x of such games, not what players would do who know of a "
                f"{setting.name} of x. {setting.note} "
            )
    if len(findings) < len(study.findings):
        caption += "Of settings that differ only in such a limit the longest is drawn."
    return caption.strip()


def first_times_tables(study: Study) -> list[Table]:
    """One table an event: one row a cell, one column a turn."""
    findings = [finding for finding in study.findings if finding.firsts]
    if not findings:
        return []
    time, last = names.time(study), last_turn(findings)
    marks = quarters(last)
    headers = ("Games", *(f"By {time} {mark}" for mark in marks), "In the whole game")
    caption = (
        f"Share of all games in which it has happened; the {words.CONFIDENCE} limits of a row hold "
        f"for all {time}s at once (Dvoretzky-Kiefer-Wolfowitz band); the last column holds on its own."
    )
    return [
        names.table(
            study,
            f"By when: {first.label}",
            "" if index else caption,
            headers,
            partial(_first_row, index, marks),
            findings,
        )
        for index, first in enumerate(findings[0].firsts)
    ]


def quarters(last: int) -> list[int]:
    """Turns at which something that happens by `last` is tabled."""
    return sorted({max(round(last * part / QUARTERS), 1) for part in range(1, QUARTERS + 1)})


def _first_row(index: int, marks: list[int], finding: Finding) -> tuple[Entry, ...]:
    first = finding.firsts[index]
    return (
        entries.count(finding.games),
        *(_by(first, mark) for mark in marks),
        entries.proportion(first.ever, first.happened),
    )


def _by(first: FirstTime, mark: int) -> Entry:
    if mark > len(first.steps):
        return NONE
    interval = first.by(mark)
    return Entry(words.share(interval), words.share_limits(interval) if interval.estimate else "")
