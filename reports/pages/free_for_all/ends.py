"""How a free-for-all ends: what ends them, and how often nobody wins.

Said only where games end in more than one way.
"""

from collections.abc import Iterator

from bartizan.analyses.records.outcomes import Ending
from bartizan.reports import entries
from bartizan.reports.blocks import Entry, Paragraph, Section, Table, paragraph
from bartizan.reports.pages.free_for_all.seatings import main_finding
from bartizan.reports.pages.parts import cells, names
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
    if len(reasons(study)) < 2:
        return None
    return paragraph("How do games end?", _sentences(main_finding(study), study))


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
    some = f" ({words.count(ending.drawn)} of them drawn)" if ending.drawn else ""
    return f"end by “{ending.name}”{', a draw' if ending.is_draw else some}"


def _draws(finding: Finding, study: Study) -> str:
    return f"{words.share_with_limits(finding.outcomes.draw.share)} ({names.plain_label(finding, study)})"


# ---------------------------------------------------------------- figure and table


def section(study: Study) -> Section:
    """Bars of who wins, with the draws; none where every game is won by somebody."""
    if not any(finding.outcomes.draw.games for finding in study.findings):
        return Section(TITLE, "")
    caption = (
        "Shares of all games, each line-up as it was seated. A dark line where the colour changes is the "
        f"{words.CONFIDENCE} interval of the share up to there. What ends the games, and how often, "
        "is in the table."
    )
    figure = cells.outcome_figure("", study.findings[: cells.MOST], study)
    rest = max(len(study.findings) - cells.MOST, 0)
    return Section(TITLE, caption, (figure,), cells.outcome_legend(study), rest)


def table(study: Study) -> Table | None:
    """One row a cell, one column a reason."""
    columns = reasons(study)
    if len(columns) < 2:
        return None
    caption = (
        f"Shares of all games. The {words.CONFIDENCE} intervals of the ends of a row hold together "
        "(Goodman); that of the draws holds on its own."
    )
    headers = (names.header(study), "Games", *map(words.title, columns), "Draws, however they end")
    return Table(TITLE, caption, headers, tuple(_row(finding, columns, study) for finding in study.findings))


def _row(finding: Finding, columns: list[str], study: Study) -> tuple[Entry, ...]:
    endings = {ending.name: ending for ending in study.endings[finding.cell.id]}
    draw = finding.outcomes.draw
    return (
        Entry(names.label(finding, study)),
        entries.count(finding.games),
        *(
            entries.proportion(endings[name].share, endings[name].games) if name in endings else Entry("0")
            for name in columns
        ),
        entries.proportion(draw.share, draw.games),
    )
