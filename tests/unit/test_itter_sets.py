"""Castle Itter's lists from bit masks, beside an enumeration of single pieces, in random games of all levels and versions."""

from functools import cache

import numpy as np
import pytest

from bartizan.simcore.arrays import as_records
from bartizan.simcore.itter import components as c
from bartizan.simcore.itter.components import ARGUMENTS, NONE, SPENT, UNFIT, Act, Attribute, Place, Stage
from bartizan.simcore.itter.engine import ENGINE
from tests.itter_table import tables_of
from tests.table import RandomGame

CELLS = [
    *(("published", level, "{}") for level in ("novice", "veteran", "elite")),
    *(("playtest-v0.2", level, "{}") for level in ("normal", "veteran", "elite")),
    ("competitive", "competitive", "{}"),
    ("published", "elite", '{"breach_ends_game": "false"}'),
    ("published", "elite", '{"breach_ends_game": "false", "rulings.deployment_lock": "anyone_outside_cellar"}'),
    (
        "published",
        "elite",
        '{"breach_ends_game": "false", "rulings.deploy_into_cellar": "never", "rulings.enter_cellar": "never", '
        '"rulings.cellar_actions": "move_only", "rulings.noncrew_on_crew_position": "not_allowed"}',
    ),
]
MASKS = [
    *("everybody", "tank_crew", "board", "in_cellars", "in_destructibles", "for_crew", "moves_from"),
    *("in_sight", "areas_in_sight"),
]


class Game(RandomGame):
    engine, arguments = ENGINE, ARGUMENTS


@cache
def positions(cell: tuple) -> list[np.ndarray]:
    """States of one random game, and one where only positions of the tank's crew are free."""
    tables = tables_of(*cell)
    game, found = Game(tables, 5), []
    full = game.states.copy()
    full["occupant"][0, : tables.n_positions] = np.where(tables.crew[: tables.n_positions], NONE, 0)

    def watch(game, legal, action):
        found.append(game.states.copy())
        game.apply(action)

    game.play(watch)
    return [full, *found[:: max(len(found) // 120, 1)]]


def listed(state, tables) -> list[int]:
    room = np.zeros(ENGINE.max_legal, np.int32)
    return room[: ENGINE.legal_actions(state, tables, room)].tolist()


# ---------------------------------------------------------------- piece by piece, without a mask


def may_stand(s, t, d: int, p: int) -> bool:
    if t.destructible[t.location[p]] and s.tank_destroyed:
        return False
    if t.noncrew_on_crew_position == c.NoncrewOnCrewPosition.not_allowed and t.crew[p]:
        return bool(t.attributes[d] & Attribute.TANK_CREW)
    return True


def free(s, t, d: int) -> list[int]:
    return [p for p in range(t.n_positions) if s.occupant[p] == NONE and may_stand(s, t, d, p)]


def deployable(s, t, d: int) -> list[int]:
    shut = t.deploy_into_cellar == c.DeployIntoCellar.never
    return [p for p in free(s, t, d) if not (shut and t.is_cellar[t.location[p]])]


def reachable(s, t, d: int) -> list[int]:
    here, shut = t.location[s.place[d]], t.enter_cellar == c.EnterCellar.never
    ways = [p for p in free(s, t, d) if t.move_out[here, t.location[p]]]
    return [p for p in ways if not (shut and t.is_cellar[t.location[p]])]


def ready(s, t) -> list[int]:
    waits, found = s.starters_waiting > 0, []
    locked = waits and t.deployment_lock == c.DeploymentLock.reserve_only
    for d in range(t.n_defenders):
        if s.place[d] == Place.RESERVE:
            found += [d] if deployable(s, t, d) else []
        elif s.place[d] >= 0 and not s.status[d] & SPENT and not locked:
            inside = bool(t.is_cellar[t.location[s.place[d]]])
            bound = inside and t.cellar_actions == c.CellarActions.move_only
            if not (waits and inside) and not (bound and (s.status[d] & UNFIT or not reachable(s, t, d))):
                found.append(d)
    return found


def targets(s, t, p: int) -> list[int]:
    found = []
    for circle in t.seen[p, : t.n_seen[p]].tolist():
        found += [circle] if s.counter[circle] != NONE else []
        if t.is_area[circle]:
            found += [circle + 64 * gun for gun in (1, 2) if s.guns[t.gun_kinds[gun - 1], circle] > 0]
    return found


def faults(s, t) -> list[str]:
    """Kinds of action whose list is not the enumerated one."""
    codes, d, found = listed(s, t), int(s.actor), []

    def expect(kind: Act, arguments: list[int], unless_empty: bool = False) -> None:
        have = [code % ARGUMENTS for code in codes if code // ARGUMENTS == kind]
        if have != arguments and not (unless_empty and not have):
            found.append(kind.name)

    if s.stage == Stage.ORDERS:
        expect(Act.ACTIVATE, ready(s, t))
    elif s.stage == Stage.PLACE:
        expect(Act.PLACE, deployable(s, t, d))
    elif s.stage == Stage.ACT and not s.status[d] & UNFIT:
        expect(Act.MOVE, reachable(s, t, d))
        expect(Act.ATTACK, targets(s, t, int(s.place[d])), unless_empty=True)
        expect(Act.ATTACK_WEAPON, targets(s, t, int(s.place[d])), unless_empty=True)
    return found


@pytest.mark.parametrize("cell", CELLS, ids=str)
def test_lists_are_those_of_an_enumeration(cell):
    tables = tables_of(*cell)
    for states in positions(cell):
        assert faults(as_records(states)[0], tables) == []


@pytest.mark.parametrize("name", MASKS)
def test_a_wrong_mask_changes_a_list(name):
    """So the comparison with an enumeration, here and in tests/naive, finds a mask that is built wrongly."""
    for cell in reversed(CELLS):
        other = tables_of(*cell).copy()
        other[name] = np.zeros_like(other[name])
        if any(faults(as_records(states)[0], other) for states in positions(cell)):
            return
    raise AssertionError(f"no list depends on {name}")
