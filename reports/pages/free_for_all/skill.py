"""Who plays better: in sentences, in figures, in tables."""

from collections.abc import Iterator

from bartizan.analyses.records.seating import Duel, Skill, Standing
from bartizan.reports import entries
from bartizan.reports.blocks import Entry, Figure, Paragraph, Table, Track, View, paragraph
from bartizan.reports.entries import NONE
from bartizan.reports.pages.free_for_all import seats
from bartizan.reports.pages.free_for_all.seats import equal_share, truncated_games
from bartizan.reports.pages.parts import names
from bartizan.reports.study import Study
from bartizan.reports.text import differences, words
from bartizan.reports.text.cell_names import grouped

TITLE = "Who plays better"
MOST, FEW = 6, 3  # duels of a line-up; line-ups told one by one
NOT_THE_SEATS = (
    "Everybody sat in every seat equally often, with the same luck: a difference is the players', not the "
    "seats'."
)


def _under(skill: Skill, study: Study) -> str:
    """Its level and settings, as far as they differ."""
    finding = next(finding for finding in study.findings if finding.cell.id == skill.line_up.cells[0].id)
    return names.under(finding, study)


# ---------------------------------------------------------------- in sentences


def answer(study: Study) -> Paragraph | None:
    if not study.skills:
        return None
    quoted = study.skills if len(study.skills) <= FEW else study.skills[:1]
    lines = [line for skill in quoted for line in _of_line_up(skill, study)]
    if rest := study.skills[len(quoted) :]:
        ends = words.ends(rest, key=lambda skill: abs(skill.duels[0].difference.interval.estimate))
        span = " to ".join(f"{_by_how_much(skill.duels[0])} ({_which(skill, study)})" for skill in ends)
        lines.append(
            f"In the {len(rest)} other line-ups and settings the difference between the two best goes from "
            f"{span}."
        )
    return paragraph(f"{TITLE}?", [*lines, NOT_THE_SEATS])


def _which(skill: Skill, study: Study) -> str:
    """Which line-up under which setting."""
    several = len({other.line_up.name for other in study.skills}) > 1
    return _where(skill, study) if several else _under(skill, study) or skill.line_up.name


def _of_line_up(skill: Skill, study: Study) -> Iterator[str]:
    under, several = _under(skill, study), skill.line_up.seats > len(skill.standings)
    start = f"{words.sentence(under)}: " if under else ""
    table = f" ({skill.line_up.name})" if several or len(skill.standings) > 2 else ""
    truncated = truncated_games(skill.capped, "games were", "each range runs")
    yield (
        f"{start}{_better(skill.duels[0])}{table}: {_standings(skill)} of the games; an equal share is "
        f"{equal_share(skill.line_up.seats)}{_nobody(skill, study)}{truncated}."
    )
    games = f"{words.count(skill.games)} game numbers, each played in {skill.rotations} rotations"
    yield f"The difference: {_by_how_much(skill.duels[0])}; {games}."
    for other in skill.duels[1:MOST]:
        yield f"{words.sentence(_better(other))}: {_by_how_much(other)}."


def _standings(skill: Skill) -> str:
    """`hold wins 31 % (29–33 %) and random wins ...`; of those who took several seats a seat's wins."""
    a_seat = "a seat of " if skill.line_up.seats > len(skill.standings) else ""
    return words.listing(
        [
            f"{a_seat}{standing.policy} wins {words.share_with_limits(standing.share.interval)}"
            for standing in skill.standings
        ]
    )


def _nobody(skill: Skill, study: Study) -> str:
    cells = {cell.id for cell in skill.line_up.cells}
    findings = [finding for finding in study.findings if finding.cell.id in cells]
    drawn = sum(study.seats[finding.cell.id].drawn for finding in findings)
    games = sum(finding.games for finding in findings)
    return f"; nobody won {words.count(drawn)} of {words.count(games)} games" if drawn else ""


def _better(duel: Duel) -> str:
    if not duel.is_clear:
        return f"these games do not distinguish {duel.better} from {duel.other}"
    return f"{duel.better} plays better than {duel.other}"


def _by_how_much(duel: Duel) -> str:
    errors = ""
    if duel.difference.ses and not words.is_bounds(duel.joint):
        errors = f", {words.number(abs(duel.difference.ses), 1)} standard errors"
    return f"{differences.signed(duel.joint)} a seat{errors}"


# ---------------------------------------------------------------- figures


def section(study: Study) -> View:
    """A figure for each line-up; settings are colours."""
    groups = grouped(study.skills, lambda skill: (skill.line_up.seats, skill.line_up.name)).values()
    if not groups:
        return View(title=TITLE)
    ends = seats.share_axis(
        (standing.share.interval for skill in study.skills for standing in skill.standings),
        (skill.fair for skill in study.skills),
    )
    caption = (
        "Share of the games won by each seat that a policy took, when everybody sat in every seat equally "
        f"often and with the same luck. {words.CONFIDENCE} intervals; the dashed line is an equal "
        f"share.{seats.more_settings(study)}"
    )
    figures = tuple(_figure(group, study, ends) for group in groups)
    return View(title=TITLE, caption=caption, blocks=figures, legend=seats.setting_legend(study))


def _figure(group: list[Skill], study: Study, ends: tuple[float, float]) -> Figure:
    """ends: of the axis."""
    first = group[0]
    rows = [_row_of(standing, group, study) for standing in first.standings]
    games = {skill.games for skill in group}
    note = seats.of_games(games, f"game numbers in {first.rotations} rotations")
    unit = "of the games, for each seat"
    return seats.share_figure(first.line_up.name, rows, unit, ends, first.fair, note)


def _row_of(standing: Standing, group: list[Skill], study: Study) -> Track:
    """A policy: a dot a setting."""
    colours, first = seats.setting_colours(study), group[0]
    points = tuple(
        seats.share_point(other.share.interval, colours[_under(skill, study)])
        for skill in group
        for other in skill.standings
        if other.policy == standing.policy and _under(skill, study) in colours
    )
    several = first.line_up.seats > len(first.standings)
    places = f" ({standing.places} of {first.line_up.seats} seats)" if several else ""
    return seats.share_row(f"{standing.policy}{places}", points)


# ---------------------------------------------------------------- tables

HEADERS = ("Policy", "Game numbers", "Seats", "Wins", "Wins a seat", "Against an equal share", "Cut off")
DUEL_HEADERS = (
    "Difference",
    "Game numbers",
    "Difference a seat",
    "Standard error",
    "In standard errors",
    "Pairing factor",
)


def table(study: Study) -> Table | None:
    """One row a policy of a line-up."""
    rows = tuple(_row(standing, skill, study) for skill in study.skills for standing in skill.standings)
    if not rows:
        return None
    caption = (
        "Line-ups that sat in all their rotations, put together game number by game number. Share of games "
        f"won by each seat that the policy took, with its {words.CONFIDENCE} interval (Student's t "
        "over game numbers; exact tails where few differ). Wins are of all rotations."
    )
    return Table(TITLE, caption, HEADERS, rows)


def _row(standing: Standing, skill: Skill, study: Study) -> tuple[Entry, ...]:
    return (
        Entry(standing.policy, _where(skill, study)),
        entries.turned(skill.games, skill.rotations),
        Entry(f"{standing.places} of {skill.line_up.seats}"),
        entries.count(standing.wins),
        entries.share(standing.share.interval),
        entries.points(standing.advantage.interval),
        entries.count(skill.capped),
    )


def _where(skill: Skill, study: Study) -> str:
    return ", ".join(filter(None, [skill.line_up.name, _under(skill, study)]))


def duels(study: Study) -> Table | None:
    """One row for every two policies of a line-up."""
    rows = tuple(_duel_row(duel, skill, study) for skill in study.skills for duel in skill.duels)
    if not rows:
        return None
    caption = (
        f"Difference of win shares a seat, game number by game number; {words.CONFIDENCE} intervals that "
        f"hold for all differences of the page together (Bonferroni). {entries.FACTOR} if each "
        "rotation had luck of its own."
    )
    return Table(f"{TITLE}, two by two", caption, DUEL_HEADERS, rows)


def _duel_row(duel: Duel, skill: Skill, study: Study) -> tuple[Entry, ...]:
    estimate, errors = duel.difference, (NONE, NONE)
    if estimate.se is not None and estimate.ses is not None and not words.is_bounds(estimate.interval):
        se = entries.standard_error(estimate.se, f" {differences.PP}")
        errors = (se, Entry(words.signed(estimate.ses, 1)))
    return (
        Entry(f"{duel.better} less {duel.other}", _where(skill, study)),
        entries.count(skill.games),
        entries.points(duel.joint, with_method=True),
        *errors,
        entries.factor(duel.factor),
    )
