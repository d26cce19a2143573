"""Pictures for sides against each other: who wins, what a setting changes, what happens in a game, what undid
a side, how soon.
"""

from bartizan.reports.figures import dots, loss_causes, outcome_bars
from bartizan.reports.pages.parts import cells, counts, curves, first_times, forms, names, scores
from bartizan.reports.pages.parts.pictures import Picture, Section, left_out, limited, one_group, picture
from bartizan.reports.study import Finding, Study
from bartizan.reports.text import words


def sections(study: Study, most: int) -> list[Section]:
    """`most`: pictures in a section."""
    return [
        _who_wins(study, most),
        *curves.sections(study, most),
        forms.section(study),
        counts.section(study),
        _causes(study),
        first_times.section(study, most),
        scores.section(study, most),
    ]


# ---------------------------------------------------------------- who wins


def _who_wins(study: Study, most: int) -> Section:
    """One picture a level and line-up."""
    groups: dict[tuple[str, str], list[Finding]] = {}
    for finding in study.findings:
        groups.setdefault((finding.level, finding.player), []).append(finding)
    pictures = [
        _outcome_picture(findings, f"ends-{index}", study)
        for index, findings in enumerate(limited(groups.values(), most))
    ]
    caption = (
        f"Shares of all games. A dark line where the colour changes is the {words.level(study.level)} "
        "interval of the share up to there; a short one: hardly any doubt is left. Every share with its own "
        "interval is in the table."
    )
    return Section(
        "Who wins", caption, one_group(pictures), cells.outcome_legend(study), left_out(groups, most)
    )


def _outcome_picture(findings: list[Finding], name: str, study: Study) -> Picture:
    rows = [outcome_bars.OutcomeBar(names.label(finding, study), finding.outcomes) for finding in findings]
    who = findings[0].player if len(study.players) > 1 else ""
    title = ": ".join(filter(None, (who, _takeaway(findings))))
    return picture(title, "", outcome_bars.draw(rows), name, outcome_bars.describe(rows))


def _takeaway(findings: list[Finding]) -> str:
    """`the German wins most, 71 %`; of several settings from where to where the first side goes."""
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


# ---------------------------------------------------------------- what undid the first side


def _causes(study: Study) -> Section:
    findings, _ = cells.drawn(study)
    side = findings[0].outcomes.sides[0].name
    title = f"What undid {side}"
    eligible = loss_causes.eligible(findings)
    if not eligible:
        return Section(title, "", ())
    caption = (
        f"What stopped {side} in the games they lost, commonest first, each with its "
        f"{words.level(study.level)} interval; the intervals of a setting hold together."
    )
    if len(eligible) < len(findings):
        caption += f" Settings with fewer than {loss_causes.FEWEST_LOSSES} such games are left out."
    figure = _cause_figure(eligible, study)
    drawn = picture("", "", figure, "causes", loss_causes.describe(side, eligible))
    return Section(
        title, caption, one_group([drawn]), cells.legend(study), left_out(study.findings, cells.MOST)
    )


def _cause_figure(eligible: list[Finding], study: Study):
    findings, colours = cells.drawn(study)
    colour_of = dict(zip((finding.cell.id for finding in findings), colours, strict=True))
    rows = []
    for cause in loss_causes.causes(findings):
        shares = [loss_causes.share_of(cause, finding) for finding in eligible]
        points = tuple(
            dots.Point(share, colour_of[finding.cell.id])
            for share, finding in zip(shares, eligible, strict=True)
        )
        rows.append(dots.Row(cause, words.share_with_limits(shares[0]) if len(shares) == 1 else "", points))
    most = min(max(point.interval.high for row in rows for point in row.points) * 1.05, 1.0)
    return dots.draw(rows, most, "of the lost games")
