"""One answer a file: its document, as JSON has it, and the blocks that every renderer shows of it.

A page shows few of them: `views.NAME` imports the file of an answer, and the experiments behind it, when it
is first used.
"""

from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bartizan.reports.views import (  # noqa: F401
        bracket,
        cards,
        compare,
        coverage,
        equilibrium,
        interactions,
        ladder,
        losses,
        luck,
        odds,
        people_minutes,
        people_skill,
        sensitivity,
        steps,
        tune,
    )


def __getattr__(name: str) -> ModuleType:
    if name.startswith("_"):
        raise AttributeError(name)
    return import_module(f"{__name__}.{name}")
