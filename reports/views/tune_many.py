"""Results of `tune` for several values at once, and for single changes of every value."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from bartizan.analyses.experiments.trials import Condition
from bartizan.analyses.experiments.tuning import HIT, INCONCLUSIVE, NONE_OF_THEM, Knob, Target
from bartizan.analyses.experiments.tuning_many import (
    Front,
    PlayedCombination,
    Screen,
    ValueCombination,
    VerifiedCombination,
)
from bartizan.reports import entries
from bartizan.reports.blocks import Entry, View
from bartizan.reports.text import changes, sentences, words
from bartizan.reports.views.tune_shared import (
    SCHEMA,
    CostedValue,
    ShownChanges,
    TriedRow,
    TuneDocument,
    VariedValue,
    common,
    costed,
    estimated,
    names_of,
    refused_lines,
    time_of,
    turns_of,
    varied,
    view_of,
)
from bartizan.simcore.scenario.loading import Scenario
from bartizan.simcore.scenario.model import ChangeCost

NEAREST = 12  # listed changes that were not evaluated on held-out seeds


class TunedCombination(Front, TuneDocument):
    """Result of a search over several values."""

    knobs: list[VariedValue]
    names: dict[str, str]  # {path: name of the value}


class ScreenedValues(Screen, TuneDocument):
    """Result of varying one value at a time."""

    range: float
    names: dict[str, str]
    costs: list[CostedValue]


def of_combinations(
    condition: Condition,
    s: Scenario,
    target: Target,
    knobs: Sequence[Knob],
    result: Front,
    costs: Mapping[str, ChangeCost],
    fresh_seed: int,
    looks: Mapping[str, Any],
) -> TunedCombination:
    best = result.best
    fields = {
        **dict(result),
        **common(condition, s, target, result.verdict, best, fresh_seed, looks),
        "knobs": [varied(searched, costs, s) for searched in knobs],
        "names": names_of(result.tried, s),
    }
    d = TunedCombination.about(SCHEMA, condition, s, **fields)
    now = next((row.fresh.turns for row in d.front if not row.changes), d.length.present)
    turns = f"{best.fresh.turns.estimate:.1f} {d.turn_name}s, now {now.estimate:.1f}"
    return d.with_sentence(
        f"{_combination_finding(d)}, at a cost of {words.exact(best.cost)}: {d.both_results(best)}, {turns} "
        f"({d.how_sure(best)})."
    )


def of_screen(
    condition: Condition,
    s: Scenario,
    target: Target,
    result: Screen,
    costs: Mapping[str, ChangeCost],
    spread: float,
    fresh_seed: int,
    looks: Mapping[str, Any],
) -> ScreenedValues:
    best = result.best
    changed = dict.fromkeys(path for winner in result.ranked for path in winner.changes)
    fields = {
        **dict(result),
        **common(condition, s, target, result.verdict, best, fresh_seed, looks),
        "range": spread,
        "names": names_of([*result.ranked, *result.others], s),
        "costs": [CostedValue(**costed(path, costs, s)) for path in changed],
    }
    d = ScreenedValues.about(SCHEMA, condition, s, **fields)
    numbers = f"{d.both_results(best)} ({d.how_sure(best)})"
    return d.with_sentence(f"{_screen_finding(d)}, at a cost of {words.exact(best.cost)}: {numbers}.")


def _combination_finding(d: TunedCombination) -> str:
    finding = _finding(d, "one on the Pareto front", "none on the Pareto front")
    return f"of {len(d.tried)} combinations, {finding}"


def _screen_finding(d: ScreenedValues) -> str:
    return f"of {words.count(d.values)} changes of one value each, {_finding(d, 'one', 'none')}"


def _finding(d: TunedCombination | ScreenedValues, one: str, none: str) -> str:
    best, wanted = _changed(d.best, d), f"{d.subject} {d.wanted}"
    return {
        HIT: f"the cheapest that brings {wanted} is {best}",
        INCONCLUSIVE: f"it is inconclusive whether {one} brings {wanted}; the nearest is {best}",
        NONE_OF_THEM: f"{none} brings {wanted}; the nearest is {best}",
    }[d.verdict]


def _changed(row: ValueCombination, d: TunedCombination | ScreenedValues) -> str:
    named = [f"{d.names[path]} {changes.value(value)}" for path, value in row.changes.items()]
    return words.listing(named) or "no change"


def view(d: TunedCombination | ScreenedValues) -> View:
    again: Sequence[ValueCombination]
    others: Sequence[ValueCombination]
    if isinstance(d, TunedCombination):
        name, heading = "Combination", "Pareto front of distance, length and cost"
        finding = _combination_finding(d)
        again, others = d.front, [] if any(not row.changes for row in d.front) else [d.present]
        lines = tuple(_combination_lines(d))
    else:
        name, heading = "Change", "The nearest changes of one value"
        finding = _screen_finding(d)
        again, others = d.ranked, [*d.others[:NEAREST], d.present]
        lines = tuple(_screen_lines(d))
    shown = ShownChanges(
        finding=finding,
        best=d.best,
        rows=[_row(row, d) for row in (*again, *others)],
        name=name,
        columns=("Search estimate", "Held-out seeds", time_of(d), "Cost"),
        heading=f"{heading}; {d.measure} in the search and on held-out seeds:",
        lines=lines,
        about=f"{words.sentence(d.measure)} in the search and on held-out seeds. ",
    )
    return view_of(d, shown)


def _row(row: ValueCombination, d: TunedCombination | ScreenedValues) -> TriedRow:
    marks = [] if row.changes else ["current"]
    fresh, is_good = entries.NONE, False
    if isinstance(row, VerifiedCombination):
        sample, search = row.fresh, row.search
        fresh, is_good = estimated(sample.estimate, d), row.hits
        marks += [*(["chosen"] if row.check else []), *(["hits"] if row.hits else [])]
        marks += ["inconclusive"] if row.open else []
    elif isinstance(row, PlayedCombination):
        sample = search = row
    result = d.said(search.estimate).text
    columns = (Entry(result), fresh, turns_of(sample.turns), Entry(words.exact(row.cost)))
    return TriedRow(_changed(row, d), ", ".join(marks), sample, is_good, columns)


def _combination_lines(d: TunedCombination) -> Iterator[str]:
    if d.front_left_out:
        yield f"and {d.front_left_out} more on the front, not evaluated on held-out seeds (--json)"
    yield from _more_games(d)
    yield f"Cost of change: {'; '.join(map(str, d.knobs))}; {d.cost_unit}."
    refused = f", {d.refused} rejected" if d.refused else ""
    yield (
        f"{len(d.tried)} of {words.count(d.combinations)} combinations evaluated{refused}; target length "
        f"{d.length.wished:.1f} {d.turn_name}s."
    )
    yield from refused_lines(d.reasons)


def _screen_lines(d: ScreenedValues) -> Iterator[str]:
    if (rest := len(d.others) - NEAREST) > 0:
        yield f"and {words.count(rest)} further from the target (--json)"
    if d.not_ruled_out:
        some = words.many(d.not_ruled_out, "change")
        yield f"The search did not rule out {some} without held-out games; use more --games."
    yield from _more_games(d)
    yield f"Cost of change: {'; '.join(map(str, d.costs))}; {d.cost_unit}."
    refused = f", {words.count(len(d.refused))} rejected" if d.refused else ""
    unvaried = f", {words.many(len(d.unvaried), 'value')} cannot be varied (names, text, empty lists)"
    yield (
        f"{words.count(d.values)} changes evaluated, numbers varied by {d.range:.0%}{refused}"
        f"{unvaried if d.unvaried else ''}."
    )
    changes = [
        ", ".join(f"{path}={sentences.value(to)}" for path, to in row["changes"].items()) for row in d.refused
    ]
    reasons = [f"{what}: {row['reason']}" for what, row in zip(changes, d.refused, strict=True)]
    yield from refused_lines(reasons)
    ((path, value),) = d.best.changes.items()
    is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
    between = f"For values in between, use --knob {path}=LO:HI. " if is_number else ""
    yield f"{between}To search several values, repeat --knob."


def _more_games(d: TunedCombination | ScreenedValues) -> Iterator[str]:
    """Yield a sentence on how to settle an inconclusive result."""
    if d.verdict == INCONCLUSIVE:
        edge = "The nearest result is at an edge of the target, so more games may not give a verdict"
        yield f"{d.remedy(d.best.fresh.estimate, edge if d.best.open else 'Use more --games')}."
