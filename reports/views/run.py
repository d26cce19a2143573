"""Result of one cell as text for a terminal."""

from collections.abc import Iterator, Mapping, Sequence
from math import isclose
from typing import Any

from bartizan.analyses.records.seating import SeatShare, name_of
from bartizan.analyses.statistics.intervals import Interval
from bartizan.reports.blocks import Chart, Track, share_mark
from bartizan.reports.text import changes, seat_worth, sentences, words
from bartizan.reports.views import bracket, luck
from bartizan.reports.views.sequential import stopped_lines
from bartizan.simcore.reporting import COUNTER


def lines(d: Mapping[str, Any]) -> Iterator[str]:
    """Yield the lines on the result of a cell, without its assumptions and speed."""
    players = players_of(d)
    title = changes.titled(d, d["difficulty"], " vs ".join(players))
    yield f"{title}: {words.many(d['games'], 'game')}, seed {d['seed']}"
    if d["is_one_game"]:
        yield f"  {sentences.one_game(d['games'])}"
    first, length = list(_scores(d)) if is_about_score(d) else [], list(_length(d))
    if has_one_result(d):
        yield from first or length
    yield f"  wins     {words.share_of(d['win_rate'])}: {d['wins']:,} of {d['games']:,}"
    yield from (f"  {line}" for line in stopped_lines(d))
    truncated = f"    truncated {d['capped']:,}" if d["capped"] else ""
    yield f"  draws    {d['draws']:,}    losses {d['losses']:,}{truncated}"
    for seat in d.get("seats", []):
        won = words.share_with_limits(Interval(**seat["win_rate"]))
        yield f"  {seat['role']:<8} {players[seat['seat']]}: {won}, {seat['wins']:,} wins"
    if (advantage := d.get("seat_advantage")) and not d["is_one_game"]:
        seats = [_seat_share(seat) for seat in advantage["seats"]]
        together = f" ({words.CONFIDENCE}, simultaneous for all seats)" if len(seats) > 2 else ""
        yield f"  seats    {seat_worth.sentence(seats, advantage['drawn'])}{together}"
    if not first:
        yield from _scores(d)
    for column, mean in d["means"].items():
        if column.startswith(COUNTER):
            name = words.plain(column.removeprefix(COUNTER))
            yield f"  counter  {name}: mean {_mean(mean, d)}{as_counted(d)}"
    yield "  ends     " + ", ".join(f"{name} {n:,}" for name, n in d["end_reasons"].items() if n)
    if first or not has_one_result(d):
        yield from length


def as_counted(d: Mapping[str, Any]) -> str:
    """Return a note on the unit of recorded counters; "" if scores and counters have the same unit."""
    scale = (d.get("score") or {}).get("scale", 1)
    return f"; as the rules count it, not divided by {scale} like the score" if scale > 1 else ""


def players_of(d: Mapping[str, Any]) -> list[str]:
    """Return the name of each seat's policy.

    If policies share a name, the weights or the code hash that distinguish them are added.
    """
    n = len(d["policies"])
    weights, codes = d.get("policy_weights") or [{}] * n, d.get("policy_sources") or [""] * n
    seats = zip(d["policies"], weights, codes, strict=True)
    players = [(name, tuple(sorted(own.items())), code) for name, own, code in seats]
    return [name_of(player, players) for player in players]


def _seat_share(seat: Mapping[str, Any]) -> SeatShare:
    intervals = (Interval(**seat[key]) for key in ("share", "advantage", "joint"))
    return SeatShare(seat["seat"], seat["role"], *intervals)


def chart(d: Mapping[str, Any], known: Sequence[Mapping[str, Any]]) -> Chart:
    """Return the chart of win rates: a row per seat, or for a solo game a single row.

    The single row ranges from the newcomer to the best play found. known: brackets of the scenario.
    """
    if not d.get("seats"):
        mark = share_mark(d["policies"][0], Interval(**d["win_rate"]), d["games"])
        measured = bracket.MeasuredBracket.read(known[0]) if known else None
        return Chart("", (Track(words.title(d["difficulty"]), bracket.marks(measured, [mark])),), "games won")
    players = players_of(d)
    tracks = (
        Track(
            seat["role"],
            (share_mark(players[seat["seat"]], Interval(**seat["win_rate"]), d["games"]),),
            is_range=False,
        )
        for seat in d["seats"]
    )
    return Chart("", tuple(tracks), "games won")


def after_assumptions(d: Mapping[str, Any]) -> Iterator[str]:
    """Yield lines on the luck-adjusted win rate and on the speed of the simulation."""
    if "luck_adjusted" in d:
        yield from luck.lines(luck.WithoutLuck.read(d["luck_adjusted"]))
    speed = f"{d['games_per_second']:,.0f} games/s" if d["games_per_second"] else "saved games"
    decisions = words.many(d["plies"], "decision")
    yield f"  {decisions} in {d['seconds']:.2f} s, {speed}; digest {d['digest'][:16]}"


def has_one_result(d: Mapping[str, Any]) -> bool:
    """Return whether all games of a solo game are won, or none is, so that no win rate is drawn."""
    return d["win_rate"]["estimate"] in (0, 1) and not d.get("seats")


def is_about_score(d: Mapping[str, Any]) -> bool:
    """Return whether every game of a solo game is won, the scores differ, and there are no tiers of victory.

    The output then begins with the score. For any other game with a single result, it begins with the length.
    """
    score = d["score"]
    differs = score["mean"] is not None and score["min"] < score["max"]
    return has_one_result(d) and d["win_rate"]["estimate"] == 1 and differs and not d["tiers"]


def _length(d: Mapping[str, Any]) -> Iterator[str]:
    """Yield the line on the length of games that ended, and a line on truncated games.

    For example: `turns    mean 39.23 (39.17–39.29, 95 % Student t), median 33, from 7 to 358`.
    """
    turns = d["turns"]
    unit, ended = turns.get("unit", "turn"), turns.get("ended", turns)
    many = f"{unit}s"
    if ended["n"] and ended["max"] == 1 and "plies" in d["means"]:  # the game has no turns
        yield f"  length   mean {_mean(d['means']['plies'], d)} decisions"
    elif ended["n"]:
        median = ended["quantiles"].get("50")
        middle = f", median {words.exact(median)}" if median is not None else ""
        ends = f"from {words.exact(ended['min'])} to {words.exact(ended['max'])}"
        yield f"  {many:<8} mean {_mean(ended, d)}{middle}, {ends}"
    if d["capped"]:
        counts = f"; {many} of the {words.many(ended['n'], 'game')} that ended" if ended["n"] else ""
        yield f"           {words.were(d['capped'], 'game')} truncated at the limit on decisions{counts}"
        if d.get("cycle"):
            yield f"           {d['cycle']}"


def _scores(d: Mapping[str, Any]) -> Iterator[str]:
    yield from _score(d)
    scored = [seat for seat in d.get("scores") or () if seat["n"]]
    for index, seat in enumerate(scored):
        head = "score" if index == 0 and is_of_seats(d) else ""
        yield f"  {head:<8} {words.plain(seat['role'])}: {_spread(seat, d)}"
    if (margin := d.get("margin")) and margin["n"]:
        won = words.many(margin["n"], "game")
        what = f"the winner's score minus the best other score, in {won} with a winner"
        yield f"  margin   {_spread(margin, d)}: {what}"
    if d["tiers"]:
        levels = d.get("tier_levels", {})
        named = {name: f"{name} ({levels[name]})" if name in levels else name for name in d["tiers"]}
        yield "  tiers    " + ", ".join(f"{named[name]} {n:,}" for name, n in d["tiers"].items())


def is_of_seats(d: Mapping[str, Any]) -> bool:
    """Return whether `score` repeats the score of the first seat.

    If not, it is another score, such as the winner's.
    """
    first = (d.get("scores") or [None])[0]
    score = d["score"]
    return first is not None and all(
        first[key] == score[key] or isclose(first[key] or 0, score[key] or 0)  # two ways to add fractions
        for key in ("n", "mean", "min", "max")
    )


def _score(d: Mapping[str, Any]) -> Iterator[str]:
    """Yield the score with its owner and number of games.

    If lost games have a score too, also yields the score of won games.
    """
    score = d["score"]
    if score["mean"] is None or is_of_seats(d):
        return
    won, of = score.get("won", {"n": 0}), score.get("of") or "the first seat"
    over = f"over the {words.many(score['n'], 'game')} with a score"
    what = "" if score.get("counts", "score") == "score" else f"{score['counts']} "
    yield f"  score    {what}of {of}: {_spread(score, d)}, {over}"
    if len(d["policies"]) == 1 and 0 < won["n"] < score["n"]:
        yield f"           of the {words.many(won['n'], 'game')} won: mean {_mean(won, d)}"


def _mean(value: Mapping[str, Any], d: Mapping[str, Any]) -> str:
    return words.mean_of(value, draws_luck=not d["is_one_game"])


def _spread(value: Mapping[str, Any], d: Mapping[str, Any]) -> str:
    """Return mean and range as text: `mean 12.3 (12.1–12.5, 95 % Student t), sd 4.51, from 2 to 31`."""
    sd = f", sd {words.spread(value['sd'])}" if value["sd"] is not None else ""  # one game has none
    ends = f"from {words.exact(value['min'])} to {words.exact(value['max'])}"
    return f"mean {_mean(value, d)}{sd}, {ends}"
