"""Text below the main chart on page 1.

The text names the most influential change with its printing cost, and the limits of simulations.
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
MOVES, COSTS, UNKNOWN = "Most influential change", "In print", "Limits of this report"
NOT_FUN = "It does not show whether the game is fun, how long it takes to explain, or how players interact."
UNJUDGED = "It does not show whether this is too hard, because no target difficulty is defined."
CLAIM_IT = "To test a target, use `bartizan report DIR --claims PLAN.toml`."

POLICIES = "The players are computer policies, not people; people may play better, worse, or differently."
OPEN_WHICH = "Some of the tested values affect it, but these games do not show which has the largest effect."
NOTHING_CLEAR = "None of the tested values has a significant effect."
GUESS = "The value itself is an assumption: confirm it first."


def of_study(study: Study) -> list[Paragraph]:
    """Return the paragraphs below the main chart: people, the most influential change, and limits."""
    people = [views.people_skill.read(answer) for answer in study.plays_by_people]
    said = chain.from_iterable(_people(each, study) for each in people)
    parts = [(views.people_skill.HEADING, list(said))] if people else []
    parts += [(MOVES, list(_moves(study))), (UNKNOWN, [*_unjudged(study), NOT_FUN, *_trainable(study)])]
    return [paragraph(heading, sentences) for heading, sentences in parts if sentences]


def _people(each: views.people_skill.PeopleDocument, study: Study) -> Iterator[str]:
    """Yield sentences on people's results, and on their playing time if the plays record it."""
    yield f"{views.people_skill.title(each)}.{f' {views.people_skill.MADE_UP}' if each.made_up else ''}"
    if each.of_changed:
        yield each.of_changed
    if not each.hashes & set(study.scenarios):
        yield "The policies in this comparison play other values than the games on this page."
    if each.minutes and each.minutes.levels:
        yield views.people_minutes.headline(each.minutes)


def _unjudged(study: Study) -> Iterator[str]:
    """Yield a note, and the command that tests a target, if no target difficulty is defined."""
    if not (study.claims or study.is_contest or study.has_one_result):
        yield from (UNJUDGED, CLAIM_IT)


def _trainable(study: Study) -> Iterator[str]:
    """Yield a caveat, and the command that trains a policy, for a short game with one policy of its own."""
    if not study.findings or not study.manifest.get("short"):
        return
    first = study.findings[0]
    named = {policy.get("as_named", policy["name"]) for policy in first.cell.policies}
    if len(named) == 1 and not set(*named) & set("@+/:"):
        command = _command("run", first, study, player="learned")
        yield (
            f"A better policy than {words.listing([*named])} can change these results. To see how, run "
            f"`{command}`, which trains a policy for ten seconds."
        )


def of_two(change: Sequence[Mapping[str, Any]], assumed: str) -> list[Paragraph]:
    """Return the text below the chart of a comparison.

    change: the changed values. assumed: a sentence on assumptions.
    """
    return [
        paragraph(COSTS, dict.fromkeys(map(printed.cost, change))),
        paragraph(UNKNOWN, [NOT_FUN, POLICIES, assumed]),
    ]


# ---------------------------------------------------------------- the most influential change


def _moves(study: Study) -> Iterator[str]:
    """Yield sentences on the most influential value known, first for the last level of the sweep.

    The value comes from the folder, the shipped results, or the banner of a reconstruction. If none is known,
    the sentences give the command that finds it. For imported records, none is known, because no command can
    simulate their game. Unless all games have the same result, the last sentence gives a `tune` command.
    """
    if study.is_imported:
        yield "Unknown: records show only the settings that were varied in them."
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
    elif study.findings and not study.has_one_result:
        yield "Not measured yet."
        command = _command("sensitivity", study.findings[0], study)
        yield f"To find the most influential value and save it for this report, run `{command} -o DIR`."
    if study.findings and not study.has_one_result:
        hardest = min(study.findings[::-1], key=lambda finding: len(finding.changes))
        share = 1 / len(hardest.wins.seats) if study.is_alike else 0.3  # the equal share of a seat
        command = _command("tune", hardest, study, target=[f"win_rate={share:.2g}"])
        yield f"To find the cheapest change that hits a target win rate, run `{command}`."


def _command(name: str, finding: Finding, study: Study, **options: Any) -> str:
    """Return the command `name` for the game and the players of a cell. options: its other options."""
    cell, scenario = finding.cell, study.manifest.get("scenario_as_named")
    seated = [policy.get("as_named", policy["name"]) for policy in cell.policies]
    line_up = "+".join(seated if len(set(seated)) > 1 else seated[:1])
    told = {
        "scenario": scenario,
        "difficulty": study.named_level(cell),
        "policy": line_up if "--policy" in study.manifest["command"] else None,
        "set": cell.set,
    }
    return command_of(name, study.named, **told, **options)


def _levers(documents: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """Yield a sentence on the most influential value of each `sensitivity` result, the first one in full."""
    for document in documents:
        influence, policies = document["influences"][0], document["policies"]
        move = Interval(**{"level": CONFIDENCE, "method": NO_INTERVAL, **_quoted(influence)})
        level = document.get("difficulty")
        at = f" at {title(level)}" if level and level != "standard" else ""
        change, how_far = changes.said(influence), _from_to(influence, document)
        by = f"{how_far}by {banner.moves(move, document['games'])}."
        if document is documents[0]:
            yield f'"{change}" changes the {banner.subject(policies)}{at} {by}'
        else:
            yield f"{words.sentence(at.strip())}: {change}, {by}"


def _quoted(influence: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the difference to quote.

    If possible, its interval is adjusted for selecting the largest effect.
    """
    headline: Mapping[str, Mapping[str, Any]] = influence["headline"]
    return headline.get("joint") or headline["difference"]


def _in_print(influence: Mapping[str, Any]) -> Iterator[str]:
    yield printed.cost(influence)
    if is_guess(influence["path"], influence["confidence"]):
        yield GUESS


def _from_to(influence: Mapping[str, Any], document: Mapping[str, Any]) -> str:
    """Return the win rate before and after a change, such as `from 78 % to 1 % in separate games, `.

    The text says "separate", because these are not the page's games. Returns "" if the result is not a share,
    or for JSON of an early version.
    """
    before = (document.get("baseline") or {}).get("headline")
    if not before or influence["headline"].get("kind") == "column":
        return ""
    ends = (before["estimate"], before["estimate"] + influence["headline"]["difference"]["estimate"])
    shares = (words.percent(min(max(end, 0.0), 1.0), 0) for end in ends)
    return "from {} to {} in separate games, ".format(*shares)
