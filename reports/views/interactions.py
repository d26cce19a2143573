"""What a few values do over each other: `effects` of a sensitivity document."""

from collections.abc import Iterator

from bartizan.analyses.experiments.interactions import (
    Change,
    EffectPair,
    Interactions,
    TooFewSettings,
    ValueEffects,
)
from bartizan.analyses.statistics.intervals import Interval
from bartizan.analyses.statistics.sobol import FEWEST, NEVER, is_noise
from bartizan.reports import entries
from bartizan.reports.blocks import Block, Entry, Figure, Lines, Table, View
from bartizan.reports.figures import dots
from bartizan.reports.figures.theme import CLEAR
from bartizan.reports.text import changes, differences, sentences, words
from bartizan.reports.text.differences import PP

NAMED = 5  # pairs that are told one by one
TITLE = "What the most influential do over each other"
ALONE, TOTAL = CLEAR, "#de8f05"
LEGEND = ((ALONE, "by itself"), (TOTAL, "with all others"))


# ---------------------------------------------------------------- the sentence


def sentence(result: Interactions | TooFewSettings, subject: str, setting: str, source: str) -> str:
    """The change that moves it most on average, how far that depends on the rest, what interacts; n and the
    games. subject: what is counted; setting: game, players and level; source: seed and what it rests on.
    """
    if isinstance(result, TooFewSettings):
        return (
            f"{setting}: no effects: {words.count(result.settings)} random settings of these values could be "
            f"played at all their points, and it takes {FEWEST}; {words.count(result.redrawn)} were refused "
            "(vary fewer values: --effects, --path; or more settings: --settings)."
        )
    n = len(result.knobs)
    values = "one value" if n == 1 else f"the {words.count(n)} most influential values"
    sure = (
        f"{words.CONFIDENCE} intervals that hold together, {words.count(result.games)} games at each of "
        f"{words.count(result.points)} points, {source}"
    )
    return (
        f"{setting}: over {words.count(result.settings)} random settings of {values}, "
        f"{_largest(result, subject)}; {_together(result)} ({sure})."
    )


def _largest(result: Interactions, subject: str) -> str:
    value, change = max(
        ((value, change) for value in result.knobs for change in value.changes),
        key=lambda both: abs(both[1].difference.estimate),
    )
    if not change.is_clear:
        return f"no single change moves {subject} on average by an amount that is distinguishable from zero"
    low, high = (words.signed(end * 100) for end in change.nine_in_ten)
    depends = (
        f", between {low} and {high} depending on the rest"
        if low != high
        else ", whatever the rest as far as can be told"
    )
    return (
        f"with {_name(value)} {sentences.value(change.to)} instead of {sentences.value(change.from_)} "
        f"{subject} {differences.moves(change.difference, change.is_clear)} on average"
        f"{depends if len(result.knobs) > 1 else ''}"
    )


def _together(result: Interactions) -> str:
    if result.sum_alone is None:
        return "how far it varies beyond noise cannot be told"
    alone = f"single values by themselves make {_part(result.sum_alone)} of its variance"
    if clear := result.clear_pairs:
        return f"{alone}; {_both(clear[0], result)} do most together, {_part(clear[0].share)}"
    none = ", and no pair does anything together that noise does not explain"
    return f"{alone}{none if len(result.knobs) > 1 else ''}"


def _name(value: ValueEffects) -> str:
    return value.what or changes.named({"path": value.path})


def _both(pair: EffectPair, d: Interactions) -> str:
    names = {value.path: _name(value) for value in d.knobs}
    return words.listing([names[path] for path in pair.paths])


# ---------------------------------------------------------------- blocks


def view(d: Interactions | TooFewSettings) -> View:
    method = ("Over each other", f"{d.method}.")
    notes = Lines(tuple(_notes(d)), ())
    if isinstance(d, TooFewSettings):
        return View(d.sentence, (notes,), method)
    blocks: list[Block] = [_table(d)]
    if d.varies:
        together = tuple(_together_only(pair) for pair in d.clear_pairs[:NAMED])
        on_page = tuple(
            f"{_both(pair, d)} do {share(pair.share)} only together." for pair in d.clear_pairs[:NAMED]
        )
        blocks += [_figure(d), Lines((_variance(d), *together, *_other_pairs(d)), on_page)]
    caption = f"{d.sentence} An interval that reaches 0 is one that noise explains."
    return View(d.sentence, (*blocks, notes), method, TITLE, caption, LEGEND)


def _figure(d: Interactions) -> Figure:
    """Two dots a value: by itself, and with all others."""
    rows = []
    for value in d.knobs:
        shares = [(value.alone, ALONE), (value.total, TOTAL)]
        points = tuple(dots.mark(index, colour) for index, colour in shares if index)
        label = " / ".join(_percent(point.interval) for point in points)
        rows.append(dots.row(_name(value), label, points))
    return Figure("By itself, and with all others", dots.chart(rows, 1.0, "share of the variance"))


def _table(d: Interactions) -> Table:
    headers = (
        "Value",
        "From",
        "To",
        "Moves it on average by",
        "Nine settings in ten",
        "Share by itself",
        "Share with all others",
        "",
    )
    rows = tuple(_row(value, change) for value in d.knobs for change in value.changes)
    return Table(TITLE, d.sentence, headers, rows)


def _row(value: ValueEffects, change: Change) -> tuple[Entry, ...]:
    text, limits = words.change(change.difference, 100, least=1)
    low, high = (words.signed(end * 100, 1) for end in change.nine_in_ten)
    shares = [Entry(share(index)) if index else entries.NONE for index in (value.alone, value.total)]
    return (
        Entry(_name(value), value.path),
        Entry(changes.value(change.from_)),
        Entry(changes.value(change.to)),
        Entry(f"{text} {PP}", limits),
        Entry(f"{low} to {high}"),
        *shares,
        Entry("" if change.is_clear else "not distinguishable from zero"),
    )


def _variance(d: Interactions) -> str:
    spread = max(d.variance.estimate, 0) ** 0.5 * 100
    alone = f"; all, each by itself: {share(d.sum_alone)}" if d.sum_alone else ""
    return (
        f"Share of the variance over the settings (standard deviation {spread:.1f} percentage points; noise "
        f"taken off){alone}."
    )


def _notes(d: Interactions | TooFewSettings) -> Iterator[str]:
    """What the numbers leave out."""
    if isinstance(d, Interactions) and not d.varies:
        yield (
            "How far the result varies beyond noise over these settings cannot be told: no shares (more "
            "--settings)."
        )
    if d.redrawn:
        yield (
            f"{words.count(d.redrawn)} settings were drawn again, since some of their points are refused: "
            "the others stand for fewer combinations than all."
        )
    if d.capped:
        yield (
            f"{words.count(d.capped)} games were cut off; each counts as the middle of what it might have "
            "been."
        )


def _other_pairs(d: Interactions) -> Iterator[str]:
    if (more := len(d.clear_pairs) - NAMED) > 0:
        yield f"{words.count(more)} more pairs that noise does not explain (--json)."
    if rest := len(d.pairs) - len(d.clear_pairs):
        yield f"{words.count(rest)} of {words.count(len(d.pairs))} pairs: noise explains it."


def _together_only(pair: EffectPair) -> str:
    """`Together only: a and b 2 % (1–4 %). a 3 -> 4, percentage points by b: −44 (−46 to −42) with 1, ...`"""
    # of the two ways the one with the longer way between its ends
    ways = [(way, [(at.value, at.difference) for at in way.at if at.difference]) for way in pair.given]
    way, at = max(ways, key=lambda each: _reach([difference.estimate for _, difference in each[1]]))
    if all(isinstance(value, int | float) for value, _ in at):
        at = sorted(at, key=lambda each: each[0])
    told = ", ".join(
        f"{differences.numbers(difference)} with {sentences.value(value)}" for value, difference in at
    )
    change = f"{way.path} {sentences.value(way.from_)} -> {sentences.value(way.to)}"
    return (
        f"Together only: {words.listing(pair.paths)} {share(pair.share)}. {change}, percentage points by "
        f"{way.by}: {told}."
    )


def _reach(values: list[float]) -> float:
    return max(values) - min(values) if values else 0.0


# ---------------------------------------------------------------- shares of the variance


def share(index: Interval) -> str:
    """`61 % (54–68 %)`, or that noise explains it, with the most that it can be."""
    if index.method == NEVER and not index.estimate:
        return f"changed no game (up to {index.high * 100:.2g}{words.NBSP}%)"
    if is_noise(index):
        return f"noise explains it (up to {index.high * 100:.2g}{words.NBSP}%)"
    return _part(index)


def _part(share: Interval) -> str:
    """Estimate and limits, of 1 too: an index has no counts, so that nothing is a bound."""
    return f"{_percent(share)} ({words.share_limits(share)})"


def _percent(share: Interval) -> str:
    return words.percent(share.estimate, words.digits_for(share.half_width * 100))
