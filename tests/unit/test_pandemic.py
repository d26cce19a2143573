"""Pandemic in the short form: facts of the printed game that hold whoever plays."""

import csv
from collections import Counter

import numpy as np
import pytest

from bartizan.simcore.compile.loops import new_states
from bartizan.simcore.game import load_game
from bartizan.simcore.play.replay import set_up
from bartizan.simcore.scenario.loading import load_scenario
from tests.naive.compiled import Compiled
from tests.unit.test_short_games import SHORT, rows

GAME = load_game(str(SHORT / "pandemic.py"))
RULES = GAME.engine.__globals__
EPIDEMICS = {"introductory": 4, "standard": 5, "heroic": 6}
CHICAGO, ATLANTA, BOGOTA, LIMA, SANTIAGO, MEXICO_CITY = 1, 5, 15, 16, 17, 13
MEDIC, QUARANTINE_SPECIALIST, RESEARCHER, SCIENTIST = 2, 4, 5, 6


def table(seed: int = 1, level: str = "introductory", players: int = 2) -> Compiled:
    return Compiled(GAME.compiled, load_scenario(GAME, None, level, {"numbers.players": players}), 7, seed)


def cards_in(pile) -> list[int]:
    return pile[1 : 1 + pile[0]].tolist()


def actions(shown: Compiled) -> set[tuple]:
    acts = shown.engine.describe_action.__self__
    legal = ((acts.acts[code // acts.arguments], code % acts.arguments) for code in shown.legal())
    return {(act.name, *act.values(rest)) for act, rest in legal}


def bare(*roles: int) -> Compiled:
    """A table without cubes, two players with these roles in Atlanta and no cards in hand."""
    shown = table()
    state = shown.state
    state.cubes[:], state.supply[:], state.hand[:, 0] = 0, 24, 0
    for player, role in enumerate(roles):
        state.role[player][1] = role
    state.place[: len(roles)] = ATLANTA
    return shown


def test_the_map_is_the_printed_one():
    """48 cities, 93 connections, each in both directions; nowhere is more than seven away from Atlanta."""
    with (SHORT / "pandemic.csv").open(encoding="utf-8") as lines:
        near = [{int(row[f"road_{i}"]) - 1 for i in range(1, 7)} - {-1} for row in csv.DictReader(lines)]
    assert len(near) == 48 and sum(map(len, near)) == 2 * 93
    assert all(city in near[other] for city in range(48) for other in near[city])
    reached, away = {ATLANTA}, 0
    while len(reached) < 48:
        reached, away = reached.union(*(near[city] for city in reached)), away + 1
    assert away <= 7


@pytest.mark.parametrize("level", EPIDEMICS)
@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_set_up_is_the_printed_one(level, players):
    """Nine cities with 3, 2 and 1 cubes; an epidemic in each of the heaps, which differ by one card at most."""
    for seed in range(8):
        state = table(seed, level, players).state
        assert Counter(state.cubes.ravel().tolist()) == {0: 48 * 4 - 9, 1: 3, 2: 3, 3: 3}
        assert set(cards_in(state.dumped)) == set(np.flatnonzero(state.cubes.sum(1)))
        assert [len(cards_in(hand)) for hand in state.hand[:players]] == [6 - players] * players
        course, heaps = cards_in(state.course), EPIDEMICS[level]
        others = 53 - players * (6 - players)
        sizes = [1 + others // heaps + (i >= heaps - others % heaps) for i in range(heaps)]
        assert sum(sizes) == len(course)
        for end, size in zip(np.cumsum(sizes), sizes, strict=True):
            assert course[end - size : end].count(1) == 1


def test_the_first_card_is_an_epidemic_as_often_as_the_top_heap_is_long():
    """Two players, four epidemics: 45 cards in heaps of 11, 11, 11 and 12, so 1 in 13. Exact, of 5,200 games."""
    engine, tables = GAME.compiled, table().tables
    states, games = new_states(engine), 5_200
    found = sum(cards_in(set_up(engine, states, tables, 5, game).course)[-1] for game in range(games))
    assert abs(found / games - 1 / 13) < 4 * np.sqrt(12 / 13 / 13 / games)


@pytest.mark.parametrize("seed", range(6))
def test_cubes_and_cards_are_conserved_and_the_eighth_outbreak_loses(seed):
    shown, choice = table(seed, "heroic", 2 + seed % 3), np.random.default_rng(seed)
    state = shown.state
    while not shown.over:
        assert state.outbreaks < 8 and state.supply.min() >= 0
        legal, before = shown.legal(), state.outbreaks
        advised = int(RULES["team"](state, shown.tables))
        assert advised in legal
        shown.apply(np.int32(advised if seed < 3 else choice.choice(legal)))
        assert (state.cubes.sum(0) + state.supply == 24).all() and 0 <= state.cubes.min() and state.cubes.max() <= 3
        piles = [state.library, state.discards, state.box, state.planned, *state.hand]
        assert sorted(card for pile in piles for card in cards_in(pile)) == list(range(53))
        assert sorted(sum(map(cards_in, (state.infections, state.dumped, state.immune, state.outlook)), [])) == list(
            range(48)
        )
        assert state.outbreaks >= before and 1 <= state.station.sum() <= 6
    assert (state.outbreaks >= 8) == (shown.engine.end_reasons[int(state.end_reason)] == "too many outbreaks")


def test_an_outbreak_spreads_and_no_city_has_two():
    """Santiago has three yellow cubes, as its only neighbour Lima: both have an outbreak, and Lima's others a cube."""
    shown = bare(SCIENTIST, RESEARCHER)
    state = shown.state
    state.cubes[[SANTIAGO, LIMA], 1], state.supply[1] = 3, 18
    RULES["_infect"](state, shown.tables, SANTIAGO, 1)
    assert state.outbreaks == 2 and state.supply[1] == 16
    assert state.cubes[[SANTIAGO, LIMA, BOGOTA, MEXICO_CITY], 1].tolist() == [3, 3, 1, 1]


def test_medic_and_quarantine_specialist_prevent_cubes():
    for role, cured, expected in ((QUARANTINE_SPECIALIST, 0, (0, 0)), (MEDIC, 0, (1, 1)), (MEDIC, 1, (0, 1))):
        shown = bare(role, SCIENTIST)
        state = shown.state
        state.cubes[9, 0], state.supply[0], state.cured[0] = 1, 23, cured
        for city in (ATLANTA, CHICAGO):
            RULES["_infect"](state, shown.tables, city, 1)
        assert (state.cubes[ATLANTA, 0], state.cubes[CHICAGO, 0]) == expected


@pytest.mark.parametrize(("role", "needs"), [(SCIENTIST, 4), (RESEARCHER, 5)])
def test_a_cure_needs_five_cards_and_four_of_a_scientist(role, needs):
    shown = bare(role, role)
    for held in (needs - 1, needs):
        shown.state.hand[:, 0], shown.state.hand[:, 1 : 1 + held] = held, np.arange(held)
        assert (("cure", 0) in actions(shown)) == (held == needs)


def test_a_quiet_night_played_among_infections_is_the_next_one():
    for infected, quiet in ((0, 1), (1, 2)):
        shown = bare(SCIENTIST, RESEARCHER)
        shown.state.hand[0][:2], shown.state.infected = (1, 51), infected
        RULES["keep_quiet"](shown.state, shown.tables)
        assert shown.state.quiet == quiet and cards_in(shown.state.discards) == [51]


@pytest.mark.rotating
def test_the_team_wins_at_least_three_in_ten_introductory_games_of_two():
    won = (rows(SHORT / "pandemic.py", "team", 1000, "introductory", players="2")["winner"] >= 0).mean()
    assert won > 0.3 - 4 * np.sqrt(0.3 * 0.7 / 1000)
