"""One module per kind of result, with its JSON model and the blocks that renderers show.

`views.NAME` imports a module, and the experiments that it needs, on first use, because a page shows only a
few kinds of result.
"""

from importlib import import_module
from importlib.util import find_spec
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
    if name.startswith("_") or find_spec(f"{__name__}.{name}") is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return import_module(f"{__name__}.{name}")
