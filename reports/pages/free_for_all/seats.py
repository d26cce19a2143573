"""Advantage of each seat in a free-for-all."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from bartizan.analyses.records.seating import ADVANTAGE, SeatShare, Skill, Standing, apart
from bartizan.analyses.statistics.intervals import Interval
from bartizan.reports import entries
from bartizan.reports.blocks import (
    Chart,
    Entry,
    Figure,
    Legend,
    Method,
    Paragraph,
    Table,
    Track,
    View,
    paragraph,
    share_mark,
)
from bartizan.reports.entries import NONE
from bartizan.reports.figures import dots, theme
from bartizan.reports.pages.parts import certainty, names
from bartizan.reports.pages.parts.measure import Document, PageMeasure, fields_of
from bartizan.reports.study import Finding, Study, leading
from bartizan.reports.text import differences, seat_worth, words
from bartizan.reports.text.cell_names import grouped

# ---------------------------------------------------------------- how each seat does, line-up by line-up

MIRROR, TURNED, MIXED = (
    "the same policy in every seat",
    "rotated seats: each player plays in every seat",
    "different policies, seats not rotated",
)


@dataclass(frozen=True)
class Seating:
    name: str  # names of the players
    kind: str
    finding: Finding  # one of its cells, for level and settings
    games: int  # number of games per share; for rotations, of game numbers
    rotations: int
    capped: int
    drawn: int
    seats: tuple[SeatShare, ...]

    @property
    def fair(self) -> float:
        return 1 / len(self.seats)

    @property
    def first(self) -> SeatShare:
        return self.seats[0]

    @property
    def omitted(self) -> int:
        """Number of games without a winner, which the shares ignore; 0 for rotations.

        In rotations, such games count as equal shares.
        """
        return 0 if self.kind == TURNED else self.drawn

    @property
    def is_one_game(self) -> bool:
        """Whether all games are identical, because nothing in them is random."""
        return self.first.share.low == self.first.share.high

    @property
    def apart(self) -> list[SeatShare]:
        return apart(self.seats)


def seatings(study: Study) -> list[Seating]:
    """Return the seatings of a study, each with its win shares, in the order of the sweep."""
    turned = {skill.line_up.cells[0].id: skill for skill in study.skills}
    by_id = {finding.cell.id: finding for finding in study.findings}
    every = []
    for line_up in study.line_ups:
        findings = [by_id[cell.id] for cell in line_up.cells]
        if skill := turned.get(line_up.cells[0].id):
            every.append(_turned(skill, findings, study))
        else:
            every += [_cell_seating(finding, study) for finding in findings]
    return [seating for seating in every if seating.seats]


def _turned(skill: Skill, findings: list[Finding], study: Study) -> Seating:
    return Seating(
        name=f"{skill.line_up.name}, rotated seats",
        kind=TURNED,
        finding=findings[0],
        games=skill.games,
        rotations=skill.rotations,
        capped=skill.capped,
        drawn=sum(finding.games - study.seats[finding.cell.id].counted for finding in findings),
        seats=skill.seats,
    )


def _cell_seating(finding: Finding, study: Study) -> Seating:
    advantage = study.seats[finding.cell.id]
    return Seating(
        name=finding.player,
        kind=MIRROR if advantage.mirror else MIXED,
        finding=finding,
        games=advantage.counted,
        rotations=1,
        capped=advantage.capped,
        drawn=advantage.drawn,
        seats=advantage.seats,
    )


def main(every: list[Seating], study: Study) -> Seating | None:
    """Return the seating to quote, which best separates seats from players; None if there is none.

    The strongest known policy in every seat is preferred, then a line-up in all its rotations. Different
    policies in fixed seats are never quoted. Among several settings, unchanged values are preferred. Games
    that are identical, or all have the same result, are chosen last.
    """
    ranks = {
        standing.policy: rank
        for skill in reversed(study.skills)
        for rank, standing in enumerate(skill.standings)
    }
    return min(
        (seating for seating in every if seating.kind != MIXED),
        key=lambda seating: (
            *seating.finding.says_little,
            ORDER.index(seating.kind),
            ranks.get(seating.name.removesuffix(" in every seat"), len(ranks)),
            bool(seating.finding.cell.set) if seating.kind == MIRROR else False,
        ),
        default=None,
    )


def by_number(every: list[Seating], study: Study) -> list[Seating]:
    """Return the seating to quote for each number of players, in ascending order of the number."""
    numbers = sorted({len(seating.seats) for seating in every})
    found = (main([each for each in every if len(each.seats) == number], study) for number in numbers)
    return [seating for seating in found if seating]


def main_finding(study: Study) -> Finding:
    """Return the cell that the page quotes."""
    quoted = main(seatings(study), study)
    return quoted.finding if quoted else leading(study.findings)


def truncated_games(games: int, runs: str) -> str:
    """Return the effect of truncated games on a share, as text; "" without truncated games.

    runs: part of the sentence, such as `each range runs`.
    """
    if not games:
        return ""
    return f"; {words.were(games, 'game')} truncated, and {runs} from none of them to all of them"


# ---------------------------------------------------------------- figures of shares and the equal share

LEAST_SPAN = 0.05  # least span of an axis on either side of the equal share, so as not to magnify noise
MOST_COLOURS = 9
ROOM = 0.08  # margin of an axis beyond the longest interval


def share_axis(intervals: Iterable[Interval], fair: Iterable[float]) -> tuple[float, float]:
    """Return the ends of an axis that contains all intervals and equal shares, with a margin.

    The axis need not start at 0, because the distance from the equal share matters.
    """
    intervals, fair = list(intervals), list(fair)
    low, high = min(min(i.low for i in intervals), *fair), max(max(i.high for i in intervals), *fair)
    room = max((high - low) * ROOM, LEAST_SPAN - (high - low) / 2)
    return max(low - room, 0.0), min(high + room, 1.0)


def setting_colours(study: Study) -> dict[str, str]:
    """Map the first MOST_COLOURS combinations of level and settings to colours."""
    labels = list(dict.fromkeys(names.under(finding, study) for finding in study.findings))[:MOST_COLOURS]
    if len(labels) == 1:
        return {labels[0]: theme.CLEAR}
    return dict(zip(labels, theme.player_colours(labels).values(), strict=True))


def setting_legend(study: Study) -> Legend:
    labels = setting_colours(study).items()
    return tuple((colour, words.sentence(label)) for label, colour in labels) if len(labels) > 1 else ()


def more_settings(study: Study) -> str:
    n = len({names.under(finding, study) for finding in study.findings})
    return f" The first {MOST_COLOURS} of {n} settings are drawn." if n > MOST_COLOURS else ""


def share_figure(
    title: str, rows: Sequence[Track], axis_label: str, ends: tuple[float, float], fair: float, note: str
) -> Figure:
    """Return a figure of shares. ends: ends of the axis. fair: the equal share, marked by a dashed line."""
    return Figure(title, Chart("", tuple(rows), axis_label, ends, line=(fair, "equal share")), note)


def of_games(games: set[int], number: str) -> str:
    """Return a number of games as text, or a reference to the table if the numbers differ."""
    return f"{words.count(games.pop())} {number}" if len(games) == 1 else "games as in the table"


# ---------------------------------------------------------------- the main chart


def chart(study: Study) -> Chart:
    """Return the main chart: the win share of each seat, then of each player of a fully rotated line-up."""
    every = seatings(study)
    quoted = by_number(every, study) or sorted(every, key=lambda each: each.finding.says_little)[:1]
    if not quoted:
        return Chart("No game had a winner.", (), "of the games")
    tracks = [_seat_track(seat, each, quoted) for each in quoted for seat in range(len(each.seats))]
    skill = next((skill for skill in study.skills if len(skill.standings) > 1), None)
    players = [_player_track(standing, skill) for standing in skill.standings] if skill else []
    fair = [each.fair for each in quoted]
    shown = (mark.interval for track in (*tracks, *players) for mark in track.marks)
    ends = share_axis(shown, [*fair, *([skill.fair] if skill else [])])
    notes = []
    if len(quoted) > 1:
        equal = words.listing([f"{share * 100:.0f}{words.NBSP}%" for share in fair])
        numbers = words.listing([str(len(each.seats)) for each in quoted])
        notes.append(f"{quoted[0].name}; an equal share is {equal} with {numbers} players.")
    elif len(every) > 1:  # for one setting, the line below the chart contains this
        about = (quoted[0].name, names.under(quoted[0].finding, study), *_note(quoted).split("; "))
        notes.append(f"{'; '.join(dict.fromkeys(filter(None, about)))}.")
    if ends[0]:
        notes.append("The scale does not start at 0.")
    if len(quoted) == 1 and quoted[0].kind != MIXED:
        notes += filter(None, [seat_worth.each_alone(quoted[0].seats)])
    return Chart(
        f"{words.sentence(_fairness(quoted[0]) if len(quoted) == 1 else _fairness_by_number(quoted))}.",
        (*tracks, *players),
        f"of {seat_worth.games(sum(seating.omitted for seating in quoted))}, per seat",
        ends,
        line=(fair[0], "equal share") if len(quoted) == 1 else None,
        notes=tuple(notes),
    )


def _seat_track(seat: int, seating: Seating, quoted: list[Seating]) -> Track:
    policy, share = seating.finding.cell.policies[seat], seating.seats[seat]
    who, about = (policy["name"] if seating.kind == MIXED else ""), policy.get("about", "")
    mark = share_mark(who, share.share, seating.games, about="" if seating.kind == TURNED else about)
    which = f"of {len(seating.seats)} seats" if len(quoted) > 1 else "seat"
    return Track(f"{words.sentence(seat_worth.seat(seat))} {which}", (mark,), is_range=False)


def _player_track(standing: Standing, skill: Skill) -> Track:
    mark = share_mark(standing.policy, standing.share.interval, skill.games, "other")
    return Track(f"{standing.policy}, in all seats", (mark,), is_range=False)


def _fairness(seating: Seating) -> str:
    """Return a clause on the seat that differs most from an equal share.

    For example: `the first of 4 seats wins 27 % of the games, 2.1 percentage points (1.0 to 3.2) more than an
    equal share`. If the games give no information about the seats, the clause gives the reason.
    """
    if seating.kind == MIXED:
        return "the seats have different players, so these games cannot separate seat from player"
    if seating.is_one_game:
        return (
            "all games are identical, because nothing in them is random, so they give no information about "
            "the seats"
        )
    return seat_worth.sentence(seating.seats, seating.omitted)


def _fairness_by_number(quoted: list[Seating]) -> str:
    """Return one clause for each number of players, on the seat that differs most from an equal share.

    For example: `the first of 2 seats wins 48.6 %; the fourth of 4 seats wins 29.5 %`. Line-ups of different
    policies and line-ups without a difference have no clause. If none remains, the clause is that of the
    first line-up.
    """
    told = [seating for seating in quoted if seating.kind != MIXED and seating.apart]
    return "; ".join(seat_worth.short_sentence(seating.seats) for seating in told) or _fairness(quoted[0])


# ================================================================ win share of a seat

TITLE = "Win share by seat"
ORDER = (MIRROR, TURNED, MIXED)  # most informative about seats first
FAIR = (
    "The equal share, 1 divided by the number of players, is known, so the difference from it has the same "
    "interval, shifted by it. With three or more seats, verdicts use intervals that are simultaneous over "
    "all seats "
    "(Goodman 1965; Bonferroni for rotations)."
)


class SeatShares(PageMeasure):
    """Win share of each seat compared with an equal share, for each line-up.

    The sentence quotes one line-up per number of players.
    """

    def said(self, study: Study) -> Iterator[Paragraph]:
        every = seatings(study)
        if quoted := by_number(every, study):
            is_for_two = len(quoted) == 1 and len(quoted[0].seats) == 2
            heading = "Is going first an advantage?" if is_for_two else "Does the seat matter?"
            yield paragraph(heading, [_quoted(seating, study) for seating in quoted])
        elif every:
            yield paragraph("Who wins?", [NOT_SEATS])

    def sections(self, study: Study) -> Iterator[View]:
        if len(seatings(study)) < 2:  # the main chart shows it
            return
        groups = grouped(seatings(study), lambda s: (ORDER.index(s.kind), len(s.seats), s.name))
        figures = []
        for key in sorted(groups, key=lambda key: key[:2]):
            alike = [group for other, group in groups.items() if other[:2] == key[:2]]  # these share an axis
            ends = share_axis(
                (share.share for group in alike for seating in group for share in seating.seats),
                (group[0].fair for group in alike),
            )
            figures.append(_figure(groups[key], study, ends))
        caption = (
            f"Share of the games that each seat wins, with its {words.CONFIDENCE} interval; the dashed line "
            f"is an equal share.{more_settings(study)}"
        )
        yield View(title=TITLE, caption=caption, blocks=tuple(figures), legend=setting_legend(study))

    def tables(self, study: Study) -> Iterator[Table]:
        every = seatings(study)
        most = max((len(seating.seats) for seating in every), default=0)
        truncated = any(seating.capped for seating in every)
        headers = (
            names.header(study),
            "Difference due to",
            "Games",
            *(f"The {seat_worth.seat(seat)} wins" for seat in range(most)),
            "Equal share",
            "Seats that differ from it",
            *["Truncated"] * truncated,
        )
        rows = (tuple(_row(seating, most, truncated, study)) for seating in every)
        yield Table(TITLE, " ".join(_caption(every)), headers, tuple(rows))

    def methods(self, study: Study) -> list[Method]:
        shares = ("Win share of a seat", f"{certainty.share_method(study)} {FAIR}")
        return [shares, *certainty.truncated(study)]

    def of_cell(self, finding: Finding, study: Study) -> Document:
        return {"seat_advantage": study.seats[finding.cell.id].document()}

    def of_study(self, study: Study) -> Document:
        return {"seatings": list(map(_document, seatings(study)))}


KEYS = ("seat", "role", "share", "advantage", "joint", "finding")  # the finding uses the joint interval


def _document(seating: Seating) -> Document:
    return {
        **fields_of(seating, "name", "kind", "games", "rotations", "capped", "drawn"),
        "about_seats": seating.kind != MIXED,
        "set": dict(seating.finding.cell.set),
        "fair_share": seating.fair,
        "seats": [fields_of(seat, *KEYS) for seat in seating.seats],
    }


# ---------------------------------------------------------------- in words

NOT_SEATS = (
    "These games cannot separate seats from players, because the seats have different policies. Use the same "
    "policy in every seat, or run with --rotate."
)


def _quoted(seating: Seating, study: Study) -> str:
    """Return a sentence on the seat that differs most from an equal share.

    For example: `Yes: with steward in every seat, the first of 3 players wins 35 % (34–36 %) of 20,000 games,
    1.9 percentage points (1.0 to 2.8) more than an equal share.`
    """
    players, share = len(seating.seats), (seating.apart or seating.seats)[0]
    under = names.under(seating.finding, study)
    where = f"with {seating.name}{f' ({under})' if under else ''},"
    wins = f"the {seat_worth.seat(share.seat)} of {players} players wins {_of_games(seating, share)}"
    if seating.apart:
        kind = "an advantage" if share.finding == ADVANTAGE else "a disadvantage"
        start = "Yes" if players > 2 else f"Going first is {kind}"
        return f"{start}: {where} {wins}, {seat_worth.from_equal(share)}."
    most = seat_worth.furthest(seating.seats)
    if players == 2:
        return (
            f"These games do not show an advantage in going first: {where} {wins}, at most {most} from an "
            "equal share."
        )
    return (
        f"These games do not show a difference between seats: {where} each of {players} players wins within "
        f"{most} of an equal share."
    )


def _of_games(seating: Seating, share: SeatShare) -> str:
    """Return a share with its number of games, such as `53.5 % (53.2–53.8 %) of 20,000 games`."""
    games = f"{words.many(seating.games, 'game')}{' with a winner' if seating.omitted else ''}"
    if seating.rotations > 1:
        games = f"{words.count(seating.games)} game numbers in {seating.rotations} rotations"
    truncated = truncated_games(seating.capped, "the range runs")
    return f"{words.share_with_limits(share.share)} of {games}{truncated}"


# ---------------------------------------------------------------- figures


def _figure(group: list[Seating], study: Study, ends: tuple[float, float]) -> Figure:
    """Return the figure of the shares of one line-up, under one setting or several.

    ends: ends of the axis.
    """
    colours = setting_colours(study)
    shown = [(seating, colours.get(names.under(seating.finding, study))) for seating in group]
    rows = []
    for seat in range(len(group[0].seats)):
        points = (dots.mark(seating.seats[seat].share, colour) for seating, colour in shown if colour)
        rows.append(dots.share_row(words.sentence(seat_worth.seat(seat)), points))
    return share_figure(_takeaway(group), rows, "of the games", ends, group[0].fair, _note(group))


def _takeaway(group: list[Seating]) -> str:
    """Return the title of a figure: `steward in every seat: the first of 3 seats wins 35 %`.

    For several settings, the title is only the name of the line-up.
    """
    seating = group[0]
    if len(group) > 1:
        return seating.name
    if seating.is_one_game:
        return f"{seating.name}: all games are identical"
    if not seating.apart:
        return f"{seating.name}: no significant difference between seats"
    return f"{seating.name}: {seat_worth.short_sentence(seating.seats)}"


def _note(group: list[Seating]) -> str:
    first = group[0]
    number = f"{'game numbers' if first.rotations > 1 else 'games'}{' each' if len(group) > 1 else ''}"
    games = of_games({seating.games for seating in group}, number)
    turned = f" in {first.rotations} rotations" if first.rotations > 1 else ""
    mixed = "; different policies: this is not the effect of the seat alone" if first.kind == MIXED else ""
    return f"{len(first.seats)} players; {games}{turned}{mixed}"


# ---------------------------------------------------------------- table


def _caption(every: list[Seating]) -> Iterator[str]:
    yield (
        f"Shares of the games with a winner, with {words.CONFIDENCE} intervals (not simultaneous). "
        "Whether a seat differs from an equal share is decided by intervals that are simultaneous for all "
        "seats."
    )
    if any(seating.rotations > 1 for seating in every):
        yield "Rotations of a line-up are combined by game number; their interval is Student t."
    if any(seating.kind == TURNED and seating.drawn for seating in every):
        yield "There, each seat gets an equal part of a game without a winner."
    if any(seating.kind == MIXED for seating in every):
        yield (
            "If different policies do not play in every seat, the effects of seat and player are confounded."
        )
    if any(seating.capped for seating in every):
        yield "With truncated games, ranges cover both extremes: none or all of them won."


def _row(seating: Seating, most: int, truncated: bool, study: Study) -> Iterator[Entry]:
    """Yield the cells of a seating's row.

    most: largest number of seats. truncated: whether there is a column of truncated games.
    """
    under = names.under(seating.finding, study)
    notes = [under, *names.unnamed(seating.finding, seating.name)]
    yield Entry(seating.name, ", ".join(filter(None, notes)))
    yield Entry("seats and players mixed" if seating.kind == MIXED else "seats", seating.kind)
    yield entries.turned(seating.games, seating.rotations)
    yield from (entries.share(share.share) for share in seating.seats)
    yield from [NONE] * (most - len(seating.seats))
    yield Entry(f"{words.number(seating.fair * 100, 1)}{words.NBSP}%")
    # `fourth −1.1 pp`, with simultaneous limits
    apart = [(seat_worth.seat(share.seat), *words.change(share.joint, 100)) for share in seating.apart]
    yield Entry(
        "; ".join(f"{seat} {by} {differences.PP}" for seat, by, _ in apart) or "none found",
        "; ".join(limits for *_, limits in apart),
    )
    if truncated:
        yield entries.count(seating.capped)
