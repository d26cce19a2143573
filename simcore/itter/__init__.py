"""Castle Itter: The Strangest Battle of WWII (D. Thompson, DVG 2019).

One defender plays against the SS deck, or against a second player who plans its cards (6.2).
"""

from pathlib import Path

from bartizan.simcore.game import Game
from bartizan.simcore.itter.schema import ItterScenario

HOME = Path(__file__).parent


def _engine():
    from bartizan.simcore.itter.engine import ENGINE

    return ENGINE


GAME = Game(
    name="itter",
    title="Castle Itter",
    schema=ItterScenario,
    scenarios=HOME / "scenarios",
    engine=_engine,
    behaviour=2,
    roles=("defender", "ss"),
    seats=lambda scenario: scenario.model.seats(),
    rules_source="the published rulebook (Italian translation by G. Ferrara); see simcore/itter/RULES.md",
    default_policy="garrison",
    defaults={"ss": "commander"},
    home=HOME,
)
