"""The validity card of a page: five facts about the reliability of its numbers."""

from collections.abc import Iterator, Mapping
from pathlib import Path

from bartizan.analyses.validation.card import ValidityCard, card
from bartizan.reports.pages.parts import facts
from bartizan.reports.study import Study
from bartizan.reports.text import sentences, words
from bartizan.simcore.documentation import page
from bartizan.simcore.game import game_names

EXAMPLES = Path(__file__).parents[3] / "examples"


def of(game: str, named: str, confidence: Mapping[str, int]) -> ValidityCard:
    """Return the validity card of a game. named: name or path of the game in commands.

    A file outside the examples counts as a user's game.
    """
    is_shipped = named in game_names() or EXAMPLES in Path(named).resolve().parents
    return card(game, is_shipped, confidence)


def of_study(study: Study) -> ValidityCard:
    """Return the card of the cell with the most assumptions.

    For imported records, the card has only the intervals.
    """
    if study.is_imported:
        return card(study.manifest["game"], False, {})
    return of(study.manifest["game"], study.named, facts.most_assumed(study).confidence)


def lines_of_study(study: Study) -> list[str]:
    """Return the lines of a sweep's card.

    For imported records, these are a note that Bartizan did not check the games, and the line on intervals.
    """
    if not study.is_imported:
        return lines(of_study(study))
    return [
        "Rules and players: those of the program that wrote the records. Bartizan neither simulated nor "
        "checked these games.",
        _intervals(of_study(study)),
    ]


def lines(found: ValidityCard) -> list[str]:
    return [*_lines(found)]


def _lines(found: ValidityCard) -> Iterator[str]:
    if one := found.reference:
        yield (
            f"Rules: {words.many(one.games, 'game')} ({words.count(one.actions)} actions) compared with an "
            f"independent reference implementation, {one.differences or 'no'} "
            f"{'difference' if one.differences == 1 else 'differences'} ({one.date}, commit {one.commit})."
        )
    else:
        yield (
            "Rules: not compared with a reference implementation. `bartizan check` tests the game against "
            "the engine contract."
        )
    if found.exact:
        met = sum(row.holds for row in found.exact)
        rows = (f"{row.what} {row.exact:.4f}, simulated {row.estimate:.4f}" for row in found.exact)
        yield (
            f"Exact results: {met} of {len(found.exact)} are inside the simulated 95{words.NBSP}% interval: "
            f"{'; '.join(rows)}."
        )
    else:
        yield "Exact results: none known for this game."
    yield _intervals(found)
    if found.data:
        share = found.assumed / found.data
        yield (
            f"Data: {words.count(found.assumed)} of {words.count(found.data)} numbers and readings of rules "
            f"are assumptions ({share * 100:.0f}{words.NBSP}%){sentences.changed_by_user(found.changed)}."
        )
    yield f"Prediction error on held-out plays by people: {found.people or 'not measured for this game'}."


def _intervals(found: ValidityCard) -> str:
    return (
        f"Intervals: {_coverage(found)} Full table: {page('validity')}. To check on your machine, run "
        "`bartizan doctor --validate`."
    )


def _coverage(found: ValidityCard) -> str:
    if (one := found.coverage) is None:
        return "coverage not recorded."
    below = f"; below target: {', '.join(one.below)}" if one.below else ""
    return (
        f"of {one.methods} trials, the coverage farthest below nominal is "
        f"{one.smallest * 100:.1f}{words.NBSP}% instead of {one.nominal * 100:.0f}{words.NBSP}% "
        f"({one.method}, {one.at}{below}; {one.date}, commit {one.commit})."
    )
