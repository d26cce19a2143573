"""The readings of a game's rulings as codes that compiled rules compare with."""

from collections.abc import Iterator
from enum import IntEnum
from typing import Any


class Readings(dict):
    """Ruling key -> IntEnum of its readings, in the order of the scenario's `[ruling.<key>].readings`; the game's tables hold a field of each key."""

    def __init__(self, module: str):
        super().__init__()
        self.module = module  # where the enums are defined: numba and pickle look them up there

    def add(self, key: str, *members: str) -> type[IntEnum]:
        """Name the readings of one ruling."""
        name = key.title().replace("_", "")
        self[key] = IntEnum(name, {member: i for i, member in enumerate(members)}, module=self.module, qualname=name)
        return self[key]

    def problems(self, model: Any) -> Iterator[tuple[str, str]]:
        """What a scenario lacks of them: (path, what is wrong), as `ScenarioModel.problems` yields it."""
        for key, readings in self.items():
            if key not in model.rulings:
                yield f"rulings.{key}", "is missing"
            elif [m.name for m in readings] != model.ruling[key].readings:
                yield f"ruling.{key}.readings", f"must be {[m.name for m in readings]}"
