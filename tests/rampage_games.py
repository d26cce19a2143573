"""Random games of Castle Rampage, step by step, and decks made up by hypothesis: for tests of what holds in every state."""

import numpy as np
from hypothesis import strategies as st

from bartizan.simcore.rampage.components import ARGUMENTS, AS_PERMANENT, SEATS, WHEN_DESTROYED, WHEN_PLAYED
from bartizan.simcore.rampage.engine import ENGINE
from bartizan.simcore.rampage.schema import UNCOUNTED
from bartizan.simcore.scenario.loading import load_scenario
from tests.rampage_table import GAME, scenario_of, tables_of
from tests.table import RandomGame

SETUPS = [(2, 5, 2, 2), (1, 4, 0, 1), (3, 3, 1, 2), (1, 6, 3, 3), (2, 7, 2, 4)]


class Game(RandomGame):
    engine, arguments = ENGINE, ARGUMENTS


def variant(n: int) -> frozenset:
    """0: the deck as it is, by the published readings; then other numbers; from 2 on also readings drawn at random."""
    draw = np.random.default_rng(n)
    sets = {"limit.turns": int(draw.integers(30, 90))}
    if n:
        sets |= dict(
            zip(
                ("setup.batches", "setup.batch_size", "setup.gate_per_batch", "setup.castle_per_batch"),
                SETUPS[n % len(SETUPS)],
            )
        )
        sets |= {
            "turn.hand_limit": int(draw.integers(0, 6)),
            "turn.strengthen": int(draw.integers(0, 3)),
            "limit.plays": int(draw.integers(2, 30)),
        }
    if n > 1:
        sets |= {
            f"rulings.{key}": str(draw.choice(ruling.readings))
            for key, ruling in scenario_of(frozenset()).model.ruling.items()
        }
    return frozenset(sets.items())


def game_of(n: int, seed: int) -> Game:
    return Game(tables_of(variant(n)), seed)


# ---------------------------------------------------------------- made-up decks: anything section 7 can say

SMALL = st.sampled_from([1, 1, 1, 2, 3])


@st.composite
def costs(draw, units: list[str], mixed: bool) -> list[dict]:
    of_units, plain = draw(st.sampled_from([(False, True), (True, False), (True, mixed)]))
    entries = []
    if of_units:
        entries += [
            {"op": "discard_unit", "unit": unit, "n": draw(SMALL)}
            for unit in draw(st.lists(st.sampled_from(units), max_size=2))
        ]
    if plain:
        entries += [{"op": "discard", "n": n} for n in draw(st.lists(SMALL, max_size=2))]
    return draw(st.permutations(entries))


@st.composite
def effects(draw, ops: tuple[str, ...], least: int = 0) -> list[dict]:
    found = draw(st.lists(st.sampled_from(ops), min_size=least, max_size=3))
    return [{"op": op} if op in UNCOUNTED else {"op": op, "n": draw(SMALL)} for op in found]


@st.composite
def cards(draw, units: list[str], mixed: bool) -> dict:
    permanent = draw(st.integers(0, 3)) == 0
    cost = draw(costs(units, mixed)) if draw(st.booleans()) else []
    card = {
        "name": "made up",
        "count": draw(st.integers(0, 6)),
        "units": draw(st.lists(st.sampled_from(units), unique=True, max_size=3)),
        "gate": draw(st.integers(0, 7)),
        "castle": draw(st.integers(0, 7)),
        "attack": draw(st.sampled_from([0, 0, 1, 2, 3, 4, 6, 9, 14])),
        "cost": cost,
        "place_cost": draw(costs(units, mixed)) if draw(st.integers(0, 4)) == 0 else [],
        "on_play": draw(effects((*WHEN_PLAYED, *AS_PERMANENT), 1) if permanent else effects(WHEN_PLAYED)),
        "target": draw(st.sampled_from(["normal", "normal", "castle", "choose"])),
        "on_repelled": draw(st.sampled_from(["discard", "return"])),
        "on_destroyed_in_attack": draw(effects(WHEN_DESTROYED)) if draw(st.booleans()) else [],
        "permanent": permanent,
        "purple": draw(st.integers(0, 5)) == 0,
        "source": "made up",
        "confidence": "assumed",
    }
    if card["attack"] and draw(st.booleans()) and (mixed or all(entry["op"] == "discard_unit" for entry in cost)):
        card["boost"] = {"unit": draw(st.sampled_from(units)), "n": draw(SMALL), "strength": draw(st.integers(1, 9))}
    return card


@st.composite
def scenarios(draw):
    """A valid deck under readings and numbers of any kind."""
    units = ["axe", "knight", "archer", "drummer"][: draw(st.integers(1, 4))]
    sets = {
        f"rulings.{key}": draw(st.sampled_from(ruling.readings))
        for key, ruling in scenario_of(frozenset()).model.ruling.items()
    }
    setup = draw(st.sampled_from(SETUPS))
    sets |= dict(zip(("setup.batches", "setup.batch_size", "setup.gate_per_batch", "setup.castle_per_batch"), setup))
    sets |= {
        "turn.draw": draw(st.integers(0, 4)),
        "turn.first_draw": draw(st.integers(0, 3)),
        "turn.strengthen": draw(st.integers(0, 3)),
    }
    sets |= {
        "turn.hand_limit": draw(st.integers(0, 6)),
        "limit.turns": draw(st.integers(1, 60)),
        "limit.plays": draw(st.integers(1, 20)),
    }
    mixed = sets["rulings.several_symbols"] == "no"
    deck = {f"k{i}": card for i, card in enumerate(draw(st.lists(cards(units, mixed), min_size=3, max_size=12)))}
    deck["plain"] = draw(cards(units, mixed)) | {
        "purple": False,
        "count": SEATS * setup[0] * setup[1] + draw(st.integers(0, 20)),
    }
    return load_scenario(GAME, sets=sets | {"units.types": units, "card": deck})
