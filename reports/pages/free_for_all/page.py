"""Pictures for a game of alike seats: what a seat wins, who plays better, what settings change, who goes out,
how long it takes.
"""

from collections.abc import Iterable, Iterator

from bartizan.analyses.records.effects import Comparison
from bartizan.analyses.records.elimination import Spread
from bartizan.analyses.statistics.intervals import Interval
from bartizan.analyses.statistics.paired import Effect
from bartizan.reports.figures import bars, dots, theme
from bartizan.reports.pages.free_for_all import ends, names
from bartizan.reports.pages.free_for_all.seatings import MIRROR, MIXED, TURNED, Seating, seatings
from bartizan.reports.pages.pictures import Picture, Section, left_out, limited, one_group, picture
from bartizan.reports.pages.two_sided import page as contest
from bartizan.reports.pages.two_sided.names import sentence, time
from bartizan.reports.study import Finding, Study
from bartizan.reports.text import words

LEAST_SPAN = 0.05  # of an axis to either side of the equal share: less would make noise look like a mountain
MOST_COLOURS, MOST_ROWS = 9, 24
ORDER = (MIRROR, TURNED, MIXED)  # what says most about seats comes first
PLAIN, OUT, LEAD = "#0173b2", "#c8553d", "#029e73"


def sections(study: Study, most: int) -> list[Section]:
    """`most`: pictures in a section."""
    fair = [_seats(study, most), _skill(study, most), ends.section(study), *_effects(study, most)]
    own = [*fair, _out(study, most), _first_out(study, most), _lead(study, most), _length(study, most)]
    return [
        *own,
        *contest.curves(study, most),
        contest.forms(study),
        contest.counts(study),
        contest.firsts(study, most),
        contest.scores(study, most),
    ]


# ---------------------------------------------------------------- shares beside the equal share


def axis(intervals: Iterable[Interval], fair: Iterable[float]) -> tuple[float, float]:
    """Ends of an axis that holds all intervals and the equal shares: not from 0, since what matters is the
    distance from the equal share.
    """
    intervals, fair = list(intervals), list(fair)
    low, high = min(min(i.low for i in intervals), *fair), max(max(i.high for i in intervals), *fair)
    room = max((high - low) * 0.08, LEAST_SPAN - (high - low) / 2)
    return max(low - room, 0.0), min(high + room, 1.0)


def _colours(study: Study) -> dict[str, str]:
    """Level and settings -> colour, for as many as can be told apart."""
    labels = list(dict.fromkeys(names.under(finding, study) for finding in study.findings))[:MOST_COLOURS]
    if len(labels) == 1:
        return {labels[0]: PLAIN}
    return dict(zip(labels, theme.player_colours(labels).values(), strict=True))


def _legend(study: Study) -> tuple[tuple[str, str], ...]:
    colours = _colours(study)
    return tuple((colour, sentence(label)) for label, colour in colours.items()) if len(colours) > 1 else ()


def _more_settings(study: Study) -> str:
    labels = {names.under(finding, study) for finding in study.findings}
    return (
        f" Of {len(labels)} settings the first {MOST_COLOURS} are drawn."
        if len(labels) > MOST_COLOURS
        else ""
    )


def _seats(study: Study, most: int) -> Section:
    """One picture a line-up; settings are colours."""
    groups: dict[tuple, list[Seating]] = {}
    for seating in seatings(study):
        groups.setdefault((ORDER.index(seating.kind), len(seating.seats), seating.name), []).append(seating)
    drawn = limited((groups[key] for key in sorted(groups, key=lambda key: key[:2])), most)
    if not drawn:
        return Section("Win share by seat", "", ())
    ends = {
        _alike(one): _seat_axis([group for group in drawn if _alike(group) == _alike(one)]) for one in drawn
    }
    pictures = [
        _seat_picture(group, study, ends[_alike(group)], f"seats-{index}")
        for index, group in enumerate(drawn)
    ]
    caption = (
        f"Share of the games that each seat wins, with its {words.level(study.level)} interval; the dashed "
        "line is an equal share. The scale does not start at 0."
    )
    caption += _more_settings(study)
    return Section("Win share by seat", caption, one_group(pictures), _legend(study), left_out(groups, most))


def _alike(group: list[Seating]) -> tuple[str, int]:
    """Pictures that share an axis."""
    return group[0].kind, len(group[0].seats)


def _seat_axis(groups: list[list[Seating]]) -> tuple[float, float]:
    return axis(
        (share.share for group in groups for seating in group for share in seating.seats),
        (group[0].fair for group in groups),
    )


def _point(interval: Interval, colour: str) -> dots.Point:
    return dots.Point(interval, colour, dot=not words.is_bounds(interval))


def _seat_picture(group: list[Seating], study: Study, ends: tuple[float, float], name: str) -> Picture:
    colours = _colours(study)
    shown = [seating for seating in group if names.under(seating.finding, study) in colours]
    rows = []
    for index in range(len(group[0].seats)):
        shares = [seating.seats[index].share for seating in shown]
        points = tuple(
            _point(share, colours[names.under(seating.finding, study)])
            for share, seating in zip(shares, shown, strict=True)
        )
        rows.append(
            dots.Row(
                sentence(names.seat(index)),
                words.share_with_limits(shares[0]) if len(shares) == 1 else "",
                points,
            )
        )
    alt = f"Win share by seat, {group[0].name}: " + "; ".join(
        f"{row.label} {', '.join(words.share_with_limits(point.interval) for point in row.points)}"
        for row in rows
    )
    figure = dots.draw(rows, ends[1], "of the games", least=ends[0], mark=group[0].fair)
    return picture(group[0].name, _seat_note(group), figure, name, alt)


def _seat_note(group: list[Seating]) -> str:
    games = {seating.games for seating in group}
    each = " each" if len(group) > 1 else ""
    players = f"{len(group[0].seats)} players; "
    number = (
        f"{players}{words.count(games.pop())} {'game numbers' if group[0].rotations > 1 else 'games'}{each}"
        if len(games) == 1
        else f"{players}games as in the table"
    )
    mixed = "; different policies: this is not what the seat alone is worth" if group[0].kind == MIXED else ""
    turned = f" in {group[0].rotations} rotations" if group[0].rotations > 1 else ""
    return f"{number}{turned}{mixed}"


def _skill(study: Study, most: int) -> Section:
    """One picture a line-up; settings are colours."""
    groups: dict[tuple, list] = {}
    for skill in study.skills:
        groups.setdefault((skill.line_up.seats, skill.line_up.name), []).append(skill)
    drawn = limited(groups.values(), most)
    if not drawn:
        return Section("Who plays better", "", ())
    ends = axis(
        (standing.share.interval for group in drawn for skill in group for standing in skill.standings),
        (group[0].fair for group in drawn),
    )
    pictures = [_skill_picture(group, study, ends, f"skill-{index}") for index, group in enumerate(drawn)]
    caption = (
        "Share of the games won by each seat that a policy took, when everybody sat in every seat equally "
        "often and with the same luck. "
    )
    caption += (
        f"{words.level(study.level)} intervals; the dashed line is an equal share. The scale does not start "
        f"at 0.{_more_settings(study)}"
    )
    return Section("Who plays better", caption, one_group(pictures), _legend(study), left_out(groups, most))


def _skill_picture(group: list, study: Study, ends: tuple[float, float], name: str) -> Picture:
    colours, rows = _colours(study), []
    for standing in group[0].standings:
        found = [
            (other, _under(skill, study))
            for skill in group
            for other in skill.standings
            if other.policy == standing.policy
        ]
        points = tuple(
            _point(other.share.interval, colours[under]) for other, under in found if under in colours
        )
        label = (
            f"{standing.policy} ({standing.places} of {group[0].line_up.seats} seats)"
            if group[0].line_up.seats > len(group[0].standings)
            else standing.policy
        )
        rows.append(
            dots.Row(label, words.share_with_limits(points[0].interval) if len(points) == 1 else "", points)
        )
    alt = "Who plays better: " + "; ".join(
        f"{row.label} {', '.join(words.share_with_limits(point.interval) for point in row.points)}"
        for row in rows
    )
    games = {skill.games for skill in group}
    note = (
        f"{words.count(games.pop())} game numbers in {group[0].rotations} rotations"
        if len(games) == 1
        else "games as in the table"
    )
    return picture(
        group[0].line_up.name,
        note,
        dots.draw(rows, ends[1], "of the games, for each seat", least=ends[0], mark=group[0].fair),
        name,
        alt,
    )


def _under(skill, study: Study) -> str:
    finding = next(finding for finding in study.findings if finding.cell.id == skill.line_up.cells[0].id)
    return names.under(finding, study)


# ---------------------------------------------------------------- effects


def _effects(study: Study, most: int) -> list[Section]:
    """One picture a measure, a row a setting."""
    groups: dict[tuple[str, str], list[tuple[Comparison, Effect]]] = {}
    for comparison in study.effects:
        for effect in comparison.effects:
            groups.setdefault((effect.measure.kind, effect.measure.name), []).append((comparison, effect))
    if not groups:
        return []
    drawn = limited(groups.items(), most)
    pictures = [
        _effect_picture(kind, name, rows[:MOST_ROWS], study, f"effect-{index}")
        for index, ((kind, name), rows) in enumerate(drawn)
    ]
    caption = (
        f"{_from(study)}, the same game numbers on common luck, with {words.level(study.level)} intervals. A "
        "line that crosses 0 cannot be told from chance."
    )
    if sum(map(len, groups.values())) > 1:
        caption += (
            " Of many lines that do not, a few may do so by chance: the table has p-values adjusted for that."
        )
    return [
        Section("What the settings change", caption, one_group(pictures), left_out=left_out(groups, most))
    ]


def _from(study: Study) -> str:
    bases = list(dict.fromkeys(names.base(comparison) for comparison in study.effects))
    return (
        f"Differences from the base ({bases[0]})"
        if len(bases) == 1
        else "Differences from the base named in the table"
    )


def _effect_picture(
    kind: str, name: str, effects: list[tuple[Comparison, Effect]], study: Study, picture_name: str
) -> Picture:
    scale, unit = (
        (1, f"{time(study)}s" if name == "turn" else "a game")
        if kind == "column"
        else (100, "percentage points")
    )
    rows = list(_effect_rows(effects, scale, study))
    points = [row.points[0].interval for row in rows if row.points]
    low, high = min(0.0, *(point.low for point in points)), max(0.0, *(point.high for point in points))
    room = (high - low) * 0.08 or 1.0
    games = {effect.n for _, effect in effects}
    note = (
        f"{words.count(games.pop())} game numbers{' each' if len(effects) > 1 else ''}"
        if len(games) == 1
        else "games as in the table"
    )
    title = sentence(names.measure(kind, name, time(study)))
    alt = f"{title}: " + "; ".join(
        f"{row.label} {row.value} {unit}" if row.points else row.label for row in rows
    )
    return picture(
        title,
        note,
        dots.draw(rows, high + room, unit, percent=False, least=low - room, mark=0.0),
        picture_name,
        alt,
    )


def _effect_rows(effects: list[tuple[Comparison, Effect]], scale: int, study: Study) -> Iterator[dots.Row]:
    """A row a setting; where players or other settings differ too, a heading a setting and below it a row for
    each of them.
    """
    heading = None
    for comparison, effect in effects:
        setting, apart = sentence(names.changed(comparison)), names.apart(comparison, study)
        if apart and setting != heading:
            yield dots.Row(setting, "", ())
        heading = setting
        interval = effect.difference.interval
        scaled = Interval(
            interval.estimate * scale,
            interval.low * scale,
            interval.high * scale,
            interval.level,
            interval.method,
        )
        text, limits = words.change(interval, scale)
        yield dots.Row(
            apart or setting,
            limits if words.is_bounds(interval) else f"{text} ({limits})",
            (_point(scaled, PLAIN),),
        )


# ---------------------------------------------------------------- elimination, lead, length


def _ranked(study: Study) -> list[Finding]:
    return [finding for finding in study.seated_once if finding.cell.id in study.eliminations]


def _out(study: Study, most: int) -> Section:
    found = [
        finding
        for finding in _ranked(study)
        if study.eliminations[finding.cell.id].seats > 2 and study.eliminations[finding.cell.id].places
    ]
    # else it is the players' doing as much as the seats'
    found = [finding for finding in found if study.seats[finding.cell.id].mirror] or found
    if not found:
        return Section("Who goes out first", "", ())
    drawn = limited(found, most)
    shares = {finding.cell.id: study.eliminations[finding.cell.id].first_to_go() for finding in drawn}
    ends = axis(
        (place.share for places in shares.values() for place in places),
        (1 / len(places) for places in shares.values()),
    )
    pictures = []
    for index, finding in enumerate(drawn):
        places = shares[finding.cell.id]
        rows = [
            dots.Row(
                sentence(names.seat(place.seat)),
                words.share_with_limits(place.share),
                (_point(place.share, OUT),),
            )
            for place in places
        ]
        alt = f"First to go out, {names.label(finding, study)}: " + "; ".join(
            f"{row.label} {row.value}" for row in rows
        )
        note = f"{words.count(finding.games)} games{_mixed(finding, study)}"
        pictures.append(
            picture(
                names.label(finding, study),
                note,
                dots.draw(rows, ends[1], "of all games", least=ends[0], mark=1 / len(places)),
                f"out-{index}",
                alt,
            )
        )
    caption = (
        f"How often each seat is the first to go out, with its {words.level(study.level)} interval; the "
        "dashed line is an equal share. The scale does not start at 0."
    )
    return Section("Who goes out first", caption, one_group(pictures), left_out=left_out(found, most))


def _mixed(finding: Finding, study: Study) -> str:
    return "" if study.seats[finding.cell.id].mirror else "; different policies"


def _first_out(study: Study, most: int) -> Section:
    what = time(study)
    found = {
        f.cell.id: study.eliminations[f.cell.id].first_out
        for f in _ranked(study)
        if study.eliminations[f.cell.id].seats > 2
    }
    caption = f"The {what} in which somebody first goes out, as a share of the games in which one does."
    return _spreads(
        study,
        "When somebody first goes out",
        caption,
        {name: spread for name, spread in found.items() if spread},
        what,
        OUT,
        "first-out",
        most,
    )


def _lead(study: Study, most: int) -> Section:
    found = {f.cell.id: study.eliminations[f.cell.id].lead_changes for f in _ranked(study)}
    caption = "How often the lead passes to another player in a game, as a share of all games."
    return _spreads(
        study,
        "Changes of the lead",
        caption,
        {name: spread for name, spread in found.items() if spread},
        "changes of the lead",
        LEAD,
        "lead",
        most,
    )


def _length(study: Study, most: int) -> Section:
    what, found = f"{time(study)}s", {}
    for finding in study.seated_once:
        length = finding.length
        found[finding.cell.id] = Spread(
            finding.games, length.values, length.counts, length.turns, length.quantiles
        )
    caption = f"How many {what} a game takes, as a share of all games."
    if any(finding.length.capped for finding in study.findings):
        caption += " Games cut off stand where they were cut off."
    return _spreads(study, "Length", caption, found, what, PLAIN, "length", most)


def _spreads(
    study: Study,
    title: str,
    caption: str,
    found: dict[str, Spread],
    unit: str,
    colour: str,
    name: str,
    most: int,
) -> Section:
    """A picture of bars for each cell, all with the same axes."""
    found = {cell: spread for cell, spread in found.items() if spread.values}
    if not found:
        return Section(title, "", ())
    span = (
        min(spread.values[0] for spread in found.values()),
        max(spread.values[-1] for spread in found.values()),
    )
    width = bars.width_for(span)
    heights = {cell: bars.shares(spread.values, spread.counts, width) for cell, spread in found.items()}
    highest = max(max(shares.values()) for shares in heights.values())
    labels = {finding.cell.id: names.label(finding, study) for finding in study.findings}
    pictures = []
    for index, (cell, spread) in enumerate(limited(found.items(), most)):
        middle, mean = spread.quantiles[50], words.mean(spread.mean, study.level)[0]
        note = f"{words.count(spread.games)} games; median {words.whole(middle)}, mean {mean}"
        figure = bars.draw(heights[cell], span, highest, width, unit, colour, "of these games")
        pictures.append(
            picture(labels[cell], note, figure, f"{name}-{index}", f"{title}, {labels[cell]}: {note}")
        )
    each = f" Each bar holds {width} numbers." if width > 1 else ""
    if study.skills:
        each += " Of the rotations of a line-up the first is drawn."
    caption += f"{each} In brackets the {words.level(study.level)} interval of the median (order statistics)."
    return Section(title, caption, one_group(pictures), left_out=left_out(found, most))
