"""The form's column `the simulator says`: what a sweep answers to the questions a table is asked too."""

from collections.abc import Iterator, Mapping
from typing import Any

from bartizan.reports.study import Finding, Study, main_findings
from bartizan.reports.text import words

MOST_ENDINGS = 3


def document(study: Study, folder: str) -> dict[str, Any]:
    """Lines by question, and what they rest on: games, intervals, players."""
    of_levels = (main_findings(findings) for findings in study.levels.values())
    findings = [
        finding
        for level in of_levels
        for finding in level
        if {seat.policy for seat in finding.wins.seats} != {"random"}
    ]
    return {
        "folder": folder,
        "games": sum(finding.games for finding in findings),
        "level": study.level,
        "lines": {
            "win": [f"{finding.name}: {_wins(finding, study)}" for finding in findings],
            "score": [
                f"{finding.name}: {_middle(finding.scores)}"
                for finding in findings
                if finding.scores.quantiles
            ],
            "turns": [
                f"{finding.name}: {_middle(finding.length)}"
                for finding in findings
                if finding.length.quantiles
            ],
            "ending": [f"{finding.name}: {_ends(finding, study)}" for finding in findings],
        },
    }


def _wins(finding: Finding, study: Study) -> str:
    """Of the one player, or of each seat."""
    if len(finding.wins.seats) == 1:
        return f"wins {words.share_with_limits(finding.wins.first.win)}"
    seats = range(1, len(finding.wins.seats) + 1)
    called = [f"seat {n}" if study.is_alike else finding.wins.seats[n - 1].role for n in seats]
    won = (words.share_with_limits(seat.win) for seat in finding.wins.seats)
    return ", ".join(f"{who} wins {share}" for who, share in zip(called, won, strict=True))


def _middle(values: Any) -> str:
    """Scores or turns: the median, and where the middle half lies."""
    low, median, high = (values.quantiles[percent].estimate for percent in (25, 50, 75))
    return f"median {words.number(median)}, half of the games {words.span(low, high)}"


def _ends(finding: Finding, study: Study) -> str:
    ends = study.endings[finding.cell.id][:MOST_ENDINGS]
    return ", ".join(f"{end.name} {words.share_with_limits(end.share)}" for end in ends)


def method(d: Mapping[str, Any]) -> Iterator[str]:
    """What stands under the table."""
    yield (
        f"Games by computer policies, not people: {words.count(d['games'])} in {d['folder']}, "
        f"{words.level(d['level'])} intervals."
    )
