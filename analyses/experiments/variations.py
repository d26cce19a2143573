"""How may a number, a choice or a card's text have been different?

For each kind of value one rule, the same for every game.
"""

import json
from collections.abc import Iterable, Iterator
from typing import Any

from bartizan.simcore.scenario.parameters import Parameter

RANGE = 0.25


def variations(knob: Parameter, spread: float = RANGE) -> list[Any]:
    """Other values of a knob, each once. `spread`: how far numbers go, as a share of themselves. Names and
    free text have none, nor has an empty list.

    Whether a scenario can be played with them is for `simcore.scenario.loading.load_scenario` to say.
    """
    return _once(_others(knob.value, knob, spread), knob.value)


def _others(value: Any, knob: Parameter, spread: float) -> Iterator[Any]:
    if knob.choices:
        yield from knob.choices
    elif isinstance(value, int):
        yield from (_within(other, knob) for other in _whole(value, spread))
    elif isinstance(value, float):
        yield from (_within(value * (1 + part), knob) for part in (-spread, spread))
    elif isinstance(value, list):
        yield from _lists(value, spread)


def _whole(value: int, spread: float) -> tuple[int, int]:
    """A step down and a step up: the share of the number, rounded, and at least 1."""
    step = max(1, round(spread * abs(value)))
    return value - step, value + step


def _within(value: Any, knob: Parameter) -> Any:
    """The nearest value that the knob's bounds allow."""
    low, high = (None if end is None else type(value)(end) for end in (knob.low, knob.high))
    value = value if low is None else max(value, low)
    return value if high is None else min(value, high)


def _lists(entries: list, spread: float) -> Iterator[list]:
    """Names and tables: without each entry, and each `n` of a table one down (not below 1) and one up.

    Numbers: each entry by the rule of whole numbers.
    """
    for index, entry in enumerate(entries):
        before, after = entries[:index], entries[index + 1 :]
        if isinstance(entry, int) and not isinstance(entry, bool):
            yield from ([*before, other, *after] for other in _whole(entry, spread))
        else:
            yield before + after
            yield from ([*before, other, *after] for other in _counts(entry))


def _counts(entry: Any) -> Iterator[dict]:
    n = entry.get("n") if isinstance(entry, dict) else None
    if isinstance(n, int):
        yield from (entry | {"n": other} for other in (n - 1, n + 1) if other >= 1)


def _once(values: Iterable[Any], present: Any) -> list[Any]:
    """Each value once, without the present one; compared as text, so that 1 is not true."""
    by_text = {json.dumps(value): value for value in values}
    by_text.pop(json.dumps(present), None)
    return list(by_text.values())
