"""The numbers of the scenario as one record for compiled rules, constant during a game."""

from functools import cache

import numpy as np

from bartizan.simcore.arrays import as_records
from bartizan.simcore.castle import components as c
from bartizan.simcore.castle.odds import CARD_FACES, Thrown, win_chance
from bartizan.simcore.castle.schema import RANK_NAMES, CastleScenario
from bartizan.simcore.kit.tables import fill, record_of
from bartizan.simcore.scenario.loading import Scenario

EDGES, NO_EDGE = 129, 64  # win[.., .., NO_EDGE + edge]

FIELDS = [
    ("players", "i4", "players.count"),
    ("turn_limit", "i4", "limit.turns"),
    ("die_sides", "i4", "dice.sides"),
    ("rows", "i4", "grid.rows"),
    ("columns", "i4", "grid.columns"),
    ("dealt", "i4", "deal.cards"),
    # bit masks over squares
    ("inside", "i8"),
    ("court", "i8"),
    ("first_column", "i8"),
    ("last_column", "i8"),
    ("left_border", "i8"),
    ("right_border", "i8"),
    # ranks
    ("value", "i4", (c.RANKS,)),
    ("power", "i4", (c.RANKS,)),  # Power
    ("with_ace", "i4", (c.RANKS,)),  # WithAce
    # fights
    ("attack_dice", "i4", "ordinary.attack_dice"),
    ("defence_dice", "i4", "ordinary.defence_dice"),
    ("jump", "i4", "jack.jump"),
    ("queen_modifier", "i4", "queen.modifier"),
    ("king_dice", "i4", "king.defence_dice"),
    ("king_dice_alone", "i4", "king.defence_dice_without_queen"),
    ("ace_draw", "i4", "ace.draw"),
    ("archers_dice", "i4", "archers.dice"),
    ("ram_dice", "i4", "ram.dice"),
    ("ram_add", "i4", "ram.add"),
    ("assassin_dice", "i4", "assassin.dice"),
    ("assassin_add", "i4", "assassin.add"),
    # advanced rules
    ("jokers", "i4", "advanced.jokers"),
    ("joker_bonus", "i4", "joker.bonus"),
    ("contest_dice", "i4", "joker.contest_dice"),
    ("joker_dice", "i4", "joker.defence_dice"),
    ("joker_add", "i4", "joker.defence_add"),
    ("berserker", "u1", "advanced.berserker"),
    ("extra_cards", "i4", "berserker.extra_cards"),
    ("same_number_attack", "u1", "advanced.same_number_attack"),
    ("counter_dice", "i4", "counter_strike.dice"),
    ("counter_add", "i4", "counter_strike.add"),
    ("same_number_defence", "u1", "advanced.same_number_defence"),
    ("same_suit_modifier", "i4"),  # 0: off
    ("saboteur_rank", "i4"),  # NONE: off
    ("saboteur_attack_dice", "i4", "saboteur.attack_dice"),
    ("saboteur_defence_dice", "i4", "saboteur.defence_dice"),
    ("saboteur_hidden", "i4", "saboteur.hidden_add"),
    ("saboteur_revealed", "i4", "saboteur.revealed_add"),
    ("barricade_rank", "i4"),  # NONE: off
    ("barricade_defence_dice", "i4", "barricade.dice"),
    ("barricade_add", "i4", "barricade.add"),
    # for policies: exact probability that attack dice + edge beat defence dice with their bonus dice; C44
    # deck: as for a full draw deck
    ("win", "f8", (c.DICE + 1, c.DICE + 1, EDGES)),
    *((key, "i4") for key in c.READINGS),
]
TABLES = record_of(FIELDS)


def build_tables(scenario: Scenario) -> np.ndarray:
    """Return the scenario for compiled rules: a structured array (TABLES) of length 1."""
    array = np.zeros(1, TABLES)
    tables = as_records(array)[0]
    model = scenario.model
    fill(tables, FIELDS, model)
    for key, readings in c.READINGS.items():
        tables[key] = readings[model.rulings[key]]
    _grid(tables, model)
    for i, name in enumerate(RANK_NAMES):
        rank = model.rank[name]
        tables.value[i], tables.power[i] = rank.value, c.Power[rank.power]
        tables.with_ace[i] = c.WithAce[rank.with_ace]
    advanced = model.advanced
    tables.same_suit_modifier = model.same_suit.modifier if advanced.same_suit else 0
    tables.saboteur_rank = RANK_NAMES.index(model.saboteur.rank) if advanced.saboteur else c.NONE
    tables.barricade_rank = RANK_NAMES.index(model.barricade.rank) if advanced.barricade else c.NONE
    _chances(tables, model)
    return array


def square(row: int, column: int) -> int:
    """Return the number of a square. row, column: from 0; column -1 is the left border."""
    return row * c.WIDTH + column + 1


def _mask(squares) -> int:
    return sum(1 << s for s in squares)


def _grid(t, m: CastleScenario) -> None:
    rows, columns = range(m.grid.rows), range(m.grid.columns)
    t.inside = _mask(square(row, column) for row in rows for column in columns)
    t.court = _mask(square(0, column) for column in range(c.COLUMNS))
    t.first_column = _mask(square(row, 0) for row in rows)
    t.last_column = _mask(square(row, m.grid.columns - 1) for row in rows)
    t.left_border = _mask(square(row, -1) for row in rows)
    t.right_border = _mask(square(row, m.grid.columns) for row in rows)


def thrown(m: CastleScenario) -> Thrown:
    """Return the numbers and rulings by which dice are rolled and counted in this scenario."""
    return Thrown(
        m.dice.sides,
        m.rulings["random_source"] == "cards",
        m.rulings["multi_dice_doubles"],
        m.rulings["defence_chain"] == "chain",
        m.rulings["card_replaces"] == "throw",
        CARD_FACES if m.rulings["cards_from"] == "full_pack" else c.FIRST_ROYAL_RANK,
    )


def _chances(t, m: CastleScenario) -> None:
    by = thrown(m)
    attacks = "attack", "archers", "ram", "assassin", "saboteur_attack", "counter"
    defences = "defence", "king", "saboteur_defence", "joker", "barricade_defence"
    against = {int(t.king_dice_alone), *(int(t[f"{who}_dice"]) for who in defences)}
    for a in {int(t[f"{who}_dice"]) for who in attacks}:
        for d in against:
            t.win[a, d] = _win_chances(by, a, d)


@cache
def _win_chances(by: Thrown, attack_dice: int, defence_dice: int) -> np.ndarray:
    """Return the win probability for each edge from -NO_EDGE: float64 [EDGES].

    Cached, because most changes of a scenario do not affect the dice.
    """
    return np.array([win_chance(by, attack_dice, defence_dice, edge - NO_EDGE) for edge in range(EDGES)])
