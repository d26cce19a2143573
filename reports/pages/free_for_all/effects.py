"""Effects of the settings of a sweep, on the page of a free-for-all."""

from collections.abc import Iterator

from bartizan.analyses.records.comparison import Comparison, EffectRow, changed_games
from bartizan.analyses.statistics.paired import Effect, Estimate, Measure
from bartizan.reports import entries
from bartizan.reports.blocks import Entry, Figure, Method, Paragraph, Table, Track, View, paragraph
from bartizan.reports.figures import dots, theme
from bartizan.reports.pages.free_for_all import seats
from bartizan.reports.pages.parts import names
from bartizan.reports.pages.parts.measure import Document, PageMeasure, fields_of
from bartizan.reports.study import Study
from bartizan.reports.text import differences, words
from bartizan.reports.text.cell_names import grouped

TITLE = "Effects of the settings"
MOST = 6  # settings that are listed individually
METHOD = (
    "the same game numbers on common random numbers, paired (paired t; Law & Kelton, Simulation Modeling and "
    "Analysis), or exact tails (Blaker 2000) if fewer than 100 games differ. Interval and p come from the "
    "same method."
)
ADJUSTED = (
    "p-values adjusted for all effects of the table (Benjamini and Hochberg 1995); an effect counts as "
    "significant if its adjusted p-value is below 0.05."
)
MOST_ROWS = 24  # rows per figure

CellEffect = tuple[Comparison, Effect]


class Effects(PageMeasure):
    """Effect of each setting, compared with its base."""

    def said(self, study: Study) -> Iterator[Paragraph]:
        every = [effect for comparison in study.effects for effect in comparison.effects]
        if every:
            clear = [words.sentence(each) for each in _clear(study)[:MOST]]
            idle = map(_never, filter(_is_idle, study.effects))
            counted = _count_of(sum(effect.is_significant for effect in every), len(every))
            yield paragraph("What do the settings change?", [*clear, counted, *idle])

    def sections(self, study: Study) -> Iterator[View]:
        pairs = [(comparison, effect) for comparison in study.effects for effect in comparison.effects]
        groups = grouped(pairs, lambda pair: (pair[1].measure.kind, pair[1].measure.name))
        if not groups:
            return
        bases = list(dict.fromkeys(names.base(comparison) for comparison in study.effects))
        base = f"({bases[0]})" if len(bases) == 1 else "named in the table"
        caption = (
            f"Differences from the base {base}, the same game numbers on common random numbers, with "
            f"{words.CONFIDENCE} intervals. A difference whose line crosses 0 is not significant."
        )
        if len(pairs) > 1:
            caption += (
                " Among many lines, a few exclude 0 by chance; the table has p-values adjusted for this."
            )
        figures = tuple(_figure(each[:MOST_ROWS], study) for each in groups.values())
        left_out = sum(max(len(each) - MOST_ROWS, 0) for each in groups.values())
        yield View(title=TITLE, caption=caption, blocks=figures, left_out=left_out)

    def tables(self, study: Study) -> Iterator[Table]:
        rows = tuple(
            tuple(_row(comparison, effect, study))
            for comparison in study.effects
            for effect in comparison.effects
        )
        yield Table(TITLE, " ".join(_caption(study, len(rows))), HEADERS, rows)

    def methods(self, study: Study) -> list[Method]:
        return [("Effect of a setting", METHOD), ("Several effects", ADJUSTED)] if study.effects else []

    def of_study(self, study: Study) -> Document:
        return {"effects": list(map(_document, study.effects))}


# ---------------------------------------------------------------- in words


def _is_idle(comparison: Comparison) -> bool:
    """Return whether the setting changed no game."""
    if any(effect.differing.estimate for effect in comparison.effects):
        return False
    games = changed_games(comparison.base, comparison.changed)
    return games is not None and games.is_none


def _never(comparison: Comparison) -> str:
    games = comparison.effects[0].n if comparison.effects else comparison.games
    who = names.line_up(comparison.changed)
    return f"{words.sentence(names.changed(comparison))}: {differences.never(games, who)}."


def _count_of(clear: int, of: int) -> str:
    if of == 1:
        return f"The only effect examined is {'' if clear else 'not '}significant."
    how = "significant (p adjusted for all of them)."
    if not clear:
        return f"None of the {of} effects examined is {how}"
    return f"{clear} of the {of} effects examined {'is' if clear == 1 else 'are'} {how}"


def _clear(study: Study) -> list[str]:
    """Return one sentence per setting that has a significant effect.

    If there are several line-ups, the sentence names them.
    """
    plain = all(other.base_value is None for other in study.effects)
    settings: dict[str, list[str]] = {}
    for comparison in study.effects:
        effects = [effect for effect in comparison.effects if effect.is_significant]
        if effects:
            setting = names.changed(comparison) if plain else names.change(comparison)
            changes = words.listing([_changes(effect, study) for effect in effects])
            settings.setdefault(setting, []).append(f"{changes}{_in_brackets(comparison, study)}")
    return [f"{setting}: {'; '.join(changes)}." for setting, changes in settings.items()]


def _in_brackets(comparison: Comparison, study: Study) -> str:
    where = names.apart(comparison, study)
    return f" ({where})" if where else ""


def _changes(effect: Effect, study: Study) -> str:
    """Return an effect as a clause: `games are 3.2 (3.1–3.3) turns longer, from 9.8 to 13.0 on average`."""
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
    return f"{size} {'more' if is_more else 'fewer'} {measure} per game, from {ends}"


def _measure(effect: Effect, study: Study) -> str:
    return names.measure(effect.measure.kind, effect.measure.name, names.time(study))


# ---------------------------------------------------------------- figures


def _figure(effects: list[CellEffect], study: Study) -> Figure:
    measure = effects[0][1].measure
    rows, unit = list(_rows(effects, study)), _unit(measure, study)
    each = f"game numbers{' each' if len(effects) > 1 else ''}"
    title = words.sentence(_measure(effects[0][1], study))
    note = seats.of_games({effect.n for _, effect in effects}, each)
    return Figure(title, dots.differences(rows, unit), note)


def _unit(measure: Measure, study: Study) -> str:
    if measure.kind != "column":
        return differences.POINTS
    return f"{names.time(study)}s" if measure.name == "turn" else "per game"


def _scale(measure: Measure) -> int:
    return 1 if measure.kind == "column" else 100


def _rows(effects: list[CellEffect], study: Study) -> Iterator[Track]:
    """Yield the rows of the chart of effects, one per setting.

    If players or other settings also differ, yields a heading per setting and a row for each combination.
    """
    heading = None
    for comparison, effect in effects:
        setting, apart = words.sentence(names.changed(comparison)), names.apart(comparison, study)
        if apart and setting != heading:
            yield dots.row(setting, "", ())
        heading = setting
        interval, scale = effect.difference.interval, _scale(effect.measure)
        point = dots.mark(interval.scaled(scale), theme.CLEAR)
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


def _caption(study: Study, rows: int) -> Iterator[str]:
    yield (
        "The same game numbers with and without the setting, paired game by game, with "
        f"{words.CONFIDENCE} intervals. p: test of no change, adjusted for all {rows} rows (Benjamini "
        f"and Hochberg). {entries.FACTOR} without common random numbers. Games that differ: games in which "
        "the measure changes."
    )
    if any(comparison.left_out for comparison in study.effects):
        yield "Game numbers that only one side has are ignored."
    if any(comparison.capped for comparison in study.effects):
        yield (
            "Lengths are over the games that ended on both sides; win rates with truncated games cover both "
            "extremes: none or all of them won."
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
    """Return the cell of one side: its mean or share, without or with the setting."""
    interval, unit = estimate.interval.scaled(scale), "" if scale == 1 else f"{words.NBSP}%"
    digits = words.digits_for(interval.half_width)
    limits = f"{words.span(interval.low, interval.high, digits)}{unit}"
    if not interval.has_limits:
        limits = interval.method
    if scale != 1 and words.is_bounds(interval):
        return Entry(limits)
    return Entry(f"{words.number(interval.estimate, digits)}{unit}", limits)


# ---------------------------------------------------------------- as JSON


def _document(comparison: Comparison) -> Document:
    sides = {"base": comparison.base, "changed": comparison.changed}
    return {
        **fields_of(comparison, "path", "value", "base_value", "games", "left_out", "capped"),
        "cells": {side: [cell.id for cell in line_up.cells] for side, line_up in sides.items()},
        "effects": [EffectRow.of(effect).plain() for effect in comparison.effects],
    }
