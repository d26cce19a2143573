"""What the settings change: in sentences, in figures, in a table."""

from collections import Counter
from collections.abc import Iterator

from bartizan.analyses.records.comparison import Comparison, changed_games
from bartizan.analyses.statistics.paired import Effect, Estimate, Measure
from bartizan.reports import entries
from bartizan.reports.blocks import Entry, Figure, Paragraph, Table, Track, View, paragraph
from bartizan.reports.figures import dots, theme
from bartizan.reports.pages.free_for_all import seats
from bartizan.reports.pages.parts import names
from bartizan.reports.study import Study
from bartizan.reports.text import differences, words
from bartizan.reports.text.cell_names import grouped

TITLE = "What the settings change"
MOST, FEW = 6, 3  # what is told one by one; more than FEW of a kind are told in short
MOST_ROWS = 24  # of a figure

CellEffect = tuple[Comparison, Effect]

# ---------------------------------------------------------------- in sentences


def answer(study: Study) -> Paragraph | None:
    if not study.effects:
        return None
    every = [(comparison, effect) for comparison in study.effects for effect in comparison.effects]
    idle = [comparison for comparison in study.effects if _is_idle(comparison)]
    unclear = [
        (comparison, effect)
        for comparison, effect in every
        if not is_effect(effect) and not any(comparison is other for other in idle)
    ]
    clear = _clear(study)
    more = [f"Further settings with effects in the table: {len(clear) - MOST}."] if len(clear) > MOST else []
    sentences = [
        *map(words.sentence, clear[:MOST]),
        *more,
        *_played(study),
        _count_of(sum(is_effect(effect) for _, effect in every), len(every)),
        *map(_never, idle),
        *_unclear(unclear, study),
    ]
    return paragraph("What do the settings change?", sentences)


def _is_idle(comparison: Comparison) -> bool:
    """Did the setting change no game at all?"""
    if any(effect.differing.estimate for effect in comparison.effects):
        return False
    games = changed_games(comparison.base, comparison.changed)
    return games is not None and games.is_none


def _never(comparison: Comparison) -> str:
    games = comparison.effects[0].n if comparison.effects else comparison.games
    who = names.line_up(comparison.changed)
    return f"{words.sentence(names.changed(comparison))}: {differences.never(games, who)}."


def is_effect(effect: Effect) -> bool:
    return effect.is_significant


def _played(study: Study) -> Iterator[str]:
    """By whom, and what the settings are compared with, where that is the same for all of them."""
    who = list(dict.fromkeys(names.line_up(comparison.changed) for comparison in study.effects))
    played = f"played by {who[0]}" if len(who) == 1 else ""
    if all(comparison.base_value is None for comparison in study.effects):
        yield f"Each is compared with the same games as in the scenario{f', {played}' if played else ''}."
    elif played:
        yield f"{words.sentence(played)}."


def _count_of(clear: int, of: int) -> str:
    if of == 1:
        return f"The one effect examined is {'' if clear else 'not '}distinguishable from zero."
    how = "distinguishable from zero, p adjusted for all of them."
    if not clear:
        return f"None of the {of} effects examined is {how}"
    return f"{clear} of the {of} effects examined {'is' if clear == 1 else 'are'} {how}"


def _clear(study: Study) -> list[str]:
    """A sentence a setting with an effect; line-ups, where there are several, stand behind what happens."""
    plain = all(other.base_value is None for other in study.effects)
    settings: dict[str, list[str]] = {}
    for comparison in study.effects:
        effects = [effect for effect in comparison.effects if is_effect(effect)]
        if effects:
            setting = names.changed(comparison) if plain else names.change(comparison)
            changes = words.listing([_changes(effect, study) for effect in effects])
            settings.setdefault(setting, []).append(f"{changes}{_in_brackets(comparison, study)}")
    return [f"{setting}: {'; '.join(changes)}." for setting, changes in settings.items()]


def _in_brackets(comparison: Comparison, study: Study) -> str:
    where = names.apart(comparison, study)
    return f" ({where})" if where else ""


def _changes(effect: Effect, study: Study) -> str:
    """`games are 3.2 (3.1–3.3) turns longer, from 9.8 to 13.0 on average`"""
    difference, measure = effect.difference.interval, _measure(effect, study)
    is_more = difference.estimate > 0
    if effect.measure.kind != "column":
        return f"the {measure} {'rises' if is_more else 'falls'} by {differences.size(difference)}"
    digits = words.digits_for(difference.half_width)
    low, high = sorted((abs(difference.low), abs(difference.high)))
    size = f"{words.number(abs(difference.estimate), digits)} ({words.span(low, high, digits)})"
    ends = " to ".join(words.number(side.interval.estimate, digits) for side in (effect.base, effect.changed))
    if effect.measure.name == "turn":
        way = "longer" if is_more else "shorter"
        return f"games are {size} {names.time(study)}s {way}, from {ends} on average"
    return f"{size} {'more' if is_more else 'fewer'} {measure} a game, from {ends}"


def _unclear(effects: list[CellEffect], study: Study) -> Iterator[str]:
    """A few by name, many by what they are effects on."""
    if not effects:
        return
    labels = _by_measure(effects, study)
    if len(effects) <= FEW:
        labels = [
            f"{names.changed(comparison)}{_in_brackets(comparison, study)}, {_measure(effect, study)}"
            for comparison, effect in effects
        ]
    yield (
        f"Not distinguishable from zero by the adjusted p: {'; '.join(labels)}. The table gives the "
        "interval of each."
    )


def _measure(effect: Effect, study: Study) -> str:
    return names.measure(effect.measure.kind, effect.measure.name, names.time(study))


def _by_measure(effects: list[CellEffect], study: Study) -> list[str]:
    """`length in turns under 5 of 9 changes`"""
    every = Counter(_measure(effect, study) for other in study.effects for effect in other.effects)
    unclear = Counter(_measure(effect, study) for _, effect in effects)
    return [
        f"{measure} under {'all' if n == every[measure] > 1 else f'{n} of'} {every[measure]} changes"
        for measure, n in unclear.items()
    ]


# ---------------------------------------------------------------- figures


def sections(study: Study) -> list[View]:
    """A figure for each measure, a row a setting."""
    pairs = [(comparison, effect) for comparison in study.effects for effect in comparison.effects]
    groups = grouped(pairs, lambda pair: (pair[1].measure.kind, pair[1].measure.name))
    if not groups:
        return []
    bases = list(dict.fromkeys(names.base(comparison) for comparison in study.effects))
    base = f"({bases[0]})" if len(bases) == 1 else "named in the table"
    caption = (
        f"Differences from the base {base}, the same game numbers on common luck, with "
        f"{words.CONFIDENCE} intervals. A difference whose line crosses 0 is not "
        "distinguishable from zero."
    )
    if len(pairs) > 1:
        caption += " Of many lines a few miss 0 by chance: the table gives p-values adjusted for that."
    figures = tuple(_figure(each[:MOST_ROWS], study) for each in groups.values())
    return [View(title=TITLE, caption=caption, blocks=figures)]


def _figure(effects: list[CellEffect], study: Study) -> Figure:
    """effects: on one measure."""
    measure = effects[0][1].measure
    rows, unit = list(_rows(effects, study)), _unit(measure, study)
    each = f"game numbers{' each' if len(effects) > 1 else ''}"
    title = words.sentence(_measure(effects[0][1], study))
    note = seats.of_games({effect.n for _, effect in effects}, each)
    return Figure(title, dots.differences(rows, unit), note)


def _unit(measure: Measure, study: Study) -> str:
    if measure.kind != "column":
        return differences.POINTS
    return f"{names.time(study)}s" if measure.name == "turn" else "a game"


def _scale(measure: Measure) -> int:
    return 1 if measure.kind == "column" else 100


def _rows(effects: list[CellEffect], study: Study) -> Iterator[Track]:
    """A row a setting; where players or other settings differ too, a heading a setting and below it a row for
    each of them.
    """
    heading = None
    for comparison, effect in effects:
        setting, apart = words.sentence(names.changed(comparison)), names.apart(comparison, study)
        if apart and setting != heading:
            yield dots.row(setting, "", ())
        heading = setting
        interval, scale = effect.difference.interval, _scale(effect.measure)
        point = seats.share_point(interval.scaled(scale), theme.CLEAR)
        yield dots.row(apart or setting, differences.numbers(interval, scale), (point,))


# ---------------------------------------------------------------- table

HEADERS = (
    "Setting",
    "Effect on",
    "Game numbers",
    "Without",
    "With",
    "Difference",
    "p (adjusted)",
    "Pairing factor",
    "Games that differ",
)


def table(study: Study) -> Table | None:
    """One row a setting and measure."""
    rows = tuple(
        tuple(_row(comparison, effect, study))
        for comparison in study.effects
        for effect in comparison.effects
    )
    return Table(TITLE, " ".join(_caption(study, len(rows))), HEADERS, rows) if rows else None


def _caption(study: Study, rows: int) -> Iterator[str]:
    yield (
        "The same game numbers with and without the setting, compared game by game on common luck, with "
        f"{words.CONFIDENCE} intervals. p of no change, and adjusted for all {rows} rows (Benjamini "
        f"and Hochberg). {entries.FACTOR} with luck of their own. Games that differ: in which the measure "
        "comes out otherwise at all."
    )
    if any(comparison.left_out for comparison in study.effects):
        yield "Game numbers that only one side has are left out."
    if any(comparison.capped for comparison in study.effects):
        yield (
            "Games cut off count with the length they had reached; win shares run from none of them won to "
            "all of them won."
        )


def _row(comparison: Comparison, effect: Effect, study: Study) -> Iterator[Entry]:
    difference, scale = effect.difference.interval, _scale(effect.measure)
    is_none = effect.differing.estimate == 0
    yield Entry(words.sentence(names.change(comparison)), names.apart(comparison, study))
    yield Entry(_measure(effect, study))
    yield entries.count(effect.n)
    yield _side(effect.base, scale)
    yield _side(effect.changed, scale)
    yield Entry("none", "no game differs") if is_none else entries.difference(difference, scale)
    yield entries.p_values(effect.difference.p, effect.adjusted)
    yield entries.factor(effect.factor)
    yield entries.share(effect.differing)


def _side(estimate: Estimate, scale: int) -> Entry:
    """A mean, or a share, without or with the setting."""
    interval, unit = estimate.interval.scaled(scale), "" if scale == 1 else f"{words.NBSP}%"
    digits = words.digits_for(interval.half_width)
    limits = f"{words.span(interval.low, interval.high, digits)}{unit}"
    if not interval.has_limits:
        limits = interval.method
    if scale != 1 and words.is_bounds(interval):
        return Entry(limits)
    return Entry(f"{words.number(interval.estimate, digits)}{unit}", limits)
