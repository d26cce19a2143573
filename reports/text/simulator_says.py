"""The form's column `the simulator says`: what a sweep answers to the questions a table is asked too."""

from collections.abc import Iterator, Mapping
from typing import Any

from bartizan.reports.study import Finding, Study, main_findings
from bartizan.reports.text import words

MOST_ENDINGS = 3


def document(found: Study, folder: str) -> dict[str, Any]:
    """Lines by question, and what they rest on: games, intervals, players."""
    of_levels = (main_findings(findings) for findings in found.levels.values())
    findings = [one for level in of_levels for one in level if not _is_random(one)]
    return {
        "folder": folder,
        "games": sum(one.games for one in findings),
        "level": found.level,
        "lines": {
            "win": [f"{one.name}: {_wins(one, found)}" for one in findings],
            "score": [f"{one.name}: {_middle(one.scores)}" for one in findings if one.scores.quantiles],
            "turns": [f"{one.name}: {_middle(one.length)}" for one in findings if one.length.quantiles],
            "ending": [f"{one.name}: {_ends(one, found)}" for one in findings],
        },
    }


def _is_random(one: Finding) -> bool:
    return {seat.policy for seat in one.wins.seats} == {"random"}


def _wins(one: Finding, found: Study) -> str:
    """Of the one player, or of each seat."""
    if len(one.wins.seats) == 1:
        return f"wins {words.share_with_limits(one.wins.first.win)}"
    seats = range(1, len(one.wins.seats) + 1)
    called = [f"seat {n}" if found.is_alike else one.wins.seats[n - 1].role for n in seats]
    won = (words.share_with_limits(seat.win) for seat in one.wins.seats)
    return ", ".join(f"{who} wins {share}" for who, share in zip(called, won, strict=True))


def _middle(values: Any) -> str:
    """Scores or turns: the median, and where the middle half lies."""
    low, median, high = (values.quantiles[percent].estimate for percent in (25, 50, 75))
    return f"median {words.number(median)}, half of the games {words.span(low, high)}"


def _ends(one: Finding, found: Study) -> str:
    ends = found.endings[one.cell.id][:MOST_ENDINGS]
    return ", ".join(f"{end.name} {words.share_with_limits(end.share)}" for end in ends)


def method(d: Mapping[str, Any]) -> Iterator[str]:
    """What stands under the table."""
    yield (
        f"Games by computer policies, not people: {words.count(d['games'])} in {d['folder']}, "
        f"{words.level(d['level'])} intervals."
    )
