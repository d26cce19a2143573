"""The scenario's numbers as one record that compiled rules read. Nothing here changes during a game."""

import numpy as np

from bartizan.simcore.castle.components import (
    COLUMNS,
    DICE,
    FIRST_ROYAL_RANK,
    NONE,
    RANKS,
    READINGS,
    WIDTH,
    Power,
    WithAce,
)
from bartizan.simcore.castle.odds import CARD_FACES, Thrown, win_chance
from bartizan.simcore.castle.schema import RANK_NAMES, CastleScenario
from bartizan.simcore.scenario.loading import Scenario

EDGES, NO_EDGE = 129, 64  # win[.., .., NO_EDGE + edge]

TABLES = np.dtype(
    [
        ("players", "i4"),
        ("turn_limit", "i4"),
        ("die_sides", "i4"),
        ("rows", "i4"),
        ("columns", "i4"),
        ("dealt", "i4"),
        # bit masks over squares
        ("inside", "i8"),
        ("court", "i8"),
        ("first_column", "i8"),
        ("last_column", "i8"),
        ("left_border", "i8"),
        ("right_border", "i8"),
        # ranks
        ("value", "i4", (RANKS,)),
        ("power", "i4", (RANKS,)),  # Power
        ("with_ace", "i4", (RANKS,)),  # WithAce
        # fights
        ("attack_dice", "i4"),
        ("defence_dice", "i4"),
        ("jump", "i4"),
        ("queen_modifier", "i4"),
        ("king_dice", "i4"),
        ("king_dice_alone", "i4"),
        ("ace_draw", "i4"),
        ("archers_dice", "i4"),
        ("ram_dice", "i4"),
        ("ram_add", "i4"),
        ("assassin_dice", "i4"),
        ("assassin_add", "i4"),
        # advanced rules
        ("jokers", "i4"),
        ("joker_bonus", "i4"),
        ("contest_dice", "i4"),
        ("joker_dice", "i4"),
        ("joker_add", "i4"),
        ("berserker", "u1"),
        ("extra_cards", "i4"),
        ("same_number_attack", "u1"),
        ("counter_dice", "i4"),
        ("counter_add", "i4"),
        ("same_number_defence", "u1"),
        ("same_suit_modifier", "i4"),  # 0: off
        ("saboteur_rank", "i4"),  # NONE: off
        ("saboteur_attack_dice", "i4"),
        ("saboteur_defence_dice", "i4"),
        ("saboteur_hidden", "i4"),
        ("saboteur_revealed", "i4"),
        ("barricade_rank", "i4"),  # NONE: off
        ("barricade_defence_dice", "i4"),
        ("barricade_add", "i4"),
        # for policies: exact chance that attack dice + edge beat defence dice with their bonus dice; C44
        # deck: as if the draw deck were full
        ("win", "f8", (DICE + 1, DICE + 1, EDGES)),
        *((key, "i4") for key in READINGS),
    ],
    align=True,
)


def build_tables(scenario: Scenario) -> np.ndarray:
    """The compiled rules' view of a scenario: a record array of length 1."""
    array = np.zeros(1, TABLES)
    tables = array.view(np.recarray)[0]
    model = scenario.model
    for key, readings in READINGS.items():
        tables[key] = readings[model.rulings[key]]
    _grid(tables, model)
    _ranks(tables, model)
    _fights(tables, model)
    _advanced(tables, model)
    _chances(tables, model)
    return array


def square(row: int, column: int) -> int:
    """Squares count the border: column -1 is square row * WIDTH."""
    return row * WIDTH + column + 1


def _mask(squares) -> int:
    return sum(1 << s for s in squares)


def _grid(t, m: CastleScenario) -> None:
    t.players, t.turn_limit, t.die_sides, t.dealt = m.players.count, m.limit.turns, m.dice.sides, m.deal.cards
    t.rows, t.columns = m.grid.rows, m.grid.columns
    rows, columns = range(m.grid.rows), range(m.grid.columns)
    t.inside = _mask(square(r, c) for r in rows for c in columns)
    t.court = _mask(square(0, c) for c in range(COLUMNS))
    t.first_column, t.last_column = (
        _mask(square(r, 0) for r in rows),
        _mask(square(r, m.grid.columns - 1) for r in rows),
    )
    t.left_border, t.right_border = (
        _mask(square(r, -1) for r in rows),
        _mask(square(r, m.grid.columns) for r in rows),
    )


def _ranks(t, m: CastleScenario) -> None:
    for i, name in enumerate(RANK_NAMES):
        rank = m.rank[name]
        t.value[i], t.power[i], t.with_ace[i] = rank.value, Power[rank.power], WithAce[rank.with_ace]


def _fights(t, m: CastleScenario) -> None:
    t.attack_dice, t.defence_dice = m.ordinary.attack_dice, m.ordinary.defence_dice
    t.jump, t.queen_modifier = m.jack.jump, m.queen.modifier
    t.king_dice, t.king_dice_alone = m.king.defence_dice, m.king.defence_dice_without_queen
    t.ace_draw, t.archers_dice = m.ace.draw, m.archers.dice
    t.ram_dice, t.ram_add = m.ram.dice, m.ram.add
    t.assassin_dice, t.assassin_add = m.assassin.dice, m.assassin.add


def _advanced(t, m: CastleScenario) -> None:
    on = m.advanced
    t.jokers, t.berserker = on.jokers, on.berserker
    t.joker_bonus, t.contest_dice = m.joker.bonus, m.joker.contest_dice
    t.joker_dice, t.joker_add = m.joker.defence_dice, m.joker.defence_add
    t.extra_cards = m.berserker.extra_cards
    t.same_number_attack, t.same_number_defence = on.same_number_attack, on.same_number_defence
    t.counter_dice, t.counter_add = m.counter_strike.dice, m.counter_strike.add
    t.same_suit_modifier = m.same_suit.modifier if on.same_suit else 0
    t.saboteur_rank = RANK_NAMES.index(m.saboteur.rank) if on.saboteur else NONE
    t.saboteur_attack_dice, t.saboteur_defence_dice = m.saboteur.attack_dice, m.saboteur.defence_dice
    t.saboteur_hidden, t.saboteur_revealed = m.saboteur.hidden_add, m.saboteur.revealed_add
    t.barricade_rank = RANK_NAMES.index(m.barricade.rank) if on.barricade else NONE
    t.barricade_defence_dice, t.barricade_add = m.barricade.dice, m.barricade.add


def thrown(m: CastleScenario) -> Thrown:
    """How this scenario's dice are read."""
    return Thrown(
        m.dice.sides,
        m.rulings["random_source"] == "cards",
        m.rulings["multi_dice_doubles"],
        m.rulings["defence_chain"] == "chain",
        m.rulings["card_replaces"] == "throw",
        CARD_FACES if m.rulings["cards_from"] == "full_pack" else FIRST_ROYAL_RANK,
    )


def _chances(t, m: CastleScenario) -> None:
    by = thrown(m)
    attacks = {
        t.attack_dice,
        t.archers_dice,
        t.ram_dice,
        t.assassin_dice,
        t.saboteur_attack_dice,
        t.counter_dice,
    }
    defences = {
        t.defence_dice,
        t.king_dice,
        t.king_dice_alone,
        t.saboteur_defence_dice,
        t.joker_dice,
        t.barricade_defence_dice,
    }
    for a in map(int, attacks):
        for d in map(int, defences):
            t.win[a, d] = [win_chance(by, a, d, edge - NO_EDGE) for edge in range(EDGES)]
