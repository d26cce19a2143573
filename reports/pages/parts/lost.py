"""Lost games: when they are lost, and why."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial

from bartizan.analyses.statistics.intervals import Interval, goodman
from bartizan.reports import entries
from bartizan.reports.blocks import ChartMark, Entry, Figure, Method, Table, Track, View
from bartizan.reports.entries import NONE
from bartizan.reports.figures import curves, dots, theme
from bartizan.reports.pages.parts import certainty, lengths, names, outcomes
from bartizan.reports.pages.parts.measure import Document, PageMeasure, with_share
from bartizan.reports.study import Finding, Study, strongest
from bartizan.reports.text import words

NAME = 52  # letters of a player in the key of a figure
HOLLOW = " Hollow dots: the same policy with another reading or setting."


class LostBy(PageMeasure):
    """Share of all games lost by the end of each turn, in a solo game."""

    def sections(self, study: Study) -> Iterator[View]:
        last, time = lengths.last_turn(study.findings), names.time(study)
        if not any(finding.losses.lost for finding in study.findings) or last < 2:
            return
        colours = theme.player_colours(study.players)
        figures = []
        for level, findings in study.levels.items():
            drawn = [_loss_curve(finding, findings, colours, last) for finding in findings]
            picture = curves.Bands(drawn, time, "games lost so far", last, steps=True)
            figures.append(Figure(_half_lost(level, findings, time), picture))
        caption = (
            f"Share of all games lost by the end of each {time}. The shaded {words.CONFIDENCE} band is "
            f"simultaneous over the whole line.{lengths.ends_early(study.findings, study)}"
        )
        yield View(title="When games are lost", caption=caption, blocks=tuple(figures))

    def tables(self, study: Study) -> Iterator[Table]:
        """Yield the shares of games lost by certain turns; the limits of a row are simultaneous."""
        marks, time = lengths.quarters(lengths.last_turn(study.findings)), names.time(study)
        lost = [finding for finding in study.findings if finding.losses.lost and len(marks) > 1]
        headers = ("Games lost", *(f"By {time} {mark}" for mark in marks))
        caption = (
            f"Share of all games lost by the end of a {time}; the {words.CONFIDENCE} limits are simultaneous "
            f"over all {time}s (Dvoretzky-Kiefer-Wolfowitz band)."
        )

        def row(finding: Finding) -> Iterator[Entry]:
            yield entries.count(finding.losses.lost)
            yield from (_lost_by(finding, mark) for mark in marks)

        yield names.table(study, f"Lost by {time}", caption, headers, row, lost)

    def methods(self, study: Study) -> list[Method]:
        return [(f"Lost by {names.time(study)}", certainty.DKW)]

    def of_cell(self, finding: Finding, study: Study) -> Document:
        return {"loss_by_turn": finding.losses.rows()}


def _loss_curve(
    finding: Finding, findings: list[Finding], colours: dict[str, str], last: int
) -> curves.DrawnCurve:
    """Return the curve of lost games. last: last drawn turn.

    Variants of a policy have the same colour but different dashes.
    """
    drawn = [turn for turn in finding.losses.turns if turn.turn <= last] or finding.losses.turns[:1]
    variant = [other for other in findings if other.player == finding.player].index(finding)
    return curves.DrawnCurve(
        dots.shorten(finding.who, NAME),
        colours[finding.player],
        tuple(turn.turn for turn in drawn),
        tuple(turn.lost_by for turn in drawn),
        curves.DASHES[variant % len(curves.DASHES)],
    )


def _half_lost(level: str, findings: list[Finding], time: str) -> str:
    """Return the title of a figure: the turn by which the strongest player has lost half of the games.

    For example: `Elite: garrison has lost half of the games by turn 17`. If that player loses fewer games,
    the title gives the share of lost games.
    """
    best = strongest(findings)
    for turn in best.losses.turns:
        if turn.lost_by.estimate >= 0.5:
            return f"{level}: {best.player} has lost half of the games by {time} {turn.turn}"
    lost = best.losses.turns[-1].lost_by if best.losses.turns else None
    lost = best.wins.first.loss if best.wins.first.capped else lost
    return f"{level}: {best.player} loses {words.share(lost)} of the games" if lost else level


def _lost_by(finding: Finding, mark: int) -> Entry:
    reached = [turn for turn in finding.losses.turns if turn.turn <= mark]
    if not reached:
        return Entry("0")
    interval = reached[-1].lost_by
    digits = words.share_digits(interval)
    return Entry(f"{interval.estimate * 100:.{digits}f}{words.NBSP}%", words.share_limits(interval))


# ---------------------------------------------------------------- by what, commonest first

MOST_CAUSES, NAMED = 8, 4  # causes per figure, and per row of the table
FEWEST_LOSSES = 30  # fewer lost games give too wide intervals for their causes
CAUSE_HEADERS = ("Games lost", "Commonest cause", "Second", "Third", "Fourth", "All others")
CAUSE_CAPTION = (
    f"Shares of the lost games. The {words.CONFIDENCE} intervals of a row are simultaneous (Goodman unless "
    "noted)."
)


class Causes(PageMeasure):
    """Causes of lost games.

    A solo game has one figure per level. Other games have a figure of the first side's losses.
    """

    def sections(self, study: Study) -> Iterator[View]:
        yield _undone(study) if study.is_contest else _by_level(study)

    def tables(self, study: Study) -> Iterator[Table]:
        losing = [finding for finding in study.findings if finding.losses.causes]
        what = f"Causes of the losses of {_side(study)}. " if study.is_contest else ""
        yield names.table(study, _title(study), f"{what}{CAUSE_CAPTION}", CAUSE_HEADERS, _entries, losing)

    def methods(self, study: Study) -> list[Method]:
        some = any(finding.losses.causes for finding in study.findings)
        return [("Causes of loss", certainty.GOODMAN)] if some else []

    def of_cell(self, finding: Finding, study: Study) -> Document:
        return {"loss_causes": [with_share(cause, "cause") for cause in finding.losses.causes]}


def _side(study: Study) -> str:
    return study.findings[0].outcomes.sides[0].name


def _title(study: Study) -> str:
    return f"Causes of the losses of {_side(study)}" if study.is_contest else "Causes of losses"


def _by_level(study: Study) -> View:
    """Return the section with the causes of losses: one figure per level, with one dot per player."""
    colours = theme.player_colours(study.players)
    rows = {
        level: _rows(findings, partial(_point, findings, colours))
        for level, findings in study.levels.items()
        if _causes(findings)
    }
    end = _axis_end([row for level in rows.values() for row in level]) if rows else 1.0
    figures = tuple(
        Figure(f"{level}: most common ending: {shown[0].label}", dots.chart(shown, end, "of the lost games"))
        for level, shown in rows.items()
    )
    hollow = HOLLOW if len(study.variants) > 1 else ""
    caption = (
        f"Endings of the lost games, commonest first, each with its {words.CONFIDENCE} interval. Players "
        f"with fewer than {FEWEST_LOSSES} lost games are left out.{_not_drawn(study.levels.values())}{hollow}"
    )
    players = dict.fromkeys(finding.player for finding in _eligible(study.findings))
    legend = tuple((colours[name], name) for name in players)
    return View(title=_title(study), caption=caption, blocks=figures, legend=legend)


def _point(findings: list[Finding], colours: dict[str, str], finding: Finding, share: Interval) -> ChartMark:
    """Return the mark of a cause. The mark is hollow for a variant of a policy."""
    first = next(other for other in _eligible(findings) if other.player == finding.player)
    return dots.mark(share, colours[finding.player], is_filled=finding is first)


def _undone(study: Study) -> View:
    """Return the section with the causes of the first side's losses: one figure with one dot per cell."""
    findings, side = outcomes.drawn(study), _side(study)
    eligible = _eligible(findings)
    if not eligible:
        return View()
    caption = (
        f"Causes of the losses of {side}, commonest first, each with its {words.CONFIDENCE} interval; the "
        f"intervals of a setting are simultaneous.{_not_drawn([findings])}"
    )
    if len(eligible) < len(findings):
        caption += f" Settings with fewer than {FEWEST_LOSSES} such games are left out."
    colours = outcomes.colours(study)
    rows = _rows(findings, lambda finding, share: dots.mark(share, colours[finding.cell.id]))
    picture = dots.chart(rows, _axis_end(rows), "of the lost games")
    return View(
        title=_title(study),
        caption=caption,
        blocks=(Figure("", picture),),
        legend=outcomes.legend(study),
        left_out=outcomes.left_out(study),
    )


def _eligible(findings: Sequence[Finding]) -> list[Finding]:
    return [finding for finding in findings if finding.losses.causes and finding.losses.lost >= FEWEST_LOSSES]


def _not_drawn(figures: Iterable[Sequence[Finding]]) -> str:
    """Return a note if a figure has more causes than it draws. figures: the cells of each figure."""
    is_cut = any(len(_causes(findings)) > MOST_CAUSES for findings in figures)
    return f" At most {MOST_CAUSES} are drawn." if is_cut else ""


def _causes(findings: Sequence[Finding]) -> list[str]:
    """Return the causes in these cells, commonest first. All cells have equal weight."""
    weights: dict[str, float] = {}
    for finding in _eligible(findings):
        for cause in finding.losses.causes:
            weights[cause.cause] = weights.get(cause.cause, 0.0) + cause.share.estimate
    return sorted(weights, key=lambda name: -weights[name])


def _rows(findings: Sequence[Finding], point: Callable[[Finding, Interval], ChartMark]) -> list[Track]:
    """Return a row per cause, with a dot for each cell. A single cell's value is printed beside its dot."""
    drawn = _eligible(findings)
    causes = _causes(drawn)[:MOST_CAUSES]
    shares = {cause: [_share_of(cause, finding) for finding in drawn] for cause in causes}
    return [
        dots.row(
            cause,
            words.share_with_limits(row[0]) if len(findings) == 1 else "",
            tuple(point(finding, share) for finding, share in zip(drawn, row, strict=True)),
        )
        for cause, row in shares.items()
    ]


def _axis_end(rows: Sequence[Track]) -> float:
    return min(max(point.interval.high for row in rows for point in row.marks) * 1.05, 1.0)


def _share_of(cause: str, finding: Finding) -> Interval:
    """Return the share of the lost games with this cause; an upper bound for a cause that never occurred."""
    shares = {known.cause: known.share for known in finding.losses.causes}
    return shares.get(cause) or goodman([0, *(known.games for known in finding.losses.causes)])[0]


def _entries(finding: Finding) -> tuple[Entry, ...]:
    """Return the cells of a row: number of lost games, commonest causes, and games with other causes."""
    losses = finding.losses
    top = [
        Entry(cause.cause, f"{words.share_with_limits(cause.share)}, {words.many(cause.games, 'game')}")
        for cause in losses.causes[:NAMED]
    ]
    rest = sum(cause.games for cause in losses.causes[NAMED:])
    return (entries.count(losses.lost), *top, *[NONE] * (NAMED - len(top)), entries.count(rest))
