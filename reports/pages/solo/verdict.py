"""The answer first, in sentences, for a player against the game: how hard is each level, for whom, how sure
are we.
"""

from collections.abc import Iterator
from itertools import pairwise, takewhile

from bartizan.analyses.records import comparison
from bartizan.analyses.statistics.intervals import Interval
from bartizan.reports.pages.parts import names
from bartizan.reports.pages.parts.paragraphs import (
    Paragraph,
    assumed,
    is_unclear,
    known_to,
    luck_only,
    never_came_up,
    paragraph,
)
from bartizan.reports.study import Finding, Study, main_findings
from bartizan.reports.text import differences, words

NAMED = 3  # policies named after the best one


def verdict(study: Study) -> list[Paragraph]:
    if study.is_about_length:
        lengths = [paragraph(level, _length(findings, study)) for level, findings in study.levels.items()]
        return [*lengths, paragraph("How sure", _how_sure(study))]
    levels = [paragraph(level, _level(findings)) for level, findings in study.levels.items()]
    steps = list(_steps(study))
    between = [paragraph("From level to level", steps)] if steps else []
    return [*levels, *between, paragraph("How sure", _how_sure(study))]


# ---------------------------------------------------------------- one level


def _level(findings: list[Finding]):
    """The strongest policy's record, the others in one sentence, then what the variants change."""
    mains = main_findings(findings)
    ranked = sorted(mains, key=lambda finding: -finding.wins.first.win.estimate)
    best = ranked[0]
    yield _strongest(best, len(ranked))
    yield from _other_outcomes(best)
    if others := ranked[1:]:
        rest = f"; the other {len(others) - NAMED} win less, see the table" if len(others) > NAMED else ""
        yield f"{words.sentence('; '.join(_short(finding, best) for finding in others[:NAMED]))}{rest}."
    for variant in (finding for finding in findings if finding.player == best.player and finding is not best):
        yield _changed(best, variant)


def _length(findings: list[Finding], study: Study) -> Iterator[str]:
    """Where every game ends alike: how long it takes each player."""
    for finding in findings:
        length, time = finding.length, names.time(study)
        mean, limits = words.mean(length.turns, study.level)
        low, middle, high = (words.number(length.quantiles[q].estimate) for q in (5, 50, 95))
        yield (
            f"{words.title(finding.who)}: a game takes {mean} {time}s in the mean ({limits}), {middle} in "
            f"the median; nine games in ten take {low} to {high}, over {words.count(finding.games)} games."
        )
    how = "is won" if findings[0].wins.first.win.estimate else "is lost"
    yield f"Every game {how}, so that length is what differs."


def _strongest(finding: Finding, of: int) -> str:
    under = f" ({'; '.join(_rests(finding))})" if _rests(finding) else ""
    best = f", the best of the {of} policies played," if of > 1 else ""
    rough = words.in_ten(finding.wins.first.win)
    about = f"{rough}: " if rough else ""
    return f"{words.sentence(finding.player)}{under}{best} wins {about}{_chance(finding)}."


def _rests(finding: Finding) -> tuple[str, ...]:
    return tuple(dict.fromkeys(part for part in (finding.variant, *finding.rests_on) if part))


def _chance(finding: Finding) -> str:
    win = finding.wins.first.win
    odds = f", {words.one_in(win)}," if words.one_in(win) else ""
    return f"{words.share_with_limits(win)}{odds} of {words.count(finding.games)} games"


def _other_outcomes(finding: Finding):
    seat = finding.wins.first
    if seat.draws:
        yield (
            f"Not won: {words.share(seat.loss)} lost, {words.share(seat.draw)} "
            f"drawn{_meaning_of_draw(finding)}."
        )
    if seat.capped:
        yield (
            f"{words.count(seat.capped)} {'game was' if seat.capped == 1 else 'games were'} cut off before "
            "the end: the range covers both, all of them won and all of them lost."
        )
    if (middle := finding.scores.quantiles.get(50)) and finding.cell.tiers:
        yield f"The median score of the games not lost is {words.whole(middle)}."


def _meaning_of_draw(finding: Finding) -> str:
    least = getattr(finding.cell, "min_win_score", None)
    return "" if least is None else f" (not lost, but a score below {least})"


def _short(finding: Finding, best: Finding) -> str:
    win = finding.wins.first.win
    odds = f", {words.one_in(win)}" if words.one_in(win) else ""
    who = finding.player if finding.variant == best.variant else finding.who
    if not win.estimate:
        return f"{who} won none of {words.count(finding.games)}: {words.share(win)}{odds}"
    difference = comparison.of_cells(finding.cell, best.cell)
    tied = " (not distinguishable in these games)" if is_unclear(difference) else ""
    return f"{who} wins {words.share_with_limits(win)}{odds}{tied}"


def _changed(main: Finding, variant: Finding) -> str:
    """Side by side: what the other reading or setting does to the same policy."""
    change = comparison.of_cells(main.cell, variant.cell)
    start = (
        f"{words.sentence(variant.variant)} instead of {_without_subject(main.variant, variant.variant)}: "
        f"{variant.player} wins"
    )
    same = "" if change.estimate else never_came_up(main.cell, variant.cell, main.player)
    told = same or _difference(change, "more", "fewer")
    return f"{start} {words.share_with_limits(variant.wins.first.win)}, {told}."


def _without_subject(text: str, beside: str) -> str:
    """`Tactics cards: assumed set` beside `Tactics cards: blank` -> `assumed set`; of several settings all is
    said.
    """
    own, others = text.split(" "), beside.split(" ")
    shared = (
        0
        if ";" in text + beside
        else len(list(takewhile(lambda pair: pair[0] == pair[1], zip(own[:-1], others, strict=False))))
    )
    return " ".join(own[shared:])


def _difference(change: Interval, more: str, less: str) -> str:
    if is_unclear(change):
        return f"no difference that these games show ({differences.limits(change, least=1)})"
    return f"{differences.size(change)} {more if change.estimate > 0 else less}"


# ---------------------------------------------------------------- between levels


def _steps(study: Study):
    """For the strongest player of each level that the next level has too: what the step costs."""
    levels = list(study.levels.items())
    for (lower, before), (upper, after) in pairwise(levels):
        if pair := _same_player(before, after):
            yield _step(lower, upper, *pair)


def _same_player(before: list[Finding], after: list[Finding]) -> tuple[Finding, Finding] | None:
    there = {finding.player: finding for finding in main_findings(after)}
    shared = [
        (finding, there[finding.player]) for finding in main_findings(before) if finding.player in there
    ]
    return max(shared, key=lambda pair: pair[0].wins.first.win.estimate, default=None)


def _step(lower: str, upper: str, before: Finding, after: Finding) -> str:
    change = comparison.of_cells(before.cell, after.cell)
    if is_unclear(change):
        return (
            f"For {after.player}, these games do not distinguish {upper} from {lower} (win rate "
            f"{differences.limits(change, least=1)})."
        )
    harder, way = ("harder", "lower") if change.estimate < 0 else ("easier", "higher")
    return (
        f"For {after.player}, {upper} is {harder} than {lower}: the win rate is {differences.size(change)} "
        f"{way}{_named(after)}."
    )


def _named(finding: Finding) -> str:
    rests = _rests(finding)
    return f", with {', '.join(rests)}" if rests else ""


# ---------------------------------------------------------------- how sure


def _how_sure(study: Study) -> Iterator[str]:
    if not study.is_about_length:
        yield known_to(
            "win rate of the games", (finding.wins.first.win for finding in study.findings), study.level
        )
    yield luck_only("a person may do better or worse")
    yield from assumed(study, "rates")
