"""Parts of sentences that state a finding: subject, significance, assumptions, pairing."""

from collections.abc import Sequence
from typing import Any

from bartizan.analyses.statistics.intervals import Interval
from bartizan.reports.text import words

# ---------------------------------------------------------------- a change


def headline(alike: bool, roles: Sequence[str], first: str = "", changed: str = "") -> str:
    """Return the measure of the headline as the subject of a sentence.

    first, changed: the first player before and after the change, if the measure is about a player and not a
    seat.
    """
    if first:
        who = first if changed in ("", first) else f"{changed} (before: {first})"
        return f"the win rate per seat of {who}, averaged over all seats,"
    if len(roles) == 1:
        return "the win rate"
    return "the first seat's win rate" if alike else f"the {words.plain(roles[0])} player's win rate"


def value(it: Any) -> str:
    """Return a value of a scenario as text. A table is listed without its keys: `[draw 1, end_attack]`."""
    if isinstance(it, list):
        return f"[{', '.join(map(value, it))}]"
    if isinstance(it, dict):
        return " ".join(map(value, it.values()))
    return "none" if it is None else str(it).lower() if isinstance(it, bool) else str(it)


def doubt(difference: Interval, adjusted: float | None, among: str) -> str:
    """Return why a difference is not significant, by itself or after adjustment; "" if it is significant.

    A difference without an interval, such as one between constant values, is not tested.
    """
    if not difference.has_limits:
        why = difference.method.split(": ", 1)[-1]
        return f"not tested, because {'there is only ' * (why == 'one value')}{why}"
    if difference.low <= 0 <= difference.high:
        return "not significant"
    if adjusted is not None and adjusted >= 1 - difference.level:
        return f"not significant after adjustment for {among}"
    return ""


def changed_by_user(changed: int) -> str:
    """Return the end of a sentence on the number of assumed values; "" without changes by the user.

    A value that the user changed is not counted as assumed.
    """
    were = "was" if changed == 1 else "were"
    return f", and {words.count(changed)} {were} changed by the user" if changed else ""


def rests_on(assumed: int) -> str:
    if not assumed:
        return "no value is assumed"
    return f"it rests on {words.count(assumed)} assumed {'value' if assumed == 1 else 'values'}"


def pairing(factor: float | None, differing: Interval, subject: str) -> str:
    """Return the share of games that differ and the gain from common random numbers, as text.

    subject: the measure in which they differ.
    """
    games = {0.0: "no game changes", 1.0: "every game changes"}.get(differing.estimate)
    share = f"{games or f'{words.share(differing)} of the games change'} {subject.rstrip(',')}"
    if factor is None:
        return share
    if factor < 1.05:
        return (
            f"{share}; pairing factor {words.factor(factor, 2)}: common random numbers help "
            f"{'little' if factor >= 1 else 'not at all'} here"
        )
    return (
        f"{share}; pairing factor {words.factor(factor)}: without common random numbers, "
        f"{words.factor(factor)} times as many games would be needed"
    )


def one_game(games: int, each: bool = False) -> str:
    """Return a note that all games are identical because nothing is random.

    each: whether the number of games is per setting.
    """
    of = " of a setting" if each else ""
    if games == 1:
        return "Neither the rules nor the players use chance: every game is identical to this one."
    return (
        f"All {words.many(games, 'game')}{of} are identical, because neither the rules nor the players use "
        f"chance: this is one game, not {words.count(games)}. Give a player some randomness (`maybe`, "
        "`any_of`) or use `newcomer`."
    )
