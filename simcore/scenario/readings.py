"""The readings of a game's rulings as codes that compiled rules compare with."""

from collections.abc import Iterator
from enum import IntEnum
from typing import Any


class Readings(dict):
    """Ruling key -> IntEnum of its readings, in the order of the scenario's `[ruling.<key>].readings`; the
    game's tables hold a field of each key.
    """

    def __init__(self, module: str):
        super().__init__()
        self.module = module  # where the enums are defined: numba and pickle look them up there
        # rulings of another edition: a scenario without them plays the first reading
        self.elsewhere: set[str] = set()

    def add(self, key: str, *members: str, everywhere: bool = True) -> type[IntEnum]:
        """Name the readings of one ruling; `everywhere`: every scenario of the game must have it."""
        if not everywhere:
            self.elsewhere.add(key)
        name = key.title().replace("_", "")
        self[key] = IntEnum(
            name, {member: i for i, member in enumerate(members)}, module=self.module, qualname=name
        )
        return self[key]

    def problems(self, model: Any) -> Iterator[tuple[str, str]]:
        """What a scenario lacks of them: (path, what is wrong), as `ScenarioModel.problems` yields it."""
        for key, readings in self.items():
            if key not in model.rulings:
                if key in self.elsewhere:
                    continue
                yield f"rulings.{key}", "is missing"
            elif [m.name for m in readings] != model.ruling[key].readings:
                yield f"ruling.{key}.readings", f"must be {[m.name for m in readings]}"

    def codes(self, model: Any) -> Iterator[tuple[str, int]]:
        """(key, code of the reading in force) of every ruling; the first reading where a scenario does not
        have it.
        """
        for key, readings in self.items():
            yield key, readings[model.rulings[key]] if key in model.rulings else 0
