"""Sentences that the verdicts of several kinds of page have in common."""

from collections.abc import Iterable
from typing import Any

from bartizan.analyses.records.comparison import changed_games
from bartizan.analyses.records.seating import LineUp
from bartizan.analyses.statistics.intervals import Interval
from bartizan.reports.study import Study
from bartizan.reports.text import differences, words


def known_to(what: str, shares: Iterable[Interval]) -> str:
    """How sure each share of the page's own games is at least; what: `win rate of the games`."""
    widest = max(shares, key=lambda share: share.half_width)
    return (
        f"Every {what} played here is known to within {differences.half_width(widest)} or better, at "
        f"{words.CONFIDENCE} each; ranges in brackets show it, and those of other numbers."
    )


def luck_only(others: str) -> str:
    """What the ranges do not hold. others: who may bring what else."""
    return f"That is the luck of cards and dice only. The players are computer policies: {others}."


def assumed(study: Study, what: str) -> list[str]:
    """How much of the games is assumption, if any is; what: the shares that it moves."""
    most = max((finding.cell for finding in study.findings), key=lambda cell: cell.assumed)
    if not most.assumed:
        return []
    return [
        f"{most.assumed} of the {words.count(sum(most.confidence.values()))} numbers and readings behind the "
        "games are assumptions; those that bear on these games are listed below: if they are wrong, the "
        f"{what} may move by more than the ranges say."
    ]


def is_unclear(difference: Interval) -> bool:
    return difference.low <= 0 <= difference.high


def never_came_up(base: Any, changed: Any, players: str) -> str:
    """What is said of two cells of which every game is the same; "" of others."""
    found = changed_games(LineUp((base,)), LineUp((changed,)))
    if found is None or not found.is_none:
        return ""
    return f"every game is the same: the change {differences.never(found.of, players)}"
