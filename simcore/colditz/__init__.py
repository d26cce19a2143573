"""Escape from Colditz ("S rules": a fan summary of the 1973 game).

One German against 1 to 5 Allied players.
"""

from pathlib import Path

from bartizan.simcore.colditz.schema import ColditzScenario
from bartizan.simcore.game import Game

HOME = Path(__file__).parent


def _engine():
    from bartizan.simcore.colditz.engine import ENGINE

    return ENGINE


GAME = Game(
    name="colditz",
    title="Escape from Colditz (S rules)",
    schema=ColditzScenario,
    scenarios=HOME / "scenarios",
    engine=_engine,
    behaviour=2,
    roles=("allied", "german"),
    rules_source="a fan summary of the 1973 game with its gaps filled, not the printed rulebook "
    "(simcore/colditz/RULES.md)",
    default_policy="greedy",
    defaults={"allied": "escape_officer", "german": "security_officer"},
    players_path="players.allied",
    player_counts=(1, 2, 3, 4, 5),
    home=HOME,
)
