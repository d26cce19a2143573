"""Paragraphs of a verdict: the answer first, in sentences; every number comes from the study."""

from collections.abc import Iterable
from dataclasses import dataclass

from bartizan.analyses.statistics.intervals import Interval
from bartizan.reports.study import Study
from bartizan.reports.text import words


@dataclass(frozen=True)
class Paragraph:
    """A heading, the sentence that answers it, and what a careful reader wants beside it."""

    heading: str
    answer: str
    details: tuple[str, ...]

    @property
    def text(self) -> str:
        return " ".join((self.answer, *self.details))


def paragraph(heading: str, sentences: Iterable[str]) -> Paragraph:
    answer, *details = sentences
    return Paragraph(heading, answer, tuple(details))


def margin(half_width: float) -> str:
    """`0.7 points`: a half-width, of a share."""
    text = f"{half_width * 100:.{words.digits_for(half_width * 100)}f}"
    return f"{text} {'point' if text == '1' else 'points'}"


def known_to(what: str, half_width: float, level: float) -> str:
    """How sure every share of the page is at least. half_width: the widest."""
    return (
        f"Every {what} above is known to within {margin(half_width)} or better, at {words.level(level)} "
        "each; ranges in brackets show it."
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
        f"{what} move by more than the ranges say."
    ]


def is_unclear(difference: Interval) -> bool:
    return difference.low <= 0 <= difference.high


def signed(share: float) -> str:
    """A limit of a difference of two shares: `−0.4`, in points."""
    return f"{share * 100:+.{2 if abs(share) < 0.001 else 1}f}".replace("-", "−")
