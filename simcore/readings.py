"""The readings of a game's rulings as codes that compiled rules compare with."""

from enum import IntEnum


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
