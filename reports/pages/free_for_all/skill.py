"""Comparison of players on the page of a free-for-all."""

from collections.abc import Iterator
from dataclasses import asdict

from bartizan.analyses.records.seating import Duel, Skill, Standing
from bartizan.analyses.statistics.paired import Estimate
from bartizan.reports import entries
from bartizan.reports.blocks import Entry, Figure, Method, Paragraph, Table, Track, View, paragraph
from bartizan.reports.entries import NONE
from bartizan.reports.figures import dots
from bartizan.reports.pages.free_for_all import seats
from bartizan.reports.pages.free_for_all.seats import truncated_games
from bartizan.reports.pages.parts import names
from bartizan.reports.pages.parts.measure import Document, PageMeasure, fields_of
from bartizan.reports.study import Study
from bartizan.reports.text import differences, words
from bartizan.reports.text.cell_names import grouped

TITLE = "Comparison of players"
FEW = 3  # line-ups that are listed individually
METHOD = (
    "each game number is simulated in all rotations of the line-up with the same random numbers, and gives "
    "one value, the mean over its rotations. Student t interval of these values; exact tails (Blaker 2000) "
    "if fewer than 100 of them differ from the commonest."
)


def _under(skill: Skill, study: Study) -> str:
    """Return level and settings of a line-up, as far as they differ between cells."""
    finding = next(finding for finding in study.findings if finding.cell.id == skill.line_up.cells[0].id)
    return names.under(finding, study)


class PlayingStrength(PageMeasure):
    """Comparison of players, in fully rotated line-ups."""

    def said(self, study: Study) -> Iterator[Paragraph]:
        if study.skills:
            yield paragraph(
                "Who plays better?", [*(_of_line_up(skill, study) for skill in study.skills[:FEW])]
            )

    def sections(self, study: Study) -> Iterator[View]:
        if len(study.skills) < 2:  # the main chart shows it
            return
        groups = grouped(study.skills, lambda skill: (skill.line_up.seats, skill.line_up.name)).values()
        ends = seats.share_axis(
            (standing.share.interval for skill in study.skills for standing in skill.standings),
            (skill.fair for skill in study.skills),
        )
        caption = (
            "Share of the games won per seat of a policy, with every policy in every seat equally often and "
            f"with the same random numbers. {words.CONFIDENCE} intervals; the dashed line is an equal "
            f"share.{seats.more_settings(study)}"
        )
        figures = tuple(_figure(group, study, ends) for group in groups)
        yield View(title=TITLE, caption=caption, blocks=figures, legend=seats.setting_legend(study))

    def tables(self, study: Study) -> Iterator[Table]:
        yield _table(study)
        yield _duels(study)

    def methods(self, study: Study) -> list[Method]:
        return [(TITLE, METHOD)] if study.skills else []

    def of_study(self, study: Study) -> Document:
        return {"skill": list(map(_document, study.skills))}


# ---------------------------------------------------------------- in words


def _of_line_up(skill: Skill, study: Study) -> str:
    under = _under(skill, study)
    table = f" ({skill.line_up.name})" if len(skill.standings) > 2 else ""
    truncated = truncated_games(skill.capped, "each range runs")
    return (
        f"{f'{words.sentence(under)}: ' if under else ''}{_better(skill.duels[0])}{table}: "
        f"{_standings(skill)} of the games{truncated}."
    )


def _standings(skill: Skill) -> str:
    """Return the wins of each policy as text: `hold wins 31 % (29–33 %) and random wins ...`.

    If a policy has several seats, the text gives its wins per seat.
    """
    a_seat = "a seat of " if skill.line_up.seats > len(skill.standings) else ""
    return words.listing(
        [
            f"{a_seat}{standing.policy} wins {words.share_with_limits(standing.share.interval)}"
            for standing in skill.standings
        ]
    )


def _better(duel: Duel) -> str:
    if not duel.is_clear:
        return f"these games do not distinguish {duel.better} from {duel.other}"
    return f"{duel.better} plays better than {duel.other}"


# ---------------------------------------------------------------- figures


def _figure(group: list[Skill], study: Study, ends: tuple[float, float]) -> Figure:
    """Return the figure of the wins of a line-up's policies. ends: ends of the axis."""
    first = group[0]
    rows = [_row_of(standing, group, study) for standing in first.standings]
    games = {skill.games for skill in group}
    note = seats.of_games(games, f"game numbers in {first.rotations} rotations")
    unit = "of the games, per seat"
    return seats.share_figure(first.line_up.name, rows, unit, ends, first.fair, note)


def _row_of(standing: Standing, group: list[Skill], study: Study) -> Track:
    """Return the row of a policy, with one dot per setting."""
    colours, first = seats.setting_colours(study), group[0]
    points = (
        dots.mark(other.share.interval, colours[_under(skill, study)])
        for skill in group
        for other in skill.standings
        if other.policy == standing.policy and _under(skill, study) in colours
    )
    several = first.line_up.seats > len(first.standings)
    places = f" ({standing.places} of {first.line_up.seats} seats)" if several else ""
    return dots.share_row(f"{standing.policy}{places}", points)


# ---------------------------------------------------------------- tables

HEADERS = ("Policy", "Game numbers", "Seats", "Wins", "Wins per seat", "Minus equal share", "Truncated")
DUEL_HEADERS = (
    "Difference",
    "Game numbers",
    "Difference per seat",
    "Standard error",
    "In standard errors",
    "Pairing factor",
)


def _table(study: Study) -> Table:
    """Return a table with one row per policy of a line-up."""
    rows = tuple(_row(standing, skill, study) for skill in study.skills for standing in skill.standings)
    caption = (
        "Line-ups in all their rotations, combined by game number. Share of games won per seat of the "
        f"policy, with its {words.CONFIDENCE} interval (Student t "
        "over game numbers; exact tails if few differ). Wins are the sum over all rotations."
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


def _duels(study: Study) -> Table:
    """Return the table of duels: one row per pair of policies of a line-up."""
    rows = tuple(_duel_row(duel, skill, study) for skill in study.skills for duel in skill.duels)
    caption = (
        f"Difference of win rates per seat, by game number; {words.CONFIDENCE} intervals simultaneous over "
        f"all differences of the page (Bonferroni). {entries.FACTOR} if each rotation had its own random "
        "numbers."
    )
    return Table(f"{TITLE}, in pairs", caption, DUEL_HEADERS, rows)


def _duel_row(duel: Duel, skill: Skill, study: Study) -> tuple[Entry, ...]:
    estimate, errors = duel.difference, (NONE, NONE)
    if estimate.se is not None and estimate.ses is not None and not words.is_bounds(estimate.interval):
        se = entries.standard_error(estimate.se, f" {differences.PP}")
        errors = (se, Entry(words.signed(estimate.ses, 1)))
    return (
        Entry(f"{duel.better} minus {duel.other}", _where(skill, study)),
        entries.count(skill.games),
        entries.points(duel.joint, with_method=True),
        *errors,
        entries.factor(duel.factor),
    )


# ---------------------------------------------------------------- as JSON


def _document(skill: Skill) -> Document:
    return {
        "line_up": skill.line_up.name,
        "cells": [cell.id for cell in skill.line_up.cells],
        "set": dict(skill.line_up.cells[0].set),
        **fields_of(skill, "games", "rotations", "left_out", "capped"),
        "fair_share": skill.fair,
        "policies": [
            {
                **fields_of(standing, "policy", "wins"),
                "seats": standing.places,
                "share": _estimate(standing.share),
                "advantage": _estimate(standing.advantage),
            }
            for standing in skill.standings
        ],
        "differences": [
            {
                "policy": duel.better,
                "other": duel.other,
                **_estimate(duel.difference),
                **fields_of(duel.difference, "p", "ses"),
                "joint": asdict(duel.joint),
                "is_clear": duel.is_clear,
                "pairing_factor": duel.factor,
            }
            for duel in skill.duels
        ],
    }


def _estimate(estimate: Estimate) -> Document:
    return {**asdict(estimate.interval), **fields_of(estimate, "se", "n")}
