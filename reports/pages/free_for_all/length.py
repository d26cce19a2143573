"""How long games take: in sentences, in pictures. The table is `parts/lengths.py`."""

from collections.abc import Iterator

from bartizan.analyses.records.outcomes import Spread
from bartizan.reports.blocks import Section
from bartizan.reports.figures.theme import CLEAR
from bartizan.reports.pages.free_for_all import spreads
from bartizan.reports.pages.free_for_all.seatings import main_finding
from bartizan.reports.pages.parts import names
from bartizan.reports.study import Finding, Study
from bartizan.reports.text import words

FEW = 3  # settings told one by one


def sentences(study: Study) -> Iterator[str]:
    first, time = main_finding(study), names.time(study)
    where = f" ({names.plain_label(first, study)})" if len(study.findings) > 1 else ""
    yield f"{words.sentence(_half(first, time))}{where}, of {words.count(first.games)} games."
    if first.length.capped:
        yield (
            f"{words.count(first.length.capped)} of them were cut off; they count with the length they had "
            "reached."
        )
    others = [other for other in study.findings if other is not first and other.player == first.player]
    if len(others) <= FEW:
        yield from (f"{names.label(finding, study)}: {_half(finding, time)}." for finding in others)
    else:
        yield _in_short(others, study)
    if len(study.findings) > 1 + len(others):
        yield "The table below has every cell."


def _half(finding: Finding, time: str) -> str:
    """Median and the middle nine tenths."""
    quantiles = finding.length.quantiles
    ends = f"9 in 10 between {time} {words.whole(quantiles[5])} and {time} {words.whole(quantiles[95])}"
    return f"half of the games are over by {time} {words.whole(quantiles[50])}, {ends}"


def _in_short(findings: list[Finding], study: Study) -> str:
    """From the shortest to the longest median."""
    time = names.time(study)
    least, most = (
        f"{time} {words.whole(finding.length.quantiles[50])} ({', '.join(names.settings(finding, study))})"
        for finding in words.ends(findings, key=lambda finding: finding.length.quantiles[50].estimate)
    )
    return f"With other settings half of the games are over by {least} to {most}."


def section(study: Study) -> Section:
    time = f"{names.time(study)}s"
    caption = f"How many {time} a game takes, as a share of all games."
    if any(finding.length.capped for finding in study.findings):
        caption += " Games cut off stand where they were cut off."
    lengths = {
        finding.cell.id: Spread(finding.games, length.values, length.counts, length.turns, length.quantiles)
        for finding in study.seated_once
        if (length := finding.length)
    }
    return spreads.section("Length", caption, time, CLEAR, lengths, study)
