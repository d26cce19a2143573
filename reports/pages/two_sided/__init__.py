"""The report of a game for two or more sides: who wins, how, how soon.

Nobody is "the player" here, and no side is the one that loses.
"""

from bartizan.reports.pages import facts
from bartizan.reports.study import Study


def methods(study: Study) -> list[tuple[str, str]]:
    """(job, method with its reference) for every method such a report uses."""
    findings = study.findings
    found = [("Shares of games", facts.SEQUENCE if study.watched else facts.PROPORTION)]
    if any(finding.outcomes.capped for finding in findings):
        found.append(("Games cut off", facts.CUT_OFF))
    if any(finding.losses.causes for finding in findings):
        found.append(("Causes of loss", facts.GOODMAN))
    found += [("Means", facts.STUDENT), ("Quantiles", facts.ORDER)]
    if any(finding.firsts for finding in findings):
        found.append(("First times", facts.DKW))
    several = [("Differences of shares", facts.NEWCOMBE)] if len(findings) > 1 else []
    return [
        *found,
        *several,
        ("Several comparisons", facts.SEVERAL.format(share=f"{(1 - study.level) * 100:g} %")),
    ]
