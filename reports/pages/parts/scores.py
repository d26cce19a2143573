"""Scores, and other numbers that a game ends with."""

from collections.abc import Sequence

from bartizan.analyses.records.quantities import Scores
from bartizan.reports import entries
from bartizan.reports.blocks import Entry, Table
from bartizan.reports.figures import score_bars
from bartizan.reports.pages.parts import names
from bartizan.reports.pages.parts.pictures import Section, left_out, limited, one_group, picture
from bartizan.reports.study import Finding, Study
from bartizan.reports.text import words

QUANTILES = (5, 25, 50, 75, 95)
NUMBERS = ("Mean", "Spread (sd)", "5 %", "25 %", "Median", "75 %", "95 %", "Least to greatest")

# ---------------------------------------------------------------- pictures


def section(study: Study, most: int) -> Section:
    """`most`: pictures in it."""
    what, title = names.scores(study), _title(study)
    scored = _scored(study.seated_once)
    if not scored:
        return Section(title, "", ())
    span, highest = axes(scored)
    pictures = [
        picture(
            names.label(finding, study),
            f"{words.count(finding.scores.mean.n)} games",
            score_bars.draw(finding, span, highest, what),
            f"score-{index}",
            score_bars.describe(finding),
        )
        for index, finding in enumerate(limited(scored, most))
    ]
    caption = f"A bar for every number of {what}, as a share of all games."
    return Section(title, caption, one_group(pictures), left_out=left_out(scored, most))


def axes(scored: list[Finding]) -> tuple[tuple[int, int], float]:
    """Of all pictures of scores: least and greatest score, and the highest share of the games."""
    span = min(f.scores.values[0] for f in scored), max(f.scores.values[-1] for f in scored)
    return span, max(max(f.scores.counts) / f.games for f in scored)


def _scored(findings: Sequence[Finding]) -> list[Finding]:
    """Those with scores; none where every score is 0: a game that only knows who wins."""
    scored = [finding for finding in findings if finding.scores.values]
    return scored if any(any(finding.scores.values) for finding in scored) else []


def _title(study: Study) -> str:
    what = names.scores(study)
    return "Scores" if what == "scores" else f"{words.sentence(what)} in a game"


# ---------------------------------------------------------------- table


def table(study: Study) -> Table | None:
    """One row a cell."""
    scored = _scored(study.findings)
    if not scored:
        return None
    is_score = names.scores(study) == "scores"
    rows = tuple((names.row_name(f, study), *row(f.scores, study)) for f in scored)
    headers = (names.SETTING, "Games with a score" if is_score else "Games", *NUMBERS)
    return Table(_title(study), caption(study, is_score), headers, rows)


def caption(study: Study, is_score: bool = True) -> str:
    return f"{'Only games that ended with a score. ' if is_score else ''}{entries.interval_note(study.level)}"


def row(score: Scores, study: Study) -> tuple[Entry, ...]:
    """The games that have one, and their numbers."""
    return (
        entries.count(score.mean.n),
        entries.mean(score.mean, study.level),
        Entry("–" if score.mean.sd is None else f"{score.mean.sd:.1f}"),
        *(entries.quantile(score.quantiles[q]) for q in QUANTILES),
        Entry(f"{words.number(score.values[0])} to {words.number(score.values[-1])}"),
    )
