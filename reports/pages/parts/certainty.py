"""Precision of the results on a page: sentences and methods that several kinds of page share."""

from collections.abc import Collection, Iterator
from typing import Any

from bartizan.analyses.records.comparison import changed_games
from bartizan.analyses.records.seating import LineUp
from bartizan.analyses.statistics.intervals import Interval
from bartizan.reports.blocks import Method
from bartizan.reports.pages.parts import facts
from bartizan.reports.study import Study
from bartizan.reports.text import differences, sentences, words
from bartizan.reports.text.sentences import one_game
from bartizan.simcore.reporting import CONFIDENCE

HOW_SURE = "Precision"


def how_sure(study: Study, what: str, shares: Collection[Interval], others: str, moves: str) -> Iterator[str]:
    """Yield sentences on the precision of the shares on a page, and on errors that intervals do not cover.

    what: name of the shares, such as `win rate of the games`. shares: the intervals; empty if the page is not
    about shares. others: sentence on other players. moves: results that may change if an assumption is wrong.
    """
    for finding in study.findings:
        if finding.tally.is_one_game and not study.is_one_game:  # otherwise the chart title says it
            yield f"{words.sentence(finding.name)}: {one_game(finding.games)}"
    shares = [share for share in shares if share.half_width]
    if shares:
        widest = max(shares, key=lambda share: share.half_width)
        yield (
            f"Each {what} on this page is accurate to ±{differences.half_width(widest)} or better "
            f"({words.CONFIDENCE} each). Figures from other runs show their own interval."
        )
    most = facts.most_assumed(study)
    if most.assumed:
        listed = "The assumptions are listed below. " if most.assumed_values else ""
        yield (
            f"{most.assumed} of the {words.count(sum(most.confidence.values()))} numbers and readings of the "
            f"game are assumptions{sentences.changed_by_user(most.confidence.get('changed', 0))}. {listed}If "
            f"they are wrong, the {moves} may change by more than the intervals show."
        )
    who = "" if study.is_imported else f" {others}"
    yield f"The intervals cover only the random variation of cards and dice.{who}"


def is_unclear(difference: Interval) -> bool:
    return difference.low <= 0 <= difference.high


def never_came_up(base: Any, changed: Any, players: str) -> str:
    """Return a note on two cells whose games are identical; "" for other cells."""
    games = changed_games(LineUp((base,)), LineUp((changed,)))
    if games is None or not games.is_none:
        return ""
    return f"every game is identical: the change {differences.never(games.of, players)}"


# ---------------------------------------------------------------- methods, each with its reference

PROPORTION = (
    "Wilson's score interval (1927); Clopper-Pearson's exact interval (1934), marked, if there are fewer "
    "than 15 games on one side."
)
SEQUENCE = (
    "beta-binomial confidence sequence (Robbins 1970; Howard et al. 2021), which is valid for any number of "
    "looks."
)
CUT_OFF = "bounds, from none of them won to all of them won (Blake and Gent 2019)."
GOODMAN = (
    "simultaneous multinomial intervals (Goodman 1965); Clopper-Pearson's exact intervals at the same joint "
    "level, marked, if there are few games on one side."
)
DKW = "Dvoretzky-Kiefer-Wolfowitz band (Massart 1990), which is simultaneous over the whole curve."
PAIRED = (
    "paired game by game on common random numbers: Student t, or exact tails (Blaker 2000) if few games "
    "differ; as independent samples (Newcombe 1998) if pairing does not help or the numbers of games differ."
)
INDEPENDENT = "Newcombe's interval (1998) of two confidence sequences, as independent."
SEVERAL: Method = (
    "Several comparisons",
    f"intervals are not simultaneous: about {words.level(1 - CONFIDENCE)} of them miss the true value.",
)
MEANS: list[Method] = [
    ("Means", "Student t interval."),
    ("Quantiles", "distribution-free intervals between two order statistics."),
]


def share_method(study: Study) -> str:
    return SEQUENCE if study.watched else PROPORTION


def difference_method(study: Study) -> str:
    """Return the method for comparing two cells of the sweep (`records.comparison.of_cells`)."""
    return INDEPENDENT if study.watched else PAIRED


def truncated(study: Study) -> list[Method]:
    some = any(finding.outcomes.capped for finding in study.findings)
    return [("Truncated games", CUT_OFF)] if some else []
