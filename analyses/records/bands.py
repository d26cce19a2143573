"""Target bands that somebody has named: how often should a game be won?

The data stand in `bands.toml`, each with who said it and where.
"""

import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path

FILE = Path(__file__).with_name("bands.toml")
# the designer named the band; we drew it around the number that was named; our own guess
CONFIDENCES = ("stated", "derived", "assumed")


@dataclass(frozen=True)
class Preset:
    """A band of win rates to aim at."""

    name: str
    band: tuple[float, float]
    whose: str  # whose win rate: as "35 to 45 % for ..." goes on
    about: str  # which games and players it is for
    source: str  # who said it and where, with the address; for a guess why
    confidence: str  # one of CONFIDENCES


@cache
def presets() -> dict[str, Preset]:
    """By name, in the order of the file."""
    data = tomllib.loads(FILE.read_text(encoding="utf-8"))
    return {name: Preset(name, tuple(table.pop("band")), **table) for name, table in data.items()}
