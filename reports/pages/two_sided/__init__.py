"""The report of a game for two or more sides: who wins, how, how soon.

Nobody is "the player" here, and no side is the one that loses.
"""

from bartizan.reports.pages.parts import methods as known
from bartizan.reports.pages.parts.methods import Method
from bartizan.reports.study import Study


def methods(study: Study) -> list[Method]:
    """(job, method with its reference) for every method such a report uses."""
    found = [("Shares of games", known.shares(study)), *known.cut_off(study)]
    if any(finding.losses.causes for finding in study.findings):
        found.append(("Causes of loss", known.GOODMAN))
    found += [*known.MEANS, *known.first_times(study)]
    if len(study.findings) > 1:
        found.append(("Differences of shares", known.differences(study)))
    return [*found, *known.several(study)]
