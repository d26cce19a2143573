"""The chance of a rare event, as one document and as text: the sentence first, then the way there, then what
plain counting says.
"""

from collections.abc import Iterator, Mapping
from math import ceil, floor, log10

from bartizan.analyses.experiments.rare import METHOD, RareEvent
from bartizan.analyses.statistics.intervals import Interval
from bartizan.reports.text import played, sentences, words
from bartizan.simcore.game import Engine
from bartizan.simcore.play.match import Match
from bartizan.simcore.scenario.loading import Scenario

SMALL = 1e-4  # chances below are written 4.3e-08
FAR_APART = 3.0  # standard errors


def events(engine: Engine, s: Scenario) -> list[dict]:
    """What `--event` takes."""
    return [
        {"event": name, "title": event.title, "top": int(event.top(s))} for name, event in engine.rare.items()
    ]


def document(match: Match, found: RareEvent) -> dict:
    """Plain data. Nothing in it depends on time or threads."""
    plain = found.plain
    title = match.engine.rare[found.name].title
    return {
        "schema": "bartizan.rare/1",
        **played.head(match, match.scenario),
        "event": found.name,
        "event_title": title,
        "sentence": sentence(match, found, title),
        "chance": found.interval.to_dict(),
        "se": found.se,
        "replicates": found.replicates,
        "extinct": found.extinct,
        "skewness": found.skewness,
        "is_rough": found.is_rough,
        "trajectories": found.trajectories,
        "stages": found.to_frame().to_dicts(),
        "decisions": found.plies,
        "capped": found.capped,
        "plain": {
            "games": plain.games,
            "seen": plain.seen,
            "decisions": plain.plies,
            "capped": plain.capped,
            "chance": plain.interval.to_dict(),
        },
        "standard_errors_apart": found.apart,
        "plain_games_for_this_precision": found.plain_games,
        "gain": found.gain,
        **played.tail(match.scenario),
        "method": METHOD,
    }


def sentence(match: Match, found: RareEvent, title: str) -> str:
    """The chance, how sure, how it was found, on what it rests."""
    how = (
        f"{found.replicates} replicates of {words.count(found.trajectories)} trajectories a stage, "
        f"{len(found.steps)} stages, seed {match.seed}"
    )
    if not found.interval.estimate:
        sure = f"rough bound; {how}, all of which died out"
    else:
        low, high = (chance(value, found.interval) for value in (found.interval.low, found.interval.high))
        sure = (
            f"{words.level(found.interval.level)} interval {low} to {high}, {found.interval.method}; "
            f"multilevel splitting, {how}"
        )
    return (
        f"{played.setting(match)}: the chance that {title} is {told(found.interval)} ({sure}; "
        f"{sentences.rests_on(match.scenario.assumed)})."
    )


def told(interval: Interval) -> str:
    """`1 in 23,000,000 (4.3e-08)`, `12.3 %`, `below 2e-09`"""
    if not interval.estimate:
        return f"below {up(interval.high)}, {words.one_in(interval)}"
    value = chance(interval.estimate, interval)
    return f"{words.one_in(interval)}, {value}" if words.one_in(interval) else value


def chance(value: float, interval: Interval) -> str:
    """In percent, or, where that would be a row of noughts, as a power of ten; digits to one figure of the
    half-width.
    """
    if interval.estimate >= SMALL:
        return f"{value * 100:.{words.digits_for(interval.half_width * 100)}f}{words.NBSP}%"
    if value == 0:
        return "0"
    digits = floor(log10(value)) - floor(log10(interval.half_width)) if interval.half_width else 1
    return f"{value:.{min(max(digits, 0), 6)}e}"


def up(value: float) -> str:
    """An upper bound, rounded up to two figures."""
    step = 10.0 ** (floor(log10(value)) - 1)
    return f"{ceil(value / step - 1e-9) * step:.1e}"


def lines(d: Mapping) -> Iterator[str]:
    """A document for a reader at a terminal."""
    yield d["sentence"]
    yield ""
    yield f"{'stage':>5} {'progress':>9} {'reached':>9} {'of':>9} {'share':>7}   replicates that got so far"
    for number, stage in enumerate(d["stages"], 1):
        yield (
            f"{number:>5} {stage['level']:>9} {stage['reached']:>9,} {stage['trajectories']:>9,} "
            f"{words.percent(stage['share']):>7}   {stage['replicates']} of {d['replicates']}"
        )
    yield from _caveats(d)
    yield from _second_opinion(d)
    yield f"Method: {d['method']}."


def _caveats(d: Mapping) -> Iterator[str]:
    if d["extinct"]:
        yield (
            f"{d['extinct']} of {d['replicates']} replicates died out; they count as 0, so the mean stays "
            "unbiased. More trajectories (--trajectories) would keep them alive."
        )
    if d["is_rough"]:
        yield (
            f"The replicates are skewed (skewness {d['skewness']:.1f}): the interval is rough, and likelier "
            "too low than too high."
        )
    if d["capped"]:
        yield f"{d['capped']:,} trajectories were cut off; they count as not getting there."


def _second_opinion(d: Mapping) -> Iterator[str]:
    plain, gain = d["plain"], d["gain"]
    seen = told(Interval(**plain["chance"]))
    limits = (
        ""
        if not plain["seen"]
        else f" ({words.level(plain['chance']['level'])} {_limits(Interval(**plain['chance']))})"
    )
    yield (
        f"Plain counting: {plain['seen']:,} of {plain['games']:,} games, {seen}{limits}, "
        f"{plain['chance']['method']}; {_both(d)}."
    )
    if gain:
        games = f"plain counting would take {_rounded(d['plain_games_for_this_precision'])} games"
        yield f"For this precision {games}, {_rounded(gain, 1)} times the decisions." + (
            "" if gain > 1 else " Splitting does not pay here."
        )


def _limits(interval: Interval) -> str:
    return f"{chance(interval.low, interval)} to {chance(interval.high, interval)}"


def _both(d: Mapping) -> str:
    """Do the two agree?"""
    apart = d["standard_errors_apart"]
    if apart is None:
        return "too few events to check the estimate by" if d["chance"]["estimate"] else "neither saw it"
    if abs(apart) > FAR_APART:
        return f"the two differ by {abs(apart):.1f} standard errors, which chance alone hardly does"
    return f"the two agree ({abs(apart):.1f} standard errors apart)"


def _rounded(value: float, digits: int = 0) -> str:
    """Two figures are enough for what a precision costs."""
    if value < 100:
        return f"{value:,.{digits}f}"
    step = 10 ** (floor(log10(value)) - 1)
    return f"{round(value / step) * step:,}"
