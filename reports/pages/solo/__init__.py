"""The report of a game for one player, or for players together, against the game: how hard is it?"""

from bartizan.reports.pages.parts import methods as known
from bartizan.reports.pages.parts.methods import Method
from bartizan.reports.study import Study
from bartizan.reports.text import words


def methods(study: Study) -> list[Method]:
    """(job, method with its reference) for every method such a report uses."""
    found = [("Win, draw and loss rates", known.shares(study))]
    if any(finding.wins.first.capped for finding in study.findings):
        found.append(("Games cut off", known.CUT_OFF))
    if any(finding.scores.tiers or finding.losses.causes for finding in study.findings):
        found.append(("Victory tiers, causes of loss", known.GOODMAN))
    found += [*known.MEANS, ("Lost by turn", known.DKW)]
    return [*found, *_comparisons(study)] if len(study.findings) > 1 else found


def _comparisons(study: Study) -> list[Method]:
    several = known.SEVERAL.format(share=words.level(1 - study.level))
    return [("Differences of win rates", known.differences(study)), ("Several comparisons", several)]
