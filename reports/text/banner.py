"""The caveat of a reconstruction in words, for every page and result.

`simcore.scenario.changes` provides the data.
"""

from collections.abc import Mapping
from typing import Any

from bartizan.analyses.statistics.intervals import Interval
from bartizan.reports.text import changes, differences, words
from bartizan.simcore.commands import command_of


def lines(banner: dict[str, Any], game: str) -> tuple[str, str, str]:
    """Return three sentences: the caveat, the number of assumed values, and their largest known effect.

    If no effect is known, the third sentence gives the command that measures the effects. game: name or path
    in this command.
    """
    return _sentence(banner["text"]), _sentence(counts(banner)), words.title(influence(banner, game))


def line(banner: dict[str, Any], game: str) -> str:
    """Return the three sentences of `lines` on one line."""
    return f"{_sentence(banner['text'])} {counts(banner)}; {influence(banner, game)}"


def counts(banner: dict[str, Any]) -> str:
    changed = banner["changed"]
    rest = (
        f", {words.count(changed)} {'was' if changed == 1 else 'were'} changed by the user" if changed else ""
    )
    return (
        f"{words.count(banner['assumed'])} of {words.count(banner['of'])} values of this scenario are "
        f"assumed{rest}"
    )


def influence(banner: dict[str, Any], game: str) -> str:
    found = banner["influence"]
    if not found:
        command = command_of("sensitivity", game, scenario=banner.get("scenario") or None, assumed=True)
        return f"to measure their effect on the result: {command}"
    games = f"({words.count(found['games'])} games)"
    if not found["is_clear"]:
        return f"no single assumption changes the {subject(found['policies'])} significantly {games}"
    if not leads(found["difference"]):
        return (
            f"some assumptions change the {subject(found['policies'])}, but the most influential one is not "
            f"determined {games}"
        )
    moved = (
        f"changes the {subject(found['policies'])} by "
        f"{moves(Interval(**found['difference']), found['games'])}"
    )
    return f"the most influential known assumption, {changes.said(found)}, {moved}"


def leads(difference: Mapping[str, Any]) -> bool:
    """Return whether a change may be called the largest, because its simultaneous interval excludes 0."""
    return not difference["low"] <= 0 <= difference["high"]


def subject(policies: list[str]) -> str:
    """Return the measure that an assumption changes, such as `win rate of tactician against rusher`."""
    if len(set(policies)) == 1:
        return (
            f"first seat's win rate with {policies[0]} in every seat"
            if len(policies) > 1
            else f"win rate of {policies[0]}"
        )
    return f"win rate of {policies[0]} against {words.listing(list(policies[1:]))}"


def moves(difference: Interval, games: int) -> str:
    """Return the size of an effect, such as `3.1 percentage points (2.5 to 3.7; 2,000 games)`.

    For JSON of an earlier version, the text states that the interval is not adjusted for choosing the largest
    effect.
    """
    unadjusted = "" if words.is_together(difference) else ", not adjusted for choosing the largest"
    return differences.size(difference, 1, f"{unadjusted}; {words.many(games, 'game')}")


def _sentence(text: str) -> str:
    return f"{text.rstrip('.')}."
