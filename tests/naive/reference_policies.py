"""The reference policies idle, drill and fight, written from reference_policies.md, for the naive twin only.

A policy is a function of the twin that returns the next action code. The Defender Phase of drill and fight is written as
a generator that yields one action code after the other in the order of the text; it is made anew every turn. It looks at
the twin's objects, so everything it sees is up to date. Section numbers are those of reference_policies.md.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from weakref import WeakKeyDictionary

from .itter_twin import (
    ACTIVATE,
    ATTACK,
    ATTACK_WEAPON,
    COMMAND,
    DONE,
    ESCAPE,
    FIRE,
    GIVE,
    LOAD,
    MOVE,
    PASS,
    PLACE,
    RECOVER,
    SACRIFICE,
    SPEND,
    STAGE_COMMAND,
    STAGE_FIRE,
    STAGE_SACRIFICE,
    STAGE_SPEND,
    SUPPRESS,
    SUPPRESS_WEAPON,
    Defender,
    ItterTwin,
    Position,
    code,
)

Policy = Callable[[ItterTwin], int]
Plan = Iterator[int]


def play(data: dict, policy: Policy, seed: int, game: int) -> dict:
    """One whole game; returns its record."""
    twin = ItterTwin(data, seed, game)
    while not twin.over:
        twin.apply(policy(twin))
    return twin.record()


# ---------------------------------------------------------------- idle (2)


def idle(twin: ItterTwin) -> int:
    if twin.stage == STAGE_SPEND:
        return code(SPEND, 0)
    if twin.stage == STAGE_SACRIFICE:
        return code(SACRIFICE, 0)
    if twin.stage == STAGE_FIRE:
        return code(FIRE, 0)
    return code(PASS)


# ---------------------------------------------------------------- what drill and fight share


class _Planned:
    """A policy whose Defender Phase follows a plan that is made at the start of each turn."""

    def __init__(self, make_plan: Callable[[ItterTwin], Plan]) -> None:
        self.make_plan = make_plan
        self.plans: WeakKeyDictionary[ItterTwin, tuple[int, Plan]] = WeakKeyDictionary()

    def __call__(self, twin: ItterTwin) -> int:
        if twin.stage == STAGE_SPEND:  # 3.6, 5.7: all tokens
            return max(twin.legal())
        if twin.stage == STAGE_SACRIFICE:  # 3.7, 5.7: always accepted
            return code(SACRIFICE, 1)
        if twin.stage == STAGE_FIRE:  # 1.4: Machine Gunner before Mortar
            return code(FIRE, 0)
        turn, plan = self.plans.get(twin, (0, iter(())))
        if turn != twin.turn:
            plan = self.make_plan(twin)
            self.plans[twin] = (twin.turn, plan)
        return next(plan, code(PASS))  # 3.1: the rest is passed


def _named(twin: ItterTwin, name: str) -> Position:
    return twin.position_by_id[name]


def _is_open(twin: ItterTwin, p: Position) -> bool:
    """Free, not in the Cellar, not in a destroyed tank."""
    return twin.at(p) is None and p.location is not twin.cellar and not p.location.destroyed


def _waiting(twin: ItterTwin) -> list[Defender]:
    return [d for d in twin.defenders if d.where == "reserve"]


def _on_board(d: Defender) -> bool:
    return d.where == "board"


def _outside(twin: ItterTwin, d: Defender) -> bool:
    return _on_board(d) and d.location is not twin.cellar


def _suppress_code(twin: ItterTwin, p: Position, weapon: bool, value: int) -> int:
    """3.5 a, c, d: all tokens to the first colour of the position that has a square. With two squares SUPPRESS says how many
    go to the first (all of them); with one the argument is the value, with none it is 0."""
    squares = [c for c in p.colours if c in twin.squares]
    return code(SUPPRESS_WEAPON if weapon else SUPPRESS, value if squares else 0)


# ---------------------------------------------------------------- drill (3)


def _drill_position(twin: ItterTwin, d: Defender) -> Position | None:
    """3.2 a to c."""
    for p in twin.positions:
        if _is_open(twin, p) and (not p.crew or d.has("T")):
            return p
    for p in twin.positions:
        if _is_open(twin, p):
            return p
    return None


def _drill_suppress(twin: ItterTwin, d: Defender) -> int:
    """3.5."""
    p = d.position
    assert p is not None
    weapon = d.has("T") and p.weapon_suppress is not None and not p.needs_load
    value = (p.weapon_suppress if weapon else d.suppress) or 0
    return _suppress_code(twin, p, weapon, value + twin.inspire_bonus(d))


def _drill_plan(twin: ItterTwin) -> Plan:
    # 3.2 step A
    waiting = _waiting(twin)
    while waiting:
        d = waiting.pop(0)
        p = _drill_position(twin, d)
        if p is None:
            break
        yield code(ACTIVATE, d.index)
        yield code(PLACE, p.index)
        yield _drill_suppress(twin, d)
    # 3.3 step B
    if not any(d.starter and d.where == "reserve" for d in twin.defenders):
        for d in twin.defenders:
            if _outside(twin, d) and not d.exhausted and not d.disrupted and not d.action_token:
                yield code(ACTIVATE, d.index)
                yield _drill_suppress(twin, d)
        # 3.4 step C
        for d in twin.defenders:
            if _on_board(d) and (d.exhausted or d.disrupted) and not d.action_token:
                yield code(ACTIVATE, d.index)
                yield code(RECOVER, 1 if d.disrupted else 0)


drill: Policy = _Planned(_drill_plan)


# ---------------------------------------------------------------- fight (5)


def _fight_position(twin: ItterTwin, d: Defender) -> Position | None:
    """5.1."""
    if d.has("T"):
        for name in ("BJ3", "BJ4", "G4", "BJ2", "BJ1"):
            if _is_open(twin, _named(twin, name)):
                return _named(twin, name)
    for p in twin.positions:
        if _is_open(twin, p) and not p.crew and p.id not in ("ST2", "GH4"):
            return p
    for p in twin.positions:
        if _is_open(twin, p):
            return p
    return None


def _steps(twin: ItterTwin, circle: int) -> int:
    """Circles still to pass, its own included."""
    n = 0
    while circle != 0:
        n += 1
        circle = twin.circles[circle].next
    return n


def _best_target(twin: ItterTwin, p: Position) -> int | None:
    """5.6 c: the seen counter with the smallest (steps, circle id, kind)."""
    seen: list[tuple[int, int, int, int]] = []
    for circle in twin.circles.values():
        if circle.colour not in p.colours:
            continue
        steps = _steps(twin, circle.id)
        if circle.id in twin.counters:
            seen.append((steps, circle.id, twin.counters[circle.id].index, circle.id))
        if circle.placement and twin.guns["machine_gunner"][circle.id]:
            seen.append((steps, circle.id, twin.kind_by_id["machine_gunner"].index, 64 + circle.id))
        if circle.placement and twin.guns["mortar"][circle.id]:
            seen.append((steps, circle.id, twin.kind_by_id["mortar"].index, 128 + circle.id))
    return min(seen)[3] if seen else None


def _fight_act(twin: ItterTwin, d: Defender) -> int:
    """5.6."""
    p = d.position
    assert p is not None
    if p.loads and d.has("T") and not twin.loaded:
        return code(LOAD)
    weapon = d.has("T") and p.weapon_attack is not None and (twin.loaded or not p.needs_load)
    bonus = twin.inspire_bonus(d)
    attack = (p.weapon_attack or 0) if weapon else d.attack
    suppress = (p.weapon_suppress or 0) if weapon else d.suppress
    target = _best_target(twin, p)
    if target is not None and attack + bonus >= 1:
        return code(ATTACK_WEAPON if weapon else ATTACK, target)
    return _suppress_code(twin, p, weapon, suppress + bonus)


def _french_action(twin: ItterTwin, d: Defender) -> int | None:
    """5.2 i to iv: what this French defender would do, if anything."""
    if not _on_board(d):
        return None
    if d.disrupted:
        return code(RECOVER, 1)
    if d.exhausted:
        return code(RECOVER, 0)
    hall = twin.location_by_id["GH"]
    if d.location is twin.cellar:
        for p in twin.positions:
            if p.location is hall and _is_open(twin, p):
                return code(MOVE, p.index)
        return None
    if d.id != "borotra":
        return None
    if twin.may_escape(d):
        return code(ESCAPE)
    if d.location is hall:
        for name in ("ST", "K", "NT", "G"):
            for p in twin.positions:
                if p.location.id == name and not p.crew and _is_open(twin, p):
                    return code(MOVE, p.index)
    return None


def _fight_plan(twin: ItterTwin) -> Plan:
    # 5.1 step A
    waiting = _waiting(twin)
    while waiting:
        d = waiting.pop(0)
        p = _fight_position(twin, d)
        if p is None:
            break
        yield code(ACTIVATE, d.index)
        yield code(PLACE, p.index)
        yield _fight_act(twin, d)
    if any(d.starter and d.where == "reserve" for d in twin.defenders):
        return
    # 5.2 step B
    by_id = {d.id: d for d in twin.defenders}
    for name in ("borotra", "clemenceau", "gamelin", "delarocque", "reynaud"):
        action = _french_action(twin, by_id[name])
        if action is not None:
            yield code(ACTIVATE, by_id[name].index)
            yield action
            break
    # 5.3 step C
    for commander in twin.defenders:
        if not commander.has("C") or not _outside(twin, commander) or not commander.fit:
            continue
        entries: list[int] = []
        for d in twin.defenders:
            if d.location is commander.location and not d.has("C") and not d.action_token:
                if d.disrupted:
                    entries.append(code(GIVE, d.index * 4 + 1))
                if d.exhausted:
                    entries.append(code(GIVE, d.index * 4))
        if len(entries) < 2:
            continue
        yield code(ACTIVATE, commander.index)
        yield code(COMMAND)
        for entry in entries[:3]:
            if twin.stage == STAGE_COMMAND and entry in twin.legal():
                yield entry
        if twin.stage == STAGE_COMMAND:
            yield code(DONE)
    # 5.4 step D
    first = 5 * twin.turn % 28
    turned = twin.defenders[first:] + twin.defenders[:first]
    for d in turned:
        if d.french or not _outside(twin, d) or not d.fit:
            continue
        assert d.position is not None
        if d.position.loads and (twin.loaded or not d.has("T")):
            continue
        yield code(ACTIVATE, d.index)
        yield _fight_act(twin, d)
    # 5.5 step E
    for d in turned:
        if _on_board(d) and d.spent and not d.has_token:
            yield code(ACTIVATE, d.index)
            yield code(RECOVER, 1 if d.disrupted else 0)


fight: Policy = _Planned(_fight_plan)
