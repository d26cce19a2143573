"""The chance of a rare event: the sentence first, then the way there, then what plain counting says."""

from collections.abc import Iterator
from math import ceil, floor, log10

from bartizan.analyses.experiments.rare import RareEvent
from bartizan.analyses.statistics.intervals import Interval
from bartizan.reports import entries
from bartizan.reports.blocks import Entry, Lines, Table, View
from bartizan.reports.document import PlayedDocument, setting_of
from bartizan.reports.text import sentences, words
from bartizan.simcore.play.match import Match

SMALL = 1e-4  # chances below are written 4.3e-08
FAR_APART = 3.0  # standard errors


class RareDocument(RareEvent, PlayedDocument):
    """Nothing in it depends on time or threads."""

    event_title: str
    sentence: str


def document(match: Match, result: RareEvent) -> RareDocument:
    title = match.engine.rare[result.event].title
    fields = {**dict(result), "event_title": title, "sentence": sentence(match, result, title)}
    return RareDocument.about("bartizan.rare/1", match, match.scenario, **fields)


def sentence(match: Match, result: RareEvent, title: str) -> str:
    """The chance, how sure, how it was found, on what it rests."""
    chance = result.chance
    how = (
        f"{result.replicates} replicates of {words.count(result.trajectories)} trajectories a stage, "
        f"{len(result.stages)} stages, seed {match.seed}"
    )
    interval = f"{words.level(chance.level)} interval {_limits(chance)}, {chance.method}"
    sure = (
        f"{interval}; multilevel splitting, {how}"
        if chance.estimate
        else f"{words.level(chance.level)} limit, {chance.method}; {how}"
    )
    exact = f"{_exact(result.exact.chance.estimate)} exactly; simulated: " if result.exact else ""
    return (
        f"{setting_of(match, match.scenario)}: the chance that {title} is {exact}{_chance(chance)} ({sure}; "
        f"{sentences.rests_on(match.scenario.assumed)})."
    )


# ---------------------------------------------------------------- blocks


def view(d: RareDocument) -> View:
    headers = ("Stage", "Progress", "Reached", "Of", "Share", "Replicates that got so far")
    rows = tuple(
        (
            Entry(str(number)),
            Entry(str(stage.level)),
            entries.count(stage.reached),
            entries.count(stage.trajectories),
            Entry(words.percent(stage.share)),
            Entry(f"{stage.replicates} of {d.replicates}"),
        )
        for number, stage in enumerate(d.stages, 1)
    )
    table = Table(f"The way to it: {d.event_title}", "", headers, rows)
    findings = Lines((*_caveats(d), *_second_opinion(d)))
    return View(d.sentence, (table, findings), ("Rare events", f"{d.method}."))


def _caveats(d: RareDocument) -> Iterator[str]:
    if d.extinct:
        yield (
            f"{d.extinct} of {d.replicates} replicates died out; they count as 0, so the mean stays "
            "unbiased. More trajectories (--trajectories) would keep them alive."
        )
    if d.is_rough:
        skewed = f"The replicates are skewed (skewness {d.skewness:.1f}). " if d.skewness is not None else ""
        yield f"{skewed}The interval is rough; more replicates (--replicates) or trajectories narrow it."
    if d.capped:
        yield f"{d.capped:,} trajectories were truncated; they count as not getting there."


def _second_opinion(d: RareDocument) -> Iterator[str]:
    if d.exact:
        limits = d.exact.chance
        states = words.many(d.exact.states, "state")
        yield (
            f"Exact: between {limits.low:.10g} and {limits.high:.10g}, {limits.method} over all {states} "
            "in which somebody decides."
        )
    elif d.not_exact:
        yield f"No exact value: {d.not_exact}."
    plain = d.plain_count
    chance = plain.chance
    limits = f" ({words.level(chance.level)} {_limits(chance)})" if plain.seen else ""
    yield (
        f"Plain counting: {plain.seen:,} of {plain.games:,} games, {_chance(chance)}{limits}, "
        f"{chance.method}; {_agreement(d)}."
    )
    if d.gain and d.plain_games_for_this_precision:
        games = f"plain counting would take {_rounded(d.plain_games_for_this_precision)} games"
        yield f"For this precision {games}, {_rounded(d.gain, 1)} times the decisions." + (
            "" if d.gain > 1 else " Splitting does not pay here."
        )


def _agreement(d: RareDocument) -> str:
    apart = d.standard_errors_apart
    if apart is None:
        return "too few events to check the estimate by" if d.chance.estimate else "neither saw it"
    if abs(apart) > FAR_APART:
        return f"the two differ by {abs(apart):.1f} standard errors, which chance alone hardly does"
    return f"the two agree ({abs(apart):.1f} standard errors apart)"


# ---------------------------------------------------------------- small numbers


def _chance(interval: Interval) -> str:
    """`1 in 23,000,000 (4.3e-08)`, `12.3 %`, `below 2e-09`"""
    if not interval.estimate:
        return f"below {_up(interval.high)}, {words.one_in(interval)}"
    return ", ".join(filter(None, (words.one_in(interval), _value(interval.estimate, interval))))


def _exact(value: float) -> str:
    return f"{100 * value:.6g} %" if value >= SMALL or not value else f"{value:.5g}"


def _limits(interval: Interval) -> str:
    return f"{_value(interval.low, interval)} to {_value(interval.high, interval)}"


def _value(value: float, interval: Interval) -> str:
    """In percent, or, where that would be a row of noughts, as a power of ten; digits to one figure of the
    half-width.
    """
    if interval.estimate >= SMALL:
        return words.percent(value, words.digits_for(interval.half_width * 100))
    if value == 0:
        return "0"
    digits = floor(log10(value)) - floor(log10(interval.half_width)) if interval.half_width else 1
    return f"{value:.{min(max(digits, 0), 6)}e}"


def _up(value: float) -> str:
    """An upper bound, rounded up to two figures."""
    step = 10.0 ** (floor(log10(value)) - 1)
    return f"{ceil(value / step - 1e-9) * step:.1e}"


def _rounded(value: float, digits: int = 0) -> str:
    """Two figures are enough for what a precision costs."""
    return f"{value:,.{digits}f}" if value < 100 else f"{words.two_figures(value, round):,}"
