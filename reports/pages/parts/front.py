"""Below the picture that answers, on page 1: which change moves the result most and what that costs in print,
and what games by computer policies cannot know.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from typing import Any

from bartizan.analyses.statistics.intervals import NO_INTERVAL, Interval
from bartizan.reports import views
from bartizan.reports.blocks import Paragraph, paragraph
from bartizan.reports.study import Finding, Study
from bartizan.reports.text import banner, changes, printed, words
from bartizan.simcore.commands import command_of
from bartizan.simcore.reporting import CONFIDENCE
from bartizan.simcore.scenario.parameters import is_guess, title

SHORT = "In short"
MOVES, COSTS, UNKNOWN = "What would move it most", "In print", "What this cannot know"
NOT_FUN = "Whether it is fun, how long it takes to explain, and what is said across the table."
UNJUDGED = "Whether that is too hard: nobody has written down how hard it is meant to be."
CLAIM_IT = "`bartizan report DIR --claims PLAN.toml` judges it by what you write down."
WHOSE = "What people do: the players are computer policies, not people."
POLICIES = "The players are computer policies, not people: people may do better, worse, or something else."
OPEN_WHICH = "Some of the values looked at move it, but these games do not show which moves it most."
NOTHING_CLEAR = "Of the values looked at none moves it by an amount that is distinguishable from zero."
GUESS = "The value itself is a guess: settle it first."


def of_study(study: Study) -> list[Paragraph]:
    """What stands below the picture that answers."""
    people = [views.people_skill.read(answer) for answer in study.plays_by_people]
    parts = [(views.people_skill.HEADING, list(chain(*map(_people, people))))] if people else []
    parts += [
        (MOVES, list(_moves(study))),
        (UNKNOWN, [*_unjudged(study), NOT_FUN, *([] if people or study.is_imported else [WHOSE])]),
    ]
    return [paragraph(heading, sentences) for heading, sentences in parts if sentences]


def _people(each: views.people_skill.PeopleDocument) -> Iterator[str]:
    """How they play, and how long a game takes them where the plays tell."""
    yield f"{views.people_skill.title(each)}.{f' {views.people_skill.MADE_UP}' if each.made_up else ''}"
    if each.minutes and each.minutes.levels:
        yield views.people_minutes.headline(each.minutes)


def _unjudged(study: Study) -> Iterator[str]:
    """How hard it is meant to be is the designer's to say."""
    if not (study.claims or study.is_contest or study.is_about_length):
        yield from (UNJUDGED, CLAIM_IT)


def of_two(change: Sequence[Mapping[str, Any]], assumed: str) -> list[Paragraph]:
    """Of a comparison. change: its rows; assumed: how much of it is."""
    return [
        paragraph(COSTS, dict.fromkeys(map(printed.cost, change))),
        paragraph(UNKNOWN, [NOT_FUN, POLICIES, assumed]),
    ]


# ---------------------------------------------------------------- the change that moves it most


def _moves(study: Study) -> Iterator[str]:
    """The most influential value known, at the hardest level first: of the folder or shipped, else of the
    reconstruction it is. Of imported records: nothing, because no command can change and play their game.
    """
    if study.is_imported:
        yield "Not known: records show only what was varied in them."
        return
    documents = [each for each in study.known_sensitivities[::-1] if each.get("influences")]
    clear = [each for each in documents if each["influences"][0]["is_clear"]]
    clear = [each for each in clear if banner.leads(_quoted(each["influences"][0]))]
    if clear:
        first, *others = _levers(clear)
        yield first
        yield from _in_print(clear[0]["influences"][0])
        yield from others
    elif documents:
        some = any(row["is_clear"] for each in documents for row in each["influences"])
        yield OPEN_WHICH if some else NOTHING_CLEAR
    elif influence := (study.banner or {}).get("influence"):
        yield words.title(f"{banner.influence(study.banner or {}, '')}.")
        if influence["is_clear"] and banner.leads(influence["difference"]):
            yield from (printed.cost(influence), GUESS)
    elif study.findings:
        yield "Not asked yet."
        command = _command("sensitivity", study.findings[0], study)
        yield f"`{command} -o DIR` asks which value moves it most, and keeps the answer for this report."
    if study.findings and not study.is_about_length:
        hardest = min(study.findings[::-1], key=lambda finding: len(finding.changes))
        command = _command("tune", hardest, study, target=["win_rate=0.3"])
        yield f"What a change would cost is not asked yet: `{command}` finds the cheapest that hits a target."


def _command(name: str, finding: Finding, study: Study, **options: Any) -> str:
    """That asks about the game of a cell."""
    cell, scenario = finding.cell, study.manifest.get("scenario_as_named")
    level = cell.difficulty or None
    return command_of(name, study.named, scenario=scenario, difficulty=level, set=cell.set, **options)


def _levers(documents: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """What the most influential value of each sensitivity does; the first is said in full."""
    for document in documents:
        influence, policies = document["influences"][0], document["policies"]
        move = Interval(**{"level": CONFIDENCE, "method": NO_INTERVAL, **_quoted(influence)})
        level = document.get("difficulty")
        at = f" at {title(level)}" if level and level != "standard" else ""
        change, how_far = changes.said(influence), _from_to(influence, document)
        by = f"{how_far}by {banner.moves(move, document['games'])}."
        if document is documents[0]:
            yield f"{change} moves the {banner.subject(policies)}{at} {by}"
        else:
            yield f"{words.sentence(at.strip())}: {change}, {by}"


def _quoted(influence: Mapping[str, Any]) -> Mapping[str, Any]:
    """The difference, with the interval that allows for choosing the largest where the document has it."""
    headline: Mapping[str, Mapping[str, Any]] = influence["headline"]
    return headline.get("joint") or headline["difference"]


def _in_print(influence: Mapping[str, Any]) -> Iterator[str]:
    yield printed.cost(influence)
    if is_guess(influence["path"], influence["confidence"]):
        yield GUESS


def _from_to(influence: Mapping[str, Any], document: Mapping[str, Any]) -> str:
    """`from 78 % to 1 % in other games, `: which way a share moves, in games that are not the page's.

    "" of what is no share, or of an older document.
    """
    before = (document.get("baseline") or {}).get("headline")
    if not before or influence["headline"].get("kind") == "column":
        return ""
    ends = (before["estimate"], before["estimate"] + influence["headline"]["difference"]["estimate"])
    shares = (words.percent(min(max(end, 0.0), 1.0), 0) for end in ends)
    return "from {} to {} in other games, ".format(*shares)
