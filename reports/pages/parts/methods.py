"""What the methods of a report are called, each with its reference."""

from bartizan.analyses.statistics.intervals import CONFIDENCE
from bartizan.reports.blocks import Method
from bartizan.reports.study import Study
from bartizan.reports.text import words

PROPORTION = (
    "Wilson's score interval (1927); Clopper-Pearson's exact interval (1934), marked, where fewer than 10 "
    "games fall on one side."
)
SEQUENCE = (
    "beta-binomial confidence sequence (Robbins 1970; Howard et al. 2021), which may be looked at any number "
    "of times."
)
CUT_OFF = "bounds, from none of them won to all of them won (Blake and Gent 2019)."
GOODMAN = "simultaneous multinomial intervals (Goodman 1965)."
DKW = "Dvoretzky-Kiefer-Wolfowitz band (Massart 1990), which holds for the whole curve."
PAIRED = (
    "paired game by game on common luck, Student's t, with few games that differ exact tails (Blaker 2000); "
    "as independent (Newcombe 1998) where common luck is no help or the numbers of games differ."
)
INDEPENDENT = "Newcombe's interval (1998) of two confidence sequences, as independent."
SEVERAL: Method = (
    "Several comparisons",
    f"every interval holds on its own: of many, about {words.level(1 - CONFIDENCE)} miss.",
)
MEANS: list[Method] = [
    ("Means", "Student's t interval."),
    ("Quantiles", "distribution-free intervals between two order statistics."),
]


def shares(study: Study) -> str:
    return SEQUENCE if study.watched else PROPORTION


def differences(study: Study) -> str:
    """Of two cells of the sweep, see `records.comparison.of_cells`."""
    return INDEPENDENT if study.watched else PAIRED


def cut_off(study: Study) -> list[Method]:
    capped = any(finding.outcomes.capped for finding in study.findings)
    return [("Games cut off", CUT_OFF)] if capped else []


def first_times(study: Study) -> list[Method]:
    return [("First times", DKW)] if any(finding.firsts for finding in study.findings) else []
