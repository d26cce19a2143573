"""Names of the fields of a state of Castle, as used in traces.

Plain Python, not used in simulations.
"""

from bartizan.simcore.castle.components import CARDS, NONE, ROYALS, SQUARES, Royal
from bartizan.simcore.castle.trace import PLAYER, card_name, cell
from bartizan.simcore.kit.named import Named, numbered
from bartizan.simcore.scenario.loading import Scenario


def named(scenario: Scenario) -> dict[str, Named]:
    cards = numbered([card_name(card) for card in range(CARDS)], no_card=NONE)
    cells = [cell(square) for square in range(SQUARES)]
    royals = [Royal(k).name.capitalize() for k in range(ROYALS)]
    return {
        "turn": Named(),
        "on_turn": Named((), numbered(PLAYER)),
        "castle": Named((PLAYER, cells), cards),
        "royal": Named((PLAYER, royals), cards),
        "alive": Named((PLAYER,)),
        "barricade": Named((PLAYER, cells), cards),
        "deck": Named(((),), cards, is_in_template=False),
        "drawn": Named((), cards),
        "lead": Named((), cards),
    }
