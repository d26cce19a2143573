"""What was measured of a game and comes with it: brackets, equilibria. Found again by what is played."""

from collections.abc import Iterable, Sequence
from typing import Any


def about(known: Sequence[dict[str, Any]], hashes: Iterable[str], behaviour: int) -> list[dict[str, Any]]:
    """Those of exactly these scenarios, in their order, under these rules."""
    keys = [(each, behaviour) for each in dict.fromkeys(hashes)]
    return [
        document
        for key in keys
        for document in known
        if (document["scenario_hash"], document["behaviour"]) == key
    ]
