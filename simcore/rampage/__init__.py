"""Castle Rampage (Matthias Cramer, Pegasus Spiele 2018): a card duel for two, with a reconstructed deck."""

from pathlib import Path

from bartizan.simcore.game import Game
from bartizan.simcore.rampage.schema import RampageScenario

HOME = Path(__file__).parent


def _engine():
    from bartizan.simcore.rampage.engine import ENGINE

    return ENGINE


GAME = Game(
    name="rampage",
    title="Castle Rampage (reconstructed deck)",
    schema=RampageScenario,
    scenarios=HOME / "scenarios",
    engine=_engine,
    behaviour=1,
    roles=("first", "second"),
    alike=True,
    rules_source="Castle Rampage by Matthias Cramer, rulebook of 2018, in our words "
    "(simcore/rampage/RULES.md); the deck is a reconstruction",
    default_policy="tactician",
    home=HOME,
)
