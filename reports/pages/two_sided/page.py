"""Pictures for sides against each other: who wins, what a setting changes, what happens in a game, what undid
a side, how soon.
"""

from bartizan.analyses.records.column_groups import Count
from bartizan.analyses.records.outcomes import Outcomes
from bartizan.analyses.records.series import Series, series
from bartizan.analyses.statistics.intervals import Interval
from bartizan.reports.figures import (
    by_setting,
    dots,
    first_times,
    loss_causes,
    outcome_bars,
    score_bars,
    theme,
)
from bartizan.reports.pages.pictures import Group, Picture, Section, left_out, limited, one_group, picture
from bartizan.reports.pages.two_sided import names
from bartizan.reports.study import Finding, Study
from bartizan.reports.text import words

MOST_CELLS = 10  # in one picture: more colours cannot be told apart; the tables hold every cell
# more rows than this stand in several pictures, each with counts up to so many times apart
MANY_ROWS, MAGNITUDE = (8, 8)
FORM_COLOURS, FORM_DASHES = ("#029e73", "#cc78bc", "#ca9161"), ("--", ":", "-.")


def sections(study: Study, most: int) -> list[Section]:
    """`most`: pictures in a section."""
    return [
        _who_wins(study, most),
        *curves(study, most),
        forms(study),
        counts(study),
        _causes(study),
        firsts(study, most),
        scores(study, most),
    ]


# ---------------------------------------------------------------- who wins


def _who_wins(study: Study, most: int) -> Section:
    """One picture a level and line-up."""
    groups: dict[tuple, list[Finding]] = {}
    for finding in study.findings:
        groups.setdefault((finding.level, finding.player), []).append(finding)
    pictures = []
    for index, findings in enumerate(limited(groups.values(), most)):
        rows = [outcome_bars.Row(names.label(finding, study), finding.outcomes) for finding in findings]
        pictures.append(
            picture(
                findings[0].player if len(study.players) > 1 else "",
                "",
                outcome_bars.draw(rows),
                f"ends-{index}",
                outcome_bars.describe(rows),
            )
        )
    caption = (
        f"Shares of all games. A dark line where the colour changes is the {words.level(study.level)} "
        "interval of the share up to there"
    )
    caption += "; a short one: hardly any doubt is left. Every share with its own interval is in the table."
    return Section("Who wins", caption, one_group(pictures), legend(study), left_out(groups, most))


def legend(study: Study) -> tuple[tuple[str, str], ...]:
    found: dict[str, str] = {}
    for finding in study.findings:
        found |= outcome_bars.colours(finding.outcomes)
    return tuple((colour, names.sentence(name)) for name, colour in found.items())


# ---------------------------------------------------------------- along a setting


def curves(study: Study, most: int) -> list[Section]:
    """A section for each setting that the game wants drawn as a curve."""
    found: dict[str, list[Series]] = {}
    for line in _series(study):
        found.setdefault(line.path, []).append(line)
    return [_curve(study, lines, f"curve-{index}", most) for index, lines in enumerate(found.values())]


def _series(study: Study) -> list[Series]:
    return series(finding.cell for finding in study.findings)


def _curve(study: Study, lines: list[Series], name: str, most: int) -> Section:
    setting = lines[0].setting
    groups = []
    for index, line in enumerate(limited(lines, max(most // 2, 1))):
        outcomes = [finding.outcomes for finding in _findings(line, study)]
        pictures = [_curve_picture("", line, _part_lines(outcomes), f"{name}-{index}-ends")]
        if forms := _form_lines(outcomes):
            pictures.append(
                _curve_picture(
                    f"Won by {outcomes[0].sides[0].name}, by form of the result",
                    line,
                    forms,
                    f"{name}-{index}-forms",
                    with_key=True,
                )
            )
        groups.append(Group(_fixed(line, lines, study), tuple(pictures)))
    caption = (
        f"Shares of all games, a dot for each {setting.name} that was played; the line through a dot is its "
        f"{words.level(study.level)} interval. {setting.note}"
    )
    return Section(
        f"Over the {setting.name}",
        caption.strip(),
        tuple(groups),
        legend(study),
        left_out(lines, max(most // 2, 1)),
    )


def _curve_picture(
    title: str, line: Series, drawn: list[by_setting.Line], name: str, with_key: bool = False
) -> Picture:
    figure = by_setting.draw(line.values, drawn, line.setting.name, with_key)
    return picture(
        title or "How games end", "", figure, name, by_setting.describe(line.setting.name, line.values, drawn)
    )


def _findings(line: Series, study: Study) -> list[Finding]:
    by_id = {finding.cell.id: finding for finding in study.findings}
    return [by_id[cell.id] for cell in line.cells]


def _part_lines(outcomes: list[Outcomes]) -> list[by_setting.Line]:
    colours = outcome_bars.colours(outcomes[0])
    return [
        by_setting.Line(part.name, colours[part.name], tuple(_share_of(part.seat, each) for each in outcomes))
        for part in outcomes[0].parts
    ]


def _share_of(seat: int, outcomes: Outcomes):
    return next(part.share for part in outcomes.parts if part.seat == seat)


def _form_lines(outcomes: list[Outcomes]) -> list[by_setting.Line]:
    """The first side's share as played, and by every other form."""
    if not all(each.forms for each in outcomes):
        return []
    side = outcomes[0].sides[0]
    lines = [
        by_setting.Line(
            "as played", theme.side_colours(1)[0], tuple(_share_of(side.seat, each) for each in outcomes)
        )
    ]
    for index, form in enumerate(outcomes[0].forms):
        shares = tuple(
            next(
                part.share
                for part in (each.forms[index].winner, each.forms[index].otherwise)
                if part.seat == side.seat
            )
            for each in outcomes
        )
        lines.append(
            by_setting.Line(
                form.title,
                FORM_COLOURS[index % len(FORM_COLOURS)],
                shares,
                FORM_DASHES[index % len(FORM_DASHES)],
            )
        )
    return lines


def _fixed(line: Series, lines: list[Series], study: Study) -> str:
    """What sets this curve apart from the others over the same setting."""
    if len(lines) == 1:
        return ""
    texts = [set(names.parts(finding, study)) for finding in _findings(line, study)]
    shared = set.intersection(*texts)
    return names.sentence(
        ", ".join(part for part in names.parts(_findings(line, study)[0], study) if part in shared)
    )


# ---------------------------------------------------------------- dots, a colour a cell


def _drawn(study: Study) -> tuple[list[Finding], list[str]]:
    """The cells of a picture that has a dot for each, and their colours."""
    findings = limited(study.seated_once, MOST_CELLS)
    lines = series((finding.cell for finding in study.findings), every=True, fewest=2)
    in_order = any(len(line.cells) == len(study.findings) for line in lines)
    return findings, theme.cell_colours(len(findings), in_order)


def _cell_legend(study: Study) -> tuple[tuple[str, str], ...]:
    findings, colours = _drawn(study)
    return (
        tuple(zip(colours, (names.label(finding, study) for finding in findings), strict=True))
        if len(findings) > 1
        else ()
    )


def _dots(study: Study, labels: list[str], values: list[list], text=lambda value: "") -> list[dots.Row]:
    """`values`: for each label the intervals of all drawn cells; a single cell's value stands beside its dot
    as a text.
    """
    _, colours = _drawn(study)
    return [
        dots.Row(
            label,
            text(row[0]) if len(row) == 1 else "",
            tuple(dots.Point(value, colour) for value, colour in zip(row, colours, strict=True)),
        )
        for label, row in zip(labels, values, strict=True)
    ]


def _in_words(study: Study, title: str, labels: list[str], values: list[list], text) -> str:
    findings, _ = _drawn(study)
    cells = [names.label(finding, study) for finding in findings]
    told = (
        ", ".join(f"{text(value)} ({cell})" for value, cell in zip(row, cells, strict=True)) for row in values
    )
    return f"{title}: " + "; ".join(f"{label} {cells}" for label, cells in zip(labels, told, strict=True))


def forms(study: Study) -> Section:
    """Forms of the result, and what is true of how many games."""
    findings, _ = _drawn(study)
    title, pictures = "Other forms of the result", []
    first = findings[0].outcomes
    if first.forms and all(len(finding.outcomes.forms) == len(first.forms) for finding in findings):
        side = first.sides[0]
        labels = ["As played", *(form.title for form in first.forms)]
        values = [
            [_share_of(side.seat, f.outcomes) for f in findings],
            *([f.outcomes.forms[i].winner.share for f in findings] for i in range(len(first.forms))),
        ]
        pictures.append(_share_dots(study, f"Won by {side.name}", labels, values, "forms"))
    if first.marks:
        labels = [names.sentence(mark.label) for mark in first.marks]
        values = [
            [finding.outcomes.marks[index].share for finding in findings] for index in range(len(first.marks))
        ]
        pictures.append(_share_dots(study, "Of all games", labels, values, "marks"))
    notes = " ".join(f"{form.title}: {form.note}." for form in first.forms if form.note)
    caption = (
        f"The same games, read by another form of the result, with {words.level(study.level)} intervals, "
        f"over {_games_each(study)}. {notes}"
    )
    return Section(
        title, caption.strip(), one_group(pictures), _cell_legend(study), left_out(study.findings, MOST_CELLS)
    )


def _games_each(study: Study) -> str:
    games = {finding.games for finding in study.findings}
    return (
        f"{words.count(games.pop())} games{' each' if len(study.findings) > 1 else ''}"
        if len(games) == 1
        else "the games of each setting, counted in the table"
    )


def _share_dots(study: Study, title: str, labels: list[str], values: list[list], name: str) -> Picture:
    highest = max(value.high for row in values for value in row)
    most = next(end for end in by_setting.AXES if highest <= end)
    rows = _dots(study, labels, values, words.share_with_limits)
    return picture(
        title,
        "",
        dots.draw(rows, most, "of all games"),
        name,
        _in_words(study, title, labels, values, words.share_with_limits),
    )


# ---------------------------------------------------------------- what happens in a game


def counts(study: Study) -> Section:
    """One picture a group of counts, its axis its own: groups differ too much to share one."""
    findings, _ = _drawn(study)
    title, pictures = "What happens in a game", []
    for index, group in enumerate(findings[0].groups):
        counts = [
            [finding.groups[index].counts[row] for finding in findings] for row in range(len(group.counts))
        ]
        if any(count.any is None for row in counts for count in row):
            parts = _by_size(counts)
            names_of = _part_names("" if group.title == title else group.title, len(parts))
            pictures += [
                _count_picture(study, name, group.note, part, f"count-{index}-{number}")
                for number, (name, part) in enumerate(zip(names_of, parts, strict=True))
            ]
    caption = (
        f"Means a game with their {words.level(study.level)} intervals (Student t), over "
        f"{_games_each(study)}."
    )
    caption += " A hollow dot: it never happened; the table says in how many games it could at most."
    missing = [
        group.title
        for index, group in enumerate(findings[0].groups)
        if all(c.any for f in findings for c in f.groups[index].counts)
    ]
    if missing:
        caption += (
            " Never in any of these games: "
            f"{words.listing([title[:1].lower() + title[1:] for title in missing])}."
        )
    if len(study.seated_once) < len(study.findings):
        caption += " Of the rotations of a line-up the first is drawn."
    groups = (Group("", tuple(pictures), columns=2),) if pictures else ()
    return Section(title, caption, groups, _cell_legend(study), left_out(study.seated_once, MOST_CELLS))


def _by_size(counts: list[list[Count]]) -> list[list[list[Count]]]:
    """Many rows in up to three pictures, so that what is rare is not all at 0 on the axis of what is common.

    The order stays.
    """
    if len(counts) <= MANY_ROWS:
        return [counts]
    sizes = [max(count.mean.mean or 0.0 for count in row) for row in counts]
    parts, below = [], max(sizes)
    for last in (False, False, True):
        least = 0.0 if last else below / MAGNITUDE
        part = [
            row for row, size in zip(counts, sizes, strict=True) if size <= below and (size > least or last)
        ]
        parts.append(part)
        below = max((size for size in sizes if size <= least), default=-1.0)
        if below < 0:
            break
    return parts


def _part_names(title: str, parts: int) -> list[str]:
    how_often = ["Often", "Less often", "Seldom"][:parts] if parts > 1 else [""]
    return [": ".join(filter(None, (title, name))) for name in how_often]


def _count_picture(study: Study, title: str, note: str, counts: list[list[Count]], name: str) -> Picture:
    labels = [names.sentence(row[0].label) for row in counts]
    values = [[_mean_interval(count, study) for count in row] for row in counts]
    most = max(value.high for row in values for value in row) * 1.05
    _, colours = _drawn(study)
    points = [
        tuple(dots.Point(v, colour, c.any is None) for v, c, colour in zip(vs, row, colours, strict=True))
        for vs, row in zip(values, counts, strict=True)
    ]
    texts = [_mean_text(row[0], study) if len(row) == 1 else "" for row in counts]
    rows = [dots.Row(*parts) for parts in zip(labels, texts, points, strict=True)]
    alt = _in_words(study, title or "A game", labels, counts, lambda count: _mean_text(count, study))
    return picture(title, note, dots.draw(rows, most, "a game", percent=False), name, alt)


def _mean_interval(count: Count, study: Study) -> Interval:
    mean = count.mean
    return mean.interval(study.level) or Interval(
        mean.mean or 0.0, mean.mean or 0.0, mean.mean or 0.0, study.level, "one game"
    )


def _mean_text(count: Count, study: Study) -> str:
    if count.any is not None:
        return "none"
    text, limits = words.mean(count.mean, study.level)
    return f"{text} ({limits})" if limits else text


# ---------------------------------------------------------------- what undid the first side


def _causes(study: Study) -> Section:
    findings, _ = _drawn(study)
    side = findings[0].outcomes.sides[0].name
    title = f"What undid {side}"
    eligible = loss_causes.eligible(findings)
    if not eligible:
        return Section(title, "", ())
    labels = loss_causes.causes(findings)
    colours = dict(zip((finding.cell.id for finding in findings), _drawn(study)[1], strict=True))
    values = [[loss_causes.share_of(cause, finding) for finding in eligible] for cause in labels]
    rows = [
        dots.Row(
            cause,
            words.share_with_limits(row[0]) if len(row) == 1 else "",
            tuple(dots.Point(v, colours[f.cell.id]) for v, f in zip(row, eligible, strict=True)),
        )
        for cause, row in zip(labels, values, strict=True)
    ]
    most = min(max(value.high for row in values for value in row) * 1.05, 1.0)
    alt = loss_causes.describe(side, eligible)
    caption = (
        f"What stopped {side} in the games they lost, commonest first, each with its "
        f"{words.level(study.level)} interval; the intervals of a setting hold together."
    )
    if len(eligible) < len(findings):
        caption += f" Settings with fewer than {loss_causes.FEWEST_LOSSES} such games are left out."
    drawn = picture("", "", dots.draw(rows, most, "of the lost games"), "causes", alt)
    return Section(
        title, caption, one_group([drawn]), _cell_legend(study), left_out(study.findings, MOST_CELLS)
    )


# ---------------------------------------------------------------- how soon


def firsts(study: Study, most: int) -> Section:
    time = names.time(study)
    findings = [finding for finding in _longest(study) if finding.firsts]
    if not findings:
        return Section("How soon", "", ())
    colours = theme.cell_colours(len(findings[0].firsts), in_order=False)
    last = max(len(finding.firsts[0].steps) for finding in findings)
    pictures = []
    for index, finding in enumerate(limited(findings, most)):
        label, figure = names.label(finding, study), first_times.draw(finding.firsts, colours, last, time)
        pictures.append(
            picture(
                label,
                f"{words.count(finding.games)} games",
                figure,
                f"first-{index}",
                first_times.describe(label, finding.firsts, time),
            )
        )
    legend = tuple(zip(colours, (names.sentence(first.label) for first in findings[0].firsts), strict=True))
    return Section(
        "How soon", _firsts_caption(study, findings), one_group(pictures), legend, left_out(findings, most)
    )


def _firsts_caption(study: Study, findings: list[Finding]) -> str:
    time = names.time(study)
    caption = (
        f"Share of all games in which it has happened by the end of each {time}. The shaded band holds the "
        f"whole line at {words.level(study.level)}. "
    )
    curves = [setting for setting in names.reporting(study).settings.values() if setting.curve]
    for setting in curves:
        caption += (
            f"Every game was played to the end under its own {setting.name}: a line says what had happened "
            f"by {time} x of such games, "
        )
        caption += f"not what players would do who know of a {setting.name} of x. {setting.note} "
    if len(findings) < len(study.findings):
        caption += "Of settings that differ only in such a limit the longest is drawn."
    return caption.strip()


def _longest(study: Study) -> list[Finding]:
    """Every cell; of those along a curve only the last: the others end sooner and show less."""
    shorter = {cell.id for line in _series(study) for cell in line.cells[:-1]}
    return [finding for finding in study.findings if finding.cell.id not in shorter]


# ---------------------------------------------------------------- scores


def scores(study: Study, most: int) -> Section:
    what = names.scores(study)
    title = "Scores" if what == "scores" else f"{names.sentence(what)} in a game"
    scored = [finding for finding in study.seated_once if finding.scores.values]
    if not scored:
        return Section(title, "", ())
    span = min(f.scores.values[0] for f in scored), max(f.scores.values[-1] for f in scored)
    highest = max(max(f.scores.counts) / f.games for f in scored)
    pictures = [
        picture(
            names.label(f, study),
            f"{words.count(f.scores.mean.n)} games",
            score_bars.draw(f, span, highest, what),
            f"score-{index}",
            score_bars.describe(f),
        )
        for index, f in enumerate(limited(scored, most))
    ]
    return Section(
        title,
        f"A bar for every number of {what}, as a share of all games.",
        one_group(pictures),
        left_out=left_out(scored, most),
    )
