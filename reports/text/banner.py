"""The banner of a reconstruction in words: on every page and above every result.

The data of it come from `simcore.scenario.changes`.
"""

from collections.abc import Mapping
from typing import Any

from bartizan.analyses.statistics.intervals import Interval
from bartizan.reports.text import changes, differences, words


def lines(banner: dict[str, Any], game: str) -> tuple[str, str, str]:
    """What must be said; how much of the data is assumed; how far that moves a result.

    `game`: as a command names it.
    """
    return _sentence(banner["text"]), _sentence(counts(banner)), words.title(influence(banner, game))


def line(banner: dict[str, Any], game: str) -> str:
    """All of it in one line."""
    return f"{_sentence(banner['text'])} {counts(banner)}; {influence(banner, game)}"


def counts(banner: dict[str, Any]) -> str:
    changed = banner["changed"]
    rest = (
        f", {words.count(changed)} {'was' if changed == 1 else 'were'} changed by the user" if changed else ""
    )
    return (
        f"{words.count(banner['assumed'])} of {words.count(banner['of'])} data behind this are assumed{rest}"
    )


def influence(banner: dict[str, Any], game: str) -> str:
    found = banner["influence"]
    if not found:
        scenario = f" --scenario {banner['scenario']}" if banner.get("scenario") else ""
        return f"how far they move the result: bartizan sensitivity {game}{scenario} --assumed"
    games = f"({words.count(found['games'])} games)"
    if not found["is_clear"]:
        return (
            f"no single one moves the {subject(found['policies'])} by an amount that is distinguishable from "
            f"zero {games}"
        )
    if not leads(found["difference"]):
        return f"some move the {subject(found['policies'])}, but which moves it most is open {games}"
    moved = (
        f"moves the {subject(found['policies'])} by {moves(Interval(**found['difference']), found['games'])}"
    )
    return f"the most influential one known, {changes.said(found)}, {moved}"


def leads(difference: Mapping[str, Any]) -> bool:
    """May a change be called the largest: does its interval, which holds for all that were looked at, leave
    out 0?
    """
    return not difference["low"] <= 0 <= difference["high"]


def subject(policies: list[str]) -> str:
    """`win rate of tactician against rusher`"""
    if len(set(policies)) == 1:
        return (
            f"first seat's win rate with {policies[0]} in every seat"
            if len(policies) > 1
            else f"win rate of {policies[0]}"
        )
    return f"win rate of {policies[0]} against {words.listing(list(policies[1:]))}"


def moves(difference: Interval, games: int) -> str:
    """`3.1 percentage points (2.5 to 3.7; 2,000 games)`: the largest of many, which a document of an earlier
    version does not adjust for.
    """
    unadjusted = "" if words.is_together(difference) else ", not adjusted for choosing the largest"
    return differences.size(difference, 1, f"{unadjusted}; {words.count(games)} games")


def _sentence(text: str) -> str:
    return f"{text.rstrip('.')}."
