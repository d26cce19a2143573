"""How a free-for-all ends: what ends them, and how often nobody wins.

Said only where games end in more than one way.
"""

from collections.abc import Iterator

from bartizan.analyses.records.outcomes import Ending
from bartizan.reports import entries
from bartizan.reports.blocks import Entry, Table
from bartizan.reports.figures import outcome_bars
from bartizan.reports.pages.free_for_all import names
from bartizan.reports.pages.free_for_all.seatings import main_finding
from bartizan.reports.pages.parts import cells
from bartizan.reports.pages.parts.paragraphs import Paragraph, paragraph
from bartizan.reports.pages.parts.pictures import Section, left_out, limited, one_group, picture
from bartizan.reports.study import Finding, Study
from bartizan.reports.text import words

TITLE = "How games end"


def reasons(study: Study) -> list[str]:
    """Those that happened anywhere, commonest first."""
    games: dict[str, int] = {}
    for finding in study.findings:
        for ending in study.endings[finding.cell.id]:
            games[ending.name] = games.get(ending.name, 0) + ending.games
    return sorted(games, key=lambda name: -games[name])


# ---------------------------------------------------------------- in sentences


def answer(study: Study) -> Paragraph | None:
    found = list(_sentences(main_finding(study), study)) if len(reasons(study)) > 1 else []
    return paragraph("How do games end?", found) if found else None


def _sentences(quoted: Finding, study: Study) -> Iterator[str]:
    """First the setting that is quoted, then how often nobody wins in the others."""
    parts = [
        f"{words.share_with_limits(ending.share)} {_called(ending)}"
        for ending in study.endings[quoted.cell.id]
    ]
    yield f"Of {words.count(quoted.games)} games ({names.plain_label(quoted, study)}) {words.listing(parts)}."
    others = [finding for finding in study.findings if finding is not quoted]
    if any(finding.outcomes.draw.games for finding in others):
        least, most = words.ends(others, key=lambda finding: finding.outcomes.draw.games / finding.games)
        low, high = _draws(least, study), _draws(most, study)
        yield f"Draws elsewhere: {high if least is most else f'from {low} to {high}'}."


def _called(ending: Ending) -> str:
    """`end by "turn limit", a draw`"""
    drawn = (
        ", a draw"
        if ending.is_draw
        else f" ({words.count(ending.drawn)} of them drawn)"
        if ending.drawn
        else ""
    )
    return f"end by “{ending.name}”{drawn}"


def _draws(finding: Finding, study: Study) -> str:
    return f"{words.share_with_limits(finding.outcomes.draw.share)} ({names.plain_label(finding, study)})"


# ---------------------------------------------------------------- picture and table


def section(study: Study) -> Section:
    """Bars of who wins, with the draws; none where every game is won by somebody."""
    if not any(finding.outcomes.draw.games for finding in study.findings):
        return Section(TITLE, "", ())
    rows = [
        outcome_bars.OutcomeBar(names.label(finding, study), finding.outcomes)
        for finding in limited(study.findings, cells.MOST)
    ]
    caption = (
        "Shares of all games, each line-up as it was seated. A dark line where the colour changes is the "
        f"{words.level(study.level)} interval of the share up to there. What ends the games, and how often, "
        "is in the table."
    )
    drawn = picture("", "", outcome_bars.draw(rows), "ends", outcome_bars.describe(rows))
    rest = left_out(study.findings, cells.MOST)
    return Section(TITLE, caption, one_group([drawn]), cells.outcome_legend(study), rest)


def table(study: Study) -> Table | None:
    """One row a cell, one column a reason."""
    columns = reasons(study)
    if len(columns) < 2:
        return None
    caption = (
        f"Shares of all games. The {words.level(study.level)} intervals of the ends of a row hold together "
        "(Goodman); that of the draws holds on its own."
    )
    headers = (names.NAME, "Games", *map(words.title, columns), "Draws, however they end")
    return Table(TITLE, caption, headers, tuple(_row(finding, columns, study) for finding in study.findings))


def _row(finding: Finding, columns: list[str], study: Study) -> tuple[Entry, ...]:
    found = {ending.name: ending for ending in study.endings[finding.cell.id]}
    draw = finding.outcomes.draw
    return (
        Entry(names.label(finding, study)),
        entries.count(finding.games),
        *(_entry(found.get(name)) for name in columns),
        entries.proportion(draw.share, draw.games),
    )


def _entry(ending: Ending | None) -> Entry:
    return entries.proportion(ending.share, ending.games) if ending else Entry("0")
