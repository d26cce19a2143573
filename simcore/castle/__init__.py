"""Castle (David J Rodger, version 2.4): a siege with cards and dice for 2 to 4 players.

Each player plays against all others.
"""

from pathlib import Path

from bartizan.simcore.castle.schema import CastleScenario
from bartizan.simcore.game import Game

HOME = Path(__file__).parent


def _engine():
    from bartizan.simcore.castle.engine import ENGINE

    return ENGINE


GAME = Game(
    name="castle",
    title="Castle (David J Rodger)",
    schema=CastleScenario,
    scenarios=HOME / "scenarios",
    engine=_engine,
    behaviour=2,
    roles=("first", "second", "third", "fourth"),
    alike=True,
    rules_source="Castle by David J Rodger, version 2.4 of 19 September 2013, in our words "
    "(simcore/castle/RULES.md)",
    default_policy="steward",
    players_path="players.count",
    player_counts=(2, 3, 4),
    home=HOME,
)
