"""Answers to the questions of `bartizan.api.questions`.

A module is imported when one of its questions is first asked.
"""

from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bartizan.api.answers import (  # noqa: F401
        cards,
        catalogue,
        chance,
        check,
        compare,
        gate,
        imported,
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
        skill,
        sweep,
        trace,
        training,
        watch,
    )


def __getattr__(name: str) -> ModuleType:
    if name.startswith("_"):
        raise AttributeError(name)
    return import_module(f"{__name__}.{name}")
