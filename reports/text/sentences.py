"""Findings as a designer may quote them: one sentence that says what, how much, how sure and on what it
rests; and lines of text under it.
"""

from collections.abc import Sequence
from typing import Any

from bartizan.analyses.statistics.intervals import Interval
from bartizan.reports.text import words

# ---------------------------------------------------------------- a change


def headline(alike: bool, roles: Sequence[str], first: str = "", changed: str = "") -> str:
    """What the headline counts, as the subject of a sentence. first, changed: the player named first, where
    it speaks of players and not of a seat.
    """
    if first:
        who = first if changed in ("", first) else f"{changed} (before: {first})"
        return f"the share of wins a seat of {who}, every seat taken in turn,"
    if len(roles) == 1:
        return "the win rate"
    return "the first seat's share of wins" if alike else f"the {words.plain(roles[0])} player's win rate"


def value(it: Any) -> str:
    """A value of a scenario as text; a table by what it says: `[draw 1, end_attack]`."""
    if isinstance(it, list):
        return f"[{', '.join(map(value, it))}]"
    if isinstance(it, dict):
        return " ".join(map(value, it.values()))
    return "none" if it is None else str(it).lower() if isinstance(it, bool) else str(it)


def doubt(difference: Interval, adjusted: float | None, among: str) -> str:
    """Why a difference is no finding: its own interval holds 0, or only the adjustment for all that was
    looked at decides; "" for a finding.
    """
    if difference.low <= 0 <= difference.high:
        return "not distinguishable from zero"
    if adjusted is not None and adjusted >= 1 - difference.level:
        return f"not distinguishable from zero once adjusted for {among}"
    return ""


def rests_on(assumed: int) -> str:
    if not assumed:
        return "no value is assumed"
    return f"it rests on {words.count(assumed)} assumed {'value' if assumed == 1 else 'values'}"


def pairing(factor: float | None, differing: Interval) -> str:
    """What common luck was good for."""
    share = f"{words.percent(differing.estimate)} of the games end differently"
    if factor is None:
        return "no game ends differently"
    if factor < 1.05:
        return (
            f"{share}; pairing factor {factor:.2f}: common luck is {'little' if factor >= 1 else 'no'} help "
            "here"
        )
    return (
        f"{share}; pairing factor {factor:.1f}: without common luck it would take {factor:.1f} times as many "
        "games"
    )


def one_game(games: int, each: bool = False) -> str:
    """Says that games without luck are one game. each: those of a setting are."""
    of = " of a setting" if each else ""
    if games == 1:
        return "Neither the rules nor the players use chance: every game is identical to this one."
    return (
        f"All {words.many(games, 'game')}{of} are identical, because neither the rules nor the players use "
        f"chance: this is one game, not {words.count(games)}. Give a player some randomness (`maybe`, "
        "`any_of`) or use `newcomer`."
    )
