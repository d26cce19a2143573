"""Weights of a policy by name, where compiled code has an array of them."""

from collections import namedtuple
from collections.abc import Iterable
from typing import Any


def indices(weights: Iterable[str]) -> Any:
    """The place of each weight in the array, by its name.

    WEIGHTS = {"patience": 0.95, "alert": 0.37}
    AT = indices(WEIGHTS)  # weights[AT.alert] in compiled code
    """
    names = list(weights)
    return namedtuple("Indices", names)(*range(len(names)))
