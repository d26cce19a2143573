"""The probability of a rare event: the finding, the stages of splitting, and a direct simulation."""

from collections.abc import Iterator
from math import ceil, floor, log10

from bartizan.analyses.experiments.rare import RareEvent
from bartizan.analyses.statistics.intervals import Interval
from bartizan.reports import entries
from bartizan.reports.blocks import Entry, Lines, Table, View
from bartizan.reports.document import PlayedDocument, setting_of
from bartizan.reports.text import sentences, words
from bartizan.simcore.play.match import Match

SMALL = 1e-4  # smaller probabilities are written as 4.3e-08
FAR_APART = 3.0  # standard errors


class RareDocument(RareEvent, PlayedDocument):
    """Result of `chance --event` for a rare event, which is identical for any number of threads."""

    event_title: str
    sentence: str


def document(match: Match, result: RareEvent) -> RareDocument:
    title = match.engine.rare[result.event].title
    fields = {**dict(result), "event_title": title, "sentence": sentence(match, result, title)}
    return RareDocument.about("bartizan.rare/1", match, match.scenario, **fields)


def sentence(match: Match, result: RareEvent, title: str) -> str:
    """Return the finding as a sentence: the probability with its interval, the method and the assumptions."""
    chance = result.chance
    how = (
        f"{result.replicates} replicates of {words.count(result.trajectories)} trajectories per stage, "
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
        f"{setting_of(match, match.scenario)}: the probability that {title} is "
        f"{exact}{_chance(chance)} ({sure}; "
        f"{sentences.rests_on(match.scenario.assumed)})."
    )


# ---------------------------------------------------------------- blocks


def view(d: RareDocument) -> View:
    headers = ("Stage", "Progress", "Reached", "Of", "Share", "Replicates that reached it")
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
    table = Table(f"Stages: {d.event_title}", "", headers, rows)
    findings = Lines((*_caveats(d), *_second_opinion(d)))
    return View(d.sentence, (table, findings), ("Rare events", f"{d.method}."))


def _caveats(d: RareDocument) -> Iterator[str]:
    if d.extinct:
        yield (
            f"{d.extinct} of {d.replicates} replicates died out; they count as 0, so the mean is unbiased. "
            "Use more --trajectories to keep them alive."
        )
    if d.is_rough:
        skewed = f"The replicates are skewed (skewness {d.skewness:.1f}). " if d.skewness is not None else ""
        yield f"{skewed}The interval is approximate; more --replicates or --trajectories improve it."
    if d.capped:
        was = "1 trajectory was" if d.capped == 1 else f"{d.capped:,} trajectories were"
        yield f"{was} truncated, which counts as not reaching the event."


def _second_opinion(d: RareDocument) -> Iterator[str]:
    if d.exact:
        bounds = d.exact.chance
        states = words.many(d.exact.states, "state")
        yield (
            f"Exact: between {bounds.low:.10g} and {bounds.high:.10g}, {bounds.method} over all {states} "
            "in which a player decides."
        )
    elif d.not_exact:
        yield f"No exact value: {d.not_exact}."
    plain = d.plain_count
    chance = plain.chance
    limits = f" ({words.level(chance.level)} {_limits(chance)})" if plain.seen else ""
    yield (
        f"Direct simulation: {plain.seen:,} of {plain.games:,} games, {_chance(chance)}{limits}, "
        f"{chance.method}; {_agreement(d)}."
    )
    if d.gain and d.plain_games_for_this_precision:
        games = f"direct simulation would need {_rounded(d.plain_games_for_this_precision)} games"
        yield f"For this precision, {games} ({_rounded(d.gain, 1)} times as many decisions)." + (
            "" if d.gain > 1 else " Splitting is not faster here."
        )


def _agreement(d: RareDocument) -> str:
    apart = d.standard_errors_apart
    if apart is None:
        return "too few events for a check" if d.chance.estimate else "neither method observed the event"
    if abs(apart) > FAR_APART:
        return f"the methods disagree by {abs(apart):.1f} standard errors"
    return f"the methods agree ({abs(apart):.1f} standard errors apart)"


# ---------------------------------------------------------------- small numbers


def _chance(interval: Interval) -> str:
    """Return a probability as text: `1 in 23,000,000, 4.3e-08`, `below 2.0e-09, fewer than 1 in ...`."""
    if not interval.estimate:
        return f"below {_up(interval.high)}, {words.one_in(interval)}"
    return ", ".join(filter(None, (words.one_in(interval), _value(interval.estimate, interval))))


def _exact(value: float) -> str:
    return f"{100 * value:.6g} %" if value >= SMALL or not value else f"{value:.5g}"


def _limits(interval: Interval) -> str:
    return f"{_value(interval.low, interval)} to {_value(interval.high, interval)}"


def _value(value: float, interval: Interval) -> str:
    """Return a probability in percent or, if it is small, in scientific notation."""
    if interval.estimate >= SMALL:
        return words.percent(value, words.share_digits(interval))
    if value == 0:
        return "0"
    digits = floor(log10(value)) - floor(log10(interval.half_width)) if interval.half_width else 1
    return f"{value:.{min(max(digits, 0), 6)}e}"


def _up(value: float) -> str:
    """Return an upper bound in scientific notation, rounded up to two figures."""
    step = 10.0 ** (floor(log10(value)) - 1)
    return f"{ceil(value / step - 1e-9) * step:.1e}"


def _rounded(value: float, digits: int = 0) -> str:
    """Return a cost as text. Costs of 100 or more are rounded to two figures."""
    return f"{value:,.{digits}f}" if value < 100 else f"{words.two_figures(value, round):,}"
