"""Main effects and interactions of the most influential values: `effects` in the JSON of `sensitivity`."""

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

NAMED = 5  # pairs that are listed individually
TITLE = "Interactions of the most influential values"
ALONE, TOTAL = CLEAR, "#de8f05"
LEGEND = ((ALONE, "main effect"), (TOTAL, "total effect, including interactions"))


# ---------------------------------------------------------------- the sentence


def sentence(result: Interactions | TooFewSettings, subject: str, setting: str, source: str) -> str:
    """Return the finding as a sentence.

    The sentence gives the largest mean effect, its dependence on other values, the interactions and the
    number of games. If too few settings were playable, it states this instead. subject: the measure. setting:
    game, players and level. source: seed and assumptions.
    """
    if isinstance(result, TooFewSettings):
        return (
            f"{setting}: no effects, because only {words.count(result.settings)} random settings of these "
            f"values are playable at all points and {FEWEST} are needed; {words.count(result.redrawn)} "
            f"{'was' if result.redrawn == 1 else 'were'} rejected. Vary fewer values (--effects, --path) or "
            "use more settings (--settings)."
        )
    n = len(result.knobs)
    values = "one value" if n == 1 else f"the {words.count(n)} most influential values"
    sure = (
        f"simultaneous {words.CONFIDENCE} intervals, {words.many(result.games, 'game')} at each of "
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
        return f"no single change has a significant mean effect on {subject}"
    low, high = (words.signed(end * 100) for end in change.nine_in_ten)
    depends = (
        f", between {low} and {high} depending on the other values"
        if low != high
        else ", with no visible dependence on the other values"
    )
    return (
        f"with {_name(value)} {sentences.value(change.to)} instead of {sentences.value(change.from_)}, "
        f"{subject} {differences.moves(change.difference, change.is_clear)} on average"
        f"{depends if len(result.knobs) > 1 else ''}"
    )


def _together(result: Interactions) -> str:
    if result.sum_alone is None:
        return "its variance is within sampling error"
    alone = f"main effects explain {_part(result.sum_alone)} of its variance"
    if clear := result.clear_pairs:
        return (
            f"{alone}; the largest interaction is between {_both(clear[0], result)}, {_part(clear[0].share)}"
        )
    none = ", and no pair has a significant interaction"
    return f"{alone}{none if len(result.knobs) > 1 else ''}"


def _name(value: ValueEffects) -> str:
    return value.what or changes.named({"path": value.path})


def _both(pair: EffectPair, d: Interactions) -> str:
    names = {value.path: _name(value) for value in d.knobs}
    return words.listing([names[path] for path in pair.paths])


# ---------------------------------------------------------------- blocks


def view(d: Interactions | TooFewSettings) -> View:
    method = ("Interactions", f"{d.method}.")
    notes = Lines(tuple(_notes(d)), ())
    if isinstance(d, TooFewSettings):
        return View(d.sentence, (notes,), method)
    blocks: list[Block] = [_table(d)]
    if d.varies:
        together = tuple(_together_only(pair) for pair in d.clear_pairs[:NAMED])
        on_page = tuple(
            f"Interaction of {_both(pair, d)}: {share(pair.share)}." for pair in d.clear_pairs[:NAMED]
        )
        blocks += [_figure(d), Lines((_variance(d), *together, *_other_pairs(d)), on_page)]
    caption = f"{d.sentence} A share whose interval includes 0 is within sampling error."
    return View(d.sentence, (*blocks, notes), method, TITLE, caption, LEGEND)


def _figure(d: Interactions) -> Figure:
    """Return the figure with two dots per value: main effect and total effect."""
    rows = []
    for value in d.knobs:
        shares = [(value.alone, ALONE), (value.total, TOTAL)]
        points = tuple(dots.mark(index, colour) for index, colour in shares if index)
        label = " / ".join(_percent(point.interval) for point in points)
        rows.append(dots.row(_name(value), label, points))
    return Figure("Main and total effects", dots.chart(rows, 1.0, "share of the variance"))


def _table(d: Interactions) -> Table:
    headers = (
        "Value",
        "From",
        "To",
        "Mean effect",
        "In 90\u00a0% of settings",
        "Main effect (share)",
        "Total effect (share)",
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
        Entry("" if change.is_clear else "not significant"),
    )


def _variance(d: Interactions) -> str:
    spread = max(d.variance.estimate, 0) ** 0.5 * 100
    alone = f"; sum of main effects: {share(d.sum_alone)}" if d.sum_alone else ""
    return (
        f"Shares of the variance over the settings (standard deviation {spread:.1f} percentage points, "
        f"without sampling noise){alone}."
    )


def _notes(d: Interactions | TooFewSettings) -> Iterator[str]:
    """Yield notes on the limitations of the numbers."""
    if isinstance(d, Interactions) and not d.varies:
        yield ("No shares: the variance over these settings is within sampling error. Use more --settings.")
    if d.redrawn:
        yield (
            f"{words.were(d.redrawn, 'setting')} redrawn because a point was not playable. "
            "The results do not represent such combinations."
        )
    if d.capped:
        yield f"{words.were(d.capped, 'game')} truncated; each counts as the mean of its possible results."


def _other_pairs(d: Interactions) -> Iterator[str]:
    if (more := len(d.clear_pairs) - NAMED) > 0:
        have = f"{words.many(more, 'more pair')} {'has' if more == 1 else 'have'}"
        yield f"{have} significant interactions (--json)."
    if rest := len(d.pairs) - len(d.clear_pairs):
        yield f"{words.count(rest)} of {words.count(len(d.pairs))} pairs have no significant interaction."


def _together_only(pair: EffectPair) -> str:
    """Return a sentence on the interaction of two values, for a terminal.

    It gives the interaction's share of the variance, and the effect of changing one value for each option of
    the other. For example: `Interaction: a and b 2 % (1–4 %). Effect of a 3 -> 4 in percentage points, by b:
    −44 (...) with 1.`
    """
    # choose the direction with the larger range of effects
    ways = [(way, [(at.value, at.difference) for at in way.at if at.difference]) for way in pair.given]
    way, at = max(ways, key=lambda each: _reach([difference.estimate for _, difference in each[1]]))
    if all(isinstance(value, int | float) for value, _ in at):
        at = sorted(at, key=lambda each: each[0])
    told = ", ".join(
        f"{differences.numbers(difference)} with {sentences.value(value)}" for value, difference in at
    )
    change = f"{way.path} {sentences.value(way.from_)} -> {sentences.value(way.to)}"
    return (
        f"Interaction: {words.listing(pair.paths)} {share(pair.share)}. Effect of {change} in percentage "
        f"points, by {way.by}: {told}."
    )


def _reach(values: list[float]) -> float:
    return max(values) - min(values) if values else 0.0


# ---------------------------------------------------------------- shares of the variance


def share(index: Interval) -> str:
    """Return a share of the variance, such as `61 % (54–68 %)`.

    If the changes affected no game, or the share is within sampling error, the text states this and gives the
    upper limit.
    """
    if index.method == NEVER and not index.estimate:
        return f"changed no game (up to {index.high * 100:.2g}{words.NBSP}%)"
    if is_noise(index):
        return f"within sampling error (up to {index.high * 100:.2g}{words.NBSP}%)"
    return _part(index)


def _part(share: Interval) -> str:
    """Return the estimate and limits of a share of the variance.

    The share always has an estimate, because it is not a share of counted games, some of which may be
    truncated.
    """
    return f"{_percent(share)} ({words.share_limits(share)})"


def _percent(share: Interval) -> str:
    return words.percent(share.estimate, words.share_digits(share))
