"""Which value of one knob hits the target, as a document and as text: the sentence first, then every value
that was played.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from math import ceil, floor
from typing import Any

from bartizan.analyses.experiments.targets import Asked
from bartizan.analyses.experiments.trials import Condition
from bartizan.analyses.experiments.tuning import (
    BETWEEN,
    BEYOND,
    HIT,
    METHOD,
    NONE_OF_THEM,
    OPEN,
    TriedValue,
    Tuning,
)
from bartizan.analyses.experiments.tuning_many import cost_of
from bartizan.analyses.statistics.intervals import Interval
from bartizan.reports.text import changes, played, sentences, words
from bartizan.reports.text import tuning_parts as parts
from bartizan.simcore.scenario.loading import Scenario
from bartizan.simcore.scenario.model import ChangeCost
from bartizan.simcore.scenario.parameters import get

WIDEST = 40  # letters of a value in the table
REFUSED = 2  # values refused that are told one by one

# ---------------------------------------------------------------- the document


def document(
    question: Condition,
    s: Scenario,
    asked: Asked,
    found: Tuning,
    fresh_seed: int,
    refused: Sequence[tuple[Any, str]],
    costs: Mapping[str, ChangeCost],
) -> dict:
    """Plain data. Nothing in it depends on time or threads."""
    is_change = found.winner.value != asked.knob.value
    rows = [_row(point, s, asked.knob.path) for point in found.points]
    subject = parts.subject_of(found.target, question, found.winner.sample, s)
    told = {
        **parts.head(question, s, found.target, subject),
        "fresh_seed": fresh_seed,
        "knob": {**parts.knob_of(asked, costs, s), "source": asked.knob.source},
        "cost": cost_of([asked.knob.path] if is_change else [], costs),
        "cost_unit": parts.COST_UNIT,
        "verdict": found.verdict,
        "reached": found.is_reached,
        "games_needed": parts.games_needed(found.target, found.verdict, found.fresh),
        "present": _row(found.present, s, asked.knob.path) if found.present else None,
        "winner": {"value": found.winner.value, **parts.numbers_of(found.winner.sample, found.fresh)},
        "neighbour": _row(found.neighbour, s, asked.knob.path) if found.neighbour else None,
        "points": rows,
        "checked": list(found.checked),
        "played": len(rows),
        "values": found.values,
        "bends": found.bends,
        "refused": [{"value": value, "reason": reason} for value, reason in refused],
        "look": found.look,
        **played.tail(s),
        "method": METHOD,
    }
    return {**told, "sentence": sentence(told)}


def _row(point: TriedValue, s: Scenario, path: str) -> dict:
    turns = point.sample.turns(0.95).interval
    is_present = point.value == get(s.data, path)
    return {
        "value": point.value,
        "present": is_present,
        "games": point.sample.games,
        "estimate": point.interval.to_dict(),
        "fit": point.fit,
        "turns": turns.to_dict(),
    }


# ---------------------------------------------------------------- text


def lines(d: Mapping) -> Iterator[str]:
    """The document for a reader at a terminal."""
    yield d["sentence"]
    yield ""
    outside = d["present"] is not None and all(row["value"] != d["present"]["value"] for row in d["points"])
    rows = [*d["points"], *([d["present"]] if outside else [])]
    width = min(max(5, *(len(sentences.value(row["value"])) for row in rows)), WIDEST)
    yield f"  {d['knob']['path']}, every value that was played; {d['subject'].rstrip(',')}:"
    yield f"  {'value':<{width}} {'games':>8}   {'played':<26} {'monotone fit':>12} {'turns':>7}"
    for row in rows:
        value = sentences.value(row["value"])[:width]
        yield f"  {value:<{width}} {_numbers(row, d)}  {_marks(row, d, outside)}".rstrip()
    yield from _open_ends(d)
    yield f"  Cost of change: {parts.cost_text(d['knob'])}; {parts.COST_UNIT}."
    yield f"  {d['played']} of {d['values']} values played. Method: {d['method']}."
    yield from _refused(d)


def _numbers(row: Mapping, d: Mapping) -> str:
    interval, share = Interval(**row["estimate"]), parts.is_share(d)
    fit = "" if row["fit"] is None else parts.amount(row["fit"], interval, share)
    played, turns = parts.with_limits(interval, share), row["turns"]["estimate"]
    return f"{row['games']:>8,}   {played:<26} {fit:>12} {turns:>7.2f}"


def _marks(row: Mapping, d: Mapping, outside: bool) -> str:
    present = ["present, not in the search" if outside else "present"] if row["present"] else []
    return ", ".join([*present, *(["chosen"] if row["value"] == d["winner"]["value"] else [])])


def sentence(d: Mapping) -> str:
    """The value, its two numbers, how sure; or that there is none."""
    won = d["winner"]
    value = changes.value(won["value"])
    numbers = f"{parts.both_numbers(d, won)} ({parts.how_sure(d, won)})"
    return f"{parts.setting(d)}: {finding(d)}. Value {value}: {numbers}."


def finding(d: Mapping) -> str:
    """What came of the search, without its numbers."""
    return _SAID[d["verdict"]](d, changes.value(d["winner"]["value"]))


def _hit(d: Mapping, value: str) -> str:
    present = sentences.value(d["knob"]["present"])
    return (
        f"{changes.named(d['knob'])} {value} (now {present}) brings {_wanted(d)}, at a cost of {d['cost']:g}"
    )


def _too_few(d: Mapping, value: str) -> str:
    what = "too few values played" if d["bends"] else "too few games"
    return (
        f"{what} to tell whether a value of {changes.named(d['knob'])} brings {_wanted(d)}; {value} comes "
        "nearest"
    )


def _none(d: Mapping) -> str:
    """`no value of Goal from 18 to 24 brings the win rate to 40 %`"""
    values = [sentences.value(value) for value in d["knob"]["values"]]
    ends = f" from {values[0]} to {values[-1]}" if d["knob"]["ordered"] else ""
    return f"no value of {changes.named(d['knob'])}{ends} brings {_wanted(d)}"


def _wanted(d: Mapping) -> str:
    return f"{d['subject']} {parts.target_text(d)}"


_SAID: dict[str, Callable[[Mapping, str], str]] = {
    HIT: _hit,
    BETWEEN: lambda d, value: f"{_none(d)}: {_neighbours(d)}; {value} is nearest",
    BEYOND: lambda d, value: f"{_none(d)}{_if_straight(d)}; {value} comes nearest",
    NONE_OF_THEM: lambda d, value: f"{_none(d)}; {value} comes nearest",
    OPEN: _too_few,
}


def _neighbours(d: Mapping) -> str:
    pair = [
        (d["winner"]["value"], d["winner"]["fresh"]["estimate"]),
        (d["neighbour"]["value"], d["neighbour"]["estimate"]),
    ]
    share = parts.is_share(d)
    told = [
        f"{sentences.value(value)} gives {parts.amount(found['estimate'], Interval(**found), share)}"
        for value, found in sorted(pair, key=lambda both: both[0])
    ]
    return " and ".join(told)


def _if_straight(d: Mapping) -> str:
    return "" if d["played"] == d["values"] else ", if it only rises or only falls on the way"


def _open_ends(d: Mapping) -> Iterator[str]:
    """What the search could not tell, and what would."""
    if d["bends"]:
        yield f"  The result rises and falls from value to value by more than noise: {_every(d)}."
    if len(d["checked"]) > 1:
        yield (
            f"  {words.listing([sentences.value(value) for value in d['checked']])} were as likely by the "
            "search: both were played on fresh seeds."
        )
    if d["verdict"] == BETWEEN and d["target"]["low"] == d["target"]["high"]:
        yield f"  A range says how near is near enough, such as --target {_range(d)}."
    if d["verdict"] == OPEN and not d["bends"]:
        yield f"  {parts.would_tell(d) or 'More games tell more: --games'}."


def _every(d: Mapping) -> str:
    if d["played"] == d["values"]:
        return "so every value was played and the nearest was taken by its own games"
    return "give fewer values, or a step, to have all of them played"


def _refused(d: Mapping) -> Iterator[str]:
    for refused in d["refused"][:REFUSED]:
        yield f"  Refused: {sentences.value(refused['value'])}: {refused['reason']}"
    if len(d["refused"]) > REFUSED:
        yield f"  and {len(d['refused']) - REFUSED} more values refused (--json)"


def _range(d: Mapping) -> str:
    """A target that the winner would be expected to hit."""
    what, fresh = d["target"]["measure"], d["winner"]["fresh"]["estimate"]
    ends = sorted((d["target"]["low"], fresh["low"], fresh["high"]))
    step = 0.01 if parts.is_share(d) else 1
    low, high = floor(ends[0] / step) * step, ceil(ends[-1] / step) * step
    high = min(high, 1.0) if parts.is_share(d) else high
    return f"{what}{':' + d['target']['name'] if d['target']['name'] else ''}={low:g}..{high:g}"
