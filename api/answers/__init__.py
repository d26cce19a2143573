"""Answers to the questions of `bartizan.api.questions`.

A module is imported when one of its questions is first asked.
"""

from importlib import import_module
from importlib.util import find_spec
from types import ModuleType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bartizan.api.answers import (  # noqa: F401
        best,
        bracket,
        cards,
        catalogue,
        chance,
        check,
        compare,
        gate,
        imported,
        ladder,
        learning,
        machine,
        new,
        odds,
        people,
        plays,
        position,
        recorded,
        refresh,
        replaying,
        results,
        sensitivity,
        sweep,
        trace,
        training,
        watch,
    )


def __getattr__(name: str) -> ModuleType:
    if name.startswith("_") or find_spec(f"{__name__}.{name}") is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return import_module(f"{__name__}.{name}")
