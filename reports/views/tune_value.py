"""Result of `tune` for one value."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from math import ceil, floor
from typing import Any

from bartizan.analyses.experiments import tuning
from bartizan.analyses.experiments.trials import Condition
from bartizan.analyses.experiments.tuning import BETWEEN, BEYOND, HIT, INCONCLUSIVE, Knob, Target, Tuning
from bartizan.analyses.experiments.tuning_many import cost_of
from bartizan.reports import entries
from bartizan.reports.blocks import Entry, View
from bartizan.reports.text import changes, sentences, words
from bartizan.reports.views.tune_shared import (
    SCHEMA,
    ShownChanges,
    TriedRow,
    TuneDocument,
    VariedValue,
    common,
    estimated,
    refused_lines,
    time_of,
    turns_of,
    varied,
    view_of,
)
from bartizan.simcore.scenario.loading import Scenario
from bartizan.simcore.scenario.model import ChangeCost


class TunedValue(Tuning, TuneDocument):
    """Result of a search over one value."""

    knob: VariedValue
    cost: float
    refused: list[dict[str, Any]]  # value, reason


def of_value(
    condition: Condition,
    s: Scenario,
    target: Target,
    searched: Knob,
    result: Tuning,
    fresh_seed: int,
    refused: Sequence[tuple[Any, str]],
    costs: Mapping[str, ChangeCost],
    looks: Mapping[str, Any],
) -> TunedValue:
    knob, winner = searched.parameter, result.winner
    fields = {
        **dict(result),
        **common(condition, s, target, result.verdict, winner, fresh_seed, looks),
        "knob": varied(searched, costs, s).model_copy(update={"source": knob.source}),
        "cost": cost_of([knob.path] if winner.value != knob.value else [], costs),
        "refused": [{"value": value, "reason": reason} for value, reason in refused],
        "method": tuning.METHOD,
    }
    d = TunedValue.about(SCHEMA, condition, s, **fields)
    numbers = f"{d.both_results(winner)} ({d.how_sure(winner)})"
    return d.with_sentence(f"{_finding(d)}. Value {changes.value(winner.value)}: {numbers}.")


def _finding(d: TunedValue) -> str:
    what, wanted = d.knob.what, f"{d.subject} {d.wanted}"
    value = changes.value(d.winner.value)
    if d.verdict == HIT:
        now = sentences.value(d.knob.present)
        return f"{what} {value} (now {now}) brings {wanted}, at a cost of {words.exact(d.cost)}"
    if d.verdict == INCONCLUSIVE:
        return f"it is inconclusive whether a value of {what} brings {wanted}; {value} is nearest"
    values = [sentences.value(value) for value in d.knob.values]
    ends = f" from {values[0]} to {values[-1]}" if d.knob.ordered else ""
    none = f"no value of {what}{ends} brings {wanted}"
    if d.verdict == BETWEEN:
        return f"{none}: {_neighbours(d)}; {value} is nearest"
    straight = d.verdict == BEYOND and d.played < d.values
    return f"{none}{', if the response is monotonic' if straight else ''}; {value} is nearest"


def _neighbours(d: TunedValue) -> str:
    pair = [(d.winner.value, d.winner.fresh.estimate)]
    if d.neighbour:
        pair.append((d.neighbour.value, d.neighbour.estimate))
    return " and ".join(
        f"{sentences.value(value)} gives {d.said(interval).text}"
        for value, interval in sorted(pair, key=lambda both: both[0])
    )


def view(d: TunedValue) -> View:
    shown = ShownChanges(
        finding=_finding(d),
        best=d.winner,
        rows=list(_rows(d)),
        name=words.sentence(d.knob.what),
        columns=(words.sentence(d.measure), time_of(d), "Monotone fit"),
        heading=f"All evaluated values of {d.knob.path}; {d.measure}:",
        lines=tuple(_lines(d)),
    )
    return view_of(d, shown)


def _rows(d: TunedValue) -> Iterator[TriedRow]:
    is_outside = d.present is not None and all(row.value != d.present.value for row in d.points)
    for row in [*d.points, *([d.present] if d.present and is_outside else [])]:
        is_chosen = row.value == d.winner.value
        marks = [
            *(["current, not in the search" if is_outside else "current"] if row.present else []),
            *(["chosen"] if is_chosen else []),
        ]
        fit = entries.NONE if row.fit is None else Entry(d.said(replace(row.estimate, estimate=row.fit)).text)
        columns = (estimated(row.estimate, d), turns_of(row.turns), fit)
        yield TriedRow(sentences.value(row.value), ", ".join(marks), row, is_chosen, columns)


def _lines(d: TunedValue) -> Iterator[str]:
    """Yield lines on the search, the cost of the change, and rejected values."""
    if d.bends:
        every = (
            "all values were evaluated, and the nearest was selected by its own games."
            if d.played == d.values
            else "list fewer values, or a step, to evaluate all of them."
        )
        yield f"The response is not monotonic: {every}"
    if len(d.checked) > 1:
        checked = words.listing([sentences.value(value) for value in d.checked])
        yield f"The search did not separate {checked}; both were evaluated on held-out seeds."
    if d.verdict == BETWEEN and d.target.low == d.target.high:
        yield f"To accept a wider target, use --margin or a range, such as --target {_range(d)}."
    if d.verdict == INCONCLUSIVE and not d.bends:
        yield f"{d.remedy(d.winner.fresh.estimate, 'Use more --games')}."
    yield f"Cost of change: {d.knob}; {d.cost_unit}."
    yield f"{d.played} of {d.values} values evaluated."
    yield from refused_lines([f"{sentences.value(row['value'])}: {row['reason']}" for row in d.refused])


def _range(d: TunedValue) -> str:
    """Return a value for `--target`: a range that the best value is expected to meet."""
    fresh = d.winner.fresh.estimate
    ends = (d.target.low, fresh.low, fresh.high)
    step = 0.01 if d.target.is_share else 1
    low, high = floor(min(ends) / step) * step, ceil(max(ends) / step) * step
    high = min(high, 1.0) if d.target.is_share else high
    return f"{d.target.measure}{':' + d.target.name if d.target.name else ''}={low:.15g}..{high:.15g}"
