"""A cell that was played, for a reader at a terminal."""

from collections.abc import Iterator, Mapping, Sequence

from bartizan.analyses.statistics.intervals import Interval
from bartizan.reports.blocks import Chart, Track, share_mark
from bartizan.reports.text import changes, sentences, words
from bartizan.reports.views import bracket, luck
from bartizan.reports.views.sequential import stopped_lines


def lines(d: Mapping) -> Iterator[str]:
    """The verdict of one cell, but for what it rests on and its speed."""
    title = changes.titled(d, d["difficulty"], " vs ".join(d["policies"]))
    yield f"{title}: {d['games']:,} games, seed {d['seed']}"
    if d["is_one_game"]:
        yield f"  {sentences.one_game(d['games'])}"
    length = f"  turns    {_turns(d)}"
    if is_about_length(d):
        yield length
    yield f"  wins     {words.share_of(d['win_rate'])}: {d['wins']:,} of {d['games']:,}"
    yield from (f"  {line}" for line in stopped_lines(d))
    truncated = f"    cut off {d['capped']:,}" if d["capped"] else ""
    yield f"  draws    {d['draws']:,}    losses {d['losses']:,}{truncated}"
    for seat in d.get("seats", []):
        won = words.share_with_limits(Interval(**seat["win_rate"]))
        yield f"  {seat['role']:<8} {seat['policy']}: {won}, {seat['wins']:,} wins"
    yield from _scores(d)
    yield "  ends     " + ", ".join(f"{name} {n:,}" for name, n in d["end_reasons"].items() if n)
    if not is_about_length(d):
        yield length


def chart(d: Mapping, known: Sequence[Mapping]) -> Chart:
    """Who wins, each seat a row; of one player the level, from a newcomer to the best play found. known: the
    brackets of what was played.
    """
    if not d.get("seats"):
        mark = share_mark(d["policies"][0], Interval(**d["win_rate"]), d["games"])
        measured = bracket.MeasuredBracket.read(known[0]) if known else None
        return Chart("", (Track(words.title(d["difficulty"]), bracket.marks(measured, [mark])),), "games won")
    tracks = (
        Track(
            seat["role"],
            (share_mark(seat["policy"], Interval(**seat["win_rate"]), d["games"]),),
            is_range=False,
        )
        for seat in d["seats"]
    )
    return Chart("", tuple(tracks), "games won")


def after_assumptions(d: Mapping) -> Iterator[str]:
    """The win rate without the luck, and how fast the games were."""
    if "luck_adjusted" in d:
        yield from luck.lines(luck.WithoutLuck.read(d["luck_adjusted"]))
    speed = f"{d['games_per_second']:,.0f} games/s" if d["games_per_second"] else "kept from before"
    yield f"  {d['plies']:,} decisions in {d['seconds']:.2f} s, {speed}; digest {d['digest'][:16]}"


def is_about_length(d: Mapping) -> bool:
    """Do all games of one player end alike? Then what differs is how long they take: that stands first."""
    return d["win_rate"]["estimate"] in (0, 1) and not d.get("seats")


def _turns(d: Mapping) -> str:
    """`mean 39.23 (39.17–39.29, 95 % Student t), median 33, from 7 to 358`"""
    turns = d["turns"]
    median = f", median {turns['quantiles']['50']:g}" if turns["quantiles"].get("50") is not None else ""
    return f"mean {words.mean_of(turns, not d['is_one_game'])}{median}, from {turns['min']} to {turns['max']}"


def _scores(d: Mapping) -> Iterator[str]:
    score, levels = d["score"], d.get("tier_levels", {})
    if score.get("mean") is not None:
        span = f"from {score['min']} to {score['max']}"
        spread = f", sd {score['sd']:.2f}" if score["sd"] is not None else ""  # one game has none
        mean = words.mean_of(score, not d["is_one_game"])
        yield f"  score    mean {mean}{spread}, {span} (games that have one)"
    if d["tiers"]:
        named = {name: f"{name} ({levels[name]})" if name in levels else name for name in d["tiers"]}
        yield "  tiers    " + ", ".join(f"{named[name]} {n:,}" for name, n in d["tiers"].items())
