"""Names of the fields of a state of Escape from Colditz, as used in traces.

Plain Python, not used in simulations.
"""

from bartizan.simcore.colditz import components as cz
from bartizan.simcore.colditz.trace import EQUIPMENT_NAMES, TEAMS, TUNNEL_STATES, names_of
from bartizan.simcore.kit.named import Named, numbered
from bartizan.simcore.scenario.loading import Scenario


def named(scenario: Scenario) -> dict[str, Named]:
    n = names_of(scenario)
    pows = [n.pow(w) for w in range(cz.POWS)]
    places = {place.value: place.name.lower().replace("_", " ") for place in cz.Place} | {cz.APPEL: "appel"}
    return {
        "round": Named(),
        "pow_at": Named((pows,), places),
        "guard_at": Named(((),), places),
        "hand": Named((TEAMS, n.cards), is_count=True),
        "equipment": Named((TEAMS, EQUIPMENT_NAMES), is_count=True),
        "kit": Named((TEAMS,)),
        "supply": Named((EQUIPMENT_NAMES,)),
        "kit_supply": Named(),
        "deck": Named(((),), numbered(n.cards), is_in_template=False),
        "discards": Named((n.cards,), is_count=True),
        "orders": Named((n.orders,), is_count=True),
        "order_deck": Named(((),), numbered(n.orders), is_in_template=False),
        "order_discards": Named((n.orders,), is_count=True),
        "tunnel": Named((n.tunnels,), numbered(TUNNEL_STATES)),
        "points": Named(),
    }
