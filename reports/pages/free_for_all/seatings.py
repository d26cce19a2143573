"""How each seat does, one answer for each line-up and setting: from mirror games, from rotations put
together, or from a cell as it was seated.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from bartizan.analyses.records.seating import NONE_FOUND, LineUp, SeatShare, Skill
from bartizan.reports.study import Finding, Study
from bartizan.reports.text import words

MIRROR, TURNED, MIXED = (
    "the same policy in every seat",
    "seats turned round: everybody sat in every seat",
    "different policies, seats not turned round",
)


@dataclass(frozen=True)
class Seating:
    name: str  # who sits there
    kind: str
    finding: Finding  # a cell of it: level and settings
    games: int  # behind each share; for rotations, game numbers
    rotations: int
    capped: int
    drawn: int
    seats: tuple[SeatShare, ...]

    @property
    def fair(self) -> float:
        return 1 / len(self.seats)

    @property
    def speaks_of_seats(self) -> bool:
        return self.kind != MIXED

    @property
    def first(self) -> SeatShare:
        return self.seats[0]

    @property
    def apart(self) -> list[SeatShare]:
        """Seats that win more or less than an equal share, as far as these games tell; the furthest first.

        Two seats mirror each other: the first stands for both.
        """
        seats = self.seats[:1] if len(self.seats) == 2 else self.seats
        return sorted(
            (share for share in seats if share.finding != NONE_FOUND),
            key=lambda share: -abs(share.advantage.estimate),
        )


def seatings(study: Study) -> list[Seating]:
    """In the order of the sweep."""
    turned = {skill.line_up.cells[0].id: skill for skill in study.skills}
    return [
        seating
        for line_up in study.line_ups
        for seating in _of(line_up, turned.get(line_up.cells[0].id), study)
        if seating.seats
    ]


def _of(line_up: LineUp, skill: Skill | None, study: Study) -> Iterator[Seating]:
    by_id = {finding.cell.id: finding for finding in study.findings}
    findings = [by_id[cell.id] for cell in line_up.cells]
    if skill:
        yield _turned(line_up, skill, findings, study)
    else:
        yield from (_as_seated(finding, study) for finding in findings)


def _turned(line_up: LineUp, skill: Skill, findings: list[Finding], study: Study) -> Seating:
    return Seating(
        name=f"{line_up.name}, seats turned round",
        kind=TURNED,
        finding=findings[0],
        games=skill.games,
        rotations=skill.rotations,
        capped=skill.capped,
        drawn=sum(finding.games - study.seats[finding.cell.id].counted for finding in findings),
        seats=skill.seats,
    )


def _as_seated(finding: Finding, study: Study) -> Seating:
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
    """The one to quote: what best tells seats from players.

    Mirror games of the strongest policy known, else rotations; of several settings the base.
    """
    ranks = {
        standing.policy: rank
        for skill in reversed(study.skills)
        for rank, standing in enumerate(skill.standings)
    }
    mirrors = [seating for seating in every if seating.kind == MIRROR]
    if mirrors:
        return min(
            mirrors,
            key=lambda seating: (
                ranks.get(seating.name.removesuffix(" in every seat"), len(ranks)),
                bool(seating.finding.cell.set),
            ),
        )
    return next((seating for seating in every if seating.kind == TURNED), None)


def main_finding(study: Study) -> Finding:
    """The cell to quote."""
    quoted = main(seatings(study), study)
    return quoted.finding if quoted else study.findings[0]


def equal_share(seats: int) -> str:
    """`33.3 %`"""
    return f"{words.number(100 / seats, 0 if 100 % seats == 0 else 1)}{words.NBSP}%"


def cut_off(games: int, subject: str, runs: str) -> str:
    """What a share says of games cut off; "" without any. subject: `games were`; runs: `each range runs`."""
    if not games:
        return ""
    return f"; {words.count(games)} {subject} cut off, and {runs} from none of them to all of them"
