"""Names of the fields of a state of Castle Rampage, as used in traces.

Plain Python, not used in simulations.
"""

from bartizan.simcore.kit.named import Named, numbered
from bartizan.simcore.rampage.components import NONE
from bartizan.simcore.rampage.trace import PLAYER, STRUCTURE, names
from bartizan.simcore.scenario.loading import Scenario


def named(scenario: Scenario) -> dict[str, Named]:
    kinds = names(scenario)
    cards = numbered(kinds, no_card=NONE)
    return {
        "turn": Named(),
        "on_turn": Named((), numbered(PLAYER)),
        "hand": Named((PLAYER, kinds), is_count=True),
        "stack": Named((PLAYER, STRUCTURE, ()), cards, is_in_template=False),
        "laid": Named((PLAYER, kinds), is_count=True),
        "front": Named((PLAYER, kinds), is_count=True),
        "discards": Named((kinds,), is_count=True),
        "pile": Named(((),), cards, is_in_template=False),
        "plays": Named(),
        "card": Named((), cards),
    }
