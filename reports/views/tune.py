"""Results of `tune`: for one value, for several values, or for every single change."""

from collections.abc import Mapping
from typing import Any

from bartizan.reports.blocks import View
from bartizan.reports.views import tune_many, tune_value
from bartizan.reports.views.tune_many import ScreenedValues as ScreenedValues
from bartizan.reports.views.tune_many import TunedCombination as TunedCombination
from bartizan.reports.views.tune_many import of_combinations as of_combinations
from bartizan.reports.views.tune_many import of_screen as of_screen
from bartizan.reports.views.tune_shared import TuneDocument as TuneDocument
from bartizan.reports.views.tune_value import TunedValue as TunedValue
from bartizan.reports.views.tune_value import of_value as of_value


def read(document: Mapping[str, Any]) -> TuneDocument:
    """Convert the JSON document of a saved result to its document class."""
    kind = TunedValue if "winner" in document else TunedCombination if "front" in document else ScreenedValues
    return kind.read(document)


def view(d: TuneDocument) -> View:
    match d:
        case TunedValue():
            return tune_value.view(d)
        case TunedCombination() | ScreenedValues():
            return tune_many.view(d)
    raise TypeError(type(d))
