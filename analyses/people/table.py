"""The seats of one play: their turn order, and the winners.

A row is a dict: one seat's row of the log. Contradictory values are left out and reported.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

Row = dict[str, Any]
Results = list[str]
TWICE = "two players in one place of the turn order"
NOT_FIRST = "the start player is not the first in turn order"
TWO_STARTS = "several start players"


def in_turn_order(rows: Sequence[Row]) -> str:
    """Clear the seats of a play if they contradict each other. Return the reason, or "".

    Several start players are cleared too; a single start player is kept.
    """
    seats = Counter(row["seat"] for row in rows if row.get("seat"))
    begins = [row for row in rows if row.get("start_player")]
    why = ""
    if len(begins) > 1:
        why = TWO_STARTS
        for row in rows:
            row["start_player"] = None
    elif any(times > 1 for times in seats.values()):
        why = TWICE
    elif begins and seats and begins[0].get("seat") != 1 and (begins[0].get("seat") or 1 in seats):
        why = NOT_FIRST
    if why:
        for row in rows:
            row["seat"] = None
    return why


def by_marks(
    won: Sequence[bool | None], scored: Iterable[bool], together: bool | None, teams: bool, untouched: str
) -> Results:
    """Return the result of each seat of a play whose winners are ticked.

    together: whether the players are one side against the game; None: unknown. teams: whether players form
    teams. If all players of a competitive game without teams are ticked, the play is a draw. If nobody is
    ticked in a solo or cooperative game, the play is a loss if a score was recorded or `untouched` is "loss";
    otherwise the result is unknown.
    """
    if any(won):
        if all(won) and len(won) > 1 and together is False and not teams:
            return ["draw"] * len(won)
        return ["unknown" if one is None else "win" if one else "loss" for one in won]
    alone = together is True or len(won) == 1
    lost = alone and all(one is False for one in won) and (untouched == "loss" or any(scored))
    return ["loss" if lost else "unknown"] * len(won)


def by_rank(rows: Sequence[Row]) -> Results | None:
    """Return the result of each seat: rank 1 wins, and several players of rank 1 draw.

    Returns None if a rank is unknown, no player has rank 1, or there is only one player.
    """
    ranks = [row.get("rank") for row in rows]
    if len(rows) < 2 or None in ranks or 1 not in ranks:
        return None
    return _first([-rank for rank in ranks if rank is not None])


def by_score(rows: Sequence[Row], wins: str) -> Results | None:
    """Return the result of each seat. Equal best scores are a draw.

    wins: "highest" or "lowest"; "" if unknown. Returns None if it is unknown, if a score is unknown, or if
    there is only one player.
    """
    scores = [row.get("score") for row in rows]
    if len(rows) < 2 or None in scores or not wins:
        return None
    return _first([score if wins == "highest" else -score for score in scores if score is not None])


def _first(values: Sequence[float]) -> Results:
    best = max(values)
    among = "win" if values.count(best) == 1 else "draw"
    return [among if value == best else "loss" for value in values]


# ----------------------------------------------------------- seat of each player, for shares of wins by seat


def places(rows: Sequence[Mapping[str, Any]], roles: Sequence[str], alike: bool) -> list[int | None]:
    """Return the index in `roles` of each row; None if it is unknown.

    alike: whether seats differ only in turn order. If they do, a single unknown place is inferred, and all
    places are None if two are equal.
    """
    found = [_place(row, roles, alike) for row in rows]
    if alike:
        known = [place for place in found if place is not None]
        if len(set(known)) < len(known):
            return [None] * len(rows)
        if len(rows) == len(roles) == len(known) + 1:
            (left,) = set(range(len(roles))) - set(known)
            return [left if place is None else place for place in found]
    return found


def _place(row: Mapping[str, Any], roles: Sequence[str], alike: bool) -> int | None:
    if not alike:
        return roles.index(row["role"]) if row["role"] in roles else None
    if row["seat"]:
        return int(row["seat"]) - 1 if row["seat"] <= len(roles) else None
    if row["start_player"]:
        return 0
    return 1 if row["start_player"] is False and len(roles) == 2 else None
