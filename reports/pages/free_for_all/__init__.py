"""The report of a free-for-all: what a seat is worth, who plays better, what a setting
changes, who goes out.
"""

from bartizan.reports.pages.parts import methods as known
from bartizan.reports.pages.parts.methods import Method
from bartizan.reports.study import Study

FAIR = (
    "The equal share, 1 in as many as play, is known: the difference from it has the same interval, moved by "
    "it. With three seats or more every seat is judged "
    "by intervals that hold for all of them together (Goodman 1965; Bonferroni for rotations)."
)
SKILL = (
    "the line-up sits in all its rotations, each game number with the same luck; a game number gives one "
    "value, the mean over its rotations, and Student's t interval is that of "
    "these values. Where fewer than 100 of them differ from the commonest: exact tails (Blaker 2000)."
)
EFFECTS = (
    "the same game numbers on common luck, paired (paired t; Law & Kelton, Simulation Modeling and "
    "Analysis); where fewer than 100 games differ exact tails "
    "(Blaker 2000). Interval and p come from the same method."
)
ADJUSTED = (
    "p-values adjusted for all effects of the table (Benjamini and Hochberg 1995); an effect is called one "
    "when this is below 0.05."
)


def methods(study: Study) -> list[Method]:
    """(job, method with its reference) for every method such a report uses."""
    found = [("Win share of a seat", f"{known.shares(study)} {FAIR}"), *known.cut_off(study)]
    if study.skills:
        found.append(("Who plays better", SKILL))
    if any(len(endings) > 1 for endings in study.endings.values()):
        found.append(("How games end", known.GOODMAN))
    if study.effects:
        found += [("What a setting changes", EFFECTS), ("Several effects", ADJUSTED)]
    return [*found, *known.MEANS, *known.first_times(study), *known.several(study)]
