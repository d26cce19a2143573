"""Names of the fields of a state of Castle Itter, as used in traces.

Plain Python, not used in simulations.
"""

from bartizan.simcore.itter.components import NONE, Place, Status
from bartizan.simcore.itter.trace import names_of
from bartizan.simcore.kit.named import Named, numbered
from bartizan.simcore.scenario.loading import Scenario

CONDITION = {
    bits: " and ".join(one.name.lower() for one in Status if bits & one) or "fit"
    for bits in range(2 * max(Status))
}


def named(scenario: Scenario) -> dict[str, Named]:
    n = names_of(scenario)
    elsewhere = {place.name.lower(): place.value for place in Place}
    places = numbered(n.positions, **elsewhere)
    cards, tactics = numbered(n.cards), numbered(n.tactics, none=NONE)
    return {
        "turn": Named(),
        "place": Named((n.defenders,), places),
        "status": Named((n.defenders,), CONDITION),
        "occupant": Named((n.positions,), numbered(n.defenders, nobody=NONE), is_in_template=False),
        "defence": Named((n.locations,)),
        "loaded": Named(),
        "tokens": Named((n.colours,)),
        "counter": Named(((),), numbered(n.kinds, none=NONE)),
        "guns": Named((n.kinds, ()), is_count=True),
        "supply": Named((n.kinds,)),
        "deck": Named(((),), cards, is_in_template=False),
        "ss_hand": Named((n.cards,), is_count=True),
        "newer": Named((), tactics),
        "older": Named((), tactics),
        "actions": Named(),
    }
